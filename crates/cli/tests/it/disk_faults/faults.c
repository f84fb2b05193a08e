/* Makes the calls by which a program writes fail on demand, for files of one ending. Loaded before the C library
 * (LD_PRELOAD) by disk_faults.rs. The file that LOZENGE_FAULTS names holds one line, `CALLS ENDING ERRNO`, such as
 * `write -wal 28`; while it is empty, nothing fails. CALLS is `write`, `sync` or `both`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fault(const char *call, int fd) {
    const char *control = getenv("LOZENGE_FAULTS");
    char line[128] = {0}, link[64], path[4096] = {0}, calls[16], ending[64];
    int number, saved = errno;
    if (!control) return 0;
    int file = open(control, O_RDONLY | O_CLOEXEC);
    if (file < 0) { errno = saved; return 0; }
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    errno = saved;
    if (length <= 0 || sscanf(line, "%15s %63s %d", calls, ending, &number) != 3) return 0;
    if (strcmp(calls, "both") != 0 && strcmp(calls, call) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (size < (ssize_t)strlen(ending) || strcmp(path + size - strlen(ending), ending) != 0) return 0;
    errno = number;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
    return fault("write", fd) ? -1 : REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    return fault("write", fd) ? -1 : REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return fault("write", fd) ? -1 : REAL(pwrite64)(fd, data, size, at);
}
int ftruncate(int fd, off_t size) { return fault("write", fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fault("write", fd) ? -1 : REAL(ftruncate64)(fd, size); }
int fsync(int fd) { return fault("sync", fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fault("sync", fd) ? -1 : REAL(fdatasync)(fd); }
