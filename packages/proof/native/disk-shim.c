/*
 * Stands between a process and its disk, by LD_PRELOAD. It can do two things to the files below one
 * directory: write down in order what is done to them and what is answered over TCP, and let the
 * Nth call of a kind fail once. The rest of the system is left alone.
 *
 * Environment:
 *   DISK_SHIM_ROOT     absolute path of the directory; without it the shim does nothing
 *   DISK_SHIM_LOG      file that records are appended to; see record_head for their form
 *   DISK_SHIM_FAULT    "<kind>:<n>:<errno>": which call fails, counted over all threads from 1
 *   DISK_SHIM_FIRED    file that is made when it does
 *   DISK_SHIM_SYNC_US  how much longer each sync takes, in microseconds
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FD_MAX = 65536, COPY_BYTES = 65536 };

/* What a record tells. Names are absolute paths; two of them are parted by a zero byte. */
enum kind {
  WRITE = 1,      /* bytes at an offset; flag 1: they are on the disk already */
  TRUNCATE = 2,   /* offset is the new size */
  SYNC_BEGIN = 3, /* offset is the number of the sync */
  SYNC_END = 4,
  MAKE_FILE = 5,
  MAKE_DIRECTORY = 6,
  MAKE_LINK = 7, /* target, name */
  RENAME = 8,
  HARD_LINK = 9,
  REMOVE = 10,
  ANSWER = 11, /* bytes sent to a client */
};

struct record_head {
  uint32_t kind;
  uint32_t flags;
  uint64_t inode;
  uint64_t offset;
  uint64_t length;
};

/* The kinds of calls that can be told to fail. */
enum fault { NO_FAULT, DATA_WRITE, META_WRITE, OTHER_WRITE, SYNC };

/* What is known of an open file: the inode, so that a descriptor that was used again is noticed. */
struct open_file {
  uint64_t inode;
  int is_data;
};

static struct open_file files[FD_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static unsigned sync_delay_us;
static enum fault fault_kind = NO_FAULT;
static long fault_at;
static int fault_errno;
static long fault_count;
static uint64_t sync_number;

#define REAL(result, name, ...)                                                \
  static result (*real_##name)(__VA_ARGS__);                                   \
  if (real_##name == NULL) *(void **)&real_##name = dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags) {
  REAL(int, open64, const char *, int, ...);
  return real_open64(path, flags, 0600);
}

static void read_fault(const char *text) {
  static const char *const names[] = {"none", "data", "meta", "other", "sync"};
  char name[16];
  if (sscanf(text, "%15[a-z]:%ld:%d", name, &fault_at, &fault_errno) != 3) return;
  for (int kind = DATA_WRITE; kind <= SYNC; kind += 1) {
    if (strcmp(name, names[kind]) == 0) fault_kind = (enum fault)kind;
  }
}

__attribute__((constructor)) static void start(void) {
  const char *directory = getenv("DISK_SHIM_ROOT");
  const char *log = getenv("DISK_SHIM_LOG");
  const char *fault = getenv("DISK_SHIM_FAULT");
  const char *delay = getenv("DISK_SHIM_SYNC_US");
  if (directory == NULL || realpath(directory, root) == NULL) return;
  root_length = strlen(root);
  if (fault != NULL) read_fault(fault);
  if (delay != NULL) sync_delay_us = (unsigned)atoi(delay);
  if (log != NULL) log_fd = real_open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC);
}

static int is_below_root(const char *path) {
  return root_length > 0 && path != NULL && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == '\0');
}

/* Appends one record; all of it, or the log is of no use and the process ends. */
static void record(struct record_head head, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (log_fd < 0) return;
  struct iovec all[IOV_MAX];
  ssize_t total = sizeof head;
  all[0] = (struct iovec){&head, sizeof head};
  head.length = 0;
  for (int at = 0; at < count; at += 1) {
    all[at + 1] = parts[at];
    head.length += parts[at].iov_len;
  }
  total += (ssize_t)head.length;
  pthread_mutex_lock(&lock);
  ssize_t written = real_writev(log_fd, all, count + 1);
  pthread_mutex_unlock(&lock);
  if (written == total) return;
  fputs("disk-shim: the log cannot be written\n", stderr);
  abort();
}

static void record_names(enum kind kind, uint64_t inode, const char *one, const char *other) {
  struct iovec parts[2] = {{(void *)one, strlen(one)}, {(void *)other, 0}};
  if (other != NULL) {
    parts[0].iov_len += 1;
    parts[1].iov_len = strlen(other);
  }
  record((struct record_head){.kind = kind, .inode = inode}, parts, other == NULL ? 1 : 2);
}

