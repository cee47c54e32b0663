// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check-log shows the logs of a run (rt/view). This file reads the options. docs/log-tool.md is its page.
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "view/view.h"
#include "word-list.h"

enum { EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

enum key {
  KEY_RANK = 256,
  KEY_FN,
  KEY_KIND,
  KEY_COMM,
  KEY_PEER,
  KEY_TAG,
  KEY_PLACE,
  KEY_FROM,
  KEY_TO,
  KEY_STACKS,
  KEY_DEFINITIONS,
  KEY_SUMMARY,
  KEY_MESSAGES,
  KEY_VERIFY,
  KEY_JSON,
  KEY_TRACE,
  KEY_OTF2,
  KEY_EXPLAIN,
  KEY_REPRODUCE
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is printed (default: the events, one per line):", 1},
    {"summary", KEY_SUMMARY, 0, 0, "how each rank ended, events by function and rank, busiest channels, size by kind",
     0},
    {"messages", KEY_MESSAGES, 0, 0, "each message with the receive that it matched", 0},
    {"definitions", KEY_DEFINITIONS, 0, 0, "communicators, datatypes with their layout, windows, modules", 0},
    {"verify", KEY_VERIFY, 0, 0, "check the structure of the logs; a line per problem, exit status 1 if there is one",
     0},
    {"trace", KEY_TRACE, "FILE", 0, "write a time line that Perfetto and chrome://tracing open", 0},
    {"otf2", KEY_OTF2, "DIR", 0, "write an OTF2 archive DIR/traces.otf2", 0},
    {"reproduce", KEY_REPRODUCE, "PLACE", 0, "a C program with the calls of the finding of flow.content at FILE:LINE",
     0},
    {"explain", KEY_EXPLAIN, "PLACE,PLACE", 0, "what orders these two (FILE:LINE,FILE:LINE), or that nothing does", 0},
    {"json", KEY_JSON, 0, 0, "print JSON, one object per line", 0},
    {"stacks", KEY_STACKS, 0, 0, "print whole call stacks", 0},
    {0, 0, 0, 0, "Which events (each must fulfil all that are given):", 2},
    {"rank", KEY_RANK, "LIST", 0, "of these ranks: 0-3,5", 0},
    {"fn", KEY_FN, "GLOB", 0, "of these functions: MPI_I*", 0},
    {"kind", KEY_KIND, "LIST", 0, "of these kinds: send,recv,wait,access,def_comm,...", 0},
    {"comm", KEY_COMM, "ID", 0, "on this communicator: world, or its number", 0},
    {"peer", KEY_PEER, "RANK", 0, "to or from this rank of MPI_COMM_WORLD", 0},
    {"tag", KEY_TAG, "TAG", 0, "messages with this tag", 0},
    {"place", KEY_PLACE, "FILE[:LINE]", 0, "called from there, or from a function that is called there", 0},
    {"site", KEY_PLACE, 0, OPTION_ALIAS, 0, 0},
    {"from", KEY_FROM, "INDEX", 0, "with this index or a later one", 0},
    {"to", KEY_TO, "INDEX", 0, "with this index or an earlier one", 0},
    {0}};

struct command {
  struct mck_view_filter filter;
  bool with_stacks, with_definitions, with_summary, with_messages, with_verify, is_json;
  const char *trace, *otf2;
  char *explain[2]; // places
  const char *reproduce;
  struct mck_words files;
};

static int64_t read_number(struct argp_state *state, const char *name, const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end) argp_error(state, "--%s: %s is no number", name, text);
  return value;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  struct command *c = state->input;
  bool is_list;
  switch (key) {
  case KEY_RANK:
    mck_view_filter_ranks(text, 0, &is_list);
    if (!is_list) argp_error(state, "--rank: %s is no list of ranks like 0-3,5", text);
    c->filter.ranks = text;
    return 0;
  case KEY_FN: c->filter.fn = text; return 0;
  case KEY_KIND:
    if (!mck_view_filter_is_kinds(text))
      argp_error(state, "--kind: %s: kinds are those of docs/formats/log.md, like send,recv,wait", text);
    c->filter.kind = text;
    return 0;
  case KEY_COMM:
    if (strcasecmp(text, "world") != 0 && strcasecmp(text, "MPI_COMM_WORLD") != 0) read_number(state, "comm", text);
    c->filter.comm = text;
    return 0;
  case KEY_PEER: c->filter.peer = read_number(state, "peer", text); return 0;
  case KEY_TAG: c->filter.tag = read_number(state, "tag", text); return 0;
  case KEY_PLACE: c->filter.place = text; return 0;
  case KEY_FROM: c->filter.from = (uint64_t)read_number(state, "from", text); return 0;
  case KEY_TO: c->filter.to = (uint64_t)read_number(state, "to", text); return 0;
  case KEY_STACKS: c->with_stacks = true; return 0;
  case KEY_DEFINITIONS: c->with_definitions = true; return 0;
  case KEY_SUMMARY: c->with_summary = true; return 0;
  case KEY_MESSAGES: c->with_messages = true; return 0;
  case KEY_VERIFY: c->with_verify = true; return 0;
  case KEY_JSON: c->is_json = true; return 0;
  case KEY_TRACE: c->trace = text; return 0;
  case KEY_OTF2: c->otf2 = text; return 0;
  case KEY_REPRODUCE: c->reproduce = text; return 0;
  case KEY_EXPLAIN:
    c->explain[0] = text, c->explain[1] = strchr(text, ',');
    if (!c->explain[1]) argp_error(state, "--explain: %s is no FILE:LINE,FILE:LINE", text);
    *c->explain[1]++ = 0;
    return 0;
  case ARGP_KEY_ARG: mck_words_push(&c->files, text); return 0;
  case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static void print_version(FILE *out, struct argp_state *state) {
  (void)state;
  fprintf(out, "mpicc-check-log %s\n", MCK_VERSION);
}

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
  return EXIT_USAGE;
}

static int write_trace(const struct mck_view *view, const char *path) {
  FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (!out) return fail(path, strerror(errno));
  setvbuf(out, NULL, _IOFBF, 1 << 18);
  bool is_good = mck_view_trace(view, out);
  if (!is_good) return fail(path, "out of memory: look at fewer logs at a time");
  if ((out == stdout ? fflush(out) : fclose(out)) != 0) return fail(path, strerror(errno));
  return 0;
}

static int show(const struct mck_view *view, const struct command *c) {
  struct mck_view_out out = {stdout, c->is_json, false};
  int status = 0;
  if (c->trace) status = write_trace(view, c->trace);
  const char *why = c->otf2 && !status ? mck_view_otf2(view, c->otf2) : NULL;
  if (why) status = fail("--otf2", why);
  if (c->with_definitions) mck_view_print_definitions(view, &c->filter, &out);
  if (c->with_summary && !mck_view_print_summary(view, &out)) status = fail("--summary", "out of memory");
  if (c->with_messages && !mck_view_print_messages(view, &c->filter, &out))
    status = fail("--messages", "out of memory");
  if (c->with_verify) {
    size_t problems = mck_view_verify(view, stdout);
    if (problems && !status) status = EXIT_PROBLEM;
    if (!problems && !c->is_json) printf("%zu logs are sound\n", view->count);
  }
  why = c->reproduce ? mck_view_reproduce(view, c->reproduce, stdout) : NULL;
  if (why) status = fail(c->reproduce, why);
  if (c->explain[0] && !mck_view_explain(view, c->explain[0], c->explain[1], stdout))
    status = fail("--explain", "out of memory, or the logs of some ranks are missing");
  if (!c->explain[0] && !c->reproduce && !c->trace && !c->otf2 && !c->with_definitions && !c->with_summary &&
      !c->with_messages && !c->with_verify)
    mck_view_print(view, &c->filter, c->with_stacks, &out);
  if (fflush(stdout) != 0 && errno != EPIPE) status = fail("output", strerror(errno));
  return status;
}

int main(int argc, char **argv) {
  static const struct argp argp = {options,
                                   parse,
                                   "DIR|FILE...",
                                   "Prints, filters and verifies the logs that a program checked by mpicc-check left "
                                   "(MPICC_CHECK_OPTIONS=keep_logs=1), and writes them "
                                   "as a time line.\v"
                                   "Exit status: 1 if --verify found something, 2 if a file could not be read in whole "
                                   "or an option is wrong, else 0.",
                                   NULL,
                                   NULL,
                                   NULL};
  argp_program_version_hook = print_version;
  argp_err_exit_status = EXIT_USAGE;
  struct command command = {.filter = {.peer = INT64_MIN, .tag = INT64_MIN, .to = UINT64_MAX}};
  argp_parse(&argp, argc, argv, 0, NULL, &command);
  struct mck_view view = {.symbols = mck_symbols_open()};
  size_t problems = mck_view_load(&view, command.files.items, command.files.count);
  // With --verify a damaged log is a result, not an error of usage.
  int status = view.count ? show(&view, &command) : EXIT_USAGE;
  if (problems && !(command.with_verify && status == EXIT_PROBLEM)) status = EXIT_USAGE;
  mck_view_unload(&view);
  free(command.files.items);
  return status;
}
