#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The fuzzing programs, with the inputs that are kept: samples of everything, and what fuzzers have found.
. "$srcdir/tests/mpi.sh"

for name in log parts rules schedules settings types; do
    "$builddir/tests/fuzz/$name" "$srcdir/tests/fuzz/corpus/$name"/* >"$out" 2>&1 || {
        fail "$name: exit status $?"
        tail -n 5 "$out"
    }
    says "$out" ' inputs ok'
done

exit "$status"
