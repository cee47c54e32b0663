// RUN: %clangxx -DLIBRARY -x c++ -shared -fPIC %s -o %t.so
// RUN: %mpicc-check -O1 -DLIBRARY='"%t.so"' %s -o %t && %mpirun-check -n 1 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in C loads a library in C++, as hwloc does with its plugins. The library calls functions that the runtime
// has, too (of the guard of a local variable), and RTLD_NEXT does not see those of the C++ library behind it.
// CHECK: 3 and 4
// CHECK: ==mpicc-check== no errors found
#ifdef __cplusplus
struct number {
  int n;
  explicit number(int given) : n(given) {}
};
extern "C" int next(int given) {
  static number first(given);
  return first.n++;
}
#else
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  MPI_Init(&argc, &argv);
  if (!library) return puts(dlerror()), 1;
  int (*next)(int) = (int (*)(int))dlsym(library, "next");
  int first = next(3);
  printf("%d and %d\n", first, next(3));
  MPI_Finalize();
  return 0;
}
#endif
