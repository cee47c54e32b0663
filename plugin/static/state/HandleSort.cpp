// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls make and free objects (HandleSort.h).
#include "static/state/HandleSort.h"

using namespace llvm;
using namespace mck::statics;

static constexpr HandleSort Sorts[] = {{"newcomm", "leak.comm", "comm"},    {"newtype", "leak.datatype", "datatype"},
                                       {"newgroup", "leak.group", "group"}, {"newwin", "leak.win", "win"},
                                       {"newfile", "leak.file", "file"},    {"newinfo", "leak.info", "info"},
                                       {"newop", "leak.op", "op"}};

const HandleSort *mck::statics::handleSortOf(const MpiFunction &Function, Direction Way) {
  for (const HandleSort &S : Sorts)
    if (int At = Function.find(S.Role); At >= 0 && Function.Parameters[unsigned(At)].Way == Way) return &S;
  return nullptr;
}

// MPI_Type_commit takes the handle's address, too.
bool mck::statics::freesObject(const MpiFunction &Function) {
  return handleSortOf(Function, Direction::INOUT) && Function.Number != MCK_FN_MPI_Type_commit;
}

bool mck::statics::isOfSort(const Parameter &P) {
  return any_of(Sorts, [&](const HandleSort &S) { return P.is(S.Name); });
}

bool mck::statics::isOwned(const MpiFunction &Function) {
  static constexpr StringRef Classes[] = {
#define MCK_FN(Name, Class) #Class,
#include "api/mpi_fns.inc"
#undef MCK_FN
  };
  StringRef Class = Classes[Function.Number];
  return Class.ends_with("_new") || Class == "file_open" || Function.find("newinfo") >= 0;
}
