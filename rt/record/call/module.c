// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/call/module.h"
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>
#include "base/own-program.h"
#include "base/elf.h"
#include "record/run/own-library.h"
#include "record/runtime.h"

static struct mck_module *modules;
static size_t nmodules, module_capacity;

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (start < low) low = start;
    if (start + p->p_memsz > high) high = start + p->p_memsz;
  }
  if (low >= high) return 0;
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].low == low) return 0;
  char program[PATH_MAX];
  const char *path = info->dlpi_name;
  if (!path[0] && nmodules == 0) { // the executable comes first and without a name
    mck_own_program(program, sizeof program);
    path = program;
  } else if (path[0] != '/' && realpath(path, program)) { // given to dlopen; the program may change its directory
    path = program;
  }
  struct mck_module m = {low, high, info->dlpi_addr, strdup(path), (uint32_t)nmodules, .is_defined = false};
  m.is_own = mck_library_is_own(info, path);
  m.is_of_mpi = mck_library_is_of_mpi(path);
  m.is_foreign = !mck_elf_needs(info, "libmpicc-check.so");
  static const char *const languages[] = {"/libc.so.", "/libstdc++.so.", "/libc++", "/libgfortran.so."};
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) m.is_language |= strstr(path, languages[i]) != NULL;
  (void)!MCK_PUSH(modules, nmodules, module_capacity, m);
  return 0;
}

struct mck_module *mck_module_known(uintptr_t pc) {
  for (size_t i = 0; i < nmodules; i++)
    if (pc >= modules[i].low && pc < modules[i].high) return &modules[i];
  return NULL;
}

struct mck_module *mck_module_of(uintptr_t pc) {
  struct mck_module *m = mck_module_known(pc);
  if (m) return m;
  dl_iterate_phdr(add_module, NULL); // a library may have been loaded since
  return mck_module_known(pc);
}

void mck_module_define(struct mck_module *m) {
  if (m->is_defined || !mck_rt.log.header) return; // before MPI_Init: see mck_stack_rewrite
  m->is_defined = true;
  size_t length = m->path ? strlen(m->path) : 0;
  struct mck_event head = {.kind = MCK_EV_DEF_MODULE, .site = MCK_NONE};
  head.def.id = m->id, head.def.a = (uint32_t)length, head.def.b = 0, head.def.c = m->is_own;
  struct mck_piece piece = {m->path, length};
  mck_log_append(&mck_rt.log, &head, &piece, 1);
}

void mck_module_define_all(bool is_own) {
  mck_base_check_lock();
  if (is_own) dl_iterate_phdr(add_module, NULL);
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].is_own || !is_own) mck_module_define(&modules[i]);
}

const char *mck_module_path(uint32_t id) { return modules[id].path; }

struct mck_module *mck_module_of_python(const struct mck_python_frame *frame) {
  enum { MODULES_MAX = 1 << 15 };
  char path[PATH_MAX];
  if (!mck_python_write(frame, path, sizeof path)) return NULL;
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].path && strcmp(modules[i].path, path) == 0) return &modules[i];
  struct mck_module m = {.path = strdup(path), .id = (uint32_t)nmodules};
  if (nmodules >= MODULES_MAX || !m.path || !MCK_PUSH(modules, nmodules, module_capacity, m)) return NULL;
  return &modules[nmodules - 1];
}

bool mck_module_is_of_python(const struct mck_module *m) {
  const char *slash = m->path ? strrchr(m->path, '/') : NULL, *name = slash ? slash + 1 : m->path;
  return name && (strncmp(name, "python3", 7) == 0 || strncmp(name, "libpython3", 10) == 0 ||
                  strstr(name, ".cpython-") || strstr(name, ".abi3.so"));
}

bool mck_module_is_interpreter(const struct mck_module *m) {
  return m && mck_module_is_of_python(m) && !strstr(m->path, ".so") && !strstr(m->path, ".cpython-");
}

bool mck_module_is_foreign(uintptr_t pc) {
  const struct mck_module *m = mck_module_of(pc);
  return m && m->is_foreign;
}

bool mck_module_is_of_mpi(uintptr_t pc) {
  const struct mck_module *m = mck_module_of(pc);
  return m && m->is_of_mpi;
}
