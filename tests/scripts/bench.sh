#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pleach bench lists every engine and checks every result. bench and tune refuse bad arguments before MPI starts. No time is
# judged, as the machine may be busy.
. "$srcdir/tests/scripts/mpi.sh"
err=$scratch/err

# bench RANKS [ARG..]: runs pleach bench. Standard output goes to $out, errors to $err, the exit status to $benched. --force
# is for machines of one core.
bench() {
    bench_ranks=$1
    shift
    benched=0
    in_time "$MPIEXEC" -n "$bench_ranks" env LD_PRELOAD="${PRELOADED:-$YIELD}" "$PLEACH" bench --force --time-limit 900 \
        "$@" >"$out" 2>"$err" ||
        benched=$?
    sed -i '/^pleach bench: [0-9]* % done/d' "$err" # on a slow machine alone
}

succeeded() {
    [ "$benched" -eq 0 ] || fail "exit status $benched"
    [ ! -s "$err" ] || fail "on standard error: $(cat "$err")"
}

# The table has native, auto and every engine that serves a collective on one node, for each size. Its columns must make
# sense.
bench 2 -m 32K:70000 -i 3 -x 1 --format tsv
succeeded
awk -F '\t' '
    NR == 1 {
        columns = NF
        if ($6 != "bytes" || $7 != "engine" || $15 != "checked" || $20 != "regret")
            print "header: " $0
        next
    }
    NF != columns { print "not " columns " columns: " $0 }
    $15 != "yes" { print "wrong result: " $0 }
    !($16 >= 3 && $16 <= 6) { print "repetitions: " $0 } # noisy times are measured again
    !($17 >= 0) || $17 != "0.50" && ($18 == "yes") != ($17 > 0.5) { print "spread and noise: " $0 }
    ($7 == "auto") != ($19 != "-") || ($7 == "auto") != ($20 != "-") { print "best and regret: " $0 }
    { call = $1 " " $2 " " $6; engine = $7 == "auto" ? $8 : $7 }
    $7 == "auto" { best[call] = $19; regret[call] = $20; took[call] = $11 }
    !(call in least) || $11 < least[call] { least[call] = $11 }
    !((call, engine) in median) || $11 < median[call, engine] { median[call, engine] = $11 }
    !($10 > 0 && $10 <= $11 && $11 <= $12) { print "minimum, median, maximum: " $0 }
    $7 == "native" && $14 != 1 { print "native against native: " $0 }
    ($7 == "auto") != ($8 != "-") { print "chosen: " $0 }
    !n[$6]++ { sizes++ }
    END {
        for (call in regret) {
            wanted = took[call] / least[call]
            if (regret[call] < 1 || least[call] > 10 && (regret[call] - wanted) ^ 2 > (0.02 * wanted) ^ 2)
                print call ": regret " regret[call] ", auto " took[call] ", best " least[call]
            if (median[call, best[call]] != least[call])
                print call ": the best is not " best[call]
        }
    }
    END { if (sizes != 3) print sizes " sizes"; for (s in n) if (n[s] != n["32768"]) print s " has " n[s] " rows" }
' "$out" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"

# Engines that need places or several nodes do not run on one node. Those that need shared memory do not run here either, as
# the ranks share none (mpi.sh). MPICH 4.0 lacks some algorithms, and all of Open MPI's.
for collective in bcast reduce scan exscan allreduce; do
    "$PLEACH" choose $collective --bytes 70000 --ranks 2 --mpi mpich --format tsv |
        awk -v collective=$collective '/^native:/ { print $1, collective }'
done >"$scratch/natives"
"$PLEACH" engines --all | awk -v recent="$recent_algorithms" '
    !NF { exit }
    NR > 1 { all[$1 " " $2] }
    / groups| sites| nodes| what lanes need| memory that all/ || $0 ~ recent { far[$1 " " $2] }
    END { for (k in all) if (!(k in far)) print k }' | grep -vE '^native:' >"$scratch/engines"
! checks_algorithms || grep -vE "$recent_algorithms" "$scratch/natives" >>"$scratch/engines"
while read -r engine collective; do
    awk -F '\t' -v e="$engine" -v c="$collective" '$7 == e && $1 == c && $2 != "user" && $6 == 70000 - 70000 % 16 { n++ }
        END { exit n != 1 }' "$out" || fail "$engine is missing from $collective"
