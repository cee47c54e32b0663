// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that accesses memory that MPI may be using, and does not signal it: inline assembly in recompiled code, and
// libraries that were not recompiled but got pointers to such memory. The report says so once, at the end, and only
// if MPI was given memory to use at all. The pass notes per object which code that is (abi.h); the names are copied,
// since the object may be unloaded.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "abi.h"
#include "base/elf.h"
#include "record/access/unsignalled.h"
#include "record/run/own-library.h"

enum { ROOM = 1 << 15, SHOWN = 6, CALLS_SHOWN = 2, LIBRARIES = 16 };
static char names[ROOM]; // each is a letter, the name, a zero
static size_t used;
static const void *recompiled[256]; // an address in each object that is attached
static unsigned nrecompiled;
bool mck_unsignalled_is_relevant;

void mck_unsignalled_attach(const void *address) {
  if (nrecompiled < sizeof recompiled / sizeof *recompiled) recompiled[nrecompiled++] = address;
}

static bool is_known(const char *name) {
  for (size_t at = 0; at < used; at += strlen(names + at) + 1)
    if (!strcmp(names + at, name)) return true;
  return false;
}

// Called by constructors: of the program before main, of libraries whenever they are loaded. The loader lets in one
// thread at a time.
MCK_EXPORT void __mck_unseen_names(const char *name, const char *end) {
  for (size_t length; name < end; name += length) {
    length = strlen(name) + 1;
    if (length == 1 || is_known(name) || used + length > ROOM) continue; // a linker may leave zeroes between objects
    memcpy(names + used, name, length);
    used += length;
  }
}

static bool is_recompiled(const void *base) {
  Dl_info info;
  for (unsigned i = 0; i < nrecompiled; i++)
    if (dladdr(recompiled[i], &info) && info.dli_fbase == base) return true;
  return false;
}

bool mck_unsignalled_is_recompiled(const struct dl_phdr_info *object) {
  for (unsigned i = 0; i < nrecompiled; i++)
    for (int k = 0; k < object->dlpi_phnum; k++) {
      const ElfW(Phdr) *part = &object->dlpi_phdr[k];
      uintptr_t offset = (uintptr_t)recompiled[i] - (object->dlpi_addr + part->p_vaddr);
      if (part->p_type == PT_LOAD && offset < part->p_memsz) return true;
    }
  return false;
}

struct text {
  char *text;
  size_t size, used;
};
static void append(struct text *t, const char *before, const char *name, size_t longest) {
  if (t->used + strlen(before) + longest + 1 >= t->size) return;
  int n = snprintf(t->text + t->used, t->size - t->used, "%s%.*s", before, (int)longest, name);
  if (n > 0) t->used += (size_t)n < t->size - t->used ? (size_t)n : t->size - t->used - 1;
}

// A function by the name that its source has. A C++ program has libstdc++ loaded, which knows it.
static void append_function(struct text *t, const char *before, const char *name) {
  char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
  void *found = strncmp(name, "_Z", 2) == 0 ? dlsym(RTLD_DEFAULT, "__cxa_demangle") : NULL;
  int status = 0;
  memcpy(&demangle, &found, sizeof found);
  char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
  if (text && strlen(text) > 60 && *text != '(') text[strcspn(text, "(")] = 0; // without its parameters
  append(t, before, text ? text : name, 60);
  free(text);
}

static void write_places(struct text *t) {
  unsigned shown = 0;
  for (size_t at = 0; at < used && shown <= SHOWN; at += strlen(names + at) + 1) {
    if (names[at] != 'a') continue;
    if (shown == SHOWN) append(t, ", ...", "", 0);
    else append(t, shown ? ", " : "loads and stores of inline assembly are not seen: ", names + at + 1, 60);
    shown++;
  }
}

static char calls_text[1024];
static struct text calls = {.text = calls_text, .size = sizeof calls_text};
const char *mck_unsignalled_calls(void) { return calls.used ? calls_text : NULL; }

// "smooth gets halo at solver.c:120, cells at solver.c:130": where a function gets the memory, and as which variable.
static void write_calls(const char *function) {
  size_t length = strlen(function);
  unsigned shown = 0;
  for (size_t at = 0; at < used && shown < CALLS_SHOWN; at += strlen(names + at) + 1) {
    const char *place = names + at + 1;
    if (names[at] != 'p' || strncmp(place, function, length) != 0 || place[length] != ' ') continue;
    if (!shown && calls.used + 160 > calls.size) return; // no room for a function and a place
    if (!shown) append_function(&calls, calls.used ? "\n" : "", function);
    append(&calls, shown++ ? ", " : " gets ", place + length + 1, 80);
  }
}

static void write_libraries(struct text *t) {
  const void *bases[LIBRARIES];
  unsigned nbases = 0;
  for (size_t first = 0; first < used && nbases < LIBRARIES; first += strlen(names + first) + 1) {
    Dl_info info;
    void *found = names[first] == 'f' ? dlsym(RTLD_DEFAULT, names + first + 1) : NULL;
    if (!found || !dladdr(found, &info) || !info.dli_fname || mck_library_is_of_system(info.dli_fname) ||
        is_recompiled(info.dli_fbase))
      continue;
    bool is_said = false;
    for (unsigned i = 0; i < nbases; i++) is_said |= bases[i] == info.dli_fbase;
    if (is_said) continue;
    bases[nbases++] = info.dli_fbase;
    append(t, t->used ? "; " : "", mck_elf_name(info.dli_fname), 60);
    unsigned shown = 0;
    for (size_t at = first; at < used && shown <= SHOWN; at += strlen(names + at) + 1) {
      Dl_info other;
      if (names[at] != 'f' || !(found = dlsym(RTLD_DEFAULT, names + at + 1)) || !dladdr(found, &other) ||
          other.dli_fbase != info.dli_fbase)
        continue;
      if (shown == SHOWN) append(t, ", ...", "", 0);
      else {
        append_function(t, shown ? ", " : " was not recompiled, its loads and stores are not seen: ", names + at + 1);
        write_calls(names + at + 1);
      }
      shown++;
    }
  }
}

bool mck_unsignalled_write(char *text, size_t size) {
  struct text t = {.text = text, .size = size};
  if (!mck_unsignalled_is_relevant || !mck_options.access) return false;
  text[0] = 0;
  calls.used = 0;
  write_places(&t);
  write_libraries(&t);
  return t.used > 0;
}
