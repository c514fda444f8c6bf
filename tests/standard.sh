#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The standard ABI of MPI 5: the library that is built for it serves the programs that MPICH's library is tested with, here
# with MPICH 5's library of that ABI.
. "$srcdir/tests/other_mpi.sh"

LIBPLEACH=${LIBPLEACH%/*}/libpleach-abi.so
mpi=$srcdir/../shared/mpi5
[ -e "$mpi/lib/libmpi_abi.so.1" ] || skip 'no MPI library with the standard ABI in ../shared/mpi5'
[ -e "$LIBPLEACH" ] || skip 'built without the standard ABI'
MPI=abi
export MPI LIBPLEACH

builds cc -I"$srcdir/tests" -I"$mpi/include/abi" -L"$mpi/lib" -Wl,--no-as-needed,-rpath,"$mpi/lib" -l:libmpi_abi.so.1
also differential programs
also agreement records faults
# Not learn and advise: this library takes each rank for a node, between which there is no made-up time.
[ "${WHOLE:-}" != yes ] ||
    also trust hang verify report reproducible rules device verbose bystanders memory
exit "$status"
