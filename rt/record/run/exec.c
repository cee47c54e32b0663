// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that replaces its program (exec) never calls MPI_Finalize, and no handler of its exit runs. These functions
// write into the log's header that it did so, and take it back where exec fails. Children of fork and vfork, and what
// posix_spawn and system start, are other processes. A child of vfork may take no lock, so nothing is looked up late.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "record/run/exit-place.h"
#include "record/runtime.h"

static int (*next_search)(const char *, char *const *, char *const *);

__attribute__((constructor)) static void find(void) { *(void **)&next_search = dlsym(RTLD_NEXT, "execvpe"); }

static struct mck_log_header *begin(const void *pc) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!mck_rt.is_ready || mck_depth || !h || h->pid != (uint32_t)getpid() || atomic_load(&h->state) != MCK_LOG_RUNNING)
    return NULL;
  mck_exit_place_note(h, pc, true);
  atomic_store(&h->left, MCK_LEFT_EXEC);
  atomic_store(&h->calls, mck_rt.calls);
  atomic_store(&h->state, MCK_LOG_EXITED);
  return h;
}

static int fail(struct mck_log_header *h) {
  if (!h) return -1;
  atomic_store(&h->state, MCK_LOG_RUNNING);
  atomic_store(&h->ndied, 0);
  atomic_store(&h->left, MCK_LEFT_UNKNOWN);
  return -1;
}

static int replace(const void *pc, const char *path, char *const *arguments, char *const *variables) {
  struct mck_log_header *h = begin(pc);
  syscall(SYS_execve, path, arguments, variables);
  return fail(h);
}
static int search(const void *pc, const char *name, char *const *arguments, char *const *variables) {
  if (!next_search) {
    errno = ENOSYS;
    return -1;
  }
  struct mck_log_header *h = begin(pc);
  next_search(name, arguments, variables);
  return fail(h);
}

MCK_EXPORT int execve(const char *path, char *const arguments[], char *const variables[]) {
  return replace(__builtin_return_address(0), path, arguments, variables);
}
MCK_EXPORT int execv(const char *path, char *const arguments[]) {
  return replace(__builtin_return_address(0), path, arguments, environ);
}
MCK_EXPORT int execvp(const char *name, char *const arguments[]) {
  return search(__builtin_return_address(0), name, arguments, environ);
}
MCK_EXPORT int execvpe(const char *name, char *const arguments[], char *const variables[]) {
  return search(__builtin_return_address(0), name, arguments, variables);
}

// The arguments are on the stack: a child of vfork has the memory of its parent.
#define LIST(count, words, first)                                                                                      \
  va_list list;                                                                                                        \
  size_t count = 1;                                                                                                    \
  va_start(list, first);                                                                                               \
  while (va_arg(list, char *)) count++;                                                                                \
  va_end(list);                                                                                                        \
  char *words[count + 1];                                                                                              \
  words[0] = (char *)(uintptr_t)(first);                                                                               \
  va_start(list, first);                                                                                               \
  for (size_t i = 1; i <= count; i++) words[i] = va_arg(list, char *)

MCK_EXPORT int execl(const char *path, const char *first, ...) {
  LIST(n, words, first);
  va_end(list);
  return replace(__builtin_return_address(0), path, words, environ);
}
MCK_EXPORT int execlp(const char *name, const char *first, ...) {
  LIST(n, words, first);
  va_end(list);
  return search(__builtin_return_address(0), name, words, environ);
}
MCK_EXPORT int execle(const char *path, const char *first, ...) {
  LIST(n, words, first);
  char *const *variables = va_arg(list, char *const *);
  va_end(list);
  return replace(__builtin_return_address(0), path, words, variables);
}
