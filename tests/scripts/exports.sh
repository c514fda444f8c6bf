#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A preloaded library is loaded into every process of the application. It must export the intercepted functions and nothing
# else. It must not load an MPI library, as the application may use another one, nor libunwind, which would take over C++
# exceptions.
#
# All three libraries export the five C functions, their forms for large counts, the functions that initialize MPI or open
# and close a session, and pleach_other(), which libpleach-others.so calls. libpleach-ompi.so alone exports Fortran
# functions: with one underscore at the end, as compilers name a subroutine, and with _f08_, as Open MPI's module mpi_f08
# names them. Names without an underscore would hide an application's own functions; see hidden.sh. None of the three
# contains the simulator, HTML pages or tuning. libpleach-report.so writes reports and exports one variable.
. "$srcdir/tests/scripts/mpi.sh"

in_fortran='mpi_bcast_ mpi_bcast_f08_ mpi_reduce_ mpi_reduce_f08_ mpi_scan_ mpi_scan_f08_ mpi_exscan_ mpi_exscan_f08_
    mpi_allreduce_ mpi_allreduce_f08_ mpi_init_ mpi_init_f08_ mpi_init_thread_ mpi_init_thread_f08_'
in_c='MPI_Allreduce MPI_Allreduce_c MPI_Bcast MPI_Bcast_c MPI_Exscan MPI_Exscan_c MPI_Init MPI_Init_thread MPI_Reduce
    MPI_Reduce_c MPI_Scan MPI_Scan_c MPI_Session_finalize MPI_Session_init pleach_other'

# exports LIBRARY NAME..: fails unless the library exports exactly these names and needs only the libraries of C.
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

# lean LIBRARY: fails if the library contains code that only the command needs. A stripped library cannot be checked.
lean() {
    nm "$1" >"$out" 2>&1
    if ! grep -q ' [tT] cursor_next$' "$out"; then
        echo "not tested: what ${1##*/} contains; it is stripped"
    else
        found=$(grep -iE 'html|simulate|simplex|tuning|job_add' "$out") &&
            fail "${1##*/} has what the command alone needs: $found"
    fi
}

# shellcheck disable=SC2086 # words
exports "$LIBPLEACH" $in_c
lean "$LIBPLEACH"
exports "${LIBPLEACH%.so}-report.so" pleach_renderer
for other in ompi abi; do
    library=${LIBPLEACH%.so}-$other.so
    [ -e "$library" ] || {
        echo "not tested: ${library##*/}, which was not built"
        continue
    }
    # shellcheck disable=SC2046,SC2086 # words
    exports "$library" $in_c $([ $other = abi ] || echo $in_fortran)
    lean "$library"
done
exit "$status"
