// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the modules of deadlock-alternative-modules.c and its kin know of each other.
#include <mpi.h>

struct context {
  int who, peer;
  int *values;
};
typedef void handler(int);
#ifdef __cplusplus
extern "C" {
#endif
// The module that makes ranks.
extern int kept_token;
extern handler *handlers[2];
void take(int from);              // receives from this rank
void ask(int token);              // receives from the other one
void ask_kept(void);
void ask_heard(void);
void ask_filled(void);
void ask_context(const struct context *c);
void ask_behind(const struct context *c);
void ask_peer(const struct context *c);
void ask_copy(struct context c);
void ask_variable(int n, ...);
void ask_each(int n, int (*next)(void));
void ask_if(int is_first);
void ask_far(int token);
void put(int token);
int get(void);
int add(int value);               // no rank comes of it
void show(const int *values);
int peer_of(int rank);
void ask_library(int token);      // of a shared library
void ask_plain(int token);        // of a module that was not recompiled
// The main module.
int hear(void);
void hear_into(int *token);
#ifdef __cplusplus
}
#endif
