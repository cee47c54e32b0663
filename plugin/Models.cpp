// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what MPI and the C library do with pointers (Models.h).
#include "Models.h"
#include "static/proof/WindowProof.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using mck::Keeps;
using mck::KeptByMpi;
using mck::Model;

namespace {

// Does the module know of threads? Then other threads may use the buffers of a call that blocks.
bool isThreaded(const Module &M) {
  static constexpr StringRef Names[] = {
      "__kmpc_fork_call",
      "__kmpc_omp_task_alloc",
      "__kmpc_global_thread_num",
      "__kmpc_barrier",
      "omp_get_thread_num",
      "pthread_create",
      "pthread_self",
      "pthread_mutex_lock",
      "thrd_create",
      "mtx_lock",
      "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
  return any_of(Names, [&](StringRef Name) { return M.getFunction(Name); });
}

std::optional<Model> modelOfMpi(StringRef Name, const Module &Module) {
  Name.consume_front("P");
  KeptByMpi Function = mck::keptByMpi(Name);
  Model M;
  M.Filled = ~Function.Buffers;
  if (Function.What == Keeps::NOTHING) {
    if (Function.Buffers && isThreaded(Module)) M.Used = Function.Buffers;
    return M;
  }
  if (Function.What == Keeps::UNKNOWN || !Function.Buffers) return std::nullopt;
  M.Used = Function.Buffers | Function.Arrays;
  return M;
}

// The memory of a proved window is the program's own: that which MPI_Win_allocate makes is a new block, and what
// MPI_Win_create gets is not used while it may be accessed.
std::optional<Model> modelOfProvedWindow(const CallBase &Call) {
  const mck::statics::MpiFunction *Function = mck::statics::findMpi(Call);
  int At = Function && mck::statics::isProvedWindow(Call) ? Function->find("base") : -1;
  if (At < 0) return std::nullopt;
  Model M;
  M.Filled = ~(1U << At);
  if (Function->Parameters[unsigned(At)].Way == mck::statics::Direction::OUT) M.NewAt = At;
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
  case LibFunc_posix_memalign: M.NewAt = 0; return M;
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

KeptByMpi mck::keptByMpi(StringRef Name) {
  return StringSwitch<KeptByMpi>(Name)
#define MCK_MODEL(name, keeps, buffers, arrays, polling) .Case(#name, {Keeps::keeps, buffers, arrays})
#include "api/models.inc"
#undef MCK_MODEL
      .Default({Keeps::UNKNOWN, 0, 0});
}

std::optional<Model> mck::findModel(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return std::nullopt;
  StringRef Name = Callee->getName();
  if (Name.starts_with("MPI_") || Name.starts_with("PMPI_")) {
    std::optional<Model> Proved = modelOfProvedWindow(Call);
    return Proved ? Proved : modelOfMpi(Name, *Callee->getParent());
  }
  if (Name.starts_with("__mck_") || Name.starts_with("mck.")) return Model();
  if (Callee->isIntrinsic()) return std::nullopt;
  LibFunc Function;
  if (TLI.getLibFunc(Call, Function)) return modelOfLibrary(Function);
  if (Name == "exit" || Name == "abort" || Name == "clock_gettime" || Name == "usleep" || Name == "__errno_location" ||
      Name == "rand" || Name == "srand")
    return Model();
  return std::nullopt;
}
