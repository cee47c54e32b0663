// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library answers at once (option flow): lengths that it makes of a status, data that it packs and unpacks. It
// is compared with what another function says, or with the bytes themselves. The wrappers call these behind the
// library's function, where it succeeded.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

// A count in elements of a type, made of a status (MPI-3.1 3.2.5). count: MPI_UNDEFINED, too. The
// same in basic elements (4.1.11).
void mck_content_check_count(struct mck_call *call, const MPI_Status *status, MPI_Datatype type, int count);
void mck_content_check_elements(struct mck_call *call, const MPI_Status *status, MPI_Datatype type, int64_t count);
// The packed bytes of a buffer, of MPI_Pack and MPI_Unpack (4.2): those between two positions.
void mck_content_check_packed(struct mck_call *call, const void *buffer, int count, MPI_Datatype type,
                              const void *packed, int from, int to);
// What the status of an access to a file says of its length (13.4). size: what is asked for. is_all: it cannot have met
// the end of the file.
void mck_content_check_access(struct mck_call *call, const MPI_Status *status, uint64_t size, bool is_all);
