#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# After a fault during a call, the job ends or goes on as it would natively. trust.sh tests lack of context ids, programs.sh
# erroneous programs.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
engines='PLEACH_ENGINE=chain PLEACH_ALLREDUCE_ENGINE=butterfly PLEACH_BLOCK=8K'

# as_natively RANKS WHAT..: fails unless the job ends with the exit status that it has natively. The output of the run with
# Pleach goes to $out.
as_natively() {
    natively_ranks=$1
    shift
    rm -f "$scratch"/log.* "$scratch"/report.*
    in_time "$MPIEXEC" -n "$natively_ranks" env LD_PRELOAD="$YIELD" "$programs/faults" "$@" \
        >"$scratch/natively" 2>&1 &
    heard "$natively_ranks" $engines PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all \
        PLEACH_REPORT="$scratch/report.%r" "$programs/faults" "$@"
    ended=$?
    wait $!
    natively=$?
    [ "$ended" -eq "$natively" ] ||
        fail "exit status of $*: $ended, natively $natively: $(cat "$out" "$scratch/natively")"
    silent_about "$out" 'mismatch'
}

# goes_on RANKS WHAT..: like as_natively; also fails unless the program succeeds and engines serve all its large calls.
goes_on() {
    as_natively "$@"
    says "$out" 'faults ok, 0 errors'
    for rank in $(seq 0 $(($1 - 1))); do
        records "$scratch/log.$rank" 'butterfly forced
chain forced
native below-threshold'
    done
}

# In a user-defined operation a rank is killed or calls MPI_Abort: in the first call, or in the middle of a later one.
for after in 0 4; do
    as_natively 3 kill $after
    silent_about "$out" 'faults ok'
    as_natively 3 abort $after
    silent_about "$out" 'faults ok'
done
# leaves RANKS WHAT..: a rank calls exit(). The launcher then kills the others, or MPI ends them because a neighbour is gone,
# so several exit statuses are right.
leaves() {
    leaves_ranks=$1
    shift
    rm -f "$scratch"/log.* "$scratch"/report.*
    heard "$leaves_ranks" $engines PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all PLEACH_REPORT="$scratch/report.%r" \
        "$programs/faults" "$@"
    ended=$?
    case $ended in
    1 | 5 | 9) ;;
    *) fail "$*: exit status $ended: $(cat "$out")" ;;
    esac
    silent_about "$out" 'faults: rank'
}
# A rank that calls exit() leaves its records and a report.
leaves 3 exit 4
says "$scratch/log.1" '	chain	'
says "$scratch/report.1" 'Pleach report'

