// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Record: the runtime's part in the running process. Owns the log, the table of stacks, the list of local findings and
// the state below. Entered by the generated wrappers (hooks.h) on the user's threads and by instrumented code (abi.h).
// Ground rules: no MPI_* call, only PMPI_*; no allocation, lock or system call on the way of a message, except the one
// lock under MPI_THREAD_MULTIPLE; errno is left alone.
#pragma once
#include <pthread.h>
#include <stdarg.h>
#include "object/object.h"
#include "record/hooks.h"
#include "report/report.h"

struct mck_runtime {
  // Atomic: written while other threads run. Read by plain loads on x86.
  _Atomic bool is_on;    // options say so and the log is there
  _Atomic bool is_ready; // between the end of MPI_Init and the end of MPI_Finalize
  _Atomic bool is_initialized, is_finalized;
  _Atomic bool is_multiple;     // MPI_THREAD_MULTIPLE was provided: several threads may be in MPI at once
  _Atomic bool is_locked;       // several threads may be in the runtime at once: take the lock (thread-level.c)
  _Atomic bool is_shared;       // ... and all who came without it have left
  _Atomic bool is_instrumented; // some loaded object signals its loads and stores
  _Atomic bool is_online;       // clocks=online: sends and collectives tell it their events (online-run.h)
  bool is_under_mpirun_check;
  _Atomic bool is_attribute_user; // attribute callbacks of the user may run in MPI_Finalize (leak.c)
  _Atomic bool is_request_unseen; // a callback made requests or took messages: no handle of a request is stale for
                                  // certain
  _Atomic bool is_profiler;  // code that was not recompiled handles the program's objects by PMPI_ names: handles may
                             // live and die unseen (profiling.c)
  _Atomic bool is_tag_asker; // the program has asked for MPI_TAG_UB
  _Atomic bool is_datarep_registered; // MPI_Register_datarep was called
  int tag_ub;
  _Atomic uint64_t calls; // MPI calls
  struct mck_log log;     // its first words are the last that each call needs: all of that is one cache line
  int rank, size;
  uint64_t job;
  char dir[256]; // of the logs
  struct mck_findings findings;
  MPI_Comm comm;             // ours, a duplicate of MPI_COMM_WORLD
  struct mck_findings early; // what the judge said at cuts (record/run/log-budget.h)
};
extern struct mck_runtime mck_rt;
extern __thread int mck_depth __attribute__((tls_model("initial-exec"))); // inside how many MPI calls the thread is

extern pthread_mutex_t mck_mutex;
extern __thread unsigned mck_nlocks __attribute__((tls_model("initial-exec"))); // how often this thread holds it
static inline bool mck_is_locked(void) { return atomic_load_explicit(&mck_rt.is_locked, memory_order_relaxed); }
static inline void mck_lock(void) {
  if (MCK_UNLIKELY(mck_is_locked())) pthread_mutex_lock(&mck_mutex), mck_nlocks++;
}
// By what this thread holds: is_locked may have become true since it passed mck_lock.
static inline void mck_unlock(void) {
  if (MCK_UNLIKELY(mck_nlocks)) mck_nlocks--, pthread_mutex_unlock(&mck_mutex);
}
// A call of ours that holds the lock while it is in MPI: not where its arguments are wrong, since an error handler of
// the program may then leave it by a jump.
static inline void mck_unlock_if_wrong(const struct mck_call *call) {
  if (MCK_UNLIKELY(call->nfindings)) mck_unlock();
}
static inline void mck_lock_if_wrong(const struct mck_call *call) {
  if (MCK_UNLIKELY(call->nfindings)) mck_lock();
}
// mck_depth of the main thread is looked at by others (thread-level.c): what is done inside a call comes before its
// end.
static inline void mck_depth_set(int depth) { __atomic_store_n(&mck_depth, depth, __ATOMIC_RELEASE); }

// --- stack.c: call stacks as sites ---
uint32_t mck_stack_site(const void *pc, const void *frame); // under the lock
unsigned mck_stack_frames(uint32_t site, struct mck_frame *frames,
                          unsigned max); // for a report from this process alone
void mck_stack_rewrite(void);            // defines again, in a log that was made just now
static inline uint32_t mck_call_site(struct mck_call *call) {
  if (call->site == MCK_NONE) call->site = mck_stack_site(call->pc, call->frame);
  return call->site;
}

// One look-up per call, however many checks and hooks ask. Tables grow under the lock, so they are searched under it;
// an entry that was found stays where it is.
static inline struct mck_comm *mck_call_comm(struct mck_call *call, MPI_Comm comm) {
  if (call->comm && call->comm->object.handle == (uint64_t)(uintptr_t)comm) return call->comm;
  mck_lock();
  call->comm = mck_comm_find(comm);
  mck_unlock();
  return call->comm;
}

