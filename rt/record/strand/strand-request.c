// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.request by order: a request is completed only once (MPI-3.1 12.4.2), so two strands that complete, test, free
// or start it must be ordered, or take turns under a lock. Which one comes second is luck. It mostly finds
// MPI_REQUEST_NULL in the variable, as the first one's call has set it; so a request is known by its variables, too.
//
//   use   what is known of a request from its post on: its handle, and the calls that named it
//
// A variable is surely the same one, and not other memory at its address, where the post is ordered before the call.
#include <string.h>
#include "record/error/local-finding.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-finding.h"

struct use {
  MPI_Request handle;
  struct mck_moment posted;
  bool is_posted;  // in this era; if not, it is ordered before all of it
  bool is_shared;  // other requests have the same handle: it says nothing
  uint16_t nslots; // that lead to it; none: nothing will find it again
  uint32_t age;    // a later one has a higher number
  uint32_t next;   // of those that nothing leads to: 1 + its number
  struct mck_strand_calls calls;
};
enum { USES_MAX = 4096, SLOTS = 4 * USES_MAX };
static struct use uses[USES_MAX];
static uint32_t nuses, unused, ages; // unused: 1 + the first one that nothing leads to
// By variable and by handle; a slot has one entry, and the newest one stays.
struct slot {
  const void *key;
  uint32_t use;
};
static struct slot by_variable[SLOTS], by_handle[SLOTS];
static bool is_forgetful; // posts of this era were forgotten
static uint32_t era;

static void forget(bool is_era) {
  if (nuses) memset(by_variable, 0, sizeof by_variable), memset(by_handle, 0, sizeof by_handle);
  nuses = unused = 0, is_forgetful = !is_era;
}

static struct slot *slot_of(struct slot *table, const void *key) {
  return &table[((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >> 50 & (SLOTS - 1)];
}

static struct use *find(struct slot *table, const void *key) {
  const struct slot *s = slot_of(table, key);
  return s->key == key ? &uses[s->use] : NULL;
}

static void set(struct slot *table, const void *key, struct use *use) {
  struct slot *s = slot_of(table, key);
  struct use *old = s->key ? &uses[s->use] : NULL;
  is_forgetful |= s->key && s->key != key;
  *s = (struct slot){key, (uint32_t)(use - uses)};
  use->nslots++;
  if (old && !--old->nslots) old->next = unused, unused = (uint32_t)(old - uses) + 1;
}

// A loop that posts to the same variables gets the same few uses, which stay in the cache.
static struct use *add(MPI_Request handle) {
  if (!unused && nuses == USES_MAX) forget(false);
  struct use *u = unused ? &uses[unused - 1] : &uses[nuses++];
  if (unused) unused = u->next;
  *u = (struct use){.handle = handle, .age = ++ages, .calls = u->calls};
  u->calls.n = 0;
  return u;
}

void mck_strand_request_posted(const MPI_Request *variable, MPI_Request handle) {
  if (mck_strand_era_is_over(&era)) forget(true);
  if (handle == MPI_REQUEST_NULL || mck_depth != 1) return;
  struct use *u = add(handle);
  u->posted = mck_thread_now(), u->is_posted = true, u->is_shared = mck_request_is_shared(handle);
  set(by_variable, variable, u);
  if (!u->is_shared) set(by_handle, handle, u);
}

static const char *const what[] = {"completed", "freed", "started"};

static unsigned verb_of(uint16_t fn) {
  uint8_t class = mck_fn_classes[fn];
  return class == MCK_CLASS_request_free ? 1 : class == MCK_CLASS_start || class == MCK_CLASS_startall ? 2 : 0;
}

static void report(const struct mck_strand_call *earlier, const struct mck_strand_call *now) {
  const struct mck_strand_call *first, *second;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_THREAD_REQUEST, earlier, now, &first, &second);
  if (!f) return;
  if (verb_of(first->fn) == verb_of(second->fn))
    mck_finding_text(f, "a request is %s by %s and %s of two threads, and nothing orders them",
                     what[verb_of(first->fn)], mck_fn_names[first->fn], mck_fn_names[second->fn]);
  else
    mck_finding_text(f, "a request is %s by %s and %s by %s of two threads, and nothing orders them",
                     what[verb_of(first->fn)], mck_fn_names[first->fn], what[verb_of(second->fn)],
                     mck_fn_names[second->fn]);
  mck_finding_why(f,
                  "a request can be completed only once, so no two threads may wait for it, test it or free it at the "
                  "same time (MPI-3.1 12.4.2); whichever comes second has a handle that is no longer valid, or null");
  mck_local_done(f);
}

static void check(struct use *u, const struct mck_strand_call *now) {
  for (size_t i = 0; i < u->calls.n; i++)
    if (mck_strand_order(&u->calls.items[i], now) == MCK_STRAND_UNORDERED) report(&u->calls.items[i], now);
}

bool mck_strand_request_is_open(struct mck_call *call, MPI_Request handle) {
  bool is_open = false;
  if (!mck_strands_are_several()) return false;
  mck_lock();
  if (mck_strand_era_is_over(&era)) forget(true);
  const struct use *u = find(by_handle, handle);
  struct mck_strand_call now = mck_strand_call_of(call);
  for (size_t i = 0; u && i < u->calls.n && !is_open; i++)
    is_open = mck_strand_order(&u->calls.items[i], &now) == MCK_STRAND_UNORDERED;
  mck_unlock();
  return is_open;
}

static void name(const MPI_Request *variable, MPI_Request handle, const struct mck_strand_call *now) {
  struct use *u = find(by_variable, variable);
  bool is_null = handle == MPI_REQUEST_NULL, is_shared = !is_null && mck_request_is_shared(handle);
  if (u && !is_null && u->handle != handle) u = NULL; // another request was assigned to the variable
  struct use *newest = is_null || is_shared ? NULL : find(by_handle, handle);
  if (newest && (!u || newest->age > u->age)) u = newest; // the library has given the handle out again
  if (!u) {
    if (is_null || is_forgetful) return;
    u = add(handle);
    u->is_shared = is_shared;
    if (!is_shared) set(by_handle, handle, u);
  }
  set(by_variable, variable, u);
  if (u->is_posted && u->posted.strand != now->moment.strand && !mck_thread_has(u->posted)) return;
  check(u, now);
  mck_strand_calls_add(&u->calls, now);
}

void mck_strand_requests(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  bool is_list = false;
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_wait:
  case MCK_CLASS_test:
  case MCK_CLASS_start:
  case MCK_CLASS_request_free: break;
  case MCK_CLASS_waitany:
  case MCK_CLASS_waitall:
  case MCK_CLASS_waitsome:
  case MCK_CLASS_testany:
  case MCK_CLASS_testall:
  case MCK_CLASS_testsome:
  case MCK_CLASS_startall: is_list = true; break;
  default: return;
  }
  if (mck_strand_era_is_over(&era)) forget(true);
  if (call->nfindings) return;
  if (!is_list && a->request) name(mck_call_variable(call, a->request, 0), *a->request, now);
  for (int i = 0; is_list && a->requests && i < a->incount; i++)
    name(mck_call_variable(call, a->requests, i), a->requests[i], now);
}
