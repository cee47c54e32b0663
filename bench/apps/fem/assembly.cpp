// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From elements to a matrix whose columns have local numbers, and the lists of what to exchange.
#include "assembly.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

void make_box(Box &box, int x, int y, int z) {
  MPI_Comm_rank(MPI_COMM_WORLD, &box.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &box.size);
  box.elements[0] = x, box.elements[1] = y, box.elements[2] = z;
  box.first = (int)((long)(z + 1) * box.rank / box.size);
  box.last = (int)((long)(z + 1) * (box.rank + 1) / box.size);
}

// Each node touches the 27 around it.
void generate_structure(const Box &box, Matrix &A) {
  int nx = box.elements[0] + 1, ny = box.elements[1] + 1, nz = box.elements[2] + 1;
  A.row_offsets.push_back(0);
  for (int z = box.first; z < box.last; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        A.rows.push_back((long)z * box.plane() + (long)y * nx + x);
        for (int sz = std::max(z - 1, 0); sz <= std::min(z + 1, nz - 1); ++sz)
          for (int sy = std::max(y - 1, 0); sy <= std::min(y + 1, ny - 1); ++sy)
            for (int sx = std::max(x - 1, 0); sx <= std::min(x + 1, nx - 1); ++sx)
              A.packed_cols.push_back((long)sz * box.plane() + (long)sy * nx + sx);
        A.row_offsets.push_back((int)A.packed_cols.size());
      }
  A.packed_coefs.assign(A.packed_cols.size(), 0.);
}

// The diffusion in a unit cube with linear functions at its corners, integrated at 2 x 2 x 2 points, and a bit of its
// mass, so that the matrix is positive definite without a boundary.
static void compute_element_matrix(double element[8][8]) {
  static const double place = 0.5 / std::sqrt(3.);
  std::fill(&element[0][0], &element[0][0] + 64, 0.);
  for (int q = 0; q < 8; ++q) {
    double at[3], value[8], grad[8][3];
    for (int d = 0; d < 3; ++d) at[d] = 0.5 + (q >> d & 1 ? place : -place);
    for (int c = 0; c < 8; ++c) {
      double f[3], g[3];
      for (int d = 0; d < 3; ++d) f[d] = c >> d & 1 ? at[d] : 1 - at[d], g[d] = c >> d & 1 ? 1 : -1;
      value[c] = f[0] * f[1] * f[2];
      grad[c][0] = g[0] * f[1] * f[2], grad[c][1] = f[0] * g[1] * f[2], grad[c][2] = f[0] * f[1] * g[2];
    }
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        double sum = 0.02 * value[i] * value[j];
        for (int d = 0; d < 3; ++d) sum += grad[i][d] * grad[j][d];
        element[i][j] += sum / 8;
      }
  }
}

static void sum_into_row(Matrix &A, long row, const long *columns, const double *values) {
  size_t length;
  long *cols;
  double *coefs;
  A.get_row_pointers(row, length, cols, coefs);
  for (int k = 0; k < 8; ++k) {
    long *found = std::lower_bound(cols, cols + length, columns[k]);
    coefs[found - cols] += values[k];
  }
}

void assemble(const Box &box, Matrix &A) {
  double element[8][8];
  int nx = box.elements[0] + 1;
  for (int z = std::max(box.first - 1, 0); z < std::min(box.last, box.elements[2]); ++z)
    for (int y = 0; y < box.elements[1]; ++y)
      for (int x = 0; x < box.elements[0]; ++x) {
        long nodes[8];
        for (int c = 0; c < 8; ++c)
          nodes[c] = (long)(z + (c >> 2)) * box.plane() + (long)(y + (c >> 1 & 1)) * nx + x + (c & 1);
        compute_element_matrix(element);
        for (int c = 0; c < 8; ++c)
          if (nodes[c] >= A.rows.front() && nodes[c] <= A.rows.back()) sum_into_row(A, nodes[c], nodes, element[c]);
      }
}

static int find_owner(const Box &box, long node) {
  int z = (int)(node / box.plane()), r = 0;
  while ((long)(box.elements[2] + 1) * (r + 1) / box.size <= z) ++r;
  return r;
}

// The matrix is symmetric: a rank sends to those whose columns it has.
void make_local(const Box &box, Matrix &A) {
  std::map<long, int> externals;
  std::map<int, std::vector<long>> received;
  std::map<int, std::set<int>> sent;
  long first = A.rows.front(), last = A.rows.back();
  for (size_t r = 0; r < A.rows.size(); ++r)
    for (int i = A.row_offsets[r]; i < A.row_offsets[r + 1]; ++i) {
      long column = A.packed_cols[(size_t)i];
      if (column >= first && column <= last) continue;
      int owner = find_owner(box, column);
      if (externals.insert(std::make_pair(column, 0)).second) received[owner].push_back(column);
      sent[owner].insert((int)r);
    }
  int next = (int)A.rows.size();
  for (auto &entry : received) {
    std::sort(entry.second.begin(), entry.second.end());
    for (long column : entry.second) A.external_index.push_back(column), externals[column] = next++;
    A.neighbors.push_back(entry.first);
    A.recv_length.push_back((int)entry.second.size());
    A.send_length.push_back((int)sent[entry.first].size());
    A.elements_to_send.insert(A.elements_to_send.end(), sent[entry.first].begin(), sent[entry.first].end());
  }
  A.send_buffer.resize(A.elements_to_send.size());
  A.num_cols = next;
  for (long &column : A.packed_cols) column = column >= first && column <= last ? column - first : externals[column];
  A.has_local_indices = true;
}
