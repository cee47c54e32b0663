// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how each rank ended (run-end.h).
#include "judge/whole/run-end.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "judge/index.h"
#include "judge/whole/last-call.h"
#include "judge/whole/other-ranks.h"
#include "judge/whole/run-interruption.h"

// How likely an end is the cause of the run's end: after a failure mpirun sends SIGTERM and then SIGKILL to the other
// ranks.
enum blame { NONE, INTERRUPTED, KILLED, FAILED };

// When processors are short, mpirun may end before the ranks that it has killed. SIGKILL is pending for them then
// (proc(5)).
static bool is_killed(uint32_t pid) {
  enum { KILL_BIT = 1 << (SIGKILL - 1) };
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%u/status", pid);
  FILE *file = fopen(path, "r");
  bool is_pending = false;
  while (file && !is_pending && fgets(line, sizeof line, file)) {
    unsigned long long pending;
    is_pending = (sscanf(line, "SigPnd: %llx", &pending) == 1 || sscanf(line, "ShdPnd: %llx", &pending) == 1) &&
                 pending & KILL_BIT;
  }
  if (file) fclose(file);
  return is_pending;
}

static bool is_gone(const struct mck_log_header *h) {
  enum { EXITING = 4 }; // a flag of the kernel
  struct utsname host;
  // A process on another host cannot be examined. Its log is read only after the run.
  if (uname(&host) != 0 || strncmp(host.nodename, h->host, sizeof h->host) != 0) return true;
  if (h->pid == 0 || h->pid > INT32_MAX || (kill((pid_t)h->pid, 0) != 0 && errno == ESRCH)) return true;
  if (is_killed(h->pid)) return true;
  // A zombie is gone, too: its parent may not have waited for it yet. In proc(5) the state follows the name in
  // parentheses.
  char path[64], line[512], state = 0;
  unsigned flags = 0;
  snprintf(path, sizeof path, "/proc/%u/stat", h->pid);
  FILE *file = fopen(path, "r");
  if (!file) return true;
  const char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  fclose(file);
  if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2) return false;
  return state == 'Z' || state == 'X' || flags & EXITING;
}

// MPI_ERRORS_ARE_FATAL has ended it, whatever it could write last: mpirun may have killed it while it was ending.
static bool is_ended_by_mpi(const struct mck_log_header *h) { return atomic_load(&h->refused) & MCK_LOG_ENDED; }

static enum blame blame_of_signal(int how) { return how == SIGTERM || how == SIGINT ? INTERRUPTED : FAILED; }

// Did it leave by itself, without MPI_Finalize? Threads of MPI keep a process whose main thread has ended until the run
// is ended from outside.
static bool has_left(const struct mck_log_header *h) {
  uint32_t state = atomic_load(&h->state);
  int how = atomic_load(&h->how);
  bool is_ended = state == MCK_LOG_RUNNING ? is_gone(h)
                                           : state == MCK_LOG_SIGNALLED && (how == SIGTERM || how == SIGINT);
  return state == MCK_LOG_EXITED || (is_ended && atomic_load(&h->left) == MCK_LEFT_THREAD);
}

static enum blame blame_of(const struct mck_log_header *h) {
  int how = atomic_load(&h->how);
  if (has_left(h)) return FAILED;
  if (is_ended_by_mpi(h) && is_gone(h)) return FAILED;
  switch ((enum mck_log_state)atomic_load(&h->state)) {
  case MCK_LOG_RUNNING: return is_gone(h) ? KILLED : NONE;
  case MCK_LOG_FINALIZING: return how ? blame_of_signal(how) : is_gone(h) ? KILLED : NONE;
  case MCK_LOG_FINALIZED: return NONE;
  case MCK_LOG_EXITED: // said above
  case MCK_LOG_ABORTED: return FAILED;
  case MCK_LOG_SIGNALLED: return blame_of_signal(how);
  }
  return NONE; // the header is damaged
}

// When the user interrupts a run, its ranks get SIGTERM and, if that takes too long, SIGKILL. So both are equally
// likely causes. Otherwise a rank that was killed may be the reason why mpirun ended the others. The watch ends a run
// that deadlocks, too: if a log is damaged, its finding may be lost.
static enum blame blame_in(const struct mck_files *files, const struct mck_log_header *h) {
  enum { LOST = 256 - 61 }; // PMIx ends a rank that has lost its mpirun with this code (PMIX_ERR_LOST_CONNECTION)
  enum blame blame = blame_of(h);
  if (files->is_interrupted && atomic_load(&h->state) == MCK_LOG_EXITED && atomic_load(&h->how) == LOST)
    return INTERRUPTED;
  return (files->is_interrupted || files->is_damaged) && blame == KILLED ? INTERRUPTED : blame;
}

