/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Colours of engines; see colour.h. Where the distances between colours allow it, engines of a family have similar hues:
 * trees blue, chains yellow, places red, nodes blue to violet. Engines in reference/ are paler. All native engines are grey.
 * tests/check_colour.c checks the distances.
 */
#include "colour.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *engine, *colour;
} table[] = {
    {"auto", "#000000"},
    {"native", "#a9abae"},
    {"node-flat", "#382afd"},
    {"node-tree", "#4e54c6"},
    {"node-copy", "#4a3df0"},
    {"node-line", "#0049db"},
    {"node-ring", "#a21f71"},
    {"node-prefixes", "#0098f0"},
    {"two-tree", "#0072b2"},
    {"bintree", "#58c1ff"},
    {"binomial", "#94793e"},
    {"latency-tree", "#437aff"},
    {"circulant", "#d55e00"},
    {"chain", "#f0a300"},
    {"ring", "#abae4f"},
    {"doubling", "#97992f"},
    {"butterfly", "#0e936b"},
    {"smp-phases", "#1f8872"},
    {"doubly-pipelined", "#874575"},
    {"fractional", "#c576b0"},
    {"places", "#a73751"},
    {"places-line", "#f94684"},
    {"places-tree", "#a71a98"},
    {"lanes", "#805030"},
    {"two-tree-mirror", "#94b3c2"},
    {"smp", "#79c6a1"},
    {"smp-nested", "#bdbc43"},
    {"mesh", "#e2aa78"},
    {"scatter-allgather", "#8d87c6"},
    {"adaptive-latency", "#76a8e0"},
    {"adaptive-bandwidth", "#7ac0e1"},
    {"fractional-places", "#f99e9f"},
};

const char *engine_colour(const char *name)
{
    const size_t length = strcspn(name, ":");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(table[i].engine, name, length) == 0 && !table[i].engine[length])
            return table[i].colour;
    return table[0].colour;
}
