#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# In a program that hangs, each rank reports its call and the rank that it waits for: after PLEACH_PATIENCE, once a call, and
# on SIGUSR1. In a program whose ranks make different calls at once, the calls return an error, and one line names both
# calls.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"

job=
trap 'kill "$job" 2>/dev/null; rm -rf "$scratch"' EXIT

# starts [NAME=VALUE..] PROGRAM [ARG..]: starts four ranks in the background. Their output goes to $out. Blocks are so large
# that a sender waits for its receiver.
starts() {
    settings=
    while :; do
        case $1 in
        *=*) settings="$settings $1" ;;
        *) break ;;
        esac
        shift
    done
    program=$programs/$1
    shift
    : >"$out"
    "$MPIEXEC" -n 4 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=chain PLEACH_BLOCK=256K $settings "$program" "$@" \
        >"$out" 2>&1 &
    job=$!
}

# until_some PATTERN NUMBER: waits until NUMBER lines match, or the job ends.
until_some() {
    while [ "$(grep -c -e "$1" "$out")" -lt "$2" ] && kill -0 "$job" 2>/dev/null; do
        sleep 0.1
    done
}

# until_lines PATTERN NUMBER: like until_some(). Fails unless NUMBER lines match.
until_lines() {
    until_some "$1" "$2"
    lines "$out" "$1" "$2"
}

# asks_all: sends SIGUSR1 and waits until all four ranks have answered.
asks_all() {
    answers=$(($(grep -c '^pleach: patience: ' "$out") + 4))
    kill -USR1 "$job"
    until_lines '^pleach: patience: ' $answers
}

ended() {
    kill "$job" 2>/dev/null
    wait "$job"
    ended_status=$?
    job=
    return $ended_status
}

# In an engine, each rank names the rank that it waits for. The communicator has the ranks of MPI_COMM_WORLD in reverse
# order.
starts PLEACH_PATIENCE=1s hang 1000003 2
second_call='^pleach: patience: rank [023] has been .* in MPI_Bcast of 1000003 bytes from root 0, call 2 on turned'
until_lines "$second_call" 3
where='called at main+0x[0-9a-f]*$'
waits='in engine chain, step [0-9]*, waiting for'
lines "$out" "rank 3 .* call 2 on turned (rank 0 of 4): $waits rank 1 (2 in MPI_COMM_WORLD) to receive; $where" 1
lines "$out" "rank 2 .* call 2 on turned .* waiting for .*rank 2 (1 in MPI_COMM_WORLD) to receive; $where" 1
lines "$out" "rank 0 .* call 2 on turned (rank 3 of 4): $waits rank 2 (1 in MPI_COMM_WORLD) to send; $where" 1
# A rank reports a call once, however long it lasts. On SIGUSR1 it reports again, even outside a call. (On a busy machine
# call 1 may be reported, too.)
sleep 2
lines "$out" "$second_call" 3
asks_all
lines "$out" "$second_call" 6
last='MPI_Bcast of 1000003 bytes from root 0, call 1 on turned (rank 2 of 4)'
lines "$out" "rank 1 is not inside an intercepted call; the last was $last, .* ago, $where" 1
ended

# Ranks report a native call, too; this one has a size at which some rank waits in every MPI library. Ranks also report that
# they wait in the first call. The rank for which the others wait says nothing.
starts PLEACH_PATIENCE=0.5s hang 6000 3
last='MPI_Bcast of 6000 bytes from root 0, call 3 on turned'
until_some "^pleach: patience: rank [023] .* $last .* in the native call, which does not" 1
grep -q "^pleach: patience: rank [023] .* $last .* in the native call" "$out" || fail "no native call: $(cat "$out")"
silent_about "$out" 'patience: rank 1'
ended
starts PLEACH_PATIENCE=0.5s hang 100 1
until_lines \
    '^pleach: patience: rank [023] .* waiting for all ranks there to make their first collective call; called at main' 3
silent_about "$out" 'patience: rank 1'
ended

