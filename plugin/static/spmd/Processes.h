// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a function for all ranks of one number of ranks.
#pragma once
#include "static/spmd/Execution.h"

namespace mck::statics {

/// What each process of a communicator does. Those of the world get each other's data in a round of a run that is
/// possible (isCertainRound), and where all of them wait for ever the traces say why. Fewer traces: the last one ended
/// the program. IsBuffering: a standard send waits for nobody. If not, such a round is for deadlock.buffering only.
std::vector<Trace> executeProcesses(FunctionView &View, RankValues &Values, CommKey Group, int Size, int Round,
                                    bool IsBuffering = true);

} // namespace mck::statics
