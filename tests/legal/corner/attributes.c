// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and their callbacks: MPI-3.1 6.7, 8.1.2, 8.7.1.
#include "corner.h"

static int deleted, copied, at_end;

static int count_copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
  (void)c, (void)key;
  *(void **)out = in;
  *flag = extra != NULL;  // without extra state: not copied
  copied++;
  return MPI_SUCCESS;
}

static int count_delete(MPI_Comm c, int key, void *value, void *extra) {
  (void)c, (void)key, (void)value, (void)extra;
  deleted++;
  return MPI_SUCCESS;
}

static int count_type_delete(MPI_Datatype t, int key, void *value, void *extra) {
  (void)t, (void)key, (void)value, (void)extra;
  deleted++;
  return MPI_SUCCESS;
}

static void *attribute(MPI_Comm c, int key, int *is_there) {
  void *value = NULL;
  MPI_Comm_get_attr(c, key, &value, is_there);
  return value;
}

static void not_copied(void) {
  int key, flag;
  MPI_Comm a, b;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, NULL);
  MPI_Comm_dup(comm, &a);
  MPI_Comm_set_attr(a, key, &key);
  copied = deleted = 0;
  MPI_Comm_dup(a, &b);
  attribute(b, key, &flag);
  IS(copied == 1 && !flag);
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
  IS(deleted == 1);
  MPI_Comm_free_keyval(&key);
  IS(key == MPI_KEYVAL_INVALID);
}

static void copied_value(void) {
  int key, flag;
  MPI_Comm a, b;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, &key);
  MPI_Comm_dup(comm, &a);
  MPI_Comm_set_attr(a, key, NULL);  // NULL is a value
  MPI_Comm_dup(a, &b);
  deleted = 0;
  IS(attribute(b, key, &flag) == NULL && flag);
  MPI_Comm_free(&b);
  MPI_Comm_free(&a);
  IS(deleted == 2);
  MPI_Comm_free_keyval(&key);
}

static void predefined_callbacks(void) {
  int keep, drop, flag;
  MPI_Comm a, b;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keep, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &drop, NULL);
  MPI_Comm_dup(comm, &a);
  MPI_Comm_set_attr(a, keep, &keep);
  MPI_Comm_set_attr(a, drop, &drop);
  MPI_Comm_dup(a, &b);
  attribute(b, drop, &flag);
  IS(!flag);
  IS(attribute(b, keep, &flag) == &keep && flag);
  MPI_Comm_free_keyval(&keep);
  MPI_Comm_free_keyval(&drop);
  MPI_Comm_free(&b);
  MPI_Comm_free(&a);
}

static void key_freed_first(void) {
  int key, saved, flag;
  MPI_Comm a;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, NULL);
  saved = key;
  MPI_Comm_dup(comm, &a);
  MPI_Comm_set_attr(a, key, &deleted);
  MPI_Comm_free_keyval(&key);
  IS(attribute(a, saved, &flag) == &deleted && flag);  // it lives until its last attribute goes
  deleted = 0;
  MPI_Comm_free(&a);
  IS(deleted == 1);
}

static void replaced(void) {
  int key, flag;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, NULL);
  deleted = 0;
  MPI_Comm_set_attr(comm, key, &key);
  MPI_Comm_set_attr(comm, key, &flag);
  IS(deleted == 1 && attribute(comm, key, &flag) == &flag);
  MPI_Comm_delete_attr(comm, key);
  attribute(comm, key, &flag);
  IS(deleted == 2 && !flag);
  MPI_Comm_free_keyval(&key);
}

static int free_cached(MPI_Comm c, int key, void *value, void *extra) {
  (void)c, (void)key, (void)extra;
  deleted++;
  return MPI_Comm_free(value);
}

static void nested(void) {
  int key;
  MPI_Comm outer, inner;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_cached, &key, NULL);
  MPI_Comm_dup(comm, &outer);
  MPI_Comm_dup(comm, &inner);
  MPI_Comm_set_attr(outer, key, &inner);
  MPI_Comm_free_keyval(&key);
  deleted = 0;
  MPI_Comm_free(&outer);
  IS(deleted == 1 && inner == MPI_COMM_NULL);
}

static void of_types(void) {
  int key, flag = 0;
  void *value = NULL;
  MPI_Datatype type, copy;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, count_type_delete, &key, NULL);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_attr(type, key, &key);
  MPI_Type_dup(type, &copy);
  MPI_Type_get_attr(copy, key, &value, &flag);
  IS(flag && value == &key);
  deleted = 0;
  MPI_Type_free(&type), MPI_Type_free(&copy);
  IS(deleted == 2);
  MPI_Type_free_keyval(&key);
}

