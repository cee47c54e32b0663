// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roll call: makes the findings that say which members of a communicator do what at one position of their sequences.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/rank-span.h"
#include "standard/function.h"
#include "judge/collective/collective-step.h"
#include "report/why.h"

struct group {
  char text[128];
  uint64_t more;
  size_t first;
};

static int compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

// Prints "0,2-4", and "..." when it gets long. It sorts ranks.
static void print_ranks(char *out, size_t size, int *ranks, size_t n) {
  size_t used = 0;
  out[0] = 0;
  qsort(ranks, n, sizeof *ranks, compare_ints);
  for (size_t i = 0; i < n; i++) {
    size_t last = i;
    while (last + 1 < n && ranks[last + 1] == ranks[last] + 1) last++;
    if (used + 32 > size) {
      snprintf(out + used, size - used, ",...");
      return;
    }
    char span[MCK_RANK_SPAN];
    used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "",
                             mck_rank_span(span, (uint32_t)ranks[i], (uint32_t)ranks[last]));
    i = last;
  }
}

struct mck_finding *mck_step_say(struct mck_step *step, enum mck_check check, const struct mck_step_member *a,
                                 const struct mck_step_member *b, size_t *index) {
  struct mck_findings *findings = step->decide->findings;
  struct mck_step_said new = {check,
                              {a->rank, b ? b->rank : -1},
                              {a->now ? a->now->site : MCK_NONE, b && b->now ? b->now->site : MCK_NONE},
                              findings->count};
  for (size_t i = 0; i < step->nsaid; i++) {
    struct mck_step_said *s = &step->said[i];
    if (s->check != (int)check || s->site[0] != new.site[0] || s->site[1] != new.site[1] || s->rank[0] != new.rank[0] ||
        s->rank[1] != new.rank[1])
      continue;
    findings->items[s->finding].count++;
    *index = s->finding + 1;
    return NULL;
  }
  *index = 0;
  if (step->nsaid >= MCK_FINDINGS_MAX) return NULL;
  struct mck_finding *f = mck_findings_add(findings, check, a->rank);
  if (!f) return NULL;
  mck_why(check, "call number %llu of the sequence, seen by rank %u: rank %d and rank %d do not agree",
          (unsigned long long)step->position + 1, step->decide->judge->rank, a->rank, b ? b->rank : a->rank);
  *index = new.finding + 1;
  (void)!MCK_PUSH(step->said, step->nsaid, step->said_capacity, new);
  return f;
}

static size_t make_groups(struct mck_step *step, mck_step_label *label, bool with_ends, uint32_t *of,
                          struct group *groups) {
  size_t ngroups = 0;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    of[i] = MCK_NONE;
    if (!m->is_there || (!m->now && !with_ends)) continue;
    struct group g = {.first = i};
    if (m->now) g.more = label(step, m, g.text, sizeof g.text);
    else snprintf(g.text, sizeof g.text, "never, only %llu calls", (unsigned long long)step->before + m->runs.n);
    if (!g.text[0]) continue;
    for (size_t k = 0; k < ngroups && of[i] == MCK_NONE; k++)
      if (groups[k].more == g.more && !strcmp(groups[k].text, g.text)) of[i] = (uint32_t)k;
    if (of[i] == MCK_NONE && ngroups <= MCK_PLACES_MAX) {
      groups[ngroups] = g;
      of[i] = (uint32_t)ngroups++;
    }
  }
  return ngroups;
}

static const char *noun_of(const struct mck_step *step, enum mck_check check) {
  if (check == MCK_CHECK_IO_COLLECTIVE) return "file";
  for (size_t i = 0; i < step->n; i++)
    if (step->members[i].now) switch (mck_std(step->members[i].now->fn)->collective) {
      case MCK_STD_COLLECTIVE_WINDOW: return "window";
      case MCK_STD_COLLECTIVE_FILE: return "file";
      default: return "communicator";
      }
  return "communicator";
}

