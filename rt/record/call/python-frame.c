// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the frames of CPython 3.11 (python-frame.h). The offsets are those of the structures PyThreadState, _PyCFrame,
// _PyInterpreterFrame, PyCodeObject and PyASCIIObject on machines of 64 bits. Each object says of itself what type it
// is; one of another type than expected ends the walk.
#include "record/call/python-frame.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "base/base.h"

enum {
  STATE_INTERPRETER = 16, // PyThreadState.interp
  STATE_C_FRAME = 56,     // PyThreadState.cframe
  C_FRAME_CURRENT = 8,    // _PyCFrame.current_frame
  FRAME_CODE = 32,        // _PyInterpreterFrame.f_code
  FRAME_PREVIOUS = 48,    // .previous
  FRAME_INSTRUCTION = 56, // .prev_instr
  OBJECT_TYPE = 8,        // PyObject.ob_type
  CODE_FILE = 112,        // PyCodeObject.co_filename
  CODE_NAME = 128,        // .co_qualname
  CODE_BYTES = 184,       // .co_code_adaptive
  TEXT_LENGTH = 16,       // PyASCIIObject.length
  TEXT_STATE = 32,        // .state: bits 2..4 kind (bytes of a character), 5 compact, 6 ascii
  TEXT_ASCII = 48,        // the characters of an ASCII text
  TEXT_OTHER = 72,        // those of another compact text
  FRAMES_WALKED = 1000
};

bool mck_python_is_here;
static void *(*get_state)(void);
static void *(*get_interpreter)(void);
static int (*get_line)(void *code, int offset);
static const void *code_type, *text_type;
static char script[4096]; // the file of the outermost frame in MPI_Init

static const void *pointer_at(const void *object, size_t offset) {
  const void *value;
  memcpy(&value, (const char *)object + offset, sizeof value);
  return value;
}

static bool is_a(const void *object, const void *type) {
  return object && !((uintptr_t)object & 7) && pointer_at(object, OBJECT_TYPE) == type;
}

void mck_python_find(void) {
  const char *(*get_version)(void) = NULL;
  *(void **)&get_version = dlsym(RTLD_DEFAULT, "Py_GetVersion");
  if (!get_version || strncmp(get_version(), "3.11.", 5) != 0 || sizeof(void *) != 8) return;
  *(void **)&get_state = dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
  *(void **)&get_interpreter = dlsym(RTLD_DEFAULT, "PyInterpreterState_Main");
  *(void **)&get_line = dlsym(RTLD_DEFAULT, "PyCode_Addr2Line"); // it reads tables of the code object, and no more
  code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
  text_type = dlsym(RTLD_DEFAULT, "PyUnicode_Type");
  mck_python_is_here = get_state && get_interpreter && get_line && code_type && text_type;
}

static bool read_frame(const void *frame, struct mck_python_frame *out) {
  const void *code = pointer_at(frame, FRAME_CODE);
  if (!is_a(code, code_type) || !is_a(pointer_at(code, CODE_FILE), text_type) ||
      !is_a(pointer_at(code, CODE_NAME), text_type))
    return false;
  ptrdiff_t offset = (const char *)pointer_at(frame, FRAME_INSTRUCTION) - ((const char *)code + CODE_BYTES);
  *out = (struct mck_python_frame){code, get_line((void *)code, offset < 0 ? -1 : (int)offset)};
  return out->line > 0;
}

// The characters of a text, as they are kept.
struct text {
  const unsigned char *characters;
  size_t length;
  unsigned width; // bytes of a character; 0: another layout
};
static struct text text_of(const void *object) {
  uint32_t state;
  struct text text = {.length = (size_t)(uintptr_t)pointer_at(object, TEXT_LENGTH)};
  memcpy(&state, (const char *)object + TEXT_STATE, sizeof state);
  bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
  if (is_compact) text.width = state >> 2 & 7;
  text.characters = (const unsigned char *)object + (is_ascii ? TEXT_ASCII : TEXT_OTHER);
  return text;
}

static uint32_t character_at(const struct text *text, size_t i) {
  if (text->width == 1) return text->characters[i];
  uint16_t two;
  uint32_t four;
  memcpy(&two, text->characters + 2 * i, sizeof two);
  if (text->width == 2) return two;
  memcpy(&four, text->characters + 4 * i, sizeof four);
  return four;
}

