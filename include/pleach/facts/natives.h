/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI libraries whose algorithms the model knows; see native_model.c. */
#pragma once

enum natives { NATIVES_MPICH, NATIVES_OPEN_MPI };
