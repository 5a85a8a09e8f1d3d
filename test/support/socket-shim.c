/* A network that fails on demand: LD_PRELOADed in front of the calls that sockets are made of.
 *
 * The file named by SOCKET_SHIM says what to do, for peers on these ports only:
 *   socket 24 8080,53     no socket can be made (24 is EMFILE); whichever port it was for
 *   connect 99 8080       connect() fails at once with this errno, before a packet leaves
 *   heard 113 8080        connect() begins, and then this is heard from the network
 *   write 12 8080         whatever is sent on a connection fails
 *   read 12 8080          whatever is received on it does
 *   start 11 -            no program can be started that is spoken with
 * Without the file nothing is different, but that 192.0.2.0/24 always leads to this machine. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int port_of(const struct sockaddr *peer) {
  if (peer->sa_family == AF_INET) return ntohs(((const struct sockaddr_in *)peer)->sin_port);
  if (peer->sa_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)peer)->sin6_port);
  return 0;
}

static int peer_port(int fd) {
  struct sockaddr_storage peer;
  socklen_t length = sizeof peer;
  return getpeername(fd, (struct sockaddr *)&peer, &length) ? 0 : port_of((struct sockaddr *)&peer);
}

/* The errno of this call to this port, or 0. Port 0 asks for any. */
static int told(const char *call, int port) {
  const char *path = getenv("SOCKET_SHIM");
  char text[256] = "", said[16] = "", ports[200] = "";
  int number = 0;
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t length = REAL(read)(file, text, sizeof text - 1);
  close(file);
  if (length <= 0 || sscanf(text, "%15s %d %199s", said, &number, ports) != 3) return 0;
  if (strcmp(said, call) != 0) return 0;
  if (port == 0) return number;
  for (char *one = strtok(ports, ","); one; one = strtok(NULL, ","))
    if (atoi(one) == port) return number;
  return 0;
}

static int fails(const char *call, int port) {
  int saved = errno, number = told(call, port);
  errno = number ? number : saved;
  return number != 0;
}

/* Reading and writing: connections to a port only, so that files and pipes are left alone. */
static int breaks(const char *call, int fd) {
  int saved = errno, port = peer_port(fd);
  errno = saved;
  return port != 0 && fails(call, port);
}

int socket(int domain, int type, int protocol) {
  int isInternet = domain == AF_INET || domain == AF_INET6;
  if (isInternet && fails("socket", 0)) return -1;
  return REAL(socket)(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int fds[2]) {
  return fails("start", 0) ? -1 : REAL(socketpair)(domain, type, protocol, fds);
}

int connect(int fd, const struct sockaddr *peer, socklen_t length) {
  int port = port_of(peer);
  struct sockaddr_in here;
  if (port != 0 && fails("connect", port)) return -1;
  if (peer->sa_family == AF_INET) {
    memcpy(&here, peer, sizeof here);
    if (ntohl(here.sin_addr.s_addr) >> 8 == 0xc00002) here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer = (struct sockaddr *)&here;
  }
  return REAL(connect)(fd, peer, length);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *length) {
  int result = REAL(getsockopt)(fd, level, name, value, length);
  if (result == 0 && level == SOL_SOCKET && name == SO_ERROR) {
    int saved = errno, port = peer_port(fd), number = port ? told("heard", port) : 0;
    if (number) *(int *)value = number;
    errno = saved;
  }
  return result;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  return breaks("write", fd) ? -1 : REAL(write)(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return breaks("write", fd) ? -1 : REAL(writev)(fd, parts, count);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  return breaks("write", fd) ? -1 : REAL(send)(fd, bytes, count, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *peer,
               socklen_t length) {
  if (peer ? fails("write", port_of(peer)) : breaks("write", fd)) return -1;
  return REAL(sendto)(fd, bytes, count, flags, peer, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  const struct sockaddr *peer = message->msg_name;
  if (peer ? fails("write", port_of(peer)) : breaks("write", fd)) return -1;
  return REAL(sendmsg)(fd, message, flags);
}

ssize_t read(int fd, void *bytes, size_t count) {
  return breaks("read", fd) ? -1 : REAL(read)(fd, bytes, count);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  return breaks("read", fd) ? -1 : REAL(recv)(fd, bytes, count, flags);
}

ssize_t recvfrom(int fd, void *bytes, size_t count, int flags, struct sockaddr *peer,
                 socklen_t *length) {
  return breaks("read", fd) ? -1 : REAL(recvfrom)(fd, bytes, count, flags, peer, length);
}
