/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <sys/types.h>

/* Also right in a child of fork(). A system call only the first time. */
pid_t process_id(void);
