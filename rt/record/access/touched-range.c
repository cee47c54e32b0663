// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of instrumented code to window memory since the last event that may order them against other ranks, kept
// for the judge. Each place of the source and kind of access has a slot. A slot holds one range, n pieces a stride
// apart, as long as that is exact. Where a place jumps about (an index from memory, random updates), its slot changes
// to a bitmap, a bit per element, in which another access to the same element adds nothing. A bitmap is written as
// runs of elements. Memory for bitmaps comes with the window: an eighth of its size of addresses, of which only
// touched pages take memory. Places that find no memory left go on with ranges. A place of recompiled code in a loop
// gets a map of bytes instead (element-map.c, page-sweep.c). Beyond touched_budget pieces between two events only
// cells are kept (access-cell.c). Beside that, single accesses are recorded (known-access.h), and what instrumented
// code therefore does not signal never comes here. A place that signals many single accesses sets marks (touch-marks.h)
// instead of the slot's range and bitmap.
#include "abi.h"
#include "record/rma/attached-memory.h"
#include "record/access/page-sweep.h"
#include "record/replay/online-run.h"
#include "record/access/range-flush.h"
#include "record/access/touched-window.h"
#include "record/call/stack.h"
#include "record/call/strand-event.h"
#include "record/rma/repeated-events.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

enum { SLOTS = MCK_TOUCHED_SLOTS, WAYS = 4, JUMPS = 16, SIZE_MAX_LOG = 30, WORD = MCK_TOUCHED_WORD };

unsigned mck_ntouched;

// --- writing ---
void mck_touched_write(struct mck_window *w, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                       uint64_t stride) {
  if (n > 1 || !mck_access_budget_next(&w->touched->budget, site, flags, offset, size))
    mck_access_budget_write(&w->touched->budget, w, site, flags, offset, size, n, stride);
}

static void write_range(struct mck_window *w, const struct mck_touched_slot *s, uint64_t offset, uint64_t size,
                        uint32_t n, uint64_t stride) {
  mck_touched_write(w, s->site, s->flags, offset, size, n, stride);
}

static void write_slot(struct mck_window *w, struct mck_touched_slot *s) {
  if (s->n) write_range(w, s, s->offset, s->size, s->n, s->n > 1 ? s->stride : 0);
  s->n = 0;
}

// Writes runs of elements, word by word, and clears the bits.
static void write_bits(struct mck_window *w, struct mck_touched_slot *s) {
  uint64_t begin = 0, end = 0; // the run so far, in elements
  for (uint64_t i = s->first; i <= s->last; i++) {
    for (uint64_t left = s->summary[i]; left; left &= left - 1) {
      uint64_t word = i * WORD + (unsigned)__builtin_ctzll(left), bits = s->bits[word], at = word * WORD;
      s->bits[word] = 0;
      while (bits) {
        unsigned low = (unsigned)__builtin_ctzll(bits);
        uint64_t shifted = ~(bits >> low);
        unsigned length = shifted ? (unsigned)__builtin_ctzll(shifted) : WORD;
        if (at + low != end) {
          if (begin != end) write_range(w, s, begin << s->shift, (end - begin) << s->shift, 1, 0);
          begin = at + low;
        }
        end = at + low + length;
        bits = low + length >= WORD ? 0 : bits & ~(uint64_t)0 << (low + length);
      }
    }
    s->summary[i] = 0;
  }
  if (begin != end) write_range(w, s, begin << s->shift, (end - begin) << s->shift, 1, 0);
  s->first = UINT64_MAX, s->last = 0;
}

