#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compile.sh BUILD DIR [FLAG...]: the plugin's cost in compile time and in size of code. It compiles all C and C++
# files below DIR (a program unpacked by tests/apps/apps.sh) with clang-19 and these flags (default: -O2 and DIR's
# include directories), with debug information, with and without the plugin. The size is that of all objects linked
# together, because a program has only one copy of the parts that each object brings.
set -eu
build=$(cd "${1:?usage: compile.sh BUILD DIR [FLAG...]}" && pwd)
dir=$(cd "${2:?usage: compile.sh BUILD DIR [FLAG...]}" && pwd)
shift 2
[ $# -gt 0 ] || set -- -O2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
includes=$(find "$dir" -name '*.h*' -exec dirname {} + | sort -u | sed 's/^/-I/' | tr '\n' ' ')
mpi=$(mpicc -showme:compile)
compile() { # variant file
  flags=
  [ "$1" = plain ] || flags=-fpass-plugin=$build/lib/mck-plugin.so
  case $2 in *.c) compiler=clang-19 ;; *) compiler=clang++-19 ;; esac
  # shellcheck disable=SC2086
  $compiler -w -g -fno-omit-frame-pointer $includes $mpi $3 $flags -c "$2" -o "$out/$1/$4.o" 2> /dev/null
}
: > "$out/table"
mkdir "$out/plain" "$out/checked"
find "$dir" -name '*.c' -o -name '*.cpp' -o -name '*.cc' | sort | while read -r file; do
  name=$(printf '%s' "$file" | tr / _)
  compile plain "$file" "$*" "$name" || continue
  for variant in plain checked; do
    # The time of the children of this shell, in seconds.
    best=
    for _ in 1 2 3; do
      t=$( { time -p compile $variant "$file" "$*" "$name"; } 2>&1 | awk '$1 == "user" { print $2 }')
      best=$(printf '%s\n%s\n' "$t" "${best:-$t}" | sort -n | head -1)
    done
    echo "$variant $best"
  done >> "$out/table"
done
code() { ld -r "$out/$1"/*.o -o "$out/$1.o" && size "$out/$1.o" | awk 'NR == 2 { print $1 }'; }
awk -v what="$(basename "$dir") $*" -v plain="$(code plain)" -v checked="$(code checked)" '{ t[$1] += $2; n[$1]++ }
  END { printf "compile, %s: %d files, %.1f s plain, %.1f s checked: x%.2f (bar 1.30); ",
               what, n["plain"], t["plain"], t["checked"], t["checked"] / t["plain"]
        printf "code %d and %d bytes: x%.2f (bar 1.50)\n", plain, checked, checked / plain }' "$out/table"
