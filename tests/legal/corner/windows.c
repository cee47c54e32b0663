// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows and one-sided operations: MPI-3.1 11.2, 11.3.
#include "corner.h"

static MPI_Win window_of(void *base, MPI_Aint bytes, int unit) {
  MPI_Win window;
  MPI_Win_create(base, bytes, unit, MPI_INFO_NULL, comm, &window);
  return window;
}

static void of_nothing(void) {
  MPI_Win window = window_of(NULL, 0, 1);
  MPI_Win_fence(0, window);
  MPI_Put(NULL, 0, MPI_INT, right, 0, 0, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  IS(window == MPI_WIN_NULL);
}

static void one_has_it(void) {  // sizes and units differ from rank to rank
  long long data[2] = {5, 6};
  int got = -1;
  MPI_Win window = window_of(rank == 1 ? data : NULL, rank == 1 ? sizeof data : 0, rank == 1 ? 8 : 1);
  MPI_Win_fence(0, window);
  MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  IS(got == 6);
  MPI_Win_free(&window);
}

static void with_nobody(void) {
  int x = 3, y = 4;
  MPI_Win window = window_of(NULL, 0, 1);
  MPI_Request request[2];
  MPI_Win_fence(0, window);
  MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 1000, 1, MPI_INT, window);
  MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
  MPI_Accumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Fetch_and_op(&x, &y, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, window);
  MPI_Compare_and_swap(NULL, NULL, NULL, MPI_INT, MPI_PROC_NULL, 0, window);
  MPI_Win_fence(0, window);
  IS(x == 3 && y == 4);
  MPI_Win_lock_all(0, window);
  MPI_Rput(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window, &request[0]);
  MPI_Rget(&y, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(window);
  IS(y == 4);
  MPI_Win_free(&window);
}

static void properties(void) {
  int data[4], flag, *unit, *flavor, *model;
  void *base;
  MPI_Aint *bytes;
  MPI_Win window = window_of(data, sizeof data, 4);
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  IS(flag && base == data);
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
  MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &flag);
  IS(flag && *bytes == sizeof data && *unit == 4);
  MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &flag);
  IS(*flavor == MPI_WIN_FLAVOR_CREATE && (*model == MPI_WIN_UNIFIED || *model == MPI_WIN_SEPARATE));
  MPI_Win_free(&window);
}

static int deleted;
static int count_delete(MPI_Win w, int key, void *value, void *extra) {
  (void)w, (void)key, (void)value, (void)extra;
  return deleted++, MPI_SUCCESS;
}

static void own_attribute(void) {
  int key;
  MPI_Win window = window_of(NULL, 0, 1);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, count_delete, &key, NULL);
  MPI_Win_set_attr(window, key, &key);
  MPI_Win_free_keyval(&key);
  deleted = 0;
  MPI_Win_free(&window);
  IS(deleted == 1);
}

static void group_of(void) {
  MPI_Win window = window_of(NULL, 0, 1);
  MPI_Group group, other;
  int result;
  MPI_Win_get_group(window, &group);
  MPI_Win_free(&window);
  MPI_Comm_group(comm, &other);
  MPI_Group_compare(group, other, &result);
  IS(result == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&other);
}

static void named(void) {
  MPI_Win window = window_of(NULL, 0, 1);
  MPI_Info info;
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Win_set_name(window, "halo");
  MPI_Win_get_name(window, name, &length);
  MPI_Win_get_info(window, &info);
  MPI_Win_set_info(window, info);
  MPI_Info_free(&info);
  IS(!strcmp(name, "halo") && MPI_Win_f2c(MPI_Win_c2f(window)) == window);
  MPI_Win_free(&window);
}

static void comm_freed(void) {  // a window keeps what it needs of its communicator
  MPI_Comm copy;
  MPI_Win window;
  int data = -1;
  MPI_Comm_dup(comm, &copy);
  MPI_Win_create(&data, 4, 4, MPI_INFO_NULL, copy, &window);
  MPI_Comm_free(&copy);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  IS(data == left);
  MPI_Win_free(&window);
}

static void same_memory(void) {  // two windows of one array, not used at the same time
  int data[2] = {-1, -1};
  MPI_Win a = window_of(data, sizeof data, 4), b = window_of(data, sizeof data, 4);
  MPI_Win_fence(0, a);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, a);
  MPI_Win_fence(0, a);
  IS(data[0] == left);
  MPI_Win_fence(0, b);
  MPI_Put(&size, 1, MPI_INT, right, 0, 1, MPI_INT, b);
  MPI_Win_fence(0, b);
  IS(data[0] == size);
  MPI_Win_free(&a);
  data[0] = 0;
  MPI_Win_free(&b);
}

