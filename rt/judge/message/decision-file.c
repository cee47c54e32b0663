// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the file of decisions (decision-file.h, docs/formats/decisions.md).
#include "judge/message/decision-file.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/own-command.h"
#include "standard/function.h"

struct choice {
  struct mck_pair send;
  uint32_t next; // the next one of the same wildcard
};
struct line {
  struct mck_pair receive;
  uint32_t number, first; // first: of its alternatives
  uint32_t component, value;
  size_t witnesses, nwitnesses, stamp, before, nbefore; // positions in words
};
struct mck_decisions {
  const struct mck_whole *whole;
  FILE *file;
  struct line *lines;
  size_t nlines, capacity;
  struct choice *choices;
  size_t nchoices, choices_capacity;
  uint32_t *words;
  size_t nwords, words_capacity;
  uint32_t n;               // the number of components
  uint32_t number, log, at; // of the previous line
  bool is_short;
};

static uint32_t count_from(const struct mck_reader *log, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  for (uint64_t i = from; i < to && i < log->units; i += mck_event_units(&log->events[i]))
    n += mck_event_is_wild(&log->events[i]);
  return n;
}

struct mck_decisions *mck_decisions_open(const struct mck_whole *whole) {
  if (!mck_options.decisions[0]) return NULL;
  if (whole->doubts & MCK_DOUBT_RECYCLED) {
    mck_base_warn("no decisions are written: the logs were recycled on the way; run with a larger log_budget");
    return NULL;
  }
  struct mck_decisions *d = calloc(1, sizeof *d);
  // O_NONBLOCK: a FIFO of that name, without a reader, is an error and no hang.
  int fd = d ? open(mck_options.decisions, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666) : -1;
  if (fd >= 0) d->file = fdopen(fd, "w");
  if (d && d->file) {
    d->whole = whole;
    d->log = MCK_NONE;
    return d;
  }
  mck_base_warn("cannot write the decisions to %s: %s", mck_options.decisions, strerror(errno));
  free(d);
  return NULL;
}

static bool put_words(struct mck_decisions *d, const void *words, size_t n) {
  if (!mck_base_grow((void **)&d->words, &d->words_capacity, d->nwords + n, sizeof *d->words)) return false;
  if (n) memcpy(d->words + d->nwords, words, n * sizeof *d->words);
  d->nwords += n;
  return true;
}

void mck_decisions_add(void *context, const struct mck_clock_result *result) {
  struct mck_decisions *d = context;
  const struct mck_reader *log = &d->whole->logs[result->receive.log];
  if (d->log != result->receive.log) d->log = result->receive.log, d->number = 0, d->at = 0;
  d->number += count_from(log, d->at, result->receive.index);
  d->at = result->receive.index;
  d->n = result->n;
  struct line line = {
      result->receive, d->number + 1, MCK_NONE, result->component, result->value, d->nwords, result->nwitnesses, 0, 0,
      result->nbefore};
  d->is_short |= !put_words(d, result->witnesses, 2 * result->nwitnesses);
  line.stamp = d->nwords;
  d->is_short |= !put_words(d, result->stamp, result->n);
  line.before = d->nwords;
  for (size_t i = 0; i < result->nbefore; i++) { // their numbers, counted back from this wildcard
    uint32_t number = d->number + 1 - count_from(log, result->before[i], result->receive.index);
    d->is_short |= !put_words(d, &number, 1);
  }
  d->is_short |= !MCK_PUSH(d->lines, d->nlines, d->capacity, line);
}

void mck_decisions_add_alternative(struct mck_decisions *d, struct mck_pair receive, struct mck_pair send) {
  size_t low = 0, high = d->nlines;
  while (low < high) {
    size_t middle = (low + high) / 2;
    struct mck_pair at = d->lines[middle].receive;
    if (at.log < receive.log || (at.log == receive.log && at.index < receive.index)) low = middle + 1;
    else high = middle;
  }
  if (low == d->nlines || d->lines[low].receive.index != receive.index) return;
  struct choice new = {send, d->lines[low].first};
  d->lines[low].first = (uint32_t)d->nchoices;
  d->is_short |= !MCK_PUSH(d->choices, d->nchoices, d->choices_capacity, new);
}

// Writes a message as its receiver names it: source and tag. The receiver sees the sender's rank in the sender's own
// group.
static void put_message(const struct mck_decisions *d, struct mck_pair send) {
  const struct mck_reader *log = &d->whole->logs[send.log];
  const struct mck_event *e = &log->events[send.index];
  const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
  fprintf(d->file, " %d %d", comm ? (int)comm->rank : -1, e->msg.tag);
}

// Does a forced receive wait for ever although another message is there for it? Then the forced message cannot come.
static bool is_impossible(const struct mck_whole *w) {
  for (uint32_t i = 0; i < w->n; i++) {
    const struct mck_reader *log = &w->logs[i];
    for (uint64_t k = 0; k < log->units; k += mck_event_units(&log->events[k])) {
      const struct mck_event *e = &log->events[k];
      if (!mck_event_is_wild(e) || !mck_event_is_forced(e) || w->pairs->of[i][k].log != MCK_NONE) continue;
      if (mck_event_message(e, e->flags).cancel != MCK_STD_NOT_CANCELLED) continue;
      const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
      for (uint32_t j = 0; comm && j < w->n; j++) {
        const struct mck_reader *from = &w->logs[j];
        for (uint64_t s = 0; s < from->units; s += mck_event_units(&from->events[s])) {
          const struct mck_event *m = &from->events[s];
          const struct mck_comm_def *its = m->kind == MCK_EV_SEND ? mck_order_comm(from, m->msg.comm) : NULL;
          if (!its || w->pairs->of[j][s].log != MCK_NONE) continue;
          struct mck_std_envelope message = {its->body->key, (int32_t)its->rank, m->msg.tag};
          if (mck_std_accepts(mck_event_pattern(e, comm->body->key), message) &&
              mck_order_peer(from, m) == (int)log->header->rank)
            return true;
        }
      }
    }
  }
  return false;
}

