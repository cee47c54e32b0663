// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at a call that MPI makes of an operation of the program. MPI's call is made as it is. Then a pure function is
// called again with copies, for values that MPI itself might compute in this reduction: o stands for the operation, and
// MPI's call has combined a o b.
//
//   all elements again, between guards    what is written beyond them, and whether invec is written
//   one element alone                     the same result? MPI may pass elements in any number (MPI-3.1 5.9.5)
//   b o a                                 the same result? only if the operation was declared commutative
//   (a o b) o c for a o (b o c)           where b o c was the result of the call before, and the other way round:
//                                         operations are always associative (5.9.5)
//
// Other functions are called once, as by MPI, but with copies between guards in place of MPI's buffers, if all elements
// have room. What is behind MPI's own is unknown: the end of a page, or memory that another thread writes.
// MPI_Reduce_local passes the program's own buffers; there only invec is compared before and behind the call.
// The memory for copies is one for the process: while one thread uses it, calls of others are not looked at.
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "record/call/stack.h"
#include "record/collective/user-op.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

enum {
  VECTOR = 64 << 10, // bytes of a call that are copied
  ELEMENT = 8 << 10, // largest element that is looked at
  GUARD = 4096,
  ROOM = 3 * (VECTOR + 2 * GUARD + 128) + 16 * (ELEMENT + 2 * GUARD + 128),
  ALIGNED = 64, // addresses of elements are so: a program may have asked for it
  HOLE = 0xa5   // what is between the members of an element
};
// What guards hold. Two, since a maximum or minimum of equal bytes writes what was there: x and y of a call have
// different ones, and of the next call the other way round.
static const unsigned char patterns[4] = {0xa5, 0x5a, 0x5a, 0xa5};
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
static char *room;
static size_t used;
static unsigned ncopies;

// Copies of n elements between guards. base is their address, as MPI counts displacements.
struct copy {
  char *base, *low, *high; // low, high: what the elements may write
  int n;
  unsigned char pattern;
};

// What MPI has passed.
struct given {
  struct mck_user_op *op;
  const struct mck_type *t;
  struct mck_type_elements elements;
  struct mck_call *call; // that the thread is in
  MPI_Datatype handle;
  int len;
  unsigned number; // of samples
  int index[MCK_USER_OP_SAMPLES];
};

// --- copies ---
// An element may be written up to its extent, as by the assignment of a structure.
static int64_t element_low(const struct mck_type *t) { return t->lb < t->low ? t->lb : t->low; }
static int64_t element_high(const struct mck_type *t) {
  return t->lb + t->extent > t->high ? t->lb + t->extent : t->high;
}

static void copy_elements(const struct mck_type *t, char *to, const char *from, int n) {
  if (t->is_dense) {
    memcpy(to, from, (size_t)n * (size_t)t->extent);
    return;
  }
  for (int i = 0; i < n; i++)
    for (uint32_t b = 0; b < t->nblocks; b++) {
      int64_t offset = i * t->extent + t->blocks[b].offset;
      memcpy(to + offset, from + offset, t->blocks[b].length);
    }
}

static bool is_equal(const struct mck_type *t, const char *x, const char *y, int n) {
  if (t->is_dense) return !memcmp(x, y, (size_t)n * (size_t)t->extent);
  for (int i = 0; i < n; i++)
    for (uint32_t b = 0; b < t->nblocks; b++) {
      int64_t offset = i * t->extent + t->blocks[b].offset;
      if (memcmp(x + offset, y + offset, t->blocks[b].length)) return false;
    }
  return true;
}

// The copy is aligned as the original is.
static struct copy copy_of(const struct given *g, const char *from, int n) {
  int64_t low = element_low(g->t), high = element_high(g->t) + (n - 1) * g->t->extent;
  size_t size = (size_t)(high - low), all = size + 2 * GUARD + 64;
  MCK_CHECK(used + all <= ROOM);
  char *start = room + used;
  char *first = start + GUARD;
  unsigned char pattern = patterns[ncopies++ % 4];
  first += ((uintptr_t)from + (uint64_t)low - (uintptr_t)first) & 63;
  memset(start, pattern, (size_t)(first - start));
  memset(first + size, pattern, GUARD);
  if (!g->t->is_dense) memset(first, HOLE, size);
  struct copy c = {first - low, first, first + size, n, pattern};
  used += (all + 63) & ~(size_t)63;
  copy_elements(g->t, c.base, from, n);
  return c;
}

static bool is_clean(const char *guard, unsigned char pattern) {
  return *guard == (char)pattern && !memcmp(guard, guard + 1, GUARD - 1);
}

