// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handshake, and sealed messages over a socket (wire.h).
#include "watch/node/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  NONCE = 32,
  HEADER = crypto_secretstream_xchacha20poly1305_HEADERBYTES,
  LENGTH = 4,
  SEAL = crypto_secretstream_xchacha20poly1305_ABYTES
};
_Static_assert(MCK_WIRE_SECRET == crypto_secretstream_xchacha20poly1305_KEYBYTES, "a key is as long as the secret");

enum state {
  GREETS,
  OPENS,
  OPEN,
  CLOSED
}; // GREETS: waits for the other end's random bytes; OPENS: for its stream header

struct mck_wire {
  int fd;
  enum state state;
  bool is_server, is_trusted;
  const char *why;
  uint8_t secret[MCK_WIRE_SECRET], nonce[NONCE]; // those of this end
  crypto_secretstream_xchacha20poly1305_state push, pull;
  uint8_t *in;
  size_t have, in_capacity;
  uint8_t *out;
  size_t begin, end, out_capacity;
};

static bool close_wire(struct mck_wire *w, const char *why) {
  if (w->state != CLOSED) w->why = why;
  w->state = CLOSED;
  return false;
}

// Makes room for size more bytes of output; NULL: out of memory.
static uint8_t *reserve(struct mck_wire *w, size_t size) {
  if (w->begin) memmove(w->out, w->out + w->begin, w->end - w->begin);
  w->end -= w->begin;
  w->begin = 0;
  if (w->end + size > w->out_capacity) {
    size_t capacity = w->end + size > 2 * w->out_capacity ? w->end + size : 2 * w->out_capacity;
    uint8_t *out = realloc(w->out, capacity);
    if (!out) {
      close_wire(w, "out of memory");
      return NULL;
    }
    w->out = out;
    w->out_capacity = capacity;
  }
  return w->out + w->end;
}

static bool queue(struct mck_wire *w, const void *bytes, size_t size) {
  uint8_t *out = reserve(w, size);
  if (!out) return false;
  memcpy(out, bytes, size);
  w->end += size;
  return true;
}

bool mck_wire_flush(struct mck_wire *w) {
  while (w->state != CLOSED && w->begin < w->end) {
    ssize_t n = send(w->fd, w->out + w->begin, w->end - w->begin, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) w->begin += (size_t)n;
    else if (n < 0 && errno == EINTR) continue;
    else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    else return close_wire(w, NULL); // the other end has closed
  }
  return w->state != CLOSED;
}

bool mck_wire_has_output(const struct mck_wire *w) { return w->state != CLOSED && w->begin < w->end; }

static struct mck_wire *make(int fd, const uint8_t secret[MCK_WIRE_SECRET], bool is_server) {
  struct mck_wire *w = sodium_init() >= 0 ? calloc(1, sizeof *w) : NULL;
  int flags = fcntl(fd, F_GETFL);
  if (!w || flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK)) {
    free(w);
    close(fd);
    return NULL;
  }
  w->fd = fd;
  w->is_server = is_server;
  memcpy(w->secret, secret, MCK_WIRE_SECRET);
  randombytes_buf(w->nonce, sizeof w->nonce);
  return w;
}

struct mck_wire *mck_wire_accept(int fd, const uint8_t secret[MCK_WIRE_SECRET]) {
  struct mck_wire *w = make(fd, secret, true);
  if (w && queue(w, w->nonce, NONCE)) mck_wire_flush(w);
  return w;
}
struct mck_wire *mck_wire_connect(int fd, const uint8_t secret[MCK_WIRE_SECRET]) { return make(fd, secret, false); }

void mck_wire_free(struct mck_wire *w) {
  if (!w) return;
  close(w->fd);
  free(w->in);
  free(w->out);
  sodium_memzero(w, sizeof *w);
  free(w);
}

// Derives the keys of a connection, one for each direction, from the secret and the random bytes of both ends.
static void make_key(uint8_t *key, const struct mck_wire *w, const uint8_t *other, bool is_from_server) {
  const char *way = is_from_server ? "mpicc-check from server" : "mpicc-check from client";
  crypto_generichash_state state;
  crypto_generichash_init(&state, w->secret, MCK_WIRE_SECRET, MCK_WIRE_SECRET);
  crypto_generichash_update(&state, (const uint8_t *)way, strlen(way));
  crypto_generichash_update(&state, w->is_server ? w->nonce : other, NONCE);
  crypto_generichash_update(&state, w->is_server ? other : w->nonce, NONCE);
  crypto_generichash_final(&state, key, MCK_WIRE_SECRET);
}

