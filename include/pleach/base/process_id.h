/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLEACH_PROCESS_ID_H
#define PLEACH_PROCESS_ID_H

#include <sys/types.h>

/* The id of this process, also in a child of fork(). Unlike getpid(), makes a system call only the first time. */
pid_t process_id(void);

#endif