// How far beyond the elements was written; 0: nothing was.
static size_t beyond(const struct copy *c, bool *is_before) {
  const char *before = c->low - GUARD, *behind = c->high;
  if (MCK_LIKELY(is_clean(before, c->pattern) && is_clean(behind, c->pattern))) return 0;
  *is_before = is_clean(behind, c->pattern);
  size_t bytes = GUARD;
  while (bytes && (*is_before ? before[GUARD - bytes] : behind[bytes - 1]) == (char)c->pattern) bytes--;
  return bytes;
}

// --- findings ---
static struct mck_finding *start(const struct given *g, enum mck_user_op_fault fault) {
  static const char *const texts[] = {
      [MCK_USER_OP_NOT_COMMUTATIVE] = "an operation of the program is declared commutative, and is not",
      [MCK_USER_OP_NOT_ASSOCIATIVE] = "an operation of the program is not associative",
      [MCK_USER_OP_WRITES_IN] = "an operation of the program writes its first argument, invec",
      [MCK_USER_OP_WRITES_BEYOND] = "an operation of the program writes beyond the elements that it gets",
      [MCK_USER_OP_LENGTH] = "an operation of the program does not combine the *len elements that it gets one by one"};
  struct mck_user_op *op = g->op;
  if (op->said >> fault & 1) return NULL;
  op->said |= 1u << fault;
  struct mck_finding *f = mck_local_add(MCK_CHECK_COLLECTIVE_USER_OP, op->site, (uint64_t)fault);
  mck_finding_text(f, "%s", texts[fault]);
  mck_finding_place(f, mck_rt.rank, op->site, "the operation was made by MPI_Op_create");
  if (g->call) mck_finding_place(f, mck_rt.rank, mck_call_site(g->call), "%s calls it", mck_fn_names[g->call->fn]);
  return f;
}

struct operand {
  const char *name, *element;
};
static void say_numbers(struct mck_finding *f, const struct mck_user_op_difference *d, const struct operand *operands,
                        unsigned n) {
  char text[320] = "";
  size_t length = 0;
  for (unsigned i = 0; i < n && length + 64 < sizeof text; i++) {
    char number[40];
    mck_user_op_print(d, operands[i].element, number, sizeof number);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %s", i ? ", " : "", operands[i].name, number);
  }
  mck_finding_why(f, "the numbers at byte %lld of the element: %s",
                  (long long)d->run->offset + (long long)(d->unit * d->run->bytes), text);
}

static void say_beyond(const struct given *g, int n, size_t bytes, bool is_before) {
  mck_lock();
  struct mck_finding *f = start(g, MCK_USER_OP_WRITES_BEYOND);
  mck_finding_why(f, "called for *len = %d, it writes %zu bytes %s the %s", n, bytes, is_before ? "before" : "behind",
                  is_before ? "first element" : "last element");
  mck_finding_why(f, "MPI may pass the elements of a reduction in any number (MPI-3.1 5.9.5)");
  if (f) mck_local_done(f);
  mck_unlock();
}

static void say_in(const struct given *g) {
  mck_lock();
  struct mck_finding *f = start(g, MCK_USER_OP_WRITES_IN);
  mck_finding_why(f, "MPI may pass a send buffer as invec; the result belongs into inoutvec (MPI-3.1 5.9.5)");
  if (f) mck_local_done(f);
  mck_unlock();
}

static void say_difference(const struct given *g, enum mck_user_op_fault fault, const struct mck_user_op_difference *d,
                           const struct operand *operands, unsigned n) {
  mck_lock();
  struct mck_finding *f = start(g, fault);
  if (f) say_numbers(f, d, operands, n);
  if (fault == MCK_USER_OP_LENGTH)
    mck_finding_why(f, "alone is the call with *len = 1; MPI may pass the elements of a reduction in any number "
                       "(MPI-3.1 5.9.5)");
  else mck_finding_why(f, "the result of the reduction depends on the order in which MPI evaluates it (MPI-3.1 5.9.1)");
  if (f) mck_local_done(f);
  mck_unlock();
}

// --- the function, once more ---
// y = x o y. false: it wrote where it must not, so nothing follows from its result.
static bool combine(const struct given *g, const struct copy *x, const struct copy *y) {
  int len = x->n;
  bool is_before = false;
  mck_user_op_call(g->op, x->base, y->base, &len, g->handle);
  size_t in = beyond(x, &is_before), bytes = in ? in : beyond(y, &is_before);
  if (bytes) say_beyond(g, x->n, bytes, is_before);
  return !bytes;
}

