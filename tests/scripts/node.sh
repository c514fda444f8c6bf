#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Engines whose ranks share memory give the native results, bit for bit, in many small blocks. They pass the hard cases of
# other tests, also with ranks that come late or wait for messages of the program, and with more ranks than cores.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
behind=$fakes/native_calls.so
PLEACH_SHARED=64M

# found NODES [NAME=VALUE..]: fails unless Pleach finds three ranks on so many nodes.
found() {
    found_nodes=$1
    shift
    runs 3 PLEACH_VERBOSE=yes "$@" "$programs/five"
    says "$out" " 3 ranks on $found_nodes, "
}

# Ranks of a host that can share memory are on one node, even if MPI finds a node for each. The launcher may say that a
# kernel has ranks of several hosts.
if ! with openmpi; then
    apart=MPIR_CVAR_NUM_CLIQUES=3
    found '1 node' $apart
    found '3 nodes' $apart PLEACH_SHARED=no
    found '3 nodes' $apart MPI_LOCALNRANKS=1
    found '3 nodes' $apart sh -c '[ "$PMI_RANK" -ne 1 ] || MPI_LOCALNRANKS=2; exec "$@"' sh
    found '3 nodes' $apart LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/sandbox.so" SANDBOX_FORBIDS='memfd files' SANDBOX_RANK=2
fi

# The library of the standard ABI takes each rank for a node. With made-up cores no launcher says otherwise.
if with abi; then
    compiled together.so -shared -fPIC <<'END' || skip 'no C compiler'
int PMPI_Comm_split(void *comm, int colour, int key, void **part);
int PMPI_Comm_split_type(void *comm, int type, int key, void *info, void **part)
{
    (void)type, (void)info;
    return PMPI_Comm_split(comm, 0, key, part);
}
END
    LIBPLEACH=$LIBPLEACH:$scratch/together.so
fi

# same RANKS EVERY [NAME=VALUE..]: fails unless the results of differential equal the native ones, and each engine has
# served each of its collectives. EVERY: the part of the reductions that are made, as for --every.
sited '^node-'
awk '{ print $1, $3 }' "$scratch/sited" | sort >"$scratch/all"
same() {
    same_ranks=$1
    same_every=$2
    shift 2
    sites_served "$scratch/all" "$same_ranks" "$@" "$differential" --quick --every "$same_every"
}

# Blocks of 64 bytes go around the cells many times. With other MPI libraries than MPICH fewer cases run, unless WHOLE=yes:
# Pleach's own code is the same there.
same 3 32 PLEACH_BLOCK=1021
if with mpich || [ "${WHOLE:-}" = yes ]; then
    same 2 16 PLEACH_BLOCK=64
    same 5 32 PLEACH_BLOCK=509
fi
# Ranks are bound; each four, or two, share a cache.
LIBPLEACH=$LIBPLEACH:$liar same 7 64 LIAR_DOMAIN=$(whole_or 2 4) PLEACH_BLOCK=509
[ "${WHOLE:-}" != yes ] || for ranks in 2 3 4 5 6 7 8 9; do
    same "$ranks" 1 PLEACH_BLOCK=64
done

# by ENGINES RANKS [NAME=VALUE..] PROGRAM [ARG..]: runs a program whose calls these engines and node-copy serve. One of them
# must serve some call. The log is a file: a launcher that is slow to take it would end it.
by() {
    by_engines=$1
    by_ranks=$2
    shift 2
    rm -f "$scratch/log"
    runs "$by_ranks" PLEACH_ENGINE="node-copy,$by_engines" PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log" "$@"
    reasons "$scratch/log" | grep -q '^node-.* forced$' || fail "no engine serves $*: $(reasons "$scratch/log")"
}

pairs='node-line node-prefixes,node-ring'
with mpich || [ "${WHOLE:-}" = yes ] || pairs=node-line,node-ring
for engines in $pairs; do
    names='five threads fork callbacks extents handles repeated'
    [ "$engines" != node-prefixes,node-ring ] || names='five callbacks'
    [ "${WHOLE:-}" != yes ] || names='five threads fork communicators callbacks extents handles repeated'
    for name in $names; do
        by $engines 3 "$programs/$name"
    done
    by $engines 3 "$programs/rendezvous"
    # The receiver of a large message may copy it from the memory of the sender. Without this way, the sender must take part.
    by $engines 3 UCX_TLS=sysv,self OMPI_MCA_btl_vader_single_copy_mechanism=none "$programs/rendezvous" reduce
done
for engines in node-flat node-tree; do
    by $engines 3 "$programs/rendezvous" reduce
done

# By default these engines serve short calls, too, even if there are more ranks than cores.
runs 4 taskset -c "$core" env PLEACH_LOG=stderr "$programs/rendezvous"
case $(reasons "$out") in
*node-*) ;;
*) fail "no engine of shared memory serves by default: $(reasons "$out")" ;;
esac
# Pleach keeps to the user's threshold.
runs 2 PLEACH_LOG=stderr PLEACH_THRESHOLD=inf "$programs/rendezvous"
case $(reasons "$out") in
*node-*) fail "an engine serves below the threshold of the user: $(reasons "$out")" ;;
esac

# Data may span more memory than there is, if nobody touches the gaps.
by node-flat 2 "$programs/sparse"

# While a rank does not come, another one leaves at least as many calls as natively.
by node-flat 2 PLEACH_BLOCK=64K "$programs/leads" "$scratch/leads" # a size of blocks: then no call begins with a measurement
by node-flat 3 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" LIAR_CORES=64 PLEACH_BLOCK=32K "$programs/leads" "$scratch/leads"

# A rule for short calls holds as soon as the ranks share memory, in a program whose calls are all alike.
printf 'pleach-rules 1\ncollective=allreduce op=exact bytes=64-127 -> engine=node-flat\n' >"$scratch/rules"
runs 2 PLEACH_LOG=stderr PLEACH_RULES="$scratch/rules" "$programs/learn" repeat allreduce 8 300
case $(reasons "$out") in
*'node-flat rule'*) ;;
*) fail "the rule does not hold: $(reasons "$out")" ;;
esac

# Ranks that wait drive the MPI library, also where they share a core: other ranks make one-sided operations on them, and end
# nonblocking collectives.
serving() {
    by node-line "$@"
    equal 'collectives that these engines serve' \
        "$(awk -F '\t' '$12 ~ /^node-/ { print $6 }' "$scratch/log" | sort -u | xargs)" 'allreduce bcast reduce'
    says "$out" 'progress ok'
    grep 'need nothing' "$out" | sed 's/^/not tested: /'
}
in_time "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$programs/progress" >"$out" 2>&1 || : natively
if grep -q 'in MPI_Win_create' "$out"; then
    echo "not tested: one-sided operations; natively: $(grep -m 1 'in MPI_Win_create' "$out")"
else
    for ranks in 2 3; do
        serving $ranks LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/drives.so:$liar" LIAR_CORES=64 "$programs/progress" memory
    done
    serving 3 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/drives.so" taskset -c "$core" "$programs/progress" memory crowded
fi

# The program mismatch breaks such a call.
mismatches 3 node-copy PLEACH_THRESHOLD=0

exit "$status"
