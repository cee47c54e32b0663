// RUN: %unit/test-watch-tree
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of watches in one process: a root and two leaders on threads, over log files. Copies are what the files are,
// also after events were changed in place; what moved between the phases is not confirmed; a leader speaks for its own
// ranks only; strangers do no harm.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "api/fns.h"
#include "watch/node/node-tree-state.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

enum { RANKS = 6, NODES = 3 };
static const uint64_t JOB = 4711;
static char dir[256];
static struct mck_log logs[RANKS];
static struct mck_nodes nodes[NODES];
static uint32_t node_of[RANKS] = {0, 1, 2, 0, 1, 2};
static uint64_t state;
static uint64_t draw(void) { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool moves[RANKS];   // between two questions; under lock
static uint32_t nquestions; // under lock
struct side {
  uint32_t node;
  int stop;
  pthread_t thread;
  uint64_t picture;
  bool is_told, is_lying;
};
static struct side sides[NODES];

static bool make_path(void *context, uint32_t rank, char *path, size_t size) {
  (void)context;
  snprintf(path, size, "%s/rank-%u.log", dir, rank);
  return true;
}
static uint32_t find_standing(void *context, struct mck_standing *standing) {
  struct side *side = context;
  uint32_t n = 0;
  pthread_mutex_lock(&lock);
  for (uint32_t r = 0; r < RANKS; r++) {
    if (node_of[r] != side->node) continue;
    const struct mck_log_header *h = logs[r].header;
    standing[n] = (struct mck_standing){
        .rank = r, .wait = 1, .state = MCK_LOG_RUNNING, .patience = r % 2, .units = atomic_load(&h->units)};
    if (moves[r]) standing[n].wait += ++nquestions;
    if (side->is_lying) standing[n].rank = 0;
    n += !side->is_lying || n == 0;
  }
  pthread_mutex_unlock(&lock);
  return n;
}

// Rank 4 fills all the room there is, rank 5 is nowhere.
static size_t find_where(void *context, uint32_t rank, char *text, size_t size) {
  struct side *side = context;
  EXPECT(node_of[rank] == side->node);
  if (rank == 4) return memset(text, 'x', size - 1), size - 1;
  return rank == 5 ? 0 : (size_t)snprintf(text, size, "rank %u of node %u", rank, side->node);
}

static void *lead(void *context) {
  struct side *side = context;
  struct mck_tree_host host = {side, find_standing, make_path, find_where};
  struct mck_tree *t = mck_tree_open(&nodes[side->node], &host, RANKS, JOB, 0, side->stop);
  EXPECT(t != NULL);
  bool is_stopped = false;
  while (t && !is_stopped && !mck_tree_has_ended(t)) {
    is_stopped = mck_tree_wait(t, mck_tree_now() + 5000000);
    pthread_mutex_lock(&lock);
    uint64_t picture = side->picture;
    pthread_mutex_unlock(&lock);
    if (picture) mck_tree_tell_still(t, picture);
  }
  EXPECT(!is_stopped || side->is_lying);
  mck_tree_close(t);
  return NULL;
}

static void append(uint32_t rank, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    struct mck_event *e = mck_log_reserve(&logs[rank], 1);
    *e = (struct mck_event){
        .kind = MCK_EV_RECV, .fn = MCK_FN_MPI_Recv, .site = MCK_NONE, .msg = {.peer = (int)draw(), .count = draw()}};
    mck_log_commit(&logs[rank], 1);
  }
}

static void check_copy(const struct mck_tree *root, uint32_t rank) {
  size_t size;
  const uint8_t *bytes = mck_tree_get_log(root, rank, &size);
  uint64_t units = atomic_load(&logs[rank].header->units);
  EXPECT(bytes && size == MCK_LOG_HEADER + units * MCK_UNIT);
  if (!bytes || size != MCK_LOG_HEADER + units * MCK_UNIT) return;
  EXPECT(!memcmp(bytes, logs[rank].header, sizeof(struct mck_log_header)));
  EXPECT(!memcmp(bytes + MCK_LOG_HEADER, logs[rank].first, units * MCK_UNIT));
}

