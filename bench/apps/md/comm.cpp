// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid of ranks, atoms that change their rank, and the choice of ghosts.
#include "comm.h"
#include <algorithm>

Comm::Comm(Atom &atom, double c) : cutoff(c), procgrid() {
  int rank, size, place[3], periods[3] = {1, 1, 1};
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, procgrid);
  MPI_Cart_create(MPI_COMM_WORLD, 3, procgrid, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 3, place);
  for (int d = 0; d < 3; d++) {
    MPI_Cart_shift(grid, d, 1, &procneigh[d][0], &procneigh[d][1]);
    atom.box.low[d] = atom.box.prd[d] * place[d] / procgrid[d];
    atom.box.high[d] = atom.box.prd[d] * (place[d] + 1) / procgrid[d];
    for (int side = 0; side < 2; side++) { // 0: send to the lower neighbor
      int s = 2 * d + side;
      sendproc[s] = procneigh[d][side], recvproc[s] = procneigh[d][1 - side];
      is_shifted[s] = place[d] == (side ? procgrid[d] - 1 : 0);
      shift[s] = is_shifted[s] ? (side ? -1. : 1.) : 0.;
      sendlist[s] = nullptr, list_room[s] = 0;
    }
  }
  MPI_Comm_free(&grid);
}

Comm::~Comm() {
  for (int s = 0; s < SWAPS; s++) delete[] sendlist[s];
}

void Comm::need_list(int swap, int n) {
  if (n <= list_room[swap]) return;
  int room = std::max(n, 2 * list_room[swap] + 100);
  int *fresh = new int[room];
  std::copy(sendlist[swap], sendlist[swap] + list_room[swap], fresh);
  delete[] sendlist[swap];
  sendlist[swap] = fresh, list_room[swap] = room;
}

// Each leaving atom is sent to both neighbors of a dimension, and the right one keeps it.
void Comm::exchange(Atom &atom) {
  atom.wrap();
  for (int d = 0; d < 3; d++) {
    if (procgrid[d] == 1) continue;
    buf_send.clear();
    for (int i = 0; i < atom.nlocal;) {
      if (atom.x[i * 3 + d] >= atom.box.low[d] && atom.x[i * 3 + d] < atom.box.high[d]) {
        i++;
        continue;
      }
      buf_send.insert(buf_send.end(), &atom.x[i * 3], &atom.x[i * 3 + 3]);
      buf_send.insert(buf_send.end(), &atom.v[i * 3], &atom.v[i * 3 + 3]);
      atom.remove(i);
    }
    int sides = procgrid[d] == 2 ? 1 : 2, nsend = (int)buf_send.size();
    for (int side = 0; side < sides; side++) {
      int nrecv;
      MPI_Sendrecv(&nsend, 1, MPI_INT, procneigh[d][side], 1, &nrecv, 1, MPI_INT, procneigh[d][1 - side], 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      buf_recv.resize(std::max((size_t)nrecv, buf_recv.size()));
      MPI_Sendrecv(buf_send.data(), nsend, MPI_DOUBLE, procneigh[d][side], 2, buf_recv.data(), nrecv, MPI_DOUBLE,
                   procneigh[d][1 - side], 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int m = 0; m < nrecv; m += 6)
        if (buf_recv[m + d] >= atom.box.low[d] && buf_recv[m + d] < atom.box.high[d])
          atom.add(&buf_recv[m], &buf_recv[m + 3]);
    }
  }
}

void Comm::pack(const Atom &atom, int swap, double *buffer) const {
  int d = swap / 2, m = 0;
  for (int i = 0; i < sendnum[swap]; i++) {
    int j = sendlist[swap][i];
    buffer[m++] = atom.x[j * 3 + 0];
    buffer[m++] = atom.x[j * 3 + 1];
    buffer[m++] = atom.x[j * 3 + 2];
    if (is_shifted[swap]) buffer[m - 3 + d] += shift[swap] * atom.box.prd[d];
  }
}

void Comm::borders(Atom &atom) {
  atom.nghost = 0;
  for (int d = 0; d < 3; d++) {
    int candidates = atom.nlocal + atom.nghost; // ghosts of this dimension are not sent back
    for (int side = 0; side < 2; side++) {
      int s = 2 * d + side;
      sendnum[s] = 0;
      for (int i = 0; i < candidates; i++) {
        double x = atom.x[i * 3 + d];
        if (side ? x < atom.box.high[d] - cutoff : x >= atom.box.low[d] + cutoff) continue;
        need_list(s, sendnum[s] + 1);
        sendlist[s][sendnum[s]++] = i;
      }
      MPI_Sendrecv(&sendnum[s], 1, MPI_INT, sendproc[s], 3, &recvnum[s], 1, MPI_INT, recvproc[s], 3, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      firstrecv[s] = atom.nlocal + atom.nghost;
      MPI_Sendrecv(&firstrecv[s], 1, MPI_INT, recvproc[s], 4, &first_there[s], 1, MPI_INT, sendproc[s], 4,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      atom.need(firstrecv[s] + recvnum[s]);
      buf_send.resize(std::max((size_t)sendnum[s] * 3, buf_send.size()));
      pack(atom, s, buf_send.data());
      MPI_Sendrecv(buf_send.data(), sendnum[s] * 3, MPI_DOUBLE, sendproc[s], 5, &atom.x[firstrecv[s] * 3],
                   recvnum[s] * 3, MPI_DOUBLE, recvproc[s], 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      atom.nghost += recvnum[s];
    }
  }
}
