#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The log has a record for every call, with its call site. A log that cannot be written does not harm the program.
. "$srcdir/tests/scripts/mpi.sh"
header='seq	time_s	rank	comm	ranks	collective	bytes	count	datatype	op	root	engine	blocks	reason	duration_us	site'

# The number of cores is made up, as nothing is measured on one core.
LIBPLEACH=$LIBPLEACH:$liar runs 2 LIAR_CORES=2 PLEACH_BUDGET=1 PLEACH_ENGINE=two-tree PLEACH_LOG="$scratch/log.%r" \
    PLEACH_LOG_RANKS=all "$programs/five"
[ "$(cat "$out")" = 'five ok' ] || fail "says $(cat "$out")"
for rank in 0 1; do
    [ "$(head -n 1 "$scratch/log.$rank")" = "$header" ] || fail "header: $(head -n 1 "$scratch/log.$rank")"
    sed -n 2p "$scratch/log.$rank" | grep -q '^# pleach-log 1, Pleach [0-9]' ||
        fail "format: $(sed -n 2p "$scratch/log.$rank")"
    lines "$scratch/log.$rank" '^# measured: within a node alpha [0-9.e+]* us, beta ' 1
    # There are 2 broadcasts, 2 reductions, a scan, an exscan and an all-reduce, each with these columns.
    grep -v '^#' "$scratch/log.$rank" | awk -F '\t' -v rank="$rank" '
        NR > 1 {
            if (NF != 16 || $1 != NR - 2 || $3 != rank || $4 != "MPI_COMM_WORLD" || $5 != 2 || $7 != 800024 ||
                $8 != 100003 || $9 != "MPI_LONG" || $12 != "two-tree" || $13 < 1 || $14 != "forced" || $15 <= 0) {
                print "bad: " $0
                bad = 1
            }
            calls = calls $6 ":" $10 ":" $11 ":" $16 "\n"
        }
        END {
            gsub(/\+0x[0-9a-f]+/, "", calls)
            want = "bcast:-:0:rooted < main\nreduce:MPI_SUM:0:rooted < main\nbcast:-:1:rooted < main\n"
            want = want "reduce:MPI_SUM:1:rooted < main\nscan:MPI_SUM:-:scans < main\nexscan:MPI_SUM:-:scans < main\n"
            want = want "allreduce:MPI_SUM:-:everywhere < main\n"
            if (calls != want) { print "calls and sites:\n" calls; bad = 1 }
            exit bad
        }' || fail "records of rank $rank"
done

# Small calls have records. Only listed ranks write a log. A setting limits call sites to no frame, or to one.
runs 3 PLEACH_LOG="$scratch/few.%r" PLEACH_LOG_RANKS=1-1,7 PLEACH_STACK=0 "$programs/five" 10
[ "$(cd "$scratch" && echo few.*)" = few.1 ] || fail "ranks that wrote: $(cd "$scratch" && echo few.*)"
records "$scratch/few.1" 'native below-threshold'
[ "$(awk -F '\t' 'NR > 1 && !/^#/ { print $16 }' "$scratch/few.1" | sort -u)" = - ] || fail 'a site without a stack'
runs 2 PLEACH_LOG="$scratch/one.%r" PLEACH_STACK=1 "$programs/five"
awk -F '\t' 'NR > 1 && !/^#/ { print $16 }' "$scratch/one.0" >"$scratch/sites"
lines "$scratch/sites" "^[^-]" 7
silent_about "$scratch/sites" ' < '

# On an intercommunicator, records give the bytes of a call as elsewhere, and 0 bytes on ranks that take no part.
runs 3 PLEACH_LOG="$scratch/inter.%r" PLEACH_LOG_RANKS=all "$programs/inter"
for rank in 0 1 2; do
    equal "bytes of rank $rank on an intercommunicator" \
        "$(awk -F '\t' '$14 == "intercomm" { print $6, $7 }' "$scratch/inter.$rank" |
        xargs)" "allreduce 8008 bcast $([ $rank -eq 2 ] && echo 0 || echo 1003)"
done

# If a log cannot be written, one line reports it, and the program goes on.
for log in /dev/full /nowhere/at/all; do
    runs 2 PLEACH_ENGINE=chain PLEACH_LOG=$log "$programs/five"
    lines "$out" '^pleach: ' 1
done

# The log, or standard error, is a pipe that no process reads. The 1400 records of a rank are more than a pipe holds, but the
# program must not wait.
mkfifo "$scratch/unread" "$scratch/unheard"
exec 8<>"$scratch/unread" 9<>"$scratch/unheard"
runs 2 PLEACH_LOG="$scratch/unread" "$programs/five" 10 200
says "$out" "pleach: log $scratch/unread: nobody reads it; no more records are written"
# shellcheck disable=SC2016
runs 2 PLEACH_LOG=stderr PLEACH_REPORT=stderr PLEACH_LOG_RANKS=all sh -c 'exec "$@" 2>"$0"' \
    "$scratch/unheard" "$programs/five" 10 200
equal 'with a full standard error' "$(cat "$out")" 'five ok'
exec 8>&- 9>&-
exit "$status"
