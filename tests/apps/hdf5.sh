# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# HDF5's parallel tests: MPI-IO with derived types and views, collective and independent, chunks that move between ranks
# by matched probes, and a library between the user's call and MPI.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=hdf5

# Its source has an old fault (a type that is left out), which clang refuses and gcc does not.
app_build() {
  mkdir out
  cd out || return  # its checks write to the working directory
  cmake .. -DHDF5_ENABLE_PARALLEL=ON -DMPI_C_COMPILER="$1" -DCMAKE_C_COMPILER="$1" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS='-w -Wno-implicit-int' -DHDF5_BUILD_CPP_LIB=OFF \
    -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_ENABLE_SZIP_SUPPORT=OFF
  make -j2 t_mpi t_pread t_init_term t_filters_parallel testphdf5
}

programs='t_mpi t_pread t_init_term t_filters_parallel testphdf5'

app_run() {
  [ "$1" = 4 ] || return 0
  cd out/bin || return
  for program in $programs; do run "$program" "./$program"; done
}

# Ranks print in any order.
app_filter() { grep -v -i -E 'time|seconds|elapsed' | sort; }

# docs/found.md explains these.
known='t_mpi io.overlap
t_mpi leak.datatype
t_filters_parallel type.buffer
t_filters_parallel io.overlap
testphdf5 buffer.modified-in-use
testphdf5 io.overlap'
