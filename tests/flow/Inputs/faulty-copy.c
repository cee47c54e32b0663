// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose memcpy makes one mistake, below the recorder and below MPI: loaded before the program, it stands for
// a faulty copy function of a library (FlowChecker, table I). FAULTY_COPY: short (the last 3 bytes stay), source (it
// reads 1 byte further on), late (the copy before the next one), bit (one bit is other). FAULTY_SIZE: in copies of so
// many bytes.
#include <stdlib.h>
#include <string.h>

static const char *fault;
static size_t wrong_size;
__attribute__((constructor)) static void load(void) {
  const char *size = getenv("FAULTY_SIZE");
  wrong_size = size ? strtoul(size, NULL, 10) : 0;
  fault = getenv("FAULTY_COPY");
}

static __thread struct {
  void *to;
  const void *from;
  size_t size;
} waiting;

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  if (waiting.to) {
    void *late = waiting.to;
    waiting.to = NULL;
    memmove(late, waiting.from, waiting.size);
  }
  if (!fault || size != wrong_size) return memmove(to, from, size);
  switch (fault[0]) {
  case 's':
    if (fault[1] == 'h') return memmove(to, from, size - 3);
    return memmove(to, (const char *)from + 1, size);
  case 'l': waiting.to = to, waiting.from = from, waiting.size = size; return to;
  default:
    memmove(to, from, size);
    ((char *)to)[size / 2] ^= 4;
    return to;
  }
}
