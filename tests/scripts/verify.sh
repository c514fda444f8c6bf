#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With PLEACH_VERIFY, Pleach compares engines with native calls. If they differ, it reports the first difference and delivers
# the native result. With PLEACH_DRY_RUN, choice and records are the same as without it, and results are native.
. "$srcdir/tests/scripts/mpi.sh"
native=$scratch/native

# agrees RANKS BLOCK PROGRAM [ARG..]: draws an engine for each call; fails unless Pleach's only line is the number of
# verified calls.
agrees() {
    agrees_ranks=$1
    agrees_block=$2
    shift 2
    runs "$agrees_ranks" PLEACH_VERIFY=yes PLEACH_THRESHOLD=0 PLEACH_ENGINE=random:7 PLEACH_BLOCK="$agrees_block" "$@"
    lines "$out" '^pleach: ' 1
    lines "$out" '^pleach: verify: rank 0: none of [1-9][0-9]* verified calls differed$' 1
}

# Sums of doubles have the bits of the native calls. MPICH's own algorithms, whose bits may be others, are not drawn if the
# user has named one.
named='MPIR_CVAR_REDUCE_INTRA_ALGORITHM=binomial MPIR_CVAR_SCAN_INTRA_ALGORITHM=recursive_doubling'
named="$named MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling"
for ranks in 3 4; do
    agrees $ranks auto "$programs/five"
    agrees $ranks 4093 "$differential" --quick
    # shellcheck disable=SC2086 # words
    agrees $ranks auto $named "$programs/reproducible"
done
says "$out" 'reproducible: '
# shellcheck disable=SC2086 # words
preloaded 4 $named PLEACH_DISABLE=yes "$programs/reproducible" >"$native" 2>&1 || fail "reproducible: $(cat "$native")"
says "$out" "$(cat "$native")"

# Engines of shared memory are verified, too.
PLEACH_SHARED=64M
for engines in node-copy,node-flat node-line,node-tree node-prefixes,node-ring; do
    runs 3 PLEACH_VERIFY=yes PLEACH_THRESHOLD=0 PLEACH_ENGINE=$engines PLEACH_LOG="$scratch/shared.$engines" \
        "$differential" --quick
    lines "$out" '^pleach: verify: rank 0: none of [1-9][0-9]* verified calls differed$' 1
    for engine in $(echo $engines | tr , ' '); do
        says "$scratch/shared.$engines" "	$engine	"
    done
done
PLEACH_SHARED=no

# What Pleach computes to compare results is no business of a program that traps exceptions.
agrees 2 auto "$programs/traps"
says "$out" 'traps ok'

# From here on the test expects the native results of MPICH's algorithms.
with mpich || exit "$status"

# The operation is not associative. From the ranks' operands a, b, c, d, the native call computes (a-b)-(c-d). The chain
# computes ((a-b)-c)-d, or a-(b-(c-d)) if it starts at its other end.
preloaded 4 PLEACH_DISABLE=yes "$programs/order" 2 >"$native" 2>&1 || fail "order: $(cat "$native")"
runs 4 PLEACH_ENGINE=chain PLEACH_THRESHOLD=0 "$programs/order" 2
cmp -s "$native" "$out" && fail 'the chain gives the native result: there is nothing to find'
runs 4 PLEACH_VERIFY=yes PLEACH_ENGINE=chain PLEACH_THRESHOLD=0 "$programs/order" 2
grep -v '^pleach: ' "$out" | cmp -s - "$native" || fail "not the native results: $(diff "$native" "$out")"
lines "$out" '^pleach: ' 4
told='^pleach: verify: rank'
natively='natively (the user-defined operation gives equal results if .*); called at'
into='+0x[0-9a-f]*'
lines "$out" "$told 0, MPI_Reduce on 4 ranks: element 17 is -34 from chain, 0 $natively reduce$into < main$into\$" 1
lines "$out" "$told 3, MPI_Scan on 4 ranks: element 17 is -136 from chain, 0 $natively scan$into < main$into\$" 1
lines "$out" '^pleach: verify: rank 0: 2 of 6 verified calls differed$' 1
lines "$out" '^pleach: verify: rank 3: 4 of 4 verified calls differed$' 1

