// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols (symbol.h). Each address is looked up once (a cache by module and offset). Inlined functions come from the
// chain of DIEs. dwarf_getscopes finds the innermost scope, but behind an inlined function it goes on with the scopes
// in which the function was *defined*. dwarf_getscopes_die of the innermost one gives the scopes that contain its code
// (as in eu-addr2line -i).
#define _GNU_SOURCE 1
#include "report/symbol.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/base.h"
#include "report/module.h"

#define MAIN_PROGRAM "the main program" // of Fortran; its caller is the compiler's main

struct module {
  char *path;
  struct mck_module *file;
  UT_hash_handle hh;
};
struct key {
  const struct module *module;
  uint64_t offset;
};
struct address {
  struct key key;
  struct mck_source_stack stack;
  size_t capacity;
  struct address *next;
  UT_hash_handle hh;
};
struct name {
  char *text;
  struct name *next;
}; // demangled names
struct mck_symbols {
  struct module *modules;
  struct address *addresses, *all;
  struct name *names;
  char *(*demangle)(const char *, char *, size_t *, int *);
};

struct mck_symbols *mck_symbols_open(void) { return calloc(1, sizeof(struct mck_symbols)); }

void mck_symbols_close(struct mck_symbols *symbols) {
  if (!symbols) return;
  HASH_CLEAR(hh, symbols->addresses);
  for (struct address *a = symbols->all, *next; a; a = next) {
    next = a->next;
    free(a->stack.frames);
    free(a);
  }
  struct module *m, *following;
  HASH_ITER(hh, symbols->modules, m, following) {
    HASH_DEL(symbols->modules, m);
    mck_module_close(m->file);
    free(m->path);
    free(m);
  }
  for (struct name *n = symbols->names, *next; n; n = next) {
    next = n->next;
    free(n->text);
    free(n);
  }
  free(symbols);
}

static const char *keep(struct mck_symbols *symbols, char *text, const char *otherwise) {
  struct name *owner = text ? malloc(sizeof *owner) : NULL;
  if (!owner) {
    free(text);
    return otherwise;
  }
  *owner = (struct name){text, symbols->names};
  symbols->names = owner;
  return text;
}

// flang's names: _Q, then the scopes of the procedure and the procedure itself. Each is a capital letter and a name in
// small letters (M module, S submodule, F host, B block, P procedure; BijectiveInternalNameUniquing.md of flang's
// documentation). The main program is _QQmain, or a host without a name.
static const char *readable_flang_name(struct mck_symbols *symbols, const char *name) {
  if (strcmp(name, "_QQmain") == 0) return MAIN_PROGRAM;
  const char *module = NULL, *procedure = NULL, *at = name + 2;
  size_t nmodule = 0, nprocedure = 0;
  while (*at) {
    char kind = *at++;
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (!strchr("MSFBP", kind)) return name;
    if (kind == 'M') module = at, nmodule = n;
    if (kind == 'P') procedure = at, nprocedure = n;
    at += n;
  }
  if (!nprocedure) return name;
  char *text = NULL;
  if (asprintf(&text, "%.*s%s%.*s", (int)nmodule, module ? module : "", module ? "::" : "", (int)nprocedure,
               procedure) < 0)
    text = NULL;
  return keep(symbols, text, name);
}

// gfortran's names: a procedure of a module, the main program.
static const char *readable_fortran_name(struct mck_symbols *symbols, const char *name) {
  if (strcmp(name, "MAIN__") == 0) return MAIN_PROGRAM;
  if (strncmp(name, "_Q", 2) == 0) return readable_flang_name(symbols, name);
  const char *middle = strstr(name, "_MOD_");
  if (strncmp(name, "__", 2) != 0 || !middle) return name;
  char *text = NULL;
  if (asprintf(&text, "%.*s::%s", (int)(middle - name) - 2, name + 2, middle + 5) < 0) text = NULL;
  return keep(symbols, text, name);
}

// C++ names need libstdc++. A C++ program has it loaded; mpirun-check loads it here for the first such name.
static const char *readable_name(struct mck_symbols *symbols, const char *name) {
  if (strncmp(name, "_Z", 2) != 0) return readable_fortran_name(symbols, name);
  if (!symbols->demangle) {
    void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL); // stays loaded
    if (library) found = dlsym(library, "__cxa_demangle");
    if (!found) return name;
    memcpy(&symbols->demangle, &found, sizeof found);
  }
  int status = 0;
  char *text = symbols->demangle(name, NULL, NULL, &status);
  if (status != 0) free(text), text = NULL;
  return keep(symbols, text, name);
}

