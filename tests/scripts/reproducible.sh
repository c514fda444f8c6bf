#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The same program gives the same bits, run after run, whatever was measured.
. "$srcdir/tests/scripts/mpi.sh"
LIBPLEACH=$LIBPLEACH:$liar
LIAR_CORES=64 # made up: with fewer cores than ranks, calls are native
export LIAR_CORES
PLEACH_SHARED=64M

# bits FILE..: prints the hash of all results.
bits() {
    sed -n 's/^reproducible: //p' "$@"
}

# engines FILE: prints the calls and their engines, but not sums and exscans of two ranks, whose bits do not depend on the
# engine.
engines() {
    awk -F '\t' '/^[0-9]/ && !($5 == 2 && ($10 == "MPI_SUM" || $6 == "exscan")) { print $6, $7, $8, $9, $10, $11, $12 }' "$1"
}

# Three runs have default settings. The last two run at the same time, so that each disturbs the measurements of the other.
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
    reasons "$scratch/log.$ranks.1" | grep -q ' model$' ||
        fail "on $ranks ranks no engine: $(reasons "$scratch/log.$ranks.1")"
done
# A line for each engine that reduces: its name, and "places" if it needs places. With WHOLE=yes these are all engines, else
# every third: check_expressions.c looks at the schedules of all. The engine lanes is left out: the number of lanes depends
# on the size of blocks that a user sets. check_stages.c shows that this number does not depend on measurements. So is
# multiport, where no such number decides about bits.
engines_but native lanes multiport | awk '$2 != "bcast" && !seen[$1]++ { print $1, (/places|sites/ ? "places" : "none") }' |
    awk -v each="$(whole_or 1 3)" 'NR % each == 0 || $1 == "circulant"' >"$scratch/engines"
[ -s "$scratch/engines" ] || fail 'no engines'
printf 'sites\nrank 0 a\nrank 1-2 b/x\nrank 3-4 b/y\n' >"$scratch/places"

# by_engine RANKS ENGINE PLACES [NAME=VALUE..]: prints the hash of the results of this engine. If the engine has served
# nothing, another line says so.
by_engine() {
    by_ranks=$1
    by_name=$2
    rm -f "$scratch/log"
    [ "$3" = places ] && by_places=$scratch/places || by_places=none
    shift 3
    preloaded "$by_ranks" PLEACH_ENGINE="$by_name" PLEACH_PLACES="$by_places" PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log" \
        "$@" "$programs/reproducible" >"$scratch/by" 2>&1 || fail "$by_name, $by_ranks ranks: $(cat "$scratch/by")" >&2
    reasons "$scratch/log" | grep -q "^$by_name " || echo "$by_name has served nothing"
    bits "$scratch/by"
}

# The size of blocks follows from measurements, so it must not change the bits of an engine that the model may take for such
# sums. It does change the bits of circulant and fractional, which the model may not take; this shows that the numbers are
# sensitive. Calls of native:NAME have no blocks.
while read -r engine places; do
    case $engine in native:*) continue ;; esac
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

# Bindings are a part of the placement. Of six ranks, each two that share a cache are a group of node-tree; three are one in
# any case.
placed() {
    LIBPLEACH=$LIBPLEACH:$liar by_engine 6 node-tree none "$@"
}
natural=$(placed)
equal 'node-tree: ranks that share no cache' "$(placed LIAR_DOMAIN=1)" "$natural"
equal 'node-tree: three ranks share a cache' "$(placed LIAR_DOMAIN=3)" "$natural"
[ "$(placed LIAR_DOMAIN=2)" != "$natural" ] || fail 'node-tree: groups do not follow the caches'

# On two ranks each result is one sum, and every engine gives the native bits, so measurements may choose. Some engines need
# more ranks.
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

# On 2, 4 and 8 ranks of one node, butterfly combines in MPICH's order and gives the native bits. On 3 and 6 ranks it gives
# other bits, which shows that the numbers are sensitive. On 8 ranks Open MPI uses a ring.
for ranks in 3 4 $(whole_or '2 6' '') $(with openmpi || whole_or 8 ''); do
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
