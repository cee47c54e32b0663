// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the verdicts of a cut (cut.h), and merges the findings of two parts of a run. A verdict is a list of
// records, up to the end of the parcel:
//
//   0 key tag' n   sends to the judging rank
//   1 key n        collectives
#include "judge/cut/cut.h"
#include <stdlib.h>
#include <string.h>
#include "judge/index.h"

enum { CHANNEL, SEQUENCE };

static struct mck_parcel *verdict_to(struct mck_decide *d, int rank) {
  return rank >= 0 && (uint32_t)rank < d->judge->size ? mck_parcels_add(&d->judge->verdicts, rank) : NULL;
}

// Without its verdict a rank would keep everything, and the next cut would compare it again. So no rank may recycle
// then.
static void check(struct mck_decide *d, const struct mck_parcel *parcel) {
  if (!parcel || parcel->capacity == SIZE_MAX) d->judge->is_short = true;
}

void mck_cut_settle_channel(struct mck_decide *d, int source, uint64_t key, int32_t tag, uint64_t n) {
  struct mck_parcel *parcel = n ? verdict_to(d, source) : NULL;
  if (!n) return;
  if (parcel) {
    mck_parcel_put(parcel, CHANNEL);
    mck_parcel_put(parcel, key);
    mck_parcel_put_signed(parcel, tag);
    mck_parcel_put(parcel, n);
  }
  check(d, parcel);
}

void mck_cut_settle_sequence(struct mck_decide *d, int member, uint64_t key, uint64_t n) {
  struct mck_parcel *parcel = n ? verdict_to(d, member) : NULL;
  if (!n) return;
  if (parcel) {
    mck_parcel_put(parcel, SEQUENCE);
    mck_parcel_put(parcel, key);
    mck_parcel_put(parcel, n);
  }
  check(d, parcel);
}

const struct mck_parcels *mck_judge_verdicts(const struct mck_judge *j) { return j->is_short ? NULL : &j->verdicts; }

// Both sides list their channels in the order of key and tag, but nothing here relies on the order of a verdict.
static struct mck_channel *find_sends(struct mck_judge *j, struct mck_std_end end) {
  uint32_t at, id;
  MCK_TABLE_EACH (&j->sends_table, mck_std_hash_end(end), at, id)
    if (mck_std_is_same_end(mck_judge_end(&j->channels[id]), end)) return &j->channels[id];
  return NULL;
}

static bool make_table(struct mck_judge *j) {
  if (j->sends_table.slots) return true;
  for (size_t i = 0; i < j->nchannels; i++) {
    const struct mck_channel *c = &j->channels[i];
    if (c->direction != MCK_OUT) continue;
    if (!mck_table_add(&j->sends_table, mck_std_hash_end(mck_judge_end(c)), (uint32_t)i)) return false;
  }
  return true;
}

bool mck_judge_take(struct mck_judge *j, int rank, const struct mck_parcel *verdict) {
  if (!verdict->size) return true; // an empty verdict has no bytes
  struct mck_parcel_in in = {verdict->data, verdict->data + verdict->size, false};
  if (!make_table(j)) return false;
  while (in.at < in.end && !in.is_bad) {
    uint64_t kind = mck_parcel_get(&in), key = mck_parcel_get(&in);
    if (kind == CHANNEL) {
      int64_t tag = mck_parcel_get_signed(&in);
      uint64_t n = mck_parcel_get(&in);
      struct mck_std_end end = {key, rank, (int32_t)tag, true};
      struct mck_channel *c = tag < INT32_MIN || tag > INT32_MAX ? NULL : find_sends(j, end);
      if (!c || n > c->runs.n) return false;
      c->matched = n;
    } else if (kind == SEQUENCE) {
      uint64_t n = mck_parcel_get(&in);
      size_t i = 0;
      while (i < j->nsequences && j->sequences[i].key != key) i++;
      if (i == j->nsequences || n > j->sequences[i].runs.n) return false;
      j->sequences[i].settled = n;
    } else return false;
  }
  return !in.is_bad;
}

static bool is_same(const struct mck_finding *a, const struct mck_finding *b) {
  if (a->check != b->check || a->rank != b->rank) return false;
  if (!a->nplaces && !b->nplaces) return a->text && b->text && !strcmp(a->text, b->text);
  if (!a->nplaces || !b->nplaces) return false;
  // One finding speaks of all alternatives of a receive.
  if (a->check == MCK_CHECK_MESSAGE_RACE) return a->places[0].site == b->places[0].site;
  // Two races may be equal although other calls opened their epochs or completed their operations. So only the first
  // two places are compared.
  bool is_race = a->check == MCK_CHECK_RMA_RACE || a->check == MCK_CHECK_RMA_ATOMICITY ||
                 a->check == MCK_CHECK_RMA_RACE_LOCAL || a->check == MCK_CHECK_RMA_WINDOW_OVERLAP ||
                 a->check == MCK_CHECK_RMA_MODEL;
  if (is_race && (a->nplaces < 2 || b->nplaces < 2)) return false;
  if (!is_race && a->nplaces != b->nplaces) return false;
  for (uint32_t i = 0; i < (is_race ? 2 : a->nplaces); i++)
    if (a->places[i].rank != b->places[i].rank || a->places[i].site != b->places[i].site) return false;
  // One call may be on several windows. The headline names the window and then the bytes.
  const char *bytes = is_race && a->text && b->text ? strstr(a->text, ", bytes ") : NULL;
  return !bytes || !strncmp(a->text, b->text, (size_t)(bytes - a->text));
}

void mck_findings_merge(struct mck_findings *all, struct mck_findings *more) {
  size_t known = all->count; // more has no equal findings in itself
  for (size_t i = 0; i < more->count; i++) {
    struct mck_finding *f = &more->items[i], *same = NULL;
    for (size_t k = 0; k < known && !same; k++)
      if (is_same(&all->items[k], f)) same = &all->items[k];
    if (same && (f->check == MCK_CHECK_IO_OVERLAP || !f->nplaces)) continue; // one stands for all
    if (same) {
      uint32_t count = same->count + f->count;
      if (f->severity > same->severity) { // the other message did not fit
        struct mck_finding milder = *same;
        *same = *f, *f = milder;
      }
      same->count = count;
      continue;
    }
    struct mck_finding *new = mck_findings_add(all, f->check, f->rank);
    if (!new) continue;
    *new = *f;
    memset(f, 0, sizeof *f);
  }
  mck_findings_free(more);
}

void mck_findings_copy(struct mck_findings *to, const struct mck_findings *from) {
  for (size_t i = 0; i < from->count; i++) {
    size_t size = 0;
    void *bytes = mck_finding_pack(&from->items[i], &size);
    if (bytes) mck_finding_unpack(to, bytes, size);
    free(bytes);
  }
}
