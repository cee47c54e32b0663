// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the process ends when it does not end in MPI_Finalize: this is written into the log's header while the process
// can still write, by handlers of fatal signals and of exit. SIGKILL leaves the state "running", which tells the
// reader of the log as much. The program's own handlers are left as they are.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "record/call/foreign-stack.h"
#include "record/call/python-frame.h"
#include "record/call/stack.h"
#include "record/run/exit-place.h"
#include "record/run/finalize.h"
#include "record/run/process-end.h"
#include "record/runtime.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGQUIT, SIGXCPU};
static struct sigaction before[sizeof signals / sizeof *signals];

// Under plain mpirun a run that dies is not judged. Its logs are kept, and this line says so (async-signal-safe).
static char hint[2 * sizeof mck_rt.dir + 128];
static size_t hint_length;
void mck_process_end_hint(void) {
  if (hint_length && write(STDERR_FILENO, hint, hint_length) < 0) { /* nowhere to say it */
  }
}

// A rank that is ended from outside may compute: the stack of its main thread tells where. That of an interpreter does
// not. A place that is there already is that of an exit.
static void note_place(int sig, struct mck_log_header *header, const void *context) {
  bool is_asked = sig == SIGTERM || sig == SIGINT; // those come from mpirun, which ends the others
  if (is_asked && (mck_python_is_here || syscall(SYS_gettid) != getpid() || atomic_load(&header->ndied))) return;
  atomic_store(&header->ndied, mck_stack_of_signal(context, is_asked, header->died, MCK_LOG_DIED));
}

// mpirun ends its ranks by SIGTERM, and by SIGKILL one second later, or as soon as the first of them has died (Open MPI
// sleeps, and SIGCHLD wakes it up). So a rank that has noted its place gives the others the time to note theirs.
static void wait_for_others(const siginfo_t *info) {
  enum { MS = 100 };
  if (info && info->si_pid == getppid()) nanosleep(&(struct timespec){.tv_nsec = MS * 1000000L}, NULL);
}

static void on_signal(int sig, siginfo_t *info, void *context) {
  if (sig == SIGSEGV || sig == SIGBUS) mck_foreign_stack_escape();
  struct mck_log_header *header = mck_rt.log.header;
  uint32_t state = header && !atomic_load(&header->is_sealed) ? atomic_load(&header->state) : MCK_LOG_FINALIZED;
  if (state == MCK_LOG_RUNNING || state == MCK_LOG_FINALIZING) {
    atomic_store(&header->how, sig);
    note_place(sig, header, context);
    // The log of a rank in MPI_Finalize is whole: that it died there is in how.
    if (state == MCK_LOG_RUNNING) atomic_store(&header->state, MCK_LOG_SIGNALLED);
    if (sig != SIGTERM && sig != SIGINT) mck_process_end_hint();
  }
  // Call the handler that was installed before ours (Open MPI prints its own trace), or die as the program would
  // have.
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    if (signals[i] != sig) continue;
    struct sigaction old = before[i];
    if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction) {
      old.sa_sigaction(sig, info, context);
      return;
    }
    if (!(old.sa_flags & SA_SIGINFO) && old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
      old.sa_handler(sig);
      return;
    }
    if (sig == SIGTERM && state == MCK_LOG_RUNNING) wait_for_others(info);
    sigaction(sig, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(sig);
  }
}

// pc: a return address on the way from the program's call to here.
static void note_exit(int status, const void *pc, bool may_define) {
  struct mck_log_header *header = mck_rt.log.header;
  if (header && atomic_load(&header->state) == MCK_LOG_RUNNING) {
    mck_exit_place_note(header, pc, may_define);
    atomic_store(&header->how, status & 0xff);
    atomic_store(&header->calls, mck_rt.calls);
    atomic_store(&header->state, MCK_LOG_EXITED);
    mck_process_end_hint();
  }
}

static void on_process_exit(int status, void *unused) {
  (void)unused;
  note_exit(status, __builtin_return_address(0), true);
}

