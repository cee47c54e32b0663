// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang-19 and clang++-19 of the tests' PATH: has the server execute clang (server.c). Without a server, and where it
// could not be the same, it executes clang itself.
#include "request.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// clang-19 and clang++-19 are in LLVM's folder without the number. clang's driver calls clang, by its path.
static void execute(char **arguments) {
  const char *slash = strrchr(arguments[0], '/'), *name = slash ? slash + 1 : arguments[0];
  execv(strncmp(name, "clang++", 7) == 0 ? MCK_CLANG_FOLDER "/clang++" : MCK_CLANG_FOLDER "/clang", arguments);
  perror(MCK_CLANG_FOLDER "/clang");
}

// Other descriptors, such as that of a shell's <(command), are not handed over.
static bool has_three_descriptors(void) {
  struct pollfd polled[256];
  for (int fd = 0; fd < 256; fd++) polled[fd] = (struct pollfd){.fd = fd};
  poll(polled, 256, 0);
  for (int fd = 0; fd < 256; fd++)
    if (!(polled[fd].revents & POLLNVAL) != (fd < 3)) return false;
  return true;
}

static int connect_server(void) {
  const char *path = getenv(MCK_SOCKET);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || strlen(path) >= sizeof address.sun_path || !has_three_descriptors()) return -1;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) < 0) close(fd), fd = -1;
  return fd;
}

static uint32_t count_strings(char **strings, uint32_t *bytes) {
  uint32_t n = 0;
  for (; strings[n]; n++) *bytes += (uint32_t)strlen(strings[n]) + 1;
  return n;
}

static bool send_all(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent, size -= (size_t)sent;
  }
  return true;
}

static bool ask(int fd, char **arguments) {
  mck_request_t request = {.mask = umask(0)};
  umask((mode_t)request.mask);
  request.arguments = count_strings(arguments, &request.bytes);
  request.variables = count_strings(environ, &request.bytes);
  char *strings = malloc(request.bytes), *at = strings;
  int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!strings || folder < 0) return false;
  for (char **string = arguments; *string; string++) at = stpcpy(at, *string) + 1;
  for (char **string = environ; *string; string++) at = stpcpy(at, *string) + 1;
  int descriptors[MCK_DESCRIPTORS] = {0, 1, 2, folder};
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof descriptors)];
  } control = {{0}};
  struct iovec part = {&request, sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof descriptors), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&control.head), descriptors, sizeof descriptors);
  return sendmsg(fd, &message, MSG_NOSIGNAL) == sizeof request && send_all(fd, strings, request.bytes);
}

int main(int argc, char **argv) {
  (void)argc;
  int status, server = connect_server();
  if (server < 0) {
    execute(argv);
    return 1;
  }
  if (!ask(server, argv) || recv(server, &status, sizeof status, MSG_WAITALL) != sizeof status) {
    fprintf(stderr, "%s: the server of the tests (tests/Inputs/clang) is gone\n", argv[0]);
    return 1;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 1;
}
