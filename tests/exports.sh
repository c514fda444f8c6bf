#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A preloaded library is loaded into every process of the application: it must export the intercepted functions and nothing
# else, and bring in neither MPI (a second one, perhaps) nor libunwind (which would take over C++ exceptions).
. "$srcdir/tests/mpi.sh"

# In Fortran: as compilers write the name of a subroutine, and what mpi_f08 of Open MPI calls.
fortran=
for name in bcast reduce scan exscan allreduce; do
    fortran="$fortran mpi_$name mpi_${name}_ mpi_${name}__ mpi_${name}_f08_ MPI_$(echo $name | tr '[:lower:]' '[:upper:]')"
done
in_c='MPI_Allreduce MPI_Allreduce_c MPI_Bcast MPI_Bcast_c MPI_Exscan MPI_Exscan_c MPI_Reduce MPI_Reduce_c MPI_Scan MPI_Scan_c
    pleach_other'

# exports LIBRARY NAME..: it exports these names and no others, and needs no library but those of C.
exports() {
    library=$1
    shift
    exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort)
    equal "${library##*/} exports" "$exported" "$(printf '%s\n' "$@" | LC_ALL=C sort)"
    for needed in $(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'); do
        case $needed in
        libc.* | libm.* | libdl.* | libpthread.* | ld-linux* | libasan.* | libubsan.*) ;;
        *) fail "${library##*/} needs $needed" ;;
        esac
    done
}

# shellcheck disable=SC2086 # words
exports "$LIBPLEACH" $in_c
for other in ompi abi; do
    library=${LIBPLEACH%.so}-$other.so
    [ -e "$library" ] || {
        echo "not tested: ${library##*/}, which was not built"
        continue
    }
    # shellcheck disable=SC2046,SC2086 # words
    exports "$library" $in_c $([ $other = abi ] || echo $fortran)
done
exit "$status"
