// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at window memory: compares it with a copy, block by block, and writes the blocks that differ. Other ranks may
// write meanwhile; the judge knows which bytes may have been written at that time, and says nothing of them.
#include "record/content/content-window.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "log/window-bytes.h"
#include "record/access/range-flush.h"
#include "record/call/call-event.h"
#include "record/call/stack.h"
#include "record/content/content-words.h"
#include "record/strand/strand-call.h"

// BLOCK: what is compared; PAGE: first. COPIES: bytes of all copies; LOOKED: bytes of all looks.
enum { BLOCK = 64, PAGE = 4096, COPIES = 32 << 20, LOOKED = 64 << 20 };

struct mck_content_copy {
  struct mck_window *window;
  char *bytes;
  bool is_lost;
  struct mck_content_copy *next;
};
bool mck_content_has_windows;
static struct mck_content_copy *copies;
static uint64_t copied, looked;
static struct { // of the look at hand
  struct mck_window_run *items;
  size_t n, capacity;
  uint64_t length;
} runs;

static struct mck_content_copy *find(const struct mck_window *w) {
  struct mck_content_copy *c = copies;
  while (c && c->window != w) c = c->next;
  return c;
}

static bool add_run(uint64_t at, uint64_t length) {
  struct mck_window_run *last = runs.n ? &runs.items[runs.n - 1] : NULL, new = {at, length};
  runs.length += length;
  if (last && last->offset + last->length == at) return last->length += length, true;
  return MCK_PUSH(runs.items, runs.n, runs.capacity, new);
}

// Brings the copy up to date. false: out of memory.
static bool compare(struct mck_content_copy *c) {
  const char *now = c->window->base;
  uint64_t size = c->window->size;
  runs.n = runs.length = 0;
  for (uint64_t page = 0; page < size; page += PAGE) {
    uint64_t end = size - page < PAGE ? size : page + PAGE;
    if (!memcmp(now + page, c->bytes + page, end - page)) continue;
    for (uint64_t at = page; at < end; at += BLOCK) {
      uint64_t length = end - at < BLOCK ? end - at : BLOCK;
      if (!memcmp(now + at, c->bytes + at, length)) continue;
      memcpy(c->bytes + at, now + at, length);
      if (!add_run(at, length)) return false;
    }
  }
  return true;
}

static void write_event(struct mck_call *call, const struct mck_content_copy *c, uint8_t flags) {
  size_t nruns = flags & MCK_LOOK_LOST ? 0 : runs.n;
  uint64_t length = nruns ? runs.length : 0, bytes = nruns * sizeof *runs.items + length;
  uint64_t units = 1 + (bytes + MCK_UNIT - 1) / MCK_UNIT;
  uint32_t site = mck_call_site(call);
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, units) : NULL;
  if (!e) return;
  memset(e + units - 1, 0, MCK_UNIT);
  *e = (struct mck_event){.kind = MCK_EV_WINDOW_BYTES, .flags = flags, .fn = call->fn, .site = site};
  if (mck_strands_are_several()) e->flags |= MCK_LOOK_UNSEEN;
  e->looked.extra = (uint32_t)(units - 1), e->looked.win = c->window->object.id, e->looked.n = (uint32_t)nruns;
  e->looked.length = length;
  char *to = (char *)(e + 1);
  if (nruns) memcpy(to, runs.items, nruns * sizeof *runs.items);
  to += nruns * sizeof *runs.items;
  for (size_t i = 0; i < nruns; to += runs.items[i++].length)
    memcpy(to, c->bytes + runs.items[i].offset, runs.items[i].length);
  mck_log_commit(&mck_rt.log, units);
}

static void look(struct mck_call *call, struct mck_content_copy *c, bool is_behind) {
  if (c->is_lost) return;
  // The program may have freed it: that is another finding.
  bool is_known = mck_content_is_mapped(c->window->base, c->window->size) && compare(c) &&
                  (looked += runs.length) <= LOOKED;
  if (!is_known) c->is_lost = true;
  write_event(call, c, (is_behind ? MCK_LOOK_BEHIND : 0) | (is_known ? 0 : MCK_LOOK_LOST));
}

static void lose(struct mck_call *call, struct mck_content_copy *c) {
  if (!c->is_lost) write_event(call, c, MCK_LOOK_LOST);
  c->is_lost = true;
}

// Two windows with the same bytes, and memory that comes and goes, are not looked at.
void mck_content_window_begin(struct mck_call *call, struct mck_window *w) {
  bool is_fixed = w->flavor == MPI_WIN_FLAVOR_CREATE || w->flavor == MPI_WIN_FLAVOR_ALLOCATE ||
                  w->flavor == MPI_WIN_FLAVOR_SHARED;
  if (w->object.id == MCK_NONE || !is_fixed || !w->size) return;
  struct mck_content_copy *c = w->size <= COPIES - copied ? calloc(1, sizeof *c) : NULL;
  void *bytes = c ? mmap(NULL, w->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (bytes == MAP_FAILED) {
    free(c);
    return;
  }
  *c = (struct mck_content_copy){.window = w, .bytes = bytes, .next = copies};
  for (struct mck_content_copy *o = copies; o; o = o->next)
    if (o->window->base < w->base + w->size && w->base < o->window->base + o->window->size)
      lose(call, o), c->is_lost = true;
  copies = c, copied += w->size, mck_content_has_windows = true;
  look(call, c, true);
}

void mck_content_window_end(struct mck_window *w) {
  for (struct mck_content_copy **at = &copies, *c; (c = *at); at = &c->next)
    if (c->window == w) {
      *at = c->next, copied -= w->size;
      munmap(c->bytes, w->size);
      free(c);
      break;
    }
  mck_content_has_windows = copies != NULL;
}

void mck_content_window_look(struct mck_call *call, struct mck_window *w, bool is_behind) {
  struct mck_content_copy *c = mck_depth > 1 ? NULL : find(w);
  if (c) look(call, c, is_behind);
}

void mck_content_windows_look(struct mck_call *call, uint64_t size) {
  for (struct mck_content_copy *c = copies; c; c = c->next)
    if (c->window->size <= size && !(c->window->traits & MCK_WIN_NO_LOCKS)) look(call, c, true);
}

void mck_content_window_used(struct mck_call *call, const void *low, const void *high) {
  bool is_operation = mck_std(call->fn)->access != MCK_STD_ACCESS_NONE;
  for (struct mck_content_copy *c = copies; c && !is_operation; c = c->next)
    if ((const char *)low < c->window->base + c->window->size && (const char *)high > c->window->base) lose(call, c);
}
