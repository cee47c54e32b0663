// RUN: %unit/test-standard-conflict
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conflict matrix of MPI-3.1 11.7, written out by hand: every pair of kinds of accesses, and then what changes a
// verdict, section by section.
#include <stdio.h>
#include "standard/conflict.h"

static int failures;
enum { SUM = MCK_CONFLICT_FIRST_OP, PROD, NO_OP = MCK_CONFLICT_NO_OP, CAS = MCK_CONFLICT_CAS, USER = 0 };
enum { INT = 1, DOUBLE, MIXED = -1 };

static const char letters[] = {[MCK_CONFLICT_NONE] = '.',
                               [MCK_CONFLICT_RACE] = 'R',
                               [MCK_CONFLICT_ATOMICITY] = 'A',
                               [MCK_CONFLICT_OVERLAP] = 'O',
                               [MCK_CONFLICT_MODEL] = 'M'};

#define ACCESS(...) ((struct mck_conflict_access){__VA_ARGS__})
#define PUT(p) ACCESS(.kind = MCK_CONFLICT_PUT, .process = p)
#define GET(p) ACCESS(.kind = MCK_CONFLICT_GET, .process = p, .is_fetching = true)
#define ACC(p, o, t) ACCESS(.kind = MCK_CONFLICT_ACCUMULATE, .process = p, .op = o, .type = (uint32_t)(t))
#define FETCH(p, o, t)                                                                                                 \
  ACCESS(.kind = MCK_CONFLICT_ACCUMULATE, .process = p, .op = o, .type = (uint32_t)(t), .is_fetching = true)
#define STORE(p) ACCESS(.kind = MCK_CONFLICT_STORE, .process = p)
#define LOAD(p) ACCESS(.kind = MCK_CONFLICT_LOAD, .process = p)

static void expect(int line, char wanted, enum mck_conflict found) {
  if (letters[found] == wanted) return;
  printf("%s:%d: %c, should be %c (%s)\n", __FILE__, line, letters[found], wanted, mck_conflict_text(found));
  failures++;
}

// Nothing but the two accesses; the matrix is symmetric where no order at an origin matters.
static void check(int line, char wanted, struct mck_conflict_access a, struct mck_conflict_access b,
                  unsigned properties) {
  expect(line, wanted, mck_conflict_of(&a, &b, false, properties));
}
#define PAIR(wanted, a, b, properties) check(__LINE__, wanted, a, b, properties)
#define BOTH(wanted, a, b)                                                                                             \
  do {                                                                                                                 \
    PAIR(wanted, a, b, 0);                                                                                             \
    PAIR(wanted, b, a, 0);                                                                                             \
  } while (0)

// Every kind beside every kind, of two processes on the same bytes of one window, in the unified model.
static void all_kinds(void) {
  const struct mck_conflict_access first[] = {
      PUT(1), GET(1), ACC(1, SUM, INT), ACC(1, PROD, INT), ACC(1, NO_OP, INT), ACC(1, CAS, INT), STORE(1), LOAD(1)};
  const struct mck_conflict_access second[] = {
      PUT(2), GET(2), ACC(2, SUM, INT), ACC(2, PROD, INT), ACC(2, NO_OP, INT), ACC(2, CAS, INT), STORE(2), LOAD(2)};
  // 11.7: puts conflict with everything, gets with what writes; accumulates are atomic among each other only (11.7.1).
  static const char *const matrix[] = {
      // put get sum prod no_op cas store load
      "RRAAAARR", // put
      "R.AA.AR.", // get
      "AA.A..RR", // sum
      "AAA...RR", // prod
      "A.....R.", // no_op
      "AA....RR", // cas
      "RRRRRRRR", // store: of another process in a shared window
      "R.RR.RR.", // load
  };
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) expect(__LINE__, matrix[i][k], mck_conflict_of(&first[i], &second[k], false, 0));
}