// The order in which MPI_Waitany and similar calls find several requests complete depends on timing, too. It is not
// decided.
static bool has_orders(const struct mck_whole *w) {
  for (uint32_t i = 0; i < w->n; i++) {
    const struct mck_reader *log = &w->logs[i];
    for (uint64_t k = 0; k < log->units; k += mck_event_units(&log->events[k])) {
      const struct mck_event *e = &log->events[k];
      if (e->kind == MCK_EV_DONE && mck_std_is_choosing_test(e->fn)) return true;
      if (e->kind != MCK_EV_WAIT || e->flags == MCK_WAIT_ALL) continue;
      uint32_t active = 0;
      for (uint32_t r = 0; r < e->wait.count; r++) active += mck_wait_request(e, r) != MCK_NONE;
      if (active > 1) return true;
    }
  }
  return false;
}

static void put_line(const struct mck_decisions *d, const struct line *line) {
  const struct mck_reader *log = &d->whole->logs[line->receive.log];
  const struct mck_event *e = &log->events[line->receive.index];
  fprintf(d->file, "%u %u", log->header->rank, line->number);
  put_message(d, d->whole->pairs->of[line->receive.log][line->receive.index]);
  fprintf(d->file, " site %u clock %u %u of %u", e->site, line->component, line->value, d->n);
  for (uint32_t i = 0; i < d->n; i++) fprintf(d->file, " %u", d->words[line->stamp + i]);
  fprintf(d->file, " witnesses %zu", line->nwitnesses);
  for (size_t i = 0; i < 2 * line->nwitnesses; i++) fprintf(d->file, " %u", d->words[line->witnesses + i]);
  fprintf(d->file, " behind %zu", line->nbefore);
  for (size_t i = 0; i < line->nbefore; i++) fprintf(d->file, " %u", d->words[line->before + i]);
  fputs(" others", d->file);
  for (uint32_t i = line->first; i != MCK_NONE; i = d->choices[i].next) put_message(d, d->choices[i].send);
  putc('\n', d->file);
}

// Writes the receives that were given a message which has not come: a replay must wait for it, too.
static void put_waiting(const struct mck_decisions *d) {
  for (size_t i = 0; i < d->whole->n; i++) {
    const struct mck_reader *log = &d->whole->logs[i];
    uint32_t number = 0;
    for (uint64_t k = 0; k < log->units; k += mck_event_units(&log->events[k])) {
      const struct mck_event *e = &log->events[k];
      if (!mck_event_is_wild(e)) continue;
      number++;
      if (mck_event_is_forced(e) && d->whole->pairs->of[i][k].log == MCK_NONE)
        fprintf(d->file, "%u %u %d %d\n", log->header->rank, number, e->msg.peer, e->msg.tag);
    }
  }
}

void mck_decisions_close(struct mck_decisions *d, bool is_impossible_order) {
  fprintf(d->file, "mpicc-check decisions 1\nranks %u\n", d->whole->run.size);
  if (d->whole->doubts & MCK_DOUBT_INCOMPLETE) fputs("incomplete\n", d->file);
  if (has_orders(d->whole)) fputs("orders\n", d->file);
  if (is_impossible_order || is_impossible(d->whole)) fputs("impossible\n", d->file);
  for (size_t i = 0; i < d->nlines && !d->is_short; i++) put_line(d, &d->lines[i]);
  put_waiting(d);
  if (!d->is_short) fputs("end\n", d->file);
  if (fclose(d->file) != 0 || d->is_short) mck_base_warn("the decisions in %s are not whole", mck_options.decisions);
  free(d->lines);
  free(d->choices);
  free(d->words);
  free(d);
}

int mck_decisions_take(const struct mck_whole *whole, struct mck_pair receive, struct mck_pair send, char *text,
                       size_t size) {
  const struct mck_reader *log = &whole->logs[receive.log], *from = &whole->logs[send.log];
  const struct mck_event *m = &from->events[send.index];
  const struct mck_comm_def *comm = mck_order_comm(from, m->msg.comm);
  if (whole->doubts & MCK_DOUBT_RECYCLED || !comm) return 0;
  uint32_t number = count_from(log, 0, receive.index) + 1;
  int n = snprintf(text, size, "%u:%u=%u:%d", log->header->rank, number, comm->rank, m->msg.tag);
  return n > 0 && (size_t)n < size ? n : 0;
}

bool mck_decisions_command(const struct mck_whole *whole, struct mck_pair receive, struct mck_pair send, char *text,
                           size_t size) {
  char take[64], file[4096] = "";
  // Nothing is replayed under MPI_THREAD_MULTIPLE (record/replay/replay.c).
  for (size_t i = 0; i < whole->n; i++)
    if (atomic_load(&whole->logs[i].header->nothers)) return false;
  if (*mck_options.decisions && !mck_base_quote(file, sizeof file, mck_options.decisions)) return false;
  if (!mck_decisions_take(whole, receive, send, take, sizeof take)) return false;
  int n = snprintf(text, size, "mpirun-check %s%s%s--take %s%s", *file ? "--replay " : "", file, *file ? " " : "", take,
                   mck_own_command());
  return n > 0 && (size_t)n < size;
}
