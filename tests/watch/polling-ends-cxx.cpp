// RUN: %mpicxx-check -O2 %s -o %t -pthread
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: %mpicxx-check -O0 %s -o %t.0 -pthread
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 3 %t.0 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that probe in vain for much longer than polling_time (polling-ends.c), and end by a clock of std::chrono, or by
// what comes through a socket. The run goes on.
// CHECK: NOTE [hang.polling] {{[0-9]+}} ranks wait or poll for each other, and may go on: MPI_
// CHECK-NOT: hang.polling
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <chrono>
#include <cstdio>
#include <mpi.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

static int flag, last;
static void probe() { MPI_Iprobe(last, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); }

static void by_clock() {
  using clock = std::chrono::steady_clock;
  for (auto end = clock::now() + std::chrono::seconds(4); !flag && clock::now() < end;) probe();
}

static void by_socket() {
  int ends[2];
  char c = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::seconds(4));
    (void)!write(ends[1], "x", 1);
  });
  while (!flag && recv(ends[0], &c, 1, MSG_DONTWAIT) != 1) probe();
  writer.join();
}

int main(int argc, char **argv) {
  int rank, size, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  last = size - 1;
  if (rank == 0) by_clock();
  if (rank == 1) by_socket();
  if (rank < last) MPI_Send(&x, 1, MPI_INT, last, 2, MPI_COMM_WORLD);
  for (int i = 0; rank == last && i < last; i++) MPI_Recv(&x, 1, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == last) std::printf("done\n");
  MPI_Finalize();
  return 0;
}
