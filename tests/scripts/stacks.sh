#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Threads of runtimes have little stack. Calls succeed in a thread with 32 KiB, and need little more of it than natively.
. "$srcdir/tests/scripts/mpi.sh"
KIB=32
FIRST=12288 LATER=8192 # bytes that Pleach may add: in the first calls on communicators, and in later calls
case " $MPI_COMPILER " in
*' -O0 '* | *' -fsanitize='*) skip 'built without optimization or with a sanitizer: frames are larger' ;;
esac
# The loader resolves a symbol at its first use, which may come in a later call, and takes 3 KiB.
export LD_BIND_NOW=1

# used: prints the most bytes that a rank has used in the first calls and in later ones.
used() {
    awk '/^faults: rank .* bytes of stack, then / {
        if ($5 > first) first = $5
        if ($10 > later) later = $10
    }
    END { print first + 0, later + 0 }' "$out"
}

# adds RANKS [NAME=VALUE..]: fails unless all calls succeed, and Pleach adds no more than it may to $natively.
adds() {
    adds_ranks=$1
    shift
    rm -f "$scratch"/log.* "$scratch"/report*
    runs "$adds_ranks" "$@" "$programs/faults" stack "$KIB" "$times"
    says "$out" 'faults ok, 0 errors'
    added=$(echo "$(used) $natively" | awk '{ print $1 - $3, $2 - $4, $1 }')
    echo "$adds_ranks ranks, $*: $added"
    echo "$added" | awk -v first=$FIRST -v later=$LATER '{ exit !($3 > 0 && $1 <= first && $2 <= later) }' ||
        fail "$adds_ranks ranks, $*: Pleach adds $added bytes to $natively"
}

everything="PLEACH_LOG=$scratch/log.%r PLEACH_LOG_RANKS=all PLEACH_REPORT=$scratch/report PLEACH_REPORT_EVERY=1ms
    PLEACH_PATIENCE=100s PLEACH_VERIFY=yes PLEACH_VERBOSE=yes PLEACH_STACK=4"
printf 'pleach-rules 1\nsite="*plain_calls*" -> engine=binomial\n' >"$scratch/rules"

# With two ranks there are enough cores, and trials: they need more than a few calls.
for ranks in 2 3; do
    times=$([ $ranks = 2 ] && echo 12 || echo 3)
    in_time "$MPIEXEC" -n $ranks env LD_PRELOAD="$YIELD" "$programs/faults" stack $KIB "$times" \
        >"$out" 2>&1 || skip "the MPI library itself needs more than $KIB KiB: $(cat "$out")"
    natively=$(used)
    adds $ranks
    adds $ranks PLEACH_DISABLE=yes
    adds $ranks PLEACH_SUMS=exact
    adds $ranks PLEACH_SHARED=64M PLEACH_LEARN="$scratch/learned"
    with mpich && adds $ranks MPIR_CVAR_NUM_CLIQUES=$ranks PLEACH_PLACES=auto
    adds $ranks PLEACH_RULES="$scratch/rules" PLEACH_STACK=4
    # shellcheck disable=SC2086 # words
    for engines in 'chain butterfly' 'two-tree two-tree' 'fractional circulant' 'binomial butterfly'; do
        adds $ranks PLEACH_ENGINE=${engines% *} PLEACH_ALLREDUCE_ENGINE=${engines#* } PLEACH_BLOCK=8K $everything
        engines_served "$scratch/log.0" $engines
    done
    # shellcheck disable=SC2086
    adds $ranks PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-line PLEACH_BLOCK=8K $everything
    engines_served "$scratch/log.0" node-copy node-line
done

# The ranks have different settings, and say which.
adds 2 sh -c 'PLEACH_BLOCK=$((${PMI_RANK:-${OMPI_COMM_WORLD_RANK:?}} + 1))K exec "$@"' sh
says "$out" 'PLEACH_BLOCK differs between ranks'

# Lanes on made-up nodes, with a file of places.
if with mpich; then
    with_0=$(blocks_of_nodes && echo 1 || echo 2) # rank 0 shares its node with this rank
    printf 'sites\nrank 0 a\nrank %d a\nrank %d b\nrank 3 b\n' "$with_0" $((3 - with_0)) >"$scratch/places"
    ranks=4
    in_time "$MPIEXEC" -n $ranks env LD_PRELOAD="$YIELD" "$programs/faults" stack $KIB 3 >"$out" 2>&1
    natively=$(used)
    times=3
    # shellcheck disable=SC2086
    for places in node auto "$scratch/places"; do
        adds $ranks $two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1 PLEACH_SHARED=64M PLEACH_ENGINE=lanes \
            PLEACH_PLACES="$places" $everything
        engines_served "$scratch/log.0" lanes
    done
else
    echo 'not tested: lanes: only MPICH pretends that there are several nodes'
fi
exit "$status"
