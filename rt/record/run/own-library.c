// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which libraries are the application's own (own-library.h). A library that the report names as not checked
// costs the user's time. So all in the directories of the system counts as checked by others, whoever wrote it.
#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/own-program.h"
#include "base/elf.h"
#include "record/access/unsignalled.h"
#include "record/run/own-library.h"

bool mck_library_is_of_mpi(const char *path) {
  static const char *const prefixes[] = {"libmpi.", "libmpi_", "libmpicc-check", "libopen-",
                                         "libmca_", "mca_",    "liboshmem",      "libompi"};
  const char *name = mck_elf_name(path);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

bool mck_library_is_of_system(const char *path) {
  static const char *const prefixes[] = {
      "libc.",     "libm.",     "libpthread", "libdl.",     "librt.",      "ld-linux",    "libgcc",
      "libstdc++", "libc++",    "libomp",     "libgomp",    "libgfortran", "libquadmath", "libmpi",
      "libopen-",  "libmca_",   "liboshmem",  "linux-vdso", "libasan",     "libubsan",    "libtsan",
      "libnuma",   "libunwind", "libpmix",    "libhwloc",   "libevent",    "libclang_rt"};
  const char *name = mck_elf_name(path);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static bool is_below(const char *path, const char *directory) {
  size_t length = strlen(directory);
  return length && strncmp(path, directory, length) == 0 && path[length] == '/';
}

static bool is_in_system_directory(const char *path) {
  static const char *const directories[] = {"/lib", "/lib32", "/lib64", "/usr"};
  if (is_below(path, "/usr/local")) return false;
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
    if (is_below(path, directories[i])) return true;
  return false;
}

static void cut_name(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
}

// Is it beside the MPI library, or below it (its plugins)?
static bool is_beside_mpi(const char *path) {
  Dl_info info;
  char directory[PATH_MAX];
  if (!dladdr((void *)PMPI_Init, &info) || !info.dli_fname || !realpath(info.dli_fname, directory)) return false;
  cut_name(directory);
  return is_below(path, directory);
}

// "bin/solve" and "lib/libkernels.so" of one tree. A directory like /home or /opt is no tree.
static bool is_beside_program(const char *path) {
  char tree[PATH_MAX];
  if (!mck_own_program(tree, sizeof tree)) return false;
  cut_name(tree);
  char *slash = strrchr(tree, '/');
  if (slash && slash != tree && memchr(tree + 1, '/', (size_t)(slash - tree - 1))) *slash = 0;
  return is_below(path, tree);
}

static bool is_mpi_call(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context) {
  (void)elf, (void)place, (void)context;
  return strncmp(name, "MPI_", 4) == 0 || strncmp(name, "mpi_", 4) == 0;
}

bool mck_library_is_own(const struct dl_phdr_info *info, const char *path) {
  char whole[PATH_MAX];
  struct mck_elf elf;
  if (!info->dlpi_name[0]) return true;
  if (strncmp(mck_elf_name(path), "libmpicc-check", 14) == 0 || mck_library_is_of_system(path)) return false;
  if (mck_unsignalled_is_recompiled(info)) return true;
  if (!realpath(path, whole) || is_in_system_directory(whole) || is_beside_mpi(whole)) return false;
  return is_beside_program(whole) || (mck_elf_read(info, &elf) && mck_elf_visit(&elf, is_mpi_call, NULL));
}
