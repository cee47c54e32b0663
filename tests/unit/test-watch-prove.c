// RUN: %unit/test-watch-prove
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proof on hand-written logs: each condition that blocks, and beside it what makes the same state no deadlock.
#include "standard/constants.h"
#include "watch-log.h"
#include "watch/proof/proof.h"

static struct mck_findings findings;
static bool is_patient = true;
static int impatient = -1; // a rank that is not
static bool prove_all(const struct mck_reader *logs, struct mck_findings *list) {
  uint8_t patience[WORLD_MAX];
  for (int r = 0; r < WORLD_MAX; r++)
    patience[r] = is_patient && r != impatient ? MCK_PATIENCE_LONG : MCK_PATIENCE_NONE;
  return mck_watch_prove_patiently(logs, marks, patience, world, list);
}
static bool proves(void) {
  mck_findings_free(&findings);
  memset(&findings, 0, sizeof findings);
  return prove_with(prove_all, &findings);
}
static bool note_all(const struct mck_reader *logs, struct mck_findings *list) {
  return mck_watch_note_polling(logs, marks, NULL, world, list);
}
static bool notes_polling(void) {
  mck_findings_free(&findings);
  memset(&findings, 0, sizeof findings);
  return prove_with(note_all, &findings);
}
static bool says(size_t i, const char *text) {
  const struct mck_finding *f = i < findings.count ? &findings.items[i] : NULL;
  size_t length = f && f->text ? strcspn(f->text, "\n") : 0; // the roll call follows
  if (length == strlen(text) && length && !strncmp(f->text, text, length)) return true;
  printf("wanted: %s\nfound:  %s\n", text, f && f->text ? f->text : "nothing");
  return false;
}
static bool has_place(size_t i, uint32_t p, const char *label) {
  const struct mck_finding *f = i < findings.count ? &findings.items[i] : NULL;
  const char *found = f && p < f->nplaces ? f->places[p].label : "nothing";
  if (!strcmp(found, label)) return true;
  printf("wanted: %s\nfound:  %s\n", label, found);
  return false;
}
static bool explains(size_t i, const char *line) {
  if (i < findings.count && findings.items[i].why && strstr(findings.items[i].why, line)) return true;
  if (i < findings.count && findings.items[i].text && strstr(findings.items[i].text, line)) return true;
  printf("wanted: %s\nfound:  %s\n", line,
         i < findings.count && findings.items[i].why ? findings.items[i].why : "nothing");
  return false;
}

static void check_recv_recv(void) {
  new_world(3);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(proves() && findings.count == 1 && findings.items[0].rank == 0 &&
         findings.items[0].check == MCK_CHECK_DEADLOCK);
  EXPECT(says(0, "deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1"));
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Recv(source 1, tag 5) for rank 1"));
  EXPECT(has_place(0, 1, "rank 1 waits in MPI_Recv(source 0, tag 6) for rank 0"));
  EXPECT(findings.items[0].places[1].site == 41 && findings.items[0].places[1].rank == 1);
  EXPECT(explains(0, "rank 2 is running"));
  marks[1].wait = 0;
  EXPECT(!proves()); // rank 1 is not in a call
}

