#!/bin/sh
# torment.sh BUILD [STEP]: lets an allocation of mpicc-check fail on each way through it that leads to one, alone and
# with all that follow, in the judge of files and in each rank of runs. STEP N: each N-th way only. Prints what is
# wrong; ends with "N of M torments failed".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -u
build=$(cd "$1" && pwd)
step=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/torment
failed=0 done=0
export PATH="$build/bin:$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
rm -rf "$work" && mkdir -p "$work/logs" && cd "$work" || exit 2
clang-19 -shared -fPIC -O1 "$here/Inputs/short-memory.c" -o short.so || exit 2

torment() { # mode, options of memory.py, --, command
  echo "== $*"
  mode=$1
  shift
  python3 "$here/memory.py" "$mode" "$work/short.so" "$work" --stacks --step "$step" "$@" || failed=$((failed + 1))
  done=$((done + 1))
}

for source in "$here/Inputs/right.c" "$here/Inputs/stuck.c" "$here"/../judge/message-race.c \
  "$here"/../judge/collective-call.c "$here"/../rma/acc-acc.c "$here"/../judge/type-mismatch.c; do
  name=$(basename "$source" .c)
  mpicc-check -Wno-mpicc-check "$source" -o "$name" || exit 2
  mpirun-check --keep-logs --check-options log_dir="$work/logs" -n 2 "./$name" > "$name.out" 2> "$name.report"
  mv logs/mpicc-check-* "$name.logs"
  for more in "" --from; do
    # shellcheck disable=SC2086
    torment judge $more -- mpirun-check --judge "$name.logs"
    for rank in 0 1; do
      # shellcheck disable=SC2086
      torment run --rank $rank $more -- mpirun-check -n 2 "./$name"
    done
  done
done
mpicc-check -Wno-mpicc-check "$here/Inputs/traffic.c" -o traffic || exit 2
for source in "$here/Inputs/traffic.c" "$here/Inputs/right.c" "$here/../judge/message-race.c" \
  "$here/../judge/collective-call.c"; do
  mpicc "$source" -o "plain-$(basename "$source" .c)" || exit 2
done
for what in rank mpirun check size files space device; do
  for program in "./traffic 20000" "./right" "./right wrong" "./message-race" "./collective-call"; do
    echo "== $what $program"
    plain=./plain-$(basename "${program%% *}")
    # shellcheck disable=SC2086
    python3 "$here/shake.py" $what --plain "$plain" --times 20 -- mpirun-check -n 3 $program ||
      failed=$((failed + 1))
    done=$((done + 1))
  done
done
echo "$failed of $done torments failed"
[ "$failed" = 0 ]
