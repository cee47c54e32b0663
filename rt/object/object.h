// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: what the process knows about its MPI handles. There is one table per kind, keyed by the handle's value. An
// entry stays after the object is freed (is_freed), so a stale handle is recognised until the library uses the value
// again. All functions are called under record's lock (record/runtime.h). They call no MPI_* functions, only PMPI_*
// functions that are local (no communication).
#pragma once
#include <mpi.h>
#include <stddef.h>
#include "base/range-set.h"
#include "log/log.h"
#include "uthash.h"

enum mck_object_kind {
  MCK_OBJECT_COMM,
  MCK_OBJECT_TYPE,
  MCK_OBJECT_WIN,
  MCK_OBJECT_GROUP,
  MCK_OBJECT_OP,
  MCK_OBJECT_FILE,
  MCK_OBJECT_INFO,
  MCK_OBJECT_ERRHANDLER,
  MCK_OBJECT_KEYVAL,
  MCK_OBJECT_MESSAGE,
  MCK_OBJECT_MEMORY,
  MCK_OBJECT_KINDS
};

// The fields of every object.
struct mck_object {
  uint64_t handle;    // the value of the MPI handle: the key
  uint32_t id;        // its id in the log
  uint32_t site;      // where it was created; MCK_NONE: it is predefined, or was created unseen
  uint32_t free_site; // where it was freed
  union {
    int number; // is_freed: Fortran's handle if Fortran code freed it (the library turns stale numbers into null
                // pointers), else 0
    uint32_t overwritten; // is_overwritten: the site
  };
  uint16_t fn; // the function that created it
  bool is_freed;
  bool is_predefined;  // must not be freed
  bool is_overwritten; // the variable with the handle got another one: the handle may be lost
  bool is_adopted;     // it was made unseen, or inside another call: it is never a leak
};

struct mck_comm {
  struct mck_object object;
  uint64_t key;                // equal on all members, unique in the job (comm.c)
  int rank, size, remote_size; // remote_size 0: intracommunicator; size -1: the communicator is unknown
  bool is_logged;              // all members are of our MPI_COMM_WORLD
  struct mck_counted *counts;  // owned; how often each kind of communicator and window was made from this one (comm.c)
  UT_hash_handle hh;
};

struct mck_type {
  struct mck_object object;
  int64_t size, lb, extent;
  int64_t low, high;        // the first byte that one element touches, and one past the last (MPI-3.1 4.1.8)
  uint32_t nblocks;         // MCK_NONE: too many, or unknown
  struct mck_block *blocks; // owned; the bytes that one element touches, sorted and merged
  uint32_t generation;      // number of the definition: the library may use a handle value again
  bool is_forgotten;        // it is defined again when it is used (mck_object_forget_freed)
  bool is_uncommitted;      // made by a recorded call, and not committed
  bool has_addresses;       // its displacements are bytes that the program computed, perhaps between variables
                            // (MPI-3.1 4.1.12), or are unknown
  bool is_dense;            // one block from 0 to extent: any count is one interval
  bool is_overlapping;      // its type map certainly has a byte twice
  bool is_unordered;        // its displacements certainly do not increase (MPI-3.1 13.3)
  bool is_inexact;          // it contains a pair with a gap: blocks cover more than the touched bytes
  bool may_overlap;         // is_overlapping, or copies may overlap: mck_type_copies_overlap decides
  uint8_t misaligned;       // bits that are not set in the address of a predefined C type; 0: any address is fine
  int64_t apart;            // copies so many elements apart do not overlap
  int64_t stride;           // all blocks are as long as the first one, and begin so many bytes apart; 0: they do not
  UT_hash_handle hh;
};

// Committed, not freed, and its copies have no byte twice.
static inline bool mck_type_is_plain(const struct mck_type *t) {
  return !(t->object.is_freed | t->is_uncommitted | t->is_forgotten | t->may_overlap);
}

