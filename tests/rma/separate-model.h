// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose windows have the separate memory model (MPI-3.1 11.4): this function comes before the one of Open MPI,
// whose windows all have the unified model.
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag) {
  static int model = MPI_WIN_SEPARATE;
  int (*next)(MPI_Win, int, void *, int *) = (int (*)(MPI_Win, int, void *, int *))dlsym(RTLD_NEXT, "PMPI_Win_get_attr");
  if (key != MPI_WIN_MODEL) return next(win, key, value, flag);
  *(int **)value = &model;
  *flag = 1;
  return MPI_SUCCESS;
}
