// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of checking a call that stays in its process. Blocks of calls through MPI_ (our wrapper) and of the
// library's own function alternate. usage: mpirun -n 1 calls [rounds, default 200]
#include <mpi.h>
#include <stdlib.h>
#include "measure.h"

enum { N = 1000 };
static _Alignas(4096) int pending[1024]; // alone in its page: a load beside a buffer in use is checked
                                         // (rt/record/access/signal.c)
static _Alignas(4096) int flag, value, other;
static MPI_Request null_request = MPI_REQUEST_NULL, receive;

PLAIN(Comm_rank)
PLAIN(Wtime)
PLAIN(Test)
PLAIN(Iprobe)
PLAIN(Type_size)
PLAIN(Send)
PLAIN(Barrier)
PLAIN(Bcast)
PLAIN(Allreduce)
#define DEFINE_CALL(name, call)                                                                                        \
  static void MPI_##name(void) {                                                                                       \
    for (int i = 0; i < N; i++) MPI_##call;                                                                            \
  }                                                                                                                    \
  static void plain_calls_##name(void) {                                                                               \
    for (int i = 0; i < N; i++) plain_##call;                                                                          \
  }
DEFINE_CALL(comm_rank, Comm_rank(MPI_COMM_WORLD, &value))
DEFINE_CALL(wtime, Wtime())
DEFINE_CALL(test_null, Test(&null_request, &flag, MPI_STATUS_IGNORE))
DEFINE_CALL(test_active, Test(&receive, &flag, MPI_STATUS_IGNORE))
DEFINE_CALL(iprobe_none, Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE))
DEFINE_CALL(type_size, Type_size(MPI_DOUBLE, &value))
DEFINE_CALL(send_null, Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD))
DEFINE_CALL(barrier_self, Barrier(MPI_COMM_SELF))
DEFINE_CALL(bcast_self, Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF))
DEFINE_CALL(allreduce_self, Allreduce(&value, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF))

static const struct {
  const char *name;
  void (*runs[2])(void);
} calls[] = {
#define CALL(name, text) {text, {MPI_##name, plain_calls_##name}},
    CALL(comm_rank, "Comm_rank") CALL(wtime, "Wtime") CALL(test_null, "Test, null request")
        CALL(test_active, "Test, not complete") CALL(iprobe_none, "Iprobe, nothing there") CALL(type_size, "Type_size")
            CALL(send_null, "Send to MPI_PROC_NULL") CALL(barrier_self, "Barrier of MPI_COMM_SELF")
                CALL(bcast_self, "Bcast of MPI_COMM_SELF") CALL(allreduce_self, "Allreduce of MPI_COMM_SELF")
#undef CALL
};

int main(int argc, char **argv) {
  int rank, rounds = argc > 1 ? atoi(argv[1]) : 200;
  if (rounds < 1) return fprintf(stderr, "usage: mpirun -n 1 calls [rounds]\n"), 2;
  double *checked = malloc(sizeof *checked * (size_t)rounds), *plain = malloc(sizeof *plain * (size_t)rounds);
  if (!checked || !plain) return fprintf(stderr, "calls: out of memory\n"), 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(pending, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &receive); // it never gets a message
  if (rank == 0) print_head("local calls");
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
    for (int r = 0; r < rounds; r++) {
      for (int i = 0; i < 2; i++) {
        int which = (i + r) % 2;
        double start = now();
        calls[c].runs[which]();
        (which ? plain : checked)[r] = (now() - start) / N;
      }
    }
    if (rank == 0) print_comparison(calls[c].name, checked, plain, rounds);
  }
  MPI_Cancel(&receive);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  free(checked);
  free(plain);
  MPI_Finalize();
  return 0;
}