// They call no exit handler, and may be called in a handler of a signal (Python does not). A child of vfork, which has
// our memory, is another process. Within a call MPI itself ends the process, after an error.
static _Noreturn void end_process(int status, const void *pc) {
  struct mck_log_header *header = mck_rt.log.header;
  if (mck_rt.is_ready && !mck_depth && header && header->pid == (uint32_t)getpid())
    note_exit(status, pc, mck_python_is_here);
  for (;;) syscall(SYS_exit_group, status);
}
MCK_EXPORT _Noreturn void _exit(int status) { end_process(status, __builtin_return_address(0)); }
MCK_EXPORT _Noreturn void _Exit(int status) { end_process(status, __builtin_return_address(0)); }

// quick_exit calls the C library's own _exit, behind handlers that do not get the status. Ours is the last of them.
static int quick_status;
static const void *quick_pc;
static void on_quick_exit(void) {
  if (quick_pc) note_exit(quick_status, quick_pc, false);
}
MCK_EXPORT _Noreturn void quick_exit(int status) {
  void (*next)(int) = NULL;
  *(void **)&next = dlsym(RTLD_NEXT, "quick_exit");
  quick_status = status;
  quick_pc = __builtin_return_address(0);
  if (next) next(status);
  end_process(status, __builtin_return_address(0));
}

// The thread that called MPI_Init must call MPI_Finalize, too (MPI-3.1 8.7). Behind pthread_exit it cannot, while
// threads of MPI keep the process. Its unwinding passes this frame.
MCK_EXPORT _Noreturn void pthread_exit(void *value) {
  void (*next)(void *) = NULL;
  *(void **)&next = dlsym(RTLD_NEXT, "pthread_exit");
  struct mck_log_header *header = mck_rt.log.header;
  if (mck_rt.is_ready && header && gettid() == getpid() && header->pid == (uint32_t)getpid() &&
      atomic_load(&header->state) == MCK_LOG_RUNNING) {
    mck_exit_place_note(header, __builtin_return_address(0), true);
    atomic_store(&header->left, MCK_LEFT_THREAD);
  }
  if (next) next(value);
  for (;;) syscall(SYS_exit, 0);
}

// Under plain mpirun nothing else turns errors into an exit code.
static void on_last_exit(int status, void *unused) {
  (void)unused;
  if (mck_finish_errors && !mck_rt.is_under_mpirun_check && mck_options.exitcode && status == 0) {
    fflush(NULL);
    _exit((int)mck_options.exitcode);
  }
}

// This runs before the program's own constructors. So our exit handler runs after all of the program's, and cuts off
// none of them.
__attribute__((constructor)) static void load(void) {
  on_exit(on_last_exit, NULL);
  at_quick_exit(on_quick_exit);
}

// A forked child shares the mapping of the log: it must not write there, and it is no rank.
static void in_child(void) {
  mck_rt.is_on = mck_rt.is_ready = false;
  mck_rt.log.header = NULL;
  mck_finish_errors = 0;
}

// A stack that has overflowed (endless recursion, automatic arrays of Fortran) has no room for a handler. This thread
// gets one of its own, unless the program or a sanitizer has given it one.
static bool has_signal_stack(void) {
  enum { SIZE = 256 << 10 };
  stack_t stack;
  if (sigaltstack(NULL, &stack)) return false;
  if (!(stack.ss_flags & SS_DISABLE)) return true;
  void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED && sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIZE}, NULL) == 0;
}

void mck_process_end_install(void) {
  char dir[2 * sizeof mck_rt.dir];
  (void)mck_base_quote(dir, sizeof dir, mck_rt.dir);
  if (!mck_rt.is_under_mpirun_check)
    hint_length = (size_t)snprintf(
        hint, sizeof hint,
        "==mpicc-check== rank %d ends early; unless a report follows, mpirun-check --judge %s makes one\n", mck_rt.rank,
        dir);
  pthread_atfork(NULL, NULL, in_child);
  mck_foreign_stack_prepare();
  bool is_separate = has_signal_stack();
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(signals[i], NULL, &before[i])) continue;
    if (!(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_IGN) continue;
    bool is_fault = signals[i] == SIGSEGV || signals[i] == SIGBUS;
    if ((before[i].sa_flags & SA_ONSTACK) || (is_separate && is_fault)) ours.sa_flags |= SA_ONSTACK;
    sigaction(signals[i], &ours, NULL);
  }
  on_exit(on_process_exit, NULL);
}
