// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the compile units of an ELF file (compile-unit.h) with libdw.
#define _GNU_SOURCE 1
#include "report/compile-unit.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked-mark.h"
#include "base/base.h"
#include "report/module.h"

struct names {
  const char **items;
  size_t count, capacity;
};
struct reading {
  struct mck_units *units;
  Dwfl_Module *module;
  struct names marks; // without MCK_CHECKED_MARK: the name, a tab, the directory
  struct names known; // the base names of all units, those without code included
};

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static void sort(struct names *names) {
  if (names->count) qsort(names->items, names->count, sizeof *names->items, compare);
}
static bool has(const struct names *names, const char *name) {
  return names->count && bsearch(&name, names->items, names->count, sizeof *names->items, compare);
}
static void add_name(struct reading *r, struct names *names, const char *name) {
  if (!MCK_PUSH(names->items, names->count, names->capacity, name)) r->units->is_readable = false;
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void add_unit(struct reading *r, char *name, const char *directory, const char *compiler, bool is_checked) {
  struct mck_unit unit = {name, strdup(directory), strdup(compiler), is_checked};
  if (unit.name && unit.directory && unit.compiler &&
      MCK_PUSH(r->units->items, r->units->count, r->units->capacity, unit))
    return;
  free(unit.name), free(unit.directory), free(unit.compiler);
  r->units->is_readable = false;
}

// --- what the linker has left: marks, libraries ---
static void read_comment(struct reading *r, Elf_Data *data) {
  const char *text = data->d_buf, *end = text + data->d_size;
  size_t prefix = strlen(MCK_CHECKED_MARK);
  for (const char *next; text < end && (next = memchr(text, 0, (size_t)(end - text))); text = next + 1)
    if (strncmp(text, MCK_CHECKED_MARK, prefix) == 0) add_name(r, &r->marks, text + prefix);
}

// An object whose marks are gone still calls the runtime.
static void read_dynamic(struct reading *r, Elf *elf, const GElf_Shdr *header, Elf_Data *data) {
  GElf_Dyn entry;
  GElf_Sym symbol;
  for (int i = 0; header->sh_type == SHT_DYNAMIC && gelf_getdyn(data, i, &entry); i++) {
    const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : NULL;
    r->units->is_linked |= name && strncmp(name, "libmpicc-check.", 15) == 0;
  }
  for (int i = 0; header->sh_type == SHT_DYNSYM && gelf_getsym(data, i, &symbol); i++) {
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    r->units->is_marked |= name && strcmp(name, "__mck_attach") == 0;
  }
}

static void read_sections(struct reading *r, Elf *elf) {
  size_t names;
  GElf_Shdr header;
  if (elf_getshdrstrndx(elf, &names)) return;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    if (!gelf_getshdr(section, &header)) continue;
    const char *name = elf_strptr(elf, names, header.sh_name);
    bool is_comment = name && strcmp(name, ".comment") == 0 && header.sh_type == SHT_PROGBITS;
    bool is_dynamic = header.sh_type == SHT_DYNAMIC || header.sh_type == SHT_DYNSYM;
    Elf_Data *data = is_comment || is_dynamic ? elf_getdata(section, NULL) : NULL;
    if (data && data->d_buf && is_comment) read_comment(r, data);
    else if (data && data->d_buf) read_dynamic(r, elf, &header, data);
  }
}

// --- debug information ---
static const char *text_of(Dwarf_Die *unit, unsigned name) {
  Dwarf_Attribute attribute;
  const char *text = dwarf_formstring(dwarf_attr(unit, name, &attribute));
  return text ? text : "";
}

// A short name of the compiler that the debug information names.
static void name_compiler(const char *producer, char *name, size_t size) {
  static const struct {
    const char *part, *name;
  } known[] = {{"GNU C++", "g++"},    {"GNU Fortran", "gfortran"}, {"GNU AS", "assembler"}, {"GNU C", "gcc"},
               {"GNU GIMPLE", "gcc"}, {"flang", "flang"},          {"clang", "clang"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(producer, known[i].part)) {
      snprintf(name, size, "%s", known[i].name);
      return;
    }
  snprintf(name, size, "%.*s", (int)strcspn(producer, " "), producer);
}

// Sections that the linker dropped are at 0 or at the end of memory. A unit without code has nothing to check.
static bool has_code(Dwarf_Die *unit) {
  Dwarf_Addr base, low, high;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &low, &high)) > 0;)
    if (low && low < high && low < UINT64_MAX - 1) return true;
  return false;
}

