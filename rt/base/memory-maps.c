// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads /proc/self/maps and keeps what it says (memory-maps.h).
#include "base/memory-maps.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct range {
  uintptr_t low, high;
};
struct ranges {
  struct range *items;
  size_t count, capacity;
};
static struct ranges known[2]; // [1]: writable; ascending, adjacent ranges joined

static const char *number(const char *p, uintptr_t *value) {
  *value = 0;
  for (;; p++) {
    unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                     : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                                              : 16;
    if (digit == 16) return p;
    *value = *value << 4 | digit;
  }
}

static bool add(struct ranges *r, uintptr_t low, uintptr_t high) {
  if (r->count && r->items[r->count - 1].high == low) {
    r->items[r->count - 1].high = high;
    return true;
  }
  return MCK_PUSH(r->items, r->count, r->capacity, ((struct range){low, high}));
}

// "55d0c0a00000-55d0c0a01000 rw-p 00000000 fe:01 123  /path"
static bool parse(const char *p, struct ranges lists[2]) {
  for (int i = 0; i < 2; i++) lists[i].count = 0;
  while (*p) {
    uintptr_t low, high;
    p = number(p, &low);
    if (*p++ != '-') return false;
    p = number(p, &high);
    if (*p++ != ' ') return false;
    for (int i = 0; i < 2; i++)
      if (p[i] == "rw"[i] && !add(&lists[i], low, high)) return false;
    while (*p && *p != '\n') p++;
    if (*p) p++;
  }
  return true;
}

static int64_t reach(const struct ranges *r, uintptr_t low, uintptr_t high) {
  size_t from = 0, to = r->count;
  while (from < to) { // finds the last range that begins at or before low
    size_t middle = (from + to) / 2;
    if (r->items[middle].low <= low) from = middle + 1;
    else to = middle;
  }
  if (!from || r->items[from - 1].high <= low) return 0;
  return (int64_t)((r->items[from - 1].high < high ? r->items[from - 1].high : high) - low);
}

static bool read_maps(void) {
  static char *text;
  static size_t size;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  size_t n = 0;
  for (;;) {
    if (n + 4096 > size && !mck_base_grow((void **)&text, &size, n + 65536, 1)) break;
    ssize_t got = read(file, text + n, size - n - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      close(file);
      if (got < 0 || !n) return false;
      text[n] = 0;
      return parse(text, known);
    }
    n += (size_t)got;
  }
  close(file);
  return false;
}

int64_t mck_maps_reach(uintptr_t low, uintptr_t high, bool is_written) {
  int64_t size = (int64_t)(high - low), found = reach(&known[is_written], low, high), best = 0;
  if (found == size) return size;
  int saved = errno;
  // The list is not read at one instant. While other threads map and unmap, a reading may lack a range that was mapped
  // all the time.
  for (int i = 0; i < 2 && best >= 0 && best < size; i++) {
    found = read_maps() ? reach(&known[is_written], low, high) : -1;
    best = found < 0 || found > best ? found : best;
  }
  errno = saved;
  return best;
}

int64_t mck_maps_reach_known(uintptr_t low, uintptr_t high, bool is_written) {
  return reach(&known[is_written], low, high);
}

int64_t mck_maps_reach_in(const char *text, uintptr_t low, uintptr_t high, bool is_written) {
  static struct ranges lists[2];
  return parse(text, lists) ? reach(&lists[is_written], low, high) : -1;
}
