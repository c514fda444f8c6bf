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

static const char *const reasons[REASONS] = {
    [REASON_NONE] = "none",
    [REASON_MODEL] = "model",
    [REASON_LEARNED] = "learned",
    [REASON_TRIAL] = "trial",
    [REASON_FORCED] = "forced",
    [REASON_RANDOM] = "random",
    [REASON_NATIVE_FASTER] = "native-faster",
    [REASON_BELOW_THRESHOLD] = "below-threshold",
    [REASON_DISABLED] = "disabled",
    [REASON_BAD_SETTING] = "bad-setting",
    [REASON_MISMATCH] = "mismatch",
    [REASON_INTERCOMM] = "intercomm",
    [REASON_ONE_RANK] = "one-rank",
    [REASON_ZERO_BYTES] = "zero-bytes",
    [REASON_INVALID] = "invalid",
    [REASON_NOT_APPLICABLE] = "not-applicable",
    [REASON_OVERSUBSCRIBED] = "oversubscribed",
    [REASON_NO_CONTEXT] = "no-context",
    [REASON_NO_MEMORY] = "no-memory",
    [REASON_NO_SHARED_MEMORY] = "no-shared-memory",
    [REASON_RULE] = "rule",
    [REASON_BAD_RULES] = "bad-rules",
    [REASON_OTHER_JOB] = "other-job",
};

const char *reason_word(enum reason r)
{
    return reasons[r];
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
