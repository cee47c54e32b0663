// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forged parcels: what a rank is told by others in MPI_Finalize.
#include "base/base.h"
#include "input.h"
#include "judge/judge.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!mck_options.pedantic) mck_options_parse("pedantic=1", (char[256]){0}, 256);
  struct input in = input_split(data, size);
  if (in.count < 2) return 0;
  struct input_logs logs = input_load(&in, 1);
  uint32_t ranks = logs.count ? logs.readers[0].header->size : 0;
  struct mck_judge *judge = ranks && ranks <= 64 ? mck_judge_index(&logs.readers[0], ranks) : NULL;
  struct mck_parcel *own = judge ? mck_judge_parcels(judge) : NULL;
  struct mck_parcel *from = calloc(64, sizeof *from);
  if (!from) abort();
  if (own) {
    uint32_t rank = logs.readers[0].header->rank;
    from[rank] = own[rank];
    for (size_t i = 1, r = 0; i < in.count && r < ranks; i++, r++) {
      if (r == rank && ++r >= ranks) break;
      // Memory of its own, of exactly its size.
      from[r] = (struct mck_parcel){malloc(in.pieces[i].head.size + 1), in.pieces[i].head.size, in.pieces[i].head.size};
      if (!from[r].data) abort();
      from[r].data = realloc(from[r].data, from[r].size ? from[r].size : 1);
      memcpy(from[r].data, in.pieces[i].data, from[r].size);
    }
    struct mck_findings findings = {0};
    mck_judge_decide(judge, from, &(struct mck_judge_run){ranks, !(in.pieces[0].head.unused & 1)}, &findings);
    mck_findings_free(&findings);
    for (uint32_t r = 0; r < ranks; r++)
      if (r != rank) free(from[r].data);
  }
  free(from);
  mck_judge_free(judge);
  input_unload(&logs);
  return 0;
}
