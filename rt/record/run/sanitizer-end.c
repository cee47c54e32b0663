// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sanitizer that has found an error ends the process by a system call of its own: no handler of exit or of a signal
// sees it, and the rank would read as killed. So the sanitizer calls this first, and says where the access was.
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "record/call/stack.h"
#include "record/run/process-end.h"
#include "record/runtime.h"

// The common interface of sanitizers, in the program or in a library of gcc.
#define FOREIGN __attribute__((weak, visibility("default")))
extern void __sanitizer_set_death_callback(void (*callback)(void)) FOREIGN;
extern void __asan_init(void) FOREIGN, __tsan_init(void) FOREIGN, __msan_init(void) FOREIGN;
extern int __asan_report_present(void) FOREIGN;
extern void *__asan_get_report_pc(void) FOREIGN, *__asan_get_report_bp(void) FOREIGN;
extern void *__asan_get_report_sp(void) FOREIGN;

static unsigned find_place(uint64_t *frames) {
#ifdef __x86_64__
  if (!__asan_report_present || !__asan_get_report_pc || !__asan_get_report_bp || !__asan_get_report_sp) return 0;
  if (!__asan_report_present()) return 0;
  ucontext_t context;
  memset(&context, 0, sizeof context);
  greg_t *registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = (greg_t)__asan_get_report_pc() - 1; // it is behind the call of the report
  registers[REG_RBP] = (greg_t)__asan_get_report_bp();
  registers[REG_RSP] = (greg_t)__asan_get_report_sp();
  return mck_stack_of_signal(&context, false, frames, MCK_LOG_DIED);
#else
  (void)frames;
  return 0;
#endif
}

static void on_death(void) {
  struct mck_log_header *header = mck_rt.log.header;
  if (!mck_rt.is_ready || !header || header->pid != (uint32_t)getpid() || atomic_load(&header->is_sealed) ||
      atomic_load(&header->state) != MCK_LOG_RUNNING)
    return;
  int which = __asan_init   ? MCK_LOG_SANITIZER_ADDRESS
              : __tsan_init ? MCK_LOG_SANITIZER_THREAD
              : __msan_init ? MCK_LOG_SANITIZER_MEMORY
                            : MCK_LOG_SANITIZER;
  atomic_store(&header->how, which);
  atomic_store(&header->ndied, find_place(header->died));
  atomic_store(&header->calls, mck_rt.calls);
  atomic_store(&header->state, MCK_LOG_SIGNALLED);
  mck_process_end_hint();
}

// Before the program's own constructors: a callback that it sets itself takes the place of ours.
__attribute__((constructor)) static void load(void) {
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(on_death);
}
