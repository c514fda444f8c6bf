#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Places are nodes, come from a file, or are measured. Here nodes and distances are made up: mpiexec starts each "host" by a
# fork, and fakes/far.c delays messages.
. "$srcdir/tests/scripts/mpi.sh"

file=$scratch/file
# By the interface, MPICH 3.4 does not look up the names of hosts.
nodes='-launcher fork -iface lo -hosts h1,h2,h3,h4,h5,h6'

# far RANKS NODES-OPTIONS SITES PROGRAM [ARG..]: runs the program on made-up nodes; rank r is in site r % SITES.
far() {
    far_ranks=$1
    far_options=$2
    far_sites=$3
    shift 3
    # shellcheck disable=SC2086 # several options
    timeout 300 "$MPIEXEC" $far_options -n "$far_ranks" env LD_PRELOAD="$YIELD:$fakes/far.so" FAR_SITES="$far_sites" "$@" \
        >"$out" 2>&1 || {
        fail "exit status $? on $*:"
        sed 's/^/    /' "$out"
    }
}

# tree RANKS PLACES: runs `pleach places' with PLEACH_PLACES=PLACES. Prints for each place its name, the number of its ranks
# and of its parts, whether the parts are in a line, and its list of ranks.
tree() {
    timeout 300 "$MPIEXEC" -n "$1" env LD_PRELOAD="$YIELD" PLEACH_PLACES="$2" "$PLEACH" places --format tsv \
        2>"$scratch/err" |
        awk -F '\t' 'NR > 1 { gsub(",", "+", $10); print $1 "," $3 "," $4 "," $5 "," $10 }' | xargs
}

# ---- A file ---------------------------------------------------------------------------------------------------------------

printf '%s\n' '# in turn, two levels, a site of one rank; nobody knows this host' sites 'rank 0,2 a/x' \
    'rank 4 a/y # also a' 'rank 1,3 b' 'nowhere c/d' >"$file"
equal 'places of a file' "$(tree 6 "$file")" \
    'all,6,3,yes,0-5 1,3,2,no,0+2+4 1.1,2,2,no,0+2 1.2,1,0,no,4 2,2,2,no,1+3 3,1,0,no,5'
for places in node none auto; do # on one node
    equal "$places" "$(tree 3 $places)" 'all,3,3,no,0-2'
done
lines "$scratch/err" . 0
printf '%s a/b\n' "$(hostname)" >"$file"
equal 'one host' "$(tree 3 "$file")" 'all,3,3,no,0-2'

# Engines that are free to order the ranks go place by place, and results are right.
printf 'rank 0,3,5 a\nrank 1-2 b\n' >"$file"
runs 6 PLEACH_PLACES="$file" PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain PLEACH_REDUCE_ENGINE=ring PLEACH_LOG="$scratch/log" \
    "$programs/places" world dup turn halves reverse shrink first
engines_served "$scratch/log" chain ring

# With an error in the file (check_places.c knows all), one line reports it, and places are nodes. With PLEACH_STRICT
# the program is aborted.
printf '# a comment\n\nrank 0 a/b/c/d\n' >"$file"
runs 3 PLEACH_PLACES="$file" PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$programs/five"
lines "$out" '^pleach: ' 1
says "$out" "pleach: PLEACH_PLACES: $file:3: more than 3 groups are nested"
says "$out" '; groups are nodes, as with PLEACH_PLACES=node'
records "$out" 'two-tree forced'
runs 2 PLEACH_PLACES=/nowhere/at/all PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$programs/five"
lines "$out" '^pleach: ' 1
says "$out" 'pleach: PLEACH_PLACES: /nowhere/at/all cannot be read: No such file or directory; groups are nodes'
records "$out" 'two-tree forced'
# pleach places then prints no places.
for wrong in "$file" nodes; do
    complains 1 "^pleach places: PLEACH_PLACES: $wrong.*; groups are nodes, as with PLEACH_PLACES=node; see TOPOLOGY " \
        timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_PLACES="$wrong" "$PLEACH" places
done
fails 2 PLEACH_STRICT=yes PLEACH_PLACES="$file" "$programs/five"
says "$out" 'the program is aborted, as PLEACH_STRICT says'
silent_about "$out" 'five ok'
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$programs/five" : \
    -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_PLACES=node "$programs/five" >"$out" 2>&1 ||
    fail 'places differ between ranks'
says "$out" 'PLEACH_PLACES differs between ranks: rank 0 has auto, rank 2 has node'

# ---- Measured -------------------------------------------------------------------------------------------------------------

