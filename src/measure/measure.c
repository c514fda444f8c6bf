/* SPDX-License-Identifier: BSD-2-Clause */
/* See measure.h. */
#include "measure.h"

#include "clocks.h"
#include "figures.h"
#include "process.h"
#include "region.h"
#include "sharing.h"
#include "small_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Latency has changed by this factor, as between places (infer). */
static const double MOVED = 1.6;

static void adopt_info(struct comm *c, const struct group_info *found)
{
    struct machine *m = &c->known.machine;
    memcpy(m->figures, found->machine.figures, sizeof m->figures);
    memcpy(m->noisy, found->machine.noisy, sizeof m->noisy);
    memcpy(m->native, found->machine.native, sizeof m->native);
    m->measured = true;
    c->locality.measured = found;
    c->locality.ahead = found->ahead;
    region_adopt(c, found);
    comm_knows_machine(c);
}

static _Atomic int measurements;

/* The most of any rank. Kept answers rest on `doublings`. */
static void raise_measurements(struct comm *c, int most)
{
    enum { MOST_DOUBLINGS = 30 };
    const int more = most + 1 - CHEAP_MEASUREMENTS;
    const int doublings = more < 0 ? 0 : more < MOST_DOUBLINGS ? more : MOST_DOUBLINGS;
    if (doublings == c->known.budget.doublings)
        return;
    c->known.budget.doublings = doublings;
    comm_knows_machine(c);
}

/*
 * If `asked`, group infos may differ, or be missing; if on all ranks, the group will measure, and must know how often it
 * has.
 */
bool measure_inherit(struct comm *c)
{
    const struct group_info *around = group_info_about(c->user, true);
    if (c->locality.info->asked || !around) {
        uint64_t id = around ? around->id : 0, most[3] = {id, ~id, (uint64_t)measurements};
        words_largest(c->user, most, 3);
        if (most[0] != ~most[1])
            around = NULL;
        if (!around)
            raise_measurements(c, (int)most[2]);
    }
    if (around)
        adopt_info(c, around);
    return around != NULL;
}

/* Figures and clocks. All ranks take rank 0's, as rounding may differ. */
static void find_figures(struct comm *c, const int *order, char *buffers, struct group_info *found, struct limit *limit)
{
    found->machine = figures_measure(c, order, buffers, limit);
    found->ahead = clocks_ahead(c);
    pmpi.Bcast(&found->machine, (int)sizeof found->machine, MPI_BYTE, 0, c->channel.comm);
}

/* False if disturbed; alike on all ranks. */
static bool has_moved(const struct machine *before, const struct group_info *found)
{
    double was = before->figures[LINK_NETWORK].alpha, is = found->machine.figures[LINK_NETWORK].alpha;
    bool known = !before->noisy[LINK_NETWORK] && !found->machine.noisy[LINK_NETWORK];
    return known && (is > MOVED * was || is * MOVED < was);
}

static void measure_machine(struct comm *c, struct group_info *found, int *order, char *buffers, struct limit *limit)
{
    const struct machine *before = &c->known.machine;
    if (before->measured)
        region_keep(c, found);
    else
        region_measure(c, found, order, limit);
    /* By places, as engines exchange between neighbours in this order. */
    region_order(c, found, order);
    find_figures(c, order, buffers, found, limit);
    if (before->measured && has_moved(before, found))
        region_measure(c, found, order, limit);
    found->measured = true;
    measurements++;
    found->id = group_info_new_id(process.rank);
    pmpi.Bcast(&found->id, 1, MPI_UINT64_T, 0, c->channel.comm);
    group_info_remember(found, c->user);
    adopt_info(c, found);
}

/* All agree that they have memory, and so are here: waiting does not count. */
static bool measure_within(struct comm *c, double most, struct measuring *took)
{
    const struct machine *m = &c->known.machine;
    const bool all = !m->measured || !machine_lacks(m);
    struct group_info *found = all ? group_info_copy(c->locality.info, c->user, c->ranks) : NULL;
    char *buffers = malloc(2 * FIGURES_ROOM);
    int *order = malloc((size_t)c->ranks * sizeof *order);
    const bool have = (found || !all) && buffers && order, agreed = pmpi_agreed(c->channel.comm, have, MPI_MIN);
    if (agreed && have) { /* agreed implies `have` */
        struct limit limit = {.start = seconds_now(), .most = most};
        if (all)
            measure_machine(c, found, order, buffers, &limit);
        if (machine_lacks_segment(m))
            sharing_measure(c, buffers, &limit);
        c->known.budget.spent += (int64_t)(1e9 * limit.passed);
        *took = (struct measuring){.seconds = limit_passed(&limit), .late = limit.reached, .all = all};
    } else if (found)
        group_info_free(found);
    free(order);
    free(buffers);
    return agreed;
}

bool measure(struct comm *c, struct measuring *took)
{
    return measure_within(c, budget_left(&c->known.budget, &process.settings, &c->known.machine), took);
}

bool measure_at_leisure(struct comm *c, struct measuring *took)
{
    return measure_within(c, INFINITY, took);
}
