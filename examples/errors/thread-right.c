// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other thread works; the main thread calls MPI.
#include <mpi.h>
#include <pthread.h>
static void *ask(void *size) {
  MPI_Comm_size(MPI_COMM_SELF, size);
  MPI_Barrier(MPI_COMM_SELF);
  return NULL;
}
static void *work(void *unused) { return unused; }
int main(int argc, char **argv) {
  int provided, size;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
  pthread_create(&thread, NULL, work, NULL);
  ask(&size);
  pthread_join(thread, NULL);
  MPI_Finalize();
}
