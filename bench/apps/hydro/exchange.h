// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of points that several ranks have: from the copies to their masters, and back. By messages
// (exchange-messages.cpp) or by puts into windows (exchange-puts.cpp). Each gather is followed by a scatter.
#pragma once
#include <vector>

class Exchange {
public:
  struct Peer {
    int rank, first, count; // its part of our buffer, in points
    int there;              // where our part of its buffer begins
  };
  static Exchange *make(const std::vector<Peer> &masters, const std::vector<Peer> &slaves, int nslaves, int nmasters);
  virtual ~Exchange() {}
  virtual void gather(int width) = 0;  // slave to master; a point has width values (1 or 2)
  virtual void scatter(int width) = 0; // master to slave
  double *slave, *master;              // the values of copies that have their master elsewhere; of masters, from copies
};
