#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# repeat.sh BUILD [TIMES] [PATTERN]: runs the right programs of all tests/watch/cases-*.c TIMES times (200) while all
# cores are busy with something else. A finding in any of them is a false alarm. It takes an hour or two, most of it for
# the polling loops, and is no part of "make check".
set -eu
build=$(cd "$1" && pwd) times=${2:-200} pattern=${3:-cases-*.c}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
export TMPDIR="$out"   # two mpirun at once may quarrel about a session directory
load=""
trap 'kill $load 2>/dev/null; rm -rf "$out"' EXIT INT TERM
for _ in $(seq "$(nproc)"); do
  while :; do :; done &
  load="$load $!"
done
failed=0
for source in "$here"/$pattern "$here"/many.c; do
  name=$(basename "$source" .c)
  # Open MPI 4.1 gives up by itself after some MPI_Comm_spawn (pmix_server_max_wait).
  [ "$name" = cases-worlds ] && continue
  "$build/bin/mpicc-check" "$source" -o "$out/$name"
  work=30 with=''
  case $name in
  cases-polling) work=600 ;;   # longer than polling_time
  cases-locks) with='env OMPI_MCA_osc=pt2pt' ;;
  cases-worlds) with='env OMPI_MCA_btl=self,vader,tcp' ;;   # as the test
  esac
  (cd "$out" &&
    $with python3 "$here/cases.py" "$source" "$out/$name" "$build/bin/mpirun-check" -r "$times" -w $work) \
    > "$out/$name.log" 2>&1 || failed=1
  printf '%s: ' "$name"
  tail -1 "$out/$name.log"
  grep '^case' "$out/$name.log" || true
done
exit $failed
