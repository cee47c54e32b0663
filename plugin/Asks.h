// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that ask MPI for something and return at once: tests and nonblocking probes. The list of them comes from the
// runtime's generator. And calls that a loop often makes between them.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <cstdint>
#include <optional>

namespace mck {

/// The name in C of an MPI function that is called from C ("MPI_Test", "PMPI_Test") or Fortran ("mpi_test_",
/// "mpi_test_f08_"). Empty: another function.
struct MpiName {
  llvm::StringRef Name;
  bool IsFortran = false;
};
MpiName nameOfMpi(llvm::StringRef Symbol);
/// "MPI_Send" or "PMPI_Send" as the list of MPI functions has it: a string that stays. Empty: another function.
llvm::StringRef listedMpi(llvm::StringRef Symbol);

/// Parameters are counted from 0; -1: there is none. Flag: 0 when nothing has come. Index: MPI_UNDEFINED then. Request:
/// the single request, which may be null. Bits: Lost are undefined when nothing has come; Memory say in memory what is
/// asked for. All others say it by their values.
struct Ask {
  llvm::StringRef Name;
  unsigned Count;
  int Flag, Index, Request;
  uint32_t Lost, Memory;
  bool IsFortran;

  bool isLost(unsigned I) const { return Lost >> I & 1; }
  bool isResult(unsigned I) const { return int(I) == Flag || int(I) == Index || isLost(I); }
  /// Fortran passes all arguments in memory.
  bool isMemory(unsigned I) const { return IsFortran || (Memory >> I & 1); }
};
std::optional<Ask> findAsk(const llvm::CallBase &Call);

/// What a well-known function of the C library that comes back may change of the program's variables: none, or only
/// those that it is given. What it returns is unknown.
enum class Changes { Nothing, Arguments, Anything };
Changes changesOf(const llvm::CallBase &Call);

} // namespace mck