# Ranks also answer SIGUSR1 before their patience has run out. The program's own handler runs as well, and interrupts what it
# interrupts without Pleach.
starts PLEACH_PATIENCE=1000s hang 1000003 2 usr1
until_lines '^rank 1 made its calls' 1
asked=0
while # until the other three ranks hang in MPI_Bcast, and rank 1 has read
    asks_all
    asked=$((asked + 1))
    hanging=$(grep '^pleach: patience: ' "$out" | tail -n 4 |
        grep -c '^pleach: patience: rank [023] has been .* in MPI_Bcast')
    { [ "$hanging" -lt 3 ] || ! grep -q '^a read was interrupted' "$out"; } && [ $asked -lt 100 ]
do
    sleep 0.1
done
[ $asked -lt 100 ] || fail "no three ranks in MPI_Bcast, or no interrupted read: $(cat "$out")"
lines "$out" '^pleach: patience: rank 1 is not inside an intercepted call' $asked
until_lines '^usr1 was caught' $((4 * asked))
ended

# Without PLEACH_PATIENCE nothing is reported, and only the program's handler runs.
starts hang 1000003 2 usr1
until_lines '^rank 1 made its calls' 1
kill -USR1 "$job"
until_lines '^usr1 was caught' 4
silent_about "$out" 'patience'
ended

# A rank that has ended a trial waits for all others, and is no longer in the engine. Rank 2 begins each trial late.
if with mpich; then
    native=$("$PLEACH" engines --all | sed -n 's/^\(native:[a-z0-9-]*\) .*/\1/p' | sort -u | paste -s -d ,)
    LIBPLEACH=$fakes/late.so:$LIBPLEACH:$liar runs 3 LATE_MS=300 LIAR_CORES=64 LIAR_BCAST_WORK=300 PLEACH_BUDGET=9 \
        PLEACH_PATIENCE=0.1s PLEACH_ENGINE="^$native" PLEACH_BLOCK=8K "$programs/learn" repeat bcast 131072 6
    says "$out" 'learn ok'
    if grep -q '^late: rank 2' "$out"; then
        says "$out" 'waiting for all ranks there to agree'
    else
        echo 'not tested: a rank that waits at the end of a trial: rank 2 was never late'
    fi
    silent_about "$out" 'it waits for no rank'
fi

# Ranks make different calls. With PLEACH_PATIENCE all ranks in an engine get an error, whichever rank is wrong.
bcast='MPI_Bcast of 2000012 bytes from root 0'
# disagree WHAT ODD USUAL: one rank makes the call ODD, all others make USUAL.
disagree() {
    for rank in 0 2 3; do
        [ "$1$rank" = root0 ] && continue # no rank would send; see below
        # A rank may get the error before it meets the other's call: often in Open MPI, and in MPICH on a busy machine.
        for _ in 1 2 3 4 5; do
            starts PLEACH_PATIENCE=100s disagree "$1" $rank
            until_lines '^rank [0-3]: error' 4
            ended
            silent_about "$out" 'an error before'
            grep -qF 'another call' "$out" && continue # the other rank was stopped for a second
            says "$out" "rank $rank makes $2"
            says "$out" " makes $3"
            with openmpi && break
            grep -qF -e "rank $rank makes $2, but rank " "$out" && grep -qF -e "but rank $rank makes $2" "$out" && break
        done
        silent_about "$out" 'another call'
        if ! with openmpi; then
            says "$out" "rank $rank makes $2, but rank "
            says "$out" "but rank $rank makes $2"
        fi
    done
}
# In MPICH 3, a large message needs its sender in MPI, and a rank that gets an error leaves MPI.
in_time "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$programs/left" >"$out" 2>&1 || fail "left: $(cat "$out")"
if grep -q '^left: not received$' "$out"; then
    echo 'not tested: different calls with large messages: a rank that has left MPI does not send them, natively'
else
    disagree size 'MPI_Bcast of 4000024 bytes from root 0' "$bcast"
    disagree collective 'MPI_Scan (MPI_SUM) of 2000012 bytes' "$bcast"
    disagree op 'MPI_Reduce (MPI_BXOR) of 2000012 bytes to root 0' 'MPI_Reduce (MPI_SUM) of 2000012 bytes to root 0'
    disagree root 'MPI_Bcast of 2000012 bytes from root 1' "$bcast"
fi

