// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose ordinary run passes and that fail when other messages come to their wildcard receives. The first
// argument says which. Which message comes first in the ordinary run is decided by --take (explore.py).
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static MPI_Status status;
#define W MPI_COMM_WORLD

static void send(int to, int tag, int x) { MPI_Send(&x, 1, MPI_INT, to, tag, W); }
static int recv(int from, int tag) {
  int x = -1;
  MPI_Recv(&x, 1, MPI_INT, from, tag, W, &status);
  return x;
}
static int any(int tag) { return recv(MPI_ANY_SOURCE, tag); }
static void die(void) {
  fprintf(stderr, "rank %d: wrong\n", rank);
  exit(3);
}

// Lazy clocks, figure 1: the message that is sent behind the barrier comes to the receive that was posted before it.
static void lazy1(void) {
  int x = 0, y = 0;
  MPI_Request r;
  if (rank == 0) {
    x = 22;
    MPI_Isend(&x, 1, MPI_INT, 1, 0, W, &r);
    MPI_Barrier(W);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &r);
    MPI_Barrier(W);
    y = any(0);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (x == 33) die();
  } else {
    MPI_Barrier(W);
    x = 33;
    MPI_Isend(&x, 1, MPI_INT, 1, 0, W, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  (void)y;
}
// MUST, figure 1 d: a wildcard receive that takes the message which a specific one waits for.
static void must1d(void) {
  if (rank == 0) send(1, 0, 0);
  if (rank == 1) any(0), recv(2, 0);
  if (rank == 2) send(1, 0, 2);
}
// The same by starts of one persistent receive, and by copies of its handle.
static void persistent(void) {
  if (rank) {
    send(0, 0, rank);
    return;
  }
  MPI_Request r, copy;
  int x = -1, first;
  MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &r);
  copy = r;
  MPI_Start(&r);
  MPI_Wait(&copy, &status);
  first = x;
  MPI_Start(&copy);
  for (int done = 0; !done;) MPI_Test(&r, &done, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
  if (first != 1) die();
}
// ... and MPI_Request_get_status of the copy.
static void status_of_copy(void) {
  if (rank) {
    send(0, 0, rank);
    return;
  }
  MPI_Request r, copy;
  int x = -1, first = -1;
  MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &r);
  copy = r;
  for (int round = 0; round < 2; round++) {
    MPI_Start(&r);
    for (int done = 0; !done;) MPI_Request_get_status(copy, &done, &status);
    if (status.MPI_SOURCE != x) MPI_Abort(W, 4);
    if (!round) first = x;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&r);
  if (first != 1) die();
}
static void startall(void) {
  if (rank) {
    for (int round = 0; round < 2; round++) send(0, round, rank);
    return;
  }
  MPI_Request r[2], copies[2];
  int x[2] = {-1, -1};
  for (int i = 0; i < 2; i++) MPI_Recv_init(&x[i], 1, MPI_INT, MPI_ANY_SOURCE, i, W, &r[i]);
  memcpy(copies, r, sizeof r);
  for (int round = 0; round < 2; round++) {
    MPI_Startall(2, round ? copies : r);
    MPI_Waitall(2, round ? r : copies, MPI_STATUSES_IGNORE);
    if (round && x[0] == 1 && x[1] == 2) die();
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&r[i]);
}
static void order(void) {  // assumes who is first
  if (rank == 0) {
    if (any(0) != 1) die();
    any(0);
  } else {
    send(0, 0, rank);
  }
}
// Receives from nobody, of any tag, have no number.
static void nobody(void) {
  MPI_Request r;
  int x = -1;
  if (rank == 0) {
    recv(MPI_PROC_NULL, MPI_ANY_TAG);
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, W, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, W, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, W, MPI_STATUS_IGNORE);
  }
  order();
}
static void crash(void) {
  int table[3] = {0, 1, 0};
  if (rank == 0) {
    int x = any(0);
    any(0);
    if (!table[x]) raise(6);
  } else {
    send(0, 0, rank);
  }
}
static void probe(void) {
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 0, W, &status);
    int first = status.MPI_SOURCE;
    recv(first, 0);
    recv(3 - first, 0);
    if (first == 2) die();
  } else {
    send(0, 0, rank);
  }
}
static void mprobe(void) {
  MPI_Message message;
  int x;
  if (rank == 0) {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &message, &status);
    MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    recv(3 - status.MPI_SOURCE, MPI_ANY_TAG);
    if (x == 2) die();
  } else {
    send(0, rank, rank);
  }
}
static void iprobe(void) {
  int flag = 0;
  if (rank == 0) {
    while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &status);
    int first = status.MPI_SOURCE;
    recv(first, 0);
    recv(3 - first, 0);
    if (first == 2) die();
  } else {
    send(0, 0, rank);
  }
}
static void tags(void) {  // any tag: the answer is taken for the end
  if (rank == 0) {
    int ends = 0;
    for (int i = 0; i < 3; i++) {
      recv(MPI_ANY_SOURCE, MPI_ANY_TAG);
      if (status.MPI_TAG == 9) ends++;
      else if (ends == 1 && status.MPI_SOURCE == 1) die();
    }
  } else if (rank == 1) send(0, 1, 0);
  else send(0, 9, 0), send(0, 9, 0);
}
static void two(void) {  // both choices must be the other ones
  if (rank == 0) {
    int a = any(0);
    any(0);
    int b = any(1);
    any(1);
    if (a == 2 && b == 2) die();
  } else {
    send(0, 0, rank);
    send(0, 1, rank);
  }
}
static void three(void) {
  if (rank == 0) {
    int a[3];
    for (int i = 0; i < 3; i++) a[i] = any(0);
    if (a[0] == 3 && a[1] == 2) die();
  } else {
      send(0, 0, rank);
  }
}
static void reply(void) {  // the master answers the first only: the other one waits for ever
  if (rank == 0) {
    any(0);
    send(1, 1, 0);
    any(0);
  } else if (rank == 1) send(0, 0, 0), recv(0, 1);
  else send(0, 0, 0);
  if (rank == 0 && status.MPI_SOURCE == 1) recv(1, 5);
}
static void relay(void) {  // what comes first decides who is asked
  if (rank == 0) {
    int x = any(0), y = any(0);
    send(x, 1, 0);
    if (x == 1) send(y, 1, 0);
    else recv(y, 3);  // never sent
  } else {
    send(0, 0, rank);
    recv(0, 1);
  }
}
static void waitany(void) {
  int x[2];
  MPI_Request r[2];
  if (rank == 0) {
    for (int i = 0; i < 2; i++) MPI_Irecv(&x[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &r[i]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (x[0] == 2) die();
  } else {
    send(0, 0, rank);
  }
}
static void sendrecv(void) {
  int x = rank, y;
  if (rank == 0) {
    MPI_Sendrecv(&x, 1, MPI_INT, 1, 0, &y, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &status);
    any(0);
    if (y == 2) die();
  } else if (rank == 1) {
    send(0, 0, 1);
    recv(0, 0);
  } else send(0, 0, 2);
}
static void synchronous(void) {  // the second waits in vain: its receive is behind a specific one
  int x = rank;
  if (rank == 0) {
    any(0);
    recv(2, 0);
  } else if (rank == 1) MPI_Ssend(&x, 1, MPI_INT, 0, 0, W);
  else MPI_Ssend(&x, 1, MPI_INT, 0, 0, W);
}
static void comms(void) {  // the copy of a communicator is a world of its own: only one of them races
  MPI_Comm other;
  MPI_Comm_dup(W, &other);
  int x = rank;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, &status);
    int first = status.MPI_SOURCE;
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, &status);
    any(0);
    if (first == 2) die();
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, other);
    if (rank == 1) send(0, 0, 1);
  }
  MPI_Comm_free(&other);
}
static void bcast(void) {  // the root does not wait: its message may be there before the others are in the broadcast
  int x = 0;
  if (rank == 0) MPI_Bcast(&x, 1, MPI_INT, 0, W), send(1, 0, 7);
  else if (rank == 1) {
    int y = any(0);
    MPI_Bcast(&x, 1, MPI_INT, 0, W);
    any(0);
    if (y == 7) die();
  } else send(1, 0, 2), MPI_Bcast(&x, 1, MPI_INT, 0, W);
}
static void truncated(void) {  // the other message is too long for the first receive
  int x[2] = {0, 0};
  if (rank == 0) {
    MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &status);
    MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, W, &status);
  } else {
    MPI_Send(x, rank, MPI_INT, 0, 0, W);
  }
}
static void types(void) {
  float f = 1;
  int x;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &status);
    MPI_Recv(&f, 1, MPI_FLOAT, MPI_ANY_SOURCE, 0, W, &status);
  } else if (rank == 1) send(0, 0, 1);
  else MPI_Send(&f, 1, MPI_FLOAT, 0, 0, W);
}
static void collective(void) {  // what comes decides which collective is called
  int x = 0, in = 1, out;
  if (rank == 0) x = any(0), any(0);
  else {
    send(0, 0, rank);
  }
  if (rank == 0 && x == 2) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, W);
  else MPI_Barrier(W);
}
static void workers(void) {  // work is lost when the end overtakes it
  if (rank == 0) {
    int done = 0;
    for (int i = 0; i < 2; i++) {
      int x = any(0);
      if (x == 2 && i == 0) done++;
      else if (done) recv(x, 7);
    }
  } else {
    send(0, 0, rank);
  }
}
// As three; the third run kills mpirun-check, whose number is in a file, and does not end by itself.
static const char *path;
static void killer(void) {
  char name[512];
  long pid = 0;
  int runs = 0;
  if (rank == 0) {
    snprintf(name, sizeof name, "%s/runs", path);
    FILE *file = fopen(name, "a+");
    if (file) fputc('x', file), runs = (int)ftell(file), fclose(file);
    snprintf(name, sizeof name, "%s/pid", path);
    if (runs == 3 && (file = fopen(name, "r"))) {
      if (fscanf(file, "%ld", &pid) == 1) kill((pid_t)pid, SIGKILL);
      for (;;) pause();
    }
  }
  three();
}
// Rank 2 sends when rank 0 has written a file, behind its first receive: no log tells of that.
static void hidden(void) {
  if (rank == 0) {
    any(0);
    FILE *file = fopen(path, "w");
    if (file) fclose(file);
    any(0);
  } else {
    for (FILE *file = NULL; rank == 2 && !file;)
      if ((file = fopen(path, "r"))) fclose(file);
    send(0, 0, rank);
  }
}
// No wildcard, and yet the order in which the messages are seen depends on timing.
static void orders(void) {
  if (rank) {
    send(0, 0, rank);
    return;
  }
  MPI_Request r[2];
  int x[2], index;
  for (int i = 0; i < 2; i++) MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, W, &r[i]);
  for (int i = 0; i < 2; i++) MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
}
// Eight ranks, seven messages: 5,040 orders, of which those fail in which the last two are 3 and then 2, and the first is 7:
// the program itself counts how many kinds of ends it has by the first two only.
static void eight(void) {
  if (rank == 0) {
    int first = any(0), second = any(0), third = any(0);
    for (int i = 3; i < 7; i++) recv(i + 1, 1);
    if (first == 3 && second == 2 && third == 1) die();
  } else if (rank <= 3) {
      send(0, 0, rank);
  } else send(0, 1, rank);
}
// Eight ranks, five of which send to each of two receivers: 120 ways for each; one of them fails.
static void needle(void) {
  if (rank == 0) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = any(0);
    if (a[0] == 4 && a[1] == 3 && a[2] == 2) die();
  } else if (rank <= 4) {
    send(0, 0, rank);
  }
}

// The same without the failure: which messages come where no decision is given is a matter of luck.
static void hay(void) {
  for (int i = 0; rank == 0 && i < 4; i++) any(0);
  if (rank >= 1 && rank <= 4) send(0, 0, rank);
}

static const struct { const char *name; void (*run)(void); } cases[] = {
#define CASE(name) {#name, name}
    CASE(lazy1), CASE(must1d), CASE(persistent), CASE(status_of_copy), CASE(startall), CASE(order), CASE(nobody), CASE(crash), CASE(probe), CASE(mprobe), CASE(iprobe), CASE(tags), CASE(two), CASE(three),
    CASE(reply), CASE(relay), CASE(waitany), CASE(sendrecv), CASE(synchronous), CASE(comms), CASE(bcast), CASE(truncated), CASE(types),
    CASE(collective), CASE(workers), CASE(killer), CASE(hidden), CASE(orders), CASE(eight), CASE(needle), CASE(hay)};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
  path = argc > 2 ? argv[2] : "";
  if (rank == 0 && *path) remove(path);
  if (*path) MPI_Barrier(W);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  MPI_Finalize();
  return 0;
}
