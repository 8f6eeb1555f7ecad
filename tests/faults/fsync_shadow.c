/* Preloaded by a fault test: SHADOW_TO becomes what a power cut would leave of SHADOW_FROM if every byte and
 * every name that was not synced were gone. The content of a file is what it was at its last fsync or fdatasync,
 * under the name it had then; an fsync of a folder makes the names in it durable, renamed and removed ones too.
 * Contents are kept by inode in SHADOW_INODES, because some libraries rename without going through libc. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy(const char *from, const char *to) {
    char fresh[PATH_MAX + 8], buffer[1 << 16];
    snprintf(fresh, sizeof fresh, "%s.fresh", to);
    int in = open(from, O_RDONLY), out = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0) abort();
    for (ssize_t n; (n = read(in, buffer, sizeof buffer)) > 0;)
        if (write(out, buffer, n) != n) abort();
    close(in);
    close(out);
    if (rename(fresh, to)) abort();
}

/* The place below SHADOW_TO that stands for an open file or folder; 0 when it is not below SHADOW_FROM. */
static int shadow_of(int fd, char *path, char *target) {
    const char *from = getenv("SHADOW_FROM"), *to = getenv("SHADOW_TO");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (!from || !to || length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, from, strlen(from)) || !strcmp(path, from)) return 0;
    snprintf(target, PATH_MAX, "%s%s", to, path + strlen(from));
    for (char *slash = strchr(target + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(target, 0700);
        *slash = '/';
    }
    return 1;
}

static void inode_path(char *out, unsigned long inode) {
    snprintf(out, PATH_MAX, "%s/%lu", getenv("SHADOW_INODES"), inode);
}

/* Read through the descriptor: another thread may rename the file meanwhile. */
static void keep_file(int fd, const char *target, unsigned long inode) {
    char kept[PATH_MAX], link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    inode_path(kept, inode);
    copy(link, kept);
    copy(kept, target);
}

static void keep_names(const char *path, const char *target) {
    char real[PATH_MAX + 300], shadow[PATH_MAX + 300], kept[PATH_MAX];
    struct dirent *entry;
    struct stat info;
    mkdir(target, 0700);
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        snprintf(real, sizeof real, "%s/%s", path, entry->d_name);
        snprintf(shadow, sizeof shadow, "%s/%s", target, entry->d_name);
        if (lstat(real, &info) || !S_ISREG(info.st_mode)) continue;
        inode_path(kept, info.st_ino);
        if (!access(kept, R_OK)) copy(kept, shadow);
    }
    if (folder) closedir(folder);
    folder = opendir(target);
    while (folder && (entry = readdir(folder))) {
        snprintf(real, sizeof real, "%s/%s", path, entry->d_name);
        snprintf(shadow, sizeof shadow, "%s/%s", target, entry->d_name);
        if (lstat(real, &info)) unlink(shadow);
    }
    if (folder) closedir(folder);
}

static void keep(int fd) {
    char path[PATH_MAX], target[PATH_MAX];
    struct stat info;
    if (fstat(fd, &info) || !shadow_of(fd, path, target)) return;
    if (S_ISREG(info.st_mode)) keep_file(fd, target, info.st_ino);
    if (S_ISDIR(info.st_mode)) keep_names(path, target);
}

int fsync(int fd) {
    int result = ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
    keep(fd);
    return result;
}

int fdatasync(int fd) {
    int result = ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
    keep(fd);
    return result;
}
