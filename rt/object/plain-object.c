// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that all tables share, and the kinds of which only the existence matters: groups, operations, files, infos,
// error handlers, attribute keys, matched messages, memory of MPI_Alloc_mem.
#include "object/object-table.h"

struct mck_log *mck_object_log;
static struct mck_plain *plains[MCK_OBJECT_KINDS];
static size_t nfreed[MCK_OBJECT_KINDS];
enum {
  FREED_MAX = 4096
}; // the stale handles that a kind remembers: without a bound handles of heap blocks would pile up

void mck_comm_forget_freed(void);
void mck_type_forget_freed(void);
void mck_window_forget_freed(void);

// Resets an entry for a new object, whether its handle value is new or was used before. The id is set when it is
// defined.
void mck_object_start(struct mck_object *object, uint64_t handle, uint16_t fn, uint32_t site) {
  *object = (struct mck_object){.handle = handle, .id = MCK_NONE, .site = site, .free_site = MCK_NONE, .fn = fn};
}

// Many entries are allocated at once: single ones would lie among the program's blocks and pull them apart. Open MPI
// attaches memory to a dynamic window by pages, and it allows few pages.
static struct mck_plain *unused; // linked by older

static struct mck_plain *take(void) {
  enum { BATCH = 128 };
  if (!unused) {
    struct mck_plain *batch = calloc(BATCH, sizeof *batch);
    if (!batch) return NULL;
    for (int i = 0; i < BATCH; i++) batch[i].older = (struct mck_reference *)unused, unused = &batch[i];
  }
  struct mck_plain *p = unused;
  unused = (struct mck_plain *)p->older;
  *p = (struct mck_plain){.count = 0};
  return p;
}

static void give_back(struct mck_plain *p) {
  free(p->older);
  p->older = (struct mck_reference *)unused, unused = p;
}

struct mck_plain *mck_plain_find(enum mck_object_kind kind, uint64_t handle) {
  struct mck_plain *p;
  TABLE_FIND(plains[kind], object.handle, handle, p);
  return p;
}

static void forget_freed(enum mck_object_kind kind) {
  struct mck_plain *p, *next;
  HASH_ITER(hh, plains[kind], p, next) {
    if (!p->object.is_freed) continue;
    HASH_DEL(plains[kind], p);
    give_back(p);
  }
  nfreed[kind] = 0;
}

// Adds a reference of this site. The last reference is given back first, as in a function that gets and frees one.
static void refer(struct mck_plain *p, uint16_t fn, uint32_t site) {
  if (p->count && p->object.site == site) {
    p->count++;
    return;
  }
  uint32_t count = 1;
  for (size_t i = 0; i < p->nolder; i++) {
    if (p->older[i].site != site) continue;
    count += p->older[i].count;
    for (p->nolder--; i < p->nolder; i++) p->older[i] = p->older[i + 1];
    break;
  }
  if (p->count &&
      !MCK_PUSH(p->older, p->nolder, p->capacity, ((struct mck_reference){p->object.site, p->object.fn, p->count})))
    return;
  p->object.site = site, p->object.fn = fn, p->count = count;
}

struct mck_plain *mck_plain_add(enum mck_object_kind kind, uint64_t handle, uint16_t fn, uint32_t site) {
  struct mck_plain *p = mck_plain_find(kind, handle);
  if (!p) {
    p = take();
    if (!p) return NULL;
    mck_object_start(&p->object, handle, fn, site);
    TABLE_ADD(plains[kind], object.handle, p);
  } else if (p->object.is_freed) {
    mck_object_start(&p->object, handle, fn, site);
    p->count = 0, p->nolder = 0, nfreed[kind]--;
  }
  refer(p, fn, site);
  return p;
}

void mck_plain_drop(enum mck_object_kind kind, struct mck_plain *p, uint32_t site) {
  if (p->count && --p->count) return;
  if (p->nolder) {
    struct mck_reference last = p->older[--p->nolder];
    p->object.site = last.site, p->object.fn = last.fn, p->count = last.count;
  } else if (!p->object.is_predefined) {
    p->object.is_freed = true, p->object.free_site = site;
    if (++nfreed[kind] > FREED_MAX) forget_freed(kind);
  }
}

struct mck_plain *mck_group_find(MPI_Group group) {
  return mck_plain_find(MCK_OBJECT_GROUP, (uint64_t)(uintptr_t)group);
}
struct mck_plain *mck_op_find(MPI_Op op) { return mck_plain_find(MCK_OBJECT_OP, (uint64_t)(uintptr_t)op); }

uint32_t mck_op_number(MPI_Op op) {
  if (op == MPI_SUM) return MCK_OP_SUM; // the usual one
  static const struct {
    MPI_Op op;
    uint32_t number;
  } known[] = {{MPI_OP_NULL, MCK_OP_NONE},  {MPI_MAX, MCK_OP_MAX},         {MPI_MIN, MCK_OP_MIN},
               {MPI_SUM, MCK_OP_SUM},       {MPI_PROD, MCK_OP_PROD},       {MPI_LAND, MCK_OP_LAND},
               {MPI_BAND, MCK_OP_BAND},     {MPI_LOR, MCK_OP_LOR},         {MPI_BOR, MCK_OP_BOR},
               {MPI_LXOR, MCK_OP_LXOR},     {MPI_BXOR, MCK_OP_BXOR},       {MPI_MINLOC, MCK_OP_MINLOC},
               {MPI_MAXLOC, MCK_OP_MAXLOC}, {MPI_REPLACE, MCK_OP_REPLACE}, {MPI_NO_OP, MCK_OP_NO_OP}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].op == op) return known[i].number;
  return MCK_OP_USER;
}

