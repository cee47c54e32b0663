// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequence hash: do the members of each communicator make the same collective calls with fitting arguments? Each asks
// only its neighbour. In most right programs one number per communicator answers that.
//
// The hash of a call covers what must be alike: function, root, operation, and the signature of what each rank
// contributes. The hash of the sequence covers its calls. Each member sends it to its predecessor. Equality is
// transitive, so if every pair agrees, all members do, although no rank has compared more than two. Then nothing goes
// to the homes of the communicators, which otherwise get a part from every member.
//
// If a pair differs, all sequences take the long way (collective-sequence.c). They also do when a call has more than
// one number can say: counts of its own for each rank, MPI_BYTE against another type, neighbourhoods, two groups.
#pragma once
#include "judge/judge.h"

enum { MCK_SEQUENCE_HASH_RANKS = 8 }; // fewer ranks give a home little work, and the question costs a message, too
// Fills to, which must be empty, with what is sent. Returns false when the sequences must take the long way.
bool mck_sequence_hash_make(struct mck_judge *judge, struct mck_parcels *to);
// Does what the successors sent agree with the calls of this rank?
bool mck_sequence_hash_is_alike(struct mck_judge *judge, const struct mck_parcels *from);
// All ranks agree: the parcels, which are made after this call, leave collectives out.
void mck_sequence_hash_agreed(struct mck_judge *judge);
