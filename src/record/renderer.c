/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads the renderer; see renderer.h. */
#include "renderer.h"

#include "module.h"

const struct renderer *renderer_open(char *why, size_t size)
{
    static const struct renderer *renderer;
    if (!renderer)
        renderer = module_open("libpleach-report.so", "pleach_renderer", why, size);
    return renderer;
}
