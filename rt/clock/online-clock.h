// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Online: the lazy Lamport clocks (LLCP, R1 to R5) of one process while it runs (option clocks=online). It reads the
// process's own log, as it grows, and a clock record beside each message of others, which has the sender's clock (R3).
// The owner of the wildcard decides at once which other messages could have come, and keeps only that. So it works even
// if the log is recycled. It knows no MPI; record/replay/online-run.c runs it in a process, the unit test by the logs
// of a random execution.
//
// A clock record is put before its message is sent (mck_online_transport), so it is there when the message has been
// received. Counting finds the record of a receive, as in the judge: the k-th record of a channel belongs to the k-th
// posted receive that matched it (MPI-3.1 3.5). While an older receive that accepts the same message is open, that is
// undecided. Then the highest clock counts that the record can have. A clock that is too high is never wrong: a
// receive's value must be below the clock of all events after its match (lemma 4.2), which stays so. Only some
// alternatives are missed.
//
// docs/design/clocks.md has the proof's outline, and what is missed.
#pragma once
#include "base/hash-table.h"
#include "log/envelope.h"

enum { MCK_ONLINE_LOST = 0xffffffffu }; // a clock: it is unknown, and above all other clocks
enum mck_clock_record_kind { MCK_CLOCK_RECORD_MESSAGE = 1, MCK_CLOCK_RECORD_SYNCHRONOUS, MCK_CLOCK_RECORD_COLLECTIVE };
struct mck_clock_record {
  uint64_t comm;  // the key of the communicator
  uint64_t bytes; // COLLECTIVE: the number of collectives that the sender had entered before
  uint32_t clock, site;
  int32_t tag;
  uint16_t kind, fn;
};
_Static_assert(sizeof(struct mck_clock_record) == 32, "two to a cache line");
// How processes exchange clock records. Ranks are those of MPI_COMM_WORLD, and none of these functions waits.
struct mck_online_transport {
  void *context;
  bool (*put)(void *context, uint32_t to, const struct mck_clock_record *record); // false: no room
  bool (*take)(void *context, uint32_t from, struct mck_clock_record *record);    // false: there is no more now
  // The clock that every process shows to the others.
  void (*show)(void *context, uint32_t clock);
  uint32_t (*clock_of)(void *context, uint32_t rank);
  // Has any process begun to send a synchronous message?
  void (*announce_synchronous)(void *context);
  bool (*has_synchronous)(void *context);
};
enum mck_online_reason { // why the process is lost
  MCK_ONLINE_FOLLOWS,
  MCK_ONLINE_UNRECORDED, // a message came without a clock record
  MCK_ONLINE_WORLDS,     // processes of another world take part
  MCK_ONLINE_ROOM,       // out of memory, or no room for clock records
  MCK_ONLINE_OTHERS,     // a process that it depends on is lost
};
enum mck_online_difference { MCK_ONLINE_EQUAL, MCK_ONLINE_OTHER_TAG, MCK_ONLINE_OTHER_SIZE, MCK_ONLINE_TOO_LARGE };
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
  uint8_t kind;            // the kind of its events
  uint64_t receives, open; // open: could have got another message
  uint32_t senders;        // the most senders whose messages one of them could have got
  enum mck_online_difference difference;
  uint32_t number; // the number of the example among the wildcards of this process, from 1 (record/replay/replay.h)
  struct mck_online_message got, other;
};

// --- private ---
// A receive or probe that is posted, until it is complete and its clock record is known.
struct mck_online_posted {
  uint32_t event, comm, number; // number: in the order of posting
  int32_t from, tag;            // as posted: world rank, -1: any
  int32_t got_from, got_tag;    // set if is_known
  uint32_t shown;               // the clock that others saw when it was posted
  uint64_t wild;                // number of the wildcard, from 1; 0: none
  bool is_probe, is_known, is_paired, is_settled, is_reported;
  // Set if is_paired:
  struct mck_clock_record record;
  uint64_t sequence; // the number of the record, among those of its sender
  uint32_t previous; // the number of the receive that took the message before it in its channel; MCK_NONE: none
  uint32_t before;   // is_first: the last receive that took an earlier message of its sender; MCK_NONE: none
  bool is_first;     // all earlier messages of its sender on the communicator were taken before
  uint32_t value;    // set if is_settled: r'.LC of theorem 4.3
};
struct mck_online_wildcard {
  uint32_t number, comm, value; // value MCK_NONE: it has none yet
  uint32_t highest;             // the highest of the values up to this one (o->nsettled)
  int32_t from, tag;            // as posted
  uint32_t place, open;
  uint64_t room;         // the size of its buffer in bytes; UINT64_MAX: unknown
  uint64_t got_sequence; // the sequence of the message that a probe found
  bool is_closed, has_got, has_other;
  struct mck_online_message got, other;
};
struct mck_online_channel { // kind of record, communicator, sender, tag
  uint64_t comm;
  uint32_t from, kind;
  int32_t tag;
  uint32_t last; // the receive that took the last record; COLLECTIVE: the number of records that were taken
  struct {
    struct mck_clock_record record;
    uint64_t sequence;
  } *records;
  size_t first, count, capacity;
};
struct mck_online_stream { // communicator, sender
  uint64_t comm;
  uint32_t from, last;          // last: the highest number of a receive that took a message of it; MCK_NONE: none
  uint64_t arrived, taken, end; // numbers of records; end: behind the last one that was taken
};
struct mck_online_collective {
  uint32_t event;
  uint64_t nth;
};
struct mck_online {
  uint32_t rank, size;
  const struct mck_online_transport *transport;
  struct mck_reader *log;      // during a step
  uint32_t clock, shown;       // shown: the clock that it showed last
  enum mck_online_reason lost; // 0: it is not lost
  uint64_t at, end;            // the next event; the units of the log
  uint32_t nposted_ever;
  uint64_t nwildcards_ever;
  bool has_any_tag;      // some receive has MPI_ANY_TAG
  uint64_t nsynchronous; // records of synchronous messages whose receive is not settled
  struct mck_online_posted *posted;
  size_t nposted, posted_capacity;
  struct mck_online_channel *channels;
  size_t nchannels, channels_capacity;
  struct mck_online_stream *streams;
  size_t nstreams, streams_capacity;
  uint32_t last_channel; // the last channel that was looked up
  struct mck_table channel_table, stream_table, place_table;
  struct mck_online_collective *collectives;
  size_t ncollectives, collectives_capacity;
  uint64_t *entered; // [communicator]: the number of its collectives
  size_t nentered;
  struct mck_online_wildcard *wildcards; // a ring: number n is at n % capacity
  uint64_t first_wildcard, nsettled;
  struct mck_online_place *places;
  size_t nplaces, places_capacity;
  uint64_t *open; // scratch
  size_t open_capacity;
  uint64_t alternatives, forgotten;
  // For tests: this wildcard could have got the sequence-th message of the sender on its communicator. May be NULL.
  void (*report)(void *context, uint64_t wild, uint32_t from, uint64_t sequence);
  void *report_context;
};
enum { MCK_ONLINE_WILDCARDS = 1 << 15 }; // the wildcards that are kept; older ones get no alternatives any more

