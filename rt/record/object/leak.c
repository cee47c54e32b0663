// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects and requests that still exist in MPI_Finalize, after the attribute callbacks of MPI_COMM_SELF have run
// (MPI-3.1 8.7.1; init.c). An attached buffer is no leak: MPI_Finalize detaches it (8.7).
#include "record/collective/open-file.h"
#include "record/error/local-finding.h"
#include "record/object/leak.h"
#include "record/rma/epoch.h"
#include "record/runtime.h"

static int *keyvals; // of communicators, with a delete callback of the user
static size_t nkeyvals, keyvals_capacity;
static bool has_other_attributes; // of datatypes or windows
static bool is_held; // an object with attributes was never freed: objects that its callbacks would free are not leaks
                     // of their own

void mck_leaks_keyval(int keyval) {
  if (keyval == MPI_KEYVAL_INVALID) has_other_attributes = true;
  else (void)!MCK_PUSH(keyvals, nkeyvals, keyvals_capacity, keyval);
}

// The keyvals may have been freed (MPI-3.1 6.7.2: they live as long as their attributes). Then the look-up is an
// error, which the program must not get.
static bool has_attributes(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (!nkeyvals || PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  bool found = false;
  for (size_t i = 0; i < nkeyvals && !found; i++) {
    void *value;
    int flag = 0;
    found = PMPI_Comm_get_attr(comm, keyvals[i], &value, &flag) == MPI_SUCCESS && flag;
  }
  PMPI_Comm_set_errhandler(comm, handler);
  PMPI_Errhandler_free(&handler);
  return found;
}

static bool is_live(const struct mck_object *object) {
  return !object->is_predefined && !object->is_adopted && !object->is_freed;
}

static void look_for_holder(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held) {
  (void)held;
  if (is_held || object->is_freed || object->is_adopted)
    return; // adopted: it may have been freed, and then the library would crash
  if (kind != MCK_OBJECT_COMM) is_held = has_other_attributes && is_live(object);
  else if (object->handle != (uint64_t)(uintptr_t)MPI_COMM_SELF)
    is_held = has_attributes((MPI_Comm)(uintptr_t)object->handle);
}

static void leaked(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held) {
  static const struct {
    enum mck_check check;
    const char *noun;
  } kinds[MCK_OBJECT_KINDS] = {
      [MCK_OBJECT_COMM] = {MCK_CHECK_LEAK_COMM, "communicator made by %s is never freed"},
      [MCK_OBJECT_TYPE] = {MCK_CHECK_LEAK_DATATYPE, "datatype made by %s is never freed"},
      [MCK_OBJECT_WIN] = {MCK_CHECK_LEAK_WIN, "window made by %s is never freed"},
      [MCK_OBJECT_GROUP] = {MCK_CHECK_LEAK_GROUP, "group made by %s is never freed"},
      [MCK_OBJECT_OP] = {MCK_CHECK_LEAK_OP, "operation made by %s is never freed"},
      [MCK_OBJECT_FILE] = {MCK_CHECK_LEAK_FILE, "file opened by %s is never closed"},
      [MCK_OBJECT_INFO] = {MCK_CHECK_LEAK_INFO, "info made by %s is never freed"},
      [MCK_OBJECT_ERRHANDLER] = {MCK_CHECK_LEAK_ERRHANDLER, "error handler made by %s is never freed"},
      [MCK_OBJECT_KEYVAL] = {MCK_CHECK_LEAK_KEYVAL, "attribute key made by %s is never freed"},
      [MCK_OBJECT_MESSAGE] = {MCK_CHECK_LEAK_MESSAGE, "message taken by %s is never received"},
      [MCK_OBJECT_MEMORY] = {MCK_CHECK_LEAK_ALLOC_MEM, "memory allocated by %s is never freed"}};
  if (!is_live(object) || held.site == MCK_NONE) return;
  if (kind == MCK_OBJECT_MESSAGE && mck_rt.is_request_unseen) return;
  if (is_held && (kind != MCK_OBJECT_COMM || !has_attributes((MPI_Comm)(uintptr_t)object->handle))) return;
  for (uint32_t i = 0; i < held.count; i++) {
    struct mck_finding *f = mck_local_add(kinds[kind].check, held.site, 0);
    mck_finding_text(f, kinds[kind].noun, mck_fn_names[held.fn]);
    mck_finding_place(f, mck_rt.rank, held.site, "%s on rank %d", mck_fn_names[held.fn], mck_rt.rank);
    if (object->is_overwritten && held.site == object->site)
      mck_finding_place(f, mck_rt.rank, object->overwritten, "its variable got another handle");
    mck_local_done(f);
  }
}

static void request_overwritten(uint16_t fn, uint32_t site, uint32_t by) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_REQUEST_OVERWRITTEN, site, by);
  mck_finding_text(f, "the request made by %s is never completed: its variable was used for another one",
                   mck_fn_names[fn]);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", mck_fn_names[fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, by, "overwritten");
  mck_local_done(f);
}

