/* A disk that is slow or fails on demand: LD_PRELOADed in front of the calls that LMDB writes with.
 *
 * The file named by DISK_SHIM says what to do, and only with files called data.mdb:
 *   delay sync 400      each flush takes 400 ms longer
 *   fail sync 5         the next flush fails with this errno (5 is EIO, 28 ENOSPC), once
 *   fail page 28        the next write of data pages does
 *   fail meta 5         the next write of a meta page, which is what commits, does
 * Without the file nothing is different. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* LMDB keeps its two meta pages in front. */
#define META_BYTES (2 * 4096)

static int is_data(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  return name && strcmp(name, "/data.mdb") == 0;
}

/* The number that belongs to "verb place", or 0. */
static int told(const char *verb, const char *place) {
  const char *path = getenv("DISK_SHIM");
  char text[64] = "", said[16] = "", where[16] = "";
  int number = 0;
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0 || sscanf(text, "%15s %15s %d", said, where, &number) != 3) return 0;
  return strcmp(said, verb) == 0 && strcmp(where, place) == 0 ? number : 0;
}

/* Whether this call is to fail: errno is set, and the next one is fine again. */
static int fails(const char *place) {
  int number = told("fail", place);
  if (number == 0) return 0;
  unlink(getenv("DISK_SHIM"));
  errno = number;
  return 1;
}

static int flush(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (is_data(fd)) {
    if (fails("sync")) return -1;
    usleep((useconds_t)told("delay", "sync") * 1000);
  }
  return real(fd);
}

int fdatasync(int fd) { return flush("fdatasync", fd); }
int fsync(int fd) { return flush("fsync", fd); }

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) =
      (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (is_data(fd) && fails(offset < META_BYTES ? "meta" : "page")) return -1;
  return real(fd, bytes, count, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t (*real)(int, const struct iovec *, int) =
      (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (is_data(fd) && fails("page")) return -1;
  return real(fd, parts, count);
}
