// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens ELF files and finds their debug information (module.h).
#define _GNU_SOURCE 1
#include "report/module.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct mck_module {
  Dwfl *dwfl;
  Dwfl_Module *dwfl_module;
};

// Paths come from logs, which may be forged: a FIFO or a device must not block the report.
static int open_regular(const char *path) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat st;
  if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
    close(fd);
    fd = -1;
  }
  return fd;
}

// This replaces dwfl_standard_find_debuginfo, which asks debuginfod servers: a report must not use the network.
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, const char *file,
                          const char *link, GElf_Word crc, char **found) {
  (void)userdata, (void)name, (void)base, (void)file, (void)crc;
  if (link && strchr(link, '/')) { // .gnu_debugaltlink: the common part that dwz made
    int fd = link[0] == '/' ? open_regular(link) : -1;
    if (fd >= 0) *found = strdup(link);
    return fd;
  }
  const unsigned char *id;
  GElf_Addr address;
  int size = dwfl_module_build_id(module, &id, &address);
  if (size < 2 || size > 64) return -1;
  char path[256];
  int length = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/", id[0]);
  for (int i = 1; i < size; i++) length += snprintf(path + length, sizeof path - (size_t)length, "%02x", id[i]);
  snprintf(path + length, sizeof path - (size_t)length, ".debug");
  int fd = open_regular(path);
  if (fd >= 0) *found = strdup(path);
  return fd;
}

static int find_elf(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, char **file, Elf **elf) {
  (void)module, (void)userdata, (void)name, (void)base, (void)file, (void)elf;
  return -1; // dwfl_report_elf has got the file
}

struct mck_module *mck_module_open(const char *path) {
  static const Dwfl_Callbacks callbacks = {
      .find_elf = find_elf, .find_debuginfo = find_debuginfo, .section_address = dwfl_offline_section_address};
  int fd = open_regular(path);
  if (fd < 0) return NULL;
  struct mck_module *module = calloc(1, sizeof *module);
  if (module) module->dwfl = dwfl_begin(&callbacks);
  if (module && module->dwfl) {
    dwfl_report_begin(module->dwfl);
    // Load bias 0: the addresses of libdwfl are those of the file.
    module->dwfl_module = dwfl_report_elf(module->dwfl, path, path, fd, 0, true);
    dwfl_report_end(module->dwfl, NULL, NULL);
  }
  if (module && module->dwfl_module) return module; // libdwfl owns fd now
  close(fd);
  mck_module_close(module);
  return NULL;
}

void mck_module_close(struct mck_module *module) {
  if (!module) return;
  if (module->dwfl) dwfl_end(module->dwfl);
  free(module);
}

Dwfl_Module *mck_module_dwfl(struct mck_module *module) { return module->dwfl_module; }

Dwarf_Die *mck_module_unit(struct mck_module *module, uint64_t address, Dwarf_Addr *bias) {
  Dwarf_Die *unit = dwfl_module_addrdie(module->dwfl_module, address, bias);
  if (unit) return unit;
  // libdwfl answers from .debug_aranges, which clang does not write. So the ranges of the units are searched.
  while ((unit = dwfl_module_nextcu(module->dwfl_module, unit, bias)))
    if (dwarf_haspc(unit, address - *bias) > 0) return unit;
  return NULL;
}

const char *mck_module_symbol(struct mck_module *module, uint64_t address, uint64_t *start) {
  GElf_Off offset;
  GElf_Sym symbol;
  const char *name = dwfl_module_addrinfo(module->dwfl_module, address, &offset, &symbol, NULL, NULL, NULL);
  // A symbol without a size may be far from the function of the address (static functions of a stripped library). Then
  // nothing is returned.
  if (!name || !*name || offset >= symbol.st_size) return NULL;
  *start = address - offset;
  return name;
}
