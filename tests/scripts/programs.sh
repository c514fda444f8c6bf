#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs that know nothing of Pleach, in several languages and styles, check their own results.
. "$srcdir/tests/scripts/mpi.sh"

# fine RANKS NAME [ARG..]: fails unless the program says "NAME ok", $engine serves its calls in blocks of $block, and
# butterfly its all-reduces.
engine=chain
block=auto
fine() {
    fine_ranks=$1
    fine_name=$2
    shift 2
    runs "$fine_ranks" PLEACH_ENGINE=$engine PLEACH_ALLREDUCE_ENGINE=butterfly PLEACH_BLOCK=$block PLEACH_THRESHOLD=0 \
        PLEACH_LOG=stderr "$programs/$fine_name" "$@"
    case $(reasons "$out") in
    *"$engine forced"*) ;;
    *)
        fail "$fine_name: $engine served nothing: $(reasons "$out")"
        head -n 20 "$out"
        ;;
    esac
    ! grep -q '	allreduce	' "$out" || grep -q '	allreduce	.*	butterfly	[1-9][0-9]*	forced' "$out" ||
        fail "$fine_name: butterfly served nothing: $(reasons "$out")"
    ! grep '	allreduce	.*	invalid	' "$out" || fail "$fine_name: a valid call is taken for an invalid one"
}

fine 3 five
fine 3 threads
fine 3 fork
fine 3 communicators
[ "${WHOLE:-no}" = no ] || fine 3 communicators threads
fine 3 callbacks
fine 3 extents
fine 3 handles
fine 3 repeated
fine 3 weak
for settings in PLEACH_THRESHOLD=1K PLEACH_DISABLE=yes; do
    runs 3 $settings "$programs/weak"
done
if with openmpi; then
    runs 3 PLEACH_DISABLE=yes "$programs/weak" lacking
fi
fine 3 first
# A rank that rounds upwards chooses as the others do. The number of cores is made up, so that the model chooses.
for figures in '' 'PLEACH_ALPHA=10us PLEACH_BETA=0.4ns PLEACH_GAMMA=0.1ns'; do
    # shellcheck disable=SC2086 # words
    runs 3 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" LIAR_CORES=64 $figures "$programs/rounding"
done
if with mpich; then
    fine 3 host "$programs/.libs/plugin.so"
    says "$out" 'host ok'
    # The program `large' uses gigabytes of memory. Large pages save a third of its time.
    export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
    # Its two ranks take 4.4 GB.
    if [ ! -x "$programs/large" ]; then
        echo 'not tested: large: this MPI has no functions of MPI 4'
    elif [ "$(awk '/^MemAvailable:/ { print int($2 / 1e6) }' /proc/meminfo)" -ge 6 ]; then
        fine 2 large
    else
        echo 'not tested: large: less than 6 GB of memory are available'
    fi
    unset GLIBC_TUNABLES
fi
fine 3 nested "$(nesting)"
engine=two-tree
block=1K
fine 2 ahead
engine=chain
block=auto
for name in exceptions bcast usempi usef08; do
    if [ -x "$programs/$name" ]; then
        fine 3 "$name"
    else
        echo "not tested: $name was not built"
    fi
done

# The launcher may complain of ranks that leave without MPI_Finalize, and kill the last rank; only a crash or a hang is an
# error.
heard 3 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/nofinalize"
left=$?
case $left in
124 | 134 | 139) fail "nofinalize: exit status $left" ;;
esac
says "$out" 'nofinalize ok'

# Spawned processes may run without Pleach, so calls with them are native. Calls inside each job are served.
if ! with mpich; then # Debian's MPICH cannot spawn
    runs 2 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/spawn"
    says "$out" 'spawned ok'
    records "$out" 'chain forced
native other-job'
fi

# An erroneous program gets an error, as it does natively.
for name in chain two-tree; do
    fails 3 PLEACH_ENGINE=$name PLEACH_BLOCK=10007 "$programs/mismatch"
    silent_about "$out" 'mismatch went unseen'
    ! with mpich || says "$out" 'truncated' # the words are MPI's; Open MPI's launcher may drop them
    # The same holds if errors return. With the larger blocks, two-tree's second send already waits for its receiver.
    for bytes in 20011 10007; do
        mismatches 3 $name PLEACH_BLOCK=$bytes
    done