// The result of x o y in fresh memory.
static bool result_of(const struct given *g, const char *x, const char *y, struct copy *result) {
  struct copy in = copy_of(g, x, 1);
  *result = copy_of(g, y, 1);
  return combine(g, &in, result);
}

// false: the elements are not combined one by one, and nothing else follows.
static bool check_alone(const struct given *g, const char *a, const char *b, const char *r, const struct copy *alone) {
  struct mck_user_op_difference d;
  const char *const operands[] = {a, b};
  if (mck_user_op_compare(&g->elements, r, alone->base, operands, 2, &d) != MCK_USER_OP_DIFFERS) return true;
  const struct operand all[] = {{"in invec", a}, {"in inoutvec", b}, {"combined", r}, {"combined alone", alone->base}};
  say_difference(g, MCK_USER_OP_LENGTH, &d, all, 4);
  return false;
}

static void check_commutes(const struct given *g, const char *a, const char *b, const struct copy *ab) {
  struct mck_user_op_difference d;
  struct copy ba;
  const char *const operands[] = {a, b};
  if (!result_of(g, b, a, &ba)) return;
  if (mck_user_op_compare(&g->elements, ab->base, ba.base, operands, 2, &d) != MCK_USER_OP_DIFFERS) return;
  const struct operand all[] = {{"a", a}, {"b", b}, {"a o b", ab->base}, {"b o a", ba.base}};
  say_difference(g, MCK_USER_OP_NOT_COMMUTATIVE, &d, all, 4);
}

// left = (a o b) o c, right = a o (b o c); one of them is what MPI has computed.
static void check_associates(const struct given *g, const char *a, const char *b, const char *c) {
  struct mck_user_op_difference d;
  struct copy ab, bc, left, right;
  const char *const operands[] = {a, b, c};
  if (!result_of(g, a, b, &ab) || !result_of(g, ab.base, c, &left)) return;
  if (!result_of(g, b, c, &bc) || !result_of(g, a, bc.base, &right)) return;
  const char *const parts[] = {operands[0], operands[1], operands[2], ab.base, bc.base};
  if (mck_user_op_compare(&g->elements, left.base, right.base, parts, 5, &d) != MCK_USER_OP_DIFFERS) return;
  const struct operand all[] = {{"a", a}, {"b", b}, {"c", c}, {"(a o b) o c", left.base}, {"a o (b o c)", right.base}};
  say_difference(g, MCK_USER_OP_NOT_ASSOCIATIVE, &d, all, 5);
}

// --- samples ---
static void choose_samples(struct given *g) {
  int wanted[MCK_USER_OP_SAMPLES] = {0, g->len / 3, g->len - g->len / 3 - 1, g->len - 1};
  for (unsigned i = 0; i < MCK_USER_OP_SAMPLES; i++)
    if (!g->number || wanted[i] > g->index[g->number - 1]) g->index[g->number++] = wanted[i];
}

static char *sample_at(const struct given *g, struct mck_user_op_step *s, unsigned which, unsigned i) {
  int64_t low = element_low(g->t);
  return s->elements + (which * g->number + i) * s->bytes + (low & (ALIGNED - 1)) - low;
}

static bool step_begin(const struct given *g, struct mck_user_op_step *s) {
  int64_t low = element_low(g->t);
  size_t bytes = (size_t)(element_high(g->t) - low + (low & (ALIGNED - 1)) + ALIGNED - 1) & ~(size_t)(ALIGNED - 1);
  s->elements = aligned_alloc(ALIGNED, 3 * g->number * bytes);
  if (!s->elements) return false;
  memset(s->elements, HOLE, 3 * g->number * bytes);
  s->type = g->t, s->generation = g->t->generation, s->len = g->len, s->number = g->number, s->bytes = bytes;
  s->call = g->call, s->event = g->call ? g->call->event : MCK_NONE;
  return true;
}

// Does the call go on from the result of the call before (which: its invec or its inoutvec)?
static bool is_next(const struct given *g, struct mck_user_op_step *now, struct mck_user_op_step *before,
                    unsigned which) {
  if (before->call != now->call || before->event != now->event || before->type != g->t ||
      before->generation != g->t->generation || before->len != g->len || before->number != g->number ||
      before->bytes != now->bytes)
    return false;
  for (unsigned i = 0; i < g->number; i++)
    if (!is_equal(g->t, sample_at(g, now, which, i), sample_at(g, before, 2, i), 1)) return false;
  return true;
}

