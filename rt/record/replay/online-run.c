// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the online clocks on this process's log, and reports what they found.
#include "record/content/content.h"
#include "record/replay/online-run.h"
#include <stdio.h>
#include "record/replay/mailbox.h"
#include "record/run/node-agreement.h"
#include "record/access/range-flush.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static struct mck_online online;
static struct mck_reader reader;
static const char *why_not; // the runs that the option does not work for; NULL: it works

static bool open_reader(void) {
  const char *why;
  struct mck_log_header *header = mck_rt.log.header;
  return mck_log_open_memory(&reader, header, MCK_LOG_HEADER + (size_t)atomic_load(&header->units) * MCK_UNIT, &why) ==
         0;
}

void mck_online_start(bool is_one_node) {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  int can[2] = {!mck_rt.is_multiple, parent == MPI_COMM_NULL};
  PMPI_Allreduce(MPI_IN_PLACE, can, 2, MPI_INT, MPI_MIN, mck_rt.comm);
  if (!can[0]) why_not = "programs that ask for MPI_THREAD_MULTIPLE";
  else if (!can[1]) why_not = "processes that were spawned";
  else if (!is_one_node || mck_options.simulated_nodes > 1) why_not = "runs on several nodes";
  else if (!mck_mailbox_open()) why_not = "a run for which there is no memory that its processes share";
  int is_good = !why_not &&
                mck_online_open(&online, (uint32_t)mck_rt.rank, (uint32_t)mck_rt.size, &mck_mailbox_transport) &&
                open_reader();
  PMPI_Allreduce(MPI_IN_PLACE, &is_good, 1, MPI_INT, MPI_MIN, mck_rt.comm);
  if (!is_good && !why_not) why_not = "a run for which there is no memory";
  mck_rt.is_online = is_good;
  mck_rt.is_followed = is_good || mck_content_is_on;
  mck_online_look();
}

void mck_online_look(void) {
  if (!mck_rt.is_online) return;
  mck_ntouched |= MCK_TOUCHED_ONLINE; // so that the next event calls this again
  reader.units = atomic_load_explicit(&mck_rt.log.header->units, memory_order_relaxed);
  mck_online_step(&online, &reader);
}

void mck_online_begin(uint32_t event) {
  if (event == MCK_NONE) return;
  reader.units = atomic_load_explicit(&mck_rt.log.header->units, memory_order_relaxed);
  mck_online_enter(&online, &reader, event);
}

void mck_online_recycle(void (*visit)(uint32_t *event)) {
  if (mck_rt.is_online) mck_online_visit(&online, visit);
}

void mck_online_recycled(void) {
  if (!mck_rt.is_online) return;
  mck_log_unload(&reader);
  if (!open_reader()) mck_online_lose(&online, MCK_ONLINE_ROOM);
  for (uint64_t i = 0; mck_log_reach(&reader, i); i += mck_event_units(&reader.events[i])) {} // definitions
  mck_online_moved(&online, reader.units);
}

// --- what was found ---
static const char *const headlines[] = {
    [MCK_ONLINE_EQUAL] = "a wildcard receive takes whichever of several messages comes first; they look alike",
    [MCK_ONLINE_OTHER_TAG] = "a wildcard receive takes whichever of several messages comes first; their tags differ",
    [MCK_ONLINE_OTHER_SIZE] = "a wildcard receive takes whichever of several messages comes first; their sizes differ",
    [MCK_ONLINE_TOO_LARGE] = ("a wildcard receive takes whichever of several messages comes first, and one of them "
                              "would be truncated")};

static const char *name_of(uint16_t fn) { return fn < MCK_FN_COUNT ? mck_fn_names[fn] : "an MPI call"; }

