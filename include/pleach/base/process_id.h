/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <sys/types.h>

/* The id of this process, also in a child of fork(). Unlike getpid(), makes a system call only the first time. */
pid_t process_id(void);
