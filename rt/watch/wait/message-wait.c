// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can a message still come, or be taken? This is counted: the k-th send of a channel goes to the k-th receive that is
// posted for it (MPI-3.1 3.5, non-overtaking). A wildcard receive counts for the channel of its message. While its
// message is unknown, it counts for each channel that it matches.
#include "watch/proof/probing.h"

// Each pending wildcard costs a search through all channels and the rank's log. Beyond so many steps nothing is
// concluded.
enum { WILDCARD_BUDGET = 1 << 28 };

// The number of undecided receives of dest that could have taken a message of this channel.
static uint64_t count_open(const struct mck_proof *proof, uint32_t channel) {
  const struct mck_channel *c = &proof->channels[channel];
  uint64_t n = 0;
  const struct mck_proof_rank *dest = &proof->ranks[c->dest];
  for (size_t i = dest->open; i < dest->open + dest->nopens; i++) {
    const struct mck_open *open = &proof->opens[i];
    const struct mck_undecided *u = mck_probing_find(proof, c->dest, open->event);
    if (u && u->channel != MCK_NONE) {
      n += u->channel == channel;
      continue;
    }
    n += mck_std_accepts(open->pattern, mck_proof_envelope(c));
  }
  return n;
}

static void judge_send(struct mck_proof *proof, struct mck_proof_part *part, const struct mck_event *e) {
  const struct mck_channel *c = &proof->channels[part->channel];
  unsigned mode = e->flags & MCK_MODE_MASK;
  if (mode == MCK_FLAG_BUFFERED || mode == MCK_FLAG_READY) return; // neither waits for the receiver (MPI-3.1 3.4)
  if (mck_std_has_partner(part->before, c->receives)) return;
  if (mck_std_has_partner(part->before - c->receives, count_open(proof, part->channel))) return; // for what we know
  part->verdict = MCK_PROOF_NEEDS_RANK;
  part->target = c->dest;
  part->is_solid = mode == MCK_FLAG_SYNC;
}

// Is there a message beyond those that earlier receives take? It is there, or an open receive has taken it; then the
// wait ends, too.
static void judge_specific(struct mck_proof *proof, struct mck_proof_part *part) {
  const struct mck_channel *c = &proof->channels[part->channel];
  if (mck_std_has_partner(part->before + mck_probing_taken(proof, part->channel, part->event), c->sends)) return;
  part->verdict = MCK_PROOF_NEEDS_RANK;
  part->target = c->source;
  part->is_solid = true;
}

// Is there a channel into rank that matches the pattern and has more sends than receives posted before the wildcard?
// Later receives do not count: if one of them has completed, the wildcard, which was there first, has its message.
static bool has_message(struct mck_proof *proof, const struct mck_proof_part *part, struct mck_std_pattern pattern) {
  const struct mck_reader *log = &proof->logs[part->rank];
  bool has_threads = part->thread != 0;
  for (size_t i = 0; i < proof->nchannels; i++)
    proof->channels[i].scratch = has_threads ? mck_proof_count_ahead(proof, part->rank, part->event, (uint32_t)i) : 0;
  for (uint64_t i = 0; i < part->event && !has_threads; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t source;
    if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || mck_proof_place(e) != MCK_STD_TAKES) continue;
    if (!mck_proof_get_peer(proof, part->rank, e, &key, &source)) continue;
    struct mck_channel *c = mck_proof_get_channel(proof, key, (uint32_t)source, part->rank, e->msg.tag);
    if (c) c->scratch++;
  }
  for (size_t i = 0; i < proof->nchannels; i++) {
    const struct mck_channel *c = &proof->channels[i];
    if (c->dest == part->rank && mck_std_accepts(pattern, mck_proof_envelope(c)) &&
        mck_std_has_partner(c->scratch + mck_probing_taken(proof, (uint32_t)i, part->event), c->sends))
      return true;
  }
  return false;
}

static void judge_wildcard(struct mck_proof *proof, struct mck_proof_part *part, const struct mck_event *e,
                           uint64_t *budget) {
  uint64_t key, steps = part->event + proof->nchannels * 2 + 1;
  int64_t source;
  if (steps > *budget || !mck_proof_get_peer(proof, part->rank, e, &key, &source)) return;
  *budget -= steps;
  const struct mck_undecided *u = mck_probing_find(proof, part->rank, part->event);
  if (u && u->channel != MCK_NONE) return;
  if (has_message(proof, part, mck_proof_pattern(e, key, source))) return;
  part->is_solid = true;
  part->verdict = source < 0 ? MCK_PROOF_NEEDS_ANY : MCK_PROOF_NEEDS_RANK;
  part->target = source < 0 ? MCK_NONE : (uint32_t)source;
}

void mck_proof_judge_messages(struct mck_proof *proof) {
  uint64_t budget = WILDCARD_BUDGET;
  for (size_t i = 0; i < proof->nparts; i++) {
    struct mck_proof_part *part = &proof->parts[i];
    if (!part->is_hit || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
    const struct mck_event *e = mck_proof_event(proof, part);
    switch (e->kind) {
    case MCK_EV_SEND: judge_send(proof, part, e); break;
    case MCK_EV_RECV:
    case MCK_EV_PROBE:
    case MCK_EV_MPROBE:
      if (part->channel != MCK_NONE) judge_specific(proof, part);
      else judge_wildcard(proof, part, e, &budget);
      break;
    }
  }
}
