// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of rank 0's watch. It listens on a port that the system chooses, and publishes the addresses of all its
// interfaces. The other watches try them in order. Loopback addresses come last: they are right only where nodes are
// simulated; elsewhere a process that answers there does not know the secret.
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include "watch/node/nodes.h"

enum { BACKLOG = 64, CONNECT_MS = 2000 };

static bool is_link_local(const struct mck_node_address *a) {
  return a->is_ipv6 && a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
}

static void add_addresses(struct mck_nodes_call *call, const struct ifaddrs *list, bool is_loopback, bool is_ipv6) {
  for (const struct ifaddrs *i = list; i && call->naddresses < MCK_NODES_ADDRESSES; i = i->ifa_next) {
    if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || !(i->ifa_flags & IFF_LOOPBACK) == is_loopback) continue;
    if (i->ifa_addr->sa_family != (is_ipv6 ? AF_INET6 : AF_INET)) continue;
    struct mck_node_address a = {.is_ipv6 = is_ipv6};
    if (is_ipv6) {
      const struct sockaddr_in6 *in = (const void *)i->ifa_addr;
      memcpy(a.bytes, &in->sin6_addr, 16);
      if (is_link_local(&a)) continue; // the scope is a number that only this machine knows
    } else {
      memcpy(a.bytes, &((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr, 4);
    }
    call->addresses[call->naddresses++] = a;
  }
}

int mck_nodes_listen(struct mck_nodes *nodes) {
  struct mck_nodes_call *call = &nodes->call;
  nodes->listener = -1;
  if (getrandom(call->secret, sizeof call->secret, 0) != sizeof call->secret)
    return EIO; // without random bytes the secret could be guessed
  int no = 0, fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool is_ipv6 = fd >= 0;
  struct sockaddr_storage name = {0};
  socklen_t length = sizeof(struct sockaddr_in6);
  name.ss_family = AF_INET6;
  if (!is_ipv6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) ||
      bind(fd, (struct sockaddr *)&name, length)) {
    if (fd >= 0) close(fd);
    is_ipv6 = false;
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    name.ss_family = AF_INET;
    length = sizeof(struct sockaddr_in);
    if (fd < 0 || bind(fd, (struct sockaddr *)&name, length)) goto failed;
  }
  if (listen(fd, BACKLOG) || getsockname(fd, (struct sockaddr *)&name, &length)) goto failed;
  call->port = ntohs(is_ipv6 ? ((struct sockaddr_in6 *)&name)->sin6_port : ((struct sockaddr_in *)&name)->sin_port);
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list)) goto failed;
  for (int pass = 0; pass < 4; pass++)
    if (is_ipv6 || !(pass % 2)) add_addresses(call, list, pass / 2, pass % 2);
  freeifaddrs(list);
  nodes->listener = fd;
  return 0;
failed:;
  int rc = errno;
  if (fd >= 0) close(fd);
  call->port = 0;
  return rc ? rc : EIO;
}

int mck_nodes_connect(const struct mck_nodes_call *call, uint32_t i, int stop) {
  if (i >= call->naddresses || i >= MCK_NODES_ADDRESSES || !call->port || call->port > 65535) return -1;
  const struct mck_node_address *a = &call->addresses[i];
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)call->port)};
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)call->port)};
  memcpy(&six.sin6_addr, a->bytes, 16);
  memcpy(&four.sin_addr, a->bytes, 4);
  int fd = socket(a->is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int rc = a->is_ipv6 ? connect(fd, (struct sockaddr *)&six, sizeof six)
                      : connect(fd, (struct sockaddr *)&four, sizeof four);
  if (rc && errno == EINPROGRESS) {
    struct pollfd p[2] = {{.fd = fd, .events = POLLOUT}, {.fd = stop, .events = POLLIN}};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(p, 2, CONNECT_MS) > 0 && p[0].revents && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error)
      rc = 0;
  }
  if (!rc) return fd;
  close(fd);
  return -1;
}
