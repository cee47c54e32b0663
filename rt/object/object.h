// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: what the process knows of its MPI handles. One table per kind, keyed by the handle's value; an entry stays
// after the object is freed (is_freed), so that a stale handle is recognised until the library hands the same value out again.
// All functions are called under record's lock (record/runtime.h); none calls MPI_*, only PMPI_*, and only local functions (no communication).
#pragma once
#include <mpi.h>
#include "log/log.h"
#include "uthash.h"

// What every object has.
struct mck_object {
  uint64_t handle;     // value of the MPI handle: the key
  uint32_t id;         // in the log
  uint32_t site;       // where it was created, MCK_NONE: predefined, or by a call that we did not see
  uint32_t free_site;  // where it was freed
  int number;          // Fortran's handle when Fortran code freed it (the library turns stale numbers into null pointers), else 0
  uint16_t fn;         // what created it
  uint32_t nmore;      // a group: how many constructors more have returned this very handle (Open MPI shares equal groups)
  bool is_freed, is_predefined;
};

struct mck_comm {
  struct mck_object object;
  uint64_t key;        // equal on all members, unique in the job (see comm.c)
  int rank, size, remote_size;  // remote_size 0: intracommunicator
  bool is_logged;      // all members are of our MPI_COMM_WORLD
  UT_hash_handle hh;
};

struct mck_type {
  struct mck_object object;
  int64_t size, lb, extent;
  uint32_t nblocks;            // MCK_NONE: too many or unknown
  struct mck_block *blocks;    // owned; bytes that one element touches, sorted, merged
  uint32_t generation;         // of the definition: a handle value is given out again
  bool is_forgotten;           // to be defined again when it is met (mck_object_forget_freed)
  bool is_uncommitted;         // made by a call that we saw, and not committed
  bool is_dense;               // one block that starts at 0 and is extent long: any count is one interval
  UT_hash_handle hh;
};

struct mck_window {
  struct mck_object object;
  uint64_t key;
  uint32_t comm;               // id
  int group_size;
  char *base; uint64_t size; int disp_unit;
  bool is_fence_open, is_started;
  int locks;                   // lock and lock_all epochs open
  struct mck_window *next;     // list of live windows (access.c)
  struct mck_touched *touched; // ranges touched since the last synchronization (access.c)
  UT_hash_handle hh;
};

// A buffer that an active operation uses; linked into the lists of access.c while active.
struct mck_buffer {
  const char *low, *high;      // hull [low, high)
  const struct mck_type *type; // exact bytes, NULL: all of the hull
  uint32_t generation;         // of type: a type may be freed in use (MPI-3.1 4.1.9); its successor has other bytes
  const char *address; int64_t count;
  uint32_t site; uint16_t fn;
  bool is_written;             // MPI writes it (receive, get): loads are wrong as well
  bool is_active;
  bool is_pooled;              // of an RMA operation without request: lives in access.c's pool
  struct mck_window *window;   // RMA: in use until the closing synchronization
  struct mck_buffer *next, *previous;   // all active ones
  struct mck_buffer *near, **at;        // those of its page
};

enum mck_request_kind { MCK_REQUEST_SEND, MCK_REQUEST_RECV, MCK_REQUEST_COLL, MCK_REQUEST_RMA };
struct mck_request {
  uint64_t handle;
  uint32_t event;              // index of the event that started it, MCK_NONE if not logged
  uint32_t site; uint16_t fn;
  uint8_t kind;
  bool is_persistent, is_active, is_wild, is_cancelled;
  bool is_shared;              // the handle is one that the library gives to many (see request.c)
  MPI_Comm newcomm;            // Comm_idup: the communicator (Open MPI names it at once), its parent and its key
  const struct mck_comm *parent;
  uint64_t key;
  struct mck_buffer buffers[2];  // [0] what is sent, [1] what is received
  struct mck_event start;      // persistent: the event to append at each start
  UT_hash_handle hh;           // in the table while the handle is live
  struct mck_request *next;    // free list
  bool is_detached;            // not in the table while a thread waits for it (complete.c)
};

// Groups, operations. Open MPI gives the one group of a communicator or window to everyone who asks (Comm_group, Win_get_group):
// equal handles, each of them freed by its owner (MPI-3.1 6.3.2).
struct mck_plain { struct mck_object object; UT_hash_handle hh; };

// Tables. find returns NULL for unknown handles; freed objects are found (look at is_freed).
void mck_object_init(struct mck_log *log);   // predefined objects; after PMPI_Init, writes their definitions
struct mck_comm *mck_comm_find(MPI_Comm comm);
// key 0: derive it here; Comm_idup reserves its key at the call and adds at completion.
struct mck_comm *mck_comm_add(MPI_Comm comm, const struct mck_comm *parent, uint16_t fn, int tag, uint32_t site, uint64_t key);
uint64_t mck_comm_reserve_key(const struct mck_comm *parent, uint16_t fn);
struct mck_type *mck_type_find(MPI_Datatype type);   // defines a type that we did not see being made; NULL when that fails
// old: what it was made of, MPI_DATATYPE_NULL if there are several or nobody knows.
struct mck_type *mck_type_add(MPI_Datatype type, MPI_Datatype old, uint16_t fn, uint32_t site);
struct mck_window *mck_window_find(MPI_Win win);
struct mck_window *mck_window_add(MPI_Win win, const struct mck_comm *comm, uint16_t fn, uint32_t site);
void mck_request_init(MPI_Request shared);           // the handle of operations that were complete at once
// at: the user's variable, which tells apart what shares one handle.
struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at);
bool mck_request_is_shared(MPI_Request request);
void mck_request_drop_shared(void (*drop)(struct mck_request *request));  // forgets all of the shared handle
struct mck_request *mck_request_add(MPI_Request request, const MPI_Request *at);
void mck_request_detach(struct mck_request *r);   // out of the table, still live
void mck_request_attach(struct mck_request *r);   // back in
void mck_request_remove(struct mck_request *request);
struct mck_plain *mck_group_find(MPI_Group group);
struct mck_plain *mck_op_find(MPI_Op op);
void mck_group_add(MPI_Group group, uint16_t fn, uint32_t site);
void mck_op_add(MPI_Op op, uint16_t fn, uint32_t site);
uint32_t mck_op_number(MPI_Op op);                   // enum mck_op
// Forgets all freed handles: after calls that may have made objects without our seeing which (spawn, Type_get_contents, ...).
void mck_object_forget_freed(void);
// Live user objects, for the leak check: calls visit for each of one kind.
enum mck_object_kind { MCK_OBJECT_COMM, MCK_OBJECT_TYPE, MCK_OBJECT_WIN, MCK_OBJECT_GROUP, MCK_OBJECT_OP };
void mck_object_visit(enum mck_object_kind kind, void (*visit)(enum mck_object_kind kind, const struct mck_object *object));
void mck_request_visit(void (*visit)(const struct mck_request *request));
