// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tables share, and the kinds that need no more than existence: groups and operations.
#include "object/table.h"

struct mck_log *mck_object_log;
static struct mck_plain *groups, *ops;

void mck_comm_visit(void (*visit)(enum mck_object_kind, const struct mck_object *));
void mck_type_visit(void (*visit)(enum mck_object_kind, const struct mck_object *));
void mck_window_visit(void (*visit)(enum mck_object_kind, const struct mck_object *));
void mck_comm_forget_freed(void);
void mck_type_forget_freed(void);
void mck_window_forget_freed(void);

// A new life for an entry, whether its handle value is new or was used before. The id is given when it is defined.
void mck_object_start(struct mck_object *object, uint64_t handle, uint16_t fn, uint32_t site) {
  *object = (struct mck_object){.handle = handle, .id = MCK_NONE, .site = site, .free_site = MCK_NONE, .fn = fn};
}

static struct mck_plain *find(struct mck_plain *head, uint64_t handle) {
  struct mck_plain *p;
  TABLE_FIND(head, object.handle, handle, p);
  return p;
}

static void add(struct mck_plain **head, uint64_t handle, uint16_t fn, uint32_t site) {
  struct mck_plain *p = find(*head, handle);
  if (!p) {
    p = calloc(1, sizeof *p);
    if (!p) return;
    p->object.handle = handle;
    TABLE_ADD(*head, object.handle, p);
  }
  mck_object_start(&p->object, handle, fn, site);
}

struct mck_plain *mck_group_find(MPI_Group group) { return find(groups, (uint64_t)(uintptr_t)group); }
struct mck_plain *mck_op_find(MPI_Op op) { return find(ops, (uint64_t)(uintptr_t)op); }
// MPI_GROUP_EMPTY may be what a group constructor returns (MPI-3.1 6.3.2); it is predefined and never a leak. All groups of one communicator
// are one handle in Open MPI, to be freed as often as it was returned.
void mck_group_add(MPI_Group group, uint16_t fn, uint32_t site) {
  if (group == MPI_GROUP_NULL || group == MPI_GROUP_EMPTY) return;
  struct mck_plain *live = mck_group_find(group);
  if (live && !live->object.is_freed && !live->object.is_predefined) live->object.nmore++;
  else add(&groups, (uint64_t)(uintptr_t)group, fn, site);
}
void mck_op_add(MPI_Op op, uint16_t fn, uint32_t site) {
  if (op != MPI_OP_NULL) add(&ops, (uint64_t)(uintptr_t)op, fn, site);
}

uint32_t mck_op_number(MPI_Op op) {
  const struct { MPI_Op op; uint32_t number; } known[] = {
      {MPI_OP_NULL, MCK_OP_NONE}, {MPI_MAX, MCK_OP_MAX}, {MPI_MIN, MCK_OP_MIN}, {MPI_SUM, MCK_OP_SUM}, {MPI_PROD, MCK_OP_PROD},
      {MPI_LAND, MCK_OP_LAND}, {MPI_BAND, MCK_OP_BAND}, {MPI_LOR, MCK_OP_LOR}, {MPI_BOR, MCK_OP_BOR}, {MPI_LXOR, MCK_OP_LXOR},
      {MPI_BXOR, MCK_OP_BXOR}, {MPI_MINLOC, MCK_OP_MINLOC}, {MPI_MAXLOC, MCK_OP_MAXLOC}, {MPI_REPLACE, MCK_OP_REPLACE},
      {MPI_NO_OP, MCK_OP_NO_OP}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) if (known[i].op == op) return known[i].number;
  return MCK_OP_USER;
}

void mck_object_init(struct mck_log *log) {
  mck_object_log = log;
  mck_type_init();
  mck_comm_init();
}

void mck_object_forget_freed(void) {
  mck_comm_forget_freed();
  mck_type_forget_freed();
  mck_window_forget_freed();
  struct mck_plain *p, *next;
  HASH_ITER(hh, groups, p, next) if (p->object.is_freed) p->object.is_freed = false, p->object.is_predefined = true;
  HASH_ITER(hh, ops, p, next) if (p->object.is_freed) p->object.is_freed = false, p->object.is_predefined = true;
}

static void visit_plain(struct mck_plain *head, enum mck_object_kind kind, void (*visit)(enum mck_object_kind, const struct mck_object *)) {
  for (struct mck_plain *p = head; p; p = p->hh.next) visit(kind, &p->object);
}

void mck_object_visit(enum mck_object_kind kind, void (*visit)(enum mck_object_kind, const struct mck_object *)) {
  switch (kind) {
    case MCK_OBJECT_COMM: mck_comm_visit(visit); break;
    case MCK_OBJECT_TYPE: mck_type_visit(visit); break;
    case MCK_OBJECT_WIN: mck_window_visit(visit); break;
    case MCK_OBJECT_GROUP: visit_plain(groups, kind, visit); break;
    case MCK_OBJECT_OP: visit_plain(ops, kind, visit); break;
  }
}
