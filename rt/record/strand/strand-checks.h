// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of calls by several strands, one file each. now: the call that begins. Under the lock.
#pragma once
#include "record/strand/strand-call.h"

// thread.level: calls that may be at the same time, at MPI_THREAD_SERIALIZED; calls that MPI_Finalize does not follow.
// true: it was reported. Takes the lock.
bool mck_strand_level(struct mck_call *call);
void mck_strand_level_note(const struct mck_strand_call *now); // MPI_THREAD_MULTIPLE: for MPI_Finalize only
// thread.collective: collectives of one communicator, window or file whose sequence is open.
void mck_strand_collective(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now);
// thread.request: completions of one request.
void mck_strand_requests(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now);
void mck_strand_request_posted(const MPI_Request *variable, MPI_Request handle);
// Does a call of another strand that nothing orders name the request, too? Then the two are, or will be, told by order.
bool mck_strand_request_is_open(struct mck_call *call, MPI_Request handle);
// message.race and thread.probe: sends, receives and probes of the same messages.
void mck_strand_message_before(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now);
void mck_strand_message_after(struct mck_call *call, const struct mck_args *a);
// buffer.overlap and rma.race-local: operations on the same bytes.
void mck_strand_uses(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now);
struct mck_request;
void mck_strand_use_posted(const struct mck_request *r); // it belongs to the operation that the call has begun
// What the call does in a known section of a lock.
void mck_strand_section(struct mck_call *call, const struct mck_args *a);
// What it reads, which mck_strand_section has left to be noted; !is_posted: not yet what it reads beyond the call.
void mck_strand_section_read(struct mck_call *call, bool is_posted);
// A pair of places is told once, by the first one that finds it. true: somebody else has told it.
enum mck_strand_teller { MCK_STRAND_BY_ORDER, MCK_STRAND_AT_ONCE };
bool mck_strand_use_is_told(uint32_t site, uint32_t other, enum mck_strand_teller teller);
