// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes: MPI-3.1 4.1.
#include "corner.h"

// Sends to the right, receives from the left.
static void pass(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other) {
  MPI_Sendrecv(from, n, type, right, 1, to, m, other, left, 1, comm, MPI_STATUS_IGNORE);
}
static MPI_Datatype committed(MPI_Datatype type) { return MPI_Type_commit(&type), type; }

static void freed_at_once(void) {
  int out[2] = {rank, 8}, in[2] = {-1, -1};
  MPI_Request request[2];
  for (int i = 0; i < 3; i++) {
    MPI_Datatype pair, other;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Irecv(in, 1, pair, left, 1, comm, &request[0]);
    MPI_Isend(out, 1, pair, right, 1, comm, &request[1]);
    MPI_Type_free(&pair);
    MPI_Type_vector(1, 1, 1, MPI_CHAR, &other);  // may get the handle
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&other);
    IS(pair == MPI_DATATYPE_NULL && in[0] == left && in[1] == 8);
  }
}

static void parts_freed(void) {
  MPI_Datatype pair, gap, whole;
  int out[7] = {0, 1, 2, 3, 4, 5, 6}, in[4] = {0};
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 12, &gap);
  MPI_Type_free(&pair);
  MPI_Type_contiguous(2, gap, &whole);
  MPI_Type_free(&gap);
  MPI_Type_commit(&whole);  // its parts never were
  pass(out, 1, whole, in, 4, MPI_INT);
  IS(in[2] == 3 && in[3] == 4);
  MPI_Type_free(&whole);
}

static void uncommitted(void) {
  MPI_Datatype type, copy;
  MPI_Aint lower, extent;
  int bytes;
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_dup(type, &copy);
  IS(bytes == 12 && lower == 0 && extent == 20);
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
}

static void committed_twice(void) {
  MPI_Datatype type, basic = MPI_INT;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_commit(&type);
  MPI_Type_commit(&basic);
  IS(basic == MPI_INT);
  MPI_Type_free(&type);
}

static void empty(void) {
  MPI_Datatype nothing[3];
  int bytes;
  MPI_Type_contiguous(0, MPI_DOUBLE, &nothing[0]);
  MPI_Type_indexed(0, NULL, NULL, MPI_INT, &nothing[1]);
  MPI_Type_create_struct(0, NULL, NULL, NULL, &nothing[2]);
  for (int i = 0; i < 3; i++) {
    MPI_Type_commit(&nothing[i]);
    MPI_Type_size(nothing[i], &bytes);
    IS(bytes == 0);
    pass(NULL, 3, nothing[i], NULL, 0, MPI_CHAR);
    MPI_Type_free(&nothing[i]);
  }
}

