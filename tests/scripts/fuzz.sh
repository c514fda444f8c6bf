#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The fuzzing programs accept the inputs in tests/fuzz/corpus: samples of all kinds, and inputs that fuzzers have found.
. "$srcdir/tests/scripts/mpi.sh"

for name in log parts rules schedules settings stages types; do
    if [ $name = types ] && [ ! -x "$builddir/tests/fuzz/types" ]; then
        echo 'not tested: types: this MPI has no functions of MPI 4'
        continue
    fi
    "$builddir/tests/fuzz/$name" "$srcdir/tests/fuzz/corpus/$name"/* >"$out" 2>&1 || {
        fail "$name: exit status $?"
        tail -n 5 "$out"
    }
    says "$out" ' inputs ok'
done

exit "$status"
