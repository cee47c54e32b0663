// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: objects of all kinds, made, got, shared, freed in use, and left to MPI where that is right.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static MPI_Group kept_group;
static MPI_Info kept_info;

static void handle_error(MPI_Comm *c, int *code, ...) { (void)c, (void)code; }
static int free_kept(MPI_Comm c, int key, void *value, void *extra) {   // 8.7.1: frees in MPI_Finalize, and makes something of its own
  MPI_Datatype type;
  (void)c, (void)key, (void)value, (void)extra;
  MPI_Type_contiguous(2, MPI_INT, &type), MPI_Type_free(&type);
  MPI_Info_free(&kept_info);
  return MPI_Group_free(&kept_group);
}

static void groups(void) {   // 6.3.2
  MPI_Group all, again, none, other = MPI_GROUP_EMPTY;
  MPI_Comm_group(MPI_COMM_WORLD, &all), MPI_Comm_group(MPI_COMM_WORLD, &again);
  MPI_Group_free(&again);
  MPI_Group_size(all, &size);          // one reference is left
  MPI_Group_difference(all, all, &none);
  MPI_Group_union(none, other, &again);
  MPI_Group_free(&none), MPI_Group_free(&again), MPI_Group_free(&all);
  MPI_Comm_group(MPI_COMM_WORLD, &kept_group);
}

static void handlers(void) {   // 8.3.4
  MPI_Errhandler made, got, twice;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);      // predefined: may be freed, and need not
  MPI_Errhandler_free(&got);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, got);
  MPI_Comm_create_errhandler(handle_error, &made);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
  MPI_Errhandler_free(&made);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got), MPI_Comm_get_errhandler(MPI_COMM_SELF, &twice);
  MPI_Errhandler_free(&got);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, twice);
  MPI_Errhandler_free(&twice);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  PMPI_Comm_create_errhandler(handle_error, &made);   // not seen, and first known when it is got
  MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
  MPI_Errhandler_free(&got), MPI_Errhandler_free(&made);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);       // 13.7: the default of all files
  MPI_File_set_errhandler(MPI_FILE_NULL, got);
}

static void types(void) {
  int n[4], x[8] = {0}, y[8], peer = 1 - rank;
  MPI_Aint a[1];
  MPI_Datatype pair, copy, inner[1], f90, same;
  MPI_Request request[2];
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  MPI_Isend(x, 1, pair, peer, 0, MPI_COMM_WORLD, &request[0]), MPI_Irecv(y, 1, pair, peer, 0, MPI_COMM_WORLD, &request[1]);
  MPI_Type_dup(pair, &copy);
  MPI_Type_free(&pair);                               // 4.1.9: in use
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Type_get_contents(copy, 0, 0, 1, n, a, inner);  // 4.1.13
  MPI_Type_free(&copy), MPI_Type_free(&inner[0]);
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &f90), MPI_Type_create_f90_real(6, MPI_UNDEFINED, &same);   // 17.1.9: not to be freed
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &same);
  MPI_Type_contiguous(2, f90, &pair);
  MPI_Type_get_contents(pair, 1, 0, 1, n, a, inner);  // predefined
  MPI_Type_free(&pair);
  pair = MPI_Type_f2c(MPI_Type_c2f(MPI_INT));
  MPI_Type_size(pair, n);
}

static void keys(void) {   // 6.7.2: a key that is freed lives on in its attributes
  int key, saved, flag;
  void *value;
  MPI_Comm c, d;
  MPI_Comm_dup(MPI_COMM_SELF, &c);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(c, key, &flag);
  saved = key;
  MPI_Comm_free_keyval(&key);
  MPI_Comm_dup(c, &d);
  MPI_Comm_get_attr(d, saved, &value, &flag);
  MPI_Comm_delete_attr(c, saved);
  MPI_Comm_free(&c), MPI_Comm_free(&d);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
}

static void requests(void) {
  int x = 1, y[3], flag, peer = 1 - rank;
  MPI_Message message;
  MPI_Status status;
  MPI_Request r[4], copy;
  MPI_Irecv(&y[0], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[0]);
  copy = r[0];
  MPI_Irecv(&y[1], 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &r[0]);   // the first one is completed through its copy
  MPI_Send(&x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD), MPI_Send(&x, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
  MPI_Wait(&copy, &status), MPI_Wait(&r[0], &status);
  MPI_Request_get_status(r[0], &flag, &status);                    // 3.7.6: null
  MPI_Irecv(&y[0], 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Cancel(&r[0]), MPI_Request_free(&r[0]);                      // 3.8.4
  MPI_Recv_init(&y[0], 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &r[0]), MPI_Send_init(&x, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &r[2]);
  for (int i = 0; i < 3; i++) MPI_Startall(3, r), MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  r[3] = r[2];
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE), MPI_Wait(&r[2], &status);   // 3.7.5: inactive
  MPI_Request_free(&r[0]), MPI_Request_free(&r[1]), MPI_Request_free(&r[2]);
  MPI_Isend(&x, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &r[0]), MPI_Request_free(&r[0]);   // 3.7.3: usual
  MPI_Recv(&y[0], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &status);
  for (int i = 0; i < 3; i++) MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &r[0]), MPI_Wait(&r[0], &status);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);    // 3.8.2
  MPI_Mrecv(&y[0], 1, MPI_INT, &message, &status);
}

static void rest(void) {
  static char buffer[1000];
  char *memory, *nothing;
  int value[2] = {0, 0};
  MPI_Info info;
  MPI_Comm c, parent;
  MPI_Win win;
  MPI_Group group;
  MPI_Request r;
  MPI_Comm_get_parent(&parent);                        // 10.3.2: null
  MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 0, &c);
  if (c != MPI_COMM_NULL) MPI_Comm_free(&c);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &c);
  MPI_Ibarrier(c, &r), MPI_Comm_free(&c);              // 6.4.3: in use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_idup(MPI_COMM_WORLD, &c, &r), MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_Comm_free(&c);
  MPI_Win_create(value, sizeof value, sizeof value[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_group(win, &group), MPI_Group_free(&group);   // 11.2.6
  MPI_Win_get_info(win, &info), MPI_Info_free(&info);       // 11.2.7
  MPI_Win_lock_all(0, win);
  MPI_Rput(&rank, 1, MPI_INT, rank, 1, 1, MPI_INT, win, &r), MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win), MPI_Win_free(&win);
  MPI_Alloc_mem(100, MPI_INFO_NULL, &memory), MPI_Alloc_mem(0, MPI_INFO_NULL, &nothing);
  MPI_Free_mem(memory), MPI_Free_mem(nothing);
  MPI_Info_create(&info), MPI_Info_dup(info, &kept_info), MPI_Info_free(&info);
  MPI_Buffer_attach(buffer, sizeof buffer);            // 8.7: MPI_Finalize detaches it
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  groups(), handlers(), types(), keys(), requests(), rest();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n"), fflush(stdout);
  MPI_Finalize();
  return 0;
}
