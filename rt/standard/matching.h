// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which message a receive gets (MPI-3.1 3.5): what a channel is, which messages a receive accepts, which calls have a
// place in the order of a channel, and who meets whom there. Pure functions of plain descriptions;
// docs/design/matching.md has the proof.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "standard/constants.h"

// The envelope of a message at its receiver (3.2.3), which is its destination. comm: any number that is equal for equal
// communicators; source: by rank of the communicator, or of MPI_COMM_WORLD, as all that are compared have it.
struct mck_std_envelope {
  uint64_t comm;
  int32_t source, tag;
};
// What a receive or probe asks for (3.2.4). The field of a wildcard has no meaning.
struct mck_std_pattern {
  uint64_t comm;
  int32_t source, tag;
  bool is_any_source, is_any_tag;
};
// A channel: all messages with one communicator, source, destination and tag. It has two ends, at its two processes,
// and each of them names the other one: the messages to a peer, or those from it.
struct mck_std_end {
  uint64_t comm;
  int32_t peer, tag;
  bool is_send;
};

// --- wildcards, and what a receive accepts (3.2.4) ---
static inline bool mck_std_is_null(int32_t peer) { return peer == MCK_PROC_NULL; } // it takes no part (3.11)
static inline bool mck_std_is_any_source(int32_t source) { return source == MCK_ANY_SOURCE; }
static inline bool mck_std_is_any_tag(int32_t tag) { return tag == MCK_ANY_TAG; }
static inline bool mck_std_is_wild(int32_t source, int32_t tag) {
  return source == MCK_ANY_SOURCE || tag == MCK_ANY_TAG;
}
// For numbers where everything negative is a wildcard.
static inline struct mck_std_pattern mck_std_pattern(uint64_t comm, int32_t source, int32_t tag) {
  return (struct mck_std_pattern){comm, source, tag, source < 0, tag < 0};
}

// Does a receive accept a message? asked: the receive's argument; given: what the message has. Macros, so that an inner
// loop reads no more fields than the answer needs.
#define MCK_STD_FITS(is_any, asked, given) ((is_any) || (asked) == (given))
#define MCK_STD_ACCEPTS(asked_comm, given_comm, any_source, asked_source, given_source, any_tag, asked_tag, given_tag) \
  ((asked_comm) == (given_comm) && MCK_STD_FITS(any_source, asked_source, given_source) &&                             \
   MCK_STD_FITS(any_tag, asked_tag, given_tag))
static inline bool mck_std_accepts(struct mck_std_pattern p, struct mck_std_envelope m) {
  return MCK_STD_ACCEPTS(p.comm, m.comm, p.is_any_source, p.source, m.source, p.is_any_tag, p.tag, m.tag);
}
// Which of the three fit: for the nearest miss.
enum mck_std_fit {
  MCK_STD_FITS_COMM = 1,
  MCK_STD_FITS_SOURCE = 2,
  MCK_STD_FITS_TAG = 4,
  MCK_STD_FITS_ALL = MCK_STD_FITS_COMM | MCK_STD_FITS_SOURCE | MCK_STD_FITS_TAG
};
static inline unsigned mck_std_fit(struct mck_std_pattern p, struct mck_std_envelope m) {
  return (p.comm == m.comm ? MCK_STD_FITS_COMM : 0u) |
         (MCK_STD_FITS(p.is_any_source, p.source, m.source) ? MCK_STD_FITS_SOURCE : 0u) |
         (MCK_STD_FITS(p.is_any_tag, p.tag, m.tag) ? MCK_STD_FITS_TAG : 0u);
}
// Do two receives accept exactly the same messages?
static inline bool mck_std_is_same_pattern(struct mck_std_pattern p, struct mck_std_pattern q) {
  return p.comm == q.comm && p.is_any_source == q.is_any_source && (p.is_any_source || p.source == q.source) &&
         p.is_any_tag == q.is_any_tag && (p.is_any_tag || p.tag == q.tag);
}
// Is there a message that both accept?
static inline bool mck_std_overlaps(struct mck_std_pattern p, struct mck_std_pattern q) {
  return p.comm == q.comm && (p.is_any_source || q.is_any_source || p.source == q.source) &&
         (p.is_any_tag || q.is_any_tag || p.tag == q.tag);
}

