// RUN: %unit/test-local-buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random executions of one process over 64 bytes: operations with and without requests, to several targets of several
// windows, messages, completions, loads, stores and frees. The bytes are the process's own part of both windows, too,
// so an operation that it has for itself also uses bytes at its target. Which of them share bytes is computed once more
// from the text of the standard (MPI-3.1 3.7.2, 11.3, 11.5), with a mask of bytes for each operation that is not
// complete. The runtime's own files are linked in; this file stands for what is around them.
//   test-local-buffers [executions [seed]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "abi.h"
#include "record/buffer/argument-array.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/buffer-hash.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/call-class.h"
#include "record/call/stack.h"
#include "record/call/thread-level.h"
#include "record/error/local-finding.h"
#include "record/rma/epoch.h"
#include "record/rma/operation-buffer.h"
#include "record/rma/own-target.h"
#include "record/rma/parked-buffer.h"
#include "record/access/access-sample.h"
#include "record/runtime.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-buffer.h"

enum { BYTES = 64, PENDING = 128, REQUESTS = 6, TYPES = 8, SITES = 10, EVENTS = 24, RANK = 0 };

// --- what is around the files under test ---
struct mck_runtime mck_rt;
bool mck_unsignalled_is_relevant;
struct mck_short_lock mck_mutex;
__thread int mck_depth;
__thread unsigned mck_nlocks;
__thread bool mck_is_plain = true;
struct mck_window *mck_windows;
_Atomic unsigned mck_nwindows;
struct mck_type *mck_type_last;
static struct mck_type types[TYPES];

// One thread.
_Atomic bool mck_thread_is_parallel, mck_strand_has_memory, mck_access_sample_is_on;
bool mck_strand_buffer_hit(const struct mck_buffer *b, const struct mck_pieces *a) { return (void)b, (void)a, false; }
void mck_strand_buffer_begin(const struct mck_buffer *b) { (void)b; }
void mck_strand_buffer_end(const struct mck_buffer *b) { (void)b; }
void mck_strand_access(const struct mck_pieces *a) { (void)a; }
bool mck_strand_access_is_clean(uintptr_t low, uint64_t size) { return (void)low, (void)size, false; }
bool mck_filter_is_marked(uintptr_t low, uintptr_t high) { return (void)low, (void)high, false; }
void mck_strand_memory_over(uintptr_t low, uintptr_t high) { (void)low, (void)high; }
void mck_lifetime_block(const char *low, const char *high, const void *pc, const void *frame) {
  (void)low, (void)high, (void)pc, (void)frame;
}

uint32_t mck_stack_site(const void *pc, const void *frame) { return (void)frame, (uint32_t)(uintptr_t)pc; }
void mck_level_share(void) {}
void mck_arrays_check_left(struct mck_call *call, struct mck_request *r) { (void)call, (void)r; }
uint32_t mck_op_number(MPI_Op op) { return (uint32_t)(uintptr_t)(void *)op; }
int mck_epoch_rank(const struct mck_window *w) { return (void)w, RANK; }
void mck_touched_add(const struct mck_pieces *pieces) { (void)pieces; }
bool mck_touched_add_single(const char *low, uint64_t size, uint32_t flags, const void *pc) {
  return (void)low, (void)size, (void)flags, (void)pc, false;
}
uintptr_t mck_lifetime_leave(struct mck_call *call) {
  (void)call;
  return UINTPTR_MAX;
}
void mck_touched_guard(const char *low, const char *high, int by) { (void)low, (void)high, (void)by; }
bool mck_touched_is_guarded(const char *low, const char *high) { return (void)low, (void)high, false; }
void mck_buffer_hash_begin(struct mck_buffer *b) { (void)b; }
void mck_local_done(struct mck_finding *finding) { (void)finding; }
void mck_use_report(struct mck_call *call, enum mck_check check, bool is_refused, const char *format, ...) {
  (void)call, (void)check, (void)is_refused, (void)format;
}
void mck_local_expect(struct mck_call *call, enum mck_outlook outlook) { (void)call, (void)outlook; }
struct mck_type *mck_type_find(MPI_Datatype type) {
  uintptr_t i = (uintptr_t)(void *)type - 1;
  return i < TYPES ? &types[i] : NULL;
}
struct mck_buffer *mck_request_buffer(struct mck_request *r, int i, struct mck_window *window) {
  struct mck_buffer *b = &r->buffers[i];
  r->used |= (uint8_t)(1u << i);
  b->low = NULL, b->window = window, b->is_active = b->is_marked = b->is_pooled = b->range.is_listed = false;
  b->is_target = b->is_late = false, b->own_target = NULL;
  return b;
}
static int npages; // marked and not unmarked
void mck_filter_mark_page(uintptr_t page, int by, bool is_loaded) { (void)page, (void)is_loaded, npages += by; }
void mck_filter_mark_pages(uintptr_t low, uintptr_t high, int by, bool is_loaded) {
  for (uintptr_t p = low >> MCK_PAGE_SHIFT; p <= (high - 1) >> MCK_PAGE_SHIFT; p++)
    mck_filter_mark_page(p, by, is_loaded);
}
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  return (void)low, (void)high, bits;
}

