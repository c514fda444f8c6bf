#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Pleach keeps nothing in the program's heap. The library heap counts the pieces that it has asked for.
. "$srcdir/tests/scripts/mpi.sh"
unset PLEACH_SHARED
behind=$fakes/heap.so

for setting in PLEACH_DISABLE=yes PLEACH_DISABLE=no PLEACH_THRESHOLD=0 PLEACH_SHARED=no; do
    runs 2 $setting "$programs/heap"
    says "$out" 'heap ok: 0 left'
done
exit "$status"
