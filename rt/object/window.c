// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows: base, size and unit of this process's part, as MPI's attributes say (MPI-3.1 11.2.6). The key is made like
// that of a communicator.
#include <string.h>
#include "object/object-table.h"

static struct mck_window *windows;
struct mck_window *mck_window_last;
static uint32_t next_id;

// Mostly the window is that of the last call. Under the lock.
struct mck_window *mck_window_find(MPI_Win win) {
  struct mck_window *w = mck_window_last;
  if (MCK_LIKELY(w && w->object.handle == (uint64_t)(uintptr_t)win)) return w;
  TABLE_FIND(windows, object.handle, (uint64_t)(uintptr_t)win, w);
  if (w) mck_window_last = w;
  return w;
}

static bool says(MPI_Info info, const char *key, char *value) {
  int is_there = 0;
  if (info == MPI_INFO_NULL || !info) return false;
  return PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &is_there) == MPI_SUCCESS && is_there;
}

// The info keys that change which accesses are right (MPI-3.1 11.2.1), and the memory model (11.4).
static uint32_t traits_of(MPI_Win win, MPI_Info info) {
  char value[MPI_MAX_INFO_VAL + 1];
  uint32_t traits = 0;
  void *model;
  int is_there = 0;
  if (says(info, "no_locks", value) && !strcmp(value, "true")) traits |= MCK_WIN_NO_LOCKS;
  if (says(info, "accumulate_ops", value) && !strcmp(value, "same_op")) traits |= MCK_WIN_SAME_OP;
  if (says(info, "accumulate_ordering", value)) {
    if (!strstr(value, "rar")) traits |= MCK_WIN_NO_RAR;
    if (!strstr(value, "raw")) traits |= MCK_WIN_NO_RAW;
    if (!strstr(value, "war")) traits |= MCK_WIN_NO_WAR;
    if (!strstr(value, "waw")) traits |= MCK_WIN_NO_WAW;
  }
  if (!PMPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &is_there) && is_there && *(int *)model == MPI_WIN_SEPARATE)
    traits |= MCK_WIN_SEPARATE;
  return traits;
}

struct mck_window *mck_window_add(MPI_Win win, struct mck_comm *comm, MPI_Info info, uint16_t fn, uint32_t site) {
  if (win == MPI_WIN_NULL) return NULL;
  struct mck_window *w = mck_window_find(win);
  if (!w) {
    w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->object.handle = (uint64_t)(uintptr_t)win;
    TABLE_ADD(windows, object.handle, w);
  }
  mck_object_start(&w->object, (uint64_t)(uintptr_t)win, fn, site);
  w->base = NULL, w->size = 0, w->disp_unit = 1;
  void *value;
  int there = 0, flavor = 0;
  if (!PMPI_Win_get_attr(win, MPI_WIN_BASE, &value, &there) && there) w->base = value;
  if (!PMPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &there) && there) w->size = (uint64_t)*(MPI_Aint *)value;
  if (!PMPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &there) && there) w->disp_unit = *(int *)value;
  if (!PMPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &there) && there) flavor = *(int *)value;
  w->flavor = flavor;
  w->traits = traits_of(win, info);
  MPI_Group group;
  PMPI_Win_get_group(win, &group);
  PMPI_Group_size(group, &w->group_size);
  PMPI_Group_free(&group);
  if (!comm || !comm->is_logged) return w; // object.id stays MCK_NONE: the window is tracked, but not logged
  uint64_t seed = mck_base_hash(&(uint64_t){comm->key}, sizeof(uint64_t), 3);
  w->key = mck_base_hash(&(uint64_t){mck_object_count_key(comm, seed)}, sizeof(uint64_t), seed);
  w->comm = comm->object.id;
  w->object.id = next_id++;
  struct mck_win_body body = {w->key, (uint64_t)(uintptr_t)w->base, w->size};
  struct mck_event head = {.kind = MCK_EV_DEF_WIN, .fn = fn, .site = site};
  head.def.id = w->object.id, head.def.a = w->comm, head.def.b = (uint32_t)w->disp_unit,
  head.def.c = (uint32_t)flavor | w->traits << 8;
  head.def.d = 0; // the name that the library makes up says nothing to the user
  struct mck_piece piece = {&body, sizeof body};
  mck_log_append(mck_object_log, &head, &piece, 1);
  return w;
}

void mck_window_visit(mck_object_visitor *visit) {
  for (struct mck_window *w = windows; w; w = w->hh.next)
    visit(MCK_OBJECT_WIN, &w->object, (struct mck_reference){w->object.site, w->object.fn, 1});
}

// Removes it from the table, as if it were unknown. Its memory stays, since pointers to it may exist.
void mck_window_forget_freed(void) {
  struct mck_window *w, *next;
  HASH_ITER(hh, windows, w, next) if (w->object.is_freed) HASH_DEL(windows, w);
  mck_window_last = NULL;
}
