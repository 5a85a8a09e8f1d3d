/* A disk that is slow or fails on demand: LD_PRELOADed in front of the calls that LMDB writes with.
 *
 * The file named by DISK_SHIM says what to do, and only with files called data.mdb:
 *   delay sync 400      each flush takes 400 ms longer
 *   delay meta 400      each write of a meta page does, after the page is there
 *   hold sync 1         each flush waits for as long as the file says so, and a file beside it,
 *                       of the same name and .held, says that one does
 *   hold meta 1         each write of a meta page does, after the page is there
 *   fail sync 5         the next flush fails with this errno (5 is EIO, 28 ENOSPC), once
 *   fail page 28        the next write of data pages does
 *   fail meta 5         the next write of a meta page, which is what commits, does
 * Without the file nothing is different.
 *
 * DISK_SHIM_FAIL_AT=7 and DISK_SHIM_ERRNO=5: the seventh call of this process fails, once, and says so
 * on standard error.
 * DISK_SHIM_LOG names a file: each call that succeeded is appended to it (disk-log.ts reads it). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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

/* Waits for as long as such calls are held, and says so. */
static void wait_held(const char *place) {
  char held[4096];
  int file = -1;
  while (told("hold", place)) {
    if (file < 0) {
      snprintf(held, sizeof held, "%s.held", getenv("DISK_SHIM"));
      file = open(held, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    }
    usleep(2000);
  }
  if (file >= 0) close(file);
}

/* Whether this is the call that is to fail. LMDB writes from one thread at a time. */
static int is_turn(const char *name) {
  static long calls = 0;
  const char *at = getenv("DISK_SHIM_FAIL_AT");
  if (!at || ++calls != atol(at)) return 0;
  dprintf(2, "disk-shim: %s failed\n", name);
  errno = atoi(getenv("DISK_SHIM_ERRNO"));
  return 1;
}

struct record {
  uint32_t kind;
  uint32_t length;
  uint64_t offset;
};

/* Appends a call in one piece. */
static void note(char kind, off64_t offset, const struct iovec *parts, int count) {
  const char *path = getenv("DISK_SHIM_LOG");
  int log = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (log < 0) return;
  struct record head = {(uint32_t)kind, 0, (uint64_t)offset};
  struct iovec all[1 + 64] = {{&head, sizeof head}};
  for (int at = 0; at < count && at < 64; at++) {
    head.length += (uint32_t)parts[at].iov_len;
    all[1 + at] = parts[at];
  }
  ssize_t (*real)(int, const struct iovec *, int) =
      (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (real(log, all, 1 + count) < 0) abort();
  close(log);
}

/* LMDB's meta pages go through a descriptor whose every write is on disk when it returns. */
static char kind_of(int fd) { return fcntl(fd, F_GETFL) & O_DSYNC ? 'd' : 'w'; }

static int flush(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!is_data(fd)) return real(fd);
  if (fails("sync") || is_turn(name)) return -1;
  wait_held("sync");
  usleep((useconds_t)told("delay", "sync") * 1000);
  int result = real(fd);
  if (result == 0) note('s', 0, NULL, 0);
  return result;
}

int fdatasync(int fd) { return flush("fdatasync", fd); }
int fsync(int fd) { return flush("fsync", fd); }

int ftruncate64(int fd, off64_t length) {
  int (*real)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
  if (!is_data(fd)) return real(fd, length);
  if (is_turn("ftruncate64")) return -1;
  int result = real(fd, length);
  if (result == 0) note('t', length, NULL, 0);
  return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) =
      (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (!is_data(fd)) return real(fd, bytes, count, offset);
  if (fails(offset < META_BYTES ? "meta" : "page") || is_turn("pwrite64")) return -1;
  ssize_t result = real(fd, bytes, count, offset);
  if (offset < META_BYTES) {
    usleep((useconds_t)told("delay", "meta") * 1000);
    wait_held("meta");
  }
  struct iovec part = {(void *)bytes, count};
  if (result == (ssize_t)count) note(kind_of(fd), offset, &part, 1);
  return result;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t (*real)(int, const struct iovec *, int) =
      (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (!is_data(fd)) return real(fd, parts, count);
  if (fails("page") || is_turn("writev")) return -1;
  off64_t offset = lseek64(fd, 0, SEEK_CUR);
  ssize_t result = real(fd, parts, count);
  if (result > 0) note(kind_of(fd), offset, parts, count);
  return result;
}