static bool is_said(const struct mck_findings *findings, size_t known, int rank) {
  for (size_t i = 0; i < known; i++)
    if (findings->items[i].rank == rank &&
        (findings->items[i].check == MCK_CHECK_INIT_NO_FINALIZE || findings->items[i].check == MCK_CHECK_RUN_DIED))
      return true;
  return false;
}

// MPI itself has ended a rank in a call, because its error handler was MPI_ERRORS_ARE_FATAL (MPI-3.1 8.3), or the rank
// crashed there. The call has a finding already, and the end is a consequence of it. Returns false when there is no
// such finding.
static bool explain_end(const struct mck_log_header *h, struct mck_findings *findings, size_t known) {
  int how = atomic_load(&h->how);
  bool is_crash = (enum mck_log_state)atomic_load(&h->state) == MCK_LOG_SIGNALLED &&
                  (how == SIGSEGV || how == SIGBUS || how == SIGABRT);
  if (!is_crash && !is_ended_by_mpi(h) && atomic_load(&h->state) != MCK_LOG_RUNNING) return false;
  uint32_t refused = atomic_load(&h->refused) & (MCK_LOG_ENDED - 1);
  const char *fn = refused ? mck_judge_fn((uint16_t)(refused - 1)) : NULL;
  for (size_t i = known; refused && i-- > 0;) {
    struct mck_finding *f = &findings->items[i];
    for (size_t p = 0; p < f->nplaces; p++) {
      const char *label = f->places[p].label; // missing for lack of memory
      if (f->places[p].rank != (int)h->rank || !label || strncmp(label, fn, strlen(fn)) != 0) continue;
      if (is_crash) { // a buffer that is too short for what may come was too short for what came
        f->severity = MCK_ERROR;
        mck_finding_why(f, "rank %u crashed in this call (SIG%s)", h->rank, sigabbrev_np(how));
      } else
        mck_finding_why(f, is_ended_by_mpi(h) ? "MPI ended rank %u in this call" : "rank %u ended in this call",
                        h->rank);
      return true;
    }
  }
  return false;
}

// Is it about the message that was too long for this receive? Of a rank that MPI ended, one truncated message is known.
// A wrong datatype is said instead of the length; there may be others, at other places.
static bool is_about_receive(const struct mck_finding *message, const struct mck_finding *failed) {
  bool is_mismatch = message->check == MCK_CHECK_TYPE_MISMATCH;
  if (message->check != MCK_CHECK_MESSAGE_TRUNCATED && !is_mismatch) return false;
  for (uint32_t p = 0; p < message->nplaces; p++)
    if (message->places[p].rank == failed->rank &&
        (!is_mismatch || (failed->nplaces && message->places[p].site == failed->places[0].site)))
      return true;
  return false;
}

// A receive was too small, and the library said so when it ended the receiver. The finding about the message knows both
// sides, so it takes over.
void mck_judge_join_truncations(struct mck_findings *findings) {
  for (size_t i = findings->count; i-- > 0;) {
    struct mck_finding *failed = &findings->items[i], *found = NULL;
    if (failed->check != MCK_CHECK_CALL_FAILED || !failed->text || !strstr(failed->text, ": MPI_ERR_TRUNCATE"))
      continue;
    for (size_t k = 0; k < findings->count && !found; k++)
      if (is_about_receive(&findings->items[k], failed)) found = &findings->items[k];
    if (!found) continue;
    mck_finding_why(found, "MPI ended rank %d in %.*s", failed->rank, (int)strcspn(failed->text, " "), failed->text);
    mck_findings_remove(findings, i);
  }
}

// Kinds of findings about memory that MPI or the program has used wrongly: a crash of the same rank, in free or malloc
// for example, may be a consequence.
static bool may_break_memory(enum mck_check check) {
  switch (check) {
  case MCK_CHECK_ARG_MEMORY:
  case MCK_CHECK_ARG_MEMORY_ROOM:
  case MCK_CHECK_ARG_OVERFLOW:
  case MCK_CHECK_BUFFER_MODIFIED_IN_USE:
  case MCK_CHECK_RMA_ORIGIN_SIZE:
  case MCK_CHECK_RMA_WINDOW_MEMORY_FREED: return true;
  default: return false;
  }
}

