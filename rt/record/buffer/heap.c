// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc and its relatives. They call the allocator behind us and note each block in the shadow (base/heap-shadow.h):
// this costs a store or two per call, and no lock. They run before constructors, in any thread, after fork and within
// dlsym; they must not allocate. Only blocks of glibc are noted: those of others may be smaller than 16 bytes or lie
// closer. See docs/design/memory.md.
#include "record/buffer/heap.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <unistd.h>
#include "base/heap-shadow.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/rma/window-lifetime.h"
#include "record/strand/lasting-memory.h"
#include "record/strand/strand-buffer.h"
#include "record/buffer/buffer-bytes.h"

static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  void *(*memalign)(size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
  size_t (*usable)(void *);
} next;
static bool is_noted;   // the next allocator is that of glibc
static char is_found;   // set when next is filled in
static char is_finding; // dlsym is running, and may allocate

// Memory that dlsym gets meanwhile; it is never freed.
static _Alignas(16) char early[8192];
static size_t early_used;
static bool is_early(const void *p) { return (const char *)p >= early && (const char *)p < early + sizeof early; }
static void *take_early(size_t size) {
  size_t needed = ((size + 15) & ~(size_t)15) + 16;
  size_t at = __atomic_fetch_add(&early_used, needed, __ATOMIC_RELAXED);
  if (size > sizeof early || at + needed > sizeof early) {
    errno = ENOMEM;
    return NULL;
  }
  *(size_t *)(early + at) = size;
  return early + at + 16;
}

extern void *__libc_malloc(size_t) __attribute__((weak));
extern void __libc_free(void *) __attribute__((weak));

static void *find(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  return found ? found : dlsym(RTLD_DEFAULT, name);
}

// The very first allocation of the process comes here, when there is one thread.
static __attribute__((noinline, cold)) bool find_next(void) {
  if (is_finding) return __atomic_load_n(&is_found, __ATOMIC_ACQUIRE);
  is_finding = 1;
  int saved = errno;
#define FIND(field, name) *(void **)&next.field = find(name)
  FIND(malloc, "malloc"), FIND(calloc, "calloc"), FIND(realloc, "realloc"), FIND(free, "free"),
      FIND(memalign, "memalign");
  FIND(aligned_alloc, "aligned_alloc"), FIND(posix_memalign, "posix_memalign"), FIND(valloc, "valloc"),
      FIND(pvalloc, "pvalloc");
  FIND(usable, "malloc_usable_size");
#undef FIND
#ifdef __x86_64__
  is_noted = __libc_malloc && next.malloc == __libc_malloc && next.free == __libc_free;
#endif
  errno = saved;
  __atomic_store_n(&is_found, 1, __ATOMIC_RELEASE);
  return true;
}
static inline bool is_ready(void) { return MCK_LIKELY(__atomic_load_n(&is_found, __ATOMIC_ACQUIRE)) || find_next(); }

static inline void *note(void *p, size_t size) {
  if (MCK_LIKELY(p && is_noted)) mck_heap_shadow_set((uintptr_t)p, size);
  return p;
}
static inline void forget(void *p) {
  if (MCK_UNLIKELY(!p)) return;
  mck_heap_shadow_clear((uintptr_t)p);
  // The block may be given out again, and smaller. (If another thread has looked at it, an error may be missed.)
  for (int i = 0; i < 2; i++)
    if (MCK_UNLIKELY(mck_use_state.checked[i].block == (uintptr_t)p))
      mck_use_state.checked[i] = (struct mck_checked){0};
}

// The size of a block that is freed; 0 unless an operation may be using it and its size is certain.
static inline size_t size_in_use(void *p) {
  struct mck_heap_shadow_block block = {(uintptr_t)p, 0};
  if (MCK_LIKELY(!mck_buffers_are_in_use()) || !p || !is_noted || !mck_heap_shadow_at(block.low, &block.size)) return 0;
  return mck_buffer_is_near(p, block.size) && mck_heap_is_certain(&block) ? block.size : 0;
}

// Nothing is known of what will lie there (strand/strand-buffer.h).
static inline void end_memory(void *p) {
  size_t size;
  if (MCK_UNLIKELY(mck_strand_has_memory) && p && mck_heap_shadow_at((uintptr_t)p, &size))
    mck_strand_memory_over((uintptr_t)p, (uintptr_t)p + size);
}

MCK_EXPORT void *malloc(size_t size) {
  if (MCK_UNLIKELY(!is_ready())) return take_early(size);
  return note(next.malloc(size), size);
}

