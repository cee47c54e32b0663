// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects events by rank, function, kind, communicator, peer, tag and place.
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "log/envelope.h"
#include "view/view.h"

bool mck_view_filter_ranks(const char *list, int64_t rank, bool *is_list) {
  bool is_in = false;
  *is_list = false;
  for (const char *p = list;; p++) {
    char *end;
    if (*p < '0' || *p > '9') return false;
    int64_t first = strtol(p, &end, 10), last = first;
    if (*end == '-') {
      p = end + 1;
      if (*p < '0' || *p > '9') return false;
      last = strtol(p, &end, 10);
    }
    if (first <= rank && rank <= last) is_in = true;
    p = end;
    if (!*p) return *is_list = true, is_in;
    if (*p != ',') return false;
  }
}

static bool is_in_list(const char *list, const char *word) {
  for (size_t n; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    if (n == strlen(word) && strncasecmp(list, word, n) == 0) return true;
  }
  return false;
}

static uint32_t comm_of(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_DEF_COMM: return e->def.id;
  case MCK_EV_DEF_WIN: return e->def.a;
  default: return mck_event_comm(e);
  }
}

static bool has_comm(struct mck_view_log *log, const struct mck_event *e, const char *wanted) {
  uint32_t id = comm_of(e);
  bool is_rma = e->kind >= MCK_EV_PUT && e->kind <= MCK_EV_ACCESS; // win is the first word of all these events
  if (is_rma && e->word[0] < log->reader.nwins && log->reader.wins[e->word[0]].body)
    id = log->reader.wins[e->word[0]].comm;
  if (id == MCK_NONE) return false;
  return strcasecmp(wanted, "world") == 0 || strcasecmp(wanted, "MPI_COMM_WORLD") == 0
             ? id == 0
             : strtoul(wanted, NULL, 10) == id;
}

static bool is_message(const struct mck_event *e) { return e->kind >= MCK_EV_SEND && e->kind <= MCK_EV_MPROBE; }

static bool has_peer(const struct mck_view_log *log, const struct mck_event *e, int64_t peer) {
  if (is_message(e)) return mck_view_peer(log, e) == peer;
  if (e->kind < MCK_EV_PUT || e->kind > MCK_EV_SYNC || e->word[0] >= log->reader.nwins ||
      !log->reader.wins[e->word[0]].body)
    return false;
  int32_t rank = e->kind <= MCK_EV_ACC ? e->rma.target : e->sync.rank;
  const struct mck_comm_def *comm = mck_view_comm_def(log, log->reader.wins[e->word[0]].comm);
  return comm && rank >= 0 && mck_comm_world_rank(comm, rank, false) == peer;
}

static bool is_file(const char *path, const char *wanted, size_t n) {
  size_t length = strlen(path);
  return length >= n && memcmp(path + length - n, wanted, n) == 0 && (length == n || path[length - n - 1] == '/');
}

// Any frame of the stack counts: a line that calls a helper function selects the events of the helper.
static bool has_place(const struct mck_view_place *place, const char *wanted) {
  const char *colon = strrchr(wanted, ':');
  char *end = NULL;
  long line = colon ? strtol(colon + 1, &end, 10) : 0;
  size_t n = colon && end != colon + 1 && !*end ? (size_t)(colon - wanted) : strlen(wanted);
  for (unsigned i = 0; i < place->stack.count; i++) {
    const struct mck_source_frame *f = &place->stack.frames[i];
    if (f->file && is_file(f->file, wanted, n) && (!wanted[n] || f->line == line)) return true;
  }
  return false;
}

bool mck_view_is_wanted(const struct mck_view *view, struct mck_view_log *log, uint64_t index,
                        const struct mck_view_filter *f) {
  const struct mck_event *e = &log->reader.events[index];
  bool is_list;
  if (index < f->from || index > f->to) return false;
  if (f->ranks && !mck_view_filter_ranks(f->ranks, log->reader.header->rank, &is_list)) return false;
  if (f->kind && !is_in_list(f->kind, mck_view_kind(e->kind) ? mck_view_kind(e->kind) : "unknown")) return false;
  if (f->fn && fnmatch(f->fn, mck_view_fn(e), FNM_CASEFOLD) != 0) return false;
  if (f->comm && !has_comm(log, e, f->comm)) return false;
  if (f->peer != INT64_MIN && !has_peer(log, e, f->peer)) return false;
  if (f->tag != INT64_MIN && (!is_message(e) || e->msg.tag != f->tag)) return false;
  return !f->place || has_place(mck_view_place(view, log, e->site), f->place);
}

bool mck_view_filter_is_kinds(const char *list) {
  for (size_t n; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    bool is_known = n == 7 && strncasecmp(list, "unknown", n) == 0;
    for (unsigned kind = 0; kind < 256 && !is_known; kind++) {
      const char *name = mck_view_kind(kind);
      is_known = name && strlen(name) == n && strncasecmp(list, name, n) == 0;
    }
    if (!is_known) return false;
  }
  return true;
}