static bool has_crashed(const struct mck_log_header *h) {
  int how = atomic_load(&h->how);
  bool is_crash = how == SIGSEGV || how == SIGBUS || how == SIGABRT || how == SIGILL;
  return is_crash && atomic_load(&h->state) != MCK_LOG_EXITED && atomic_load(&h->state) != MCK_LOG_ABORTED;
}

static void point_at_cause(struct mck_finding *end, const struct mck_log_header *h, struct mck_findings *findings,
                           size_t known) {
  if (!has_crashed(h)) return;
  const struct mck_finding *first = NULL;
  for (size_t i = 0; i < known; i++) {
    struct mck_finding *f = &findings->items[i];
    if (f->rank != (int)h->rank || !may_break_memory(f->check)) continue;
    f->role = MCK_ROLE_CAUSE;
    if (!first) first = f;
  }
  if (!first) return;
  mck_finding_why(end, "this may be a consequence of [%s] above: memory was used wrongly before",
                  mck_check_infos[first->check].id);
}

static bool is_about_call(const struct mck_finding *f, int rank, uint32_t site) {
  bool is_collective = f->check == MCK_CHECK_COLLECTIVE_CALL || f->check == MCK_CHECK_COLLECTIVE_COUNT ||
                       f->check == MCK_CHECK_COLLECTIVE_OP || f->check == MCK_CHECK_COLLECTIVE_ROOT ||
                       f->check == MCK_CHECK_COLLECTIVE_TYPE;
  for (uint32_t i = 0; is_collective && i < f->nplaces; i++)
    if (f->places[i].rank == rank && f->places[i].site == site) return true;
  return false;
}

void mck_judge_point_at_collectives(const struct mck_files *files, struct mck_findings *findings) {
  for (size_t i = 0; i < files->count; i++) {
    int rank = (int)files->logs[i].header->rank;
    const struct mck_event *last = has_crashed(files->logs[i].header) ? mck_judge_last_call(&files->logs[i]) : NULL;
    struct mck_finding *end = NULL, *cause = NULL;
    for (size_t k = 0; last && last->site != MCK_NONE && k < findings->count; k++) {
      struct mck_finding *f = &findings->items[k];
      if (f->check == MCK_CHECK_RUN_DIED && f->rank == rank) end = f;
      else if (is_about_call(f, rank, last->site)) cause = f;
    }
    if (!end || !cause) continue;
    cause->role = MCK_ROLE_CAUSE;
    mck_finding_why(end, "this may be a consequence of [%s] above: the ranks did not agree in the last call",
                    mck_check_infos[cause->check].id);
  }
}

static void say_how(struct mck_finding *f, const struct mck_log_header *h) {
  int how = atomic_load(&h->how);
  const char *name;
  if (has_left(h) && atomic_load(&h->state) != MCK_LOG_EXITED) {
    mck_finding_text(f, "the main thread of rank %u ended by pthread_exit without calling MPI_Finalize", h->rank);
    mck_finding_help(f,
                     "call MPI_Finalize in the main thread, after all other threads have made their last call of MPI");
    return;
  }
  switch ((enum mck_log_state)atomic_load(&h->state)) {
  case MCK_LOG_RUNNING: {
    uint32_t refused = atomic_load(&h->refused) &
                       (MCK_LOG_ENDED - 1); // its error handler was MPI_ERRORS_ARE_FATAL (MPI-3.1 8.3)
    if (refused)
      mck_finding_text(f, "rank %u was ended by MPI in %s, which it called with a wrong argument", h->rank,
                       mck_judge_fn((uint16_t)(refused - 1)));
    else mck_finding_text(f, "rank %u was killed (no exit seen, e.g. SIGKILL)", h->rank);
    break;
  }
  case MCK_LOG_FINALIZING:
    if (how > 0 && how < NSIG && (name = sigabbrev_np(how)))
      mck_finding_text(f, "rank %u was killed in MPI_Finalize by SIG%s (signal %d)", h->rank, name, how);
    else mck_finding_text(f, "rank %u was killed in MPI_Finalize (no exit seen, e.g. SIGKILL)", h->rank);
    break;
  case MCK_LOG_EXITED:
    if (atomic_load(&h->left) == MCK_LEFT_EXEC) {
      mck_finding_text(f, "rank %u replaced its program by exec without calling MPI_Finalize", h->rank);
      mck_finding_help(f, "call MPI_Finalize before exec, or start the other program in a child process");
      break;
    }
    mck_finding_text(f, "rank %u exited with code %d without calling MPI_Finalize", h->rank, how);
    break;
  case MCK_LOG_ABORTED: mck_finding_text(f, "rank %u called MPI_Abort with code %d", h->rank, how); break;
  case MCK_LOG_SIGNALLED:
    name = how > 0 && how < NSIG ? sigabbrev_np(how) : NULL;
    if (mck_log_sanitizer(how)) {
      mck_finding_text(f, "rank %u was ended by %s, which reports an error", h->rank, mck_log_sanitizer(how));
      mck_finding_help(f, "look at what %s says above", mck_log_sanitizer(how));
    } else if (name) mck_finding_text(f, "rank %u was killed by SIG%s (signal %d)", h->rank, name, how);
    else mck_finding_text(f, "rank %u was killed by signal %d", h->rank, how);
    break;
  case MCK_LOG_FINALIZED: break;
  }
}

