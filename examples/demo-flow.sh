#!/bin/sh
# A right program whose result is wrong, because the MPI library is: mpirun-check --flow=content says so.
# usage: demo-flow.sh BUILD
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$(cd "${1:?usage: demo-flow.sh BUILD}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/demo"

# A demo may run as root in a container, with fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

show() {  # show EXPECTED COMMAND...: prints and runs it
  expected=$1
  shift
  printf '\n$ %s\n' "$*"
  code=0
  "$@" || code=$?
  [ "$code" = "$expected" ] || { echo "demo-flow.sh: exit code $code, expected $expected" >&2; exit 1; }
}

cd "$build/demo"
cp "$here/heat.c" "$here/broken-library.c" .
PATH=$build/bin:$PATH
show 0 mpicc -shared -fPIC broken-library.c -o libmpi_broken.so -ldl
show 0 mpicc-check -O1 heat.c -o heat
show 0 mpirun -n 4 ./heat
show 0 mpirun -n 4 -x LD_PRELOAD="$PWD/libmpi_broken.so" ./heat
printf '\nThe same program, and another result. Who is wrong?\n'
show 66 mpirun-check --flow=content -n 4 -x LD_PRELOAD="$PWD/libmpi_broken.so" ./heat
