// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unstructured mesh of zones, sides and points, after PENNANT: index arrays lead from one to the other. Points on
// the border between ranks exist on each of them; the least rank is the master of such a point.
#pragma once
#include <vector>
#include "storage.h"

class Exchange;

class Mesh {
public:
  Mesh(int zones_x, int zones_y, int rank, int size);
  ~Mesh();
  void find_geometry(const double2 *at, double2 *center, double *side_volume, double *zone_volume) const;
  void sum_to_points(const double2 *side_value, double2 *point_value);
  void sum_to_points(const double *side_value, double *point_value);
  bool are_copies_equal(const double2 *value);

  int rank, size;
  int nump, numz, nums;
  int *mapsp1, *mapsp2;        // the points of a side
  int *mapsz;                  // its zone
  int *mapss3, *mapss4;        // the sides before and after it
  int *mappsfirst, *mapssnext; // the sides that begin at a point, as a list
  double2 *px0;                // where the points are first
  std::vector<int> walls_x, walls_y;

private:
  void make_sides(int zx, int zy);
  void find_copies(int zones_x, int zones_y, int columns, int rows);
  template <class T>
  void sum_lists(const T *side_value, T *point_value) const;
  template <class T>
  void sum_copies(T *point_value);

  int first_x, first_y, last_x, last_y; // zones of this rank
  std::vector<int> mapslvp, mapmstrp;   // points: copies whose master is another rank; own points with copies elsewhere
  Exchange *exchange;
};
