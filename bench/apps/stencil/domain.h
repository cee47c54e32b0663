// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a square grid that a rank owns, with a margin of RADIUS points, and how it gets its margin.
#pragma once
#include <mpi.h>
#include <stddef.h>

enum { RADIUS = 2 };
enum side { RIGHT, LEFT, TOP, BOTTOM, SIDES };

struct domain {
  int rank, size;
  int columns, rows, column, row;  // the ranks as a grid, and this one's place there
  int neighbor[SIDES];             // MPI_PROC_NULL: the edge
  long n;                          // points of the whole grid in each direction
  long istart, iend, jstart, jend; // own points, inclusive
  long width, height;
  double *in, *out; // in has the margin
  double weight[2 * RADIUS + 1][2 * RADIUS + 1];
};
#define IN_WIDTH(d) ((d)->width + 2 * RADIUS)
#define IN(d, i, j) (d)->in[(i) - (d)->istart + RADIUS + IN_WIDTH(d) * ((j) - (d)->jstart + RADIUS)]
#define OUT(d, i, j) (d)->out[(i) - (d)->istart + (d)->width * ((j) - (d)->jstart)]

void domain_make(struct domain *d, long n); // all but in
size_t domain_in_bytes(const struct domain *d);
void domain_fill(struct domain *d);
void domain_release(struct domain *d);
void domain_sweep(struct domain *d);
void domain_step(struct domain *d); // adds 1 to all of in
int domain_is_right(const struct domain *d, long iterations);

// What stands between a rank and its neighbors: each way to exchange has a file of its own.
struct halo;
struct halo *halo_make(struct domain *d, const char *how); // gets the memory of in as well
void halo_exchange(struct halo *h, struct domain *d);
void halo_settle(struct halo *h, struct domain *d); // before in changes
void halo_release(struct halo *h, struct domain *d);
