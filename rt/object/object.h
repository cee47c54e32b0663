// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: what the process knows of its MPI handles. One table per kind, keyed by the handle's value; an entry stays
// after the object is freed (is_freed), so that a stale handle is recognised until the library hands the same value out
// again. All functions are called under record's lock (record/runtime.h); none calls MPI_*, only PMPI_*, and only local
// functions (no communication).
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

// What every object has.
struct mck_object {
  uint64_t handle;    // value of the MPI handle: the key
  uint32_t id;        // in the log
  uint32_t site;      // where it was created, MCK_NONE: predefined, or by a call that we did not see
  uint32_t free_site; // where it was freed
  union {
    int number;           // freed: Fortran's handle when Fortran code did it (the library turns stale numbers into null
                          // pointers), else 0
    uint32_t overwritten; // is_overwritten: where
  };
  uint16_t fn; // what created it
  bool is_freed;
  bool is_predefined;  // must not be freed
  bool is_overwritten; // the variable that got the handle got another one: its last copy, perhaps
  bool is_adopted;     // made where we did not see it, or within another call: known, but never a leak
};

struct mck_comm {
  struct mck_object object;
  uint64_t key;                // equal on all members, unique in the job (see comm.c)
  int rank, size, remote_size; // remote_size 0: intracommunicator; size -1: nothing is known of it
  bool is_logged;              // all members are of our MPI_COMM_WORLD
  struct mck_counted *counts;  // owned; how often each kind of communicator and window was made of this one (comm.c)
  UT_hash_handle hh;
};

struct mck_type {
  struct mck_object object;
  int64_t size, lb, extent;
  int64_t low, high;        // first byte that one element touches, and behind the last (MPI-3.1 4.1.8)
  uint32_t nblocks;         // MCK_NONE: too many or unknown
  struct mck_block *blocks; // owned; bytes that one element touches, sorted, merged
  uint32_t generation;      // of the definition: a handle value is given out again
  bool is_forgotten;        // to be defined again when it is met (mck_object_forget_freed)
  bool is_uncommitted;      // made by a call that we saw, and not committed
  bool has_addresses;       // its displacements are bytes that the program computed, perhaps between variables
                            // (MPI-3.1 4.1.12), or nobody knows
  bool is_dense;            // one block that starts at 0 and is extent long: any count is one interval
  bool is_overlapping;      // its type map has a byte twice, for certain
  bool is_unordered;        // its type map's displacements do not increase, for certain (MPI-3.1 13.3)
  bool is_inexact;          // a pair with a gap is in it: blocks are more than what is touched
  bool may_overlap;         // is_overlapping, or copies of it may overlap: ask mck_type_copies_overlap
  uint8_t misaligned;       // bits that the address of a predefined C type has not set; 0: any address will do
  int64_t apart;            // copies so many elements apart are known not to overlap
  UT_hash_handle hh;
};

struct mck_window {
  struct mck_object object;
  uint64_t key;
  uint32_t comm;  // id
  int group_size; // -1: nothing is known of the window
  char *base;
  uint64_t size;
  int disp_unit;
  int flavor;                    // MPI_WIN_FLAVOR_*
  uint32_t traits;               // MCK_WIN_*: what its info and its memory model promise (log/event.h)
  struct mck_window *segments;   // memory beside its own part (record/rma/shared-segment.c); of a segment: the next one
  uint32_t owner;                // of a segment in a shared window: 1 + the rank whose part it is; 0: ours
  struct mck_attached *attached; // of a dynamic window: its memory (record/rma/attached-memory.c)
  uint64_t origin; // what the judge counts from lies so far before base: of memory of a dynamic window its address,
                   // else 0
  struct mck_epochs *epochs;   // owned by record/rma/epoch.c; NULL: nothing is known of its epochs
  struct mck_window *next;     // list of live windows (access.c)
  struct mck_touched *touched; // ranges touched since the last synchronization (access.c)
  UT_hash_handle hh;
};

