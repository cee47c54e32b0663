# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# For bugs.py alone: the generators of the MPI Bugs Initiative are in SimGrid's source.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=simgrid
part=teshsuite/smpi/MBI

app_build() { echo "tests/apps/bugs.py makes and runs these programs"; return 1; }
app_run() { :; }
