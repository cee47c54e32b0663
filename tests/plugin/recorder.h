// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the runtime: watches one object and prints every signal that touches it, one a line, as FileCheck
// reads it: "load +0 4", "store atomic +8 4"; offsets are from the start of the object.
#pragma once
#include <stdio.h>
#include <string.h>

#define HIDDEN_FROM_PLUGIN __attribute__((disable_sanitizer_instrumentation, noinline))

#ifdef __cplusplus
extern "C" {
#endif
#include "abi.h"

static uint8_t recorder_filter[MCK_FILTER_BYTES];
static uint8_t recorder_cells[MCK_CELLS + MCK_PAGES]; // nothing is recorded already
static const char *recorder_base;
static uint64_t recorder_size;
static volatile int recorder_attached;
volatile long recorder_sink; // what is loaded goes here, so that the load stays

void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen) {
  if (abi_version == MCK_ABI_VERSION)
    recorder_attached = 1;
  *pages = recorder_filter, *seen = recorder_cells;
}

static void access_one(const volatile void *address, uint64_t size, uint32_t flags) {
  const char *from = (const char *)address;
  if (from + size <= recorder_base || from >= recorder_base + recorder_size)
    return;
  printf("%s%s%s %+ld %lu\n", flags & MCK_SIGNAL_STORE ? "store" : "load", flags & MCK_SIGNAL_ATOMIC ? " atomic" : "",
         flags & MCK_SIGNAL_VOLATILE ? " volatile" : "", (long)(from - recorder_base), (unsigned long)size);
}

// The pieces that touch the object, as if they were signalled one by one.
static void access_many(const volatile void *address, uint64_t size, int64_t stride, uint64_t count, uint32_t flags) {
  for (uint64_t k = 0; k < count; ++k)
    access_one((const volatile char *)address + (int64_t)k * stride, size, flags);
}
void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, const void *place, const void *frame) {
  (void)place, (void)frame;
  access_many(address, what >> 8, stride, count, what & 255);
}
void __mck_access_grid_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, int64_t stride2, uint64_t count2,
                          const void *place, const void *frame) {
  for (uint64_t k = 0; k < count2; k++)
    __mck_access_range_at((const char *)address + (int64_t)k * stride2, what, stride, count, place, frame);
}

void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame) {
  (void)place, (void)frame;
  access_one(address, size, flags);
}
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame, const struct mck_map **map) {
  (void)map;
  __mck_access_at(address, size, flags, place, frame);
}
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  (void)bits;
  return (const char *)low < recorder_base + recorder_size && (const char *)high > recorder_base;
}
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) {
  for (uint32_t levels = how >> 8; levels; levels--) {
    memcpy(&pointer, (const void *)pointer, sizeof pointer);
    if (levels > 1) pointer += second;
  }
  return pointer - (uintptr_t)recorder_base < recorder_size;
}
#ifdef __cplusplus
}
#endif

// From now on print the signals of this object, under this title.
HIDDEN_FROM_PLUGIN static void recorder_watch(const char *title, const volatile void *object, uint64_t size) {
  __asm__ volatile("" : : "r"(object) : "memory"); // its address leaves what the plugin sees, as if MPI got it
  memset(recorder_filter, 0, sizeof recorder_filter);
  recorder_base = (const char *)object;
  recorder_size = size;
  uint64_t last = ((uint64_t)object + size - 1) >> MCK_PAGE_SHIFT;
  for (uint64_t page = (uint64_t)object >> MCK_PAGE_SHIFT; page <= last; ++page)
    recorder_filter[page % MCK_PAGES] = (MCK_WATCH_LOADS | MCK_WATCH_STORES) * (1 + (1 << MCK_WATCH_ORDERED));
  recorder_filter[MCK_PAGES] = 1;
  printf("== %s\n", title);
}
