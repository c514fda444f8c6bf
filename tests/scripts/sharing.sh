#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Either all ranks of a node share memory or none does, whatever fails on one of them. The program sharing checks this.
# It also checks that the ranks have the same memory, and what freed communicators leave behind. Programs give right results
# in either case. The number of cores, 1, is made up: segments have large cells if there are more ranks than cores, and the
# budget is enough.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
unset PLEACH_SHARED
sharing=$programs/sharing
LIAR_CORES=1
export LIAR_CORES

# names: prints the names of segments in /dev/shm. Those of other jobs may be there before the test.
names() {
    find /dev/shm -name 'pleach-*' 2>/dev/null | sort
}
names >"$scratch/names"

# prints EXPECTED COMMAND..: fails unless the command succeeds and prints this text, whose lines are separated by '; '.
prints() {
    prints_expected=$1
    shift
    in_time "$@" >"$out" 2>&1 || fail "exit status $? on $*"
    equal "$*" "$(sed ':a; N; $!ba; s/\n/; /g' "$out")" "$prints_expected"
}

# shares EXPECTED ACTION..: fails unless three ranks print this text.
shares() {
    shares_expected=$1
    shift
    prints "$shares_expected" "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD:$liar" PLEACH_SHARED="${budget:-64M}" "$sharing" "$@"
}

# Communicators of the same ranks in the same order have one segment, one after the other, too. A child process has none.
shares 'world: memfd; dup: memfd; turned 1: memfd' world dup turned 1
shares 'dup 40: memfd; turned 2: memfd' dups 40 turned 2
shares 'world: memfd; turned 1: memfd; turned 2: memfd' world fork turned 1 fork free fork turned 2
shares 'turned 1: memfd; turned 2: memfd; turned 1: memfd; turned 2: memfd' \
    turned 1 free maps 1 turned 2 free maps 2 turned 1 free turned 2 maps 2
# If something has happened to a segment on one rank alone, nobody takes it again.
shares 'turned 1: memfd; turned 1: memfd; turned 1: memfd' turned 1 drift 1 free turned 1 maps 1 free turned 1 maps 1

# If one way to share fails on one rank, all ranks take the other way. If both fail, no rank shares.
for rank in 0 2; do
    for part in open map copy; do
        [ "$rank $part" != '0 open' ] || part='make'
        shares 'world: named' no $part 0 $rank world
        shares 'world: none' no $part 0 $rank no $part 1 $rank world
    done
done
shares 'world: none; turned 1: none; turned 2: none' no map 0 0 no map 1 1 world turned 1 turned 2
shares 'world: none' space 1 world
shares 'world: none' files 0 world

# All ranks of the job on this node have equal shares of the budget; srun says how many ranks these are.
budget=500K
SLURM_STEP_TASKS_PER_NODE='8(x2),3' SLURM_NODEID=2
export SLURM_STEP_TASKS_PER_NODE SLURM_NODEID
shares 'world: memfd' world
SLURM_NODEID=1
shares 'world: none' world
unset SLURM_STEP_TASKS_PER_NODE SLURM_NODEID budget

# served SAID RECORDS RANKS [NAME=VALUE..] PROGRAM [ARG..]: fails unless the program prints SAID, each rank has these engines
# and reasons, and all ranks have them in the same order. The words of $within stand before the job's command.
within=
served() {
    served_said=$1 served_records=$2 served_ranks=$3
    shift 3
    rm -f "$scratch"/log.*
    prints "$served_said" $within "$MPIEXEC" -n "$served_ranks" env UCX_TLS=sysv,self \
        LD_PRELOAD="$YIELD:$LIBPLEACH:$fakes/sandbox.so:$liar" PLEACH_ENGINE=node-copy,node-line,node-ring \
        PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    for served_log in "$scratch"/log.*; do
        equal "$*, ${served_log##*/}" "$(reasons "$served_log" | tr '\n' ';')" "$served_records"
        cut -f 12,14 "$served_log" | grep -v '^#' >"$scratch/here"
        [ -e "$scratch/first" ] || cp "$scratch/here" "$scratch/first"
        cmp -s "$scratch/here" "$scratch/first" || fail "ranks differ: $*"
    done
    rm -f "$scratch/first"
}

# confined RECORDS [NAME=VALUE..]: like served, for the program five on three ranks. The variables confine the ranks.
by_segments='node-copy forced;node-line forced;node-ring forced;'
by_none='native no-shared-memory;'
confined() {
    confined_records=$1
    shift
    served 'five ok' "$confined_records" 3 "$@" "$programs/five"
}