// 11.7.1: one operation, or MPI_NO_OP beside it; one basic type; the same elements.
static void atomicity(void) {
  BOTH('.', ACC(1, SUM, INT), FETCH(2, SUM, INT));
  BOTH('A', ACC(1, SUM, INT), FETCH(2, PROD, INT));
  BOTH('A', ACC(1, SUM, INT), ACC(2, SUM, DOUBLE));
  BOTH('.', ACC(1, SUM, INT), ACC(2, SUM, MIXED)); // several basic types: not known
  BOTH('A', ACC(1, SUM, INT), ACC(2, CAS, DOUBLE));
  BOTH('.', ACC(1, USER, INT), ACC(2, SUM, INT));           // an operation that is not known
  BOTH('.', FETCH(1, NO_OP, INT), FETCH(2, NO_OP, DOUBLE)); // both only read
  // accumulate_ops=same_op (11.2.1): not even MPI_NO_OP is allowed beside another one.
  PAIR('A', FETCH(1, NO_OP, INT), ACC(2, SUM, INT), MCK_CONFLICT_SAME_OP);
  PAIR('.', FETCH(1, NO_OP, INT), FETCH(2, NO_OP, INT), MCK_CONFLICT_SAME_OP);
  PAIR('.', ACC(1, SUM, INT), ACC(2, SUM, INT), MCK_CONFLICT_SAME_OP);
  // Elements that overlap in part are not one location.
  struct mck_conflict_access a = ACC(1, SUM, INT), b = ACC(2, SUM, INT), mixed = ACC(2, SUM, MIXED), put = PUT(2);
  expect(__LINE__, 'A', mck_conflict_of(&a, &b, true, 0));
  expect(__LINE__, '.', mck_conflict_of(&a, &mixed, true, 0));
  expect(__LINE__, 'A', mck_conflict_of(&a, &put, true, 0));
  b.process = 1; // the order at an origin is one of equal types at equal places (11.7.2)
  expect(__LINE__, 'A', mck_conflict_of(&a, &b, true, 0));
  expect(__LINE__, '.', mck_conflict_of(&a, &b, false, 0));
}

// 11.7.2: accumulates of one origin take effect in order, as far as accumulate_ordering says so.
static void order_at_origin(void) {
  PAIR('.', ACC(1, SUM, INT), ACC(1, PROD, INT), 0);
  BOTH('A', ACC(1, SUM, INT), ACC(1, PROD, DOUBLE)); // "on a per-datatype granularity"
  BOTH('A', ACC(1, SUM, INT), FETCH(1, NO_OP, DOUBLE));
  BOTH('.', ACC(1, SUM, INT), ACC(1, PROD, MIXED));
  BOTH('.', FETCH(1, NO_OP, INT), FETCH(1, NO_OP, DOUBLE));
  PAIR('A', ACC(1, SUM, INT), ACC(1, PROD, INT), MCK_CONFLICT_NO_WAW);
  PAIR('.', ACC(1, SUM, INT), ACC(1, PROD, INT), MCK_CONFLICT_NO_RAW | MCK_CONFLICT_NO_WAR);
  PAIR('A', ACC(1, SUM, INT), FETCH(1, PROD, INT), MCK_CONFLICT_NO_RAW);
  PAIR('.', ACC(1, SUM, INT), FETCH(1, PROD, INT), MCK_CONFLICT_NO_WAR);
  PAIR('A', FETCH(1, PROD, INT), ACC(1, SUM, INT), MCK_CONFLICT_NO_WAR);
  PAIR('.', FETCH(1, PROD, INT), ACC(1, SUM, INT), MCK_CONFLICT_NO_RAW);
  PAIR('.', ACC(1, SUM, INT), ACC(1, SUM, INT), MCK_CONFLICT_NO_WAW); // without an order, but atomic
}

// One process: its operations are not ordered among each other, its loads and stores are.
static void one_process(void) {
  BOTH('R', PUT(1), PUT(1));
  BOTH('R', PUT(1), GET(1));
  BOTH('A', PUT(1), ACC(1, SUM, INT));
  BOTH('R', PUT(1), STORE(1));
  BOTH('R', GET(1), STORE(1));
  BOTH('.', GET(1), LOAD(1));
  BOTH('.', STORE(1), LOAD(1));
  BOTH('.', STORE(1), STORE(1));
}

// Window memory that is the buffer of an operation: conflicts with what others do, not with the process's own calls.
static void buffers(void) {
  struct mck_conflict_access result = STORE(1), origin = LOAD(1), own = PUT(1), others = PUT(2), get = GET(2);
  result.is_buffer = origin.is_buffer = true;
  expect(__LINE__, '.', mck_conflict_of(&result, &own, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&own, &origin, false, 0));
  expect(__LINE__, 'R', mck_conflict_of(&result, &others, false, 0));
  expect(__LINE__, 'R', mck_conflict_of(&others, &origin, false, 0));
  expect(__LINE__, 'R', mck_conflict_of(&result, &get, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&origin, &get, false, 0));
}

// Polling is valid in the unified model; two that poll do not race either.
static void polling(void) {
  struct mck_conflict_access load = LOAD(1), store = STORE(1), put = PUT(2), other = STORE(2), plain = STORE(2);
  load.is_polling = store.is_polling = other.is_polling = true;
  expect(__LINE__, '.', mck_conflict_of(&load, &put, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&put, &load, false, 0));
  expect(__LINE__, 'R', mck_conflict_of(&load, &put, false, MCK_CONFLICT_SEPARATE));
  expect(__LINE__, 'R', mck_conflict_of(&store, &put, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&store, &other, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&load, &other, false, 0));
  expect(__LINE__, 'R', mck_conflict_of(&load, &plain, false, 0));
}