done <"$scratch/engines"
for collective in bcast reduce scan exscan allreduce; do
    for op in - exact user; do
        case $collective$op in
        bcast-) wanted=3 ;;
        bcast* | *-) wanted=0 ;;
        *) wanted=3 ;;
        esac
        found=$(awk -F '\t' -v c=$collective -v o=$op '$1 == c && $2 == o && $7 == "auto"' "$out" | wc -l)
        [ "$found" -eq "$wanted" ] || fail "$found lines of auto for $collective $op"
    done
done

# An engine cuts a message into as many blocks if -e names it as if the library chooses it.
PLEACH_ENGINE=two-tree
export PLEACH_ENGINE
bench 3 -c bcast,reduce -m 1M -i 1 -x 1 -e two-tree --format tsv
succeeded
awk -F '\t' '
    { call = $1 " " $2 " " $6 }
    $7 == "auto" { blocks[call] = $9 }
    $7 == "two-tree" && $9 != blocks[call] { print call ": " $9 " blocks, chosen: " blocks[call] }
    $7 == "two-tree" { n++ }
    END { if (n < 2) print n " calls" }' "$out" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
unset PLEACH_ENGINE

# Sizes may be odd, and the root another rank than 0; a table shows the times.
bench 2 -c reduce,bcast -m 16:1000 -i 2 --root 1 -e chain,ring --op user,rounding
succeeded
lines "$out" '^ *BYTES .* MAX  *T/(BETA M)  *NATIVE/ENGINE  *CHECKED  *REPS  *SPREAD  *BEST  *REGRET$' 3
lines "$out" '^auto over the best: \(median [0-9.]*, largest [0-9.]*\|nothing but noise\)$' 3
lines "$out" '^[a-z]*\(, operation: [a-z]*\)\{0,1\}, 2 ranks on [12] hosts*, beta = ' 3
lines "$out" '^ *992 .* ring .* yes  *[2-4]  *[0-9.]*  *-  *-$' 2
silent_about "$out" ' no '

# auto and learned are the choices before and after learning; both must give right results. Their times may differ.
bench 2 -c scan,bcast -m 64K:128K -i 3 -e chain --op exact --learn 12
succeeded
lines "$out" '^ *[0-9]*K  *learned  *[a-z]' 4
lines "$out" '^ *[0-9]*K  *auto  *[a-z]' 4
lines "$out" '^learned over the best: ' 2
silent_about "$out" ' no '

# Under a preloaded library, native stays native, and results are right.
PRELOADED=$YIELD:$LIBPLEACH
PLEACH_ENGINE=chain
export PLEACH_ENGINE
bench 2 -c scan -m 128K:128K -i 2 -e chain --format tsv
unset PRELOADED PLEACH_ENGINE
succeeded
[ "$(awk -F '\t' 'NR > 1 { print $7, $8, $15 }' "$out" | sort -u | tr '\n' ';')" = \
    'auto chain yes;chain - yes;native - yes;' ] || fail "preloaded: $(cat "$out")"

# Settings that would replace engines by native calls have no effect on bench. It times chain, then auto, which chooses
# chain. Each makes 4 calls, and a call takes 16384 exchanges of 64 bytes.
PRELOADED=$YIELD:$fakes/count.so
PLEACH_DRY_RUN=yes PLEACH_VERIFY=yes PLEACH_ENGINE=chain PLEACH_BLOCK=64
export PLEACH_DRY_RUN PLEACH_VERIFY PLEACH_ENGINE PLEACH_BLOCK
bench 2 -c bcast -m 1M:1M -i 3 -e chain --format tsv
unset PRELOADED PLEACH_DRY_RUN PLEACH_VERIFY PLEACH_ENGINE PLEACH_BLOCK
[ "$benched" -eq 0 ] || fail "exit status $benched"
awk '$1 == "exchanges:" && $2 >= 8 * 16384 { n++ } END { exit n != 2 || NR != 2 }' "$err" ||
    fail "bench has not timed the engine: $(cat "$err")"