static void type_freed(void) {
  int data[4] = {0}, out[2] = {rank, 8};
  MPI_Datatype type;
  MPI_Win window = window_of(data, sizeof data, 4);
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win_fence(0, window);
  MPI_Put(out, 2, MPI_INT, right, 0, 1, type, window);
  MPI_Type_free(&type);
  MPI_Win_fence(0, window);
  IS(data[0] == left && data[1] == 0 && data[3] == 8);
  MPI_Win_free(&window);
}

static void allocated(void) {
  int *data = NULL, *nothing = NULL;
  MPI_Win window, empty;
  MPI_Win_allocate(rank ? 8 : 0, 4, MPI_INFO_NULL, comm, &data, &window);
  MPI_Win_allocate(0, 1, MPI_INFO_NULL, comm, &nothing, &empty);
  MPI_Win_fence(0, window);
  if (rank) data[0] = rank;
  MPI_Win_fence(0, window);
  IS(rank == 0 || data[0] == rank);
  MPI_Win_free(&empty);
  MPI_Win_free(&window);
}

static void memory_freed_after(void) {
  int *data;
  MPI_Alloc_mem(8, MPI_INFO_NULL, &data);
  data[0] = data[1] = 0;
  MPI_Win window = window_of(data, 8, 4);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, rank, 1, 1, MPI_INT, window);  // to oneself
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  IS(data[1] == rank);
  MPI_Free_mem(data);
}

static void dynamic(void) {
  int data[2] = {-1, -1};
  MPI_Aint mine, theirs;
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
  MPI_Win_attach(window, data, sizeof data);
  MPI_Get_address(&data[1], &mine);
  MPI_Sendrecv(&mine, 1, MPI_AINT, left, 1, &theirs, 1, MPI_AINT, right, 1, comm, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, right, theirs, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  IS(data[0] == -1 && data[1] == left);
  MPI_Win_detach(window, data);
  data[1] = 0;
  MPI_Win_free(&window);
}

static void shared(void) {  // MPI_PROC_NULL asks for the first one that has any
  MPI_Comm node;
  MPI_Win window;
  int *mine, *first, me, unit;
  MPI_Aint bytes;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &me);
  MPI_Win_allocate_shared(me == 0 ? 0 : 4, 4, MPI_INFO_NULL, node, &mine, &window);
  MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &first);
  IS(bytes == 4 && unit == 4 && (me != 1 || first == mine));
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (me == 1) *mine = 77;
  MPI_Win_sync(window);
  MPI_Barrier(node);
  MPI_Win_sync(window);
  IS(*first == 77);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
}

static void alone(void) {
  int *data, one = 1;
  MPI_Win window;
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_SELF, &data, &window);
  *data = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  for (int i = 0; i < 3; i++) MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  IS(*data == 3);
  MPI_Win_free(&window);
}

static void without_origin(void) {  // MPI_NO_OP takes nothing from the origin
  int data = 40 + rank, old[2] = {-1, -1};
  MPI_Win window = window_of(&data, 4, 4);
  MPI_Win_lock_all(0, window);
  MPI_Get_accumulate(NULL, 0, MPI_INT, &old[0], 1, MPI_INT, right, 0, 1, MPI_INT, MPI_NO_OP, window);
  MPI_Fetch_and_op(NULL, &old[1], MPI_INT, right, 0, MPI_NO_OP, window);
  MPI_Win_flush(right, window);
  IS(old[0] == 40 + right && old[1] == 40 + right);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

TABLE(windows) = {
    {"11.2.1", "a window of nothing, and operations of nothing on it", of_nothing},
    {"11.2.1", "each rank has its own size and unit", one_has_it},
    {"11.3", "operations with MPI_PROC_NULL, at any place", with_nobody},
    {"11.2.6", "what MPI knows of a window", properties},
    {"6.7.3", "an attribute of a window whose key is freed first", own_attribute},
    {"11.2.6", "a window's group outlives it", group_of},
    {"11.2.7", "name, hints and handle of a window", named},
    {"11.2.1", "a window outlives its communicator", comm_freed},
    {"11.2.1", "two windows of the same memory, in turn", same_memory},
    {"4.1.9", "a target type is freed before the operation is complete", type_freed},
    {"11.2.2", "windows that allocate nothing on some ranks or all", allocated},
    {"11.2.1", "memory of MPI_Alloc_mem below a window", memory_freed_after},
    {"11.2.4", "memory attached and detached", dynamic},
    {"11.2.3", "MPI_PROC_NULL asks for the first shared segment", shared},
    {"11.5.3", "a window of one process", alone},
    {"11.3.4", "MPI_NO_OP needs no origin", without_origin},
    END};
