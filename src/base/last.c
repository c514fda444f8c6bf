/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs functions last; see last.h. exit() runs destructors in its last handler, and handlers that these register behind it.
 * on_exit() is used, as handlers of atexit() in a library run before the library's own destructors end.
 */
#include "last.h"

#include <stdlib.h>

enum { MOST = 8 };

static void (*functions[MOST])(void);
static int count;

static void run(int status, void *function)
{
    (void)status;
    (*(void (**)(void))function)();
}

void run_last(void (*function)(void))
{
    functions[count] = function;
    if (on_exit(run, &functions[count++]) != 0)
        function();
}
