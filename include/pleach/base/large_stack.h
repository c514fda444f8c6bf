/* SPDX-License-Identifier: BSD-2-Clause */
/* A large stack, for functions of others that need one. */
#pragma once

/*
 * Calls f(argument) where at least LARGE_STACK bytes of stack are left: on the caller's stack if it has them, else on one
 * that is made for this call. If memory is short, the caller's stack has to do. f returns, by no other way.
 */
enum { LARGE_STACK = 256 << 10 };
void large_stack_call(void (*f)(void *argument), void *argument);