# unshared WHY [NAME=VALUE..]: like confined, where ranks share no memory. All logs say once why, and so does the report.
unshared() {
    unshared_why=$1
    shift
    confined "$by_none" PLEACH_REPORT="$scratch/report" "$@"
    for unshared_log in "$scratch"/log.*; do
        lines "$unshared_log" "^# no shared memory on some communicator: $unshared_why" 1
    done
    lines "$scratch/report" "^  sharing  *no shared memory on some communicator: $unshared_why" 1
    rm "$scratch/report"
}
confined "$by_segments"
confined "$by_segments" SANDBOX_FORBIDS=memfd
confined "$by_segments" SANDBOX_FORBIDS=memfd SANDBOX_RANK=0
confined "$by_segments" SANDBOX_FORBIDS=view SANDBOX_RANK=0
for rank in 0 1; do
    unshared "rank $rank cannot [a-z]* the file" SANDBOX_FORBIDS=files SANDBOX_RANK=$rank
done

# The budget is a node's: each of three ranks may use a third. With so small a budget, a segment of three ranks takes
# 208 KiB.
budget=no shares 'world: none' world
budget=200K shares 'world: none' world
budget=600K shares 'world: memfd; turned 1: memfd; turned 2: none' world turned 1 turned 2
budget=400K shares 'turned 1: memfd; turned 2: none; dup 9: none' turned 1 turned 2 dups 9
budget=400K shares 'pair 0 1: memfd; world: none' pair 0 1 world
# A segment that waits for a communicator gives way.
budget=400K shares 'turned 1: memfd; turned 2: memfd' turned 1 free turned 2 maps 1

# Ranks with different budgets have different settings.
in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD" "$sharing" world : \
    -n 2 env LD_PRELOAD="$YIELD" PLEACH_SHARED=no "$sharing" world >"$out" 2>&1 ||
    fail "exit status $? of ranks with different settings"
says "$out" 'PLEACH_SHARED differs between ranks: rank 0 has 64M, rank 1 has no;'
says "$out" 'world: no engine: mismatch'

# Segments wait for further communicators, up to eight of them. If the budget is used up, messages serve. If threads may make
# calls, each communicator has a segment of its own, and calls of communicators beyond 64 go native.
served 'segments ok: 3000 communicators, at most 8472 KiB shared in 2 pieces, 2 left' \
    'node-copy forced;node-line forced;' 2 PLEACH_SHARED=64M "$programs/segments" 3000 2
served 'segments ok: 300 communicators, at most 416 KiB shared in 2 pieces, 2 left' \
    'chain forced;node-copy forced;node-line forced;' 3 \
    PLEACH_SHARED=512K PLEACH_ENGINE=node-copy,node-line,chain "$programs/segments" 300 300
served 'segments ok: 300 communicators, at most 8472 KiB shared in /dev/shm in 2 pieces, 2 left' \
    'node-copy forced;node-line forced;' 2 PLEACH_SHARED=64M SANDBOX_FORBIDS=memfd "$programs/segments" 300 2
served 'segments ok: 20 communicators, at most 19104 KiB shared in 6 pieces, 6 left' 'node-copy forced;node-line forced;' 3 \
    PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-line "$programs/segments" 20 1 idle
served 'segments ok: 100 communicators, at most 25416 KiB shared in 6 pieces, 6 left' \
    'node-copy forced;node-line forced;' 2 \
    PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-line "$programs/segments" 100 1 idle-threads
served 'segments ok: 80 communicators, at most 8080 KiB shared in 10 pieces, 8 left' \
    'chain forced;native no-context;node-copy forced;node-line forced;' 3 \
    PLEACH_SHARED=8M PLEACH_ENGINE=node-copy,node-line,chain "$programs/segments" 80 80 threads

# Where each rank has a core, a segment may be measured, and the next one of as many ranks takes its figures. That is so even
# if a rank often comes late. The cores are made up.
# measures EXPECTED ACTION..: like shares, where measuring succeeds.
measures() {
    measures_expected=$1
    shift
    prints "$measures_expected" "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD:$liar" LIAR_CORES=64 PLEACH_SHARED=64M "$sharing" \
        steady "$@"
}
measures 'world: memfd, nominal; turned 1: memfd, nominal' world turned 1
measures 'world: memfd, nominal; samples, measured; no samples, measured; turned 1: memfd, remembered' \
    world measure measure turned 1
measures 'world: memfd, nominal; samples, measured; turned 1: memfd, remembered' held 2 world measure turned 1
measures 'world: memfd, nominal; turned 1: memfd, nominal; samples, measured; dup: memfd, nominal; no samples, remembered' \
    world turned 1 measure dup measure