# The same holds for calls made of stages. A rank that waits in shared memory names the rank that it waits for.
if with mpich; then
    lanes="$two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1 PLEACH_SHARED=64M PLEACH_ENGINE=lanes PLEACH_THRESHOLD=0"
    for case in 'size 1' 'op 2' 'root 3' 'late 2'; do
        starts $lanes PLEACH_PATIENCE=100s disagree $case
        until_lines '^rank [0-3]: error' 4
        ended
        silent_about "$out" 'an error before'
    done
    # Writers may have left a call in shared memory before other ranks find that their calls differ.
    for case in 'node-copy root 3' 'node-copy size 2' 'node-line op 2' 'node-flat op 3' 'node-tree op 0' 'node-ring op 0' \
        'node-prefixes collective 0'; do
        starts PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,${case%% *} PLEACH_BLOCK=8K PLEACH_THRESHOLD=0 \
            PLEACH_PATIENCE=100s disagree ${case#* }
        until_lines '^rank [0-3]: ' 4
        ended
        grep -q '^rank [0-3]: error' "$out" || fail "no rank gets an error: $case"
        silent_about "$out" 'an error before'
    done
    starts $lanes PLEACH_PATIENCE=1s hang 1000003 2
    waits='in engine lanes, step [0-9]*, waiting for rank 0 (3 in MPI_COMM_WORLD)'
    until_lines "^pleach: patience: rank 2 .* call 2 on turned (rank 1 of 4): $waits" 1
    ended
    starts PLEACH_SHARED=64M PLEACH_ENGINE=node-copy PLEACH_BLOCK=8K PLEACH_PATIENCE=1s hang 8000003 2
    waits='in engine node-copy, step [0-9]*, waiting for rank 2 (1 in MPI_COMM_WORLD) in shared memory'
    until_lines "^pleach: patience: rank 3 .* call 2 on turned (rank 0 of 4): $waits" 1
    ended
fi

# Ranks that are still in the previous call finish that call without an error.
starts PLEACH_PATIENCE=100s PLEACH_SCAN_BLOCK=3K disagree late 0
until_lines '^rank [0-3]: error' 4
ended
silent_about "$out" 'an error before'

# A rank that is still in a call on another communicator of these ranks gets the error in its next call on this one. Rank 3
# gets a message of rank 2's call, and rank 0 waits for rank 3.
for communicator in other older; do
    starts PLEACH_PATIENCE=100s PLEACH_THRESHOLD=0 PLEACH_REDUCE_ENGINE=binomial disagree $communicator 2
    until_lines '^rank [03]: error' 2
    ended
    silent_about "$out" 'an error before'
done

# Without PLEACH_PATIENCE, the error reaches only the rank that receives a message of the other call, and the ranks that wait
# for this rank.
both="mismatch on divided (4 ranks): rank 2 makes MPI_Bcast of 4000024 bytes from root 0, but rank 3 makes $bcast"
for _ in 1 2 3 4 5; do
    starts disagree size 2
    until_lines '^rank [23]: error' 2
    ended
    grep -qF 'another call' "$out" || break # rank 3 was stopped for a second
done
says "$out" "$both"

# Only one of the two calls is above the threshold, so ranks are in different calls when they agree. Then all calls go
# native, with the errors of the MPI library.
starts PLEACH_THRESHOLD=5 disagree first 0
differ='some ranks make call 1 while others make call 2'
until_lines "^pleach: mismatch on divided (4 ranks): $differ; every call there goes to the native MPI library\$" 1
with openmpi || until_lines '^rank [1-3]: error' 3 # in Open MPI some ranks may hang natively instead
ended

# All ranks of the first job wait, and none has sent anything. In the second job one rank waits in a native call. Each rank
# reports its own call.
starts PLEACH_PATIENCE=0.5s disagree root 0
until_lines '^pleach: patience: rank [0-3] has been .*, call 2 on divided' 4
lines "$out" "in $bcast, call 2 on divided (4 ranks): in engine chain, step" 3
lines "$out" 'in MPI_Bcast of 2000012 bytes from root 1, call 2 on divided (4 ranks): in engine chain, step .* to send' 1
ended
starts PLEACH_PATIENCE=0.5s disagree threshold 2
until_lines '^pleach: patience: rank [0-3] has been .*, call 2 on divided' 4
lines "$out" "in $bcast, call 2 on divided (4 ranks): in engine chain, step" 3
lines "$out" 'rank 2 .* in MPI_Bcast of 40 bytes from root 0, call 2 on divided (4 ranks): in the native call' 1
ended

exit "$status"
