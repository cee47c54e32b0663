// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a program gives its communicators, windows and datatypes (MPI-3.1 6.8), for reports.
#include <string.h>
#include "record/access/range-flush.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/runtime.h"

static void record(struct mck_call *call, const struct mck_args *a, enum mck_event_kind kind,
                   const struct mck_object *object) {
  if (!object || object->is_freed || object->is_adopted || object->id == MCK_NONE || !a->windowname || call->nfindings)
    return;
  size_t length = strnlen(a->windowname, MPI_MAX_OBJECT_NAME), extra = (length + MCK_UNIT - 1) / MCK_UNIT;
  uint32_t site = mck_call_site(call);
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1 + extra) : NULL;
  if (!e) return;
  memset(e, 0, (1 + extra) * sizeof *e);
  e->kind = (uint8_t)kind, e->fn = call->fn, e->site = site;
  e->name.extra = (uint32_t)extra, e->name.object = object->id, e->name.length = (uint32_t)length;
  char *name = memcpy(e + 1, a->windowname, length);
  for (size_t i = 0; i < length; i++) // a report has names within lines
    if (name[i] == '\n' || name[i] == '\r' || name[i] == '\t') name[i] = ' ';
  mck_log_commit(&mck_rt.log, 1 + extra);
}

void mck_win_name_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_window *w = a->win ? mck_window_find(a->win) : NULL;
  struct mck_comm *c = a->comm ? mck_comm_find(a->comm) : NULL;
  const struct mck_type *t = a->type ? mck_type_find(a->type) : NULL;
  if (t && t->object.id != MCK_NONE && t->object.id >= MCK_TYPE_USER) record(call, a, MCK_EV_TYPE_NAME, &t->object);
  if (w) record(call, a, MCK_EV_WIN_NAME, &w->object);
  if (c && c->is_logged) record(call, a, MCK_EV_COMM_NAME, &c->object);
  mck_unlock();
}
void mck_win_name_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }
