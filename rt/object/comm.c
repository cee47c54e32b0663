// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators. A communicator's key must be equal on all its members, differ from all other keys of the job, and be
// found without a message. All members create communicators with the same parent, constructor and members in the same
// order (constructors are collective over them, MPI-3.1 6.4.2; create_group over its group, 6.4.2). So the key is the
// hash of these and of the number of earlier equal constructions. The two sides of an intercommunicator have different
// parents (local_comm), so there the two groups replace the parent.
#include "object/object-table.h"

static struct mck_comm *comms;
static uint32_t next_id;

struct mck_counted {
  uint64_t base;
  uint32_t count;
  UT_hash_handle hh;
};
static struct mck_counted *without_parent;

uint32_t mck_object_count_key(struct mck_comm *parent, uint64_t base) {
  struct mck_counted **counts = parent ? &parent->counts : &without_parent, *c;
  TABLE_FIND(*counts, base, base, c);
  if (!c) {
    c = calloc(1, sizeof *c);
    if (!c) return 0;
    c->base = base;
    TABLE_ADD(*counts, base, c);
  }
  return c->count++;
}

// Another communicator has the handle now: keys made from the old one are not needed any more.
static void forget_counts(struct mck_comm *parent) {
  struct mck_counted *c, *next;
  HASH_ITER(hh, parent->counts, c, next) {
    HASH_DEL(parent->counts, c);
    free(c);
  }
}

static struct mck_comm no_comm;
struct mck_comm *mck_comm_last = &no_comm;

MCK_HOT struct mck_comm *mck_comm_find(MPI_Comm comm) {
  uint64_t handle = (uint64_t)(uintptr_t)comm;
  if (MCK_LIKELY(mck_comm_last->object.handle == handle) && handle) return mck_comm_last;
  struct mck_comm *c;
  TABLE_FIND(comms, object.handle, handle, c);
  if (c) mck_comm_last = c;
  return c;
}

// Appends the world ranks of a group as ranges. Returns false if a member is not of our world.
static bool ranges_of(MPI_Group group, int size, struct mck_range **ranges, size_t *n, size_t *capacity) {
  int *ranks = malloc(sizeof(int) * 2 * (size_t)(size ? size : 1)), *world = ranks ? ranks + size : NULL;
  if (!ranks) return false;
  for (int i = 0; i < size; i++) ranks[i] = i;
  MPI_Group world_group;
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  PMPI_Group_translate_ranks(group, size, ranks, world_group, world);
  PMPI_Group_free(&world_group);
  bool ok = true;
  size_t first = *n;
  for (int i = 0; i < size && ok; i++) {
    if (world[i] == MPI_UNDEFINED) ok = false;
    else if (*n > first && (*ranges)[*n - 1].first + (*ranges)[*n - 1].count == (uint32_t)world[i])
      (*ranges)[*n - 1].count++;
    else ok = MCK_PUSH(*ranges, *n, *capacity, ((struct mck_range){(uint32_t)world[i], 1}));
  }
  free(ranks);
  return ok;
}

// Makes the entry of a new communicator, with what MPI says about this process in it.
static struct mck_comm *enter(MPI_Comm comm, uint16_t fn, uint32_t site) {
  struct mck_comm *c = mck_comm_find(comm);
  if (!c) {
    c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->object.handle = (uint64_t)(uintptr_t)comm;
    TABLE_ADD(comms, object.handle, c);
  }
  forget_counts(c);
  mck_object_start(&c->object, (uint64_t)(uintptr_t)comm, fn, site);
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Comm_rank(comm, &c->rank);
  PMPI_Comm_size(comm, &c->size);
  c->remote_size = 0;
  if (is_inter) PMPI_Comm_remote_size(comm, &c->remote_size);
  return c;
}

