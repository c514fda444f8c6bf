/* SPDX-License-Identifier: BSD-2-Clause */
/* Call sites: the names of addresses, and where the stack of a site begins and ends. */
#include "recalled.h"
#include "records.h"

/* As in Pleach: an intercepted function, which knows its caller, calls a function that takes the stack. */
static __attribute__((noinline)) void shim_inner(struct record *r, void *caller)
{
    call_site_capture(r->frame, caller);
    __asm__ volatile(""); /* prevents a tail call */
}

static __attribute__((noinline)) void shim(struct record *r)
{
    shim_inner(r, __builtin_return_address(0));
    __asm__ volatile("");
}

static __attribute__((noinline)) void application(struct record *r)
{
    shim(r);
    __asm__ volatile("");
}

static int compare(const void *a, const void *b)
{
    application(*(struct record *const *)a);
    return a < b;
}

/* No symbol table shows this function. Its addresses must not get the name of the function before it. */
static void nameless(void) __asm__(".Lnameless");
static __attribute__((noinline)) void nameless(void)
{
    __asm__ volatile("nop\nnop\nnop\nnop");
}

static void expect_text(void *address, const char *text_of)
{
    static char found[CALL_SITE_TEXT];
    void *frame[CALL_SITE_FRAMES] = {address};
    int length = call_site_text(frame, found, sizeof found);
    ck_assert_str_eq(found, text_of);
    ck_assert_int_eq(length, (int)strlen(text_of));
}

START_TEST(names)
{
    struct record r = sample();
    static char name[CALL_SITE_TEXT];
    Dl_info info;
    record_open("log", 0, 1, 1);
    application(&r);
    call_site_text(r.frame, name, sizeof name);
    ck_assert_int_eq(strncmp(name, "application+0x", 14), 0);
    expect_text((char *)(void *)mkdtemp + 4, "mkdtemp+0x4");
    expect_text((void *)16, "0x10");

    void *start = dlsym(RTLD_DEFAULT, "mkdtemp");
    ck_assert_int_ne(dladdr(start, &info), 0);
    /* The first bytes of the library's file belong to no function. */
    expect_text((char *)info.dli_fbase + 16, "libc.so.6+0x10");

    ck_assert_int_ne(dladdr((void *)nameless, &info), 0);
    const char *slash = strrchr(info.dli_fname, '/'), *module = slash ? slash + 1 : info.dli_fname;
    call_site_text((void *[]){(char *)(void *)nameless + 2, NULL}, name, sizeof name);
    ck_assert_int_eq(strncmp(name, module, strlen(module)), 0);
    ck_assert_int_eq(name[strlen(module)], '+');
}

START_TEST(site_begins_at_the_caller)
{
    struct record r;
    for (int depth = 0; depth <= 3; depth++) {
        record_open("log-%r", depth, 1, depth);
        r = sample();
        application(&r);
        for (int i = 0; i < depth; i++)
            ck_assert_ptr_nonnull(r.frame[i]);
        ck_assert_ptr_null(r.frame[depth]);
        record_add(&r, record_clock());
        record_close();
    }
    contents("log-0");
    ck_assert_str_eq(cell(1, 15), "-");
    contents("log-1");
    ck_assert_int_eq(strncmp(cell(1, 15), "application+0x", 14), 0);
    ck_assert_ptr_null(strchr(cell(1, 15), '<'));
    contents("log-3");
    ck_assert_int_eq(strncmp(cell(1, 15), "application+0x", 14), 0);
    ck_assert_ptr_nonnull(strstr(cell(1, 15), " < site_begins_at_the_caller"));

    record_open("log", 0, 1, 8);
    call_site_capture(r.frame, text); /* a caller that is not on the stack */
    ck_assert_ptr_eq(r.frame[0], text);
    ck_assert_ptr_null(r.frame[1]);
}

/* Takes a site in the place of call_site_capture(). Returns true if it was recalled. */
static __attribute__((noinline)) bool again(void *frame[], void *caller)
{
    enum { OFTEN = 100 };
    void *here = __builtin_frame_address(0);
    if (recalled_capture(here, caller, frame))
        return true;
    call_site_capture(frame, caller);
    for (int i = 0; i < OFTEN; i++)
        recalled_learn(here, frame, 3);
    return false;
}

static __attribute__((noinline)) bool called(void *frame[])
{
    const bool recalled = again(frame, __builtin_return_address(0));
    __asm__ volatile("");
    return recalled;
}

