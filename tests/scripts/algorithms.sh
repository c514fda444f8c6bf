#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An engine native:NAME makes the MPI library serve the call by the algorithm NAME. For the next call the library chooses for
# itself again. All ranks take the algorithm, or none does. MPICH prints a line for a call to which the wanted algorithm does
# not apply, so the test can see that the engine has switched the library.
. "$srcdir/tests/scripts/mpi.sh"
with mpich abi || skip 'only MPICH can switch'
! with mpich || LIBPLEACH=$LIBPLEACH:$liar
prints=MPIR_CVAR_COLLECTIVE_FALLBACK=print

# An MPICH that does not check whether an algorithm applies, on one node, crashes or gives wrong results. There Pleach must
# leave the library's choice alone.
if ! checks_algorithms; then
    natively=$(grep -m 1 . "$scratch/natively")
    runs 2 PLEACH_BCAST_ENGINE=native:smp PLEACH_LOG="$scratch/log" "$programs/five" 3001
    equal 'without checks' "$(awk -F '\t' '$6 == "bcast" { print $12 }' "$scratch/log" | sort -u)" native
    skip "this MPICH does not check whether an algorithm applies; natively: $natively"
fi

# served COLLECTIVE FILE: prints engine and reason of each call of this collective in a log.
served() {
    awk -F '\t' -v collective="$1" '$6 == collective { print $12, $14 }' "$2"
}

# Each algorithm, alone and with the others, gives the right results of all collectives that it serves. MPICH 4.0 lacks some;
# the library with the standard ABI has them all.
for collective in bcast reduce scan allreduce; do
    "$PLEACH" choose $collective --bytes 1M --ranks 4 --mpi mpich --format tsv |
        awk -v collective=$collective '/^native:/ { print $1, collective }'
done >"$scratch/all"
equal 'recent algorithms' "$(grep -cE "$recent_algorithms" "$scratch/all")" 19
if with abi; then
    mv "$scratch/all" "$scratch/served"
else
    grep -vE "$recent_algorithms" "$scratch/all" >"$scratch/served"
    lines "$scratch/served" . 12
fi
names=$(cut -d ' ' -f 1 "$scratch/served" | sort -u)
for name in $names; do
    rm -f "$scratch/log"
    runs 3 MPIR_CVAR_NUM_CLIQUES=2 PLEACH_ENGINE="$name" PLEACH_LOG="$scratch/log" "$programs/five" 3001
    equal "$name" "$(awk -F '\t' '$14 == "forced" { print $12, $6 }' "$scratch/log" | sort -u)" \
        "$(grep "^$name " "$scratch/served" | sort)"
done
rm "$scratch/log"
runs 4 PLEACH_ENGINE="$(echo "$names" | paste -s -d ,)" PLEACH_LOG="$scratch/log" "$differential" --quick
reasons "$scratch/log" | grep -q '^native:.* forced$' || fail "no algorithm is taken: $(reasons "$scratch/log")"
apart='MPIR_CVAR_NUM_CLIQUES=5 PLEACH_PLACES=node'

# broadcast passes|waits SECONDS [NAME=VALUE..]: fails unless `chosen' says this of a broadcast of 64 KiB on five nodes.
broadcast() {
    broadcast_does=$1
    broadcast_seconds=$2
    shift 2
    # shellcheck disable=SC2086 # words
    runs 5 $apart "$@" "$programs/chosen" 65536 "$broadcast_seconds"
    equal "a broadcast with $*" "$(grep '^bcast' "$out")" "bcast $broadcast_does"
}
# sums BYTES [NAME=VALUE..]: prints the bits of sums, and the complaints.
sums() {
    sums_bytes=$1
    shift
    # shellcheck disable=SC2086 # words
    runs 5 $apart $prints PLEACH_ENGINE=native "$@" "$programs/chosen" "$sums_bytes" 0
    sort -u "$out"
}

