#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ScaLAPACK's own test drivers run on 4 ranks under `pleach run', with engines for all broadcasts, reductions and
# all-reduces; they make no scans. The test is skipped without Debian's scalapack-mpi-test. DRIVERS names other drivers than
# those below, ROUNDS the number of rounds: with 10, every engine meets every driver. References, which serve only where they
# are named, need WHOLE=yes.
. "$srcdir/tests/scripts/mpi.sh"

drivers=${DRIVERS:-xdlu xdqr xdls xdinv xdhrd xdtrd xddblu xdpbllt PBLAS/dpb1tst PBLAS/zpb3tst}
input=/usr/share/scalapack
for programs in /usr/lib/*/scalapack/"$MPI"-tests; do :; done
if ! [ -x "$programs/xdlu" ] || ! [ -f "$input/LU.dat" ]; then
    skip 'there are no drivers (Debian: scalapack-mpi-test)'
fi
cp "$input"/*.dat "$input"/PBLAS/*.dat "$scratch" || exit 1
cd "$scratch" || exit 1

# complaint STATUS: prints why the run was bad; nothing if it was good. A driver that fails marks and counts bad residuals,
# but exits with 0.
complaint() {
    if [ "$1" -ne 0 ]; then
        echo "exit status $1"
    elif ! grep -qi 'end of tests' out; then
        echo 'did not finish'
    elif ! grep -q 'PASSED' out; then
        echo 'nothing passed'
    else
        grep -m 1 -E 'FAILED *(\*|$)|[1-9][0-9]* tests completed and failed' out
    fi
}

# try ENGINE DRIVER: fails unless the driver succeeds with this engine. Adds the engines that served to `forced'.
try() {
    in_time "$MPIEXEC" -n 4 env LD_PRELOAD="$YIELD" PLEACH_THRESHOLD=0 PLEACH_ENGINE="$1" PLEACH_LOG=log \
        "$PLEACH" run "$programs/$2" >out 2>&1 </dev/null
    why=$(complaint $?)
    reasons log | sed -n 's/ forced$//p' >>forced
    rm -f log
    [ -z "$why" ] || {
        fail "$1: $2: $why"
        tail -n 20 out
    }
}

# In each round every engine meets another driver, and all drivers run.
engines=$(engines_but native lanes multiport | awk '$2 !~ /scan/ && !seen[$1]++ { print $1 }')
[ "$(echo "$engines" | wc -w)" -ge 10 ] || fail "too few engines: $engines"
# shellcheck disable=SC2086 # words
all=$(printf '%s\n' $drivers | wc -l)
round=0
while [ $round -lt "${ROUNDS:-1}" ] && [ $round -lt "$all" ]; do
    # shellcheck disable=SC2086 # words
    set -- $drivers
    for engine in $engines; do
        try "$engine" "$1"
        driver=$1
        shift
        set -- "$@" "$driver"
    done
    # The first driver becomes the last.
    drivers="${drivers#* } ${drivers%% *}"
    round=$((round + 1))
done
for engine in chain two-tree; do
    grep -qx "$engine" forced || fail "$engine served no call"
done
echo "$round of $all rounds"
[ $round -eq "$all" ] || echo "not tested: $((all - round)) of $all rounds, which ROUNDS=$all runs"
exit "$status"