static struct found {
  enum mck_check check;
  uint32_t a, b; // sites
} found[256];
static int nfound;
struct mck_finding *mck_local_add(enum mck_check check, uint32_t site, uint64_t also) {
  if (nfound < 256) found[nfound++] = (struct found){check, site, (uint32_t)also};
  return NULL; // it is there already
}

bool mck_strand_use_is_told(uint32_t site, uint32_t other, enum mck_strand_teller teller) {
  return (void)site, (void)other, (void)teller, false; // one strand
}

// --- the reference ---
static _Alignas(4096) char bytes[BYTES];
struct pending {
  uint64_t mask;
  bool is_written;
  int window, target, request; // -1: none
  uint32_t site;
  bool is_target; // bytes at the target, which is this process
  bool is_late;   // complete only when the operation is so at its target: it brings nothing back
} pending[PENDING];
static int npending;
static bool is_large; // there are more targets than an entry has bits

static uint64_t seed;
static uint32_t below(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

static void fail(const char *what, int execution, uint64_t start) {
  printf("execution %d, seed %llu: %s\n", execution, (unsigned long long)start, what);
  exit(1);
}

static uint64_t mask_of(const struct mck_type *t, int at, int64_t count) {
  uint64_t mask = 0;
  for (int64_t k = 0; k < count; k++)
    for (uint32_t i = 0; i < t->nblocks; i++)
      for (uint64_t c = 0; c < t->blocks[i].length; c++)
        mask |= (uint64_t)1 << (at + k * t->extent + t->blocks[i].offset + (int64_t)c);
  return mask;
}

static struct mck_block blocks[TYPES][4] = {{{0, 1}},         {{0, 4}}, {{0, 2}, {6, 2}}, {{0, 1}, {3, 1}, {6, 1}},
                                            {{1, 2}, {4, 3}}, {{0, 3}}, {{0, 1}, {3, 1}}, {{0, 2}, {6, 2}}};
static const uint32_t nblocks[TYPES] = {1, 1, 2, 3, 2, 1, 2, 2};
static const int64_t extents[TYPES] = {1, 4, 12, 9, 10, 5, 8, 4}; // the last one's copies interleave
static void make_types(void) {
  for (int i = 0; i < TYPES; i++) {
    struct mck_type *t = &types[i];
    const struct mck_block *last = &blocks[i][nblocks[i] - 1];
    *t = (struct mck_type){.blocks = blocks[i], .nblocks = nblocks[i], .extent = extents[i], .generation = 1};
    t->object.handle = (uint64_t)i + 1;
    t->low = blocks[i][0].offset, t->high = last->offset + (int64_t)last->length;
    t->is_dense = i < 2;
    for (uint32_t k = 0; k < t->nblocks; k++) t->size += (int64_t)blocks[i][k].length;
    // As mck_type_stride.
    bool is_even = nblocks[i] > 1;
    int64_t stride = is_even ? blocks[i][1].offset - blocks[i][0].offset : 0;
    for (uint32_t k = 1; k < nblocks[i]; k++)
      is_even &= blocks[i][k].length == blocks[i][0].length && blocks[i][k].offset - blocks[i][k - 1].offset == stride;
    t->stride = is_even ? stride : 0;
  }
}

// Bytes of a buffer within the 64, at random. Mostly the places of a program use the same ones again.
struct buffer {
  int at, count;
  const struct mck_type *type;
  uint64_t mask;
};
static struct buffer habits[SITES][4]; // [3]: at the target
static struct buffer make_buffer(uint32_t site, int i) {
  if (habits[site][i].type && below(3)) return habits[site][i];
  struct buffer b;
  do {
    b.type = &types[below(TYPES)];
    b.count = 1 + (int)below(5), b.at = (int)below(BYTES);
  } while (b.at + (b.count - 1) * b.type->extent + b.type->high > BYTES);
  b.mask = mask_of(b.type, b.at, b.count);
  return habits[site][i] = b;
}

static bool is_pair(const struct found *f, uint32_t a, uint32_t b) {
  return (f->a == a && f->b == b) || (f->a == b && f->b == a);
}

// Of a use of some bytes by an operation there is one finding, which names a place that conflicts with it; or none.
// Of several targets that have one bit none may be found.
static bool is_right_use(int *next, uint64_t mask, bool is_written, uint32_t site, bool is_rma, bool is_target) {
  bool is_conflict = false;
  for (int i = 0; i < npending; i++) {
    const struct pending *p = &pending[i];
    if (!(mask & p->mask) || !(is_written || p->is_written) || (is_target && p->is_target)) continue;
    is_conflict = true;
    enum mck_check check = is_rma || p->window >= 0 ? MCK_CHECK_RMA_RACE_LOCAL : MCK_CHECK_BUFFER_OVERLAP;
    if (*next == nfound || !is_pair(&found[*next], site, p->site) || found[*next].check != check) continue;
    ++*next;
    return true;
  }
  return !is_conflict || is_large;
}

static void add(struct pending p) {
  if (npending < PENDING) pending[npending++] = p;
}

static void drop(bool (*is_over)(const struct pending *p, int a, int b), int a, int b) {
  int n = 0;
  for (int i = 0; i < npending; i++)
    if (!is_over(&pending[i], a, b)) pending[n++] = pending[i];
  npending = n;
}
static bool is_complete_at_origin(const struct pending *p, int window, int target) {
  return p->window == window && (target < 0 || p->target == target) && !p->is_late;
}
static bool is_complete_at_target(const struct pending *p, int window, int target) {
  return p->window == window && (target < 0 || p->target == target) && p->is_late;
}
static bool is_of_request(const struct pending *p, int request, int unused) {
  return (void)unused, p->request == request;
}

// --- events ---
static struct mck_window windows[2];
static struct mck_request requests[REQUESTS];
static bool is_open[REQUESTS];

static int some_target(void) { return (int)below(is_large ? 200 : below(3) ? 2 : 64); }

static struct mck_use use_of(const struct buffer *b, bool is_written) {
  const struct mck_type *t = b->type;
  return (struct mck_use){.what = "buf",
                          .address = bytes + b->at,
                          .low = bytes + b->at + t->low,
                          .high = bytes + b->at + (b->count - 1) * t->extent + t->high,
                          .count = b->count,
                          .type = t->is_dense ? NULL : t,
                          .element = t,
                          .generation = t->generation,
                          .is_written = is_written,
                          .is_exact = true};
}

static const uint16_t functions[] = {MCK_FN_MPI_Put, MCK_FN_MPI_Get, MCK_FN_MPI_Accumulate, MCK_FN_MPI_Get_accumulate,
                                     MCK_FN_MPI_Compare_and_swap};
static const uint16_t with_request[] = {MCK_FN_MPI_Rput, MCK_FN_MPI_Rget, MCK_FN_MPI_Raccumulate,
                                        MCK_FN_MPI_Rget_accumulate};

static int first_bit(uint64_t mask) { return __builtin_ctzll(mask); }
static int last_bit(uint64_t mask) { return 63 - __builtin_clzll(mask); }

// An operation of one function at its place. Returns false if a finding is missing or wrong.
static bool operate(int request) {
  uint32_t which = below(request < 0 ? 5 : 4), site = which + (request < 0 ? 0 : 5);
  struct mck_call call = {.fn = request < 0 ? functions[which] : with_request[which], .site = site};
  bool is_only_fetched = which == 3 && !below(3), is_get = which == 1;
  int window = (int)below(2), target = some_target(), n = which == 4 ? 3 : which == 3 && !is_only_fetched ? 2 : 1;
  bool is_fetching = is_get || which > 2, is_target_written = !is_get && !is_only_fetched;
  struct buffer buffers[3], there = make_buffer(site, 3);
  if (which == 4) there.count = 1, there.mask = mask_of(there.type, there.at, 1);
  struct mck_args a = {.target = target, .target_disp = there.at, .target_count = there.count};
  a.target_type = (MPI_Datatype)(void *)(uintptr_t)there.type->object.handle;
  a.op = (MPI_Op)(void *)(uintptr_t)(is_only_fetched ? MCK_OP_NO_OP : MCK_OP_SUM);
  for (int i = 0; i < n; i++) buffers[i] = make_buffer(site, i);
  uint64_t read = n > 1 ? buffers[0].mask | (n > 2 ? buffers[1].mask : 0) : 0;
  if (read & buffers[n - 1].mask) return true; // one operation's own buffers: that is another check
  MPI_Datatype type = (MPI_Datatype)(void *)(uintptr_t)buffers[0].type->object.handle;
  if (is_get) a.recvbuf = bytes + buffers[0].at, a.recvcount = buffers[0].count, a.recvtype = type;
  else a.sendbuf = bytes + buffers[0].at, a.sendcount = buffers[0].count, a.sendtype = type;
  for (int i = 0; which > 2 && i < n; i++) call.uses[call.nuses++] = use_of(&buffers[i], i == n - 1);
  mck_operation_name(&call, &a);
  struct mck_request *r = request < 0 ? NULL : &requests[request];
  if (r) r->used = 0, r->site = site;
  if (r) mck_operation_begin_request(&call, &a, &windows[window], r);
  else mck_operation_begin(&call, a.target, &windows[window]);
  mck_own_target_begin(&call, &a, &windows[window], r);
  int next = 0;
  bool is_own = target == RANK; // and not to bytes beside its own buffers
  for (int i = 0; i < n; i++)
    is_own &= first_bit(buffers[i].mask) > last_bit(there.mask) || last_bit(buffers[i].mask) < first_bit(there.mask);
  for (int i = 0; i < n; i++)
    if (!is_right_use(&next, buffers[i].mask, is_fetching && i == n - 1, site, true, false)) return false;
  if (is_own && !is_right_use(&next, there.mask, is_target_written, site, true, true)) return false;
  for (int i = 0; i < n; i++)
    add((struct pending){buffers[i].mask, is_fetching && i == n - 1, window, target, request, site, false, false});
  if (is_own)
    add((struct pending){there.mask, is_target_written, window, target, is_fetching ? request : -1, site, true,
                         !is_fetching});
  return next == nfound;
}

static bool post(int request) { // a nonblocking send or receive
  bool is_written = below(2);
  uint32_t site = 9;
  struct buffer b = make_buffer(site, is_written);
  struct mck_request *r = &requests[request];
  r->used = 0;
  mck_buffer_begin(mck_request_buffer(r, is_written, NULL), bytes + b.at, b.count, b.type, is_written, site,
                   is_written ? MCK_FN_MPI_Irecv : MCK_FN_MPI_Isend);
  int next = 0;
  if (!is_right_use(&next, b.mask, is_written, site, false, false)) return false;
  add((struct pending){b.mask, is_written, -1, -1, request, site, false, false});
  return next == nfound;
}

static bool block(void) { // a blocking one
  bool is_written = below(2);
  uint32_t site = 20;
  struct buffer b = make_buffer(9, is_written);
  struct mck_call call = {.fn = is_written ? MCK_FN_MPI_Recv : MCK_FN_MPI_Send, .site = site};
  struct mck_use u = use_of(&b, is_written);
  mck_overlap_check(&call, &u);
  int next = 0;
  return is_right_use(&next, b.mask, is_written, site, false, false) && next == nfound;
}

// A load, a store or a free: each operation that conflicts is named.
static bool access_bytes(void) {
  bool is_freed = !below(12), is_store = is_freed || below(2);
  int at = (int)below(BYTES), size = 1 + (int)below((uint32_t)(BYTES - at < 8 ? BYTES - at : 8));
  uint32_t site = 30;
  uint64_t mask = (size == BYTES ? ~(uint64_t)0 : (((uint64_t)1 << size) - 1)) << at;
  const void *pc = (const void *)(uintptr_t)site;
  if (is_freed) mck_buffer_check_freed(bytes + at, (size_t)size, pc, NULL);
  else __mck_access_at(bytes + at, (uint64_t)size, is_store ? MCK_SIGNAL_STORE : 0, pc, NULL);
  for (int i = 0; i < npending && !is_large; i++) {
    struct pending *p = &pending[i];
    if (!(p->mask & mask) || !(is_store || p->is_written) || p->is_target) continue;
    bool is_named = false;
    for (int k = 0; k < nfound; k++)
      is_named |= found[k].b == p->site && (found[k].check == MCK_CHECK_RMA_RACE_LOCAL) == (p->window >= 0);
    if (!is_named) return false;
  }
  for (int k = 0; k < nfound; k++) {
    bool is_there = false;
    for (int i = 0; i < npending; i++)
      is_there |= found[k].b == pending[i].site && pending[i].mask & mask && (is_store || pending[i].is_written) &&
                  !pending[i].is_target;
    if (!is_there) return false;
  }
  for (int i = 0; is_freed && i < npending; i++)
    if (pending[i].mask & mask && !pending[i].is_target) pending[i].mask = 0; // a new block may lie there
  return true;
}

static void complete_request(int request) {
  for (int i = 0; i < 2; i++)
    if (requests[request].used >> i & 1) mck_buffer_end(&requests[request].buffers[i]);
  drop(is_of_request, request, 0), is_open[request] = false;
}

static bool step(void) {
  nfound = 0;
  int request = (int)below(REQUESTS);
  uint32_t what = below(16);
  if (what < 5) return operate(-1);
  if (what < 9 && is_open[request]) complete_request(request);
  else if (what < 7) return is_open[request] = true, operate(request);
  else if (what < 9) return is_open[request] = true, post(request);
  else if (what < 11) return block();
  else if (what < 14) return access_bytes();
  else {
    static const uint16_t calls[] = {MCK_FN_MPI_Win_flush, MCK_FN_MPI_Win_unlock,   MCK_FN_MPI_Win_flush_local,
                                     MCK_FN_MPI_Win_fence, MCK_FN_MPI_Win_complete, MCK_FN_MPI_Win_wait};
    uint32_t which = below(6);
    struct mck_call call = {.fn = calls[which], .site = 40};
    int window = (int)below(2), target = which < 3 && below(3) ? some_target() : -1;
    mck_window_complete(&windows[window], target, &call);
    if (which < 5) drop(is_complete_at_origin, window, target);
    if (which != 2 && which != 4) drop(is_complete_at_target, window, target);
  }
  return !nfound;
}

int main(int argc, char **argv) {
  int executions = argc > 1 ? atoi(argv[1]) : 100000;
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  mck_rt.is_ready = mck_rt.is_instrumented = true;
  mck_options_parse(NULL, (char[256]){0}, 256);
  make_types();
  for (int w = 0; w < 2; w++) windows[w].base = bytes, windows[w].size = BYTES, windows[w].disp_unit = 1;
  for (int i = 0; i < executions; i++) {
    uint64_t start = seed = first + (uint64_t)i * 7919;
    memset(habits, 0, sizeof habits), memset(is_open, 0, sizeof is_open);
    npending = 0, is_large = i % 4 == 3;
    for (int k = 0; k < EVENTS; k++)
      if (!step()) fail("a finding is missing or wrong", i, start);
    struct mck_call call = {.fn = MCK_FN_MPI_Win_flush, .site = 40};
    for (int w = 0; w < 2; w++) mck_window_complete(&windows[w], -1, &call);
    for (int r = 0; r < REQUESTS; r++)
      if (is_open[r]) complete_request(r);
    mck_parked_end_all();
    if (npages || mck_range_set_size) fail("something is still in use", i, start);
  }
  printf("%d executions agree\n", executions);
  return 0;
}
