// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with communicators, datatypes, groups, windows and files (programs.py): wrong ones and their right twins.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int read_input(void);
void work(double *);
static double data[100];
//// f90-type-ok
int main(int argc, char **argv) {
  double x = 1;
  MPI_Datatype real;
  MPI_Init(&argc, &argv);
  MPI_Type_create_f90_real(15, 307, &real);
  MPI_Bcast(&x, 1, real, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// used-after-free
void share(int n) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (n > 3) MPI_Comm_free(&copy); // NOTE
  MPI_Bcast(data, n, MPI_DOUBLE, 0, copy); // WARN handle.null
}
//// used-after-free-ok
void share(int n) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Bcast(data, n, MPI_DOUBLE, 0, copy);
  MPI_Comm_free(&copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Bcast(data, n, MPI_DOUBLE, 0, copy);
  MPI_Comm_free(&copy);
}
//// freed-twice
int main(int argc, char **argv) {
  MPI_Datatype row;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(4, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Bcast(data, 2, row, 0, MPI_COMM_WORLD);
  if (argc > 2) MPI_Type_free(&row); // NOTE
  MPI_Type_free(&row); // WARN handle.null
  MPI_Finalize();
}
//// freed-twice-ok
int main(int argc, char **argv) {
  MPI_Datatype row;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(4, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  MPI_Bcast(data, 2, row, 0, MPI_COMM_WORLD);
  if (argc > 2) MPI_Type_free(&row);
  if (row != MPI_DATATYPE_NULL) MPI_Type_free(&row);
  MPI_Finalize();
}
//// not-committed
static MPI_Datatype make_row(int n) {
  MPI_Datatype row;
  MPI_Type_vector(n, 1, 10, MPI_DOUBLE, &row);
  if (n > 1) MPI_Type_commit(&row);
  return row;
}
void send(int n, int to) {
  MPI_Datatype row = make_row(n);
  MPI_Send(data, 1, row, to, 0, MPI_COMM_WORLD); // WARN datatype.uncommitted
  MPI_Type_free(&row);
}
//// not-committed-ok
static MPI_Datatype make_row(int n) {
  MPI_Datatype row, inner;
  MPI_Type_contiguous(2, MPI_DOUBLE, &inner);
  MPI_Type_vector(n, 1, 10, inner, &row);
  MPI_Type_free(&inner);
  MPI_Type_commit(&row);
  return row;
}
void send(int n, int to) {
  MPI_Datatype row = make_row(n);
  MPI_Send(data, 1, row, to, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
}
//// committed-later-ok
void send(int n, int to) {
  MPI_Datatype row;
  MPI_Type_vector(n, 1, 10, MPI_DOUBLE, &row);
  if (n > 0) {
    MPI_Type_commit(&row);
    MPI_Send(data, 1, row, to, 0, MPI_COMM_WORLD);
  }
  MPI_Type_free(&row);
}
//// leak-type
int send(int n, int to) {
  MPI_Datatype row;
  MPI_Type_vector(n, 1, 10, MPI_DOUBLE, &row); // WARN leak.datatype
  MPI_Type_commit(&row);
  if (read_input() < 0) // NOTE
    return -1; // NOTE
  MPI_Send(data, 1, row, to, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  return 0;
}
//// leak-type-ok
int send(int n, int to) {
  MPI_Datatype row;
  int rc = 0;
  MPI_Type_vector(n, 1, 10, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  if (read_input() < 0) {
    rc = -1;
    goto out;
  }
  MPI_Send(data, 1, row, to, 0, MPI_COMM_WORLD);
out:
  MPI_Type_free(&row);
  return rc;
}
//// leak-comm
int share(int n) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy); // WARN leak.comm
  for (int i = 0; i < n; i++) {
    if (data[i] < 0) // NOTE
      return i; // NOTE
    MPI_Bcast(&data[i], 1, MPI_DOUBLE, 0, copy);
  }
  MPI_Comm_free(&copy);
  return n;
}
//// leak-comm-ok
struct solver {
  MPI_Comm comm;
};
int open_solver(struct solver *s) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (read_input()) {
    MPI_Comm_free(&copy);
    return -1;
  }
  s->comm = copy;
  return 0;
}
//// kept-ok
MPI_Comm get_comm(void) {
  static MPI_Comm own = MPI_COMM_NULL;
  if (own == MPI_COMM_NULL) MPI_Comm_dup(MPI_COMM_WORLD, &own);
  return own;
}
//// split-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &part);
  if (part != MPI_COMM_NULL) {
    MPI_Bcast(data, 1, MPI_DOUBLE, 0, part);
    MPI_Comm_free(&part);
  }
  MPI_Finalize();
}
//// leak-group
void report(int n) {
  MPI_Group all, some;
  int first = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_group(MPI_COMM_WORLD, &all); // WARN leak.group
  MPI_Group_incl(all, 1, &first, &some);
  MPI_Group_free(&some);
  if (n > 0) MPI_Group_free(&all); // NOTE
}
//// leak-group-ok
void report(int n) {
  MPI_Group all, some;
  int first = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &first, &some);
  if (n > 0) work(data);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
}
//// leak-file
int save(const char *name) {
  MPI_File f;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY, MPI_INFO_NULL, &f); // WARN leak.file
  if (data[0] == 0) // NOTE
    return 1;
  MPI_File_write_all(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  return 0;
}
//// leak-file-ok
int save(const char *name) {
  MPI_File f;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS) return 1;
  MPI_File_write_all(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  return 0;
}
//// closed
void save(MPI_File f) {
  MPI_File_write(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
  if (data[0] > 0) MPI_File_close(&f); // NOTE
  MPI_File_write(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE); // WARN handle.null
}
//// closed-ok
void save(MPI_File f) {
  MPI_File_write(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
  int done = data[0] > 0;
  if (done) MPI_File_close(&f);
  if (!done) MPI_File_write(f, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
}
//// loop-leak-ok
void shares(int n) {
  for (int i = 0; i < n; i++) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (data[i] <= 1) MPI_Bcast(data, n, MPI_DOUBLE, 0, copy);
    MPI_Comm_free(&copy);
  }
}
//// last-one-ok
static MPI_Comm last;
void renew(int n) {
  for (int i = 0; i < n; i++) {
    if (last != MPI_COMM_NULL) MPI_Comm_free(&last);
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
  }
}
//// window-freed
void update(int n) {
  MPI_Win win;
  MPI_Win_create(data, 800, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (n < 0) MPI_Win_free(&win); // NOTE
  MPI_Win_fence(0, win); // WARN handle.null
  MPI_Win_free(&win);
}
//// never-freed
int main(int argc, char **argv) {
  int rank;
  MPI_Comm half;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half); // WARN leak.comm
  MPI_Info_create(&info); // WARN leak.info
  MPI_Info_set(info, "no_locks", "true");
  if (half != MPI_COMM_NULL) MPI_Bcast(data, 1, MPI_DOUBLE, 0, half);
  MPI_Finalize();
}
//// never-freed-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Comm half;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  if (half != MPI_COMM_NULL) MPI_Bcast(data, 1, MPI_DOUBLE, 0, half);
  MPI_Info_free(&info);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &half);
  MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &half);
  if (half != MPI_COMM_NULL) printf("not null\n");
  MPI_Finalize();
}
//// operation-lost
static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  for (int i = 0; i < *n; i++) ((double *)inout)[i] += ((double *)in)[i];
}
double norm(int n) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op); // WARN leak.op
  if (n == 0) return 0; // NOTE
  MPI_Allreduce(MPI_IN_PLACE, data, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  return data[0];
}
//// operation-lost-ok
static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  for (int i = 0; i < *n; i++) ((double *)inout)[i] += ((double *)in)[i];
}
double norm(int n) {
  MPI_Op op;
  if (n == 0) return 0;
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(MPI_IN_PLACE, data, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  return data[0];
}
//// group-lost
void pick(int n, int *ranks, MPI_Comm *to) {
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all); // WARN leak.group
  MPI_Group_incl(all, n, ranks, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, to);
  MPI_Group_free(&some);
}
//// group-lost-ok
void pick(int n, int *ranks, MPI_Comm *to) {
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, n, ranks, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, to);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
}
//// split-left
static int sort(int key, int *place) {
  MPI_Comm sorted;
  MPI_Comm_split(MPI_COMM_WORLD, 0, key, &sorted); // WARN leak.comm
  MPI_Allreduce(&key, place, 1, MPI_INT, MPI_MIN, sorted);
  if (*place < 0) return -1; // NOTE
  MPI_Comm_free(&sorted);
  return 0;
}
int main(int argc, char **argv) {
  int place;
  MPI_Init(&argc, &argv);
  if (sort(argc, &place)) printf("%d\n", place);
  MPI_Finalize();
}
//// split-left-ok
static int sort(int key, int *place) {
  MPI_Comm sorted;
  MPI_Comm_split(MPI_COMM_WORLD, 0, key, &sorted);
  MPI_Allreduce(&key, place, 1, MPI_INT, MPI_MIN, sorted);
  MPI_Comm_free(&sorted);
  return *place < 0 ? -1 : 0;
}
int main(int argc, char **argv) {
  int place;
  MPI_Init(&argc, &argv);
  if (sort(argc, &place)) printf("%d\n", place);
  MPI_Finalize();
}
//// asked-when-freed
int count(int n) {
  MPI_Comm copy;
  int size;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (n > 3 && copy != MPI_COMM_NULL) MPI_Comm_free(&copy); // NOTE
  MPI_Comm_size(copy, &size);                               // WARN handle.null
  return size;
}
//// asked-when-freed-ok
int count(int n) {
  MPI_Comm copy;
  int size = 0, rank = 0;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_size(copy, &size);
  if (n > 3) MPI_Comm_free(&copy);
  if (copy != MPI_COMM_NULL) MPI_Comm_rank(copy, &rank);
  else MPI_Comm_get_name(copy, name, &n);
  if (n <= 3) MPI_Comm_free(&copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_rank(copy, &rank);
  MPI_Comm_free(&copy);
  return size + rank;
}
//// given-back-or-lost
static int rows(int rank, MPI_Comm *out) {
  MPI_Comm row;
  int size;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row); // WARN leak.comm
  MPI_Comm_size(row, &size);
  *out = MPI_COMM_NULL;
  if (size < 2) return 0; // NOTE
  *out = row;
  return 1;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Comm row;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rows(rank, &row)) MPI_Comm_free(&row);
  MPI_Finalize();
}
//// given-back-or-freed-ok
static int rows(int rank, MPI_Comm *out) {
  MPI_Comm row;
  int size;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_size(row, &size);
  *out = MPI_COMM_NULL;
  if (size < 2) {
    MPI_Comm_free(&row);
    return 0;
  }
  *out = row;
  return 1;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Comm row;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rows(rank, &row)) MPI_Comm_free(&row);
  MPI_Finalize();
}
//// own-or-world-ok
int main(int argc, char **argv) {
  int rank, is_own = argc > 1;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  if (is_own) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  MPI_Finalize();
}
//// own-or-world-flag-ok
static int choose(const char *name, MPI_Comm *out) {
  if (!name) {
    *out = MPI_COMM_WORLD;
    return 0;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, out);
  return 1;
}
int main(int argc, char **argv) {
  int rank, is_own;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  is_own = choose(getenv("OWN"), &comm);
  MPI_Comm_rank(comm, &rank);
  if (is_own) MPI_Comm_free(&comm);
  MPI_Finalize();
}
//// made-in-turns-ok
int main(int argc, char **argv) {
  MPI_Comm comm = MPI_COMM_WORLD, next;
  int size = 0;
  MPI_Init(&argc, &argv);
  for (int level = 0; level < 3; level++) {
    MPI_Comm_dup(comm, &next);
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
    comm = next;
    MPI_Comm_size(comm, &size);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return size > 100;
}
//// type-of-two-ok
int main(int argc, char **argv) {
  double a[64] = {0};
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  if (argc > 1) MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &type);
  else MPI_Type_contiguous(8, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(a, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// freed-in-the-turn-before
int main(int argc, char **argv) {
  int rank, size;
  double a[100] = {0};
  MPI_Datatype block;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_vector(2, 1, 4, MPI_DOUBLE, &block);
  MPI_Type_commit(&block);
  for (int s = 0; s < size; s++) {
    MPI_Sendrecv(a, 1, block, (rank + s) % size, 0, a + 10, 1, block, (rank + size - s) % size, 0, // WARN handle.null
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&block); // NOTE
  }
  MPI_Finalize();
}
//// made-anew-in-each-turn-ok
int main(int argc, char **argv) {
  int rank, size;
  double a[100] = {0};
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int s = 0; s < size; s++) {
    MPI_Type_vector(2, 1, 4, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    MPI_Sendrecv(a, 1, block, (rank + s) % size, 0, a + 10, 1, block, (rank + size - s) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&block);
  }
  MPI_Finalize();
}
//// freed-in-each-turn
int main(int argc, char **argv) {
  MPI_Datatype block;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_INT, &block);
  MPI_Type_commit(&block);
  for (int s = 0; s < 3; s++) MPI_Type_free(&block); // WARN handle.null
  MPI_Finalize();
}
//// view-of-a-type-that-is-not-committed
int main(int argc, char **argv) {
  int sizes[2] = {4, 4}, parts[2] = {4, 2}, starts[2] = {0, 2};
  MPI_Datatype view;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &view); // NOTE
  MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL); // WARN datatype.uncommitted
  MPI_File_close(&file);
  MPI_Type_free(&view);
  MPI_Finalize();
}
//// view-of-a-committed-type-ok
int main(int argc, char **argv) {
  int sizes[2] = {4, 4}, parts[2] = {4, 2}, starts[2] = {0, 2};
  MPI_Datatype view;
  MPI_File file;
  MPI_Aint extent;
  MPI_Init(&argc, &argv);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &view);
  MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_get_type_extent(file, view, &extent);
  MPI_Type_commit(&view);
  MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
  MPI_File_close(&file);
  MPI_Type_free(&view);
  MPI_Finalize();
}
//// variable-gets-another-one-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Datatype last = MPI_DATATYPE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int s = 0; s < 5; s++) {
    if (s % 2 == 0) {
      MPI_Type_contiguous(s + 1, MPI_INT, &last);
      MPI_Type_commit(&last);
    }
    MPI_Bcast(argv, s % 2, s % 2 ? MPI_BYTE : last, 0, MPI_COMM_WORLD);
    if (s % 2 == 0) MPI_Type_free(&last);
    last = MPI_INT;
    MPI_Bcast(&rank, 1, last, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// levels-of-teams-ok
struct level {
  MPI_Comm comm;
  int cells;
};
static void enter(struct level *l, int depth) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 4 - depth ? 0 : MPI_UNDEFINED, rank, &l->comm);
  l->cells = read_input() >> depth;
}
static void leave(struct level *l) {
  if (l->comm != MPI_COMM_NULL) MPI_Comm_free(&l->comm);
}
static int count(const struct level *l) {
  int mine = l->cells, all;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, l->comm);
  return all;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int depth = 0; depth < 3; depth++) {
    struct level l;
    enter(&l, depth);
    if (l.comm == MPI_COMM_NULL) continue;
    if (count(&l) == 0) {
      leave(&l);
      continue;
    }
    leave(&l);
  }
  MPI_Finalize();
}
//// levels-of-teams
struct level {
  MPI_Comm comm;
  int cells;
};
static void enter(struct level *l, int depth) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 4 - depth ? 0 : MPI_UNDEFINED, rank, &l->comm); // WARN leak.comm
  l->cells = read_input() >> depth;
}
static void leave(struct level *l) {
  if (l->comm != MPI_COMM_NULL) MPI_Comm_free(&l->comm);
}
static int count(const struct level *l) {
  int mine = l->cells, all;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, l->comm);
  return all;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int depth = 0; depth < 3; depth++) {
    struct level l;
    enter(&l, depth);
    if (l.comm == MPI_COMM_NULL) continue;
    if (count(&l) == 0) {
      continue;
    }
    leave(&l);
  }
  MPI_Finalize();
}
