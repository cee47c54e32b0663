// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the headers of the logs, and all wait marks once a period.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "watch/thread/watch-thread.h"

bool mck_watch_path(const struct mck_watch *w, uint32_t rank, char *path, size_t size) {
  int n = snprintf(path, size, "%s/rank-%u.log", w->dir, rank);
  return n > 0 && (size_t)n < size;
}

// Maps the header of a log: a regular file of our own user, and no symbolic link. Returns 0, EAGAIN when it is not
// there yet, or the errno of the refusal.
static int open_header(const char *path, uint32_t rank, uint32_t size, const struct mck_log_header **header) {
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? EAGAIN : errno;
  struct stat st;
  int rc = fstat(fd, &st)                                   ? errno
           : !S_ISREG(st.st_mode) || st.st_uid != geteuid() ? EPERM
           : st.st_size < MCK_LOG_HEADER                    ? EAGAIN
                                                            : 0;
  void *map = rc ? MAP_FAILED : mmap(NULL, MCK_LOG_HEADER, PROT_READ, MAP_SHARED, fd, 0);
  if (!rc && map == MAP_FAILED) rc = errno;
  close(fd);
  if (rc) return rc;
  const struct mck_log_header *h = map;
  // The writer sets the magic last. Before that the header is incomplete.
  bool is_blank = !*(const volatile char *)&h->magic[7];
  atomic_thread_fence(memory_order_acquire);
  if (is_blank) rc = EAGAIN;
  else if (memcmp(h->magic, MCK_LOG_MAGIC, 8) || h->version != MCK_LOG_VERSION || h->rank != rank || h->size != size)
    rc = EINVAL;
  if (rc) munmap(map, MCK_LOG_HEADER);
  else *header = h;
  return rc;
}

bool mck_watch_open_headers(struct mck_watch *w) {
  for (; w->nopened < w->nhere; w->nopened++) {
    char path[sizeof w->dir + 32];
    uint32_t rank = mck_watch_rank(w, w->nopened);
    int rc = mck_watch_path(w, rank, path, sizeof path) ? open_header(path, rank, w->size, &w->headers[w->nopened])
                                                        : ENAMETOOLONG;
    if (rc == EAGAIN) return true;
    if (!rc) continue;
    mck_base_warn("no deadlock watch: %s: %s; remove the directory and run again", path,
                  rc == EPERM    ? "not a regular file of ours"
                  : rc == EINVAL ? "not the log of this rank"
                                 : strerror(rc));
    return false;
  }
  return true;
}

// The log has been recycled: it has another file now, with other events. Until that is found, the mark of the old file
// counts, which is 0.
static void renew_header(struct mck_watch *w, uint32_t place) {
  char path[sizeof w->dir + 32];
  uint32_t rank = mck_watch_rank(w, place);
  const struct mck_log_header *old = w->headers[place], *new;
  if (!atomic_load_explicit(&old->is_superseded, memory_order_acquire) || !mck_watch_path(w, rank, path, sizeof path))
    return;
  if (open_header(path, rank, w->size, &new)) return;
  w->headers[place] = new;
  w->seen[place].wait = 0;
  munmap((void *)old, MCK_LOG_HEADER);
}

static uint64_t read_mark(const struct mck_log_header *h) {
  return atomic_load_explicit(&h->wait, memory_order_acquire);
}

// Several threads may call MPI. The look counts when all of them have been seen waiting.
static void look_at_threads(struct seen *s, const struct mck_log_header *h, bool is_early) {
  uint64_t picture = mck_threads_picture(h);
  if (!s->threads) s->threads = calloc(1, sizeof *s->threads);
  bool are_waiting = s->threads && mck_threads_look(s->threads, h, picture);
  s->looks = are_waiting && picture == s->wait ? s->looks + (s->looks < UINT32_MAX && !is_early) : 0;
  s->patience = s->looks && s->threads->is_progressing ? MCK_PATIENCE_SHORT : MCK_PATIENCE_NONE;
  s->polls = MCK_POLLS_NOT;
  s->wait = picture;
}

static void look_at_mark(struct mck_watch *w, struct seen *s, const struct mck_log_header *h, int64_t now) {
  uint64_t wait = read_mark(h);
  s->looks = wait && wait == s->wait ? s->looks + (s->looks < UINT32_MAX && !w->is_early) : wait != 0;
  if (s->looks == LOOKS_STUCK) mck_patience_begin(&s->stillness, (long)h->pid);
  s->patience = (uint8_t)mck_patience_of(&s->stillness, (long)h->pid, s->looks);
  s->polls = mck_polling_look(&s->polling, h, now, (int64_t)mck_options.polling_time * 1000000000);
  if (wait) s->polls = MCK_POLLS_NOT;
  if (s->polls) s->patience = MCK_PATIENCE_SHORT;
  s->wait = wait;
}

