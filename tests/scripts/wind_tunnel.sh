#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The wind tunnel runs all engines on a small simulated cluster and checks every result. Two runs give the same times.
# A message of x bytes takes exactly alpha + beta*x there, so no engine takes longer than its formula says.
. "$srcdir/tests/scripts/mpi.sh"
if [ -z "${SMPICC:-}" ] || [ -z "${SMPIRUN:-}" ]; then
    skip 'no smpicc and smpirun of SimGrid'
fi

# Both numbers of ranks divide the sizes, so that parts of a message are as large as in the formulas.
for run in 1 2; do
    in_time sh "$srcdir/scripts/wind-tunnel" -p '7 16' -m '14K 56K' -e 'engines auto' -o "$scratch/$run.tsv" \
        "$builddir/bench/wind_tunnel" >"$scratch/$run.txt" 2>"$scratch/err" || fail "run $run: $(cat "$scratch/err")"
done
cmp "$scratch/1.tsv" "$scratch/2.tsv" || fail 'two runs have different times'
cmp "$scratch/1.txt" "$scratch/2.txt" || fail 'two runs have different tables'

awk -F '\t' '
    NR == 1 { columns = NF; next }
    NF != columns { print "not " columns " columns: " $0 }
    # The algorithms that some MPI libraries select reorder the operands of operations that do not commute.
    $13 != "yes" && !($2 == "allreduce" && $3 == "user" && $7 == "native") { print "wrong or unchecked: " $0 }
    !($9 > 0) { print "no time: " $0 }
    $11 < 4.9 || $11 > 5.1 || $12 < 0.799 || $12 > 0.801 { print "not alpha = 5 us, beta = 0.8 ns: " $0 }
    $7 != "native" && $9 > $10 * 1.001 { print "slower than its formula: " $0 }
    { n[$6]++ }
    END {
        if (n["mpich"] != 32 || n["impi"] != 32 || n["auto"] != 32) print "not 2 numbers of ranks, 2 sizes, 8 calls"
        if (n["circulant"] != 12 || n["doubling"] != 8 || n["two-tree"] != 32 || n["butterfly"] != 8)
            print "engines are missing"
    }
' "$scratch/1.tsv" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"

# The table has a line for each call.
[ "$(wc -l <"$scratch/1.txt")" -eq 34 ] || fail "table: $(cat "$scratch/1.txt")"

# machine FLAG..: runs on another machine, into $scratch/machine.tsv; fails unless every result is right.
machine() {
    in_time sh "$srcdir/scripts/wind-tunnel" -s mpich -o "$scratch/machine.tsv" "$@" "$builddir/bench/wind_tunnel" \
        >"$scratch/out" 2>"$scratch/err" || fail "wind-tunnel $*: $(cat "$scratch/err")"
    awk -F '\t' 'NR > 1 && $13 != "yes" && !($2 == "allreduce" && $3 == "user" && $7 == "native")' "$scratch/machine.tsv" \
        >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || fail "wind-tunnel $*: $(cat "$scratch/wrong")"
}
# share LOW HIGH ENGINE BYTES_A_SECOND: fails unless the engine's broadcast reaches LOW to HIGH percent of that rate.
share() {
    awk -F '\t' -v low="$1" -v high="$2" -v by="$3" -v rate="$4" '
        $2 == "bcast" && $6 == by { share = 100 * $5 / ($9 * 1e-6) / rate }
        END { if (share < low || share > high) print by ": " share " % of the rate, not " low " to " high }' \
        "$scratch/machine.tsv" >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
}

# Between two sites, a chain fills the uplink if a message there does not wait until the one before has arrived. The chain
# goes site by site, wherever the ranks are, unless their order counts.
machine -P 5,3:300Mbps -c bcast,scan -m 4M -e 'engines best:chain'
share 90 100 best:chain 37500000
machine -P 5,3:300Mbps -c bcast -m 4M -e best:chain -w wait
share 1 80 best:chain 37500000
machine -P 5,3:300Mbps -c bcast -m 4M -e 'best:chain best:magpie' -d random
share 90 100 best:chain 37500000
machine -P 5,3:300Mbps -c bcast,reduce -m 8 -e 'best:magpie latency-tree' -d random -w free -g 50us
# On nodes, of which the last has fewer ranks than the others, a chain uses each network card once in each direction.
machine -P nodes -p 40 -c bcast,reduce,allreduce -m 1M -e 'engines best:chain'
share 80 100 best:chain 125000000

# On nodes with memory, ranks share segments, and calls made of stages run. The root of a broadcast copies the whole message
# into the segment, and a core loads and stores 20 GB/s. In the other calls, a root also folds at least its own operand.
machine -P cluster:3x4:100Gbps:200GBps -c bcast,reduce,allreduce,scan -m 256K -e 'auto lanes'
awk -F '\t' '$6 == "lanes" { n++; least = ($2 == "bcast" ? 2 : 3) * $5 / 20e9 * 1e6; if ($9 < least) print "too fast: " $0 }
    END { if (n != 7) print n " calls by lanes" }' "$scratch/machine.tsv" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
machine -P cluster:1x5:100Gbps:200GBps -c bcast,reduce,allreduce -m 64K -e engines

for wrong in '-x' '' 'a b' './nowhere' '-P cloud true' '-P : true' '-d best true' '-w most true' '-g 5 true'; do
    # shellcheck disable=SC2086 # words
    sh "$srcdir/scripts/wind-tunnel" -o "$scratch/none.tsv" $wrong >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 2 ] || fail "wind-tunnel $wrong: not exit status 2"
    [ ! -s "$scratch/out" ] || fail "wind-tunnel $wrong: writes output"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "wind-tunnel $wrong: $(cat "$scratch/err")"
done
exit "$status"