static void of_a_predefined_type(void) {
  int key, flag = 1;
  void *value;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Type_get_attr(MPI_INT, key, &value, &flag);
  IS(!flag);
  MPI_Type_set_attr(MPI_INT, key, &key);
  MPI_Type_get_attr(MPI_INT, key, &value, &flag);
  IS(flag && value == &key);
  MPI_Type_delete_attr(MPI_INT, key);
  MPI_Type_free_keyval(&key);
}

static void world_s(void) {
  int flag, *value = attribute(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &flag);
  IS(flag && (*value == 0 || *value == 1));
  value = attribute(MPI_COMM_WORLD, MPI_TAG_UB, &flag);
  IS(flag && *value >= 32767);
  attribute(MPI_COMM_WORLD, MPI_IO, &flag);
  IS(flag);
  value = attribute(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &flag);
  IS(flag && *value >= MPI_ERR_LASTCODE);
  attribute(MPI_COMM_WORLD, MPI_APPNUM, &flag);        // may be absent
  attribute(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &flag);  // likewise
}

static void key_given_again(void) {  // the number of a freed key may come back
  int key, flag;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_free_keyval(&key);
  for (int i = 0; i < 3; i++) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &i);
    IS(attribute(MPI_COMM_SELF, key, &flag) == &i && flag);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    MPI_Comm_free_keyval(&key);
  }
}

// 8.7.1: attributes of MPI_COMM_SELF are deleted first in MPI_Finalize, last set first, while MPI still works.
static MPI_Comm left_comm;
static MPI_Datatype left_type;
static MPI_Info left_info;
static MPI_Request left_request;
static MPI_Op left_op;
static MPI_Group left_group;
static int left_key, order[3];
static void unused(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }

static int free_all(MPI_Comm c, int key, void *value, void *extra) {
  (void)key, (void)extra;
  int initialized = 0, finalized = 1, self = 0;
  MPI_Initialized(&initialized), MPI_Finalized(&finalized);
  MPI_Comm_size(c, &self);
  if (initialized && !finalized && self == 1) order[at_end++ % 3] = *(int *)value;
  if (*(int *)value != 1) return MPI_SUCCESS;
  MPI_Comm_free(&left_comm);
  MPI_Type_free(&left_type);
  MPI_Info_free(&left_info);
  MPI_Request_free(&left_request);
  MPI_Op_free(&left_op);
  MPI_Comm_free_keyval(&left_key);
  return MPI_Group_free(&left_group);
}

void leave_for_finalize(void) {
  static int numbers[3] = {1, 2, 3};
  int key[3];
  for (int i = 0; i < 3; i++) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_all, &key[i], NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key[i], &numbers[i]);
    MPI_Comm_free_keyval(&key[i]);
  }
  MPI_Comm_dup(MPI_COMM_SELF, &left_comm);
  MPI_Type_contiguous(2, MPI_INT, &left_type);
  MPI_Info_create(&left_info);
  MPI_Send_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, left_comm, &left_request);
  MPI_Op_create(unused, 1, &left_op);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &left_key, NULL);
  MPI_Comm_group(comm, &left_group);
}

static void freed_at_the_end(void) {
  IS(at_end == 3 && left_comm == MPI_COMM_NULL && left_type == MPI_DATATYPE_NULL && left_group == MPI_GROUP_NULL);
}
static void last_first(void) { IS(order[0] == 3 && order[1] == 2 && order[2] == 1); }
static void is_initialized(void) {
  int flag = 0;
  MPI_Initialized(&flag);
  IS(flag);
}
static void is_finalized(void) {
  int flag = 0, major, minor;
  MPI_Finalized(&flag);
  MPI_Get_version(&major, &minor);
  IS(flag && major >= 3);
}

TABLE(after_finalize) = {
    {"8.7.1", "callbacks of MPI_COMM_SELF free what was left, in MPI_Finalize", freed_at_the_end},
    {"8.7.1", "the attributes of MPI_COMM_SELF are deleted last first", last_first},
    {"8.7", "MPI_Initialized stays true", is_initialized},
    {"8.7", "MPI_Finalized and MPI_Get_version after MPI_Finalize", is_finalized},
    END};

TABLE(attributes) = {
    {"6.7.2", "a callback that refuses to copy", not_copied},
    {"6.7.2", "a value of NULL is a value", copied_value},
    {"6.7.2", "MPI_COMM_DUP_FN and MPI_COMM_NULL_COPY_FN", predefined_callbacks},
    {"6.7.2", "a key is freed before its attributes", key_freed_first},
    {"6.7.2", "setting again deletes the old value", replaced},
    {"6.7.2", "a callback frees another communicator", nested},
    {"6.7.4", "attributes of types go with their copies", of_types},
    {"6.7.4", "attributes of predefined types", of_a_predefined_type},
    {"8.1.2", "attributes that MPI_COMM_WORLD has", world_s},
    {"6.7.2", "a key's number comes back", key_given_again},
    END};
