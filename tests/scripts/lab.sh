#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A small emulated cluster (scripts/lab): engines give right results and records over real TCP, on nodes of two ranks, and on
# distant sites. Nothing of the cluster is left in the end.
. "$srcdir/tests/scripts/mpi.sh"
records=$scratch/records
TMPDIR=$scratch # a lab of our own
BUILD=$builddir # scripts/lab uses bench/lab_probe and bench/lab_relay there
export TMPDIR BUILD
trap 'sh "$srcdir/scripts/lab" down 2>/dev/null; rm -rf "$scratch"' EXIT

lab() {
    in_time sh "$srcdir/scripts/lab" "$@" >"$out" 2>&1
}

# interrupted SECONDS ARG..: runs the lab and sends SIGINT to it alone after that time.
interrupted() {
    interrupted_after=$1
    shift
    timeout --foreground --preserve-status -s INT "$interrupted_after" sh "$srcdir/scripts/lab" "$@" >"$out" 2>&1
    interrupted_status=$?
    [ $interrupted_status -eq 130 ] || fail "interrupted: lab $*: exit status $interrupted_status, $(cat "$out")"
}

# running PATTERN: prints the command lines of the lab's processes that match. The environment tells which processes belong
# to the lab.
running() {
    grep -lzF "LAB_STATE=$scratch/" /proc/[0-9]*/environ 2>/dev/null | while read -r running_environ; do
        { tr '\0' ' ' <"${running_environ%environ}cmdline"; } 2>/dev/null | grep -e "$1"
    done
}

# processes PATTERN: waits up to 30 seconds until no process of the lab matches, and prints the command lines of those that
# still do.
processes() {
    for _ in $(seq 100); do
        processes=$(running "$1")
        [ -n "$processes" ] || return 0
        sleep 0.3
    done
    echo "$processes"
}

# nothing_left WHAT: fails if anything of the lab is left after WHAT.
nothing_left() {
    nothing_left="$(processes .; ip -o link show | grep -F plch; ip netns list | grep -F plch
        grep -F "$scratch" /proc/mounts)"
    [ -z "$nothing_left" ] || fail "left after $1: $nothing_left"
    [ -z "$(find "$scratch" -name 'pleach-lab*')" ] || fail "a state directory after $1"
}

lab up --hosts 4
case $? in
0) ;;
77) skip "$(cat "$out")" ;;
*)
    fail "up: $(cat "$out")"
    exit 1
    ;;
esac
lab up && fail 'up twice'
says "$out" 'already up'
lines "$out" . 1

# MPICH 3 takes the launcher's interface for its own.
lab run "$programs/five" 3001 || {
    ! grep -q MPIR_CVAR_CH3_NETWORK_IFACE "$out" || skip "natively: $(grep -m 1 MPIR_CVAR_CH3_NETWORK_IFACE "$out")"
    fail "five, natively: $(cat "$out")"
}

# With the default settings, `pleach run' measures the network between four nodes. With figures from settings, engines
# serve.
PLEACH_LOG=$records lab run "$PLEACH" run "$programs/five" || fail "five: $(cat "$out")"
says "$out" 'five ok'
lines "$records" '^# measured:.*between nodes alpha [0-9.e+]* us, beta [0-9.]* ns.*; 4 nodes, at most 1 ranks on one' 1
PLEACH_ALPHA=100us PLEACH_BETA=80ns PLEACH_GAMMA=1ns PLEACH_LOG=$records.given lab run "$PLEACH" run "$programs/five" ||
    fail "five: $(cat "$out")"
reasons "$records.given" | grep -v '^native' | grep -q ' model$' ||
    fail "five: no engine served: $(reasons "$records.given")"

lab run hostname
lines "$out" '^plch[0-3]$' 4

# An interrupted program ends on all hosts, and the lab goes on.
interrupted 2 run sh -c 'sleep 60; :'
[ -z "$(processes 'sleep 6[0]')" ] || fail "an interrupted program goes on: $(processes 'sleep 6[0]')"
lab run true || fail "after an interrupted run: $(cat "$out")"

# lab down ends a running program.
sh "$srcdir/scripts/lab" run sh -c 'sleep 60; :' >"$scratch/running" 2>&1 &
started=$!
while kill -0 $started && [ -z "$(running '^sleep 6[0]')" ]; do sleep 0.1; done
[ -n "$(running '^sleep 6[0]')" ] || fail "the program did not start: $(cat "$scratch/running")"
lab down || fail "down: $(cat "$out")"
wait $started && fail 'a program outlives its lab'
nothing_left down
lab down && fail 'down twice'
lines "$out" . 1
lab run true && fail 'run without a lab'
lines "$out" . 1

# A lab of so many hosts takes a second or more to make, so it is interrupted on its way.
interrupted 0.5 up --hosts 250
nothing_left 'an interrupted up'

lab up --hosts 4 --rate 1gbit || fail "up: $(cat "$out")"

# Engines drawn at random give right results in a preloaded library, on fewer ranks than hosts.
LD_PRELOAD=$LIBPLEACH PLEACH_THRESHOLD=0 PLEACH_ENGINE=random:1 PLEACH_BLOCK=4093 PLEACH_LOG=$records.random \
    lab run -n 3 "$differential" --quick ||
    fail "differential: $(cat "$out")"
says "$out" 'cases ok'
engines_served "$records.random" chain two-tree

