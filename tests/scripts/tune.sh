#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pleach tune writes rules that the library follows, or nothing. No time is judged, as the machine may be busy.
. "$srcdir/tests/scripts/mpi.sh"
rules=$scratch/rules
table=$scratch/table

mpi=MPICH
with openmpi && mpi='Open MPI'
# alone: removes lines of Open MPI's launcher from $out.
alone() {
    sed -i -e '/^-----*$/,/^-----*$/d' -e '/Forwarding signal/d' "$out"
}

# tune RANKS [ARG..]: runs pleach tune. What it says goes to $out, its table to $table, its exit status to $tuned. --force is
# for machines of one core.
tune() {
    tune_ranks=$1
    shift
    tuned=0
    in_time "$MPIEXEC" -n "$tune_ranks" env LD_PRELOAD="$YIELD" "$PLEACH" tune --force "$@" >"$table" 2>"$out" || tuned=$?
    sed -i '/^pleach tune: [0-9]* % done/d' "$out" # on a slow machine alone
    alone
}

# refused STATUS TEXT: fails unless the last run ended with this exit status and one line, with TEXT.
refused() {
    [ "$tuned" -eq "$1" ] || fail "exit status $tuned instead of $1"
    lines "$out" '^pleach tune: ' 1
    lines "$out" . 1
    says "$out" "$2"
}

tune 2 -o "$rules" -m 4K:64K -e chain,two-tree --time-limit 2
[ "$tuned" -eq 0 ] || fail "exit status $tuned"
silent_about "$out" 'wrong result'
lines "$out" 'does not measure them: chain for allreduce exact; chain for allreduce rounding; chain for allreduce user$' 1
grep -v -e 'the time limit of' -e ' rules*, ' -e 'no rule; ' -e 'chain for allreduce' "$out" &&
    fail "output where there should be none"
# The summary has the number of rules, and the number of rules that name an engine.
said="$(grep -c '^collective=' "$rules") rules*, $(grep -c 'engine=[ct]' "$rules") beats* native"
grep -q 'no rule; ' "$out" || lines "$out" "^pleach tune: ${said}[;,].* with PLEACH_RULES=$rules\$" 1
[ "$(head -n 1 "$rules")" = 'pleach-rules 1' ] || fail 'no header'
for text in '# Written by pleach tune, 20' ' 2 ranks' "# $mpi" "# Command: pleach tune --force -o $rules -m 4K:64K"; do
    says "$rules" "$text"
done
# The file has a rule for each size of thirteen kinds of calls, or a comment that says why there is none.
undone=$(sed -n 's/.* left \([0-9]*\) of 39 measurements undone.*/\1/p' "$out")
lines "$rules" '^\(# ~ .*: \(too noisy for a rule\|nothing to compare\)$\|collective=\)' $((39 - ${undone:-0}))

# Rules name native or an engine of -e. The last rule of each kind of calls goes up to any size.
us='[0-9]+\.[0-9]' size='[0-9]+K?'
evidence="origin=tuned at=$size( native-us=$us)? us=$us calls=[0-9]+ date=[-0-9]+ table=[0-9a-f]+"
call='collective=[a-z]+( op=[a-z]+)?' job='ranks=2 ranks-per-node=[12]'
wrong=$(sed '1d; /^#/d' "$rules" |
    grep -vE "^$call bytes=$size-($size|inf) $job -> engine=(native|(chain|two-tree) block=$size) $evidence\$")
[ -z "$wrong" ] || fail "these are no rules: $wrong"
[ "$(ls "$scratch")" = "$(printf 'out\nrules\ntable')" ] || fail "left behind: $(ls "$scratch")"

# The library takes the file, and follows its rules for the calls of the program five, which are longer than the messages of
# tune. Rules for such calls are missing where a measurement was too noisy, or undone when the time was over.
tune 2 -o "$rules" -c scan,bcast,allreduce -m 64K:256K -e chain,butterfly --op exact,rounding,user --time-limit 4 \
    --format tsv
