// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over all pairs, which takes most of the time. As in CoMD the arrays are members that are loaded anew where
// they are used. With -DHOISTED their addresses are variables of the function, as in miniMD.
#include "force.h"

void Force::compute(Atom &atom, const Neighbor &neighbor) {
#ifdef HOISTED
  const double *const x = atom.x;
  double *const f = atom.f;
#define X x
#define F f
#else
#define X atom.x
#define F atom.f
#endif
  energy = 0;
  for (int i = 0; i < (atom.nlocal + atom.nghost) * 3; i++) F[i] = 0;
  for (int i = 0; i < atom.nlocal; i++) {
    const int *const neighs = neighbor.neighbors[i];
    const int numneighs = neighbor.numneigh[i];
    for (int k = 0; k < numneighs; k++) {
      const int j = neighs[k];
      const double delx = X
      [i * 3 + 0] - X
      [j * 3 + 0];
      const double dely = X
      [i * 3 + 1] - X
      [j * 3 + 1];
      const double delz = X
      [i * 3 + 2] - X
      [j * 3 + 2];
      const double rsq = delx * delx + dely * dely + delz * delz;
      if (rsq < cutforcesq) {
        const double sr2 = 1.0 / rsq, sr6 = sr2 * sr2 * sr2;
        const double force = 48.0 * sr6 * (sr6 - 0.5) * sr2;
        F[i * 3 + 0] += delx * force;
        F[i * 3 + 1] += dely * force;
        F[i * 3 + 2] += delz * force;
        F[j * 3 + 0] -= delx * force;
        F[j * 3 + 1] -= dely * force;
        F[j * 3 + 2] -= delz * force;
        energy += 4.0 * sr6 * (sr6 - 1.0);
      }
    }
  }
}
