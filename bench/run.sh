#!/bin/sh
# Builds and runs all benchmarks with the mpicc-check of a build tree and prints their tables.
# usage: run.sh BUILD [rounds]
# Times are medians of blocks that alternate in one run (see pingpong.c). On a busy machine look at the p10 columns.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "${1:?usage: run.sh BUILD [rounds]}" && pwd)
rounds=${2-200}
here=$(cd "$(dirname "$0")" && pwd)
out=$build/bench/run
rm -rf "$out"
mkdir -p "$out"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
PATH=$build/bin:$PATH
for program in pingpong calls waitall judge wildcards rma deadlock; do
  mpicc-check -O2 "$here/$program.c" -o "$out/$program"
done
check() { options=$1; shift; MPICC_CHECK_OPTIONS=quiet=1${options:+:$options} mpirun "$@"; }

check "" -n 2 "$out/pingpong" "$rounds"
echo
# Clocks that go with the messages.
check clocks=online -n 2 "$out/pingpong" "$rounds"
echo
check "" -n 1 "$out/calls" "$rounds"
echo
check "" -n 2 "$out/waitall" "$rounds"
echo
# Judging: what MPI_Finalize takes more with the checker than without it, against the time of the messages.
for shape in stream pingpong; do
  mkdir "$out/$shape.logs"
  check on=0 -n 2 "$out/judge" "$shape" > "$out/$shape.plain"
  check "keep_logs=1:log_dir=$out/$shape.logs" -n 2 "$out/judge" "$shape" 2> "$out/$shape.err" \
    > "$out/$shape.checked" ||
    { cat "$out/$shape.err" >&2; exit 1; }
  if grep -q warning "$out/$shape.err"; then cat "$out/$shape.err" >&2; exit 1; fi
  awk -v shape="$shape" '{ t[NR] = $3; f[NR] = $6 }
    END { printf "judge, %-9s messages %.3f s (plain %.3f s), judging %.3f s = %.3f of their time (bar 0.250)\n",
          shape ":", t[2], t[1], f[2] - f[1], (f[2] - f[1]) / t[2] }' "$out/$shape.plain" "$out/$shape.checked"
done
# The lazy clocks: the same with wildcards.
check on=0 -n 8 "$out/wildcards" > "$out/wildcards.plain"
check "" -n 8 "$out/wildcards" 2> "$out/wildcards.err" > "$out/wildcards.checked"
awk '{ t[NR] = $3; f[NR] = $6 }
  END { printf "wildcards, 8 ranks: messages %.3f s (plain %.3f s), judging %.3f s = %.3f of the run (bar 0.250)\n",
        t[2], t[1], f[2] - f[1], (f[2] - f[1]) / t[2] }' "$out/wildcards.plain" "$out/wildcards.checked"
# One-sided communication: the loop with and without the checker, and what MPI_Finalize takes more.
for shape in fence flush puts; do
  for options in on=0 ""; do
    name=${options:+plain}
    for _ in 1 2 3 4 5; do check "$options" -n 2 "$out/rma" "$shape"; done |
      sort -k 3n > "$out/rma-$shape.${name:-checked}"
  done
  awk -v shape="$shape" 'FNR == 3 { t[FILENAME != ARGV[1]] = $3; f[FILENAME != ARGV[1]] = $5 }
    END { printf "rma, %-6s loop %.3f s (plain %.3f s, %.2fx), judging %.3f s = %.3f of the loop\n",
      shape ":", t[1], t[0], t[1] / t[0],
          f[1] - f[0], (f[1] - f[0]) / t[1] }' "$out/rma-$shape.plain" "$out/rma-$shape.checked"
done
# Deadlocks: from the last rank's stop to the report's first byte, without and with the picture of the graph (dot is one
# process more beside
# ranks that spin). Bar for the first: 0.3 s on one node, 1.5 s on several.
for kind in "2 recv" "2 send" "4 barrier" "8 recv"; do
  for nodes in 1 2; do
    for graph in none "$out/graph"; do
      printf 'deadlock, %s, %d node(s), graph %s: ' "$kind" "$nodes" "${graph##*/}"
      (cd "$out" && MPICC_CHECK_OPTIONS=simulated_nodes=$nodes:graph=$graph \
        ./deadlock 7 mpirun -n "${kind% *}" ./deadlock "${kind#* }")
    done
  done
done
# Bytes of log per call: the header has the numbers of units of 32 bytes and of calls (rt/log/log.h;
# docs/formats/log.md).
find "$out" -name 'rank-*.log' | sort | while read -r log; do
  units=$(od -An -tu8 -j384 -N8 "$log")
  calls=$(od -An -tu8 -j408 -N8 "$log")
  shape=${log#"$out/"}
  awk -v u="$units" -v c="$calls" -v w="${shape%%.logs*} ${log##*/}" \
    'BEGIN { printf "log, %s: %d units of 32 bytes, %d calls: %.1f bytes per call (bar 40)\n",
      w, u, c, c ? 32 * u / c : 0 }'
done
echo
# Loads and stores: loops in and beside window memory, against clang.
"$here/memory.sh" "$build" 7
