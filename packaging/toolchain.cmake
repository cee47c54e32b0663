# cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/cmake/mpicc-check/toolchain.cmake: the whole project is compiled by the
# wrappers, and its tests run under mpirun-check. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
get_filename_component(_mck_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${_mck_bin}/mpicc-check")
set(CMAKE_CXX_COMPILER "${_mck_bin}/mpicxx-check")
set(CMAKE_Fortran_COMPILER "${_mck_bin}/mpifort-check")
set(MPIEXEC_EXECUTABLE "${_mck_bin}/mpirun-check" CACHE FILEPATH "runs MPI programs")