# The next communicator takes a segment with its figures.
measures 'turned 1: memfd, nominal; samples, measured; turned 1: memfd, measured' turned 1 measure free turned 1 maps 1
# Ranks may have come to different rounds.
measures 'turned 1: memfd, nominal; samples, measured; no samples, measured' turned 1 drift 1 measure measure
# Ranks measure together if one of them has no figures. If ranks have different figures, they agree on the same ones.
measures 'pair 0 1: memfd, nominal; samples, measured; pair 2 1: memfd, nominal; samples, measured' \
    pair 0 1 measure pair 2 1 measure pair 0 2
# After three disturbances the figures stay nominal.
measures 'world: memfd, nominal; samples, nominal; samples, nominal; samples, disturbed; no samples, disturbed' \
    disturbed world measure measure measure measure
# A short program measures nothing. If it may spend more than it earns, it measures the machine and the memory.
for spends in 0 10s; do
    rm -f "$scratch/log"
    runs 2 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" LIAR_CORES=64 PLEACH_SHARED=64M PLEACH_BUDGET=$spends \
        PLEACH_LOG="$scratch/log" "$programs/five"
    if [ $spends = 0 ]; then
        lines "$scratch/log" '^# measured: ' 0
        lines "$scratch/log" '^# shared memory: ' 1
        says "$scratch/log" '# shared memory: its parameters are nominal; in '
    else
        lines "$scratch/log" '^# measured: .*; shared memory: ' 1
    fi
done

# Measuring may be disturbed, so there are several tries.
shared=
for _ in 1 2 3 4 5; do
    if timeout 120 "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD:$liar" LIAR_CORES=64 PLEACH_SHARED=64M "$PLEACH" figures \
        >"$out" 2>&1; then
        shared=$(grep 'through shared memory' "$out") && break
    else
        says "$out" 'the measurement was disturbed'
    fi
done
number='[0-9.e-]+ s'
if [ -n "$shared" ]; then
    wanted="wait $number, copy $number/B, stream $number/B, spread $number/B, fold $number/B"
    echo "$shared" | grep -qE "^# through shared memory: $wanted$" || fail "figures of shared memory: $shared"
    past='past the caches from [0-9]+K?' taken='plain, and the reader takes the lines'
    grep -qE "^# copies into shared memory: (plain|$taken|$past) for one reader, (plain|$past) for several$" "$out" ||
        fail "the ways of copying: $(cat "$out")"
else
    echo 'not tested: what pleach figures prints of shared memory: measuring was disturbed'
fi

# On a node of a job of several nodes, all sums have the same bits: the memory serves from the first one on, whatever calls
# came before.
for first in '' world; do
    rm -f "$scratch/log"
    runs 6 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" LIAR_CORES=64 $two_nodes PLEACH_SHARED=64M \
        PLEACH_LOG="$scratch/log" "$programs/nodes" $first
    awk '$6 == "allreduce"' "$scratch/log" >"$scratch/sums"
    lines "$scratch/sums" '	node-[a-z]*	' 6
    equal 'engines of equal sums' "$(cut -f 12 "$scratch/sums" | sort -u | wc -l)" 1
done

# No file is left, however a way to share has failed above.
for _ in 1 2 3 4 5 6 7 8 9 10; do # another job may have a name for a moment
    names >"$scratch/names_left"
    left=$(comm -13 "$scratch/names" "$scratch/names_left")
    [ -n "$left" ] || break
    sleep 0.3
done
[ -z "$left" ] || fail "names are left: $left"

# The remaining cases run in namespaces of their own, with an MPI library that needs nothing that the namespaces lack.
for unshare in 'unshare -m -p -f --mount-proc' 'unshare -r -m -p -f --mount-proc' ''; do
    [ -z "$unshare" ] || ! $unshare mount -t tmpfs none /dev/shm 2>"$scratch/err" || break
done
[ -n "$unshare" ] || {
    echo "not tested: namespaces: $(head -n 1 "$scratch/err")"
    exit "$status"
}

# Without /dev/shm, ranks share the memory of the first rank if they may look into that rank's process.
cat >"$scratch/within" <<'END'
mount -t tmpfs -o ro none /dev/shm && mount -t proc -o hidepid=2 proc /proc && exec "$@"
END
within="$unshare sh $scratch/within"
confined "$by_segments"
confined "$by_segments" SANDBOX_FORBIDS=memfd,view SANDBOX_RANK=1
unshared 'rank 0 cannot make the file in /dev/shm: Read-only file system; ' SANDBOX_FORBIDS=memfd SANDBOX_RANK=0
unshared 'rank 0 cannot make the file in /dev/shm: Read-only file system; ' SANDBOX_FORBIDS=view SANDBOX_RANK=0

