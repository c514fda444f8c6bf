#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Calls made of stages inside nodes and between them (lanes, multiport) give the native results, bit for bit, on equal and
# unequal nodes, of consecutive ranks and of ranks dealt out in turn. They pass the hard cases of other tests. MPICH can
# pretend that ranks lie on several nodes.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
behind=$fakes/native_calls.so
with mpich || skip 'only MPICH pretends that there are several nodes'
PLEACH_SHARED=64M

blocks=yes
blocks_of_nodes || {
    blocks=no
    echo 'not tested: nodes of consecutive ranks: the MPI library cannot make them up'
}

# by NODES ORDER RANKS [NAME=VALUE..] PROGRAM [ARG..]: runs a program on so many made-up nodes, whose ranks are consecutive
# (block) or dealt out in turn (turn), and fails unless the engine serves.
engine=lanes
by() {
    by_nodes=$1
    by_order=$2
    by_ranks=$3
    shift 3
    rm -f "$scratch/log"
    [ "$by_order" != block ] || set -- MPIR_CVAR_CLIQUES_BY_BLOCK=1 "$@"
    runs "$by_ranks" MPI_LOCALNRANKS=1 MPIR_CVAR_NUM_CLIQUES="$by_nodes" PLEACH_ENGINE=$engine PLEACH_THRESHOLD=0 \
        PLEACH_LOG="$scratch/log" "$@"
    [ "$by_order$blocks" = blockno ] || reasons "$scratch/log" | grep -q "^$engine forced\$" ||
        fail "$engine does not serve $*: $(reasons "$scratch/log")"
}

# differential NODES ORDER RANKS [NAME=VALUE..]: fails unless all results equal native ones, and the engine has served all
# collectives that it can serve on MPI_COMM_WORLD. It serves scans only on nodes of consecutive ranks.
differential() {
    [ "$2" != block ] || [ "$blocks" = yes ] || return 0
    by "$@" "$differential" --quick --every 32 --seed "${SEED:-1}"
    served=$(awk -F '\t' -v engine="$engine" '$12 == engine && $4 == "MPI_COMM_WORLD" { print $6 }' "$scratch/log" |
        sort -u | xargs)
    equal "collectives that $engine serves" "$served" \
        "$([ "$2" = block ] && echo allreduce bcast exscan reduce scan || echo allreduce bcast reduce)"
}

# Slices of the default size give few lanes here, and each lane has one slice. Small slices give up to as many lanes as the
# smallest node has ranks, with many slices each; slices of 100 KiB give each lane several slices.
small=$(whole_or 1021 16381)
differential 3 turn 7
differential 2 block 5 PLEACH_BLOCK=100K
differential 2 block 4 PLEACH_BLOCK=$small
differential 2 turn 5 PLEACH_BLOCK=$small
[ "${WHOLE:-no}" = no ] || for layout in '2 block 5' '3 turn 9'; do
    differential $layout
    differential $layout PLEACH_BLOCK=$small
done

# Four nodes lie on two sites: the stages between nodes go through trees over the sites. If ranks are dealt out in turn, the
# nodes of a site are not consecutive: site a has nodes 0 and 2, site b nodes 1 and 3.
printf 'sites\nrank 0-3 a\nrank 4-7 b\n' >"$scratch/block"
printf 'sites\nrank 0,2,4,6 a\nrank 1,3,5,7 b\n' >"$scratch/turn"
for order in $(whole_or 'block turn' turn); do
    differential 4 $order 8 PLEACH_BLOCK=$small PLEACH_PLACES="$scratch/$order"
done

# These programs have hard cases; with WHOLE=yes, more of them run.
names='threads extents rendezvous fork finalize memory'
[ "${WHOLE:-no}" = no ] || names="$names communicators five callbacks handles repeated freeing nested large"
for name in $names; do
    by 2 block 4 "$programs/$name"
done
# Ranks that wait for the slices of other lanes drive MPI, too. As the size of blocks is set, no call begins with a
# measurement, in which ranks yield as often as they drive MPI.
by 2 block 4 PLEACH_BLOCK=8K LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/drives.so:$liar" LIAR_CORES=64 "$programs/progress"
# Messages may be short, here of 8 to 8000 bytes.
for elements in $(whole_or "1 5 128 1000" "1 1000"); do
    by 2 block 8 "$programs/five" $elements 2