MCK_EXPORT void free(void *p) {
  if (MCK_UNLIKELY(!is_ready() || is_early(p))) return;
  if (mck_lifetime_is_near(p))
    mck_lasting_freed(p), mck_lifetime_freed(p, __builtin_return_address(0), __builtin_frame_address(0));
  size_t used = size_in_use(p);
  if (MCK_UNLIKELY(used))
    mck_buffer_begin_free(), mck_buffer_check_freed(p, used, __builtin_return_address(0), __builtin_frame_address(0)),
        mck_buffer_end_free();
  end_memory(p);
  forget(p);
  next.free(p);
}

MCK_EXPORT void *calloc(size_t n, size_t size) {
  if (MCK_UNLIKELY(!is_ready()))
    return __builtin_mul_overflow(n, size, &size) ? NULL : take_early(size); // this memory is zero already
  return note(next.calloc(n, size), n * size);
}

MCK_EXPORT void *realloc(void *p, size_t size) {
  if (MCK_UNLIKELY(!is_ready() || is_early(p))) {
    void *q = is_ready() ? malloc(size) : take_early(size);
    size_t had = p ? ((size_t *)p)[-2] : 0;
    return q && p ? memcpy(q, p, had < size ? had : size) : q;
  }
  size_t had = 0;
  bool was_noted = p && mck_heap_shadow_at((uintptr_t)p, &had);
  size_t used = size_in_use(p), kept = 0;
  end_memory(p);
  forget(p); // before another thread may get it
  if (p && mck_lifetime_is_near(p)) mck_lasting_freed(p);
  if (MCK_UNLIKELY(used)) mck_buffer_begin_free();
  void *q = next.realloc(p, size);
  if (MCK_UNLIKELY(used)) {
    if (q ? q == p : size) kept = q && size < used ? size : used; // it was done in place, or it failed
    mck_buffer_check_freed((char *)p + kept, used - kept, __builtin_return_address(0), __builtin_frame_address(0));
    mck_buffer_end_free();
  }
  if (p && (q ? q != p : !size) && mck_lifetime_is_near(p))
    mck_lifetime_freed(p, __builtin_return_address(0), __builtin_frame_address(0));
  if (MCK_UNLIKELY(!q && p && size && was_noted))
    mck_heap_shadow_set((uintptr_t)p, had); // it failed: p is still allocated
  return q ? note(q, size) : NULL;
}

MCK_EXPORT void *reallocarray(void *p, size_t n, size_t size) {
  if (__builtin_mul_overflow(n, size, &size)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(p, size);
}

MCK_EXPORT void *memalign(size_t alignment, size_t size) {
  return is_ready() ? note(next.memalign(alignment, size), size) : NULL;
}
MCK_EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  return is_ready() ? note(next.aligned_alloc(alignment, size), size) : NULL;
}
MCK_EXPORT void *valloc(size_t size) { return is_ready() ? note(next.valloc(size), size) : NULL; }
MCK_EXPORT void *pvalloc(size_t size) { // the size is rounded up to whole pages, and all of them belong to the caller
  if (!is_ready()) return NULL;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return note(next.pvalloc(size), (size + page - 1) & ~(page - 1));
}
MCK_EXPORT int posix_memalign(void **p, size_t alignment, size_t size) {
  if (!is_ready()) return ENOMEM;
  int rc = next.posix_memalign(p, alignment, size);
  if (!rc) note(*p, size);
  return rc;
}

// A caller that asks may use the whole block.
MCK_EXPORT size_t malloc_usable_size(void *p) {
  if (!is_ready() || is_early(p)) return p ? ((size_t *)p)[-2] : 0;
  size_t usable = next.usable(p), size;
  if (p && mck_heap_shadow_at((uintptr_t)p, &size) && size != usable) forget(p), note(p, usable);
  return usable;
}

// All calls of the program must come here, else we would know of blocks and not of their ends.
static bool is_ours(const char *name) {
  Dl_info used, own;
  void *found = dlsym(RTLD_DEFAULT, name);
  return found && dladdr(found, &used) && dladdr((void *)&is_found, &own) && used.dli_fbase == own.dli_fbase;
}

bool mck_heap_is_seen(void) {
  static signed char answer; // 0: not known yet; several threads may look, and find the same
  signed char known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known) return known > 0;
  known = is_noted && is_ours("malloc") && is_ours("calloc") && is_ours("realloc") && is_ours("free") ? 1 : -1;
  __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  return known > 0;
}

bool mck_heap_find(const void *address, struct mck_heap_shadow_block *block) {
  return is_noted && mck_heap_shadow_find((uintptr_t)address, block);
}

bool mck_heap_is_certain(const struct mck_heap_shadow_block *block) {
  if (!mck_heap_shadow_is_consistent(block)) return false;
  size_t usable = next.usable((void *)block->low); // the caller has made sure that it is mapped
  // What the allocator adds: it rounds to 16 and adds a word of its own, and a page to blocks that are mapped.
  return usable >= block->size && usable - block->size < (block->size > 65536 ? 2 * (size_t)sysconf(_SC_PAGESIZE) : 64);
}
