// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles of edges (plugin/RankBundles.h) of random graphs: from each node the same nodes are reached as without.
#include "RankBundles.h"
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <vector>

using Graph = std::map<uint64_t, std::set<uint64_t>>;
constexpr int Count = 20000;

static std::set<uint64_t> reach(const Graph &G, uint64_t From, uint64_t Last) {
  std::set<uint64_t> Found, Seen;
  std::vector<uint64_t> Work{From};
  while (!Work.empty()) {
    auto Next = G.find(Work.back());
    Work.pop_back();
    if (Next == G.end()) continue;
    for (uint64_t To : Next->second) {
      if (!Seen.insert(To).second) continue;
      Work.push_back(To);
      if (To <= Last && To != From) Found.insert(To); // others are those that bundles are made with
    }
  }
  return Found;
}

int main() {
  std::mt19937 Random(20261129);
  size_t Before = 0, After = 0;
  for (int K = 0; K < Count; ++K) {
    uint64_t Nodes = 2 + Random() % 14;
    std::set<mck::NodePair> Edges;
    for (uint64_t I = Random() % (Nodes * Nodes); I; --I) {
      uint64_t From = 1 + Random() % Nodes, To = 1 + Random() % Nodes;
      if (From != To) Edges.insert({From, To});
    }
    llvm::SmallVector<mck::NodePair, 0> All(Edges.begin(), Edges.end());
    mck::Bundles Made = mck::bundle(All);
    Graph Old, New;
    for (auto [From, To] : All) Old[From].insert(To);
    for (auto [From, To] : Made.Edges) New[From].insert(To);
    for (auto [From, To] : Made.Both) New[From].insert(To), New[To].insert(From);
    for (uint64_t Node = 1; Node <= Nodes; ++Node)
      if (reach(Old, Node, Nodes) != reach(New, Node, Nodes)) {
        printf("graph %d: node %d reaches others\n", K, int(Node));
        return 1;
      }
    Before += All.size(), After += Made.Edges.size() + Made.Both.size();
  }
  printf("%d graphs: %zu of %zu edges\n", Count, After, Before);
  return After * 3 > Before; // they are bundled at all
}
