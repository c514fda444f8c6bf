/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose algorithms the native calls have: what the model knows of MPI libraries; see native.c. */
#ifndef PLEACH_NATIVES_H
#define PLEACH_NATIVES_H

enum natives { NATIVES_MPICH, NATIVES_OPEN_MPI };

#endif
