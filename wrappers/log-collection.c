// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings logs of several nodes into one directory (log-collection.h).
//
// A process knows of a log by its name only. All agree on the process that reads it: of those that see it the first one
// from process N mod K on, for rank N and K processes. So the work is shared where all see all.
#include "log-collection.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/base.h"
#include "word-list.h"

enum { PIECE = 1 << 20, TAG = 1, RANKS_MAX = 1 << 22 };

// The files of a rank: its log, the next one of a run that died while logs were cut, the trace of --flow.
static const char *const suffixes[] = {"log", "next", "flow"};
enum { LOG, SUFFIXES = sizeof suffixes / sizeof *suffixes };

struct file {
  uint32_t rank, suffix, dir;
};
struct sight { // what this process sees
  struct file *files;
  size_t count, capacity;
};

static bool is_file_of_rank(const char *name, struct file *file) {
  if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9') return false;
  char *end;
  unsigned long rank = strtoul(name + 5, &end, 10);
  if (rank >= RANKS_MAX || *end != '.') return false;
  for (uint32_t i = 0; i < SUFFIXES; i++)
    if (strcmp(end + 1, suffixes[i]) == 0) return *file = (struct file){(uint32_t)rank, i, 0}, true;
  return false;
}

static void look(struct sight *sight, char *const *dirs) {
  for (uint32_t d = 0; dirs[d]; d++) {
    DIR *stream = opendir(dirs[d]);
    struct file file;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
      if (is_file_of_rank(entry->d_name, &file)) {
        file.dir = d;
        if (!MCK_PUSH(sight->files, sight->count, sight->capacity, file)) break;
      }
    if (stream) closedir(stream);
  }
}

static int compare_files(const void *a, const void *b) {
  const struct file *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->dir != y->dir) return x->dir < y->dir ? -1 : 1;
  return x->suffix < y->suffix ? -1 : x->suffix > y->suffix;
}

// Keeps those that this process is to read: of each rank the files of the first directory that has its log.
static bool choose(struct sight *sight, MPI_Comm comm, struct mck_collection *result) {
  int process, nprocesses;
  MPI_Comm_rank(comm, &process);
  MPI_Comm_size(comm, &nprocesses);
  uint32_t n = 0;
  for (size_t i = 0; i < sight->count; i++)
    if (sight->files[i].rank >= n) n = sight->files[i].rank + 1;
  MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_UINT32_T, MPI_MAX, comm);
  // Distance of the first process that sees the log, from process N mod K on.
  uint32_t *nearest = malloc((n + 1) * sizeof *nearest), *own = malloc((n + 1) * sizeof *own);
  int is_good = nearest && own;
  MPI_Allreduce(MPI_IN_PLACE, &is_good, 1, MPI_INT, MPI_MIN, comm);
  if (is_good) {
    for (uint32_t r = 0; r < n; r++) own[r] = UINT32_MAX;
    for (size_t i = 0; i < sight->count; i++) {
      uint32_t rank = sight->files[i].rank, k = (uint32_t)nprocesses;
      if (sight->files[i].suffix == LOG) own[rank] = ((uint32_t)process + k - rank % k) % k;
    }
    MPI_Allreduce(own, nearest, (int)n, MPI_UINT32_T, MPI_MIN, comm);
    if (sight->count) qsort(sight->files, sight->count, sizeof *sight->files, compare_files);
    size_t kept = 0;
    uint32_t last = UINT32_MAX, dir = 0;
    for (size_t i = 0; i < sight->count; i++) {
      struct file file = sight->files[i];
      if (own[file.rank] == UINT32_MAX || own[file.rank] != nearest[file.rank]) continue;
      if (file.suffix == LOG && file.rank != last) last = file.rank, dir = file.dir;
      if (file.rank == last && file.dir == dir) sight->files[kept++] = file;
    }
    sight->count = kept;
    for (uint32_t r = 0; r < n; r++) result->nlogs += nearest[r] != UINT32_MAX;
    result->nranks = n;
  }
  free(nearest), free(own);
  return is_good;
}

// A descriptor of the file, or -1; a link or a file of another user is none of ours.
static int open_file(const struct file *file, char *const *dirs, uint64_t *size) {
  char *path = mck_words_print("%s/rank-%u.%s", dirs[file->dir], file->rank, suffixes[file->suffix]);
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid())) close(fd), fd = -1;
  if (fd < 0) mck_base_warn("cannot read the log %s", path);
  *size = fd >= 0 ? (uint64_t)st.st_size : 0;
  free(path);
  return fd;
}

static bool is_moved(int from, int to, void *piece, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t n = from >= 0 ? read(from, (char *)piece + at, size - at) : write(to, (char *)piece + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += (size_t)n;
  }
  return true;
}

static int create(const char *to, uint32_t rank, uint32_t suffix) {
  char *path = mck_words_print("%s/rank-%u.%s", to, rank, suffixes[suffix]);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) mck_base_warn("cannot write %s: %s", path, strerror(errno));
  free(path);
  return fd;
}

