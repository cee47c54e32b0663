// RUN: %mpicc-check %s -o %t 
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: groups that are equal may be one handle, to be freed as often as it was returned.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, n, r0 = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group a, b, c, d, e;
  MPI_Comm_group(MPI_COMM_WORLD, &a);
  MPI_Comm_group(MPI_COMM_WORLD, &b);
  MPI_Group_free(&a);
  MPI_Group_size(b, &n);
  MPI_Group_incl(b, 1, &r0, &c);
  MPI_Group_union(b, c, &d);
  MPI_Group_free(&b);
  MPI_Group_difference(c, c, &e); // empty
  MPI_Group_free(&e);
  MPI_Group_size(d, &n);
  MPI_Group_free(&d);
  MPI_Comm_group(MPI_COMM_WORLD, &a);
  MPI_Comm_group(MPI_COMM_WORLD, &b);
  MPI_Group_incl(a, 0, NULL, &d);
  MPI_Group_size(d, &n);
  MPI_Group_free(&d);
  MPI_Group_free(&b);
  MPI_Group_size(a, &n);
  MPI_Group_free(&a);
  MPI_Group_free(&c);
  MPI_Win w;
  int m;
  MPI_Win_create(&m, sizeof m, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_get_group(w, &a);
  MPI_Win_get_group(w, &b);
  MPI_Group_free(&a);
  MPI_Group_size(b, &n);
  MPI_Group_free(&b);
  MPI_Win_free(&w);
  MPI_Comm self;
  MPI_Comm_dup(MPI_COMM_SELF, &self);
  MPI_Comm_group(self, &a);
  MPI_Comm_free(&self);
  MPI_Group_size(a, &n);
  MPI_Group_free(&a);
  if (!rank) puts("done");
  MPI_Finalize();
}
