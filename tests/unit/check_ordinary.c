/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary memory is that of variables, the heap and the first stack. All other memory must never count as ordinary. */
#include "ordinary.h"
#include "suite.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 1 << 16 };
static char zeros[BYTES], set[BYTES] = {1};

static void *on_another_stack(void *main_local)
{
    char local = 1;
    ck_assert(!ordinary_memory(&local));
    ck_assert(!ordinary_memory(main_local)); /* another thread cannot tell where the first stack begins */
    return NULL;
}

START_TEST(unknown_until_found)
{
    char local = 1, *heap = malloc(64);
    ck_assert(!ordinary_memory(&local) && !ordinary_memory(set) && !ordinary_memory(heap));
    errno = 7;
    ordinary_find();
    ck_assert_int_eq(errno, 7);
    ck_assert(ordinary_memory(&local) && ordinary_memory(set) && ordinary_memory(heap));
    ck_assert(ordinary_memory(zeros) && ordinary_memory(zeros + BYTES - 1) && ordinary_memory(set + BYTES - 1));
    ck_assert(ordinary_memory(NULL));
    free(heap);
}

START_TEST(other_memory)
{
    pthread_t thread;
    char local = 1, *mapped = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ordinary_find();
    ck_assert(!ordinary_memory(mapped) && !ordinary_memory(mapped + BYTES - 1));
    ck_assert(!ordinary_memory((void *)UINTPTR_MAX) && !ordinary_memory((void *)((uintptr_t)&local - BYTES)) &&
              !ordinary_memory(&errno));
    ck_assert(!ordinary_memory((void *)stdout) && !ordinary_memory((void *)(uintptr_t)getpid));
    ck_assert_int_eq(pthread_create(&thread, NULL, on_another_stack, &local), 0);
    pthread_join(thread, NULL);
    munmap(mapped, BYTES);
}

/* If the heap grows or shrinks, ordinary_memory() follows at once. */
START_TEST(the_break)
{
    ordinary_find();
    char *end = sbrk(0);
    ck_assert(ordinary_memory(end - 1) && !ordinary_memory(end));
    ck_assert(sbrk(BYTES) == end);
    ck_assert(ordinary_memory(end) && ordinary_memory(end + BYTES - 1) && !ordinary_memory(end + BYTES));
    ck_assert(sbrk(-BYTES) != (void *)-1);
    ck_assert(!ordinary_memory(end));
}

SUITE("ordinary", 3)
