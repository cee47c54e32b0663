// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wire: messages between the watches of two nodes over one stream socket. Both ends know the job's secret, which never
// goes over the socket. Each end contributes random bytes, so the two keys of a connection are new ones and nothing
// that was recorded can be played again; every message is sealed and numbered (libsodium's secretstream,
// XChaCha20-Poly1305), so none can be forged, changed, left out or read by others. Whoever does not have the secret
// gets 32 random bytes and is dropped at its first message.
//   server -> client   its 32 random bytes
//   client -> server   its 32, 24 bytes of stream header
//   server -> client   24 bytes of stream header
//   then both ways     4 bytes length of what follows, little endian; a sealed message
// Non-blocking; memory per connection is bounded by one message each way plus what was queued.
#pragma once
#include "base/base.h"

enum { MCK_WIRE_SECRET = 32, MCK_WIRE_MAX = 80 << 10 }; // bytes of a message
struct mck_wire;
// Take over fd, which is made non-blocking. NULL: out of memory; fd is closed then.
struct mck_wire *mck_wire_accept(int fd, const uint8_t secret[MCK_WIRE_SECRET]);
struct mck_wire *mck_wire_connect(int fd, const uint8_t secret[MCK_WIRE_SECRET]);
void mck_wire_free(struct mck_wire *wire);
// Queues a message, and writes what can be written at once. False: the connection is closed, or no memory.
bool mck_wire_send(struct mck_wire *wire, const void *message, size_t size);
bool mck_wire_flush(struct mck_wire *wire); // writes what can be written at once
bool mck_wire_has_output(const struct mck_wire *wire);
// Reads what is there and hands over each whole message; take returns false for one that makes no sense. False: the
// connection is closed.
typedef bool mck_wire_take(void *context, const uint8_t *message, size_t size);
bool mck_wire_read(struct mck_wire *wire, mck_wire_take *take, void *context);
int mck_wire_fd(const struct mck_wire *wire);
bool mck_wire_is_closed(const struct mck_wire *wire);
bool mck_wire_is_open(const struct mck_wire *wire);    // handshake done; known to be of our job once a message came
bool mck_wire_is_trusted(const struct mck_wire *wire); // a message came that only our job can have sealed
const char *mck_wire_why(const struct mck_wire *wire); // why it was closed; NULL: an orderly end, or it is not
