// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions of synchronizations that are not true (MPI-3.1 11.5.5), and others that are.
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, x[4], *memory;
static MPI_Win win;
static char path[4096]; // a file says in case 13 that the post is made, which no judge knows of
static MPI_Group all, others, zero;

static void open_window(void) {
  MPI_Win_allocate(64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
}
static void close_window(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
}

// case 1: arg.assert (a store since the last fence)
static void fence_store(void) {
  open_window();
  for (int i = 0; i < 5; i++) {
    MPI_Win_fence(0, win);
    if (rank == 1) memory[7] = i;
    MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @1
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 2: ok (the store comes before another fence)
static void fence_store_before(void) {
  open_window();
  memory[7] = 1;
  MPI_Win_fence(0, win);
  int sum = memory[7];
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @2
  memory[8] = sum;
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 3: arg.assert (before the first fence)
static void first_fence(void) {
  open_window();
  if (rank == 2) memory[0] = 1;
  MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);   // @3
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 4: arg.assert (a put behind a fence with MPI_MODE_NOPUT)
static void fence_put(void) {
  open_window();
  MPI_Win_fence(MPI_MODE_NOPUT, win);   // @4
  if (rank == 1) for (int i = 0; i < 3; i++) MPI_Put(x, 1, MPI_INT, 0, i, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 5: ok (gets, and a put behind the next fence)
static void fence_get(void) {
  open_window();
  MPI_Win_fence(MPI_MODE_NOPUT, win);   // @5
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 6: arg.assert (an operation precedes)
static void fence_precede(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);   // @6
  close_window();
}
// case 7: arg.assert (only one rank says that nothing precedes)
static void fence_one(void) {
  open_window();
  MPI_Win_fence(rank == 1 ? MPI_MODE_NOPRECEDE : 0, win);   // @7
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 8: arg.assert (only one rank says that nothing succeeds)
static void fence_last(void) {
  open_window();
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Win_fence(rank == 1 ? MPI_MODE_NOSUCCEED : MPI_MODE_NOSTORE, win);   // @8
  close_window();
}
// case 9: ok (what may differ from rank to rank differs)
static void fence_differ(void) {
  open_window();
  MPI_Win_fence(MPI_MODE_NOPRECEDE | (rank == 1 ? MPI_MODE_NOPUT : 0), win);   // @9
  MPI_Win_fence(MPI_MODE_NOSUCCEED | (rank == 2 ? MPI_MODE_NOSTORE : 0), win);   // @9
  close_window();
}
// case 10: arg.assert (a store before a post with MPI_MODE_NOSTORE)
static void post_store(void) {
  open_window();
  if (!rank) {
    memory[3] = 4;
    MPI_Win_post(others, MPI_MODE_NOSTORE, win);   // @10
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(zero, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  close_window();
}
// case 11: ok (the store comes behind the post's epoch)
static void post_behind(void) {
  open_window();
  if (!rank) {
    MPI_Win_post(others, MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);   // @11
    MPI_Win_wait(win);
    memory[3] = 4;
  } else {
    MPI_Win_start(zero, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  close_window();
}
// case 12: arg.assert (a put behind a post with MPI_MODE_NOPUT)
static void post_put(void) {
  open_window();
  for (int i = 0; i < 3; i++)
    if (!rank) {
      MPI_Win_post(others, MPI_MODE_NOPUT, win);   // @12
      MPI_Win_wait(win);
    } else {
      MPI_Win_start(zero, 0, win);
      if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
      MPI_Win_complete(win);
    }
  close_window();
}
// case 13: arg.assert (nothing orders the post before the start)
static void start_early(void) {
  open_window();
  if (!rank) {
    MPI_Win_post(others, MPI_MODE_NOCHECK, win);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    MPI_Win_wait(win);
    unlink(path);
  } else {
    while (access(path, F_OK)) usleep(1000);
    MPI_Win_start(zero, MPI_MODE_NOCHECK, win);   // @13
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  close_window();
}
// case 14: ok (a barrier does, and a message)
static void start_late(void) {
  open_window();
  if (!rank) MPI_Win_post(others, MPI_MODE_NOCHECK, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank) {
    MPI_Win_start(zero, MPI_MODE_NOCHECK, win);   // @14
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  } else MPI_Win_wait(win);
  if (!rank) {
    MPI_Win_post(others, MPI_MODE_NOCHECK, win);
    for (int r = 1; r < 3; r++) MPI_Send(x, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
    MPI_Win_wait(win);
  } else {
    MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_start(zero, MPI_MODE_NOCHECK, win);   // @14
    MPI_Win_complete(win);
  }
  close_window();
}
// case 15: arg.assert (the post does not say it)
static void start_alone(void) {
  open_window();
  if (!rank) MPI_Win_post(others, 0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank) {
    MPI_Win_start(zero, MPI_MODE_NOCHECK, win);   // @15
    MPI_Win_complete(win);
  } else MPI_Win_wait(win);
  close_window();
}
// case 16: arg.assert (the other rank's lock may be held at the same time)
static void lock_both(void) {
  open_window();
  if (rank) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);   // @16
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  close_window();
}
// case 17: ok (shared locks, others' targets, one after the other)
static void lock_apart(void) {
  open_window();
  MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);   // @17
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, MPI_MODE_NOCHECK, win);   // @17
  MPI_Put(x, 1, MPI_INT, rank, 3, 1, MPI_INT, win);
  MPI_Win_unlock(rank, win);
  for (int r = 0; r < 3; r++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (r != rank) continue;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);   // @17
    MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);   // @17
  MPI_Win_unlock_all(win);
  close_window();
}
// case 18: arg.assert (an exclusive lock meets a lock of all)
static void lock_all(void) {
  open_window();
  if (rank == 1) {
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);   // @18
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
  } else if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  close_window();
}
// case 19: ok (the store lies before other synchronizations)
static void post_later(void) {
  open_window();
  memory[3] = 4;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  MPI_Win_sync(win);
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) {
    MPI_Win_post(others, MPI_MODE_NOSTORE, win);   // @19
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(zero, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  close_window();
}
// case 20: arg.assert (a message into the window)
static void fence_receive(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Recv(memory + 7, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!rank) MPI_Send(x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @20
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 21: ok (an empty message; one into other memory; one before another fence)
static void fence_receive_apart(void) {
  open_window();
  MPI_Sendrecv(x, 1, MPI_INT, rank, 1, memory, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Sendrecv(x, 0, MPI_INT, rank, 1, memory, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(memory, 1, MPI_INT, rank, 1, x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(memory, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @21
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 22: arg.assert (a get into the own window, which the fence completes)
static void fence_own_get(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 2) MPI_Get(memory + 4, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @22
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 23: ok (a get into the own window, before another fence; a put from there; a get from there)
static void fence_other_get(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 2) MPI_Get(memory + 4, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 2) MPI_Put(memory + 4, 1, MPI_INT, 0, 9, 1, MPI_INT, win), MPI_Get(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @23
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
static void post_behind_collective(int assertion, int root) {
  open_window();
  MPI_Bcast(memory + 1, 2, MPI_INT, root, MPI_COMM_WORLD);
  if (!rank) {
    MPI_Win_post(others, assertion, win);   // @24 @25
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(zero, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  close_window();
}
// case 24: arg.assert (a broadcast before a post)
// case 25: ok (of the root's own window)
// case 26: arg.assert (the result of a reduction)
static void fence_reduction(void) {
  open_window();
  MPI_Win_fence(0, win);
  MPI_Reduce(x, memory, 3, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @26
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 27: ok (which other memory has; the first rank of MPI_Exscan)
static void fence_reduction_apart(void) {
  open_window();
  MPI_Win_fence(0, win);
  MPI_Reduce(memory, x, 3, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Exscan(x, memory, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @27
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 28: arg.assert (a nonblocking receive, complete before the fence)
static void fence_irecv(void) {
  MPI_Request request;
  open_window();
  for (int i = 0; i < 3; i++) {
    MPI_Win_fence(0, win);
    MPI_Irecv(memory + rank, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
    MPI_Send(x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @28
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 29: ok (a receive around a fence; an empty message; other memory; a message that ends before the window)
static void fence_irecv_apart(void) {
  int all_of_it[8], *own = all_of_it + 4;
  MPI_Request request, receives[2];
  MPI_Win_create(own, 4 * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Irecv(own, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
  MPI_Send(x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(own, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &receives[0]);
  MPI_Irecv(x, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &receives[1]);
  MPI_Send(x + 1, 0, MPI_INT, rank, 2, MPI_COMM_WORLD);
  MPI_Send(x + 1, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
  MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
  MPI_Irecv(all_of_it, 8, MPI_INT, rank, 4, MPI_COMM_WORLD, &request);
  MPI_Send(x, 4, MPI_INT, rank, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @29
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 30: arg.assert (the result of a nonblocking reduction)
static void fence_ireduction(void) {
  MPI_Request request;
  open_window();
  MPI_Win_fence(0, win);
  MPI_Iallreduce(x, memory + 8, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @30
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 31: ok (which the fence does not come behind; which only reads the window; before another fence)
static void fence_ireduction_apart(void) {
  MPI_Request request, last;
  open_window();
  MPI_Iallreduce(x, memory + 8, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Iallreduce(memory, x, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ibcast(memory + 12, 3, MPI_INT, 0, MPI_COMM_SELF, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallreduce(x, memory + 8, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &last);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @31
  MPI_Wait(&last, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
static void receive_matched(int count, int is_waited) {
  MPI_Message message;
  MPI_Request request = MPI_REQUEST_NULL, other;
  MPI_Isend(x, count, MPI_INT, rank, 1, MPI_COMM_WORLD, &other);
  MPI_Mprobe(rank, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  if (is_waited) MPI_Imrecv(memory, 2, MPI_INT, &message, &request);
  else MPI_Mrecv(memory, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&other, MPI_STATUS_IGNORE);
}
// case 32: arg.assert (MPI_Mrecv)
// case 33: arg.assert (MPI_Imrecv)
// case 34: ok (of empty messages)
static void fence_matched(void) {
  open_window();
  MPI_Win_fence(0, win);
  receive_matched(1, 0);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @32
  receive_matched(1, 1);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @33
  receive_matched(0, 0), receive_matched(0, 1);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @34
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 35: arg.assert (a persistent receive)
static void post_started(void) {
  MPI_Request requests[2];
  open_window();
  MPI_Recv_init(memory, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; i++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (!rank) {
      MPI_Win_post(others, i ? MPI_MODE_NOSTORE : 0, win);   // @35
      MPI_Win_wait(win);
    } else {
      MPI_Win_start(zero, 0, win);
      MPI_Get(x + 1, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
      MPI_Win_complete(win);
    }
  }
  MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
  close_window();
}
static int *attach(int count) {
  int *attached = calloc((size_t)count, sizeof *attached);
  MPI_Win_attach(win, attached, (MPI_Aint)((size_t)count * sizeof *attached));
  return attached;
}
// case 36: arg.assert (a message into attached memory)
// case 37: arg.assert (a store into attached memory)
// case 38: arg.assert (into a large piece of it)
// case 39: ok (messages and stores before other fences, into other memory, and into what is attached no more)
static void fence_dynamic(void) {
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int *small = attach(8), *large = attach(1 << 16), *other = attach(8);
  large[0] = small[0] = 1;
  MPI_Win_fence(0, win);
  MPI_Sendrecv(x, 1, MPI_INT, rank, 1, small, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @36
  small[2] = 7;
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @37
  for (int i = 0; i < 100; i++) large[i] = i;
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @38
  large[0] = small[0] = 1;
  MPI_Sendrecv(x, 1, MPI_INT, rank, 1, small, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Win_detach(win, other);
  other[0] = large[2] + small[2];
  MPI_Sendrecv(small, 2, MPI_INT, rank, 1, other, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @39
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_detach(win, small), MPI_Win_detach(win, large);
  MPI_Win_free(&win);
  free(small), free(large), free(other);
}
// case 40: ok (a collective that fails: nobody knows that it has written)
static void fence_failed(void) {
  open_window();
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, win);
  int rc = MPI_Gather(x, 2, MPI_INT, memory, 1, MPI_INT, 0, MPI_COMM_SELF);   // @40
  MPI_Win_fence(rc != MPI_SUCCESS ? MPI_MODE_NOSTORE : 0, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  close_window();
}
// case 41: arg.assert (a get with a request)
static void post_rget(void) {
  MPI_Request request;
  MPI_Win other;
  int exposed[4] = {0};
  open_window();
  MPI_Win_create(exposed, sizeof exposed, sizeof *exposed, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, other);
  MPI_Rget(memory + 4, 1, MPI_INT, 1, 0, 1, MPI_INT, other, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock(1, other);
  if (!rank) {
    MPI_Win_post(others, MPI_MODE_NOSTORE, win);   // @41
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(zero, 0, win);
    MPI_Win_complete(win);
  }
  MPI_Win_free(&other);
  close_window();
}
// case 42: arg.assert (a fence of a window that has lock epochs, too)
static void fence_put_locked(void) {
  open_window();
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) {
    MPI_Win_fence(0, win);
    MPI_Put(x, 1, MPI_INT, (rank + 1) % 3, 40, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPUT, win);   // @42
    if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 20, 1, MPI_INT, win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  close_window();
}
// case 43: ok (the put is in another epoch, and one of them in a lock epoch)
static void fence_get_locked(void) {
  open_window();
  for (int i = 0; i < 2; i++) {
    MPI_Win_fence(0, win);
    MPI_Put(x, 1, MPI_INT, (rank + 1) % 3, 40, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPUT, win);
    if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, 20, 1, MPI_INT, win);
  }
  MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Put(x, 1, MPI_INT, 0, 20 + rank, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  close_window();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.posted", argv[0]);
  if (!rank) unlink(path);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, (int[]){1, 2}, &others);
  MPI_Group_incl(all, 1, (int[]){0}, &zero);
  fence_store(), fence_store_before(), first_fence(), fence_put(), fence_get(), fence_precede();
  fence_one(), fence_last(), fence_differ();
  post_store(), post_behind(), post_put();
  start_early(), start_late(), start_alone();
  lock_both(), lock_apart(), lock_all(), post_later();
  fence_receive(), fence_receive_apart(), fence_own_get(), fence_other_get();
  post_behind_collective(MPI_MODE_NOSTORE, 1), post_behind_collective(MPI_MODE_NOSTORE, 0);
  fence_reduction(), fence_reduction_apart(), fence_irecv(), fence_irecv_apart();
  fence_ireduction(), fence_ireduction_apart();
  fence_matched(), post_started(), fence_dynamic();
  fence_failed(), post_rget();
  fence_put_locked(), fence_get_locked();
  MPI_Group_free(&all), MPI_Group_free(&others), MPI_Group_free(&zero);
  MPI_Finalize();
  return 0;
}