struct mck_window {
  struct mck_object object;
  uint64_t key;
  uint32_t comm;  // id
  int group_size; // -1: the window is unknown
  char *base;
  uint64_t size;
  int disp_unit;
  int flavor;                    // MPI_WIN_FLAVOR_*
  uint32_t traits;               // MCK_WIN_*: the promises of its info and its memory model (log/event.h)
  struct mck_window *segments;   // memory beside its own part (record/rma/shared-segment.c); in a segment: the next one
  uint32_t owner;                // in a segment of a shared window: 1 + the rank that owns the part; 0: our own
  struct mck_attached *attached; // the memory of a dynamic window (record/rma/attached-memory.c)
  uint64_t origin; // the judge counts from so many bytes before base: for memory of a dynamic window its address, else
                   // 0
  bool is_stored;  // its own part was written since its last synchronization; stored: where first, and by which
  uint32_t stored; // function (-1: a store)
  int stored_fn;
  uint32_t synced;             // how many synchronizations of windows there were with its own last one
  struct mck_epochs *epochs;   // owned by record/rma/epoch.c; NULL: its epochs are unknown
  struct mck_buffer *buffers;  // of its operations that are not complete (record/buffer/buffer-in-use.c)
  struct mck_buffer *targets;  // what operations on the own part write (record/rma/own-target.c)
  struct mck_window *next;     // the list of live windows (record/access/signal.c)
  struct mck_touched *touched; // ranges touched since the last synchronization (record/access/touched-range.c)
  // What operations use on the own part, as long as no buffer comes near (record/rma/own-target-list.h).
  struct mck_own_targets *own_targets;
  UT_hash_handle hh;
};

// A buffer that an active operation uses. While it is active, it is among the ranges of record/buffer/buffer-overlap.c;
// that of an RMA operation is in the list of its window, too.
struct mck_buffer {
  // The end of an operation reads one cache line (inside a request, which is aligned to cache lines).
  union {
    struct mck_byte_range range; // for buffer-overlap.c: it is the hull
    struct {
      const char *low, *high;
    }; // hull [low, high)
  };
  bool is_written; // MPI writes it (receive, get): loads are wrong, too
  bool is_active;  // its operation is not complete
  bool is_marked;  // loads and stores are checked (record/access/signal.c)
  bool is_pooled;  // it belongs to an RMA operation without request (record/rma/operation-buffer.c)
  uint16_t fn;
  bool is_compared;   // MPI_Compare_and_swap compares with it
  bool is_of_several; // RMA: it is in use for several targets
  uint32_t site;
  uint32_t generation; // the generation of type: a type may be freed in use (MPI-3.1 4.1.9), and its successor has
                       // other bytes
  struct mck_window *window; // RMA: the buffer is in use until the closing synchronization, at the latest
  const char *address;
  int64_t count;
  const struct mck_type *type;        // the exact bytes; NULL: all of the hull
  struct mck_buffer *next, *previous; // the active buffers of a window, or the pool
  uint64_t hash;                      // of its bytes when it was posted; 0: not taken (buffer-hash.c)
  union {
    uint64_t targets;              // RMA, is_pooled: a bit for each target, modulo 64, that is not synchronized yet
    struct mck_buffer *own_target; // of a request: bytes of the own part of the window that end with this buffer
  };
  int target;     // RMA: the only target, or one of several
  bool is_target; // no local buffer, but bytes of the own part of the window
  bool is_late;   // is_target: in use until the operation is complete at its target
  bool is_parked; // no longer in use, but its pages are still marked (record/rma/parked-buffer.h)
  bool is_array;  // no data, but an argument array of a collective (record/buffer/argument-array.h)
};
_Static_assert(sizeof(struct mck_buffer) % 64 == 0, "buffers of a request begin at cache lines");
_Static_assert(offsetof(struct mck_byte_range, low) == 0 && offsetof(struct mck_byte_range, high) == sizeof(char *),
               "the range is the hull");
_Static_assert(offsetof(struct mck_buffer, window) + sizeof(void *) <= 64, "one cache line");

