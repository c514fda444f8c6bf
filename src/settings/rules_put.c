/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes rules; see rules.h and pleach-rules(5). */
#include "rules_internal.h"
#include "textfile.h"

#include <string.h>

struct rule rule_for(enum collective c, enum op_class op, int ranks, int node_ranks, const struct engine *e, int64_t block)
{
    struct rule rule = rule_blank;
    rule.collectives = 1u << c;
    if (op != OP_NONE)
        rule.ops = 1u << op;
    rule.ranks = (struct span){ranks, ranks};
    rule.node_ranks = (struct span){node_ranks, node_ranks};
    rule.engine = (struct engine_setting){.rows = (uint64_t)1 << engine_row(e), .named = true};
    rule.block = block;
    return rule;
}

void rule_put(FILE *f, const struct rule *rule)
{
    char value[SETTING_TEXT];
    const char *blank = "";
    bool behind = false;
    for (const struct rule_key *key = rule_keys; key->name; key++) {
        if (key->action && !behind)
            fprintf(f, "%s->", blank);
        behind = key->action;
        blank = behind ? " " : blank;
        if (rule_key_print(key, rule, value)) {
            const char *quote = strpbrk(value, textfile_blanks) ? "\"" : "";
            fprintf(f, "%s%s=%s%s%s", blank, key->name, quote, value, quote);
            blank = " ";
        }
    }
    fputc('\n', f);
}