static void backwards(void) {
  MPI_Datatype type;
  MPI_Aint lower, extent;
  int out[4] = {1, 2, 3, 4}, in[4];
  MPI_Type_vector(4, 1, -1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_get_extent(type, &lower, &extent);
  IS(lower == -12 && extent == 16);
  pass(&out[3], 1, type, in, 4, MPI_INT);
  IS(in[0] == 4 && in[3] == 1);
  MPI_Type_free(&type);
}

static void before_the_buffer(void) {
  MPI_Datatype type;
  MPI_Aint at[2] = {-8, 4};
  int lengths[2] = {1, 2}, data[5] = {10, 11, 12, 13, 14}, in[5] = {0};
  MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  pass(&data[2], 1, type, &in[2], 1, type);
  IS(in[0] == 10 && in[1] == 0 && in[2] == 0 && in[3] == 13 && in[4] == 14);
  MPI_Type_free(&type);
}

static void empty_blocks(void) {  // blocks of no length may lie anywhere
  MPI_Datatype type, basic[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  MPI_Aint at[3] = {4, -1000000, 1000000};
  int lengths[3] = {1, 0, 0}, out[2] = {0, 9}, in[2] = {0, 0}, bytes;
  MPI_Type_create_struct(3, lengths, at, basic, &type);
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  pass(out, 1, type, in, 1, type);
  IS(bytes == 4 && in[1] == 9);
  MPI_Type_free(&type);
}

static void block_types(void) {
  MPI_Datatype a, b;
  int at[2] = {3, 0}, out[5] = {1, 2, 3, 4, 5}, in[4];
  MPI_Aint bytes[2] = {12, 0};
  MPI_Type_create_indexed_block(2, 2, at, MPI_INT, &a);
  MPI_Type_create_hindexed_block(2, 2, bytes, MPI_INT, &b);
  MPI_Type_commit(&a), MPI_Type_commit(&b);
  pass(out, 1, a, in, 4, MPI_INT);
  IS(in[0] == 4 && in[1] == 5 && in[2] == 1);
  pass(out, 1, b, in, 4, MPI_INT);
  IS(in[0] == 4 && in[1] == 5 && in[2] == 1);
  MPI_Type_free(&a), MPI_Type_free(&b);
}

static void extents(void) {  // negative, zero
  MPI_Datatype down, still;
  int out[3] = {1, 2, 3}, in[3] = {0};
  MPI_Type_create_resized(MPI_INT, 0, -4, &down);
  MPI_Type_create_resized(MPI_INT, 0, 0, &still);
  MPI_Type_commit(&down), MPI_Type_commit(&still);
  pass(&out[2], 3, down, in, 3, MPI_INT);
  IS(in[0] == 3 && in[2] == 1);
  pass(&out[1], 3, still, in, 3, MPI_INT);  // one int three times: a send may overlap itself
  IS(in[0] == 2 && in[2] == 2);
  MPI_Type_free(&down), MPI_Type_free(&still);
}

static void bounds(void) {
  MPI_Datatype type;
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Count wide;
  MPI_Type_create_resized(MPI_INT, 8, 100, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  MPI_Type_size_x(type, &wide);
  IS(lower == 8 && extent == 100 && true_lower == 0 && true_extent == 4 && wide == 4);
  MPI_Type_free(&type);
}

static void subarrays(void) {
  MPI_Datatype rows, columns;
  int sizes[2] = {3, 4}, part[2] = {2, 2}, start[2] = {1, 1}, out[12], in[4];
  for (int i = 0; i < 12; i++) out[i] = i;
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &rows);
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &columns);
  MPI_Type_commit(&rows), MPI_Type_commit(&columns);
  pass(out, 1, rows, in, 4, MPI_INT);
  IS(in[0] == 5 && in[1] == 6 && in[2] == 9 && in[3] == 10);
  pass(out, 1, columns, in, 4, MPI_INT);
  IS(in[0] == 4 && in[1] == 5 && in[2] == 7 && in[3] == 8);
  MPI_Type_free(&rows), MPI_Type_free(&columns);
}

static void distributed(void) {  // blocks that do not divide: the last process may have less, or nothing
  MPI_Datatype type;
  int n = size * 2 - 1, how = MPI_DISTRIBUTE_BLOCK, argument = MPI_DISTRIBUTE_DFLT_DARG, bytes, sum;
  MPI_Type_create_darray(size, rank, 1, &n, &how, &argument, &size, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_size(type, &bytes);
  MPI_Allreduce(&bytes, &sum, 1, MPI_INT, MPI_SUM, comm);
  IS(sum == 4 * n);
  MPI_Type_free(&type);
}

static void copy_of_a_basic_one(void) {
  MPI_Datatype type, inner;
  int n[3], combiner, dummy[1];
  MPI_Aint address[1];
  MPI_Type_dup(MPI_DOUBLE, &type);  // not predefined: freed, though never committed
  MPI_Type_get_envelope(type, &n[0], &n[1], &n[2], &combiner);
  IS(combiner == MPI_COMBINER_DUP && n[0] == 0 && n[1] == 0 && n[2] == 1);
  MPI_Type_get_contents(type, 0, 0, 1, dummy, address, &inner);
  IS(inner == MPI_DOUBLE);  // predefined: not freed
  MPI_Type_free(&type);
}

static void contents(void) {
  MPI_Datatype pair, whole, inner[1];
  int n[3], combiner, numbers[3];
  MPI_Aint address[1];
  double x[4] = {1, 2, 3, 4}, y[4] = {0};
  MPI_Type_get_envelope(MPI_INT, &n[0], &n[1], &n[2], &combiner);
  IS(combiner == MPI_COMBINER_NAMED);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_vector(2, 1, 1, pair, &whole);
  MPI_Type_free(&pair);
  MPI_Type_get_contents(whole, 3, 0, 1, numbers, address, inner);
  MPI_Type_free(&whole);
  inner[0] = committed(inner[0]);  // lives on, is used and freed by whom it was given to
  pass(x, 2, inner[0], y, 4, MPI_DOUBLE);
  IS(numbers[0] == 2 && y[3] == 4);
  MPI_Type_free(&inner[0]);
}

static void given_types(void) {  // 17.1.9: never to be freed
  MPI_Datatype a, b, c, d;
  int bytes;
  MPI_Type_create_f90_real(15, 307, &a), MPI_Type_create_f90_real(15, 307, &b);
  MPI_Type_create_f90_integer(9, &c);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &d);
  MPI_Type_size(a, &bytes);
  IS(a == b && bytes == 8);
  MPI_Type_size(c, &bytes);
  IS(bytes == 4 && d != MPI_DATATYPE_NULL);
  double x = rank, y = -1;
  pass(&x, 1, a, &y, 1, b);
  IS(y == left);
}

static void absolute(void) {
  struct { int i; char c; double d; } out = {rank, 'x', 2.5}, in = {0, 0, 0};
  MPI_Aint at[2], to[2];
  int lengths[2] = {1, 1};
  MPI_Datatype basic[2] = {MPI_INT, MPI_DOUBLE}, from_here, to_there;
  MPI_Get_address(&out.i, &at[0]), MPI_Get_address(&out.d, &at[1]);
  MPI_Get_address(&in.i, &to[0]);
  to[1] = MPI_Aint_add(to[0], MPI_Aint_diff(at[1], at[0]));
  MPI_Type_create_struct(2, lengths, at, basic, &from_here), MPI_Type_commit(&from_here);
  MPI_Type_create_struct(2, lengths, to, basic, &to_there), MPI_Type_commit(&to_there);
  pass(MPI_BOTTOM, 1, from_here, MPI_BOTTOM, 1, to_there);
  IS(in.i == left && in.d == 2.5 && in.c == 0);
  MPI_Type_free(&from_here), MPI_Type_free(&to_there);
}

static void holes(void) {  // what lies between the parts of a receive under way belongs to the program
  MPI_Datatype type;
  MPI_Request request;
  int in[6] = {0}, out[3] = {1, 2, 3};
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(in, 1, type, left, 1, comm, &request);
  in[1] = 5, in[3] = in[1] + 1;
  MPI_Barrier(comm);
  MPI_Send(out, 3, MPI_INT, right, 1, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in[0] == 1 && in[1] == 5 && in[2] == 2 && in[3] == 6 && in[4] == 3);
  MPI_Type_free(&type);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME] = "?";
  int length = -1;
  MPI_Datatype type;
  MPI_Type_get_name(MPI_INT, name, &length);
  IS(!strcmp(name, "MPI_INT"));
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_get_name(type, name, &length);
  IS(length == 0 && name[0] == 0);
  MPI_Type_set_name(type, "pair");
  MPI_Type_get_name(type, name, &length);
  IS(!strcmp(name, "pair"));
  MPI_Type_free(&type);
}

