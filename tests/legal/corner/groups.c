// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups: MPI-3.1 6.3.
#include "corner.h"

static MPI_Group all(void) {
  MPI_Group group;
  MPI_Comm_group(comm, &group);
  return group;
}

static int how(MPI_Group a, MPI_Group b) {
  int result;
  MPI_Group_compare(a, b, &result);
  return result;
}

static void nobody(void) {
  int n = -1, me = 0;
  MPI_Group_size(MPI_GROUP_EMPTY, &n), MPI_Group_rank(MPI_GROUP_EMPTY, &me);
  IS(n == 0 && me == MPI_UNDEFINED && how(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY) == MPI_IDENT);
}

static void empty_results(void) {  // whatever they are, the caller frees them
  MPI_Group a = all(), difference, none, subset, ranges;
  MPI_Group_difference(a, a, &difference);
  MPI_Group_intersection(a, MPI_GROUP_EMPTY, &none);
  MPI_Group_incl(a, 0, NULL, &subset);
  MPI_Group_range_incl(a, 0, NULL, &ranges);
  IS(how(difference, none) == MPI_IDENT && how(subset, MPI_GROUP_EMPTY) == MPI_IDENT);
  IS(how(ranges, subset) == MPI_IDENT);
  MPI_Group_free(&difference), MPI_Group_free(&none), MPI_Group_free(&subset), MPI_Group_free(&ranges);
  MPI_Group_free(&a);
  IS(none == MPI_GROUP_NULL);
}

static void excluding_nobody(void) {
  MPI_Group a = all(), b, c;
  MPI_Group_excl(a, 0, NULL, &b);
  MPI_Group_range_excl(a, 0, NULL, &c);
  IS(how(a, b) == MPI_IDENT && how(b, c) == MPI_IDENT);
  MPI_Group_free(&a);
  MPI_Group_free(&c), MPI_Group_free(&b);
}

static void unions(void) {
  MPI_Group a = all(), self, both;
  MPI_Comm_group(MPI_COMM_SELF, &self);
  MPI_Group_union(self, a, &both);  // first this process, then the others
  int n, me;
  MPI_Group_size(both, &n), MPI_Group_rank(both, &me);
  IS(n == size && me == 0 && how(both, a) == (rank == 0 ? MPI_IDENT : MPI_SIMILAR) && how(self, a) == MPI_UNEQUAL);
  MPI_Group_free(&self), MPI_Group_free(&both), MPI_Group_free(&a);
}

static void translation(void) {
  MPI_Group a = all(), first;
  int zero = 0, from[4] = {0, MPI_PROC_NULL, size - 1, 0}, to[4];
  MPI_Group_incl(a, 1, &zero, &first);
  MPI_Group_translate_ranks(a, 4, from, first, to);
  IS(to[0] == 0 && to[1] == MPI_PROC_NULL && to[2] == MPI_UNDEFINED && to[3] == 0);
  MPI_Group_translate_ranks(a, 0, NULL, first, NULL);
  MPI_Group_translate_ranks(a, 1, from, MPI_GROUP_EMPTY, to);
  IS(to[0] == MPI_UNDEFINED);
  MPI_Group_free(&first), MPI_Group_free(&a);
}

static void ranges(void) {  // downwards; a stride beyond the end; one element with any stride
  MPI_Group a = all(), down, stepped, one;
  int downwards[1][3] = {{size - 1, 0, -1}}, steps[1][3] = {{0, size - 1, 2 * size}}, single[1][3] = {{1, 1, -7}};
  int me, n;
  MPI_Group_range_incl(a, 1, downwards, &down);
  MPI_Group_rank(down, &me);
  IS(me == size - 1 - rank && how(down, a) == MPI_SIMILAR);
  MPI_Group_range_incl(a, 1, steps, &stepped);
  MPI_Group_size(stepped, &n);
  IS(n == 1);
  MPI_Group_range_excl(a, 1, single, &one);
  MPI_Group_size(one, &n);
  IS(n == size - 1);
  MPI_Group_free(&down), MPI_Group_free(&stepped), MPI_Group_free(&one), MPI_Group_free(&a);
}

static void asked_twice(void) {  // two references, equal or not, each freed once
  MPI_Group a = all(), b = all();
  int n;
  MPI_Group_free(&a);
  MPI_Group_size(b, &n);
  IS(n == size);
  MPI_Group_free(&b);
}

static void outlives(void) {
  MPI_Comm copy;
  MPI_Group group;
  int me;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_group(copy, &group);
  MPI_Comm_free(&copy);
  MPI_Group_rank(group, &me);
  IS(me == rank);
  MPI_Group_free(&group);
}

static void converted(void) {
  MPI_Group a = all(), same = MPI_Group_f2c(MPI_Group_c2f(a));
  IS(same == a && MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
  MPI_Group_free(&same);
}

TABLE(groups) = {
    {"6.3.1", "the empty group has no ranks", nobody},
    {"6.3.2", "empty results are groups of the caller's", empty_results},
    {"6.3.2", "excluding nobody", excluding_nobody},
    {"6.3.2", "a union keeps the order of its first group", unions},
    {"6.3.1", "ranks in another group, MPI_PROC_NULL in any, none at all", translation},
    {"6.3.2", "ranges downwards, with strides beyond their end", ranges},
    {"6.3.3", "a group asked for twice is freed twice", asked_twice},
    {"6.3.3", "a group outlives its communicator", outlives},
    {"17.2.4", "handles there and back", converted},
    END};
