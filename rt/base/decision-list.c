// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file of decisions (decision-list.h) and answers which wildcards come after which.
#include "base/decision-list.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(const char **at, long low, long *number) {
  char *end;
  errno = 0;
  *number = strtol(*at, &end, 10);
  if (end == *at || errno || *number < low || *number > INT32_MAX * 2L + 1) return false;
  *at = end;
  return true;
}

static bool take_word(const char **at, const char *word) {
  while (**at == ' ') ++*at;
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

static uint32_t *take_numbers(const char **at, size_t n) {
  if (n > strlen(*at)) return NULL; // each number takes more than one character
  uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
  long number;
  for (size_t i = 0; numbers && i < n; i++) {
    if (!take_number(at, 0, &number)) return free(numbers), NULL;
    numbers[i] = (uint32_t)number;
  }
  return numbers;
}

static bool read_line(const char *line, struct mck_choice *c) {
  long number[2];
  *c = (struct mck_choice){0};
  if (!take_number(&line, 0, &number[0]) || !take_number(&line, 1, &number[1])) return false;
  c->rank = (uint32_t)number[0], c->number = (uint32_t)number[1];
  if (!take_number(&line, -1, &number[0]) || !take_number(&line, -1, &number[1])) return false;
  c->got = (struct mck_message_name){(int)number[0], (int)number[1]};
  if (take_word(&line, "site")) {
    if (!take_number(&line, 0, &number[0])) return false;
    c->site = (uint32_t)number[0];
  }
  if (take_word(&line, "clock")) {
    if (!take_number(&line, 0, &number[0]) || !take_number(&line, 0, &number[1])) return false;
    c->component = (uint32_t)number[0], c->value = (uint32_t)number[1];
    if (!take_word(&line, "of") || !take_number(&line, 1, &number[0])) return false;
    c->nclock = (uint32_t)number[0];
    if (!(c->clock = take_numbers(&line, c->nclock)) || c->component >= c->nclock) return false;
  }
  if (take_word(&line, "witnesses")) {
    if (!take_number(&line, 0, &number[0])) return false;
    c->nwitnesses = (size_t)number[0];
    if (!(c->witnesses = take_numbers(&line, 2 * c->nwitnesses))) return false;
  }
  if (take_word(&line, "behind")) {
    if (!take_number(&line, 0, &number[0])) return false;
    c->nbehind = (size_t)number[0];
    if (!(c->behind = take_numbers(&line, c->nbehind))) return false;
  }
  size_t capacity = 0;
  if (take_word(&line, "others"))
    while (take_number(&line, 0, &number[0])) {
      struct mck_message_name other = {(int)number[0], -1};
      if (!take_number(&line, -1, &number[1])) return false;
      other.tag = (int)number[1];
      if (!MCK_PUSH(c->others, c->nothers, capacity, other)) return false;
    }
  while (isspace((unsigned char)*line)) line++;
  return !*line;
}

static void free_choice(struct mck_choice *c) {
  free(c->clock);
  free(c->witnesses);
  free(c->behind);
  free(c->others);
}

static int compare(const void *a, const void *b) {
  const struct mck_choice *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

int mck_choices_read(struct mck_choices *choices, const char *path) {
  *choices = (struct mck_choices){0};
  FILE *file = fopen(path, "r");
  if (!file) return errno;
  char *line = NULL;
  size_t size = 0;
  int rc = EINVAL;
  if (getline(&line, &size, file) > 0 && strcmp(line, "mpicc-check decisions 1\n") == 0) rc = 0;
  while (rc == 0 && getline(&line, &size, file) > 0) {
    struct mck_choice choice;
    if (line[0] == '#' || line[0] == '\n') continue;
    if (sscanf(line, "ranks %u", &choices->ranks) == 1) continue;
    if (!strcmp(line, "incomplete\n")) choices->is_incomplete = true;
    else if (!strcmp(line, "impossible\n")) choices->is_impossible = true;
    else if (!strcmp(line, "orders\n")) choices->has_orders = true;
    else if (!strcmp(line, "end\n")) choices->is_whole = true;
    else if (!read_line(line, &choice)) free_choice(&choice), rc = EINVAL;
    else if (!MCK_PUSH(choices->items, choices->count, choices->capacity, choice)) free_choice(&choice), rc = ENOMEM;
  }
  free(line);
  fclose(file);
  if (rc) mck_choices_free(choices);
  else if (choices->count) qsort(choices->items, choices->count, sizeof *choices->items, compare);
  return rc;
}

void mck_choices_free(struct mck_choices *choices) {
  for (size_t i = 0; i < choices->count; i++) free_choice(&choices->items[i]);
  free(choices->items);
  *choices = (struct mck_choices){0};
}

bool mck_choices_is_after(const struct mck_choice *one, const struct mck_choice *other) {
  if (one->rank == other->rank) {
    if (other->number <= one->number) return false;
    for (size_t i = 0; i < other->nbehind; i++)
      if (other->behind[i] == one->number) return true;
    if (other->nbehind >= MCK_BEHIND_MAX && one->number < other->behind[other->nbehind - 1]) return true;
    if (!one->nclock) return true; // only the numbers are known
  }
  if (one->nclock != other->nclock) return false;
  if (other->nclock && other->clock[one->component] > one->value) return true;
  for (size_t i = 0; i < one->nwitnesses; i++)
    if (one->witnesses[2 * i] < other->nclock && other->clock[one->witnesses[2 * i]] > one->witnesses[2 * i + 1])
      return true;
  return false;
}

const struct mck_choice *mck_choices_find(const struct mck_choices *choices, uint32_t rank, uint32_t number) {
  struct mck_choice key = {.rank = rank, .number = number};
  return choices->count ? bsearch(&key, choices->items, choices->count, sizeof key, compare) : NULL;
}

bool mck_choices_parse(const char *text, struct mck_choice *choice, const char **end) {
  long rank, number, source, tag = -1;
  *choice = (struct mck_choice){0};
  if (!take_number(&text, 0, &rank) || *text++ != ':' || !take_number(&text, 1, &number) || *text++ != '=' ||
      !take_number(&text, 0, &source))
    return false;
  if (*text == ':' && (text++, !take_number(&text, 0, &tag))) return false;
  choice->rank = (uint32_t)rank, choice->number = (uint32_t)number;
  choice->got = (struct mck_message_name){(int)source, (int)tag};
  *end = text;
  return true;
}
