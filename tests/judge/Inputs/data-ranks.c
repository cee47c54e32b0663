// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data-ranks.h"
#include <stdarg.h>

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int x, stored, total;
int kept_token;
static void other(int token) { MPI_Recv(&x, 1, MPI_INT, 3 - token, 1, W, IGNORE); }
void take(int from) { MPI_Recv(&x, 1, MPI_INT, from, 1, W, IGNORE); }
void ask(int token) { other(token); }
void ask_kept(void) { other(kept_token); }
void ask_heard(void) { other(hear()); }
void ask_filled(void) {
  int token;
  hear_into(&token);
  other(token);
}
void ask_context(const struct context *c) { other(c->who); }
void ask_behind(const struct context *c) { other(c->values[1]); }
void ask_peer(const struct context *c) { take(c->peer); }
void ask_copy(struct context c) { other(c.who); }
void ask_variable(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++) other(va_arg(list, int));
  va_end(list);
}
void ask_each(int n, int (*next)(void)) {
  for (int i = 0; i < n; i++) other(next());
}
void ask_if(int is_first) {
  if (is_first) take(2);
  else take(1);
}
void put(int token) { stored = token; }
int get(void) { return stored; }
int add(int value) { return total += value; }
void show(const int *values) { total += values[0] + values[1]; }
int peer_of(int rank) { return rank + 1; }
static void handle(int token) { other(token); }
static void count(int token) { total += token; }
handler *handlers[2] = {handle, count};