static void flush(struct mck_window *w) {
  w->touched->budget.is_flushing = true;
  mck_marks_flush(w);
  mck_page_sweep_flush(w, &w->touched->maps, &w->touched->known);
  mck_known_forget(&w->touched->known);
  mck_element_map_flush(w, &w->touched->maps);
  for (unsigned i = 0; i < SLOTS / WORD; i++) {
    for (; w->touched->noted[i]; w->touched->noted[i] &= w->touched->noted[i] - 1) {
      struct mck_touched_slot *s = &w->touched->slots[i * WORD + (unsigned)__builtin_ctzll(w->touched->noted[i])];
      write_slot(w, s);
      if (s->bits && s->first <= s->last) write_bits(w, s);
      s->jumps = 0, s->nsignalled = 0, s->nsingle = 0;
    }
  }
  w->touched->is_dirty = false;
  mck_access_budget_flush(&w->touched->budget, w);
}

static void flush_all(void) {
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (w->touched->is_dirty) flush(w);
}

void mck_windows_flush_repeatable(void) {
  if (MCK_UNLIKELY(mck_thread_is_parallel || mck_ntouched & (MCK_TOUCHED_ONLINE | MCK_TOUCHED_STRANDS))) {
    mck_windows_flush();
    return;
  }
  flush_all();
  mck_ntouched = mck_repeated.is_on ? MCK_TOUCHED_REPEATED : 0;
}

void mck_windows_flush(void) {
  flush_all();
  mck_repeated_end();
  mck_ntouched = 0;
  mck_online_look();
  if (MCK_UNLIKELY(mck_strand_is_new())) mck_strand_write();
  if (MCK_UNLIKELY(mck_strand_is_on)) mck_ntouched |= MCK_TOUCHED_STRANDS;
}

// --- noting ---
// Extends the range of the place by [offset, offset+size) if the range stays exact: the new bytes adjoin it, lie
// inside it, or are the next step of a stride.
static bool extend(struct mck_touched_slot *s, uint64_t offset, uint64_t size) {
  if (s->n == 1) {
    uint64_t end = s->offset + s->size;
    if (offset >= s->offset && offset + size <= end) return true;
    if (offset <= end && offset + size >= s->offset) {
      uint64_t low = offset < s->offset ? offset : s->offset, high = offset + size > end ? offset + size : end;
      if (high - low > 1u << SIZE_MAX_LOG) return false;
      s->offset = low, s->size = (uint32_t)(high - low);
      return true;
    }
    if (size != s->size || offset < end || offset - s->offset > INT32_MAX) return false;
    s->stride = offset - s->offset, s->n = 2;
    return true;
  }
  if (size != s->size || offset < s->offset) return false;
  uint64_t step = offset - s->offset, k = step / s->stride;
  if (step % s->stride) return false;
  if (k == s->n && s->n < UINT32_MAX) s->n++;
  return k < s->n;
}

static inline void set_element(struct mck_touched_slot *s, uint64_t element) {
  uint64_t word = element / WORD, top = word / WORD;
  if (!s->bits[word]) {
    s->summary[top] |= (uint64_t)1 << word % WORD;
    if (top < s->first) s->first = top;
    if (top > s->last) s->last = top;
  }
  s->bits[word] |= (uint64_t)1 << element % WORD;
}

// An access may be several elements: the optimizer loads two coordinates of a point as a vector, and the next point
// lies at 24 bytes from it.
static inline bool set_bits(struct mck_touched_slot *s, uint64_t offset, uint64_t size) {
  if ((offset | size) & ((1u << s->shift) - 1) || size > (uint64_t)WORD << s->shift) return false;
  for (uint64_t element = offset >> s->shift, end = element + (size >> s->shift); element < end; element++)
    set_element(s, element);
  return true;
}

// From now on there is a bit per element, the largest power of two that divides this access. false: it is no such
// element, or there is no memory left.
static bool start_bits(struct mck_window *w, struct mck_touched_slot *s, uint64_t offset, uint64_t size) {
  enum { LARGEST = 16, SMALLEST_PART = 4 };
  struct mck_touched *t = w->touched;
  unsigned shift = (unsigned)__builtin_ctzll(size | offset | LARGEST);
  uint64_t element = (uint64_t)1 << shift;
  if ((size != element && element < SMALLEST_PART) || size > WORD * element || !t->memory) return false;
  uint64_t words = (w->size >> shift) / WORD + 1, tops = words / WORD + 1, bytes = (words + tops) * sizeof(uint64_t);
  if (bytes > t->size - t->used) return false;
  s->bits = (uint64_t *)(void *)(t->memory + t->used), s->summary = s->bits + words, s->shift = (uint8_t)shift;
  s->first = UINT64_MAX, s->last = 0;
  t->used += bytes;
  return true;
}