[ "$tuned" -eq 0 ] || fail "exit status $tuned"
# The table has each rule's engine, and each call without a rule.
equal 'the table' "$(sed -n 's/^collective=\([a-z]*\) .*engine=\([^ ]*\) .*/\1 \2/p; s/^# ~ \([a-z]*\).*/\1 /p' "$rules")" \
    "$(awk -F '\t' 'NR > 1 { print $1 " " ($4 == "-" ? "" : $4) }' "$table")"
preloaded 2 PLEACH_RULES="$rules" PLEACH_ENGINE=auto PLEACH_LOG=stderr "$programs/five" >"$out" 2>&1 ||
    fail "with the rules: exit status $?"
says "$out" 'five ok'
lines "$out" '^pleach: ' 0
ruled=$(sed -n 's/^collective=\([a-z]*\) \(op=exact \)\{0,1\}bytes=[^ ]*-inf .*/\1/p' "$rules" | sort -u | xargs)
equal 'collectives that follow rules' "$(awk -F '\t' '$14 == "rule" { print $6 }' "$out" | sort -u | xargs)" "$ruled"
[ -n "$ruled" ] || echo 'not tested: whether the library follows rules that tune writes: the machine was too noisy'

# Algorithms of the MPI library are tuned like engines, where Pleach can switch to them.
if [ "$mpi" = MPICH ] && checks_algorithms; then
    tune 2 -o "$rules" -c bcast -m 16K:64K -e native:binomial --time-limit 1
    [ "$tuned" -eq 0 ] || fail "algorithms: exit status $tuned"
    silent_about "$out" 'does not measure'
    if grep -q 'stays as it was' "$out"; then
        echo 'not tested: rules for algorithms: the machine was too noisy'
    else
        undone=$(sed -n 's/.* left \([0-9]*\) of 2 measurements undone.*/\1/p' "$out")
        says "$rules" '-e native:binomial'
        lines "$rules" '^\(# ~ \|collective=\)' $((2 - ${undone:-0}))
        wrong=$(sed '1d; /^#/d' "$rules" |
            grep -vE "^collective=bcast bytes=[^ ]* $job -> engine=native(:binomial)? $evidence\$")
        [ -z "$wrong" ] || fail "these are no rules for algorithms: $wrong"
    fi
fi

# tune measures the calls of a program's report, and says what the rules should save.
preloaded 2 PLEACH_REPORT="$scratch/five.json" "$programs/five" >"$out" 2>&1 || fail "five: exit status $?"
tune 2 -o "$rules" --for "$scratch/five.json" --op rounding --time-limit 5
[ "$tuned" -eq 0 ] || fail "for a report: exit status $tuned"
lines "$rules" '^\(# ~ .* 800016:\|collective=.* at=800016 \)' 5
lines "$out" "in the calls of $scratch/five.json, which took .*s a rank, these rules are expected to save .*s\$" 1
tune 2 -o "$rules" --for "$scratch/five.json" -c scan --op user --time-limit 2
lines "$rules" '^\(# ~ scan user \|collective=scan op=user \)' 1
tune 2 -o "$rules" --for "$rules"
refused 1 'cannot be read: it is no JSON'
tune 2 -o "$rules" --for "$scratch/nowhere"
refused 1 'cannot be read'
rm "$scratch/five.json"

# If the file cannot be written, nothing is measured, and no file is left.
echo precious >"$scratch/folder.txt"
mkdir "$scratch/folder"
tune 2 -o "$scratch/nowhere/rules"
refused 1 'cannot be written: No such file'
tune 2 -o "$scratch/folder"
refused 1 'cannot be written: Is a directory'
mkfifo "$scratch/pipe"
tune 2 -o "$scratch/pipe"
refused 1 'cannot be written: it is no regular file'
[ -p "$scratch/pipe" ] || fail 'the pipe was replaced'

