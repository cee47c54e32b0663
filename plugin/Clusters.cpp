// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clusters.h"
#include "abi.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using mck::Access;
using mck::Cluster;
using mck::Sweep;

SmallVector<Cluster, 0> mck::findClusters(ArrayRef<Access> Accesses, ArrayRef<Sweep> Sweeps, ScalarEvolution &SE) {
  constexpr size_t Recent = 8; // keeps huge blocks linear
  struct Open {
    unsigned Segment;
    const SCEV *Start, *Object;
  };
  SmallVector<Cluster, 0> Clusters;
  SmallVector<Open, 0> Opens; // of each cluster
  for (size_t I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (Sweeps[I].Test >= 0 || Sweeps[I].Before || !A.isWhole() || A.Address->getType()->isVectorTy() || !SE.isSCEVable(A.Address->getType()))
      continue;
    int64_t Size = int64_t(A.Size.getFixedValue());
    if (Size > int64_t(MaxSpan))
      continue;
    const SCEV *Start = SE.getSCEV(A.Address), *Object = SE.getPointerBase(Start);
    bool IsIn = false;
    for (size_t K = Clusters.size(); K-- > 0 && K + Recent >= Clusters.size() && !IsIn;) {
      Cluster &C = Clusters[K];
      if (Opens[K].Segment != A.Segment || Opens[K].Object != Object)
        continue;
      const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, Opens[K].Start));
      if (!Distance || !Distance->getAPInt().isSignedIntN(16))
        continue;
      int64_t Low = Distance->getAPInt().getSExtValue() + A.Offset;
      if (std::max(C.High, Low + Size) - std::min(C.Low, Low) > int64_t(MaxSpan))
        continue;
      C.Low = std::min(C.Low, Low), C.High = std::max(C.High, Low + Size);
      C.Flags |= A.Flags & MCK_SIGNAL_STORE;
      C.Members.push_back({unsigned(I), Low});
      IsIn = true;
    }
    if (IsIn)
      continue;
    Clusters.emplace_back();
    Cluster &C = Clusters.back();
    C.Low = A.Offset, C.High = A.Offset + Size, C.Flags = A.Flags & MCK_SIGNAL_STORE;
    C.HasLoads = false;
    C.Members.push_back({unsigned(I), A.Offset});
    Opens.push_back({A.Segment, Start, Object});
  }
  for (Cluster &C : Clusters)
    for (const Cluster::Member &M : C.Members)
      C.HasLoads |= !(Accesses[M.Index].Flags & MCK_SIGNAL_STORE);
  // Two tests, of both ends, do not pay for less.
  erase_if(Clusters, [](const Cluster &C) { return C.Members.size() < 3; });
  return Clusters;
}