bool mck_online_open(struct mck_online *o, uint32_t rank, uint32_t size, const struct mck_online_transport *transport);
void mck_online_close(struct mck_online *o);
// log: that of this process, whose units have grown. All calls in it have returned, except the send of an MPI_Sendrecv.
void mck_online_step(struct mck_online *o, struct mck_reader *log);
// A SEND or COLL was just appended, before MPI carries it out. The log was stepped through up to it.
void mck_online_enter(struct mck_online *o, struct mck_reader *log, uint32_t index);
// When the log is recycled: visits the events that are still needed. The log was stepped through to its end. Then moved
// is called with the units of the new log.
void mck_online_visit(struct mck_online *o, void (*visit)(uint32_t *event));
void mck_online_moved(struct mck_online *o, uint64_t units);
// No more messages come. Returns false if records are left over: then a receive may not have been recorded, and all
// results may be wrong.
bool mck_online_end(struct mck_online *o);
void mck_online_lose(struct mck_online *o, enum mck_online_reason reason);

uint64_t mck_online_bytes(const struct mck_online *o, const struct mck_event *e); // UINT64_MAX: unknown
// The definition of a communicator; NULL: the log has none.
static inline const struct mck_comm_def *mck_online_comm(const struct mck_online *o, uint32_t id) {
  return id < o->log->ncomms && o->log->comms[id].body ? &o->log->comms[id] : NULL;
}
static inline void mck_online_take_over(struct mck_online *o, uint32_t clock) {
  if (clock == MCK_ONLINE_LOST) mck_online_lose(o, MCK_ONLINE_OTHERS);
  else if (o->clock < clock) o->clock = clock;
}
static inline void mck_online_put(struct mck_online *o, int32_t to, const struct mck_clock_record *record) {
  if (to >= 0 && !o->transport->put(o->transport->context, (uint32_t)to, record)) mck_online_lose(o, MCK_ONLINE_ROOM);
}
// What a receive asks for; what it got. Communicators are those of the log, sources are world ranks.
static inline struct mck_std_pattern mck_online_pattern(const struct mck_online_posted *p) {
  return mck_std_pattern(p->comm, p->from, p->tag);
}
static inline struct mck_std_envelope mck_online_got(const struct mck_online_posted *p) {
  return (struct mck_std_envelope){p->comm, p->got_from, p->got_tag};
}
static inline bool mck_online_accepts(const struct mck_online_posted *p, struct mck_std_envelope message) {
  return mck_std_accepts(mck_online_pattern(p), message);
}
// online-collective.c
// For operations that order all processes of a window, or of a group, in ways that are not followed one by one. No
// clock that they have now is below one that they had.
void mck_online_take_over_all(struct mck_online *o);
void mck_online_enter_collective(struct mck_online *o, uint32_t index);
// nth: the collective's number in its communicator.
void mck_online_complete_collective(struct mck_online *o, uint32_t event, uint64_t nth);
// clock-record.c
void mck_online_read_records(struct mck_online *o, uint32_t from); // reads all records of this sender
void mck_online_read_all_records(struct mck_online *o);
void mck_online_pair(struct mck_online *o); // pairs all receives that are complete and decided
// Returns the highest clock that the message of the receive can have.
uint32_t mck_online_bound(struct mck_online *o, size_t posted);
bool mck_online_find_collective(struct mck_online *o, uint64_t comm, uint32_t from, uint64_t nth, uint32_t *clock);
// Sets is_first and before, by the sequence of the record.
void mck_online_find_predecessors(struct mck_online *o, struct mck_online_posted *p);
uint64_t mck_online_left(const struct mck_online *o); // the records of unreceived messages
// online-wildcard.c
uint64_t mck_online_add_wildcard(struct mck_online *o, const struct mck_online_posted *p, const struct mck_event *e);
void mck_online_give_value(struct mck_online *o, const struct mck_online_posted *p);
void mck_online_matched(struct mck_online *o, const struct mck_online_posted *p, int32_t source);
void mck_online_close_wildcard(struct mck_online *o, uint64_t wild); // nothing is said about it any more
void mck_online_look_for_late(struct mck_online *o, const struct mck_online_posted *p, int32_t source);
void mck_online_end_wildcards(struct mck_online *o);
