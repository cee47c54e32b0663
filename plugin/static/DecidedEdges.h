// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper returns 0 or -1, and its caller asks for that: behind the call both ways of the helper meet in one block,
// and part again at once. Whoever reads the graph without values sees ways there that nobody can go. Here each edge
// goes where the number that it brings leads (jump threading), if all edges bring one, or if that is the end of the
// program. Flags of the function itself stay conditions, and so do those that only some ranks bring a number to: all
// ranks are compared there. Only blocks that do
// nothing else are passed by, so no call is made twice, and loops keep their heads.
#pragma once

namespace llvm {
class Function;
}

namespace mck::statics {

/// Bends the edges of F whose end is a condition that they decide.
void bendDecidedEdges(llvm::Function &F);

} // namespace mck::statics
