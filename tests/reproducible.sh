#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The same program gives the same bits, run after run, whatever was measured.
. "$srcdir/tests/mpi.sh"

# bits FILE..: the hash of all results.
bits() {
    sed -n 's/^reproducible: //p' "$@"
}

# engines FILE: which engines served which calls, where the bits depend on that: not in sums of two ranks.
engines() {
    awk -F '\t' '/^[0-9]/ && !($5 == 2 && $10 == "MPI_SUM") { print $6, $7, $8, $9, $10, $11, $12 }' "$1"
}

# Default settings, five times, the last two at once: what one of them measures, the other disturbs.
for ranks in 2 4; do
    for run in 1 2 3; do
        preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.$run" "$programs/reproducible" >"$out.$run" 2>&1 ||
            fail "on $ranks ranks: $(cat "$out.$run")"
    done
    preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.4" "$programs/reproducible" >"$out.4" 2>&1 &
    preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.5" "$programs/reproducible" >"$out.5" 2>&1 ||
        fail "on $ranks ranks, disturbed: $(cat "$out.5")"
    wait $! || fail "on $ranks ranks, disturbed: $(cat "$out.4")"
    [ -n "$(bits "$out.1")" ] || fail "no hash: $(cat "$out.1")"
    for run in 2 3 4 5; do
        [ "$(bits "$out.$run")" = "$(bits "$out.1")" ] || fail "on $ranks ranks, run $run gives other bits than run 1"
        [ -n "$(engines "$scratch/log.$ranks.$run")" ] || fail "an empty log"
        [ "$(engines "$scratch/log.$ranks.$run")" = "$(engines "$scratch/log.$ranks.1")" ] ||
            fail "on $ranks ranks, run $run takes other engines than run 1"
    done
done
# With enough cores engines did serve; without, all calls are native and this shows nothing of ours.
[ "$(nproc)" -lt 2 ] || reasons "$scratch/log.2.1" | grep -q ' model$' || fail "no engine: $(reasons "$scratch/log.2.1")"

# A measurement sets the size of blocks. It must not touch the bits of an engine that the model may take for such sums; those
# of circulant change with it, or the numbers would show nothing.
for engine in chain ring bintree two-tree two-tree-mirror binomial mesh butterfly circulant; do
    for block in 40K 100K 1G; do
        preloaded 5 PLEACH_ENGINE=$engine PLEACH_BLOCK=$block PLEACH_THRESHOLD=0 "$programs/reproducible" \
            >"$out.$block" 2>&1 || fail "$engine, blocks of $block: $(cat "$out.$block")"
    done
    results=$(bits "$out.40K" "$out.100K" "$out.1G" | sort -u | wc -l)
    expected=$([ $engine = circulant ] && echo 3 || echo 1)
    [ "$results" -eq "$expected" ] || fail "$engine: $results results"
done

# Of two ranks, each result is one sum: every engine gives the native bits, so measurements may choose.
preloaded 2 PLEACH_DISABLE=yes "$programs/reproducible" >"$out.native" 2>&1 || fail "natively: $(cat "$out.native")"
for engine in chain ring two-tree butterfly circulant doubling; do
    preloaded 2 PLEACH_ENGINE=$engine PLEACH_THRESHOLD=0 "$programs/reproducible" >"$out.two" 2>&1 ||
        fail "$engine, two ranks: $(cat "$out.two")"
    [ "$(bits "$out.two")" = "$(bits "$out.native")" ] || fail "$engine, two ranks: other bits than natively"
done

# 2, 4 and 8 ranks on one node: butterfly combines in the order of MPICH, and has the native bits. 3 and 6 ranks: it has
# others, or the numbers would show nothing. On 8 ranks Open MPI goes round a ring.
for ranks in 2 3 4 6 $(with openmpi || echo 8); do
    for how in DISABLE=yes ALLREDUCE_ENGINE=butterfly; do
        preloaded "$ranks" PLEACH_ENGINE=native PLEACH_THRESHOLD=0 PLEACH_$how "$programs/reproducible" >"$out.$how" 2>&1 ||
            fail "PLEACH_$how, $ranks ranks: $(cat "$out.$how")"
    done
    natively=$(bits "$out.DISABLE=yes")
    case $ranks in
    2 | 4 | 8) equal "butterfly, $ranks ranks" "$(bits "$out.ALLREDUCE_ENGINE=butterfly")" "$natively" ;;
    *) [ "$(bits "$out.ALLREDUCE_ENGINE=butterfly")" != "$natively" ] || fail "butterfly, $ranks ranks: the native bits" ;;
    esac
done

exit "$status"
