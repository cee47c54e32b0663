// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's stand-in for pointers.py: prints, for each object that was exposed, which of its 64 bytes were stored to, or touched, since.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "abi.h"

static uint8_t filter[MCK_FILTER_BYTES];
static struct { const char *base; uint64_t touched, stored; } exposed[4096];
static int nexposed;

void expose(char *p) {   // as MPI_Irecv
  const char *base = (const char *)((uintptr_t)p & ~(uintptr_t)63);
  for (int i = 0; i < nexposed; i++) if (exposed[i].base == base) return;
  exposed[nexposed++].base = base;
  filter[((uintptr_t)base >> MCK_PAGE_SHIFT) % MCK_PAGES] = 3, filter[MCK_PAGES] = 1;
}
long opaque(long value) { return value; }
void finish(int program) {
  for (int i = 0; i < nexposed; i++) printf("program %d object %d: %016lx %016lx\n", program, i, exposed[i].touched, exposed[i].stored);
  printf("program %d ends\n", program);
  nexposed = 0;
  memset(exposed, 0, sizeof exposed), memset(filter, 0, sizeof filter);
}
static uint8_t cells[MCK_CELLS + MCK_PAGES];   // nothing is recorded already
void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen) { (void)abi_version, *seen = cells, *pages = filter; }
void naive_access(const volatile void *address, uint64_t size, uint32_t flags);   // also called by Naive.cpp's code
void naive_access(const volatile void *address, uint64_t size, uint32_t flags) {
  const char *low = (const char *)address;
  for (int i = 0; i < nexposed; i++)
    for (uint64_t k = 0; k < size; k++) {
      uint64_t at = (uint64_t)(low + k - exposed[i].base);
      if (at >= 64) continue;
      exposed[i].touched |= 1ul << at;
      if (flags & MCK_SIGNAL_STORE) exposed[i].stored |= 1ul << at;
    }
}
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame) {
  (void)place, (void)frame;
  naive_access(address, size, flags);
}
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame, const struct mck_map **map) {
  (void)map;
  __mck_access_at(address, size, flags, place, frame);
}
static void access_many(const volatile void *address, uint64_t size, int64_t stride, uint64_t count, uint32_t flags) {
  for (uint64_t k = 0; k < count; k++) naive_access((const char *)address + (int64_t)k * stride, size, flags);
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
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) { return low != high && bits; }
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) {
  for (uint32_t levels = how >> 8; levels; levels--) {
    memcpy(&pointer, (const void *)pointer, sizeof pointer);
    if (levels > 1) pointer += second;
  }
  for (int i = 0; i < nexposed; i++)
    if (pointer - (uintptr_t)exposed[i].base < 64) return 1;
  return 0;
}