// A name without what gcc and clang add for a copy, or a part, of a function: work.part.0, work.constprop.1.cold,
// work.llvm.1234. A function is called the same however it was optimized.
static const char *name_without_copies(struct mck_symbols *symbols, const char *name) {
  static const char *const added[] = {"part", "constprop", "isra", "cold", "llvm", "lto_priv"};
  const char *dot = strchr(name + (name[0] == '.'), '.');
  if (!dot) return name;
  bool is_added = dot[1] != 0 && strspn(dot + 1, "0123456789") == strlen(dot + 1); // gfortran: an inner procedure
  for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
    size_t length = strlen(added[i]);
    is_added |= strncmp(dot + 1, added[i], length) == 0 && (dot[1 + length] == 0 || dot[1 + length] == '.');
  }
  return is_added ? keep(symbols, strndup(name, (size_t)(dot - name)), name) : name;
}

static const char *function_name(struct mck_symbols *symbols, Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  // Linkage names of C++ say more than the name, and those of procedures in Fortran modules: they name the module.
  // Other ones of Fortran, and those of C, say less.
  if (name && (strncmp(name, "_Z", 2) == 0 || (strncmp(name, "__", 2) == 0 && strstr(name, "_MOD_"))))
    return readable_name(symbols, name);
  name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  return name ? readable_name(symbols, name) : NULL;
}

static void name_region(struct mck_symbols *symbols, struct mck_source_frame *frame) {
  size_t length;
  if (!frame->function) return;
  frame->outlined = mck_outlined_name(frame->function, &length);
  if (!frame->outlined) return;
  frame->function = length ? keep(symbols, strndup(frame->function, length), frame->function) : MCK_OUTLINED_TASK;
}

static void find_line(Dwarf_Die *unit, Dwarf_Addr pc, struct mck_source_frame *frame) {
  // Line 0 is code that belongs to no line (DWARF 5, 6.2.2): the row before it is the best answer.
  for (int tries = 0; tries < 16; tries++) {
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    Dwarf_Addr start;
    if (!line || dwarf_lineno(line, &frame->line) != 0 || dwarf_lineaddr(line, &start) != 0) return;
    frame->file = dwarf_linesrc(line, NULL, NULL);
    if (frame->line > 0 || start == 0) return;
    pc = start - 1;
  }
}

static void find_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct mck_source_frame *frame) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  Dwarf_Files *files;
  size_t count;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &value) == 0) frame->line = (int)value;
  if (dwarf_getsrcfiles(unit, &files, &count) == 0 &&
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &value) == 0 && value < count)
    frame->file = dwarf_filesrc(files, value, NULL, NULL);
}

static bool push(struct address *a, struct mck_source_frame frame) {
  size_t count = a->stack.count;
  bool is_pushed = MCK_PUSH(a->stack.frames, count, a->capacity, frame);
  a->stack.count = (unsigned)count;
  return is_pushed;
}

// A procedure within another one (contains in Fortran, nested functions of GNU C) has code beside that of the outer
// one, and libdw looks for it within. Finds the innermost entry that has the address, here and below.
static bool find_nested(Dwarf_Die *die, Dwarf_Addr pc, Dwarf_Die *found) {
  Dwarf_Die child;
  bool is_found = false;
  for (int more = dwarf_child(die, &child); more == 0 && !is_found; more = dwarf_siblingof(&child, &child)) {
    int tag = dwarf_tag(&child);
    bool has_code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
    if (!has_code && tag != DW_TAG_module && tag != DW_TAG_namespace) continue;
    bool is_here = has_code && dwarf_haspc(&child, pc) > 0;
    if (is_here) *found = child;
    is_found = find_nested(&child, pc, found) || is_here;
  }
  return is_found;
}

// gcc splits a function, and describes the part that it moves away as the function, called where it is declared.
static bool is_split(Dwarf_Die *die, const struct mck_source_frame *part, const struct mck_source_frame *frame) {
  Dwarf_Attribute attribute;
  Dwarf_Word line;
  return part->function && frame->function && strcmp(part->function, frame->function) == 0 &&
         dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attribute), &line) == 0 &&
         line == (Dwarf_Word)frame->line;
}

