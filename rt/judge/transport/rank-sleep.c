// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets ranks sleep while rank 0 works (rank-sleep.h). The message goes down a wide tree, because each level adds a
// sleep. A rank looks for the message after WAIT_MAX at the latest: no wakeup comes if rank 0 has died, and the library
// then knows of the death.
#include "judge/transport/rank-sleep.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 64, TAG = 5 };
enum { SHORTEST = 30 * 1000, LONGEST = 500 * 1000, WAIT_MAX = 20 * 1000 * 1000 }; // ns

void mck_rank_sleep_open(struct mck_rank_sleep *rank_sleep, const struct mck_reader *own, const char *dir) {
  const struct mck_log_header *h = own->header;
  char path[4096];
  *rank_sleep = (struct mck_rank_sleep){0};
  // Rank 0 may write the header, which is in its own log.
  if (h->rank == 0) rank_sleep->wakeups = (_Atomic uint32_t *)&h->wakeups;
  if (h->rank == 0 || !dir || snprintf(path, sizeof path, "%s/rank-0.log", dir) >= (int)sizeof path) return;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return;
  void *map = lseek(fd, 0, SEEK_END) >= MCK_LOG_HEADER ? mmap(NULL, MCK_LOG_HEADER, PROT_READ, MAP_SHARED, fd, 0)
                                                       : MAP_FAILED;
  close(fd);
  if (map == MAP_FAILED) return;
  struct mck_log_header *other = rank_sleep->map = map;
  if (other->rank == 0 && other->job == h->job && other->size == h->size) rank_sleep->wakeups = &other->wakeups;
}

void mck_rank_sleep_close(struct mck_rank_sleep *rank_sleep) {
  if (rank_sleep->map) munmap(rank_sleep->map, MCK_LOG_HEADER);
  *rank_sleep = (struct mck_rank_sleep){0};
}

// Returns false when the wakeup has come, or when there is none. Then the rank sleeps by the clock.
static bool wait_for_wakeup(struct mck_rank_sleep *rank_sleep) {
  uint32_t now = rank_sleep->wakeups ? atomic_load(rank_sleep->wakeups) : UINT32_MAX;
  if (now >= rank_sleep->nth) return false;
  struct timespec limit = {.tv_nsec = WAIT_MAX};
  if (syscall(SYS_futex, rank_sleep->wakeups, FUTEX_WAIT, now, &limit, NULL, 0) == 0 || errno == EAGAIN ||
      errno == ETIMEDOUT || errno == EINTR)
    return true;
  rank_sleep->wakeups = NULL;
  return false;
}

int mck_rank_sleep_wait(struct mck_rank_sleep *rank_sleep, MPI_Comm comm) {
  int rank, size, is_there = 0, rc = MPI_SUCCESS;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  rank_sleep->nth++;
  MPI_Request parent = MPI_REQUEST_NULL;
  if (rank) rc = PMPI_Irecv(NULL, 0, MPI_BYTE, (rank - 1) / CHILDREN, TAG, comm, &parent);
  for (long sleep = SHORTEST; rank && rc == MPI_SUCCESS && !is_there;) {
    rc = PMPI_Test(&parent, &is_there, MPI_STATUS_IGNORE);
    if (is_there || wait_for_wakeup(rank_sleep)) continue;
    nanosleep(&(struct timespec){.tv_nsec = sleep}, NULL);
    sleep = sleep * 3 / 2 < LONGEST ? sleep * 3 / 2 : LONGEST;
  }
  for (long child = (long)rank * CHILDREN + 1;
       rc == MPI_SUCCESS && child < size && child <= ((long)rank + 1) * CHILDREN; child++)
    rc = PMPI_Send(NULL, 0, MPI_BYTE, (int)child, TAG, comm);
  if (rank || !rank_sleep->wakeups) return rc;
  atomic_store(rank_sleep->wakeups, rank_sleep->nth);
  syscall(SYS_futex, rank_sleep->wakeups, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  return rc;
}