static void check_samples(const struct given *g, struct mck_user_op_step *now, struct mck_user_op_step *before) {
  bool is_right = is_next(g, now, before, 1), is_left = !is_right && is_next(g, now, before, 0);
  size_t mark = used;
  for (unsigned i = 0; i < g->number; i++, used = mark) {
    struct copy ab;
    const char *a = sample_at(g, now, 0, i), *b = sample_at(g, now, 1, i);
    if (!result_of(g, a, b, &ab)) return;
    if (!check_alone(g, a, b, sample_at(g, now, 2, i), &ab)) return;
    if (g->op->is_commutative) check_commutes(g, a, b, &ab);
    if (is_right) check_associates(g, a, sample_at(g, before, 0, i), sample_at(g, before, 1, i));
    if (is_left) check_associates(g, sample_at(g, before, 0, i), sample_at(g, before, 1, i), b);
  }
}

// --- the call ---
static bool look(struct given *g, MPI_Datatype type) {
  mck_lock();
  const struct mck_type *t = g->t = mck_type_find(type);
  bool is_known = t && t->object.id != MCK_NONE && t->nblocks != MCK_NONE && t->extent > 0 && !t->is_inexact &&
                  element_high(t) - element_low(t) <= ELEMENT && mck_type_read_elements(type, &g->elements);
  mck_unlock();
  if (is_known && !room) {
    void *made = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made != MAP_FAILED) room = made;
  }
  return is_known && room;
}

static void check_pure(struct given *g, void *in, void *inout, int *len) {
  const struct mck_type *t = g->t;
  struct mck_user_op_step now = {0}, *before = &g->op->last;
  int64_t size = element_high(t) - element_low(t), most = (VECTOR - size) / t->extent + 1;
  int n = g->len < most ? g->len : (int)most;
  choose_samples(g);
  struct copy a = copy_of(g, in, n), b = copy_of(g, inout, n);
  if (!step_begin(g, &now)) {
    mck_user_op_call(g->op, in, inout, len, g->handle);
    return;
  }
  for (unsigned i = 0; i < g->number; i++) {
    copy_elements(t, sample_at(g, &now, 0, i), (char *)in + g->index[i] * t->extent, 1);
    copy_elements(t, sample_at(g, &now, 1, i), (char *)inout + g->index[i] * t->extent, 1);
  }
  mck_user_op_call(g->op, in, inout, len, g->handle);
  for (unsigned i = 0; i < g->number; i++)
    copy_elements(t, sample_at(g, &now, 2, i), (char *)inout + g->index[i] * t->extent, 1);
  int error = errno;
  fenv_t environment;
  fegetenv(&environment);
  struct copy kept = copy_of(g, a.base, n);
  if (combine(g, &a, &b)) {
    if (!is_equal(t, kept.base, a.base, n)) say_in(g);
    check_samples(g, &now, before);
  }
  fesetenv(&environment);
  errno = error;
  free(before->elements);
  *before = now;
}

static void check_other(struct given *g, void *in, void *inout, int *len) {
  const struct mck_type *t = g->t;
  int64_t size = element_high(t) - element_low(t), most = (VECTOR - size) / t->extent + 1;
  int n = g->len < most ? g->len : (int)most;
  struct copy kept = copy_of(g, in, n);
  bool is_own = g->call && g->call->fn == MCK_FN_MPI_Reduce_local;
  if (n < g->len || is_own || !g->call) mck_user_op_call(g->op, in, inout, len, g->handle);
  else {
    struct copy a = copy_of(g, in, n), b = copy_of(g, inout, n);
    combine(g, &a, &b);
    copy_elements(t, inout, b.base, n);
    if (!is_equal(t, kept.base, a.base, n)) copy_elements(t, in, a.base, n);
  }
  if (!is_equal(t, kept.base, in, n)) say_in(g);
}

void mck_user_op_check(struct mck_user_op *op, void *in, void *inout, int *len, MPI_Datatype type) {
  struct given g = {.op = op, .handle = type, .len = *len};
  if (*len < 1 || in == inout || atomic_flag_test_and_set(&is_busy)) {
    mck_user_op_call(op, in, inout, len, type);
    return;
  }
  used = 0, g.call = mck_call_current(__builtin_frame_address(0));
  if (!look(&g, type)) mck_user_op_call(op, in, inout, len, type);
  else if (op->is_pure) check_pure(&g, in, inout, len);
  else check_other(&g, in, inout, len);
  free(g.elements.items);
  atomic_flag_clear(&is_busy);
}
