// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments by name and value. One of them may be what is wrong with the call. So the library gets only handles that
// we know to be live, and memory is read through the kernel.
#include "record/error/argument-text.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "log/event.h"
#include "object/object.h"
#include "record/call/call.h"

enum { ENTRIES_MAX = 8, TEXT_MAX = 60, WORDS_MAX = 16 };

struct line {
  char *text;
  size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = line->used < line->size ? vsnprintf(line->text + line->used, line->size - line->used, format, list) : 0;
  va_end(list);
  if (n > 0) line->used = line->used + (size_t)n < line->size ? line->used + (size_t)n : line->size;
}

static bool read_memory(const void *from, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

struct constant {
  uint64_t value;
  const char *name;
};
#define CONSTANT(name) {(uint64_t)(uintptr_t)(name), #name}
static const char *name_of(const struct constant *list, size_t n, uint64_t value) {
  for (size_t i = 0; i < n; i++)
    if (list[i].value == value) return list[i].name;
  return NULL;
}

static const char *constant_of(enum mck_given_kind kind, uint64_t value) {
  const struct constant null[] = {
      [MCK_GIVEN_COMM] = CONSTANT(MPI_COMM_NULL), [MCK_GIVEN_TYPE] = CONSTANT(MPI_DATATYPE_NULL),
      [MCK_GIVEN_WIN] = CONSTANT(MPI_WIN_NULL),   [MCK_GIVEN_GROUP] = CONSTANT(MPI_GROUP_NULL),
      [MCK_GIVEN_OP] = CONSTANT(MPI_OP_NULL),     [MCK_GIVEN_FILE] = CONSTANT(MPI_FILE_NULL),
      [MCK_GIVEN_INFO] = CONSTANT(MPI_INFO_NULL), [MCK_GIVEN_ERRHANDLER] = CONSTANT(MPI_ERRHANDLER_NULL)};
  if (kind < sizeof null / sizeof *null && null[kind].name && null[kind].value == value) return null[kind].name;
  const struct constant others[] = {
      CONSTANT(MPI_GROUP_EMPTY), CONSTANT(MPI_INFO_ENV), CONSTANT(MPI_ERRORS_RETURN), CONSTANT(MPI_ERRORS_ARE_FATAL),
      CONSTANT(MPI_MAX),         CONSTANT(MPI_MIN),      CONSTANT(MPI_SUM),           CONSTANT(MPI_PROD),
      CONSTANT(MPI_LAND),        CONSTANT(MPI_BAND),     CONSTANT(MPI_LOR),           CONSTANT(MPI_BOR),
      CONSTANT(MPI_LXOR),        CONSTANT(MPI_BXOR),     CONSTANT(MPI_MAXLOC),        CONSTANT(MPI_MINLOC),
      CONSTANT(MPI_REPLACE),     CONSTANT(MPI_NO_OP)};
  return name_of(others, sizeof others / sizeof *others, value);
}

static const char *rank_name(int64_t rank) {
  return rank == MPI_PROC_NULL    ? "MPI_PROC_NULL"
         : rank == MPI_ANY_SOURCE ? "MPI_ANY_SOURCE"
         : rank == MPI_ROOT       ? "MPI_ROOT"
                                  : NULL;
}

static enum mck_object_kind object_of(enum mck_given_kind kind) {
  switch (kind) {
  case MCK_GIVEN_COMM: return MCK_OBJECT_COMM;
  case MCK_GIVEN_TYPE: return MCK_OBJECT_TYPE;
  case MCK_GIVEN_WIN: return MCK_OBJECT_WIN;
  case MCK_GIVEN_GROUP: return MCK_OBJECT_GROUP;
  case MCK_GIVEN_OP: return MCK_OBJECT_OP;
  case MCK_GIVEN_FILE: return MCK_OBJECT_FILE;
  case MCK_GIVEN_INFO: return MCK_OBJECT_INFO;
  case MCK_GIVEN_ERRHANDLER: return MCK_OBJECT_ERRHANDLER;
  case MCK_GIVEN_ADDRESS:
  case MCK_GIVEN_INT:
  case MCK_GIVEN_RANK:
  case MCK_GIVEN_TAG:
  case MCK_GIVEN_INTS:
  case MCK_GIVEN_STRING:
  case MCK_GIVEN_REQUEST: break;
  }
  return MCK_OBJECT_KINDS;
}

// Open MPI names communicators and windows itself ("MPI COMMUNICATOR 3 DUP FROM 0", "rdma window 4"): such a number
// says less than the name of the constructor.
static void add_made(struct line *line, const char *name, const struct mck_object *object) {
  if (name[0] && strncmp(name, "MPI COMMUNICATOR ", 17) && !strstr(name, " window ")) add(line, "%s", name);
  else if (object->site != MCK_NONE && mck_fn_names[object->fn]) add(line, "(made by %s)", mck_fn_names[object->fn]);
  else add(line, "(live)");
}

static void add_handle(struct line *line, enum mck_given_kind kind, uint64_t value) {
  const char *constant = constant_of(kind, value);
  if (constant) {
    add(line, "%s", constant);
    return;
  }
  const struct mck_object *object = mck_object_find(object_of(kind), value);
  if (!object || object->is_freed) {
    add(line, object ? "(freed)" : "(unknown)");
    return;
  }
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (object->is_adopted) { /* it may have been freed: the library is not asked */
  } else if (kind == MCK_GIVEN_COMM) PMPI_Comm_get_name((MPI_Comm)(uintptr_t)value, name, &length);
  else if (kind == MCK_GIVEN_TYPE) PMPI_Type_get_name((MPI_Datatype)(uintptr_t)value, name, &length);
  else if (kind == MCK_GIVEN_WIN) PMPI_Win_get_name((MPI_Win)(uintptr_t)value, name, &length);
  add_made(line, name, object);
}

// After the call the handle may have been overwritten: then the request is left out.
static const struct mck_request *request_at(const MPI_Request *at) {
  MPI_Request request;
  return at && read_memory(at, &request, sizeof(MPI_Request)) && request != MPI_REQUEST_NULL
             ? mck_request_find(request, at)
             : NULL;
}

static void add_ints(struct line *line, const int *at, int64_t n) {
  int entries[ENTRIES_MAX];
  size_t shown = n < 0 ? 0 : n < ENTRIES_MAX ? (size_t)n : ENTRIES_MAX;
  if (!at) add(line, "NULL");
  else if (shown && !read_memory(at, entries, shown * sizeof *entries)) add(line, "(unreadable)");
  else {
    for (size_t i = 0; i < shown; i++) add(line, "%s%d", i ? "," : "{", entries[i]);
    add(line, "%s%s", shown ? "" : "{", n > (int64_t)shown ? ",...}" : "}");
  }
}

static void add_string(struct line *line, const char *at) {
  char c;
  size_t n = 0;
  if (!at) {
    add(line, "NULL");
    return;
  }
  add(line, "\"");
  for (; n < TEXT_MAX && read_memory(at + n, &c, 1) && c; n++) add(line, "%c", c >= ' ' && c != 127 ? c : '?');
  add(line, n < TEXT_MAX ? "\"" : "...\"");
}

static void add_value(struct line *line, const struct mck_given *given, const uint64_t *words, uint64_t value) {
  enum mck_given_kind kind = given->kind;
  int64_t number = (int64_t)value;
  const char *name;
  switch (kind) {
  case MCK_GIVEN_ADDRESS:
    add(line, "%s", value ? "MPI_IN_PLACE" : "NULL"); // others are left out
    return;
  case MCK_GIVEN_RANK:
    if ((name = rank_name(number))) add(line, "%s", name);
    else add(line, "%lld", (long long)number);
    return;
  case MCK_GIVEN_TAG:
    if (number == MPI_ANY_TAG) add(line, "MPI_ANY_TAG");
    else add(line, "%lld", (long long)number);
    return;
  case MCK_GIVEN_INT:
    if (number == MPI_UNDEFINED) add(line, "MPI_UNDEFINED");
    else add(line, "%lld", (long long)number);
    return;
  case MCK_GIVEN_INTS:
    add_ints(line, (const int *)(uintptr_t)value, given->length < 0 ? 0 : (int64_t)words[given->length]);
    return;
  case MCK_GIVEN_STRING: add_string(line, (const char *)(uintptr_t)value); return;
  case MCK_GIVEN_REQUEST:
    add(line, "(made by %s)", mck_fn_names[request_at((const MPI_Request *)(uintptr_t)value)->fn]);
    return;
  case MCK_GIVEN_COMM:
  case MCK_GIVEN_TYPE:
  case MCK_GIVEN_WIN:
  case MCK_GIVEN_GROUP:
  case MCK_GIVEN_OP:
  case MCK_GIVEN_FILE:
  case MCK_GIVEN_INFO:
  case MCK_GIVEN_ERRHANDLER: add_handle(line, kind, value); return;
  }
}

void mck_arguments_write(const struct mck_call *call, char *text, size_t size) {
  struct mck_givens all = mck_fn_givens[call->fn];
  uint64_t gathered[WORDS_MAX];
  const uint64_t *words = call->given;
  text[0] = 0;
  if (!call->given || !all.count || all.count > WORDS_MAX) return;
  if (mck_fn_gather[call->fn]) {
    mck_fn_gather[call->fn](call->given, gathered);
    words = gathered;
  }
  struct line line = {text, size, 0};
  for (unsigned i = 0; i < all.count; i++) {
    const struct mck_given *given = &all.parameters[i];
    if (given->kind == MCK_GIVEN_ADDRESS && words[i] && words[i] != (uint64_t)(uintptr_t)MPI_IN_PLACE) continue;
    if (given->kind == MCK_GIVEN_REQUEST && !request_at((const MPI_Request *)(uintptr_t)words[i])) continue;
    add(&line, "%s%s=", line.used ? ", " : "", given->name);
    add_value(&line, given, words, words[i]);
  }
}
