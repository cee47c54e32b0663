// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms in the heap: arrays grow as in miniMD.
#include <algorithm>
#include <cstdlib>
#include "atom.h"

template <class T>
static T *grown(T *old, int n, int m) {
  T *fresh = new T[m * 3]();
  std::copy(old, old + n * 3, fresh);
  delete[] old;
  return fresh;
}

void Atom::grow(int n) {
  int room = std::max(n, nmax + nmax / 2 + 1000);
  x = grown(x, nmax, room);
  v = grown(v, nmax, room);
  f = grown(f, nmax, room);
  nmax = room;
}

void Atom::release() { delete[] x, delete[] v, delete[] f; }