enum { MCK_TARGETS = 65535 };
// A buffer that an active operation uses; among the ranges of buffer-overlap.c while active, and in the lists of
// access.c.
struct mck_buffer {
  // What the end of an operation looks at is one cache line (in a request, which is aligned to them).
  union {
    struct mck_span span; // buffer-overlap.c: its range is the hull
    struct {
      const char *low, *high;
    }; // hull [low, high)
  };
  bool is_written;     // MPI writes it (receive, get): loads are wrong as well
  bool is_active;      // listed (span) or marked
  bool is_marked;      // loads and stores are looked at (access.c)
  bool is_pooled;      // of an RMA operation without request: lives in access.c's pool
  uint16_t fn, target; // target: of a pooled one, modulo MCK_TARGETS; or MCK_TARGETS: several
  uint32_t site;
  uint32_t generation;    // of type: a type may be freed in use (MPI-3.1 4.1.9); its successor has other bytes
  struct mck_buffer **at; // where it is linked among those of its page; NULL: found by its span
  const char *address;
  int64_t count;
  const struct mck_type *type;        // exact bytes, NULL: all of the hull
  struct mck_window *window;          // RMA: in use until the closing synchronization
  struct mck_buffer *next, *previous; // of a window: active ones, or the pool
  struct mck_buffer *near;            // those of its page
  uint64_t hash;                      // of its bytes when it was posted, 0: not taken (buffer-hash.c)
};
_Static_assert(sizeof(struct mck_buffer) % 64 == 0, "buffers of a request begin at cache lines");
_Static_assert(offsetof(struct mck_span, low) == 0 && offsetof(struct mck_span, high) == sizeof(char *),
               "the span's range is the hull");
_Static_assert(offsetof(struct mck_buffer, at) + sizeof(void *) <= 64, "one cache line");

enum mck_request_kind {
  MCK_REQUEST_SEND,
  MCK_REQUEST_RECV,
  MCK_REQUEST_COLL,
  MCK_REQUEST_RMA,
  MCK_REQUEST_FILE,
  MCK_REQUEST_GENERALIZED
};
struct mck_request {
  // What posting and completing look at is one cache line (batches of request.c begin at one), and the buffer two more.
  uint64_t handle;
  const MPI_Request *at; // the variable that got the handle
  uint32_t event;        // index of the event that started it, MCK_NONE if not logged
  uint32_t site;
  uint32_t free_site;   // is_freed: where it was completed or freed
  uint32_t overwritten; // site of the call that stored another handle in its variable, or MCK_NONE
  uint32_t seen;        // by which look at an array (mck_request_see)
  uint16_t fn;
  uint8_t kind;
  uint8_t used; // bit i: buffers[i] is filled in; what the others hold is of an earlier life
  union {
    struct {
      bool is_persistent, is_wild, is_cancelled;
      bool is_detached : 1; // not in the table while a thread waits for it (completion.c)
      bool is_brief : 1;    // leaves the table with its operation (request.c)
      bool is_waited : 1;   // has a waiter
      bool has_comm : 1;    // has a newcomm
    };
    uint32_t is_special; // any of these: more than marking it is to be done when it ends
  };
  bool is_active;
  bool is_freed;       // the handle is stale: the entry stays until the library gives the value out again
  bool is_started : 1; // persistent: at least once
  bool is_over : 1;    // MPI_Request_get_status has told that the operation is complete
  bool is_shared : 1;  // the handle is one that the library gives to many (see request.c)
  bool is_said : 1;    // that it is not complete was a finding already
  struct mck_request *follower,
      *leader; // what came behind and before it when an array was last looked up: a loop brings the same again, in the
               // same order or, where the library keeps free requests in a stack, the other way round
  UT_hash_handle hh;
  const void *waiter; // the thread that waits for it (request-threads.c)
  MPI_Comm newcomm;   // Comm_idup: the communicator (Open MPI names it at once), its parent and its key
  uint16_t wait_fn;
  uint32_t wait_site; // of what waits for it
  uint32_t polled;    // the list of what is polled that it is in (record/call/poll-list.h)
  struct mck_comm *parent;
  uint64_t key;                              // ... MCK_REQUEST_FILE: the file, while the operation may be under way
  struct mck_request *next, *previous;       // free list (next only), or those of the shared handle
  bool is_linked;                            // in that list, live or not
  struct mck_event start;                    // persistent: the event to append at each start
  _Alignas(64) struct mck_buffer buffers[2]; // [0] what is sent, [1] what is received (mck_request_buffer)
};

