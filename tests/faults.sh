#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Faults while calls are under way: the job ends, or goes on, as it would natively. Context ids: trust.sh; errors: programs.sh.
. "$srcdir/tests/mpi.sh"
SECONDS_ALLOWED=300
engines='PLEACH_ENGINE=chain PLEACH_ALLREDUCE_ENGINE=butterfly PLEACH_BLOCK=8K'

# as_natively RANKS WHAT..: the job ends with the status that it has natively. With Pleach, what it says is in $out.
as_natively() {
    natively_ranks=$1
    shift
    rm -f "$scratch"/log.* "$scratch"/report.*
    timeout "$SECONDS_ALLOWED" "$MPIEXEC" -n "$natively_ranks" env LD_PRELOAD="$YIELD" "$programs/faults" "$@" \
        >"$scratch/natively" 2>&1 &
    # shellcheck disable=SC2086 # words
    heard "$natively_ranks" $engines PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all \
        PLEACH_REPORT="$scratch/report.%r" "$programs/faults" "$@"
    ended=$?
    wait $!
    natively=$?
    equal "exit status of $*" "$ended" "$natively"
    silent_about "$out" 'mismatch'
}

# goes_on RANKS WHAT..: likewise, and it comes to its end, without errors; engines served all its calls.
goes_on() {
    as_natively "$@"
    says "$out" 'faults ok, 0 errors'
    for rank in $(seq 0 $(($1 - 1))); do
        records "$scratch/log.$rank" 'butterfly forced
chain forced
native below-threshold'
    done
}

# A rank dies in an operation of the user, in the first call or in the middle of a later one; or it ends the job.
for after in 0 4; do
    as_natively 3 kill $after
    silent_about "$out" 'faults ok'
    as_natively 3 abort $after
    silent_about "$out" 'faults ok'
done
# leaves RANKS WHAT..: ranks leave by exit. The launcher then kills the others, or MPI ends them, whose neighbour has gone: the
# status is that of whom the launcher likes.
leaves() {
    leaves_ranks=$1
    shift
    rm -f "$scratch"/log.* "$scratch"/report.*
    # shellcheck disable=SC2086 # words
    heard "$leaves_ranks" $engines PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all PLEACH_REPORT="$scratch/report.%r" \
        "$programs/faults" "$@"
    ended=$?
    case $ended in
    1 | 5 | 9) ;;
    *) fail "$*: exit status $ended: $(cat "$out")" ;;
    esac
    silent_about "$out" 'faults: rank'
}
# Who leaves by exit leaves records and a report.
leaves 3 exit 4
says "$scratch/log.1" '	chain	'
says "$scratch/report.1" 'Pleach report'

# It sleeps, or has a child which leaves by exit: nothing is written twice.
goes_on 3 stop 4
goes_on 3 fork 4
lines "$scratch/report.1" '^Pleach report' 1
equal 'records' "$(cut -f 1 "$scratch/log.1" | sort | uniq -d)" ''
engines="PLEACH_PATIENCE=0.1s $engines"
as_natively 3 stop 4
says "$out" 'pleach: patience: rank '
engines=${engines#* }

# Out of the operation by longjmp, or an exception.
engines="$engines PLEACH_REDUCE_BLOCK=inf"
goes_on 2 jump
as_natively 2 jump abort
if [ -x "$programs/throwing" ]; then
    # shellcheck disable=SC2086 # words
    runs 2 $engines "$programs/throwing"
    says "$out" 'throwing ok'
else
    echo 'left out: throwing was not built'
fi
engines=${engines% *}

# Signals interrupt system calls; one of them ends the program inside a call.
goes_on 3 signals
leaves 2 late

# A full disk: here, files may not grow any more. And no more files.
goes_on_unlogged() {
    as_natively 2 "$@"
    says "$out" 'faults ok, 0 errors'
}
goes_on_unlogged disk
for rank in 0 1; do
    says "$out" "pleach: log $scratch/log.$rank: File too large; no more records are written"
done
goes_on_unlogged files
for rank in 0 1; do
    says "$out" "pleach: log $scratch/log.$rank: Too many open files; no records are written"
done

# No memory for one request of one rank: right results, or errors that say so, on all ranks that need this rank. The requests are
# the first and the last from each call stack.
# short NUMBER: the run in which that request gets nothing. Its status is in $scratch/short.NUMBER.
short() {
    # shellcheck disable=SC2086 # words
    preloaded 3 LD_PRELOAD="$SHORTAGE:$YIELD:$LIBPLEACH" SHORTAGE_RANK=1 SHORTAGE="$1" $engines \
        PLEACH_RULES="$scratch/rules" PLEACH_LOG="$scratch/log.$1.%r" PLEACH_LOG_RANKS=all \
        PLEACH_REPORT="$scratch/report.$1.%r" "$programs/faults" calls >"$scratch/said.$1" 2>&1
    echo "exit status $?" >>"$scratch/said.$1"
}
printf 'pleach-rules 1\nsite="*back*" -> engine=binomial\n' >"$scratch/rules"
short 0
with mpich && each=1 || each=8 # elsewhere some of them: the library is the same
requests=$(sed -n 's/^shortage: try //p' "$scratch/said.0" | tr ' ' '\n' | sort -n | awk -v each="$each" 'NR % each == 0')
number_of_requests=$(echo "$requests" | wc -w)
[ "$number_of_requests" -ge $((80 / each)) ] || fail "requests: $requests, of $(cat "$scratch/said.0")"
runs=0
for number in $requests; do
    short "$number" &
    runs=$((runs + 1))
    [ $((runs % 4)) -ne 0 ] || wait # a run mostly waits
done
wait
for number in $requests; do
    says "$scratch/said.$number" 'faults ok'
    says "$scratch/said.$number" 'exit status 0'
done
refused=$(cat "$scratch"/said.* | grep -c '^shortage: 1 of')
# Some depend on the time.
[ "$refused" -ge $((number_of_requests * 9 / 10)) ] || fail "$refused of $number_of_requests requests got nothing"

# Little stack: calls take some more of it than natively.
goes_on 2 stack 256

exit "$status"
