#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The engine with the least measured times serves, on all ranks alike, even if a rank comes late or errs. Learning changes no
# bits of results.
#
# fakes/liar.c makes up the number of cores and, with LIAR_CLOCK, times: then the best is known, even on a busy machine. In
# runs with true times, the test looks only at results and agreement.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
LIBPLEACH=$LIBPLEACH:$liar
many=LIAR_CORES=64 # more cores than there are
made_up="$many LIAR_CLOCK=yes"
PLEACH_BUDGET=0.45 # seconds: measuring and trials begin at once
export PLEACH_BUDGET
# Only engines of Pleach are candidates: algorithms.sh tests the algorithms of the MPI library.
PLEACH_ENGINE=^$("$PLEACH" engines --all | sed -n 's/^\(native:[a-z0-9-]*\) .*/\1/p' | sort -u | paste -s -d ,)
export PLEACH_ENGINE

# calls RANK: prints the calls in the log of a rank, but not invalid and short calls, which may differ between ranks.
calls() {
    awk -F '\t' '$1 ~ /^[0-9]+$/ && $14 != "invalid" && $14 != "below-threshold" {
        print $4, $6, $7, $12, $13, $14
    }' "$scratch/log.$1"
}

# served COMMUNICATOR COLLECTIVE [RANK]: prints engine and reason of these calls on RANK (default: 0), without repeats.
served() {
    calls "${3:-0}" | awk -v comm="$1" -v collective="$2" '$1 == comm && $2 == collective { print $4, $6 }' | uniq
}

# learns RANKS [NAME=VALUE..] PROGRAM [ARG..]: fails unless the program succeeds and all ranks of each communicator take the
# same engines. Some communicators have only some of the ranks.
learns() {
    rm -f "$scratch"/log.*
    learns_ranks=$1
    shift
    runs "$learns_ranks" PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    learns_rank=0
    while [ $learns_rank -lt "$learns_ranks" ]; do
        calls $learns_rank | cut -d ' ' -f 1 | sort -u | while read -r comm; do
            echo "$comm $(calls $learns_rank | grep "^$comm " | cksum)"
        done
        learns_rank=$((learns_rank + 1))
    done >"$scratch/sums"
    [ "$(sort -u "$scratch/sums" | cut -d ' ' -f 1 | uniq -d)" = '' ] || fail "ranks take different engines: $*"
    [ -s "$scratch/sums" ] || fail "no calls: $*"
}

# settled COMMUNICATOR COLLECTIVE CALLS: prints the engines and reasons of the calls after the first CALLS.
settled() {
    calls 0 | awk -v comm="$1" -v collective="$2" '$1 == comm && $2 == collective { print $4, $6 }' |
        tail -n "+$(($3 + 1))" | sort -u
}

# beaten WHAT COLLECTIVE: fails unless one engine, not native, serves on MPI_COMM_WORLD as learned after ten calls.
beaten() {
    case $(settled MPI_COMM_WORLD "$2" 10 | tr '\n' ';') in
    native* | *';'*';' | '') fail "$1: $(served MPI_COMM_WORLD "$2")" ;;
    *' learned;') ;;
    *) fail "$1: $(served MPI_COMM_WORLD "$2")" ;;
    esac
}

# ---- Native times that the model does not expect: the best is known after ten calls, whichever rank comes late --------

for late in 0 10; do
    for ranks in $(whole_or '2 4' $((2 + late / 5))); do
        learns $ranks $made_up LIAR_LATE=$late LIAR_BCAST=3 "$programs/learn" repeat bcast 131072 40
        equal 'the first' "$(served MPI_COMM_WORLD bcast | head -n 2)" "$(printf 'native native-faster\nnative trial')"
        beaten "slow broadcasts, $ranks ranks, late $late" bcast
        learns $ranks $made_up LIAR_LATE=$late LIAR_SCAN=0.25 "$programs/learn" repeat scan 131072 40
        equal 'the first' "$(served MPI_COMM_WORLD scan | head -n 1)" 'chain model'
        equal "fast scans, $ranks ranks, late $late" "$(settled MPI_COMM_WORLD scan 10)" 'native learned'

        [ $ranks -eq 2 ] || [ "${WHOLE:-no}" = yes ] || continue
        learns $ranks $made_up LIAR_LATE=$late "$programs/learn" repeat bcast 131072 40
        equal "honest broadcasts, $ranks ranks, late $late" "$(settled MPI_COMM_WORLD bcast 10)" 'native learned'
        learns $ranks $made_up LIAR_LATE=$late LIAR_ALLREDUCE=3 "$programs/learn" repeat allreduce 131072 40
        beaten "slow allreduces, $ranks ranks, late $late" allreduce
    done