static void read_unit(struct reading *r, Dwarf_Die *unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word language = 0;
  char compiler[32], *mark = NULL;
  const char *name = text_of(unit, DW_AT_name), *directory = text_of(unit, DW_AT_comp_dir);
  if (!*name || dwarf_tag(unit) == DW_TAG_partial_unit) return;
  r->units->is_whole = true;
  add_name(r, &r->known, base_of(name));
  if (!has_code(unit)) return;
  name_compiler(text_of(unit, DW_AT_producer), compiler, sizeof compiler);
  dwarf_formudata(dwarf_attr(unit, DW_AT_language, &attribute), &language);
  if (language == DW_LANG_Mips_Assembler) snprintf(compiler, sizeof compiler, "assembler");
  // Of two objects of one source, the other one may have been recompiled.
  bool is_ours = strcmp(compiler, "clang") == 0 || strcmp(compiler, "flang") == 0;
  bool is_checked = is_ours && asprintf(&mark, "%s\t%s", name, directory) >= 0 && has(&r->marks, mark);
  if (is_ours) free(mark);
  if (strcmp(name, "<artificial>") == 0) name = "objects of -flto"; // all of one step of gcc's link
  add_unit(r, strdup(name), directory, compiler, is_checked);
}

static void read_debug_information(struct reading *r) {
  Dwarf_Addr bias;
  for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(r->module, unit, &bias));) read_unit(r, unit);
  sort(&r->known);
}

// --- units without debug information ---
static void read_marks(struct reading *r) {
  for (size_t i = 0; i < r->marks.count; i++) {
    const char *mark = r->marks.items[i], *tab = strchr(mark, '\t');
    char *name = strndup(mark, tab ? (size_t)(tab - mark) : strlen(mark));
    if (name && !has(&r->known, base_of(name))) add_unit(r, name, tab ? tab + 1 : "", "clang", true);
    else free(name);
  }
}

// The files of the C library's start code are named like objects, or "crtstuff".
static bool is_start_code(const char *name) {
  size_t length = strlen(name);
  return !length || strcmp(name, "crtstuff.c") == 0 || (length > 2 && strcmp(name + length - 2, ".o") == 0);
}

static void read_file_symbols(struct reading *r) {
  struct names files = {0};
  int n = dwfl_module_getsymtab(r->module);
  GElf_Sym symbol;
  GElf_Word section;
  for (int i = 0; i < n; i++) {
    const char *name = dwfl_module_getsym(r->module, i, &symbol, &section);
    if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FILE) continue;
    r->units->is_whole = true;
    if (!is_start_code(name)) add_name(r, &files, base_of(name));
  }
  sort(&files);
  for (size_t i = 0; i < r->units->count; i++) add_name(r, &r->known, base_of(r->units->items[i].name));
  sort(&r->known);
  for (size_t i = 0; i < files.count; i++)
    if ((!i || strcmp(files.items[i], files.items[i - 1]) != 0) && !has(&r->known, files.items[i]))
      add_unit(r, strdup(files.items[i]), "", "", false);
  free(files.items);
}

static int compare_units(const void *a, const void *b) {
  const struct mck_unit *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  if (!order) order = strcmp(x->directory, y->directory);
  return order ? order : x->is_checked - y->is_checked;
}

// Sorts, and keeps one of those that are equal.
static void finish(struct mck_units *units) {
  size_t kept = 0;
  if (units->count) qsort(units->items, units->count, sizeof *units->items, compare_units);
  for (size_t i = 0; i < units->count; i++) {
    struct mck_unit *unit = &units->items[i];
    if (kept && compare_units(unit, &units->items[kept - 1]) == 0)
      free(unit->name), free(unit->directory), free(unit->compiler);
    else units->items[kept++] = *unit;
  }
  units->count = kept;
}

void mck_units_read(struct mck_units *units, const char *path) {
  *units = (struct mck_units){0};
  struct mck_module *file = mck_module_open(path);
  if (!file) return;
  struct reading r = {.units = units, .module = mck_module_dwfl(file)};
  GElf_Addr bias;
  Elf *elf = dwfl_module_getelf(r.module, &bias);
  if (elf) {
    units->is_readable = true;
    read_sections(&r, elf);
    sort(&r.marks);
    units->is_marked |= r.marks.count > 0;
    read_debug_information(&r);
    read_marks(&r);
    read_file_symbols(&r);
    finish(units);
  }
  free(r.marks.items);
  free(r.known.items);
  mck_module_close(file);
}

void mck_units_free(struct mck_units *units) {
  for (size_t i = 0; i < units->count; i++)
    free(units->items[i].name), free(units->items[i].directory), free(units->items[i].compiler);
  free(units->items);
  *units = (struct mck_units){0};
}