# Beta is measured between two ranks; a third rank that is late does not change it.
PRELOADED=$YIELD:$fakes/late.so
bench 3 -c bcast -m 64K:64K -i 1 -e chain --format tsv
unset PRELOADED
succeeded
awk -F '\t' 'NR > 1 && !($5 > 1e-12) { print "beta is " $5 }' "$out" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"

# When interrupted, bench prints what it has measured.
REACHED=$scratch/reached
export REACHED
benched=0
signalled TERM "$REACHED" "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$fakes/reached.so" "$PLEACH" bench --force \
    --time-limit 3000 -c scan --op exact -e chain -m 16:1G >"$out" 2>"$err" || benched=$?
[ "$benched" -eq 143 ] || [ "$benched" -eq 0 ] || fail "interrupted: exit status $benched"
lines "$err" 'interrupted: [0-9]* of 27 sizes are undone' 1
lines "$out" '^ *16  *[a-z].* yes ' 3
silent_about "$out" '1073741824'

# If bench finds an error only after MPI has started, rank 0 alone reports it, in one line.
bench 2 -c reduce --root 2
[ "$benched" -eq 2 ] || fail "root 2 of 2 ranks: exit status $benched"
lines "$err" '--root 2: there are only ranks 0 to 1; see .pleach bench --help.$' 1
# The command refuses bad arguments before it starts MPI: this copy of it cannot find pleach-mpi, which would start MPI.
cp "$PLEACH" "$scratch/pleach"
while read -r arguments; do
    # shellcheck disable=SC2086 # several words
    complains 2 '^pleach [a-z]*: ' "$scratch/pleach" $arguments
done <<END
tune
tune -o
tune -o x -m 1
tune -o x -m :1M
tune -o x -m 64K:16K
tune -o x -m 1:16K
tune -o x -m 16K:2G
tune -o x -m 16K:1M:2M
tune -o x --op fast
tune -o x --time-limit 0
tune -o x --iterations 3
tune -o x y
bench -c alltoall
bench -c bcast,
bench -e chain,swift
bench -i 0
bench -i 1x
bench -x -1
bench -q
bench --format svg
bench --root 1 -c scan,exscan,allreduce
bench 16K
END
for command in tune bench; do
    "$scratch/pleach" $command --help >"$out" 2>"$err" || fail "$command --help"
    says "$out" '  -m, --message-size MIN:MAX|SIZE '
done
# On several ranks, one rank alone prints the error or the help.
bench 2 --bogus
lines "$err" "unknown option '--bogus'" 1
bench 2 --help
lines "$out" '^Usage: ' 1
# The line below a table leaves out a size if the best time is noise, though that of the choice is not. Some native calls are
# slow here, and all large messages of the engine.
if compiled noisy.so -shared -fPIC -D_GNU_SOURCE <<'END'; then
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int PMPI_Bcast(void *data, int count, long type, int root, long comm)
{
    int (*native)(void *, int, long, int, long) = (__typeof__(native))dlsym(RTLD_NEXT, "PMPI_Bcast");
    if (rand() % 8 < 3)
        usleep(1000);
    return native(data, count, type, root, comm);
}
int PMPI_Sendrecv(const void *out, int outs, long type, int to, int tag, void *in, int ins, long in_type, int from,
                  int in_tag, long comm, void *status)
{
    int (*native)(const void *, int, long, int, int, void *, int, long, int, int, long, void *) =
        (__typeof__(native))dlsym(RTLD_NEXT, "PMPI_Sendrecv");
    if (outs > 1000 || ins > 1000)
        usleep(6000);
    return native(out, outs, type, to, tag, in, ins, in_type, from, in_tag, comm, status);
}
END
    PRELOADED=$YIELD:$scratch/noisy.so PLEACH_ENGINE=chain PLEACH_BLOCK=inf
    export PLEACH_ENGINE PLEACH_BLOCK
    bench 2 -c bcast -m 1M:1M -e chain -i 12
    unset PRELOADED PLEACH_ENGINE PLEACH_BLOCK
    if grep -q ' native .*~' "$out" && grep -q ' auto [^~]*$' "$out"; then
        lines "$out" '^auto over the best: nothing but noise$' 1
    else
        echo "not tested: a table whose best time alone is noise: $(cat "$out")"
    fi
