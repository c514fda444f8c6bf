/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI libraries whose algorithms the model knows; see native_model.c. */
#ifndef PLEACH_NATIVES_H
#define PLEACH_NATIVES_H

enum natives { NATIVES_MPICH, NATIVES_OPEN_MPI };

#endif
