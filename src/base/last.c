/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit() runs destructors in its last handler, and handlers registered there after it. on_exit(): a library's atexit()
 * handlers run before its destructors end.
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
