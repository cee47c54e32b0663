// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before clang (LD_PRELOAD), it keeps clang from its main() and forks a process that goes there for each client
// (client.c). The half million relocations of clang's libraries are then done once: they take 0.1 s of the processor.
// clang's own start of a compiler behind its driver is another client. Ends when its standard input ends.
#include "request.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 256, INPUT = 0, SOCKET, SIGNALS, FIRST };
typedef int main_t(int, char **, char **);

static main_t *clang_main;
static struct pollfd polled[MOST]; // from FIRST on, those of clients
static pid_t processes[MOST];
static nfds_t count = FIRST;
static char own_path[4096];

static void fail(const char *what) {
  perror(what);
  _exit(125);
}

static void read_all(int fd, void *data, size_t size) {
  if (recv(fd, data, size, MSG_WAITALL) != (ssize_t)size) fail("clang server: request");
}

static char **list_strings(char **at, uint32_t n) {
  char **list = calloc(n + 1, sizeof *list);
  if (!list) fail("clang server");
  for (uint32_t i = 0; i < n; i++) list[i] = *at, *at += strlen(*at) + 1;
  return list;
}

// In the new process: becomes what the client asks for.
static int execute(int client) {
  mck_request_t request;
  int descriptors[MCK_DESCRIPTORS];
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof descriptors)];
  } control = {{0}};
  struct iovec part = {&request, sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  if (recvmsg(client, &message, MSG_CMSG_CLOEXEC) != sizeof request ||
      control.head.cmsg_len != CMSG_LEN(sizeof descriptors))
    fail("clang server: request");
  memcpy(descriptors, CMSG_DATA(&control.head), sizeof descriptors);
  char *strings = malloc(request.bytes), *at = strings;
  if (!strings) fail("clang server");
  read_all(client, strings, request.bytes);
  char **arguments = list_strings(&at, request.arguments);
  environ = list_strings(&at, request.variables);
  umask((mode_t)request.mask);
  for (int fd = 0; fd < 3; fd++)
    if (dup2(descriptors[fd], fd) < 0) fail("clang server: dup2");
  if (fchdir(descriptors[3]) < 0) fail("clang server: fchdir");
  for (int i = 0; i < MCK_DESCRIPTORS; i++) close(descriptors[i]);
  close(client);
  return clang_main((int)request.arguments, arguments, environ);
}

static void add_client(int fd, pid_t process) {
  polled[count] = (struct pollfd){.fd = fd, .events = POLLRDHUP};
  processes[count++] = process;
}

static void remove_client(nfds_t i) {
  close(polled[i].fd);
  polled[i] = polled[--count], processes[i] = processes[count];
}

static void tell_ends(void) {
  struct signalfd_siginfo info;
  if (read(polled[SIGNALS].fd, &info, sizeof info) < 0) return;
  int status;
  for (pid_t process; (process = waitpid(-1, &status, WNOHANG)) > 0;)
    for (nfds_t i = FIRST; i < count; i++)
      if (processes[i] == process) {
        send(polled[i].fd, &status, sizeof status, MSG_NOSIGNAL);
        remove_client(i);
        break;
      }
}

static int open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || strlen(path) >= sizeof address.sun_path) errno = EINVAL, fail(MCK_SOCKET);
  strcpy(address.sun_path, path);
  unlink(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, MOST) < 0) fail(path);
  return fd;
}

static int serve(int argc, char **argv, char **variables) {
  (void)argc, (void)argv, (void)variables;
  if (readlink("/proc/self/exe", own_path, sizeof own_path - 1) < 0) fail("/proc/self/exe");
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &before);
  polled[INPUT] = (struct pollfd){.fd = 0, .events = POLLIN};
  polled[SOCKET] = (struct pollfd){.fd = open_socket(getenv(MCK_SOCKET)), .events = POLLIN};
  polled[SIGNALS] = (struct pollfd){.fd = signalfd(-1, &set, SFD_CLOEXEC), .events = POLLIN};
  for (;;) {
    polled[SOCKET].events = count < MOST ? POLLIN : 0;
    if (poll(polled, count, -1) < 0 && errno != EINTR) fail("poll");
    if (polled[INPUT].revents) return 0;
    // A client that went away, such as one that was killed, needs no compiler.
    for (nfds_t i = FIRST; i < count; i++)
      if (polled[i].revents) kill(processes[i], SIGKILL), polled[i].events = 0, polled[i].revents = 0;
    if (polled[SIGNALS].revents) tell_ends();
    if (!polled[SOCKET].revents) continue;
    int client = accept4(polled[SOCKET].fd, NULL, NULL, SOCK_CLOEXEC);
    pid_t process = client < 0 ? -1 : fork();
    if (process == 0) {
      for (nfds_t i = SOCKET; i < count; i++) close(polled[i].fd);
      sigprocmask(SIG_SETMASK, &before, NULL);
      return execute(client);
    }
    if (process < 0 && client >= 0) close(client);
    if (process > 0) add_client(client, process);
  }
}

// The loader's start of a program.
__attribute__((visibility("default"))) int __libc_start_main(main_t *given, int argc, char **argv, void (*init)(void),
                                                             void (*fini)(void), void (*loader_fini)(void),
                                                             void *stack_end) {
  typedef int start_t(main_t *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  start_t *start = (start_t *)dlsym(RTLD_NEXT, "__libc_start_main");
  clang_main = given;
  return start(serve, argc, argv, init, fini, loader_fini, stack_end);
}

__attribute__((visibility("default"))) int posix_spawn(pid_t *pid, const char *path,
                                                       const posix_spawn_file_actions_t *actions,
                                                       const posix_spawnattr_t *attributes, char *const *arguments,
                                                       char *const *variables) {
  typedef int spawn_t(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                      char *const *, char *const *);
  spawn_t *spawn = (spawn_t *)dlsym(RTLD_NEXT, "posix_spawn");
  const char *program = strcmp(path, own_path) == 0 ? MCK_CLANG_CLIENT : path;
  return spawn(pid, program, actions, attributes, arguments, variables);
}
