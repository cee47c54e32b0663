// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Online: the lazy Lamport clocks (LLCP, R1 to R5) of one process while it runs: its own log, as it grows, and a letter
// beside each message of others, which tells the sender's clock (R3). What could have come is decided on the spot by
// the owner of the wildcard, and of a message nothing is kept but that: this works whatever becomes of the log (option
// clocks=online). Knows no MPI; record/replay/online-run.c runs it in a process, the unit test by the logs of a random
// execution.
//
// A letter is there before its message is sent (mck_online_ways), so it waits for whoever has received that. Which
// letter belongs to a receive is known by counting, as the judge does: the k-th letter of a channel belongs to the k-th
// posted receive that matched it (MPI-3.1 3.5). While an older receive that takes the same is open that is not decided:
// then the highest clock counts that it can have. A clock that is too high is never wrong: a receive's value must be
// below the clock of all that comes after its match (lemma 4.2), which stays so; some alternatives are missed.
//
// docs/design/clocks.md has the proof's outline, and what is missed.
#pragma once
#include "base/hash-table.h"
#include "log/log.h"

enum { MCK_ONLINE_LOST = 0xffffffffu }; // a clock: nothing is known; it is below nothing
enum mck_letter_kind { MCK_LETTER_MESSAGE = 1, MCK_LETTER_SYNCHRONOUS, MCK_LETTER_COLLECTIVE };
struct mck_letter {
  uint64_t comm;  // its key
  uint64_t bytes; // COLLECTIVE: how many the sender had entered before
  uint32_t clock, site;
  int32_t tag;
  uint16_t kind, fn;
};
_Static_assert(sizeof(struct mck_letter) == 32, "two to a cache line");
// How processes hear of each other. Ranks are those of MPI_COMM_WORLD, and none of these waits.
struct mck_online_ways {
  void *context;
  bool (*put)(void *context, uint32_t to, const struct mck_letter *letter); // false: no room
  bool (*take)(void *context, uint32_t from, struct mck_letter *letter);    // false: there is no other one now
  // What every process shows of itself.
  void (*show)(void *context, uint32_t clock);
  uint32_t (*clock_of)(void *context, uint32_t rank);
  // Has anybody begun to send a synchronous message?
  void (*tell_synchronous)(void *context);
  bool (*has_synchronous)(void *context);
};
enum mck_online_reason { // why it is lost
  MCK_ONLINE_FOLLOWS,
  MCK_ONLINE_UNSEEN, // a message came of which there is no letter
  MCK_ONLINE_WORLDS, // processes of another world take part
  MCK_ONLINE_ROOM,   // no memory, no room for letters
  MCK_ONLINE_OTHERS, // what it depends on is lost
};
enum mck_online_difference { MCK_ONLINE_ALIKE, MCK_ONLINE_OTHER_TAG, MCK_ONLINE_OTHER_SIZE, MCK_ONLINE_TOO_LARGE };
struct mck_online_message {
  uint32_t from, site; // world rank, and a site of its log
  int32_t source, tag; // source: its rank in the communicator
  uint64_t bytes;
  uint16_t fn;
};
// All wildcards of one place in the program.
struct mck_online_place {
  uint32_t site;
  uint16_t fn;
  uint8_t kind;            // of event
  uint64_t receives, open; // open: could have got another message
  uint32_t senders;        // that could be first, at most
  enum mck_online_difference difference;
  uint32_t number; // of the example, among the wildcards of this process, from 1 (record/replay/replay.h)
  struct mck_online_message got, other;
};

// --- inside ---
// A receive or probe that is posted, until it is complete and its letter is known.
struct mck_online_posted {
  uint32_t event, comm, number; // number: in the order of posting
  int32_t from, tag;            // as posted: world rank, -1: any
  int32_t got_from, got_tag;    // is_known
  uint32_t shown;               // the clock that others saw when it was posted
  uint64_t wild;                // number of the wildcard, from 1; 0: none
  bool is_probe, is_known, is_paired, is_settled, is_told;
  // is_paired:
  struct mck_letter letter;
  uint64_t sequence; // of the letter, among those of its sender
  uint32_t previous; // number of the receive that took the message before it in its channel, MCK_NONE: none
  uint32_t before;   // is_first: the last receive that took an earlier message of its sender; MCK_NONE: none
  bool is_first;     // all earlier messages of its sender on the communicator were taken before
  uint32_t value;    // is_settled: theorem 4.3's r'.LC
};
struct mck_online_wild {
  uint32_t number, comm, value; // value MCK_NONE: it has none yet
  uint32_t highest;             // of the values up to this one (o->nsettled)
  int32_t from, tag;            // as posted
  uint32_t place, open;
  uint64_t room;         // bytes that fit; UINT64_MAX: not known
  uint64_t got_sequence; // of a probe
  bool is_closed, has_got, has_other;
  struct mck_online_message got, other;
};
struct mck_online_channel { // kind of letter, communicator, sender, tag
  uint64_t comm;
  uint32_t from, kind;
  int32_t tag;
  uint32_t last; // the receive that took the last letter; COLLECTIVE: letters that were taken
  struct {
    struct mck_letter letter;
    uint64_t sequence;
  } *letters;
  size_t first, count, capacity;
};
struct mck_online_stream { // communicator, sender
  uint64_t comm;
  uint32_t from, last;        // last: the highest number of a receive that took of it, MCK_NONE: none
  uint64_t heard, taken, end; // letters; end: behind the last one taken
};
struct mck_online_coll {
  uint32_t event;
  uint64_t nth;
};
struct mck_online {
  uint32_t rank, size;
  const struct mck_online_ways *ways;
  struct mck_reader *log;      // while it is stepped through
  uint32_t clock, shown;       // shown: what others have seen last
  enum mck_online_reason lost; // 0: it is not
  uint64_t at, end;            // event to look at next; units
  uint32_t nposted_ever;
  uint64_t nwilds_ever;
  bool is_full;          // MPI_ANY_TAG was used
  uint64_t nsynchronous; // letters of synchronous messages whose receive is not settled
  struct mck_online_posted *posted;
  size_t nposted, posted_capacity;
  struct mck_online_channel *channels;
  size_t nchannels, channels_capacity;
  struct mck_online_stream *streams;
  size_t nstreams, streams_capacity;
  uint32_t last_channel; // that was looked for
  struct mck_table channel_table, stream_table, place_table;
  struct mck_online_coll *colls;
  size_t ncolls, colls_capacity;
  uint64_t *entered; // by communicator: collectives
  size_t nentered;
  struct mck_online_wild *wilds; // a ring: number n is at n % capacity
  uint64_t first_wild, nsettled;
  struct mck_online_place *places;
  size_t nplaces, places_capacity;
  uint64_t *open; // scratch
  size_t open_capacity;
  uint64_t alternatives, forgotten;
  // For tests: this wildcard could have got the sequence-th message of the sender on its communicator. May be NULL.
  void (*tell)(void *context, uint64_t wild, uint32_t from, uint64_t sequence);
  void *tell_context;
};
enum { MCK_ONLINE_WILDS = 1 << 15 }; // that are remembered; older ones get no alternatives any more

