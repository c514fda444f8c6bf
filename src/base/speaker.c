/* SPDX-License-Identifier: BSD-2-Clause */
/* The speaker of a job; see speaker.h. */
#include "speaker.h"

#include <stdlib.h>
#include <string.h>

bool is_speaker(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *rank = getenv(variables[i]);
        if (rank)
            return strcmp(rank, "0") == 0;
    }
    return true;
}