done

# One rank has no scratch memory: the call is native on all ranks, and the reason is no-memory.
fine 3 memory
reasons "$out" | grep -q 'native no-memory' || fail "memory: $(reasons "$out")"

# A rank runs out of memory after the ranks have agreed that all have memory: the ranks that depend on that rank get an
# error, and none hangs.
fine 3 memory late
says "$out" 'errors on 2 ranks from rank 0, on 3 from rank 1'
engine=binomial
fine 4 memory late
says "$out" 'errors on 1 ranks from rank 0, on 4 from rank 1'
# Memory for one very large call is not kept.
engine=two-tree
fine 3 kept
reasons "$out" | grep -q 'native no-memory' || fail "kept: $(reasons "$out")"
engine=chain

with mpich || exit "$status"
# Short calls ask the MPI library nothing, even with unusual handles. When a handle is freed, Pleach forgets what it has kept
# about the handle.
runs 3 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/asks.so" PLEACH_ENGINE=chain PLEACH_LOG="$scratch/turns" "$programs/turns"
lines "$scratch/turns" '	chain	' 4

# Two dozen kinds of calls by turns are like one.
for engines in native chain,butterfly; do
    runs 2 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/asks.so" PLEACH_ENGINE=$engines PLEACH_THRESHOLD=0 "$programs/turns" kinds
    rm -f "$scratch/kinds.tsv"
    # A report costs no query more, and misses no call: 30 times 24.
    runs 2 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/asks.so" PLEACH_ENGINE=$engines PLEACH_THRESHOLD=0 \
        PLEACH_REPORT="$scratch/kinds.tsv" "$programs/turns" kinds
    equal "calls of $engines" "$(awk -F '\t' '$1 == "all" { print $9 }' "$scratch/kinds.tsv")" 1440
    # Nor does a watch, which asks for the names of communicators.
    runs 2 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/asks.so" PLEACH_ENGINE=$engines PLEACH_THRESHOLD=0 PLEACH_PATIENCE=1000s \
        "$programs/turns" kinds watched
done

# Of a datatype that is made for one call, Pleach asks once for the layout.
for settings in PLEACH_ENGINE=chain 'PLEACH_ENGINE=node-copy PLEACH_SHARED=64M'; do
    # shellcheck disable=SC2086 # words
    runs 3 LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/asks.so" PLEACH_THRESHOLD=0 $settings "$programs/turns" once
done

# With more ranks than cores, calls are native, unless an engine is named; ^native names all others.
runs 5 taskset -c "$core" env PLEACH_LOG=stderr "$programs/five"
records "$out" 'native oversubscribed'
silent_about "$out" '# measured'
runs 5 taskset -c "$core" env PLEACH_ENGINE=^native PLEACH_LOG=stderr "$programs/five"
silent_about "$out" '	native	'

# With a core for each rank and these figures, chain serves scans: it is much faster than native.
if [ "$(env -u OMP_NUM_THREADS nproc)" -ge 2 ]; then
    runs 2 PLEACH_ALPHA=1us PLEACH_BETA=1ns PLEACH_GAMMA=1ns PLEACH_LOG=stderr "$programs/five"
    equal scans "$(awk -F '\t' '$6 ~ /scan/ { print $12, $14 }' "$out" | sort -u)" 'chain model'
    # Figures that one communicator has measured hold for all communicators of its ranks, even if threads may make calls.
    for threads in '' threads; do
        # shellcheck disable=SC2086 # an argument or none
        runs 2 PLEACH_THRESHOLD=0 PLEACH_BUDGET=1 PLEACH_LOG="$scratch/measured.$threads" "$programs/communicators" $threads
        lines "$scratch/measured.$threads" '^# measured' 1
    done
else
    echo 'not tested: what is measured and chosen where ranks have a core each: there is one core'
fi

exit "$status"
