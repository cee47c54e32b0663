// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of which nothing was seen. A program that was not recompiled calls the MPI library that it is linked with. If
// it loads a recompiled library, the runtime comes with that, but behind the MPI library: MPI_Init, and the calls of
// the recompiled library itself, go past it. It is said at the end, when it is certain. mpirun-check loads the runtime
// first.
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include "base/elf.h"
#include "record/runtime.h"

static int find_recompiled(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  if (!mck_elf_needs(info, "libmpicc-check.so")) return 0;
  *(const char **)found = *info->dlpi_name ? info->dlpi_name : "the program";
  return 1;
}

__attribute__((destructor)) static void unload(void) {
  int has_begun = 0;
  if (mck_rt.is_initialized || !mck_options.on || mck_rt.is_under_mpirun_check || mck_rt.rank != 0) return;
  if (PMPI_Initialized(&has_begun) != MPI_SUCCESS || !has_begun) return;
  const char *recompiled = NULL;
  Dl_info own;
  dl_iterate_phdr(find_recompiled, &recompiled);
  if (!recompiled || !dladdr(&mck_rt, &own)) return;
  mck_base_warn(
      "nothing was checked: the program was not compiled with mpicc-check, and its calls go past it, although "
      "%s was: start it with mpirun-check, or with LD_PRELOAD=%s",
      mck_elf_name(recompiled), own.dli_fname);
}