// Handles of one variable that the next request took: what shares its handle with others is only counted (request.c).
struct mck_overwritten {
  uint64_t key;
  uint32_t site, by;
  uint16_t fn;
  size_t count;
  UT_hash_handle hh;
};

// Kinds that need no more than existence. Where the standard gives out references that are freed one by one
// (MPI_Comm_group, MPI_Comm_get_errhandler), equal handles are counted, by the place that got them.
struct mck_reference {
  uint32_t site;
  uint16_t fn;
  uint32_t count;
};
struct mck_plain {
  struct mck_object object;    // site, fn: of the last reference
  uint32_t count;              // references of that site
  struct mck_reference *older; // owned; those of other sites, the oldest first
  size_t nolder, capacity;
  UT_hash_handle hh;
};

// Tables. find returns NULL for unknown handles; freed objects are found (look at is_freed).
void mck_object_init(struct mck_log *log); // predefined objects; after PMPI_Init, writes their definitions
// The last one found, never NULL: most programs talk on one communicator, of one type. Its handle says whether it is
// the one that is looked for.
extern struct mck_comm *mck_comm_last;
extern struct mck_type *mck_type_last;
struct mck_comm *mck_comm_find(MPI_Comm comm);
// key 0: derive it here; Comm_idup reserves its key at the call and adds at completion.
struct mck_comm *mck_comm_add(MPI_Comm comm, struct mck_comm *parent, uint16_t fn, int tag, uint32_t site,
                              uint64_t key);
// What has a sequence of collectives of its own over the members of comm (a file): the id of that in the log, or
// MCK_NONE. key: reserved.
uint32_t mck_comm_define_twin(struct mck_comm *parent, MPI_Comm comm, uint16_t fn, uint32_t site, uint64_t key);
uint64_t mck_comm_reserve_key(struct mck_comm *parent, uint16_t fn);
struct mck_type *
mck_type_find(MPI_Datatype type); // defines a type that we did not see being made; NULL when that fails
// old: what it was made of, MPI_DATATYPE_NULL if there are several or nobody knows.
struct mck_type *mck_type_add(MPI_Datatype type, MPI_Datatype old, uint16_t fn, uint32_t site);
// What count elements of a type would be sent as fits what count elements of another are received as (MPI-3.1 3.3.1);
// MPI_BYTE and MPI_PACKED fit anything of their size, and what is not known fits. misfit is set when it does not.
struct mck_flow {
  const struct mck_type *type;
  int64_t count;
};
struct mck_misfit {
  uint64_t element, from_bytes, to_bytes;
  uint32_t from, to;
}; // the first element that differs, and its basic types
enum mck_fit { MCK_FITS, MCK_OVERFLOWS, MCK_MISMATCHES };
enum mck_fit mck_type_fits(struct mck_flow from, struct mck_flow to, struct mck_misfit *misfit);
struct mck_window *mck_window_find(MPI_Win win);
// info: what it was made with; MPI_INFO_NULL: nothing, or nobody knows.
struct mck_window *mck_window_add(MPI_Win win, struct mck_comm *comm, MPI_Info info, uint16_t fn, uint32_t site);
void mck_request_init(MPI_Request shared); // the handle of operations that were complete at once
// at: the user's variable, which tells apart what shares one handle.
extern MPI_Request mck_request_shared;
static inline uint64_t mck_request_key(MPI_Request request, const MPI_Request *at) {
  return (uint64_t)(uintptr_t)(request == mck_request_shared ? (const void *)at : (const void *)request);
}
struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at);
// The one behind previous in an array, which mostly is its neighbour of the last time. Entries are never freed, and one
// that is out of use has no key.
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
void mck_request_drop_shared(void (*drop)(struct mck_request *request));           // forgets all of the shared handle
struct mck_request *mck_request_entry(MPI_Request request, const MPI_Request *at); // live or stale
struct mck_request *
mck_request_add(MPI_Request request, const MPI_Request *at,
                struct mck_request *entry); // entry: the stale one of this handle, NULL if it has none
