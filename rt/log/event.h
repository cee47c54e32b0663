// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: a process's log is a header (log.h) and then units of 32 bytes. Most events are one unit. An event of
// variable size says in its first payload word how many units follow. Definitions (call stacks, modules, communicators,
// datatypes, windows, local findings) are events, too. They stand before the first event that names them, so one
// sequential read understands everything.
//
// Glossary (one word for one thing, see also docs/formats/log.md)
//   event    what one MPI call, or one range of window memory touched, left in the log
//   unit     32 bytes; an event's index is the number of its first unit, and the log never holds more than 2^32
//   site     a call stack, by number; sites of different ranks are unrelated: a place is (rank, site)
//   channel  communicator, source, destination, tag; messages of one channel match in order (MPI-3.1 3.5)
//   posted   a receive was entered; it has a match when its source and tag are known
//   window, origin, target, displacement, epoch   as in MPI-3.1 chapter 11
#pragma once
#include <stdint.h>

enum { MCK_UNIT = 32, MCK_NONE = 0xffffffffu };
enum { MCK_LOG_AHEAD = 128 }; // units: a pass over a log prefetches so far ahead

// The numbers are the file format: append only, never renumber (docs/formats/log.md).
enum mck_event_kind {
  MCK_EV_PAD = 0,     // nothing; a reader skips it
  MCK_EV_SEND = 1,    // msg: a send was started; peer = destination
  MCK_EV_RECV = 2,    // msg: a receive was posted; peer/tag are overwritten with the match (MCK_FLAG_MATCHED)
  MCK_EV_PROBE = 3,   // msg: a blocking probe was entered, or a nonblocking one succeeded
  MCK_EV_MPROBE = 4,  // msg: a matched probe: takes a message like a receive (it matches here, MPI-3.1 3.8.2)
  MCK_EV_MRECV = 5,   // mrecv: receives the message that an MPROBE took
  MCK_EV_COLL = 6,    // coll: a collective of comm was entered (constructors of communicators, windows, files too)
  MCK_EV_PUT = 7,     // rma
  MCK_EV_GET = 8,     // rma
  MCK_EV_ACC = 9,     // rma; flags = enum mck_op of the accumulate
  MCK_EV_FENCE = 10,  // sync
  MCK_EV_SYNC = 11,   // sync: any other RMA synchronization; fn says which
  MCK_EV_ACCESS = 12, // access: loads or stores of this process in its own window memory
  MCK_EV_CALL = 13, // only fn and site (MPI_Init, MPI_Finalize, MPI_Abort, ...); for MPI_Win_free word[0] is the window
  MCK_EV_SETTLED = 14, // msg: count receives of this channel were judged and left out when the log was recycled
                       // (judge/cut/cut.h)
  MCK_EV_RETURN = 15,  // returned: a call that blocks is over. Only in logs with strands: others go on meanwhile
  // The events from here on have variable size: the first payload word is the number of units that follow.
  MCK_EV_WAIT = 32,      // wait: a blocking completion call was entered
  MCK_EV_DONE = 33,      // wait: these requests were completed (by Test*, Waitany, Waitsome)
  MCK_EV_COLL_ARGS = 34, // args: directly behind a COLL whose single count and type do not describe the data
  MCK_EV_MEMBERS = 36, // members: directly behind the CALL of MPI_Comm_create_group: who takes part; behind a leader's
                       // COLL of MPI_Intercomm_create: the two leaders, the lower rank first, in the peer communicator
  MCK_EV_FILE_ACCESS = 37,  // file: bytes of a file were read or written, or the operation that does it was started
  MCK_EV_FILE_VIEW = 38,    // view: the file has this view from here on (MPI-3.1 13.3)
  MCK_EV_FILE_DONE = 39,    // filedone: a pending access is complete
  MCK_EV_FILE_NAME = 40,    // filename: which file of the host it is
  MCK_EV_STRAND = 41,       // strand: which strand makes what follows, and what it has learned of others
  MCK_EV_COMM_NAME = 42,    // name: the name of a communicator from here on
  MCK_EV_FILE_POINTER = 43, // file: a call that moves the shared file pointer, by size bytes (MPI-3.1 13.4.4)
  MCK_EV_GROUP = 44,        // group: directly behind the SYNC of a post or start: whom it is for
  MCK_EV_ATTACH = 45,       // attach: memory is attached to a dynamic window, or detached (MPI-3.1 11.2.4)
  MCK_EV_WIN_NAME = 46,     // name: the name of a window from here on
  MCK_EV_WIN_MEMORY = 47,   // memory: the variable that a window was made of
  MCK_EV_DEF_MODULE = 48,
  MCK_EV_DEF_STACK = 49,
  MCK_EV_DEF_COMM = 50,
  MCK_EV_DEF_TYPE = 51,
  MCK_EV_DEF_WIN = 52,
  MCK_EV_FINDING = 53, // a finding of the process itself, packed by report/finding.h
  MCK_EV_DEF_TOPOLOGY = 54,
  MCK_EV_CONTENT = 55,      // content: what the buffer of an earlier event held (option flow; log/content.h)
  MCK_EV_WINDOW_BYTES = 56, // looked: what of the own window memory is another than at the last look (option flow;
                            // log/window-bytes.h)
  MCK_EV_TYPE_NAME = 57,    // name: the name of a datatype
  MCK_EV_REPEAT = 58,       // repeat: events that repeat others were left out (log/log-repeat.h). No reader meets it
};