// The frames of an address by DWARF. Returns false where there is no DWARF.
static bool resolve_dwarf(struct mck_symbols *symbols, struct mck_module *file, uint64_t pc,
                          struct mck_source_frame frame, struct address *a) {
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = mck_module_unit(file, pc, &bias);
  if (!unit) return false;
  find_line(unit, pc - bias, &frame);
  // With -gsplit-dwarf the unit is a skeleton (it has the lines); the functions are in the .dwo file.
  Dwarf_Die inner = *unit, split;
  uint8_t type = 0;
  if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton && split.cu)
    inner = split;
  Dwarf_Die *scopes = NULL, *outer = NULL;
  int n = dwarf_getscopes(&inner, pc - bias, &scopes);
  Dwarf_Die nested;
  bool is_found = false;
  for (int i = 0; i < n && !is_found; i++) is_found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
  if (is_found) n = dwarf_getscopes_die(&scopes[0], &outer);
  else n = find_nested(&inner, pc - bias, &nested) ? dwarf_getscopes_die(&nested, &outer) : 0;
  bool is_done = false;
  for (int i = 0; i < n && !is_done; i++) {
    int tag = dwarf_tag(&outer[i]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    frame.function = function_name(symbols, &outer[i]);
    frame.is_inlined = tag == DW_TAG_inlined_subroutine;
    struct mck_source_frame *part = a->stack.count ? &a->stack.frames[a->stack.count - 1] : NULL;
    if (part && is_split(&outer[i], part, &frame)) part->is_inlined = frame.is_inlined;
    else if (!push(a, frame)) break;
    is_done = !frame.is_inlined;
    frame.file = NULL;
    frame.line = 0;
    if (!is_done) find_call(&inner, &outer[i], &frame);
  }
  free(scopes);
  free(outer);
  if (a->stack.count || !frame.file) return a->stack.count > 0;
  uint64_t start; // lines without functions (-g1, assembler)
  const char *name = mck_module_symbol(file, pc, &start);
  frame.function = name ? readable_name(symbols, name_without_copies(symbols, name)) : NULL;
  return push(a, frame);
}

static const char python[] = "<python>";
static bool is_python(const char *module) { return strncmp(module, python, sizeof python - 1) == 0; }

// A frame of Python has "<python>FILE!FUNCTION" as its module and the line as its offset (record/call/python-frame.h).
static void resolve_python(struct mck_symbols *symbols, const char *module, uint64_t line, struct address *a) {
  const char *file = module + sizeof python - 1, *bang = strrchr(file, '!');
  if (!bang) return;
  const char *path = keep(symbols, strndup(file, (size_t)(bang - file)), "");
  push(a, (struct mck_source_frame){.module = path,
                                    .offset = line,
                                    .file = path,
                                    .line = (int)(line & INT32_MAX),
                                    .function = keep(symbols, strdup(bang + 1), NULL)});
}

static void resolve_address(struct mck_symbols *symbols, struct mck_module *file, struct mck_source_frame frame,
                            struct address *a) {
  if (is_python(frame.module)) resolve_python(symbols, frame.module, frame.offset, a);
  // A return address is behind the call, often on the next line.
  if (!file || frame.offset == 0) return;
  if (resolve_dwarf(symbols, file, frame.offset - 1, frame, a)) {
    for (unsigned k = 0; k < a->stack.count; k++) name_region(symbols, &a->stack.frames[k]);
    return;
  }
  uint64_t start;
  const char *name = mck_module_symbol(file, frame.offset - 1, &start);
  if (!name) return;
  frame.function = readable_name(symbols, name);
  frame.distance = frame.offset - start;
  name_region(symbols, &frame);
  push(a, frame);
}

static struct module *find_module(struct mck_symbols *symbols, const char *path) {
  struct module *module;
  HASH_FIND_STR(symbols->modules, path, module);
  if (module || !(module = calloc(1, sizeof *module))) return module;
  module->path = strdup(path);
  if (module->path) {
    HASH_ADD_KEYPTR(hh, symbols->modules, module->path, strlen(module->path), module);
    if (module->hh.tbl) {
      module->file = mck_module_open(path);
      return module;
    }
  }
  free(module->path);
  free(module);
  return NULL;
}

