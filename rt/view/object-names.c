// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes names for the ids of communicators, types, windows and places.
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "log/signature.h"
#include "view/view.h"

static struct mck_view_name unknown_comm = {(char *)"an unknown communicator", (char *)"\"an unknown communicator\""};
static struct mck_view_name unknown_type = {(char *)"an unknown datatype", (char *)"\"an unknown datatype\""};
static struct mck_view_name unknown_win = {(char *)"an unknown window", (char *)"\"an unknown window\""};
static struct mck_view_name basic[MCK_TYPE_USER];

static bool is_constant(const struct mck_view_name *name) {
  return name == &unknown_comm || name == &unknown_type || name == &unknown_win;
}

void mck_view_name_free(struct mck_view_name *name) {
  if (is_constant(name)) return;
  free(name->text);
  free(name->json);
}

__attribute__((format(printf, 2, 3))) static struct mck_view_name *set(struct mck_view_name *name, const char *format,
                                                                       ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&name->text, format, arguments) < 0) name->text = NULL;
  va_end(arguments);
  return name;
}

static unsigned frames_of(struct mck_view_log *log, uint32_t site, struct mck_frame *frames) {
  const struct mck_stack_def *stack = &log->reader.stacks[site];
  unsigned n = 0;
  for (uint32_t i = 0; i < stack->depth && n < MCK_FRAMES_MAX; i++) {
    uint64_t module = stack->frames[i] >> 48;
    const struct mck_module_def *def = module < log->reader.nmodules ? &log->reader.modules[module] : NULL;
    if (def && def->path && !log->modules[module]) log->modules[module] = strndup(def->path, def->path_length);
    const char *path = def && log->modules[module] ? log->modules[module] : "";
    frames[n++] = (struct mck_frame){path, stack->frames[i] & 0xffffffffffffu};
  }
  return n;
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const struct mck_view_place *mck_view_place(const struct mck_view *view, struct mck_view_log *log, uint32_t site) {
  static const struct mck_view_place nowhere;
  if (site >= log->reader.nstacks || !log->reader.stacks[site].frames) return &nowhere;
  struct mck_view_place *place = &log->places[site];
  if (place->is_known) return place;
  place->is_known = true;
  struct mck_frame frames[MCK_FRAMES_MAX];
  unsigned n = frames_of(log, site, frames);
  if (view->symbols) place->stack = mck_symbols_stack(view->symbols, frames, n);
  const struct mck_source_frame *first = place->stack.count ? &place->stack.frames[0] : NULL;
  if (first && first->file)
    set(&place->name, "%s:%d%s%s", base_of(first->file), first->line, first->function ? " in " : "",
        first->function ? first->function : "");
  else if (first && first->function)
    set(&place->name, "%s+0x%llx in %s", first->function, (unsigned long long)first->distance, base_of(first->module));
  else if (first || n) {
    const char *module = first ? first->module : frames[0].module;
    set(&place->name, "%s+0x%llx", base_of(module), (unsigned long long)(first ? first->offset : frames[0].offset));
  }
  return place;
}

const struct mck_comm_def *mck_view_comm_def(const struct mck_view_log *log, uint32_t id) {
  return id < log->reader.ncomms && log->reader.comms[id].body ? &log->reader.comms[id] : NULL;
}

const char *mck_view_fn(const struct mck_event *e) {
  if (e->kind == MCK_EV_ACCESS) return e->flags & MCK_ACCESS_STORE ? "store" : "load";
  bool is_of_call = e->kind <= MCK_EV_DONE || e->kind == MCK_EV_FILE_ACCESS || e->kind == MCK_EV_FILE_DONE ||
                    e->kind == MCK_EV_FILE_POINTER;
  if (!is_of_call || e->kind == MCK_EV_PAD || e->kind == MCK_EV_SETTLED)
    return mck_view_kind(e->kind) ? mck_view_kind(e->kind) : "event of an unknown kind";
  return e->fn < MCK_FN_COUNT && mck_fn_names[e->fn] ? mck_fn_names[e->fn] : "an unknown function";
}

struct mck_view_name *mck_view_comm(const struct mck_view *view, struct mck_view_log *log, uint32_t id) {
  const struct mck_comm_def *def = mck_view_comm_def(log, id);
  if (!def) return &unknown_comm;
  struct mck_view_name *name = &log->comms[id];
  if (name->text) return name;
  const struct mck_event *e = (const struct mck_event *)def->body - 1; // the event that defines it
  if (e->site == MCK_NONE && id < 2) set(name, "%s", id ? "MPI_COMM_SELF" : "MPI_COMM_WORLD");
  else if (def->name_length)
    set(name, "comm %u \"%.*s\"", id, (int)(def->name_length < 64 ? def->name_length : 64), def->name);
  else {
    const char *place = mck_view_place(view, log, e->site)->name.text;
    const char *fn = e->fn < MCK_FN_COUNT && mck_fn_names[e->fn] ? mck_fn_names[e->fn] : "made";
    set(name, "comm %u (%s%s%s)", id, fn, place ? " at " : "", place ? place : "");
  }
  return name->text ? name : &unknown_comm;
}

// The first parts of a type. Parts of these appear by name only: a DAG must not be written out.
struct mck_view_name *mck_view_type(struct mck_view_log *log, uint32_t id) {
  if (id < MCK_TYPE_USER) {
    if (!basic[id].text) basic[id].text = (char *)mck_basic_name(id);
    return &basic[id];
  }
  id -= MCK_TYPE_USER;
  if (id >= log->reader.ntypes || !log->reader.types[id].body) return &unknown_type;
  struct mck_view_name *name = &log->types[id];
  if (name->text) return name;
  const struct mck_type_def *def = &log->reader.types[id];
  char parts[160] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < def->nparts; i++) {
    const char *comma = i ? ", " : "";
    if (i == 3) {
      snprintf(parts + used, sizeof parts - used, ", ...");
      break;
    }
    unsigned long long count = def->parts[i].count;
    int n = def->parts[i].type < MCK_TYPE_USER
                ? snprintf(parts + used, sizeof parts - used, "%s%llu %.24s", comma, count,
                           mck_basic_name(def->parts[i].type))
                : snprintf(parts + used, sizeof parts - used, "%s%llu type %u", comma, count, def->parts[i].type);
    used += (size_t)n; // at most 47 characters each
  }
  if (def->name_length)
    set(name, "type %u \"%.*s\" {%s}", def->id, (int)(def->name_length < 64 ? def->name_length : 64), def->name, parts);
  else set(name, "type %u {%s}", def->id, parts);
  return name->text ? name : &unknown_type;
}

