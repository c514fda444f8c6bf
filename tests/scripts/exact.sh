#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With PLEACH_SUMS=exact, sums of floating-point numbers are the exact sums, rounded once: in all collectives, by each engine
# and by native calls, whatever the order of the ranks.
. "$srcdir/tests/scripts/mpi.sh"

# By default, on 1 to 7 ranks, with calls that take several calls on integers.
for ranks in 1 2 3 $(whole_or '4 5 6 7' 7); do
    runs "$ranks" PLEACH_SUMS=exact "$programs/exact" check "$(whole_or 1000000 70000)"
done
runs 2 PLEACH_SUMS=exact PLEACH_SHARED=64M "$programs/exact" check 1000000
if with mpich; then
    for engine in auto lanes; do
        # shellcheck disable=SC2086 # words
        runs 4 $two_nodes PLEACH_SUMS=exact PLEACH_SHARED=64M PLEACH_THRESHOLD=0 PLEACH_ENGINE=$engine \
            PLEACH_LOG="$scratch/nodes.$engine" "$programs/exact" check 5000
    done
    engines_served "$scratch/nodes.lanes" lanes
fi
runs 3 PLEACH_SUMS=exact PLEACH_ENGINE=native "$programs/exact" check 5000
runs 2 PLEACH_SUMS=exact "$programs/exact" check 5000 threads

# Like sums take two digits and a word that tells whether these suffice.
runs 2 PLEACH_SUMS=exact PLEACH_LOG="$scratch/steady" "$programs/exact" steady
guessed=$(awk -F '\t' '!/^#/ && $7 == 24 { n++ } END { print n + 0 }' "$scratch/steady")
[ "$guessed" -gt 200 ] && [ "$guessed" -lt 400 ] || fail "$guessed of 400 sums guessed digits"

# Between two groups of ranks, too; but not if there was no call before in which all ranks have compared their settings.
runs 5 PLEACH_SUMS=exact "$programs/exact" between
silent_about "$out" 'are plain'
runs 3 PLEACH_SUMS=exact "$programs/inter"
says "$out" ': the ranks have not compared their settings'

# Ranks with different settings make plain sums.
in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_SUMS=exact "$programs/exact" order 1 : \
    -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$programs/exact" order 1 >"$out" 2>&1 ||
    fail "different settings: $(cat "$out")"
says "$out" 'PLEACH_SUMS differs between ranks: rank 0 has exact, rank 1 has plain'
says "$out" 'the ranks have not compared their settings'

# Plain sums are others, which shows that the numbers are sensitive.
fails 3 "$programs/exact" check 100
says "$out" ', not '
fails 3 PLEACH_ALLREDUCE_SUMS=exact "$programs/exact" check 100
silent_about "$out" ': allreduce,'

# hash_of FILE: prints the hash of a run.
hash_of() {
    sed -n 's/^hash: //p' "$1"
}

# Each engine gives the exact sums.
engines_but native lanes multiport | awk '$2 != "bcast" && !seen[$1]++ { print $1, (/places|sites/ ? "places" : "none") }' |
    awk -v each="$(whole_or 1 3)" 'NR % each == 0' >"$scratch/engines"
[ -s "$scratch/engines" ] || fail 'no engines'
printf 'sites\nrank 0 a\nrank 1-2 b\n' >"$scratch/places"
while read -r engine places; do
    [ "$places" = places ] && where=$scratch/places || where=auto
    case $engine in node-*) shared=64M ;; *) shared=no ;; esac
    rm -f "$scratch/log"
    runs 3 PLEACH_SUMS=exact PLEACH_ENGINE="$engine" PLEACH_PLACES="$where" PLEACH_SHARED=$shared PLEACH_THRESHOLD=0 \
        PLEACH_LOG="$scratch/log" "$programs/exact" check 1000 </dev/null
    reasons "$scratch/log" | grep -q "^$engine " || echo "not tested: $engine has served nothing"
done <"$scratch/engines"

# The order of the ranks does not count, nor does the engine. It does for plain sums.
for order in 1 2 3; do
    for settings in ENGINE=auto ENGINE=native ALLREDUCE_ENGINE=two-tree; do
        runs 3 PLEACH_SUMS=exact PLEACH_THRESHOLD=0 PLEACH_$settings "$programs/exact" order $order
        hash_of "$out" >>"$scratch/exact"
    done
    runs 3 "$programs/exact" order $order
    hash_of "$out" >>"$scratch/plain"
done
equal 'hashes of exact sums' "$(sort -u "$scratch/exact" | wc -l)" 1
[ "$(sort -u "$scratch/plain" | wc -l)" -gt 1 ] || fail "plain sums do not depend on the order: $(cat "$scratch/plain")"

# PLEACH_VERIFY compares exact sums with native ones, and finds a native sum that is wrong. The program gets the exact sums.
runs 3 PLEACH_SUMS=exact PLEACH_VERIFY=yes PLEACH_THRESHOLD=0 "$programs/exact" check 2000
lines "$out" '^pleach: verify: rank 0: none of [1-9][0-9]* verified calls differed$' 1
cat >"$scratch/wrong.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
int PMPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    const int error = real(in, out, n, type, op, comm);
    if (type == MPI_FLOAT)
        *(float *)out *= 1.001f;
    return error;
}
END
# shellcheck disable=SC2086 # words
if with mpich && $MPI_COMPILER -shared -fPIC -o "$scratch/wrong.so" "$scratch/wrong.c" -ldl 2>"$scratch/err"; then
    behind=$scratch/wrong.so runs 3 PLEACH_SUMS=exact PLEACH_VERIFY=yes "$programs/exact" order 1
    says "$out" 'MPI_Allreduce on 3 ranks: number 0 is '
    says "$out" ' verified calls differed'
    equal 'hash of verified sums' "$(hash_of "$out")" "$(sort -u "$scratch/exact")"
fi

# The report counts exact sums, and plain ones with the reason. A line says why sums are plain.
runs 2 PLEACH_SUMS=exact PLEACH_REPORT="$scratch/report.tsv" "$programs/exact" order 1
says "$scratch/report.tsv" 'exact sums, beside their calls'
silent_about "$out" 'are plain'
runs 2 PLEACH_SUMS=exact PLEACH_DRY_RUN=yes PLEACH_REPORT="$scratch/dry.tsv" "$programs/exact" order 1
lines "$out" 'sums on 2 ranks are plain, .*: PLEACH_DRY_RUN is set' 1
says "$scratch/dry.tsv" 'plain sums: dry run'
runs 2 PLEACH_SUMS=exact PLEACH_DISABLE=yes "$programs/exact" order 1
lines "$out" 'are plain, .*: PLEACH_DISABLE is set' 1

exit "$status"
