#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Under Open MPI an engine native:NAME makes calls on a communicator that carries the algorithm NAME. All ranks have this
# communicator, or none does; those of algorithms that lose in trials are freed. Which algorithms there are, and whether the
# environment must allow them, the test asks the library itself. algorithms.sh does the same for MPICH.
. "$srcdir/tests/scripts/other_mpi.sh"
open_mpi || skip 'no mpicc.openmpi or mpiexec.openmpi (Debian: libopenmpi-dev, openmpi-bin)'
MPI=openmpi
MPIEXEC=mpiexec.openmpi
export MPI MPIEXEC
export OMPI_MCA_op=^avx # see openmpi.sh
allows=OMPI_MCA_coll_tuned_use_dynamic_rules
scripts=algorithms
builds mpicc.openmpi
programs=$built/tests/programs
differential=$built/tests/differential/differential
liar=$built/tests/fakes/.libs/liar.so

# asks prints a line for each algorithm of each collective, and `heeds' if the variables count whatever the environment says.
cat >"$scratch/asks.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    static const char *const names[] = {"bcast", "reduce", "scan", "exscan", "allreduce"};
    char name[100], text[4000];
    int level, index, length, space, i, count, value, one = 1;
    MPI_Datatype type;
    MPI_T_enum words;
    MPI_T_cvar_handle handle;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    for (i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "coll_tuned_%s_algorithm", names[i]);
        if (MPI_T_cvar_get_index(text, &index) != MPI_SUCCESS)
            continue;
        length = sizeof name;
        space = sizeof text;
        MPI_T_cvar_get_info(index, name, &length, &value, &type, &words, text, &space, &value, &value);
        length = sizeof name;
        MPI_T_enum_get_info(words, &count, name, &length);
        while (count-- > 0) {
            length = sizeof name;
            MPI_T_enum_get_item(words, count, &value, name, &length);
            printf("native:%s %s\n", name, names[i]);
        }
    }
    if (MPI_T_cvar_get_index("coll_tuned_use_dynamic_rules", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS &&
        MPI_T_cvar_write(handle, &one) == MPI_SUCCESS)
        puts("heeds");
    return MPI_Finalize();
}
END
mpicc.openmpi -o "$scratch/asks" "$scratch/asks.c" || fail 'asks'
in_time "$MPIEXEC" -n 1 "$scratch/asks" | tr _ - >"$scratch/asked"
"$PLEACH" engines --all | awk '$1 ~ /^native:/ && $2 ~ /^(bcast|reduce|scan|exscan|allreduce)$/ { print $1, $2 }' |
    grep -xFf "$scratch/asked" | sort >"$scratch/has"
[ "$(wc -l <"$scratch/has")" -ge 15 ] || skip "this Open MPI has few algorithms: $(paste -s -d , "$scratch/has")"
heeds=no
! grep -qx heeds "$scratch/asked" || heeds=yes

# served COLLECTIVE FILE: prints engine and reason of each call of this collective in a log.
served() {
    awk -F '\t' -v collective="$1" '$6 == collective { print $12, $14 }' "$2"
}

# Without the environment's leave, algorithms are used if the library allows it; else calls stay as they are.
rm -f "$scratch/log"
runs 3 PLEACH_BCAST_ENGINE=native:binomial PLEACH_LOG="$scratch/log" "$programs/five" 3001
[ $heeds = no ] && wanted='native not-applicable' || wanted='native:binomial forced'
equal 'without leave' "$(served bcast "$scratch/log" | sort -u)" "$wanted"
export $allows=1

# Each algorithm gives the right results, of all collectives that it serves.
names=$(cut -d ' ' -f 1 "$scratch/has" | sort -u)
for name in $names; do
    rm -f "$scratch/log"
    runs 4 PLEACH_ENGINE="$name" PLEACH_LOG="$scratch/log" "$differential" --quick
    equal "$name" "$(awk -F '\t' '$14 == "forced" { print $12, $6 }' "$scratch/log" | sort -u)" \
        "$(grep "^$name " "$scratch/has")"
done