static inline struct mck_touched_slot *first_way(const struct mck_window *w, const void *pc) {
  return &w->touched->slots[(((uintptr_t)pc * 0x9e3779b97f4a7c15u) >> 32) % SLOTS & ~(unsigned)(WAYS - 1)];
}
static inline struct mck_touched_slot *use_slot(const struct mck_window *w, struct mck_touched_slot *s) {
  uint64_t i = (uint64_t)(s - w->touched->slots);
  w->touched->noted[i / WORD] |= (uint64_t)1 << i % WORD;
  return s;
}
// The slot of a place, in which something is about to be noted. NULL: it has none.
static inline struct mck_touched_slot *find_slot(const struct mck_window *w, const void *pc, uint8_t flags) {
  struct mck_touched_slot *set = first_way(w, pc);
  for (int i = 0; i < WAYS; i++)
    if (set[i].pc == pc && set[i].flags == flags) return use_slot(w, &set[i]);
  return NULL;
}

static struct mck_touched_slot *slot_of(struct mck_window *w, const void *pc, uint8_t flags) {
  struct mck_touched_slot *set = first_way(w, pc), *free = find_slot(w, pc, flags);
  if (free) return free;
  for (int i = 0; i < WAYS; i++) {
    if (!free && (!set[i].pc || (!set[i].n && !set[i].bits))) free = &set[i];
  }
  struct mck_touched_slot *s = free;
  for (int i = 0; i < WAYS && !s; i++)
    if (!set[i].bits) s = &set[i];
  if (!s) { // all have bitmaps: the memory of this one goes to the new place if that wants a bitmap of this size
    s = &set[0];
    if (s->first <= s->last) write_bits(w, s);
  }
  write_slot(w, s);
  uint64_t *bits = s->bits, *summary = s->summary;
  uint8_t shift = s->shift;
  *s = (struct mck_touched_slot){.pc = pc,
                                 .flags = flags,
                                 .site = MCK_NONE,
                                 .bits = bits,
                                 .summary = summary,
                                 .shift = shift,
                                 .first = UINT64_MAX};
  return use_slot(w, s);
}

static void set_site(struct mck_window *w, struct mck_touched_slot *s, const struct mck_pieces *a) {
  if (s->site != MCK_NONE && s->frame == a->frame) return; // the same activation of the function, or one like it
  if (s->bits && s->first <= s->last) write_bits(w, s);
  s->site = mck_stack_site(a->pc, a->frame), s->frame = a->frame;
}

// May places take the short way (quick-access.c)?
static inline bool is_short_allowed(void) { return !mck_thread_is_parallel && !mck_strand_is_on && !mck_nattached; }

// A place that signals single accesses again and again sets marks from now on.
static inline void count_single(struct mck_window *w, struct mck_touched_slot *s, uint64_t size) {
  enum { MARKED = 4 };
  if (s->nsingle >= MARKED || ++s->nsingle < MARKED || s->site == MCK_NONE) return;
  if (is_short_allowed()) mck_marks_let(w, s->pc, size, s->site, s->flags);
}

// Whether a place that jumps about has jumped so often that it is worth a map.
static bool is_marked(struct mck_window *w, struct mck_touched_slot *s, const struct mck_pieces *a) {
  struct mck_touched *t = w->touched;
  return a->map && !t->nothers && s->jumps > mck_element_map_worth(w->size / a->size) &&
         mck_element_map_add(w, &t->maps, a, s->flags, true);
}