// With a message under way, or a receive that takes it first.
static void check_messages_under_way(void) {
  new_world(2);
  send(1, 0, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(!proves());
  new_world(2);
  send(1, 0, 5);
  recv(0, 1, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(proves());
  new_world(2); // a pending wildcard must have taken the message; not decided yet, so it is believed only after long
  send(1, 0, 5);
  irecv_any(0, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  is_patient = false;
  EXPECT(!proves());
  is_patient = true;
  EXPECT(proves() && explains(0, "of 1 possible matches that were tried, 1 is a deadlock (there are no others):"));
  new_world(2); // ... it has, by the log
  send(1, 0, 5);
  match(0, irecv_any(0, 5), 1, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(proves());
  new_world(2); // a cancelled receive takes nothing
  send(1, 0, 5);
  message(0, MCK_EV_RECV, MCK_FN_MPI_Irecv, MCK_FLAG_NONBLOCKING | MCK_FLAG_CANCELLED, WORLD, 1, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(!proves());
}

// Requests that were freed while they were being cancelled: each may have taken a message (MPI-3.1 3.8.4).
static void check_maybe_cancelled(void) {
  enum { UNKNOWN = MCK_FLAG_NONBLOCKING | MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED };
  for (int is_wild = 0; is_wild < 2; is_wild++)
    for (int n = 2; n < 4; n++) {
      new_world(2);
      for (int i = 1; i < n; i++) ssend(1, 0, 5);
      message(0, MCK_EV_RECV, MCK_FN_MPI_Irecv, is_wild ? UNKNOWN | MCK_FLAG_ANY_SOURCE : UNKNOWN, WORLD,
              is_wild ? -1 : 1, 5);
      irecv(0, 1, 5);
      blocked(0, recv(0, 1, 6));
      blocked(1, ssend(1, 0, 5)); // the n-th of two receives at most
      EXPECT(proves() == (n > 2));
    }
}

static void check_near_miss(void) {
  new_world(2);
  send(1, 0, 4);
  message(1, MCK_EV_SEND, MCK_FN_MPI_Send, 0, OTHER, 0, 5);
  blocked(0, recv(0, 1, 5));
  blocked(1, recv(1, 0, 6));
  EXPECT(proves());
  EXPECT(explains(
      0, "near miss: rank 1 has sent rank 0 a message with tag 4 that is not received; rank 0 asks for tag 5"));
  EXPECT(explains(
      0, "near miss: rank 1 has sent rank 0 a message with tag 5 that is not received; it is on another communicator"));
}

static void check_sends(void) {
  new_world(2);
  blocked(0, ssend(0, 1, 1));
  blocked(1, ssend(1, 0, 1));
  is_patient = false;
  EXPECT(proves());
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Ssend(dest 1, tag 1) for rank 1"));
  new_world(2); // standard sends: only when they have stood for longer
  blocked(0, send(0, 1, 1));
  blocked(1, send(1, 0, 1));
  EXPECT(!proves());
  is_patient = true;
  EXPECT(proves());
  new_world(2); // a posted receive takes one of them
  irecv(1, 0, 1);
  blocked(0, send(0, 1, 1));
  blocked(1, send(1, 0, 1));
  EXPECT(!proves());
  new_world(2); // a wildcard may take one of them
  irecv_any(1, 1);
  blocked(0, ssend(0, 1, 1));
  blocked(1, ssend(1, 0, 1));
  EXPECT(!proves());
  new_world(2); // ... but not two
  irecv_any(1, 1);
  isend(0, 1, 1);
  blocked(0, ssend(0, 1, 1));
  blocked(1, ssend(1, 0, 1));
  EXPECT(proves());
  new_world(2); // ready and buffered sends do not wait
  blocked(0, message(0, MCK_EV_SEND, MCK_FN_MPI_Bsend, MCK_FLAG_BUFFERED, WORLD, 1, 1));
  blocked(1, ssend(1, 0, 1));
  EXPECT(!proves());
  new_world(1);
  blocked(0, ssend(0, 0, 1));
  EXPECT(proves() && says(0, "deadlock: 1 rank waits for itself: MPI_Ssend on rank 0"));
}

static void check_wildcards(void) {
  new_world(3);
  for (uint32_t r = 0; r < 3; r++) blocked(r, recv_any(r, -1));
  EXPECT(proves());
  EXPECT(says(0, "deadlock: 3 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1, MPI_Recv on rank 2"));
  EXPECT(has_place(0, 1, "rank 1 waits in MPI_Recv(source any, tag any) for any of ranks 0,2"));
  marks[2].wait = 0;
  EXPECT(!proves()); // rank 2 may send to anyone
  new_world(3);
  isend(2, 0, 9);
  for (uint32_t r = 0; r < 3; r++) blocked(r, recv_any(r, -1));
  EXPECT(!proves());
  new_world(3);
  isend(2, 0, 9); // of another tag
  for (uint32_t r = 0; r < 3; r++) blocked(r, recv_any(r, 4));
  EXPECT(proves() && explains(0, "near miss: rank 2 has sent rank 0 a message with tag 9"));
  new_world(2); // probes take nothing
  send(1, 0, 3);
  match(0, message(0, MCK_EV_PROBE, MCK_FN_MPI_Probe, MCK_FLAG_ANY_SOURCE, WORLD, -1, 3), 1, 3);
  blocked(0, message(0, MCK_EV_PROBE, MCK_FN_MPI_Probe, MCK_FLAG_ANY_SOURCE, WORLD, -1, 3));
  blocked(1, recv(1, 0, 1));
  EXPECT(!proves());
  new_world(2); // a matched probe does
  send(1, 0, 3);
  match(0, message(0, MCK_EV_MPROBE, MCK_FN_MPI_Mprobe, MCK_FLAG_ANY_SOURCE, WORLD, -1, 3), 1, 3);
  blocked(0, message(0, MCK_EV_PROBE, MCK_FN_MPI_Probe, MCK_FLAG_ANY_SOURCE, WORLD, -1, 3));
  blocked(1, recv(1, 0, 1));
  EXPECT(proves());
}

static void check_waits(void) {
  new_world(2);
  uint32_t a[] = {isend(0, 1, 1), irecv(0, 1, 2)}, b[] = {isend(1, 0, 1), irecv(1, 0, 2)};
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ALL, 2, a));
  blocked(1, wait_for(1, MCK_EV_WAIT, MCK_WAIT_ALL, 2, b));
  is_patient = false;
  EXPECT(proves() && explains(0, "rank 0's MPI_Waitall lacks MPI_Isend(dest 1, tag 1), MPI_Irecv(source 1, tag 2)"));
  is_patient = true;
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Waitall(2 requests) for rank 1"));
  new_world(3); // any of two: the second can still come
  uint32_t c[] = {irecv(0, 1, 1), irecv(0, 2, 1)};
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ANY, 2, c));
  blocked(1, recv(1, 0, 1));
  EXPECT(!proves());
  blocked(2, recv(2, 0, 1));
  EXPECT(proves() && findings.count == 1 && findings.items[0].nplaces == 3);
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Waitany(2 requests) for any of ranks 1,2"));
  new_world(2); // one of them has been completed before
  uint32_t d[] = {irecv(0, 1, 1), irecv(0, 1, 1)};
  wait_for(0, MCK_EV_DONE, 0, 1, d);
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ANY, 2, d));
  blocked(1, recv(1, 0, 1));
  EXPECT(!proves());
  new_world(2); // more requests than fit one unit; the last is the one that is lacking
  uint32_t e[20];
  for (int i = 0; i < 20; i++) {
    e[i] = irecv(0, 1, i);
    if (i < 19) isend(1, 0, i);
  }
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ALL, 20, e));
  blocked(1, recv(1, 0, 1));
  EXPECT(proves() && explains(0, "rank 0's MPI_Waitall lacks MPI_Irecv(source 1, tag 19)"));
  // A standard send that is not received may have been buffered: what holds the call up may be the receive whose
  // message is there.
  new_world(2);
  uint32_t f[] = {isend(0, 1, 1), irecv(0, 1, 2)};
  isend(1, 0, 2);
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ALL, 2, f));
  blocked(1, recv(1, 0, 9));
  EXPECT(!proves());
  new_world(2); // a request that is not one of ours
  uint32_t g[] = {MCK_NONE, irecv(0, 1, 2)};
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ANY, 2, g));
  blocked(1, recv(1, 0, 9));
  EXPECT(!proves());
}

