// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that loads the library of its argument, or calls the one that it is linked with (objects.test).
#include <dlfcn.h>
#include <stdlib.h>
#include "helper.h"
#ifdef LINKED
int serve(int *value, int rank);
#endif
void never(int *value);
void never(int *value) { MPI_Send(value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 7) send_result(&value, rank);
#ifdef LINKED
  serve(&value, rank);
#else
  void *library = dlopen(argv[1], RTLD_NOW);
  int (*serve)(int *, int) = library ? (int (*)(int *, int))dlsym(library, "serve") : NULL;
  if (!serve || serve(&value, rank)) abort();
  dlclose(library);
#endif
  MPI_Finalize();
}
