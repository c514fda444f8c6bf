/* SPDX-License-Identifier: BSD-2-Clause */
/* See facts.h. */
#include "facts.h"

bool facts_order_counts(const struct facts *f)
{
    if (f->collective == COLL_EXSCAN && f->ranks == 2)
        return false;
    return f->op == OP_ORDERED || (f->op == OP_ROUNDS && !(f->symmetric && f->ranks == 2));
}

bool facts_any_order(const struct facts *f)
{
    return !collective_reduces(f->collective) || (!collective_prefix(f->collective) && f->op != OP_ORDERED);
}

enum source facts_source(const struct facts *f)
{
    return f->op == OP_ROUNDS || f->op == OP_ORDERED ? SOURCE_SURE : SOURCE_MEASURED;
}

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

const char *reason_word(enum reason r)
{
#define WORD(name, word, text) word,
    static const char *const words[] = {REASONS_OF_PLANS(WORD)};
    return words[r];
}

const char *op_word(int o)
{
    static const char *const words[] = {
        [OP_NONE] = "none", [OP_EXACT] = "exact", [OP_ROUNDS] = "rounding", [OP_ORDERED] = "user", NULL};
    return words[o];
}

enum root_place root_place(int root, int ranks)
{
    return root == 0 ? ROOT_FIRST : root == ranks - 1 ? ROOT_LAST : ROOT_INSIDE;
}

const char *root_word(int r)
{
    static const char *const words[] = {[ROOT_FIRST] = "first", [ROOT_LAST] = "last", [ROOT_INSIDE] = "inside", NULL};
    return words[r];
}