// Under the lock.
static inline struct mck_type *mck_call_type(struct mck_call *call, MPI_Datatype type) {
  return call->type && call->type->object.handle == (uint64_t)(uintptr_t)type ? call->type : mck_type_find(type);
}

static inline struct mck_comm *mck_comm_look_up(MPI_Comm comm) { // where there is no call to keep it in
  mck_lock();
  struct mck_comm *c = mck_comm_find(comm);
  mck_unlock();
  return c;
}

// The user's i-th request variable. Open MPI's Fortran binding gives the C wrapper an array of its own.
static inline const MPI_Request *mck_call_variable(const struct mck_call *call, const MPI_Request *requests, int i) {
  return MCK_UNLIKELY(call->variables != NULL) ? (const void *)(call->variables + i) : requests + i;
}

// --- local-finding.c: findings made on the spot, one per check and site ---
struct mck_finding *mck_local_add(enum mck_check check, uint32_t site,
                                  uint64_t also);       // NULL: already there (counted), or out of memory
void mck_local_done(struct mck_finding *finding);       // writes it to the log
void mck_local_moved(const uint32_t *events, size_t n); // where the findings are in a recycled log
// What becomes of the call: it works; it may do its work, fail or kill the process, and is an event that others' calls
// match; MPI will refuse it.
enum mck_outlook { MCK_WORKS, MCK_DOUBTFUL, MCK_REFUSED };
__attribute__((format(printf, 4, 0))) void mck_local_say(struct mck_call *call, enum mck_check check,
                                                         enum mck_outlook outlook, const char *format, va_list list);
__attribute__((format(printf, 3, 4))) void mck_local_report(struct mck_call *call, enum mck_check check,
                                                            const char *format, ...);
// text_path: "" is stderr. Returns the number of errors.
int mck_local_print(struct mck_findings *findings, const struct mck_stack_source *stacks,
                    const struct mck_report_run *run, const char *text_path);
void mck_local_print_now(struct mck_findings *findings, const struct mck_stack_source *stacks,
                         const struct mck_report_run *run); // the run goes on
struct mck_stack_source mck_local_stacks(void);

// --- events ---
extern unsigned mck_ntouched; // windows with touched ranges that the log does not have yet
#define MCK_TOUCHED_ONLINE                                                                                             \
  0x40000000u                 // ... and, beside them, that the clocks of online-run.h look at the log before each event
void mck_windows_flush(void); // writes them: before any event that may order them against other ranks
static inline struct mck_event *mck_event_begin(struct mck_call *call, uint8_t kind, uint8_t flags) {
  if (MCK_UNLIKELY(mck_ntouched)) mck_windows_flush();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (MCK_LIKELY(e != NULL)) e->kind = kind, e->flags = flags, e->fn = call->fn;
  return e;
}
// site may have to be defined first, which appends to the log: take it before mck_event_begin.
void mck_event_plain(struct mck_call *call); // fn and site, nothing more
// wait-mark.c
uint32_t mck_coll_log(struct mck_call *call,
                      const struct mck_args *a); // a COLL; under the lock. MCK_NONE: its communicator is not logged
void mck_waits_log(struct mck_call *call, uint32_t about); // a CALL; under the lock
void mck_waits_create_group(struct mck_call *call, const struct mck_args *a);
void mck_waits_leaders(const struct mck_call *call, const struct mck_args *a); // MPI_Intercomm_create, behind its event
#ifdef MCK_UNMARKED                                                            // bench/marks.sh: what the marks cost
static inline void mck_wait_begin(uint32_t event) { (void)event; }
static inline void mck_wait_end(void) {}
#else
void mck_wait_begin_unnamed(struct mck_log_header *h); // wait-mark.c
static inline void mck_wait_begin(uint32_t event) {
  struct mck_log_header *h = mck_rt.log.header;
  if (MCK_UNLIKELY(!h || event == MCK_NONE)) {
    if (h) mck_wait_begin_unnamed(h); // it blocks in what the log does not know (of another world)
    return;
  }
  atomic_store_explicit(&h->wait, (uint64_t)event + 1, memory_order_release);
}
static inline void mck_wait_end(void) {
  struct mck_log_header *h = mck_rt.log.header;
  if (MCK_UNLIKELY(!h || mck_depth > 1)) return; // within another call the mark is that call's
  atomic_store_explicit(&h->wait, 0, memory_order_release);
}
#endif

