#!/bin/sh
# build.sh BUILD CLANG: builds the fuzz targets in BUILD/fuzz; says something only when that fails.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
log=$build/fuzz.log
{
  cmake -G Ninja -S "$here" -B "$build/fuzz" -DCMAKE_C_COMPILER="$2" -DMCK_GEN="$build/gen" &&
    cmake --build "$build/fuzz"
} > "$log" 2>&1 ||
  { cat "$log"; exit 1; }
