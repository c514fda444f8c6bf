/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps that the files of the inference share; see infer_work.h. */
#include "infer_work.h"

#include "units.h"

#include <stdlib.h>
#include <string.h>

bool infer_ping(struct work *w)
{
    int probes = w->probes;
    w->probes = 0;
    if (probes > 0 && !w->prober->ping(w->prober->self, w->probe, probes))
        return false;
    for (struct probe *p = w->probe; p < w->probe + probes; p++)
        p->least = p->least > SHORTEST_TIME ? p->least : SHORTEST_TIME;
    return true;
}

double infer_median(double *number, int count)
{
    if (count == 0)
        return 0;
    qsort(number, (size_t)count, sizeof *number, ascending_numbers);
    return number[(count - 1) / 2];
}

void infer_add_place(struct work *w, int around, int first, int end)
{
    int row = w->rows++;
    w->place[row] = (struct found){.around = around, .level = around < 0 ? 0 : w->place[around].level + 1};
    w->first[row] = first;
    w->end[row] = end;
    for (int i = first; i < end; i++)
        w->row[w->member[i]] = row;
}

void infer_divide(struct work *w, int row, int parts)
{
    int lowest[PARTS] = {0}, hosts[PARTS] = {0}, order[PARTS], at[PARTS];
    const int begin = w->first[row], end = w->end[row];
    for (int i = begin; i < end; i++) {
        int host = w->member[i], part = w->part[host];
        lowest[part] = hosts[part]++ == 0 || host < lowest[part] ? host : lowest[part];
    }
    for (int part = 0, k; part < parts; part++) {
        for (k = part; k > 0 && lowest[order[k - 1]] > lowest[part]; k--)
            order[k] = order[k - 1];
        order[k] = part;
    }
    for (int k = 0, first = begin; k < parts; first += hosts[order[k++]])
        at[order[k]] = first;
    memcpy(w->scratch, w->member + begin, (size_t)(end - begin) * sizeof *w->member);
    for (int i = 0; i < end - begin; i++)
        w->member[at[w->part[w->scratch[i]]]++] = w->scratch[i];
    for (int k = 0; k < parts; k++)
        infer_add_place(w, row, at[order[k]] - hosts[order[k]], at[order[k]]);
}
