// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chain: whether the members of each communicator have made the same collective calls with fitting arguments, asked
// from neighbour to neighbour. A program that is right mostly says all of it with one number: what must be alike in a
// call (function, root, operation, signature of what each rank contributes) is hashed, and so is the sequence of calls.
// Each member tells its predecessor; where every pair agrees all do, since to be equal is transitive, and no rank has
// looked at more than two. Then nothing goes to the communicators' homes, which else take a piece from every member.
// Where any pair differs, or a call says more than one number can (counts of its own for each rank, MPI_BYTE against
// something else, neighbourhoods, two groups), all goes the long way (collective-sequence.c).
#pragma once
#include "judge/judge.h"

enum { MCK_CHAIN_RANKS = 8 }; // with fewer a home has little to do, and the question costs a message itself
// Fills to[0 .. size): what each rank is told (mck_parcel_nothing for most). false: the long way.
bool mck_chain_make(struct mck_judge *judge, struct mck_parcel *to);
// Does what came from the successors agree with what this rank did?
bool mck_chain_is_alike(struct mck_judge *judge, const struct mck_parcel *from);
// All have said so: the parcels, made after this, leave collectives out.
void mck_chain_agreed(struct mck_judge *judge);