// mpirun was killed and its ranks live on, or a user judges a run that is not over. Without a finding the report would
// read as "all is well".
static void say_running(const struct mck_files *files, struct mck_findings *findings) {
  uint32_t n = 0, first = 0;
  for (size_t i = 0; i < files->count; i++)
    if (atomic_load(&files->logs[i].header->state) == MCK_LOG_RUNNING && !n++) first = files->logs[i].header->rank;
  struct mck_finding *f = n ? mck_findings_add(findings, MCK_CHECK_INCOMPLETE, (int)first) : NULL;
  if (!f) return;
  if (n == 1) mck_finding_text(f, "rank %u is still running: only what it did up to now is judged", first);
  else mck_finding_text(f, "%u ranks are still running: only what they did up to now is judged", n);
  mck_finding_help(f, "if mpirun was killed, see that its processes end, too; else wait until the run is over");
}

static void say_where(struct mck_finding *f, const struct mck_reader *log) {
  bool is_exit = has_left(log->header);
  uint32_t left = is_exit ? atomic_load(&log->header->left) : MCK_LEFT_UNKNOWN;
  if (log->death != MCK_NONE)
    mck_finding_place(f, (int)log->header->rank, log->death,
                      !is_exit                  ? "it died here"
                      : left == MCK_LEFT_EXEC   ? "it called exec here"
                      : left == MCK_LEFT_MAIN   ? "main returned here"
                      : left == MCK_LEFT_THREAD ? "its main thread ended here"
                                                : "it left here");
  else if (left == MCK_LEFT_MAIN)
    mck_finding_why(f, "main returned (its place is known where mpicc-check compiles main with clang and -g)");
}

void mck_judge_say_deaths(const struct mck_files *files, struct mck_findings *findings) {
  enum blame worst = NONE;
  size_t known = findings->count;
  bool is_deadlock = false; // the watch has ended the run; a rank that left without MPI_Finalize may be the reason
  for (size_t i = 0; i < known; i++)
    is_deadlock |= findings->items[i].check == MCK_CHECK_DEADLOCK ||
                   findings->items[i].check == MCK_CHECK_DEADLOCK_POLLING ||
                   findings->items[i].check == MCK_CHECK_COLLECTIVE_COMM_ORDER;
  for (size_t i = 0; i < files->count; i++) {
    const struct mck_log_header *h = files->logs[i].header;
    if (is_deadlock && !has_left(h)) continue;
    enum blame blame = blame_in(files, h);
    if (blame > worst) worst = blame;
  }
  if (worst == NONE && !is_deadlock) say_running(files, findings);
  if (worst == INTERRUPTED) {
    mck_judge_say_interruption(files, findings);
    return;
  }
  for (size_t i = 0; worst != NONE && i < files->count; i++) {
    const struct mck_reader *log = &files->logs[i];
    if (is_deadlock && !has_left(log->header)) continue;
    if (explain_end(log->header, findings, known)) continue;
    if (blame_in(files, log->header) != worst || is_said(findings, known, (int)log->header->rank)) continue;
    struct mck_finding *f = mck_findings_add(
        findings, has_left(log->header) ? MCK_CHECK_INIT_NO_FINALIZE : MCK_CHECK_RUN_DIED, (int)log->header->rank);
    if (!f) return;
    say_how(f, log->header);
    const struct mck_event *last = mck_judge_last_call(log);
    say_where(f, log);
    if (last)
      mck_finding_place(f, (int)log->header->rank, last->site, "last recorded MPI call, %s", mck_judge_fn(last->fn));
    mck_judge_say_others(f, files, log->header->rank);
    point_at_cause(f, log->header, findings, known);
  }
}
