// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the mesh, gathers values of sides at their points, and sums the copies of points on several ranks.
#include "mesh.h"
#include <algorithm>
#include <cmath>
#include <map>
#include "exchange.h"

static int first_of(int n, int parts, int which) { return (int)((long)n * which / parts); }

Mesh::Mesh(int zones_x, int zones_y, int r, int s) : rank(r), size(s) {
  int columns = (int)std::sqrt(size + 0.5);
  while (size % columns) columns--;
  int rows = size / columns;
  first_x = first_of(zones_x, columns, rank % columns), last_x = first_of(zones_x, columns, rank % columns + 1);
  first_y = first_of(zones_y, rows, rank / columns), last_y = first_of(zones_y, rows, rank / columns + 1);
  int zx = last_x - first_x, zy = last_y - first_y;
  numz = zx * zy, nump = (zx + 1) * (zy + 1), nums = 4 * numz;
  px0 = Storage::get<double2>(nump);
  for (int j = 0; j <= zy; j++)
    for (int i = 0; i <= zx; i++) {
      int p = j * (zx + 1) + i, x = first_x + i, y = first_y + j;
      px0[p] = double2((double)x / zones_x, (double)y / zones_x);
      if (x == 0 || x == zones_x) walls_x.push_back(p);
      if (y == 0 || y == zones_y) walls_y.push_back(p);
    }
  make_sides(zx, zy);
  find_copies(zones_x, zones_y, columns, rows);
}

void Mesh::make_sides(int zx, int zy) {
  mapsp1 = Storage::get<int>(nums), mapsp2 = Storage::get<int>(nums), mapsz = Storage::get<int>(nums);
  mapss3 = Storage::get<int>(nums), mapss4 = Storage::get<int>(nums);
  mappsfirst = Storage::get<int>(nump), mapssnext = Storage::get<int>(nums);
  for (int j = 0; j < zy; j++)
    for (int i = 0; i < zx; i++) {
      int z = j * zx + i, p = j * (zx + 1) + i;
      int corner[4] = {p, p + 1, p + zx + 2, p + zx + 1};
      for (int k = 0; k < 4; k++) {
        int s = 4 * z + k;
        mapsz[s] = z, mapsp1[s] = corner[k], mapsp2[s] = corner[(k + 1) % 4];
        mapss3[s] = 4 * z + (k + 3) % 4, mapss4[s] = 4 * z + (k + 1) % 4;
      }
    }
  std::fill(mappsfirst, mappsfirst + nump, -1);
  for (int s = nums - 1; s >= 0; s--) {
    mapssnext[s] = mappsfirst[mapsp1[s]];
    mappsfirst[mapsp1[s]] = s;
  }
}

// The ranks that have each point, from how the zones are divided.
void Mesh::find_copies(int zones_x, int zones_y, int columns, int rows) {
  std::map<int, std::vector<int>> slaves, masters; // by rank: points, in the order of all points
  for (int y = first_y; y <= last_y; y++)
    for (int x = first_x; x <= last_x; x++) {
      std::vector<int> owners;
      for (int r = 0; r < columns * rows; r++) {
        int c = r % columns, w = r / columns;
        if (first_of(zones_x, columns, c) <= x && x <= first_of(zones_x, columns, c + 1) &&
            first_of(zones_y, rows, w) <= y && y <= first_of(zones_y, rows, w + 1))
          owners.push_back(r);
      }
      int p = (y - first_y) * (last_x - first_x + 1) + x - first_x;
      if (owners[0] != rank) slaves[owners[0]].push_back(p);
      else
        for (size_t k = 1; k < owners.size(); k++) masters[owners[k]].push_back(p);
    }
  std::vector<Exchange::Peer> to_masters, to_slaves;
  for (auto &entry : slaves) {
    to_masters.push_back({entry.first, (int)mapslvp.size(), (int)entry.second.size(), 0});
    mapslvp.insert(mapslvp.end(), entry.second.begin(), entry.second.end());
  }
  for (auto &entry : masters) {
    to_slaves.push_back({entry.first, (int)mapmstrp.size(), (int)entry.second.size(), 0});
    mapmstrp.insert(mapmstrp.end(), entry.second.begin(), entry.second.end());
  }
  exchange = Exchange::make(to_masters, to_slaves, (int)mapslvp.size(), (int)mapmstrp.size());
}

Mesh::~Mesh() {
  delete exchange;
  for (int *map : {mapsp1, mapsp2, mapsz, mapss3, mapss4, mappsfirst, mapssnext}) Storage::release(map);
  Storage::release(px0);
}

void Mesh::find_geometry(const double2 *at, double2 *center, double *side_volume, double *zone_volume) const {
  std::fill(center, center + numz, double2());
  for (int s = 0; s < nums; s++) center[mapsz[s]] += 0.25 * at[mapsp1[s]];
  std::fill(zone_volume, zone_volume + numz, 0.);
  for (int s = 0; s < nums; s++) {
    int z = mapsz[s];
    double volume = 0.5 * cross(at[mapsp2[s]] - at[mapsp1[s]], center[z] - at[mapsp1[s]]);
    side_volume[s] = volume;
    zone_volume[z] += volume;
  }
}

template <class T>
void Mesh::sum_lists(const T *side_value, T *point_value) const {
  for (int p = 0; p < nump; p++) {
    T sum = T();
    for (int s = mappsfirst[p]; s >= 0; s = mapssnext[s]) sum += side_value[s];
    point_value[p] = sum;
  }
}

template <class T>
void Mesh::sum_copies(T *point_value) {
  const int width = sizeof(T) / sizeof(double);
  T *slave = reinterpret_cast<T *>(exchange->slave), *master = reinterpret_cast<T *>(exchange->master);
  for (size_t k = 0; k < mapslvp.size(); k++) slave[k] = point_value[mapslvp[k]];
  exchange->gather(width);
  for (size_t k = 0; k < mapmstrp.size(); k++) point_value[mapmstrp[k]] += master[k];
  for (size_t k = 0; k < mapmstrp.size(); k++) master[k] = point_value[mapmstrp[k]];
  exchange->scatter(width);
  for (size_t k = 0; k < mapslvp.size(); k++) point_value[mapslvp[k]] = slave[k];
}

void Mesh::sum_to_points(const double2 *side_value, double2 *point_value) {
  sum_lists(side_value, point_value);
  sum_copies(point_value);
}

void Mesh::sum_to_points(const double *side_value, double *point_value) {
  sum_lists(side_value, point_value);
  sum_copies(point_value);
}

bool Mesh::are_copies_equal(const double2 *value) {
  double2 *slave = reinterpret_cast<double2 *>(exchange->slave);
  const double2 *master = reinterpret_cast<const double2 *>(exchange->master);
  bool are_equal = true;
  for (size_t k = 0; k < mapslvp.size(); k++) slave[k] = value[mapslvp[k]];
  exchange->gather(2);
  for (size_t k = 0; k < mapmstrp.size(); k++)
    are_equal = are_equal && master[k].x == value[mapmstrp[k]].x && master[k].y == value[mapmstrp[k]].y;
  exchange->scatter(2); // ends what gather has begun
  return are_equal;
}
