#!/bin/sh
# seed.sh BUILD OUT: runs small test programs on 2 or 3 ranks and makes inputs of the fuzz targets from their logs:
# OUT/log, OUT/parcel, OUT/finding. Needs BUILD (mpicc-check, mpirun-check) and BUILD/fuzz/seed-tool.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
out=$2
here=$(dirname "$0")
mkdir -p "$out/log" "$out/parcel" "$out/finding"
work=$(mktemp -d "${TMPDIR:-/tmp}/mck-seed-XXXXXX")
trap 'rm -rf "$work"' EXIT
for name in judge/message-lost judge/message-truncated judge/message-unmatched-receive judge/type-mismatch \
            judge/type-mismatch-struct judge/collective-call judge/collective-root judge/files-race \
            rma/put-vector rma/acc-acc \
            record/died-segv record/request-not-completed record/leak-comm record/arg-count watch/recv-recv \
            rma/windows rma/shared rma/outside-epoch rma/put-put legal/epochs legal/shared legal/groups \
            legal/collectives judge/message-race judge/message-ready watch/send-send watch/waitall legal/probes \
            legal/comms legal/windows legal/types legal/requests legal/sends io/overlap; do
  short=$(echo "$name" | tr / -)   # rma/shared is not legal/shared
  ranks=2
  grep -q -- "-n[p]* 3 " "$here/../$name.c" && ranks=3
  mkdir "$work/$short"
  "$build/bin/mpicc-check" -g1 -o "$work/run" "$here/../$name.c"
  options=log_dir=$work/$short:keep_logs=1:stack_depth=2:quiet=1
  set --
  [ "$short" != io-overlap ] || set -- "$work/data"
  timeout 60 "$build/bin/mpirun-check" --check-options "$options" -n $ranks "$work/run" "$@" > "$work/out" 2>&1 || true
  "$build/fuzz/seed-tool" "$short" "$work/$short"/mpicc-check-* "$out" || echo "seed.sh: no seed from $name" >&2
done
