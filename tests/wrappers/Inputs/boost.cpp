// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost.MPI: messages of the wrong type and without a receive; with an argument it is right.
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <string>
namespace mpi = boost::mpi;

static void numbers(mpi::communicator &world) {
  if (world.rank() == 0) world.send(1, 7, 42);
  if (world.rank() == 1) { float got; world.recv(0, 7, got); }
}
static void texts(mpi::communicator &world, bool is_right) {
  if (world.rank() == 0) world.send(1, 8, std::string("text"));
  std::string got;
  if (world.rank() == 1 && is_right) world.recv(0, 8, got);
}
int main(int argc, char **argv) {
  mpi::environment environment(argc, argv);
  mpi::communicator world;
  if (argc == 1) numbers(world);
  texts(world, argc > 1);
  return 0;
}
