// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghosts by MPI_Sendrecv.
#include <algorithm>
#include "comm.h"

void Comm::communicate(Atom &atom) {
  for (int s = 0; s < SWAPS; s++) {
    buf_send.resize(std::max((size_t)sendnum[s] * 3, buf_send.size()));
    pack(atom, s, buf_send.data());
    MPI_Sendrecv(buf_send.data(), sendnum[s] * 3, MPI_DOUBLE, sendproc[s], 6, &atom.x[firstrecv[s] * 3], recvnum[s] * 3,
                 MPI_DOUBLE, recvproc[s], 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void Comm::reverse(Atom &atom) {
  for (int s = SWAPS - 1; s >= 0; s--) {
    buf_recv.resize(std::max((size_t)sendnum[s] * 3, buf_recv.size()));
    MPI_Sendrecv(&atom.f[firstrecv[s] * 3], recvnum[s] * 3, MPI_DOUBLE, recvproc[s], 7, buf_recv.data(), sendnum[s] * 3,
                 MPI_DOUBLE, sendproc[s], 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < sendnum[s]; i++) {
      int j = sendlist[s][i];
      atom.f[j * 3 + 0] += buf_recv[i * 3 + 0];
      atom.f[j * 3 + 1] += buf_recv[i * 3 + 1];
      atom.f[j * 3 + 2] += buf_recv[i * 3 + 2];
    }
  }
}
