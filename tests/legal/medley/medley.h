// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random right program: all ranks draw the same steps from a seed. See main.c.
#ifndef MEDLEY_H
#define MEDLEY_H
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { RANKS = 8, GROUPS = 4 };

// The communicators of a split: each rank is in one of them.
struct group {
  MPI_Comm comm;
  int rank, size, color; // color: which of them
};

struct random {
  uint64_t state;
};

// What is under way. finish() completes it and looks at what came.
struct pending {
  MPI_Request requests[2 * RANKS];
  int count;                      // of requests
  char *sent, *got;               // blocks of the heap
  MPI_Datatype type;              // of the messages, freed when the operation has begun
  void (*look)(struct pending *); // at what came, may be NULL
  int key, elements, source;
};

// The step's draws that all members of a group share, and those of this rank alone.
extern struct random shared_draws, own_draws;
extern int world_rank, world_size, step_number;

unsigned draw(struct random *r, unsigned below);
// The byte that rank `source` sends as number `i` in the step with this key.
static inline char byte_of(int key, int source, int i) { return (char)(key * 31 + source * 7 + i * 3 + 1); }
void expect(bool is_right, const char *what);
// Whether this rank does something wrong here: `mistake` of the arguments, once, on one rank. The line must be
// reported.
#define IS_WRONG(mistake) (wanted_mistake == (mistake) && make_mistake(__FILE__, __LINE__))
extern int wanted_mistake;
bool make_mistake(const char *file, int line);

struct pending *begin_pending(int key);
void keep_pending(struct pending *p); // it is finished later
void finish_some(bool is_all);

void step_exchange(struct group *g);
void step_blocking(struct group *g);
void step_persistent(struct group *g);
void step_probe(struct group *g);
void step_any_source(struct group *g);
void step_collective(struct group *g);
void step_nonblocking_collective(struct group *g);
void step_neighbors(struct group *g);
void step_split(struct group *groups);
void step_intercomm(struct group *g);
void step_fence(struct group *g);
void step_post_start(struct group *g);
void step_locks(struct group *g);
void step_flush(struct group *g);
void step_shared(struct group *g);
void step_file(struct group *g);
// A committed type of one element of `bytes` bytes of data, however they lie; its extent is at most 64 bytes.
MPI_Datatype make_type(int bytes);
void fill(char *buffer, MPI_Datatype type, int elements, int bytes, int key, int source);
void look_at(const char *buffer, MPI_Datatype type, int elements, int bytes, int key, int source, const char *what);
#endif