static uint64_t inode_of(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

/* The file behind a descriptor if it is below the root and still the one that was opened there. */
static struct open_file *watched(int fd, struct stat *status) {
  if (fd < 0 || fd >= FD_MAX || files[fd].inode == 0) return NULL;
  int saved = errno;
  int is_same = fstat(fd, status) == 0 && status->st_ino == files[fd].inode &&
                (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode));
  errno = saved;
  return is_same ? &files[fd] : NULL;
}

/* Whether this call is the one that has to fail. Sets errno if so. */
static int fails(enum fault kind) {
  if (kind != fault_kind || kind == NO_FAULT) return 0;
  if (__atomic_add_fetch(&fault_count, 1, __ATOMIC_SEQ_CST) != fault_at) return 0;
  const char *fired = getenv("DISK_SHIM_FIRED");
  if (fired != NULL) close(real_open(fired, O_WRONLY | O_CREAT));
  errno = fault_errno;
  return 1;
}

/* LMDB writes its two headers through a descriptor of their own, which waits for the disk. */
static int waits_for_disk(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DSYNC) != 0;
}

static enum fault fault_of_write(const struct open_file *file, int fd) {
  if (!file->is_data) return OTHER_WRITE;
  return waits_for_disk(fd) ? META_WRITE : DATA_WRITE;
}

static void record_write(int fd, uint64_t inode, off_t offset, const struct iovec *parts, int count,
                         ssize_t written) {
  if (log_fd < 0 || written <= 0) return;
  struct iovec kept[IOV_MAX];
  int used = 0;
  for (size_t left = (size_t)written; used < count && left > 0; used += 1) {
    kept[used] = parts[used];
    if (kept[used].iov_len > left) kept[used].iov_len = left;
    left -= kept[used].iov_len;
  }
  uint32_t is_durable = waits_for_disk(fd) ? 1 : 0;
  struct record_head head = {WRITE, is_durable, inode, (uint64_t)offset, 0};
  record(head, kept, used);
}

/* Where a write without an offset begins. */
static off_t position_of(int fd, const struct stat *status) {
  int flags = fcntl(fd, F_GETFL);
  return (flags & O_APPEND) != 0 ? status->st_size : lseek(fd, 0, SEEK_CUR);
}

/* An answer is written down before it is sent, the earliest that a client can know of it. */
static void record_answer(int fd, const struct iovec *parts, int count) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  int saved = errno;
  if (log_fd >= 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
      (address.ss_family == AF_INET || address.ss_family == AF_INET6)) {
    record((struct record_head){.kind = ANSWER}, parts, count);
  }
  errno = saved;
}

/* ---- names ---- */

static void note_opened(int fd, const char *path, int is_new) {
  struct stat status;
  if (fd < 0 || fd >= FD_MAX) return;
  files[fd].inode = 0;
  if (!is_below_root(path) || fstat(fd, &status) != 0) return;
  const char *name = strrchr(path, '/');
  files[fd].is_data = name != NULL && strcmp(name, "/data.mdb") == 0;
  files[fd].inode = status.st_ino;
  if (is_new && S_ISREG(status.st_mode)) record_names(MAKE_FILE, status.st_ino, path, NULL);
}

#define OPEN(name)                                                             \
  int name(const char *path, int flags, ...) {                                 \
    REAL(int, name, const char *, int, ...);                                   \
    va_list rest;                                                              \
    va_start(rest, flags);                                                     \
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;           \
    va_end(rest);                                                              \
    int is_new = is_below_root(path) && (flags & O_CREAT) != 0 &&              \
                 inode_of(path) == 0;                                          \
    int fd = real_##name(path, flags, mode);                                   \
    int saved = errno;                                                         \
    note_opened(fd, path, is_new);                                             \
    if (fd >= 0 && !is_new && (flags & O_TRUNC) != 0 && is_below_root(path))   \
      record((struct record_head){TRUNCATE, 0, inode_of(path), 0, 0}, NULL, 0); \
    errno = saved;                                                             \
    return fd;                                                                 \
  }

OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  int result = real_mkdir(path, mode);
  if (result == 0 && is_below_root(path)) record_names(MAKE_DIRECTORY, inode_of(path), path, NULL);
  return result;
}

char *mkdtemp(char *pattern) {
  REAL(char *, mkdtemp, char *);
  char *path = real_mkdtemp(pattern);
  if (is_below_root(path)) record_names(MAKE_DIRECTORY, inode_of(path), path, NULL);
  return path;
}

