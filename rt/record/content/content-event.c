// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes CONTENT events, straight into the log.
#include "record/content/content-event.h"
#include <stdlib.h>
#include <string.h>
#include "record/content/content-words.h"
#include "record/runtime.h"
#include "record/strand/strand-call.h"

// Values of reductions and one-sided operations are kept up to so many bytes of all calls together.
enum { RAW_ALL = 1 << 28 };
static uint64_t raw_bytes;

// What the status tells of the length of the message; UINT64_MAX: nothing.
static uint64_t length_of(const MPI_Status *status) {
  MPI_Count n = 0;
  if (!status || PMPI_Get_elements_x(status, MPI_BYTE, &n) != MPI_SUCCESS || n == MPI_UNDEFINED || n < 0)
    return UINT64_MAX;
  return (uint64_t)n;
}

static uint32_t choose_chunk(const struct mck_content_part *p, uint64_t length) {
  if (length <= MCK_CONTENT_LIMIT || length > p->raw || raw_bytes > RAW_ALL) return mck_content_chunk(length);
  raw_bytes += length;
  return MCK_CONTENT_RAW;
}

uint32_t mck_content_log(const struct mck_content_part *p) {
  const struct mck_type *t = p->count <= 0 ? NULL : p->known ? p->known : mck_type_find(p->type);
  uint64_t size = p->count > 0 ? mck_content_size(p->count, t) : 0, told = length_of(p->status);
  uint64_t length = size == UINT64_MAX ? 0 : told < size ? told : size;
  uint8_t flags = p->flags | (size == UINT64_MAX ? MCK_CONTENT_UNKNOWN : 0);
  uint32_t chunk = choose_chunk(p, length);
  uint64_t nwords = mck_content_words(length, chunk), bytes = sizeof(struct mck_content_body) + 8 * nwords;
  uint64_t units = 1 + (bytes + MCK_UNIT - 1) / MCK_UNIT;
  struct mck_event *e = mck_rt.is_ready && p->event != MCK_NONE ? mck_log_reserve(&mck_rt.log, units) : NULL;
  if (!e) return MCK_NONE;
  memset(e, 0, units * MCK_UNIT);
  struct mck_content_body *body = (struct mck_content_body *)(e + 1);
  struct mck_content_buffer buffer = {p->address, p->count, t, length, p->is_doubtful};
  if (!(flags & MCK_CONTENT_UNKNOWN) && !mck_content_fill((uint64_t *)(body + 1), chunk, &buffer))
    flags |= MCK_CONTENT_UNKNOWN;
  if (flags & MCK_CONTENT_UNKNOWN) nwords = 0, units = 1 + sizeof *body / MCK_UNIT;
  uint64_t now = mck_content_now();
  *body = (struct mck_content_body){.address = (uint64_t)(uintptr_t)p->address,
                                    .count = (uint64_t)p->count,
                                    .length = size == UINT64_MAX ? 0 : length,
                                    .begin = p->begin ? p->begin : now,
                                    .until = flags & MCK_CONTENT_RECEIVED ? now : 0,
                                    .status_bytes = told,
                                    .status_source = p->status ? p->status->MPI_SOURCE : -1,
                                    .status_tag = p->status ? p->status->MPI_TAG : -1};
  // Other threads of the program may touch the buffer during the call; whether they did is not known.
  if (mck_strands_are_several()) flags |= MCK_CONTENT_UNSEEN;
  e->kind = MCK_EV_CONTENT, e->flags = flags, e->site = MCK_NONE;
  e->content.extra = (uint32_t)(units - 1), e->content.event = p->event, e->content.peer = p->peer;
  e->content.chunk = chunk, e->content.nwords = (uint32_t)nwords, e->content.type = t ? t->object.id : MCK_NONE;
  return mck_log_commit(&mck_rt.log, units);
}

void mck_content_returned(uint32_t content) {
  if (content != MCK_NONE) ((struct mck_content_body *)(mck_rt.log.first + content + 1))->until = mck_content_now();
}

bool mck_content_look_again(uint32_t content, const struct mck_type *type, bool is_watched) {
  struct mck_event *e = content == MCK_NONE ? NULL : &mck_rt.log.first[content];
  if (!e || e->flags & MCK_CONTENT_UNKNOWN) return false;
  struct mck_content_body *body = (struct mck_content_body *)(e + 1);
  uint64_t few[MCK_CONTENT_CHUNKS + 1], *again = few;
  size_t size = e->content.nwords * sizeof *again;
  if (size > sizeof few) again = malloc(size);
  struct mck_content_buffer buffer = {(const char *)(uintptr_t)body->address, (int64_t)body->count, type, body->length,
                                      true};
  bool is_read = again && (type || !size) && mck_content_fill(again, e->content.chunk, &buffer);
  bool is_changed = is_read && size && memcmp(again, mck_content_word(e), size) != 0;
  if (is_changed) mck_event_flag(e, MCK_CONTENT_CHANGED);
  if (!is_read && !is_watched) mck_event_flag(e, MCK_CONTENT_UNSEEN);
  body->until = mck_content_now();
  if (again != few) free(again);
  return is_changed;
}
