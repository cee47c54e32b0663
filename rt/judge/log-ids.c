// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the definitions that the local ids of a log stand for.
#include "standard/function.h"
#include "judge/index.h"

const struct mck_comm_def *mck_judge_comm(const struct mck_judge *judge, uint32_t id) {
  return id < judge->log->ncomms && judge->log->comms[id].body ? &judge->log->comms[id] : NULL;
}

const struct mck_win_def *mck_judge_win(const struct mck_judge *judge, uint32_t id) {
  return id < judge->log->nwins && judge->log->wins[id].body ? &judge->log->wins[id] : NULL;
}

const struct mck_type_def *mck_judge_type(const struct mck_judge *judge, uint32_t id) {
  const struct mck_reader *log = judge->log;
  if (id < MCK_TYPE_USER || id - MCK_TYPE_USER >= log->ntypes || !log->types[id - MCK_TYPE_USER].body) return NULL;
  return &log->types[id - MCK_TYPE_USER];
}

int mck_judge_home(const struct mck_comm_def *comm) {
  int home = mck_comm_world_rank(comm, 0, false);
  // Both groups of an intercommunicator must name the same home.
  int other = comm->remote_size ? mck_comm_world_rank(comm, 0, true) : home;
  return other < home ? other : home;
}

bool mck_judge_is_counted(const struct mck_comm_def *comm, uint16_t fn) {
  return mck_std(fn)->collective != MCK_STD_COLLECTIVE_GROUP && comm->size + comm->remote_size >= 2;
}
