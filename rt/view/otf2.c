// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the time line as an OTF2 archive, for Vampir, Scalasca and the like: a location per rank, a region per
// function, messages and collectives as OTF2 records. The time is that of order.h, two ticks a step. Messages of
// intercommunicators are written as messages of MPI_COMM_WORLD, with world ranks: readers of OTF2 2.x know no other
// kind of communicator.
#include "order/order.h"
#include "view/view.h"

#ifdef MCK_HAS_OTF2
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>
#include "standard/function.h"
#include "base/hash-table.h"
#include "log/envelope.h"
#include "log/signature.h"

enum { RANKS_MAX = 1 << 20, REGION_OTHER = MCK_FN_COUNT, REGION_LOAD, REGION_STORE, REGIONS };

struct comm {
  uint64_t key;
  struct mck_view_log *log;
  const struct mck_comm_def *def;
};
struct archive {
  const struct mck_view *view;
  OTF2_Archive *archive;
  OTF2_EvtWriter **writers;
  struct mck_signatures *types; // by log
  uint64_t *events;             // records of each location
  uint64_t last;                // time
  struct comm *comms;
  size_t ncomms, capacity;
  struct mck_table table;
  char why[160];
};

static OTF2_FlushType pre_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool is_final) {
  (void)data, (void)type, (void)location, (void)caller, (void)is_final;
  return OTF2_FLUSH;
}
static OTF2_TimeStamp post_flush(void *data, OTF2_FileType type, OTF2_LocationRef location) {
  (void)type, (void)location;
  return ((struct archive *)data)->last;
}
static OTF2_ErrorCode keep_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list arguments) {
  (void)file, (void)line, (void)function;
  struct archive *a = data;
  char text[96] = "";
  vsnprintf(text, sizeof text, format, arguments);
  if (!*a->why) snprintf(a->why, sizeof a->why, "%s: %s", OTF2_Error_GetDescription(code), text);
  return code;
}

// 0: MPI_COMM_WORLD, also where OTF2 has no such communicator.
static uint32_t find_comm(const struct archive *a, const struct mck_comm_def *def) {
  if (!def || def->remote_size) return 0;
  uint32_t at, id;
  MCK_TABLE_EACH (&a->table, mck_table_mix(def->body->key, 3), at, id)
    if (a->comms[id].key == def->body->key) return id;
  return 0;
}

static bool collect_comms(struct archive *a) {
  for (size_t i = 0; i < a->view->count; i++)
    for (uint32_t k = 0; k < a->view->logs[i].reader.ncomms; k++) {
      struct mck_view_log *log = &a->view->logs[i];
      const struct mck_comm_def *def = &log->reader.comms[k];
      struct comm new = {def->body ? def->body->key : 0, log, def};
      // MPI_COMM_WORLD is the first communicator of each log, and has number 0 here.
      if (!def->body || def->remote_size || (a->ncomms && find_comm(a, def)) ||
          (a->ncomms && a->comms[0].key == new.key))
        continue;
      if (!MCK_PUSH(a->comms, a->ncomms, a->capacity, new) ||
          !mck_table_add(&a->table, mck_table_mix(new.key, 3), (uint32_t)a->ncomms - 1))
        return false;
    }
  return true;
}

static uint32_t region_of(const struct mck_event *e) {
  if (e->kind == MCK_EV_ACCESS) return e->flags & MCK_ACCESS_STORE ? REGION_STORE : REGION_LOAD;
  return e->fn < MCK_FN_COUNT ? e->fn : REGION_OTHER;
}

static uint64_t bytes_of(const struct archive *a, uint32_t log, uint32_t type, uint64_t count) {
  struct mck_signature s = mck_signature_of(&a->types[log], type, count);
  return mck_signature_is_known(s) ? s.bytes : 0;
}

// The peer as a rank of the OTF2 communicator.
static uint32_t peer_in(const struct mck_view_log *log, const struct mck_event *e, uint32_t comm) {
  return comm ? (uint32_t)e->msg.peer : (uint32_t)mck_view_peer(log, e);
}

static OTF2_CollectiveOp operation_of(const struct mck_event *e) {
  static const uint16_t functions[] = {MCK_FN_MPI_Barrier,
                                       MCK_FN_MPI_Bcast,
                                       MCK_FN_MPI_Gather,
                                       MCK_FN_MPI_Gatherv,
                                       MCK_FN_MPI_Scatter,
                                       MCK_FN_MPI_Scatterv,
                                       MCK_FN_MPI_Allgather,
                                       MCK_FN_MPI_Allgatherv,
                                       MCK_FN_MPI_Alltoall,
                                       MCK_FN_MPI_Alltoallv,
                                       MCK_FN_MPI_Alltoallw,
                                       MCK_FN_MPI_Allreduce,
                                       MCK_FN_MPI_Reduce,
                                       MCK_FN_MPI_Reduce_scatter,
                                       MCK_FN_MPI_Scan,
                                       MCK_FN_MPI_Exscan,
                                       MCK_FN_MPI_Reduce_scatter_block}; // in the order of OTF2
  bool is_blocking = e->kind == MCK_EV_COLL && !(e->flags & MCK_FLAG_NONBLOCKING);
  for (uint8_t i = 0; is_blocking && i < sizeof functions / sizeof *functions; i++)
    if (e->fn == functions[i]) return i;
  return UINT8_MAX;
}