// Begins our stream by sending its header.
static bool begin_stream(struct mck_wire *w, const uint8_t *other) {
  uint8_t key[MCK_WIRE_SECRET], header[HEADER];
  make_key(key, w, other, w->is_server);
  crypto_secretstream_xchacha20poly1305_init_push(&w->push, header, key);
  sodium_memzero(key, sizeof key);
  return (w->is_server || queue(w, w->nonce, NONCE)) && queue(w, header, HEADER);
}

static bool take_header(struct mck_wire *w, const uint8_t *other, const uint8_t *header) {
  uint8_t key[MCK_WIRE_SECRET];
  make_key(key, w, other, !w->is_server);
  int rc = crypto_secretstream_xchacha20poly1305_init_pull(&w->pull, header, key);
  sodium_memzero(key, sizeof key);
  return rc == 0 || close_wire(w, "its stream does not begin as ours do");
}

// The least number of bytes that the next step needs.
static size_t get_need(const struct mck_wire *w) {
  switch (w->state) {
  case GREETS: return w->is_server ? NONCE + HEADER : NONCE;
  case OPENS: return NONCE + HEADER; // the random bytes stay in the buffer until the header has come
  case OPEN: break;
  case CLOSED: return SIZE_MAX;
  }
  if (w->have < LENGTH) return LENGTH;
  const uint8_t *b = w->in;
  return LENGTH + (size_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

static void drop_front(struct mck_wire *w, size_t n) {
  memmove(w->in, w->in + n, w->have - n);
  w->have -= n;
}

// Takes one step with the bytes in the buffer, which are enough for it.
static bool step(struct mck_wire *w, size_t need, mck_wire_take *take, void *context) {
  if (w->state == GREETS && !w->is_server) {
    if (!begin_stream(w, w->in)) return false;
    w->state = OPENS;
    return mck_wire_flush(w);
  }
  if (w->state == GREETS || w->state == OPENS) {
    if (!take_header(w, w->in, w->in + NONCE) || (w->is_server && !begin_stream(w, w->in))) return false;
    drop_front(w, need);
    w->state = OPEN;
    return mck_wire_flush(w);
  }
  uint8_t *message = malloc(need);
  if (!message) return close_wire(w, "out of memory");
  unsigned long long size = 0;
  unsigned char tag;
  bool is_good = !crypto_secretstream_xchacha20poly1305_pull(&w->pull, message, &size, &tag, w->in + LENGTH,
                                                             need - LENGTH, NULL, 0);
  w->is_trusted |= is_good;
  drop_front(w, need);
  if (!is_good) close_wire(w, "its message was not sealed with this job's secret");
  else if (!take(context, message, (size_t)size)) is_good = close_wire(w, "its message makes no sense");
  free(message);
  return is_good;
}

bool mck_wire_read(struct mck_wire *w, mck_wire_take *take, void *context) {
  while (w->state != CLOSED) {
    size_t need = get_need(w);
    if (w->state == OPEN && w->have >= LENGTH && (need > LENGTH + MCK_WIRE_MAX + SEAL || need < LENGTH + SEAL))
      return close_wire(w, w->is_trusted ? "its message is longer than any of ours"
                                         : "it does not speak as our watches do");
    if (w->have >= need && w->have) {
      if (!step(w, need, take, context)) return false;
      continue;
    }
    if (need > w->in_capacity) {
      uint8_t *in = realloc(w->in, need);
      if (!in) return close_wire(w, "out of memory");
      w->in = in;
      w->in_capacity = need;
    }
    ssize_t n = recv(w->fd, w->in + w->have, need - w->have, MSG_DONTWAIT);
    if (n > 0) w->have += (size_t)n;
    else if (n < 0 && errno == EINTR) continue;
    else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    else return close_wire(w, w->state == OPEN && w->have ? "it ended in the middle of a message" : NULL);
  }
  return false;
}

bool mck_wire_send(struct mck_wire *w, const void *message, size_t size) {
  if (w->state != OPEN || size > MCK_WIRE_MAX) return false;
  uint32_t length = (uint32_t)(size + SEAL);
  uint8_t *out = reserve(w, LENGTH + length);
  if (!out) return false;
  for (int i = 0; i < LENGTH; i++) out[i] = (uint8_t)(length >> 8 * i);
  crypto_secretstream_xchacha20poly1305_push(&w->push, out + LENGTH, NULL, message, size, NULL, 0, 0);
  w->end += LENGTH + length;
  return mck_wire_flush(w);
}

int mck_wire_fd(const struct mck_wire *w) { return w->fd; }
bool mck_wire_is_closed(const struct mck_wire *w) { return w->state == CLOSED; }
bool mck_wire_is_open(const struct mck_wire *w) { return w->state == OPEN; }
bool mck_wire_is_trusted(const struct mck_wire *w) { return w->is_trusted; }
const char *mck_wire_why(const struct mck_wire *w) { return w->why; }
