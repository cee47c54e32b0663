#!/bin/sh
# build.sh BUILD CLANG [replay]: builds the fuzz targets in BUILD/fuzz, or at -O0 in BUILD/fuzz-replay; says something
# only when that fails.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
folder=$build/fuzz${3:+-$3}
log=$folder.log
{
  cmake -G Ninja -S "$here" -B "$folder" -DCMAKE_C_COMPILER="$2" -DMCK_GEN="$build/gen" ${3:+-DMCK_FUZZ_LEVEL=-O0} &&
    cmake --build "$folder"
} > "$log" 2>&1 ||
  { cat "$log"; exit 1; }
