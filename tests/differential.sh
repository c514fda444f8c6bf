#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every engine against the native call, bit for bit: tests/differential, with each engine forced on all sizes.
. "$srcdir/tests/mpi.sh"
out=$scratch/out

# same RANKS ENGINE BLOCK SELECTION: all cases whose names contain SELECTION.
same() {
    preloaded "$1" PLEACH_THRESHOLD=0 PLEACH_ENGINE="$2" PLEACH_BLOCK="$3" "$builddir/tests/differential" $4 >"$out" 2>&1 ||
        fail "$2 on $1 ranks, blocks of $3: $(cat "$out")"
    says "$out" 'cases ok'
}

for ranks in 1 2 3 4 5 7 8; do
    same $ranks chain auto ''
    same $ranks ring auto reduce
    same $ranks two-tree auto bcast
done
# Many small blocks, none a multiple of anything; what users get; and engines drawn anew for every call.
same 3 chain 1021 ''
same 4 ring 4093 reduce
same 5 two-tree 1021 bcast
same 2 auto auto ''
same 3 random:1 4093 ''

exit "$status"
