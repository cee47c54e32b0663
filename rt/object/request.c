// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests, from the call that made the handle to its completion. The entry of a completed request stays in the table
// as a stale handle, and is used again when the library uses the value again. So a steady state of posting and
// completing allocates nothing and changes no table.
//
// Open MPI gives one shared handle (ompi_request_empty) to each operation that is complete when its call returns. So
// small sends have equal handles. The address of the user's variable distinguishes such requests. When one of them is
// completed through a copy of the handle elsewhere, it is unknown which one it was: then all are forgotten, so that
// none is accused wrongly.
#include <stddef.h>
#include <string.h>
#include "object/object-table.h"

static struct mck_request *requests, *unused;
static struct mck_request *detached; // doubly linked: one for each request that a thread waits for
// uthash frees a table with its last entry. So there is one that is no request: else a program that waits for each
// request by itself would make and free the table each time.
static struct mck_request last = {.handle = UINT64_MAX, .is_freed = true};
// A cache of table entries, which one load finds. The table itself reads a bucket and the links of each entry in its
// chain, which is most of the cost of completing a thousand requests (docs/design/record.md).
enum { NEAR_BITS = 11 };
static struct mck_request *near[2 << NEAR_BITS]; // each entry has two possible places
static struct mck_request *shared; // doubly linked; ended requests stay until all are visited, since the next round of
                                   // a loop uses them again
static struct mck_overwritten *overwritten;
MPI_Request mck_request_shared;
static size_t nshared_kept;     // the number of table entries for variables with the shared handle
enum { SHARED_KEPT = 1 << 16 }; // variables may be anywhere: beyond so many, entries are dropped

void mck_request_init(MPI_Request shared) {
  mck_request_shared = shared;
  if (!requests) TABLE_ADD(requests, handle, &last);
}
bool mck_request_is_shared(MPI_Request request) { return request == mck_request_shared; }

// One multiplication is not enough: handles and variables lie in steps, and multiples of the golden ratio collide at
// Fibonacci distances.
static inline struct mck_request **near_of(uint64_t key) {
  return &near[((key ^ key >> 17) * 0xd1342543de82ef95u >> (64 - NEAR_BITS)) * 2];
}

static __attribute__((noinline)) struct mck_request *find_far(uint64_t key) {
  struct mck_request *r;
  TABLE_FIND(requests, handle, key, r);
  struct mck_request **slot = near_of(key);
  if (r) slot[1] = slot[0], slot[0] = r;
  return r;
}

static inline struct mck_request *find(MPI_Request request, const MPI_Request *at) {
  if (request == MPI_REQUEST_NULL) return NULL;
  uint64_t key = mck_request_key(request, at);
  struct mck_request **slot = near_of(key);
  if (MCK_LIKELY(slot[0] && slot[0]->handle == key)) return slot[0];
  return slot[1] && slot[1]->handle == key ? slot[1] : find_far(key);
}

static void leave_table(struct mck_request *r) {
  struct mck_request **slot = near_of(r->handle);
  for (int i = 0; i < 2; i++)
    if (slot[i] == r) slot[i] = NULL;
  HASH_DEL(requests, r);
}

MCK_HOT struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at) {
  struct mck_request *r = find(request, at);
  return r && !r->is_freed ? r : NULL;
}

struct mck_request *mck_request_find_freed(MPI_Request request) {
  struct mck_request *r = request == mck_request_shared ? NULL : find(request, NULL);
  return r && r->is_freed && r->free_site != MCK_NONE ? r : NULL;
}

MCK_HOT struct mck_request *mck_request_entry(MPI_Request request, const MPI_Request *at) { return find(request, at); }

static void link_to(struct mck_request **list, struct mck_request *r) {
  r->previous = NULL, r->next = *list;
  if (*list) (*list)->previous = r;
  *list = r;
}
static void unlink_from(struct mck_request **list, struct mck_request *r) {
  if (r->previous) r->previous->next = r->next;
  else *list = r->next;
  if (r->next) r->next->previous = r->previous;
}
static void link_shared(struct mck_request *r) {
  r->is_linked = true;
  link_to(&shared, r);
}
static void unlink_shared(struct mck_request *r) {
  r->is_linked = false;
  unlink_from(&shared, r);
}