// Flags of SEND, RECV, PROBE, MPROBE (the first one also of COLL).
enum {
  MCK_FLAG_NONBLOCKING = 1,
  MCK_FLAG_ANY_SOURCE = 2,
  MCK_FLAG_ANY_TAG = 4,
  MCK_FLAG_MATCHED = 8, // RECV: peer and tag are those of the message that it got (always so for a specific receive's
                        // peer/tag)
  MCK_FLAG_LOCAL = 8,   // SEND: MPI_Cancel was called, but the message was sent: its completion waits for no rank
                        // (MPI-3.1 3.8.4)
  MCK_FLAG_CANCELLED = 16, // RECV: it was cancelled and takes no message. With MATCHED: MPI_Cancel was called, and it
                           // is unknown whether it took one
  MCK_FLAG_SYNC = 32,      // SEND: synchronous mode
  MCK_FLAG_BUFFERED = 64,  // SEND: buffered mode
  MCK_FLAG_READY = 96,     // SEND: ready mode (both bits)
  MCK_FLAG_PART = 128, // SEND, RECV: half of a Sendrecv: the SEND comes first, its RECV is the next event of kind RECV
  MCK_MODE_MASK = 96,
  // RECV, PROBE, MPROBE: the program asked for any source or tag, and a run with decisions gave the call this peer or
  // tag (record/replay/replay.h). The library got a specific receive, so these flags replace the ANY flags.
  MCK_FLAG_FORCED_SOURCE = 32,
  MCK_FLAG_FORCED_TAG = 64,
  // Both flags of a wildcard, ANY and FORCED: the program ignored the status (MPI_STATUS_IGNORE) when the call, or the
  // one that completed it, gave the match. So only the data can tell it which message came.
  MCK_FLAG_IGNORED_SHIFT = 4, // from ANY_SOURCE to FORCED_SOURCE, and from ANY_TAG to FORCED_TAG
};
// Flags of COLL, beside MCK_FLAG_NONBLOCKING. Arguments that are not significant at this rank (MPI-3.1 chapter 5:
// recvcount at other ranks than the root of a gather, sendcount with MPI_IN_PLACE) are left out.
enum {
  MCK_COLL_SENDS = 2,     // type and count are what the rank sends (to each rank, where it sends to several)
  MCK_COLL_RECEIVES = 4,  // ... what the rank receives (from each)
  MCK_COLL_HAS_ARGS = 8,  // a COLL_ARGS follows and says what the rank sends and receives
  MCK_COLL_IN_PLACE = 16, // MPI_IN_PLACE was given
  MCK_COLL_HAS_SAME = 32, // the call moves no data, and count is the argument that must be equal at all ranks
                          // (mck_fn_same of api/fns.h)
};
// Flags of COLL_ARGS: that side is counts of one type; else it is struct mck_coll_run.
enum { MCK_ARGS_SEND_COUNTS = 1, MCK_ARGS_RECV_COUNTS = 2 };
// Flags of ACCESS.
// BUFFER: MPI makes this access for the operation right before it (another such access may stand between). It is over
// when the operation is complete at its origin. MESSAGE: MPI makes it for a send, receive or collective; where n is 1,
// stride is 1 + the function. Of a blocking call: a load comes before the call's event, a store behind it. BUFFER
// beside it: for the nonblocking one right before it, until that is complete. FREED: the memory was freed (free,
// realloc), which counts as a store for later accesses. UNMAPPED beside it: by munmap. LEFT beside it: it was a local
// variable of a function that has returned. Both: it was a local variable, and its block has ended.
enum {
  MCK_ACCESS_STORE = 1,
  MCK_ACCESS_ATOMIC = 2,
  MCK_ACCESS_VOLATILE = 4,
  MCK_ACCESS_BUFFER = 8,
  MCK_ACCESS_FREED = 16,
  MCK_ACCESS_UNMAPPED = 32,
  MCK_ACCESS_LEFT = 64,
  MCK_ACCESS_MESSAGE = 128
};
// Flags of FILE_ACCESS. PENDING: it is complete with its FILE_DONE only. SIZE: a call that sets the size of the file;
// offset and size are the bytes between the old size and the new one, of the file and not of the view.
enum { MCK_FILE_WRITE = 1, MCK_FILE_ATOMIC = 2, MCK_FILE_PENDING = 4, MCK_FILE_SIZE = 8 };
// Flags of FILE_POINTER, with WRITE and ATOMIC. SET: the pointer is set to offset instead. ALONE: this process alone
// moves it, or how far is not known.
enum { MCK_POINTER_SET = 4, MCK_POINTER_ALONE = 8 };
// Flag of FILE_DONE: no access is complete. The next FILE_ACCESS has this number, because others left the log at a cut.
enum { MCK_FILE_NEXT = 1 };
// Flags of CONTENT. RECEIVED: the data that came, at the completion; else what was sent, at the start. CHANGED: the
// buffer that was sent from was another at the end. UNSEEN: the program may have changed the buffer meanwhile unseen.
// UNKNOWN: the bytes of the buffer are not known, so there are no words.
enum { MCK_CONTENT_RECEIVED = 1, MCK_CONTENT_CHANGED = 2, MCK_CONTENT_UNSEEN = 4, MCK_CONTENT_UNKNOWN = 8 };
// Flags of WINDOW_BYTES. UNSEEN: as for CONTENT. BEHIND: the call has returned; else it is about to begin. LOST: from
// here on nothing is known of the window.
enum { MCK_LOOK_BEHIND = 1, MCK_LOOK_UNSEEN = 4, MCK_LOOK_LOST = 8 };
// Flag of FENCE, SYNC: the call does not fit the open epochs, so nothing is concluded about the window.
enum { MCK_SYNC_DOUBTFUL = 1 };
// Flag of ATTACH: the memory is detached.
enum { MCK_ATTACH_DETACHED = 1 };
// Promises about a window (MPI-3.1 11.2.1, 11.4): bits above the flavor in DEF_WIN.
enum {
  MCK_WIN_NO_LOCKS = 1,
  MCK_WIN_SAME_OP = 2, // accumulate_ops=same_op: MPI_NO_OP beside another operation is not allowed either
  MCK_WIN_NO_RAR = 4,
  MCK_WIN_NO_RAW = 8,
  MCK_WIN_NO_WAR = 16,
  MCK_WIN_NO_WAW = 32, // orders that accumulates of one origin do not have
  MCK_WIN_SEPARATE = 64,
};
// Flag of CALL: this MPI_Win_free need not wait for the other ranks (MPI-3.1 11.2.5, no_locks).
enum { MCK_CALL_NO_BARRIER = 1 };
// Flag of STRAND: one strand makes all calls of MPI; the others only load and store.
enum { MCK_STRAND_ONE_CALLS = 1 };
// Flags of WAIT: which of the requests must complete.
enum { MCK_WAIT_ALL = 0, MCK_WAIT_ANY = 1, MCK_WAIT_SOME = 2 };