done

# ---- Measuring the machine counts in no call's time, and ends on all ranks when it has spent the budget -------------------

# took BY ENGINE REASON FILE: prints the time of the longest call in the rows with these values, in whole milliseconds; for
# the row `measuring', all its time.
took() {
    awk -F '\t' -v by="$1" -v engine="$2" -v reason="$3" \
        '$1 == by && $4 == engine && $6 == reason { printf "%d\n", 1000 * (by == "measuring" ? $11 : $13) }' "$4"
}

# After some measurements, the next ones may spend less, so rank 0 measures 4 of its 7 groups.
runs 4 $many PLEACH_BUDGET=0.2 PLEACH_LOG="$scratch/teams" "$programs/churn" teams
lines "$scratch/teams" '^# measured: ' 4

# By rank 1's made-up clock, batches take long. Figures that were measured before the time is over are kept.
learns 3 $made_up LIAR_BUSY=0.02 PLEACH_REPORT="$scratch/slow%r.tsv" "$programs/learn" repeat bcast 131072 40
lines "$scratch/log.1" '^# measured: .*; given up, as it took too long; topology: 3; in 0\.[45][0-9]* s$' 1
[ "$(took measuring - - "$scratch/slow0.tsv")" -ge 400 ] || fail "measuring: $(cat "$scratch/slow0.tsv")"
equal 'the call that has measured' "$(took engine native native-faster "$scratch/slow0.tsv")" 0

# If no figure was measured, an engine serves that does well on any machine.
learns 3 $made_up LIAR_BUSY=1 PLEACH_REPORT="$scratch/slow%r.txt" "$programs/learn" repeat bcast 131072 40
lines "$scratch/log.1" '^# measured: .*; given up, as it took too long; nominal: within a node; ' 1
says "$scratch/slow0.txt" '(nominal: measuring took too long)'
lines "$scratch/slow0.txt" \
    "^  measuring [0-9.]*s a rank, for measuring the machine and sharing memory; no call's time includes it\$" 1
equal 'the first call without figures' "$(served MPI_COMM_WORLD bcast | head -n 1)" 'chain model'

# These runs have true times: messages have 1 MiB, liar.c makes native broadcasts take 30 times as long, and ranks are up to
# 20 ms late. The best depends on how busy the machine is.
for late in 0 20000; do
    learns 2 $many LIAR_BCAST_WORK=30 "$programs/learn" repeat bcast 131072 14 $late
done

# ---- Mistakes of one rank alone ------------------------------------------------------------------------------------------

for collective in $(whole_or 'bcast reduce scan exscan allreduce' 'bcast allreduce'); do
    learns 3 $made_up "$programs/learn" errors $collective 40000 40
    equal "$collective beside mistakes" "$(settled MPI_COMM_WORLD $collective 10 | sed 's/.* //')" learned
    # Small broadcasts are longer than their receivers' buffers. In Open MPI such calls hang, with and without Pleach.
    with openmpi || learns 3 $many "$programs/learn" truncated $collective 40000 20
    # Ranks without a log take another path through the code.
    runs 3 $many PLEACH_LOG="$scratch/one" "$programs/learn" errors $collective 40000 40
done

# ---- Communicators -------------------------------------------------------------------------------------------------------

# A duplicate inherits a history at its first call. Halves, and ranks in another order, learn for themselves if their trial
# budget allows it. For broadcasts the budget does not, as the world's trials have lost too much time.
learns 4 $made_up "$programs/learn" heirs 131072 14
equal 'scans of the world' "$(settled world scan 10)" 'chain learned'
equal 'scans of its copy' "$(served copy scan)" 'chain learned'
equal 'broadcasts of its copy' "$(served copy bcast)" "$(settled world bcast 10)"
if ! with openmpi; then # by the model of Open MPI's native calls, trials of scans are too dear, too
    equal 'scans of a half' "$(settled lower scan 10)" 'chain learned'
    equal 'scans of a half, at first' "$(served lower scan | head -n 2 | cut -d ' ' -f 2)" "$(printf 'native-faster\ntrial')"
fi
equal 'scans backwards, at first' "$(served backwards scan | head -n 2 | cut -d ' ' -f 2)" "$(printf 'model\ntrial')"

# The program makes more communicators than there can be private ones. The memory of each is freed with the communicator.
runs 2 $many PLEACH_THRESHOLD=64 "$programs/learn" many "$(whole_or 500 200)" 30
awk '/grew by/ && $4 > 8192 { print; bad = 1 } END { exit bad }' "$out" || fail 'memory grows with each communicator'

# Two threads call at once, each on its own communicator.
learns 3 $many PLEACH_THRESHOLD=64 "$programs/learn" threads 20000 60

