/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI libraries whose algorithms the model knows. */
#pragma once

enum natives { NATIVES_MPICH, NATIVES_OPEN_MPI };