// Of DEF_STACK: what the program looks at of the status that the call there fills in. PASSED: the source, of a probe,
// is given to receives only, which have NAMES; NAMES_TAG: the tag, too. Above FUNCTION_SHIFT: the number of the
// function, which is equal for a probe and its receives.
enum {
  MCK_TOLD_KNOWN = 1,
  MCK_TOLD_SOURCE = 2,
  MCK_TOLD_TAG = 4,
  MCK_TOLD_COUNT = 8,
  MCK_TOLD_ALL = 14,
  MCK_TOLD_PASSED = 16,
  MCK_TOLD_NAMES = 32,
  MCK_TOLD_NAMES_TAG = 64,
  MCK_TOLD_FUNCTION_SHIFT = 7
};

struct mck_event {
  uint8_t kind; // enum mck_event_kind
  uint8_t flags;
  uint16_t fn;   // enum mck_fn: the MPI function that was called (api/mpi_fns.inc)
  uint32_t site; // call stack, or MCK_NONE
  union {
    // SEND, RECV, PROBE, MPROBE. peer is a rank of comm (of its remote group if it is an intercommunicator);
    // MPI_PROC_NULL is never logged. In an unmatched wildcard receive the wild field holds -1.
    struct {
      uint32_t comm;
      int32_t peer, tag;
      uint32_t type;
      uint64_t count;
    } msg;
    struct {
      uint32_t mprobe;
      int32_t unused[2];
      uint32_t type;
      uint64_t count;
    } mrecv; // mprobe: event index
    // root -1: the collective has none. For an intercommunicator it may be MPI_ROOT or MPI_PROC_NULL, as in
    // standard/constants.inc.
    struct {
      uint32_t comm;
      int32_t root;
      uint32_t op, type;
      uint64_t count;
    } coll;
    // disp in the target's displacement units; count copies of type at the target.
    struct {
      uint32_t win;
      int32_t target;
      uint64_t disp;
      uint32_t count, type;
    } rma;
    // rank -1: all, or none. before: the number of fences of the window that were removed from the log
    // (judge/cut/cut.h); the first fence that is left has it.
    struct {
      uint32_t win;
      int32_t rank;
      uint32_t assertion, lock_type;
      uint64_t before;
    } sync;
    // fn: 1 + the rank of the window's group whose part it is, in a shared window; 0: our own.
    // n pieces of size bytes, the first at offset bytes behind the window's base, stride bytes apart.
    struct {
      uint32_t win, size;
      uint64_t offset;
      uint32_t n;
      int32_t stride;
    } access;
    // count requests, each by the index of the event that started it (MCK_NONE: an event that was not recorded). The
    // first 4 stand here, the others in the following units.
    struct {
      uint32_t extra, count;
      uint32_t request[4];
    } wait;
    // n ranks of the window's group follow, 4 bytes each.
    struct {
      uint32_t extra, win, n;
    } group;
    // n ranks of the communicator follow, 4 bytes each.
    struct {
      uint32_t extra, comm, n;
      int32_t tag;
    } members;
    struct {
      uint32_t extra, win;
      uint64_t address, size;
    } attach;
    struct {
      uint32_t extra, object, length;
    } name; // the bytes of the name follow
    // element: bytes of the variable's numbers, 0: not known; offset: of the window's first byte in it; its name
    // follows. length 0: no variable, and site is where MPI_Alloc_mem made the memory.
    struct {
      uint32_t extra, win, length, element;
      uint64_t offset;
    } memory;
    // nsend pieces and then nrecv pieces follow: uint32 counts of the type, or struct mck_coll_run. No pieces: the rank
    // does not send (receive).
    // A file is named by its communicator. offset: in the bytes that the view shows, its holes left out.
    struct {
      uint32_t extra, comm;
      uint64_t offset, size;
    } file;
    // The view begins disp bytes behind the begin of the file; type MCK_NONE: it has no holes.
    struct {
      uint32_t extra, comm, type, unused;
      uint64_t disp;
    } view;
    // number: of the FILE_ACCESS among those of this log.
    struct {
      uint32_t extra, comm, number, unused;
    } filedone;
    // key: equal for the same file of one host (record/collective/file-access.c).
    struct {
      uint32_t extra, comm;
      uint64_t key;
    } filename;
    struct {
      uint32_t event, unused[5];
    } returned; // event: index of the call's event
    // The events from here on are of this strand, a number, at this moment of it. n struct mck_strand_news follow, and
    // then fn bytes of its name, if a strand of another name used this number before; site is where it began.
    struct {
      uint32_t extra, strand, time, n;
    } strand;
    // peer: the rank that this part is for, or comes from (of a neighborhood: the place among the neighbors); -1: all
    // of them, or none is meant. Following: struct mck_content_body, then nwords words, one for each chunk bytes.
    struct {
      uint32_t extra, event;
      int32_t peer;
      uint32_t chunk, nwords, type;
    } content;
    // n struct mck_window_run follow, and then their bytes, one after the other.
    struct {
      uint32_t extra, win, n, unused;
      uint64_t length; // of all runs
    } looked;
    struct {
      uint32_t extra, nsend, nrecv, send_type, recv_type, unused;
    } args;
    // This unit and the extra ones that follow are those distance units before them, again and again. extra MCK_NONE:
    // up to the end. before: 1 + the unit of the REPEAT before this one, or 0 (the writer's).
    struct {
      uint32_t extra, distance, before;
    } repeat;
    struct {
      uint32_t extra, id, a, b, c, d;
    } def; // what a to d and the following units mean: see below
    uint32_t word[6];
  };
};
_Static_assert(sizeof(struct mck_event) == MCK_UNIT, "an event is one unit");

