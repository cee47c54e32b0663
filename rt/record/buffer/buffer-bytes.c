// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a buffer's address, count and datatype to the bytes that the call accesses: the hull [low, high) of address +
// count elements (MPI-3.1 3.2.2, 4.1.11). Left out: no elements, NULL (arg.null, or MPI_BOTTOM), MPI_IN_PLACE, types
// that are wrong or unknown.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "abi.h"
#include "object/layout.h"
#include "record/content/content-window.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/call-buffer.h"
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/check/group-size.h"
#include "record/collective/collective.h"
#include "record/error/local-finding.h"
#include "record/rma/untrue-assertion.h"
#include "record/rma/window-buffer.h"
#include "record/strand/strand-call.h"
#include "record/runtime.h"

__thread struct mck_use_state mck_use_state __attribute__((tls_model("initial-exec")));

void mck_use_report(struct mck_call *call, enum mck_check check, bool is_refused, const char *format, ...) {
  va_list list;
  va_start(list, format);
  mck_local_say(call, check, is_refused ? MCK_REFUSED : MCK_DOUBTFUL, 0, format, list);
  va_end(list);
}

void mck_use_report_length(struct mck_call *call, enum mck_check check, int64_t length, const char *format, ...) {
  va_list list;
  va_start(list, format);
  mck_local_say(call, check, MCK_DOUBTFUL, (uint64_t)length, format, list);
  va_end(list);
}

static inline const struct mck_type *type_of(struct mck_call *call, MPI_Datatype type) {
  if (MCK_LIKELY(call->type && call->type->object.handle == (uint64_t)(uintptr_t)type)) return call->type;
  if (type == MPI_DATATYPE_NULL || !type) return NULL;
  mck_lock();
  const struct mck_type *t = mck_type_find(type);
  mck_unlock();
  return t && !t->object.is_freed ? t : NULL;
}

static void report_overflow(struct mck_call *call, const char *what, int64_t count, const struct mck_type *t,
                            int64_t offset) {
  if (offset)
    mck_use_report(
        call, MCK_CHECK_ARG_OVERFLOW, true,
        "%s of %s: %lld elements of extent %lld, displaced by %lld bytes, do not end within the address space", what,
        mck_fn_names[call->fn], (long long)count, (long long)t->extent, (long long)offset);
  else
    mck_use_report(call, MCK_CHECK_ARG_OVERFLOW, true,
                   "%s of %s: %lld elements of extent %lld do not end within the address space", what,
                   mck_fn_names[call->fn], (long long)count, (long long)t->extent);
}

// The hull of count elements: relative to the place of the first one, then at address + offset.
static bool hull(const struct mck_type *t, const char *address, int64_t count, int64_t offset, const char **low,
                 const char **high) {
  int64_t span, from = t->low, to = t->high, start, end;
  if (__builtin_mul_overflow(count - 1, t->extent, &span)) return false;
  if (span < 0 ? __builtin_add_overflow(from, span, &from) : __builtin_add_overflow(to, span, &to)) return false;
  if (__builtin_add_overflow((int64_t)(uintptr_t)address, offset, &start)) return false;
  if (__builtin_add_overflow(start, to, &end) || __builtin_add_overflow(start, from, &start) || start < 0) return false;
  *low = (const char *)start, *high = (const char *)end;
  return true;
}

static inline bool is_buffer(const struct mck_call *call, const void *buffer, int64_t count) {
  return buffer != MPI_IN_PLACE && count > 0 && mck_rt.is_ready && !call->nfindings;
}

static void look(struct mck_call *call, struct mck_use *u, int argument, unsigned flags) {
  if (!mck_memory_check(call, u, argument) || u->low >= u->high) return;
  if (!(flags & MCK_USE_ONLY) || mck_strands_are_several() || !mck_window_buffer_is_apart(u->low, u->high - u->low))
    if (call->nuses < sizeof call->uses / sizeof *call->uses) call->uses[call->nuses++] = *u;
  bool is_kept = flags & MCK_USE_KEPT;
  if (flags & MCK_USE_ONLY && !is_kept && !mck_use_is_apart(u->low, u->high - u->low, u->is_written))
    mck_overlap_check(call, u);
}

static __attribute__((noinline)) void use(struct mck_call *call, const char *what, int argument, const char *buffer,
                                          int64_t count, const struct mck_type *t, unsigned flags) {
  struct mck_use u = {.what = what,
                      .address = buffer,
                      .count = count,
                      .type = t->is_dense ? NULL : t,
                      .element = t,
                      .generation = t->generation,
                      .is_written = flags & MCK_USE_WRITTEN,
                      .is_up_to = flags & MCK_USE_UP_TO,
                      .is_kept = flags & MCK_USE_KEPT,
                      .is_exact = t->nblocks != MCK_NONE};
  if (t->low == t->high && !t->size) return;
  if (!hull(t, buffer, count, 0, &u.low, &u.high)) report_overflow(call, what, count, t, 0);
  else if (buffer) look(call, &u, argument, flags);
  else if (!(flags & MCK_USE_ONLY) && call->nuses < sizeof call->uses / sizeof *call->uses)
    call->uses[call->nuses++] = u; // MPI_BOTTOM: the bytes are of several objects
}

