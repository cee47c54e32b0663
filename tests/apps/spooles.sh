# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# SPOOLES: sparse direct solvers. Factors and solutions move by nonblocking messages with wildcards that are tested in
# turn, with one tag for each front; matrices are split and gathered by messages of sizes that are sent before.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=spooles

# By its own list of files: its makefiles are for compilers of 1999. Left out are the threaded version, and a file that
# no compiler takes (it uses a variable that it does not declare).
app_build() {
  mkdir objects
  for file in */src/*.c; do
    case $file in MT/*|MPI/src/IV_Bcast.c) continue ;; esac
    printf '%s\n' "$file"
  done > files
  # shellcheck disable=SC2016  # the inner shell's variables
  CC=$1 xargs -P2 -n40 -a files sh -ec 'for file; do
    $CC -std=gnu89 -w -Wno-error=int-conversion -O2 -g -c "$file" -o "objects/$(echo "$file" | tr / _).o"
  done' sh
  ar rcs spooles.a objects/*.o
  for file in MPI/drivers/test*.c; do
    "$1" -std=gnu89 -w -O2 -g "$file" -o "$(basename "$file" .c)" spooles.a -lm
  done
}

app_run() {
  run gather ./testGather 1 stdout 1 2000 40 1 2000 1010101
  run alltoall ./testIVL_alltoall 1 stdout 10 10101
  run allgather ./testIVL_allgather 1 stdout 10 10101
  run broadcast ./testGraph_Bcast 1 stdout 3 1000 5000 1 10101
  run multiply-1 ./testMMM 1 stdout 30 30 200 4 2 2 2 2 10101 0.5 2.0
  run multiply-2 ./testMMM 1 stdout 60 60 400 4 1 1 0 0 77 1.5 0.0
  run split ./testSplitInpMtx 1 stdout 20 100 10101 3 2
  run split-dense ./testSplitDenseMtx 1 stdout 1 200 8 1 200 10101
  run scatter ./testScatterInpMtx 1 stdout 20 100 10101 3 2 0
  run scatter-dense ./testScatterDenseMtx 1 stdout 1 200 8 1 200 10101 0
  run solve-3d ./testGridMPI 1 stdout 7 7 7 1000 64 10101 1 2 0 0 10 1.e-50 0 4 3 0.125
  run solve-pivots ./testGridMPI 1 stdout 15 15 1 1000 64 10101 2 0 0 1 100 1.e-50 0 2 2 0.125
}

# Words and whole numbers. Sums are made in the order in which messages come, timings and addresses differ, and a line
# begins with its end, so that those of ranks are joined anywhere.
app_filter() { tr -s ' \t,' '\n' | grep -v '[.%]' | grep -v '^0x' | sort -u; }

known='allgather buffer.overlap
solve-3d buffer.overlap
solve-pivots buffer.overlap
solve-pivots buffer.read-in-use'
