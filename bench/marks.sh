#!/bin/sh
# The cost of the wait marks: it runs the runtime with and without them in turn (the second is built only for this).
# usage: marks.sh BUILD [TURNS]
# It prints the instructions of a message to oneself (valgrind counts them: they do not depend on the load), then the
# ns of a 4 B ping-pong one way: the least p10 and the least median of all turns. Bar: 1.01x.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "${1:?usage: marks.sh BUILD [TURNS]}" && pwd)
turns=${2-15} count=20000
here=$(cd "$(dirname "$0")" && pwd)
out=$build/bench/marks
mkdir -p "$out"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cmake --build "$build" --target mck_unmarked mck_rt > "$out/build.log" || { cat "$out/build.log" >&2; exit 1; }
# The runtime without marks finds its report library beside itself.
ln -sf ../lib/libmpicc-check-report.so "$build/unmarked/"
mpicc -O2 "$here/marks.c" -o "$out/marks"
export MPICC_CHECK_OPTIONS=quiet=1
: > "$out/counts"; : > "$out/times"
for turn in $(seq "$turns"); do
  for kind in lib unmarked; do
    if [ "$turn" = 1 ]; then
      for n in 0 $count; do
        valgrind --tool=none true 2> /dev/null || { echo "no valgrind: instructions are not counted" >&2; break; }
        LD_PRELOAD="$build/$kind/libmpicc-check.so" \
          valgrind --trace-children=no --tool=callgrind --callgrind-out-file=/dev/null "$out/marks" $n 2>&1 |
          awk -v k=$kind -v n=$n '/Collected/ { print k, n, $NF }' >> "$out/counts"
      done
    fi
    mpirun -n 2 -x LD_PRELOAD="$build/$kind/libmpicc-check.so" "$out/marks" 1000 | sed "s/^/$kind /" >> "$out/times"
  done
done
awk -v count=$count '{ n[$1 " " $2] = $3 }
  END { a = (n["lib " count] - n["lib 0"]) / count; b = (n["unmarked " count] - n["unmarked 0"]) / count
    if (b) printf "instructions of a message to oneself (Irecv, Send, Wait): %.1f with marks, %.1f without, %.4fx\n",
      a, b, a / b }' "$out/counts"
awk '{ if (!($1 in low) || $2 < low[$1]) low[$1] = $2; if (!($1 in mid) || $3 < mid[$1]) mid[$1] = $3 }
  END { printf "ping-pong 4 B, one way, ns: p10 %.2f with marks, %.2f without, %.4fx; median %.2f, %.2f, %.4fx\n",
        low["lib"], low["unmarked"], low["lib"] / low["unmarked"],
        mid["lib"], mid["unmarked"], mid["lib"] / mid["unmarked"] }' "$out/times"