enum mck_request_kind {
  MCK_REQUEST_SEND,
  MCK_REQUEST_RECV,
  MCK_REQUEST_COLL,
  MCK_REQUEST_RMA,
  MCK_REQUEST_FILE,
  MCK_REQUEST_GENERALIZED
};
struct mck_request {
  // Posting and completing read one cache line (batches of request.c are aligned to it), and the buffer two more.
  uint64_t handle;
  const MPI_Request *at; // the variable with the handle
  uint32_t event;        // the index of the event that started it; MCK_NONE: it is not logged
  uint32_t site;
  uint32_t free_site;   // is_freed: the site where it was completed or freed
  uint32_t overwritten; // the site of the call that stored another handle in its variable, or MCK_NONE
  uint32_t seen;        // the number of the last look at an array that found it (mck_request_see)
  uint16_t fn;
  uint8_t kind;
  uint8_t used; // bit i: buffers[i] is valid; the others hold old values
  union {
    struct {
      bool is_persistent, is_wild;
      bool is_cancelled : 1;
      bool is_detached : 1;  // it is not in the table while a thread waits for it (completion.c)
      bool is_brief : 1;     // it leaves the table with its operation (request.c)
      bool is_waited : 1;    // it has a waiter
      bool has_comm : 1;     // it has a newcomm
      bool is_file : 1;      // its end is an event of the file: access and file_comm say which
      bool is_in_window : 1; // it writes into the own part of a window (record/rma/untrue-assertion.c)
      bool has_content : 1;  // its end records or checks the content of its buffers (record/content)
      bool has_arrays : 1;   // its argument arrays are in use, too (record/buffer/argument-array.h)
    };
    uint32_t is_special; // any of these bits: its end needs more than a mark
  };
  bool is_active;
  bool is_freed;       // the handle is stale: the entry stays until the library uses the value again
  bool is_started : 1; // persistent: it was started at least once
  bool is_over : 1;    // MPI_Request_get_status has returned that the operation is complete
  bool is_shared : 1;  // several requests have the same handle (request.c)
  bool is_said : 1;    // a finding has said that it is not complete
  struct mck_request *follower,
      *leader; // the requests behind and before it in the last array: a loop uses the same requests again, in the same
               // order or, where the library keeps free requests in a stack, in the reverse order
  UT_hash_handle hh;
  const void *waiter; // the thread that waits for it (request-threads.c)
  MPI_Comm newcomm;   // Comm_idup: the communicator (Open MPI sets its handle at once), its parent and its key
  uint16_t wait_fn;
  uint32_t wait_site; // the site of the call that waits for it
  uint32_t polled;    // the poll list that it is in (record/call/poll-list.h)
  struct mck_comm *parent;
  uint64_t key;                        // for MCK_REQUEST_FILE: the file, while the operation may be under way
  struct mck_request *next, *previous; // the free list (next only), those that are waited for, or of the shared handle
  uint32_t access, file_comm;          // of a file: mck_file_access_done
  bool is_linked;                      // it is in that list, live or not
  uint32_t content;                    // has_content: the CONTENT event of what it sends, or MCK_NONE
  uint64_t content_begin;              // has_content: time-stamp counter when it was posted
  const struct mck_type *content_type; // has_content: of the message, and which of its definitions
  uint32_t content_generation;
  struct mck_content_parts *parts;           // has_content, of a collective: record/content/content-collective.c
  struct mck_arrays *arrays;                 // has_arrays
  uint32_t begun;                            // is_in_window: how many synchronizations of windows were before it
  struct mck_event start;                    // persistent: the event to append at each start
  _Alignas(64) struct mck_buffer buffers[2]; // [0] the data that is sent, [1] the data that is received
                                             // (mck_request_buffer)
};

_Static_assert(offsetof(struct mck_request, is_active) == offsetof(struct mck_request, is_special) + sizeof(uint32_t),
               "is_special has all of the bits");

// Handles of one variable that the next request replaced: requests that share a handle are only counted (request.c).
struct mck_overwritten {
  uint64_t key;
  uint32_t site, by;
  uint16_t fn;
  size_t count;
  UT_hash_handle hh;
};

// Kinds of which only the existence matters. Where a call returns references that are freed one by one (MPI_Comm_group,
// MPI_Comm_get_errhandler), equal handles are counted by the place that got them.
struct mck_reference {
  uint32_t site;
  uint16_t fn;
  uint32_t count;
};
struct mck_plain {
  struct mck_object object;    // site and fn are those of the last reference
  uint32_t count;              // the number of references of that site
  struct mck_reference *older; // owned; the references of other sites, the oldest first
  size_t nolder, capacity;
  uint32_t function; // of an operation: 1 + the number of the program's function (record/collective/user-op.h); 0: none
  UT_hash_handle hh;
};

