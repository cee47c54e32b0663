// RUN: %mpicc-check -pthread %s -o %t
// RUN: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of two threads on the same bytes. one() goes first in time (a plain flag, which orders nothing); whether
// it comes first in every run is what each case is about. Rank 1 has the partners.
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, *data, other[4], window[4];
static MPI_Comm comms[2];
static MPI_Win win;
static MPI_File file;
static sem_t told;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_first_done;
static void *(*first)(void *), *(*second)(void *);
#define MINE(name, ...) static void *name(void *unused) { (void)unused; __VA_ARGS__; return NULL; }
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#define IGNORE MPI_STATUS_IGNORE

static void *run_first(void *unused) {
  first(unused);
  is_first_done = 1;
  return NULL;
}
static void *run_second(void *unused) {
  while (!is_first_done) {}
  return second(unused);
}
static void both(void *(*one)(void *), void *(*two)(void *)) {
  pthread_t threads[2];
  first = one, second = two, is_first_done = 0;
  pthread_create(&threads[0], NULL, run_first, NULL);
  pthread_create(&threads[1], NULL, run_second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}
// Rank 1: sends the data of tag 0, and then takes that of tag 1; or the other way round.
static void feed(void) { MPI_Send(other, 4, MPI_INT, 0, 0, comms[0]); }
static void take(void) { MPI_Recv(other, 4, MPI_INT, 0, 1, comms[0], IGNORE); }
static void partner(void (*one)(void), void (*two)(void)) {
  one();
  if (two) two();
  MPI_Barrier(MPI_COMM_WORLD);
}

// case 1: buffer.overlap
MINE(recv_1, MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE)) // @1
MINE(send_1, MPI_Send(data + 3, 4, MPI_INT, 1, 1, comms[0]))     // @1
// case 2: ok: other bytes
MINE(send_2, MPI_Send(data + 4, 4, MPI_INT, 1, 1, comms[0]))
// case 3: ok: a semaphore
MINE(recv_3, MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE); sem_post(&told))
MINE(send_3, sem_wait(&told); MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]))
// case 4: ok: never at the same time
MINE(recv_4, LOCK; MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE); UNLOCK)
MINE(send_4, LOCK; MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]); UNLOCK)
// case 5: buffer.overlap
MINE(recv_5, MPI_Request r; LOCK; MPI_Irecv(data, 4, MPI_INT, 1, 0, comms[0], &r); UNLOCK; MPI_Wait(&r, IGNORE)) // @5
MINE(send_5, LOCK; MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]); UNLOCK)                                           // @5
// case 6: ok
MINE(recv_6, MPI_Request r; LOCK; MPI_Irecv(data, 4, MPI_INT, 1, 0, comms[0], &r); MPI_Wait(&r, IGNORE); UNLOCK)
// case 7: buffer.overlap
MINE(bcast_7, MPI_Bcast(data, 4, MPI_INT, 1, comms[0]))     // @7
MINE(also_7, MPI_Bcast(data + 2, 4, MPI_INT, 1, comms[1]))  // @7
// case 8: ok: both only read
MINE(bcast_8, MPI_Bcast(data, 4, MPI_INT, 0, comms[0]))
MINE(also_8, MPI_Bcast(data + (rank ? 4 : 2), 4, MPI_INT, 0, comms[1]))
// case 9: rma.race-local
MINE(get_9, MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); MPI_Get(data, 4, MPI_INT, 1, 0, 4, MPI_INT, win); // @9
     MPI_Win_unlock(1, win))
MINE(send_9, MPI_Send(data, 1, MPI_INT, 1, 1, comms[0])) // @9
// case 10: ok: a put only reads
MINE(put_10, MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); MPI_Put(data, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
     MPI_Win_unlock(1, win))
// case 11: ok: unlocked before it is told
MINE(get_11, MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); MPI_Get(data, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
     MPI_Win_unlock(1, win); sem_post(&told))
// case 12: buffer.overlap
MINE(read_12, MPI_File_read_at(file, 0, data, 4, MPI_INT, IGNORE)) // @12
MINE(send_12, MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]))          // @12
// case 13: ok
MINE(write_13, MPI_File_write_at(file, 0, data, 4, MPI_INT, IGNORE))
// case 14: buffer.overlap
MINE(start_14, MPI_Request r; MPI_Recv_init(data, 4, MPI_INT, 1, 0, comms[0], &r); MPI_Start(&r); // @14
     MPI_Wait(&r, IGNORE); MPI_Request_free(&r))
