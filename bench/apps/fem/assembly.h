// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A box of hexahedra: its nodes by layers, of which each rank has some.
#pragma once
#include "csr-matrix.h"

typedef CSRMatrix<double, int, long> Matrix;
typedef Vector<double, int> Values;

struct Box {
  int rank, size;
  int elements[3]; // of all ranks
  int first, last; // own layers of nodes in z: first to last - 1
  long plane() const { return (long)(elements[0] + 1) * (elements[1] + 1); }
};

void make_box(Box &box, int x, int y, int z);
void generate_structure(const Box &box, Matrix &A);
void assemble(const Box &box, Matrix &A); // sums the elements into the matrix
void make_local(const Box &box, Matrix &A);
