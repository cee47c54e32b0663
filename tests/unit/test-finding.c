// RUN: %unit/test-finding
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: made, packed, unpacked; malformed bytes are refused whole. Buffers have their exact size, so that a
// sanitizer sees any byte too far.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "report/byte-map.h"
#include "report/finding.h"

#define EXPECT(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))
static unsigned long long seed;

_Noreturn static void fail(int line, const char *what) {
  printf("test-finding.c:%d: not so: %s (seed %llu)\n", line, what, seed);
  exit(1);
}

static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static bool is_same_string(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_same(const struct mck_finding *a, const struct mck_finding *b) {
  bool same = a->check == b->check && a->severity == b->severity && a->rank == b->rank && a->count == b->count &&
              a->nplaces == b->nplaces && a->cause == b->cause && is_same_string(a->text, b->text) &&
              is_same_string(a->why, b->why) && is_same_string(a->help, b->help);
  for (uint32_t i = 0; same && i < a->nplaces; i++)
    same = a->places[i].rank == b->places[i].rank && a->places[i].site == b->places[i].site &&
           is_same_string(a->places[i].label, b->places[i].label);
  if (!a->map || !b->map) return same && !a->map && !b->map;
  same = same && is_same_string(a->map->memory, b->map->memory) && a->map->size == b->map->size &&
         a->map->shared == b->map->shared;
  for (int k = 0; same && k < 2; k++) {
    const struct mck_map_use *x = &a->map->uses[k], *y = &b->map->uses[k];
    same = x->npieces == y->npieces && x->is_cut == y->is_cut && is_same_string(x->what, y->what) &&
           memcmp(x->pieces, y->pieces, x->npieces * sizeof *x->pieces) == 0;
  }
  return same;
}

static struct mck_finding *make(struct mck_findings *list) {
  struct mck_finding *f = mck_findings_add(list, (enum mck_check)draw(MCK_CHECK_COUNT), (int)draw(5) - 1);
  EXPECT(f && f->count == 1);
  f->count = draw(1000);
  f->severity = (enum mck_severity)draw(3);
  if (draw(2)) f->cause = (uint64_t)draw(1000) << draw(50);
  if (draw(8)) mck_finding_text(f, "text %u %s", draw(100), draw(2) ? "" : "na\xc3\xafve \xff");
  if (draw(2)) mck_finding_why(f, "because %u", draw(100));
  if (draw(2)) mck_finding_why(f, "and %u", draw(100));
  if (draw(2)) mck_finding_help(f, "%s", draw(2) ? "" : "mend it");
  for (uint32_t n = draw(MCK_PLACES_MAX + 2); n; n--)
    mck_finding_place(f, (int)draw(4) - 1, draw(2) ? draw(100) : 0xffffffffu, "place %u", n);
  EXPECT(f->nplaces <= MCK_PLACES_MAX);
  if (draw(2)) return f;
  struct mck_byte_map *map = mck_map_begin(f, draw(2) ? draw(1000) : 0, (int64_t)draw(100) - 50, "memory %u", draw(9));
  if (draw(2)) mck_map_name(map, draw(2), "sendbuf");
  for (unsigned k = 0; k < 2; k++)
    for (unsigned n = 1 + draw(2 * MCK_MAP_PIECES); n; n--) {
      int64_t low = (int64_t)draw(1000) - 500;
      mck_map_add(map, k, low, low + 1 + draw(4));
    }
  return f;
}

static void test_null(void) { // out of memory gives NULL, and nobody has to look
  mck_finding_text(NULL, "x%d", 1);
  mck_finding_why(NULL, "x%d", 1);
  mck_finding_help(NULL, "x%d", 1);
  mck_finding_place(NULL, 0, 0, "x%d", 1);
  size_t size = 1;
  EXPECT(mck_finding_pack(NULL, &size) == NULL && size == 0);
  struct mck_findings none = {0};
  EXPECT(!mck_finding_unpack(&none, NULL, 0) && none.count == 0);
  mck_findings_free(&none);
}

static void test_texts(void) {
  struct mck_findings list = {0};
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RMA_RACE, 3);
  mck_finding_text(f, "first");
  mck_finding_text(f, "second %d", 2);
  mck_finding_why(f, "one");
  mck_finding_why(f, "two");
  EXPECT(strcmp(f->text, "second 2") == 0);
  EXPECT(strcmp(f->why, "one\ntwo") == 0);
  EXPECT(f->help == NULL);
  mck_findings_free(&list);
  EXPECT(list.items == NULL && list.count == 0);
}

