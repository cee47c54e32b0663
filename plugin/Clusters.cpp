// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds accesses of one block that share a test of the page filter (Clusters.h).
#include "Clusters.h"
#include "Distances.h"
#include "abi.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using mck::Access;
using mck::Cluster;
using mck::Sweep;

namespace {

constexpr size_t Recent = 8; // bounds the work in huge blocks
// In place of fewer tests a test of both ends does not pay, nor for fewer members a call that tests all pages between.
constexpr size_t MinTests = 3, MinMultiples = 4, MinRare = 16;
constexpr unsigned short MaxUnit = 4; // operations

class ClusterFinder {
public:
  ClusterFinder(Function &F, ArrayRef<Access> Accesses, ScalarEvolution &SE)
      : Accesses(Accesses), SE(SE), Expander(SE, F.getParent()->getDataLayout(), "mck"),
        Int64(Type::getInt64Ty(F.getContext())) {}

  SmallVector<Cluster, 0> run(ArrayRef<Sweep> Sweeps) {
    for (size_t I = 0; I < Accesses.size(); ++I) {
      const Access &A = Accesses[I];
      bool IsPlain = !(A.Flags & (MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE)); // others ask for other bits
      if (IsPlain && Sweeps[I].Test < 0 && !Sweeps[I].Before && A.isWhole() && !A.Address->getType()->isVectorTy() &&
          SE.isSCEVable(A.Address->getType()) && A.Size.getFixedValue() <= mck::MaxSpan)
        add(unsigned(I));
    }
    for (size_t K = 0; K < Clusters.size(); ++K) {
      Cluster &C = Clusters[K];
      for (const Cluster::Member &M : C.Members) C.HasLoads |= !(Accesses[M.Index].Flags & MCK_SIGNAL_STORE);
      if (Opens[K].Unit && C.Members.size() >= MinMultiples)
        C.Unit = Expander.expandCodeFor(Opens[K].Unit, Int64, Accesses[C.Members.front().Index].Before->getIterator());
    }
    erase_if(Clusters, [&](const Cluster &C) {
      bool IsRare = Sweeps[C.Members.front().Index].IsRare; // a gate for each access is less code there
      if (IsRare || C.LowMultiple != C.HighMultiple) return C.Members.size() < (IsRare ? MinRare : MinMultiples);
      return C.Members.size() < 2 || testsOf(C) < MinTests;
    });
    return std::move(Clusters);
  }

private:
  struct Open {
    unsigned Segment;
    const SCEV *Start, *Object, *Unit;
  };
  ArrayRef<Access> Accesses;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  Type *Int64;
  SmallVector<Cluster, 0> Clusters;
  SmallVector<Open, 0> Opens; // one for each cluster

  void add(unsigned Index) {
    const Access &A = Accesses[Index];
    const SCEV *Start = SE.getSCEV(A.Address), *Object = SE.getPointerBase(Start);
    for (size_t K = Clusters.size(); K-- > 0 && K + Recent >= Clusters.size();)
      if (Opens[K].Segment == A.Segment && Opens[K].Object == Object && join(Clusters[K], Opens[K], Index, Start))
        return;
    int64_t Size = int64_t(A.Size.getFixedValue());
    Clusters.emplace_back();
    Cluster &C = Clusters.back();
    C.Low = A.Offset, C.High = A.Offset + Size, C.Flags = A.Flags & MCK_SIGNAL_STORE;
    C.Members.push_back({Index, 0, A.Offset});
    Opens.push_back({A.Segment, Start, Object, nullptr});
  }

  // An access that may cross a page tests both of its own ends: two coordinates of a point as a vector, and the third.
  size_t testsOf(const Cluster &C) const {
    size_t Tests = 0;
    for (const Cluster::Member &M : C.Members) {
      const Access &A = Accesses[M.Index];
      Tests += A.Alignment.value() < A.Size.getFixedValue() ? 2 : 1;
    }
    return Tests;
  }

  bool join(Cluster &C, Open &O, unsigned Index, const SCEV *Start) {
    const Access &A = Accesses[Index];
    mck::Distance D;
    if (!mck::measure(SE, O.Start, Start, D) || D.Terms.size() > 1) return false;
    int64_t Multiple = 0, Low = D.Delta + A.Offset, High = Low + int64_t(A.Size.getFixedValue());
    if (std::max(C.High, High) - std::min(C.Low, Low) > int64_t(mck::MaxSpan)) return false;
    if (!D.Terms.empty()) {
      auto [Unit, Times] = D.Terms.front();
      if (O.Unit ? O.Unit != Unit : !isAtHand(Unit, Accesses[C.Members.front().Index].Before)) return false;
      O.Unit = Unit, Multiple = Times;
    }
    C.Low = std::min(C.Low, Low), C.High = std::max(C.High, High);
    C.LowMultiple = std::min(C.LowMultiple, Multiple), C.HighMultiple = std::max(C.HighMultiple, Multiple);
    C.Flags |= A.Flags & MCK_SIGNAL_STORE;
    C.Members.push_back({Index, Multiple, Low});
    return true;
  }

  bool isAtHand(const SCEV *Unit, const Instruction *At) {
    return SE.getTypeSizeInBits(Unit->getType()) == 64 && Unit->getExpressionSize() <= MaxUnit &&
           Expander.isSafeToExpandAt(Unit, At);
  }
};

} // namespace

SmallVector<Cluster, 0> mck::findClusters(Function &F, ArrayRef<Access> Accesses, ArrayRef<Sweep> Sweeps,
                                          ScalarEvolution &SE) {
  return ClusterFinder(F, Accesses, SE).run(Sweeps);
}