// The tables. find returns NULL for unknown handles; freed objects are found, too (is_freed).
void mck_object_init(struct mck_log *log); // enters predefined objects; after PMPI_Init, writes their definitions
// The object that was found last, never NULL: most programs use one communicator and one type. Its handle says whether
// it is the one that the caller needs.
extern struct mck_comm *mck_comm_last;
extern struct mck_type *mck_type_last;
struct mck_comm *mck_comm_find(MPI_Comm comm);
// key 0: it is derived here. Comm_idup reserves its key at the call and adds the communicator at completion.
struct mck_comm *mck_comm_add(MPI_Comm comm, struct mck_comm *parent, uint16_t fn, int tag, uint32_t site,
                              uint64_t key);
// An object with a sequence of collectives of its own over the members of comm (a file): its id in the log, or
// MCK_NONE. key: the reserved key.
uint32_t mck_comm_define_twin(struct mck_comm *parent, MPI_Comm comm, uint16_t fn, uint32_t site, uint64_t key);
uint64_t mck_comm_reserve_key(struct mck_comm *parent, uint16_t fn);
struct mck_type *mck_type_find(MPI_Datatype type); // defines a type that was made unseen; NULL when that fails
// old: the type that it was made of; MPI_DATATYPE_NULL: there are several, or it is unknown.
struct mck_type *mck_type_add(MPI_Datatype type, MPI_Datatype old, uint16_t fn, uint32_t site);
// Does a message of count elements of one type fit a receive of count elements of another (MPI-3.1 3.3.1)? MPI_BYTE and
// MPI_PACKED fit anything of their size, and unknown types fit. misfit is set when they do not fit.
struct mck_flow {
  const struct mck_type *type;
  int64_t count;
};
struct mck_misfit {
  uint64_t element, from_bytes, to_bytes;
  uint32_t from, to;
}; // the first element that differs, and its two basic types
enum mck_fit { MCK_FITS, MCK_OVERFLOWS, MCK_MISMATCHES };
enum mck_fit mck_type_fits(struct mck_flow from, struct mck_flow to, struct mck_misfit *misfit);
extern struct mck_window *mck_window_last; // that was found last; NULL: none. Its handle says which one it is
struct mck_window *mck_window_find(MPI_Win win);
// info: the hints that it was made with; MPI_INFO_NULL: none, or unknown.
struct mck_window *mck_window_add(MPI_Win win, struct mck_comm *comm, MPI_Info info, uint16_t fn, uint32_t site);
// The run is over, and no address of the program's is kept that is not in use: to LeakSanitizer its block were no leak.
static inline void mck_buffer_forget_address(struct mck_buffer *b) {
  if (!b->range.is_listed) b->low = b->high = b->address = NULL;
}
void mck_request_forget_addresses(void);
void mck_request_init(MPI_Request shared); // the handle of operations that are complete at once
// at: the user's variable, which distinguishes requests that share a handle.
extern MPI_Request mck_request_shared;
static inline uint64_t mck_request_key(MPI_Request request, const MPI_Request *at) {
  return (uint64_t)(uintptr_t)(request == mck_request_shared ? (const void *)at : (const void *)request);
}
struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at);
// The request behind previous in an array, which is mostly the same as the last time. Entries are never freed, and an
// unused one has no key.
static inline struct mck_request *mck_request_find_behind(struct mck_request *previous, MPI_Request request,
                                                          const MPI_Request *at) {
  uint64_t key = mck_request_key(request, at);
  struct mck_request *r;
  if (MCK_LIKELY(previous)) {
    if ((r = previous->follower) && r->handle == key && !r->is_freed) return r;
    if ((r = previous->leader) && r->handle == key && !r->is_freed) return r;
  }
  r = mck_request_find(request, at);
  if (previous && r) previous->follower = r, r->leader = previous;
  return r;
}
bool mck_request_is_shared(MPI_Request request);
void mck_request_drop_shared(void (*drop)(struct mck_request *request)); // forgets all requests with the shared handle
struct mck_request *mck_request_entry(MPI_Request request, const MPI_Request *at); // the entry, live or stale
struct mck_request *
mck_request_add(MPI_Request request, const MPI_Request *at,
                struct mck_request *entry); // entry: the stale entry of this handle, NULL if there is none