bool mck_watch_look(struct mck_watch *w, int64_t now, uint64_t *fingerprint) {
  uint64_t hash = 0;
  bool is_stuck = false, has_left = false;
  for (uint32_t i = 0; i < w->nhere; i++) {
    struct seen *s = &w->seen[i];
    renew_header(w, i);
    if (mck_threads_are_several(w->headers[i])) look_at_threads(s, w->headers[i], w->is_early);
    else look_at_mark(w, s, w->headers[i], now);
    s->state = atomic_load_explicit(&w->headers[i]->state, memory_order_acquire);
    has_left |= s->state == MCK_LOG_EXITED;
    // An attempt over several nodes moves logs. It waits for news that will surely come.
    bool is_still = s->looks >= (w->tree ? MCK_LOOKS_SHORT : LOOKS_STUCK);
    uint64_t words[3] = {is_still ? s->wait : 0, s->patience | (uint64_t)s->polls << 8, s->state};
    hash = mck_base_hash(words, sizeof words, hash);
    is_stuck |= is_still || s->polls;
  }
  *fingerprint = hash;
  // A deadlock can stand here only when the launcher lets the others wait for ever. The judge reports the rest.
  w->has_left = has_left;
  w->looks_left = has_left ? w->looks_left + (w->looks_left < LOOKS_LEFT) : 0;
  if (has_left && w->looks_left < LOOKS_LEFT) return false;
  if (w->tree && w->nodes->mine == 0) {
    uint64_t others = mck_tree_fingerprint(w->tree);
    is_stuck |= others != 0;
    if (others) *fingerprint = hash = mck_base_hash(&others, sizeof others, hash);
  }
  return is_stuck && hash != w->tried;
}

// May something that the log does not show set the process free? Code may send and receive unseen. Under
// MPI_THREAD_MULTIPLE a thread that is not followed may set its own process free. Ask this before is_multiple is read:
// a thread that has ended by now has left its mark there.
bool mck_watch_has_hidden_calls(const struct mck_log_header *h) {
  if (atomic_load_explicit(&h->is_multiple, memory_order_relaxed) & MCK_LOG_UNSEEN) return true;
  uint32_t nothers = atomic_load_explicit(&h->nothers, memory_order_relaxed);
  if (!nothers) return false;
  unsigned n = mck_base_count_threads((long)h->pid);
  atomic_thread_fence(memory_order_acquire);
  return !n || n > nothers + mck_threads_count(h);
}

static uint32_t get_marks(const struct mck_log_header *h) {
  return (atomic_load(&h->is_multiple) & 0xff) | (atomic_load(&h->is_incomplete) & 0xff) << 8 |
         (atomic_load(&h->is_superseded) & 0xff) << 16;
}

uint64_t mck_watch_stands_in(const struct mck_watch *w, uint32_t place) {
  const struct seen *s = &w->seen[place];
  uint64_t wait = read_mark(w->headers[place]);
  if (mck_threads_are_several(w->headers[place])) return 0;
  return s->looks >= LOOKS_STUCK && wait == s->wait && !mck_watch_has_hidden_calls(w->headers[place]) ? wait : 0;
}

uint32_t mck_watch_find_threads(const struct mck_watch *w, uint32_t place,
                                struct mck_thread_wait waits[MCK_THREADS_MAX]) {
  const struct seen *s = &w->seen[place];
  const struct mck_log_header *h = w->headers[place];
  if (!mck_threads_are_several(h) || s->looks < LOOKS_STUCK) return 0;
  uint32_t n = mck_threads_list(h, waits);
  // A thread that is new, or goes on, has changed the picture, or is one that is not followed.
  return mck_threads_picture(h) == s->wait && !mck_watch_has_hidden_calls(h) ? n : 0;
}

enum mck_polls mck_watch_polls(const struct mck_watch *w, uint32_t place) {
  const struct seen *s = &w->seen[place];
  const struct mck_log_header *h = w->headers[place];
  if (!s->polls || mck_threads_are_several(h) || read_mark(h) || mck_watch_has_hidden_calls(h)) return MCK_POLLS_NOT;
  return mck_polling_again(&s->polling, h, s->polls);
}

uint32_t mck_watch_find_standing(void *context, struct mck_standing *standing) {
  struct mck_watch *w = context;
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->nhere && !(w->has_left && w->looks_left < LOOKS_LEFT); i++) {
    const struct mck_log_header *h = w->headers[i];
    struct mck_standing entry = {
        .rank = mck_watch_rank(w, i), .wait = mck_watch_stands_in(w, i), .patience = w->seen[i].patience};
    entry.state = atomic_load_explicit(&h->state, memory_order_acquire);
    entry.polls = mck_watch_polls(w, i);
    if (!entry.wait && !entry.polls && entry.state == MCK_LOG_RUNNING) continue;
    entry.marks = get_marks(h);
    entry.units = atomic_load_explicit(&h->units, memory_order_acquire);
    standing[n++] = entry;
  }
  return n;
}