// 11.5.3: an exclusive lock keeps all other holders out, a shared one keeps out nobody who shares it.
static void locks(void) {
  static const char matrix[3][3] = {{'R', 'R', 'R'}, {'R', '.', '.'}, {'R', '.', 'R'}}; // unlocked, exclusive, shared
  for (uint8_t i = 0; i < 3; i++)
    for (uint8_t k = 0; k < 3; k++) {
      struct mck_conflict_access a = PUT(1), b = PUT(2), own = PUT(1);
      a.lock = i, b.lock = own.lock = k;
      expect(__LINE__, matrix[i][k], mck_conflict_of(&a, &b, false, 0));
      expect(__LINE__, 'R', mck_conflict_of(&a, &own, false, 0)); // its own lock orders nothing
    }
}

// 11.7: "distinct, overlapping windows". Loads and stores are noted for each window that their memory is in.
static void two_windows(void) {
  struct mck_conflict_access put = PUT(1), other = PUT(2), acc = ACC(2, SUM, INT), same = ACC(1, SUM, INT),
                             get = GET(2), read = GET(1), store = STORE(2);
  other.window = acc.window = get.window = store.window = 1;
  put.lock = other.lock = MCK_CONFLICT_EXCLUSIVE; // locks of two windows exclude nobody
  expect(__LINE__, 'O', mck_conflict_of(&put, &other, false, 0));
  expect(__LINE__, 'O', mck_conflict_of(&put, &acc, false, 0));
  expect(__LINE__, 'O', mck_conflict_of(&same, &acc, false, 0)); // not atomic through two windows
  expect(__LINE__, 'O', mck_conflict_of(&put, &get, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&read, &get, false, 0));
  expect(__LINE__, '.', mck_conflict_of(&put, &store, false, 0));
}

// 11.7, the separate model, rule 3: a store and an update of one window, whatever bytes they touch.
static void separate_model(void) {
  const struct mck_conflict_access all[] = {PUT(1), ACC(1, SUM, INT), FETCH(1, NO_OP, INT), GET(1), LOAD(2), STORE(2)};
  static const char with_store[] = "MM....", with_put[] = ".....M";
  struct mck_conflict_access store = STORE(2), put = PUT(1);
  for (int i = 0; i < 6; i++) {
    expect(__LINE__, with_store[i], mck_conflict_of_disjoint(&all[i], &store));
    expect(__LINE__, with_store[i], mck_conflict_of_disjoint(&store, &all[i]));
    expect(__LINE__, with_put[i], mck_conflict_of_disjoint(&all[i], &put));
  }
  store.window = 1;
  expect(__LINE__, '.', mck_conflict_of_disjoint(&put, &store));
}

// Whatever conflicts with the covered access conflicts with the covering one: asked of all pairs and all third ones.
static void covering(void) {
  struct mck_conflict_access all[512];
  int n = 0, covers = 0;
  for (uint8_t kind = 0; kind <= MCK_CONFLICT_LOAD; kind++)
    for (uint32_t process = 1; process <= 2; process++)
      for (uint8_t lock = 0; lock < 3; lock++)
        for (int way = 0; way < 8; way++) {
          struct mck_conflict_access a = {.kind = kind, .process = process, .lock = lock};
          if (kind == MCK_CONFLICT_ACCUMULATE)
            a.op = (uint8_t[]){SUM, PROD, NO_OP, CAS}[way % 4], a.is_fetching = way >= 4 || way % 4 > 1;
          else if (kind < MCK_CONFLICT_ACCUMULATE && way) continue;
          else if (way > 1) continue;
          else a.is_polling = way;
          all[n++] = a;
        }
  for (int b = 0; b < n; b++)
    for (int a = 0; a < n; a++) {
      if (!mck_conflict_covers(&all[b], &all[a])) continue;
      covers++;
      for (int c = 0; c < n; c++) {
        struct mck_conflict_access third = all[c];
        if (third.is_polling) continue; // a store of a shared window conflicts with it, a put that covers it does not
        third.process += third.process == all[a].process || third.process == all[b].process ? 2 : 0; // a third process
        if (mck_conflict_of(&all[a], &third, false, 0) && !mck_conflict_of(&all[b], &third, false, 0) && !failures++)
          printf("access %d is said to cover %d, but not against %d\n", b, a, c);
      }
    }
  if (covers < n) failures++, printf("only %d of %d pairs cover each other\n", covers, n * n);
}

int main(void) {
  all_kinds();
  atomicity();
  order_at_origin();
  one_process();
  buffers();
  polling();
  locks();
  two_windows();
  separate_model();
  covering();
  return failures != 0;
}
