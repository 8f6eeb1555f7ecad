/* Preloaded by a fault test: at each fsync or fdatasync of a file below SHADOW_FROM the file's content is
 * copied to the same place below SHADOW_TO; renames and removals are followed there. What lies in SHADOW_TO
 * after a kill is what a power cut would leave if every byte written since its last fsync were gone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

/* The place below SHADOW_TO that stands for a path; 0 when the path is not below SHADOW_FROM. */
static int shadow_of(int folder, const char *path, char *target) {
    const char *from = getenv("SHADOW_FROM"), *to = getenv("SHADOW_TO");
    char base[PATH_MAX] = "", link[64], whole[2 * PATH_MAX];
    if (!from || !to) return 0;
    if (path[0] != '/') {
        snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
    }
    snprintf(whole, sizeof whole, "%s%s%s", base, base[0] ? "/" : "", path);
    size_t length = strlen(from);
    if (strncmp(whole, from, length) || whole[length] != '/') return 0;
    snprintf(target, PATH_MAX, "%s%s", to, whole + length);
    return 1;
}

static void make_parents(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static void keep(int fd) {
    char link[64], path[PATH_MAX], target[PATH_MAX], fresh[PATH_MAX + 8], buffer[1 << 16];
    struct stat info;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode)) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    if (!shadow_of(AT_FDCWD, path, target)) return;
    make_parents(target);
    snprintf(fresh, sizeof fresh, "%s.fresh", target);
    int in = open(path, O_RDONLY), out = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0) abort();
    for (ssize_t n; (n = read(in, buffer, sizeof buffer)) > 0;)
        if (write(out, buffer, n) != n) abort();
    close(in);
    close(out);
    REAL(int, "rename", const char *, const char *)(fresh, target);
}

int fsync(int fd) {
    int result = REAL(int, "fsync", int)(fd);
    keep(fd);
    return result;
}

int fdatasync(int fd) {
    int result = REAL(int, "fdatasync", int)(fd);
    keep(fd);
    return result;
}

/* A file that was never synced has no shadow, so its rename leaves nothing durable behind. */
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    int result = REAL(int, "renameat", int, const char *, int, const char *)(old_folder, old, new_folder, new);
    char source[PATH_MAX], target[PATH_MAX];
    if (result == 0 && shadow_of(old_folder, old, source) && shadow_of(new_folder, new, target)) {
        make_parents(target);
        REAL(int, "rename", const char *, const char *)(source, target);
    }
    return result;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

int unlinkat(int folder, const char *path, int flags) {
    int result = REAL(int, "unlinkat", int, const char *, int)(folder, path, flags);
    char target[PATH_MAX];
    if (result == 0 && shadow_of(folder, path, target)) REAL(int, "unlink", const char *)(target);
    return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