static void say(const struct mck_online_place *p) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_MESSAGE_RACE, p->site, p->fn);
  if (!f) return;
  f->count = p->open > UINT32_MAX ? UINT32_MAX : (uint32_t)p->open;
  mck_finding_text(f, "%s", headlines[p->difference]);
  char open[32], receives[32];
  mck_base_write_number(open, sizeof open, p->open);
  mck_base_write_number(receives, sizeof receives, p->receives);
  mck_finding_why(f, "%s of %s %s%s here could have got another message; up to %u ranks could be first", open, receives,
                  p->kind == MCK_EV_RECV ? "receive" : "probe", p->receives == 1 ? "" : "s", p->senders);
  if (p->difference >= MCK_ONLINE_OTHER_TAG && p->got.bytes != UINT64_MAX && p->other.bytes != UINT64_MAX)
    mck_finding_why(f, "it got %llu bytes with tag %d, and could have got %llu bytes with tag %d",
                    (unsigned long long)p->got.bytes, p->got.tag, (unsigned long long)p->other.bytes, p->other.tag);
  mck_finding_place(f, mck_rt.rank, p->site, "%s by rank %d", name_of(p->fn), mck_rt.rank);
  if (p->difference == MCK_ONLINE_EQUAL)
    mck_finding_place(f, (int)p->got.from, p->got.site, "got: %s from rank %u, not rank %u", name_of(p->got.fn),
                      p->got.from, p->other.from);
  else {
    mck_finding_place(f, (int)p->got.from, p->got.site, "got: %s from rank %u", name_of(p->got.fn), p->got.from);
    mck_finding_place(f, (int)p->other.from, p->other.site, "could have got: %s from rank %u", name_of(p->other.fn),
                      p->other.from);
  }
  mck_finding_help(f,
                   "nothing to mend if the program works whichever comes first; to run it the other way: mpirun-check "
                   "--take %d:%u=%d:%d",
                   mck_rt.rank, p->number, p->other.source, p->other.tag);
  mck_local_done(f);
}

__attribute__((format(printf, 1, 2))) static void say_unfollowed(const char *format, ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  struct mck_finding *f = mck_local_add(MCK_CHECK_UNCHECKED, MCK_NONE, 3);
  if (!f) return;
  mck_finding_text(f, "%s", text);
  mck_local_done(f);
}

static const char *const reasons[] = {
    [MCK_ONLINE_FOLLOWS] = "",
    [MCK_ONLINE_UNRECORDED] = "a message or collective was not seen at the other side",
    [MCK_ONLINE_WORLDS] = "processes of another MPI_COMM_WORLD take part",
    [MCK_ONLINE_ROOM] = "there is no memory for it",
    [MCK_ONLINE_OTHERS] = "others cannot be followed",
};

// How far this rank was followed, where it was not followed to its end.
static void report_limits(void) {
  if (online.lost && online.lost != MCK_ONLINE_OTHERS)
    say_unfollowed(
        "clocks=online could not follow this rank to its end (%s): message races behind that were not looked for",
        reasons[online.lost]);
  else if (online.forgotten)
    say_unfollowed("clocks=online compares a message with the %d wildcards before it: alternatives of older ones were "
                   "not looked for",
                   MCK_ONLINE_WILDCARDS);
}

void mck_online_finish(void) {
  mck_lock();
  if (why_not && mck_rt.rank == 0)
    say_unfollowed("clocks=online does not follow %s: message races were not looked for", why_not);
  mck_unlock();
  if (!mck_rt.is_online) return;
  mck_rt.is_online = false;
  mck_rt.is_followed = mck_content_is_on;
  bool is_whole = mck_online_end(&online);
  // After messages that we did not see, the clock records of others seem to belong to other messages. For profiling
  // names and threads that is reported already.
  uint32_t multiple = atomic_load(&mck_rt.log.header->is_multiple);
  int doubts[2] = {!is_whole && mck_rt.is_request_unseen, (multiple & (MCK_LOG_UNSEEN | MCK_LOG_THREADS)) != 0};
  PMPI_Allreduce(MPI_IN_PLACE, doubts, 2, MPI_INT, MPI_MAX, mck_rt.comm);
  mck_lock();
  if (doubts[0] && mck_rt.rank == 0 && !doubts[1])
    say_unfollowed("clocks=online says nothing of message races: a callback took part in messages, and some were not "
                   "received where it was seen");
  else report_limits();
  for (size_t i = 0; i < online.nplaces && !doubts[0] && !doubts[1]; i++)
    if (online.places[i].open) say(&online.places[i]);
  mck_unlock();
  mck_online_close(&online);
  mck_log_unload(&reader);
  mck_mailbox_close();
}
