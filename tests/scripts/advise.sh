#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# After a dry run, pleach advise advises once on the whole job, for programs in C and Fortran. It must distinguish programs
# that gain from programs that do not, and name collectives that Pleach does not serve. The times of engines come from
# settings, or a made-up clock, so that no measurement decides what the advice says.
. "$srcdir/tests/scripts/mpi.sh"

preload=$YIELD
# advises RANKS SETTINGS [OPTION..] PROGRAM [ARG..]: fails unless the program succeeds. Its output and the advice go to $out.
advises() {
    advises_ranks=$1
    advises_settings=$2
    shift 2
    # shellcheck disable=SC2086 # words
    in_time "$MPIEXEC" -n "$advises_ranks" env LD_PRELOAD="$preload" $advises_settings "$PLEACH" advise \
        "$@" >"$out" 2>&1 || fail "exit status $? on advise $*: $(cat "$out")"
}

# This program may gain: bandwidth is the only cost of the network, so a chain of 4 ranks halves the time of scans.
# Engines that a setting names are not tried, so pleach advise cannot tell for sure.
gains='PLEACH_ENGINE=chain PLEACH_ALPHA=0 PLEACH_BETA=1ns PLEACH_GAMMA=0'
advises 4 "$gains" "$programs/five" 100003 10
says "$out" 'five ok'
how='put `pleach run` where `pleach advise` stands\.'
lines "$out" "^Cannot tell what Pleach would do: .* by the model it would save .*, or nothing; to see, $how\$" 1
silent_about "$out" mpiexec
lines "$out" '^ *40 .*%  scan$' 1
lines "$out" '^ *40 .*%  exscan  *scans+0x[0-9a-f]* < main+' 1
lines "$out" '^ *40 .*%  *-  *-  *-  allreduce  *everywhere+0x[0-9a-f]* < main+' 1
lines "$out" '^Calls and bytes of 4 ranks on 1 node; ' 1
says "$out" 'from parameters that were set (PLEACH_ALPHA).'
silent_about "$out" 'NOT SERVED'
silent_about "$out" 'Pleach report'

# Two programs do not gain: one makes small calls, and a setting keeps Pleach from most calls of the other.
advises 3 '' "$programs/five" 10 5
says "$out" 'five ok'
lines "$out" '^Pleach would not help: ' 1
advises 3 PLEACH_DISABLE=yes "$programs/five" 100003 10
lines "$out" '^Cannot tell what Pleach would do: most calls were kept from it by PLEACH_DISABLE (disabled);' 1

# These programs call collectives that Pleach does not serve, with large counts and in Fortran, too.
advises 3 '' "$programs/unserved"
says "$out" 'unserved ok'
says "$out" 'Pleach would not help: the program made none of the calls that it serves.'
lines "$out" ' MPI_[A-Z][a-z_]*$' 8
says "$out" '... and 6 more'
advises 3 "$gains" "$programs/unserved" more
says "$out" 'Calls and bytes of 3 ranks on 1 node'
if [ ! -x "$programs/alltoall" ]; then
    echo 'not tested: alltoall was not built'
elif ! in_time "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD" "$programs/alltoall" >"$out" 2>&1; then
    echo "not tested: alltoall; natively: $(head -n 1 "$out")"
else
    advises 3 "$gains" "$programs/alltoall"
    says "$out" 'alltoall ok'
    lines "$out" '^ *3 .*%  scan  *MAIN__+' 1
    lines "$out" '^ *6  *6\.867M .*%  MPI_Alltoall$' 1
fi

# libpleach-others.so counts these collectives: the calls of all ranks, and the bytes that the ranks send. Erroneous calls do
# not count.
LD_PRELOAD="$YIELD:$LIBPLEACH:$OTHERS" timeout "$SECONDS_ALLOWED" "$MPIEXEC" -n 3 env PLEACH_REPORT="$scratch/others.tsv" \
    "$programs/unserved" more >"$out" 2>&1 || fail "unserved: exit status $?"
