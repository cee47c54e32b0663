#!/bin/sh
# Installs the Debian packages that mpicc-check needs. They are named here and nowhere else.
# usage: packages.sh            what building and running it needs
#        packages.sh --tests    and what only its tests need
#        packages.sh --list     prints all names, installs nothing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu

packages="
  gcc g++ gfortran gcc-12-plugin-dev make cmake ninja-build pkg-config python3
  clang-19 llvm-19-dev libomp-19-dev
  openmpi-bin libopenmpi-dev
  binutils-dev libdw-dev libelf-dev libjansson-dev libsodium-dev libxxhash-dev uthash-dev libotf2-trace-dev
"
# Pictures of deadlocks (graphviz), sanitizers, and link-time optimization with clang work where their packages are.
# flang is a download of 50 MB. A user who wants it has it already, so only the tests install it.
for_tests="
  graphviz libclang-rt-19-dev lld-19 llvm-19-tools python3-psutil otf2-tools
  ccache autoconf automake gdb dpkg-dev quilt iproute2
  groff-base meson libtool python3-yaml
  flang-19 clang-format-19 clang-tidy-19 shellcheck python3-jsonschema chromium
  python3-mpi4py libboost-mpi-dev libhdf5-openmpi-dev valgrind
"
[ "${1-}" = --list ] && { echo $packages $for_tests; exit 0; }
[ "${1-}" = --tests ] && packages="$packages $for_tests"

missing=
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  command -v sudo >/dev/null || { echo "packages.sh: run as root, or install by hand:$missing" >&2; exit 1; }
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
