// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of one process: a file that the process maps and appends to. Others (the watch, the judge after a crash,
// mpirun-check) map it read-only, also while it grows. The format is in docs/formats/log.md. A writer belongs to one
// process, and its caller serializes the appends (under MPI_THREAD_MULTIPLE by record's lock). An event is committed by
// header.units, which is stored with release order after it. Committed events survive any death of the process.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "base/thread-slot.h"
#include "log/event.h"

#ifndef MADV_POPULATE_WRITE // headers before Linux 5.14
#define MADV_POPULATE_WRITE 23
#endif

enum { MCK_LOG_VERSION = 4, MCK_LOG_HEADER = 4096 };
#define MCK_LOG_MAGIC "MCKLOG\r\n"

enum mck_log_state {
  MCK_LOG_RUNNING = 1,
  MCK_LOG_FINALIZING,
  MCK_LOG_FINALIZED,
  MCK_LOG_EXITED,
  MCK_LOG_ABORTED,
  MCK_LOG_SIGNALLED
};
// How the program came to its exit. MAIN: main returned, at the place in died where that is known. THREAD: the main
// thread called pthread_exit, at that place, and the process goes on without it.
enum mck_log_left { MCK_LEFT_UNKNOWN, MCK_LEFT_BY_CALL, MCK_LEFT_MAIN, MCK_LEFT_THREAD, MCK_LEFT_EXEC };
// In mck_log_header.how of a rank that has died: no signal, but a sanitizer has ended it, after its report.
enum { MCK_LOG_SANITIZER = 256, MCK_LOG_SANITIZER_ADDRESS, MCK_LOG_SANITIZER_THREAD, MCK_LOG_SANITIZER_MEMORY };
static inline const char *mck_log_sanitizer(int how) { // NULL: it was none
  return how == MCK_LOG_SANITIZER           ? "a sanitizer"
         : how == MCK_LOG_SANITIZER_ADDRESS ? "AddressSanitizer"
         : how == MCK_LOG_SANITIZER_THREAD  ? "ThreadSanitizer"
         : how == MCK_LOG_SANITIZER_MEMORY  ? "MemorySanitizer"
                                            : NULL;
}