# On a busy machine times may be out of bounds; the number of bytes that cross the network may not.
lab check
lines "$out" '^port .* ok$' 1
lines "$out" . 5

lab down || fail "down: $(cat "$out")"

# Engines for nodes serve on nodes of two ranks. The number of cores is made up, as nothing is measured on one core.
lab up --hosts 4 --ranks-per-host 2 --rate 1gbit || fail "up: $(cat "$out")"
for engine in smp smp-nested smp-phases; do
    LD_PRELOAD=$liar LIAR_CORES=64 PLEACH_LOG=$records.$engine PLEACH_ENGINE=$engine \
        lab run "$PLEACH" run "$programs/five" || fail "$engine: $(cat "$out")"
    says "$out" 'five ok'
    reasons "$records.$engine" | grep -q "^$engine forced$" || fail "$engine: $(reasons "$records.$engine")"
done
# The network is measured once calls have earned it, so perhaps not in each run.
cat "$records".smp "$records".smp-* >"$records.all"
says "$records.all" '; 4 nodes, at most 2 ranks on one'
lab down || fail "down: $(cat "$out")"
nothing_left 'another down'

# With --wire, short messages take their time, too. A rank sends its 8 KiB of an all-reduce within the call, so no call takes
# less time than 8 KiB take on the wire.
lab up --hosts 2 --wire
case $? in
0)
    lab run "$PLEACH" run "$programs/five" || fail "five: $(cat "$out")"
    says "$out" 'five ok'
    lab run "$PLEACH" bench -c allreduce --op exact -m 8K:8K -i 3 -e butterfly,ring --force --format tsv ||
        fail "bench: $(cat "$out")"
    awk -F '\t' '$1 == "collective" { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == "allreduce" { $at["min_us"] >= 655 ? slow++ : fast++ } END { exit !(slow >= 3) || fast }' "$out" ||
        fail "faster than a wire: $(cat "$out")"
    lab down || fail "down: $(cat "$out")"
    nothing_left 'a lab with wires'
    ;;
77) echo "not tested: $(cat "$out")" ;;
*) fail "up with wires: $(cat "$out")" ;;
esac

# With a delay and one site, each message from one host to another takes as long.
lab up --hosts 3 --rate 1gbit --delay 5ms
case $? in
0)
    lab check
    # Load makes round trips longer, but none is shorter than the delay.
    awk '$1 == "between" && $2 >= 10 { n++ } END { exit n != 1 }' "$out" || fail "round trips: $(cat "$out")"
    lab run "$PLEACH" run "$programs/five" || fail "five: $(cat "$out")"
    says "$out" 'five ok'
    lab down || fail "down: $(cat "$out")"
    nothing_left 'a lab with a delay'
    ;;
77) echo "not tested: $(cat "$out")" ;;
*) fail "up with a delay: $(cat "$out")" ;;
esac

# The lab refuses each impossible combination of options for sites with one line. A lab that fails on its way up, when its
# relay runs already, leaves nothing.
for wrong in '--sites 3 --hosts 4' '--sites 5 --hosts 4' '--sites 0' '--uplink 30mbit' '--delay 1' \
    '--sites 2 --hosts 4 --delay 1' '--sites 2 --hosts 4 --delay 2s' '--sites 2 --hosts 4 --uplink /'; do
    # shellcheck disable=SC2086 # words
    lab up $wrong && fail "up $wrong"
    lines "$out" . 1
done
lab up --sites 2 --hosts 4 --delay 1ms --uplink 30bananas && fail 'up with an uplink of 30bananas'
nothing_left 'a failed up'

# rank_hosts WORD..: prints for each rank the last number of its host's address, in the order of the ranks.
rank_hosts() {
    # shellcheck disable=SC2016 # another shell's variable
    lab run "$@" sh -c \
        'echo "$PMI_RANK" "$(ip -oneline -family inet address show eth0 | sed "s/.*inet 192.168.77.//; s,/.*,,")"' ||
        fail "run $*: $(cat "$out")"
    sort -n "$out" | sed 's/.* //' | tr '\n' ' '
}

lab up --sites 2 --hosts 4 --rate 1gbit --uplink 300mbit --delay 2ms --ranks-per-host 2
case $? in
0)
    lab check
    lines "$out" '^port .* ok$' 1
    lines "$out" . 7
    # Load makes round trips longer, but none is shorter than the delay.
    awk '$1 == "between" && $2 >= 4 { n++ } END { exit n != 1 }' "$out" || fail "round trips: $(cat "$out")"
    dealt="$(rank_hosts)/$(rank_hosts --deal hosts)/$(rank_hosts --deal turn)/$(rank_hosts -n 3 --deal turn)"
    [ "$dealt" = '1 1 2 2 3 3 4 4 /1 1 3 3 2 2 4 4 /1 3 2 4 1 3 2 4 /1 3 2 ' ] || fail "ranks were dealt out: $dealt"
    PLEACH_THRESHOLD=0 PLEACH_ENGINE=random:2 PLEACH_LOG=$records.sites lab run --deal turn "$PLEACH" run \
        "$programs/five" || fail "sites: $(cat "$out")"
    says "$out" 'five ok'
    reasons "$records.sites" | grep -q ' random$' || fail "no engine is drawn: $(reasons "$records.sites")"
    lab down || fail "down: $(cat "$out")"
    ;;
77) echo 'not tested: sites: no TAP devices' ;;
*) fail "up with sites: $(cat "$out")" ;;
esac

nothing_left 'the last down'
exit "$status"
