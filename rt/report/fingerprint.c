// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fingerprints (fingerprint.h). Each deciding place becomes a text: its role, and the functions and files of the frames
// that the report shows. The texts are sorted, because either of two conflicting accesses may come first. Their hash
// is the base. Findings of one base at different lines are told apart by their order in the source.
#define _GNU_SOURCE 1
#include "report/fingerprint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/function-name.h"

enum { BASE_VERSION = 1 }; // the seed of the hash: raise it when the definition changes
#define CONFLICT "conflicts with "

// Places that are examples, or tell where another rank happened to be. They differ from run to run.
static const char *const examples[] = {"nearest miss", "got:", "could have got:", "can get:", "the last one was"};

static bool is_wait(const struct mck_finding *f) {
  return strncmp(mck_check_infos[f->check].id, "deadlock", 8) == 0 ||
         strncmp(mck_check_infos[f->check].id, "hang", 4) == 0;
}

// A wait is described by all of its ranks, everything else by the first two places: the two sides of a conflict, or the
// call and what it refers to.
bool mck_place_is_deciding(const struct mck_finding *f, uint32_t place) {
  const char *label = f->places[place].label;
  if (place == 0 || is_wait(f)) return true;
  if (place > 1 || !label || strncmp(label, "rank ", 5) == 0) return false;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    if (strncmp(label, examples[i], strlen(examples[i])) == 0) return false;
  return true;
}

// The length of "3rd " at a place of a text, or 0: which of the objects it is that a loop has made.
static size_t order_length(const char *p, const char *words) {
  size_t digits = strspn(p, "0123456789");
  if (!digits || (p > words && p[-1] != ' ')) return 0;
  static const char *const ends[] = {"st ", "nd ", "rd ", "th "};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!strncmp(p + digits, ends[i], 3)) return digits + 3;
  return 0;
}

// Text without the numbers of ranks, other numbers, and arguments in parentheses: "MPI_Recv(source 1) on rank 3".
static void write_words(FILE *out, const char *text) {
  char *words = NULL;
  size_t size = 0;
  FILE *normalized = open_memstream(&words, &size);
  if (!normalized) return;
  mck_normalized_write(normalized, text);
  fclose(normalized);
  unsigned depth = 0;
  for (const char *p = words; p && *p; p++) {
    size_t order = order_length(p, words);
    if (order) {
      p += order - 1;
      continue;
    }
    depth += *p == '(';
    bool is_digit = isdigit((unsigned char)*p);
    if (!depth && !(is_digit && p > words && isdigit((unsigned char)p[-1]))) putc(is_digit ? '#' : *p, out);
    depth -= *p == ')' && depth;
  }
  free(words);
}

static const char *base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "";
}

// Lambdas have numbers, which another lambda above would change. The operator of one is "main::$_0::operator()()
// const", or "operator()" where gcc has inlined it.
static void write_name(FILE *out, const char *function) {
  static const char call[] = "::operator()";
  const char *last = NULL;
  for (const char *p = function; (p = strstr(p, call)); p++) last = p;
  const char *digit = last;
  while (digit > function && isdigit((unsigned char)digit[-1])) digit--;
  if (last > function && (last[-1] == '}' || mck_name_number(function, digit))) function = "operator()";
  for (const char *p = function; *p; p++) {
    size_t number = mck_name_number(function, p);
    putc(number ? '#' : *p, out);
    if (number) p += number - 1;
  }
}

