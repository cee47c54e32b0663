// RUN: %mpicxx-check %s -o %t -ldl
// RUN: echo hello | %expect 3 %mpirun-check -n 2 %t > %t.out 2> %t.err
// RUN: FileCheck %s --input-file=%t.out --match-full-lines --implicit-check-not=mpicc-check
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ERR --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said and nothing may change: exceptions through frames with MPI calls, destructors that free MPI objects,
// a child process, dlopen, standard input, the exit code.
// CHECK: read hello
// CHECK: done
// ERR: ==mpicc-check== no errors found
#include <dlfcn.h>
#include <mpi.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Comm {
  MPI_Comm comm;
  Comm() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~Comm() { MPI_Comm_free(&comm); }
};

struct Pending {   // completes what it started, also while an exception unwinds
  MPI_Request request[2];
  int in = 0, out;
  explicit Pending(int value) : out(value) {
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[1]);
  }
  ~Pending() { MPI_Waitall(2, request, MPI_STATUSES_IGNORE); }
};

static void fail(int value) {
  Comm comm;
  Pending pending(value);
  MPI_Barrier(comm.comm);
  throw std::runtime_error("expected");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, caught = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; i++) {
    try {
      fail(i);
    } catch (const std::runtime_error &) {
      caught++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::string word;
  if (rank == 0) {
    std::cin >> word;
    std::cout << "read " << word << std::endl;
  }
  pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  child = fork();
  if (child == 0) execl("/bin/true", "true", static_cast<char *>(nullptr));
  waitpid(child, &status, 0);
  void *library = dlopen("libm.so.6", RTLD_NOW);
  if (library) dlclose(library);
  errno = EILSEQ;
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<int> v(1000, rank), w(1000);
  MPI_Allreduce(v.data(), w.data(), 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "done" << std::endl;   // before: mpirun ends the job as soon as one rank has exited with 3
  MPI_Finalize();
  return caught == 3 && w[0] == 1 ? 3 : 4;
}