// Writes the definition of c, whose handle is comm, and sets its id. key 0: it is derived. Returns false if a member is
// not of our world.
static bool define(struct mck_comm *c, MPI_Comm comm, struct mck_comm *parent, uint16_t fn, int tag, uint32_t site,
                   uint64_t key) {
  bool is_inter = c->remote_size > 0;
  struct mck_range *ranges = NULL;
  size_t n = 0, capacity = 0, local = 0;
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  bool ok = ranges_of(group, c->size, &ranges, &n, &capacity);
  PMPI_Group_free(&group);
  local = n;
  if (is_inter && ok) {
    PMPI_Comm_remote_group(comm, &group);
    ok = ranges_of(group, c->remote_size, &ranges, &n, &capacity);
    PMPI_Group_free(&group);
  }
  if (ok) {
    uint64_t here = mck_base_hash(ranges, local * sizeof *ranges, 1),
             there = mck_base_hash(ranges + local, (n - local) * sizeof *ranges, 1);
    uint64_t base[4] = {is_inter ? 0
                        : parent ? parent->key
                                 : 0,
                        fn, (uint64_t)(int64_t)tag, is_inter ? here ^ there : here};
    uint64_t seed = mck_base_hash(base, sizeof base, 2);
    c->key = key ? key
                 : mck_base_hash(&(uint64_t){mck_object_count_key(is_inter ? NULL : parent, seed)}, sizeof(uint64_t),
                                 seed);
    c->object.id = next_id++;
    struct mck_comm_body body = {c->key, parent ? parent->object.id : MCK_NONE, 0};
    struct mck_event head = {.kind = MCK_EV_DEF_COMM, .fn = fn, .site = site};
    head.def.id = c->object.id, head.def.a = (uint32_t)c->rank, head.def.b = (uint32_t)c->size;
    head.def.c = (uint32_t)c->remote_size, head.def.d = (uint32_t)n;
    struct mck_piece pieces[] = {{&body, sizeof body}, {ranges, n * sizeof *ranges}};
    mck_log_append(mck_object_log, &head, pieces, 2);
  }
  free(ranges);
  return ok;
}

struct mck_comm *mck_comm_add(MPI_Comm comm, struct mck_comm *parent, uint16_t fn, int tag, uint32_t site,
                              uint64_t key) {
  struct mck_comm *c = comm == MPI_COMM_NULL ? NULL : enter(comm, fn, site);
  if (c) c->is_logged = (!parent || parent->is_logged) && define(c, comm, parent, fn, tag, site, key);
  return c;
}

uint32_t mck_comm_define_twin(struct mck_comm *parent, MPI_Comm comm, uint16_t fn, uint32_t site, uint64_t key) {
  if (!parent || !parent->is_logged || parent->object.is_freed || parent->size < 1) return MCK_NONE;
  struct mck_comm twin = *parent;
  return define(&twin, comm, parent, fn, 0, site, key) ? twin.object.id : MCK_NONE;
}

struct mck_comm *mck_comm_learn(MPI_Comm comm, uint16_t fn, uint32_t site) {
  struct mck_comm *c = comm == MPI_COMM_NULL ? NULL : enter(comm, fn, site);
  if (c) c->is_logged = false, c->key = 0;
  return c;
}

uint64_t mck_comm_reserve_key(struct mck_comm *parent, uint16_t fn) {
  uint64_t seed = mck_base_hash(&parent->key, sizeof parent->key, 4 + (uint64_t)fn);
  return mck_base_hash(&(uint64_t){mck_object_count_key(parent, seed)}, sizeof(uint64_t), seed) | 1;
}

void mck_comm_init(void) {
  struct mck_comm *world = mck_comm_add(MPI_COMM_WORLD, NULL, 0, 0, MCK_NONE, 0); // its id is 0
  struct mck_comm *self = mck_comm_add(MPI_COMM_SELF, NULL, 0, 1, MCK_NONE, 0);
  if (world) world->object.is_predefined = true;
  if (self) self->object.is_predefined = true;
}

void mck_comm_visit(mck_object_visitor *visit) {
  for (struct mck_comm *c = comms; c; c = c->hh.next)
    visit(MCK_OBJECT_COMM, &c->object, (struct mck_reference){c->object.site, c->object.fn, 1});
}

// The handle now belongs to another communicator, of unknown size.
void mck_comm_forget(struct mck_comm *c) {
  c->object.is_freed = false, c->object.is_adopted = true, c->is_logged = false;
  c->size = -1, c->remote_size = 0;
}

void mck_comm_forget_freed(void) {
  struct mck_comm *c, *next;
  HASH_ITER(hh, comms, c, next) if (c->object.is_freed) mck_comm_forget(c);
}
