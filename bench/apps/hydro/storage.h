// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the mesh's arrays, and points of the plane.
#pragma once
#include <cstdlib>
#include <new>

struct Storage {
  template <class T>
  static T *get(int n) {
    void *memory = std::malloc((n > 0 ? n : 1) * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T *>(memory);
  }
  template <class T>
  static void release(T *memory) {
    std::free(memory);
  }
};

struct double2 {
  double x, y;
  double2() : x(0), y(0) {}
  double2(double a, double b) : x(a), y(b) {}
  double2 &operator+=(const double2 &v) { return x += v.x, y += v.y, *this; }
  double2 &operator*=(double f) { return x *= f, y *= f, *this; }
};
inline double2 operator+(const double2 &a, const double2 &b) { return double2(a.x + b.x, a.y + b.y); }
inline double2 operator-(const double2 &a, const double2 &b) { return double2(a.x - b.x, a.y - b.y); }
inline double2 operator*(double f, const double2 &v) { return double2(f * v.x, f * v.y); }
inline double dot(const double2 &a, const double2 &b) { return a.x * b.x + a.y * b.y; }
inline double cross(const double2 &a, const double2 &b) { return a.x * b.y - a.y * b.x; }
