/* SPDX-License-Identifier: BSD-2-Clause */
/* No thread, as MPI wants the program's own. */
#include "large_stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

struct switching {
    void (*f)(void *);
    void *argument;
    ucontext_t here, there;
};

/* Of this thread, asked once; 0 bytes: unknown. */
static _Thread_local struct own_stack {
    bool asked;
    uintptr_t lowest;
    size_t size;
} own_stack;

static void ask_for_stack(struct own_stack *s)
{
    pthread_attr_t attributes;
    void *lowest = NULL;
    s->asked = true;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    pthread_attr_getstack(&attributes, &lowest, &s->size);
    pthread_attr_destroy(&attributes);
    s->lowest = (uintptr_t)lowest;
}

/* False on stacks of user-level threads. */
static bool has_room(void)
{
    char here;
    if (!own_stack.asked)
        ask_for_stack(&own_stack);
    const uintptr_t left = (uintptr_t)&here - own_stack.lowest;
    return left < own_stack.size && left >= LARGE_STACK;
}

static void begin(unsigned high, unsigned low)
{
    struct switching *s = (struct switching *)((uintptr_t)high << 16 << 16 | low);
    s->f(s->argument);
}

void large_stack_call(void (*f)(void *argument), void *argument)
{
    const int saved = errno;
    const bool room = has_room();
    errno = saved;
    if (room) {
        f(argument);
        return;
    }
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE), all = guard + LARGE_STACK + sizeof(struct switching);
    char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
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