static void enter(void *context, struct mck_point at) {
  struct archive *a = context;
  struct mck_view_log *log = &a->view->logs[at.log];
  const struct mck_event *e = &log->reader.events[at.index];
  OTF2_EvtWriter_Enter(a->writers[at.log], NULL, 2 * at.time, region_of(e));
  a->events[at.log]++;
  if (e->kind == MCK_EV_SEND && mck_event_is_sent(e) && mck_view_peer(log, e) >= 0) {
    uint32_t comm = find_comm(a, mck_view_comm_def(log, e->msg.comm));
    OTF2_EvtWriter_MpiSend(a->writers[at.log], NULL, 2 * at.time, peer_in(log, e, comm), comm, (uint32_t)e->msg.tag,
                           bytes_of(a, at.log, e->msg.type, e->msg.count));
    a->events[at.log]++;
  }
  if (operation_of(e) == UINT8_MAX) return;
  OTF2_EvtWriter_MpiCollectiveBegin(a->writers[at.log], NULL, 2 * at.time);
  a->events[at.log]++;
}

// A message is received when its receive is completed.
static void arrow(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to) {
  struct archive *a = context;
  if (kind != MCK_ARROW_MESSAGE) return;
  struct mck_view_log *log = &a->view->logs[from.log];
  const struct mck_event *send = &log->reader.events[from.index];
  const struct mck_comm_def *def = mck_view_comm_def(log, send->msg.comm);
  uint32_t comm = find_comm(a, def), source = comm && def ? def->rank : log->reader.header->rank;
  OTF2_EvtWriter_MpiRecv(a->writers[to.log], NULL, 2 * to.time - 1, source, comm, (uint32_t)send->msg.tag,
                         bytes_of(a, from.log, send->msg.type, send->msg.count));
  a->events[to.log]++;
}

static void leave(void *context, struct mck_point at, bool is_finished) {
  struct archive *a = context;
  (void)is_finished;
  struct mck_view_log *log = &a->view->logs[at.log];
  const struct mck_event *e = &log->reader.events[at.index];
  uint64_t time = 2 * at.time - 1;
  if (operation_of(e) != UINT8_MAX) {
    bool has_root = e->coll.root >= 0;
    uint64_t bytes = bytes_of(a, at.log, e->coll.type, e->coll.count);
    OTF2_EvtWriter_MpiCollectiveEnd(a->writers[at.log], NULL, time, operation_of(e),
                                    find_comm(a, mck_view_comm_def(log, e->coll.comm)),
                                    has_root ? (uint32_t)e->coll.root : OTF2_UNDEFINED_UINT32, bytes, bytes);
    a->events[at.log]++;
  }
  OTF2_EvtWriter_Leave(a->writers[at.log], NULL, time, region_of(e));
  a->events[at.log]++;
  if (time > a->last) a->last = time;
}

static OTF2_RegionRole role_of(uint32_t fn) {
  bool is_barrier = fn < MCK_FN_COUNT && mck_std_blocking((uint16_t)fn) == MCK_FN_MPI_Barrier;
  return is_barrier ? OTF2_REGION_ROLE_BARRIER : OTF2_REGION_ROLE_FUNCTION;
}

static uint32_t write_string(OTF2_GlobalDefWriter *w, uint32_t *next, const char *text) {
  OTF2_GlobalDefWriter_WriteString(w, *next, text);
  return (*next)++;
}

static bool write_comms(const struct archive *a, OTF2_GlobalDefWriter *w, uint32_t *next, uint32_t empty) {
  uint64_t *members = calloc((size_t)a->view->size + 1, sizeof *members);
  if (!members) return false;
  for (uint32_t i = 0; i < a->view->size; i++) members[i] = i;
  OTF2_GlobalDefWriter_WriteGroup(w, 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                  a->view->size, members);
  for (uint32_t i = 0; i < a->ncomms; i++) {
    const struct comm *c = &a->comms[i];
    // Processes outside of MPI_COMM_WORLD have no location here.
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->def->size && n < a->view->size; k++) {
      int world = mck_comm_world_rank(c->def, (int)k, false);
      if (world >= 0 && (uint32_t)world < a->view->size) members[n++] = (uint64_t)world;
    }
    uint32_t name = write_string(w, next, mck_view_comm(a->view, c->log, c->def->id)->text);
    OTF2_GlobalDefWriter_WriteGroup(w, i + 1, empty, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, n, members);
    OTF2_GlobalDefWriter_WriteComm(w, i, name, i + 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }
  free(members);
  return true;
}