tune 2 -o ''
refused 2 'the name is empty'
tune 2 -o "$(printf 'ru\nles')"
refused 2 'the name has several lines'

# A symbolic link stays a link, and the file keeps its mode. Settings do not change what tune measures.
echo old >"$scratch/folder/real"
chmod 640 "$scratch/folder/real"
ln -s folder/real "$scratch/link"
PLEACH_ENGINE=two-tree PLEACH_BLOCK=inf PLEACH_THRESHOLD=inf
export PLEACH_ENGINE PLEACH_BLOCK PLEACH_THRESHOLD
tune 2 -o "$scratch/link" -c bcast -m 16K:16K -e chain --time-limit 1
unset PLEACH_ENGINE PLEACH_BLOCK PLEACH_THRESHOLD
[ "$tuned" -eq 0 ] || fail "through a link: exit status $tuned"
silent_about "$out" 'does not measure'
[ -h "$scratch/link" ] || fail 'the link was replaced'
[ "$(stat -c '%A' "$scratch/folder"/*)" = '-rw-r-----' ] || fail "$(stat "$scratch/folder"/*)"
grep -q 'stays as it was' "$out" || lines "$scratch/folder/real" '^\(# ~ bcast 16K\|collective=bcast .* at=16K\)' 1
rm "$scratch/link"

# Nor do rules for calls below the threshold.
printf 'pleach-rules 1\ncollective=allreduce bytes=16K-inf -> engine=butterfly\n' >"$scratch/folder/short"
PLEACH_RULES=$scratch/folder/short
export PLEACH_RULES
tune 2 -o "$rules" -c allreduce -m 16K:16K --op exact -e butterfly --time-limit 1
unset PLEACH_RULES
[ "$tuned" -eq 0 ] || fail "rules for short calls: exit status $tuned"
silent_about "$out" 'does not measure'

# If times are noise, of native calls and of the engine, there is no rule, and an old file stays. The noise begins with the
# calls that tune measures: without figures of this node, there would be nothing to compare.
if compiled noisy.so -shared -fPIC -D_GNU_SOURCE <<'END'; then
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>
static int measuring;
int PMPI_Bcast(void *data, int count, long type, int root, long comm)
{
    int (*native)(void *, int, long, int, long) = (int (*)(void *, int, long, int, long))dlsym(RTLD_NEXT, "PMPI_Bcast");
    measuring = measuring || count > 1024;
    return native(data, count, type, root, comm);
}
int clock_gettime(clockid_t id, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    static unsigned random;
    static long late_ns;
    const int error = real(id, t);
    if (id != CLOCK_MONOTONIC || !measuring)
        return error;
    random = 1664525 * (random ? random : (unsigned)getpid()) + 1013904223;
    late_ns += 1000L << (random >> 28);
    t->tv_sec += (t->tv_nsec + late_ns) / 1000000000;
    t->tv_nsec = (t->tv_nsec + late_ns) % 1000000000;
    return error;
}
END
    echo old >"$scratch/folder/noise"
    YIELD=$YIELD:$scratch/noisy.so tune 2 -o "$scratch/folder/noise" -c bcast -m 16K:16K -e chain --time-limit 2
    [ "$tuned" -eq 0 ] || fail "noise: exit status $tuned"
    lines "$out" "^pleach tune: no rule; 1 size without a rule; $scratch/folder/noise stays as it was\$" 1
    equal 'the file after noise' "$(cat "$scratch/folder/noise")" old
    YIELD=$YIELD:$scratch/noisy.so tune 2 -o "$scratch/folder/new" -c bcast -m 16K:16K -e chain --time-limit 2
    [ "$tuned" -eq 0 ] || fail "noise, a new file: exit status $tuned"
    lines "$out" "^pleach tune: no rule; 1 size without a rule; $scratch/folder/new has comments alone\$" 1
    lines "$scratch/folder/new" '^# ~ bcast 16K: too noisy for a rule$' 1
