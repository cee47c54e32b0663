// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wire: messages between the watches of two nodes over a stream socket. Both ends know the job's secret, which is never
// sent. Each end contributes random bytes, so the two keys of a connection are new, and no recorded connection can be
// replayed. Each message is sealed and numbered (libsodium's secretstream, XChaCha20-Poly1305), so no message can be
// forged, changed, left out or read by others. A client without the secret gets 32 random bytes and is dropped at its
// first message.
//   server -> client   its 32 random bytes
//   client -> server   its 32, 24 bytes of stream header
//   server -> client   24 bytes of stream header
//   then both ways     4 bytes length of what follows, little endian; a sealed message
// Non-blocking; memory per connection is bounded by one message each way plus what was queued.
#pragma once
#include "base/base.h"

enum { MCK_WIRE_SECRET = 32, MCK_WIRE_MAX = 80 << 10 }; // bytes of a message
struct mck_wire;
// Take over fd and make it non-blocking. NULL: out of memory; then fd is closed.
struct mck_wire *mck_wire_accept(int fd, const uint8_t secret[MCK_WIRE_SECRET]);
struct mck_wire *mck_wire_connect(int fd, const uint8_t secret[MCK_WIRE_SECRET]);
void mck_wire_free(struct mck_wire *wire);
// Queues a message, and writes what can be written at once. Returns false when the connection is closed, or out of
// memory.
bool mck_wire_send(struct mck_wire *wire, const void *message, size_t size);
bool mck_wire_flush(struct mck_wire *wire); // writes what can be written at once
bool mck_wire_has_output(const struct mck_wire *wire);
// Reads the bytes that have come, and passes each whole message to take, which returns false for an invalid one.
// Returns false when the connection is closed.
typedef bool mck_wire_take(void *context, const uint8_t *message, size_t size);
bool mck_wire_read(struct mck_wire *wire, mck_wire_take *take, void *context);
int mck_wire_fd(const struct mck_wire *wire);
bool mck_wire_is_closed(const struct mck_wire *wire);
bool mck_wire_is_open(const struct mck_wire *wire); // the handshake is done; the first message shows that it is of our
                                                    // job
bool mck_wire_is_trusted(const struct mck_wire *wire); // a message has come that only our job can have sealed
const char *mck_wire_why(const struct mck_wire *wire); // why it was closed; NULL: it ended in order, or is open