static void converted(void) {
  MPI_Datatype type, same;
  MPI_Type_contiguous(2, MPI_INT, &type);
  same = MPI_Type_f2c(MPI_Type_c2f(type));
  IS(same == type && MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL);
  MPI_Type_free(&same);  // the one object, by either name
}

TABLE(types) = {
    {"4.1.9", "a type is freed while messages of it are under way", freed_at_once},
    {"4.1.9", "a type outlives its parts, which need no commit", parts_freed},
    {"4.1.9", "a type that is not committed may be measured and copied", uncommitted},
    {"4.1.9", "committing again, or a predefined type, does nothing", committed_twice},
    {"4.1.2", "empty types made of no arrays", empty},
    {"4.1.2", "a negative stride", backwards},
    {"4.1.2", "displacements before the buffer", before_the_buffer},
    {"4.1.2", "blocks without elements lie anywhere", empty_blocks},
    {"4.1.2", "blocks in descending order", block_types},
    {"4.1.7", "extents below zero and zero; a send may overlap itself", extents},
    {"4.1.8", "bounds that have nothing to do with the data", bounds},
    {"4.1.3", "one subarray in the orders of C and Fortran", subarrays},
    {"4.1.4", "a distributed array that does not divide", distributed},
    {"4.1.10", "a copy of a predefined type is the user's", copy_of_a_basic_one},
    {"4.1.13", "a type that contents give lives on and is the caller's", contents},
    {"17.1.9", "types by precision are MPI's, equal ones the same", given_types},
    {"4.1.5", "absolute addresses, added and subtracted, with MPI_BOTTOM", absolute},
    {"3.7.2", "the gaps of a buffer in use are free", holes},
    {"6.8", "names of types", names},
    {"17.2.4", "handles there and back", converted},
    END};