static void check_sendrecv(void) {
  for (int is_crossed = 0; is_crossed < 2; is_crossed++) {
    new_world(3);
    for (uint32_t r = 0; r < 3; r++) {
      uint32_t half = message(r, MCK_EV_SEND, MCK_FN_MPI_Sendrecv, MCK_FLAG_PART, WORLD, (int)(r + 1) % 3, 1);
      message(r, MCK_EV_RECV, MCK_FN_MPI_Sendrecv, MCK_FLAG_PART, WORLD, (int)(r + 2) % 3, is_crossed ? 2 : 1);
      blocked(r, half);
    }
    EXPECT(proves() == is_crossed);
  }
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Sendrecv(dest 1, tag 1) for rank 2"));
  EXPECT(explains(0, "rank 0's MPI_Sendrecv lacks MPI_Sendrecv(dest 1, tag 1), MPI_Sendrecv(source 2, tag 2)"));
}

static void check_collectives(void) {
  new_world(4); // a barrier that one rank will not reach, and a bystander
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(1, coll(1, MCK_FN_MPI_Barrier, -1));
  blocked(2, recv(2, 0, 1));
  blocked(3, coll(3, MCK_FN_MPI_Barrier, -1));
  EXPECT(proves() && says(0, "deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0, MPI_Recv on rank 2"));
  EXPECT(explains(0, "ranks 1,3 wait in MPI_Barrier\x1a at 1:41\x1a for deadlocked ranks"));
  new_world(2); // all have arrived
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(1, coll(1, MCK_FN_MPI_Barrier, -1));
  EXPECT(!proves());
  new_world(2); // not the same
  coll(0, MCK_FN_MPI_Barrier, -1), coll(1, MCK_FN_MPI_Barrier, -1);
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(1, coll(1, MCK_FN_MPI_Allreduce, -1));
  EXPECT(proves() && findings.count == 1 && findings.items[0].check == MCK_CHECK_DEADLOCK); // why is the judge's to say
  EXPECT(says(0, "deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0, MPI_Allreduce on rank 1"));
  new_world(3); // a broadcast's root that waits for a member instead
  blocked(0, recv(0, 1, 1));
  blocked(1, coll(1, MCK_FN_MPI_Bcast, 0));
  is_patient = false;
  EXPECT(proves() && has_place(0, 1, "rank 1 waits in MPI_Bcast(root 0) for rank 0"));
  new_world(3); // the root has entered: rank 1 may be about to get it, unless it has stood for long
  coll(0, MCK_FN_MPI_Bcast, 0);
  blocked(0, recv(0, 1, 1));
  blocked(1, coll(1, MCK_FN_MPI_Bcast, 0));
  blocked(2, recv(2, 1, 1));
  EXPECT(!proves());
  is_patient = true;
  EXPECT(proves());
  new_world(2);
  blocked(0, coll(0, MCK_FN_MPI_Bcast, 0));
  blocked(1, coll(1, MCK_FN_MPI_Bcast, 1));
  EXPECT(proves() && findings.count == 1 && findings.items[0].check == MCK_CHECK_DEADLOCK); // why is the judge's to say
  new_world(2); // two communicators in two orders
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  memory[1]->events[blocked(1, coll(1, MCK_FN_MPI_Barrier, -1))].coll.comm = OTHER;
  EXPECT(proves() && findings.count == 1 && findings.items[0].check == MCK_CHECK_COLLECTIVE_COMM_ORDER);
  new_world(2); // creation in a part of the parent takes no place in the parent's sequence
  coll(0, MCK_FN_MPI_Comm_create_group, -1);
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(1, coll(1, MCK_FN_MPI_Barrier, -1));
  EXPECT(!proves());
}

