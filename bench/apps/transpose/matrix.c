// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes blocks, in tiles.
#include "matrix.h"

static int smaller(int a, int b) { return a < b ? a : b; }

void matrices_transpose_own(struct matrices *m) {
  int start = m->rank * m->block;
  for (int i = 0; i < m->block; i += m->tile)
    for (int j = 0; j < m->block; j += m->tile)
      for (int it = i; it < smaller(m->block, i + m->tile); it++)
        for (int jt = j; jt < smaller(m->block, j + m->tile); jt++) B(m, start + jt, it) += A(m, start + it, jt);
}

void matrices_pack(const struct matrices *m, int part, double *block) {
  int start = part * m->block;
  for (int i = 0; i < m->block; i += m->tile)
    for (int j = 0; j < m->block; j += m->tile)
      for (int it = i; it < smaller(m->block, i + m->tile); it++)
        for (int jt = j; jt < smaller(m->block, j + m->tile); jt++)
          block[jt + (long)it * m->block] = A(m, start + it, jt);
}

void matrices_unpack(struct matrices *m, int part, const double *block) {
  int start = part * m->block;
  for (int j = 0; j < m->block; j++)
    for (int i = 0; i < m->block; i++) B(m, start + i, j) += block[i + (long)j * m->block];
}