# ---- Bits ----------------------------------------------------------------------------------------------------------------

# Where an engine might change bits, learning decides nothing: neither within a run nor from run to run, however long
# native calls take.
for lie in $(whole_or '1 20 0.05' '20 0.05'); do
    learns 3 $made_up LIAR_REDUCE=$lie LIAR_SCAN=$lie LIAR_EXSCAN=$lie LIAR_ALLREDUCE=$lie \
        "$programs/learn" sums 100000 20
    grep '^learn: ' "$out" >>"$scratch/bits"
    calls 0 | awk '$6 ~ /trial|learned/' | grep . && fail 'learning has decided about sums of doubles'
done
learns 3 $many "$programs/learn" sums 100000 20
grep '^learn: ' "$out" >>"$scratch/bits"
equal 'results of sums of doubles' "$(sort -u "$scratch/bits" | wc -l)" 1
# On two ranks every engine gives the same bits, so trials decide about the same sums.
learns 2 $made_up LIAR_SCAN=0.25 "$programs/learn" sums 100000 20
equal 'sums of two ranks' "$(settled MPI_COMM_WORLD scan 10)" 'native learned'

# All kinds of calls, types and operations, served by the candidates by turns, give the native results bit for bit.
runs 3 $made_up PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/differential" "$differential" --quick
reasons "$scratch/differential" | grep ' trial$' | grep -qv '^native ' || fail 'differential: no engine was tried'

# ---- Rules for later runs ----------------------------------------------------------------------------------------------

# Ranks that write records put calls into the same size classes as the other ranks do: calls of 96 MiB belong to the class of
# 64 MiB, and are not tried. Of MPICH's own algorithms, one is a candidate: with more, trials would begin later.
runs 4 $made_up PLEACH_SHARED=no PLEACH_ENGINE="$(echo "$PLEACH_ENGINE" | sed 's/native:smp,*//')" \
    PLEACH_LEARN="$scratch/straddled" PLEACH_LOG="$scratch/straddle.%r" "$programs/learn" straddle 64 26
lines "$scratch/straddled" '^collective=allreduce .* bytes=32M-67108863 ' 1 # the other kind, whose trials come first

# Trials among few engines need few calls. With WHOLE=yes all engines are candidates.
enough=$(whole_or 4200 600)
PLEACH_ENGINE=$(whole_or "$PLEACH_ENGINE" \
    "^$("$PLEACH" engines --all | awk '!NF { exit } NR > 1 && $1 !~ /^(native|chain|doubling)$/ { print $1 }' |
        sort -u | paste -s -d ,)")

# Native exscans are four times faster than the model says. The first run learns that by shadow trials; the next runs use it.
learns 3 $made_up LIAR_EXSCAN=0.25 PLEACH_LEARN="$scratch/learned" "$programs/learn" sums 9001 $enough exscan
equal 'the run that learns' "$(served MPI_COMM_WORLD exscan)" 'chain model'
for run in $(whole_or '1 2 3 4 5' '1 2'); do
    learns 3 $many PLEACH_RULES="$scratch/learned" "$programs/learn" sums 9001 4
    equal "run $run" "$(served MPI_COMM_WORLD exscan)" 'native rule'
    grep '^learn: ' "$out" >>"$scratch/kept"
done
equal 'results by what was learned' "$(sort -u "$scratch/kept" | wc -l)" 1

# What a run learns decides nothing in this run, even on communicators that come later and read the same file.
learns 6 $made_up LIAR_EXSCAN=0.25 PLEACH_RULES="$scratch/grid" PLEACH_LEARN="$scratch/grid" "$programs/learn" grid exscan \
    9001 $enough
lines "$scratch/grid" '^collective=exscan .* -> engine=native' 1
equal 'the run that learns' "$(served row exscan)" 'chain model'
equal 'columns in the run that learns' "$(served column exscan)" 'chain model'

# The same holds for an operation of the program. Shadow trials do not call it: it folds as many elements as without them.
learns 3 $made_up "$programs/learn" own exscan 9001 $enough
without=$(grep 'learn: folded' "$out")
learns 3 $made_up LIAR_EXSCAN=0.25 PLEACH_LEARN="$scratch/own" "$programs/learn" own exscan 9001 $enough
equal 'the run that learns' "$(served MPI_COMM_WORLD exscan)" 'chain model'
equal 'what the operation folds' "$(grep 'learn: folded' "$out")" "$without"
learns 3 $many PLEACH_RULES="$scratch/own" "$programs/learn" own exscan 9001 4
equal 'an operation of the program, by what was learned' "$(served MPI_COMM_WORLD exscan)" 'native rule'

exit "$status"
