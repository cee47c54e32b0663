// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies within memory. These functions are called from the very first moment of a process, when this library is not
// relocated yet: until its constructor has run they copy by themselves, and touch no thread-local storage.
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include "flow/recorder/recorder.h"

typedef void *copy(void *, const void *, size_t);
typedef void *checked_copy(void *, const void *, size_t, size_t);
static struct {
  copy *memcpy, *memmove, *mempcpy;
  checked_copy *memcpy_chk, *memmove_chk, *mempcpy_chk;
  void (*bcopy)(const void *, void *, size_t);
} next;

static const struct link_map *library_of(void *function) {
  struct dl_find_object found;
  return function && _dl_find_object(function, &found) == 0 ? found.dlfo_link_map : NULL;
}

// Programs of before 2011 call a memcpy that allows overlap. In libc that one and today's are memmove on most
// processors; only another library's memcpy is called by its own name.
__attribute__((constructor(101))) static void find_next(void) {
  void *memcpy_found = dlsym(RTLD_NEXT, "memcpy"), *version = dlsym(RTLD_NEXT, "gnu_get_libc_version");
  next.mempcpy = (copy *)dlsym(RTLD_NEXT, "mempcpy");
  next.memcpy_chk = (checked_copy *)dlsym(RTLD_NEXT, "__memcpy_chk");
  next.memmove_chk = (checked_copy *)dlsym(RTLD_NEXT, "__memmove_chk");
  next.mempcpy_chk = (checked_copy *)dlsym(RTLD_NEXT, "__mempcpy_chk");
  next.bcopy = (void (*)(const void *, void *, size_t))dlsym(RTLD_NEXT, "bcopy");
  next.memmove = (copy *)dlsym(RTLD_NEXT, "memmove");
  bool is_libc = library_of(memcpy_found) == library_of(version);
  next.memcpy = is_libc || !memcpy_found ? next.memmove : (copy *)memcpy_found;
}

// The compiler must not make a call of memcpy or memmove of it.
__attribute__((noinline)) static void *copy_early(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= size) {
    for (size_t i = 0; i < size; i++) {
      t[i] = f[i];
      __asm__ volatile("" ::: "memory");
    }
  } else {
    for (size_t i = size; i > 0; i--) {
      t[i - 1] = f[i - 1];
      __asm__ volatile("" ::: "memory");
    }
  }
  return to;
}

void mck_flow_plain_copy(void *to, const void *from, size_t size) { copy_early(to, from, size); }

// Are both sides equal after the copy? Of long ones the ends and some places between are looked at.
static bool is_copied(const char *to, const char *from, size_t size) {
  enum { WHOLE = 256, PART = 64, PLACES = 4 };
  if ((uintptr_t)to - (uintptr_t)from < size || (uintptr_t)from - (uintptr_t)to < size) return true; // they overlap
  if (size >= 8 && size <= 16) { // two words, which may overlap
    uint64_t a[2], b[2];
    __builtin_memcpy(&a[0], to, 8), __builtin_memcpy(&a[1], to + size - 8, 8);
    __builtin_memcpy(&b[0], from, 8), __builtin_memcpy(&b[1], from + size - 8, 8);
    return a[0] == b[0] && a[1] == b[1];
  }
  if (size <= WHOLE) return memcmp(to, from, size) == 0;
  for (size_t i = 0, step = (size - PART) / PLACES; i <= PLACES; i++) {
    size_t at = i == PLACES ? size - PART : i * step;
    if (memcmp(to + at, from + at, PART) != 0) return false;
  }
  return true;
}

// Another library may have put its own function there: it is named if it does not copy.
__attribute__((noinline)) static void *copy_recorded(void *to, const void *from, size_t size, copy *function,
                                                     const void *caller) {
  mck_flow_copy(from, to, size, caller);
  void *rc = function(to, from, size);
  if (MCK_UNLIKELY(!is_copied(to, from, size))) {
    struct mck_trace_slot by = {.time = (uintptr_t)function};
    mck_flow_move(&(struct mck_flow_move){MCK_TRACE_MISCOPY, mck_flow_now(), from, to, size, caller, &by});
  }
  return rc;
}

// They end in a jump to the next function where nothing is recorded: that one, too, may ask who calls it.
#define IS_RECORDED(size) (MCK_UNLIKELY(mck_flow_thread.depth) && (size))
#define COPY(name, early)                                                                                              \
  MCK_EXPORT MCK_HOT void *name(void *restrict to, const void *restrict from, size_t size) {                           \
    copy *function = next.name;                                                                                        \
    if (MCK_UNLIKELY(!function)) return early;                                                                         \
    if (IS_RECORDED(size)) return copy_recorded(to, from, size, function, __builtin_return_address(0));                \
    return function(to, from, size);                                                                                   \
  }
COPY(memcpy, copy_early(to, from, size))
COPY(mempcpy, (char *)copy_early(to, from, size) + size)

MCK_EXPORT MCK_HOT void *memmove(void *to, const void *from, size_t size) {
  copy *function = next.memmove;
  if (MCK_UNLIKELY(!function)) return copy_early(to, from, size);
  if (IS_RECORDED(size)) return copy_recorded(to, from, size, function, __builtin_return_address(0));
  return function(to, from, size);
}

MCK_EXPORT void *__mempcpy(void *restrict to, const void *restrict from, size_t size) {
  copy *function = next.mempcpy;
  if (MCK_UNLIKELY(!function)) return (char *)copy_early(to, from, size) + size;
  if (IS_RECORDED(size)) return copy_recorded(to, from, size, function, __builtin_return_address(0));
  return function(to, from, size);
}

// What does not fit ends the program, in libc.
#define CHECKED(name, early)                                                                                           \
  MCK_EXPORT void *__##name(void *restrict to, const void *restrict from, size_t size, size_t room) {                  \
    checked_copy *function = next.name;                                                                                \
    if (MCK_UNLIKELY(!function)) return size > room ? (__builtin_trap(), NULL) : (early);                              \
    if (IS_RECORDED(size) && size <= room) mck_flow_copy(from, to, size, __builtin_return_address(0));                 \
    return function(to, from, size, room);                                                                             \
  }
CHECKED(memcpy_chk, copy_early(to, from, size))
CHECKED(mempcpy_chk, (char *)copy_early(to, from, size) + size)
CHECKED(memmove_chk, copy_early(to, from, size))

MCK_EXPORT void bcopy(const void *from, void *to, size_t size) {
  void (*function)(const void *, void *, size_t) = next.bcopy;
  if (MCK_UNLIKELY(!function)) {
    copy_early(to, from, size);
    return;
  }
  if (IS_RECORDED(size)) mck_flow_copy(from, to, size, __builtin_return_address(0));
  function(from, to, size);
}