// MPI writes into window memory by other ways than one-sided operations.
static void note_window(struct mck_call *call, const struct mck_type *t, const char *address, int64_t count) {
  const char *low, *high;
  if (!hull(t, address, count, 0, &low, &high)) return;
  mck_lock();
  mck_content_window_used(call, low, high);
  mck_unlock();
}

MCK_HOT void mck_use(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count,
                     MPI_Datatype type, unsigned flags) {
  if (!is_buffer(call, buffer, count)) return;
  const struct mck_type *t = type_of(call, type);
  if (!t || (MCK_UNLIKELY(!buffer) && !t->has_addresses)) return;
  if (MCK_UNLIKELY(mck_content_has_windows) && flags & MCK_USE_WRITTEN) note_window(call, t, buffer, count);
  bool is_known = flags & MCK_USE_ONLY && mck_use_is_known(buffer, count, t, flags);
  if (MCK_LIKELY(is_known) && !mck_strands_are_several() && mck_window_buffer_is_apart(buffer, count * t->extent))
    return;
  use(call, what, argument, buffer, count, t, flags);
}

MCK_HOT bool mck_use_is_known_by_note(const void *buffer, int64_t count, const struct mck_type *t, unsigned flags) {
  const struct mck_use_state *state = &mck_use_state;
  int64_t size;
  return t->is_dense && state->nnotes == 1 && !__builtin_mul_overflow(count, t->extent, &size) &&
         mck_use_lies_known(&state->notes[0], buffer, size, count, t, flags);
}

// --- several pieces ---
struct piece {
  const char *low, *high;
};
struct place {
  int64_t count, offset;
  const struct mck_type *type;
};
// get fills in the i-th piece. false: there is no such piece; true and type NULL: nothing is known of it. Without
// counts each piece has each elements, and they lie one behind the other. absent: a bit for each piece that does not
// exist (mck_absent).
struct pieces {
  struct mck_call *call;
  const int *counts, *displs;
  const MPI_Aint *wide;
  const struct mck_type *type;
  const MPI_Datatype *types;
  int64_t each;
  uint64_t absent;
};
static inline bool get(const struct pieces *p, int i, struct place *place) {
  if (MCK_UNLIKELY(p->absent) && (i >= 64 || p->absent >> i & 1)) return false;
  place->count = p->counts ? p->counts[i] : p->each;
  if (place->count <= 0) return false;
  place->type = p->type ? p->type : type_of(p->call, p->types[i]);
  if (!place->type || (!place->type->size && place->type->low == place->type->high)) return false;
  place->offset = p->wide ? p->wide[i] : p->displs ? p->displs[i] : i * p->each;
  return !p->type || !__builtin_mul_overflow(place->offset, p->type->extent, &place->offset) ||
         (place->offset = INT64_MAX);
}

// The bytes of all pieces. NULL: they are not known.
static const struct mck_type *layout(const struct pieces *p, int n) {
  struct place place;
  uint64_t key = 0;
  mck_lock();
  for (int i = 0; i < n; i++) {
    if (!get(p, i, &place)) continue;
    uint64_t words[] = {(uint64_t)place.offset, (uint64_t)place.count, (uintptr_t)place.type, place.type->generation};
    key = mck_base_hash(words, sizeof words, key);
  }
  const struct mck_type *t = mck_layout_find(key);
  if (!t) {
    struct mck_flat flat = {.most = MCK_LAYOUT_BLOCKS_MAX};
    for (int i = 0; i < n; i++)
      if (get(p, i, &place)) mck_flat_add(&flat, place.type, place.count, place.offset);
    t = mck_layout_keep(key, &flat);
    free(flat.items);
  }
  mck_unlock();
  return t;
}