static void check_ends(void) {
  new_world(3); // in MPI_Finalize, with and without the state
  blocked(0, recv(0, 1, 1));
  blocked(1, coll(1, MCK_FN_MPI_Finalize, -1));
  EXPECT(proves()); // rank 1 waits for 0 and 2: that 2 is running helps neither
  marks[0].wait = 0;
  EXPECT(!proves());
  new_world(2);
  blocked(0, recv(0, 1, 1));
  coll(1, MCK_FN_MPI_Finalize, -1);
  atomic_store(&memory[1]->header.state, MCK_LOG_FINALIZING);
  EXPECT(proves() && says(0, "deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Finalize on rank 1"));
  EXPECT(has_place(0, 1, "rank 1 waits in MPI_Finalize for rank 0") && findings.items[0].places[1].site == 41);
  new_world(3);
  blocked(0, recv(0, 1, 1));
  blocked(2, recv(2, 0, 1));
  atomic_store(&memory[1]->header.state, MCK_LOG_EXITED);
  EXPECT(proves() && says(0, "deadlock: 1 rank waits for finished ranks: MPI_Recv on rank 0"));
  EXPECT(has_place(0, 0, "rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1, which has finished"));
  EXPECT(explains(0, "rank 1 has finished") &&
         explains(0, "rank 2 waits in MPI_Recv\x1a at 2:42\x1a for deadlocked ranks"));
  atomic_store(&memory[1]->header.state, MCK_LOG_SIGNALLED);
  EXPECT(!proves()); // the death is the finding
}

// Nothing follows from a log that is not the whole past.
static void check_doubts(void) {
  for (int doubt = 0; doubt < 5; doubt++) {
    new_world(2);
    blocked(0, recv(0, 1, 1));
    blocked(1, recv(1, 0, 1));
    struct mck_log_header *h = &memory[1]->header;
    if (doubt == 1) atomic_store(&h->is_incomplete, 1);
    if (doubt == 2) atomic_store(&h->is_multiple, 1);
    if (doubt == 3) next_event(1, 1)->kind = 200, memory[1]->events[atomic_load(&h->units) - 1].def.extra = 1000;
    if (doubt == 4) marks[1].wait = 901;
    EXPECT(proves() == (doubt == 0));
  }
}

static void check_two_deadlocks(void) {
  new_world(12);
  blocked(0, recv(0, 3, 1)), blocked(3, recv(3, 0, 1));
  for (uint32_t r = 4; r < 10; r++) blocked(r, recv(r, r == 9 ? 4 : (int)r + 1, 1));
  EXPECT(proves() && findings.count == 2 && findings.items[1].rank == 4);
  EXPECT(says(1, "deadlock: 6 ranks wait for each other: MPI_Recv on ranks 4-9"));
  EXPECT(findings.items[1].nplaces == MCK_PLACES_MAX);
  EXPECT(explains(0, "ranks 1,2,10,11 are running"));
}

