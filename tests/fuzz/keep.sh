#!/bin/sh
# keep.sh BUILD: makes tests/fuzz/corpus of BUILD/fuzz/corpus: the smallest inputs that together reach as much code.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$here/corpus"
for target in log parcel finding view; do
  kept=$(mktemp -d)
  "$build/fuzz/fuzz-$target" -set_cover_merge=1 -max_len=24576 "$kept" "$build/fuzz/corpus/$target" \
    > "$build/fuzz/$target.merge" 2>&1
  # The same bytes for the same inputs: names are hashes, owners and times are left out.
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - -C "$kept" . |
    xz -9e > "$here/corpus/$target.tar.xz"
  echo "$target: $(find "$kept" -type f | wc -l) inputs, $(wc -c < "$here/corpus/$target.tar.xz") bytes"
  rm -rf "$kept"
done