// The first 4096 bytes of the file: the fixed part, and then the part that changes, in a cache line of its own.
// In mck_log_header.is_multiple.
enum { MCK_LOG_THREADS = 1, MCK_LOG_UNSEEN = 2, MCK_LOG_STRANDS = 4, MCK_LOG_HIDDEN = 8 };
enum { MCK_LOG_ENDED = 1 << 16 };               // MPI_ERRORS_ARE_FATAL ends the process (in mck_log_header.refused)
enum { MCK_LACKS_SOME = 1, MCK_LACKS_ALL = 2 }; // in mck_log_header.lacks
// SO_FAR: at a cut, where code may still be loaded that does not signal them. ALL: in MPI_Finalize.
enum mck_log_sees { MCK_SEES_UNKNOWN, MCK_SEES_ALL, MCK_SEES_SO_FAR };
struct mck_log_header {
  char magic[8];
  uint32_t version, header_size, unit_size;
  uint32_t is_kept;    // option keep_logs: no clean-up removes this log (log/abandoned-logs.h)
  uint64_t features;   // mask, none so far
  uint64_t job;        // token equal on all ranks of a job
  uint32_t rank, size; // in MPI_COMM_WORLD
  uint32_t pid, uid;
  char host[64];
  char program[256];                   // path of the executable, for the report
  _Alignas(64) _Atomic uint64_t units; // committed units behind the header
  // An absent event proves nothing: recording has stopped (MCK_LOG_STOPPED: log_limit, disk full), or events and
  // definitions are missing anywhere (MCK_LOG_HOLES: no memory for them).
  _Atomic uint32_t is_incomplete;
  _Atomic uint32_t is_multiple; // MCK_LOG_THREADS: several threads have called MPI, and the wait mark is that of one of
                                // them. MCK_LOG_UNSEEN: code that was not recompiled sends or receives by PMPI_ names.
                                // MCK_LOG_STRANDS: the order of the threads is in the log (order/strands.h)
                                // MCK_LOG_HIDDEN: a callback within another call has called collectives
  _Atomic uint32_t state;       // enum mck_log_state
  _Atomic int32_t how;          // exit code, or signal number
  _Atomic uint64_t calls;       // MPI calls so far, roughly
  _Atomic uint32_t refused;     // 1 + function, while the process is in a call that is wrong or fails: MPI may end the
                                // process there. MCK_LOG_ENDED: MPI ends it
  _Atomic uint32_t nothers; // under MPI_THREAD_MULTIPLE: 1 + the number of threads that are not the program's (MPI's,
                            // the watch); 0: another level
  // Wait mark: 1 + the event of the blocking call that the process is in, or 0. A call without an event has a count
  // instead (<< 32). No two calls have the same mark. It costs two plain stores a call, in the cache line that each
  // call writes anyway; the watch reads it some times a second.
  _Atomic uint64_t wait;
  // How often the log was recycled (log/log-recycle.h). A file is superseded when its successor has its name: then
  // nothing is appended to it.
  _Atomic uint32_t generation, is_superseded;
  _Atomic uint64_t polls; // tests and probes that found nothing (record/call/poll-list.h); calls includes them
  // What the tests and probes since the last event asked for. It is valid while poll_units equals units.
  _Alignas(64) _Atomic uint64_t poll_units;
  _Atomic uint32_t npolls;             // above MCK_LOG_POLLS: the array has no room for all
  _Atomic uint32_t poll_mode;          // MCK_WAIT_ALL: they are those of one MPI_Testall; else MCK_WAIT_ANY
  _Atomic uint32_t poll_fn, poll_site; // the call, once it was made often; MCK_NONE: still unknown
  _Atomic uint32_t asked;              // how often a signal has asked for the wait-for graph
  struct mck_log_poll {
    uint32_t event, comm;
    int32_t source, tag;
  } poll[64]; // a request's event; MCK_NONE: a probe (-1: any source or tag)
  // In MPI_Finalize, in rank 0's header: how often rank 0 has woken the ranks that sleep until it has judged
  // (judge/transport/rank-sleep.h).
  _Alignas(64) _Atomic uint32_t wakeups;
  char tool_version[32];     // of the mpicc-check that wrote the log, fixed when it is created; "": an earlier one
  uint32_t has_all_accesses; // MCK_SEES_: every load and store of window memory is in the log (recompiled code)
  // The value of polls at the last of them that was not in a closed loop (abi.h): something else than MPI may end that
  // loop.
  _Atomic uint64_t poll_open;
  // What each thread waits for; main_slot: the slot of the thread that called MPI_Init, + 1. Under MPI_THREAD_MULTIPLE
  // another thread has the mark of its MPI call in its slot.
  _Atomic uint32_t main_slot;
  _Atomic uint32_t is_sealed; // checksums are behind the last unit (log/log-seal.h)
  // Where the process ended: frames as in DEF_STACK, innermost first. Of a signal those of the code that it came to, of
  // an exit those of the code that called it.
  _Atomic uint32_t ndied;
  uint64_t died[16];
  _Alignas(64) struct mck_thread_slot threads[MCK_THREAD_SLOTS];
  // By the number of a warning of the compiler (record/run/warned-place.h): 1: its place was executed.
  uint8_t executed[256];
  uint32_t nnodes;              // on which the ranks are; 0: one, or it is not known yet
  _Atomic uint32_t lacks;       // MCK_LACKS_: recompiled code whose loads and stores are not recorded all the same
  _Atomic uint32_t left;        // enum mck_log_left, of a rank that exited
  _Atomic uint32_t has_repeats; // a REPEAT may be there: not all units are written (log/log-repeat.h)
};
enum { MCK_LOG_POLLS = 64, MCK_LOG_WARNED = 256, MCK_LOG_DIED = 16 };
enum { MCK_LOG_STOPPED = 1, MCK_LOG_HOLES = 2 };
_Static_assert(sizeof(struct mck_log_header) <= MCK_LOG_HEADER, "the header fits its page");

