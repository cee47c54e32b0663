// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The watch's thread: looks at the wait marks once a period, and only when ranks stand still in the same call loads
// their logs and tries the proof. It makes no MPI call and takes no lock that the program's threads take. Its cost
// while nothing is proved is bounded: a new proof is tried only after something changed, and not before COST_FACTOR
// times the last attempt's duration have passed; nor, while any rank moves, COST_FACTOR times what the next one will take.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "watch/hang.h"
#include "watch/polling.h"
#include "watch/proof.h"
#include "watch/tree.h"

enum {
  LOOKS_STUCK = 2,     // the same odd mark at so many looks: the rank stands still
  LOOKS_AGAIN = 2,     // a proof over several nodes is made so often again, a period later each
  LOOKS_LEFT = 50,     // ... and so long after a rank left without MPI_Finalize: most launchers end the others then
  LOOKS_HUNG = 60,     // ... all ranks, and so long that we ask whether they stand in a collective that they entered differently
  COST_FACTOR = 20,    // at most 1/20 of one core for proofs that fail
  COST_UNIT_NS = 20,   // of reading and counting a unit of the logs
  STACK_BYTES = 1 << 20,  // the report runs here; pages that are not touched cost nothing
};

struct seen { uint64_t wait; uint32_t looks, state; uint8_t patience; struct mck_stillness stillness; struct mck_polling polling; bool is_polling; struct mck_hang hang; };

static struct watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool is_started, is_stopping;  // is_stopping: under lock
  pid_t pid;                     // the thread does not survive a fork
  char dir[4096];
  uint32_t size;
  unsigned period_ms;
  mck_watch_report *report;
  void *context;
  // The thread's own.
  const struct mck_log_header **headers;
  uint32_t nopened;
  struct seen *seen;
  uint32_t looks_left;           // since a rank left
  bool has_left;
  mck_watch_suspect *suspect;
  mck_watch_note *note;
  uint32_t nasked;               // how often a signal has asked for the graph
  uint32_t looks_hung;           // since all ranks stand still as they do
  uint64_t hung;                 // fingerprint of that
  uint64_t tried;                // fingerprint of what the last attempt saw
  int64_t next_ns;               // no attempt before
  int64_t last_ns;               // end of the last attempt
  // Several nodes (tree.h): this thread looks at the ranks of its node, and that of rank 0 proves.
  const struct mck_nodes *nodes; // NULL: all ranks are on this node
  struct mck_tree *tree;
  int stop;                      // readable when is_stopping, for who waits for messages; -1
  uint32_t nproofs;
  bool is_full_told, is_early;   // is_early: this look is no period after the last one
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static int64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

static bool is_local(const struct watch *w, uint32_t rank) { return !w->nodes || w->nodes->node_of[rank] == w->nodes->mine; }

// Sleeps a period; true when the watch shall stop.
static bool wait_period(struct watch *w) {
  int64_t until = now_ns() + (int64_t)w->period_ms * 1000000;
  if (w->tree) {
    bool is_stopping = mck_tree_wait(w->tree, until);
    w->is_early = now_ns() < until;
    return is_stopping;
  }
  struct timespec t = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
  pthread_mutex_lock(&w->lock);
  while (!w->is_stopping && pthread_cond_timedwait(&w->wake, &w->lock, &t) != ETIMEDOUT) {}
  bool is_stopping = w->is_stopping;
  pthread_mutex_unlock(&w->lock);
  return is_stopping;
}

static bool make_path(const struct watch *w, uint32_t rank, char *path, size_t size) {
  int n = snprintf(path, size, "%s/rank-%u.log", w->dir, rank);
  return n > 0 && (size_t)n < size;
}

// Maps the header of a log: a regular file of our own user, no symbolic link. 0, EAGAIN when it is not there yet, or
// why it is refused.
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
  // The magic is the last that the writer fills in; before that the header is being written.
  bool is_blank = !*(const volatile char *)&h->magic[7];
  atomic_thread_fence(memory_order_acquire);
  if (is_blank) rc = EAGAIN;
  else if (memcmp(h->magic, MCK_LOG_MAGIC, 8) || h->version != MCK_LOG_VERSION || h->rank != rank || h->size != size)
    rc = EINVAL;
  if (rc) munmap(map, MCK_LOG_HEADER);
  else *header = h;
  return rc;
}

