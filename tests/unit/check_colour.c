/* SPDX-License-Identifier: BSD-2-Clause */
/* The colours of engines: those of a picture can be told apart, even by colour-blind eyes. */
#include "colour.h"
#include "engine.h"
#include "suite.h"

#include <math.h>

/* The least distance in CIE L*a*b* between two colours of a picture. A distance of 2 is just visible. */
enum { APART = 17 };

/*
 * Four kinds of eyes: with all cones, and without those for red, green or blue. The matrices map the linear RGB of a colour
 * to that of the colour as these eyes see it (Machado, Oliveira, Fernandes 2009).
 */
enum { EYES = 4 };
static const double sees[EYES][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

struct lab {
    double x[3];
};

static double curve(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Returns a colour in CIE L*a*b*. */
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

/* The distance of two colours. */
static double apart(struct lab a, struct lab b)
{
    return hypot(hypot(b.x[0] - a.x[0], b.x[1] - a.x[1]), b.x[2] - a.x[2]);
}

enum { SHADES = COLOURS + 2 };

/* Takes all colours that a picture may have: the palette, that of native, and that of engines beyond the palette. */
static void take_shades(const char *shade[SHADES])
{
    const char *colour[COLOURED];
    engine_colours(UINT64_MAX, colour);
    int used = 0;
    for (int i = 0; engines[i]; i++) {
        int same = 0;
        while (same < used && strcmp(shade[same], colour[i]) != 0)
            same++;
        ck_assert_int_lt(same, SHADES);
        shade[same] = colour[i];
        used += same == used;
    }
    ck_assert_int_eq(used, SHADES);
}

/* The engines shown take the palette in their order; native engines take none of it. */
START_TEST(first_colours_for_those_shown)
{
    const char *all[COLOURED], *two[COLOURED], *first[COLOURS];
    int used = 0, last = 0;
    engine_colours(UINT64_MAX, all);
    for (int i = 0; engines[i]; i++) {
        if (engine_by_mpi(engines[i])) {
            ck_assert_str_eq(all[i], all[0]);
            continue;
        }
        if (used < COLOURS)
            first[used++] = all[i];
        last = i;
    }
    engine_colours((uint64_t)1 << last | (uint64_t)1 << engine_row(engine_find("ring")) | 1, two);
    ck_assert_str_eq(two[engine_row(engine_find("ring"))], first[0]);
    ck_assert_str_eq(two[last], first[1]);
    ck_assert_str_eq(two[0], all[0]);
}

START_TEST(can_be_told_apart)
{
    const char *shade[SHADES];
    take_shades(shade);
    for (int i = 0; i < SHADES; i++)
        for (int j = 0; j < i; j++)
            for (int eyes = 0; eyes < EYES; eyes++) {
                double far = apart(seen(shade[i], eyes), seen(shade[j], eyes));
                REQUIRE(far > APART, "%s and %s look alike to eyes %d: %.1f", shade[i], shade[j], eyes, far);
            }
}

/* The colours stand out from a white and from a dark background. Native is grey. */
START_TEST(stand_out)
{
    const char *shade[SHADES];
    take_shades(shade);
    for (int i = 0; i < SHADES; i++) {
        double lightness = seen(shade[i], 0).x[0];
        REQUIRE(lightness > 35 && lightness < 80, "%s: lightness %.1f", shade[i], lightness);
    }
    const struct lab native = seen(shade[0], 0);
    ck_assert_double_lt(hypot(native.x[1], native.x[2]), 5);
}

SUITE("colours of engines", 4)
