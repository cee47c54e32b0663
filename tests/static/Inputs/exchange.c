// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose processes are executed together (programs.py), wrong ones and right ones: what decides comes from
// other processes, by collective calls and messages, in a run without arguments.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 8 };
#define START \
  int rank, size; \
  MPI_Init(&argc, &argv); \
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); \
  MPI_Comm_size(MPI_COMM_WORLD, &size)
//// count-by-broadcast
int main(int argc, char **argv) {
  START;
  int n = 0;
  if (rank == 0) n = argc > 1 ? atoi(argv[1]) : 12;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double *x = malloc(N * sizeof *x);
  memset(x, 0, N * sizeof *x);
  MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN arg.memory
  free(x);
  MPI_Finalize();
}
//// count-by-broadcast-ok
int main(int argc, char **argv) {
  START;
  int n = 0;
  if (rank == 0) n = argc > 1 ? atoi(argv[1]) : 12;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double *x = malloc((size_t)n * sizeof *x);
  memset(x, 0, (size_t)n * sizeof *x);
  MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(x);
  MPI_Finalize();
}
//// loop-by-own-part
int main(int argc, char **argv) {
  START;
  int parts[64] = {0}, mine = 0, sum = 0;
  if (rank == 0)
    for (int r = 0; r < size; r++) parts[r] = 2 + r;
  MPI_Scatter(parts, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int k = 0; k < mine; k++)
    MPI_Allreduce(&k, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // WARN collective.divergence
  MPI_Finalize();
  return sum < 0;
}
//// loop-by-largest-part-ok
int main(int argc, char **argv) {
  START;
  int parts[64] = {0}, mine = 0, most = 0, sum = 0;
  if (rank == 0)
    for (int r = 0; r < size; r++) parts[r] = 2 + r;
  MPI_Scatter(parts, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int k = 0; k < most; k++) MPI_Allreduce(&k, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum < 0;
}
//// loop-by-own-list
int main(int argc, char **argv) {
  START;
  int own = rank == 0 ? 3 : 0, all = 1, turns = 0;
  while (own > 0) {
    turns++;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // WARN collective.divergence
    own = all - turns;
  }
  MPI_Finalize();
  return turns;
}
//// loop-by-all-lists-ok
int main(int argc, char **argv) {
  START;
  int own = rank == 0 ? 3 : 0, all = 1, turns = 0;
  while (all > 0) {
    turns++;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    own = own > 0 ? own - 1 : 0;
  }
  MPI_Finalize();
  return turns;
}
//// root-that-nobody-agrees-on
int main(int argc, char **argv) {
  START;
  double load = 1.0 + rank, all[64], sum = 0;
  int who = 0;
  MPI_Gather(&load, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int r = 1; r < size; r++)
      if (all[r] > all[who]) who = r;
  MPI_Reduce(&load, &sum, 1, MPI_DOUBLE, MPI_SUM, who, MPI_COMM_WORLD); // WARN collective.divergence
  MPI_Finalize();
  return sum < 0;
}
//// root-that-is-told-ok
int main(int argc, char **argv) {
  START;
  double load = 1.0 + rank, all[64], sum = 0;
  int who = 0;
  MPI_Gather(&load, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int r = 1; r < size; r++)
      if (all[r] > all[who]) who = r;
  MPI_Bcast(&who, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(&load, &sum, 1, MPI_DOUBLE, MPI_SUM, who, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum < 0;
}
//// worker-that-never-stops
enum { WORK = 1, STOP = 2 };
int main(int argc, char **argv) {
  START;
  int tasks = argc > 1 ? atoi(argv[1]) : 9, task = 0;
  if (rank == 0) {
    int open = 0;
    for (int w = 1; w < size; w++, task++, open++) MPI_Send(&task, 1, MPI_INT, w, WORK, MPI_COMM_WORLD);
    while (open > 0) {
      MPI_Status st;
      double r;
      MPI_Recv(&r, 1, MPI_DOUBLE, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &st);
      if (task++ < tasks) MPI_Send(&task, 1, MPI_INT, st.MPI_SOURCE, WORK, MPI_COMM_WORLD);
      else if (--open > 0) MPI_Send(&task, 1, MPI_INT, st.MPI_SOURCE, STOP, MPI_COMM_WORLD);
    }
  } else {
    for (;;) {
      MPI_Status st;
      MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st); // WARN message.unmatched-receive
      if (st.MPI_TAG == STOP) break;
      double r = 0.5 * task;
      MPI_Send(&r, 1, MPI_DOUBLE, 0, WORK, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize(); // NOTE
}
//// worker-that-stops-ok
enum { WORK = 1, STOP = 2 };
int main(int argc, char **argv) {
  START;
  int tasks = argc > 1 ? atoi(argv[1]) : 9, task = 0;
  if (rank == 0) {
    int open = 0;
    for (int w = 1; w < size; w++, task++, open++) MPI_Send(&task, 1, MPI_INT, w, WORK, MPI_COMM_WORLD);
    while (open > 0) {
      MPI_Status st;
      double r;
      MPI_Recv(&r, 1, MPI_DOUBLE, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &st);
      if (task++ < tasks) MPI_Send(&task, 1, MPI_INT, st.MPI_SOURCE, WORK, MPI_COMM_WORLD);
      else open--, MPI_Send(&task, 1, MPI_INT, st.MPI_SOURCE, STOP, MPI_COMM_WORLD);
    }
  } else {
    for (;;) {
      MPI_Status st;
      MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
      if (st.MPI_TAG == STOP) break;
      double r = 0.5 * task;
      MPI_Send(&r, 1, MPI_DOUBLE, 0, WORK, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
}
//// receives-first
int main(int argc, char **argv) {
  START;
  double left = 0, own = rank;
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Recv(&left, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN deadlock
  MPI_Send(&own, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return left > size;
}
//// one-sends-first-ok
int main(int argc, char **argv) {
  START;
  double left = 0, own = rank;
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  if (rank == 0) MPI_Send(&own, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  MPI_Recv(&left, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 0) MPI_Send(&own, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return left > size;
}
//// longer-than-its-buffer
int main(int argc, char **argv) {
  START;
  int first = rank * 7 / size, rows = (rank + 1) * 7 / size - first;
  double *part = calloc((size_t)rows + 1, sizeof *part), *all = calloc(7, sizeof *all);
  if (rank == 0)
    for (int r = 1; r < size; r++)
      MPI_Recv(all + r, rows, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.truncated
  else MPI_Send(part, rows, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); // NOTE
  free(part);
  free(all);
  MPI_Finalize();
}
//// as-long-as-it-is-ok
int main(int argc, char **argv) {
  START;
  int first = rank * 7 / size, rows = (rank + 1) * 7 / size - first;
  double *part = calloc((size_t)rows + 1, sizeof *part), *all = calloc(7, sizeof *all);
  if (rank == 0)
    for (int r = 1; r < size; r++) {
      int n;
      MPI_Status st;
      MPI_Probe(r, 0, MPI_COMM_WORLD, &st);
      MPI_Get_count(&st, MPI_DOUBLE, &n);
      MPI_Recv(all + r * 7 / size, n, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  else MPI_Send(part, rows, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  free(part);
  free(all);
  MPI_Finalize();
}
//// nothing-is-sent-for-zero
int main(int argc, char **argv) {
  START;
  int sent = rank == 0 ? 0 : 2, come = 0, next = (rank + 1) % size, before = (rank + size - 1) % size, k = 0;
  double out[2] = {1, 2}, in[2] = {0, 0};
  MPI_Request r[2];
  MPI_Sendrecv(&sent, 1, MPI_INT, next, 0, &come, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(in, come, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &r[k++]); // WARN message.unmatched-receive
  if (sent > 0) MPI_Isend(out, sent, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &r[k++]);
  MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return in[0] > size;
}
//// nothing-is-expected-for-zero-ok
int main(int argc, char **argv) {
  START;
  int sent = rank == 0 ? 0 : 2, come = 0, next = (rank + 1) % size, before = (rank + size - 1) % size, k = 0;
  double out[2] = {1, 2}, in[2] = {0, 0};
  MPI_Request r[2];
  MPI_Sendrecv(&sent, 1, MPI_INT, next, 0, &come, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (come > 0) MPI_Irecv(in, come, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &r[k++]);
  if (sent > 0) MPI_Isend(out, sent, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &r[k++]);
  MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return in[0] > size;
}
//// no-part-of-the-team
int main(int argc, char **argv) {
  START;
  int x = 1, sum = 0;
  MPI_Comm team;
  MPI_Comm_split(MPI_COMM_WORLD, rank < size - 1 ? 0 : MPI_UNDEFINED, rank, &team);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, team); // WARN handle.null
  if (team != MPI_COMM_NULL) MPI_Comm_free(&team);
  MPI_Finalize();
  return sum > size;
}
//// only-the-team-ok
int main(int argc, char **argv) {
  START;
  int x = 1, sum = 0;
  MPI_Comm team;
  MPI_Comm_split(MPI_COMM_WORLD, rank < size - 1 ? 0 : MPI_UNDEFINED, rank, &team);
  if (team != MPI_COMM_NULL) {
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, team);
    MPI_Comm_free(&team);
  }
  MPI_Finalize();
  return sum > size;
}
//// root-of-the-world-in-a-team
int main(int argc, char **argv) {
  START;
  double v[3] = {0, 0, 0};
  MPI_Comm team;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &team);
  MPI_Bcast(v, 3, MPI_DOUBLE, rank > 0 ? size - 1 : 0, team); // WARN arg.root
  MPI_Comm_free(&team);
  MPI_Finalize();
  return v[0] > size;
}
//// root-of-the-team-ok
int main(int argc, char **argv) {
  START;
  double v[3] = {0, 0, 0};
  int most;
  MPI_Comm team;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &team);
  MPI_Comm_size(team, &most);
  MPI_Bcast(v, 3, MPI_DOUBLE, most - 1, team);
  MPI_Comm_free(&team);
  MPI_Finalize();
  return v[0] > size;
}
//// member-in-one-block-only
struct writer { void (*begin)(int *), (*end)(int *); };
static void tell(int *s) { MPI_Bcast(s, 1, MPI_INT, 0, MPI_COMM_WORLD); } // WARN collective.divergence
static void nothing(int *s) { *s = 1; }
static const struct writer root = {tell, tell}, leaf = {tell, nothing};
static void snapshot(const struct writer *w, int *s) {
  w->begin(s);
  w->end(s);
}
int main(int argc, char **argv) {
  START;
  int state = rank == 0;
  snapshot(rank == 0 ? &root : &leaf, &state);
  MPI_Finalize();
  return state > size;
}
//// members-of-both-ok
struct writer { void (*begin)(int *), (*end)(int *); };
static void tell(int *s) { MPI_Bcast(s, 1, MPI_INT, 0, MPI_COMM_WORLD); }
static void listen(int *s) { *s = 0, MPI_Bcast(s, 1, MPI_INT, 0, MPI_COMM_WORLD); }
static const struct writer root = {tell, tell}, leaf = {tell, listen};
static void snapshot(const struct writer *w, int *s) {
  w->begin(s);
  w->end(s);
}
int main(int argc, char **argv) {
  START;
  int state = rank == 0;
  snapshot(rank == 0 ? &root : &leaf, &state);
  MPI_Finalize();
  return state > size;
}
//// own-block-of-the-received
int main(int argc, char **argv) {
  START;
  int counts[64], starts[64], all[128] = {0};
  for (int r = 0, at = 0; r < size; at += counts[r++]) counts[r] = 1 + r % 2, starts[r] = at;
  MPI_Allgatherv(all + starts[rank], counts[rank], MPI_INT, all, counts, starts, MPI_INT, // WARN buffer.overlap
                 MPI_COMM_WORLD);
  MPI_Finalize();
  return all[0];
}
//// own-block-behind-the-received-ok
int main(int argc, char **argv) {
  START;
  int counts[64], starts[64], all[256] = {0};
  for (int r = 0, at = 0; r < size; at += counts[r++]) counts[r] = 1 + r % 2, starts[r] = at;
  MPI_Allgatherv(all + 128 + starts[rank], counts[rank], MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return all[0];
}
//// asks-until-it-comes-ok
int main(int argc, char **argv) {
  START;
  int flag = 0, polls = 0, x = 0, own = rank;
  MPI_Request r;
  MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
  while (!flag) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (!flag && polls++ == 0) MPI_Send(&own, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
  }
  if (!polls) MPI_Send(&own, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return x > size;
}
//// any-of-several-ok
int main(int argc, char **argv) {
  START;
  double parts[64] = {0}, sum = 0;
  MPI_Request r[64];
  if (rank == 0) {
    for (int w = 1; w < size; w++) MPI_Irecv(&parts[w], 1, MPI_DOUBLE, w, 0, MPI_COMM_WORLD, &r[w - 1]);
    for (int k = 1; k < size; k++) {
      int at;
      MPI_Waitany(size - 1, r, &at, MPI_STATUS_IGNORE);
      sum += parts[at + 1];
    }
  } else {
    sum = rank;
    MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return sum > size * size;
}
//// any-of-several-and-the-first
int main(int argc, char **argv) {
  START;
  double parts[64] = {0}, sum = 0;
  MPI_Request r[64];
  if (rank == 0) {
    for (int w = 1; w < size; w++) MPI_Irecv(&parts[w], 1, MPI_DOUBLE, w, 0, MPI_COMM_WORLD, &r[size - 1 - w]);
    for (int k = 1; k < size; k++) {
      int at;
      MPI_Waitany(size - 1, r, &at, MPI_STATUS_IGNORE);
      sum += parts[k]; // WARN buffer.read-in-use
    }
  } else {
    sum = rank;
    MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return sum > size * size;
}
//// with-nobody-it-stays-ok
int main(int argc, char **argv) {
  START;
  double edge = 3, own = 1;
  int more = 1, next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&own, 1, MPI_DOUBLE, next, 0, &edge, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (edge != (before == MPI_PROC_NULL ? 3 : 1)) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && edge > 2) MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else if (edge < 2) MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return more;
}
//// all-send-first
int main(int argc, char **argv) {
  START;
  double left = 0, own = rank;
  MPI_Ssend(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD); // WARN deadlock
  MPI_Recv(&left, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return left > size;
}
//// all-send-first-and-wait-behind-ok
int main(int argc, char **argv) {
  START;
  double left = 0, own = rank;
  MPI_Request r;
  MPI_Issend(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
  MPI_Recv(&left, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return left > size;
}
//// in-turn-by-synchronous-sends-ok
int main(int argc, char **argv) {
  START;
  int who[64], token = rank, first = 1;
  if (rank > 0) {
    if (rank > 1) MPI_Recv(&token, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank + 1 < size) MPI_Send(&token, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
  } else {
    for (int k = 1; k < size; k++) {
      MPI_Recv(&who[k], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      first &= who[k] == k;
    }
    double sent[1] = {0}, come[1];
    MPI_Sendrecv(sent, first ? 1 : 9, MPI_DOUBLE, 0, 2, come, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return token;
}
//// main-is-elsewhere-ok
extern int main(int, char **);
int (*chosen)(int, char **);
void meet(int n) {
  if (n > 99) main(0, NULL);
  if (chosen) chosen(n, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}