static void shared_overwritten(const struct mck_overwritten *o) {
  for (size_t i = 0; i < o->count; i++) request_overwritten(o->fn, o->site, o->by);
}

static void open_request(const struct mck_request *r) {
  if (r->is_said) return;
  if (r->overwritten != MCK_NONE) request_overwritten(r->fn, r->site, r->overwritten);
  else if (r->is_persistent && !r->is_active) {
    struct mck_finding *f = mck_local_add(MCK_CHECK_LEAK_REQUEST, r->site, 0);
    mck_finding_text(f, "persistent request made by %s is never freed", mck_fn_names[r->fn]);
    mck_finding_place(f, mck_rt.rank, r->site, "%s on rank %d", mck_fn_names[r->fn], mck_rt.rank);
    mck_local_done(f);
  } else if (r->is_active) {
    struct mck_finding *f = mck_local_add(MCK_CHECK_REQUEST_NOT_COMPLETED, r->site, 0);
    mck_finding_text(f, "the operation started by %s is never completed", mck_fn_names[r->fn]);
    mck_finding_place(f, mck_rt.rank, r->site, "%s on rank %d", mck_fn_names[r->fn], mck_rt.rank);
    mck_local_done(f);
  }
}

// Access epochs that were opened and not closed. Between fences one is always open, which is right (MPI-3.1 11.5.1).
// Of an unknown window no epochs are known.
static void open_epoch(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held) {
  const struct mck_window *w = (const struct mck_window *)object;
  uint16_t fn;
  uint32_t site;
  (void)kind, (void)held;
  if (!is_live(object) || object->site == MCK_NONE || !mck_epoch_is_open(w, &fn, &site)) return;
  struct mck_finding *f = mck_local_add(MCK_CHECK_INIT_PENDING_AT_FINALIZE, object->site, 0);
  mck_finding_text(f, "an epoch opened by %s is not closed", mck_fn_names[fn]);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", mck_fn_names[fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, object->site, "the window was made by %s on rank %d", mck_fn_names[object->fn],
                    mck_rt.rank);
  mck_local_done(f);
}

void mck_leaks_find(void) {
  if (mck_rt.is_profiler) return; // objects may be freed, and requests completed, unseen
  mck_request_visit(open_request);
  mck_files_pending();
  mck_request_visit_overwritten(shared_overwritten);
  mck_object_visit(MCK_OBJECT_WIN, open_epoch);
  for (enum mck_object_kind kind = MCK_OBJECT_COMM; mck_rt.is_attribute_user && kind <= MCK_OBJECT_WIN; kind++)
    mck_object_visit(kind, look_for_holder);
  for (enum mck_object_kind kind = MCK_OBJECT_COMM; kind < MCK_OBJECT_KINDS; kind++) mck_object_visit(kind, leaked);
}