// Modules within the interpreter (importlib, runpy) have the file "<frozen NAME>": they are no place of the program.
static bool is_frozen(const struct mck_python_frame *frame) {
  static const char mark[] = "<frozen ";
  struct text file = text_of(pointer_at(frame->code, CODE_FILE));
  size_t i = 0;
  while (i < sizeof mark - 1 && i < file.length && character_at(&file, i) == (unsigned char)mark[i]) i++;
  return i == sizeof mark - 1;
}

unsigned mck_python_frames(struct mck_python_frame *frames, unsigned max) {
  const void *state = get_state();
  if (!state || pointer_at(state, STATE_INTERPRETER) != get_interpreter()) return 0;
  const void *c_frame = pointer_at(state, STATE_C_FRAME);
  const void *frame = c_frame ? pointer_at(c_frame, C_FRAME_CURRENT) : NULL;
  unsigned n = 0;
  for (int walked = 0; frame && n < max && walked < FRAMES_WALKED; walked++) {
    if (!read_frame(frame, &frames[n])) break;
    n += !is_frozen(&frames[n]);
    frame = pointer_at(frame, FRAME_PREVIOUS);
  }
  return n;
}

bool mck_python_end(struct mck_python_frame *frame) {
  *frame = (struct mck_python_frame){0};
  return *script != 0;
}

uint64_t mck_python_hash(const struct mck_python_frame *frame) {
  if (!frame->code) return 0;
  uint64_t hash = (uint64_t)frame->line;
  for (int i = 0; i < 2; i++) {
    struct text text = text_of(pointer_at(frame->code, i ? CODE_NAME : CODE_FILE));
    hash = mck_base_hash(text.characters, text.length * text.width, hash);
  }
  return hash;
}

// As UTF-8. Returns where the text ends, or NULL where there is no room.
static char *write_text(char *out, const char *end, const struct text *text) {
  for (size_t i = 0; i < text->length; i++) {
    uint32_t c = character_at(text, i);
    if (end - out < 5) return NULL;
    if (c < 0x80) *out++ = (char)c;
    else if (c < 0x800) *out++ = (char)(0xc0 | c >> 6), *out++ = (char)(0x80 | (c & 0x3f));
    else if (c < 0x10000)
      *out++ = (char)(0xe0 | c >> 12), *out++ = (char)(0x80 | (c >> 6 & 0x3f)), *out++ = (char)(0x80 | (c & 0x3f));
    else
      *out++ = (char)(0xf0 | (c >> 18 & 7)), *out++ = (char)(0x80 | (c >> 12 & 0x3f)),
      *out++ = (char)(0x80 | (c >> 6 & 0x3f)), *out++ = (char)(0x80 | (c & 0x3f));
  }
  return out;
}

bool mck_python_write(const struct mck_python_frame *frame, char *text, size_t size) {
  static const char mark[] = "<python>";
  if (!frame->code) return (size_t)snprintf(text, size, "%s%s!the exit of the script", mark, script) < size;
  struct text file = text_of(pointer_at(frame->code, CODE_FILE)), name = text_of(pointer_at(frame->code, CODE_NAME));
  if (!file.width || !name.width || size < sizeof mark + 8) return false;
  const char *end = text + size - 2;
  memcpy(text, mark, sizeof mark - 1);
  char *out = write_text(text + sizeof mark - 1, end, &file);
  if (!out) return false;
  *out++ = '!';
  out = write_text(out, end, &name);
  if (out) *out = 0;
  return out != NULL;
}

// "python3 -m mpi4py SCRIPT" has frames of mpi4py's own files below those of the script.
bool mck_python_script(char *path, size_t size) {
  enum { DEEP = 64 };
  struct mck_python_frame frames[DEEP];
  char name[4096];
  unsigned n = mck_python_is_here ? mck_python_frames(frames, DEEP) : 0;
  bool is_found = false;
  if (n == DEEP) return false;
  for (unsigned i = n; i-- > 0;) {
    struct text file = text_of(pointer_at(frames[i].code, CODE_FILE));
    if (!file.width || !file.length || character_at(&file, 0) == '<') continue;
    char *end = write_text(name, name + sizeof name, &file);
    if (!end || (size_t)(end - name) >= size) continue;
    *end = 0;
    if (!is_found) memcpy(path, name, (size_t)(end - name) + 1);
    is_found = true;
    if (strstr(name, "/mpi4py/")) continue;
    memcpy(path, name, (size_t)(end - name) + 1);
    break;
  }
  if (is_found) snprintf(script, sizeof script, "%s", path);
  return is_found;
}
