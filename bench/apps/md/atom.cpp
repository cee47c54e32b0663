// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms: adding, removing, moving.
#include "atom.h"

Atom::Atom() : natoms(0), nlocal(0), nghost(0), nmax(0), x(nullptr), v(nullptr), f(nullptr), box() {
  x_window = f_window = MPI_WIN_NULL;
}

Atom::~Atom() { release(); }

void Atom::need(int n) {
  if (n > nmax) grow(n);
}

void Atom::add(const double *place, const double *speed) {
  need(nlocal + 1);
  for (int k = 0; k < 3; k++) x[nlocal * 3 + k] = place[k], v[nlocal * 3 + k] = speed[k];
  nlocal++;
}

void Atom::remove(int i) {
  nlocal--;
  for (int k = 0; k < 3; k++) x[i * 3 + k] = x[nlocal * 3 + k], v[i * 3 + k] = v[nlocal * 3 + k];
}

void Atom::wrap() {
  for (int i = 0; i < nlocal; i++)
    for (int k = 0; k < 3; k++) {
      if (x[i * 3 + k] < 0) x[i * 3 + k] += box.prd[k];
      if (x[i * 3 + k] >= box.prd[k]) x[i * 3 + k] -= box.prd[k];
    }
}

void Atom::integrate_begin(double dt) {
  for (int i = 0; i < nlocal; i++) {
    v[i * 3 + 0] += 0.5 * dt * f[i * 3 + 0];
    v[i * 3 + 1] += 0.5 * dt * f[i * 3 + 1];
    v[i * 3 + 2] += 0.5 * dt * f[i * 3 + 2];
    x[i * 3 + 0] += dt * v[i * 3 + 0];
    x[i * 3 + 1] += dt * v[i * 3 + 1];
    x[i * 3 + 2] += dt * v[i * 3 + 2];
  }
}

void Atom::integrate_end(double dt) {
  for (int i = 0; i < nlocal; i++) {
    v[i * 3 + 0] += 0.5 * dt * f[i * 3 + 0];
    v[i * 3 + 1] += 0.5 * dt * f[i * 3 + 1];
    v[i * 3 + 2] += 0.5 * dt * f[i * 3 + 2];
  }
}

double Atom::find_kinetic() const {
  double sum = 0;
  for (int i = 0; i < nlocal * 3; i++) sum += 0.5 * v[i] * v[i];
  return sum;
}
