// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bins of atoms, and the lists.
#include "neighbor.h"
#include <cmath>
#include <cstdlib>

Neighbor::Neighbor(double c)
    : cutoff(c), numneigh(nullptr), neighbors(nullptr), nmax(0), mbins(0), atoms_per_bin(8), npages(0), used(0),
      bincount(nullptr), bins(nullptr), pages(nullptr) {}

Neighbor::~Neighbor() {
  for (int p = 0; p < npages; p++) delete[] pages[p];
  std::free(pages);
  delete[] numneigh, delete[] neighbors, delete[] bincount, delete[] bins;
}

void Neighbor::set_bins(const Atom &atom) {
  if (mbins) return; // the box stays
  mbins = 1;
  for (int d = 0; d < 3; d++) { // own atoms, and ghosts around
    double extent = atom.box.high[d] - atom.box.low[d] + 2 * cutoff + 1e-6;
    low[d] = atom.box.low[d] - cutoff - 5e-7;
    nbins[d] = (int)(extent / cutoff);
    width[d] = extent / nbins[d];
    mbins *= nbins[d];
  }
  bincount = new int[mbins];
  bins = new int[mbins * atoms_per_bin];
}

int Neighbor::find_bin(const double *x) const {
  int at[3];
  for (int d = 0; d < 3; d++) {
    at[d] = (int)((x[d] - low[d]) / width[d]);
    if (at[d] < 0) at[d] = 0;
    if (at[d] >= nbins[d]) at[d] = nbins[d] - 1;
  }
  return (at[2] * nbins[1] + at[1]) * nbins[0] + at[0];
}

void Neighbor::fill_bins(Atom &atom) {
  bool is_full = true;
  while (is_full) {
    is_full = false;
    for (int b = 0; b < mbins; b++) bincount[b] = 0;
    for (int i = 0; i < atom.nlocal + atom.nghost; i++) {
      int b = find_bin(&atom.x[i * 3]);
      if (bincount[b] < atoms_per_bin) bins[b * atoms_per_bin + bincount[b]++] = i;
      else is_full = true;
    }
    if (is_full) {
      delete[] bins;
      bins = new int[mbins * (atoms_per_bin *= 2)];
    }
  }
}

// Whether this rank has the pair of an own atom and a ghost: the other one sees it from the other side.
static bool is_ours(const double *x, int i, int j) {
  if (x[j * 3 + 2] != x[i * 3 + 2]) return x[j * 3 + 2] > x[i * 3 + 2];
  if (x[j * 3 + 1] != x[i * 3 + 1]) return x[j * 3 + 1] > x[i * 3 + 1];
  return x[j * 3] > x[i * 3];
}

void Neighbor::list_neighbors(Atom &atom, int i) {
  int n = 0, *list = neighbors[i], bin = find_bin(&atom.x[i * 3]);
  int bx = bin % nbins[0], by = bin / nbins[0] % nbins[1], bz = bin / nbins[0] / nbins[1];
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int x = bx + dx, y = by + dy, z = bz + dz;
        if (x < 0 || y < 0 || z < 0 || x >= nbins[0] || y >= nbins[1] || z >= nbins[2]) continue;
        int b = (z * nbins[1] + y) * nbins[0] + x;
        for (int m = 0; m < bincount[b]; m++) {
          int j = bins[b * atoms_per_bin + m];
          if (j < atom.nlocal ? j <= i : !is_ours(atom.x, i, j)) continue;
          double delx = atom.x[i * 3 + 0] - atom.x[j * 3 + 0];
          double dely = atom.x[i * 3 + 1] - atom.x[j * 3 + 1];
          double delz = atom.x[i * 3 + 2] - atom.x[j * 3 + 2];
          if (delx * delx + dely * dely + delz * delz <= cutoff * cutoff && n < MOST) list[n++] = j;
        }
      }
  numneigh[i] = n;
  used += n;
}

void Neighbor::build(Atom &atom) {
  set_bins(atom);
  fill_bins(atom);
  if (atom.nlocal > nmax) {
    delete[] numneigh, delete[] neighbors;
    nmax = atom.nmax;
    numneigh = new int[nmax];
    neighbors = new int *[nmax];
  }
  int page = 0;
  used = 0;
  for (int i = 0; i < atom.nlocal; i++) {
    if (used + MOST > PAGE) page++, used = 0;
    if (page == npages) {
      pages = static_cast<int **>(std::realloc(pages, (npages + 1) * sizeof *pages));
      pages[npages++] = new int[PAGE];
    }
    neighbors[i] = pages[page] + used;
    list_neighbors(atom, i);
  }
}
