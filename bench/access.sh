#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# access.sh PLUGIN [LEVEL...]: the cost of signals of loads and stores per element, in ns and as a ratio to the plain
# build.
set -eu
plugin=${1:?usage: access.sh path/to/mck-plugin.so [-O2 ...]}
shift
[ $# -gt 0 ] || set -- -O0 -O2
source=$(dirname "$0")/access.c
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for level in "$@"; do
  clang-19 "$level" -g "$source" -o "$out/plain"
  clang-19 "$level" -g -fpass-plugin="$plugin" "$source" -o "$out/alone"
  clang-19 "$level" -g -DATTACHED -fpass-plugin="$plugin" "$source" -o "$out/attached"
  for variant in plain alone attached; do "$out/$variant" > "$out/$variant.txt"; done
  echo "$level: loop, ns plain, without runtime, attached and nothing of interest"
  paste "$out/plain.txt" "$out/alone.txt" "$out/attached.txt" |
    awk '{ printf "  %-8s %.3f  %.3f (x%.2f)  %.3f (x%.2f)\n", $1, $2, $4, $4 / $2, $6, $6 / $2 }'
done