// DEF_MODULE: id; a = length of the path in bytes, b = length of the build id; c = 1: it is the program, or a library
//             of its own (record/run/own-library.h). Following: path, then build id.
// DEF_STACK:  id (the site); a = number of frames; b = what the program looks at of the status that the call there
// fills
//             in (MCK_TOLD_*; 0: that is not known). Following: one uint64 per frame, innermost first:
//             module id in the upper 16 bits, offset of the return address in the module's file in the lower 48.
// DEF_COMM:   id; a = own rank; b = size of the local group; c = size of the remote group (0: intracommunicator);
//             d = number of ranges. Following: struct mck_comm_body, then d struct mck_range: local, then remote.
// DEF_TYPE:   id; a = number of parts; b = number of blocks, or MCK_NONE if there are too many to list; c = flags.
//             Following: struct mck_type_body, then a struct mck_type_part, then b struct mck_block.
// DEF_WIN:    id; a = comm id; b = displacement unit; c = flavor (MPI_WIN_FLAVOR_*) | MCK_WIN_* << 8; d = length of
//             the name. Following: struct mck_win_body, then the name.
// DEF_TOPOLOGY: id = comm id, once; a = number of sources, b = number of destinations. Following: the ranks, -1 (or any
//             negative one) for none (MPI-3.1 7.5, 7.6). c = 1: each rank gave its own (7.5.4), at site.
// FINDING:    id = enum mck_check; a = length in bytes of what follows (mck_finding_pack).