static void define_windows(void) {
  for (uint32_t r = 0; r < world; r++) {
    struct mck_event *e = next_event(r, 2);
    *e = (struct mck_event){
        .kind = MCK_EV_DEF_WIN, .site = MCK_NONE, .def = {.extra = 1, .id = 0, .a = WORLD, .b = 1, .c = 1}};
    struct mck_win_body body = {.key = 90, .base = 4096, .size = 64};
    memcpy(e + 1, &body, sizeof body);
  }
}
enum { EXCLUSIVE = MCK_LOCK_EXCLUSIVE, SHARED = MCK_LOCK_SHARED };
static uint32_t sync(uint32_t r, uint16_t fn, int target, uint32_t lock_type) {
  struct mck_event *e = next_event(r, 1);
  *e = (struct mck_event){
      .kind = MCK_EV_SYNC, .fn = fn, .site = 40 + r, .sync = {.win = 0, .rank = target, .lock_type = lock_type}};
  return index_of(r, e);
}
static uint32_t group_sync(uint32_t r, uint16_t fn, uint32_t n, const int32_t *ranks) {
  uint32_t index = sync(r, fn, -1, 0);
  struct mck_event *e = next_event(r, 2);
  *e = (struct mck_event){.kind = MCK_EV_GROUP, .fn = fn, .site = MCK_NONE, .group = {.extra = 1, .win = 0, .n = n}};
  memcpy(e + 1, ranks, n * 4);
  return index;
}

// Rank 0 has what of the lock at rank 2, and stands where; rank 1 asks for it; rank 2 stands in a barrier.
static bool proves_lock(uint32_t has, uint32_t asks, bool has_unlocked) {
  new_world(3);
  define_windows();
  if (has) sync(0, MCK_FN_MPI_Win_lock, 2, has);
  if (has_unlocked) sync(0, MCK_FN_MPI_Win_unlock, 2, 0);
  blocked(0, recv(0, 1, 5));
  blocked(1, sync(1, MCK_FN_MPI_Win_lock, 2, asks));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  return proves();
}

static void check_locks(void) {
  EXPECT(proves_lock(EXCLUSIVE, EXCLUSIVE, false) &&
         has_place(0, 1, "rank 1 waits in MPI_Win_lock(target 2, exclusive) for any of ranks 0,2"));
  EXPECT(proves_lock(EXCLUSIVE, SHARED, false) && proves_lock(SHARED, EXCLUSIVE, false));
  EXPECT(!proves_lock(SHARED, SHARED, false) && !proves_lock(EXCLUSIVE, EXCLUSIVE, true) &&
         !proves_lock(0, EXCLUSIVE, false));
  is_patient = false;
  EXPECT(!proves_lock(EXCLUSIVE, EXCLUSIVE, false)); // it may be about to be granted
  is_patient = true;
  new_world(3); // two ask, nobody has it for certain
  define_windows();
  blocked(0, sync(0, MCK_FN_MPI_Win_lock, 2, EXCLUSIVE));
  blocked(1, sync(1, MCK_FN_MPI_Win_lock, 2, EXCLUSIVE));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  EXPECT(!proves());
  new_world(3); // a flush needs only the target's progress
  define_windows();
  sync(0, MCK_FN_MPI_Win_lock, 2, EXCLUSIVE);
  blocked(0, sync(0, MCK_FN_MPI_Win_flush, 2, 0));
  blocked(1, sync(1, MCK_FN_MPI_Win_lock, 2, EXCLUSIVE));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  EXPECT(!proves());
  atomic_store(&memory[0]->header.generation, 1); // a log that was cut does not have all locks
  EXPECT(!proves());
}

static uint32_t put(uint32_t r, int target, uint32_t count) {
  struct mck_event *e = next_event(r, 1);
  *e = (struct mck_event){
      .kind = MCK_EV_PUT, .fn = MCK_FN_MPI_Put, .site = 40 + r, .rma = {.target = target, .count = count, .type = 9}};
  return index_of(r, e);
}