MINE(send_14, MPI_Send(data, 4, MPI_INT, 1, 1, comms[0])) // @14
// case 15: ok: told by a message to itself, sent behind the receive
MINE(recv_15, MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE); MPI_Send(NULL, 0, MPI_INT, 0, 7, comms[1]))
MINE(send_15, MPI_Recv(NULL, 0, MPI_INT, 0, 7, comms[1], IGNORE); MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]))
// case 16: buffer.overlap (what rank 1 tells says nothing of the receive's end)
MINE(recv_16, MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE))                                          // @16
MINE(send_16, MPI_Recv(NULL, 0, MPI_INT, 1, 7, comms[1], IGNORE); MPI_Send(data, 4, MPI_INT, 1, 1, comms[0])) // @16
static void feed_and_tell(void) { feed(), MPI_Send(NULL, 0, MPI_INT, 0, 7, comms[1]); }
// case 17: ok: rank 1 has the data
MINE(send_17, MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]))
MINE(recv_17, MPI_Recv(NULL, 0, MPI_INT, 1, 7, comms[1], IGNORE); MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE))
static void take_and_tell(void) { take(), MPI_Send(NULL, 0, MPI_INT, 0, 7, comms[1]); }
// case 18: ok: freed, and given out again at the same address
MINE(recv_18, int *m = malloc(4000); MPI_Recv(m, 4, MPI_INT, 1, 0, comms[0], IGNORE); free(m))
MINE(send_18, int *m = calloc(1000, 4); MPI_Send(m, 4, MPI_INT, 1, 1, comms[0]); free(m))
// case 19: ok: each has its own stack, or that of one that has ended
MINE(recv_19, int m[4]; MPI_Recv(m, 4, MPI_INT, 1, 0, comms[0], IGNORE))
MINE(send_19, int m[4] = {0}; MPI_Send(m, 4, MPI_INT, 1, 1, comms[0]))
// case 20: buffer.overlap
static void same_20(int tag) { MPI_Recv(data, 4, MPI_INT, 1, tag, comms[0], IGNORE); } // @20
MINE(recv_20, same_20(0))
MINE(also_20, same_20(2))
static void feed_also(void) { MPI_Send(other, 4, MPI_INT, 0, 2, comms[0]); }
// case 21: buffer.overlap
MINE(reduce_21, MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_INT, MPI_SUM, comms[0])) // @21
MINE(also_21, MPI_Sendrecv(data + 4, 1, MPI_INT, rank, 3, data + 3, 1, MPI_INT, rank, 3, comms[1], IGNORE)) // @21
// case 22: ok
MINE(also_22, MPI_Sendrecv(data + 5, 1, MPI_INT, rank, 3, data + 4, 1, MPI_INT, rank, 3, comms[1], IGNORE))

// What a strand repeats, after another one has come in between.
// case 23: buffer.overlap
static volatile int is_second_done;
static sem_t answered;
static void send_thrice(void (*await)(void)) {
  for (int i = 0; i < 3; i++) {
    if (i == 2) sem_post(&told), is_first_done = 1, await();
    MPI_Send(data, 4, MPI_INT, 1, 1, comms[0]); // @23
  }
}
static void await_flag(void) { while (!is_second_done) {} }
static void await_answer(void) { sem_wait(&answered); }
static void take_twice(void) { take(), take(); }
static void feed_and_take(void) { feed(), take(); }
MINE(send_23, send_thrice(await_flag))
MINE(recv_23, sem_wait(&told); MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE); is_second_done = 1) // @23
// case 24: ok: it answers
MINE(send_24, send_thrice(await_answer))
MINE(recv_24, sem_wait(&told); MPI_Recv(data, 4, MPI_INT, 1, 0, comms[0], IGNORE); sem_post(&answered))

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Win_create(window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  data = calloc(8, sizeof *data);
  sem_init(&told, 0, 0), sem_init(&answered, 0, 0);
  char name[64];
  snprintf(name, sizeof name, "/tmp/mck-overlap-%d-%d", (int)MPI_Wtime(), rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
#define CASE(one, two, three, four) rank ? partner(three, four) : both(one, two)
  CASE(recv_1, send_1, feed, take);
  CASE(recv_1, send_2, feed, take);
  CASE(recv_3, send_3, feed, take);
  CASE(recv_4, send_4, feed, take);
  CASE(recv_5, send_5, feed, take);
  CASE(recv_6, send_4, feed, take);
  both(bcast_7, also_7);
  both(bcast_8, also_8);
  CASE(get_9, send_9, take, NULL);
  CASE(put_10, send_1, take, NULL);
  CASE(get_11, send_3, take, NULL);
  CASE(read_12, send_12, take, NULL);
  CASE(write_13, send_12, take, NULL);
  CASE(start_14, send_14, feed, take);
  CASE(recv_15, send_15, feed, take);
  CASE(recv_16, send_16, feed_and_tell, take);
  CASE(send_17, recv_17, take_and_tell, feed);
  for (int i = 0; i < 20; i++) CASE(recv_18, send_18, feed, take);
  CASE(recv_19, send_19, feed, take);
  CASE(recv_20, also_20, feed, feed_also);
  both(reduce_21, also_21);
  both(reduce_21, also_22);
  CASE(send_23, recv_23, take_twice, feed_and_take);
  CASE(send_24, recv_24, take_twice, feed_and_take);
  MPI_File_close(&file);
  MPI_Win_free(&win);
  for (int i = 0; i < 2; i++) MPI_Comm_free(&comms[i]);
  free(data);
  MPI_Finalize();
  return 0;
}
