/* SPDX-License-Identifier: BSD-2-Clause */
/* A large stack, for functions of others that need one. */
#pragma once

/* Calls f where LARGE_STACK bytes of stack are left: on the caller's stack, or one made for this call if there is memory. */
enum { LARGE_STACK = 256 << 10 };
void large_stack_call(void (*f)(void *argument), void *argument);
