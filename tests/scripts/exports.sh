#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A preloaded library is loaded into every process of the application. It must export the intercepted functions and nothing
# else. It must not load an MPI library, as the application may use another one, nor libunwind, which would take over C++
# exceptions.
#
# libpleach.so exports the C functions of collectives, their forms for large counts, the functions that initialize MPI or
# open and close a session, and pleach_other(), which libpleach-others.so calls. It exports Fortran functions, too: with one
# underscore at the end, as compilers name a subroutine, and with _f08_ or _f08ts_, as Open MPI's module mpi_f08 names
# them. Names without an underscore would hide an application's own functions; see hidden.sh. A part exports one variable,
# and none contains the simulator, HTML pages or tuning. libpleach-report.so writes reports and exports one variable, too.
. "$srcdir/tests/scripts/mpi.sh"

# names LIST: prints the names in this list of the table.
names() {
    sed -n "/^#define $1(X)/,/[^\\\\]\$/s/^ *X(\([A-Za-z_]*\),.*/\1/p" "$srcdir/include/pleach/front/served.h"
}

# in_c, in_fortran: print what a library exports.
in_c() {
    names SERVED | sed 's/.*/MPI_&\nMPI_&_c/'
    { names INITIALIZERS; names SESSIONS; } | sed 's/^/MPI_/'
    echo pleach_other
}
in_fortran() {
    { names SERVED; names INITIALIZERS; } | tr '[:upper:]' '[:lower:]' | sed 's/.*/mpi_&_\nmpi_&_f08_/'
    names SERVED | tr '[:upper:]' '[:lower:]' | sed 's/.*/mpi_&_f08ts_\nmpi_&_c_f08ts_/'
}

# exports LIBRARY NAME..: fails unless the library exports exactly these names and needs only the libraries of C. Modules of
# bench may read reports.
exports() {
    library=$1
    shift
    exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort)
    equal "${library##*/} exports" "$exported" "$(printf '%s\n' "$@" | LC_ALL=C sort)"
    for needed in $(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'); do
        case $needed in
        libjson-c.*) [ "$exported" = pleach_bench ] || fail "${library##*/} needs $needed" ;;
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

equal 'names of collectives in the table' "$(names SERVED | wc -l)" "$(echo "$collectives" | wc -w)"
equal 'names of other functions there' "$(names INITIALIZERS | wc -l) $(names SESSIONS | wc -l)" '2 2'
# shellcheck disable=SC2046 # words
exports "$LIBPLEACH" $(in_c) $(in_fortran)
exports "${LIBPLEACH%.so}-report.so" pleach_renderer
for part in mpich openmpi abi; do
    exports "${LIBPLEACH%.so}-$part.so" pleach_part
    lean "${LIBPLEACH%.so}-$part.so"
    exports "${LIBPLEACH%.so}-bench-$part.so" pleach_bench
done
exit "$status"