static void await_pictures(struct mck_tree *root, uint32_t first, uint32_t last) {
  for (bool is_there = false; !is_there;) {
    is_there = true;
    for (uint32_t n = first; n <= last; n++) is_there &= root->pictures[n] != 0;
    if (!is_there) EXPECT(!mck_tree_wait(root, mck_tree_now() + 1000000000));
  }
}

static void test_rounds(struct mck_tree *root) {
  await_pictures(root, 1, 2);
  EXPECT(mck_tree_fingerprint(root) != 0);
  for (int round = 0; round < 60; round++) {
    pthread_mutex_lock(&lock);
    for (uint32_t r = 0; r < RANKS; r++) {
      if (draw() % 2) append(r, (uint32_t)(draw() % 5000));
      uint64_t units = atomic_load(&logs[r].header->units);
      for (int k = 0; k < 3 && units; k++) logs[r].first[draw() % units].msg.tag = (int)draw(); // a match comes late
      moves[r] = draw() % 3 == 0;
    }
    pthread_mutex_unlock(&lock);
    EXPECT(mck_tree_snap(root) && mck_tree_confirm(root));
    for (uint32_t r = 0; r < RANKS; r++) {
      const struct mck_standing *s = mck_tree_get_standing(root, r);
      EXPECT(!s == (node_of[r] == 0 || moves[r]));
      if (!s) continue;
      EXPECT(s->rank == r && s->patience == r % 2 && s->wait == 1);
      check_copy(root, r);
    }
  }
}

// The limit: copies that have no room are left out, and it is known.
static void test_limit(struct mck_tree *root) {
  size_t old = root->copies.limit;
  root->copies.limit = root->copies.total;
  memset(moves, 0, sizeof moves);
  append(1, 200000);
  EXPECT(mck_tree_snap(root) && mck_tree_confirm(root) && mck_tree_is_full(root));
  size_t size;
  EXPECT(!mck_tree_get_log(root, 1, &size));
  check_copy(root, 2);
  EXPECT(mck_tree_snap(root) && mck_tree_confirm(root));
  check_copy(root, 2);
  root->copies.limit = old;
}

// Who does not know the secret is not heard, and the others are served all the same.
static void test_strangers(struct mck_tree *root) {
  uint8_t wrong[MCK_WIRE_SECRET] = {9};
  struct mck_wire *strangers[2 * MCK_TREE_STRANGERS];
  for (uint32_t i = 0; i < 2 * MCK_TREE_STRANGERS; i++) {
    int fd = mck_nodes_connect(&nodes[1].call, 0, sides[0].stop);
    EXPECT(fd >= 0);
    strangers[i] = fd >= 0 ? mck_wire_connect(fd, wrong) : NULL;
  }
  for (int step = 0; step < 4; step++) {
    for (uint32_t i = 0; i < 2 * MCK_TREE_STRANGERS; i++) {
      if (!strangers[i]) continue;
      mck_wire_read(strangers[i], NULL, NULL);
      mck_wire_send(strangers[i], "here is node 2", 14);
    }
    EXPECT(mck_tree_snap(root) && mck_tree_confirm(root));
    check_copy(root, 2);
    EXPECT(mck_tree_get_standing(root, 2) != NULL);
  }
  for (uint32_t i = 0; i < 2 * MCK_TREE_STRANGERS; i++) mck_wire_free(strangers[i]);
  // All of them, for a report.
  append(5, 100);
  EXPECT(mck_tree_snap_all(root));
  for (uint32_t r = 0; r < RANKS; r++)
    if (node_of[r] && r != 1) check_copy(root, r); // that of rank 1 had no room
}

static void test_where(struct mck_tree *root) {
  static char text[MCK_TREE_TEXT];
  EXPECT(mck_tree_ask_where(root, 1, text) && !strcmp(text, "rank 1 of node 1"));
  EXPECT(mck_tree_ask_where(root, 5, text) && !*text);
  EXPECT(mck_tree_ask_where(root, 2, text) && !strcmp(text, "rank 2 of node 2"));
  EXPECT(mck_tree_ask_where(root, 4, text) && strlen(text) == MCK_TREE_TEXT - 1);
  EXPECT(mck_tree_ask_where(root, 3, text) && !*text); // of our own node: nobody to ask
}