static bool write_definitions(const struct archive *a) {
  OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a->archive);
  uint32_t next = 0, empty = write_string(w, &next, "");
  char text[96];
  // The ticks have no length. Tools draw a nanosecond per tick well.
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, 0, a->last + 1, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, write_string(w, &next, "run"), write_string(w, &next, "machine"),
                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t i = 0; i < REGIONS; i++) {
    const char *name = i == REGION_OTHER   ? "an unknown function"
                       : i == REGION_LOAD  ? "load"
                       : i == REGION_STORE ? "store"
                                           : mck_fn_names[i];
    uint32_t string = write_string(w, &next, name ? name : "");
    OTF2_GlobalDefWriter_WriteRegion(w, i, string, string, empty, role_of(i), OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                     empty, 0, 0);
  }
  uint32_t thread = write_string(w, &next, "MPI calls");
  for (uint32_t rank = 0; rank < a->view->size; rank++) {
    const struct mck_view_log *log = mck_view_log_of(a->view, rank);
    snprintf(text, sizeof text, "rank %u", rank);
    OTF2_GlobalDefWriter_WriteLocationGroup(w, rank, write_string(w, &next, text), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(w, rank, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
                                       log ? a->events[log - a->view->logs] : 0, rank);
  }
  return write_comms(a, w, &next, empty);
}

static const char *write_archive(struct archive *a, const char *dir) {
  static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
  static const char why_memory[] = "out of memory: look at fewer logs at a time";
  a->archive = OTF2_Archive_Open(dir, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22, OTF2_SUBSTRATE_POSIX,
                                 OTF2_COMPRESSION_NONE);
  if (!a->archive) return *a->why ? a->why : "cannot make the archive";
  OTF2_Archive_SetFlushCallbacks(a->archive, &flush, a);
  OTF2_Archive_SetSerialCollectiveCallbacks(a->archive);
  OTF2_Archive_SetCreator(a->archive, "mpicc-check-log " MCK_VERSION);
  OTF2_Archive_SetDescription(a->archive, "logical time: a receive is behind its send, lengths mean nothing");
  OTF2_Archive_OpenEvtFiles(a->archive);
  for (size_t i = 0; i < a->view->count; i++) {
    const struct mck_reader *r = &a->view->logs[i].reader;
    if (!mck_signatures_load(&a->types[i], r)) return why_memory;
    if (!(a->writers[i] = OTF2_Archive_GetEvtWriter(a->archive, r->header->rank))) return *a->why ? a->why : why_memory;
  }
  struct mck_order_sink sink = {.context = a, .enter = enter, .arrow = arrow, .leave = leave};
  struct mck_order_totals totals;
  if (!mck_view_walk(a->view, &sink, &totals)) return why_memory;
  for (size_t i = 0; i < a->view->count; i++) OTF2_Archive_CloseEvtWriter(a->archive, a->writers[i]);
  OTF2_Archive_CloseEvtFiles(a->archive);
  // Readers need a file of local definitions for each location, even if it is empty.
  OTF2_Archive_OpenDefFiles(a->archive);
  for (uint32_t rank = 0; rank < a->view->size; rank++)
    OTF2_Archive_CloseDefWriter(a->archive, OTF2_Archive_GetDefWriter(a->archive, rank));
  OTF2_Archive_CloseDefFiles(a->archive);
  if (!write_definitions(a)) return why_memory;
  return NULL;
}

const char *mck_view_otf2(const struct mck_view *view, const char *dir) {
  static struct archive archive; // its text outlives the call
  struct archive *a = &archive;
  *a = (struct archive){.view = view};
  if (view->size > RANKS_MAX) return "too many ranks";
  a->writers = calloc(view->count + 1, sizeof(OTF2_EvtWriter *));
  a->types = calloc(view->count + 1, sizeof *a->types);
  a->events = calloc(view->count + 1, sizeof *a->events);
  const char *why = "out of memory: look at fewer logs at a time";
  OTF2_Error_RegisterCallback(keep_error, a);
  if (a->writers && a->types && a->events && collect_comms(a)) why = write_archive(a, dir);
  if (a->archive) OTF2_Archive_Close(a->archive);
  if (!why && *a->why) why = a->why;
  for (size_t i = 0; a->types && i < view->count; i++) mck_signatures_free(&a->types[i]);
  free(a->writers);
  free(a->types);
  free(a->events);
  free(a->comms);
  mck_table_free(&a->table);
  OTF2_Error_RegisterCallback(NULL, NULL);
  return why;
}
#else
const char *mck_view_otf2(const struct mck_view *view, const char *dir) {
  (void)view, (void)dir;
  return "this mpicc-check-log was built without OTF2; install the OTF2 library (Debian: libotf2-trace-dev), and build "
         "again";
}
#endif
