// RUN: %unit/test-options %S/../../docs/options.md
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options: right texts give their values, wrong ones one line that names the key and the nearest one and change
// nothing; the help and the page in docs know every option.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static char error[512];
static bool parse(const char *text) {
  strcpy(error, "");
  return mck_options_parse(text, error, sizeof error);
}

static void test_right(void) {
  EXPECT(parse(NULL) && mck_options.on && !mck_options.help && mck_options.exitcode == 66 &&
         mck_options.log_limit == 4096);
  EXPECT(parse("") && strcmp(mck_options.log_dir, "") == 0);
  EXPECT(parse("log_dir=/a/b:exitcode=0:watch=no:help=1") && strcmp(mck_options.log_dir, "/a/b") == 0);
  EXPECT(mck_options.exitcode == 0 && !mck_options.watch && mck_options.help);
  EXPECT(parse("exitcode=7") && mck_options.exitcode == 7 && mck_options.watch && strcmp(mck_options.log_dir, "") == 0);
  EXPECT(parse("::quiet=true::keep_logs=yes:") && mck_options.quiet && mck_options.keep_logs);
  EXPECT(parse("quiet=1:quiet=false") && !mck_options.quiet);
  EXPECT(parse("json='/x:y/z':report=\"it's\":stack_depth=64") && strcmp(mck_options.json, "/x:y/z") == 0);
  EXPECT(strcmp(mck_options.report, "it's") == 0 && mck_options.stack_depth == 64);
  EXPECT(parse("log_dir=a=b") && strcmp(mck_options.log_dir, "a=b") == 0);
  EXPECT(parse("log_dir=:json=''") && strcmp(mck_options.log_dir, "") == 0 && strcmp(mck_options.json, "") == 0);
}

static void refuse(const char *text, const char *expected) {
  mck_options.exitcode = 5;
  bool is_refused = !parse(text);
  if (is_refused && strstr(error, expected) && !strchr(error, '\n') && mck_options.exitcode == 5) return;
  failures++;
  printf("'%s' gives '%s', not '%s'\n", text, is_refused ? error : "no error", expected);
}

static void test_wrong(void) {
  refuse("exitcode=9:logdir=/a",
         "MPICC_CHECK_OPTIONS: unknown option 'logdir', did you mean 'log_dir'? help=1 lists all");
  refuse("=1", "unknown option ''");
  refuse("stackdepth=3", "did you mean 'stack_depth'?");
  refuse("Watch=1", "did you mean 'watch'?");
  refuse("a\nb\x1b=1", "unknown option 'a?b?'");
  refuse("quiet", "option 'quiet' has no value, write quiet=1");
  refuse("quiet:watch=1", "option 'quiet' has no value");
  refuse("exitcode", "write exitcode=NUMBER");
  refuse("quiet=2", "quiet=2: must be 1, yes, true, 0, no or false");
  refuse("quiet=", "quiet=: must be");
  refuse("exitcode=256", "exitcode=256: must be a number from 0 to 255");
  refuse("exitcode=-1", "must be a number from 0 to 255");
  refuse("log_limit=0", "log_limit=0: must be a number from 1 to 1048576");
  refuse("exitcode=", "exitcode=: must be a number");
  refuse("exitcode=0x10", "must be a number");
  refuse("exitcode= 1", "must be a number");
  refuse("exitcode=1 ", "must be a number");
  refuse("exitcode=-", "must be a number");
  refuse("exitcode=99999999999999999999", "must be a number");
  refuse("exitcode=000000000000000000000000000000000001", "must be a number");
  refuse("json='a", "json='a: the closing quote is missing");
  refuse("json='a'b", "behind the closing quote a colon must follow");
  char text[4096] = "log_dir=";
  memset(text + 8, 'x', 1024);
  refuse(text, "log_dir: the value is 1024 characters long, at most 1023 are possible");
  text[8 + 1023] = 0;
  EXPECT(parse(text) && strlen(mck_options.log_dir) == 1023);
  memset(text, 'k', 4000);
  text[4000] = 0;
  refuse(text, "kkk...'; help=1 lists all");
  refuse("frobn=2", "unknown option 'frobn'; help=1 lists all");
  for (size_t size = 1; size < 40; size++) { // small buffers are respected
    char small[64];
    memset(small, '#', sizeof small);
    EXPECT(!mck_options_parse("nonsense=1", small, size) && strlen(small) < size && small[size] == '#');
  }
}

// Random texts: an answer, never a crash.
static void test_random(unsigned seed) {
  static const char *const words[] = {"quiet", "log_dir",  "=",   ":",  "'",    "\"", "1",
                                      "-",     "exitcode", "999", "\t", "\xff", "yes"};
  srand(seed);
  for (int i = 0; i < 20000; i++) {
    char text[256] = "";
    for (int n = rand() % 10; n > 0; n--) strcat(text, words[rand() % (sizeof words / sizeof *words)]);
    bool is_right = parse(text);
    if (is_right == (error[0] == 0) && !strchr(error, '\n')) continue;
    failures++;
    printf("seed %u, text '%s': error '%s'\n", seed, text, error);
  }
}

static void test_docs(const char *path) {
  static char page[1 << 16];
  FILE *file = fopen(path, "r");
  EXPECT(file);
  if (!file) return;
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
#define IN_PAGE(name, text)                                                                                            \
  if (!strstr(page, "| `" #name "` |") || !strstr(page, text))                                                         \
    failures++, printf("%s: no row for %s with its text\n", path, #name);
#define MCK_OPTION_INT(name, value, low, high, text) IN_PAGE(name, "| " #value " | " #low " to " #high " | " text " |")
#define MCK_OPTION_BOOL(name, value, text) IN_PAGE(name, "0 or 1 | " text " |")
#define MCK_OPTION_STRING(name, value, text) IN_PAGE(name, "text | " text " |")
#include "base/options.inc"
}

static void test_base(void) {
  int *items = NULL;
  size_t count = 0, capacity = 0;
  for (int i = 0; i < 1000; i++) EXPECT(MCK_PUSH(items, count, capacity, i));
  for (int i = 0; i < 1000; i++) EXPECT(items[i] == i);
  EXPECT(!mck_base_grow((void **)&items, &capacity, SIZE_MAX / 2, sizeof *items) && items[999] == 999);
  free(items);
  EXPECT(mck_base_hash("abc", 3, 1) == mck_base_hash("abc", 3, 1) &&
         mck_base_hash("abc", 3, 1) != mck_base_hash("abc", 3, 2));
}

int main(int argc, char **argv) {
  test_right();
  test_wrong();
  test_random(20);
  test_base();
  if (argc > 1) test_docs(argv[1]);
  mck_options_help();
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