struct mck_buffer *mck_request_buffer(struct mck_request *r, int i,
                                      struct mck_window *window); // the caller fills it in (mck_buffer_begin)
void mck_request_detach(struct mck_request *r);                   // removes it from the table; it is still live
void mck_request_attach(struct mck_request *r);                   // puts it back
struct mck_request *
mck_request_find_detached(MPI_Request request); // NULL also where the library has used the value again
void mck_request_remove(struct mck_request *request,
                        uint32_t site); // its handle is stale from now on; MCK_NONE: or it is unknown
struct mck_request *
mck_request_find_freed(MPI_Request request); // the entry of a stale handle; NULL if it is not certainly stale
bool mck_request_see(struct mck_request *r, uint32_t look);     // false: this look has found it already
void mck_request_overwrite(struct mck_request *r, uint32_t by); // its variable has another handle now
void mck_request_visit_overwritten(void (*visit)(const struct mck_overwritten *overwritten));
struct mck_plain *mck_plain_find(enum mck_object_kind kind, uint64_t handle);
struct mck_plain *mck_plain_add(enum mck_object_kind kind, uint64_t handle, uint16_t fn,
                                uint32_t site); // adds it, or one more reference
void mck_plain_drop(enum mck_object_kind kind, struct mck_plain *plain,
                    uint32_t site); // removes a reference; with the last one the object is freed
struct mck_plain *mck_group_find(MPI_Group group);
struct mck_plain *mck_op_find(MPI_Op op);
uint32_t mck_op_number(MPI_Op op); // enum mck_op
struct mck_object *mck_object_find(enum mck_object_kind kind,
                                   uint64_t handle); // NULL: unknown; it never defines an object
// A live handle that was made unseen (by a callback, by MPI_Comm_f2c): what was known about the value is dropped.
void mck_object_know(enum mck_object_kind kind, uint64_t handle);
// Do count consecutive elements have a byte twice? false: they do not, or the answer would take long.
bool mck_type_copies_overlap(struct mck_type *t, int64_t count); // type-overlap.c
void mck_type_look_for_overlap(struct mck_type *t);              // sets may_overlap
uint32_t mck_type_only_basic(const struct mck_type *t); // the basic type of all its elements; MCK_NONE: there are
                                                        // several, or it is unknown
// The basic elements of so many bytes of copies of t (MPI-3.1 4.1.11); UINT64_MAX: the last one is not whole. Returns
// false where that is not certain.
bool mck_type_elements(const struct mck_type *t, uint64_t bytes, uint64_t *n);
// Have its elements the sizes in external32 (MPI-3.1 13.5.2) that they have in memory? false: or it is not certain.
bool mck_type_is_external_size(const struct mck_type *t);
// The place of a basic element of count elements of t (mck_signature_path).
bool mck_type_path(const struct mck_type *t, int64_t count, uint64_t position, char *text, size_t size);
uint8_t mck_type_misaligned(uint32_t id);
MPI_Datatype mck_type_of_basic(uint32_t id); // MPI_DATATYPE_NULL: none has this number
bool mck_type_is_derived(MPI_Datatype type); // named and create_f90 types are not derived: they cannot be freed
                                             // (MPI-3.1 4.1.9, 17.1.9)
struct mck_comm *mck_comm_learn(MPI_Comm comm, uint16_t fn,
                                uint32_t site); // it is not logged: nothing between ranks is concluded from it
// Is the value certainly no handle of that kind? This is asked for handles that are in no table (handle.c).
bool mck_object_is_garbage(enum mck_object_kind kind, uint64_t handle);
// Forgets all freed handles, because objects were made unseen.
void mck_object_forget_freed(void);
// Visits all objects of a kind, once for each place that has references which were not given back.
typedef void mck_object_visitor(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held);
void mck_object_visit(enum mck_object_kind kind, mck_object_visitor *visit);
void mck_request_visit(void (*visit)(const struct mck_request *request));
