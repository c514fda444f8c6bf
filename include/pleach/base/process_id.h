/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <sys/types.h>

/* As getpid(), but a system call only the first time. Also right in a child of fork(). */
pid_t process_id(void);
