// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View: makes the logs of a run readable. It prints, filters, sums up and verifies them, and draws a time line. Only
// wrappers/mpicc-check-log.c calls it, and the HTML report calls time-line.c. It judges nothing: matches come from the
// room order, and tests/unit/test-view-pairs.c compares them with the judge's. Logs are not trusted: the reader checks
// sizes and ids of definitions; ids, ranks and functions in events are checked here at each use.
#pragma once
#include <stdio.h>
#include "log/log.h"
#include "report/finding.h"
#include "report/symbol.h"

// A text, and its JSON string, which is made when it is first needed.
struct mck_view_name {
  char *text, *json;
};
struct mck_view_place {
  bool is_known;
  struct mck_view_name name; // "halo.c:88 in exchange"; empty: unknown
  struct mck_source_stack stack;
};
struct mck_view_log {
  char *path;
  struct mck_reader reader;
  uint64_t claimed, present; // units that the header claims; units that the file has room for
  // By id, like the reader's tables; made when first needed.
  struct mck_view_place *places;
  struct mck_view_name *comms, *types, *wins;
  char **modules;
};
struct mck_view {
  struct mck_view_log *logs;
  size_t count, capacity;      // by rank; each rank once
  uint32_t size;               // ranks in MPI_COMM_WORLD
  struct mck_symbols *symbols; // NULL: only logs are opened, and places are offsets
};

// --- log-loader.c ---
// Loads files, and all rank-N.log of directories. Each problem is one line on stderr that begins with "mpicc-check-log:
// ". Sound logs are loaded in any case. Returns the number of problems.
size_t mck_view_load(struct mck_view *view, char *const *paths, size_t n);
// Takes over a log that is loaded already, from size bytes. Returns false when out of memory.
bool mck_view_add(struct mck_view *view, const char *path, const struct mck_reader *reader, size_t size);
void mck_view_sort(struct mck_view *view); // after the last mck_view_add
void mck_view_unload(struct mck_view *view);
struct mck_view_log *mck_view_log_of(const struct mck_view *view, int64_t rank); // NULL: not there

// --- logical-time.c: room order's functions over the logs of a view ---
struct mck_pairs;
struct mck_order_sink;
struct mck_order_totals;
bool mck_view_pairs(const struct mck_view *view, struct mck_pairs *pairs); // false: out of memory; free it all the same
bool mck_view_walk(const struct mck_view *view, const struct mck_order_sink *sink, struct mck_order_totals *totals);

// --- object-names.c: the names of ids; never NULL ---
const struct mck_view_place *mck_view_place(const struct mck_view *view, struct mck_view_log *log, uint32_t site);
// "MPI_COMM_WORLD", "comm 2 (MPI_Comm_split at halo.c:30 in main)"
struct mck_view_name *mck_view_comm(const struct mck_view *view, struct mck_view_log *log, uint32_t id);
// "MPI_INT", "type 256 {2 MPI_DOUBLE, 1 MPI_INT}"
struct mck_view_name *mck_view_type(struct mck_view_log *log, uint32_t id);
struct mck_view_name *mck_view_win(const struct mck_view *view, struct mck_view_log *log, uint32_t id);
const char *mck_view_fn(const struct mck_event *e); // the function, or the kind of access ("store")
const char *mck_view_kind(unsigned kind);           // "SEND"; NULL: unknown
const char *mck_view_end(const struct mck_view_log *log, char *text, size_t size);         // how its process ended
const struct mck_comm_def *mck_view_comm_def(const struct mck_view_log *log, uint32_t id); // NULL: not defined
// The world rank of a message's peer; -1: none.
int mck_view_peer(const struct mck_view_log *log, const struct mck_event *e);
void mck_view_name_free(struct mck_view_name *name);

// --- reproduce.c: writes a C program with the calls of the finding of flow.content that names this place
// ("heat.c:14"). Returns what is wrong, or NULL. ---
const char *mck_view_reproduce(const struct mck_view *view, const char *place, FILE *out);

// --- record-output.c: one record is one line of text, or one JSON object ---
struct mck_view_out {
  FILE *file;
  bool is_json;
  bool has_field;
};
// lead: the begin of the line of text; kind: the member "record" of the JSON object, which repeats the lead's facts.
__attribute__((format(printf, 3, 4))) void mck_view_begin(struct mck_view_out *out, const char *kind, const char *lead,
                                                          ...);
void mck_view_put_number(struct mck_view_out *out, const char *name, int64_t value);
void mck_view_put_text(struct mck_view_out *out, const char *name, const char *text);
void mck_view_put_name(struct mck_view_out *out, const char *name, struct mck_view_name *text);
void mck_view_put_requests(struct mck_view_out *out, const char *name, const struct mck_event *e);
void mck_view_put_stack(struct mck_view_out *out, const struct mck_source_stack *stack);
void mck_view_finish(struct mck_view_out *out);
// Returns a JSON string with its quotes. NULL: out of memory.
char *mck_view_json_string(const char *text);

// --- event-filter.c ---
struct mck_view_filter {
  char *ranks;           // "0-3,5"; NULL: all
  const char *fn, *kind; // glob, comma-separated list
  const char *comm;      // id, or "world"
  const char *place;     // FILE or FILE:LINE
  int64_t peer, tag;     // INT64_MIN: any
  uint64_t from, to;     // indices
};
bool mck_view_filter_ranks(const char *list, int64_t rank, bool *is_list); // *is_list: false where the text is no list
bool mck_view_filter_is_kinds(const char *list);
bool mck_view_is_wanted(const struct mck_view *view, struct mck_view_log *log, uint64_t index,
                        const struct mck_view_filter *filter);

// --- event-print.c, definition.c, log-summary.c, log-verify.c, message-list.c, trace.c, otf2.c ---
void mck_view_print(const struct mck_view *view, const struct mck_view_filter *filter, bool with_stacks,
                    struct mck_view_out *out);
void mck_view_print_arguments(const struct mck_view *view, struct mck_view_log *log, uint64_t index,
                              struct mck_view_out *out);
void mck_view_print_definitions(const struct mck_view *view, const struct mck_view_filter *filter,
                                struct mck_view_out *out);
bool mck_view_print_summary(const struct mck_view *view, struct mck_view_out *out); // false: out of memory
bool mck_view_print_messages(const struct mck_view *view, const struct mck_view_filter *filter,
                             struct mck_view_out *out);
size_t mck_view_verify(const struct mck_view *view,
                       FILE *out); // prints each problem in one line and returns their number
// Explains why one place comes before the other (rt/rma). Returns false when out of memory, or when logs are missing.
bool mck_view_explain(const struct mck_view *view, const char *first, const char *second, FILE *out);
bool mck_view_trace(const struct mck_view *view, FILE *out);
// Writes DIR/traces.otf2. Returns NULL, or a text that says why it failed.
const char *mck_view_otf2(const struct mck_view *view, const char *dir);
// --- time-line.c ---
// A JSON array with what the ranks of each finding did around its places: null, or
//   {"lanes": [{"rank": 0,
//      "calls": [{"from": 1, "to": 2, "call": "MPI_Put", "at": "halo.c:88 in exchange", "with": "to rank 1",
//                 "marked": true, "gap": true, "open": true}],
//      "epochs": [{"from": 1, "to": 4, "name": "fence epoch", "window": "window 0"}]}],
//    "arrows": [[from lane, time, to lane, time, 1: a message, 0: within a collective]]}
// dir: the logs. The caller frees it. NULL: the logs are too long, or there is no memory.
char *mck_view_time_lines(const char *dir, uint32_t size, const struct mck_finding *const *findings, size_t n);