int symlink(const char *target, const char *path) {
  REAL(int, symlink, const char *, const char *);
  int result = real_symlink(target, path);
  if (result == 0 && is_below_root(path)) record_names(MAKE_LINK, inode_of(path), target, path);
  return result;
}

int link(const char *from, const char *to) {
  REAL(int, link, const char *, const char *);
  int result = real_link(from, to);
  if (result == 0 && is_below_root(to)) record_names(HARD_LINK, inode_of(to), from, to);
  return result;
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  int result = real_rename(from, to);
  if (result == 0 && is_below_root(to)) record_names(RENAME, inode_of(to), from, to);
  return result;
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  int result = real_unlink(path);
  if (result == 0 && is_below_root(path)) record_names(REMOVE, 0, path, NULL);
  return result;
}

int rmdir(const char *path) {
  REAL(int, rmdir, const char *);
  int result = real_rmdir(path);
  if (result == 0 && is_below_root(path)) record_names(REMOVE, 0, path, NULL);
  return result;
}

/* ---- contents ---- */

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  REAL(ssize_t, pwritev64, int, const struct iovec *, int, off_t);
  struct stat status;
  const struct open_file *file = watched(fd, &status);
  if (file == NULL) {
    if (offset < 0 && root_length > 0) record_answer(fd, parts, count);
    return offset < 0 ? real_writev(fd, parts, count) : real_pwritev64(fd, parts, count, offset);
  }
  if (fails(fault_of_write(file, fd))) return -1;
  off_t start = offset < 0 ? position_of(fd, &status) : offset;
  ssize_t written =
      offset < 0 ? real_writev(fd, parts, count) : real_pwritev64(fd, parts, count, offset);
  int saved = errno;
  record_write(fd, status.st_ino, start, parts, count, written);
  errno = saved;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(fd, &part, 1, -1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return write_parts(fd, parts, count, -1);
}

#define PWRITE(name)                                                           \
  ssize_t name(int fd, const void *bytes, size_t length, off_t offset) {       \
    struct iovec part = {(void *)bytes, length};                               \
    return write_parts(fd, &part, 1, offset);                                  \
  }

PWRITE(pwrite)
PWRITE(pwrite64)

#define PWRITEV(name)                                                          \
  ssize_t name(int fd, const struct iovec *parts, int count, off_t offset) {   \
    return write_parts(fd, parts, count, offset);                              \
  }

PWRITEV(pwritev)
PWRITEV(pwritev64)

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
  REAL(ssize_t, send, int, const void *, size_t, int);
  struct iovec part = {(void *)bytes, length};
  if (root_length > 0) record_answer(fd, &part, 1);
  return real_send(fd, bytes, length, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  REAL(ssize_t, sendmsg, int, const struct msghdr *, int);
  if (root_length > 0) record_answer(fd, message->msg_iov, (int)message->msg_iovlen);
  return real_sendmsg(fd, message, flags);
}

#define TRUNCATE_FD(name)                                                      \
  int name(int fd, off_t size) {                                               \
    REAL(int, name, int, off_t);                                               \
    struct stat status;                                                        \
    int is_watched = watched(fd, &status) != NULL;                             \
    int result = real_##name(fd, size);                                        \
    if (result == 0 && is_watched)                                             \
      record((struct record_head){TRUNCATE, 0, status.st_ino, (uint64_t)size, 0}, NULL, 0); \
    return result;                                                             \
  }

TRUNCATE_FD(ftruncate)
TRUNCATE_FD(ftruncate64)

/* A sync makes durable what was written before it began, so its beginning is written down too. */
static int sync_file(int fd, int (*real_sync)(int)) {
  struct stat status;
  if (watched(fd, &status) == NULL) return real_sync(fd);
  if (fails(SYNC)) return -1;
  uint64_t number = __atomic_add_fetch(&sync_number, 1, __ATOMIC_SEQ_CST);
  struct record_head head = {SYNC_BEGIN, 0, status.st_ino, (uint64_t)getpid() << 32 | number, 0};
  record(head, NULL, 0);
  if (sync_delay_us > 0) usleep(sync_delay_us);
  int result = real_sync(fd);
  int saved = errno;
  head.kind = SYNC_END;
  if (result == 0) record(head, NULL, 0);
  errno = saved;
  return result;
}

int fsync(int fd) {
  REAL(int, fsync, int);
  return sync_file(fd, real_fsync);
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return sync_file(fd, real_fdatasync);
}
