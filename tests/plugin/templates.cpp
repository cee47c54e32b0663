// The library's templates call each other in large cycles: the points-to analysis of the module must not give up.
// (It did: "the module is too large to be analysed", after 20 s.)
// RUN: %mpicxx-check -O0 -g -fcheck-explain -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not='too large'
#include <mpi.h>
#include <regex>
#include <string>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::regex name("a+b");
  // CHECK: templates.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: load is signalled one by one: comes from outside
  bool fits = std::regex_match(std::string(argv[0]), name);
  MPI_Finalize();
  return fits;
}
