#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every engine against the native call, bit for bit: tests/differential, with each engine forced on all sizes.
. "$srcdir/tests/mpi.sh"
out=$scratch/out

extent=
# same RANKS ENGINE BLOCK SELECTION [NAME=VALUE]: all cases whose names contain SELECTION.
same() {
    preloaded "$1" "${5:-nothing=}" PLEACH_THRESHOLD=0 PLEACH_ENGINE="$2" PLEACH_BLOCK="$3" "$builddir/tests/differential" $extent "$4" >"$out" 2>&1 ||
        fail "$2 on $1 ranks, blocks of $3: $(cat "$out")"
    says "$out" 'cases ok'
}

# All that the registry holds; a case's name begins with its collective ("scan/" selects exscan, too).
pairs=$("$PLEACH" engines | awk '!NF { exit } NR > 1 && $1 != "native" && $2 != "exscan" { print $1 ":" $2 }' | sort -u)
for ranks in 2 3 4 5 7 8 9; do
    case $ranks in
    4 | 7) extent=--quick ;;
    *) extent= ;;
    esac
    for pair in $pairs; do
        same $ranks "${pair%:*}" auto "${pair#*:}/"
    done
done
extent=
# Many small blocks, none a multiple of anything, and two nodes that have the ranks in turn (MPICH can make believe that);
# what users get; errors and odd cases; engines drawn anew for every call.
for pair in $pairs; do
    same 5 "${pair%:*}" 1021 "${pair#*:}/" MPIR_CVAR_NUM_CLIQUES=2
done
same 1 auto auto /
same 2 auto auto /
same 3 chain 4093 /
same 4 random:1 4093 /

exit "$status"
