// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finite elements and conjugate gradients, after miniFE. usage: fem [elements in each direction] [solutions]
#include <mpi.h>
#include <algorithm>
#include <cmath>
#include "assembly.h"
#include "bench/apps/measured.h"

static Values make_values(const Matrix &A) {
  Values v;
  v.local_size = (int)A.rows.size();
  v.coefs.resize((size_t)A.num_cols);
  return v;
}

// Solves A x = b; returns the number of iterations.
template <typename MatrixType, typename VectorType, typename Matvec>
static int cg_solve(MatrixType &A, const VectorType &b, VectorType &x, Matvec matvec, int most) {
  VectorType r(x), p(x), Ap(x);
  double rtrans, oldrtrans, normr;
  waxpby(1., x, 0., x, p);
  matvec(A, p, Ap);
  waxpby(1., b, -1., Ap, r);
  rtrans = dot(r, r);
  normr = std::sqrt(rtrans);
  double limit = 1e-9 * normr;
  int k = 1;
  for (; k <= most && normr > limit; ++k) {
    if (k == 1) {
      waxpby(1., r, 0., r, p);
    } else {
      oldrtrans = rtrans;
      rtrans = dot(r, r);
      double beta = rtrans / oldrtrans;
      waxpby(1., r, beta, p, p);
    }
    matvec(A, p, Ap);
    double alpha = rtrans / dot(Ap, p);
    waxpby(1., x, alpha, p, x);
    waxpby(1., r, -alpha, Ap, r);
    normr = std::sqrt(dot(r, r));
  }
  return k - 1;
}

static bool solve_known(const Box &box, int turn) {
  Matrix A;
  generate_structure(box, A);
  assemble(box, A);
  make_local(box, A);
  Values x = make_values(A), b = make_values(A), known = make_values(A);
  for (int i = 0; i < known.local_size; ++i)
    known.coefs[(size_t)i] = 1 + 0.01 * (double)(A.rows[(size_t)i] * (turn + 2) % 31);
  matvec_std<Matrix, Values> matvec;
  matvec(A, known, b);
  int most = 500, iterations = cg_solve(A, b, x, matvec, most);
  double error = 0;
  for (int i = 0; i < x.local_size; ++i)
    error = std::max(error, std::fabs(x.coefs[(size_t)i] - known.coefs[(size_t)i]));
  return iterations < most && error < 1e-5;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Box box;
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = (int)measured_argument(argc, argv, 1, 40, size);
  make_box(box, n, n, n);
  int turns = (int)measured_argument(argc, argv, 2, 4, 1);
  bool is_right = true;
  measured_begin();
  for (int turn = 0; turn < turns; ++turn) is_right = solve_known(box, turn) && is_right;
  measured_end();
  is_right = measured_print("fem", is_right);
  return measured_finish(is_right);
}
