/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach tune: measures native calls and engines, writes a file of rules; see pleach-rules(5). */
#include "agenda.h"

#include "../interpose/process.h"
#include "progress.h"
#include "rulesfile.h"

#include <stdlib.h>

enum { FACTOR = 4, LEAST_BLOCK = 1 << 10, MOST_BLOCK = 1 << 20 };

/* The power of two nearest to the size of the blocks that the model likes best. */
static int64_t modelled_block(const struct trial *t, int row)
{
    struct plan plan = choose_row(&process.settings, NULL, &t->facts, row);
    int64_t block = LEAST_BLOCK;
    while (block < MOST_BLOCK && block * block * 2 < t->facts.bytes / plan.blocks * (t->facts.bytes / plan.blocks))
        block *= 2;
    return block;
}

/* An engine with the blocks of the model, half and twice as large, unless that makes no difference. */
static void add_engine(struct trial *t, int row)
{
    int64_t block = modelled_block(t, row);
    int first = t->ways;
    for (int64_t b = block / 2; b <= 2 * block; b *= 2) {
        int before = t->ways;
        trial_add(t, row, b);
        if (t->ways > before && before > first && t->way[before].plan.blocks == t->way[before - 1].plan.blocks)
            t->ways = before;
    }
}

static void measure_item(struct trial *t, double seconds)
{
    trial_add(t, 0, 0);
    for (int row = 1; engines[row]; row++)
        if (wishes.rows.bits >> row & 1 && !choose_offer(&process.settings, NULL, &t->facts, row).barred)
            add_engine(t, row);
    trial_run(t, 0, seconds, true);
}

/* What won at item's size; `w` follows the winners at smaller sizes, of which there are `count`. */
static void pick(const struct trial *t, const struct item *item, struct winner *w, int count)
{
    struct timing timing[MOST_WAYS];
    const struct winner *before = NULL;
    for (int i = 0; i < t->ways; i++) {
        timing[i] = t->way[i].timing;
        bool first = i == 0 || timing[i].engine != timing[i - 1].engine;
        if (timing[i].right || !first)
            continue;
        progress_end();
        cli_warn("%s delivered a wrong result for %s of %lld bytes; it gets no rule", timing[i].engine->name,
                 collective_name(item->collective), (long long)item->bytes);
    }
    for (int i = 1; i <= count; i++)
        if (w[-i].collective == item->collective && w[-i].op == item->op) {
            before = &w[-i];
            break;
        }
    *w = (struct winner){.collective = item->collective, .op = item->op, .bytes = item->bytes};
    tuning_pick(w, timing, t->ways, before);
}

static int by_call(const void *a, const void *b)
{
    const struct winner *x = a, *y = b;
    if (x->collective != y->collective || x->op != y->op)
        return x->collective != y->collective ? (int)x->collective - (int)y->collective : (int)x->op - (int)y->op;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

int tune(void)
{
    static struct agenda agenda;
    static struct trial trial;
    static struct winner winner[MOST_ITEMS];
    int count = 0;
    rulesfile_check(wishes.output);
    agenda_make(&agenda, FACTOR);
    agenda_by_size(&agenda);
    for (; count < agenda.count && agenda_open(&agenda, count, &trial); count++) {
        measure_item(&trial, agenda_share(&agenda, count));
        pick(&trial, &agenda.item[count], &winner[count], count);
        trial_close(&trial);
    }
    progress_end();
    if (count < agenda.count)
        cli_warn("the time limit of %lld s left %d of %d measurements undone, those of the largest messages",
                 (long long)wishes.seconds, agenda.count - count, agenda.count);
    qsort(winner, (size_t)count, sizeof winner[0], by_call);
    rulesfile_write(wishes.output, winner, count, agenda.item[agenda.count - 1].bytes);
    return 0;
}
