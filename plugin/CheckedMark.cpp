// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the mark of a recompiled object (CheckedMark.h). Identifiers of a module become its section .comment, which
// takes no memory in the running program. Linkers join these sections, and "strip" keeps them.
#include "CheckedMark.h"
#include "checked-mark.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static void addMark(Module &M, StringRef Name, StringRef Directory) {
  LLVMContext &Context = M.getContext();
  MDNode *Mark = MDNode::get(Context,
                             MDString::get(Context, (Twine(MCK_CHECKED_MARK) + Name + "\t" + Directory).str()));
  NamedMDNode *Marks = M.getOrInsertNamedMetadata("llvm.ident");
  if (!is_contained(Marks->operands(), Mark)) Marks->addOperand(Mark);
}

// flang calls every file "FIRModule", and so does the object's file symbol, which would stand for a file of its own.
static void nameFlangFile(Module &M) {
  if (M.getSourceFileName() != "FIRModule" || M.debug_compile_units().empty()) return;
  M.setSourceFileName((*M.debug_compile_units_begin())->getFilename());
}

// Name and directory are written as the debug information has them (DW_AT_name, DW_AT_comp_dir).
void mck::markChecked(Module &M) {
  nameFlangFile(M);
  if (M.debug_compile_units().empty()) addMark(M, M.getSourceFileName(), "");
  for (const DICompileUnit *Unit : M.debug_compile_units()) addMark(M, Unit->getFilename(), Unit->getDirectory());
}
