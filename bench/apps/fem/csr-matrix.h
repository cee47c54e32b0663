// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix and vectors as templates, after miniFE. Columns of other ranks are behind the own ones.
#pragma once
#include <mpi.h>
#include <vector>

template <typename Scalar, typename LocalOrdinal>
struct Vector {
  LocalOrdinal local_size;
  std::vector<Scalar> coefs; // own values, then those of other ranks
};

template <typename Scalar, typename LocalOrdinal, typename GlobalOrdinal>
struct CSRMatrix {
  bool has_local_indices = false;
  std::vector<GlobalOrdinal> rows;
  std::vector<LocalOrdinal> row_offsets;
  std::vector<GlobalOrdinal> packed_cols; // global, then local numbers
  std::vector<Scalar> packed_coefs;
  LocalOrdinal num_cols = 0;

  std::vector<GlobalOrdinal> external_index;
  std::vector<int> neighbors;
  std::vector<LocalOrdinal> recv_length, send_length;
  std::vector<LocalOrdinal> elements_to_send;
  std::vector<Scalar> send_buffer;
  std::vector<MPI_Request> request;

  void get_row_pointers(GlobalOrdinal row, size_t &length, GlobalOrdinal *&cols, Scalar *&coefs) {
    size_t local = (size_t)(row - rows[0]);
    length = (size_t)(row_offsets[local + 1] - row_offsets[local]);
    cols = &packed_cols[(size_t)row_offsets[local]];
    coefs = &packed_coefs[(size_t)row_offsets[local]];
  }
};

template <typename MatrixType, typename VectorType>
void exchange_externals(MatrixType &A, VectorType &x) {
  size_t n = A.neighbors.size();
  if (n == 0) return;
  A.request.resize(n);
  auto *external = &x.coefs[(size_t)x.local_size];
  for (size_t i = 0; i < n; ++i) {
    MPI_Irecv(external, A.recv_length[i], MPI_DOUBLE, A.neighbors[i], 99, MPI_COMM_WORLD, &A.request[i]);
    external += A.recv_length[i];
  }
  for (size_t i = 0; i < A.elements_to_send.size(); ++i) A.send_buffer[i] = x.coefs[(size_t)A.elements_to_send[i]];
  auto *buffer = &A.send_buffer[0];
  for (size_t i = 0; i < n; ++i) {
    MPI_Send(buffer, A.send_length[i], MPI_DOUBLE, A.neighbors[i], 99, MPI_COMM_WORLD);
    buffer += A.send_length[i];
  }
  for (size_t i = 0; i < n; ++i) MPI_Wait(&A.request[i], MPI_STATUS_IGNORE);
}

template <typename MatrixType, typename VectorType>
struct matvec_std {
  void operator()(MatrixType &A, VectorType &x, VectorType &y) {
    exchange_externals(A, x);
    int n = (int)A.rows.size();
    const auto *Arowoffsets = &A.row_offsets[0];
    const auto *Acols = &A.packed_cols[0];
    const auto *Acoefs = &A.packed_coefs[0];
    const auto *xcoefs = &x.coefs[0];
    auto *ycoefs = &y.coefs[0];
    for (int row = 0; row < n; ++row) {
      double sum = 0;
      for (int i = Arowoffsets[row]; i < Arowoffsets[row + 1]; ++i) sum += Acoefs[i] * xcoefs[Acols[i]];
      ycoefs[row] = sum;
    }
  }
};

template <typename VectorType>
double dot(const VectorType &x, const VectorType &y) {
  double mine = 0, all;
  for (int i = 0; i < x.local_size; ++i) mine += x.coefs[(size_t)i] * y.coefs[(size_t)i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// w = alpha x + beta y
template <typename VectorType>
void waxpby(double alpha, const VectorType &x, double beta, const VectorType &y, VectorType &w) {
  for (int i = 0; i < x.local_size; ++i) w.coefs[(size_t)i] = alpha * x.coefs[(size_t)i] + beta * y.coefs[(size_t)i];
}
