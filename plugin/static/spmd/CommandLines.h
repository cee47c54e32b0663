// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines with which a program may be started: made of the texts that it compares its arguments with, the options
// that it gives to getopt, and numbers where it makes some of texts.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <string>
#include <vector>

namespace mck::statics {

/// How a program is started.
struct CommandLine {
  std::vector<std::string> Arguments{}; // without the program's name
  bool HasFiles = true;                 // files can be opened
  std::string Variable{}, Value{};      // of the environment; no other one that the program asks for is set
  bool hasNumber() const;
  /// For a warning; empty: without arguments.
  std::string describe() const;
};

/// A variable of the environment that is not set without a reason: none of the shell's, MPI's or the scheduler's.
/// Empty: another call, or another variable.
llvm::StringRef environmentVariable(const llvm::CallBase &Call);
/// The first one has no arguments, those behind it become longer.
std::vector<CommandLine> findCommandLines(const llvm::Function &Main);

} // namespace mck::statics
