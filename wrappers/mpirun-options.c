// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "mpirun-options.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "mpirun-command.h"
#include "mpirun-usage.h"
#include "word-list.h"

enum { EXIT_USAGE = 2 };

void mck_own_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  fprintf(stderr, "mpirun-check: %s\n", text ? text : "out of memory");
  exit(EXIT_USAGE);
}

const struct mck_own_form mck_own_forms[] = {
    {"--report", "report", MCK_FORM_OUTPUT, mck_options.report},
    {"--json", "json", MCK_FORM_OUTPUT, mck_options.json},
    {"--html", "html", MCK_FORM_OUTPUT, mck_options.html},
    {"--sarif", "sarif", MCK_FORM_OUTPUT, mck_options.sarif},
    {"--junit", "junit", MCK_FORM_OUTPUT, mck_options.junit},
    {"--decisions", "decisions", MCK_FORM_OUTPUT, mck_options.decisions},
    {"--suppressions", "suppressions", MCK_FORM_INPUT, mck_options.suppressions},
    {"--baseline", "baseline", MCK_FORM_INPUT, mck_options.baseline},
    {"--fail-on", "fail_on", MCK_FORM_WORD, mck_options.fail_on},
    {"--flow", "flow", MCK_FORM_WORD, mck_options.flow}};

// Reads "--name VALUE" or "--name=VALUE", and advances behind it. A value of its own is no option that follows.
static bool take_value(char ***at, const char *name, const char **value) {
  size_t length = strlen(name);
  char *word = **at;
  if (strncmp(word, name, length) != 0 || (word[length] && word[length] != '=')) return false;
  *value = word[length] ? word + length + 1 : *++*at;
  bool is_option = *value && !word[length] && **value == '-' && (*value)[1];
  if (!*value || !**value || is_option) mck_own_fail("%s needs a value", name);
  ++*at;
  return true;
}

static bool take_bound(char ***at, const char *name, long *value) {
  const char *text;
  char *end;
  if (!take_value(at, name, &text)) return false;
  errno = 0;
  *value = strtol(text, &end, 10);
  if (*end || errno || *value < 1) mck_own_fail("%s %s: must be a number from 1", name, text);
  return true;
}

static bool take_explore(char ***at, struct mck_own *own) {
  struct mck_explore *e = &own->explore;
  if (strcmp(**at, "--explore") == 0) return own->explores = true, ++*at, true;
  if (strcmp(**at, "--confirm") == 0) return own->confirms = true, ++*at, true;
  if (strcmp(**at, "--compare-output") == 0) return e->compares_output = true, ++*at, true;
  return take_value(at, "--state", &e->dir) || take_bound(at, "--max-runs", &e->max_runs) ||
         take_bound(at, "--max-time", &e->max_seconds) || take_bound(at, "--max-depth", &e->max_depth) ||
         take_bound(at, "--per-site", &e->per_site) || take_bound(at, "--mixing", &e->mixing) ||
         take_bound(at, "--jobs", &e->jobs) || take_bound(at, "--run-time", &e->run_seconds);
}

static bool take_form(char ***at, struct mck_own *own) {
  for (int i = 0; i < MCK_OWN_FORMS; i++)
    if (take_value(at, mck_own_forms[i].flag, &own->forms[i])) return true;
  return false;
}

static bool take_own(char ***at, struct mck_own *own) {
  const char *more;
  if (strcmp(**at, "--keep-logs") == 0) return own->keeps_logs = true, ++*at, true;
  if (strcmp(**at, "--gen-suppressions") == 0) return own->prints_rules = true, ++*at, true;
  if (strcmp(**at, "--flow") == 0) return own->records = true, own->forms[MCK_OWN_FORMS - 1] = "content", ++*at, true;
  if (take_value(at, "--check-options", &more)) {
    own->options = own->options ? mck_words_print("%s:%s", own->options, more) : more;
    return true;
  }
  if (take_value(at, "--take", &more)) {
    own->take = own->take ? mck_words_print("%s,%s", own->take, more) : more;
    return true;
  }
  return take_form(at, own) || take_value(at, "--judge", &own->judge) || take_value(at, "--options-file", &own->file) ||
         take_value(at, "--replay", &own->replay) || take_explore(at, own);
}

// Takes our options out of mpirun's. The words from a program on are the program's, up to ":".
static void take_among(char **at, struct mck_own *own) {
  while (*at) {
    char **behind = at;
    if ((*at)[0] != '-') {
      while (*at && strcmp(*at, ":") != 0) at++;
      if (*at) at++;
    } else if (take_own(&behind, own)) {
      size_t left = 0;
      while (behind[left]) left++;
      memmove(at, behind, (left + 1) * sizeof *at);
    } else {
      for (int n = 1 + mck_launch_count_values(*at); n > 0 && *at; n--) at++;
    }
  }
}

char **mck_own_read(char **at, struct mck_own *own) {
  for (; *at;) {
    if (strcmp(*at, "--help") == 0) {
      fputs(mck_mpirun_usage, stdout);
      mck_options_help();
      exit(0);
    }
    if (strcmp(*at, "--version") == 0) {
      puts("mpirun-check " MCK_VERSION);
      exit(0);
    }
    if (strcmp(*at, "--") == 0) return at + 1; // ends our options, not mpirun's
    if (!take_own(&at, own)) break;
  }
  take_among(at, own);
  return at;
}
