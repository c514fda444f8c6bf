/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/* The algorithm native:NAME that takes the least part of native's time in any of some calls, by trials. */
struct own_share {
    int engine;   /* row of engines[]; 0: none was tried */
    double share; /* of the time of native */
};

static inline void own_share_add(struct own_share *own, struct own_share more)
{
    if (more.engine && (!own->engine || more.share < own->share))
        *own = more;
}