# MPICH's parameters: the algorithm tree sends to four ranks instead of two, so rank 1 has nobody to send to, and a sum has
# the bits of a run in which the library's own variables say the same. If the user has set the parameter, Pleach leaves it
# alone.
if with abi; then
    broadcast waits 0.5 PLEACH_BCAST_ENGINE=native:tree
    broadcast passes 100 PLEACH_BCAST_ENGINE=native:tree-k4
    rm -f "$scratch/log"
    broadcast passes 100 PLEACH_BCAST_ENGINE=native:tree-k4 MPIR_CVAR_BCAST_TREE_KVAL=3 PLEACH_LOG="$scratch/log"
    equal "the user's parameter" "$(served bcast "$scratch/log" | sort -u)" 'native not-applicable'
    for own in tree:TREE recursive_multiplying:RECURSIVE_MULTIPLYING recexch:RECEXCH; do
        wanted=$(sums 65536 LD_PRELOAD="$YIELD" MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM="${own%:*}" \
            "MPIR_CVAR_ALLREDUCE_${own#*:}_KVAL=4")
        equal "${own%:*}, four" "$(sums 65536 "PLEACH_ALLREDUCE_ENGINE=native:$(echo "${own%:*}" | tr _ -)-k4")" "$wanted"
        [ "$wanted" != "$(sums 65536 LD_PRELOAD="$YIELD" MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM="${own%:*}")" ] ||
            fail "the parameter of ${own%:*} has no effect"
    done
    # Here each rank is a node, so that no composition applies but the one without nodes.
    runs 2 $prints PLEACH_BCAST_ENGINE=native:composition-alpha "$programs/five" 3001
    says "$out" 'Bcast composition alpha cannot be applied'
    runs 2 $prints PLEACH_ENGINE=native:composition-gamma "$programs/five" 3001
    silent_about "$out" 'cannot be applied'
fi
# The rest of the test is about one release of MPICH, and makes up times.
with mpich || exit "$status"

# The switch reaches the library on every rank, and for the engine's call alone. The algorithm smp does not apply on one
# node.
runs 2 $prints PLEACH_BCAST_ENGINE=native:smp "$programs/five" 3001
lines "$out" 'Bcast smp cannot be applied' 4
lines "$out" 'cannot be applied' 4
printf 'pleach-rules 1\ncollective=bcast root=first -> engine=native:smp\n' >"$scratch/rules"
runs 2 $prints PLEACH_RULES="$scratch/rules" "$programs/five" 3001
lines "$out" 'Bcast smp cannot be applied' 2
runs 2 $prints "$programs/five" 3001
silent_about "$out" 'cannot be applied'
runs 2 $prints PLEACH_ENGINE=native:smp PLEACH_DRY_RUN=yes PLEACH_LOG="$scratch/dry" "$programs/five" 3001
silent_about "$out" 'cannot be applied'
says "$scratch/dry" 'native:smp'

# Each engine native:NAME of a sum makes the library take the algorithm NAME, and no other: the sum has the bits, and MPICH
# prints the complaints, of a run without Pleach in which the library's own variable names the algorithm. On five nodes and
# for three elements, only binomial and recursive_doubling apply. Two algorithms of a reduction have bits of their own.
# alike BYTES COLLECTIVE:ALGORITHM..: fails unless engines of these names do what the library's variables do.
alike() {
    alike_bytes=$1
    alike_engines=
    alike_variables=
    shift
    for alike_pair; do
        alike_engine=native:$(echo "${alike_pair#*:}" | tr _ -)
        alike_engines="$alike_engines PLEACH_${alike_pair%:*}_ENGINE=$alike_engine"
        alike_variables="$alike_variables MPIR_CVAR_${alike_pair%:*}_INTRA_ALGORITHM=${alike_pair#*:}"
    done
    # shellcheck disable=SC2086 # words
    alike_wanted=$(sums "$alike_bytes" LD_PRELOAD="$YIELD" $alike_variables)
    # shellcheck disable=SC2086 # words
    equal "sums of $alike_bytes bytes by $*" "$(sums "$alike_bytes" $alike_engines)" "$alike_wanted"
}
alike 24 REDUCE:smp SCAN:smp ALLREDUCE:smp
for collective in Reduce Scan Allreduce; do
    says "$out" "$collective smp cannot be applied"
done
alike 24 REDUCE:reduce_scatter_gather ALLREDUCE:reduce_scatter_allgather
says "$out" 'Reduce reduce_scatter_gather cannot be applied'
says "$out" 'Allreduce reduce_scatter_allgather cannot be applied'
alike 24 REDUCE:binomial SCAN:recursive_doubling ALLREDUCE:recursive_doubling
silent_about "$out" 'cannot be applied'
for own in 64:reduce_scatter_gather 65536:binomial; do
    alike "${own%:*}" "REDUCE:${own#*:}"
    [ "$alike_wanted" != "$(sums "${own%:*}" LD_PRELOAD="$YIELD")" ] || fail "${own#*:} has the bits of the default"
