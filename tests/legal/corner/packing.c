// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing, and memory and addresses: MPI-3.1 4.1.5, 4.2, 4.3, 8.2.
#include "corner.h"

static void in_pieces(void) {
  int at = 0, i = 5, n, j = 0;
  double d = 2.5, e = 0;
  char space[100];
  MPI_Pack(NULL, 0, MPI_INT, space, sizeof space, &at, comm);
  IS(at == 0);
  MPI_Pack(&i, 1, MPI_INT, space, sizeof space, &at, comm);
  MPI_Pack(&d, 1, MPI_DOUBLE, space, sizeof space, &at, comm);
  n = at, at = 0;
  MPI_Unpack(space, n, &at, &j, 1, MPI_INT, comm);
  MPI_Unpack(space, n, &at, NULL, 0, MPI_DOUBLE, comm);
  MPI_Unpack(space, n, &at, &e, 1, MPI_DOUBLE, comm);
  IS(at == n && j == 5 && e == 2.5);
}

static void exactly(void) {  // a buffer of exactly the size that was asked for, filled to the end
  int bytes, at = 0, x[3] = {1, 2, rank}, y[3];
  MPI_Pack_size(3, MPI_INT, comm, &bytes);
  char *space = malloc((size_t)bytes);
  MPI_Pack(x, 3, MPI_INT, space, bytes, &at, comm);
  IS(at <= bytes);
  at = 0;
  MPI_Unpack(space, bytes, &at, y, 3, MPI_INT, comm);
  IS(y[2] == rank);
  free(space);
}

static void less_than_packed(void) {  // unpacking a part only, into another type of the same signature
  int at = 0, x[4] = {1, 2, 3, 4}, y[4] = {0};
  char space[64];
  MPI_Datatype spread;
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  MPI_Pack(x, 4, MPI_INT, space, sizeof space, &at, comm);
  at = 0;
  MPI_Unpack(space, sizeof space, &at, y, 1, spread, comm);
  IS(y[0] == 1 && y[1] == 0 && y[2] == 2 && at == 8);
  MPI_Type_free(&spread);
}

static void portable(void) {
  MPI_Aint bytes = 0, at = 0;
  int x = 0x01020304, y = 0;
  unsigned char space[16] = {0};
  MPI_Pack_external_size("external32", 1, MPI_INT, &bytes);
  MPI_Pack_external("external32", &x, 1, MPI_INT, space, bytes, &at);
  IS(bytes == 4 && at == 4 && space[0] == 1 && space[3] == 4);
  at = 0;
  MPI_Unpack_external("external32", space, bytes, &at, &y, 1, MPI_INT);
  IS(y == x);
}

static void by_address(void) {
  int x[2] = {rank, 6}, y[2] = {0}, at = 0;
  char space[64];
  MPI_Aint address[2];
  MPI_Datatype type;
  MPI_Get_address(&x[1], &address[0]), MPI_Get_address(&x[0], &address[1]);
  MPI_Type_create_hindexed_block(2, 1, address, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Pack(MPI_BOTTOM, 1, type, space, sizeof space, &at, comm);
  at = 0;
  MPI_Unpack(space, sizeof space, &at, y, 2, MPI_INT, comm);
  IS(y[0] == 6 && y[1] == rank);
  MPI_Type_free(&type);
}

static void distances(void) {
  double x[10] = {0};
  MPI_Aint a, b, c;
  MPI_Get_address(&x[7], &a), MPI_Get_address(&x[2], &b), MPI_Get_address(MPI_BOTTOM, &c);
  IS(MPI_Aint_diff(a, b) == 40 && MPI_Aint_diff(b, a) == -40 && MPI_Aint_add(b, 40) == a && MPI_Aint_add(c, a) == a);
}

static void memory(void) {
  void *none = garbage, *some, *more;
  MPI_Alloc_mem(0, MPI_INFO_NULL, &none);
  MPI_Alloc_mem(100, MPI_INFO_NULL, &some);
  MPI_Free_mem(some);
  MPI_Alloc_mem(100, MPI_INFO_NULL, &more);  // perhaps the same place
  memset(more, 1, 100);
  MPI_Sendrecv_replace(more, 100, MPI_CHAR, right, 1, left, 1, comm, MPI_STATUS_IGNORE);
  IS(((char *)more)[99] == 1);
  MPI_Free_mem(more);
  if (none) MPI_Free_mem(none);
}

TABLE(packing) = {
    {"4.2", "packing in pieces, some of them empty", in_pieces},
    {"4.2", "a buffer of exactly the size that MPI asks for", exactly},
    {"4.2", "unpacking less, and differently laid out", less_than_packed},
    {"4.3", "external32 has the highest byte first", portable},
    {"4.2", "packing from MPI_BOTTOM", by_address},
    {"4.1.5", "differences of addresses, of MPI_BOTTOM too", distances},
    {"8.2", "no memory, and memory that MPI hands out again", memory},
    END};
