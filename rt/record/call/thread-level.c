// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.level: calls beyond the thread level that MPI gave (MPI-3.1 12.4.3), and when the runtime's lock is needed
// (docs/design/threads.md).
#include <pthread.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "abi.h"
#include "record/access/known-access.h"
#include "record/access/touched-range.h"
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/thread-level.h"
#include "record/call/wait-mark.h"
#include "record/error/local-finding.h"
#include "record/p2p/completed-request.h"
#include "record/runtime.h"
#include "record/strand/lasting-memory.h"
#include "record/strand/strand-checks.h"
#include "thread/thread-slot.h"

__thread bool mck_is_plain __attribute__((tls_model("initial-exec")));
static __thread bool is_main __attribute__((tls_model("initial-exec")));
static int *main_depth; // mck_depth of the main thread
static int level = MPI_THREAD_SINGLE, required = MPI_THREAD_SINGLE;
static uint16_t init_fn;
static uint32_t init_site = MCK_NONE;

// SERIALIZED: the call that is under way, so that a second call at the same time is found: 1 << 63 | fn << 32 | site,
// or 0.
static _Atomic uint64_t under_way;
static _Atomic bool is_left_by_jump; // an error handler of the program may leave a call, which then seems to be under
                                     // way for ever

static const char *name_of(int thread_level) {
  switch (thread_level) {
  case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
  case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
  case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
  default: return "MPI_THREAD_MULTIPLE";
  }
}

// Any thread may make these calls at any time: the functions that 12.4 names, the macros and handle conversions of
// 2.6.4, the tool interface, which has a level of its own (14.3.4), and MPI_Abort, which ends the run.
static bool is_free(uint16_t fn) { return mck_std(fn)->threads == MCK_STD_THREADS_ANY; }

// The single constructs that the thread executes, in teams of several threads. The main one leaves the short way there,
// on which nobody asks for its level.
static __thread uint32_t nlucky __attribute__((tls_model("initial-exec")));
static void be_lucky(bool is_begin) {
  if (is_begin) nlucky++;
  else if (nlucky) nlucky--;
  mck_is_plain = is_main && !nlucky && level < MPI_THREAD_SERIALIZED;
}

void mck_level_init(struct mck_call *call, const struct mck_args *a) {
  PMPI_Query_thread(&level);
  init_fn = call->fn;
  required = call->fn == MCK_FN_MPI_Init_thread ? a->required : MPI_THREAD_SINGLE;
  init_site = mck_call_site(call);
  is_main = true;
  main_depth = &mck_depth;
  if (level >= MPI_THREAD_SERIALIZED) mck_lasting_init();
  mck_is_plain = level < MPI_THREAD_SERIALIZED;
  mck_thread_tell_luck = be_lucky;
  mck_rt.is_multiple = level == MPI_THREAD_MULTIPLE;
  mck_rt.is_locked = mck_rt.is_shared = level >= MPI_THREAD_SERIALIZED;
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

static bool is_main_inside(void) {
  int depth = __atomic_load_n(main_depth, __ATOMIC_ACQUIRE);
  struct mck_log_header *h = mck_rt.log.header; // loaded once: MPI_Finalize may be ending the log
  return h && (depth > 1 || (depth == 1 && !atomic_load_explicit(&h->wait, memory_order_acquire)));
}

#ifdef MCK_SANITIZE
void __sanitizer_print_stack_trace(void);
void mck_base_check_lock(void) {
  if (mck_nlocks || !mck_is_locked() || !mck_rt.is_ready) return;
  __sanitizer_print_stack_trace();
  MCK_CHECK(!"the lock is held");
}
#endif

void mck_level_share(void) {
  static atomic_flag has_begun = ATOMIC_FLAG_INIT;
  if (atomic_load_explicit(&mck_rt.is_shared, memory_order_acquire) || is_main) return;
  if (atomic_flag_test_and_set(&has_begun)) { // another thread does it
    while (!atomic_load_explicit(&mck_rt.is_shared, memory_order_acquire))
      nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    return;
  }
  atomic_store(&mck_rt.is_locked, true);
  // From here on either a thread's stored mck_depth is visible to us, or is_locked is visible to that thread.
  bool is_certain = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (!is_certain) nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  // A main thread that blocks in a call has left its hooks; those take less than a microsecond. Some calls that may
  // block have no wait mark (files), so this wait has an end.
  for (int i = 0; i < 1000 && is_main_inside(); i++) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  mck_known_share();
  atomic_store_explicit(&mck_rt.is_shared, true, memory_order_release);
}

static void place_init(struct mck_finding *f) {
  if (init_fn == MCK_FN_MPI_Init_thread)
    mck_finding_place(f, mck_rt.rank, init_site, "MPI_Init_thread was asked for %s and gave %s", name_of(required),
                      name_of(level));
  else mck_finding_place(f, mck_rt.rank, init_site, "MPI_Init gave %s", name_of(level));
}

// The call will do its work all the same, so it is recorded like any other: this is no finding of its arguments. It is
// reported now, since MPI may crash.
static struct mck_finding *begin(struct mck_call *call, const char *text, uint32_t also) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_THREAD_LEVEL, mck_call_site(call), also);
  mck_finding_text(f, "%s %s", mck_fn_names[call->fn], text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  return f;
}

static void end(struct mck_finding *f, const char *why) {
  place_init(f);
  mck_finding_why(f, "%s", why);
  mck_local_done(f);
  mck_unlock();
}

