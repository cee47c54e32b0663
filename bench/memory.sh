#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# memory.sh BUILD [ROUNDS [LEVEL...]]: the cost of checking loads and stores, compared with the same program built by
# clang-19 at the same level.
# Each round runs both in turn; the ratio is of the medians of the best times of each run.
set -eu
build=$(cd "${1:?usage: memory.sh BUILD [ROUNDS [LEVEL...]]}" && pwd)
rounds=${2-7}
[ $# -lt 2 ] || shift
shift
[ $# -gt 0 ] || set -- -O2 -O3
source=$(dirname "$0")/memory.c
out=$build/bench/memory
mkdir -p "$out"
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for level in "$@"; do
  MPICC_CHECK=off OMPI_CC=clang-19 "$build/bin/mpicc-check" "$level" "$source" -o "$out/plain"
  "$build/bin/mpicc-check" "$level" "$source" -o "$out/checked"
  for kernel in private:1.02 triad:1.15 stencil:1.15 spmv:2.00 random:3.00; do
    name=${kernel%:*}
    : > "$out/plain.txt"
    : > "$out/checked.txt"
    round=0
    while [ "$round" -lt "$rounds" ]; do
      for variant in plain checked; do
        MPICC_CHECK_OPTIONS=quiet=1 mpirun -n 1 "$out/$variant" "$name" >> "$out/$variant.txt"
      done
      round=$((round + 1))
    done
    echo "$level $name $(median "$out/plain.txt") $(median "$out/checked.txt") ${kernel#*:}" |
      awk '{ printf "memory, %s %-8s %7.3f ns plain, %7.3f ns checked: x%.2f (bar %.2f)\n",
                   $1, $2, $3, $4, $4 / $3, $5 }'
  done
done
