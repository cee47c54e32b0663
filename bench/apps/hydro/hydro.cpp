// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hydrodynamics on an unstructured mesh that moves with the gas, after PENNANT. A hot half expands into a cold one.
// usage: hydro [zones in x] [zones in y] [cycles]
#include <mpi.h>
#include <algorithm>
#include <cmath>
#include "bench/apps/measured.h"
#include "mesh.h"

class Hydro {
public:
  explicit Hydro(Mesh *m);
  ~Hydro();
  void do_cycle();
  double find_energy() const;
  bool is_plausible() const;

private:
  void find_state();
  void find_forces();
  void move_points();
  void do_work();
  double find_step() const;

  Mesh *mesh;
  double2 *px, *pu, *pu0, *pf, *zx, *sf; // points: place, velocity before and after, force; zones; corners
  double *pm, *sm, *svol;                // mass of points, of corners
  double *zm, *ze, *zr, *zp, *zss, *zvol, *zvol0, *zdl;
  double dt;
};

static const double GAMMA = 5. / 3.;

Hydro::Hydro(Mesh *m) : mesh(m), dt(1e-5) {
  px = Storage::get<double2>(mesh->nump), pu = Storage::get<double2>(mesh->nump);
  pu0 = Storage::get<double2>(mesh->nump), pf = Storage::get<double2>(mesh->nump);
  pm = Storage::get<double>(mesh->nump);
  sf = Storage::get<double2>(mesh->nums);
  sm = Storage::get<double>(mesh->nums), svol = Storage::get<double>(mesh->nums);
  zx = Storage::get<double2>(mesh->numz);
  for (double **z : {&zm, &ze, &zr, &zp, &zss, &zvol, &zvol0, &zdl}) *z = Storage::get<double>(mesh->numz);
  std::copy(mesh->px0, mesh->px0 + mesh->nump, px);
  std::fill(pu, pu + mesh->nump, double2());
  mesh->find_geometry(px, zx, svol, zvol);
  for (int z = 0; z < mesh->numz; z++) {
    zm[z] = zvol[z];
    zvol0[z] = zvol[z];
    ze[z] = zx[z].x < 0.5 ? 2. : 1.;
  }
  for (int s = 0; s < mesh->nums; s++) sm[s] = 0.5 * (svol[s] + svol[mesh->mapss3[s]]); // density 1
  mesh->sum_to_points(sm, pm);
}

Hydro::~Hydro() {
  for (double2 *p : {px, pu, pu0, pf, zx, sf}) Storage::release(p);
  for (double *p : {pm, sm, svol, zm, ze, zr, zp, zss, zvol, zvol0, zdl}) Storage::release(p);
}

void Hydro::find_state() {
  mesh->find_geometry(px, zx, svol, zvol);
  for (int z = 0; z < mesh->numz; z++) zdl[z] = 1e99;
  for (int s = 0; s < mesh->nums; s++) { // the least height of a side above its edge
    double2 edge = px[mesh->mapsp2[s]] - px[mesh->mapsp1[s]];
    double height = 2. * svol[s] / std::sqrt(dot(edge, edge));
    zdl[mesh->mapsz[s]] = std::min(zdl[mesh->mapsz[s]], height);
  }
  for (int z = 0; z < mesh->numz; z++) {
    zr[z] = zm[z] / zvol[z];
    zp[z] = (GAMMA - 1.) * zr[z] * std::max(ze[z], 0.);
    zss[z] = std::sqrt(GAMMA * zp[z] / zr[z]);
    double shrinks = (zvol0[z] - zvol[z]) / zvol[z] / dt * zdl[z]; // artificial viscosity
    if (shrinks > 0) zp[z] += zr[z] * shrinks * (2. * shrinks + 0.5 * zss[z]);
    zvol0[z] = zvol[z];
  }
}

// Pressure pushes each edge of a zone outwards; half of it acts on each point.
void Hydro::find_forces() {
  for (int s = 0; s < mesh->nums; s++) {
    int before = mesh->mapss3[s];
    double2 chord = px[mesh->mapsp2[s]] - px[mesh->mapsp1[before]];
    double p = 0.5 * zp[mesh->mapsz[s]];
    sf[s] = double2(p * -chord.y, p * chord.x);
    sf[s] *= -1.;
  }
  mesh->sum_to_points(sf, pf);
}

void Hydro::move_points() {
  for (int p = 0; p < mesh->nump; p++) {
    pu0[p] = pu[p];
    pu[p] += (dt / pm[p]) * pf[p];
  }
  for (int p : mesh->walls_x) pu[p].x = 0;
  for (int p : mesh->walls_y) pu[p].y = 0;
  for (int p = 0; p < mesh->nump; p++) px[p] += (0.5 * dt) * (pu[p] + pu0[p]);
}

// What the corners do to their points is taken from the zone: so the energy of all stays exactly the same.
void Hydro::do_work() {
  for (int s = 0; s < mesh->nums; s++) {
    int z = mesh->mapsz[s], p = mesh->mapsp1[s];
    ze[z] -= 0.5 * dt * dot(sf[s], pu[p] + pu0[p]) / zm[z];
  }
}

double Hydro::find_step() const {
  double mine = 1e99, all;
  for (int z = 0; z < mesh->numz; z++) mine = std::min(mine, 0.2 * zdl[z] / std::max(zss[z], 1e-9));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return std::min(all, 1.1 * dt);
}

void Hydro::do_cycle() {
  find_state();
  dt = find_step();
  find_forces();
  move_points();
  do_work();
}

// Zones keep their own energy; a corner has the speed of its point.
double Hydro::find_energy() const {
  double mine = 0, all;
  for (int z = 0; z < mesh->numz; z++) mine += zm[z] * ze[z];
  for (int s = 0; s < mesh->nums; s++) mine += 0.5 * sm[s] * dot(pu[mesh->mapsp1[s]], pu[mesh->mapsp1[s]]);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// The hot half is the left one: nothing moves in y. No zone has turned over, and all ranks have the points at the same
// places.
bool Hydro::is_plausible() const {
  double most_x = 0, most_y = 0, fastest;
  for (int p = 0; p < mesh->nump; p++) {
    most_x = std::max(most_x, std::fabs(pu[p].x));
    most_y = std::max(most_y, std::fabs(pu[p].y));
  }
  MPI_Allreduce(&most_x, &fastest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  bool is_right = most_y < 1e-9 && fastest > 1e-6;
  for (int z = 0; z < mesh->numz; z++) is_right = is_right && zvol[z] > 0;
  return mesh->are_copies_equal(px) && is_right;
}

static bool run(int argc, char **argv) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int zones_x = (int)measured_argument(argc, argv, 1, 256, size),
      zones_y = (int)measured_argument(argc, argv, 2, 256, size);
  long cycles = measured_argument(argc, argv, 3, 250, 1);
  Mesh mesh(zones_x, zones_y, rank, size);
  Hydro hydro(&mesh);
  double before = hydro.find_energy();
  measured_begin();
  for (long i = 0; i < cycles; i++) hydro.do_cycle();
  measured_end();
  bool is_right = hydro.is_plausible() && std::fabs(hydro.find_energy() / before - 1) < 1e-10;
  return measured_print("hydro", is_right);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bool is_right = run(argc, argv);
  return measured_finish(is_right);
}