// --- writer ---------------------------------------------------------------------------------------------------------
// What the writer leaves out since it repeats what the log has (log/log-repeat.h).
enum { MCK_REPEAT_SEEN = 1024 };
struct mck_log_repeat {
  const struct mck_event *cursor;      // the event that the next one may repeat; NULL: none
  struct mck_event *run;               // the first unit that is left out now; NULL: none is
  const struct mck_event *begin, *end; // of a run the turn: at its end the cursor goes back to its begin
  const struct mck_event *stop;        // behind it no turn has room
  uint32_t matched;                    // events that were as expected, before the run
  uint32_t last;                       // 1 + the last REPEAT of a run that is over, or 0
  uint32_t literal;                    // from this unit on nothing was left out, but for run
  uint32_t wide;                       // 1 + the last event of several units
  uint32_t quiet;                      // before this unit nothing is looked for
  uint32_t failures, pauses;           // looks in vain, one behind the other
  uint32_t after;                      // so many events must be as expected; 0: nothing more is left out
  uint64_t seen[MCK_REPEAT_SEEN];      // a part of the hash of an event, and its last unit so far
};
struct mck_log {
  struct mck_log_header *header;
  struct mck_event *next, *end; // the next unit; the end of the part that is mapped and allocated on disk
  struct mck_event *first;
  int fd;
  uint32_t chunk;       // bytes that are mapped at a time
  uint64_t limit_units; // option log_limit
  struct mck_log_repeat repeat;
};
// Creates DIR/rank-N.log (0600; it must not exist, and no symbolic link is followed), maps it, and holds a shared flock
// on it while the process lives. Returns 0 or an errno; *why says what failed.
int mck_log_create(struct mck_log *log, const char *dir, uint32_t rank, uint32_t size, uint64_t job,
                   uint64_t limit_bytes, const char **why);
// Makes room for n units. Returns false at the limit or when the disk is full: then is_incomplete is set, one line is
// printed, and nothing is recorded any more.
bool mck_log_grow(struct mck_log *log, size_t n);
void mck_log_repeat_end(struct mck_log *log); // what was left out is over (log/log-repeat.h)
// Returns the event to fill in, or NULL when recording has stopped. It is on the hot path: inline, and a system call
// only when a chunk of 256 KiB is full.
static inline struct mck_event *mck_log_reserve(struct mck_log *log, size_t n) {
  mck_base_check_lock();
  if (__builtin_expect(log->repeat.cursor != NULL, 0)) mck_log_repeat_end(log);
  if (__builtin_expect((size_t)(log->end - log->next) < n, 0) && !mck_log_grow(log, n)) return NULL;
  return log->next;
}
// Publishes the n units that were reserved last, and returns the index of the first.
static inline uint32_t mck_log_commit(struct mck_log *log, size_t n) {
  uint32_t index = (uint32_t)(log->next - log->first);
  log->next += n;
  __builtin_prefetch(log->next + 2,
                     1); // the cache line after the next event: calls are too far apart for the hardware prefetcher
  atomic_store_explicit(&log->header->units, (uint64_t)index + n, memory_order_release);
  return index;
}
// Appends a definition or finding: head (kind, fn, site, def.id, def.a to d are set; extra is set here) and its pieces.
struct mck_piece {
  const void *data;
  size_t size;
};
uint32_t mck_log_append(struct mck_log *log, const struct mck_event *head, const struct mck_piece *pieces,
                        size_t n); // returns the index or MCK_NONE
