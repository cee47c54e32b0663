// RUN: %unit/test-watch-wire
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wire between two watches, with somebody in the middle who may change, cut, invent or replay what passes: nothing
// but a prefix of what was sent is ever taken.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "watch/node/wire.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

struct taken {
  uint64_t count;
  bool is_wrong, is_refusing;
};
static uint64_t state;
static uint64_t draw(void) { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; }

// The n-th message and its length are known from n.
static size_t length_of(uint64_t n) { return n % 7 == 0 ? 0 : n % 7 == 6 ? MCK_WIRE_MAX : n * 37 % 1000; }
static uint8_t byte_of(uint64_t n, size_t i) { return (uint8_t)(n * 31 + i * 7); }
static bool take(void *context, const uint8_t *message, size_t size) {
  struct taken *t = context;
  t->is_wrong |= size != length_of(t->count);
  for (size_t i = 0; i < size; i++) t->is_wrong |= message[i] != byte_of(t->count, i);
  t->count++;
  return !t->is_refusing;
}
static bool send_next(struct mck_wire *w, uint64_t n) {
  static uint8_t message[MCK_WIRE_MAX];
  for (size_t i = 0; i < length_of(n); i++) message[i] = byte_of(n, i);
  return mck_wire_send(w, message, length_of(n));
}

// client -- a | b -- server, with the test between a and b.
struct line {
  struct mck_wire *client, *server;
  int a, b;
  struct taken at_client, at_server;
};
static const uint8_t secret[MCK_WIRE_SECRET] = {1, 2, 3}, other_secret[MCK_WIRE_SECRET] = {1, 2, 4};

static void open_line(struct line *l, bool is_same_secret) {
  int left[2], right[2];
  memset(l, 0, sizeof *l);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, left) || socketpair(AF_UNIX, SOCK_STREAM, 0, right)) abort();
  l->client = mck_wire_connect(left[0], is_same_secret ? secret : other_secret);
  l->server = mck_wire_accept(right[0], secret);
  l->a = left[1], l->b = right[1];
  if (!l->client || !l->server) abort();
}
static void close_line(struct line *l) {
  mck_wire_free(l->client);
  mck_wire_free(l->server);
  close(l->a);
  close(l->b);
}

// Moves what is there from one end to the other; at: the byte of this direction that is changed (SIZE_MAX: none).
static uint8_t copy[1 << 20];
static size_t ncopied;
static size_t move(int from, int to, size_t *passed, size_t at, uint8_t change) {
  uint8_t buffer[4096];
  ssize_t n = recv(from, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n <= 0) return 0;
  if (at >= *passed && at < *passed + (size_t)n) buffer[at - *passed] ^= change;
  *passed += (size_t)n;
  if (ncopied + (size_t)n <= sizeof copy) memcpy(copy + ncopied, buffer, (size_t)n), ncopied += (size_t)n;
  for (ssize_t done = 0; done < n;) {
    ssize_t rc = send(to, buffer + done, (size_t)(n - done), MSG_NOSIGNAL);
    if (rc < 0) break;
    done += rc;
  }
  return (size_t)n;
}
static size_t to_server, to_client;
static void run_line(struct line *l, size_t at_server, size_t at_client, uint8_t change) {
  for (int idle = 0; idle < 3;) {
    size_t moved = move(l->a, l->b, &to_server, at_server, change) + move(l->b, l->a, &to_client, at_client, change);
    mck_wire_read(l->server, take, &l->at_server);
    mck_wire_read(l->client, take, &l->at_client);
    mck_wire_flush(l->server);
    mck_wire_flush(l->client);
    idle = moved ? 0 : idle + 1;
  }
}
static void start(struct line *l, bool is_same_secret) {
  open_line(l, is_same_secret);
  to_server = to_client = ncopied = 0;
}

static void test_messages(void) {
  struct line l;
  start(&l, true);
  EXPECT(!send_next(l.client, 1)); // before the handshake
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  EXPECT(mck_wire_is_open(l.client) && mck_wire_is_open(l.server));
  EXPECT(!mck_wire_is_trusted(l.client) && !mck_wire_is_trusted(l.server));
  for (uint64_t n = 0; n < 40; n++) EXPECT(send_next(n % 2 ? l.client : l.server, n / 2));
  EXPECT(!mck_wire_send(l.client, copy, MCK_WIRE_MAX + 1));
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  EXPECT(l.at_client.count == 20 && l.at_server.count == 20 && !l.at_client.is_wrong && !l.at_server.is_wrong);
  EXPECT(mck_wire_is_trusted(l.client) && mck_wire_is_trusted(l.server));
  // The secret does not pass the wire.
  EXPECT(!memmem(copy, ncopied, secret, 4));
  close(l.a);
  l.a = -1;
  EXPECT(!mck_wire_read(l.client, take, &l.at_client) && !mck_wire_why(l.client));
  close_line(&l);
}

