// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Molecular dynamics with bins and lists of neighbors, after miniMD and CoMD: a crystal of Lennard-Jones atoms melts.
// usage: md [cells of the crystal in each direction] [steps]
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include "bench/apps/measured.h"
#include "atom.h"
#include "comm.h"
#include "force.h"
#include "neighbor.h"

static const double DENSITY = 0.8442, CUTOFF = 2.5, SKIN = 0.3, DT = 0.005;
enum { RENEIGHBOR = 20 };

// A speed that depends only on the atom's place in the crystal.
static double speed_of(long seed) {
  unsigned long s = (unsigned long)seed * 6364136223846793005ul + 1442695040888963407ul;
  s = (s ^ s >> 29) * 6364136223846793005ul;
  return (double)(s >> 40) / (1 << 24) - 0.5;
}

static void make_crystal(Atom &atom, int cells, double lattice) {
  static const double corners[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
  for (int c = 0; c < cells * cells * cells; c++) {
    int at[3] = {c % cells, c / cells % cells, c / cells / cells};
    for (int k = 0; k < 4; k++) {
      double x[3], v[3];
      bool is_ours = true;
      for (int d = 0; d < 3; d++) {
        x[d] = (at[d] + corners[k][d]) * lattice;
        // Opposite atoms of a pair of neighbors: nothing moves as a whole.
        v[d] = 2.9 * (k % 2 ? -1 : 1) * speed_of(((long)c * 2 + k / 2) * 3 + d);
        is_ours = is_ours && x[d] >= atom.box.low[d] && x[d] < atom.box.high[d];
      }
      if (is_ours) atom.add(x, v);
    }
  }
}

static double find_sum(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static bool is_momentum_kept(const Atom &atom) {
  double sum[3] = {0, 0, 0}, all[3];
  for (int i = 0; i < atom.nlocal; i++)
    for (int d = 0; d < 3; d++) sum[d] += atom.v[i * 3 + d];
  MPI_Allreduce(sum, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::fabs(all[0]) < 1e-7 && std::fabs(all[1]) < 1e-7 && std::fabs(all[2]) < 1e-7;
}

static bool simulate(int cells, long steps) {
  double lattice = std::cbrt(4 / DENSITY);
  Atom atom;
  atom.natoms = 4 * cells * cells * cells;
  for (double &period : atom.box.prd) period = cells * lattice;
  Comm comm(atom, CUTOFF + SKIN);
  Neighbor neighbor(CUTOFF + SKIN);
  Force force(CUTOFF);
  double room = 1.2; // for the box and its ghosts
  for (int d = 0; d < 3; d++) room *= (atom.box.high[d] - atom.box.low[d] + 2 * (CUTOFF + SKIN));
  atom.need((int)(room * DENSITY) + 100);
  make_crystal(atom, cells, lattice);
  comm.exchange(atom);
  comm.borders(atom);
  neighbor.build(atom);
  force.compute(atom, neighbor);
  comm.reverse(atom);
  double potential = find_sum(force.energy), before = potential + find_sum(atom.find_kinetic());
  measured_begin();
  for (long step = 1; step <= steps; step++) {
    atom.integrate_begin(DT);
    if (step % RENEIGHBOR) {
      comm.communicate(atom);
    } else {
      comm.exchange(atom);
      comm.borders(atom);
      neighbor.build(atom);
    }
    force.compute(atom, neighbor);
    comm.reverse(atom);
    atom.integrate_end(DT);
  }
  measured_end();
  double after = find_sum(force.energy) + find_sum(atom.find_kinetic());
  // -6.7733681 is the energy of this crystal with this cutoff.
  return measured_print("md", std::fabs(potential / atom.natoms + 6.7733681) < 1e-6 &&
                                  std::fabs(after / before - 1) < 5e-3 && find_sum(atom.nlocal) == atom.natoms &&
                                  is_momentum_kept(atom));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int cells = (int)measured_argument(argc, argv, 1, 14, 4);
  bool is_right = simulate(cells, measured_argument(argc, argv, 2, 100, 1));
  return measured_finish(is_right);
}
