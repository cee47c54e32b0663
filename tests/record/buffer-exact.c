// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 0 7 2>&1 | FileCheck %s --check-prefix=GAPS --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check --report %t.txt -n 1 %t 1 7 > %t.truth 2>&1
// RUN: %python %S/buffer-exact.py %t.truth %t.txt
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of a buffer are in use? Of random datatypes and pieces, against what MPI_Unpack writes: stores, loads and calls that use only the gaps are
// right (0), each store and load of a byte that is in use is wrong (1).
// GAPS: cases
// GAPS: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 15, MIDDLE = ROOM / 2, CASES = 300, MOST = 4, AROUND = 24 };
static char packed[ROOM], scratch[ROOM], memory[2][ROOM], used[2][ROOM];   // 0: sent, 1: received
static unsigned long long state;
static int below(unsigned n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((unsigned)(state >> 33) % n);
}

static MPI_Datatype basic(void) {
  MPI_Datatype all[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT};
  return all[below(6)];
}

static MPI_Datatype make(int depth) {
  MPI_Datatype old, new, types[MOST];
  if (!depth) return MPI_Type_dup(basic(), &new), new;
  old = make(depth - 1);
  int n = 1 + below(3), ones[MOST] = {1, 1, 1, 1}, places[MOST], sizes[2], parts[2], starts[2];
  MPI_Aint lb, extent, low, span, at = 0, bytes[MOST];
  MPI_Type_get_extent(old, &lb, &extent), MPI_Type_get_true_extent(old, &low, &span);
  MPI_Aint step = (extent > span ? extent : span) + 1;
  switch (below(7)) {
    case 0: MPI_Type_contiguous(n, old, &new); break;
    case 1: MPI_Type_vector(n, 1 + below(2), below(3) ? 2 + below(3) : -2, old, &new); break;
    case 2: MPI_Type_create_hvector(n, 1, below(3) ? step + below(9) : -step, old, &new); break;
    case 3:
      for (int i = 0; i < n; i++) places[i] = 2 * (n - i) + below(2);
      MPI_Type_indexed(n, ones, places, old, &new);
      break;
    case 4:
      for (int i = 0; i < n; i++) types[i] = i ? basic() : old, bytes[i] = at + below(5) - (i ? 0 : low), at = bytes[i] + (i ? 16 : low + span);
      MPI_Type_create_struct(n, ones, bytes, types, &new);
      break;
    case 5: MPI_Type_create_resized(old, lb - below(5), step + below(12), &new); break;
    default:
      for (int i = 0; i < 2; i++) sizes[i] = 2 + below(3), parts[i] = 1 + below((unsigned)sizes[i]), starts[i] = below((unsigned)(sizes[i] - parts[i] + 1));
      MPI_Type_create_subarray(2, sizes, parts, starts, below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old, &new);
  }
  MPI_Type_free(&old);
  return new;
}

// Adds the bytes of a piece; false: they do not fit, or some are there already.
static int add(int side, MPI_Aint at, int count, MPI_Datatype type) {
  MPI_Aint lb, extent, low, span;
  int size, position = 0, fits = 1;
  MPI_Type_get_extent(type, &lb, &extent), MPI_Type_get_true_extent(type, &low, &span), MPI_Type_size(type, &size);
  if (extent < 0 || low < -2000 || low + span + extent * count > 6000) return 0;
  memset(scratch, 0, ROOM);
  MPI_Unpack(packed, size * count, &position, scratch + MIDDLE + at, count, type, MPI_COMM_SELF);
  int n = 0;
  for (int i = 0; i < ROOM; i++) {
    n += scratch[i];
    fits &= !side || !(scratch[i] && used[side][i]);
    used[side][i] |= scratch[i];
  }
  return fits && n == size * count;
}

// Does with all bytes near the buffer what the mode wants; returns how many of them.
static int use(int side, int wanted) {
  volatile char *m = memory[side];
  int n = 0;
  for (int i = AROUND; i < ROOM - AROUND; i++) {
    if (used[side][i] != wanted || (!wanted && !memchr(&used[side][i - AROUND], 1, 2 * AROUND))) continue;
    m[i] = 1;
    if (!wanted || side) scratch[i] = m[i];
    n++;
    if (wanted || used[side][i - 1]) continue;
    MPI_Sendrecv(memory[side] + i, 1, MPI_BYTE, 0, 5, scratch, 1, MPI_BYTE, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(scratch, 1, MPI_BYTE, 0, 5, memory[side] + i, 1, MPI_BYTE, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
  return n;
}

int main(int argc, char **argv) {
  int zeros[MOST] = {0}, ncases = 0, nstores = 0, nloads = 0;
  MPI_Comm graphs[MOST + 1];
  MPI_Init(&argc, &argv);
  if (argc < 3) return 1;
  state = (unsigned long long)atoi(argv[2]);
  memset(packed, 1, ROOM);
  for (int k = 1; k <= MOST; k++)
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, k, zeros, MPI_UNWEIGHTED, k, zeros, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graphs[k]);
  for (int i = 0; i < CASES; i++) {
    int k = 1 + below(MOST), counts[MOST], places[2][MOST], how = below(3), fits = 1, wanted = atoi(argv[1]);
    MPI_Datatype types[MOST], one = make(below(3));
    MPI_Aint bytes[2][MOST], lb, extent;
    MPI_Request request;
    MPI_Type_commit(&one), MPI_Type_get_extent(one, &lb, &extent);
    memset(used, 0, sizeof used);
    if (how == 0) k = 1;
    for (int p = 0; p < k; p++) {
      counts[p] = how ? below(3) : 1 + below(3);
      if (how == 2) types[p] = make(below(3)), MPI_Type_commit(&types[p]);
      else MPI_Type_dup(one, &types[p]);
      for (int side = 0; side < 2; side++) {
        places[side][p] = how ? below(12) : 0, bytes[side][p] = how == 2 ? below(600) : places[side][p] * extent;
        fits &= add(side, bytes[side][p], counts[p], types[p]);
      }
    }
    if (fits) {
      char *to = memory[0] + MIDDLE, *from = memory[1] + MIDDLE;
      if (how == 0) MPI_Irecv(from, counts[0], one, 0, 0, MPI_COMM_SELF, &request);
      else if (how == 1) MPI_Ineighbor_alltoallv(to, counts, places[0], one, from, counts, places[1], one, graphs[k], &request);
      else MPI_Ineighbor_alltoallw(to, counts, bytes[0], types, from, counts, bytes[1], types, graphs[k], &request);
      int nsent = how ? use(0, wanted) : 0, nreceived = use(1, wanted);
      nstores += nsent + nreceived, nloads += nreceived, ncases++;
      if (how == 0) MPI_Send(to, counts[0], one, 0, 0, MPI_COMM_SELF);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int p = 0; p < k; p++) MPI_Type_free(&types[p]);
    MPI_Type_free(&one);
  }
  for (int k = 1; k <= MOST; k++) MPI_Comm_free(&graphs[k]);
  printf("%d cases, %d stores, %d loads\n", ncases, nstores, nloads);
  MPI_Finalize();
  return 0;
}
