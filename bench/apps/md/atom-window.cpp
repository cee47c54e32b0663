// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms in windows, whose size is the same on all ranks and stays.
#include <cstdio>
#include "atom.h"

void Atom::grow(int n) {
  if (nmax) {
    std::fprintf(stderr, "md: %d atoms do not fit\n", n);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Allreduce(&n, &nmax, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Aint bytes = nmax * 3 * (MPI_Aint)sizeof(double);
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &x_window);
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f, &f_window);
  v = new double[nmax * 3]();
  MPI_Win_fence(MPI_MODE_NOPRECEDE, x_window);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, f_window);
}

void Atom::release() {
  MPI_Win_fence(MPI_MODE_NOSUCCEED, x_window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, f_window);
  MPI_Win_free(&x_window);
  MPI_Win_free(&f_window);
  delete[] v;
}