// Notes [offset, offset + size) for the place whose slot is s.
static inline void touch(struct mck_window *w, struct mck_touched_slot *s, const struct mck_pieces *a, uint64_t offset,
                         uint64_t size) {
  if (s->bits && s->site != MCK_NONE && set_bits(s, offset, size)) {
    s->jumps += offset - s->previous > 8 * size, s->previous = offset;
    if (a->map) is_marked(w, s, a);
    return;
  }
  if (s->n && extend(s, offset, size)) return;
  if (s->n && ++s->jumps > JUMPS &&
      (is_marked(w, s, a) || (!s->bits && start_bits(w, s, offset, size) && set_bits(s, offset, size))))
    return;
  write_slot(w, s);
  set_site(w, s, a);
  s->offset = offset, s->n = 1, s->size = size > 1u << SIZE_MAX_LOG ? 1u << SIZE_MAX_LOG : (uint32_t)size;
  if (size > s->size) { // this is rare enough to be budget at once
    s->n = 0;
    write_range(w, s, offset, size, 1, 0);
  }
}

void mck_touched_add_run(struct mck_window *w, const void *pc, const void *frame, uint32_t site, uint8_t flags,
                         uint64_t offset, uint64_t size) {
  struct mck_touched_slot *s = slot_of(w, pc, flags);
  if (s->n && s->site == site && extend(s, offset, size)) return;
  write_slot(w, s);
  if (s->site != site && s->bits && s->first <= s->last) write_bits(w, s);
  s->site = site, s->frame = frame;
  s->offset = offset, s->n = 1, s->size = (uint32_t)size;
}

// Whether the place has signalled so many accesses one after the other in this page that it is worth a map of it.
static inline bool is_settled(const struct mck_touched *t, struct mck_touched_slot *s, const struct mck_pieces *a) {
  enum { SETTLED = 8 };
  uint32_t page = (uint32_t)mck_known_page(&t->known, (uintptr_t)a->low);
  if (page != s->page || !s->nsignalled) s->page = page, s->nsignalled = 0;
  return s->nsignalled == SETTLED || ++s->nsignalled == SETTLED;
}

static inline uint8_t access_flags(uint32_t signal) {
  return (uint8_t)((signal & MCK_SIGNAL_STORE ? MCK_ACCESS_STORE : 0) |
                   (signal & MCK_SIGNAL_ATOMIC ? MCK_ACCESS_ATOMIC : 0) |
                   (signal & MCK_SIGNAL_VOLATILE ? MCK_ACCESS_VOLATILE : 0) |
                   (signal & MCK_PIECES_FREED ? MCK_ACCESS_FREED : 0) |
                   (signal & MCK_PIECES_UNMAPPED ? MCK_ACCESS_UNMAPPED : 0) |
                   (signal & MCK_PIECES_LEFT ? MCK_ACCESS_LEFT : 0));
}

// Whether a piece within the window may be recorded as known: one plain access, and nothing else may look at it.
static inline bool is_recorded(const struct mck_touched *t, const struct mck_pieces *a) {
  return a->count == 1 && t->known.pages && !t->nothers && !mck_is_locked() && !(a->flags & ~MCK_SIGNAL_STORE);
}

// Pieces with gaps between them, all within the window, as one range. false: they are no range of an event.
static inline bool add_range(struct mck_window *w, struct mck_touched_slot *s, const struct mck_pieces *a) {
  if (a->count <= 1 || a->stride > INT32_MAX || a->count > UINT32_MAX || a->size >= a->stride) return false;
  uint64_t offset = (uintptr_t)a->low - (uintptr_t)w->base;
  bool is_same = s->n == a->count && s->offset == offset && s->size == a->size && s->stride == a->stride;
  if (is_same) return true;
  write_slot(w, s);
  set_site(w, s, a);
  s->offset = offset, s->n = (uint32_t)a->count, s->size = (uint32_t)a->size, s->stride = a->stride;
  return true;
}

