// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets ranks sleep while rank 0 works (rank-sleep.h). The message goes down a wide tree, because each level adds a
// sleep. No rank waits for the bell longer than BELL: it does not ring if rank 0 has died. The library then knows of
// the death.
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
enum { SHORTEST = 30 * 1000, LONGEST = 500 * 1000, BELL = 20 * 1000 * 1000 }; // ns

void mck_rest_open(struct mck_rest *rest, const struct mck_reader *own, const char *dir) {
  const struct mck_log_header *h = own->header;
  char path[4096];
  *rest = (struct mck_rest){0};
  if (h->rank == 0) rest->bell = (_Atomic uint32_t *)&h->rests; // in this process's own log, which it may write
  if (h->rank == 0 || !dir || snprintf(path, sizeof path, "%s/rank-0.log", dir) >= (int)sizeof path) return;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return;
  void *map = lseek(fd, 0, SEEK_END) >= MCK_LOG_HEADER ? mmap(NULL, MCK_LOG_HEADER, PROT_READ, MAP_SHARED, fd, 0)
                                                       : MAP_FAILED;
  close(fd);
  if (map == MAP_FAILED) return;
  struct mck_log_header *other = rest->map = map;
  if (other->rank == 0 && other->job == h->job && other->size == h->size) rest->bell = &other->rests;
}

void mck_rest_close(struct mck_rest *rest) {
  if (rest->map) munmap(rest->map, MCK_LOG_HEADER);
  *rest = (struct mck_rest){0};
}

// Returns false when the bell has rung, or when there is none. Then a clock must do.
static bool wait_for_bell(struct mck_rest *rest) {
  uint32_t now = rest->bell ? atomic_load(rest->bell) : UINT32_MAX;
  if (now >= rest->nth) return false;
  struct timespec limit = {.tv_nsec = BELL};
  if (syscall(SYS_futex, rest->bell, FUTEX_WAIT, now, &limit, NULL, 0) == 0 || errno == EAGAIN || errno == ETIMEDOUT ||
      errno == EINTR)
    return true;
  rest->bell = NULL;
  return false;
}

int mck_rest(struct mck_rest *rest, MPI_Comm comm) {
  int rank, size, is_there = 0, rc = MPI_SUCCESS;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  rest->nth++;
  MPI_Request parent = MPI_REQUEST_NULL;
  if (rank) rc = PMPI_Irecv(NULL, 0, MPI_BYTE, (rank - 1) / CHILDREN, TAG, comm, &parent);
  for (long sleep = SHORTEST; rank && rc == MPI_SUCCESS && !is_there;) {
    rc = PMPI_Test(&parent, &is_there, MPI_STATUS_IGNORE);
    if (is_there || wait_for_bell(rest)) continue;
    nanosleep(&(struct timespec){.tv_nsec = sleep}, NULL);
    sleep = sleep * 3 / 2 < LONGEST ? sleep * 3 / 2 : LONGEST;
  }
  for (long child = (long)rank * CHILDREN + 1;
       rc == MPI_SUCCESS && child < size && child <= ((long)rank + 1) * CHILDREN; child++)
    rc = PMPI_Send(NULL, 0, MPI_BYTE, (int)child, TAG, comm);
  if (rank || !rest->bell) return rc;
  atomic_store(rest->bell, rest->nth);
  syscall(SYS_futex, rest->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  return rc;
}
