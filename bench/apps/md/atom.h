// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atoms of a rank, own ones and then ghosts, after miniMD: atom i has x[i * 3], x[i * 3 + 1], x[i * 3 + 2]. The
// place of x and f in memory is in atom-heap.cpp or atom-window.cpp.
#pragma once
#include <mpi.h>

struct Box {
  double prd[3];          // the whole, periodic
  double low[3], high[3]; // the part of this rank
};

class Atom {
public:
  Atom();
  ~Atom();
  void add(const double *place, const double *speed);
  void remove(int i); // the last atom takes its place
  void need(int n);   // room for so many
  void wrap();        // into the periodic box
  void integrate_begin(double dt);
  void integrate_end(double dt);
  double find_kinetic() const;

  int natoms, nlocal, nghost, nmax; // natoms: of all ranks
  double *x, *v, *f;
  Box box;

  MPI_Win x_window, f_window; // atom-window.cpp
private:
  void grow(int n);
  void release();
};
