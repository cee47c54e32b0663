// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin of the linker (GNU ld, gold, mold), with the interface that LTO uses (plugin-api.h of binutils). It claims
// no file. When the linker has read all objects, those of archives included, their sources are checked
// (program-check.h), and the object with the warnings is added to the link. LLVM's plugin for LTO, if it is there,
// claims the files that LTO concerns, and no other plugin sees them.
#include <plugin-api.h>
#include <stddef.h>
#include "program-check.h"

static ld_plugin_add_input_file add_input_file;
static struct mck_program_check program = {.found = {.file = -1}};

// The linker keeps the descriptor for itself.
static enum ld_plugin_status look_at_file(const struct ld_plugin_input_file *file, int *is_claimed) {
  *is_claimed = 0;
  if (program.found.file >= 0) mck_sources_add(&program.found, file->fd, file->offset, file->filesize);
  return LDPS_OK;
}

static enum ld_plugin_status check(void) {
  switch (mck_program_finish(&program)) {
  case MCK_PROGRAM_ERRORS: return LDPS_ERR;
  case MCK_PROGRAM_WARNINGS: add_input_file(program.object); break;
  case MCK_PROGRAM_SILENT: break;
  }
  return LDPS_OK;
}

static enum ld_plugin_status clean_up(void) {
  mck_program_clean_up(&program);
  return LDPS_OK;
}

__attribute__((visibility("default"))) enum ld_plugin_status onload(struct ld_plugin_tv *tools) {
  if (!mck_program_is_asked()) return LDPS_OK;
  ld_plugin_register_claim_file claim = NULL;
  ld_plugin_register_all_symbols_read read = NULL;
  ld_plugin_register_cleanup cleanup = NULL;
  bool makes_program = true;
  for (; tools->tv_tag != LDPT_NULL; tools++) switch (tools->tv_tag) {
    case LDPT_REGISTER_CLAIM_FILE_HOOK: claim = tools->tv_u.tv_register_claim_file; break;
    case LDPT_REGISTER_ALL_SYMBOLS_READ_HOOK: read = tools->tv_u.tv_register_all_symbols_read; break;
    case LDPT_REGISTER_CLEANUP_HOOK: cleanup = tools->tv_u.tv_register_cleanup; break;
    case LDPT_ADD_INPUT_FILE: add_input_file = tools->tv_u.tv_add_input_file; break;
    case LDPT_LINKER_OUTPUT: makes_program = tools->tv_u.tv_val != LDPO_REL; break;
    default: break;
    }
  if (!claim || !read || !cleanup || !add_input_file || !makes_program) return LDPS_OK;
  mck_program_begin(&program);
  claim(look_at_file);
  read(check);
  cleanup(clean_up);
  return LDPS_OK;
}
