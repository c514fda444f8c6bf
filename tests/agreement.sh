#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Settings that are bad, unknown, or differ between ranks: one line, right results, never a hang.
. "$srcdir/tests/mpi.sh"
SECONDS_ALLOWED=60
out=$scratch/out

# differing SETTING: three ranks, the last with SETTING; records on standard error.
differing() {
    timeout 60 "$MPIEXEC" \
        -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr "$programs/four" : \
        -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$1" "$programs/four" >"$out" 2>&1 || fail "$1 on one rank: exit status $?"
    says "$out" 'four ok'
    lines "$out" '^pleach: ' 1
    [ "$(reasons "$out")" = 'native mismatch' ] || fail "$1 on one rank: $(reasons "$out")"
}

differing PLEACH_THRESHOLD=1M
says "$out" 'PLEACH_THRESHOLD differs between ranks: rank 0 has 64K, rank 2 has 1M'
differing PLEACH_SCAN_THRESHOLD=0
says "$out" 'PLEACH_SCAN_THRESHOLD differs between ranks: rank 0 has 16K, rank 2 has 0'
differing PLEACH_ENGINE=chain
says "$out" 'PLEACH_ENGINE differs between ranks: rank 0 has auto, rank 2 has chain'
differing PLEACH_BLOCK=4K
says "$out" 'PLEACH_BLOCK differs between ranks'
differing PLEACH_DISABLE=yes
says "$out" 'PLEACH_DISABLE differs between ranks: rank 0 has no, rank 2 has yes'
differing PLEACH_BETA=1ns
says "$out" 'PLEACH_BETA differs between ranks'
differing PLEACH_REDUCE_BLOCK=12Q
says "$out" 'rank 2: PLEACH_REDUCE_BLOCK=12Q is not understood: it takes a size'
differing PLEACH_CONF=/nowhere/at/all
says "$out" 'rank 2: PLEACH_CONF=/nowhere/at/all cannot be read'

# What only concerns the rank itself may differ.
timeout 60 "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/four" : \
    -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=chain "$programs/four" >"$out" 2>&1 || fail "log differs: status $?"
lines "$out" '^pleach: ' 0
[ "$(reasons "$out")" = 'chain forced' ] || fail "log differs: $(reasons "$out")"

# The same bad setting everywhere: one line from rank 0, native, and the program runs.
preloaded 3 PLEACH_BCAST_THRESHOLD=-5 PLEACH_LOG=stderr "$programs/four" >"$out" 2>&1 || fail "bad setting: exit status $?"
says "$out" 'four ok'
lines "$out" '^pleach: ' 1
says "$out" 'PLEACH_BCAST_THRESHOLD=-5 is not understood: it takes a size'
says "$out" 'every call goes to the native MPI library'
[ "$(reasons "$out")" = 'native bad-setting' ] || fail "bad setting: $(reasons "$out")"

# An unknown one: one warning, nothing else changes.
preloaded 2 PLEACH_THRESHOLDS=5 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/four" >"$out" 2>&1 || fail "unknown: status $?"
lines "$out" '^pleach: ' 1
says "$out" 'PLEACH_THRESHOLDS is not a setting; it is ignored'
[ "$(reasons "$out")" = 'chain forced' ] || fail "unknown setting: $(reasons "$out")"

# Strict: the program does not run.
preloaded 2 PLEACH_STRICT=yes PLEACH_ENGINE=swift "$programs/four" >"$out" 2>&1 && fail 'strict: the program went on'
says "$out" 'PLEACH_ENGINE=swift is not understood'
silent_about "$out" 'four ok'
preloaded 2 PLEACH_STRICT=yes "$programs/four" >"$out" 2>&1 || fail 'strict without a bad setting'

# A file of settings; the environment wins.
printf '# two settings\nTHRESHOLD = inf\nPLEACH_SCAN_ENGINE=chain # comment\n\n' >"$scratch/conf"
preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_THRESHOLD=0 PLEACH_ENGINE=native PLEACH_LOG=stderr "$programs/four" >"$out" 2>&1
[ "$(reasons "$out")" = 'native forced' ] || fail "environment over file: $(reasons "$out")"
preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_LOG=stderr "$programs/four" >"$out" 2>&1
[ "$(reasons "$out")" = 'native below-threshold' ] || fail "threshold from file: $(reasons "$out")"

# Not preloaded on one rank: the others wait, and say for what.
timeout 9 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$programs/four" : \
    -n 1 env LD_PRELOAD="$YIELD" "$programs/four" >"$out" 2>&1 && fail 'one rank without the library: the program went on'
says "$out" 'libpleach.so may not be preloaded on every rank'

exit "$status"
