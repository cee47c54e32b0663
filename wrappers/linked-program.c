// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the dynamic section of an ELF file (linked-program.h).
#include "linked-program.h"
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "word-list.h"

static bool is_executable(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

const char *mck_program_find(const char *name, const char *dir) {
  if (name[0] == '/') return name;
  const char *here = dir ? mck_words_print("%s/%s", dir, name) : name;
  if (strchr(name, '/')) return here;
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *file = mck_words_print("%.*s/%s", (int)length, path, name);
    if (length && is_executable(file)) return file;
    path += length + (path[length] == ':');
  }
  return here;
}

// The n-th text of this kind in the dynamic section; NULL: there are not so many.
static const char *get_dynamic(Elf *elf, Elf64_Sxword kind, unsigned n) {
  size_t count = 0;
  if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count)) return NULL;
  // Sections are enough: a stripped program keeps them, and for one without sections the runtime is preloaded.
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize) continue;
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
      if (entry.d_tag == kind && !n--) return elf_strptr(elf, header.sh_link, entry.d_un.d_val);
  }
  return NULL;
}

// The first library that a program needs itself and whose name begins with one of these; NULL: none.
static const char *find_needed(Elf *elf, const char *const *prefixes) {
  const char *name;
  for (unsigned i = 0; (name = get_dynamic(elf, DT_NEEDED, i)); i++)
    for (size_t k = 0; prefixes[k]; k++)
      if (strncmp(mck_words_basename(name), prefixes[k], strlen(prefixes[k])) == 0) return mck_words_print("%s", name);
  return NULL;
}

// Is the library in one of the folders of list? program: its file, for $ORIGIN.
static bool is_in_folders(const char *list, const char *library, const char *program) {
  char *real = realpath(program, NULL);
  const char *origin = real ? mck_words_print("%.*s", (int)(mck_words_basename(real) - real), real) : "";
  free(real);
  while (list && *list) {
    size_t length = strcspn(list, ":");
    size_t name = strncmp(list, "$ORIGIN", 7) == 0 ? 7 : strncmp(list, "${ORIGIN}", 9) == 0 ? 9 : 0;
    const char *file = mck_words_print("%s%.*s/%s", name ? origin : "", (int)(length - name), list + name, library);
    if (access(file, R_OK) == 0) return true;
    list += length + (list[length] == ':');
  }
  return false;
}

// Where the prefix was moved behind the link, the loader finds no runtime. A preloaded one has its name, and is taken.
static bool is_found(Elf *elf, const char *library, const char *program) {
  return is_in_folders(getenv("LD_LIBRARY_PATH"), library, program) ||
         is_in_folders(get_dynamic(elf, DT_RUNPATH, 0), library, program) ||
         is_in_folders(get_dynamic(elf, DT_RPATH, 0), library, program);
}

// Does the program define this symbol for others?
static bool has_symbol(Elf *elf, const char *wanted) {
  if (elf_kind(elf) != ELF_K_ELF) return false;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !header.sh_entsize) continue;
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
      const char *name = symbol.st_shndx != SHN_UNDEF ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;
      if (name && strcmp(name, wanted) == 0) return true;
    }
  }
  return false;
}

// A library of a program that begins with one of these; must_be_there: and that the loader finds in its folders.
static const char *ask(const char *name, const char *dir, const char *const *prefixes, bool must_be_there) {
  const char *path = mck_program_find(name, dir);
  if (elf_version(EV_CURRENT) == EV_NONE || !is_executable(path)) return NULL;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  const char *needed = elf ? find_needed(elf, prefixes) : NULL;
  if (needed && must_be_there && !is_found(elf, needed, path)) needed = NULL;
  if (elf) elf_end(elf);
  close(file);
  return needed;
}

bool mck_program_is_linked(const char *name, const char *dir) {
  static const char *const runtime[] = {"libmpicc-check.so", NULL};
  return ask(name, dir, runtime, true) != NULL;
}

const char *mck_program_foreign(const char *name, const char *dir) {
  // MPICH and its kin, whose handles are numbers; libmpi.so.12 is the name of their common interface (Intel's, too).
  static const char *const others[] = {"libmpich.so", "libmpi.so.12", "libmpi_cray", "libmpi_gnu", "libmvapich", NULL};
  return ask(name, dir, others, false);
}

bool mck_program_is_of_other_user(const char *name, const char *dir) {
  static const char *const mpi[] = {"libmpi.so", "libmpicc-check.so", NULL};
  const char *path = mck_program_find(name, dir);
  struct stat status;
  struct statvfs place;
  return stat(path, &status) == 0 && status.st_mode & S_ISUID && status.st_uid != getuid() &&
         statvfs(path, &place) == 0 && !(place.f_flag & ST_NOSUID) && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 &&
         ask(name, dir, mpi, false);
}

const char *mck_program_sanitizer(const char *name, const char *dir) {
  static const char *const sanitizers[] = {"libasan.so", "liblsan.so", "libtsan.so", NULL};
  return ask(name, dir, sanitizers, false);
}

bool mck_program_has_memory_sanitizer(const char *path) {
  int file = elf_version(EV_CURRENT) == EV_NONE ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  bool has = elf && has_symbol(elf, "__msan_init");
  if (elf) elf_end(elf);
  close(file);
  return has;
}