# A control group that has little memory left. Its files are made up, those of both versions of control groups.
mkdir "$scratch/group" "$scratch/group/memory"
echo 104857600 | tee "$scratch/group/memory.max" >"$scratch/group/memory/memory.limit_in_bytes"
cat >"$scratch/grouped" <<'END'
mount --bind "$1" /sys/fs/cgroup && shift && exec "$@"
END
within="$unshare sh $scratch/grouped $scratch/group"
leaves() {
    echo $((104857600 - $1)) | tee "$scratch/group/memory.current" >"$scratch/group/memory/memory.usage_in_bytes"
}
leaves 10485760
if $within true 2>"$scratch/err"; then
    confined "$by_segments"
    leaves 1048576
    unshared 'rank 0 is in a control group that may take little more memory; allow the job more'
    $within "$PLEACH" doctor >"$out" 2>&1
    says "$out" 'note     the control group of this process may take 1M more memory; ranks share memory only if they need'
else
    echo "not tested: control groups: $(head -n 1 "$scratch/err")"
fi
within=

# in_shm OPTIONS COMMAND..: runs the command with a /dev/shm of its own, which is mounted with OPTIONS.
cat >"$scratch/in_shm" <<END
#!/bin/sh
exec $unshare sh -c 'mount -t tmpfs -o "\$0" none /dev/shm && exec "\$@"' "\$@"
END
chmod +x "$scratch/in_shm"

# limited OPTIONS EXPECTED ACTION..: like shares, in such a /dev/shm.
limited() {
    limited_by=$1 limited_expected=$2
    shift 2
    prints "$limited_expected" "$scratch/in_shm" "$limited_by" "$MPIEXEC" -n 3 env UCX_TLS=sysv,self LD_PRELOAD="$YIELD" \
        PLEACH_SHARED=8M "$sharing" "$@"
}
if "$scratch/in_shm" size=512k "$MPIEXEC" -n 3 env UCX_TLS=sysv,self LD_PRELOAD="$YIELD" "$programs/five" 30 \
    >"$out" 2>&1; then
    limited size=1m 'world: named; turned 1: none' no make 0 0 no make 0 2 world turned 1
    limited size=1m 'world: memfd; turned 1: memfd' world turned 1
    limited size=512k 'world: none' no make 0 0 world
    limited ro 'world: none' no make 0 0 world
else
    echo "not tested: little memory in /dev/shm: the MPI library itself needs it; natively: $(grep -m 1 '[a-z]' "$out")"
fi

# apart EXPECTED COMMAND..: runs the command on three ranks, of which one is in a PID namespace of its own: no rank reaches
# another's descriptors. The ranks leave one after the other, so the launcher may find that some have failed.
apart() {
    apart_expected=$1
    shift
    timeout 120 "$MPIEXEC" -n 2 env UCX_TLS=tcp,self "$@" : -n 1 $unshare env UCX_TLS=tcp,self "$@" >"$out" 2>&1
    equal "PID namespaces, $*" "$(grep -E '^(world|sharing|nofinalize)' "$out")" "$apart_expected"
}
apart 'world: named' LD_PRELOAD="$YIELD" "$sharing" world leave
apart 'world: none' LD_PRELOAD="$YIELD" "$sharing" no make 1 0 world leave
rm -f "$scratch"/log.*
apart 'nofinalize ok' LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_ENGINE=node-copy PLEACH_LOG="$scratch/log.%r" \
    PLEACH_LOG_RANKS=all "$programs/nofinalize"
# pleach doctor finds what keeps these ranks from sharing memory if there is no /dev/shm either, although each rank shares
# memory with its own processes.
# shellcheck disable=SC2016 # another shell's variables
timeout 120 $unshare sh -c 'mount -t tmpfs -o ro none /dev/shm && exec "$@"' sh "$MPIEXEC" \
    -n 1 env UCX_TLS=tcp,self "$PLEACH" doctor : -n 1 $unshare env UCX_TLS=tcp,self "$PLEACH" doctor >"$out" 2>&1
says "$out" 'ok       ranks of a node can share memory'
says "$out" 'the ranks of this job exchange messages, as they cannot share memory: rank 0 cannot make the file in /dev/shm'
# The launcher may kill a rank before it has written its records, as another one has left without MPI_Finalize.
grep -l '^[0-9]' "$scratch"/log.* >"$scratch/written" || fail 'no rank has written records'
while read -r log; do
    records "$log" 'node-copy forced'
done <"$scratch/written"
exit "$status"