fi

# tune names the engines of -e that the library may not choose. If there is no other engine for a kind of calls, tune writes
# no rule. The test takes three ranks, as sums of two numbers have the same bits in any order.
rm -f "$rules"
tune 3 -o "$rules" -c reduce,scan -m 4K:4K --op exact,rounding -e circulant,doubly-pipelined
[ "$tuned" -eq 0 ] || fail "engines left out: exit status $tuned"
lines "$out" . 2
left='doubly-pipelined for reduce exact; doubly-pipelined, circulant for reduce rounding; circulant for scan'
says "$out" "does not measure them: $left"
lines "$rules" '^\(# ~ .* 4K\|collective=.* at=4K\)' 3
lines "$rules" '^collective=reduce op=rounding ' 0
tune 3 -o "$rules" -c reduce --op rounding -e circulant,smp
refused 2 'none of the engines may serve any of these calls'
tune 2 -o "$rules" -c reduce -m 4K:4K --op rounding -e circulant,smp
says "$out" 'does not measure them: smp for reduce rounding'

# stopped SIGNAL FILE ARG..: runs tune and ends it with the signal when FILE exists; $REACHED exists after the first
# measurement. A launcher may lose the exit status of the ranks it interrupts: MPICH's returns 0, Open MPI's 1.
stopped() {
    stopped_by=$1
    stopped_after=$2
    shift 2
    tuned=0
    signalled "$stopped_by" "$stopped_after" "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$PLEACH" tune --force "$@" \
        >"$out" 2>&1 ||
        tuned=$?
}

lost=0
with openmpi && lost=1
# When interrupted, tune writes the rules of what it has measured.
rm -f "$rules"
REACHED=$scratch/reached
export REACHED
YIELD=$YIELD:$fakes/reached.so stopped INT "$REACHED" -o "$rules" -c scan -m 16:64M --time-limit 3000
[ "$tuned" -eq 130 ] || [ "$tuned" -eq "$lost" ] || fail "interrupted: exit status $tuned"
lines "$out" 'interrupted: [0-9]* of 36 measurements are undone' 1
lines "$out" 'use [a-z]* with PLEACH_RULES=\|no rule; ' 1
grep -q '^\(# ~ scan\|collective=scan\)' "$rules" || fail "interrupted: $(cat "$rules")"
silent_about "$rules" ' 64M: \| at=64M '
stopped TERM / -o "$rules" -c scan -m 64M:64M --time-limit 3000
[ "$tuned" -eq 143 ] || [ "$tuned" -eq "$lost" ] || fail "terminated: exit status $tuned"
with openmpi || lines "$out" 'interrupted before anything was measured; no rules are written' 1
grep -q '^\(# ~ scan\|collective=scan\)' "$rules" || fail 'a run that measured nothing has changed the file'

# A run that fails leaves the file as it was.
PLEACH_DISABLE=yes
export PLEACH_DISABLE
cp "$scratch/folder.txt" "$rules"
tune 2 -o "$rules"
unset PLEACH_DISABLE
refused 1 'PLEACH_DISABLE=yes is set, so no engine may serve: unset it'
[ "$(cat "$rules")" = precious ] || fail 'a failed run has changed the file'
tune 1 -o "$rules"
refused 2 'only one rank'

# With more ranks than cores, times would mean nothing, so tune refuses.
if command -v taskset >/dev/null; then
    tuned=0
    timeout 300 taskset -c "$core" "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$PLEACH" tune -o "$rules" >"$out" 2>&1 ||
        tuned=$?
    alone
    refused 1 'more ranks than usable cores'
else
    echo 'not tested: tune with more ranks than cores: no taskset'
fi
[ "$(cat "$rules")" = precious ] || fail 'a refused run has changed the file'
exit "$status"