bool mck_online_open(struct mck_online *o, uint32_t rank, uint32_t size, const struct mck_online_ways *ways);
void mck_online_close(struct mck_online *o);
// log: of this process, whose units have grown. All calls in it have returned, but for the send of an MPI_Sendrecv.
void mck_online_step(struct mck_online *o, struct mck_reader *log);
// A SEND or COLL that was appended just now, before MPI carries it out; stepped to it before.
void mck_online_enter(struct mck_online *o, struct mck_reader *log, uint32_t index);
// Events that it will look at again, when the log is recycled. Stepped to the end before; after it: units of the new
// log.
void mck_online_visit(struct mck_online *o, void (*visit)(uint32_t *event));
void mck_online_moved(struct mck_online *o, uint64_t units);
// Nothing comes any more. false: letters are left, so that a receive may have been unseen, and all may be wrong.
bool mck_online_end(struct mck_online *o);
void mck_online_lose(struct mck_online *o, enum mck_online_reason reason);

uint64_t mck_online_bytes(const struct mck_online *o, const struct mck_event *e); // UINT64_MAX: not known
// The definition of a communicator; NULL: the log has none.
static inline const struct mck_comm_def *mck_online_comm(const struct mck_online *o, uint32_t id) {
  return id < o->log->ncomms && o->log->comms[id].body ? &o->log->comms[id] : NULL;
}
static inline void mck_online_take_over(struct mck_online *o, uint32_t clock) {
  if (clock == MCK_ONLINE_LOST) mck_online_lose(o, MCK_ONLINE_OTHERS);
  else if (o->clock < clock) o->clock = clock;
}
static inline void mck_online_put(struct mck_online *o, int32_t to, const struct mck_letter *letter) {
  if (to >= 0 && !o->ways->put(o->ways->context, (uint32_t)to, letter)) mck_online_lose(o, MCK_ONLINE_ROOM);
}
// online-collective.c
// What orders all of a window's processes, or of a group, in ways that are not followed one by one: no clock that they
// have now is below one that they had.
void mck_online_take_over_all(struct mck_online *o);
void mck_online_enter_collective(struct mck_online *o, uint32_t index);
void mck_online_complete_collective(struct mck_online *o, uint32_t event, uint64_t nth); // nth: of its communicator
// clock-letter.c
void mck_online_hear(struct mck_online *o, uint32_t from); // takes in all letters of this sender
void mck_online_hear_all(struct mck_online *o);
bool mck_online_accepts(const struct mck_online_posted *p, uint32_t comm, int32_t from, int32_t tag);
void mck_online_pair(struct mck_online *o); // all that are complete and decided
// The highest clock that its message can have.
uint32_t mck_online_bound(struct mck_online *o, size_t posted);
bool mck_online_heard_collective(struct mck_online *o, uint64_t comm, uint32_t from, uint64_t nth, uint32_t *clock);
void mck_online_stand(struct mck_online *o, struct mck_online_posted *p); // is_first, before: by its letter's sequence
uint64_t mck_online_left(const struct mck_online *o);                     // letters of messages that nobody took
// online-wildcard.c
uint64_t mck_online_add_wild(struct mck_online *o, const struct mck_online_posted *p, const struct mck_event *e);
void mck_online_give_value(struct mck_online *o, const struct mck_online_posted *p);
void mck_online_matched(struct mck_online *o, const struct mck_online_posted *p, int32_t source);
void mck_online_close_wild(struct mck_online *o, uint64_t wild); // nothing is said of it
void mck_online_look_for_late(struct mck_online *o, const struct mck_online_posted *p, int32_t source);
void mck_online_end_wilds(struct mck_online *o);