// --- check-handle.c, new-object.c: handles given to calls, objects made and freed ---
extern const char *const mck_handle_nouns[MCK_OBJECT_KINDS];
void mck_objects_unseen(void); // something is made where we do not see it
__attribute__((cold)) void mck_handle_report_stale(struct mck_call *call, const char *text, uint16_t fn, uint32_t site,
                                                   uint32_t free_site);
struct mck_request *mck_request_track(struct mck_call *call, MPI_Request *at,
                                      uint8_t kind); // made by call; NULL: not to be tracked
struct mck_request *mck_request_eventless(struct mck_call *call, struct mck_args *a,
                                          uint8_t kind); // call->scratch: what its variable held
void mck_request_untracked(const struct mck_call *call,
                           const MPI_Request *at); // made by a call that left no event: its handle is live, and nothing
                                                   // more is known
// Before the call: what its request variable holds. After it: that is lost, if it still was in use.
struct mck_request *mck_request_held(const struct mck_call *call, const MPI_Request *at);

// --- request-misuse.c: requests against their life cycle; all but the first report what is wrong with the call, if
// anything is ---
__attribute__((format(printf, 4, 5), cold)) void
mck_request_misused(struct mck_call *call, enum mck_check check, const struct mck_request *r, const char *format, ...);
void mck_request_unknown(struct mck_call *call, const char *what,
                         MPI_Request request); // it is in no table: stale, or no handle?
void mck_request_null(struct mck_call *call, const char *what);
void mck_request_check_free(struct mck_call *call, const struct mck_request *r);
void mck_request_check_cancel(struct mck_call *call, const struct mck_request *r);
bool mck_request_check_start(struct mck_call *call, const struct mck_request *r); // true: it may be started
void mck_request_check_idle(struct mck_call *call,
                            const struct mck_request *r); // a wait that waits for nothing; NULL: null requests

// --- request-threads.c: requests that a thread is blocked on, under MPI_THREAD_MULTIPLE ---
void mck_waited_begin(struct mck_call *call, struct mck_request *r); // about to block in a completion of it
void mck_waited_end(struct mck_request *r);
void mck_waited_forget(MPI_Request request); // the library gave the value out again, for a request that is in no table
// The request of that handle, r as found in the table. NULL where another thread is in a completion of it, which is
// reported.
struct mck_request *mck_waited_check(struct mck_call *call, const char *what, struct mck_request *r,
                                     MPI_Request handle);
void mck_waited_check_all(struct mck_call *call, const char *what, const MPI_Request *handles, int n);

// --- leak.c ---
void mck_leaks_find(void);
void mck_leaks_keyval(int keyval); // of communicators, with a callback of the user

// --- open-file.c ---
struct mck_file {
  MPI_File handle;
  int amode;
  int64_t etype;       // bytes of the view's etype, 0: unknown
  uint16_t begun;      // the begin function of the split collective access that is open, or MCK_FN_NONE
  const void *address; // its buffer
  uint32_t begun_site;
  bool is_said; // that it is open was a finding already
  struct mck_buffer buffer;
  struct mck_file *next;
};
enum { MCK_FN_NONE = UINT16_MAX };
struct mck_file *mck_file_find(MPI_File file); // NULL: opened where we did not see it
void mck_files_pending(void);                  // at the end of the run: what was begun and not ended
// --- collective.c ---
static inline bool mck_is_neighborly(uint16_t fn) {
  return (fn >= MCK_FN_MPI_Neighbor_allgather && fn <= MCK_FN_MPI_Neighbor_alltoallw) ||
         (fn >= MCK_FN_MPI_Ineighbor_allgather && fn <= MCK_FN_MPI_Ineighbor_alltoallw);
}
// Into its event: the argument that must be the same at all ranks. A rank that gives MPI_UNDEFINED to
// MPI_Comm_split_type takes no part (MPI-3.1 6.4.2).
static inline void mck_coll_same(struct mck_event *e, const struct mck_args *a) {
  if (MCK_LIKELY(!a->has_same) || (e->fn == MCK_FN_MPI_Comm_split_type && a->same == MPI_UNDEFINED)) return;
  e->flags |= MCK_COLL_HAS_SAME;
  e->coll.count = (uint64_t)a->same;
}
struct mck_request *mck_coll_track(struct mck_call *call,
                                   struct mck_args *a); // the request of the event just logged; NULL: not to be tracked

// --- completion.c, completion-array.c ---
void mck_request_matched(struct mck_request *r,
                         const MPI_Status *status); // writes the match of a wildcard receive into its event
void mck_match_write(uint32_t event, const MPI_Status *status);
void mck_request_end_buffers(struct mck_request *r); // they are not in use any more
void mck_complete_end_thread(void);                  // the thread ends
void mck_complete_abandon(void); // the thread has left its calls by a jump: their scratch memory is free