static void test_checks(void) {
  for (int i = 0; i < MCK_CHECK_COUNT; i++) {
    EXPECT(mck_check_infos[i].id && mck_check_infos[i].id[0] && mck_check_infos[i].help[0]);
    EXPECT(strspn(mck_check_infos[i].id, "abcdefghijklmnopqrstuvwxyz.-") == strlen(mck_check_infos[i].id));
    for (int k = 0; k < i; k++) EXPECT(strcmp(mck_check_infos[i].id, mck_check_infos[k].id) != 0);
  }
}

// Option pedantic raises the kinds that checks.inc marks, by one step, and no others.
static void test_severity(void) {
  char why[256];
  EXPECT(mck_check_severity(MCK_CHECK_TYPE_BYTE_MIX) == MCK_NOTE);
  enum mck_severity usual[MCK_CHECK_COUNT];
  for (int i = 0; i < MCK_CHECK_COUNT; i++) usual[i] = mck_check_severity((enum mck_check)i);
  EXPECT(mck_options_parse("pedantic=1", why, sizeof why));
  EXPECT(mck_check_severity(MCK_CHECK_TYPE_BYTE_MIX) == MCK_WARNING);
  for (int i = 0; i < MCK_CHECK_COUNT; i++) {
    bool is_raised = mck_check_infos[i].grade & MCK_RAISED;
    EXPECT(mck_check_severity((enum mck_check)i) == usual[i] + (is_raised ? 1u : 0u));
    EXPECT(mck_check_severity((enum mck_check)i) <= MCK_ERROR);
  }
  EXPECT(mck_options_parse("pedantic=0", why, sizeof why));
}

// The pieces of a map are those bytes that were added, in their order, and when there are too many, the nearest ones.
static void test_map(void) {
  for (int round = 0; round < 2000; round++) {
    enum { BYTES = 400 };
    bool is_used[BYTES] = {false};
    struct mck_findings list = {0};
    struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RMA_RACE, 0);
    int64_t shared = draw(BYTES);
    struct mck_byte_map *map = mck_map_begin(f, BYTES, shared, "m");
    mck_map_add(map, 1, shared, shared + 1);
    for (unsigned n = 1 + draw(80); n; n--) {
      int64_t low = draw(BYTES), high = low + 1 + draw(3);
      if (high > BYTES) high = BYTES;
      mck_map_add(map, 0, low, high);
      for (int64_t i = low; i < high; i++) is_used[i] = true;
    }
    const struct mck_map_use *u = &map->uses[0];
    EXPECT(mck_map_is_whole(map) && u->npieces <= MCK_MAP_PIECES && !map->uses[1].is_cut);
    int64_t from = u->is_cut ? u->pieces[0].low : 0, to = u->is_cut ? u->pieces[u->npieces - 1].high : BYTES;
    for (int64_t i = from; i < to; i++) {
      bool is_in = false;
      for (uint32_t k = 0; k < u->npieces; k++) is_in |= u->pieces[k].low <= i && i < u->pieces[k].high;
      EXPECT(is_in <= is_used[i] && (u->is_cut || is_in == is_used[i]));
    }
    if (is_used[shared]) EXPECT(from <= shared && shared < to);
    mck_findings_free(&list);
  }
}