static const struct mck_source_stack *find_address(struct mck_symbols *symbols, const struct mck_frame *frame) {
  static const struct mck_source_stack nothing;
  struct module *module = find_module(symbols, frame->module);
  if (!module) return &nothing;
  struct key key = {module, frame->offset};
  struct address *a;
  HASH_FIND(hh, symbols->addresses, &key, sizeof key, a);
  if (a) return &a->stack;
  if (!(a = calloc(1, sizeof *a))) return &nothing;
  a->key = key;
  a->next = symbols->all;
  symbols->all = a;
  // module->path, not the caller's string: the cache outlives it
  resolve_address(symbols, module->file, (struct mck_source_frame){.module = module->path, .offset = frame->offset}, a);
  HASH_ADD(hh, symbols->addresses, key, sizeof key, a);
  return &a->stack;
}

// Functions that call the user's code, main or a thread: stacks end there.
static bool is_start(const char *function) {
  const char *bare = function + (strncmp(function, "__", 2) == 0 ? 2 : 0);
  return strcmp(function, "_start") == 0 || strcmp(bare, "libc_start_main") == 0 ||
         strcmp(bare, "libc_start_main_impl") == 0 || strcmp(bare, "libc_start_call_main") == 0 ||
         strcmp(function, "start_thread") == 0 || strcmp(bare, "clone") == 0 || strcmp(bare, "clone3") == 0;
}

bool mck_source_is_fortran(const char *file) {
  static const char *const suffixes[] = {".f", ".for", ".ftn", ".fpp", ".f77", ".f90", ".f95", ".f03", ".f08"};
  const char *dot = file ? strrchr(file, '.') : NULL;
  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcasecmp(dot, suffixes[i]) == 0) return true;
  return false;
}

// The compiler's own main, which calls the Fortran main program.
static bool is_fortran_stub(const struct mck_source_frame *frame) {
  return strcmp(frame->function, "main") == 0 && mck_source_is_fortran(frame->file);
}

// Frames between a region of OpenMP and the function around it.
static bool is_between(const struct mck_source_frame *frame, const struct mck_source_frame *callee) {
  return frame->function && ((frame->outlined == MCK_OUTLINED_ENTRY && callee->outlined == MCK_OUTLINED_BODY) ||
                             mck_outlined_is_runtime(frame->function));
}

static bool is_ours(const char *module) {
  const char *slash = strrchr(module, '/');
  return strncmp(slash ? slash + 1 : module, "libmpicc-check", 14) == 0;
}

struct mck_source_stack mck_symbols_stack(struct mck_symbols *symbols, const struct mck_frame *frames, unsigned n) {
  struct mck_source_stack stack = {0};
  size_t count = 0, capacity = 0;
  bool is_over = false;
  for (unsigned i = 0; i < n && !is_over && frames[i].module && frames[i].module[0]; i++) {
    if (is_ours(frames[i].module)) continue;
    const struct mck_source_stack *found = find_address(symbols, &frames[i]);
    if (found->count == 0) {
      // As the innermost frame it is still worth showing. As a caller it may be an error of the stack walk.
      struct module *module = count == 0 ? find_module(symbols, frames[i].module) : NULL;
      if (module) {
        struct mck_source_frame bare = {.module = module->path, .offset = frames[i].offset};
        (void)MCK_PUSH(stack.frames, count, capacity, bare);
      }
      // Functions of a library that is stripped stand before the user's, and so does the program's stub of one.
      if (i == 0 || strstr(frames[i].module, ".so")) continue;
      break;
    }
    for (unsigned k = 0; k < found->count && !is_over; k++) {
      const struct mck_source_frame *frame = &found->frames[k];
      bool is_c = !is_python(frames[i].module);
      is_over = is_c && frame->function && (is_start(frame->function) || (count && is_fortran_stub(frame)));
      if (is_over) break;
      if (count && is_between(frame, &stack.frames[count - 1])) continue;
      is_over = !MCK_PUSH(stack.frames, count, capacity, *frame) ||
                (is_c && frame->function &&
                 ((!frame->is_inlined && !frame->outlined && strcmp(frame->function, "main") == 0) ||
                  strcmp(frame->function, MAIN_PROGRAM) == 0));
    }
  }
  stack.count = (unsigned)count;
  return stack;
}