// A library that takes locks late: rank 0 has opened an epoch at rank 2 and waits for rank 1, which stands in the end
// of its own.
enum variant { PLAIN, BIG, BIG_BUT_FLUSHED, GRANTED, NO_CHECK, BOTH_END, OTHER_TARGET, STOPPED_TARGET, VARIANTS };
static bool proves_late(uint32_t has, uint32_t asks, uint16_t stands_in, enum variant v) {
  new_world(4);
  define_windows();
  uint32_t lock = sync(0, MCK_FN_MPI_Win_lock, v == OTHER_TARGET ? 3 : 2, has);
  if (v == NO_CHECK) memory[0]->events[lock].sync.assertion = MCK_MODE_NOCHECK;
  if (v == BIG_BUT_FLUSHED) put(0, 2, 1), sync(0, MCK_FN_MPI_Win_flush, 2, 0);
  if (v == BOTH_END) blocked(0, sync(0, MCK_FN_MPI_Win_unlock, 2, 0));
  else blocked(0, recv(0, 1, 5));
  sync(1, MCK_FN_MPI_Win_lock, 2, asks);
  uint32_t op = put(1, 2, v == BIG || v == BIG_BUT_FLUSHED ? 1 << 20 : 1);
  if (v == GRANTED) sync(1, MCK_FN_MPI_Win_flush, 2, 0);
  blocked(1, stands_in == MCK_FN_MPI_Put ? op : sync(1, stands_in, 2, 0));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  blocked(3, coll(3, MCK_FN_MPI_Barrier, -1));
  impatient = v == STOPPED_TARGET ? 2 : -1;
  bool is_proved = proves();
  impatient = -1;
  return is_proved;
}

static void check_late_locks(void) {
  static const uint16_t calls[] = {MCK_FN_MPI_Win_unlock, MCK_FN_MPI_Win_flush, MCK_FN_MPI_Win_flush_local,
                                   MCK_FN_MPI_Put};
  for (size_t i = 0; i < 4; i++) {
    EXPECT(proves_late(EXCLUSIVE, EXCLUSIVE, calls[i], PLAIN));
    EXPECT(proves_late(EXCLUSIVE, SHARED, calls[i], PLAIN) && proves_late(SHARED, EXCLUSIVE, calls[i], PLAIN));
    EXPECT(!proves_late(SHARED, SHARED, calls[i], PLAIN));
    for (enum variant v = BIG; v < VARIANTS; v++)
      EXPECT(proves_late(EXCLUSIVE, EXCLUSIVE, calls[i], v) == (v == BIG_BUT_FLUSHED));
  }
  EXPECT(proves_late(EXCLUSIVE, EXCLUSIVE, MCK_FN_MPI_Win_unlock, PLAIN) &&
         has_place(0, 1, "rank 1 waits in MPI_Win_unlock(target 2) for any of ranks 0,2"));
  is_patient = false;
  EXPECT(!proves_late(EXCLUSIVE, EXCLUSIVE, MCK_FN_MPI_Win_unlock, PLAIN));
  is_patient = true;
  // A shared lock behind an exclusive one that waits for a shared one; where the call returns early, and where it does
  // not.
  for (int is_late = 0; is_late < 2; is_late++)
    for (int is_behind = 0; is_behind < 2; is_behind++) {
      new_world(4);
      define_windows();
      sync(0, MCK_FN_MPI_Win_lock, 3, SHARED);
      blocked(0, recv(0, 2, 5));
      uint32_t lock = sync(1, MCK_FN_MPI_Win_lock, 3, is_behind ? EXCLUSIVE : SHARED);
      blocked(1, is_late ? sync(1, MCK_FN_MPI_Win_unlock, 3, 0) : lock);
      lock = sync(2, MCK_FN_MPI_Win_lock, 3, SHARED);
      blocked(2, is_late ? sync(2, MCK_FN_MPI_Win_unlock, 3, 0) : lock);
      blocked(3, coll(3, MCK_FN_MPI_Barrier, -1));
      EXPECT(proves() == (is_behind == 1));
      if (is_behind)
        EXPECT(has_place(0, 2,
                         is_late ? "rank 2 waits in MPI_Win_unlock(target 3) for any of ranks 1,3"
                                 : "rank 2 waits in MPI_Win_lock(target 3, shared) for any of ranks 1,3"));
    }
}

static void check_post_start(void) {
  static const int32_t zero = 0, one = 1;
  new_world(2);
  define_windows();
  blocked(0, group_sync(0, MCK_FN_MPI_Win_start, 1, &one));
  blocked(1, recv(1, 0, 1));
  EXPECT(proves() && has_place(0, 0, "rank 0 waits in MPI_Win_start for rank 1"));
  new_world(2); // posted
  define_windows();
  group_sync(1, MCK_FN_MPI_Win_post, 1, &zero);
  blocked(0, group_sync(0, MCK_FN_MPI_Win_start, 1, &one));
  blocked(1, recv(1, 0, 1));
  EXPECT(!proves());
  new_world(2); // a second start needs a second post
  define_windows();
  group_sync(0, MCK_FN_MPI_Win_start, 1, &one);
  sync(0, MCK_FN_MPI_Win_complete, -1, 0);
  group_sync(1, MCK_FN_MPI_Win_post, 1, &zero);
  sync(1, MCK_FN_MPI_Win_wait, -1, 0);
  blocked(0, group_sync(0, MCK_FN_MPI_Win_start, 1, &one));
  blocked(1, recv(1, 0, 1));
  EXPECT(proves());
  new_world(2); // a wait without its complete: solid
  define_windows();
  is_patient = false;
  group_sync(0, MCK_FN_MPI_Win_start, 1, &one);
  blocked(0, recv(0, 1, 1));
  group_sync(1, MCK_FN_MPI_Win_post, 1, &zero);
  blocked(1, sync(1, MCK_FN_MPI_Win_wait, -1, 0));
  EXPECT(proves() && has_place(0, 1, "rank 1 waits in MPI_Win_wait for rank 0"));
  sync(0, MCK_FN_MPI_Win_complete, -1, 0);
  EXPECT(!proves()); // rank 0's log has grown
  is_patient = true;
}

