// RUN: grep -n '// closed$' %s | cut -d: -f1 > %t.wanted
// RUN: %mpicxx-check -fcheck-explain -O0 -c %s -o %t.o 2>&1 | grep 'only MPI can end' | cut -d: -f2 | sort -nu > %t.0
// RUN: diff %t.wanted %t.0
// RUN: %mpicxx-check -fcheck-explain -O2 -c %s -o %t.o 2>&1 | grep 'only MPI can end' | cut -d: -f2 | sort -nu > %t.2
// RUN: diff %t.wanted %t.2
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As closed-loops.c, with members, lambdas, exceptions and the clocks of C++.
#include <atomic>
#include <chrono>
#include <functional>
#include <iostream>
#include <mpi.h>
#include <stdexcept>
#include <thread>
#include <vector>

static int probe() {
  int f = 0;
  MPI_Iprobe(0, 0, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE);
  return f;
}
template <class F> void until(F f) {
  while (!f()) {}
}

class Channel {
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request request = MPI_REQUEST_NULL;
  bool stop = false;
  int ask() {
    int f;
    MPI_Test(&request, &f, MPI_STATUS_IGNORE);
    return f;
  }

public:
  void wait() {
    while (!ask())                                               // closed
      std::this_thread::yield();
  }
  void waitOrStop() {
    while (!stop && !ask()) {}
  }
};

void closed(std::vector<MPI_Request> &all, Channel &c) {
  int f = 0;
  while (!f) {
    f = probe();                                                 // closed
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  do
    MPI_Testall((int)all.size(), all.data(), &f, MPI_STATUSES_IGNORE); // closed
  while (!f);
  while (!f) {
    MPI_Status st;
    if (MPI_Iprobe(0, 0, MPI_COMM_WORLD, &f, &st))               // closed
      throw std::runtime_error("bad");
    if (f) std::cout << st.MPI_SOURCE << std::endl;
  }
  try {
    do
      f = probe();                                               // closed
    while (!f);
  } catch (...) {
  }
  c.wait();
}

void open(std::vector<MPI_Request> &all, std::function<bool()> g, std::atomic<bool> &a, Channel &c) {
  int f = 0;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (!f && std::chrono::steady_clock::now() < end) f = probe();
  while (!f && !g()) f = probe();
  while (!f && !a) f = probe();
  while (!f) {
    f = probe();
    if (std::cin.peek() > 0) break;
  }
  for (auto i = all.begin(); i != all.end() && !f; ++i) MPI_Test(&*i, &f, MPI_STATUS_IGNORE);
  until([&] { return probe() || std::chrono::system_clock::now() > std::chrono::system_clock::time_point(); });
  while (!f) {
    f = probe();
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("late");
  }
  c.waitOrStop();
}
