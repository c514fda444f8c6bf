#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The simulation of short calls has a time for each call, collective and way, by one network for all; the times on one node
# are near those measured. What must hold: a call of one byte per eight takes no longer than a longer one, an all-reduce no
# less than the exchange between two nodes, and each way of a broadcast at least as many latencies as its tree needs. The
# stages of a call take at least the times that they take alone, unless they overlap, as in scans.
. "$srcdir/tests/scripts/mpi.sh"
short=$builddir/bench/short_calls

for nodes in 2 5 16; do
    "$short" $nodes 6 >"$scratch/$nodes" || fail "$nodes nodes: exit status $?"
    "$short" $nodes 6 | cmp -s - "$scratch/$nodes" || fail "$nodes nodes: two runs differ"
    awk -F '\t' -v nodes=$nodes '
        NR == 1 { columns = NF; next }
        NF != columns || $1 != nodes || $2 != 6 { print "wrong columns: " $0 }
        { key = $3 " " $5 }
        key in last && $7 < last[key] && $6 == engine[key] { print "shorter, though it has more bytes: " $0 }
        { last[key] = $7; engine[key] = $6; rows++ }
        $7 < 2 { print "faster than a latency: " $0 }
        # A binomial tree of N nodes has ceil(log2 N) latencies of 2 us.
        $3 == "bcast" && $5 == "mpich" && $7 < 2 * log(nodes) / log(2) { print "fewer rounds than the tree has: " $0 }
        $3 == "allreduce" && $5 == "mpich" && $7 < 2 * log(nodes) / log(2) { print "fewer rounds than doubling: " $0 }
        $5 == "auto" { auto = $7 }
        $5 == "limit" && $3 !~ /scan/ && auto < 0.95 * $7 { print "auto is faster than its stages: " $0 }
        END { if (rows != 175) print rows " rows, not 5 collectives, 7 sizes, 5 ways" }
    ' "$scratch/$nodes" >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
done
"$short" 16 6 bcast 64 1000000 | awk -F '\t' 'NR > 1 && $3 == "bcast" && ($4 == 64 || $4 == 1000000) { rows++ }
    END { exit !(NR == 11 && rows == 10) }' || fail 'not the broadcasts that were asked for'
# With a port for each other node, multiport has one round of messages in an all-reduce, and native doubling has four.
awk -F '\t' '$3 == "allreduce" && $4 == 8 { us[$5] = $7 } END { exit !(us["auto"] < us["mpich"] - 2) }' "$scratch/16" ||
    fail "$(grep allreduce "$scratch/16")"

"$short" >"$scratch/node" || fail "one node: exit status $?"
awk -F '\t' 'NR > 1 && $4 != "native" { error = $6 / $5 - 1; sum[$3 == 256] += error < 0 ? -error : error; n[$3 == 256]++ }
    END { exit !(n[1] == 18 && sum[1] / n[1] < 0.15 && n[0] == 10 && sum[0] / n[0] < 0.3) }' "$scratch/node" ||
    fail "far from what was measured: $(cat "$scratch/node")"

exit "$status"
