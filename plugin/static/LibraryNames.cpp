// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library that LLVM has no name for (LibraryNames.h).
#include "static/LibraryNames.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

// clang-format off
constexpr StringLiteral PlainNames[] = {
    "_Exit", "__asprintf_chk", "__assert_fail", "__assert_perror_fail", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__divdc3", "__divsc3", "__dprintf_chk", "__errno_location", "__fdelt_chk",
    "__fgets_chk", "__finite", "__finitef", "__fpclassify", "__fpclassifyf", "__fprintf_chk", "__fread_chk",
    "__fxstat", "__getcwd_chk", "__getdelim", "__isinf", "__isinff", "__isnan", "__isnanf", "__lxstat",
    "__muldc3", "__mulsc3", "__powidf2", "__powisf2", "__pread_chk", "__printf_chk", "__read_chk",
    "__realpath_chk", "__signbit", "__signbitf", "__strtok_r", "__vasprintf_chk", "__vfprintf_chk",
    "__vprintf_chk", "__xpg_basename", "__xstat", "_exit", "abort", "alarm", "aligned_alloc", "arc4random",
    "asctime", "asctime_r", "asprintf", "backtrace", "backtrace_symbols", "backtrace_symbols_fd", "basename",
    "bcmp", "brk", "cabs", "cabsf", "cacos", "carg", "cargf", "casin", "catan", "ccos", "ccosh", "cexp", "cexpf",
    "chdir", "chmod", "cimag", "cimagf", "clock", "clock_getres", "clock_gettime", "clock_nanosleep", "clog",
    "clogf", "closedir", "closelog", "conj", "conjf", "cpow", "cpowf", "cproj", "creal", "crealf", "csin",
    "csinh", "csqrt", "csqrtf", "ctan", "ctanh", "ctime", "ctime_r", "difftime", "dirname", "div", "dprintf",
    "drand48", "drand48_r", "dup", "dup2", "erand48", "erf", "erfc", "erfcf", "erff", "erfl", "err", "errx",
    "exit", "fchdir", "fchmod", "fcntl", "fdatasync", "fdim", "fdimf", "feclearexcept", "fedisableexcept",
    "feenableexcept", "fegetenv", "fegetround", "feraiseexcept", "fesetenv", "fesetround", "fetestexcept",
    "fflush", "fflush_unlocked", "ffs", "ffsl", "ffsll", "fileno", "fma", "fmaf", "fputs_unlocked", "frexp",
    "frexpf", "fstat", "fsync", "ftruncate", "gamma", "get_nprocs", "getauxval", "getcwd", "getdelim", "getegid",
    "getentropy", "getenv", "geteuid", "getgid", "gethostname", "getline", "getlogin", "getopt", "getopt_long",
    "getopt_long_only", "getpagesize", "getpid", "getppid", "getrandom", "getrlimit", "getrusage", "gettid",
    "gettimeofday", "getuid", "gmtime", "gmtime_r", "hcreate", "hdestroy", "hsearch", "hypot", "hypotf", "hypotl",
    "iconv", "ilogb", "ilogbf", "imaxabs", "index", "initstate", "isalnum", "isalpha", "isatty", "isblank",
    "iscntrl", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "j0", "j1", "jn",
    "jrand48", "kill", "ldiv", "lgamma", "lgamma_r", "lgammaf", "link", "lldiv", "llrint", "llround",
    "localeconv", "localtime", "localtime_r", "lrand48", "lrand48_r", "lrint", "lrintf", "lround", "lroundf",
    "lseek", "lstat", "madvise", "malloc_trim", "malloc_usable_size", "mallopt", "memalign", "memmem", "mempcpy",
    "mkdir", "mkdtemp", "mkstemp", "mktime", "mlock", "mmap", "modf", "modff", "mprotect", "mrand48", "mremap",
    "msync", "munlock", "munmap", "nan", "nanf", "nanosleep", "nextafter", "nextafterf", "nexttoward", "nrand48",
    "opendir", "openlog", "pause", "perror", "pipe", "posix_memalign", "prctl", "pread", "psignal", "putenv",
    "pwrite", "quick_exit", "raise", "rand", "rand_r", "random", "random_r", "rawmemchr", "readdir", "readlink",
    "readv", "realpath", "remainder", "remainderf", "remquo", "rewind", "rewinddir", "rindex", "rmdir", "sbrk",
    "scalbln", "scalbn", "scalbnf", "sched_getaffinity", "sched_getcpu", "sched_setaffinity", "sched_yield",
    "secure_getenv", "seed48", "setbuf", "setenv", "setlinebuf", "setlocale", "setrlimit", "setstate", "setvbuf",
    "shm_open", "shm_unlink", "signal", "sleep", "srand", "srand48", "srand48_r", "srandom", "srandom_r", "stat",
    "statfs", "strcasestr", "strchrnul", "strerror", "strerror_r", "strftime", "strsep", "strsignal", "strtof",
    "strtoimax", "strtok", "strtok_r", "strtold", "strtoumax", "symlink", "sysconf", "syslog", "tgamma",
    "tgammaf", "time", "timegm", "times", "tmpfile", "tolower", "toupper", "truncate", "ttyname", "umask",
    "uname", "ungetc", "unlink", "unsetenv", "usleep", "vasprintf", "vdprintf", "vfprintf", "vprintf", "warn",
    "warnx", "writev", "y0", "y1", "yn"
};
// clang-format on

bool mck::statics::isPlainLibraryFunction(StringRef Name) {
  static const StringSet<> All = [] {
    StringSet<> Made;
    for (StringRef One : PlainNames) Made.insert(One);
    return Made;
  }();
  return All.contains(Name);
}

bool mck::statics::isStreamFunction(StringRef Name) {
  static constexpr StringRef Begins[] = {"_ZNSo",          "_ZStls",          "_ZSt16__ostream_insert",
                                         "_ZSt4endl",      "_ZSt4ends",       "_ZSt5flush",
                                         "_ZNKSt5ctype",   "_ZNSt9basic_ios", "_ZNKSt9basic_ios",
                                         "_ZNSt8ios_base", "_ZSt9use_facet",  "_ZSt13__check_facet"};
  return any_of(Begins, [&](StringRef Begin) { return Name.starts_with(Begin); });
}
