#!/bin/sh
# Builds halo.c with the mpicc-check of a build tree and shows what it reports.
# usage: demo.sh BUILD
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "${1:?usage: demo.sh BUILD}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/demo"

# A demo may run as root in a container, with fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

show() {  # show EXPECTED COMMAND...: prints and runs it; the report is the point, so exit code 66 is what is expected
  expected=$1
  shift
  printf '\n$ %s\n' "$*"
  code=0
  "$@" || code=$?
  [ "$code" = "$expected" ] || { echo "demo.sh: exit code $code, expected $expected" >&2; exit 1; }
}

cd "$build/demo"
cp "$here/halo.c" .
PATH=$build/bin:$PATH
show 0 mpicc-check -O1 halo.c -o halo
show 66 mpirun-check -n 4 ./halo
show 66 mpirun-check -n 4 ./halo deadlock
printf '\nThe mistakes, and how to mend them: examples/README.md\n'
