// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child of ours does the stopping: ptrace tells the tracer's process of stops by SIGCHLD, and the program of this
// rank may have a handler for that. The child is made without an exit signal, calls only the kernel, and dies with
// us.
#define _GNU_SOURCE 1
#include "record/run/process-stack.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_MS = 500, SCAN = 512 };
struct shared {
  struct mck_process_stack peek;
  int error;
  uint64_t low, high; // the code of the program
};

static void pause_1ms(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static bool read_words(pid_t pid, uint64_t address, uint64_t *words, size_t n) {
  struct iovec to = {words, n * 8}, from = {(void *)(uintptr_t)address, n * 8};
  return process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)(n * 8);
}

// A return address lies behind a call instruction: e8 rel32, or ff /2.
static bool is_return(pid_t pid, uint64_t pc) {
#ifdef __x86_64__
  uint64_t word = 0;
  if (!read_words(pid, pc - 8, &word, 1)) return false;
  const unsigned char *b = (const unsigned char *)&word;
  return b[3] == 0xe8 || (b[6] == 0xff && (b[7] & 0x38) == 0x10) || (b[5] == 0xff && (b[6] & 0x38) == 0x10) ||
         (b[2] == 0xff && (b[3] & 0x38) == 0x10);
#else
  (void)pid;
  return pc % 4 == 0;
#endif
}

// At the first instruction of a function, or of the piece of code by which a program calls a library (its PLT: "jmp
// *"), no frame is made yet: the return address is the first word of the stack. Only x86: elsewhere it is in a
// register.
static uint64_t return_of_entry(pid_t pid, const struct shared *s, uint64_t pc, uint64_t sp) {
  uint64_t code = 0, found = 0;
#ifdef __x86_64__
  bool is_read = read_words(pid, pc, &code, 1) && read_words(pid, sp, &found, 1);
  bool is_entry = (code & 0xff) == 0x55 || (uint32_t)code == 0xfa1e0ff3; // push %rbp, endbr64
  bool is_plt = (code & 0xffff) == 0x25ff || (code & 0xffffff) == 0x25fff2;
  if (is_read && (is_entry || is_plt) && found >= s->low && found < s->high && is_return(pid, found)) return found;
#else
  (void)pid, (void)s, (void)pc, (void)sp, (void)code, (void)found;
#endif
  return 0;
}

static void put(struct mck_process_stack *peek, uint64_t pc) {
  if (peek->n < MCK_PROCESS_STACK_MAX) peek->pcs[peek->n++] = pc;
}

// The first word of the stack from sp to fp that points behind a call in the program. Where fp is no frame pointer, as
// in a function that uses its register for something else, so much of the stack is looked at as is read at once.
static uint64_t find_return(pid_t pid, const struct shared *s, uint64_t sp, uint64_t fp) {
  static uint64_t words[SCAN];
  size_t n = fp > sp && (fp - sp) / 8 < SCAN ? (size_t)((fp - sp) / 8) : SCAN;
  if (!read_words(pid, sp, words, n)) return 0;
  for (size_t i = 0; i < n; i++)
    if (words[i] >= s->low && words[i] < s->high && is_return(pid, words[i])) return words[i];
  return 0;
}

// The stack is walked by frame pointers, which mpicc-check keeps. A function of a library without them has left the
// frame pointer of its caller; that caller's own return address is the first on the stack that points behind a call
// in the program. The library may have called another one that has frame pointers, as libc calls the vdso's: then the
// place in the program lies between two frames.
static void walk(pid_t pid, struct shared *s, uint64_t pc, uint64_t sp, uint64_t fp) {
  put(&s->peek, pc + 1);
  uint64_t frame[2];
  for (int i = 0; i < MCK_PROCESS_STACK_MAX; i++) {
    bool is_library = pc < s->low || pc >= s->high, is_frame = fp % 8 == 0 && fp > sp;
    uint64_t found = is_library && (is_frame || !i) ? find_return(pid, s, sp, fp)
                     : !i                           ? return_of_entry(pid, s, pc, sp)
                                                    : 0;
    if (found) put(&s->peek, found);
    if (!is_frame || !read_words(pid, fp, frame, 2) || frame[1] < 4096) break;
    put(&s->peek, frame[1]);
    pc = frame[1];
    sp = fp + 16;
    fp = frame[0];
  }
}

// Runs in the child.
static void look(pid_t pid, struct shared *s) {
  int status = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) || ptrace(PTRACE_INTERRUPT, pid, NULL, NULL)) {
    s->error = errno ? errno : EPERM;
    return;
  }
  bool is_stopped = false;
  for (int i = 0; i < STOP_MS && !is_stopped; i++) {
    is_stopped = waitpid(pid, &status, WNOHANG | __WALL) == pid;
    if (!is_stopped) pause_1ms();
  }
  if (!is_stopped || !WIFSTOPPED(status)) { // it is in a system call that cannot be interrupted
    s->error = EBUSY;
    return; // the end of the tracer lets it go on
  }
