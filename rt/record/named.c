// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variable that a window was made of, of which recompiled code told right before the call (__mck_object): a race is then said by its elements.
#include <string.h>
#include "record/runtime.h"
#include "record/use.h"

void mck_window_name_memory(const struct mck_call *call, const struct mck_window *w) {
  const struct mck_use_state *state = &mck_use_state;
  if (!w->base || !w->size || w->object.id == MCK_NONE || w->flavor != MPI_WIN_FLAVOR_CREATE) return;
  for (unsigned i = 0; i < state->nnotes; i++) {
    const struct mck_note *note = &state->notes[i];
    if (!note->name || w->base < note->base || w->base >= note->base + note->size || note->frame != *(const void *const *)call->frame) continue;
    size_t length = strnlen(note->name, 128), extra = (length + MCK_UNIT - 1) / MCK_UNIT;
    if (mck_ntouched) mck_windows_flush();
    struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1 + extra) : NULL;
    if (!e) return;
    memset(e, 0, (1 + extra) * sizeof *e);
    e->kind = MCK_EV_WIN_MEMORY, e->fn = call->fn, e->site = w->object.site;
    e->memory.extra = (uint32_t)extra, e->memory.win = w->object.id, e->memory.length = (uint32_t)length;
    e->memory.element = note->element >> 8, e->memory.offset = (uint64_t)(w->base - note->base);
    memcpy(e + 1, note->name, length);
    mck_log_commit(&mck_rt.log, 1 + extra);
    return;
  }
}
