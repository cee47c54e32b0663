// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// type.buffer, for a variable that is a structure or an array of them: each number of the datatype must fall on a
// member of its class and size (MPI-3.1 3.3.1, 4.1). Recompiled code has named the members (__mck_object). What a call
// was found to pass is remembered, by the place in an element of the variable: a loop over an array asks once.
#include <inttypes.h>
#include <string.h>
#include "log/signature.h"
#include "record/buffer/buffer-bytes.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/thread-memory.h"
#include "record/check/variable-members.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

enum { KNOWN = 16 };
struct known {
  const char *name;
  const struct mck_type *type;
  int64_t count;
  uint64_t at;
  uint32_t generation;
};
static __thread void *own __attribute__((tls_model("initial-exec"))); // KNOWN of them

// What is decided once for all: of an array of structures only the place in its element counts, and one copy of a
// datatype that repeats as the elements do.
static struct known key_of(const struct mck_note *note, const struct mck_type *t, const void *buffer, int64_t count) {
  struct known key = {note->name, t, count, (uint64_t)((const char *)buffer - note->base), t->generation};
  if (note->element && key.at >= note->element) key.at %= note->element;
  if (note->element && count > 1 && t->extent % (int64_t)note->element == 0) key.count = 1;
  return key;
}

// NULL: there is no memory.
static struct known *place_of(const struct known *key) {
  struct known *known = own ? own : mck_thread_memory_make(&own, KNOWN * sizeof *known);
  uint64_t mix = (uintptr_t)key->name >> 4 ^ (uintptr_t)key->type >> 5 ^ key->at ^ (uint64_t)key->count << 3;
  return known ? &known[(mix * UINT64_C(0x9e3779b97f4a7c15)) >> 60] : NULL;
}

bool mck_members_is_known(const struct mck_note *note, const struct mck_type *t, const void *buffer, int64_t count) {
  struct known key = key_of(note, t, buffer, count);
  const struct known *k = place_of(&key);
  return k && k->name == key.name && k->type == t && k->at == key.at && k->count == key.count &&
         k->generation == key.generation;
}

// The first copy fits.
static void explain_distance(struct mck_finding *f, const struct mck_use *u, const struct mck_note *note) {
  if (note->element && u->element->extent % (int64_t)note->element)
    mck_finding_why(f,
                    "the copies of the datatype lie %lld bytes apart (its extent), the elements of the variable %u: "
                    "MPI_Type_create_resized sets the extent (MPI-3.1 4.1.7)",
                    (long long)u->element->extent, note->element);
}

static void say(struct mck_call *call, const struct mck_use *u, const struct mck_note *note,
                const struct mck_members *members, const struct mck_members_misfit *m) {
  const struct mck_type *t = u->element;
  struct mck_members_name name;
  mck_members_name(members, m->own_bytes ? m->member : m->at, &name);
  uintptr_t identity[] = {(uintptr_t)note->name, (uintptr_t)u->what, t->object.id};
  struct mck_finding *f = mck_local_add(MCK_CHECK_TYPE_BUFFER, mck_call_site(call),
                                        mck_base_hash(identity, sizeof identity, 11));
  const char *basic = mck_basic_name(m->run->basic);
  if (m->own_bytes)
    mck_finding_text(f, "%s of %s: %s falls on %s%s, which is %s", u->what, mck_fn_names[call->fn], basic, note->name,
                     name.path, name.type);
  else
    mck_finding_text(f, "%s of %s: %s falls on the padding behind %s%s", u->what, mck_fn_names[call->fn], basic,
                     note->name, name.path);
  uint64_t size = note->element ? note->element : note->size, base = m->at / size * size;
  if (m->own_bytes)
    mck_finding_why(f, "%s has bytes %" PRIu64 " to %" PRIu64 " of %s; the member has bytes %" PRIu64 " to %" PRIu64,
                    basic, m->at - base, m->at - base + m->bytes - 1, name.outer, m->member - base,
                    m->member - base + m->own_bytes - 1);
  else
    mck_finding_why(f, "%s has bytes %" PRIu64 " to %" PRIu64 " of %s, where no member is", basic, m->at - base,
                    m->at - base + m->bytes - 1, name.outer);
  char path[256];
  if (t->object.id >= MCK_TYPE_USER && mck_type_path(t, u->count, m->position, path, sizeof path))
    mck_finding_why(f, "in the datatype: %s, at byte %lld of a copy", path,
                    (long long)(m->at - (uint64_t)(u->address - note->base)) - (long long)m->copy * t->extent);
  if (m->copy) explain_distance(f, u, note);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (t->object.site != MCK_NONE)
    mck_finding_place(f, mck_rt.rank, t->object.site, "the datatype was made by %s", mck_fn_names[t->object.fn]);
  mck_local_done(f);
  call->is_doubtful = true;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
}

void mck_members_check(struct mck_call *call, const struct mck_use *u, const struct mck_note *note) {
  const struct mck_type *t = u->element;
  if (t->object.id == MCK_NONE || strcmp(note->fn, mck_fn_names[call->fn]) != 0) return;
  const char *type = note->name + strlen(note->name) + 1;
  struct mck_type_elements elements = {0};
  struct mck_members_misfit misfit;
  mck_lock();
  bool is_read = mck_type_read_elements((MPI_Datatype)(uintptr_t)t->object.handle, &elements), is_wrong = false;
  struct mck_members *members = is_read && elements.count ? mck_members_parse(type + strlen(type) + 1) : NULL;
  if (members) {
    struct mck_members_use use = {&elements, u->address - note->base, u->count, t->extent};
    is_wrong = mck_members_find_misfit(members, &use, &misfit);
    if (is_wrong) say(call, u, note, members, &misfit);
  }
  mck_members_free(members);
  free(elements.items);
  mck_unlock();
  if (is_wrong) return;
  struct known key = key_of(note, t, u->address, u->count), *k = place_of(&key);
  if (k) *k = key;
}
