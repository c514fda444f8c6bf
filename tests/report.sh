#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The report: what the calls of a run had in common, from one rank; one that fails costs the program nothing.
. "$srcdir/tests/mpi.sh"
SECONDS_ALLOWED=60

# groups FILE: calls, collective, engine and reason of a report.
groups() {
    awk '$NF == "REASON" { table = 1; next } !NF { table = 0 } table { print $1, $8, $9, $10 }' "$1" | sort
}

# has FILE GROUPS: these and no others.
has() {
    [ "$(groups "$1")" = "$2" ] || {
        fail "other groups than these: $2; in:"
        sed 's/^/    /' "$1"
    }
}

# 2 broadcasts, 2 reductions, scan, exscan, allreduce; the reductions are told to be native.
all='1 allreduce two-tree forced
1 exscan two-tree forced
1 scan two-tree forced
2 bcast two-tree forced
2 reduce native forced'

# with_both RANKS [NAME=VALUE..] PROGRAM [ARG..]: with an engine and the native call.
with_both() {
    with_ranks=$1
    shift
    preloaded "$with_ranks" PLEACH_ENGINE=two-tree PLEACH_REDUCE_ENGINE=native "$@" >"$out" 2>&1
}

# A file: no log, rank 0 alone, nothing on standard error.
with_both 2 PLEACH_REPORT="$scratch/report.%r" "$programs/five" || fail "file: exit status $?"
[ "$(cat "$out")" = 'five ok' ] || fail "file: says $(cat "$out")"
[ "$(cd "$scratch" && echo report.*)" = report.0 ] || fail "ranks that reported: $(cd "$scratch" && echo report.*)"
report=$scratch/report.0
has "$report" "$all"
lines "$report" '^Pleach report of rank 0, process [0-9]* on ' 1
lines "$report" '^7 calls: 5.341M bytes, [0-9.]*[mun]*s, which is [0-9.]*% of the [0-9.]*m*s since the first of them$' 1
[ "$(nproc)" -lt 2 ] || lines "$report" '^measured: within a node alpha ' 1 # on one core there is nothing to measure
lines "$report" ' 100.0%  bcast$' 1
lines "$report" ' 0.0%  reduce$' 1
for site in 'bcast *rooted' 'reduce *rooted' 'scan *scans' 'exscan *scans' 'allreduce *everywhere'; do
    lines "$report" "  $site+0x[0-9a-f]* < main+0x[0-9a-f]*\$" 1
done
# The times are those of the calls: they add up, and are no more than the program took.
awk '
    function seconds(x) { sub(/,/, "", x); return x * (x ~ /ms$/ ? 1e-3 : x ~ /us$/ ? 1e-6 : x ~ /ns$/ ? 1e-9 : 1) }
    / calls: / { all = seconds($5); elapsed = seconds($(NF - 5)) }
    $NF == "COLLECTIVE" { table = 1; next }
    !NF { table = 0 }
    table { sum += seconds($3) }
    END { exit !(all > 0 && sum > 0.99 * all && sum < 1.01 * all && elapsed >= all) }' "$report" || fail "times in $(cat "$report")"

# All ranks, small calls, a pattern; never over a file that is there.
with_both 3 PLEACH_REPORT="$scratch/report.%r" PLEACH_LOG_RANKS=all "$programs/five" 10 5 || fail "small: $?"
small='15 bcast native below-threshold
15 reduce native below-threshold
5 allreduce native below-threshold
5 exscan native below-threshold
5 scan native below-threshold'
has "$report" "$all"
for file in report.0.1 report.1 report.2; do
    has "$scratch/$file" "$small"
done
silent_about "$report.1" measured

# Beside a log, on standard error; no call sites.
with_both 2 PLEACH_REPORT=stderr PLEACH_LOG="$scratch/log" PLEACH_STACK=0 "$programs/five" ||
    fail "stderr: exit status $?"
has "$out" "$all"
says "$out" 'five ok'
[ "$(reasons "$scratch/log")" = 'native forced
two-tree forced' ] || fail "the log beside it: $(reasons "$scratch/log")"
[ "$(grep -vc '^#' "$scratch/log")" -eq 8 ] || fail 'the log has not a line for each call'
lines "$out" '  bcast *-$' 1

# None, which goes before the file of settings.
printf 'REPORT=%s\n' "$scratch/none" >"$scratch/conf"
(cd "$scratch" && preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_REPORT=none "$programs/five") >"$out" 2>&1 ||
    fail "none: exit status $?"
[ "$(cat "$out")" = 'five ok' ] || fail "none: says $(cat "$out")"
[ ! -e "$scratch/none" ] || fail 'none: a report'

# Threads; programs that end in MPI_Finalize, or without it, or fork.
preloaded 2 PLEACH_THRESHOLD=0 PLEACH_REPORT="$scratch/threads" "$programs/threads" >"$out" 2>&1 || fail "threads: exit status $?"
says "$scratch/threads" ' calls: '
preloaded 2 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/finalized" "$programs/sites" >"$out" 2>&1 || fail "sites: exit status $?"
has "$scratch/finalized" '3 reduce chain forced
3 scan chain forced'
# One rank: of several that leave so, the launcher kills the last.
preloaded 1 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/left" "$programs/nofinalize" >"$out" 2>&1
has "$scratch/left" '1 bcast native one-rank'
preloaded 2 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/fork" "$programs/fork" >"$out" 2>&1 || fail "fork: exit status $?"
lines "$scratch/fork" '^Pleach report' 1

# Reports that cannot be written: the program runs, one line tells.
for report in /dev/full /nowhere/at/all; do
    preloaded 2 PLEACH_ENGINE=chain PLEACH_REPORT=$report "$programs/five" >"$out" 2>&1 || fail "report $report: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    says "$out" "pleach: report $report: "
done
exit "$status"
