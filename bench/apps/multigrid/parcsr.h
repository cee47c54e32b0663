// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix whose rows are divided among the ranks, after hypre's ParCSR: diag has the columns of this rank, offd
// the others, by the place of the column in col_map_offd. comm_pkg says which values go to which rank.
#pragma once
#include <mpi.h>

struct csr {
  int num_rows, num_nonzeros, room;
  int *i, *j;
  double *data;
};

struct comm_pkg {
  int num_sends, num_recvs;
  int *send_procs, *send_map_starts, *send_map_elmts;
  int *recv_procs, *recv_vec_starts;
};

struct parcsr {
  long first_row, global_rows;
  long *row_starts; // of all ranks, and the end
  struct csr *diag, *offd;
  int num_cols_offd;
  long *col_map_offd;
  struct comm_pkg *comm_pkg;
  double *x_offd;
};

struct comm_handle {
  struct comm_pkg *pkg;
  int num_requests;
  MPI_Request *requests;
  double *send_data;
};

// The matrix of five points on a grid of width columns and height rows, of which each rank has whole rows.
struct parcsr *parcsr_make(long width, long height, int rank, int size);
void parcsr_release(struct parcsr *a);
void parcsr_multiply(double alpha, const struct parcsr *a, const double *x, double beta, double *y);

void comm_pkg_make(struct parcsr *a, int rank, int size); // asks the owners of the columns in offd
void comm_pkg_release(struct comm_pkg *pkg);
struct comm_handle *comm_handle_create(struct comm_pkg *pkg, const double *x, double *x_offd);
void comm_handle_destroy(struct comm_handle *h); // waits
