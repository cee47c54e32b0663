// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of neighbors, made from bins. Each pair of atoms is in one list of one rank.
#pragma once
#include "atom.h"

class Neighbor {
public:
  explicit Neighbor(double cutoff);
  ~Neighbor();
  void build(Atom &atom);

  double cutoff;
  int *numneigh;   // of each own atom
  int **neighbors; // its list

private:
  enum { PAGE = 1 << 18, MOST = 512 };
  void set_bins(const Atom &atom);
  void fill_bins(Atom &atom);
  void list_neighbors(Atom &atom, int i);
  int find_bin(const double *x) const;

  int nmax, nbins[3], mbins, atoms_per_bin, npages, used;
  double low[3], width[3];
  int *bincount, *bins;
  int **pages;
};