// --- channels ---
// Messages to one process with equal envelopes are of one channel.
static inline bool mck_std_is_same_envelope(struct mck_std_envelope m, struct mck_std_envelope n) {
  return m.comm == n.comm && m.source == n.source && m.tag == n.tag;
}
static inline bool mck_std_is_same_end(struct mck_std_end a, struct mck_std_end b) {
  return a.comm == b.comm && a.peer == b.peer && a.tag == b.tag && a.is_send == b.is_send;
}
// A total order: by communicator, peer, tag.
static inline int mck_std_compare_ends(struct mck_std_end a, struct mck_std_end b) {
  if (a.comm != b.comm) return a.comm < b.comm ? -1 : 1;
  if (a.peer != b.peer) return a.peer < b.peer ? -1 : 1;
  if (a.tag != b.tag) return a.tag < b.tag ? -1 : 1;
  return a.is_send - b.is_send;
}
// Its low bits are as good as the others.
static inline uint64_t mck_std_hash_end(struct mck_std_end a) {
  uint64_t place = (uint64_t)(uint32_t)a.peer << 32 | (uint32_t)a.tag;
  uint64_t h = (place ^ (a.comm << 1 | a.is_send) * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}
// The other end of a channel of the process me. Of messages to itself a process has both.
static inline struct mck_std_end mck_std_other_end(struct mck_std_end a, int32_t me) {
  return (struct mck_std_end){a.comm, me, a.tag, !a.is_send};
}
// The messages that come in at a receiving end.
static inline struct mck_std_envelope mck_std_envelope_at(struct mck_std_end a) {
  return (struct mck_std_envelope){a.comm, a.peer, a.tag};
}

// --- places in the order of a channel ---
enum mck_std_transfer { MCK_STD_SEND, MCK_STD_RECEIVE, MCK_STD_MATCHED_PROBE, MCK_STD_PROBE };
enum mck_std_cancel {
  MCK_STD_NOT_CANCELLED, // also: MPI_Cancel came too late
  MCK_STD_CANCELLED,
  MCK_STD_MAYBE_CANCELLED // MPI_Cancel was called, and the outcome is not known
};
// A call that has matched a message, or may do so.
struct mck_std_message {
  enum mck_std_transfer transfer;
  enum mck_std_cancel cancel;
  bool is_null;    // to or from MPI_PROC_NULL
  bool is_wild;    // it has MPI_ANY_SOURCE or MPI_ANY_TAG
  bool is_matched; // its message is known
};
enum mck_std_place {
  MCK_STD_NO_PLACE,  // it matches nothing
  MCK_STD_TAKES,     // it is the next of the sends, or of the receives, of its channel
  MCK_STD_FINDS,     // its message is the one that the next receive of its channel takes
  MCK_STD_UNDECIDED, // it takes the next message of some channel that it accepts, or none
};

// Is it known of which channel it is? A receive from one source with one tag is of that channel from the start.
// may_be_cancelled: true also if it is.
static inline bool mck_std_is_known(bool may_be_cancelled, bool is_wild, bool is_matched) {
  return !may_be_cancelled && (is_matched || !is_wild);
}
// MPI_PROC_NULL: nothing is transferred (3.11). Cancelled: as if the call was not there (3.8.4). A probe leaves its
// message where it is (3.8.1), a matched probe takes it, and its MPI_Mrecv takes no further one (3.8.2, 3.8.3).
static inline enum mck_std_place mck_std_place(struct mck_std_message m) {
  if (m.is_null || m.cancel == MCK_STD_CANCELLED) return MCK_STD_NO_PLACE;
  bool is_known = mck_std_is_known(m.cancel != MCK_STD_NOT_CANCELLED, m.is_wild, m.is_matched);
  if (m.transfer == MCK_STD_PROBE) return is_known ? MCK_STD_FINDS : MCK_STD_NO_PLACE;
  return is_known ? MCK_STD_TAKES : MCK_STD_UNDECIDED;
}

// --- who meets whom ---
// The k-th message of a channel goes to the k-th receive, both in the order of the calls of their process (3.5). Has
// what is in place k, counted from 0, a partner among the n of the other end?
static inline bool mck_std_has_partner(uint64_t k, uint64_t n) { return k < n; }
// An undecided receive may have taken a message of any channel that it accepts. Receives of such a channel that were
// posted after it may have got the message of another place than their own: those from place `decided` on.
#define MCK_STD_ALL_DECIDED UINT64_MAX
static inline void mck_std_leave_undecided(uint64_t *decided, uint64_t nreceives) {
  if (*decided > nreceives) *decided = nreceives;
}
// How many receives of the channel have got the message of their own place, for certain.
static inline uint64_t mck_std_count_pairs(uint64_t nsends, uint64_t nreceives, uint64_t decided) {
  uint64_t n = nsends < nreceives ? nsends : nreceives;
  return n < decided ? n : decided;
}
