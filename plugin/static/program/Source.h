// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module as the source has it, in the object (source-abi.h): that of LTO has been optimized when the linker gets
// it, and without LTO the linker gets none. With it goes what the compiler has said already, so that the link does not
// say it again.
#pragma once
#include "static/Warning.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Puts a copy of the module into its object.
void keepSource(llvm::Module &M, const Warnings &Said);
/// All modules that are kept in one section, or in several behind each other. What is damaged is left out.
void readSources(llvm::StringRef Bytes, llvm::LLVMContext &Context,
                 llvm::SmallVectorImpl<std::unique_ptr<llvm::Module>> &To);
/// The variable in which a module keeps its source; null: it does not.
llvm::GlobalVariable *findSource(llvm::Module &M);
/// Tells what the compiler said of a module that was kept.
void readSaid(const llvm::Module &M, Warnings &To);

} // namespace mck::statics
