#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ScaLAPACK's own test drivers on 4 ranks under `pleach run', every collective of theirs through an engine, each in turn:
#     MPIEXEC=... PLEACH=... YIELD=... scalapack.sh [ENGINE...]
# Skipped where Debian's scalapack-mpi-test is not installed. DRIVERS names others than those below.

drivers=${DRIVERS:-xdlu xdqr xdls xdinv xdhrd xdtrd xddblu xdpbllt PBLAS/dpb1tst PBLAS/zpb3tst}
seconds=300 # for one driver, on a busy machine
mpiexec=${MPIEXEC:-mpiexec.mpich}
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $("${PLEACH:?the command}" engines | awk '!NF { exit } NR > 1 && $1 != "native" { print $1 }' | sort -u)

input=/usr/share/scalapack
for programs in /usr/lib/*/scalapack/mpich-tests; do :; done
if ! [ -x "$programs/xdlu" ] || ! [ -f "$input/LU.dat" ]; then
    echo 'scalapack: skipped, there are no drivers (Debian: scalapack-mpi-test)'
    exit 77
fi

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cp "$input"/*.dat "$input"/PBLAS/*.dat "$scratch" || exit 1
cd "$scratch" || exit 1

# Why the run was bad; nothing when it was good. A driver marks its failed residuals, and counts them, but exits with 0.
complaint()
{
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

bad=0
for engine; do
    for driver in $drivers; do
        timeout "$seconds" "$mpiexec" -n 4 env LD_PRELOAD="${YIELD-}" PLEACH_THRESHOLD=0 PLEACH_ENGINE="$engine" \
            "$PLEACH" run "$programs/$driver" >out 2>&1 </dev/null
        why=$(complaint $?)
        if [ -n "$why" ]; then
            echo "scalapack: $engine: $driver: $why"
            tail -n 20 out
            bad=1
        fi
    done
done
[ $bad -eq 0 ] && echo "scalapack: ok ($*)"
exit $bad