void mck_step_name_comm(const struct mck_step *step, char *text, size_t size) {
  enum { NAME_MAX_SHOWN = 64 };
  const struct mck_comm_def *c = step->comm;
  const struct mck_event *made = c && c->body ? (const struct mck_event *)c->body - 1 : NULL;
  text[0] = 0;
  if (!made) return;
  if (c->id == 0) {
    // MPI_COMM_WORLD needs no name where it is the only one; the program has MPI_COMM_SELF, too.
    const struct mck_reader *log = step->decide->judge->log;
    if (made->site == MCK_NONE && log && log->ncomms > 2) snprintf(text, size, " MPI_COMM_WORLD");
    return;
  }
  if (c->name_length)
    snprintf(text, size, " %.*s", (int)(c->name_length < NAME_MAX_SHOWN ? c->name_length : NAME_MAX_SHOWN), c->name);
  else if (made->site != MCK_NONE) {
    char order[MCK_ORDER_SIZE];
    mck_log_order_of_comm(step->decide->judge->log, c->id, order);
    snprintf(text, size, "%s%sthat %s made\x1a at %u:%u\x1a", *order ? ", the " : " ", order, mck_judge_fn(made->fn),
             step->decide->judge->rank, made->site);
  }
}

// One rank against all others is the one to look at.
static void name_odd(struct mck_finding *f, const struct mck_step *step, const uint32_t *of, const struct group *groups,
                     size_t ngroups) {
  size_t count[2] = {0};
  int rank[2] = {0};
  for (size_t i = 0; i < step->n && ngroups == 2; i++)
    if (of[i] < 2) count[of[i]]++, rank[of[i]] = step->members[i].rank;
  for (int g = 0; g < 2; g++)
    if (count[g] == 1 && count[1 - g] > 1 && strncmp(groups[g].text, "in MPI_", 7) == 0)
      mck_finding_text(f, "%s (rank %d %s)", f->text ? f->text : "", rank[g], groups[g].text);
}

size_t mck_step_roll_call(struct mck_step *step, enum mck_check check, const char *text, mck_step_label *label,
                          bool with_ends) {
  uint32_t *of = malloc((step->n + 1) * sizeof *of);
  int *ranks = malloc((step->n + 1) * sizeof *ranks);
  struct group groups[MCK_PLACES_MAX + 1];
  size_t index = 0, ngroups = of && ranks ? make_groups(step, label, with_ends, of, groups) : 0;
  struct mck_finding *f = ngroups ? mck_step_say(step, check, &step->members[groups[0].first],
                                                 ngroups > 1 ? &step->members[groups[1].first] : NULL, &index)
                                  : NULL;
  if (f) {
    char why[1000], list[160], name[160];
    const char *noun = noun_of(step, check);
    mck_step_name_comm(step, name, sizeof name);
    // A file or window has no name of its own; the one that made its communicator says which.
    bool is_named = !strcmp(noun, "communicator") || (strcmp(noun, "window") && step->comm && step->comm->id);
    size_t used = (size_t)snprintf(why, sizeof why,
                                   "collective number %llu of the %s%s: ", (unsigned long long)step->position + 1, noun,
                                   is_named ? name : "");
    mck_finding_text(f, "%s", text);
    name_odd(f, step, of, groups, ngroups);
    for (size_t g = 0; g < ngroups && g < MCK_PLACES_MAX; g++) {
      const struct mck_step_member *m = &step->members[groups[g].first];
      size_t n = 0;
      for (size_t i = 0; i < step->n; i++)
        if (of[i] == g) ranks[n++] = step->members[i].rank;
      print_ranks(list, sizeof list, ranks, n);
      const char *plural = n > 1 ? "ranks" : "rank";
      bool is_call = !strncmp(groups[g].text, "in MPI_", 7);
      if (used < sizeof why)
        used += (size_t)snprintf(why + used, sizeof why - used, "%s%s %s%s %s", g ? "; " : "", plural, list,
                                 is_call ? "" : ":", groups[g].text);
      if (!m->now) continue;
      const char *fn = mck_judge_fn(m->now->fn);
      if (is_call) mck_finding_place(f, m->rank, m->now->site, "%s on %s %s", fn, plural, list);
      else mck_finding_place(f, m->rank, m->now->site, "%s with %s on %s %s", fn, groups[g].text, plural, list);
    }
    if (ngroups > MCK_PLACES_MAX && used < sizeof why) snprintf(why + used, sizeof why - used, "; others again else");
    mck_finding_why(f, "%s", why);
  }
  free(of);
  free(ranks);
  return index;
}

void mck_step_describe(struct mck_step *step, const struct mck_step_member *m, const struct mck_blocks_run *block,
                       char *text, size_t size) {
  const struct mck_delivery *from = mck_decide_find(step->decide, m->rank);
  const struct mck_type_source source = {m->rank, mck_step_types(step, m->rank), from ? from->types : NULL,
                                         from ? from->ntypes : 0};
  if (block->count) mck_type_describe(text, size, &source, block->type, block->count);
  else snprintf(text, size, "nothing");
}
