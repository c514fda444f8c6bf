#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# If settings are bad, unknown, or different between ranks, one line says so, results are right, and nothing hangs.
. "$srcdir/tests/scripts/mpi.sh"

# differing SETTING: runs three ranks, only the last with SETTING; fails unless one line reports it and all calls are native.
differing() {
    in_time "$MPIEXEC" \
        -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr "$programs/five" : \
        -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$1" "$programs/five" >"$out" 2>&1 || fail "$1 on one rank: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    records "$out" 'native mismatch'
}

# check_agreement.c shows that each setting has a hash and a name of its own.
differing PLEACH_THRESHOLD=1M
says "$out" 'PLEACH_THRESHOLD differs between ranks: rank 0 has auto, rank 2 has 1M'
differing PLEACH_REDUCE_BLOCK=12Q
says "$out" 'rank 2: PLEACH_REDUCE_BLOCK=12Q is not understood: it takes a size'
if with mpich; then # one MPI suffices: the code is the same in all libraries
    differing PLEACH_DISABLE=yes
    says "$out" 'PLEACH_DISABLE differs between ranks: rank 0 has no, rank 2 has yes'
    differing PLEACH_CONF=/nowhere/at/all
    says "$out" 'rank 2: PLEACH_CONF=/nowhere/at/all cannot be read'
    differing PLEACH_CONF=/dev/zero
    says "$out" 'rank 2: PLEACH_CONF=/dev/zero cannot be read: it is not a regular file'
fi

# If rank 0 alone has a bad setting, it says so itself.
in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=swift "$programs/five" : \
    -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$programs/five" >"$out" 2>&1 || fail "swift on rank 0: exit status $?"
says "$out" 'five ok'
lines "$out" '^pleach: ' 1
says "$out" 'PLEACH_ENGINE=swift is not understood'

# Settings that concern one rank alone may differ.
in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$programs/five" : \
    -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=two-tree "$programs/five" >"$out" 2>&1 ||
    fail "log differs: status $?"
lines "$out" '^pleach: ' 0
records "$out" 'two-tree forced'

# If all ranks have the same bad setting, rank 0 prints one line, all calls are native, and the program runs.
runs 3 PLEACH_BCAST_THRESHOLD=-5 PLEACH_LOG=stderr "$programs/five"
lines "$out" '^pleach: ' 1
says "$out" 'PLEACH_BCAST_THRESHOLD=-5 is not understood: it takes a size'
says "$out" 'every call goes to the native MPI library; see pleach-settings(5)'
records "$out" 'native bad-setting'

# An unknown setting causes one warning, and changes nothing else.
runs 2 PLEACH_THRESHOLDS=5 PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$programs/five"
lines "$out" '^pleach: ' 1
says "$out" 'PLEACH_THRESHOLDS is not a setting; it is ignored'
records "$out" 'two-tree forced'

# With PLEACH_STRICT a bad setting aborts the program.
fails 2 PLEACH_STRICT=yes PLEACH_ENGINE=swift "$programs/five"
says "$out" 'PLEACH_ENGINE=swift is not understood'
silent_about "$out" 'five ok'
preloaded 2 PLEACH_STRICT=yes "$programs/five" >"$out" 2>&1 || fail 'strict without a bad setting'

# Variables of the environment take precedence over a file of settings.
printf '# two settings\nTHRESHOLD = inf\nPLEACH_SCAN_ENGINE=chain # comment\n\n' >"$scratch/conf"
preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_THRESHOLD=0 PLEACH_ENGINE=native PLEACH_LOG=stderr "$programs/five" \
    >"$out" 2>&1
records "$out" 'native forced'
preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_LOG=stderr "$programs/five" >"$out" 2>&1
records "$out" 'native below-threshold'

# If one rank lacks the library, the others wait for ever. They say so after PLEACH_PATIENCE, by default ten minutes, and
# not earlier, as the rank may just be late. Here their clock lets ten minutes pass in a second.
# lonely TIME [NAME=VALUE..]: fails unless rank 0 says that it has waited for TIME.
trap 'kill "$job" 2>/dev/null; rm -rf "$scratch"' EXIT
lonely() {
    waited=$1
    shift
    : >"$out" # the loop below must not find the text of an earlier job
    timeout -k 10 300 "$MPIEXEC" \
        -n 2 env HURRY_TIMES=600 LD_PRELOAD="$fakes/hurry.so:$YIELD:$LIBPLEACH" "$@" "$programs/five" : \
        -n 1 env LD_PRELOAD="$YIELD" "$programs/five" >"$out" 2>&1 &
    job=$!
    # The other rank may say so first.
    while kill -0 $job 2>/dev/null && ! grep -q "rank 0 has waited .* may not be preloaded on every rank" "$out"; do
        sleep 0.1
    done
    kill $job || fail 'one rank without the library: the program ended'
    wait $job
    job=
    says "$out" "rank 0 has waited $waited for the first collective call of the other ranks"
    says "$out" "${LIBPLEACH##*/} may not be preloaded on every rank"
    silent_about "$out" 'five ok'
}
lonely 600s
silent_about "$out" patience
lonely 20s PLEACH_PATIENCE=20s

exit "$status"
