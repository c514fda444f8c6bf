#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a test of `make check': limited.sh COMMAND.. TEST. A test may take max(60 s, 30 times its usual time), times TEST_SLOW
# (1); with WHOLE=yes, twenty times as long. After that, all its processes are ended, whatever groups they are in. A job of a
# test may take half of the time (SECONDS_ALLOWED), so that the test can say which one hangs.

# usual NAME: prints the seconds that the test takes on two idle cores.
usual() {
    case $1 in
    differential | learn | scalapack | slurm) echo 60 ;;
    advise | algorithms | bench | cli | debian | export | faults | hang | lab | lanes | node | openmpi | programs | reuse | \
        rpm | sharing | standard | structs | trust | tune | verify | wind_tunnel) echo 30 ;;
    check_decision | check_segment) echo 20 ;;
    check_*) echo 2 ;;
    *) echo 10 ;;
    esac
}

# marked: prints the processes of this test.
marked() {
    grep -lzxF "LIMITED=$$" /proc/[0-9]*/environ 2>/dev/null | sed 's|/proc/\([0-9]*\)/.*|\1|'
}

for name; do :; done
name=${name##*/}
name=${name%.sh}
slow=${TEST_SLOW:-1}
[ "${WHOLE:-no}" = no ] || slow=$((slow * 20))
limit=$((30 * $(usual "$name")))
[ $limit -ge 60 ] || limit=60
limit=$((limit * slow))
# A unit test has limits of its own for its cases, for an idle machine.
export LIMITED=$$ SECONDS_ALLOWED=$((limit / 2)) CK_TIMEOUT_MULTIPLIER=$((10 * slow))
{
    LIMITED=no timeout $limit tail --pid=$$ -f /dev/null
    if [ $? -eq 124 ]; then
        echo "FAILED: $name takes longer than $limit s; TEST_SLOW=N allows N times as much" >&3
        case $name in
        check_*) ;; # Check passes SIGTERM on to its process group, which has make, too
        *)
            # shellcheck disable=SC2046 # numbers
            kill $(marked)
            LIMITED=no sleep 5
            ;;
        esac
        # shellcheck disable=SC2046 # numbers
        kill -KILL $(marked)
    fi
} 3>&1 >/dev/null 2>&1 &
"$@"
