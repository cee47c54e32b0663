// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes beside the target's window (Arguments.h), where all ranks make it equally large.
#include "static/ArgumentSearch.h"
#include "static/OtherArms.h"
#include "static/SureWay.h"

using namespace llvm;
using namespace mck::statics;

// Does each process make its window by this call? Where the ranks have a call each, their windows have other sizes.
static bool isMadeByAll(const CallBase &Maker, RankValues &Values, CommKey World) {
  const Function &F = *Maker.getFunction();
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank)
      if (!possibleBlocks(F, Values, Process{World, Rank, Size, 0}).contains(Maker.getParent())) return false;
  return otherArms(Maker).empty();
}

// They begin at the displacement times the unit of the target (MPI-3.1 11.3.1).
void ArgumentSearch::lookAtRange() {
  const Value *Window = argument(*At.Call, *At.Function, "win");
  if (At.Function->row().access == MCK_STD_ACCESS_NONE || !Window || constant("target") == ProcNull) return;
  const Origin *From = Code.origin(Values.definition(Window));
  if (!From) return;
  auto OfMaker = [&](StringRef Role) { return constant(argument(*From->Call, *From->Function, Role)); };
  std::optional<int64_t> Size = OfMaker("size"), Unit = OfMaker("disp_unit"), Begin = constant("target_disp"),
                         Count = 1;
  if (At.Function->find("target_count") >= 0) Count = constant("target_count");
  const Value *Handle = argument(*At.Call, *At.Function, "target_type");
  if (!Size || !Unit || !Begin || !Count || !Handle || *Count <= 0) return;
  constexpr int64_t Most = int64_t(1) << 30; // products of such numbers fit
  if (*Size < 0 || *Unit <= 0 || *Unit > Most || std::abs(*Begin) > Most || *Count > Most) return;
  Datatype Type = describeDatatype(Handle, Code, Values);
  if (!Type.isKnown() || Type.Extent > uint64_t(Most)) return;
  int64_t First = *Begin * *Unit, End = First + int64_t(Type.reach(uint64_t(*Count)));
  if ((First >= 0 && End <= *Size) || !isMadeByAll(*From->Call, Values, World)) return;
  say("rma.range",
      At.Function->Name + " uses bytes " + Twine(First) + " to " + Twine(End - 1) +
          " of the target's window, which has " + Twine(*Size),
      {{From->Call, "the window is made here"}});
}
