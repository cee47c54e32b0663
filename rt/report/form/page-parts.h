// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that embed.py puts into the program: the parts of the HTML report (form/page), and the pages of all checks.
#pragma once

struct mck_page_part {
  const char *name, *text;
};
extern const struct mck_page_part mck_page_parts[];  // by file name; the last one is empty
extern const struct mck_page_part mck_check_pages[]; // by the id of the check; the last one is empty
