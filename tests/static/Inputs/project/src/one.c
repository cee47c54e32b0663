// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "send.h"
void one(int *value);
void one(int *value) {
  send_done(value);
  MPI_Bcast(value, -1, MPI_INT, 0, MPI_COMM_WORLD);
}
