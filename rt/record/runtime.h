// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Record: the runtime's part in the running process. Owns the log, the table of stacks, the list of local findings and the state below.
// Entered by the generated wrappers (hooks.h) on the user's threads and by instrumented code (abi.h). Ground rules: no MPI_* call, only PMPI_*;
// no allocation, lock or system call on the way of a message, except the one lock under MPI_THREAD_MULTIPLE; errno is left alone.
#pragma once
#include <pthread.h>
#include "object/object.h"
#include "record/hooks.h"
#include "report/report.h"

struct mck_runtime {
  bool is_on;              // options say so and the log is there
  bool is_ready;           // between the end of MPI_Init and the end of MPI_Finalize
  bool is_initialized, is_finalized;
  bool is_multiple;        // MPI_THREAD_MULTIPLE was provided: take the lock
  bool is_instrumented;    // some loaded object signals its loads and stores
  bool is_under_mpirun_check;
  bool is_attribute_user;  // attribute callbacks of the user may run in MPI_Finalize (leak.c)
  bool is_request_unseen;  // a callback made requests or took messages: no handle of a request is stale for certain
  bool is_profiler;        // the program calls PMPI_ functions: handles may live and die unseen (profiling.c)
  bool is_tag_asker;       // the program has asked for MPI_TAG_UB
  int tag_ub;
  uint64_t calls;          // MPI calls
  struct mck_log log;      // its first words are the last that each call needs: all of that is one cache line
  int rank, size;
  pthread_t main_thread;
  uint64_t job;
  char dir[256];           // of the logs
  struct mck_findings findings;
  MPI_Comm comm;           // ours, a duplicate of MPI_COMM_WORLD
};
extern struct mck_runtime mck_rt;
extern __thread int mck_depth __attribute__((tls_model("initial-exec")));  // inside how many MPI calls the thread is

extern pthread_mutex_t mck_mutex;
extern __thread unsigned mck_nlocks __attribute__((tls_model("initial-exec")));  // how often this thread holds it
static inline void mck_lock(void) { if (MCK_UNLIKELY(mck_rt.is_multiple)) pthread_mutex_lock(&mck_mutex), mck_nlocks++; }
static inline void mck_unlock(void) { if (MCK_UNLIKELY(mck_rt.is_multiple)) mck_nlocks--, pthread_mutex_unlock(&mck_mutex); }

// --- stack.c: call stacks as sites ---
uint32_t mck_stack_site(const void *pc, const void *frame);     // under the lock
unsigned mck_stack_frames(uint32_t site, struct mck_frame *frames, unsigned max);  // for a report from this process alone
void mck_stack_rewrite(void);   // defines again, in a log that was made just now
static inline uint32_t mck_call_site(struct mck_call *call) {
  if (call->site == MCK_NONE) call->site = mck_stack_site(call->pc, call->frame);
  return call->site;
}

// One look-up per call, however many checks and hooks ask. Tables grow under the lock, so they are searched under it; an entry that was found
// stays where it is.
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

// The user's i-th request variable. Open MPI's Fortran binding gives the C wrapper an array of its own.
static inline const MPI_Request *mck_call_variable(const struct mck_call *call, const MPI_Request *requests, int i) {
  return MCK_UNLIKELY(call->variables != NULL) ? (const void *)(call->variables + i) : requests + i;
}

// --- local.c: findings made on the spot, one per check and site ---
struct mck_finding *mck_local_add(enum mck_check check, uint32_t site, uint64_t also);  // NULL: already there (counted), or out of memory
void mck_local_done(struct mck_finding *finding);   // writes it to the log
__attribute__((format(printf, 3, 4))) void mck_local_report(struct mck_call *call, enum mck_check check, const char *format, ...);
// text_path: "" is stderr. Returns the number of errors.
int mck_local_print(struct mck_findings *findings, const struct mck_stack_source *stacks, const struct mck_report_run *run, const char *text_path);
struct mck_stack_source mck_local_stacks(void);