struct mck_view_name *mck_view_win(const struct mck_view *view, struct mck_view_log *log, uint32_t id) {
  if (id >= log->reader.nwins || !log->reader.wins[id].body) return &unknown_win;
  struct mck_view_name *name = &log->wins[id];
  if (name->text) return name;
  const struct mck_win_def *def = &log->reader.wins[id];
  const struct mck_event *e = (const struct mck_event *)def->body - 1;
  const char *place = mck_view_place(view, log, e->site)->name.text;
  if (def->name_length)
    set(name, "window %u \"%.*s\"", id, (int)(def->name_length < 64 ? def->name_length : 64), def->name);
  else set(name, "window %u%s%s%s", id, place ? " (made at " : "", place ? place : "", place ? ")" : "");
  return name->text ? name : &unknown_win;
}

const char *mck_view_kind(unsigned kind) {
  static const char *const names[] = {[MCK_EV_PAD] = "PAD",
                                      [MCK_EV_SEND] = "SEND",
                                      [MCK_EV_RECV] = "RECV",
                                      [MCK_EV_PROBE] = "PROBE",
                                      [MCK_EV_MPROBE] = "MPROBE",
                                      [MCK_EV_MRECV] = "MRECV",
                                      [MCK_EV_COLL] = "COLL",
                                      [MCK_EV_PUT] = "PUT",
                                      [MCK_EV_GET] = "GET",
                                      [MCK_EV_ACC] = "ACC",
                                      [MCK_EV_FENCE] = "FENCE",
                                      [MCK_EV_SYNC] = "SYNC",
                                      [MCK_EV_ACCESS] = "ACCESS",
                                      [MCK_EV_CALL] = "CALL",
                                      [MCK_EV_SETTLED] = "SETTLED",
                                      [MCK_EV_RETURN] = "RETURN",
                                      [MCK_EV_WAIT] = "WAIT",
                                      [MCK_EV_DONE] = "DONE",
                                      [MCK_EV_FILE_ACCESS] = "FILE_ACCESS",
                                      [MCK_EV_FILE_VIEW] = "FILE_VIEW",
                                      [MCK_EV_FILE_DONE] = "FILE_DONE",
                                      [MCK_EV_FILE_NAME] = "FILE_NAME",
                                      [MCK_EV_FILE_POINTER] = "FILE_POINTER",
                                      [MCK_EV_STRAND] = "STRAND",
                                      [MCK_EV_GROUP] = "GROUP",
                                      [MCK_EV_ATTACH] = "ATTACH",
                                      [MCK_EV_WIN_NAME] = "WIN_NAME",
                                      [MCK_EV_COMM_NAME] = "COMM_NAME",
                                      [MCK_EV_TYPE_NAME] = "TYPE_NAME",
                                      [MCK_EV_WIN_MEMORY] = "WIN_MEMORY",
                                      [MCK_EV_MEMBERS] = "MEMBERS",
                                      [MCK_EV_DEF_MODULE] = "DEF_MODULE",
                                      [MCK_EV_DEF_STACK] = "DEF_STACK",
                                      [MCK_EV_DEF_COMM] = "DEF_COMM",
                                      [MCK_EV_DEF_TYPE] = "DEF_TYPE",
                                      [MCK_EV_DEF_WIN] = "DEF_WIN",
                                      [MCK_EV_FINDING] = "FINDING",
                                      [MCK_EV_CONTENT] = "CONTENT",
                                      [MCK_EV_WINDOW_BYTES] = "WINDOW_BYTES"};
  return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *mck_view_end(const struct mck_view_log *log, char *text, size_t size) {
  int how = atomic_load(&log->reader.header->how);
  uint32_t state = atomic_load(&log->reader.header->state);
  switch (state) {
  case MCK_LOG_RUNNING: return "running, or killed";
  case MCK_LOG_FINALIZING: return "in MPI_Finalize, or killed there";
  case MCK_LOG_FINALIZED: return "finalized";
  case MCK_LOG_EXITED: snprintf(text, size, "exited with %d without MPI_Finalize", how); return text;
  case MCK_LOG_ABORTED: snprintf(text, size, "called MPI_Abort(%d)", how); return text;
  case MCK_LOG_SIGNALLED: {
    const char *name = sigabbrev_np(how);
    if (mck_log_sanitizer(how)) snprintf(text, size, "ended by %s", mck_log_sanitizer(how));
    else snprintf(text, size, "died of signal %d%s%s", how, name ? ", SIG" : "", name ? name : "");
    return text;
  }
  default: snprintf(text, size, "unknown (state %u)", state); return text;
  }
}

int mck_view_peer(const struct mck_view_log *log, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_view_comm_def(log, e->msg.comm);
  return comm ? mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0) : -1;
}
