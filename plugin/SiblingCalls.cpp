// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sibling calls: what TailCalls.h does for clang, for gcc, g++ and gfortran. At -O2 the last call of a function is a
// jump, so that its function is not on the stack: a call of MPI would have the place of the caller, and the finding
// another fingerprint than at -O0. This pass stands behind the one that marks such calls, and takes the mark away from
// those that do not come back to their function. Recursions in one file still need no stack: programs may rely on it.
// A function that gcc has made of a part of another one (f.part.0, f.constprop.0) counts as that one.
#include "GccPasses.h"

#include <context.h>
#include <tree-pass.h>
#include <tree.h>

#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <cgraph.h>

namespace {
const pass_data Data = {GIMPLE_PASS, "mck-callers", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

// The declaration of the function that the code of a declaration comes from.
tree originOf(tree Function) {
  while (DECL_ABSTRACT_ORIGIN(Function) && DECL_ABSTRACT_ORIGIN(Function) != Function)
    Function = DECL_ABSTRACT_ORIGIN(Function);
  return Function;
}

// Recursions: functions of one number call each other (Tarjan's components, without recursion of its own). They are
// found before the first function is translated, since the graph loses the calls of one that is.
class Recursions {
public:
  // A function that was not there then is in no recursion.
  bool areOne(tree A, tree B) {
    unsigned *X
    = Components.get(originOf(A));
    unsigned *Y = Components.get(originOf(B));
    return originOf(A) == originOf(B) || (X && Y && *X == *Y);
  }

  void make() {
    cgraph_node *Node;
    auto_vec<tree> All;
    FOR_EACH_FUNCTION(Node) {
      tree Function = originOf(Node->decl);
      bool IsThere;
      vec<tree> &List = Callees.get_or_insert(Function, &IsThere);
      if (!IsThere) List = vNULL, All.safe_push(Function);
      for (cgraph_edge *E = Node->callees; E; E = E->next_callee)
        List.safe_push(originOf(E->callee->ultimate_alias_target()->decl));
    }
    for (tree Function : All)
      if (!Lows.get(Function)) walk(Function);
    for (auto I = Callees.begin(); I != Callees.end(); ++I) (*I).second.release();
  }

private:
  struct Frame {
    tree Function;
    unsigned Next; // of its callees
  };
  hash_map<tree, vec<tree>> Callees;
  hash_map<tree, unsigned> Components, Lows;
  unsigned Number = 0, NumComponents = 0;

  void walk(tree Root) {
    auto_vec<Frame> Frames;
    auto_vec<tree> Stack; // those that have no component yet
    hash_map<tree, unsigned> Order;
    enter(Root, Frames, Stack, Order);
    while (!Frames.is_empty()) {
      Frame &F = Frames.last();
      vec<tree> *List = Callees.get(F.Function);
      if (List && F.Next < List->length()) {
        tree Callee = (*List)[F.Next++];
        if (!Lows.get(Callee)) enter(Callee, Frames, Stack, Order);
        else if (!Components.get(Callee)) lower(F.Function, *Lows.get(Callee));
        continue;
      }
      tree Function = F.Function;
      Frames.pop();
      if (!Frames.is_empty() && !Components.get(Function)) lower(Frames.last().Function, *Lows.get(Function));
      if (*Lows.get(Function) != *Order.get(Function)) continue;
      NumComponents++;
      for (tree Member = NULL_TREE; Member != Function;) Components.put(Member = Stack.pop(), NumComponents);
    }
  }

  void enter(tree Function, vec<Frame> &Frames, vec<tree> &Stack, hash_map<tree, unsigned> &Order) {
    Lows.put(Function, ++Number), Order.put(Function, Number);
    Frames.safe_push({Function, 0});
    Stack.safe_push(Function);
  }

  void lower(tree Function, unsigned Low) {
    unsigned *Own = Lows.get(Function);
    if (Low < *Own) *Own = Low;
  }
};

Recursions *Known; // of this file

class SiblingCallsPass : public gimple_opt_pass {
public:
  explicit SiblingCallsPass(gcc::context *Context) : gimple_opt_pass(Data, Context) {}
  unsigned execute(function *Function) override {
    if (!Known) return 0;
    basic_block Block;
    FOR_EACH_BB_FN(Block, Function)
    for (gimple_stmt_iterator I = gsi_start_bb(Block); !gsi_end_p(I); gsi_next(&I)) {
      gcall *Call = dyn_cast<gcall *>(gsi_stmt(I));
      if (!Call || !gimple_call_tail_p(Call) || gimple_call_must_tail_p(Call)) continue;
      tree Callee = gimple_call_fndecl(Call); // calls by pointers stay as they are
      if (Callee && !Known->areOne(Callee, Function->decl)) gimple_call_set_tail(Call, false);
    }
    return 0;
  }
};
void makeRecursions(void *, void *) {
  if (!Known) Known = new Recursions;
  Known->make();
}
} // namespace

void mck::registerSiblingCalls(const char *Plugin) {
  static register_pass_info Pass = {new SiblingCallsPass(g), "tailc", 1, PASS_POS_INSERT_AFTER};
  register_callback(Plugin, PLUGIN_ALL_IPA_PASSES_END, makeRecursions, nullptr);
  register_callback(Plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &Pass);
}
