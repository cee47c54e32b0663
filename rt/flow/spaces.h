// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spaces: what an address, a position in a stream and an offset in a file mean for all ranks together. Memory that
// several processes have mapped is one space, known by device and number of its file. Each direction of a connection is
// one, known by the addresses of both ends.
#pragma once
#include "base/base.h"
#include "flow/trace.h"

#define MCK_SPACE_NONE UINT32_MAX
struct mck_spaces;

struct mck_spaces *mck_spaces_open(uint32_t nranks); // the private memory of rank r is space r. NULL: out of memory
void mck_spaces_close(struct mck_spaces *spaces);
// host: equal for ranks that share files' numbers.
uint32_t mck_spaces_object(struct mck_spaces *spaces, uint32_t host, uint64_t device, uint64_t inode);
bool mck_spaces_is_private(const struct mck_spaces *spaces, uint32_t space);

void mck_spaces_map(struct mck_spaces *spaces, uint32_t rank, uint64_t time, uint64_t address,
                    const struct mck_trace_object *object, uint32_t space);
void mck_spaces_unmap(struct mck_spaces *spaces, uint32_t rank, uint64_t time, uint64_t address, uint64_t length);
// The pieces of memory that [address, address + length) of a rank is now. visit returns false to stop.
typedef bool mck_spaces_visit(void *context, uint32_t space, uint64_t at, uint64_t length);
bool mck_spaces_pieces(const struct mck_spaces *spaces, uint32_t rank, uint64_t address, uint64_t length,
                       mck_spaces_visit *visit, void *context);
// At a time that may be past: the space and place of an address of a rank, and the address of a place; 0: none.
uint32_t mck_spaces_at(const struct mck_spaces *spaces, uint32_t rank, uint64_t time, uint64_t address, uint64_t *at);
uint64_t mck_spaces_address(const struct mck_spaces *spaces, uint32_t rank, uint64_t time, uint32_t space, uint64_t at);

// All sockets are added before a stream is asked for.
bool mck_spaces_add_socket(struct mck_spaces *spaces, uint32_t rank, uint64_t time,
                           const struct mck_trace_socket *socket);
void mck_spaces_connect(struct mck_spaces *spaces); // finds the other ends
// The space of what this end sends, or receives; MCK_SPACE_NONE: the other end is not known.
uint32_t mck_spaces_stream(const struct mck_spaces *spaces, uint32_t rank, uint64_t socket, bool is_out);
