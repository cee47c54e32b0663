// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's stand-in for random programs: notes for each phase which bytes of the buffers of interest were stored to, and which were
// loaded or stored to, and prints a hash of it (or with an argument the ranges of that program).
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "abi.h"
#include "random.h"

enum { ALL = BUFFERS + 1, ARENA = BUFFERS * BUFFER_BYTES + 65536 };   // known is the last one
static uint8_t filter[MCK_FILTER_BYTES], shadow[ARENA], interest[ALL];
_Alignas(4096) char arena[ARENA];
_Static_assert(BUFFERS == 6 && BUFFER_BYTES == 24000, "base_of(BUFFERS)");
struct held held;
__asm__(".globl known\n.set known, arena + 150128\n");
static uint8_t cells[MCK_CELLS + MCK_PAGES];
static int program, nphases, shown = -1;
static uint32_t state;
static u64 sums;

static uint32_t draw(void) { return state = state * 1664525u + 1013904223u, state >> 8; }
static char *base_of(int i) { return arena + 128 + (size_t)i * (BUFFER_BYTES + 1000) + (i & 1 ? 8 * i : 0); }
void *buffer(int i) { return base_of(i); }
long opaque(long value) { return value; }
void hold(void *at, long from) { held = (struct held){at, from}; }
void sink(u64 sum, f64 fsum) { sums = sums * 31 + sum; if (fsum == 0.123) sums++; }

static void mark(void) {
  memset(filter, 0, sizeof filter);
  // In a fifth of the phases nothing is of interest: loops run in their plain versions. In some of them the byte behind
  // the pages says otherwise.
  bool is_nothing = draw() % 5 == 0;
  filter[MCK_PAGES] = !is_nothing || draw() % 3 == 0;
  for (int i = 0; i < ALL; i++) {
    uint32_t r = draw() % 6;
    interest[i] = is_nothing || r < 2 ? 0 : r == 2 ? MCK_WATCH_STORES : MCK_WATCH_STORES | MCK_WATCH_LOADS;
    if (!interest[i]) continue;
    for (uintptr_t p = (uintptr_t)base_of(i) >> MCK_PAGE_SHIFT; p <= (uintptr_t)(base_of(i) + BUFFER_BYTES - 1) >> MCK_PAGE_SHIFT; p++)
      filter[p % MCK_PAGES] |= (uint8_t)(interest[i] | interest[i] << MCK_WATCH_ORDERED);
  }
}

void naive_access(const volatile void *address, uint64_t size, uint32_t flags);   // also called by Naive.cpp's code
// Places in loops: every second one gets a map of the arena at its first access, which then sets bytes itself.
enum { MAPS = 4096 };
static struct { struct mck_map map; const struct mck_map **owner; uint64_t size; uint32_t flags; } maps[MAPS];
static int nmaps;
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame, const struct mck_map **map) {
  (void)place, (void)frame;
  if (!(*map)->marks && nmaps < MAPS && ((uintptr_t)map / sizeof map) % 2) {
    maps[nmaps].owner = map, maps[nmaps].size = size, maps[nmaps].flags = flags;
    maps[nmaps].map = (struct mck_map){(uintptr_t)arena, ARENA / size, calloc(ARENA / size, 1)};
    *map = &maps[nmaps++].map;
  }
  naive_access(address, size, flags);
}
static void read_maps(void) {
  for (int i = 0; i < nmaps; i++)
    for (uint64_t k = 0; k < maps[i].map.elements; k++) {
      if (!maps[i].map.marks[k]) continue;
      naive_access(arena + k * maps[i].size, maps[i].size, maps[i].flags);
      maps[i].map.marks[k] = 0;
    }
}

static void print(void) {
  read_maps();
  for (uintptr_t i = 0; i <= ARENA; i += 8) cells[(uint32_t)((uintptr_t)arena + i) >> MCK_CELL_SHIFT] = 0;
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < ARENA; i++) hash = (hash ^ shadow[i]) * 1099511628211u;
  printf("program %d phase %d %016lx\n", program, nphases, hash);
  if (program == shown)
    for (int b = 0; b < ALL; b++)
      for (int i = (int)(base_of(b) - arena), end = i + BUFFER_BYTES, j; i < end; i = j) {
        for (j = i; j < end && shadow[j] == shadow[i]; j++) {}
        if (shadow[i]) printf("  buffer %d: %s %ld..%ld\n", b, shadow[i] & 2 ? "store" : "load", i - (base_of(b) - arena), j - 1 - (base_of(b) - arena));
      }
  memset(shadow, 0, sizeof shadow);
}

void phase(void) { print(), nphases++, mark(); }
void begin(int number) {
  program = number, nphases = 0, state = (uint32_t)number * 7919u + 17, sums = 0;
  for (int i = 0; i < ARENA; i++) arena[i] = (char)(draw() % 200);
  mark();
}
void finish(void) { print(), printf("program %d sums %016lx\n", program, sums); }

void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen) {
  (void)abi_version, *pages = filter, *seen = cells; }
void naive_access(const volatile void *address, uint64_t size, uint32_t flags) {
  const char *low = (const char *)address, *high = low + size;
  if (high <= arena || low >= arena + ARENA) return;
  bool is_store = flags & MCK_SIGNAL_STORE;
  for (int i = 0; i < ALL; i++) {
    if (!(interest[i] & (is_store ? MCK_WATCH_STORES : MCK_WATCH_LOADS))) continue;
    const char *from = low > base_of(i) ? low : base_of(i), *to = high < base_of(i) + BUFFER_BYTES ? high : base_of(i) + BUFFER_BYTES;
    for (; from < to; from++) shadow[from - arena] |= is_store ? 3 : 1;
  }
}
// Some of what is signalled is recorded (abi.h) and need not be signalled again in this phase.
static void record(const volatile void *address, uint64_t size, uint32_t flags) {
  uintptr_t low = (uintptr_t)address, high = low + size;
  if (low < (uintptr_t)arena || high > (uintptr_t)arena + ARENA || (low >> 6) % 3 == 0) return;
  for (low += low % 2; low + 2 <= high; low += 2)
    cells[(uint32_t)low >> MCK_CELL_SHIFT] |= (uint8_t)((flags & MCK_SIGNAL_STORE ? 17 : 1) << low % 8 / 2);
}
static void access_many(const volatile void *address, uint64_t size, int64_t stride, uint64_t count, uint32_t flags) {
  if (count > 1000000) printf("program %d: a range of %lu pieces\n", program, count), exit(1);
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
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame) {
  (void)place, (void)frame;
  naive_access(address, size, flags);
  record(address, size, flags);
}
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  for (uintptr_t p = (uintptr_t)low >> MCK_PAGE_SHIFT; p <= ((uintptr_t)high - 1) >> MCK_PAGE_SHIFT; p++)
    if (filter[p % MCK_PAGES] & bits) return 1;
  return 0;
}
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) {
  for (uint32_t levels = how >> 8; levels; levels--) {
    memcpy(&pointer, (const void *)pointer, sizeof pointer);
    if (levels > 1) pointer += second;
  }
  for (int i = 0; i < ALL; i++)
    if (pointer - (uintptr_t)base_of(i) < BUFFER_BYTES) return interest[i] & how & 255;
  return 1;
}
__attribute__((constructor)) static void start(void) {
  const char *text = getenv("RANDOM_SHOW");
  if (text) shown = atoi(text);
}
