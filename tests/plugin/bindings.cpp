// RUN: %mpicxx-check -c %s -o %t.o && objdump -h %t.o | FileCheck --check-prefix=UNUSED %s
// RUN: %mpicxx-check -c -DUSED %s -o %t.used.o && objdump -h %t.used.o | FileCheck --check-prefix=USED %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open MPI's header has classes of MPI-2's bindings for C++, whose virtual functions send and receive. A file that does
// not use them is looked at like one that neither sends nor receives: its table of what ranks come from is small.
// UNUSED: mck_ranks {{ *}}00000{{[0-3]}}
// USED: mck_ranks {{ *}}0000{{[1-9a-f]}}
#include <algorithm>
#include <mpi.h>
#include <vector>

static bool is_less(int a, int b) { return a < b; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<int> x(static_cast<std::size_t>(argc), 1);
  std::sort(x.begin(), x.end(), is_less);
#ifdef USED
  int who = 0;
  MPI::COMM_WORLD.Recv(&who, 1, MPI::INT, MPI_ANY_SOURCE, 1);
  MPI::COMM_WORLD.Send(x.data(), 1, MPI::INT, who, 1);
#endif
  MPI_Finalize();
  return 0;
}
