#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The same program gives the same bits, run after run, whatever was measured.
. "$srcdir/tests/mpi.sh"
LIBPLEACH=$LIBPLEACH:$LIAR
LIAR_CORES=64 # more cores than there are: with fewer than ranks, calls are native
export LIAR_CORES

# bits FILE..: the hash of all results.
bits() {
    sed -n 's/^reproducible: //p' "$@"
}

# engines FILE: which engines served which calls, where the bits depend on that: not in sums of two ranks.
engines() {
    awk -F '\t' '/^[0-9]/ && !($5 == 2 && $10 == "MPI_SUM") { print $6, $7, $8, $9, $10, $11, $12 }' "$1"
}

# Default settings, three times, the last two at once: what one of them measures, the other disturbs.
for ranks in 2 4; do
    preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.1" "$programs/reproducible" >"$out.1" 2>&1 ||
        fail "on $ranks ranks: $(cat "$out.1")"
    preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.2" "$programs/reproducible" >"$out.2" 2>&1 &
    preloaded $ranks PLEACH_LOG="$scratch/log.$ranks.3" "$programs/reproducible" >"$out.3" 2>&1 ||
        fail "on $ranks ranks, disturbed: $(cat "$out.3")"
    wait $! || fail "on $ranks ranks, disturbed: $(cat "$out.2")"
    [ -n "$(bits "$out.1")" ] || fail "no hash: $(cat "$out.1")"
    for run in 2 3; do
        [ "$(bits "$out.$run")" = "$(bits "$out.1")" ] || fail "on $ranks ranks, run $run gives other bits than run 1"
        [ -n "$(engines "$scratch/log.$ranks.$run")" ] || fail "an empty log"
        [ "$(engines "$scratch/log.$ranks.$run")" = "$(engines "$scratch/log.$ranks.1")" ] ||
            fail "on $ranks ranks, run $run takes other engines than run 1"
    done
    reasons "$scratch/log.$ranks.1" | grep -q ' model$' || fail "on $ranks ranks no engine: $(reasons "$scratch/log.$ranks.1")"
done
# All engines of the registry that reduce, and whether they need places.
"$PLEACH" engines | awk '!NF { exit } NR > 1 && $1 != "native" && $2 != "bcast" && !seen[$1]++ {
        print $1, (/places|sites/ ? "places" : "none") }' >"$scratch/engines"
[ -s "$scratch/engines" ] || fail 'no engines'
printf 'sites\nrank 0 a\nrank 1-2 b/x\nrank 3-4 b/y\n' >"$scratch/places"

# by_engine RANKS ENGINE PLACES [NAME=VALUE..]: the bits where this engine serves, as it does.
by_engine() {
    by_ranks=$1
    by_name=$2
    rm -f "$scratch/log"
    [ "$3" = places ] && by_places=$scratch/places || by_places=none
    shift 3
    preloaded "$by_ranks" PLEACH_ENGINE="$by_name" PLEACH_PLACES="$by_places" PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log" "$@" \
        "$programs/reproducible" >"$scratch/by" 2>&1 || fail "$by_name, $by_ranks ranks: $(cat "$scratch/by")" >&2
    reasons "$scratch/log" | grep -q "^$by_name " || echo "$by_name has served nothing"
    bits "$scratch/by"
}

# A measurement sets the size of blocks. It must not touch the bits of an engine that the model may take for such sums; those
# of circulant and fractional, which it may not, change with it, or the numbers would show nothing.
while read -r engine places; do
    for block in 40K 1G; do
        by_engine 5 "$engine" "$places" PLEACH_BLOCK=$block
    done </dev/null >"$scratch/results"
    case $engine in
    circulant | fractional | fractional-places) expected=2 ;;
    *) expected=1 ;;
    esac
    equal "$engine: results with blocks of several sizes" "$(sort -u "$scratch/results" | grep -c '^[0-9a-f]*$')" "$expected"
    ! grep 'served nothing' "$scratch/results" || fail "$engine, 5 ranks"
done <"$scratch/engines"

# Of two ranks, each result is one sum: every engine gives the native bits, so measurements may choose. Some need more ranks.
printf 'sites\nrank 0 a\nrank 1 b\n' >"$scratch/places"
preloaded 2 PLEACH_DISABLE=yes "$programs/reproducible" >"$out.native" 2>&1 || fail "natively: $(cat "$out.native")"
not_served=
while read -r engine places; do
    by_engine 2 "$engine" "$places" </dev/null >"$scratch/results"
    if grep -q 'served nothing' "$scratch/results"; then
        not_served="$not_served $engine"
    else
        equal "$engine, two ranks" "$(cat "$scratch/results")" "$(bits "$out.native")"
    fi
done <"$scratch/engines"
[ -z "$not_served" ] || echo "not tested: on two ranks, engines that need more:$not_served"

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
