// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forces of Lennard and Jones.
#pragma once
#include "atom.h"
#include "neighbor.h"

class Force {
public:
  explicit Force(double cutoff) : cutforcesq(cutoff * cutoff), energy(0) {}
  void compute(Atom &atom, const Neighbor &neighbor); // forces on ghosts as well

  double cutforcesq, energy;
};