// Of a strand (a thread or task, record/thread): what another one did up to this moment, the moment included, is
// ordered before what follows. Each is told once.
struct mck_strand_news {
  uint32_t strand, time;
};
struct mck_coll_run {
  uint32_t n, type, count;
}; // n ranks in a row with count of type each; n MCK_NONE: all ranks
// key: equal on all members, unique in the job. before: the number of collectives of the communicator that were removed
// from the log.
struct mck_comm_body {
  uint64_t key;
  uint32_t parent, before;
};
struct mck_range {
  uint32_t first, count;
}; // world ranks first, first+1, ...
// A datatype's signature is its parts in order, each count copies of another type: a DAG over type ids, never expanded.
// Basic types have ids below MCK_TYPE_USER (enum mck_basic, log/basic.inc), are never defined, and have no parts.
struct mck_type_part {
  uint64_t count;
  uint32_t type, unused;
};
// The bytes that one element touches, relative to the buffer address, sorted, merged.
struct mck_block {
  int64_t offset;
  uint64_t length;
};
struct mck_type_body {
  uint64_t size;
  int64_t lb, extent;
}; // bytes, MPI-3.1 4.1
struct mck_win_body {
  uint64_t key, base, size;
}; // the part of this process; base: an address in this process

enum { MCK_TYPE_ORDERED = 1 }; // flag of DEF_TYPE: its blocks one after the other are the packed data
enum { MCK_TYPE_USER = 256, MCK_TYPE_BLOCKS_MAX = 65536 };

// Predefined reduction operations, in the order of MPI-3.1 5.9.2 and 11.3.4; user-defined ones are MCK_OP_USER.
enum mck_op {
  MCK_OP_NONE,
  MCK_OP_MAX,
  MCK_OP_MIN,
  MCK_OP_SUM,
  MCK_OP_PROD,
  MCK_OP_LAND,
  MCK_OP_BAND,
  MCK_OP_LOR,
  MCK_OP_BOR,
  MCK_OP_LXOR,
  MCK_OP_BXOR,
  MCK_OP_MINLOC,
  MCK_OP_MAXLOC,
  MCK_OP_REPLACE,
  MCK_OP_NO_OP,
  MCK_OP_CAS,
  MCK_OP_USER,
  MCK_OP_USER_ORDERED
}; // ORDERED: not commutative