// MUST VI: ways to hand out messages to undecided wildcards.
static void check_probing(void) {
  new_world(3); // Fig. 7: with rank 0's message all is well, with rank 2's nothing goes on
  uint32_t requests[2] = {irecv_any(1, 0), irecv(1, 2, 0)};
  send(0, 1, 0), send(2, 1, 0);
  blocked(1, wait_for(1, MCK_EV_WAIT, MCK_WAIT_ALL, 2, requests));
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  EXPECT(proves() && says(0, "deadlock: 2 ranks wait for each other: MPI_Waitall on rank 1, MPI_Barrier on rank 2"));
  EXPECT(explains(0, "of 2 possible matches that were tried, 1 is a deadlock (there are no others):"));
  EXPECT(explains(0, "has the message of rank 2 with tag 0"));
  is_patient = false;
  EXPECT(!proves());
  is_patient = true;
  marks[0].wait = 0; // rank 0 goes on, and may help
  EXPECT(proves());  // not rank 1, which needs rank 2
  new_world(3);      // the second receive is over: rank 2's message is its, so the wildcard has rank 0's
  requests[0] = irecv_any(1, 0);
  requests[1] = irecv(1, 2, 0);
  send(0, 1, 0), send(2, 1, 0);
  wait_for(1, MCK_EV_DONE, MCK_WAIT_ALL, 1, &requests[1]);
  blocked(1, wait_for(1, MCK_EV_WAIT, MCK_WAIT_ALL, 1, requests));
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  EXPECT(!proves());
  mck_options.probe_count = 1; // more than may be tried: what is found counts, what is not found does not
  new_world(3);
  requests[0] = irecv_any(1, 0), requests[1] = irecv(1, 2, 0);
  send(0, 1, 0), send(2, 1, 0);
  blocked(1, wait_for(1, MCK_EV_WAIT, MCK_WAIT_ALL, 2, requests));
  blocked(0, coll(0, MCK_FN_MPI_Barrier, -1));
  blocked(2, coll(2, MCK_FN_MPI_Barrier, -1));
  bool is_found = proves();
  EXPECT(!is_found || explains(0, "there are more, option probe_count"));
  mck_options.probe_count = 10000;
}

// A loop of tests: what it asks for is in the header.
static void check_polling(void) {
  new_world(2);
  uint32_t request = irecv(0, 1, 3);
  struct mck_log_header *h = &memory[0]->header;
  h->poll[0] = (struct mck_log_poll){.event = request, .comm = MCK_NONE};
  atomic_store(&h->poll_mode, MCK_WAIT_ANY), atomic_store(&h->npolls, 1), atomic_store(&h->poll_fn, MCK_FN_MPI_Test),
      atomic_store(&h->poll_site, 40);
  blocked(1, recv(1, 0, 4));
  EXPECT(!proves() && !notes_polling()); // it may leave the loop
  marks[0].polls = MCK_POLLS_OPEN;
  EXPECT(!proves()); // for reasons that are not seen
  EXPECT(notes_polling() && findings.items[0].check == MCK_CHECK_HANG_POLLING && findings.count == 1);
  EXPECT(has_place(0, 0, "rank 0 polls with MPI_Test for rank 1"));
  EXPECT(explains(0, "the loop of rank 0 may end for another reason"));
  marks[0].polls = MCK_POLLS_CLOSED;
  EXPECT(!notes_polling()); // this is proved
  EXPECT(proves() && findings.items[0].check == MCK_CHECK_DEADLOCK_POLLING);
  EXPECT(has_place(0, 0, "rank 0 polls with MPI_Test for rank 1"));
  h->poll[1] = (struct mck_log_poll){.event = MCK_NONE, .comm = WORLD, .source = -1, .tag = 9};
  atomic_store(&h->npolls, 2);
  EXPECT(proves() && explains(0, "rank 0 asks again and again for MPI_Irecv(source 1, tag 3)"));
  send(1, 0, 9);
  blocked(1, recv(1, 0, 4));
  EXPECT(!proves()); // the probe will find that
  h->poll[1].tag = 8;
  EXPECT(proves());
  h->poll[1] = (struct mck_log_poll){.event = MCK_NONE, .comm = MCK_NONE};
  EXPECT(!proves()); // nobody knows what for
  h->poll[1] = (struct mck_log_poll){.event = 4000000, .comm = MCK_NONE};
  EXPECT(!proves()); // forged
  atomic_store(&h->npolls, MCK_LOG_POLLS + 1);
  EXPECT(!proves()); // more than there is room for
}