done
by 3 turn 7 "$programs/five" 3 2
# Communicators come and go with their segments. If the budget is used up, calls go native.
by 2 block 4 "$programs/churn" 20
by 2 block 4 "$programs/segments" 40 2
says "$out" 'segments ok: 40 communicators, at most 2160 KiB shared in 4 pieces, 4 left'
by 2 block 4 PLEACH_SHARED=1M "$programs/segments" 9 9
says "$out" 'segments ok: 9 communicators, at most 540 KiB shared in 1 pieces, 1 left'
# A rule that names lanes makes the ranks share memory, also for calls that get no lanes by the model.
printf 'pleach-rules 1\ncollective=bcast bytes=32K-63K -> engine=lanes\n' >"$scratch/rules"
runs 4 $two_nodes PLEACH_RULES="$scratch/rules" PLEACH_LOG=stderr "$programs/learn" repeat bcast 4096 20
reasons "$out" | grep -q '^lanes rule$' || fail "the rule does not hold: $(reasons "$out")"
# choosing [NAME=VALUE..] PROGRAM [ARG..]: the model and trials choose among engines. The number of cores is made up.
choosing() {
    runs 8 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" LIAR_CORES=64 $two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1 \
        PLEACH_BUDGET=1 "$@"
    grep -q -e '^five ok$' -e '^learn ok$' "$out" || fail "$*: $(cat "$out")"
}
# by_model [NAME=VALUE..] PROGRAM [ARG..]: fails unless the model takes lanes. Times are made up, too, so each run makes the
# same choice.
by_model() {
    rm -f "$scratch/log"
    choosing LIAR_CLOCK=yes PLEACH_PLACES=node PLEACH_LOG="$scratch/log" "$@"
    reasons "$scratch/log" | grep -q '^lanes model$' || fail "the model does not take lanes: $(reasons "$scratch/log")"
}
by_model PLEACH_REPORT="$scratch/report" "$programs/five" 100003 1
# A call of 16000 bytes is below the threshold. The first call is longer, and lanes serve it. When short calls have taken
# enough time, trials find that lanes or multiport serve these fastest; a file of rules keeps what they have found. Without
# such a file, trials begin after 32768 calls.
learns_lanes() {
    by_model "$@"
    for reason in trial learned; do
        reasons "$scratch/log" | grep -qEx "(lanes|multiport) $reason" || fail "short calls, $*: $(reasons "$scratch/log")"
    done
}
[ "${WHOLE:-no}" = no ] || learns_lanes "$programs/learn" after reduce 2000 32800
learns_lanes PLEACH_LEARN="$scratch/learned" "$programs/learn" after allreduce 2000 800
grep -qE '^collective=allreduce .* -> engine=(lanes|multiport) ' "$scratch/learned" ||
    fail "learned: $(cat "$scratch/learned")"
# A message may be longer than a cell, as only the cells between nodes are of its whole size.
by_model "$programs/learn" after allreduce 6000 800
reasons "$scratch/log" | grep -q '^multiport trial$' || fail "no trial of multiport: $(reasons "$scratch/log")"
# By the machine's own clock, trials may choose anything.
choosing PLEACH_LEARN="$scratch/own" PLEACH_REPORT="$scratch/report" "$programs/five" 100003 2
choosing PLEACH_LEARN="$scratch/own" "$programs/five" 8192 8
for name in five threads; do
    by 2 turn 4 PLEACH_BLOCK=16K "$programs/$name"
done
by 2 block 4 PLEACH_VERIFY=yes PLEACH_BLOCK=$small "$differential" --quick
says "$out" 'none of'

# Pleach does not warn if the setting of one collective alone names lanes.
by 2 turn 4 PLEACH_ENGINE=native PLEACH_BCAST_ENGINE=lanes "$programs/five"
silent_about "$out" 'pleach: '

# Without shared memory on all nodes, lanes do not serve.
rm -f "$scratch/log"
runs 4 $two_nodes PLEACH_LOG="$scratch/log" PLEACH_ENGINE=lanes PLEACH_THRESHOLD=0 PLEACH_SHARED=no \
    "$programs/five"
records "$scratch/log" 'native not-applicable'
rm -f "$scratch/log"
runs 4 $two_nodes PLEACH_LOG="$scratch/log" PLEACH_ENGINE=lanes PLEACH_THRESHOLD=0 PLEACH_SHARED=64K \
    "$programs/five"
records "$scratch/log" 'native no-shared-memory'

# All results are right while a rank sleeps or forks, or signals interrupt the ranks.
for fault in 'stop 4' 'fork 4' signals; do
    by 2 block 4 PLEACH_BLOCK=8K "$programs/faults" $fault
    says "$out" 'faults ok, 0 errors'
done
# short N: request N for memory fails on rank 1; none fails if N is 0. All ranks get right results or errors.
short() {
    by 2 block 4 LD_PRELOAD="$fakes/shortage.so:$YIELD:$LIBPLEACH" SHORTAGE_RANK=1 SHORTAGE="$1" PLEACH_BLOCK=8K \
        "$programs/faults" calls
}
short 0
requests=$(sed -n 's/^shortage: try //p' "$out" | tr ' ' '\n' | sort -n | awk -v each="$(whole_or 9 15)" 'NR % each == 0')
[ "$(echo "$requests" | wc -w)" -ge 4 ] || fail "requests: $requests, of $(cat "$out")"
for number in $requests; do
    short "$number"
done

# The program mismatch breaks such a call.
mismatches 4 lanes $two_nodes PLEACH_THRESHOLD=0

# Short calls whose messages all ranks of a node send. There are one round and two between nodes, with one port and two.
engine=multiport
differential 3 turn 7
differential 4 block 8
differential 2 block 5
printf 'sites\nrank 0-3 a\nrank 4-7 b\n' >"$scratch/block"
[ "${WHOLE:-no}" = no ] || differential 4 block 8 PLEACH_PLACES="$scratch/block"
[ "${WHOLE:-no}" = no ] || differential 5 turn 10
by 2 block 4 "$programs/extents"
by 4 block 8 PLEACH_BLOCK=8K LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/drives.so:$liar" LIAR_CORES=64 "$programs/progress"
for elements in $(whole_or "1 5 128 1000" "1 1000"); do
    by 4 block 8 "$programs/five" $elements 2
done
by 2 block 4 PLEACH_VERIFY=yes "$differential" --quick
says "$out" 'none of'
for fault in 'stop 4' 'fork 4' signals; do
    by 4 block 8 "$programs/faults" $fault
    says "$out" 'faults ok, 0 errors'
done
short 0

exit "$status"
