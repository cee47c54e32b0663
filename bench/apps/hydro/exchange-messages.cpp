// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of shared points go by nonblocking messages.
#include <mpi.h>
#include "exchange.h"
#include "storage.h"

class Messages : public Exchange {
public:
  Messages(const std::vector<Peer> &m, const std::vector<Peer> &s, int nslaves, int nmasters)
      : masters(m), slaves(s), requests(m.size() + s.size()) {
    slave = Storage::get<double>(2 * nslaves), master = Storage::get<double>(2 * nmasters);
  }
  ~Messages() override { Storage::release(slave), Storage::release(master); }
  void gather(int width) override { move(masters, slave, slaves, master, width); }
  void scatter(int width) override { move(slaves, master, masters, slave, width); }

private:
  void move(const std::vector<Peer> &to, double *sent, const std::vector<Peer> &from, double *received, int width) {
    int n = 0;
    for (size_t k = 0; k < from.size(); k++)
      MPI_Irecv(&received[from[k].first * width], from[k].count * width, MPI_DOUBLE, from[k].rank, 0, MPI_COMM_WORLD,
                &requests[n++]);
    for (size_t k = 0; k < to.size(); k++)
      MPI_Isend(&sent[to[k].first * width], to[k].count * width, MPI_DOUBLE, to[k].rank, 0, MPI_COMM_WORLD,
                &requests[n++]);
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
  }
  std::vector<Peer> masters, slaves;
  std::vector<MPI_Request> requests;
};

Exchange *Exchange::make(const std::vector<Peer> &masters, const std::vector<Peer> &slaves, int nslaves, int nmasters) {
  return new Messages(masters, slaves, nslaves, nmasters);
}