// What comes before the bytes of a file; a suffix of SUFFIXES ends the list. A piece that cannot be read is sent as
// zeros and counted.
struct head {
  uint64_t rank, suffix, bytes;
};

static void send_files(const struct sight *sight, char *const *dirs, char *piece, MPI_Comm comm, uint32_t *bad) {
  char go;
  MPI_Recv(&go, 1, MPI_CHAR, 0, TAG, comm, MPI_STATUS_IGNORE); // one process at a time
  for (size_t i = 0; i < sight->count; i++) {
    const struct file *file = &sight->files[i];
    struct head head = {file->rank, file->suffix, 0};
    int fd = open_file(file, dirs, &head.bytes);
    if (fd < 0) ++*bad;
    MPI_Send(&head, sizeof head, MPI_BYTE, 0, TAG, comm);
    for (uint64_t at = 0; at < head.bytes; at += PIECE) {
      size_t n = head.bytes - at < PIECE ? (size_t)(head.bytes - at) : PIECE;
      if (!is_moved(fd, -1, piece, n)) memset(piece, 0, n), ++*bad; // the log is then a damaged one
      MPI_Send(piece, (int)n, MPI_BYTE, 0, TAG, comm);
    }
    if (fd >= 0) close(fd);
  }
  MPI_Send(&(struct head){0, SUFFIXES, 0}, sizeof(struct head), MPI_BYTE, 0, TAG, comm);
}

static void receive_files(int process, const char *to, char *piece, MPI_Comm comm, struct mck_collection *result,
                          uint32_t *bad) {
  MPI_Send("", 1, MPI_CHAR, process, TAG, comm);
  for (;;) {
    struct head head;
    MPI_Recv(&head, sizeof head, MPI_BYTE, process, TAG, comm, MPI_STATUS_IGNORE);
    if (head.suffix >= SUFFIXES) return;
    int fd = head.bytes ? create(to, (uint32_t)head.rank, (uint32_t)head.suffix) : -1;
    *bad += fd < 0;
    for (uint64_t at = 0; at < head.bytes; at += PIECE) {
      size_t n = head.bytes - at < PIECE ? (size_t)(head.bytes - at) : PIECE;
      MPI_Recv(piece, (int)n, MPI_BYTE, process, TAG, comm, MPI_STATUS_IGNORE);
      if (fd >= 0 && !is_moved(-1, fd, piece, n)) {
        mck_base_warn("cannot write to %s: %s", to, strerror(errno));
        close(fd), fd = -1, ++*bad;
      }
    }
    if (fd >= 0) close(fd);
    result->bytes += head.bytes;
  }
}

static void copy_own(const struct sight *sight, char *const *dirs, const char *to, char *piece,
                     struct mck_collection *result, uint32_t *bad) {
  for (size_t i = 0; i < sight->count; i++) {
    uint64_t size;
    int fd = open_file(&sight->files[i], dirs, &size),
        out = fd >= 0 ? create(to, sight->files[i].rank, sight->files[i].suffix) : -1;
    bool is_good = out >= 0;
    for (uint64_t at = 0; is_good && at < size; at += PIECE) {
      size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;
      is_good = is_moved(fd, -1, piece, n) && is_moved(-1, out, piece, n);
    }
    *bad += !is_good;
    if (fd >= 0) close(fd);
    if (out >= 0) close(out);
    result->bytes += size;
  }
}

static uint64_t size_of(const struct sight *sight, char *const *dirs) {
  uint64_t sum = 0;
  for (size_t i = 0; i < sight->count; i++) {
    char *path = mck_words_print("%s/rank-%u.%s", dirs[sight->files[i].dir], sight->files[i].rank,
                                 suffixes[sight->files[i].suffix]);
    struct stat st;
    if (lstat(path, &st) == 0) sum += (uint64_t)st.st_size;
    free(path);
  }
  return sum;
}

bool mck_collect_logs(char *const *dirs, const char *to, uint64_t max, MPI_Comm comm, struct mck_collection *result) {
  int process, nprocesses;
  MPI_Comm_rank(comm, &process);
  MPI_Comm_size(comm, &nprocesses);
  *result = (struct mck_collection){0};
  struct sight sight = {0};
  look(&sight, dirs);
  char *piece = malloc(PIECE);
  int is_good = choose(&sight, comm, result) && piece;
  MPI_Allreduce(MPI_IN_PLACE, &is_good, 1, MPI_INT, MPI_MIN, comm);
  uint64_t bytes = size_of(&sight, dirs);
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, comm);
  bool is_wanted = is_good && bytes && bytes <= max;
  uint32_t bad = 0;
  if (is_wanted && process) send_files(&sight, dirs, piece, comm, &bad);
  if (is_wanted && !process) copy_own(&sight, dirs, to, piece, result, &bad);
  for (int p = 1; is_wanted && !process && p < nprocesses; p++) receive_files(p, to, piece, comm, result, &bad);
  MPI_Allreduce(&bad, &result->nbad, 1, MPI_UINT32_T, MPI_SUM, comm);
  if (!is_wanted) result->bytes = bytes;
  free(piece), free(sight.files);
  return is_wanted;
}
