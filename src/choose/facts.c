/* SPDX-License-Identifier: BSD-2-Clause */
/* The words for reasons, classes of operations and places of the root; see facts.h. */
#include "facts.h"

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

const char *op_word(enum op_class o)
{
    static const char *const words[] = {
        [OP_NONE] = "none", [OP_EXACT] = "exact", [OP_ROUNDS] = "rounding", [OP_ORDERED] = "user"};
    return words[o];
}

enum root_place root_place(int root, int ranks)
{
    return root == 0 ? ROOT_FIRST : root == ranks - 1 ? ROOT_LAST : ROOT_INSIDE;
}

const char *root_word(enum root_place r)
{
    static const char *const words[] = {[ROOT_FIRST] = "first", [ROOT_LAST] = "last", [ROOT_INSIDE] = "inside"};
    return words[r];
}
