// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines: gcc's plugin begins here. It corrects for gfortran the line of calls like "call MPI_Wait(request, status,
// ierr)". For an argument with INTENT(OUT) in the procedure's interface (all procedures of "use mpi" and "use mpi_f08"
// have one) gfortran writes
//
//   [halo.f90:12] ierr = {CLOBBER};
//   mpi_wait (&request, &status, &ierr);
//
// and leaves the call without a line, so that it gets the line of the statement around it, the IF, the DO or the
// SUBROUTINE. The clobber has the right line. The plugin changes the location of the call, and no code.
//
// A variable that a procedure behind CONTAINS uses becomes a member of a frame (FRAME.ierr; CHAIN->ierr in that
// procedure). Then gcc leaves only an empty statement where the clobber was, with its line.
#include "GccPasses.h"

#include <plugin-version.h>

#include <context.h>
#include <langhooks.h>
#include <tree-pass.h>
#include <tree.h>

#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>

int plugin_is_GPL_compatible = 1; // gcc requires this symbol; Apache-2.0 is compatible with version 3

namespace {
const pass_data Data = {GIMPLE_PASS, "mck-lines", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class LinesPass : public gimple_opt_pass {
public:
  explicit LinesPass(gcc::context *Context) : gimple_opt_pass(Data, Context) {}
  unsigned execute(function *Function) override {
    basic_block Block;
    FOR_EACH_BB_FN(Block, Function) {
      // The clobbers of a call stand before it in the same block. Code that makes other arguments may stand between.
      auto_vec<gimple *> Clobbers;
      gimple *Empty = nullptr; // the last one, if only addresses, clobbers and loads for arguments stand behind it
      for (gimple_stmt_iterator I = gsi_start_bb(Block); !gsi_end_p(I); gsi_next(&I)) {
        gimple *Statement = gsi_stmt(I);
        if (gimple_clobber_p(Statement) && CLOBBER_KIND(gimple_assign_rhs1(Statement)) != CLOBBER_EOL)
          Clobbers.safe_push(Statement);
        else if (gimple_code(Statement) == GIMPLE_NOP) Empty = Statement;
        else if (is_gimple_call(Statement)) place(Statement, Clobbers, Empty), Empty = nullptr;
        else if (!gimple_assign_single_p(Statement)) Empty = nullptr;
      }
    }
    return 0;
  }

private:
  static void place(gimple *Call, auto_vec<gimple *> &Clobbers, gimple *Empty) {
    for (unsigned A = 0; A < gimple_call_num_args(Call); A++) {
      tree Argument = gimple_call_arg(Call, A);
      if (TREE_CODE(Argument) != ADDR_EXPR) continue;
      for (unsigned C = Clobbers.length(); C-- > 0;) {
        if (gimple_assign_lhs(Clobbers[C]) != TREE_OPERAND(Argument, 0) || !gimple_has_location(Clobbers[C])) continue;
        gimple_set_location(Call, gimple_location(Clobbers[C]));
        Clobbers.truncate(0);
        return;
      }
    }
    if (Empty && gimple_has_location(Empty)) gimple_set_location(Call, gimple_location(Empty));
  }
};
} // namespace

int plugin_init(plugin_name_args *Info, plugin_gcc_version *Version) {
  if (!plugin_default_version_check(Version, &gcc_version)) return 0; // another gcc: its lines stay as they are
  mck::registerSiblingCalls(Info->base_name);
  if (strncmp(lang_hooks.name, "GNU Fortran", strlen("GNU Fortran")) != 0) return 0;
  static register_pass_info Pass = {new LinesPass(g), "cfg", 1, PASS_POS_INSERT_AFTER};
  register_callback(Info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &Pass);
  return 0;
}