// The bytes are a file format: this one must not change without a new version.
static void test_format(void) {
  struct mck_findings list = {0};
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_INIT_AFTER, -1);
  mck_finding_text(f, "t");
  mck_finding_place(f, 258, 7, "%s", "");
  if (f) f->cause = 9;
  static uint8_t expected[] = {4, 0, 1, 0,   255, 255, 255, 255, 1,   0,   0,   0,   1, 0, 2, 0, 1,
                               0, 0, 0, 't', 255, 255, 255, 255, 255, 255, 255, 255, 2, 1, 0, 0, 7,
                               0, 0, 0, 0,   0,   0,   0,   0,   0,   9,   0,   0,   0, 0, 0, 0, 0};
  size_t size;
  uint8_t *data = mck_finding_pack(f, &size);
  EXPECT(size == sizeof expected && memcmp(data, expected, size) == 0);
  struct mck_findings old = {0}; // version 3 had no cause
  expected[0] = 3;
  EXPECT(mck_finding_unpack(&old, expected, size - 8) && old.items[0].cause == 0 && !old.items[0].map);
  EXPECT(!mck_finding_unpack(&old, expected, size) && old.count == 1);
  mck_findings_free(&old);
  free(data);
  mck_findings_free(&list);
}

static void test_round_trips(void) {
  struct mck_findings list = {0}, copies = {0};
  for (int i = 0; i < 500; i++) {
    size_t size, again;
    uint8_t *data = mck_finding_pack(make(&list), &size);
    EXPECT(mck_finding_unpack(&copies, data, size));
    EXPECT(copies.count == (size_t)i + 1 && is_same(&list.items[i], &copies.items[i]));
    uint8_t *other = mck_finding_pack(&copies.items[i], &again);
    EXPECT(size == again && memcmp(data, other, size) == 0);
    for (size_t cut = 0; cut < size; cut++) { // any prefix is refused
      uint8_t *part = malloc(cut ? cut : 1);
      memcpy(part, data, cut);
      EXPECT(!mck_finding_unpack(&copies, part, cut) && copies.count == (size_t)i + 1);
      free(part);
    }
    uint8_t *longer = calloc(1, size + 1);
    memcpy(longer, data, size);
    EXPECT(!mck_finding_unpack(&copies, longer, size + 1));
    free(longer);
    free(data);
    free(other);
  }
  mck_findings_free(&list);
  mck_findings_free(&copies);
}

static void test_mutations(void) {
  int accepted = 0;
  for (int round = 0; round < 40000; round++) {
    struct mck_findings list = {0}, out = {0};
    size_t size;
    uint8_t *data = mck_finding_pack(make(&list), &size);
    for (uint32_t n = 1 + draw(4); n; n--)
      data[draw(2) ? draw((uint32_t)size) : draw(32) % size] = (uint8_t)(draw(2) ? draw(256) : draw(2) * 255);
    if (mck_finding_unpack(&out, data, size)) { // what is accepted is a proper finding: it packs into the same bytes
      size_t again;
      uint8_t *other = mck_finding_pack(&out.items[0], &again);
      EXPECT(out.count == 1 && (unsigned)out.items[0].check < MCK_CHECK_COUNT);
      EXPECT(out.items[0].nplaces <= MCK_PLACES_MAX && out.items[0].rank >= -1);
      EXPECT(again == size && memcmp(data, other, size) == 0);
      free(other);
      accepted++;
    } else {
      EXPECT(out.count == 0);
    }
    free(data);
    mck_findings_free(&list);
    mck_findings_free(&out);
  }
  EXPECT(accepted > 0);
}

int main(int argc, char **argv) {
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (unsigned long long)time(NULL);
  printf("seed %llu\n", seed);
  test_null();
  test_texts();
  test_checks();
  test_severity();
  test_map();
  test_format();
  test_round_trips();
  test_mutations();
  return 0;
}
