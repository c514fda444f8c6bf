/* SPDX-License-Identifier: BSD-2-Clause */
/* The size of a cell; see cell.h. */
#include "cell.h"

int64_t segment_cell_bytes(int ranks)
{
    return ranks <= 32 ? 32 << 10 : ranks <= 128 ? 16 << 10 : 8 << 10;
}
