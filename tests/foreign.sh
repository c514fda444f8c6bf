#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program built for Open MPI runs natively with MPICH's libpleach.so preloaded, after one warning.
. "$srcdir/tests/mpi.sh"

if ! open_mpi || ! mpicc.openmpi -o "$scratch/five" "$srcdir/tests/programs/five.c" 2>"$out"; then
    skip 'no Open MPI (packages libopenmpi-dev, openmpi-bin)'
fi
timeout 900 mpiexec.openmpi -n 2 env LD_PRELOAD="$LIBPLEACH" PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain \
    "$scratch/five" 5003 >"$out" 2>&1 || fail "exit status $?"
says "$out" 'five ok'
lines "$out" '^pleach: ' 1
needs='which needs libpleach-ompi.so, not libpleach.so; every call is passed through'
lines "$out" "^pleach: this MPI library is \"Open MPI [0-9.]*\", $needs\$" 1

exit "$status"