// Notes what lies in [base, end) of the window's memory.
static inline void add(struct mck_window *w, const struct mck_pieces *a, const char *base, const char *end) {
  uint8_t flags = access_flags(a->flags);
  struct mck_touched *t = w->touched;
  bool is_inside = a->low >= base && a->high <= end;
  if (!t->is_dirty) t->is_dirty = true, mck_ntouched++;
  if (a->map && !t->nothers && mck_element_map_add(w, &t->maps, a, flags, false)) return;
  bool is_kept = is_inside && is_recorded(t, a);
  if (is_kept && mck_known_has(&t->known, (uintptr_t)a->low, a->size, a->flags & MCK_SIGNAL_STORE)) {
    if (a->size > MCK_MARK_LARGEST && is_short_allowed()) mck_marks_let_look(w, a->pc, a->flags & MCK_SIGNAL_STORE);
    return;
  }
  struct mck_touched_slot *s = slot_of(w, a->pc, flags);
  if (is_kept) {
    if (a->map && mck_page_sweep_add(w, &t->maps, &t->known, a, flags, is_settled(t, s, a))) return;
    if (s->pc != a->pc || s->flags != flags)
      s = slot_of(w, a->pc, flags); // the runs that were noted meanwhile took its slot
    mck_known_add(&t->known, (uintptr_t)a->low, a->size, a->flags & MCK_SIGNAL_STORE);
    if (!a->map) count_single(w, s, a->size);
  }
  if (is_inside && add_range(w, s, a)) return;
  for (uint64_t k = a->low < base ? (uint64_t)(base - a->low) / a->stride : 0; k < a->count; k++) {
    const char *low = a->low + k * a->stride, *high = low + a->size;
    if (low >= end) break;
    if (low < base) low = base;
    if (high > end) high = end;
    if (low < high) touch(w, s, a, (uintptr_t)low - (uintptr_t)w->base, (uint64_t)(high - low));
  }
}

void mck_touched_add_part(struct mck_window *w, const struct mck_pieces *a, const char *low, const char *high) {
  if (w->touched) add(w, a, low, high);
}

static inline struct mck_window *find_window(const char *low, uint64_t size) {
  static struct mck_window *last;
  static unsigned version; // of the list of windows
  if (last && version == mck_windows_version && low >= last->base && low + size <= last->base + last->size) return last;
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (low >= w->base && low + size <= w->base + w->size) return version = mck_windows_version, last = w;
  return NULL;
}

MCK_HOT bool mck_touched_add_single(const char *low, uint64_t size, uint32_t flags, const void *pc) {
  if (size > MCK_TOUCHED_SINGLE || flags & ~(uint32_t)MCK_SIGNAL_STORE || mck_nattached || mck_is_locked())
    return false;
  struct mck_window *w = find_window(low, size);
  if (!w) return false;
  struct mck_touched *t = w->touched;
  if (!t->is_dirty || t->nothers || !t->known.pages) return false;
  struct mck_touched_slot *s = find_slot(w, pc, access_flags(flags));
  uint64_t offset = (uintptr_t)low - (uintptr_t)w->base;
  if (!s || s->site == MCK_NONE) return false;
  if (s->bits ? !set_bits(s, offset, size) : !s->n || !extend(s, offset, size)) return false;
  mck_known_add(&t->known, (uintptr_t)low, size, flags & MCK_SIGNAL_STORE);
  count_single(w, s, size);
  return true;
}

static inline bool is_within(const struct mck_window *w, const struct mck_pieces *a) {
  return a->low < w->base + w->size && a->high > w->base;
}

MCK_HOT void mck_touched_add(const struct mck_pieces *a) {
  struct mck_pieces without_map;
  // The tables are those of one strand. In a map nobody sees which strand has set a mark.
  if (MCK_UNLIKELY(mck_thread_is_parallel || mck_strand_is_on)) {
    if (mck_strand_is_new()) mck_windows_flush();
    without_map = *a, without_map.map = NULL, a = &without_map;
  }
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (is_within(w, a)) add(w, a, w->base, w->base + w->size);
  if (MCK_UNLIKELY(mck_nattached)) mck_attached_touch(a);
}
