/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A large stack; see large_stack.h. Another thread would have one, too, but MPI may be called only by the program's own.
 */
#include "large_stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* At the upper end of the memory for a stack, so that they take no room on the caller's stack. */
struct switching {
    void (*f)(void *);
    void *argument;
    ucontext_t here, there;
};

/* Has the thread's stack room? If a runtime of user-level threads has made this stack, nothing is known of it. */
static bool has_room(void)
{
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    char here;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    const uintptr_t left = (uintptr_t)&here - (uintptr_t)lowest;
    return left < size && left >= LARGE_STACK;
}

/* makecontext() passes ints. */
static void begin(unsigned high, unsigned low)
{
    struct switching *s = (struct switching *)((uintptr_t)high << 16 << 16 | low);
    s->f(s->argument);
}

void large_stack_call(void (*f)(void *argument), void *argument)
{
    const int saved = errno; /* of the application */
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE), all = guard + LARGE_STACK + sizeof(struct switching);
    char *memory =
        has_room() ? MAP_FAILED : mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
        errno = saved;
        f(argument);
        return;
    }
    mprotect(memory, guard, PROT_NONE);
    struct switching *s = (struct switching *)(void *)(memory + guard + LARGE_STACK);
    s->f = f;
    s->argument = argument;
    getcontext(&s->there);
    s->there.uc_stack.ss_sp = memory + guard;
    s->there.uc_stack.ss_size = LARGE_STACK;
    s->there.uc_link = &s->here;
    makecontext(&s->there, (void (*)(void))begin, 2, (unsigned)((uintptr_t)s >> 16 >> 16), (unsigned)(uintptr_t)s);
    swapcontext(&s->here, &s->there);
    munmap(memory, all);
    errno = saved;
}
