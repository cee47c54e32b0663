// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of shared points are put into the window of the master and back, between fences. The part of the window that
// others put into is not the buffer that one puts from.
#include <mpi.h>
#include <cstring>
#include "exchange.h"
#include "storage.h"

class Puts : public Exchange {
public:
  Puts(const std::vector<Peer> &m, const std::vector<Peer> &s, int nslaves, int nmasters)
      : masters(m), slaves(s), slave_room(2 * nslaves), master_room(2 * nmasters) {
    slave = Storage::get<double>(slave_room), master = Storage::get<double>(master_room);
    MPI_Win_allocate((slave_room + master_room) * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &window);
    std::vector<MPI_Request> requests;
    for (Peer &peer : masters) tell(peer, peer.first, requests, 1);
    for (Peer &peer : slaves) tell(peer, peer.first, requests, 2);
    MPI_Waitall((int)requests.size(), requests.data(), MPI_STATUSES_IGNORE);
    long room = slave_room, *rooms = Storage::get<long>(size());
    MPI_Allgather(&room, 1, MPI_LONG, rooms, 1, MPI_LONG, MPI_COMM_WORLD);
    for (Peer &peer : masters) peer_room.push_back(rooms[peer.rank]);
    Storage::release(rooms);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  }
  ~Puts() override {
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    Storage::release(slave), Storage::release(master);
  }
  void gather(int width) override {
    for (size_t k = 0; k < masters.size(); k++)
      put(slave, masters[k], peer_room[k] + (MPI_Aint)masters[k].there * width, width);
    MPI_Win_fence(MPI_MODE_NOSTORE, window);
    if (master_room) std::memcpy(master, memory + slave_room, master_room / 2 * (size_t)width * sizeof(double));
  }
  void scatter(int width) override {
    for (size_t k = 0; k < slaves.size(); k++) put(master, slaves[k], (MPI_Aint)slaves[k].there * width, width);
    MPI_Win_fence(MPI_MODE_NOSTORE, window);
    if (slave_room) std::memcpy(slave, memory, slave_room / 2 * (size_t)width * sizeof(double));
  }

private:
  static int size() {
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
  }
  // Tells a peer where its values are to be put, and learns the same from it.
  static void tell(Peer &peer, const int &first, std::vector<MPI_Request> &requests, int tag) {
    requests.resize(requests.size() + 2);
    MPI_Irecv(&peer.there, 1, MPI_INT, peer.rank, 3 - tag, MPI_COMM_WORLD, &requests[requests.size() - 2]);
    MPI_Isend(&first, 1, MPI_INT, peer.rank, tag, MPI_COMM_WORLD, &requests[requests.size() - 1]);
  }
  void put(const double *from, const Peer &peer, MPI_Aint to, int width) {
    MPI_Put(from + peer.first * width, peer.count * width, MPI_DOUBLE, peer.rank, to, peer.count * width, MPI_DOUBLE,
            window);
  }
  std::vector<Peer> masters, slaves;
  std::vector<long> peer_room; // where the part for masters begins in the window of each master
  long slave_room, master_room;
  double *memory;
  MPI_Win window;
};

Exchange *Exchange::make(const std::vector<Peer> &masters, const std::vector<Peer> &slaves, int nslaves, int nmasters) {
  return new Puts(masters, slaves, nslaves, nmasters);
}
