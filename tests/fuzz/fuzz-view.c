// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check-log on logs of several ranks: everything that it can print, and the invariants of its time line.
#include "input.h"
#include "mutate.h"
#include "order/order.h"
#include "view/view.h"

static uint64_t entered[PIECES], left[PIECES];

static void enter(void *context, struct mck_point at) {
  (void)context;
  MCK_CHECK(at.log < PIECES && at.time >= left[at.log]);
  entered[at.log] = at.time;
}
static void arrow(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to) {
  (void)context, (void)kind;
  MCK_CHECK(from.time < to.time && to.time > entered[to.log]);
}
static void leave(void *context, struct mck_point at, bool is_finished) {
  (void)context, (void)is_finished;
  MCK_CHECK(at.time > entered[at.log]);
  left[at.log] = at.time;
}

static void print_all(const struct mck_view *view, bool is_json, const struct mck_view_filter *filter, FILE *file) {
  struct mck_view_out out = {file, is_json, false};
  mck_view_print(view, filter, true, &out);
  mck_view_print_definitions(view, filter, &out);
  mck_view_print_summary(view, &out);
  mck_view_print_messages(view, filter, &out);
}

static void complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  (void)context;
  MCK_CHECK(done->op <= at.index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input in = input_split(data, size);
  struct mck_view view = {0}; // no symbols: a forged path must not be opened here
  void *memory[PIECES];
  for (size_t i = 0; i < in.count; i++) {
    size_t bytes;
    const char *why;
    struct mck_reader reader;
    memory[i] = input_log(&in, i, &bytes);
    if (mck_log_load_memory(&reader, memory[i], bytes, &why) != 0) continue;
    // Each rank once, as mck_view_load sees to it.
    bool is_there = false;
    for (size_t k = 0; k < view.count; k++) is_there |= view.logs[k].reader.header->rank == reader.header->rank;
    if (is_there || !mck_view_add(&view, "log", &reader, bytes)) mck_log_unload(&reader);
  }
  mck_view_sort(&view);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  struct mck_view_filter all = {.peer = INT64_MIN,
                                .tag = INT64_MIN,
                                .to = UINT64_MAX,
                                .kind = size % 2 ? "def_stack,def_type,unknown,pad,send" : NULL};
  struct mck_view_filter some = {.ranks = (char *)"0,2-3",
                                 .fn = "MPI_*",
                                 .comm = size % 2 ? "world" : NULL,
                                 .place = size % 3 ? NULL : "halo.c:3",
                                 .peer = size % 5 ? INT64_MIN : 1,
                                 .tag = size % 7 ? INT64_MIN : 0,
                                 .from = size % 16,
                                 .to = UINT64_MAX};
  print_all(&view, false, &all, out);
  print_all(&view, true, &some, out);
  mck_view_verify(&view, out);
  mck_view_trace(&view, out);
  fclose(out);
  free(text);
  memset(entered, 0, sizeof entered);
  memset(left, 0, sizeof left);
  // With half of the inputs, the way of the lazy clocks.
  struct mck_order_sink sink = {.enter = enter, .arrow = arrow, .leave = leave, .complete = size % 2 ? complete : NULL};
  struct mck_order_totals totals;
  mck_view_walk(&view, &sink, &totals);
  mck_view_unload(&view);
  for (size_t i = 0; i < in.count; i++) free(memory[i]);
  return 0;
}
