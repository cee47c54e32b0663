// RUN: %mpicc-check -O1 %s -o %t
// RUN: %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made and freed again leaves no memory behind, measured as resident pages: the private ones (RssAnon) do not grow.
// The log, a shared mapping of a file (RssShmem, RssFile), grows by design: here by no more than the events' 32 bytes each.
// A leak grows in both halves of the rounds. What is allocated once, such as an arena, grows in one half only.
// CHECK-NOT: grew
// CHECK: flat
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Group all;
static const char *path;

static long resident(const char *kind) {  // kB
  char line[200];
  long kb = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, kind, strlen(kind))) kb = atol(line + strlen(kind) + 1);
  if (f) fclose(f);
  return kb;
}

static void nonblocking(void) {
  int x = 0, y;
  MPI_Request r[2];
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
  int x = 0, y;
  MPI_Request r[2];
  MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
  MPI_Send_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
  MPI_Startall(2, r);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
}

static void cancelled(void) {
  int y;
  MPI_Request r;
  MPI_Irecv(&y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void collective(void) {
  int x = 0, y;
  MPI_Request r;
  MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int query(void *s, MPI_Status *st) {
  return (void)s, MPI_Status_set_elements(st, MPI_INT, 0), MPI_Status_set_cancelled(st, 0);
}
static int release(void *s) { return (void)s, MPI_SUCCESS; }
static int cancel(void *s, int done) { return (void)s, (void)done, MPI_SUCCESS; }
static void generalized(void) {
  MPI_Request r;
  MPI_Grequest_start(query, release, cancel, NULL, &r);
  MPI_Grequest_complete(r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void matched(void) {
  int x = 0, y;
  MPI_Request r;
  MPI_Message m;
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
  MPI_Mprobe(0, 0, MPI_COMM_SELF, &m, MPI_STATUS_IGNORE);
  MPI_Mrecv(&y, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void types(void) {
  int sizes[2] = {4, 4}, part[2] = {2, 2}, start[2] = {1, 1}, lengths[2] = {1, 2}, x[64] = {0}, y[64];
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype basic[2] = {MPI_INT, MPI_DOUBLE}, t[6];
  MPI_Type_vector(3, 1, 2, MPI_INT, &t[0]);
  MPI_Type_create_struct(2, lengths, at, basic, &t[1]);
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &t[2]);
  MPI_Type_create_resized(t[0], 0, 64, &t[3]);
  MPI_Type_dup(t[1], &t[4]);
  MPI_Type_contiguous(2, t[3], &t[5]);
  MPI_Type_commit(&t[2]);
  MPI_Sendrecv(x, 1, t[2], 0, 0, y, 1, t[2], 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; i++) MPI_Type_free(&t[i]);
}

static void groups(void) {
  int first = 0, range[1][3] = {{0, 0, 1}};
  MPI_Group g[5];
  MPI_Group_incl(all, 1, &first, &g[0]);
  MPI_Group_range_incl(all, 1, range, &g[1]);
  MPI_Group_union(g[0], all, &g[2]);
  MPI_Group_difference(all, all, &g[3]);
  MPI_Comm_group(MPI_COMM_SELF, &g[4]);
  for (int i = 0; i < 5; i++) MPI_Group_free(&g[i]);
}

static void settings(void) {
  MPI_Info info, copy;
  MPI_Errhandler handler;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mck_key", "value");
  MPI_Info_dup(info, &copy);
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  MPI_Errhandler_free(&handler);
}

static void ignore(MPI_Comm *c, int *code, ...) { (void)c, (void)code; }
static void handlers(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Errhandler_free(&handler);
}

static void add(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }
static void operations(void) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Op_free(&op);
}

static void keys(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
}

static void memory(void) {
  void *m;
  MPI_Alloc_mem(100, MPI_INFO_NULL, &m);
  MPI_Free_mem(m);
}

static void comms(void) {
  MPI_Comm c, d;
  MPI_Comm_dup(MPI_COMM_SELF, &c);
  MPI_Comm_split(c, 0, 0, &d);
  MPI_Barrier(d);
  MPI_Comm_free(&d);
  MPI_Comm_free(&c);
}

static void windows(void) {
  int *base;
  MPI_Win w;
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
}

static void files(void) {
  MPI_File f;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_write_at(f, 0, path, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
}

// Units of 32 bytes that a round may leave in the log: its events, and what they define.
static const struct kind {
  const char *name;
  void (*make)(void);
  int warm, rounds, units;
} kinds[] = {{"nonblocking requests", nonblocking, 5000, 100000, 3},
             {"persistent requests", persistent, 5000, 100000, 3},
             {"cancelled receives", cancelled, 5000, 100000, 2},
             {"nonblocking collectives", collective, 5000, 100000, 2},
             {"generalized requests", generalized, 5000, 100000, 0},
             {"matched messages", matched, 5000, 100000, 4},
             {"datatypes", types, 5000, 100000, 2},
             {"groups", groups, 5000, 100000, 0},
             {"infos and references to error handlers", settings, 5000, 100000, 0},
             {"error handlers", handlers, 5000, 100000, 0},
             {"operations", operations, 5000, 100000, 0},
             {"keys and attributes", keys, 5000, 100000, 0},
             {"memory", memory, 5000, 100000, 0},
             {"communicators", comms, 500, 10000, 12},
             {"windows", windows, 100, 2000, 12},
             {"files", files, 100, 500, 12}};

static long logged(void) { return resident("RssShmem:") + resident("RssFile:"); }

// Runs half of the rounds. Returns whether the memory or the log has grown beyond its limit.
static int grows(const struct kind *kind, const char *half) {
  int rounds = kind->rounds / 2;
  long most = 256 + (long)kind->units * rounds / 32, memory = resident("RssAnon:"), log = logged();
  for (int i = 0; i < rounds; i++) kind->make();
  memory = resident("RssAnon:") - memory;
  log = logged() - log;
  if (memory <= 64 && log <= most) return 0;
  printf("%s half: %ld kB more, the log %ld of at most %ld kB: %d rounds of %s\n", half, memory, log, most, rounds,
         kind->name);
  return 1;
}

int main(int argc, char **argv) {
  int is_flat = 1;
  MPI_Init(&argc, &argv);
  path = argv[argc - 1];
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (int i = 0; i < kinds[k].warm; i++) kinds[k].make();
    int in_first = grows(&kinds[k], "first"), in_second = grows(&kinds[k], "second");
    if (!in_first || !in_second) continue;
    is_flat = 0;
    printf("grew in both halves: %s\n", kinds[k].name);
  }
  if (is_flat) printf("flat\n");
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