// --- signal.c: buffers in use and window memory ---
void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                      bool is_written, uint32_t site, uint16_t fn);
// false: nothing that can be watched
bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                       bool is_written, uint16_t fn);
void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call); // what the call's mck_use told
void mck_overlap_begin(struct mck_buffer *b);                                    // buffer-overlap.c
void mck_buffer_restart(struct mck_buffer *b, uint32_t site); // a persistent request's buffer, filled in before
void mck_buffer_end(struct mck_buffer *b);
// shared-segment.c
void mck_segments_share(struct mck_window *w, MPI_Win win, int rank); // w has just been made; rank: ours in it
void mck_segments_end(struct mck_window *w);
void mck_hashed_begin(struct mck_buffer *b);                 // buffer-hash.c: with the option hash_sends
void mck_hashed_check(struct mck_request *r, uint32_t site); // the operation is complete
void mck_window_watch(struct mck_window *w);
void mck_window_unwatch(struct mck_window *w);
void mck_window_forget(struct mck_window *w); // and its memory for notes
// Of an operation, until mck_window_complete; one like the last costs next to nothing.
void mck_buffer_begin_rma(struct mck_window *w, int target, const void *address, MPI_Aint count,
                          const struct mck_type *t, bool is_written, uint32_t site, uint16_t fn);
void mck_window_complete(struct mck_window *w, int target,
                         struct mck_call *call); // RMA buffers of w are free again; target -1: all
void mck_window_name_memory(const struct mck_call *call, const struct mck_window *w); // window-variable.c: in the log,
                                                                                      // if the code told of a variable
// window-buffer.c: a buffer of the operation whose event was written last, as far as it lies in window memory
void mck_lent_log(const void *address, int64_t count, const struct mck_type *type, bool is_written, uint32_t site);
void mck_lent_unmake(uint32_t event); // with the operation's
// local-race.c
extern unsigned mck_naccused;
void mck_accused_add(const struct mck_buffer *b, uint32_t site, uint32_t flags); // MCK_SIGNAL_*, MCK_PIECES_FREED
void mck_accused_end(const struct mck_buffer *b, uint32_t site, uint16_t fn);    // fn 0: a completion of requests

// --- check-stale-handle.c ---
// A handle that is NULL, which no handle of Open MPI is: from Fortran a number that stands for nothing, perhaps any
// more.
void mck_handle_unknown(struct mck_call *call, const char *what, enum mck_object_kind kind);
void mck_check_uncommitted(struct mck_call *call, const char *what,
                           const struct mck_type *t); // check-buffer.c: reports it
void mck_check_commit_twice(struct mck_call *call, MPI_Datatype type);
// check-type.c: of a type for which that may be so.
__attribute__((cold)) void mck_check_misaligned(struct mck_call *call, const struct mck_type *t, const void *buf,
                                                MPI_Aint count, const struct mck_args *a, bool is_sent);
__attribute__((cold)) void mck_check_overlap(struct mck_call *call, const char *what, struct mck_type *t,
                                             MPI_Aint count, const struct mck_args *a);

void mck_check_transfer(struct mck_call *call,
                        const struct mck_args *a); // transfer-size.c: origin against target datatypes; under the lock

bool mck_quick_enter(uint16_t fn, const void *pc, const void *frame); // call.c: false: not on this thread, not now

// --- call-failure.c, error-handler.c, callsite.c, profiling.c: calls that fail; calls by PMPI_ names ---
struct mck_call *mck_call_current(const void *frame); // the outermost call that the thread is in, seen from within it;
                                                      // NULL: none that we know
void mck_failure_returned(struct mck_call *call, const struct mck_args *a, int rc);
// An error handler is called with a code and the library's word for what failed: before a user's handler runs, or
// before MPI ends the run.
void mck_failure_handled(const char *word, int code, bool is_fatal);
void mck_handlers_install(void);                          // sees MPI_ERRORS_ARE_FATAL from now on
bool mck_callsite_is_unused(const struct mck_call *call); // the source does not use its result
void mck_profiling_look(void); // what of the program passes us by: is_profiler, the mark in the log's header
bool mck_profiling_write(char *text, size_t size); // who calls which PMPI_ functions unseen; false: nobody
const struct mck_request *
mck_complete_listed(const struct mck_call *call,
                    int i); // completion-array.c: the i-th of a call over an array, NULL if unknown

// --- init.c, finalize.c ---
bool mck_start(void);                   // at the end of MPI_Init
void mck_finish(struct mck_call *call); // at the begin of MPI_Finalize: leaks, judge, report
void mck_finish_late(void);             // at the end of MPI_Finalize
void mck_died_install(void);            // handlers that write down how the process died
