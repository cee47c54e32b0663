// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of an MPI function, as rt/standard's row and the table's roles describe it. Only C names: calls of
// Fortran are made such in the copy (Fortran.h).
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
extern "C" {
#include "api/standard.h"
}

namespace mck::statics {

enum class Direction { IN, OUT, INOUT };
struct Parameter {
  Direction Way;
  llvm::StringRef Roles; // and its mark in the table ("@root"), with "+" between them
  llvm::StringRef Name;
  llvm::StringRef Type; // in C
  /// It is a handle: MPI_Comm, or a pointer to one.
  bool isHandle() const;
  bool is(llvm::StringRef Role) const;
};

/// A function of MPI: its number, its row, its parameters.
struct MpiFunction {
  uint16_t Number;
  llvm::StringRef Name;
  llvm::SmallVector<Parameter, 8> Parameters;
  const mck_std_fn &row() const { return mck_std_fns[Number]; }
  /// The first parameter with this role, or -1.
  int find(llvm::StringRef Role) const;
  /// Called by several processes together. MPI_Finalize counts: a process that returns without it leaves the others
  /// waiting (MPI-3.1 8.7).
  bool isCollective() const { return row().collective != MCK_STD_COLLECTIVE_NONE; }
};

/// The function that is called, by MPI_ or PMPI_ name; null if it is none of MPI's, or declared in another way.
const MpiFunction *findMpi(const llvm::CallBase &Call);
const MpiFunction *findMpi(llvm::StringRef Symbol);
/// The argument with this role, or null.
llvm::Value *argument(const llvm::CallBase &Call, const MpiFunction &Function, llvm::StringRef Role);
/// Does the call write one element of a predefined type to its receive buffer, and no more?
bool receivesOne(const llvm::CallBase &Call, const MpiFunction &Function);

/// MPI_PROC_NULL of Open MPI.
constexpr int64_t ProcNull = -2;

/// What a call that is none of MPI's can do to a sequence of MPI calls.
enum class Reach { Nothing, Unknown };
/// Attribute of a function whose body was seen, and calls what is not known, such as a template of C++'s library that
/// calls back.
constexpr llvm::StringLiteral UnknownBody = "mck-unknown-body";
/// Nothing: functions of the compiler, of C, of C++'s library and of threads; they call no MPI.
Reach reachOf(const llvm::CallBase &Call);
Reach reachOfName(const llvm::Function &Callee);
/// May another thread tell something here, or be told something? A volatile load may be a flag, as older programs use.
bool maySynchronize(const llvm::Instruction &I);
/// May there be something to say of a module that calls it?
bool isOfInterest(const MpiFunction &Function);
/// The function ends the program: MPI_Abort.
bool isAbort(const MpiFunction &Function);

/// Names of handles that are addresses of variables of the library. Where handles are numbers, nothing is recognized.
bool isWorld(const llvm::Value *Comm);
bool isSelf(const llvm::Value *Comm);
/// MPI_COMM_WORLD; null: the module does not name it.
const llvm::GlobalVariable *findWorld(const llvm::Module &M);
bool isNullRequest(const llvm::Value *Request);
/// The null handle of a kind of objects: "comm", "op".
bool isNullHandle(const llvm::Value *Handle, llvm::StringRef Kind);

} // namespace mck::statics