MCK_HOT struct mck_request *mck_request_add(MPI_Request request, const MPI_Request *at, struct mck_request *entry) {
  if (request == MPI_REQUEST_NULL) return NULL;
  struct mck_request *r = entry;
  bool is_new = !r;
  if (is_new && !unused) {
    enum { BATCH = 64 };
    struct mck_request *batch = aligned_alloc(64, BATCH * sizeof *batch);
    if (!batch) return NULL;
    memset(batch, 0, BATCH * sizeof *batch);
    for (int i = 0; i < BATCH; i++) batch[i].next = unused, unused = &batch[i];
  }
  if (is_new) r = unused, unused = r->next;
  bool was_shared = !is_new && r->is_shared;
  memset(r, 0, offsetof(struct mck_request, follower));
  r->handle = mck_request_key(request, at);
  r->at = at;
  r->event = r->overwritten = r->free_site = MCK_NONE;
  if (request == mck_request_shared) {
    r->is_shared = true;
    nshared_kept += !was_shared;
    r->is_brief = nshared_kept > SHARED_KEPT;
    if (!r->is_linked) link_shared(r);
  }
  if (is_new) TABLE_ADD(requests, handle, r);
  return r;
}

struct mck_buffer *mck_request_buffer(struct mck_request *r, int i, struct mck_window *window) {
  struct mck_buffer *b = &r->buffers[i];
  r->used |= (uint8_t)(1u << i);
  b->low = NULL, b->window = window, b->is_active = b->is_marked = b->is_pooled = b->range.is_listed = false;
  b->is_target = b->is_late = false, b->own_target = NULL;
  return b;
}

void mck_request_detach(struct mck_request *r) {
  if (r->is_detached || r->is_shared)
    return; // the library does not use the shared handle again: it was never given back
  r->is_detached = true;
  leave_table(r);
  link_to(&detached, r);
}

struct mck_request *mck_request_find_detached(MPI_Request request) {
  if (!detached || request == mck_request_shared || request == MPI_REQUEST_NULL || find(request, NULL)) return NULL;
  struct mck_request *r = detached;
  while (r && r->handle != (uint64_t)(uintptr_t)request) r = r->next;
  return r && r->is_waited ? r : NULL;
}

static void recycle(struct mck_request *r) {
  if (r->is_linked) unlink_shared(r);
  r->handle = UINT64_MAX;
  r->next = unused, unused = r;
}

void mck_request_attach(struct mck_request *r) {
  struct mck_request *stale;
  if (!r->is_detached) return;
  unlink_from(&detached, r);
  TABLE_FIND(requests, handle, r->handle, stale);
  if (stale) { // another thread got the value and has completed its request
    leave_table(stale);
    recycle(stale);
  }
  r->is_detached = false;
  TABLE_ADD(requests, handle, r);
}

MCK_HOT void mck_request_remove(struct mck_request *r, uint32_t site) {
  if (MCK_UNLIKELY(r->is_detached)) {
    unlink_from(&detached, r);
    recycle(r);
    return;
  }
  r->is_freed = true, r->free_site = site;
  if (MCK_LIKELY(!r->is_brief)) return;
  leave_table(r);
  nshared_kept--;
  recycle(r);
}

bool mck_request_see(struct mck_request *r, uint32_t look) {
  bool is_first = r->seen != look;
  r->seen = look;
  return is_first;
}

static void count_overwritten(const struct mck_request *r, uint32_t by) {
  uint64_t key = (uint64_t)r->site << 32 | by;
  struct mck_overwritten *o;
  TABLE_FIND(overwritten, key, key, o);
  if (!o) {
    o = calloc(1, sizeof *o);
    if (!o) return;
    *o = (struct mck_overwritten){.key = key, .site = r->site, .by = by, .fn = r->fn};
    TABLE_ADD(overwritten, key, o);
  }
  o->count++;
}

void mck_request_overwrite(struct mck_request *r, uint32_t by) {
  if (r->is_shared) count_overwritten(r, by); // the new operation gets its entry
  else if (r->overwritten == MCK_NONE) r->overwritten = by;
}

void mck_request_visit_overwritten(void (*visit)(const struct mck_overwritten *)) {
  for (struct mck_overwritten *o = overwritten; o; o = o->hh.next) visit(o);
}

void mck_request_drop_shared(void (*drop)(struct mck_request *)) {
  struct mck_overwritten *o, *after;
  HASH_ITER(hh, overwritten, o, after) {
    HASH_DEL(overwritten, o);
    free(o);
  }
  while (shared) {
    struct mck_request *r = shared;
    unlink_shared(r);
    if (!r->is_freed) drop(r);
    if (!r->is_freed) mck_request_remove(r, MCK_NONE);
  }
}

void mck_request_visit(void (*visit)(const struct mck_request *)) {
  for (struct mck_request *r = requests; r; r = r->hh.next)
    if (!r->is_freed) visit(r);
}

static void forget_addresses(struct mck_request *r) {
  r->at = NULL;
  for (int i = 0; i < 2; i++) mck_buffer_forget_address(&r->buffers[i]);
}
void mck_request_forget_addresses(void) {
  for (struct mck_request *r = requests; r; r = r->hh.next)
    if (r != &last) forget_addresses(r);
  for (struct mck_request *r = unused; r; r = r->next) forget_addresses(r);
}