// --- events ---
extern unsigned mck_ntouched;   // windows with touched ranges that the log does not have yet
void mck_windows_flush(void);   // writes them: before any event that may order them against other ranks
static inline struct mck_event *mck_event_begin(struct mck_call *call, uint8_t kind, uint8_t flags) {
  if (MCK_UNLIKELY(mck_ntouched)) mck_windows_flush();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (MCK_LIKELY(e != NULL)) e->kind = kind, e->flags = flags, e->fn = call->fn;
  return e;
}
// site may have to be defined first, which appends to the log: take it before mck_event_begin.
void mck_event_plain(struct mck_call *call);   // fn and site, nothing more
static inline void mck_wait_begin(uint32_t event) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!h || event == MCK_NONE) return;
  atomic_store_explicit(&h->wait_event, event, memory_order_relaxed);
  atomic_store_explicit(&h->wait_seq, atomic_load_explicit(&h->wait_seq, memory_order_relaxed) | 1, memory_order_release);
}
static inline void mck_wait_end(void) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!h || mck_depth > 1) return;   // within another call the mark is that call's
  uint32_t seq = atomic_load_explicit(&h->wait_seq, memory_order_relaxed);
  if (seq & 1) atomic_store_explicit(&h->wait_seq, seq + 1, memory_order_release);
}

// --- handle.c, make.c: handles given to calls, objects made and freed ---
extern const char *const mck_handle_nouns[MCK_OBJECT_KINDS];
void mck_objects_unseen(void);   // something is made where we do not see it
__attribute__((cold)) void mck_handle_report_stale(struct mck_call *call, const char *text, uint16_t fn, uint32_t site, uint32_t free_site);
struct mck_request *mck_request_track(struct mck_call *call, MPI_Request *at, uint8_t kind);   // made by call; NULL: not to be tracked
void mck_request_untracked(const struct mck_call *call, const MPI_Request *at);   // made by a call that left no event: its handle is live, and nothing more is known
// Before the call: what its request variable holds. After it: that is lost, if it still was in use.
struct mck_request *mck_request_held(const struct mck_call *call, const MPI_Request *at);

// --- misuse.c: requests against their life cycle; all but the first report what is wrong with the call, if anything is ---
__attribute__((format(printf, 4, 5), cold)) void mck_request_misused(struct mck_call *call, enum mck_check check, const struct mck_request *r,
                                                                     const char *format, ...);
void mck_request_unknown(struct mck_call *call, const char *what, MPI_Request request);   // it is in no table: stale, or no handle?
void mck_request_null(struct mck_call *call, const char *what);
void mck_request_check_free(struct mck_call *call, const struct mck_request *r);
void mck_request_check_cancel(struct mck_call *call, const struct mck_request *r);
bool mck_request_check_start(struct mck_call *call, const struct mck_request *r);   // true: it may be started
void mck_request_check_idle(struct mck_call *call, const struct mck_request *r);    // a wait that waits for nothing; NULL: null requests

// --- leak.c ---
void mck_leaks_find(void);
void mck_leaks_keyval(int keyval);   // of communicators, with a callback of the user

// --- collective.c ---
struct mck_request *mck_coll_track(struct mck_call *call, struct mck_args *a);   // the request of the event just logged; NULL: not to be tracked

// --- complete.c ---
void mck_request_matched(struct mck_request *r, const MPI_Status *status);   // writes the match of a wildcard receive into its event
void mck_match_write(uint32_t event, const MPI_Status *status);
void mck_request_end_buffers(struct mck_request *r);   // they are not in use any more
void mck_complete_abandon(void);   // the thread has left its calls by a jump: their scratch memory is free

// --- access.c: buffers in use and window memory ---
void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type, bool is_written, uint32_t site, uint16_t fn);
void mck_buffer_restart(struct mck_buffer *b, uint32_t site);  // a persistent request's buffer, filled in before
void mck_buffer_end(struct mck_buffer *b);
void mck_window_watch(struct mck_window *w);
void mck_window_unwatch(struct mck_window *w);
struct mck_buffer *mck_buffer_of_rma(struct mck_window *w);   // a fresh one, freed by mck_window_complete; NULL: nothing is instrumented
void mck_window_complete(struct mck_window *w);        // RMA buffers of w are free again

// --- number.c ---
// A handle that is NULL, which no handle of Open MPI is: from Fortran a number that stands for nothing, perhaps any more.
void mck_handle_unknown(struct mck_call *call, const char *what, enum mck_object_kind kind);
void mck_check_uncommitted(struct mck_call *call, const char *what, const struct mck_type *t);   // check-buffer.c: reports it

bool mck_profiling_is_used(void);   // profiling.c

// --- init.c, finish.c ---
bool mck_start(void);            // at the end of MPI_Init
void mck_finish(struct mck_call *call);   // at the begin of MPI_Finalize: leaks, judge, report
void mck_finish_late(void);      // at the end of MPI_Finalize
void mck_died_install(void);     // handlers that write down how the process died