# In an all-reduce every rank has a result, and reports it. two-tree computes a-((b-c)-d).
runs 4 PLEACH_VERIFY=yes PLEACH_ENGINE=native PLEACH_ALLREDUCE_ENGINE=two-tree PLEACH_THRESHOLD=0 "$programs/order" 2
grep -v '^pleach: ' "$out" | cmp -s - "$native" || fail "not the native results: $(diff "$native" "$out")"
lines "$out" '^pleach: ' 8
for rank in 0 1 2 3; do
    differs="MPI_Allreduce on 4 ranks: element 17 is 102 from two-tree, 0"
    lines "$out" "$told $rank, $differs $natively allreduce$into < main$into\$" 1
    lines "$out" "^pleach: verify: rank $rank: 2 of 2 verified calls differed\$" 1
done

# A rank verifies only calls that give it a result. An exclusive scan gives rank 0 none.
none='pleach: verify: rank 0: no engine gave it a result, so no call was verified'
runs 3 PLEACH_VERIFY=yes PLEACH_ENGINE=native PLEACH_EXSCAN_ENGINE=chain PLEACH_THRESHOLD=0 PLEACH_LOG=stderr \
    "$programs/five"
lines "$out" "^$none\$" 1
lines "$out" '	exscan	.*	chain	' 1

# No call is verified if none is large enough. The same holds if one rank lacks memory, because calls are then native on all
# ranks. An erroneous program gets the same error as without PLEACH_VERIFY.
runs 3 PLEACH_VERIFY=yes "$programs/five" 10
says "$out" "$none"
runs 3 PLEACH_VERIFY=yes PLEACH_ENGINE=two-tree PLEACH_THRESHOLD=0 PLEACH_LOG=stderr "$programs/memory"
lines "$out" '^pleach: verify: rank 0: none of [1-9][0-9]* verified calls differed$' 1
lines "$out" '^pleach: ' 1
records "$out" "$(printf 'native no-memory\ntwo-tree forced')"
fails 2 PLEACH_VERIFY=yes PLEACH_ENGINE=chain PLEACH_BLOCK=10007 "$programs/mismatch"
says "$out" 'truncated'

# plan FILE: prints the records of the calls without times and call sites.
plan() {
    grep -v '^#' "$1" | cut -f 1,3-14
}

# A dry run has the same records as a run with the same settings, but the results of native calls. It verifies nothing.
# runs_dry ENGINE ALLREDUCE_ENGINE: with these engines. The first one serves six calls, the second one two.
runs_dry() {
    for verify in no yes; do
        runs 4 PLEACH_DRY_RUN=yes PLEACH_VERIFY=$verify PLEACH_ENGINE="$1" PLEACH_ALLREDUCE_ENGINE="$2" \
            PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/dry.$1.$verify" "$programs/order" 2
        grep -v '^pleach: ' "$out" | cmp -s - "$native" || fail "dry run: not the native results: $(cat "$out")"
        lines "$out" "^$none\$" "$([ $verify = yes ] && echo 1 || echo 0)"
    done
    runs 4 PLEACH_ENGINE="$1" PLEACH_ALLREDUCE_ENGINE="$2" PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/wet.$1" \
        "$programs/order" 2
    plan "$scratch/wet.$1" >"$out"
    [ "$(grep -c "$1	[1-9][0-9]*	forced$" "$out")" -eq 6 ] || fail "not $1: $(cat "$out")"
    [ "$(grep -c "$2	[1-9][0-9]*	forced$" "$out")" -eq 2 ] || fail "not $2: $(cat "$out")"
    plan "$scratch/dry.$1.no" | cmp -s - "$out" || fail "a dry run plans otherwise: $(cat "$scratch/dry.$1.no")"
}
runs_dry chain butterfly
PLEACH_SHARED=64M
runs_dry node-line node-flat
PLEACH_SHARED=no

# Pleach finds the basic types of deeply nested datatypes without deep recursion.
runs 2 PLEACH_VERIFY=yes PLEACH_ENGINE=chain PLEACH_THRESHOLD=0 "$programs/nested" "$(nesting)"

exit "$status"
