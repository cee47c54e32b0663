// RUN: %unit/test-standard-matching
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matching rule of MPI-3.1 3.5 (standard/matching.h): all combinations against tables written by hand, and random
// runs of a receiver with a queue of posted receives and one of unexpected messages, which knows who met whom.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "standard/matching.h"

static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

enum { ANY = -1 };

// --- tables ---------------------------------------------------------------------------------------------------------
// 3.2.4: communicator, source and tag, the last two by value or any.
static void check_accepts(void) {
  static const struct mck_std_envelope messages[] = {{1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1},
                                                     {2, 0, 0}, {2, 0, 1}, {2, 1, 0}, {2, 1, 1}};
  static const struct {
    uint64_t comm;
    int32_t source, tag;
    const char *accepted;
  } rows[] = {{1, 0, 0, "x......."},     {1, 0, 1, ".x......"},    {1, 1, 0, "..x....."},   {1, 1, 1, "...x...."},
              {1, 0, ANY, "xx......"},   {1, 1, ANY, "..xx...."},  {1, ANY, 0, "x.x....."}, {1, ANY, 1, ".x.x...."},
              {1, ANY, ANY, "xxxx...."}, {2, 0, 0, "....x..."},    {2, 0, 1, ".....x.."},   {2, 1, 0, "......x."},
              {2, 1, 1, ".......x"},     {2, 0, ANY, "....xx.."},  {2, 1, ANY, "......xx"}, {2, ANY, 0, "....x.x."},
              {2, ANY, 1, ".....x.x"},   {2, ANY, ANY, "....xxxx"}};
  enum { ROWS = sizeof rows / sizeof *rows };
  for (int i = 0; i < ROWS; i++) {
    struct mck_std_pattern p = mck_std_pattern(rows[i].comm, rows[i].source, rows[i].tag), told = p;
    if (p.is_any_source) told.source = 7; // what it got
    if (p.is_any_tag) told.tag = 8;
    EXPECT(mck_std_is_wild(rows[i].source, rows[i].tag) == (p.is_any_source || p.is_any_tag));
    for (int k = 0; k < 8; k++) {
      EXPECT(mck_std_accepts(p, messages[k]) == (rows[i].accepted[k] == 'x'));
      EXPECT(mck_std_accepts(told, messages[k]) == mck_std_accepts(p, messages[k]));
      EXPECT((mck_std_fit(p, messages[k]) == MCK_STD_FITS_ALL) == mck_std_accepts(p, messages[k]));
    }
    for (int k = 0; k < ROWS; k++) {
      struct mck_std_pattern q = mck_std_pattern(rows[k].comm, rows[k].source, rows[k].tag);
      bool has_common = false;
      for (int m = 0; m < 8; m++) has_common |= rows[i].accepted[m] == 'x' && rows[k].accepted[m] == 'x';
      EXPECT(mck_std_is_same_pattern(told, q) == (i == k));
      EXPECT(mck_std_overlaps(told, q) == has_common);
    }
  }
}

