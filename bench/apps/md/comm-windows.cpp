// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghosts by one-sided communication: places are put into the windows of the neighbors, forces are got from them.
#include <algorithm>
#include "comm.h"

void Comm::communicate(Atom &atom) {
  MPI_Win_fence(0, atom.x_window); // the atoms have moved
  for (int s = 0; s < SWAPS; s++) {
    buf_send.resize(std::max((size_t)sendnum[s] * 3, buf_send.size()));
    pack(atom, s, buf_send.data());
    MPI_Put(buf_send.data(), sendnum[s] * 3, MPI_DOUBLE, sendproc[s], first_there[s] * 3, sendnum[s] * 3, MPI_DOUBLE,
            atom.x_window);
    MPI_Win_fence(MPI_MODE_NOSTORE, atom.x_window);
  }
}

void Comm::reverse(Atom &atom) {
  for (int s = SWAPS - 1; s >= 0; s--) {
    buf_recv.resize(std::max((size_t)sendnum[s] * 3, buf_recv.size()));
    MPI_Win_fence(0, atom.f_window); // the forces are complete as far as this swap needs them
    MPI_Get(buf_recv.data(), sendnum[s] * 3, MPI_DOUBLE, sendproc[s], first_there[s] * 3, sendnum[s] * 3, MPI_DOUBLE,
            atom.f_window);
    MPI_Win_fence(MPI_MODE_NOSTORE, atom.f_window);
    for (int i = 0; i < sendnum[s]; i++) {
      int j = sendlist[s][i];
      atom.f[j * 3 + 0] += buf_recv[i * 3 + 0];
      atom.f[j * 3 + 1] += buf_recv[i * 3 + 1];
      atom.f[j * 3 + 2] += buf_recv[i * 3 + 2];
    }
  }
}