# If a rank sleeps, or has a child that calls exit(), nothing is written twice.
goes_on 3 stop 4
goes_on 3 fork 4
lines "$scratch/report.1" '^Pleach report' 1
equal 'records' "$(cut -f 1 "$scratch/log.1" | sort | uniq -d)" ''
engines="PLEACH_PATIENCE=0.1s $engines"
as_natively 3 stop 4
says "$out" 'pleach: patience: rank '
# Rank 1 stops in the engine's part of a verified call. Rank 0 has ended this part, and waits in the native part.
# UCX takes its blocks before their receiver is ready.
engines="PLEACH_VERIFY=yes $engines UCX_RNDV_THRESH=1M"
waits_natively() {
    as_natively 3 stop
    grep -q '^pleach: patience: rank 0 has been .* in MPI_Reduce .*: in the native call' "$out"
}
# If rank 0 is stopped in its engine's part, it reports that part.
waits_natively || waits_natively || waits_natively || fail "rank 0 is not in the native call: $(cat "$out")"
engines=${engines#* * }
engines=${engines% *}

# A user-defined operation ends by longjmp() or by an exception.
engines="$engines PLEACH_REDUCE_BLOCK=inf"
goes_on 2 jump
as_natively 2 jump abort
if [ -x "$programs/throwing" ]; then
    runs 2 $engines "$programs/throwing"
    runs 2 PLEACH_SHARED=64M "$programs/throwing" 8
    silent_about "$out" 'mismatch'
    # A call without a rule has MPICH's own choice again: for a sum of 3200 bytes it is no binomial tree.
    if with mpich; then
        printf 'pleach-rules 1\ncollective=reduce bytes=64K-inf -> engine=native:binomial\n' >"$scratch/native"
        runs 2 PLEACH_RULES="$scratch/native" "$programs/throwing"
    fi
    for engine in node-flat node-line; do
        rm -f "$scratch/log"
        runs 2 PLEACH_SHARED=64M PLEACH_THRESHOLD=0 PLEACH_REDUCE_ENGINE=$engine PLEACH_REDUCE_BLOCK=inf \
            PLEACH_LOG="$scratch/log" "$programs/throwing" 1000
        lines "$scratch/log" "	reduce	.*	$engine	.*	forced	" 12 # the calls that came to their end
    done
else
    echo 'not tested: throwing was not built'
fi
engines=${engines% *}

# Signals interrupt system calls. In the second job, a signal ends the program inside a call.
goes_on 3 signals
leaves 2 late

# A limit on the size of files imitates a full disk. The second job has a limit on the number of open files.
# goes_on_unlogged WHAT: likewise on two ranks, without records. False: the MPI library cannot go on natively either.
goes_on_unlogged() {
    in_time "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$programs/faults" "$1" >"$out" 2>&1 || {
        echo "not tested: $1: the MPI library cannot go on either"
        return 1
    }
    as_natively 2 "$1"
    says "$out" 'faults ok, 0 errors'
}
if goes_on_unlogged disk; then
    for rank in 0 1; do
        says "$out" "pleach: log $scratch/log.$rank: File too large; no more records are written"
    done
fi
# By its other transports, UCX may open files after MPI_Init.
UCX_TLS=sysv,self
export UCX_TLS
if goes_on_unlogged files; then
    for rank in 0 1; do
        says "$out" "pleach: log $scratch/log.$rank: Too many open files; no records are written"
    done
fi
unset UCX_TLS

# One request for memory of one rank fails: all ranks get right results, or the ranks that need this rank get errors.
# fakes/shortage.c lists the first and the last request from each call stack.
# short NUMBER: makes the run in which request NUMBER fails. Output and exit status go to $scratch/said.NUMBER.
short() {
    preloaded 3 LD_PRELOAD="$fakes/shortage.so:$YIELD:$LIBPLEACH" SHORTAGE_RANK=1 SHORTAGE="$1" $engines \
        PLEACH_RULES="$scratch/rules" PLEACH_LOG="$scratch/log.$1.%r" PLEACH_LOG_RANKS=all \
        PLEACH_REPORT="$scratch/report.$1.%r" "$programs/faults" calls >"$scratch/said.$1" 2>&1
    echo "exit status $?" >>"$scratch/said.$1"
}
printf 'pleach-rules 1\nsite="*back*" -> engine=binomial\n' >"$scratch/rules"
short 0
# Many requests are of one kind. So the test makes a run for every third request of the list, or every eighth with another
# MPI. With WHOLE=yes it makes a run for each.
with mpich && each=3 || each=8
[ "${WHOLE:-no}" = no ] || each=1
requests=$(sed -n 's/^shortage: try //p' "$scratch/said.0" | tr ' ' '\n' | sort -n | awk -v each="$each" 'NR % each == 0')
number_of_requests=$(echo "$requests" | wc -w)
[ "$number_of_requests" -ge $((80 / each)) ] || fail "requests: $requests, of $(cat "$scratch/said.0")"
runs=0
for number in $requests; do
    short "$number" &
    runs=$((runs + 1))
    [ $((runs % 4)) -ne 0 ] || wait # four at once, as a run mostly waits
done
wait
for number in $requests; do
    says "$scratch/said.$number" 'faults ok'
    says "$scratch/said.$number" 'exit status 0'
done
refused=$(cat "$scratch"/said.* | grep -c '^shortage: 1 of')
# Not every run makes all requests.
[ "$refused" -ge $((number_of_requests * 9 / 10)) ] || fail "$refused of $number_of_requests requests got nothing"

# All the same where the ranks share memory: a rank that waits for a dead one waits until the launcher kills it, as natively.
engines='PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-line PLEACH_BLOCK=8K'
for fault in 'kill 4' 'abort 4'; do
    as_natively 3 $fault
    silent_about "$out" 'faults ok'
done
for fault in 'stop 4' 'fork 4' signals; do
    as_natively 3 $fault
    says "$out" 'faults ok, 0 errors'
    engines_served "$scratch/log.0" node-copy node-line
done
engines='PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-prefixes,node-ring PLEACH_BLOCK=8K'
as_natively 3 kill 4
silent_about "$out" 'faults ok'
as_natively 3 stop 4
says "$out" 'faults ok, 0 errors'
engines_served "$scratch/log.0" node-copy node-prefixes node-ring

exit "$status"