void mck_log_close(struct mck_log *log, enum mck_log_state state);
// These are for log-recycle.c and log-repeat.c.
int mck_log_allocate(int fd, uint64_t offset, uint64_t size); // 0 or an errno
int mck_log_write(int fd, const void *data, uint64_t size, uint64_t offset);
void mck_log_stop(struct mck_log *log, int rc); // stops recording and prints the reason
// Maps what is not mapped of these units. Returns 0 or an errno. Between them and those before may be a hole.
int mck_log_map_units(struct mck_log *log, struct mck_event *from, struct mck_event *to);
int mck_log_remap_units(struct mck_log *log, struct mck_event *from, struct mck_event *to); // units of a hole

// --- reader ---------------------------------------------------------------------------------------------------------
// All definitions of a log, indexed by id. The pointers point into the map and are valid until mck_log_unload. A forged
// or cut file gives an error text, never an access out of bounds: each size is checked, and everything behind the first
// malformed event is left out (reader.damaged says where).
struct mck_comm_def {
  uint32_t id, rank, size, remote_size, nranges;
  const struct mck_comm_body *body;
  const struct mck_range *ranges;
  const int32_t *neighbors; // neighbours in its topology: sources, then destinations; NULL: none are known
  uint32_t nsources, ndestinations;
  bool has_own_neighbors; // each rank gave its own neighbours, at neighbors_site
  uint32_t neighbors_site;
  const char *name; // NULL: none
  uint32_t name_length;
};
struct mck_type_def {
  uint32_t id, nparts, nblocks;
  bool is_ordered; // the blocks one after the other are the packed data
  const struct mck_type_body *body;
  const struct mck_type_part *parts;
  const struct mck_block *blocks;
  uint32_t site; // where it was made
  uint16_t fn;
  bool has_names;   // datatypes that are alike share a definition, and these have several names
  const char *name; // NULL: none, or several
  uint32_t name_length;
};
struct mck_win_def {
  uint32_t id, comm, disp_unit, flavor, traits;
  const struct mck_win_body *body;
  const char *name;
  uint32_t name_length;
  const char *variable;
  uint32_t variable_length, element; // the variable that the window was made of; NULL: unknown
  uint64_t offset;                   // from the variable's begin to the window's first byte
  uint32_t site, memory_site; // where the window was made; where its memory was allocated (MCK_NONE: at the same place,
                              // or unknown)
  uint16_t fn;
};
struct mck_module_def {
  uint32_t id;
  const char *path;
  uint32_t path_length;
  const uint8_t *build_id;
  uint32_t build_id_length;
  bool is_own;
};
struct mck_stack_def {
  uint32_t id, depth, status;
  const uint64_t *frames;
};
struct mck_reader {
  const struct mck_log_header *header;
  const struct mck_event *events; // units [0, units)
  uint64_t units;
  uint64_t damaged; // index of the first malformed unit, or UINT64_MAX
  // The tables, by id. A missing definition has a NULL body (or path, or frames).
  struct mck_comm_def *comms;
  uint32_t ncomms;
  struct mck_type_def *types;
  uint32_t ntypes; // types[id - MCK_TYPE_USER]
  struct mck_win_def *wins;
  uint32_t nwins;
  struct mck_module_def *modules;
  uint32_t nmodules;
  struct mck_stack_def *stacks;
  uint32_t nstacks;
  uint32_t death; // site where a signal ended the process; MCK_NONE: none did. Set by mck_log_read_all
  void *map;
  size_t map_size;
  void *whole; // of a log whose writer left out what repeats: all of its units
  size_t whole_size;
  // During reading: the number of units that are known to be sound, and the capacities of the tables.
  uint64_t known;
  struct {
    size_t comms, types, wins, modules, stacks;
  } room;
  bool is_short; // out of memory: the log ends at known
};
// Sites of different ranks are unrelated: this is a hash of the innermost return address of one. 0: it is not known.
uint64_t mck_log_place(const struct mck_reader *reader, uint32_t site);
// Writes "3rd " for the third communicator or window that a call of this rank has made, "" for the only one
// (sibling.c).
enum { MCK_ORDER_SIZE = 16 };
const char *mck_log_order_of_comm(const struct mck_reader *log, uint32_t comm, char text[MCK_ORDER_SIZE]);
const char *mck_log_order_of_window(const struct mck_reader *log, uint32_t win, char text[MCK_ORDER_SIZE]);
// Loads a log from a file (it is mapped), or from memory that the caller keeps (a writer's own log, a hand-written one
// in a test). Returns 0, or -1 and sets *why (a static text). It has the units that are committed now; later ones are
// not read. A file with a seal is compared with it: the log ends before the first damaged block of units.
int mck_log_load(struct mck_reader *reader, const char *path, const char **why);
// The same for a file, but at most its first units.
int mck_log_load_first(struct mck_reader *reader, const char *path, uint64_t units, const char **why);
// The same, but nothing is read yet. mck_log_unload frees it, too.
int mck_log_map(struct mck_reader *reader, const char *path, uint64_t units, const char **why);
// Reads the log from its begin. Returns false when out of memory.
bool mck_log_read_all(struct mck_reader *reader);
// Reads the first units, and of the others only the definitions at these places. Of all other units only one-unit
// events may be used, at places that are known to hold one. Returns false where the log is malformed or memory is
// short: then the caller reads all of it.
bool mck_log_read_parts(struct mck_reader *reader, uint64_t first, const uint32_t *definitions, size_t n);
int mck_log_load_memory(struct mck_reader *reader, const void *log, size_t size, const char **why);
// The same for a log that is read only once: nothing is read yet, and units and damaged are final when mck_log_reach
// has returned false. (A pass over a log waits for memory: a judge that reads on the way needs one pass instead of
// two.)
int mck_log_open_memory(struct mck_reader *reader, const void *log, size_t size, const char **why);
bool mck_log_read_on(struct mck_reader *reader, uint64_t index); // the rare part of mck_log_reach
// Is there a sound event at index? The index is 0, or that behind an event that exists. Ask in the order of the log.
static inline bool mck_log_reach(struct mck_reader *reader, uint64_t index) {
  const struct mck_event *e = &reader->events[index];
  __builtin_prefetch(e + MCK_LOG_AHEAD);
  if (index < reader->known) return true;
  if (index >= reader->units) return false;
  if (e->kind >= MCK_EV_RETURN || e->kind == MCK_EV_MRECV) return mck_log_read_on(reader, index);
  reader->known = index + 1; // the event is one unit without references
  return true;
}
void mck_log_unload(struct mck_reader *reader);
static inline bool mck_event_is_completion(const struct mck_event *e) {
  return e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE;
}
static inline bool mck_event_is_variable(const struct mck_event *e) { return e->kind >= MCK_EV_WAIT; }
// The owner changes a committed event while others read it: it writes the match first, and then the flag.
static inline uint8_t mck_event_flags(const struct mck_event *e) {
  return __atomic_load_n(&e->flags, __ATOMIC_ACQUIRE);
}
static inline void mck_event_flag(struct mck_event *e, uint8_t flag) {
  __atomic_store_n(&e->flags, (uint8_t)(__atomic_load_n(&e->flags, __ATOMIC_RELAXED) | flag), __ATOMIC_RELEASE);
}
static inline void mck_event_unmake(struct mck_event *e) { __atomic_store_n(&e->kind, MCK_EV_PAD, __ATOMIC_RELAXED); }
static inline uint64_t mck_event_units(const struct mck_event *e) {
  return mck_event_is_variable(e) ? 1 + (uint64_t)e->def.extra : 1;
}
// The world rank of a member of a communicator (of the remote group if remote), or -1.
int mck_comm_world_rank(const struct mck_comm_def *comm, int rank, bool remote);
// The i-th request of a WAIT or DONE event.
uint32_t mck_wait_request(const struct mck_event *e, uint32_t i);
// The event that a wait mark names, or MCK_NONE.
static inline uint32_t mck_wait_event(uint64_t wait) { return wait ? (uint32_t)(wait - 1) : MCK_NONE; }
