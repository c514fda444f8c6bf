#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Records: a line for every call, with its call site; a log that fails costs the program nothing.
. "$srcdir/tests/mpi.sh"
out=$scratch/out
header='seq	time_s	rank	comm	ranks	collective	bytes	count	datatype	op	root	engine	blocks	reason	duration_us	site'

preloaded 2 PLEACH_ENGINE=chain PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$programs/four" >"$out" 2>&1 || fail "status $?"
[ "$(cat "$out")" = 'four ok' ] || fail "says $(cat "$out")"
for rank in 0 1; do
    [ "$(head -n 1 "$scratch/log.$rank")" = "$header" ] || fail "header: $(head -n 1 "$scratch/log.$rank")"
    # 2 broadcasts, 2 reductions, scan, exscan, each with these columns; and what was measured.
    grep -q '^# measured: within a node alpha [0-9.]* us, beta ' "$scratch/log.$rank" || fail 'no measured figures'
    grep -v '^#' "$scratch/log.$rank" | awk -F '\t' -v rank="$rank" '
        NR > 1 {
            if (NF != 16 || $1 != NR - 2 || $3 != rank || $4 != "MPI_COMM_WORLD" || $5 != 2 || $7 != 800024 || $8 != 100003 ||
                $9 != "MPI_LONG" || $12 != "chain" || $13 < 1 || $14 != "forced" || $15 <= 0) { print "bad: " $0; bad = 1 }
            calls = calls $6 ":" $10 ":" $11 ":" $16 "\n"
        }
        END {
            gsub(/\+0x[0-9a-f]+/, "", calls)
            want = "bcast:-:0:rooted < main\nreduce:MPI_SUM:0:rooted < main\nbcast:-:1:rooted < main\n"
            want = want "reduce:MPI_SUM:1:rooted < main\nscan:MPI_SUM:-:scans < main\nexscan:MPI_SUM:-:scans < main\n"
            if (calls != want) { print "calls and sites:\n" calls; bad = 1 }
            exit bad
        }' || fail "records of rank $rank"
done

# Off, or one frame; ranks by list; small calls are recorded, too.
preloaded 3 PLEACH_LOG="$scratch/few.%r" PLEACH_LOG_RANKS=1-1,7 PLEACH_STACK=0 "$programs/four" 10 >"$out" 2>&1 || fail "few: $?"
[ "$(cd "$scratch" && echo few.*)" = few.1 ] || fail "ranks that wrote: $(cd "$scratch" && echo few.*)"
[ "$(reasons "$scratch/few.1")" = 'native below-threshold' ] || fail "small calls: $(reasons "$scratch/few.1")"
[ "$(awk -F '\t' 'NR > 1 { print $16 }' "$scratch/few.1" | sort -u)" = - ] || fail 'a site without a stack'
preloaded 2 PLEACH_LOG="$scratch/one.%r" PLEACH_STACK=1 "$programs/four" >"$out" 2>&1 || fail "one frame: $?"
! grep -q ' < ' "$scratch/one.0" || fail 'more than one frame'

# Logs that cannot be written: the program runs, one line tells.
for log in /dev/full /nowhere/at/all; do
    preloaded 2 PLEACH_ENGINE=chain PLEACH_LOG=$log "$programs/four" >"$out" 2>&1 || fail "log $log: exit status $?"
    says "$out" 'four ok'
    lines "$out" '^pleach: ' 1
done
exit "$status"
