// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the functions of the room order on the logs of a view.
#include "order/order.h"
#include <stdlib.h>
#include "view/view.h"

// The readers in an array: copies, whose tables the view owns.
static struct mck_reader *readers_of(const struct mck_view *view) {
  struct mck_reader *readers = calloc(view->count + 1, sizeof *readers);
  for (size_t i = 0; readers && i < view->count; i++) readers[i] = view->logs[i].reader;
  return readers;
}

bool mck_view_pairs(const struct mck_view *view, struct mck_pairs *pairs) {
  struct mck_reader *readers = readers_of(view);
  *pairs = (struct mck_pairs){0};
  bool is_good = readers && mck_pairs_make(pairs, readers, view->count, false);
  free(readers);
  return is_good;
}

bool mck_view_walk(const struct mck_view *view, const struct mck_order_sink *sink, struct mck_order_totals *totals) {
  struct mck_reader *readers = readers_of(view);
  struct mck_pairs pairs = {0};
  *totals = (struct mck_order_totals){0};
  bool is_good = readers && mck_pairs_make(&pairs, readers, view->count, false) &&
                 mck_order_walk(readers, view->count, &pairs, sink, totals);
  mck_pairs_free(&pairs);
  free(readers);
  return is_good;
}
