#!/bin/sh
# fuzz.sh BUILD SECONDS: runs each target for a quarter of SECONDS, beginning with the kept corpus. New inputs go to
# BUILD/fuzz/corpus, crashes to BUILD/fuzz/crash-*. keep.sh puts inputs that reach more code into the repository.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "$1" && pwd)
seconds=$(($2 / 4))
here=$(cd "$(dirname "$0")" && pwd)
status=0
for target in log parcel finding view; do
  corpus=$build/fuzz/corpus/$target
  mkdir -p "$corpus"
  tar -xJf "$here/corpus/$target.tar.xz" -C "$corpus"
  # mktemp: a crash of an earlier run must not hide one of this
  artifacts=$(mktemp -d "$build/fuzz/crash-$target-XXXXXX")
  nice "$build/fuzz/fuzz-$target" -fork=1 -ignore_crashes=1 -max_total_time="$seconds" -max_len=24576 -timeout=5 \
    -rss_limit_mb=1024 -malloc_limit_mb=512 -artifact_prefix="$artifacts/" "$corpus" \
    > "$build/fuzz/$target.log" 2>&1 || status=1
  echo "fuzz-$target: $(grep -a '^#' "$build/fuzz/$target.log" | tail -n 1)"
  rmdir "$artifacts" 2>/dev/null || { echo "fuzz-$target: see $artifacts"; status=1; }
done
exit $status
