// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what MPI and the C library do with pointers (Models.h).
#include "Models.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using mck::Model;

namespace {

/// What a function of MPI does, by its class in the table of functions.
enum class Use { Unknown, Harmless, Buffers };

// When these functions have returned, MPI uses none of their arguments. They store no pointers but handles.
constexpr StringRef HarmlessClasses[] = {
    "send",         "recv",     "sendrecv",   "coll",      "probe",     "iprobe",    "improbe",    "mprobe",
    "mrecv",        "wait",     "waitall",    "waitany",   "waitsome",  "test",      "testall",    "testany",
    "testsome",     "init",     "finalize",   "fence",     "rma_sync",  "start",     "startall",   "cancel",
    "request_free", "win_free", "abort",      "comm_new",  "comm_free", "group_new", "group_free", "type_free",
    "type_commit",  "op_free",  "get_status", "file_close"};
constexpr StringRef BufferClasses[] = {"isend", "irecv", "imrecv", "icoll", "send_init", "recv_init",
                                       "put",   "get",   "acc",    "rput",  "rget",      "racc"};
// Most of them only return information.
constexpr StringRef HarmlessNames[] = {
    "MPI_Comm_rank",          "MPI_Comm_size",       "MPI_Wtime",           "MPI_Wtick",
    "MPI_Get_count",          "MPI_Get_elements",    "MPI_Initialized",     "MPI_Finalized",
    "MPI_Type_size",          "MPI_Type_get_extent", "MPI_Cart_coords",     "MPI_Cart_rank",
    "MPI_Cart_shift",         "MPI_Dims_create",     "MPI_Group_rank",      "MPI_Group_size",
    "MPI_Query_thread",       "MPI_Is_thread_main",  "MPI_Error_string",    "MPI_Error_class",
    "MPI_Get_processor_name", "MPI_Comm_compare",    "MPI_Comm_test_inter", "MPI_Get_version",
    "MPI_Comm_set_name",      "MPI_Comm_get_name",   "MPI_Win_set_name",    "MPI_Group_translate_ranks",
    "MPI_Comm_remote_size",   "MPI_Pack_size"};

StringRef classOf(StringRef Name) {
  return StringSwitch<StringRef>(Name)
#define MCK_FN(name, class) .Case(#name, #class)
#include "api/mpi_fns.inc"
#undef MCK_FN
      .Default("");
}

uint32_t buffersOf(StringRef Name) {
  return StringSwitch<uint32_t>(Name)
#define MCK_BUFFERS(name, bits) .Case(#name, bits)
#include "api/buffers.inc"
#undef MCK_BUFFERS
      .Default(0);
}

std::optional<Model> modelOfMpi(StringRef Name) {
  Name.consume_front("P");
  StringRef Class = classOf(Name);
  uint32_t Buffers = buffersOf(Name);
  Model M;
  M.Filled = ~Buffers;
  if (is_contained(HarmlessClasses, Class) || is_contained(HarmlessNames, Name)) return M;
  if (!is_contained(BufferClasses, Class) || !Buffers) return std::nullopt;
  M.Used = Buffers;
  return M;
}

Model copies(int From, int To, uint32_t Returned) {
  Model M;
  M.From = From, M.To = To, M.Returned = Returned;
  return M;
}

// One switch, since it is a table: each case is a function of the library.
// NOLINTNEXTLINE(readability-function-size)
std::optional<Model> modelOfLibrary(LibFunc Name) {
  Model M;
  switch (Name) {
  case LibFunc_malloc:
  case LibFunc_calloc:
  case LibFunc_aligned_alloc:
  case LibFunc_memalign:
  case LibFunc_valloc:
  case LibFunc_strdup:
  case LibFunc_strndup:
  case LibFunc_Znwm:
  case LibFunc_ZnwmRKSt9nothrow_t:
  case LibFunc_ZnwmSt11align_val_t:
  case LibFunc_Znam:
  case LibFunc_ZnamRKSt9nothrow_t:
  case LibFunc_ZnamSt11align_val_t: M.IsNew = true; return M;
  case LibFunc_realloc: // it returns the old block, or a new one with the same contents
    M.IsNew = true, M.From = 0, M.To = 0, M.Returned = 1;
    return M;
  case LibFunc_memcpy:
  case LibFunc_memmove:
  case LibFunc_mempcpy:
  case LibFunc_memcpy_chk:
  case LibFunc_memmove_chk:
  case LibFunc_mempcpy_chk: return copies(1, 0, 1);
  case LibFunc_bcopy: return copies(0, 1, 0);
  case LibFunc_memset:
  case LibFunc_memset_chk:
  case LibFunc_memchr:
  case LibFunc_memrchr:
  case LibFunc_strchr:
  case LibFunc_strrchr:
  case LibFunc_strstr:
  case LibFunc_strpbrk:
  case LibFunc_strcpy:
  case LibFunc_strncpy:
  case LibFunc_stpcpy:
  case LibFunc_strcat:
  case LibFunc_strncat:
  case LibFunc_fgets: M.Returned = 1; return M;
  case LibFunc_free:
  case LibFunc_ZdlPv:
  case LibFunc_ZdlPvm:
  case LibFunc_ZdlPvSt11align_val_t:
  case LibFunc_ZdlPvmSt11align_val_t:
  case LibFunc_ZdaPv:
  case LibFunc_ZdaPvm:
  case LibFunc_memcmp:
  case LibFunc_bcmp:
  case LibFunc_bzero:
  case LibFunc_strlen:
  case LibFunc_strnlen:
  case LibFunc_strcmp:
  case LibFunc_strncmp:
  case LibFunc_strcasecmp:
  case LibFunc_strncasecmp:
  case LibFunc_strspn:
  case LibFunc_strcspn:
  case LibFunc_atoi:
  case LibFunc_atol:
  case LibFunc_atof:
  case LibFunc_printf:
  case LibFunc_fprintf:
  case LibFunc_sprintf:
  case LibFunc_snprintf:
  case LibFunc_puts:
  case LibFunc_putchar:
  case LibFunc_fputs:
  case LibFunc_fputc:
  case LibFunc_fwrite:
  case LibFunc_fread:
  case LibFunc_fflush:
  case LibFunc_fclose:
  case LibFunc_perror:
  case LibFunc_modf:
  case LibFunc_modff:
  case LibFunc_frexp:
  case LibFunc_frexpf:
  case LibFunc_gettimeofday: return M;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<Model> mck::findModel(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return std::nullopt;
  StringRef Name = Callee->getName();
  if (Name.starts_with("MPI_") || Name.starts_with("PMPI_")) return modelOfMpi(Name);
  if (Name.starts_with("__mck_") || Name.starts_with("mck.")) return Model();
  if (Callee->isIntrinsic()) return std::nullopt;
  LibFunc Function;
  if (TLI.getLibFunc(Call, Function)) return modelOfLibrary(Function);
  if (Name == "exit" || Name == "abort" || Name == "clock_gettime" || Name == "usleep" || Name == "__errno_location" ||
      Name == "rand" || Name == "srand")
    return Model();
  return std::nullopt;
}
