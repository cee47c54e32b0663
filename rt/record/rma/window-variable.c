// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variable that a window was made of, if recompiled code named it right before the call (__mck_object): the
// report of a race then names its elements. Memory of MPI_Alloc_mem is known by the call that made it.
#include <string.h>
#include "record/access/range-flush.h"
#include "record/call/call.h"
#include "record/rma/window-variable.h"
#include "record/runtime.h"
#include "record/buffer/buffer-bytes.h"

static void write_memory(uint16_t fn, uint32_t site, const struct mck_window *w, const struct mck_note *note) {
  size_t length = note ? strnlen(note->name, 128) : 0, extra = (length + MCK_UNIT - 1) / MCK_UNIT;
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1 + extra) : NULL;
  if (!e) return;
  memset(e, 0, (1 + extra) * sizeof *e);
  e->kind = MCK_EV_WIN_MEMORY, e->fn = fn, e->site = site;
  e->memory.extra = (uint32_t)extra, e->memory.win = w->object.id, e->memory.length = (uint32_t)length;
  if (note) {
    e->memory.element = note->element >> 8, e->memory.offset = (uint64_t)(w->base - note->base);
    memcpy(e + 1, note->name, length);
  }
  mck_log_commit(&mck_rt.log, 1 + extra);
}

void mck_window_name_memory(const struct mck_call *call, const struct mck_window *w) {
  const struct mck_use_state *state = &mck_use_state;
  if (!w->base || !w->size || w->object.id == MCK_NONE || w->flavor != MPI_WIN_FLAVOR_CREATE) return;
  for (unsigned i = 0; i < state->nnotes; i++) {
    const struct mck_note *note = &state->notes[i];
    if (!note->name || !note->name[0] || w->base < note->base || w->base >= note->base + note->size ||
        note->frame != *(const void *const *)call->frame)
      continue;
    write_memory(call->fn, w->object.site, w, note);
    return;
  }
  const struct mck_plain *memory = mck_plain_find(MCK_OBJECT_MEMORY, (uint64_t)(uintptr_t)w->base);
  if (memory && !memory->object.is_freed) write_memory(memory->object.fn, memory->object.site, w, NULL);
}
