/* SPDX-License-Identifier: BSD-2-Clause */
/* The colours of engines: each has one, and engines that share a picture can be told apart even by colour-blind eyes. */
#include "colour.h"
#include "engine.h"
#include "suite.h"

#include <math.h>

/* The least distance in L*a*b* between engines that serve the same collective. A distance of 2.3 is just visible. */
enum { APART = 13, REFERENCE_APART = 7 };

/*
 * Three kinds of eyes: with all cones, without those for red, without those for green. The matrices map the linear RGB of a
 * colour to that of the colour as these eyes see it (Machado, Oliveira, Fernandes 2009).
 */
enum { EYES = 3 };
static const double sees[EYES][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
};

struct lab {
    double x[3];
};

static double curve(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Returns a colour in CIE L*a*b*, where distances are about as large as they look. */
static struct lab seen(const char *colour, int eyes)
{
    double linear[3], rgb[3];
    unsigned value[3];
    ck_assert_int_eq(sscanf(colour, "#%2x%2x%2x", &value[0], &value[1], &value[2]), 3);
    ck_assert_uint_eq(strlen(colour), 7);
    for (int i = 0; i < 3; i++) {
        double c = value[i] / 255.0;
        linear[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        const double *row = sees[eyes][i];
        rgb[i] = fmax(0, fmin(1, row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]));
    }
    double x = curve((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    double y = curve(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    double z = curve((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return (struct lab){{116 * y - 16, 500 * (x - y), 200 * (y - z)}};
}

static double apart(struct lab a, struct lab b)
{
    return sqrt(pow(a.x[0] - b.x[0], 2) + pow(a.x[1] - b.x[1], 2) + pow(a.x[2] - b.x[2], 2));
}

START_TEST(all_have_one)
{
    for (int i = 0; engines[i]; i++)
        ck_assert_str_ne(engine_colour(engines[i]->name), engine_colour("auto"));
    ck_assert_str_eq(engine_colour("auto"), "#000000");
    ck_assert_str_eq(engine_colour("no such engine"), engine_colour("auto"));
    /* Native is grey. */
    ck_assert_double_lt(hypot(seen(engine_colour("native"), 0).x[1], seen(engine_colour("native"), 0).x[2]), 5);
}

/*
 * Do both engines serve some collective? False for two calls of the MPI library, which may look alike. Sets *reference to
 * true if one of the two is a reference in each such collective.
 */
static bool meet(const struct engine *a, const struct engine *b, bool *reference)
{
    bool any = false;
    if (engine_by_mpi(a) && engine_by_mpi(b))
        return false;
    *reference = true;
    for (int c = 0; c < COLLECTIVES; c++)
        if (a->serves[c].text.rounds && b->serves[c].text.rounds) {
            any = true;
            *reference = *reference && (a->serves[c].model.reference || b->serves[c].model.reference);
        }
    return any;
}

START_TEST(can_be_told_apart)
{
    for (int i = 0; engines[i]; i++)
        for (int j = 0; j < i; j++)
            for (int eyes = 0; eyes < EYES; eyes++) {
                bool reference;
                if (!meet(engines[i], engines[j], &reference))
                    continue;
                const char *a = engines[i]->name, *b = engines[j]->name;
                double far = apart(seen(engine_colour(a), eyes), seen(engine_colour(b), eyes));
                REQUIRE(far > (reference ? REFERENCE_APART : APART), "%s and %s look alike to eyes %d: %.1f", a, b, eyes,
                        far);
            }
}

/* The colours stand out from a white and from a dark background. */
START_TEST(stand_out)
{
    for (int i = 0; engines[i]; i++) {
        double lightness = seen(engine_colour(engines[i]->name), 0).x[0];
        REQUIRE(lightness > 35 && lightness < 80, "%s: lightness %.1f", engines[i]->name, lightness);
    }
}

SUITE("colours of engines", 4)
