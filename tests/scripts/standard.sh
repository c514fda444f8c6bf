#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libpleach.so serves programs that are built for the standard ABI of MPI 5. These are the programs that test it with MPICH.
# They run with MPICH 5's library of this ABI.
. "$srcdir/tests/scripts/other_mpi.sh"

mpi=$srcdir/../shared/mpi5
[ -e "$mpi/lib/libmpi_abi.so.1" ] || skip 'no MPI library with the standard ABI in ../shared/mpi5'
MPI=abi
export MPI

scripts='differential programs algorithms node'
more='agreement stacks faults records trust hang verify report reproducible rules device verbose bystanders memory'
[ "${WHOLE:-}" != yes ] || scripts="$scripts $more"
builds cc -I"$mpi/include/abi" -L"$mpi/lib" -Wl,--no-as-needed,-rpath,"$mpi/lib" -l:libmpi_abi.so.1
also differential programs
also algorithms node

# MPI ends and begins anew; MPICH 4.0.2 cannot do that. After MPI_Finalize, calls stay native.
for patience in inf 100s; do
    rm -f "$scratch"/log.*
    runs 3 PLEACH_ENGINE=chain PLEACH_PATIENCE=$patience PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all \
        "$built/tests/programs/sessions" again
    says "$out" 'sessions ok'
    lines "$out" '^pleach: ' 0
    for rank in 0 1 2; do
        records "$scratch/log.$rank" 'chain forced
native not-applicable'
    done
done
# This leaves out learn and advise: here each rank is a node, and fakes/liar.c makes up no times for measuring places.
# shellcheck disable=SC2086 # words
[ "${WHOLE:-}" != yes ] || also $more
exit "$status"
