// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates memory of threads, and frees it when they end (thread-memory.h).
#include "record/call/thread-memory.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct block {
  struct block *next;
  void **own, *before;
};
static pthread_key_t blocks;
static int has_key;

static void end_thread(void *first) {
  for (struct block *b = first, *next; b; b = next) {
    next = b->next;
    *b->own = b->before;
    free(b);
  }
}
static void make_key(void) { has_key = pthread_key_create(&blocks, end_thread) == 0; }

void *mck_thread_memory_make(void **own, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  struct block *b = has_key ? calloc(1, sizeof *b + size + MCK_THREAD_MEMORY_ALIGN) : NULL;
  if (!b) return NULL;
  *b = (struct block){pthread_getspecific(blocks), own, *own};
  if (pthread_setspecific(blocks, b)) {
    free(b);
    return NULL;
  }
  uintptr_t at = ((uintptr_t)(b + 1) + MCK_THREAD_MEMORY_ALIGN - 1) & ~(uintptr_t)(MCK_THREAD_MEMORY_ALIGN - 1);
  return *own = (void *)at;
}
