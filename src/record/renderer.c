/* SPDX-License-Identifier: BSD-2-Clause */
/* See renderer.h. */
#include "renderer.h"

#include "large_stack.h"
#include "module.h"

static struct {
    const struct renderer *renderer;
    char *why;
    size_t size;
} opened;

static void open_module(void *unused)
{
    (void)unused;
    opened.renderer = module_open("libpleach-report.so", "pleach_renderer", opened.why, opened.size);
}

const struct renderer *renderer_open(char *why, size_t size)
{
    opened.why = why;
    opened.size = size;
    if (!opened.renderer)
        large_stack_call(open_module, NULL);
    return opened.renderer;
}
