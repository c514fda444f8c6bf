#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every engine gives the native result, bit for bit. differential calls each collective from as many call sites as it
# has engines. Rules give each call site an engine; on each number of ranks all engines that can serve must have served.
. "$srcdir/tests/scripts/mpi.sh"
behind=$fakes/native_calls.so

# node.sh and lanes.sh test the engines whose ranks share memory.
sited '^([^lmn]|lat|mesh)'

# Files of made-up places: sites of consecutive ranks; sites whose ranks alternate; nested places without sites, and nested
# places in sites, in which ranks are mixed.
printf 'sites\nrank 0-1 a\nrank 2 b\nrank 3-5 c/x\nrank 6-8 c/y\n' >"$scratch/blocks"
printf 'sites\nrank 0,2,4,6,8 a\nrank 1,3,5,7 b\n' >"$scratch/turn"
printf 'rank 0,5-6 a/x\nrank 1,4 b\nrank 2-3,7-8 a/y\n' >"$scratch/mixed"
printf 'sites\nrank 4,1 a/x\nrank 6 a/y\nrank 0,5 b/x\nrank 2 b/y\n' >"$scratch/nested"

# can_serve PLACES: prints the collectives and engines that can serve with these places. Scans use places of consecutive
# ranks only.
can_serve() {
    awk -v places="$1" '$4 == "-" || places == "blocks" ||
        (places != "none" && $1 !~ /scan/ && (places == "turn" || $3 != "places-line")) { print $1, $3 }' \
        "$scratch/sited" | sort
}

# same RANKS [NAME=VALUE..] PROGRAM [--quick]: fails unless all results equal the native ones. Random cases are the same in
# every run, so that only a change of the code can change the result. SEED draws other cases.
same() {
    same_ranks=$1
    shift
    runs "$same_ranks" PLEACH_THRESHOLD=0 "$@" --seed "${SEED:-1}"
}

# all_serve RANKS EXTENT PLACES [NAME=VALUE..]: like same, and fails unless every engine that can serve has served. EXTENT is
# the options that say how many cases run; PLACES is one of the files above, or none.
all_serve() {
    all_serve_ranks=$1
    all_serve_extent=$2
    all_serve_places=$3
    shift 3
    [ "$all_serve_places" = none ] || set -- PLEACH_PLACES="$scratch/$all_serve_places" "$@"
    can_serve "$all_serve_places" >"$scratch/can"
    # shellcheck disable=SC2086 # words
    sites_served "$scratch/can" "$all_serve_ranks" PLEACH_PLACES=none "$@" "$differential" $all_serve_extent
}

# With other MPI libraries than MPICH fewer cases run, unless WHOLE=yes: Pleach's own code is the same there.
if ! with mpich && [ "${WHOLE:-no}" = no ]; then
    all_serve 2 --quick none
    all_serve 3 --quick blocks
    all_serve 5 --quick turn
    same 4 PLEACH_ENGINE=random:1 PLEACH_BLOCK=4093 "$differential" --quick
    exit "$status"
fi
# Each combination of datatype and operation runs on two ranks, by the default engines; a sixth of them run on five ranks, by
# all engines. Other numbers of ranks have the cases of --quick. With WHOLE=yes there are all cases on two, three and five
# ranks, all roots on nine, and more numbers of ranks.
all_serve 2 "$(whole_or '' --quick)" none
all_serve 3 "$(whole_or '' --quick)" blocks
all_serve 4 --quick blocks
all_serve 6 --quick turn
all_serve 9 "$(whole_or '--every 50' --quick)" mixed
[ "${WHOLE:-no}" = no ] || {
    all_serve 7 --quick mixed
    all_serve 8 --quick blocks
    all_serve 9 --quick blocks
}
# Here blocks are many and of an odd size, and the ranks of two nodes alternate (MPICH can pretend that).
all_serve 5 "$(whole_or '' '--every 6')" blocks PLEACH_BLOCK=4093 MPIR_CVAR_NUM_CLIQUES=2
# These runs have the default settings, one engine alone, or an engine drawn at random for each call.
same 1 "$differential"
same 2 "$differential"
same 3 PLEACH_ENGINE=chain PLEACH_BLOCK=4093 "$differential" --quick
same 4 PLEACH_ENGINE=random:1 PLEACH_BLOCK=4093 "$differential" --quick
[ "${WHOLE:-no}" = no ] ||
    same 7 PLEACH_PLACES="$scratch/nested" PLEACH_ENGINE=random:7 PLEACH_BLOCK=4093 "$differential" --quick

exit "$status"