static void check_fit(void) {
  static const struct {
    struct mck_std_pattern pattern;
    unsigned fit; // of the message {1, 0, 0}
  } rows[] = {{{1, 0, 0, false, false}, MCK_STD_FITS_ALL},
              {{2, 0, 0, false, false}, MCK_STD_FITS_SOURCE | MCK_STD_FITS_TAG},
              {{1, 1, 0, false, false}, MCK_STD_FITS_COMM | MCK_STD_FITS_TAG},
              {{1, 0, 1, false, false}, MCK_STD_FITS_COMM | MCK_STD_FITS_SOURCE},
              {{2, 1, 1, true, false}, MCK_STD_FITS_SOURCE},
              {{2, 1, 1, false, true}, MCK_STD_FITS_TAG},
              {{1, 1, 1, false, false}, MCK_STD_FITS_COMM},
              {{2, 1, 1, false, false}, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    EXPECT(mck_std_fit(rows[i].pattern, (struct mck_std_envelope){1, 0, 0}) == rows[i].fit);
}

static struct mck_std_end end_at(int i) {
  return (struct mck_std_end){1 + (uint64_t)(i >> 3 & 1), i >> 2 & 1, i >> 1 & 1, i & 1};
}

static void check_ends(void) {
  for (int i = 0; i < 16; i++) {
    struct mck_std_end a = end_at(i), other = mck_std_other_end(a, 5);
    EXPECT(other.peer == 5 && other.is_send != a.is_send && other.comm == a.comm && other.tag == a.tag);
    EXPECT(mck_std_is_same_end(mck_std_other_end(other, a.peer), a));
    for (int k = 0; k < 16; k++) {
      struct mck_std_end b = end_at(k);
      EXPECT(mck_std_is_same_end(a, b) == (i == k));
      EXPECT(mck_std_compare_ends(a, b) == (i > k) - (i < k));
      EXPECT((mck_std_hash_end(a) == mck_std_hash_end(b)) == (i == k));
      EXPECT(mck_std_is_same_envelope(mck_std_envelope_at(a), mck_std_envelope_at(b)) == (i >> 1 == k >> 1));
    }
  }
}

static void check_places(void) {
  static const char letters[] = {
      [MCK_STD_NO_PLACE] = '.', [MCK_STD_TAKES] = 'T', [MCK_STD_FINDS] = 'F', [MCK_STD_UNDECIDED] = '?'};
  // Columns: one source and one tag, a wildcard without a match, a wildcard with one. Rows: NOT_CANCELLED, CANCELLED,
  // MAYBE_CANCELLED. A send has no wildcard.
  static const char *const table[4][3] = {
      [MCK_STD_SEND] = {"T--", ".--", "?--"},
      [MCK_STD_RECEIVE] = {"T?T", "...", "???"},       // 3.8.4
      [MCK_STD_MATCHED_PROBE] = {"T?T", "...", "???"}, // 3.8.2
      [MCK_STD_PROBE] = {"F.F", "...", "..."},         // 3.8.1
  };
  for (int t = 0; t < 4; t++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) {
        struct mck_std_message m = {(enum mck_std_transfer)t, (enum mck_std_cancel)c, false, k > 0, k == 2};
        if (table[t][c][k] != '-') EXPECT(letters[mck_std_place(m)] == table[t][c][k]);
        m.is_null = true; // 3.11
        EXPECT(mck_std_place(m) == MCK_STD_NO_PLACE);
      }
}

static void check_positions(void) {
  uint64_t decided = MCK_STD_ALL_DECIDED;
  EXPECT(mck_std_has_partner(0, 1) && mck_std_has_partner(4, 5) && !mck_std_has_partner(5, 5));
  EXPECT(!mck_std_has_partner(0, 0));
  EXPECT(mck_std_count_pairs(3, 5, decided) == 3 && mck_std_count_pairs(5, 3, decided) == 3);
  mck_std_leave_undecided(&decided, 4);
  mck_std_leave_undecided(&decided, 6); // later ones change nothing
  EXPECT(decided == 4);
  EXPECT(mck_std_count_pairs(5, 6, decided) == 4 && mck_std_count_pairs(3, 6, decided) == 3);
  mck_std_leave_undecided(&decided, 0);
  EXPECT(mck_std_count_pairs(5, 6, decided) == 0);
}

// --- a receiver, its senders, and what really happens ---------------------------------------------------------------
enum { COMMS = 2, SOURCES = 3, TAGS = 3, CHANNELS = COMMS * SOURCES * TAGS, CALLS = 120, NOTHING = -1 };
static uint64_t state;
static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

struct sent {
  struct mck_std_envelope envelope;
  enum mck_std_cancel cancel;
  bool is_there; // it has arrived
};
struct call { // of the receiver
  struct mck_std_message told;
  struct mck_std_pattern pattern;
  int got; // the truth: the number of the message
};
static struct {
  struct sent sent[CALLS];
  struct call calls[CALLS];
  int posted[CALLS], unexpected[CALLS]; // numbers of calls, and of messages
  int nsent, ncalls, nposted, nunexpected;
} now;

static void drop(int *list, int *n, int i) { memmove(&list[i], &list[i + 1], (size_t)(--*n - i) * sizeof *list); }

static void do_send(void) {
  struct sent new = {{below(COMMS), (int32_t)below(SOURCES), (int32_t)below(TAGS)}, MCK_STD_NOT_CANCELLED, false};
  now.sent[now.nsent++] = new;
}

// The oldest message of its sender and communicator arrives: messages do not overtake each other.
static void arrive(uint64_t comm, int32_t source) {
  int m = 0;
  while (m < now.nsent && (now.sent[m].is_there || now.sent[m].cancel == MCK_STD_CANCELLED ||
                           now.sent[m].envelope.comm != comm || now.sent[m].envelope.source != source))
    m++;
  if (m == now.nsent) return;
  now.sent[m].is_there = true;
  for (int i = 0; i < now.nposted; i++) {
    struct call *c = &now.calls[now.posted[i]];
    if (!mck_std_accepts(c->pattern, now.sent[m].envelope)) continue;
    c->got = m;
    c->told.is_matched |= c->told.is_wild && c->told.cancel == MCK_STD_NOT_CANCELLED && below(8) > 0; // or: freed
    drop(now.posted, &now.nposted, i);
    return;
  }
  now.unexpected[now.nunexpected++] = m;
}

static void do_receive(enum mck_std_transfer transfer) {
  struct mck_std_pattern p = mck_std_pattern(below(COMMS), (int32_t)below(SOURCES + 2), (int32_t)below(TAGS + 2));
  p.is_any_source = p.source >= SOURCES, p.is_any_tag = p.tag >= TAGS;
  struct call new = {{.transfer = transfer, .is_wild = p.is_any_source || p.is_any_tag}, p, NOTHING};
  int i = 0;
  while (i < now.nunexpected && !mck_std_accepts(p, now.sent[now.unexpected[i]].envelope)) i++;
  if (i < now.nunexpected) {
    new.got = now.unexpected[i];
    new.told.is_matched = true;
    if (transfer != MCK_STD_PROBE) drop(now.unexpected, &now.nunexpected, i);
  } else if (transfer == MCK_STD_RECEIVE) now.posted[now.nposted++] = now.ncalls;
  else return; // MPI_Improbe or MPI_Iprobe: nothing is there
  now.calls[now.ncalls++] = new;
}

// A posted receive: MPI_Cancel, and MPI_Wait or MPI_Request_free. Who frees it does not know whether it took a message.
static void do_cancel(int i) {
  struct call *c = &now.calls[now.posted[i]];
  c->told.cancel = below(2) ? MCK_STD_CANCELLED : MCK_STD_MAYBE_CANCELLED;
  if (c->told.cancel == MCK_STD_CANCELLED || below(2)) drop(now.posted, &now.nposted, i);
}

static void do_cancel_send(void) {
  struct sent *s = &now.sent[below((uint32_t)now.nsent)];
  if (!s->is_there) s->cancel = MCK_STD_CANCELLED; // else it comes too late
}

static void run(void) {
  memset(&now, 0, sizeof now);
  for (int i = 0; i < CALLS - 1; i++) {
    switch (below(12)) {
    case 0:
    case 1:
    case 2: do_send(); break;
    case 3:
    case 4:
    case 5: arrive(below(COMMS), (int32_t)below(SOURCES)); break;
    case 6:
    case 7:
    case 8: do_receive(MCK_STD_RECEIVE); break;
    case 9: do_receive(below(2) ? MCK_STD_MATCHED_PROBE : MCK_STD_PROBE); break;
    case 10:
      if (now.nposted && !below(3)) do_cancel((int)below((uint32_t)now.nposted));
      else if (now.nsent && !below(3)) do_cancel_send();
      break;
    default: // to or from MPI_PROC_NULL
      now.calls[now.ncalls++] = (struct call){{.transfer = MCK_STD_RECEIVE, .is_null = true}, {0}, NOTHING};
    }
  }
  for (int i = 0; i < CALLS; i++)
    for (int k = 0; k < COMMS * SOURCES; k++) arrive((uint64_t)(k % COMMS), k / COMMS);
}

// --- the rule against the truth -------------------------------------------------------------------------------------
static uint64_t npairs, nalone, nundecided, nother; // nother: undecided ones that got another message than their own

static int channel_of(struct mck_std_envelope m) { return ((int)m.comm * SOURCES + m.source) * TAGS + m.tag; }
static struct mck_std_envelope envelope_of(int channel) {
  return (struct mck_std_envelope){(uint64_t)(channel / TAGS / SOURCES), channel / TAGS % SOURCES, channel % TAGS};
}

struct channel {
  int sends[CALLS];
  uint64_t nsends, nreceives, decided;
};

static void check_place(struct channel *c, const struct call *call, bool takes) {
  uint64_t k = c->nreceives;
  c->nreceives += takes;
  bool is_own = mck_std_has_partner(k, c->nsends) ? call->got == c->sends[k] : call->got == NOTHING;
  if (k >= c->decided) {
    nundecided++, nother += !is_own;
    return;
  }
  EXPECT(is_own);
  npairs += call->got != NOTHING, nalone += call->got == NOTHING;
}

static void check_run(void) {
  static struct channel channels[CHANNELS];
  memset(channels, 0, sizeof channels);
  bool is_taken[CALLS] = {false};
  for (int i = 0; i < CHANNELS; i++) channels[i].decided = MCK_STD_ALL_DECIDED;
  for (int i = 0; i < now.nsent; i++) {
    struct channel *c = &channels[channel_of(now.sent[i].envelope)];
    struct mck_std_message m = {.transfer = MCK_STD_SEND, .cancel = now.sent[i].cancel};
    if (mck_std_place(m) == MCK_STD_TAKES) c->sends[c->nsends++] = i;
  }
  for (int i = 0; i < now.ncalls; i++) {
    const struct call *call = &now.calls[i];
    struct mck_std_envelope m = {call->pattern.comm, call->pattern.source, call->pattern.tag};
    if (call->told.is_matched) m = now.sent[call->got].envelope; // the status names it
    enum mck_std_place place = mck_std_place(call->told);
    if (call->got != NOTHING && call->told.transfer != MCK_STD_PROBE) is_taken[call->got] = true;
    if (place == MCK_STD_NO_PLACE) EXPECT(call->got == NOTHING);
    if (place == MCK_STD_TAKES || place == MCK_STD_FINDS)
      check_place(&channels[channel_of(m)], call, place == MCK_STD_TAKES);
    for (int k = 0; k < CHANNELS && place == MCK_STD_UNDECIDED; k++)
      if (mck_std_accepts(call->pattern, envelope_of(k)))
        mck_std_leave_undecided(&channels[k].decided, channels[k].nreceives);
  }
  for (int i = 0; i < CHANNELS; i++) { // the sends: where all receives are decided, those that are left over are lost
    struct channel *c = &channels[i];
    uint64_t pairs = mck_std_count_pairs(c->nsends, c->nreceives, c->decided);
    for (uint64_t k = 0; k < c->nsends; k++)
      if (k < pairs || c->decided == MCK_STD_ALL_DECIDED)
        EXPECT(is_taken[c->sends[k]] == mck_std_has_partner(k, c->nreceives));
  }
}

int main(int argc, char **argv) {
  uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
  check_accepts();
  check_fit();
  check_ends();
  check_places();
  check_positions();
  for (uint64_t round = 0; round < rounds && !failures; round++) {
    state = (round + 1) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) below(2);
    run();
    check_run();
    if (failures) printf("in round %llu\n", (unsigned long long)round);
  }
  EXPECT(npairs && nalone && nundecided && nother); // the rounds have all that is asked
  printf("%llu pairs, %llu without a message, %llu undecided, %llu of these with the message of another place\n",
         (unsigned long long)npairs, (unsigned long long)nalone, (unsigned long long)nundecided,
         (unsigned long long)nother);
  return failures != 0;
}
