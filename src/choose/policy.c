/* SPDX-License-Identifier: BSD-2-Clause */
/* See policy.h. */
#include "policy.h"

#include "candidates.h"
#include "cell.h"
#include "constants.h"
#include "hot.h"
#include "model.h"

#include <math.h>

/* ---- Settings and rules ------------------------------------------------------------------------------------------- */

struct figures policy_figures(const struct settings *s, const struct rule *rule)
{
    struct figures given = figures_or(&s->figures, rule ? &rule->figures : &rule_blank.figures);
    given.hop = given.hop >= 0 ? given.hop : given.alpha;
    given.gap = given.gap >= 0 ? given.gap : given.alpha;
    given.jump = given.alpha >= 0 ? 0 : -1;
    return given;
}

int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const int64_t block = s->block[f->collective];
    return block || !rule ? block : rule->block;
}

bool policy_fits_shape(const struct engine *e, const struct facts *f, const struct shape *shape)
{
    if (e->algorithm)
        return algorithms_have(&f->machine->algorithms, f->collective, e->algorithm) &&
               e->serves[f->collective].text.rounds && need_met(e->serves[f->collective].needs, shape);
    return e == engines[0] || engine_fits(e, shape);
}

bool policy_fits(const struct engine *e, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1);
    return policy_fits_shape(e, f, &shape);
}

static bool serves(uint64_t rows, const struct facts *f, const struct shape *shape)
{
    bool any = false;
    for (int i = 0; engines[i] && !any; i++)
        any = rows >> i & 1 && policy_fits_shape(engines[i], f, shape);
    return any;
}

/*
 * NULL if its engines may not serve a call of this size: below the threshold a rule needs a least size, unless it names
 * algorithms of the MPI library, or native alone.
 */
static const struct rule *rule_of_size(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const bool holds = rule && (!rule->engine.named || rule->engine.rows == 1 || f->bytes >= s->threshold[f->collective] ||
                                f->bytes >= rule_from(rule));
    return holds ? rule : NULL;
}

/* Settings prevail over the rule, the rule over the model. If none of the rule's engines fits, the model chooses. */
static struct engine_setting allowed(const struct settings *s, const struct rule *rule, const struct facts *f,
                                     const struct shape *shape)
{
    struct engine_setting may = s->engine[f->collective];
    if (rule && !may.named && !may.random && serves(rule->engine.rows & may.rows, f, shape)) {
        uint64_t not_excluded = may.rows;
        may = rule->engine;
        may.rows &= not_excluded;
    }
    return may;
}

/* ---- Bits --------------------------------------------------------------------------------------------------------- */

/*
 * Nothing measured decides about bits unless PLEACH_REPRODUCIBLE is no. Other calls get an engine that does well on any
 * machine (regret_list).
 */

bool policy_keeps_bits(const struct settings *s, const struct facts *f)
{
    return s->reproducible && facts_order_counts(f);
}

/* ---- The policy --------------------------------------------------------------------------------------------------- */

static bool may_share(const struct settings *s, const struct machine *m)
{
    return m->one_node && s->shared > 0 && (m->cell || !m->shared_tried);
}

/*
 * If the order counts, what earlier calls have left (`cell`, `busy`) must not matter: the first such call makes the
 * segments.
 */
bool policy_lanes(const struct facts *f)
{
    const struct machine *m = f->machine;
    const bool early = f->bytes >= LANES_FROM || m->cell || m->busy || facts_order_counts(f);
    return m->node_least >= LANES_RANKS && early && (f->bytes >= LANES_FROM || !m->oversubscribed);
}

static bool may_lane(const struct settings *s, const struct facts *f, bool modelled)
{
    const struct machine *m = f->machine;
    if (m->nodes < 2 || s->shared == 0 || (m->shared_tried && !m->cell) || (modelled && !policy_lanes(f)))
        return false;
    return choose_lanes(f, m->cell ? m->cell : segment_cell_bytes(m->node_ranks, m->nodes)) > 0;
}

bool policy_writes(const struct settings *s)
{
    return s->learn[0] && settings_learns(s);
}

/*
 * Below the threshold. If the order counts, see policy_lanes(). With more ranks than cores, native calls wait for ranks
 * without a core, except the shortest (native_runs_ahead()). Trials for a file need the segment from the start.
 */
static bool gains_in_segment(const struct settings *s, const struct facts *f)
{
    const bool ordered = facts_order_counts(f), crowded = f->machine->oversubscribed;
    if (crowded && native_runs_ahead(f))
        return false;
    if (!ordered && !f->machine->cell && !f->machine->busy && !policy_writes(s))
        return false;
    return !ordered || crowded || f->bytes >= SEGMENT_LEAST;
}

static bool below_segment(const struct settings *s, const struct facts *f)
{
    return may_share(s, f->machine) && gains_in_segment(s, f);
}

/* By a rule; or by an algorithm that a setting names and the library can switch to. */
static bool below_named(const struct settings *s, const struct facts *f)
{
    const struct machine *m = f->machine;
    return (m->ruled_from && f->bytes >= m->ruled_from[f->collective]) ||
           (m->algorithms.of[f->collective] && s->engine[f->collective].native);
}

/*
 * Anything but native, below a threshold of auto: through a segment, named, in trials for a file, lanes or multiport, or
 * between places far apart. `far` is measured, so only where bits do not depend on the engine.
 */
static bool serves_below(const struct settings *s, const struct facts *f)
{
    if (s->least[f->collective] >= 0)
        return false;
    return below_segment(s, f) || below_named(s, f) || policy_writes(s) || may_lane(s, f, true) ||
           (f->machine->distant && collective_rooted(f->collective) && (f->op == OP_NONE || f->op == OP_EXACT));
}