fi

# pleach figures prints settings that the library takes.
ran=0
timeout 100 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" "$PLEACH" figures >"$scratch/figures" 2>"$out" || ran=$?
if [ "$ran" -eq 0 ]; then
    for name in ALPHA BETA GAMMA HOP GAP; do
        lines "$scratch/figures" "^PLEACH_$name=[0-9.e-]*\$" 1
    done
    env -u PLEACH_ALPHA PLEACH_CONF="$scratch/figures" "$PLEACH" settings --effective >"$out" 2>&1 ||
        fail 'the figures are no settings'
    lines "$out" '^PLEACH_\(ALPHA\|BETA\|GAMMA\|HOP\|GAP\)=auto' 0
    # pleach rules takes the same text.
    "$PLEACH" rules --figures "$scratch/figures" >"$scratch/rules" 2>"$out" || fail "pleach rules: $(cat "$out")"
    lines "$scratch/rules" '^# .* 2 ranks, 2 on a node, by measured parameters' 1
    "$PLEACH" check-rules "$scratch/rules" >"$out" 2>&1 || fail "the rules of pleach rules: $(cat "$out")"
else # there is one core, or the machine is busy
    grep -q 'the measurement was disturbed' "$out" || says "$out" 'more ranks than usable cores'
    [ ! -s "$scratch/figures" ] || fail "figures all the same: $(cat "$scratch/figures")"
fi
# If measuring is disturbed, there are no figures. Here each batch of exchanges takes longer than the one before. All-reduces
# begin and end a batch.
if compiled disturbed.so -shared -fPIC -D_GNU_SOURCE <<'END'; then
#include <dlfcn.h>
#include <unistd.h>
static unsigned delay; /* microseconds */
int PMPI_Allreduce(const void *in, void *out, int count, long type, long op, long comm)
{
    int (*native)(const void *, void *, int, long, long, long) = (__typeof__(native))dlsym(RTLD_NEXT, "PMPI_Allreduce");
    if (delay < 2000)
        delay += delay / 2;
    return native(in, out, count, type, op, comm);
}
int PMPI_Sendrecv(const void *out, int outs, long type, int to, int tag, void *in, int ins, long in_type, int from,
                  int in_tag, long comm, void *status)
{
    int (*native)(const void *, int, long, int, int, void *, int, long, int, int, long, void *) =
        (__typeof__(native))dlsym(RTLD_NEXT, "PMPI_Sendrecv");
    delay = delay ? delay : 50;
    usleep(delay);
    return native(out, outs, type, to, tag, in, ins, in_type, from, in_tag, comm, status);
}
END
    # On a busy machine each batch may take a time slice, so that all batches look alike. So it measures up to five times.
    disturb() {
        for attempt in 1 2 3 4 5; do
            disturbed=0
            timeout 100 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$scratch/disturbed.so:$liar" LIAR_CORES=64 "$PLEACH" figures \
                >"$scratch/attempt.$attempt" 2>"$scratch/attempt.err" || disturbed=$?
            [ $disturbed -eq 0 ] || break
        done
        cat "$scratch/attempt.$attempt"
        cat "$scratch/attempt.err" >&2
        return $disturbed
    }
    complains 1 '^pleach figures: the measurement was disturbed, so there are no parameters: repeat it on an idle machine$' \
        disturb
fi

# Where no engine may serve, one line says why, and what to do.
complains 1 '^pleach bench: PLEACH_DISABLE=yes is set, so no engine may serve: unset it$' \
    timeout 100 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_DISABLE=yes "$PLEACH" bench
echo DISABLE=yes >"$scratch/conf"
complains 1 "^pleach figures: $scratch/conf: PLEACH_DISABLE=yes is set, so no engine may serve: remove the line\$" \
    timeout 100 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_CONF="$scratch/conf" "$PLEACH" figures
complains 1 '^pleach figures: PLEACH_BLOCK=x is not understood: ' \
    timeout 100 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_BLOCK=x "$PLEACH" figures

exit "$status"