# The algorithm reaches the library: with the default, made bad by the environment, or a binomial tree, rank 1 waits for
# rank 3 in a broadcast; along a pipeline it does not.
bad=OMPI_MCA_coll_basic_priority=95
# broadcast passes|waits SECONDS [NAME=VALUE..]: fails unless `chosen' says this of a broadcast of 64 KiB.
broadcast() {
    broadcast_does=$1
    broadcast_seconds=$2
    shift 2
    runs 5 "$bad" PLEACH_PLACES=node "$@" "$programs/chosen" 65536 "$broadcast_seconds"
    equal "a broadcast with $*" "$(grep '^bcast' "$out")" "bcast $broadcast_does"
}
broadcast waits 0.5 PLEACH_ENGINE=native
broadcast passes 100 PLEACH_BCAST_ENGINE=native:pipeline
broadcast waits 0.5 PLEACH_BCAST_ENGINE=native:binomial

# barred WHAT [NAME=VALUE..] PROGRAM [ARG..]: fails if a rank takes the algorithm, although WHAT forbids this.
barred() {
    barred_what=$1
    shift
    rm -f "$scratch"/log.*
    runs 2 PLEACH_BCAST_ENGINE=native:binomial PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    for barred_rank in 0 1; do
        equal "$barred_what, rank $barred_rank" \
            "$(awk -F '\t' '$6 == "bcast" { print $12 }' "$scratch/log.$barred_rank" | sort -u)" native
    done
}
barred 'a variable of the user' OMPI_MCA_coll_tuned_bcast_algorithm=1 "$programs/five" 3001
# shellcheck disable=SC2016 # another shell's variables
barred 'a variable of one rank' sh -c \
    '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export OMPI_MCA_coll_tuned_bcast_algorithm=1; exec "$0" 3001' "$programs/five"
barred 'threads' "$programs/threads"

# Trials compare the algorithms, by made-up times. The environment makes the default bad, and the liar says that it takes
# twelve times as long as it should.
behind=$liar
learns() {
    rm -f "$scratch"/log.* "$scratch/learned" "$scratch/report"
    runs 4 "$bad" LIAR_CORES=64 LIAR_CLOCK=yes LIAR_CARRIERS=99 PLEACH_PLACES=node PLEACH_BUDGET=1 LIAR_BCAST=12 \
        PLEACH_REPORT="$scratch/report" \
        PLEACH_LEARN="$scratch/learned" PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    for learns_rank in 0 3; do
        served bcast "$scratch/log.$learns_rank" | tail -n 1
    done | uniq
}
fast=native:binomial # number 6
equal 'a fast algorithm' "$(learns LIAR_ALGORITHM=6:0.5 "$programs/learn" repeat bcast 131072 200)" "$fast learned"
says "$scratch/learned" "engine=$fast"
says "$scratch/report" "the MPI library's default takes 24 times as long as its own binomial; export"
# The losers are freed. The best is faster than the model can explain, so later trials make carriers once more.
lines "$out" "liar: 1 carriers, made $((2 * $(grep -c ' bcast$' "$scratch/has")))\$" 4
# An engine is found where no algorithm of the library is fast.
only='PLEACH_BCAST_ENGINE=^native:pipeline,native:chain,native:knomial,native:basic-linear,native:binary-tree'
equal 'slow algorithms' "$(learns "$only" LIAR_ALGORITHM=6:9 "$programs/learn" repeat bcast 131072 200 |
    grep -c '^native')" 0
lines "$out" 'liar: 0 carriers, made 2$' 4
grep -q "default takes [0-9]* times as long as [a-z-]*, and up to [0-9.]* times as long as its own [a-z0-9-]*; keep Pleach" \
    "$scratch/report" || fail "an engine is not told: $(grep default "$scratch/report")"
# If one rank cannot make a communicator, all ranks do without the algorithm.
equal 'one carrier alone' "$(learns LIAR_CARRIERS=0 LIAR_ALGORITHM=6:0.5 "$programs/learn" repeat bcast 131072 200 |
    grep -c "^native:")" 0
lines "$out" 'liar: 0 carriers' 4

# Such a rule serves the next run, and communicators of the same ranks share one carrier.
behind=
printf 'pleach-rules 1\ncollective=bcast,scan -> engine=native:pipeline,native:linear\n' >"$scratch/rules"
broadcast passes 100 PLEACH_RULES="$scratch/rules"
behind=$liar
runs 3 PLEACH_RULES="$scratch/rules" LIAR_CARRIERS=99 LIAR_CORES=64 "$programs/learn" many 20 3
grep -q 'liar: [0-9]* carriers, made [1-4]$' "$out" || fail "too many carriers: $(grep liar: "$out" | sort -u)"
exit "$status"