/* Why all calls of c stay native by the settings. */
static enum reason switched_off(const struct settings *s, enum collective c)
{
    if (s->threshold[c] == SIZE_INF)
        return REASON_BELOW_THRESHOLD;
    if (s->engine[c].rows == 1)
        return s->engine[c].named ? REASON_FORCED : REASON_NOT_APPLICABLE;
    return REASON_NONE;
}

unsigned policy_switched_off(const struct settings *s)
{
    unsigned off = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        if (switched_off(s, (enum collective)c))
            off |= 1u << c;
    return off;
}

HOT enum reason policy_quick(const struct settings *s, const struct facts *f)
{
    if (f->barred)
        return f->barred;
    if (s->disable)
        return REASON_DISABLED;
    if (f->ranks == 1)
        return REASON_ONE_RANK;
    if (f->bytes == 0 || f->units == 0)
        return REASON_ZERO_BYTES;
    if (f->bytes < s->threshold[f->collective] && !serves_below(s, f))
        return REASON_BELOW_THRESHOLD;
    return switched_off(s, f->collective);
}

static bool any_shares(uint64_t rows, enum collective c, bool composed)
{
    bool any = false;
    for (int i = 0; engines[i] && !any; i++) {
        const struct service *service = &engines[i]->serves[c];
        any = rows >> i & 1 && (composed ? service->composed : service->segment.cells && !service->composed);
    }
    return any;
}

bool policy_segment(const struct policy *p, enum collective c)
{
    return any_shares(p->may.rows, c, false);
}

bool policy_composed(const struct policy *p, enum collective c)
{
    return any_shares(p->may.rows, c, true);
}

static bool may_get_lanes(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    return rule->engine.named && any_shares(rule->engine.rows & s->engine[f->collective].rows, f->collective, true) &&
           may_lane(s, f, false);
}

/*
 * If measurements may not choose the engine, trials only serve reports (dry run) and rules. A trial runs a substitute for a
 * user's operation, whose times would mislead.
 */
static bool shadow_pays(const struct settings *s, const struct facts *f)
{
    return (policy_writes(s) || (s->dry_run && f->op != OP_ORDERED)) && f->bytes <= SHADOW_MOST;
}

struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct rule *sized = rule_of_size(s, rule, f);
    struct policy p = {.shape = choose_shape(f, 1),
                       .refuses = policy_quick(s, f),
                       .order_counts = facts_order_counts(f),
                       .below = f->bytes < s->threshold[f->collective],
                       .segment = below_segment(s, f),
                       .lanes = may_lane(s, f, true),
                       .writes = policy_writes(s),
                       .many = policy_writes(s) && (f->bytes < SHORT_BYTES || isinf(s->budget))};
    const struct figures given = policy_figures(s, rule);
    const bool dry = s->dry_run && (s->dry_trials || s->advice), laned = sized && may_get_lanes(s, sized, f);
    const bool crowded = f->machine->oversubscribed;
    const bool sharing = p.below ? p.segment : may_share(s, f->machine);
    const bool pays = !p.below || p.writes || !(sharing || below_named(s, f));

    p.may = allowed(s, sized, f, &p.shape);
    p.picks = p.may.random                     ? REASON_RANDOM
              : s->engine[f->collective].named ? REASON_FORCED
              : p.may.named                    ? REASON_RULE
                                               : REASON_MODEL;
    const bool modelled = p.picks == REASON_MODEL && !laned;
    const bool may_refuse = p.below || p.may.rows & 1; /* ^native names all other engines, which then serve */
    if (!p.refuses && crowded && modelled && !sharing && may_refuse)
        p.refuses = p.below ? REASON_BELOW_THRESHOLD : REASON_OVERSUBSCRIBED;
    p.keeps_bits = s->reproducible && p.order_counts;
    p.uncut = f->op == OP_ORDERED && policy_block(s, rule, f) == SIZE_INF;
    p.shares = !p.uncut && p.shape.depth > 0 && policy_segment(&p, f->collective);
    /* The MPI library's algorithms serve any size. */
    p.ruled = p.picks == REASON_RULE && rule->bytes.least > 0 && f->bytes >= rule_from(rule);
    const bool unknown = given.alpha < 0 || given.beta < 0 || given.gamma < 0;
    p.wants_figures =
        !p.refuses && unknown && !crowded && pays && ((modelled && !p.keeps_bits) || !policy_block(s, rule, f));
    p.wants_segment = !p.refuses && ((sharing && policy_segment(&p, f->collective)) ||
                                     (policy_composed(&p, f->collective) && may_lane(s, f, modelled)));
    p.shadow = dry || p.keeps_bits;
    p.learns = !rule && modelled && pays && f->machine->measured && !crowded && (dry || !s->dry_run) && !s->verify &&
               !p.uncut && (!p.shadow || shadow_pays(s, f));
    return p;
}

bool policy_same(const struct policy *a, const struct policy *b)
{
    return a->may.rows == b->may.rows && a->may.named == b->may.named && a->may.random == b->may.random &&
           a->may.seed == b->may.seed && a->may.native == b->may.native && a->refuses == b->refuses &&
           a->picks == b->picks && a->order_counts == b->order_counts && a->below == b->below && a->ruled == b->ruled &&
           a->segment == b->segment && a->lanes == b->lanes && a->writes == b->writes && a->keeps_bits == b->keeps_bits &&
           a->uncut == b->uncut && a->shares == b->shares && a->wants_figures == b->wants_figures &&
           a->wants_segment == b->wants_segment && a->learns == b->learns && a->shadow == b->shadow &&
           a->shape.ports.most == b->shape.ports.most;
}