says "$out" 'unserved ok'
[ -x "$programs/large" ] && alltoall='MPI_Alltoall 9 324' || alltoall='MPI_Alltoall 6 216' # three calls have large counts
[ "$(awk -F '\t' '$1 == "other" { print $2, $9, $10 }' "$scratch/others.tsv" | sort)" = "MPI_Allgather 3 36
MPI_Allgatherv 3 36
$alltoall
MPI_Alltoallv 3 108
MPI_Alltoallw 3 108
MPI_Barrier 3 0
MPI_Gather 3 36
MPI_Gatherv 3 36
MPI_Iallreduce 3 36
MPI_Ialltoallw 3 108
MPI_Reduce_scatter 3 108
MPI_Reduce_scatter_block 3 108
MPI_Scatter 3 36
MPI_Scatterv 3 36" ] || fail "others: $(grep other "$scratch/others.tsv")"

# In a process without MPI, functions of libpleach-others.so return an error.
if printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <stdio.h>' \
    'int main(void) { printf("%d\n", ((int (*)(void *))dlsym(RTLD_DEFAULT, "MPI_Barrier"))(NULL)); }' |
    compiled without_mpi -ldl; then
    equal 'an error without MPI' "$(LD_PRELOAD="$LIBPLEACH:$OTHERS" "$scratch/without_mpi")" 16
fi

# With -o the advice goes to a file, and overwrites none. The log says that the run was a dry run.
for round in 1 2; do
    advises 3 "$gains PLEACH_LOG=$scratch/log" -o "$scratch/100%" "$programs/five"
    equal "round $round" "$(cat "$out")" 'five ok'
done
for file in '100%' '100%.1'; do
    lines "$scratch/$file" '^Cannot tell what Pleach would do: ' 1
done
lines "$scratch/log" '^# dry run: every call ran natively; engine is what would have served$' 1
records "$scratch/log" 'chain forced
native not-applicable'
equal 'pleach log' "$("$PLEACH" log "$scratch/log" | head -n 1)" \
    'calls of dry runs ran natively; WOULD is what would have served them'

# --format names the form of what is written, whatever the name of the file.
advises 3 "$gains" --format json -o "$scratch/advice.html" "$programs/five"
lines "$scratch/advice.html" '^{"pleach_report": 1' 1
advises 3 "$gains" --format text -o "$scratch/advice.json" "$programs/five"
lines "$scratch/advice.json" '^Cannot tell what Pleach would do: ' 1
advises 3 "$gains" --format csv "$programs/five"
lines "$out" '^by,collective,' 1

# The report of a dry run says that no engine has served. The time to prepare calls is not part of their times.
runs 2 PLEACH_DRY_RUN=yes PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/report" "$programs/five"
lines "$scratch/report" '^Pleach report of a dry run: ' 1
lines "$scratch/report" '^  beside ' 1
lines "$scratch/report" '  scan  *native  *chain  *forced$' 1

# Only pleach advise asks for page faults, twice a call. Here each question finds a million more, and the first call of each
# kind from each site does not count. If the heap keeps its memory, nothing is said.
if compiled faults.so -shared -fPIC -D_GNU_SOURCE <<'END'; then
#include <stdio.h>
#include <sys/resource.h>
static long asked;
int getrusage(__rusage_who_t who, struct rusage *r)
{
    r->ru_minflt = 1000000 * ++asked;
    return 0;
}
__attribute__((destructor)) static void tell(void)
{
    if (asked)
        fprintf(stderr, "asked %ld times\n", asked);
}
END
    faulty() {
        LD_PRELOAD="$YIELD:$scratch/faults.so" timeout "$SECONDS_ALLOWED" "$MPIEXEC" -n 2 env PLEACH_LEARN=off \
            PLEACH_REPORT="$scratch/faulty.%r" "$@" "$programs/learn" repeat scan 1024 10 >"$out" 2>&1 ||
            fail "faulty $*: exit status $?: $(cat "$out")"
        says "$out" 'learn ok'
    }
    faulty "$PLEACH" run
    silent_about "$out" 'asked'
    faulty "$PLEACH" advise
    lines "$out" '^asked [0-9]*[02468] times$' 2
    lines "$out" '^Native calls took 9000000 page faults a rank, about .* s, which is .* % of the run\.' 1
    lines "$out" '^    MALLOC_TRIM_THRESHOLD_=' 1
    faulty MALLOC_TRIM_THRESHOLD_=1000000000 "$PLEACH" advise
    silent_about "$out" 'page faults'
fi

# With trials the program's results are right, and the advice is there, whatever the trials measure.
advises 2 '' --measure "$programs/five" 100003 20
says "$out" 'five ok'
lines "$out" '^Pleach would \|^Cannot tell ' 1

# The advice promises the right saving. Here, by a made-up clock, native all-reduces take as long as the model says, twice as
# long, or a quarter as long. Trials find out which. The model alone may be wrong by a factor of 2, so without trials the
# advice has a bound and no percentage.
# promised FACTOR SETTINGS: prints the advice's first line.
promised() {
    advises 2 "LIAR_CORES=64 LIAR_CLOCK=yes LIAR_ALLREDUCE=$1 $2" "$programs/learn" repeat allreduce 131072 40
    says "$out" 'learn ok'
    grep '^Pleach would \|^Cannot tell ' "$out"
}
preload=$YIELD:$liar
cannot="Cannot tell what Pleach would do: too few calls were tried, and by the model it would save"
put='put `pleach run` where `pleach advise` stands.'
equal 'honest' "$(promised 1 '')" "Pleach would save about 17 ms of 25 ms (66 %, measured): $put"
says "$out" 'PLEACH is the time of trials beside such calls.'
equal 'slow' "$(promised 2 '')" "Pleach would save about 42 ms of 51 ms (83 %, measured): $put"
equal 'fast' "$(promised 0.25 '')" \
    'Pleach would not help: all ranks are on one node, where the native calls are fast.'
for factor in 1 2 0.5; do
    case $(promised $factor PLEACH_LEARN=off) in
    "$cannot "*" ms of "*" ms, or nothing; to see, $put") ;;
    *) fail "without trials, $factor: $(cat "$out")" ;;
    esac
    lines "$out" '^The model may err by a factor of 2' 1
