// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronization of windows and what may happen at once: MPI-3.1 11.3, 11.5, 11.7.
#include "corner.h"

enum { CELLS = 16 };
static int *cells;
static MPI_Win window;

static void open_window(void) {
  MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &cells, &window);
  memset(cells, 0, CELLS * sizeof(int));
  MPI_Barrier(comm);
}
static void close_window(void) { MPI_Win_free(&window); }

static void assertions(void) {
  open_window();
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE, window);
  int got = -1;
  MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, window);
  IS(got == rank && cells[0] == left);
  close_window();
}

static void fences_in_a_row(void) {
  open_window();
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, window);
  cells[0] = rank;
  MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, window);
  IS(cells[0] == rank);
  close_window();
}

static void side_by_side(void) {  // everybody writes a cell of its own of rank 0, and its own memory elsewhere
  open_window();
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
  cells[CELLS - 1] = 5;
  MPI_Win_fence(0, window);
  IS(cells[CELLS - 1] == 5 && (rank || cells[size - 1] == size - 1));
  close_window();
}

static void many_readers(void) {  // gets of one place from everywhere, the owner reads too
  int got[2] = {-1, -1}, own;
  open_window();
  cells[0] = 8;
  MPI_Win_fence(0, window);
  MPI_Get(&got[0], 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Get(&got[1], 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  own = cells[0];
  MPI_Win_fence(0, window);
  IS(got[0] == 8 && got[1] == 8 && own == 8);
  close_window();
}

static void sums(void) {  // accumulates of one operation and type may meet
  int one = 1;
  open_window();
  MPI_Win_fence(0, window);
  for (int i = 0; i < 3; i++) MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  IS(rank || cells[0] == 3 * size);
  close_window();
}

static void replacements(void) {  // MPI_REPLACE among itself: one of the values
  open_window();
  MPI_Win_fence(0, window);
  MPI_Accumulate(&size, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
  MPI_Win_fence(0, window);
  IS(rank || cells[0] == size);
  close_window();
}

static void again_next_epoch(void) {
  int value[3] = {0, 1, 2};
  open_window();
  for (int i = 0; i < 3; i++) {
    MPI_Win_fence(0, window);
    if (i % size == rank) MPI_Put(&value[i], 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  }
  MPI_Win_fence(0, window);
  IS(rank || cells[0] == 2);
  close_window();
}

static void no_partners(void) {
  MPI_Group all, none;
  open_window();
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 0, NULL, &none);
  MPI_Win_post(none, 0, window);
  MPI_Win_start(MPI_GROUP_EMPTY, 0, window);
  MPI_Group_free(&none);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  IS(none == MPI_GROUP_NULL);
  MPI_Group_free(&all);
  close_window();
}

static void groups_freed(void) {  // post and start have read their groups
  MPI_Group all, from, to;
  int flag = 0;
  open_window();
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Group_free(&all);
  MPI_Win_post(from, 0, window);
  MPI_Group_free(&from);
  MPI_Win_start(to, 0, window);
  MPI_Group_free(&to);
  MPI_Put(&rank, 1, MPI_INT, right, 3, 1, MPI_INT, window);
  MPI_Win_complete(window);
  while (!flag) MPI_Win_test(window, &flag);
  IS(cells[3] == left);
  close_window();
}

static void with_oneself(void) {  // a process may be in its own groups
  MPI_Group self;
  open_window();
  MPI_Comm_group(MPI_COMM_SELF, &self);
  MPI_Win_post(self, 0, window);
  MPI_Win_start(self, 0, window);
  MPI_Put(&size, 1, MPI_INT, rank, 1, 1, MPI_INT, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Group_free(&self);
  IS(cells[1] == size);
  close_window();
}

static void read_after_local(void) {  // what a get has brought is there after a local flush
  int got = -1, other = -1;
  open_window();
  cells[0] = 10 + rank;
  MPI_Barrier(comm);
  MPI_Win_lock_all(0, window);
  MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_flush_local(right, window);
  IS(got == 10 + right);
  got++;
  MPI_Get(&other, 1, MPI_INT, left, 0, 1, MPI_INT, window);
  MPI_Win_flush_local_all(window);
  IS(other == 10 + left && got == 11 + right);
  MPI_Win_unlock_all(window);
  close_window();
}

static void sent_and_put(void) {  // one buffer for messages and puts: all of them only read it
  int x = rank, in = -1, sum = 0;
  MPI_Request request[2];
  open_window();
  MPI_Win_fence(0, window);
  MPI_Irecv(&in, 1, MPI_INT, left, 1, comm, &request[0]);
  MPI_Isend(&x, 1, MPI_INT, right, 1, comm, &request[1]);
  MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Put(&x, 1, MPI_INT, right, 1, 1, MPI_INT, window);
  sum += x;
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Win_fence(0, window);
  x = -1;
  IS(in == left && cells[0] == left && cells[1] == left && sum == rank);
  close_window();
}

static void received_into_a_window(void) {  // outside of epochs it is memory like any other
  MPI_Request request;
  open_window();
  MPI_Irecv(&cells[4], 1, MPI_INT, left, 1, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, window);
  int got = -1;
  MPI_Get(&got, 1, MPI_INT, right, 4, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  IS(got == rank && cells[4] == left);
  close_window();
}

static void own_lock(void) {
  open_window();
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Put(&size, 1, MPI_INT, rank, 2, 1, MPI_INT, window);
  MPI_Win_flush(rank, window);
  IS(cells[2] == size);
  cells[2]++;
  MPI_Win_unlock(rank, window);
  IS(cells[2] == size + 1);
  close_window();
}

static void idle_lock(void) {
  open_window();
  MPI_Win_lock_all(0, window);
  MPI_Win_flush_all(window);
  MPI_Win_flush_local_all(window);
  MPI_Win_unlock_all(window);
  IS(cells[0] == 0);
  close_window();
}

static void reused_after_local(void) {  // the origin buffer is free again after a local flush
  int x = rank;
  open_window();
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
  MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_flush_local(right, window);
  x = -1;
  MPI_Win_unlock(right, window);
  MPI_Barrier(comm);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  IS(cells[0] == left && x == -1);
  MPI_Win_unlock(rank, window);
  close_window();
}

static void requests_of_all_kinds(void) {
  int put = rank, get = -1, add = 2, old = -1, message = -1;
  MPI_Request request[6];
  open_window();
  MPI_Win_lock_all(0, window);
  MPI_Rput(&put, 1, MPI_INT, right, 0, 1, MPI_INT, window, &request[0]);
  MPI_Rget(&get, 1, MPI_INT, right, 1, 1, MPI_INT, window, &request[1]);
  MPI_Raccumulate(&add, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, window, &request[2]);
  MPI_Rget_accumulate(&add, 1, MPI_INT, &old, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_SUM, window, &request[3]);
  MPI_Irecv(&message, 1, MPI_INT, left, 1, comm, &request[4]);
  MPI_Isend(&rank, 1, MPI_INT, right, 1, comm, &request[5]);
  MPI_Waitall(6, request, MPI_STATUSES_IGNORE);
  put = add = -1;  // locally complete
  IS(get == 0 && old == 0 && message == left);
  MPI_Win_unlock_all(window);
  MPI_Barrier(comm);
  IS(cells[0] == left && cells[2] == 2 && cells[3] == 2);
  close_window();
}

static void atomics(void) {  // a counter; compare-and-swap on a cell that only it touches
  int one = 1, old = -1, zero = 0, seen = -1, me = rank + 1;
  open_window();
  MPI_Win_lock_all(0, window);
  MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, window);
  MPI_Compare_and_swap(&me, &zero, &seen, MPI_INT, 0, 1, window);
  MPI_Win_flush(0, window);
  MPI_Win_unlock_all(window);
  IS(old >= 0 && old < size && seen >= 0 && seen <= size && seen != me);
  MPI_Barrier(comm);
  IS(rank || (cells[0] == size && cells[1] >= 1));
  close_window();
}

static void ordered_by_messages(void) {  // a flush, then a message: the target may read
  open_window();
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_flush(right, window);
  MPI_Sendrecv(NULL, 0, MPI_INT, right, 1, NULL, 0, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  MPI_Win_sync(window);
  IS(cells[0] == left);
  MPI_Win_unlock_all(window);
  close_window();
}

static void in_turn(void) {  // one lock after the other on one cell
  open_window();
  for (int i = 0; i < 3; i++) {
    int x;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    x++;
    MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(comm);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, window);
  IS(rank || cells[0] == 3 * size);
  MPI_Win_unlock(0, window);
  close_window();
}

TABLE(epochs) = {
    {"11.5.5", "fences with assertions that are true", assertions},
    {"11.5.1", "fences in a row, and the last one before local use", fences_in_a_row},
    {"11.7", "neighbors in one window", side_by_side},
    {"11.7", "reading together", many_readers},
    {"11.7.1", "accumulates of one operation meet", sums},
    {"11.3.4", "MPI_REPLACE meets itself", replacements},
    {"11.7", "the same cell in the next epoch", again_next_epoch},
    {"11.5.2", "post and start without partners", no_partners},
    {"11.5.2", "groups are freed within the epoch", groups_freed},
    {"11.5.2", "post and start with oneself", with_oneself},
    {"11.5.4", "what a get brought, after a local flush", read_after_local},
    {"11.3", "a buffer that is sent and put at once", sent_and_put},
    {"11.7", "a message is received into a window outside of epochs", received_into_a_window},
    {"11.5.3", "a lock on oneself, a flush, a load", own_lock},
    {"11.5.4", "locks and flushes without operations", idle_lock},
    {"11.5.4", "the origin buffer after a local flush", reused_after_local},
    {"11.3.5", "requests of one-sided operations and of messages together", requests_of_all_kinds},
    {"11.3.4", "counters and compare-and-swap", atomics},
    {"11.7.2", "a flush and a message order a load", ordered_by_messages},
    {"11.5.3", "exclusive locks in turn", in_turn},
    END};