done

# If the user wants an error for an algorithm that does not apply, Pleach causes none, and the user's own choice still does.
errs=MPIR_CVAR_COLLECTIVE_FALLBACK=error
runs 2 $errs PLEACH_ENGINE=native:smp "$programs/five" 3001
fails 2 $errs PLEACH_BCAST_ENGINE=native:smp PLEACH_REDUCE_ENGINE=native MPIR_CVAR_REDUCE_INTRA_ALGORITHM=smp \
    "$programs/five" 3001
says "$out" 'not usable'
# Here the algorithm smp does not apply, as ranks are dealt out to nodes in turn. Trials try it, and MPICH says nothing.
dealt='MPIR_CVAR_NUM_CLIQUES=2 LIAR_CORES=64 LIAR_CLOCK=yes PLEACH_BUDGET=1 PLEACH_PLACES=node'
engines=$("$PLEACH" engines --all | awk '$1 !~ /^native/ && $2 == "allreduce" { print $1 }' | sort -u | paste -s -d ,)
for fallback in print error; do
    rm -f "$scratch/log"
    # shellcheck disable=SC2086 # words
    runs 4 $dealt MPIR_CVAR_COLLECTIVE_FALLBACK=$fallback PLEACH_ENGINE="^$engines" PLEACH_LOG="$scratch/log" \
        "$programs/learn" repeat allreduce 40000 20
    silent_about "$out" 'not usable'
    says "$scratch/log" 'native:smp	-	trial'
done

# A rule may name an algorithm for short calls, too. Below a threshold that the user has set, calls stay native all the same.
printf 'pleach-rules 1\ncollective=reduce bytes=0-64K -> engine=native:binomial\n' >"$scratch/rules"
rm -f "$scratch/log"
runs 2 PLEACH_RULES="$scratch/rules" PLEACH_LOG="$scratch/log" "$programs/five" 100
equal 'a rule for short calls' "$(served reduce "$scratch/log" | sort -u)" 'native:binomial rule'
equal 'other calls' "$(served bcast "$scratch/log" | sort -u)" 'native below-threshold'
rm -f "$scratch/log"
runs 2 PLEACH_THRESHOLD=64K PLEACH_RULES="$scratch/rules" PLEACH_LOG="$scratch/log" "$programs/five" 100
records "$scratch/log" 'native below-threshold'

# barred WHAT [NAME=VALUE..] PROGRAM [ARG..]: fails if a rank takes the algorithm, although WHAT forbids this.
barred() {
    barred_what=$1
    shift
    rm -f "$scratch"/log.*
    runs 2 $prints PLEACH_BCAST_ENGINE=native:smp PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    silent_about "$out" 'Bcast smp cannot be applied'
    for barred_rank in 0 1; do
        equal "$barred_what, rank $barred_rank" \
            "$(awk -F '\t' '$6 == "bcast" { print $12 }' "$scratch/log.$barred_rank" | sort -u)" native
    done
}
# No rank takes the algorithm if the user has set the library's variable on any rank, or if several threads may call MPI.
barred 'a variable of the user' MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial "$programs/five" 3001
# shellcheck disable=SC2016 # another shell's variables
barred 'a variable of one rank' sh -c \
    '[ "$PMI_RANK" = 0 ] || export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial; exec "$0" 3001' "$programs/five"
