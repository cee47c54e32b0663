// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infos and error handlers: MPI-3.1 8.3 to 8.5, chapter 9.
#include "corner.h"

static int called, last_code;
static void comm_handler(MPI_Comm *c, int *code, ...) { (void)c, called++, last_code = *code; }
static void win_handler(MPI_Win *w, int *code, ...) { (void)w, called++, last_code = *code; }
static void file_handler(MPI_File *f, int *code, ...) { (void)f, called++, last_code = *code; }

static void freed_while_set(void) {
  MPI_Errhandler handler;
  MPI_Comm copy;
  MPI_Comm_create_errhandler(comm_handler, &handler);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Errhandler_free(&handler);
  called = 0;
  MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);  // no error has happened
  IS(handler == MPI_ERRHANDLER_NULL && called == 1 && last_code == MPI_ERR_OTHER);
  MPI_Comm_free(&copy);
}

static void inherited(void) {
  MPI_Errhandler handler;
  MPI_Comm a, b;
  MPI_Comm_create_errhandler(comm_handler, &handler);
  MPI_Comm_dup(comm, &a);
  MPI_Comm_set_errhandler(a, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_dup(a, &b);
  MPI_Comm_free(&a);
  called = 0;
  MPI_Comm_call_errhandler(b, MPI_ERR_TAG);
  IS(called == 1);
  MPI_Comm_free(&b);
}

static void got_and_set_back(void) {
  MPI_Errhandler old, again;
  MPI_Comm_get_errhandler(comm, &old);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(comm, &again);
  IS(again == MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&again);  // a reference to a predefined one
  MPI_Comm_set_errhandler(comm, old);
  MPI_Errhandler_free(&old);
  IS(old == MPI_ERRHANDLER_NULL);
}

static void of_windows_and_files(void) {
  MPI_Errhandler handler, other;
  MPI_Win window;
  MPI_Win_create_errhandler(win_handler, &handler);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, comm, &window);
  MPI_Win_set_errhandler(window, handler);
  called = 0;
  MPI_Win_call_errhandler(window, MPI_ERR_WIN);
  MPI_Errhandler_free(&handler);
  MPI_Win_free(&window);
  IS(called == 1 && last_code == MPI_ERR_WIN);
  MPI_File_create_errhandler(file_handler, &other);
  MPI_Errhandler_free(&other);  // never used
}

static void of_no_file(void) {  // 13.7: MPI_FILE_NULL has the handler of files to come
  MPI_Errhandler handler;
  MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
  IS(handler == MPI_ERRORS_RETURN);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  MPI_Errhandler_free(&handler);
}

static void own_codes(void) {
  int class, code, got, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "out of cheese");
  MPI_Error_class(code, &got);
  MPI_Error_string(code, text, &length);
  IS(got == class && !strcmp(text, "out of cheese"));
}

static void known_codes(void) {
  int class = -1, length = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(MPI_SUCCESS, &class);
  MPI_Error_string(MPI_SUCCESS, text, &length);
  IS(class == MPI_SUCCESS && length > 0);
}

static void unknown_key(void) {
  MPI_Info info;
  char value[10] = "untouched";
  int flag = 1, length = -7, n = -1;
  MPI_Info_create(&info);
  MPI_Info_get(info, "mck_no_such_key", 9, value, &flag);
  IS(!flag && !strcmp(value, "untouched"));
  MPI_Info_get_valuelen(info, "mck_no_such_key", &length, &flag);
  IS(!flag && length == -7);
  MPI_Info_get_nkeys(info, &n);
  IS(n == 0);
  MPI_Info_free(&info);
}

static void cut(void) {
  MPI_Info info;
  char value[4] = "";
  int flag = 0, length = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mck_key", "abcdefgh");
  MPI_Info_get(info, "mck_key", 3, value, &flag);  // as much as there is room for
  MPI_Info_get_valuelen(info, "mck_key", &length, &flag);
  IS(flag && !strcmp(value, "abc") && length == 8);
  MPI_Info_free(&info);
}

static void own_copy(void) {
  MPI_Info info, copy;
  char value[10], key[MPI_MAX_INFO_KEY + 1];
  int n = 0, flag = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mck_a", "1");
  MPI_Info_set(info, "mck_a", "2");  // replaces
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "mck_a");
  MPI_Info_free(&info);
  MPI_Info_get_nkeys(copy, &n);
  MPI_Info_get_nthkey(copy, 0, key);
  MPI_Info_get(copy, key, 9, value, &flag);
  IS(n == 1 && flag && !strcmp(value, "2"));
  MPI_Info_free(&copy);
}

static void longest(void) {
  MPI_Info info;
  char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL], got[MPI_MAX_INFO_VAL];
  int flag = 0;
  memset(key, 'k', sizeof key - 1), key[sizeof key - 1] = 0;
  memset(value, 'v', sizeof value - 1), value[sizeof value - 1] = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, got, &flag);
  IS(flag && !strcmp(got, value));
  MPI_Info_free(&info);
}

static void start_up(void) {  // a predefined info, not to be freed
  int n = -1;
  MPI_Info_get_nkeys(MPI_INFO_ENV, &n);
  IS(n >= 0);
}

static void hint_freed(void) {  // who takes hints has copied them; unknown ones are ignored
  MPI_Info info;
  MPI_Win window;
  void *base;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mck_unknown_hint", "whatever");
  MPI_Win_allocate(16, 1, info, comm, &base, &window);
  MPI_Info_free(&info);
  IS(info == MPI_INFO_NULL);
  MPI_Win_free(&window);
}

TABLE(settings) = {
    {"8.3", "an error handler is freed while it is set, and still called", freed_while_set},
    {"6.4.2", "a duplicate inherits its error handler", inherited},
    {"8.3.4", "a handler that was got is a reference, a predefined one too", got_and_set_back},
    {"8.5", "handlers of windows and files, one never used", of_windows_and_files},
    {"13.7", "MPI_FILE_NULL has the default handler of files", of_no_file},
    {"8.5", "error classes, codes and texts of one's own", own_codes},
    {"8.4", "MPI_SUCCESS has a class and a text", known_codes},
    {"9", "a key that is not there leaves the value alone", unknown_key},
    {"9", "a value is cut to the room there is", cut},
    {"9", "setting again replaces; a duplicate is its own", own_copy},
    {"9", "keys and values of the greatest length", longest},
    {"8.7", "MPI_INFO_ENV is MPI's", start_up},
    {"9", "a hint that nobody knows, freed once it is taken", hint_freed},
    END};
