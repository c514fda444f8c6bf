#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every engine against the native call, bit for bit: tests/differential calls from as many sites as a collective has engines;
# rules give each site an engine; on each number of ranks all of them must have served.
. "$srcdir/tests/mpi.sh"

# Collective, site, engine: all that the registry holds.
"$PLEACH" engines | awk '!NF { exit } NR > 1 && $1 != "native" && !seen[$1, $2]++ { print $2, n[$2]++, $1 }' |
    sort >"$scratch/engines"
sites=$(awk '$2 >= n { n = $2 + 1 } END { print n }' "$scratch/engines")
{
    echo 'pleach-rules 1'
    sed 's/\(.*\) \(.*\) \(.*\)/collective=\1 site=*site_\2+* -> engine=\3/' "$scratch/engines"
} >"$scratch/rules"

# same RANKS [NAME=VALUE..] [--quick]: the cases hold.
same() {
    same_ranks=$1
    shift
    runs "$same_ranks" PLEACH_THRESHOLD=0 "$@"
    says "$out" 'cases ok'
}

# all_serve RANKS EXTENT [NAME=VALUE..]: likewise, in all engines; EXTENT is --quick or nothing.
all_serve() {
    all_serve_ranks=$1
    all_serve_extent=$2
    shift 2
    rm -f "$scratch/log"
    # shellcheck disable=SC2086 # a word or none
    same "$all_serve_ranks" PLEACH_RULES="$scratch/rules" PLEACH_STACK=2 PLEACH_LOG="$scratch/log" "$@" \
        "$builddir/tests/differential" --sites "$sites" $all_serve_extent
    awk -F '\t' '$14 == "rule" { print $6, $12 }' "$scratch/log" | sort -u >"$scratch/served"
    cut -d ' ' -f 1,3 "$scratch/engines" | sort | diff - "$scratch/served" ||
        fail "on $all_serve_ranks ranks, other engines have served than there are"
}

SECONDS_ALLOWED=3000
for ranks in 2 3 5 8 9; do
    all_serve $ranks ''
done
for ranks in 4 7; do
    all_serve $ranks --quick
done
# Many small blocks, none a multiple of anything, and two nodes that have the ranks in turn (MPICH can make believe that).
all_serve 5 '' PLEACH_BLOCK=1021 MPIR_CVAR_NUM_CLIQUES=2
# What users get; one engine; engines drawn anew for every call.
same 1 "$builddir/tests/differential"
same 2 "$builddir/tests/differential"
same 3 PLEACH_ENGINE=chain PLEACH_BLOCK=4093 "$builddir/tests/differential"
same 4 PLEACH_ENGINE=random:1 PLEACH_BLOCK=4093 "$builddir/tests/differential"

exit "$status"
