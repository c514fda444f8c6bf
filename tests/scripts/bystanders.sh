#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Processes that inherit LD_PRELOAD but make no MPI calls behave as they do without it.
. "$srcdir/tests/scripts/mpi.sh"

# A process without MPI prints nothing and loads neither MPI nor libunwind, with and without LD_BIND_NOW.
for bind in '' 1; do
    LD_BIND_NOW=$bind LD_PRELOAD=$LIBPLEACH cat /proc/self/maps >"$out" 2>"$scratch/err" || fail "cat: exit status $?"
    says "$out" "$LIBPLEACH"
    silent_about "$out" libmpi
    silent_about "$out" libpleach-
    silent_about "$out" libunwind
    [ ! -s "$scratch/err" ] || fail "cat says: $(cat "$scratch/err")"
done
LD_PRELOAD=$LIBPLEACH sh -c 'exit 7'
[ $? -eq 7 ] || fail 'sh: exit status'

# The launcher itself may be preloaded, with all processes that it starts.
LD_PRELOAD=$LIBPLEACH timeout "$SECONDS_ALLOWED" "$MPIEXEC" -n 2 "$programs/five" >"$out" 2>&1 ||
    fail "mpiexec preloaded: exit status $?"
[ "$(cat "$out")" = 'five ok' ] || fail "mpiexec preloaded: $(cat "$out")"

# LD_BIND_NOW does not disturb programs with MPI.
runs 2 LD_BIND_NOW=1 PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$programs/five"
records "$out" 'two-tree forced'

# PLEACH_DISABLE switches Pleach off.
runs 2 PLEACH_DISABLE=yes PLEACH_LOG=stderr "$programs/five"
records "$out" 'native disabled'

exit "$status"