struct mck_buffer *mck_request_buffer(struct mck_request *r, int i,
                                      struct mck_window *window); // to be filled in (mck_buffer_begin)
void mck_request_detach(struct mck_request *r);                   // out of the table, still live
void mck_request_attach(struct mck_request *r);                   // back in
struct mck_request *
mck_request_find_detached(MPI_Request request); // NULL also where the library gave the value out again
void mck_request_remove(struct mck_request *request,
                        uint32_t site); // its handle is stale from now on; MCK_NONE: or nobody knows
struct mck_request *mck_request_find_freed(MPI_Request request); // a stale handle, NULL if it is not certainly one
bool mck_request_see(struct mck_request *r, uint32_t look);      // false: seen in this look already
void mck_request_overwrite(struct mck_request *r, uint32_t by);  // its variable holds another handle now
void mck_request_visit_overwritten(void (*visit)(const struct mck_overwritten *overwritten));
struct mck_plain *mck_plain_find(enum mck_object_kind kind, uint64_t handle);
struct mck_plain *mck_plain_add(enum mck_object_kind kind, uint64_t handle, uint16_t fn,
                                uint32_t site); // or one reference more
void mck_plain_drop(enum mck_object_kind kind, struct mck_plain *plain,
                    uint32_t site); // one reference less; freed with the last
struct mck_plain *mck_group_find(MPI_Group group);
struct mck_plain *mck_op_find(MPI_Op op);
uint32_t mck_op_number(MPI_Op op);                                              // enum mck_op
struct mck_object *mck_object_find(enum mck_object_kind kind, uint64_t handle); // NULL: not known; never defines one
// A live handle that nobody told us of (a callback made it, MPI_Comm_f2c gave it): what was known of that value is not
// believed any more.
void mck_object_know(enum mck_object_kind kind, uint64_t handle);
// Do count elements, one behind the other, have a byte twice? false: they do not, or that would take long to find out.
bool mck_type_copies_overlap(struct mck_type *t, int64_t count); // type-overlap.c
void mck_type_look_for_overlap(struct mck_type *t);              // sets may_overlap
uint32_t mck_type_only_basic(const struct mck_type *t); // all its elements are of that basic type; MCK_NONE: of
                                                        // several, or unknown
uint8_t mck_type_misaligned(uint32_t id);
bool mck_type_is_derived(MPI_Datatype type); // named and create_f90 types are not: they cannot be freed
                                             // (MPI-3.1 4.1.9, 17.1.9)
struct mck_comm *mck_comm_learn(MPI_Comm comm, uint16_t fn,
                                uint32_t site); // not logged: nothing between ranks is concluded from it
// Is the value certainly not the handle of any object of that kind? Asked for handles that are in no table (handle.c).
bool mck_object_is_garbage(enum mck_object_kind kind, uint64_t handle);
// Forgets all freed handles: where objects are made without our seeing which.
void mck_object_forget_freed(void);
// All objects of a kind, once for each place that holds references to it which were not given back.
typedef void mck_object_visitor(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held);
void mck_object_visit(enum mck_object_kind kind, mck_object_visitor *visit);
void mck_request_visit(void (*visit)(const struct mck_request *request));
