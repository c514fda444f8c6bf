#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Operations of the program may assign whole structs of which a call sends some members (tests/programs/structs.c). Every
# engine gives them enough memory.
. "$srcdir/tests/scripts/mpi.sh"

# assigns RANKS COLLECTIVE ENGINE [NAME=VALUE..]: fails unless the engine serves all calls of the collective, with right
# results, in aligned memory.
assigns() {
    assigns_ranks=$1
    assigns_collective=$2
    assigns_engine=$3
    shift 3
    rm -f "$scratch/log"
    runs "$assigns_ranks" PLEACH_ENGINE="$assigns_engine" PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log" "$@" \
        "$programs/structs" all "$assigns_collective"
    says "$out" 'structs ok, 0 misaligned'
    equal "engines of $assigns_engine, $assigns_collective" "$(reasons "$scratch/log" | grep -v ' one-rank$')" \
        "$assigns_engine forced"
}

# each PATTERN RANKS [NAME=VALUE..]: like assigns, with all engines that match, and each collective that they serve in order.
each() {
    each_pattern=$1
    shift
    each_ranks=$1
    shift
    engines_but native lanes multiport | awk -v pattern="$each_pattern" '
        $1 ~ pattern && $2 != "bcast" && / always / && !/place|site|each node/ { print $2, $1 }' >"$scratch/engines"
    [ -s "$scratch/engines" ] || fail "there is no engine like $each_pattern"
    while read -r collective engine; do
        assigns "$each_ranks" "$collective" "$engine" "$@" </dev/null
    done <"$scratch/engines"
}

each '^([^n]|nd)' 3
each '^node-' 3 PLEACH_SHARED=64M
if with mpich && blocks_of_nodes; then
    for collective in reduce scan exscan allreduce; do
        assigns 4 $collective lanes PLEACH_SHARED=64M $two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1
    done
else
    echo "not tested: lanes: $MPI makes up no nodes of consecutive ranks"
fi

# natively GROUP: true unless valgrind finds that the MPI library itself gives the operation too little memory.
natively() {
    [ -n "${VALGRIND:-}" ] || return
    timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$VALGRIND" --quiet --log-file="$scratch/natively.%p" \
        "$programs/structs" "$1" >"$out" 2>&1
    ! cat "$scratch"/natively.* | grep -A 6 'Invalid write' | grep -q ': assign '
}

# Native calls serve as well: below the threshold, beside engines that are verified, and where Pleach is switched off.
for group in early late other; do
    rm -f "$scratch"/natively.*
    if ! natively $group; then
        echo "not tested: native calls with structs of the group $group: $MPI gives operations too little memory"
        continue
    fi
    for settings in PLEACH_SHARED=64M PLEACH_DISABLE=yes 'PLEACH_ENGINE=ring,butterfly,chain PLEACH_VERIFY=yes' \
        'PLEACH_SHARED=64M PLEACH_VERIFY=yes'; do
        # shellcheck disable=SC2086 # words
        runs 2 $settings "$programs/structs" $group
    done
done

exit "$status"
