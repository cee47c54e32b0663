// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks with atoms tell each other, after miniMD: six swaps, two for each dimension. The later ones pass on what
// came with the earlier ones. communicate and reverse are in comm-messages.cpp or comm-windows.cpp.
#pragma once
#include <vector>
#include "atom.h"

class Comm {
public:
  Comm(Atom &atom, double cutoff);
  ~Comm();
  void exchange(Atom &atom);    // atoms that have left go to their new rank
  void borders(Atom &atom);     // chooses ghosts anew
  void communicate(Atom &atom); // places of ghosts, from their owners
  void reverse(Atom &atom);     // forces on ghosts, to their owners

private:
  enum { SWAPS = 6 };
  void need_list(int swap, int n);
  void pack(const Atom &atom, int swap, double *buffer) const;

  double cutoff;
  int procgrid[3], procneigh[3][2];
  bool is_shifted[SWAPS];
  double shift[SWAPS]; // the sign of the period to add
  int sendproc[SWAPS], recvproc[SWAPS], sendnum[SWAPS], recvnum[SWAPS];
  int firstrecv[SWAPS], first_there[SWAPS]; // there: where recipients keep what we send
  int *sendlist[SWAPS], list_room[SWAPS];
  std::vector<double> buf_send, buf_recv;
};