static void test_other_secret(void) {
  struct line l;
  start(&l, false);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  send_next(l.client, 0);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  EXPECT(mck_wire_is_closed(l.server) && !l.at_server.count && !mck_wire_is_trusted(l.server));
  EXPECT(mck_wire_why(l.server) && strstr(mck_wire_why(l.server), "secret"));
  close_line(&l);
}

// Any one byte changed, of either direction: what is taken is a prefix of what was sent.
static void test_changes(void) {
  for (int i = 0; i < 2000; i++) {
    struct line l;
    start(&l, true);
    size_t at = draw() % 1200;
    bool is_up = draw() % 2;
    uint8_t change = (uint8_t)(1 + draw() % 255);
    run_line(&l, is_up ? at : SIZE_MAX, is_up ? SIZE_MAX : at, change);
    for (uint64_t n = 0; n < 6; n++) send_next(l.client, n), send_next(l.server, n);
    run_line(&l, is_up ? at : SIZE_MAX, is_up ? SIZE_MAX : at, change);
    EXPECT(!l.at_client.is_wrong && !l.at_server.is_wrong);
    EXPECT(l.at_client.count <= 6 && l.at_server.count <= 6);
    // A length that grew may leave its end waiting for the rest; else the connection is closed.
    if (at < (is_up ? to_server : to_client) && is_up) EXPECT(l.at_server.count < 6);
    close_line(&l);
  }
}

static void test_replay(void) {
  struct line l, again;
  start(&l, true);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  send_next(l.client, 1);
  static uint8_t heard[8192];
  // What the client sent, all of it: nonce, header, message.
  struct line m;
  close_line(&l);
  open_line(&m, true);
  to_server = to_client = 0;
  size_t n = 0;
  for (int step = 0; step < 20; step++) {
    move(m.b, m.a, &to_client, SIZE_MAX, 0);
    mck_wire_read(m.client, take, &m.at_client);
    if (step == 10) send_next(m.client, 1);
    ncopied = 0;
    move(m.a, m.b, &to_server, SIZE_MAX, 0);
    memcpy(heard + n, copy, ncopied);
    n += ncopied;
    mck_wire_read(m.server, take, &m.at_server);
  }
  close_line(&m);
  EXPECT(n > 56);
  open_line(&again, true);
  EXPECT(send(again.b, heard, n, MSG_NOSIGNAL) == (ssize_t)n);
  for (int i = 0; i < 3; i++) mck_wire_read(again.server, take, &again.at_server);
  EXPECT(!again.at_server.count && mck_wire_is_closed(again.server) && mck_wire_why(again.server));
  close_line(&again);
}

static void test_garbage(void) {
  for (int i = 0; i < 300; i++) {
    struct line l;
    open_line(&l, true);
    uint8_t bytes[600];
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)draw();
    size_t n = draw() % sizeof bytes;
    EXPECT(send(l.b, bytes, n, MSG_NOSIGNAL) == (ssize_t)n);
    for (int k = 0; k < 3; k++) mck_wire_read(l.server, take, &l.at_server);
    shutdown(l.b, SHUT_WR);
    mck_wire_read(l.server, take, &l.at_server);
    EXPECT(!l.at_server.count && !mck_wire_is_trusted(l.server) && mck_wire_is_closed(l.server));
    close_line(&l);
  }
  // A length that nobody of ours sends is refused before anything is kept for it.
  struct line l;
  start(&l, true);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  uint8_t length[4] = {0xff, 0xff, 0xff, 0x7f};
  EXPECT(send(l.b, length, 4, 0) == 4);
  mck_wire_read(l.server, take, &l.at_server);
  EXPECT(mck_wire_is_closed(l.server) && strstr(mck_wire_why(l.server), "does not speak"));
  close_line(&l);
}

static void test_cut(void) {
  struct line l;
  start(&l, true);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  uint8_t part[3] = {40, 0, 0};
  EXPECT(send(l.b, part, 3, 0) == 3);
  shutdown(l.b, SHUT_WR);
  EXPECT(!mck_wire_read(l.server, take, &l.at_server));
  EXPECT(mck_wire_why(l.server) && strstr(mck_wire_why(l.server), "middle"));
  close_line(&l);
  start(&l, true);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  l.at_server.is_refusing = true;
  send_next(l.client, 0);
  run_line(&l, SIZE_MAX, SIZE_MAX, 0);
  EXPECT(l.at_server.count == 1 && mck_wire_why(l.server) && strstr(mck_wire_why(l.server), "no sense"));
  close_line(&l);
}

int main(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  state = (uint64_t)t.tv_nsec;
  printf("seed %llu\n", (unsigned long long)state);
  test_messages();
  test_other_secret();
  test_changes();
  test_replay();
  test_garbage();
  test_cut();
  printf("%d failures\n", failures);
  return failures != 0;
}
