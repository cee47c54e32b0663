// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See strand-finding.h. A finding goes to the log at once, with the pair that was seen first, so that it outlives the
// process; its text in memory, which a run that ends well reports, gets the pair whose names come first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/strand/strand-finding.h"

struct names {
  char first[64], second[64];
};
static struct pair {
  uint64_t key;
  size_t index; // of the finding
  struct names names;
} *pairs;
static size_t npairs, capacity;

struct side {
  const struct mck_strand_call *call;
  char name[64];
  const void *began;
};

static struct side side_of(const struct mck_strand_call *call) {
  struct side s = {.call = call};
  mck_thread_name(call->moment.strand, s.name, sizeof s.name, &s.began);
  return s;
}

static bool is_behind(const struct side *a, const struct side *b) {
  if (a->call->pc != b->call->pc) return (uintptr_t)a->call->pc > (uintptr_t)b->call->pc;
  return strcmp(a->name, b->name) > 0;
}

// "task created" is a name without a number: such a strand is known by where it began.
static bool is_nameless(const struct side *s) {
  size_t length = strlen(s->name), ending = strlen(" created");
  return length > ending && !strcmp(s->name + length - ending, " created");
}
static const char *kind_of(const struct side *s) { return s->name[1] == 'a' ? "task" : "thread"; }

static const char *name_of(const struct side *s) { return s->call->what ? s->call->what : mck_fn_names[s->call->fn]; }

static void write_label(char *text, size_t size, const struct side *s, bool is_first) {
  char rank[32] = "", by[80];
  if (is_first) snprintf(rank, sizeof rank, " on rank %d", mck_rt.rank);
  if (is_nameless(s)) snprintf(by, sizeof by, "a %s", kind_of(s));
  else snprintf(by, sizeof by, "%s", s->name);
  snprintf(text, size, "%s%s by %s", name_of(s), rank, by);
}

static void set_label(struct mck_place *p, const struct side *s, bool is_first) {
  char text[256];
  write_label(text, sizeof text, s, is_first);
  char *copy = strdup(text);
  if (!copy) return;
  free(p->label);
  p->label = copy, p->site = s->call->site;
}

static void improve(const struct pair *p, const struct side *a, const struct side *b) {
  if (p->index >= mck_rt.findings.count) return;
  struct mck_finding *f = &mck_rt.findings.items[p->index];
  if (f->nplaces < 2) return;
  set_label(&f->places[0], a, true);
  set_label(&f->places[1], b, false);
}

static void place_began(struct mck_finding *f, const struct side *s) {
  if (!s->began) return;
  uint32_t site = mck_stack_site_at(s->began);
  if (is_nameless(s)) mck_finding_place(f, mck_rt.rank, site, "the %s of %s was created", kind_of(s), name_of(s));
  else mck_finding_place(f, mck_rt.rank, site, "%s began", s->name);
}

struct mck_finding *mck_strand_finding(enum mck_check check, const struct mck_strand_call *a,
                                       const struct mck_strand_call *b, const struct mck_strand_call **first,
                                       const struct mck_strand_call **second) {
  struct side one = side_of(a), two = side_of(b);
  if (is_behind(&one, &two)) {
    struct side s = one;
    one = two, two = s;
  }
  *first = one.call, *second = two.call;
  uint64_t parts[3] = {check, (uint64_t)(uintptr_t)one.call->pc, (uint64_t)(uintptr_t)two.call->pc},
           key = mck_base_hash(parts, sizeof parts, 7);
  struct names names = {{0}, {0}};
  memcpy(names.first, one.name, sizeof names.first), memcpy(names.second, two.name, sizeof names.second);
  for (struct pair *p = pairs; p < pairs + npairs; p++) {
    if (p->key != key) continue;
    if (memcmp(&names, &p->names, sizeof names) < 0) p->names = names, improve(p, &one, &two);
    return NULL; // not counted: how often is luck, too
  }
  struct mck_finding *f = mck_local_add(check, MCK_NONE, key);
  if (!f) return NULL;
  (void)!MCK_PUSH(pairs, npairs, capacity, ((struct pair){key, mck_rt.findings.count - 1, names}));
  char text[256];
  write_label(text, sizeof text, &one, true);
  mck_finding_place(f, mck_rt.rank, one.call->site, "%s", text);
  write_label(text, sizeof text, &two, false);
  mck_finding_place(f, mck_rt.rank, two.call->site, "%s", text);
  if (one.began && one.began == two.began) {
    mck_finding_place(f, mck_rt.rank, mck_stack_site_at(one.began), "both began");
    return f;
  }
  place_began(f, &one);
  place_began(f, &two);
  return f;
}
