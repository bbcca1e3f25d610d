/* Makes one call of the C library fail, to be preloaded: LD_PRELOAD=faults.so FAULT=allocation:17 neuroprim ...
 * The numbered call since main began fails as it does without memory or with a full disk; all others succeed. With
 * FAULT_COUNT=FILE in the environment the numbers of both kinds of calls are written there at the end.
 * C, because nothing here may allocate or throw. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

enum kind { allocation, written, kinds };
static atomic_long calls[kinds];
static long doomed[kinds];
static atomic_int counting;

static int fails(enum kind kind) {
    if (!atomic_load(&counting)) return 0;
    return atomic_fetch_add(&calls[kind], 1) + 1 == doomed[kind];
}

static void* no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void* malloc(size_t size) { return fails(allocation) ? no_memory() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(allocation) ? no_memory() : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(allocation) ? no_memory() : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) {
    return fails(allocation) ? no_memory() : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** result, size_t alignment, size_t size) {
    void* memory = memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

/* What fails where a disk is full or broken. stdio calls an inner name for its writes, so its functions are here too. */
static int no_room(void) {
    errno = ENOSPC;
    return -1;
}

#pragma GCC diagnostic ignored "-Wpedantic"
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* bytes, size_t count) {
    return fails(written) ? no_room() : NEXT(write)(file, bytes, count);
}
int fsync(int file) { return fails(written) ? no_room() : NEXT(fsync)(file); }
int rename(const char* from, const char* to) { return fails(written) ? no_room() : NEXT(rename)(from, to); }
int ftruncate(int file, off_t size) { return fails(written) ? no_room() : NEXT(ftruncate)(file, size); }
/* The message about another fault goes to standard error, so that one is left alone. */
int fflush(FILE* file) { return file == stdout && fails(written) ? no_room() : NEXT(fflush)(file); }
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
    if (file != stderr && fails(written)) return (size_t)(no_room() + 1);
    return NEXT(fwrite)(bytes, size, count, file);
}
/* The writes of C++ streams. */
ssize_t writev(int file, const struct iovec* parts, int count) {
    return fails(written) ? no_room() : NEXT(writev)(file, parts, count);
}

static void report(void) {
    atomic_store(&counting, 0);
    const char* path = getenv("FAULT_COUNT");
    if (path == NULL) return;
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return;
    dprintf(file, "%ld %ld\n", atomic_load(&calls[allocation]), atomic_load(&calls[written]));
    close(file);
}

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
    const char* fault = getenv("FAULT");
    if (fault != NULL && strncmp(fault, "allocation:", 11) == 0) doomed[allocation] = atol(fault + 11);
    if (fault != NULL && strncmp(fault, "write:", 6) == 0) doomed[written] = atol(fault + 6);
    atomic_store(&counting, 1);
    const int result = real_main(argc, argv, environment);
    report();
    return result;
}

/* Before main the loader and the initialisers of the libraries run: their failures are nothing that a program can
 * answer. */
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end);
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end) {
    real_main = main;
    return NEXT(__libc_start_main)(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