static __attribute__((noinline)) bool inner(void *frame[])
{
    const bool recalled = called(frame);
    __asm__ volatile("");
    return recalled;
}

static __attribute__((noinline)) bool one(void *frame[])
{
    const bool recalled = inner(frame);
    __asm__ volatile("nop");
    return recalled;
}

static __attribute__((noinline)) bool other(void *frame[])
{
    const bool recalled = inner(frame);
    __asm__ volatile("nop\nnop");
    return recalled;
}

/* A site that comes again is recalled; one that differs in an outer frame alone is not. */
START_TEST(recalled)
{
    static bool (*const volatile way[])(void **) = {one, one, other, other, other, one, one};
    static const bool recalls[] = {false, true, false, true, true, false, true};
    void *frame[CALL_SITE_FRAMES], *first[CALL_SITE_FRAMES], *second = NULL;
    record_open("log", 0, 1, 3);
#ifndef __x86_64__
    return; /* return addresses may lie elsewhere */
#endif
    for (size_t i = 0; i < sizeof recalls; i++) {
        ck_assert(way[i](frame) == recalls[i]);
        if (i == 0)
            memcpy(first, frame, sizeof first);
        second = i == 2 ? frame[1] : second;
        ck_assert_ptr_eq(frame[0], first[0]);
        ck_assert_ptr_eq(frame[1], way[i] == one ? first[1] : second);
        ck_assert_ptr_eq(frame[2], first[2]);
        ck_assert_ptr_null(frame[3]);
    }
    ck_assert_ptr_ne(first[1], second);
}

static int looks; /* calls of dladdr1() */

/* Counts the calls of the C library's function. */
int dladdr1(const void *address, Dl_info *info, void **extra, int flags)
{
    static int (*next)(const void *, Dl_info *, void **, int);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "dladdr1");
    looks++;
    return next(address, info, extra, flags);
}

/* A frame is looked up once, however many sites come in turn. If there are too many sites to keep, names are still right. */
START_TEST(many_sites)
{
    enum { SOME = 2000, TOO_MANY = 70000 };
    struct record r = sample();
    char expected[24];
    record_open("log", 0, 1, 1);
    for (int round = 0; round < 3; round++)
        for (uintptr_t i = 1; i <= SOME; i++) {
            r.frame[0] = (void *)(16 * i); /* in no file: written as a number */
            record_add(&r, record_clock());
        }
    record_close();
    ck_assert_int_eq(looks, SOME);
    contents("log");
    for (int i = 1; i <= SOME; i++) {
        snprintf(expected, sizeof expected, "0x%x", 16 * i);
        ck_assert_str_eq(cell(i, 15), expected);
    }
    for (uintptr_t i = 1; i <= TOO_MANY; i++) {
        snprintf(expected, sizeof expected, "0x%x", (unsigned)(16 * i));
        expect_text((void *)(16 * i), expected);
    }
    expect_text((void *)16, "0x10");
}

int main(void);

START_TEST(site_ends_at_main)
{
    struct record r = sample(), *pointer = &r;
    record_open("log", 0, 1, CALL_SITE_FRAMES);
    qsort((struct record *[]){pointer, pointer}, 2, sizeof pointer, compare);
    record_add(&r, record_clock());
    void *caller = r.frame[0];
    memcpy(r.frame, (void *[]){caller, (char *)(void *)main + 4, caller, NULL}, 4 * sizeof(void *));
    record_add(&r, record_clock());
    memcpy(r.frame, (void *[]){caller, (char *)dlsym(RTLD_DEFAULT, "__libc_start_main") + 4, caller, NULL},
           4 * sizeof(void *));
    record_add(&r, record_clock()); /* as in a program without symbols */
    record_close();
    contents("log");
    ck_assert_str_eq(strchr(cell(2, 15), '<'), "< main+0x4");
    ck_assert_ptr_null(strchr(cell(3, 15), '<'));
    const char *site = cell(1, 15), *last = strrchr(site, '<');
    ck_assert_ptr_nonnull(strstr(site, " < compare+0x"));
    ck_assert_ptr_nonnull(strstr(site, "qsort")); /* through a library without a symbol table */
    ck_assert_int_eq(strncmp(last, "< main+0x", 9), 0);
}

/*
 * The log names the origin of each frame once, before the frame's first record. The origin does not depend on the address at
 * which the program is loaded.
 */
