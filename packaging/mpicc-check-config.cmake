# find_package(mpicc-check) for projects that choose their compiler themselves. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   mpicc-check::check            link it before MPI::MPI_C: the target checks itself. Loads and stores need clang 19
#   mpicc-check_C_COMPILER, mpicc-check_CXX_COMPILER, mpicc-check_Fortran_COMPILER    the wrappers
#   mpicc-check_MPIEXEC           mpirun-check, to run tests: set(MPIEXEC_EXECUTABLE ${mpicc-check_MPIEXEC})
#   mpicc-check_TOOLCHAIN         a file for CMAKE_TOOLCHAIN_FILE, which chooses the wrappers
get_filename_component(_mck_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(mpicc-check_C_COMPILER "${_mck_prefix}/bin/mpicc-check")
set(mpicc-check_CXX_COMPILER "${_mck_prefix}/bin/mpicxx-check")
set(mpicc-check_Fortran_COMPILER "${_mck_prefix}/bin/mpifort-check")
set(mpicc-check_MPIEXEC "${_mck_prefix}/bin/mpirun-check")
set(mpicc-check_TOOLCHAIN "${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
if(NOT TARGET mpicc-check::check)
  set(_mck_libdir "${_mck_prefix}/lib/mpicc-check")
  add_library(mpicc-check::check INTERFACE IMPORTED)
  # A pass plugin works with one major version of LLVM.
  foreach(_mck_language C CXX)
    set(_mck_is_ours "$<COMPILE_LANGUAGE:${_mck_language}>,$<${_mck_language}_COMPILER_ID:Clang>")
    string(APPEND _mck_is_ours ",$<VERSION_GREATER_EQUAL:$<${_mck_language}_COMPILER_VERSION>,19>")
    string(APPEND _mck_is_ours ",$<VERSION_LESS:$<${_mck_language}_COMPILER_VERSION>,20>")
    set_property(TARGET mpicc-check::check APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                 "$<$<AND:${_mck_is_ours}>:-fpass-plugin=${_mck_libdir}/mck-plugin.so>")
  endforeach()
  set_property(TARGET mpicc-check::check APPEND PROPERTY INTERFACE_COMPILE_OPTIONS -g -fno-omit-frame-pointer)
  # It is linked even if no symbol of it is used: the loader must find it before libmpi.
  set_property(TARGET mpicc-check::check PROPERTY INTERFACE_LINK_OPTIONS
               "-Wl,--push-state,--no-as-needed,${_mck_libdir}/libmpicc-check.so,--pop-state"
               "LINKER:-rpath,${_mck_libdir}")
endif()