static void add_predefined(enum mck_object_kind kind, uint64_t handle) {
  struct mck_plain *p = mck_plain_add(kind, handle, 0, MCK_NONE);
  if (p) p->object.is_predefined = true, p->count = 0;
}

// A constructor may return MPI_GROUP_EMPTY, and a get function MPI_ERRORS_RETURN. These may be freed as often as the
// program got them (MPI-3.1 6.3.2, 8.3.4).
void mck_plain_init(void) {
  const MPI_Op ops[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                        MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
  const int keyvals[] = {MPI_TAG_UB,
                         MPI_HOST,
                         MPI_IO,
                         MPI_WTIME_IS_GLOBAL,
                         MPI_APPNUM,
                         MPI_LASTUSEDCODE,
                         MPI_UNIVERSE_SIZE,
                         MPI_WIN_BASE,
                         MPI_WIN_SIZE,
                         MPI_WIN_DISP_UNIT,
                         MPI_WIN_CREATE_FLAVOR,
                         MPI_WIN_MODEL};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) add_predefined(MCK_OBJECT_OP, (uint64_t)(uintptr_t)ops[i]);
  for (size_t i = 0; i < sizeof keyvals / sizeof *keyvals; i++)
    add_predefined(MCK_OBJECT_KEYVAL, (uint64_t)(int64_t)keyvals[i]);
  add_predefined(MCK_OBJECT_GROUP, (uint64_t)(uintptr_t)MPI_GROUP_EMPTY);
  add_predefined(MCK_OBJECT_ERRHANDLER, (uint64_t)(uintptr_t)MPI_ERRORS_ARE_FATAL);
  add_predefined(MCK_OBJECT_ERRHANDLER, (uint64_t)(uintptr_t)MPI_ERRORS_RETURN);
  add_predefined(MCK_OBJECT_INFO, (uint64_t)(uintptr_t)MPI_INFO_ENV);
  add_predefined(MCK_OBJECT_MESSAGE, (uint64_t)(uintptr_t)MPI_MESSAGE_NO_PROC);
}

void mck_object_init(struct mck_log *log) {
  mck_object_log = log;
  mck_handle_init();
  mck_type_init();
  mck_comm_init();
  mck_plain_init();
}

struct mck_object *mck_object_find(enum mck_object_kind kind, uint64_t handle) {
  struct mck_comm *c;
  struct mck_type *t;
  struct mck_window *w;
  struct mck_plain *p;
  switch (kind) {
  case MCK_OBJECT_COMM: c = mck_comm_find((MPI_Comm)(uintptr_t)handle); return c ? &c->object : NULL;
  case MCK_OBJECT_TYPE: t = mck_type_known((MPI_Datatype)(uintptr_t)handle); return t ? &t->object : NULL;
  case MCK_OBJECT_WIN: w = mck_window_find((MPI_Win)(uintptr_t)handle); return w ? &w->object : NULL;
  case MCK_OBJECT_GROUP:
  case MCK_OBJECT_OP:
  case MCK_OBJECT_FILE:
  case MCK_OBJECT_INFO:
  case MCK_OBJECT_ERRHANDLER:
  case MCK_OBJECT_KEYVAL:
  case MCK_OBJECT_MESSAGE:
  case MCK_OBJECT_MEMORY: p = mck_plain_find(kind, handle); return p ? &p->object : NULL;
  case MCK_OBJECT_KINDS: break;
  }
  return NULL;
}

void mck_object_know(enum mck_object_kind kind, uint64_t handle) {
  struct mck_object *object = mck_object_find(kind, handle);
  if (!object || !object->is_freed) return;
  if (kind == MCK_OBJECT_COMM) mck_comm_forget((struct mck_comm *)object);
  else if (kind == MCK_OBJECT_TYPE) mck_type_forget((struct mck_type *)object);
  else {
    object->is_freed = false, object->is_adopted = true, object->id = MCK_NONE;
    if (kind == MCK_OBJECT_WIN) ((struct mck_window *)object)->group_size = -1;
    else nfreed[kind]--;
  }
}

void mck_object_forget_freed(void) {
  mck_comm_forget_freed();
  mck_type_forget_freed();
  mck_window_forget_freed();
  for (enum mck_object_kind kind = MCK_OBJECT_GROUP; kind < MCK_OBJECT_KINDS; kind++) forget_freed(kind);
}

void mck_object_visit(enum mck_object_kind kind, mck_object_visitor *visit) {
  if (kind == MCK_OBJECT_COMM) mck_comm_visit(visit);
  else if (kind == MCK_OBJECT_TYPE) mck_type_visit(visit);
  else if (kind == MCK_OBJECT_WIN) mck_window_visit(visit);
  else
    for (struct mck_plain *p = plains[kind]; p; p = p->hh.next) {
      visit(kind, &p->object, (struct mck_reference){p->object.site, p->object.fn, p->count});
      for (size_t i = 0; i < p->nolder; i++) visit(kind, &p->object, p->older[i]);
    }
}