// In a single construct it is luck which thread calls, so the report is the same for each.
static void report_other(struct mck_call *call) {
  mck_lock();
  bool is_single = level == MPI_THREAD_SINGLE;
  const char *text = is_single ? "is called by a second thread, at MPI_THREAD_SINGLE"
                               : "is called by another thread than the main one, at MPI_THREAD_FUNNELED";
  if (nlucky)
    text = is_single ? "is called in a single construct, which any thread may execute, at MPI_THREAD_SINGLE"
                     : "is called in a single construct, which any thread may execute, at MPI_THREAD_FUNNELED";
  struct mck_finding *f = begin(call, text, MCK_NONE);
  if (f) f->cause = 1u + (unsigned)level; // the other calls of such threads are the same mistake
  end(f, "below MPI_THREAD_SERIALIZED only the thread that initialized MPI may call it (MPI-3.1 12.4.3)");
}

static void report_finalize(struct mck_call *call) {
  mck_lock();
  struct mck_finding *f = begin(call, "is called by another thread than the one that initialized MPI", MCK_NONE);
  end(f, "MPI is finalized by its main thread, at any thread level (MPI-3.1 12.4.3)");
}

// under_way belongs to another thread. The call there has not returned, or else our exchange would have found 0: both
// threads are certainly in MPI.
static void report_at_once(struct mck_call *call, uint64_t other) {
  if (atomic_load_explicit(&is_left_by_jump, memory_order_relaxed)) return;
  atomic_store_explicit(&mck_rt.log.header->is_multiple, 1, memory_order_relaxed);
  mck_lock();
  struct mck_finding *f = begin(
      call, "is called while another thread is in an MPI call, but the thread level is MPI_THREAD_SERIALIZED",
      (uint32_t)other);
  mck_finding_place(f, mck_rt.rank, (uint32_t)other, "the other thread is in %s", mck_fn_names[other >> 32 & 0xffff]);
  end(f, "at this level the program must see to it that two calls are never made at the same time (MPI-3.1 12.4.3)");
}

static void claim(struct mck_call *call) {
  bool is_reported = call->fn != MCK_FN_MPI_Finalize && mck_strands_are_several() && mck_strand_level(call);
  mck_lock();
  uint64_t ours = 1ull << 63 | (uint64_t)call->fn << 32 | mck_call_site(call), other = 0;
  mck_unlock();
  call->is_serialized = atomic_compare_exchange_strong_explicit(&under_way, &other, ours, memory_order_acq_rel,
                                                                memory_order_acquire);
  if (!call->is_serialized && !is_reported) report_at_once(call, other);
}

bool mck_level_has_one_caller(void) { return level < MPI_THREAD_SERIALIZED; }

void mck_level_release(void) { atomic_store_explicit(&under_way, 0, memory_order_release); }

// What a thread leaves when it ends: its scratch memory; and the lock, if an error handler has left by a jump a call
// that held it.
static pthread_key_t ending;
static __thread bool has_claimed __attribute__((tls_model("initial-exec"))); // of a thread that nobody follows
static void end_thread(void *unused) {
  (void)unused;
  while (mck_nlocks) mck_unlock();
  mck_complete_end_thread();
  static _Atomic uint64_t nobodys; // calls of destructors that come behind this one
  if (mck_wait_own) mck_wait_own = &nobodys;
  if (has_claimed) mck_slot_release();
}
static void make_key(void) { pthread_key_create(&ending, end_thread); }

static void note_thread(void) {
  static __thread bool is_known __attribute__((tls_model("initial-exec")));
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (is_known) return;
  is_known = true;
  pthread_once(&once, make_key);
  pthread_setspecific(ending, &is_known);
  if (level != MPI_THREAD_MULTIPLE) return;
  has_claimed = !mck_slot_own;
  mck_slot_claim(false);
  // Without a slot the last one has it, which never counts as waiting.
  uint32_t slot = mck_slot_own ? mck_slot_own - 1 : MCK_THREAD_SLOTS - 1;
  mck_wait_own = &mck_rt.log.header->threads[slot].wait;
}

void mck_level_enter(struct mck_call *call) {
  struct mck_log_header *header = mck_rt.log.header;
  if (call->fn == MCK_FN_MPI_Finalize && mck_strands_are_several()) mck_strand_level(call);
  bool is_luck = MCK_UNLIKELY(nlucky) && level < MPI_THREAD_SERIALIZED;
  if (is_main && level != MPI_THREAD_SERIALIZED && !is_luck) return;
  if (is_free(call->fn) || !mck_rt.is_ready || !header) return;
  if (is_main && is_luck) return report_other(call);
  if (!is_main) {
    note_thread();
    // Where two threads may be in MPI at once, the wait mark covers only one of them, and the log's order is no longer
    // that of the calls.
    if (level != MPI_THREAD_SERIALIZED &&
        !(atomic_load_explicit(&header->is_multiple, memory_order_relaxed) & MCK_LOG_THREADS))
      atomic_fetch_or(&header->is_multiple, MCK_LOG_THREADS);
    mck_level_share();
    if (level < MPI_THREAD_SERIALIZED) report_other(call);
    else if (call->fn == MCK_FN_MPI_Finalize) report_finalize(call);
  }
  if (level != MPI_THREAD_SERIALIZED) return;
  if (mck_std(call->fn)->family == MCK_STD_FAMILY_ERROR && mck_std(call->fn)->has_callback)
    atomic_store_explicit(&is_left_by_jump, true, memory_order_relaxed);
  claim(call);
}
