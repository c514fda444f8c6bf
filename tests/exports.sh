#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The preloaded library is loaded into every process of the application: it must export the intercepted functions and
# nothing else, and bring in neither MPI (a second one, perhaps) nor libunwind (which would take over C++ exceptions).
. "$srcdir/tests/mpi.sh"

expected='MPI_Allreduce
MPI_Allreduce_c
MPI_Bcast
MPI_Bcast_c
MPI_Exscan
MPI_Exscan_c
MPI_Reduce
MPI_Reduce_c
MPI_Scan
MPI_Scan_c
pleach_other'
exported=$(nm -D --defined-only "$LIBPLEACH" | awk '{ print $3 }' | LC_ALL=C sort)
equal exports "$exported" "$expected"

needed=$(readelf -d "$LIBPLEACH" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p')
for library in $needed; do
    case $library in
    libc.* | libm.* | libdl.* | libpthread.* | ld-linux* | libasan.* | libubsan.*) ;;
    *) fail "needs $library" ;;
    esac
done
exit "$status"