barred 'threads' "$programs/threads"
# If the program sets the variable after calls by Pleach, its choice holds from then on: only the first broadcast is by smp.
runs 2 $prints PLEACH_BCAST_ENGINE=native:smp "$programs/tooled"
lines "$out" 'Bcast smp cannot be applied' 2
for own in REDUCE:binomial SCAN:recursive_doubling ALLREDUCE:recursive_doubling; do
    rm -f "$scratch/log"
    runs 2 "PLEACH_${own%:*}_ENGINE=native:$(echo "${own#*:}" | tr _ -)" "MPIR_CVAR_${own%:*}_INTRA_ALGORITHM=${own#*:}" \
        PLEACH_LOG="$scratch/log" "$programs/five" 3001
    equal "the user's variable for $own" \
        "$(served "$(echo "${own%:*}" | tr A-Z a-z)" "$scratch/log" | cut -d ' ' -f 1 | uniq)" native
done

# Trials compare the algorithms, and the fastest one serves. The times are made up: LIAR_ALGORITHM makes number 4, which is
# scatter-recursive-doubling-allgather, fast or slow.
learns() {
    rm -f "$scratch"/log.* "$scratch/learned" "$scratch/report"
    runs 4 LIAR_CORES=64 LIAR_CLOCK=yes PLEACH_PLACES=node PLEACH_BUDGET=1 PLEACH_LEARN="$scratch/learned" \
        PLEACH_REPORT="$scratch/report" PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    for learns_rank in 0 3; do
        served bcast "$scratch/log.$learns_rank" | tail -n 1
    done | uniq
}
fast=native:scatter-recursive-doubling-allgather
equal 'a fast algorithm' "$(learns LIAR_ALGORITHM=4:0.5 "$programs/learn" repeat bcast 131072 60)" "$fast learned"
says "$scratch/learned" "engine=$fast"
silent_about "$scratch/report" 'default takes'
equal 'a slow default' \
    "$(learns LIAR_BCAST=6 LIAR_ALGORITHM=4:0.08 "$programs/learn" repeat bcast 131072 200)" "$fast learned"
grep -q "MPI library's default takes 1[0-9] times as long as its own ${fast#*:}; export" "$scratch/report" ||
    fail "the report does not say that the default is slow: $(grep slow "$scratch/report")"
equal 'a slow one' "$(learns LIAR_ALGORITHM=4:3 "$programs/learn" repeat bcast 131072 60)" 'native learned'
# With a file of rules, trials try algorithms in short calls, too. Without such a file short calls stay native.
equal 'short calls' "$(learns LIAR_ALGORITHM=4:0.25 "$programs/learn" repeat bcast 1500 400)" "$fast learned"
equal 'nothing is learned' "$(learns PLEACH_LEARN=off LIAR_ALGORITHM=4:0.25 "$programs/learn" repeat bcast 1500 40)" \
    'native below-threshold'
# If the user has set the library's variable, trials compare Pleach's own engines with native alone.
equal 'trials with a variable of the user' "$(learns MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather \
    LIAR_ALGORITHM=4:0.5 "$programs/learn" repeat bcast 131072 20)" 'native learned'
says "$scratch/log.0" '	trial	'
cat "$scratch"/log.* >"$scratch/logs"
silent_about "$scratch/logs" native:

# Such a rule serves the next run.
learns LIAR_ALGORITHM=4:0.5 "$programs/learn" repeat bcast 131072 60 >"$scratch/last"
rm -f "$scratch/log"
runs 4 PLEACH_RULES="$scratch/learned" PLEACH_LOG="$scratch/log" "$programs/learn" repeat bcast 131072 2
records "$scratch/log" "$fast rule"

# Here the site makes MPICH load a tuning file with a bad algorithm: all parts of a broadcast go around a ring. Native calls
# take this algorithm; the variable that native:NAME sets prevails over the file. The made-up times say that native calls are
# slow, so trials find another algorithm, which serves the next run. The program `chosen' shows the algorithm: with the ring
# rank 1 waits for rank 3, and with the binomial tree it does not.
ring=native:scatter-ring-allgather
printf 'pleach-rules 1\ncollective=bcast ranks=5 -> engine=%s\n' $ring >"$scratch/rules"
"$PLEACH" export --for mpich -o "$scratch/bad.json" "$scratch/rules" || fail 'the tuning file'
bad=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$scratch/bad.json

broadcast waits 0.5 "$bad"
broadcast passes 100 "$bad" PLEACH_BCAST_ENGINE=native:binomial
broadcast waits 0.5 PLEACH_BCAST_ENGINE=$ring
rm -f "$scratch/learned"
# shellcheck disable=SC2086 # words
runs 5 $apart "$bad" LIAR_CORES=64 LIAR_CLOCK=yes LIAR_ALGORITHM=0:3 PLEACH_BUDGET=1 \
    PLEACH_LEARN="$scratch/learned" "$programs/learn" repeat bcast 8192 300
says "$scratch/learned" 'engine=native:binomial'
broadcast passes 100 "$bad" PLEACH_RULES="$scratch/learned"
exit "$status"
