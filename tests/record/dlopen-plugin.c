// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: gcc -g -DHOST %s -o host && %mpicc-check -O2 -shared -fPIC %s -o plugin.so && %mpicc-check -O2 -DPROGRAM %s -o program
// RUN: %expect 66 %mpirun -n 2 ./host ./plugin.so 2>&1 | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: %expect 66 %mpirun-check --json report.json -n 1 ./host ./plugin.so : -n 1 ./program 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: %python %S/../report/schema.py %source/docs/formats/report.schema.json report.json
// RUN: %mpicc -g -DHOST -DLINKED %s -o linked
// RUN: %expect 0 %mpirun -n 2 ./linked ./plugin.so 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: %expect 66 %mpirun-check -n 2 ./linked ./plugin.so 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain host loads a recompiled library by dlopen, as Python does: the runtime finds room for its thread-local
// variables. The report says that the host was not recompiled, whichever rank it is.
// A host that is linked with MPI has the MPI library in front of the runtime: under plain mpirun the calls of both go
// past it, and one line says so.
// PAST-NOT: {{.}}
// PAST: ==mpicc-check== warning: nothing was checked: the program was not compiled with mpicc-check,
// PAST-SAME: and its calls go past it, although plugin.so was: start it with mpirun-check,
// PAST-SAME: or with LD_PRELOAD={{.*}}libmpicc-check.so{{$}}
// PAST-NOT: {{.}}
// CHECK: ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Isend is sending from
// CHECK: {{dlopen-plugin.c:[0-9]+}} in run
// HOST: ==mpicc-check== loads and stores are not checked in host{{$}}
// HOST-NEXT: {{.*}}host (loads and stores: 1 of 2 files) on 2 ranks
// BOTH: ==mpicc-check== loads and stores are not checked in host{{$}}
// BOTH-NEXT: {{.*}}host (loads and stores: 2 of 3 files) on 2 ranks
#ifdef HOST
#include <dlfcn.h>
#include <stdio.h>
#ifdef LINKED
#include <mpi.h>
#endif
int main(int argc, char **argv) {
#ifdef LINKED
  int flag;
  if (MPI_Initialized(&flag) || flag) return 1;
#endif
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  return ((int (*)(void))dlsym(library, "run"))();
}
#else
#include <mpi.h>
int run(void) {
  int rank, x[4] = {1}, y[4];
  MPI_Request request;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(x, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(y, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x[1] = 3;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
#ifdef PROGRAM
int main(void) { return run(); }
#endif
#endif