#if defined(__x86_64__)
  struct user_regs_struct r;
  struct iovec io = {&r, sizeof r};
  if (!ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &io)) walk(pid, s, r.rip, r.rsp, r.rbp);
#elif defined(__aarch64__)
  struct user_regs_struct r;
  struct iovec io = {&r, sizeof r};
  if (!ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &io)) walk(pid, s, r.pc, r.sp, r.regs[29]);
#endif
  // If it was stopped for a signal, it gets that signal.
  int signal_number = status >> 16 ? 0 : WSTOPSIG(status);
  ptrace(PTRACE_DETACH, pid, NULL, (void *)(intptr_t)signal_number);
}

// Finds the first line of its maps that is code of the program itself.
static bool find_code(long pid, uint64_t *low, uint64_t *high) {
  char name[64], exe[4096], line[4600];
  snprintf(name, sizeof name, "/proc/%ld/exe", pid);
  ssize_t n = readlink(name, exe, sizeof exe - 1);
  if (n <= 0) return false;
  exe[n] = 0;
  snprintf(name, sizeof name, "/proc/%ld/maps", pid);
  FILE *maps = fopen(name, "re");
  bool is_found = false;
  while (maps && !is_found && fgets(line, sizeof line, maps)) {
    unsigned long a, b;
    char rights[8];
    const char *path = strchr(line, '/');
    if (sscanf(line, "%lx-%lx %7s", &a, &b, rights) != 3 || rights[2] != 'x' || !path) continue;
    if (strncmp(path, exe, strlen(exe)) || path[strlen(exe)] != '\n') continue;
    *low = a, *high = b;
    is_found = true;
  }
  if (maps) fclose(maps);
  return is_found;
}

static char state_of(long pid, bool *is_traced) {
  char name[64], line[256], state = 0;
  long tracer = 0;
  snprintf(name, sizeof name, "/proc/%ld/status", pid);
  FILE *file = fopen(name, "re");
  while (file && fgets(line, sizeof line, file)) {
    sscanf(line, "State: %c", &state);
    sscanf(line, "TracerPid: %ld", &tracer);
  }
  if (file) fclose(file);
  *is_traced = tracer != 0;
  return state;
}

bool mck_process_stack_read(struct mck_process_stack *peek, long pid, const char **why) {
  bool is_traced;
  char state = state_of(pid, &is_traced);
  *why = is_traced      ? "a debugger holds it"
         : state == 'T' ? "it is stopped by a signal"
         : !state       ? "it is not there any more"
                        : NULL;
  if (*why) return false;
#if !defined(__x86_64__) && !defined(__aarch64__)
  *why = "its stack cannot be read on this machine";
  return false;
#endif
  struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *why = "its stack cannot be read";
  if (s == MAP_FAILED) return false;
  (void)!find_code(pid, &s->low, &s->high);
  pid_t child = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
  if (child == 0) {
    look((pid_t)pid, s);
    syscall(SYS_exit_group, 0);
  }
  int status;
  for (int i = 0; child > 0; i++) {
    pid_t done = waitpid(child, &status, WNOHANG | __WALL);
    if (done) break;
    if (i == 2 * STOP_MS) kill(child, SIGKILL);
    pause_1ms();
  }
  *peek = s->peek;
  if (s->error == EPERM) *why = "the system does not let us read its stack (ptrace)";
  munmap(s, sizeof *s);
  return peek->n > 0;
}

// The addresses in a file are those of its program headers, which need not be the offsets in it.
static uint64_t address_of(const char *path, uint64_t offset) {
  Elf64_Ehdr head;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  uint64_t found = offset;
  if (fd >= 0 && pread(fd, &head, sizeof head, 0) == sizeof head && !memcmp(head.e_ident, ELFMAG, SELFMAG) &&
      head.e_phentsize == sizeof(Elf64_Phdr)) {
    for (int i = 0; i < head.e_phnum; i++) {
      Elf64_Phdr p;
      if (pread(fd, &p, sizeof p, (off_t)(head.e_phoff + (uint64_t)i * sizeof p)) != sizeof p) break;
      if (p.p_type == PT_LOAD && offset >= p.p_offset && offset - p.p_offset < p.p_filesz)
        found = offset - p.p_offset + p.p_vaddr;
    }
  }
  if (fd >= 0) close(fd);
  return found;
}

bool mck_process_stack_find(long pid, uint64_t pc, char *path, size_t size, uint64_t *offset) {
  char name[64], line[4600];
  snprintf(name, sizeof name, "/proc/%ld/maps", pid);
  FILE *maps = fopen(name, "re");
  bool is_found = false;
  while (maps && !is_found && fgets(line, sizeof line, maps)) {
    unsigned long low, high, start;
    const char *file = strchr(line, '/');
    if (sscanf(line, "%lx-%lx %*s %lx", &low, &high, &start) != 3 || pc < low || pc >= high || !file) continue;
    is_found = snprintf(path, size, "%.*s", (int)strcspn(file, "\n"), file) < (int)size;
    *offset = address_of(path, pc - low + start);
  }
  if (maps) fclose(maps);
  return is_found;
}
