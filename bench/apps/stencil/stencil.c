// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star-shaped stencil on a square grid, after PRK's Stencil. What the ranks exchange is in halo-messages.c,
// halo-puts.c or halo-loads.c. With -fopenmp each rank has two threads, and the main thread calls MPI.
// usage: stencil [points in each direction] [iterations] [how]
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "bench/apps/measured.h"
#include "domain.h"

int main(int argc, char **argv) {
#ifdef _OPENMP
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  omp_set_num_threads(2);
#else
  MPI_Init(&argc, &argv);
#endif
  long n = measured_argument(argc, argv, 1, 1500, 2 * RADIUS + 1),
       iterations = measured_argument(argc, argv, 2, 100, 1);
  struct domain d;
  domain_make(&d, n);
  struct halo *halo = halo_make(&d, argc > 3 ? argv[3] : "nonblocking");
  domain_fill(&d);
  measured_begin();
  for (long i = 0; i < iterations; i++) {
    halo_exchange(halo, &d);
    domain_sweep(&d);
    halo_settle(halo, &d);
    domain_step(&d);
  }
  measured_end();
  int is_right = domain_is_right(&d, iterations);
  is_right = measured_print("stencil", is_right);
  halo_release(halo, &d);
  domain_release(&d);
  return measured_finish(is_right);
}