// Ranks of a node in any order of blocks, turns and gaps.
static void test_ranks(void) {
  enum { WORLD = 500 };
  for (int round = 0; round < 2000; round++) {
    struct mck_node_ranks some = {0};
    bool is_in[WORLD] = {false};
    uint32_t step = 1 + (uint32_t)(draw() % 4), n = 0;
    for (uint32_t r = (uint32_t)(draw() % 50); r < WORLD; r += draw() % 8 ? step : 1 + (uint32_t)(draw() % 40)) {
      is_in[r] = true;
      EXPECT(mck_node_ranks_add(&some, r));
    }
    if (round % 2) mck_node_ranks_trim(&some);
    for (uint32_t r = 0; r < WORLD; r++) {
      EXPECT(mck_node_ranks_place(&some, r) == (is_in[r] ? n : MCK_NONE));
      if (is_in[r]) EXPECT(mck_node_ranks_at(&some, n++) == r);
    }
    EXPECT(some.count == n && mck_node_ranks_place(&some, UINT32_MAX - 1) == MCK_NONE);
    mck_node_ranks_free(&some);
  }
}

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  state = (uint64_t)now.tv_nsec;
  printf("seed %llu\n", (unsigned long long)state);
  const char *tmp = getenv("TMPDIR"), *why;
  snprintf(dir, sizeof dir, "%s/mck-tree-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) abort();
  for (uint32_t r = 0; r < RANKS; r++) {
    if (mck_log_create(&logs[r], dir, r, RANKS, JOB, 64 << 20, &why)) abort();
    atomic_store(&logs[r].header->state, MCK_LOG_RUNNING);
  }
  nodes[0].listener = -1;
  if (mck_nodes_listen(&nodes[0])) abort();
  struct mck_node_ranks ranks[NODES] = {0};
  for (uint32_t r = 0; r < RANKS; r++) EXPECT(mck_node_ranks_add(&ranks[node_of[r]], r));
  for (uint32_t n = 0; n < NODES; n++) {
    nodes[n] = (struct mck_nodes){.nnodes = NODES,
                                  .mine = n,
                                  .here = ranks[n],
                                  .of = ranks,
                                  .listener = n ? -1 : nodes[0].listener,
                                  .call = nodes[0].call};
    sides[n] = (struct side){.node = n, .stop = eventfd(0, EFD_CLOEXEC), .picture = n};
  }
  struct mck_tree_host host = {&sides[0], find_standing, make_path, find_where};
  struct mck_tree *root = mck_tree_open(&nodes[0], &host, RANKS, JOB, 256 << 20, sides[0].stop);
  if (!root) abort();
  for (uint32_t n = 1; n < NODES; n++) pthread_create(&sides[n].thread, NULL, lead, &sides[n]);
  test_rounds(root);
  test_where(root);
  test_limit(root);
  test_strangers(root);
  mck_tree_end(root);
  for (uint32_t n = 1; n < NODES; n++) pthread_join(sides[n].thread, NULL);
  mck_tree_close(root);

  // A leader that speaks for another node's rank: dropped, and nothing of it is believed.
  root = mck_tree_open(&nodes[0], &host, RANKS, JOB, 256 << 20, sides[0].stop);
  sides[1].is_lying = true;
  pthread_create(&sides[1].thread, NULL, lead, &sides[1]);
  await_pictures(root, 1, 1);
  EXPECT(mck_tree_snap(root) && mck_tree_confirm(root));
  for (uint32_t r = 0; r < RANKS; r++) EXPECT(!mck_tree_get_standing(root, r));
  if (write(sides[1].stop, &(uint64_t){1}, 8) != 8) abort();
  pthread_join(sides[1].thread, NULL);
  if (write(sides[0].stop, &(uint64_t){1}, 8) != 8) abort();
  EXPECT(mck_tree_wait(root, mck_tree_now() + 1000000000));
  mck_tree_close(root);

  for (uint32_t r = 0; r < RANKS; r++) {
    char path[300];
    make_path(NULL, r, path, sizeof path);
    mck_log_close(&logs[r], MCK_LOG_FINALIZED);
    unlink(path);
  }
  rmdir(dir);
  for (uint32_t n = 0; n < NODES; n++) mck_node_ranks_free(&ranks[n]);
  test_ranks();
  printf("%d failures\n", failures);
  return failures != 0;
}
