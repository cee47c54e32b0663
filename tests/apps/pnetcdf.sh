# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# PnetCDF's own tests: collective and independent input and output through MPI_File, views of derived datatypes,
# nonblocking requests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=pnetcdf

app_build() {
  autoreconf -i
  ./configure --disable-fortran --disable-cxx MPICC="$1" CC="$1" CFLAGS=-O1 SEQ_CC=gcc
  make -j2
  make -C test/common
  for directory in testcases nonblocking header; do make -C test/$directory -j2 check TESTS=; done
}

# The tests that are made for any number of ranks. tst_misc and nc_test are for one rank, and deadlock on more
# (docs/found.md).
app_run() {
  [ "$1" = 4 ] || return 0
  for program in $(find test/testcases test/nonblocking test/header -maxdepth 1 -type f -perm -u+x ! -name '*.*' |
                     sort); do
    run "${program##*/}" "./$program" "$work/file.nc"
  done
}

# Users of PnetCDF call ncmpi_sync for other ranks to see data; these tests do not (docs/found.md).
overlaps='alignment_test bput_varn column_wise erange_fill header_consistency i_varn_indef i_varn_int64
iput_all_kinds large_num_reqs mcoll_perf mix_collectives ncmpi_vars_null_stride null_args one_record
put_all_kinds record scalar test_erange test_vard test_vard_multiple tst_def_var_fill tst_vars_fill
varn_contig varn_int wait_after_indep'
known='header_consistency collective.type
collective_error io.collective
i_varn_int64 io.collective
test_bput io.collective
test_varm io.collective
'$(printf '%s io.overlap\n' $overlaps)