static void use_pieces(const struct pieces *p, const char *what, int argument, const char *buffer, int n,
                       unsigned flags) {
  struct mck_call *call = p->call;
  struct mck_use all = {.what = what, .address = buffer, .is_written = flags & MCK_USE_WRITTEN, .count = 1};
  all.is_kept = flags & MCK_USE_KEPT;
  bool is_whole = true; // without gaps
  for (int i = 0; i < n; i++) {
    struct place place;
    struct piece piece;
    if (!get(p, i, &place)) continue;
    if (!hull(place.type, buffer, place.count, place.offset, &piece.low, &piece.high)) {
      report_overflow(call, what, place.count, place.type, place.offset);
      return;
    }
    is_whole &= place.type->is_dense && (!all.low || piece.low == all.high);
    if (!all.low || piece.low < all.low) all.low = piece.low;
    if (piece.high > all.high) all.high = piece.high;
  }
  if (!all.low) return;
  if (MCK_UNLIKELY(mck_content_has_windows) && all.is_written) {
    mck_lock();
    mck_content_window_used(call, all.low, all.high);
    mck_unlock();
  }
  if (p->type && !p->type->has_addresses) { // displacements in elements of one type stay within one object
    if (!mck_memory_check(call, &all, argument)) return;
  } else
    for (int i = 0; i < n && !call->nfindings; i++) {
      struct place place;
      struct mck_use one = all;
      if (!get(p, i, &place) || !hull(place.type, buffer, place.count, place.offset, &one.low, &one.high)) continue;
      one.is_exact = place.type->nblocks != MCK_NONE;
      one.address = buffer + place.offset, one.count = place.count, one.generation = place.type->generation;
      one.type = place.type->is_dense ? NULL : place.type, one.element = place.type;
      if (!mck_memory_check(call, &one, -1)) return;
    }
  all.is_exact = is_whole || (all.type = layout(p, n)) != NULL;
  if (all.type) all.generation = all.type->generation;
  if (call->nuses < sizeof call->uses / sizeof *call->uses) call->uses[call->nuses++] = all;
}

static inline uint64_t absent(const struct mck_call *call) {
  return mck_std_is_neighborhood(call->fn) && call->comm ? mck_absent((MPI_Comm)(uintptr_t)call->comm->object.handle)
                                                         : 0;
}

void mck_use_blocks(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count, int n,
                    MPI_Datatype type, unsigned flags) {
  struct pieces p = {.call = call, .each = count, .absent = absent(call)};
  if (!p.absent) mck_use(call, what, argument, buffer, count * n, type, flags);
  else if (buffer && is_buffer(call, buffer, count) && (p.type = type_of(call, type)))
    use_pieces(&p, what, argument, buffer, n, flags);
}

void mck_use_v(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, MPI_Datatype type, unsigned flags) {
  if (!buffer || !is_buffer(call, buffer, n) || !counts || !displs) return;
  struct pieces p = {
      .call = call, .counts = counts, .displs = displs, .type = type_of(call, type), .absent = absent(call)};
  if (p.type) use_pieces(&p, what, argument, buffer, n, flags);
}

void mck_use_w(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, const MPI_Datatype *types, unsigned flags) {
  struct pieces p = {.call = call, .counts = counts, .displs = displs, .types = types};
  if (buffer && is_buffer(call, buffer, n) && counts && displs && types)
    use_pieces(&p, what, argument, buffer, n, flags);
}

void mck_use_wide(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
                  const MPI_Aint *displs, int n, const MPI_Datatype *types, unsigned flags) {
  struct pieces p = {.call = call, .counts = counts, .wide = displs, .types = types, .absent = absent(call)};
  if (buffer && is_buffer(call, buffer, n) && counts && displs && types)
    use_pieces(&p, what, argument, buffer, n, flags);
}

MPI_Aint mck_sum(const int *counts, int n) {
  MPI_Aint sum = 0;
  for (int i = 0; counts && i < n; i++) sum += counts[i];
  return sum;
}

MPI_Aint mck_own(const struct mck_args *a, const int *counts) {
  int n = mck_members(a);
  struct mck_comm *c = n > 0 && counts ? mck_comm_look_up(a->comm) : NULL;
  return c && c->rank >= 0 && c->rank < n ? counts[c->rank] : 0;
}

void mck_used(struct mck_call *call, unsigned flags) {
  for (unsigned i = 0; i < call->nuses; i++) {
    for (unsigned k = 0; k < i; k++)
      if (call->uses[i].is_written || call->uses[k].is_written)
        mck_overlap_check_pair(call, &call->uses[k], &call->uses[i]);
    const struct mck_use *u = &call->uses[i];
    if (!(flags & MCK_USE_KEPT) && !mck_use_is_apart(u->low, u->high - u->low, u->is_written))
      mck_overlap_check(call, u);
    if (MCK_UNLIKELY(mck_nwindows) && !(flags & MCK_USE_KEPT)) mck_assertion_use(call, u);
  }
}

_Static_assert(MCK_OBJECT_CONSTANT == 1 && MCK_OBJECT_MEMBERS == 4, "the bits of struct mck_note");
// Called by recompiled code, right before an MPI call. The frame of the caller says later to which call the note
// belongs.
MCK_EXPORT void __mck_object(const char *fn, const char *name, const void *base, uint64_t size, uint32_t argument,
                             uint32_t flags) {
  struct mck_use_state *state = &mck_use_state;
  const void *frame = __builtin_frame_address(0);
  if (mck_depth || !mck_rt.is_ready || state->nnotes >= MCK_NOTES) return;
  state->notes[state->nnotes++] = (struct mck_note){.fn = fn,
                                                    .name = name,
                                                    .base = base,
                                                    .size = size,
                                                    .argument = argument,
                                                    .frame = *(const void *const *)frame,
                                                    .flags = flags};
}
