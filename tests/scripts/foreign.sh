#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program built for another MPI library runs natively with MPICH's libpleach.so preloaded, after one warning.
. "$srcdir/tests/scripts/mpi.sh"

if ! open_mpi || ! mpicc.openmpi -o "$scratch/five" "$srcdir/tests/programs/five.c" 2>"$out"; then
    skip 'no Open MPI (packages libopenmpi-dev, openmpi-bin)'
fi
in_time mpiexec.openmpi -n 2 env LD_PRELOAD="$LIBPLEACH" PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain \
    "$scratch/five" 5003 >"$out" 2>&1 || fail "exit status $?"
says "$out" 'five ok'
lines "$out" '^pleach: ' 1
needs='which needs libpleach-ompi.so, not libpleach.so; every call is passed through'
lines "$out" "^pleach: this MPI library is \"Open MPI [0-9.]*\", $needs\$" 1


# So does a program whose MPI library has the handles of MPItrampoline, whatever the library behind it.
if compiled wrapper.so -shared -fPIC <<'END'; then
#include <string.h>
int PMPI_Get_library_version(char *version, int *length)
{
    strcpy(version, "MPIwrapper 2.11.1, using MPIABI 2.10.0, wrapping:\nMPICH Version:      4.1.2\n");
    *length = (int)strlen(version);
    return 0;
}
END
    LIBPLEACH=$LIBPLEACH:$scratch/wrapper.so
    preloaded 2 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/five" >"$out" 2>&1 || fail "MPIwrapper: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    says "$out" 'pleach: this MPI library is "MPIwrapper 2.11.1'
    silent_about "$out" 'chain forced'
fi

exit "$status"
