// RUN: %mpicxx-check -std=c++20 %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicxx-check -std=c++20 -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of C++: bases, templates, references, classes of the library. The calls of `right` fit.
#include <mpi.h>
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#define PASS(address, count, type) MPI_Bcast(address, count, type, 0, MPI_COMM_WORLD)

struct Empty {};
struct Base { int number; char tag; virtual ~Base() = default; };   // the next member may lie in its padding
struct Derived : Empty, Base { char more = 0; double weight = 0; };
struct Shared { long id = 0; };
struct Left : virtual Shared { int left = 0; };
struct Joined : Left { double value = 0; };
template <class T> struct Vec { T x, y, z; static inline int made = 0; T norm() const { return x + y + z; } };
struct Cell { Vec<float> field; std::array<double, 4> flux; std::complex<double> phase; std::pair<int, float> link; bool on; };
struct Holder { [[no_unique_address]] Empty none; int value; std::string name; std::vector<double> data; };
enum class Color : short { Red };
struct Paint { Color color; std::byte raw[6]; std::optional<double> alpha; std::variant<int, double> any; };

static Cell cells[4];

static void right() {
  Derived d;
  Joined j;
  Holder h{{}, 1, "", {}};
  Paint p{};
  std::array<Vec<int>, 3> vecs{};
  std::tuple<int, double> t{1, 2};
  std::atomic<long> count{0};
  auto on_heap = std::make_unique<Cell>();
  PASS(&d.number, 1, MPI_INT);
  PASS(&d.weight, 1, MPI_DOUBLE);
  PASS(&d.more, 1, MPI_CHAR);
  PASS(&j.value, 1, MPI_DOUBLE);
  PASS(&j.id, 1, MPI_LONG);
  PASS(&h.value, 1, MPI_INT);
  PASS(&p.color, 1, MPI_SHORT);
  PASS(&p.alpha.emplace(1), 1, MPI_DOUBLE);
  PASS(&p.any, 1, MPI_INT);
  PASS(vecs.data(), 9, MPI_INT);
  PASS(&std::get<1>(t), 1, MPI_DOUBLE);
  PASS(&count, 1, MPI_LONG);
  PASS(&cells[1].field, 3, MPI_FLOAT);
  PASS(cells[1].flux.data(), 4, MPI_DOUBLE);
  PASS(&cells[2].phase, 1, MPI_CXX_DOUBLE_COMPLEX);
  PASS(&cells[2].link.second, 1, MPI_FLOAT);
  PASS(&cells[3].on, 1, MPI_CXX_BOOL);
  PASS(on_heap.get(), 3, MPI_INT);   // what lies on the heap has no type of its own
  const auto pass = [&](auto &x) { PASS(&x.field.y, 1, MPI_FLOAT); };
  pass(cells[0]);
}

int main(int argc, char **argv) {
  std::vector<int> list(8);
  std::array<double, 4> four{};
  Derived d;
  MPI_Init(&argc, &argv);
  right();
  // CHECK: ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on list._M_impl._M_start, which is a pointer
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.cpp:[[#@LINE+1]] in main
  PASS(&list, 4, MPI_INT);   // the vector instead of its elements
  // CHECK: ERROR [type.buffer] buffer of MPI_Bcast: MPI_FLOAT falls on four._M_elems[0], which is double
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.cpp:[[#@LINE+1]] in main
  PASS(&four, 4, MPI_FLOAT);
  // CHECK: ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on cells[1].link.second, which is float
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.cpp:[[#@LINE+1]] in main
  PASS(&cells[1].link, 1, MPI_2INT);
  // CHECK: ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on d._vptr$Base, which is a pointer
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.cpp:[[#@LINE+1]] in main
  PASS(&d, 1, MPI_INT);
  // CHECK: ERROR [type.buffer] buffer of MPI_Bcast: MPI_LONG falls on cells[2].field.x, which is float
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.cpp:[[#@LINE+1]] in main
  PASS(&cells[2].field, 1, MPI_LONG);
  MPI_Finalize();
}
// CHECK: ==mpicc-check== 5 errors, 0 warnings, 0 notes