done

# The advice promises what trials in all parts of the run agree on. Here native broadcasts are slow during the first trials
# alone.
# over SETTING: prints the advice's first line.
over() {
    advises 2 "LIAR_CORES=64 LIAR_CLOCK=yes LIAR_BCAST=4 $1" "$programs/learn" repeat bcast 131072 200
    says "$out" 'learn ok'
    grep '^Pleach would \|^Cannot tell ' "$out"
}
case $(over '') in
"Pleach would save about "*", measured): $put") ;;
*) fail "slow broadcasts: $(cat "$out")" ;;
esac
equal 'slow at first' "$(over LIAR_UNTIL=50)" "Cannot tell what Pleach would do: engines were measured, and the times vary \
by more than engines would save, as on a busy machine."

# With more ranks than cores, the advice says that times mean nothing. It says so of large calls and of small ones, although
# small calls need no measurement.
for size in 10 100003; do
    advises 2 LIAR_CORES=1 "$programs/five" $size 5
    says "$out" 'more ranks than cores on a node, where times mean nothing.'
done
preload=$YIELD

# Trials of a dry run find out which engine would serve. The library liar makes up times: native broadcasts are slow, or as
# fast as the model says; native scans are fast. For sums of doubles on 3 ranks the model decides, and not trials.
LIBPLEACH=$LIBPLEACH:$liar
# tries RANKS [NAME=VALUE..] PROGRAM [ARG..]: makes a dry run with trials; the log of rank 0 goes to $scratch/trials.
tries() {
    rm -f "$scratch/trials"
    tries_ranks=$1
    shift
    runs "$tries_ranks" LIAR_CORES=64 LIAR_CLOCK=yes PLEACH_DRY_RUN=yes PLEACH_DRY_TRIALS=yes PLEACH_LOG="$scratch/trials" \
        "$@"
}
# found: prints engine and reason of the last large call.
found() {
    awk -F '\t' '$1 ~ /^[0-9]+$/ && $7 > 99999 { last = $12 " " $14 } END { print last }' "$scratch/trials"
}
tries 2 LIAR_BCAST=3 "$programs/learn" repeat bcast 131072 40
case $(found) in
'' | native* | *model | *trial) fail "slow broadcasts: $(found)" ;;
esac
tries 2 "$programs/learn" repeat bcast 131072 40
equal 'honest broadcasts' "$(found)" 'native learned'
tries 2 LIAR_SCAN=0.25 "$programs/learn" repeat scan 131072 40
equal 'fast scans' "$(found)" 'native learned'
tries 3 LIAR_SCAN=0.25 "$programs/learn" sums 131072 40 scan
equal 'fast scans of sums' "$(found)" 'chain model'

# Trials beside calls of all kinds change no result.
runs 3 LIAR_CORES=64 PLEACH_THRESHOLD=0 PLEACH_DRY_RUN=yes PLEACH_DRY_TRIALS=yes PLEACH_LOG="$scratch/all" \
    "$differential" --quick
awk -F '\t' '$14 == "learned" { found = 1 } END { exit !found }' "$scratch/all" || fail 'no trials came to an end'

# A program that is not there cannot be run.
"$PLEACH" advise "$scratch/nothing" 2>"$out"
equal 'exit status' $? 127
exit "$status"
