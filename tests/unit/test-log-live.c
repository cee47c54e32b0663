// RUN: %unit/test-log-live
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process appends while another reads, and is killed with SIGKILL at any moment: every load sees whole events, in
// order, none lost that an earlier load had seen.
#include <signal.h>
#include <sys/wait.h>
#include "sample-log.h"

enum { EVENTS = 1000000, LOADS = 30 };

static _Noreturn void write_events(void) {
  struct mck_log log;
  const char *why;
  if (mck_log_create(&log, log_dir, 0, 1, 1, 128 << 20, &why)) _exit(1);
  for (uint64_t i = 0;; i++) {
    if (i % 64 == 0) define_stack(&log, (uint32_t)(i / 64), 7);
    struct mck_event *e = mck_log_reserve(&log, 1);
    if (!e)
      for (;;) pause();
    *e = (struct mck_event){.kind = MCK_EV_SEND, .fn = 1, .site = (uint32_t)(i / 64), .msg = {.count = i}};
    mck_log_commit(&log, 1);
    if (i > EVENTS)
      for (;;) pause();
  }
}

// Checks order and definitions of what is there; returns the units, or 0 when the log does not exist yet.
static uint64_t read_events(void) {
  struct mck_reader reader;
  const char *why;
  if (mck_log_load(&reader, log_path(0), &why) != 0) return 0;
  EXPECT(reader.damaged == UINT64_MAX);
  uint64_t next = 0, units = reader.units;
  for (uint64_t i = 0; i < units; i += mck_event_units(&reader.events[i])) {
    const struct mck_event *e = &reader.events[i];
    if (e->kind != MCK_EV_SEND) continue;
    if (e->msg.count != next || e->site >= reader.nstacks || reader.stacks[e->site].depth != 7) {
      EXPECT(!"an event is whole, in order, and its site is defined");
      break;
    }
    next++;
  }
  mck_log_unload(&reader);
  return units;
}

int main(void) {
  make_log_dir();
  pid_t writer = fork();
  if (writer == 0) write_events();
  uint64_t last = 0, grown = 0;
  bool has_ended = false; // then its id may be another process's
  for (int i = 0; i < LOADS && !has_ended;) {
    uint64_t units = read_events();
    EXPECT(units >= last);
    grown += units > last;
    i += units > 0;
    last = units;
    if (units > EVENTS) break;
    has_ended = waitpid(writer, NULL, WNOHANG) != 0;
  }
  EXPECT(!has_ended);
  if (!has_ended) kill(writer, SIGKILL);
  int status = 0;
  EXPECT(has_ended || (waitpid(writer, &status, 0) == writer && WIFSIGNALED(status)));
  EXPECT(read_events() >= last && last > 0 && grown > 0);
  remove_logs();
  return verdict();
}