# Communicators of ranks that have been measured inherit the places; no rank pings again.
far 6 "$nodes" 2 "$programs/regions" world dup turn halves reverse shrink
cat >"$scratch/wanted" <<END
world: measured, places 3-3, order 0 2 4 1 3 5, pings of 0 1 2 3 4 5
dup: inherited, places 3-3, order 0 2 4 1 3 5, pings of
turn: inherited, places 3, order 0 1 2, pings of
halves: inherited, places 2-1, order 0 2 1, pings of
reverse: inherited, places 3-3, order 0 2 4 1 3 5, pings of
shrink: inherited, places 3-2, order 0 1 3 2 4, pings of
END
diff "$scratch/wanted" "$out" || fail 'what is inherited'

# A communicator that no measured one contains measures all its nodes.
far 4 "$nodes" 2 "$programs/regions" first world
says "$out" 'world: measured, places 2-2, order 0 2 1 3, pings of 0 1 2 3'

# Slurm tells the racks: a variable names the switches above each node, the lowest one last. Sites are divided by racks.
# Without a switch in the pattern, or unless PLEACH_PLACES is auto, there are no racks. Unmeasured places have racks, too.
cat >"$scratch/slurm" <<'END'
#!/bin/sh
export SLURM_TOPOLOGY_ADDR="top.s$((PMI_RANK / $1)).n$PMI_RANK" SLURM_TOPOLOGY_ADDR_PATTERN="$2"
shift 2
exec "$@"
END
chmod +x "$scratch/slurm"
while read -r sites pattern places wanted <&3; do
    far 6 "$nodes" "$sites" "$scratch/slurm" 3 "$pattern" env PLEACH_PLACES="$places" "$programs/regions" world
    says "$out" "world: measured, places $wanted, "
done 3<<END
1 switch.switch.node auto 3,3
2 switch.switch.node auto (2,1)-(1,2)
1 switch.node auto 6
1 node auto 6
1 switch.switch.node node 6
END
far 12 "-ppn 3 $nodes" 1 taskset -c "$core" "$scratch/slurm" 6 switch.switch.node "$PLEACH" places
says "$out" '12 ranks on 4 nodes; nothing was measured, as there are more ranks than usable cores'
lines "$out" '^  [12]  *6  *2  ' 2

# When calls take other times than before, all places are measured again, but less and less often.
far 4 "$nodes" 2 "$programs/regions" world again again again again again
sed -i 's/, pings.*//' "$out"
{
    echo 'world: measured, places 2-2, order 0 2 1 3'
    for how in measured measured known measured known; do
        echo "again: $how, places 2-2, order 0 2 1 3"
    done
} | diff - "$out" || fail 'measured again'

# If nodes have two ranks, one rank of each node measures.
far 8 "-ppn 2 $nodes" 4 "$programs/regions" world
says "$out" 'world: measured, places (2,2)-(2,2), order 0 1 4 5 2 3 6 7, pings of 0 2 4 6'

# The library measures once, at the first large call.
far 4 "$nodes" 2 env LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/far.so" PLEACH_BUDGET=99 PLEACH_LOG="$scratch/far" \
    "$programs/places" world turn shrink
says "$out" 'places ok'
lines "$scratch/far" '^# measured: .*; topology: 2-2; in ' 1
lines "$scratch/far" '^# measured' 1
for places in node none; do
    far 4 "$nodes" 2 env LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/far.so" PLEACH_BUDGET=99 PLEACH_PLACES=$places \
        PLEACH_LOG="$scratch/$places" "$programs/places" world
    lines "$scratch/$places" '^# measured: .*; topology: 4; in ' 1
done

# pleach places prints the tree with figures, and draws it.
far 6 "$nodes" 2 "$PLEACH" places
says "$out" '6 ranks on 6 nodes; the topology was measured'
lines "$out" '^all  *6  *2 in a line  *8ms  *100MB/s  *-  ' 1
lines "$out" '^  [12]  *3  *3  *1ms  *100MB/s  *[0-9.]*MB/s ' 2
lines "$out" '^    [12]\.[123]  *1  *-  ' 6
far 4 "$nodes" 2 "$PLEACH" places --format dot
lines "$out" '^digraph topology {$' 1
lines "$out" ' -> ' 6
if have dot 'a picture'; then
    far 3 "$nodes" 2 "$PLEACH" places --format svg
    lines "$out" '</svg>' 1
fi
timeout 60 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$PLEACH" places --format bmp >"$out" 2>&1 && fail '--format bmp is taken'
lines "$out" '^pleach places: ' 1

exit "$status"
