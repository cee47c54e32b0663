// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two square matrices of which each rank has a block of columns, after PRK's Transpose. B gets the transpose of A.
#pragma once

struct matrices {
  int rank, size;
  int order, block; // columns of all ranks, of one
  int tile;         // 0: without tiles
  double *a, *b;
};
#define A(m, i, j) (m)->a[(long)(j) * (m)->order + (i)]
#define B(m, i, j) (m)->b[(long)(j) * (m)->order + (i)]

// How blocks come to their ranks: messages (blocks-messages.c) or windows (blocks-windows.c).
struct blocks;
struct blocks *blocks_make(struct matrices *m, const char *how);
void blocks_exchange(struct blocks *x, struct matrices *m);
void blocks_release(struct blocks *x);

// Adds the transpose of the part of A for another rank, or of our own part (part == rank), to a block; and a block that
// has come to B.
void matrices_pack(const struct matrices *m, int part, double *block);
void matrices_unpack(struct matrices *m, int part, const double *block);
void matrices_transpose_own(struct matrices *m);