// MUST Fig. 4, and its graph as Fig. 6(d) has it: rank 0 waits for both of two wildcard receives, on communicators
// {0,1,2} and {0,2,3}.
static void check_figure_4(void) {
  enum { A = 2, B = 3 };
  new_world(4);
  for (uint32_t r = 0; r < 3; r++) define_comm(r, A, 20, r, 0, 3);
  struct {
    struct mck_comm_body body;
    struct mck_range ranges[2];
  } b = {{21, MCK_NONE, 0}, {{0, 1}, {2, 2}}};
  for (uint32_t r = 0; r < 4; r += r ? 1 : 2) {
    struct mck_event *e = next_event(r, 2);
    *e = (struct mck_event){.kind = MCK_EV_DEF_COMM,
                            .site = MCK_NONE,
                            .def = {.extra = 1, .id = r == 3 ? A : B, .a = r ? r - 1 : 0, .b = 3, .d = 2}};
    memcpy(e + 1, &b, sizeof b);
  }
  uint32_t requests[2];
  requests[0] = message(0, MCK_EV_RECV, MCK_FN_MPI_Irecv, MCK_FLAG_NONBLOCKING | MCK_FLAG_ANY_SOURCE, A, -1, 0);
  requests[1] = message(0, MCK_EV_RECV, MCK_FN_MPI_Irecv, MCK_FLAG_NONBLOCKING | MCK_FLAG_ANY_SOURCE, B, -1, 0);
  blocked(0, wait_for(0, MCK_EV_WAIT, MCK_WAIT_ALL, 2, requests));
  blocked(1, recv(1, 2, 0));
  blocked(2, recv(2, 0, 0));
  blocked(3, recv(3, 2, 0));
  EXPECT(proves() && findings.count == 1);
  EXPECT(says(0, "deadlock: 4 ranks wait for each other: MPI_Waitall on rank 0, MPI_Recv on rank 1, MPI_Recv on rank "
                 "2, MPI_Recv on rank 3"));
  char *graph = mck_watch_take_graph();
  static const char *const lines[] = {
      "r0 [shape=box, label=\"0: MPI_Waitall\\n(2 requests)\", style=filled",
      "p0_0 [shape=parallelogram, label=\"Request[0]\\nMPI_Irecv\\n(source any, tag 0)\", style=filled",
      "p0_1 [shape=parallelogram, label=\"Request[1]\\nMPI_Irecv\\n(source any, tag 0)\", style=filled",
      "  r0 -> p0_0;\n",
      "  r0 -> p0_1;\n",
      "  p0_0 -> r0 [style=dashed];\n  p0_0 -> r1 [style=dashed];\n  p0_0 -> r2 [style=dashed];\n",
      "  p0_1 -> r0 [style=dashed];\n  p0_1 -> r2 [style=dashed];\n  p0_1 -> r3 [style=dashed];\n",
      "  r1 -> r2;\n",
      "  r2 -> r0;\n",
      "  r3 -> r2;\n"};
  int narrows = 0;
  for (const char *p = graph; p && (p = strstr(p, " -> ")); p++) narrows++;
  EXPECT(narrows == 11); // and no others
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    bool is_there = graph && strstr(graph, lines[i]);
    EXPECT(is_there);
    if (!is_there) printf("%s\n", lines[i]);
  }
  free(graph);
}

int main(void) {
  check_figure_4();
  check_locks();
  check_late_locks();
  check_post_start();
  check_probing();
  check_polling();
  check_recv_recv();
  check_messages_under_way();
  check_maybe_cancelled();
  check_near_miss();
  check_sends();
  check_wildcards();
  check_waits();
  check_sendrecv();
  check_collectives();
  check_ends();
  check_doubts();
  check_two_deadlocks();
  mck_findings_free(&findings);
  for (uint32_t r = 0; r < WORLD_MAX; r++) free(memory[r]);
  if (failures) printf("%d failures\n", failures);
  return failures != 0;
}