// The shown frames. A function that calls itself counts once: the depth may depend on the number of ranks.
static void write_functions(FILE *out, const struct mck_source_stack *stack) {
  unsigned shown[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(stack, shown);
  const char *last = "";
  for (unsigned i = 0; i < n; i++) {
    const struct mck_source_frame *frame = &stack->frames[shown[i]];
    const char *function = frame->function ? frame->function : "";
    if (*function && strcmp(function, last) == 0) continue;
    putc('|', out);
    write_name(out, function);
    fprintf(out, "@%s", base_name(frame->file ? frame->file : frame->module));
    last = function;
  }
}

struct item {
  char *text, *lines; // of a place
};
struct known {
  size_t group;
  char *lines; // of all deciding places
  uint64_t base;
};

static int compare_items(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  int order = strcmp(a->text, b->text);
  return order ? order : strcmp(a->lines, b->lines);
}

// Lines are padded: their order as texts is that of the source.
static char *write_lines(const struct mck_source_stack *stack) {
  unsigned shown[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(stack, shown);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (unsigned i = 0; i < n; i++) {
    const struct mck_source_frame *frame = &stack->frames[shown[i]];
    if (frame->file) fprintf(out, "%s:%09d|", base_name(frame->file), frame->line);
    else fprintf(out, "%s+%016llx|", base_name(frame->module), (unsigned long long)frame->offset);
  }
  return fclose(out) == 0 ? text : NULL;
}

static char *write_item(const struct mck_place *place, const struct mck_source_stack *stack) {
  const char *label = place->label ? place->label : "";
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  if (strncmp(label, CONFLICT, sizeof CONFLICT - 1) == 0) label += sizeof CONFLICT - 1;
  write_words(out, label);
  write_functions(out, stack);
  return fclose(out) == 0 ? text : NULL;
}

// The sorted texts of the deciding places become the base, their lines one text. Equal texts count once: as many ranks
// wait at one place as the run has.
static bool describe(const struct mck_group *group, struct known *known) {
  const struct mck_finding *f = group->finding;
  struct item items[MCK_PLACES_MAX];
  size_t n = 0, size = 0, lines_size = 0;
  bool is_good = true;
  for (uint32_t i = 0; i < f->nplaces && i < MCK_PLACES_MAX; i++) {
    if (!mck_place_is_deciding(f, i)) continue;
    items[n] = (struct item){write_item(&f->places[i], &group->stacks[i]), write_lines(&group->stacks[i])};
    is_good &= items[n].text && items[n].lines;
    n++;
  }
  char *text = NULL;
  FILE *out = is_good ? open_memstream(&text, &size) : NULL,
       *lines = out ? open_memstream(&known->lines, &lines_size) : NULL;
  if (lines) {
    qsort(items, n, sizeof *items, compare_items);
    fprintf(out, "%s", mck_check_infos[f->check].id);
    for (size_t i = 0; i < n; i++) {
      if (!i || strcmp(items[i].text, items[i - 1].text) != 0) fprintf(out, "\n%s", items[i].text);
      if (!i || compare_items(&items[i - 1], &items[i]) != 0) fputs(items[i].lines, lines);
    }
    if (!n) putc('\n', out), write_words(out, f->text);
    // What it is about are the lines: it is another finding when they are others.
    if (f->check == MCK_CHECK_STATIC_UNEXECUTED && f->why) write_words(out, f->why);
  }
  is_good = lines && fclose(lines) == 0;
  is_good = out && fclose(out) == 0 && is_good;
  if (is_good) known->base = mck_base_hash(text, size, BASE_VERSION);
  free(text);
  for (size_t i = 0; i < n; i++) free(items[i].text), free(items[i].lines);
  return is_good;
}

static int compare_known(const void *left, const void *right) {
  const struct known *a = left, *b = right;
  if (a->base != b->base) return a->base < b->base ? -1 : 1;
  return strcmp(a->lines, b->lines);
}

void mck_fingerprints_set(struct mck_groups *groups) {
  struct known *all = groups->count ? calloc(groups->count, sizeof *all) : NULL;
  size_t n = 0;
  for (size_t i = 0; all && i < groups->count; i++) {
    all[n].group = i;
    if (describe(&groups->items[i], &all[n])) n++;
    else free(all[n].lines), all[n].lines = NULL;
  }
  if (n) qsort(all, n, sizeof *all, compare_known);
  // Findings of one base at the same lines are one defect: their texts differ in bytes, values or ranks.
  uint64_t ordinal = 0;
  for (size_t i = 0; i < n; i++) {
    bool is_same_base = i && all[i].base == all[i - 1].base;
    ordinal = !is_same_base ? 0 : ordinal + (strcmp(all[i].lines, all[i - 1].lines) != 0);
    uint64_t hash = ordinal ? mck_base_hash(&ordinal, sizeof ordinal, all[i].base) : all[i].base;
    snprintf(groups->items[all[i].group].fingerprint, MCK_FINGERPRINT, "%016llx", (unsigned long long)hash);
  }
  for (size_t i = 0; i < n; i++) free(all[i].lines);
  free(all);
}
