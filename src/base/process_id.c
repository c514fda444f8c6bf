/* SPDX-License-Identifier: BSD-2-Clause */
/* fork() clears the page. */
#include "process_id.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic pid_t *make_page(void)
{
    const int saved = errno;
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) != 0) {
        munmap(page, size);
        page = MAP_FAILED;
    }
    errno = saved;
    return page == MAP_FAILED ? NULL : page;
}

pid_t process_id(void)
{
    static _Atomic(_Atomic pid_t *) kept;
    static atomic_bool tried;
    _Atomic pid_t *own = atomic_load_explicit(&kept, memory_order_acquire);
    if (!own && !atomic_exchange(&tried, true) && (own = make_page()))
        atomic_store(&kept, own);
    if (!own) /* another thread makes it, or the system clears none */
        return getpid();
    pid_t id = atomic_load_explicit(own, memory_order_relaxed);
    if (!id)
        atomic_store_explicit(own, id = getpid(), memory_order_relaxed);
    return id;
}
