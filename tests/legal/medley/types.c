// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of some bytes of data, and buffers of them.
#include <stdlib.h>
#include <string.h>
#include "medley.h"

MPI_Datatype make_type(int bytes) {
  MPI_Datatype type, inner;
  int half = bytes / 2, lengths[2] = {half, bytes - half}, places[2] = {bytes - half + 3, 0};
  MPI_Aint addresses[2] = {bytes - half + 5, 0};
  MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE};
  switch (draw(&own_draws, 6)) {
  case 0: MPI_Type_contiguous(bytes, MPI_BYTE, &type); break;
  case 1: MPI_Type_vector(bytes, 1, 2, MPI_BYTE, &type); break;
  case 2: MPI_Type_indexed(2, lengths, places, MPI_BYTE, &type); break;
  case 3: MPI_Type_create_struct(2, lengths, addresses, types, &type); break;
  case 4:
    MPI_Type_contiguous(bytes, MPI_BYTE, &inner);
    MPI_Type_create_resized(inner, 0, bytes + 2, &type);
    MPI_Type_free(&inner);
    break;
  default: {
    int sizes[2] = {4, 16}, part[2] = {1, bytes}, start[2] = {(int)draw(&own_draws, 4), 16 - bytes};
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_BYTE, &type);
  }
  }
  MPI_Type_commit(&type);
  return type;
}

// Packs and unpacks through MPI itself: where the bytes of a type lie is the library's matter.
void fill(char *buffer, MPI_Datatype type, int elements, int bytes, int key, int source) {
  int at = 0, size = elements * bytes;
  char *packed = malloc((size_t)size + 1);
  for (int i = 0; i < size; i++) packed[i] = byte_of(key, source, i);
  MPI_Unpack(packed, size, &at, buffer, elements, type, MPI_COMM_SELF);
  free(packed);
}

void look_at(const char *buffer, MPI_Datatype type, int elements, int bytes, int key, int source, const char *what) {
  int at = 0, size = elements * bytes;
  char *packed = malloc((size_t)size + 1);
  MPI_Pack(buffer, elements, type, packed, size, &at, MPI_COMM_SELF);
  expect(at == size, what);
  for (int i = 0; i < size; i++) expect(packed[i] == byte_of(key, source, i), what);
  free(packed);
}