// Opens what has appeared since, in order; one try a period while one is missing. False: give up.
static bool open_headers(struct watch *w) {
  for (; w->nopened < w->size; w->nopened++) {
    if (!is_local(w, w->nopened)) continue;
    char path[sizeof w->dir + 32];
    int rc = make_path(w, w->nopened, path, sizeof path)
                 ? open_header(path, w->nopened, w->size, &w->headers[w->nopened])
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

// The log has been recycled: its file is another one now, with other events. Until it is found the old one's mark stands, and it is 0.
static void renew_header(struct watch *w, uint32_t rank) {
  char path[sizeof w->dir + 32];
  const struct mck_log_header *old = w->headers[rank], *new;
  if (!atomic_load_explicit(&old->is_superseded, memory_order_acquire) || !make_path(w, rank, path, sizeof path)) return;
  if (open_header(path, rank, w->size, &new)) return;
  w->headers[rank] = new;
  w->seen[rank].wait = 0;
  munmap((void *)old, MCK_LOG_HEADER);
}

static uint64_t read_mark(const struct mck_log_header *h) { return atomic_load_explicit(&h->wait, memory_order_acquire); }

// One look at all marks. Returns whether an attempt is worth its cost: someone stands still, and the picture is not
// that of the last attempt.
static bool look(struct watch *w, uint64_t *fingerprint) {
  uint64_t hash = 0;
  bool is_stuck = false, has_left = false;
  int64_t now = now_ns();
  for (uint32_t r = 0; r < w->size; r++) {
    struct seen *s = &w->seen[r];
    if (!is_local(w, r)) continue;
    renew_header(w, r);
    uint64_t wait = read_mark(w->headers[r]);
    s->looks = wait && wait == s->wait ? s->looks + (s->looks < UINT32_MAX && !w->is_early) : wait != 0;
    if (s->looks == LOOKS_STUCK) mck_patience_begin(&s->stillness, (long)w->headers[r]->pid);
    s->patience = (uint8_t)mck_patience_of(&s->stillness, (long)w->headers[r]->pid, s->looks);
    s->is_polling = mck_polling_look(&s->polling, w->headers[r], now, (int64_t)mck_options.polling_time * 1000000000) && !wait;
    if (s->is_polling) s->patience = MCK_PATIENCE_SHORT;
    s->wait = wait;
    s->state = atomic_load_explicit(&w->headers[r]->state, memory_order_acquire);
    has_left |= s->state == MCK_LOG_EXITED;
    // An attempt over several nodes moves logs: it waits for news that are sure to come.
    bool is_still = s->looks >= (w->tree ? MCK_LOOKS_SHORT : LOOKS_STUCK);
    uint64_t words[3] = {is_still ? s->wait : 0, s->patience | (uint64_t)s->is_polling << 8, s->state};
    hash = mck_base_hash(words, sizeof words, hash);
    is_stuck |= is_still || s->is_polling;
  }
  *fingerprint = hash;
  // A launcher that lets the others wait for ever is the only way for a deadlock to stand here; the judge says the rest.
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

// May something that its log does not show set the process free? Code that sends and receives unseen; and
// under MPI_THREAD_MULTIPLE a thread that has not called MPI so far may set its own process free. To be asked before is_multiple is looked
// at: a thread that has ended by now has left its mark there.
static bool has_hidden_calls(const struct mck_log_header *h) {
  if (atomic_load_explicit(&h->is_multiple, memory_order_relaxed) & MCK_LOG_UNSEEN) return true;
  uint32_t nothers = atomic_load_explicit(&h->nothers, memory_order_relaxed);
  if (!nothers) return false;
  unsigned n = mck_base_count_threads((long)h->pid);
  atomic_thread_fence(memory_order_acquire);
  return !n || n > nothers;
}

static uint32_t get_marks(const struct mck_log_header *h) {
  return (atomic_load(&h->is_multiple) & 0xff) | (atomic_load(&h->is_incomplete) & 0xff) << 8 | (atomic_load(&h->is_superseded) & 0xff) << 16;
}

static bool is_polling(const struct seen *s, const struct mck_log_header *h, uint64_t wait) {
  return s->is_polling && !wait && mck_polling_is_same(&s->polling, h) && !has_hidden_calls(h);
}

// The ranks of this node that stand still, or will not go on, for rank 0's watch.
static uint32_t find_standing(void *context, struct mck_standing *standing) {
  struct watch *w = context;
  uint32_t n = 0;
  for (uint32_t r = 0; r < w->size && !(w->has_left && w->looks_left < LOOKS_LEFT); r++) {
    if (!is_local(w, r)) continue;
    const struct mck_log_header *h = w->headers[r];
    const struct seen *s = &w->seen[r];
    struct mck_standing entry = {.rank = r, .wait = read_mark(h), .patience = s->patience};
    entry.state = atomic_load_explicit(&h->state, memory_order_acquire);
    bool is_still = s->looks >= LOOKS_STUCK && entry.wait == s->wait && !has_hidden_calls(h);
    entry.is_polling = is_polling(s, h, entry.wait);
    if (!is_still && !entry.is_polling && entry.state == MCK_LOG_RUNNING) continue;
    if (!is_still) entry.wait = 0;
    entry.marks = get_marks(h);
    entry.units = atomic_load_explicit(&h->units, memory_order_acquire);
    standing[n++] = entry;
  }
  return n;
}

static bool make_rank_path(void *context, uint32_t rank, char *path, size_t size) { return make_path(context, rank, path, size); }

static bool load_log(struct watch *w, uint32_t rank, struct mck_reader *log) {
  char path[sizeof w->dir + 32];
  const char *why;
  if (is_local(w, rank)) return make_path(w, rank, path, sizeof path) && mck_log_load(log, path, &why) == 0;
  size_t size;
  const void *bytes = mck_tree_get_log(w->tree, rank, &size);
  *log = (struct mck_reader){0};
  // Without one the rank moves, and a copy that is damaged is none.
  if (bytes && mck_log_load_memory(log, bytes, size, &why)) *log = (struct mck_reader){0};
  return true;
}

// What the report is made from: the files of this directory. False: the others' logs are here already, in a directory that nodes share.
static bool write_copies(struct watch *w, bool is_all) {
  bool is_own = true;
  for (uint32_t r = 0; r < w->size; r++) {
    char path[sizeof w->dir + 32];
    size_t size;
    const char *bytes = is_local(w, r) ? NULL : mck_tree_get_log(w->tree, r, &size);
    if (!bytes || !(is_all || mck_tree_get_standing(w->tree, r)) || !make_path(w, r, path, sizeof path)) continue;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    is_own &= fd >= 0 || errno != EEXIST;
    for (ssize_t n; fd >= 0 && size && (n = write(fd, bytes, size)) > 0; bytes += n, size -= (size_t)n) {}
    if (fd >= 0) close(fd);
    if (fd >= 0 && size) unlink(path);
  }
  return is_own;
}

static void remove_copies(const struct watch *w) {
  char path[sizeof w->dir + 32];
  for (uint32_t r = 0; r < w->size; r++)
    if (!is_local(w, r) && make_path(w, r, path, sizeof path)) unlink(path);
}

// Rank 0's watch has reported: what the ranks of this node leave behind.
static void remove_logs(struct watch *w) {
  char path[sizeof w->dir + 32];
  for (uint32_t r = 0; r < w->size; r++)
    if (is_local(w, r) && !w->headers[r]->is_kept && make_path(w, r, path, sizeof path)) unlink(path);
  rmdir(w->dir);
}

static void tell_note(struct watch *w, enum mck_check check, struct mck_findings *findings) {
  bool is_all = check == MCK_CHECK_HANG_COMPUTING;   // which process it is stands in the log of a rank that moves
  if (w->tree && is_all && !mck_tree_snap_all(w->tree)) return;
  bool has_copies = w->tree && write_copies(w, is_all);
  w->note(w->context, findings);
  if (has_copies) remove_copies(w);
}

// Loads all logs between two looks at the marks, and proves from ranks that stood still across. True: reported. With another check than a
// deadlock: tells what all do, about the rank.
static bool attempt(struct watch *w, enum mck_check check, int rank) {
  struct mck_reader *logs = calloc(w->size, sizeof *logs);
  struct mck_snapshot *marks = calloc(w->size, sizeof *marks);
  uint8_t *patience = calloc(w->size, sizeof *patience);
  struct mck_findings findings = {0};
  bool is_ok = logs && marks && patience && (!w->tree || mck_tree_snap(w->tree));
  uint32_t nloaded = 0;
  for (; is_ok && nloaded < w->size; nloaded++) {
    is_ok = load_log(w, nloaded, &logs[nloaded]);
    if (!is_ok) break;
  }
  if (is_ok && w->tree) is_ok = mck_tree_confirm(w->tree);
  for (uint32_t r = 0; is_ok && r < w->size; r++) {
    if (!is_local(w, r)) {
      const struct mck_standing *s = mck_tree_get_standing(w->tree, r);
      if (s) marks[r] = (struct mck_snapshot){.wait = s->wait, .is_polling = s->is_polling != 0};
      else mck_log_unload(&logs[r]);   // what it has done since is not known
      patience[r] = s ? (uint8_t)s->patience : 0;
      continue;
    }
    uint64_t after = read_mark(w->headers[r]);
    const struct seen *s = &w->seen[r];
    if (s->looks >= LOOKS_STUCK && after == s->wait && !has_hidden_calls(w->headers[r]))
      marks[r].wait = after;
    if (is_polling(s, w->headers[r], after)) marks[r].is_polling = true;
    patience[r] = s->patience;
  }
  bool is_proved = is_ok && check == MCK_CHECK_DEADLOCK && mck_watch_prove_patiently(logs, marks, patience, w->size, &findings);
  if (is_ok && check != MCK_CHECK_DEADLOCK) mck_watch_survey(logs, marks, patience, w->size, check, rank, &findings);
  for (uint32_t r = 0; r < nloaded; r++) mck_log_unload(&logs[r]);
  free(logs);
  free(marks);
  free(patience);
  if (w->tree && mck_tree_is_full(w->tree) && !w->is_full_told) {
    mck_base_warn("the deadlock watch holds %ld MiB of other nodes' logs and takes no more: deadlocks may be missed (watch_memory=)",
                  (long)mck_options.watch_memory);
    w->is_full_told = true;
  }
  // Over several nodes the first proof comes when not all news are there: what is proved stays so, and the report that is made
  // some periods later shows who else waits.
  if (is_proved && w->tree && w->nproofs++ < LOOKS_AGAIN) is_proved = false;
  if (is_proved && w->tree) {
    if (!mck_tree_snap_all(w->tree)) return false;
    if (write_copies(w, true)) mck_tree_end(w->tree);   // else they are the report's to remove
  }
  if (is_proved) w->report(w->context, &findings);
  else if (findings.count && check != MCK_CHECK_DEADLOCK && w->note) tell_note(w, check, &findings);
  mck_findings_free(&findings);
  return is_proved;
}

// Has a signal asked for the graph? Does a rank of this node keep others waiting for long?
static struct mck_hangs find_hangs(struct watch *w, int64_t now) {
  int64_t limit = (int64_t)mck_options.hang_time * 1000000000;
  struct mck_hangs hangs = {.computing = MCK_NONE};
  for (uint32_t r = 0; r < w->size; r++) {
    struct seen *s = &w->seen[r];
    if (!is_local(w, r)) continue;
    hangs.nasked += atomic_load_explicit(&w->headers[r]->asked, memory_order_relaxed);
    hangs.is_waiting |= s->looks >= LOOKS_STUCK && (int64_t)s->looks * w->period_ms * 1000000 >= limit;
    if (s->wait || s->state != MCK_LOG_RUNNING) mck_hang_forget(&s->hang);
    else if (mck_hang_look(&s->hang, w->headers[r], now, limit) && !s->hang.is_told && hangs.computing == MCK_NONE) hangs.computing = r;
  }
  return hangs;
}

// Both are told while the run goes on, by rank 0's watch.
static void tell_hangs(struct watch *w, int64_t now) {
  struct mck_hangs all = find_hangs(w, now);
  for (uint32_t i = 1; w->tree && i < w->nodes->nnodes; i++) {
    struct mck_hangs h = mck_tree_get_hangs(w->tree, i);
    all.nasked += h.nasked;
    all.is_waiting |= h.is_waiting;
    if (all.computing == MCK_NONE && h.computing != MCK_NONE && !w->seen[h.computing].hang.is_told) all.computing = h.computing;
  }
  if (all.nasked != w->nasked) attempt(w, MCK_CHECK_HANG_ASKED, -1);
  w->nasked = all.nasked;
  if (!all.is_waiting || all.computing == MCK_NONE) return;
  w->seen[all.computing].hang.is_told = true;
  attempt(w, MCK_CHECK_HANG_COMPUTING, (int)all.computing);
}

// Nothing is proved, but no rank has moved for long.
static bool is_hung(struct watch *w, uint64_t fingerprint) {
  bool is_still = true, is_waiting = false;
  for (uint32_t r = 0; r < w->size; r++) {
    if (!is_local(w, r)) continue;   // ask looks at those
    bool is_stuck = w->seen[r].looks >= MCK_LOOKS_SHORT && mck_wait_event(w->seen[r].wait) != MCK_NONE, is_out = w->seen[r].state == MCK_LOG_FINALIZED;
    is_still &= is_stuck || is_out;
    is_waiting |= is_stuck;
  }
  if (!is_still || !is_waiting || fingerprint != w->hung) w->looks_hung = 0;
  w->hung = fingerprint;
  return is_still && is_waiting && w->looks_hung <= LOOKS_HUNG && ++w->looks_hung == LOOKS_HUNG;
}

// The judge knows of collectives with arguments that do not fit: when ranks stand in one of those, that is why.
static bool ask(struct watch *w) {
  if (w->tree && (!mck_tree_snap(w->tree) || !mck_tree_confirm(w->tree))) return false;
  for (uint32_t r = 0; r < w->size; r++)
    if (!is_local(w, r)) {
      const struct mck_standing *s = mck_tree_get_standing(w->tree, r);
      if (!s || !s->patience || s->marks) return false;
    } else if (has_hidden_calls(w->headers[r]) || atomic_load_explicit(&w->headers[r]->is_multiple, memory_order_relaxed))
      return false;
  struct mck_findings findings = {0};
  bool has_copies = w->tree && write_copies(w, false), is_known = w->suspect(w->context, &findings);
  if (has_copies && is_known) mck_tree_end(w->tree);
  if (has_copies && !is_known) remove_copies(w);
  if (is_known) w->report(w->context, &findings);
  mck_findings_free(&findings);
  return is_known;
}

// While a rank moves, standing ranks mostly are no more than that: on a machine with fewer cores than ranks some always stand.
static bool is_too_dear(const struct watch *w, int64_t now) {
  uint64_t units = 0;
  bool is_moving = false;
  for (uint32_t r = 0; r < w->size; r++) {
    if (!is_local(w, r)) continue;
    units += atomic_load_explicit(&w->headers[r]->units, memory_order_relaxed);
    is_moving |= w->seen[r].looks < LOOKS_STUCK && w->seen[r].state != MCK_LOG_FINALIZED;
  }
  return is_moving && now - w->last_ns < COST_FACTOR * COST_UNIT_NS * (int64_t)units;
}

// A node that rank 0 is not on: says what stands, and leaves the proof to rank 0's watch.
static bool serve(struct watch *w, uint64_t fingerprint, int64_t now) {
  struct mck_hangs hangs = find_hangs(w, now);
  bool is_picture = false;
  for (uint32_t r = 0; r < w->size; r++)
    is_picture |= is_local(w, r) && (w->seen[r].looks >= MCK_LOOKS_SHORT || w->seen[r].is_polling || w->seen[r].state != MCK_LOG_RUNNING);
  if (is_picture) mck_tree_tell_still(w->tree, fingerprint);
  mck_tree_tell_hangs(w->tree, &hangs);
  if (mck_tree_has_ended(w->tree)) remove_logs(w);
  return mck_tree_has_ended(w->tree);
}

static void open_tree(struct watch *w) {
  struct mck_tree_host host = {.context = w, .find_standing = find_standing, .make_path = make_rank_path};
  uint64_t job = w->headers[0] ? w->headers[0]->job : 0;   // only rank 0's node asks
  w->tree = mck_tree_open(w->nodes, &host, w->size, job, (size_t)mck_options.watch_memory << 20, w->stop);
}

static void *run(void *argument) {
  struct watch *w = argument;
  w->last_ns = now_ns();
  while (!wait_period(w)) {
    if (w->nopened < w->size) {
      if (!open_headers(w)) break;
      if (w->nopened < w->size) continue;
      if (w->nodes) open_tree(w);
      if (w->nodes && !w->tree) break;
    }
    uint64_t fingerprint;
    int64_t start = now_ns();
    bool is_worth = look(w, &fingerprint);
    if (w->nodes && w->nodes->mine) {
      if (serve(w, fingerprint, start)) break;
      continue;
    }
    tell_hangs(w, start);
    if (w->suspect && is_hung(w, fingerprint) && ask(w)) break;
    if (!is_worth || start < w->next_ns || is_too_dear(w, start)) continue;
    uint32_t nproofs = w->nproofs;
    int64_t spent = read_clock(CLOCK_THREAD_CPUTIME_ID);
    if (attempt(w, MCK_CHECK_DEADLOCK, -1)) break;
    w->tried = nproofs == w->nproofs ? fingerprint : 0;
    spent = read_clock(CLOCK_THREAD_CPUTIME_ID) - spent;
    w->last_ns = now_ns();
    w->next_ns = nproofs == w->nproofs ? w->last_ns + COST_FACTOR * spent : 0;
  }
  mck_tree_close(w->tree);
  w->tree = NULL;
  if (w->nodes && w->nodes->listener >= 0) close(w->nodes->listener);
  return NULL;
}

static void free_memory(struct watch *w) {
  for (uint32_t r = 0; w->headers && r < w->size; r++)
    if (w->headers[r]) munmap((void *)w->headers[r], MCK_LOG_HEADER);
  free(w->headers);
  free(w->seen);
  w->headers = NULL;
  w->seen = NULL;
}

void mck_watch_set_nodes(const struct mck_nodes *nodes) { watch.nodes = nodes; }
void mck_watch_set_note(mck_watch_note *note) { watch.note = note; }
void mck_watch_set_suspect(mck_watch_suspect *suspect) { watch.suspect = suspect; }

int mck_watch_start(const char *dir, uint32_t size, unsigned period_ms, mck_watch_report *report, void *context) {
  struct watch *w = &watch;
  if (w->is_started) return EBUSY;
  if (!size || strlen(dir) >= sizeof w->dir) return EINVAL;
  strcpy(w->dir, dir);
  w->size = size;
  w->period_ms = period_ms ? period_ms : 1;
  w->report = report;
  w->context = context;
  w->nopened = 0;
  w->looks_left = 0;
  w->looks_hung = 0;
  w->nasked = 0;
  w->tried = 0;
  w->next_ns = 0;
  w->is_stopping = false;
  w->stop = w->nodes ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
  w->headers = calloc(size, sizeof *w->headers);
  w->seen = calloc(size, sizeof *w->seen);
  int rc = w->headers && w->seen ? 0 : ENOMEM;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  if (!rc) rc = pthread_cond_init(&w->wake, &clock);
  pthread_condattr_destroy(&clock);
  if (!rc) {
    // All signals stay with the program's threads: the new thread inherits this mask.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    rc = pthread_create(&w->thread, &attributes, run, w);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (rc) pthread_cond_destroy(&w->wake);
  }
  if (rc) free_memory(w);
  w->is_started = !rc;
  w->pid = getpid();
  return rc;
}

void mck_watch_stop(void) {
  struct watch *w = &watch;
  if (!w->is_started || w->pid != getpid()) return;
  w->is_started = false;
  pthread_mutex_lock(&w->lock);
  w->is_stopping = true;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  if (w->stop >= 0 && write(w->stop, &(uint64_t){1}, sizeof(uint64_t)) < 0) {}   // cannot fail: it is not full
  // From the report itself (exit handlers run on this thread then) it cannot be joined.
  if (pthread_equal(pthread_self(), w->thread)) return;
  pthread_join(w->thread, NULL);
  if (w->stop >= 0) close(w->stop);
  w->stop = -1;
  pthread_cond_destroy(&w->wake);
  free_memory(w);
}
