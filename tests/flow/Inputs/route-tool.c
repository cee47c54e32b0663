// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// route-tool DIR RANKS: answers for the units that the ranks of ways.c wrote down (DIR/units-N), from their traces.
// Prints how many were seen, and a line for each other one. Exit code 1: a unit of one end only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flow/route.h"

enum { UNITS_MAX = 1 << 20 };
static struct mck_route_unit units[UNITS_MAX];
static char has[UNITS_MAX];
static struct mck_route answers[UNITS_MAX];
static size_t nunits;

static void read_units(const char *dir, unsigned rank) {
  char path[4096], line[256];
  snprintf(path, sizeof path, "%s/units-%u", dir, rank);
  FILE *file = fopen(path, "r");
  for (size_t id; file && fgets(line, sizeof line, file);) {
    char side;
    unsigned long long address, begin, until, length;
    if (sscanf(line, "%zu %c %llx %llu %llu %llu", &id, &side, &address, &begin, &until, &length) != 6) exit(2);
    if (id >= UNITS_MAX) exit(2);
    struct mck_route_end end = {rank, address, begin, until};
    if (side == 's') units[id].source = end;
    else units[id].dest = end;
    units[id].length = length;
    has[id] |= side == 's' ? 1 : 2;
    if (id >= nunits) nunits = id + 1;
  }
  if (file) fclose(file);
}

static void print_steps(const struct mck_routes *routes, const struct mck_route *a) {
  static const char *const kinds[] = {"copy", "send", "receive", "vm", "read", "write"};
  for (unsigned i = 0; i < a->nsteps; i++) {
    const struct mck_route_step *s = &a->steps[i];
    char place[300] = "?", by[300] = "";
    mck_routes_name(routes, s->rank, s->caller, true, place, sizeof place);
    if (s->callee && !mck_routes_name(routes, s->rank, s->callee, false, by, sizeof by)) strcpy(by, "?");
    printf("  %s step %u: %s of %llu bytes on rank %u by %s%s%s\n", a->fault == (int)i ? "*" : " ", i, kinds[s->kind],
           (unsigned long long)s->length, s->rank, place, *by ? " with " : "", by);
  }
}

int main(int argc, char **argv) {
  static const char *const verdicts[] = {"hidden", "seen", "broken", "wrong"};
  static const char *const reasons[] = {"-",           "no trace",  "incomplete",  "no window",
                                        "unseen step", "unordered", "other place", "other rank",
                                        "stale",       "late",      "miscopied"};
  if (argc != 3) return 2;
  unsigned nranks = (unsigned)atoi(argv[2]), counts[4] = {0};
  char why[512];
  for (unsigned rank = 0; rank < nranks; rank++) read_units(argv[1], rank);
  struct mck_routes *routes = mck_routes_open(argv[1], nranks, why, sizeof why);
  if (!routes || !mck_routes_find(routes, units, nunits, answers)) return 2;
  if (*why) printf("%s\n", why);
  int rc = 0;
  for (size_t i = 0; i < nunits; i++) {
    const struct mck_route *a = &answers[i];
    if (has[i] == 3) counts[a->verdict]++;
    else if (has[i]) rc = 1;
    if (has[i] != 3 || a->verdict == MCK_ROUTE_SEEN) continue;
    printf("unit %zu (%llu bytes, rank %u to %u): %s, %s, at %llu\n", i, (unsigned long long)units[i].length,
           units[i].source.rank, units[i].dest.rank, verdicts[a->verdict], reasons[a->reason],
           (unsigned long long)a->position);
    print_steps(routes, a);
  }
  printf("%u seen, %u hidden, %u broken, %u wrong\n", counts[MCK_ROUTE_SEEN], counts[MCK_ROUTE_HIDDEN],
         counts[MCK_ROUTE_BROKEN], counts[MCK_ROUTE_WRONG]);
  mck_routes_close(routes);
  return rc;
}