START_TEST(origins)
{
    struct record r = sample();
    char self[PATH_MAX] = "", where[PATH_MAX + 256], text_of[CALL_SITE_ORIGIN];
    static struct call_site_seen seen;
    struct link_map *map;
    Dl_info info;
    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    record_open("log", 0, 1, 1);
    for (int i = 0; i < 3; i++) {
        application(&r); /* the loop gives the same address each time */
        record_add(&r, record_clock());
    }
    r.frame[0] = (void *)16; /* in no file */
    record_add(&r, record_clock());
    record_close();
    all_contents("log");
    ck_assert_int_eq(lines(text), 8);
    ck_assert_int_eq(strncmp(strchr(text, '\n') + 1, "# pleach-log 1, Pleach ", 23), 0);
    const char *line = strstr(text, "\n# frame 0x"), *name = strstr(line, " application+0x");
    ck_assert_ptr_eq(strchr(line + 1, '\n') + 1, strstr(text, "\n0\t") + 1);
    ck_assert_ptr_nonnull(name);
    snprintf(where, sizeof where, " %s\n", self);
    ck_assert_ptr_eq(strstr(name, where), strchr(name + 1, ' '));

    application(&r);
    ck_assert_int_gt(call_site_origin(r.frame, &seen, text_of, sizeof text_of), 0);
    ck_assert_int_ne(dladdr1(r.frame[0], &info, (void **)&map, RTLD_DL_LINKMAP), 0);
    ck_assert_uint_eq(strtoul(text_of, NULL, 16), (uintptr_t)r.frame[0] - map->l_addr - 1);
    ck_assert_int_eq(call_site_origin(r.frame, &seen, text_of, sizeof text_of), 0);
    for (uintptr_t i = 1; i < CALL_SITE_SEEN; i++) {
        r.frame[0] = (void *)(16 * i);
        ck_assert_int_eq(call_site_origin(r.frame, &seen, text_of, sizeof text_of), 0);
    }
    ck_assert_int_eq(seen.count, CALL_SITE_SEEN);
    application(&r);
    r.frame[0] = (char *)r.frame[0] + 1;
    ck_assert_int_eq(call_site_origin(r.frame, &seen, text_of, sizeof text_of), 0); /* `seen` is full */
}

static void *thread_site(void *r)
{
    application(r);
    return NULL;
}

START_TEST(site_ends_in_the_thread)
{
    struct record r = sample();
    pthread_t thread;
    record_open("log", 0, 1, CALL_SITE_FRAMES);
    ck_assert_int_eq(pthread_create(&thread, NULL, thread_site, &r), 0);
    pthread_join(thread, NULL);
    record_add(&r, record_clock());
    record_close();
    contents("log");
    ck_assert_ptr_nonnull(strstr(cell(1, 15), " < thread_site+0x"));
    ck_assert_ptr_null(strstr(strstr(cell(1, 15), "thread_site"), " < "));
}

/* The log leaves out frames of the MPI library. Here, a copy of libm, named libmpitest.so, counts as that library. */
START_TEST(mpi_frames_are_dropped)
{
    struct record r = sample();
    Dl_info info;
    char command[PATH_MAX + 64];
    ck_assert_int_ne(dladdr(dlsym(dlopen("libm.so.6", RTLD_LAZY), "fmod"), &info), 0);
    snprintf(command, sizeof command, "cp '%s' libmpitest.so", info.dli_fname);
    ck_assert_int_eq(system(command), 0);
    void *mpi = dlsym(dlopen("./libmpitest.so", RTLD_LAZY | RTLD_LOCAL), "fmod");
    ck_assert_ptr_nonnull(mpi);
    mpi = (char *)mpi + 4;

    record_open("log", 0, 1, 3);
    r.frame[0] = r.frame[1] = mpi;
    record_add(&r, record_clock());
    application(&r);
    void *caller = r.frame[0];
    memcpy(r.frame, (void *[]){mpi, mpi, caller, mpi, NULL}, 5 * sizeof(void *));
    record_add(&r, record_clock());
    record_close();
    contents("log");
    ck_assert_ptr_nonnull(strstr(cell(1, 15), "0x")); /* there is no other frame to show */
    ck_assert_ptr_null(strchr(cell(1, 15), '<'));
    ck_assert_int_eq(strncmp(cell(2, 15), "application+0x", 14), 0);
    ck_assert_ptr_nonnull(strchr(cell(2, 15), '<')); /* the next frame further out stays */
}

SUITE("site", 60)
