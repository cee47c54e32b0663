// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the runtime: watches one object and prints every signal that touches it, one a line, as FileCheck
// reads it: "load +0 4", "store atomic +8 4", "load +0 8 x 10 by 16"; offsets are from the start of the object.
#pragma once
#include <stdio.h>
#include <string.h>

#define HIDDEN_FROM_PLUGIN __attribute__((disable_sanitizer_instrumentation, noinline))

#ifdef __cplusplus
extern "C" {
#endif
#include "abi.h"

static uint8_t recorder_filter[MCK_PAGES];
static const char *recorder_base;
static uint64_t recorder_size;
static volatile int recorder_attached;
volatile long recorder_sink; // what is loaded goes here, so that the load stays

void __mck_attach(uint32_t abi_version, const uint8_t **pages) {
  if (abi_version == MCK_ABI_VERSION)
    recorder_attached = 1;
  *pages = recorder_filter;
}

HIDDEN_FROM_PLUGIN static int recorder_print(const char *from, const char *to, uint32_t flags, uint64_t size) {
  if (to <= recorder_base || from >= recorder_base + recorder_size)
    return 0;
  printf("%s%s%s %+ld %lu", flags & MCK_SIGNAL_STORE ? "store" : "load", flags & MCK_SIGNAL_ATOMIC ? " atomic" : "",
         flags & MCK_SIGNAL_VOLATILE ? " volatile" : "", (long)(from - recorder_base), (unsigned long)size);
  return 1;
}

void __mck_access(const volatile void *address, uint64_t size, uint32_t flags) {
  const char *from = (const char *)address;
  if (recorder_print(from, from + size, flags, size))
    putchar('\n');
}

void __mck_access_range(const volatile void *address, uint64_t size, int64_t stride, uint64_t count, uint32_t flags) {
  const char *from = (const char *)address, *to = from + stride * (int64_t)(count - 1) + size;
  if (stride < 0) {
    from += stride * (int64_t)(count - 1);
    to = (const char *)address + size;
  }
  if (recorder_print(from, to, flags, size))
    printf(" x %lu by %+ld\n", (unsigned long)count, (long)stride);
}

uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  (void)bits;
  return (const char *)low < recorder_base + recorder_size && (const char *)high > recorder_base;
}
#ifdef __cplusplus
}
#endif

// From now on print the signals of this object, under this title.
HIDDEN_FROM_PLUGIN static void recorder_watch(const char *title, const volatile void *object, uint64_t size) {
  memset(recorder_filter, 0, sizeof recorder_filter);
  recorder_base = (const char *)object;
  recorder_size = size;
  uint64_t last = ((uint64_t)object + size - 1) >> MCK_PAGE_SHIFT;
  for (uint64_t page = (uint64_t)object >> MCK_PAGE_SHIFT; page <= last; ++page)
    recorder_filter[page % MCK_PAGES] = MCK_WATCH_LOADS | MCK_WATCH_STORES;
  printf("== %s\n", title);
}
