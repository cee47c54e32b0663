// RUN: %mpicxx-check -O0 %s -c -o %t.o
// RUN: %mpicxx-check -O2 %S/Inputs/data-ranks.cpp %t.o -o %t && rm -f %t.order
// RUN: %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that another module computes from data, in C++: containers, virtual functions, function objects, exceptions,
// threads. The first ones are right.
#include "Inputs/data-ranks.hpp"
#include <thread>
#include <algorithm>
#include <cstdio>
#include "Inputs/hidden-order.h"
#define W MPI_COMM_WORLD
#define IGN MPI_STATUS_IGNORE
static int rank, step;
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next() { MPI_Barrier(W), step++; }
#define ANY(buffer) MPI_Recv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, IGN), hidden_done(step)
static bool begin() {
  first(2);
  if (rank == 1 || rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 1, W);
  return rank == 0;
}
static void right_plain() {
  int t;
  if (begin()) ANY(&t), far::ask(t);
  next();
}
static void right_vector() {
  std::vector<int> v(3);
  if (begin()) ANY(v.data()), ask_vector(v);
  next();
}
static void right_vector2() {
  std::vector<int> v; int t;
  if (begin()) { ANY(&t); v.push_back(t); ask_vector(v); }
  next();
}
static void right_map() {
  std::map<std::string, int> m; int t;
  if (begin()) { ANY(&t); m["who"] = t; ask_map(m); }
  next();
}
static void right_virtual() {
  int t; auto p = make(true);
  if (begin()) { ANY(&t); p->go(t); }
  next();
}
static void right_function() {
  int t;
  if (begin()) { ANY(&t); ask_function([=] { return t; }); }
  next();
}
static void right_function2() {
  int t;
  if (begin()) { ANY(&t); run_function([](int k) { take(3 - k); }, t); }
  next();
}
static void right_string() {
  int t;
  if (begin()) { ANY(&t); ask_string(std::to_string(t)); }
  next();
}
static void right_holder() {
  Holder h; int t;
  if (begin()) { ANY(&t); h.set(t); h.ask(); }
  next();
}
static void right_thrown() {
  int t;
  if (begin()) { try { ANY(&t); throw Token{t}; } catch (const Token &k) { ask_thrown(k); } }
  next();
}
static void right_pair() {
  int t;
  if (begin()) { ANY(&t); ask_pair({0, t}); }
  next();
}
static void right_optional() {
  int t;
  if (begin()) { ANY(&t); ask_optional(t); }
  next();
}
static void right_list() {
  int t;
  if (begin()) { ANY(&t); ask_list({t}); }
  next();
}
static void right_lambda() {
  int t;
  if (begin()) { ANY(&t); auto f = [&] { take(3 - t); }; f(); }
  next();
}
static void right_each() {
  std::vector<int> v(1);
  if (begin()) { ANY(v.data()); std::for_each(v.begin(), v.end(), [](int k) { take(3 - k); }); }
  next();
}
static void right_thread() {
  int t, k = 0;
  if (begin()) { ANY(&t); std::thread th([&] { k = 3 - t; }); th.join(); take(k); }
  next();
}
static void right_tmpl() {
  int t;
  if (begin()) { ANY(&t); t = std::max(std::min(3 - t, 2), 1); take(t); }
  next();
}
struct Node { int id; std::shared_ptr<Node> next; };
static void right_shared() {
  auto n = std::make_shared<Node>(); n->next = std::make_shared<Node>();
  if (begin()) { ANY(&n->next->id); take(3 - n->next->id); }
  next();
}
static void right_new() {
  int *p = new int[4];
  if (begin()) { ANY(p + 1); take(3 - p[1]); }
  next();
  delete[] p;
}
// --- wrong ---
// CHECK: WARNING [deadlock.alternative]
static void wrong_plain() {
  int t;
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.cpp:[[#@LINE+1]] in wrong_plain
  if (begin()) { ANY(&t); take(1); }
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void wrong_vector() {
  std::vector<double> v(3); int t;
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.cpp:[[#@LINE+1]] in wrong_vector
  if (begin()) { ANY(&t); v[0] = t; printf("%f\n", sum(v)); take(rank + 1); }
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void wrong_new() {
  int *p = new int[4];
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.cpp:[[#@LINE+1]] in wrong_new
  if (begin()) { ANY(p); int s = 0; for (int i = 0; i < 4; i++) s += p[i]; printf("%d\n", s); take(1); }
  next();
  delete[] p;
}
// CHECK: WARNING [deadlock.alternative]
static void wrong_virtual() {
  int t; auto p = make(false);
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.cpp:[[#@LINE+1]] in wrong_virtual
  if (begin()) { ANY(&t); printf("%d\n", t); take(1); }
  next();
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  right_plain(); right_vector(); right_vector2(); right_map(); right_virtual(); right_function(); right_function2();
  right_string(); right_holder(); right_thrown(); right_pair(); right_optional(); right_list(); right_lambda();
  right_each(); right_thread(); right_tmpl(); right_shared(); right_new();
  wrong_plain(); wrong_vector(); wrong_new(); wrong_virtual();
  MPI_Finalize();
}
// CHECK: ==mpicc-check== 0 errors, 4 warnings
