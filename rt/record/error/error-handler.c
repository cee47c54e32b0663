// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handlers: the error is reported before the handler runs, since the handler may never return. The handler then
// runs as usual, with the library's arguments (docs/design/errors.md).
//
// MPI_ERRORS_ARE_FATAL: the library's object of that name holds the addresses of three functions, one each for
// communicators, files and windows; ours replace them and call them. The object stays where it is, so handles,
// inheritance and MPI_Comm_get_errhandler are untouched. The places are found by their content; without a match
// nothing is changed. Handlers of the user: the library gets one of a set of our functions, which calls the user's.
#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include "record/error/call-failure.h"
#include "record/error/error-handler.h"

// --- MPI_ERRORS_ARE_FATAL ---
typedef void handler(void *object, int *code,
                     ...); // Open MPI calls all three kinds in the same way: (&object, &code, name, NULL)
enum kind { COMM, WIN, FILE_, KINDS };
static handler *fatal[KINDS];

// After a fatal error no handler of the user runs.
static void on_fatal(enum kind kind, void *object, int *code, const char *name) {
  if (code) mck_failure_handled(name, *code, true);
  fatal[kind](object, code, name, NULL);
}

#define FATAL(kind, function)                                                                                          \
  static void function(void *object, int *code, ...) {                                                                 \
    va_list list;                                                                                                      \
    va_start(list, code);                                                                                              \
    const char *name = va_arg(list, const char *);                                                                     \
    va_end(list);                                                                                                      \
    on_fatal(kind, object, code, name);                                                                                \
  }
FATAL(COMM, fatal_comm)
FATAL(WIN, fatal_win)
FATAL(FILE_, fatal_file)

void mck_handlers_install(void) {
#ifdef OPEN_MPI
  static const char *const names[KINDS] = {"ompi_mpi_errors_are_fatal_comm_handler",
                                           "ompi_mpi_errors_are_fatal_win_handler",
                                           "ompi_mpi_errors_are_fatal_file_handler"};
  static handler *const ours[KINDS] = {fatal_comm, fatal_win, fatal_file};
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  uintptr_t *object = (uintptr_t *)MPI_ERRORS_ARE_FATAL;
  if (fatal[COMM] || !dladdr1(object, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
      info.dli_saddr != (void *)object)
    return;
  for (int kind = 0; kind < KINDS; kind++) {
    void *original = dlsym(RTLD_DEFAULT, names[kind]);
    for (size_t i = 0; original && i < symbol->st_size / sizeof *object; i++) {
      if (object[i] != (uintptr_t)original) continue;
      *(void **)&fatal[kind] = original;
      __atomic_store_n(&object[i], (uintptr_t)ours[kind], __ATOMIC_RELEASE);
      break;
    }
  }
#endif
}

// --- the user's handlers ---
// Each function of the user gets one of ours for the life of the process, since a handler may be called as long as any
// object has it. Programs have one or two; the library gets those beyond the set as they are.
enum { USERS = 16 };
static handler *users[KINDS][USERS];

static void on_user(enum kind kind, int which, void *object, int *code, const char *name, void *more) {
  if (code) mck_failure_handled(name, *code, false);
  users[kind][which](object, code, name, more);
}

#define ONE(kind, which)                                                                                               \
  static void user_##kind##_##which(void *object, int *code, ...) {                                                    \
    va_list list;                                                                                                      \
    va_start(list, code);                                                                                              \
    const char *name = va_arg(list, const char *);                                                                     \
    void *more = va_arg(list, void *);                                                                                 \
    va_end(list);                                                                                                      \
    on_user(kind, 0x##which, object, code, name, more);                                                                \
  }
// clang-format off
#define ALL(X, kind) \
  X(kind, 0) X(kind, 1) X(kind, 2) X(kind, 3) X(kind, 4) X(kind, 5) X(kind, 6) X(kind, 7) \
  X(kind, 8) X(kind, 9) X(kind, a) X(kind, b) X(kind, c) X(kind, d) X(kind, e) X(kind, f)
// clang-format on
ALL(ONE, COMM)
ALL(ONE, WIN)
ALL(ONE, FILE_)
#define NAME(kind, which) user_##kind##_##which,
static handler *const stand_ins[KINDS][USERS] = {{ALL(NAME, COMM)}, {ALL(NAME, WIN)}, {ALL(NAME, FILE_)}};

static _Atomic bool is_any;
bool mck_handler_is_any(void) { return atomic_load_explicit(&is_any, memory_order_relaxed); }

static handler *stand_in(enum kind kind, handler *user) {
  if (!user) return NULL;
  atomic_store_explicit(&is_any, true, memory_order_relaxed);
  for (int i = 0; i < USERS; i++) {
    handler *none = NULL;
    if (__atomic_compare_exchange_n(&users[kind][i], &none, user, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        none == user)
      return stand_ins[kind][i];
  }
  return user;
}

MPI_Comm_errhandler_function *mck_handler_comm(MPI_Comm_errhandler_function *user) {
  return (MPI_Comm_errhandler_function *)stand_in(COMM, (handler *)user);
}
MPI_Win_errhandler_function *mck_handler_win(MPI_Win_errhandler_function *user) {
  return (MPI_Win_errhandler_function *)stand_in(WIN, (handler *)user);
}
MPI_File_errhandler_function *mck_handler_file(MPI_File_errhandler_function *user) {
  return (MPI_File_errhandler_function *)stand_in(FILE_, (handler *)user);
}
