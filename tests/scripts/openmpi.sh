#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libpleach.so serves programs that are built with Open MPI: those that test it with MPICH, and python3 with mpi4py; with
# WHOLE=yes more of them, and ScaLAPACK's drivers. `pleach run' starts programs of both.
. "$srcdir/tests/scripts/other_mpi.sh"

mpich=$MPIEXEC
open_mpi || skip 'no mpicc.openmpi or mpiexec.openmpi (Debian: libopenmpi-dev, openmpi-bin)'
MPI=openmpi
MPIEXEC=mpiexec.openmpi
export MPI MPIEXEC
# This turns off Open MPI's vectorized operations: their sums of 8 and 16 bits saturate in whole groups of 16 bytes, and wrap
# in the rest of the array. With them even native results depend on where an array is cut.
export OMPI_MCA_op=^avx

scripts='differential programs heap node reuse structs'
more='exact agreement stacks faults records trust hang learn verify report reproducible rules device verbose bystanders'
[ "${WHOLE:-}" != yes ] || scripts="$scripts $more advise tune scalapack"
builds mpicc.openmpi
# written SUFFIX COMPILER NAME..: builds programs in another language, if its compiler is installed.
written() {
    suffix=$1
    compiler=$2
    shift 2
    command -v "$compiler" >"$out" || return
    "$compiler" --showme >"$out" 2>&1 || {
        echo "not tested: $*: $(head -n 1 "$out")"
        return
    }
    for name; do
        # Open MPI has no large counts in Fortran.
        sed 's/integer(MPI_COUNT_KIND) :: count/integer :: count/' "$srcdir/tests/programs/$name.$suffix" \
            >"$scratch/$name.$suffix"
        (cd "$scratch" && "$compiler" -o "$built/tests/programs/$name" "$name.$suffix") >"$out" 2>&1 ||
            fail "$name: $(cat "$out")"
    done
}
written cpp mpicxx.openmpi exceptions throwing
written f mpifort.openmpi bcast
written f90 mpifort.openmpi usempi usef08

also differential programs heap node reuse structs
if [ "${WHOLE:-}" = yes ]; then
    # shellcheck disable=SC2086 # words
    also $more
    also advise tune
    DRIVERS=xdlu also scalapack
fi

# Settings are read in MPI_Init, in Fortran, too.
for module in mpi mpi_f08; do
    for call in 'MPI_Init(ierror)' 'MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierror)'; do
        printf 'program begins\nuse %s\ninteger :: level, ierror\ncall %s\ncall MPI_Finalize(ierror)\nend program\n' \
            $module "$call" >"$scratch/begins.f90"
        if mpifort.openmpi -o "$scratch/begins" "$scratch/begins.f90" >"$out" 2>&1; then
            fails 2 PLEACH_STRICT=yes PLEACH_BLOCK=x "$scratch/begins"
            says "$out" 'the program is aborted, as PLEACH_STRICT says'
        else
            echo "not tested: $call of $module: $(head -n 1 "$out")"
        fi
    done
done

# From release 6 on, mpi_f08 passes descriptors of arrays, which may be sections. Here a program makes them as gfortran does.
cat >"$scratch/described.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
enum { ROWS = 300, COLUMNS = 211, EVERY = 3, PARTS = ROWS / 2 * (COLUMNS / EVERY) };
struct array {
    void *base;
    size_t offset, size;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t step, lower, upper;
    } dim[15];
};
static int grid[ROWS][COLUMNS], line[PARTS];
int main(int argc, char **argv)
{
    void *bcast = dlsym(RTLD_DEFAULT, "mpi_bcast_f08ts_"), *scan = dlsym(RTLD_DEFAULT, "mpi_scan_c_f08ts_");
    struct array section = {grid, 0, sizeof(int), argc - 1, 2, 1, 0, sizeof(int), {{EVERY, 1, COLUMNS / EVERY},
                                                                                   {2 * COLUMNS, 1, ROWS / 2}}},
                 whole = {line, 0, sizeof(int), argc - 1, 1, 1, 0, sizeof(int), {{1, 1, PARTS}}};
    int rank, root = 1, count = PARTS, error = -1, wrong = 0;
    MPI_Count large = PARTS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int type = MPI_Type_c2f(MPI_INT), op = MPI_Op_c2f(MPI_SUM), comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = rank == root ? i + j : -1;
    ((void (*)(void *, int *, int *, int *, int *, int *))bcast)(&section, &count, &type, &root, &comm, &error);
    wrong += error != 0;
    for (int i = 0; i < ROWS && !error; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += grid[i][j] !=
                     (rank == root || (i % 2 == 0 && j % EVERY == 0 && j < COLUMNS / EVERY * EVERY) ? i + j : -1);
    ((void (*)(void *, void *, MPI_Count *, int *, int *, int *, int *))scan)(&section, &whole, &large, &type, &op, &comm,
                                                                              &error);
    wrong += error != 0;
    for (int i = 0; i < PARTS && !error; i++)
        wrong += line[i] != (rank + 1) * (i / (COLUMNS / EVERY) * 2 + i % (COLUMNS / EVERY) * EVERY);
    if (!wrong && rank == 0)
        puts("described ok");
    MPI_Finalize();
    return wrong != 0;
}
END
if mpicc.openmpi -o "$scratch/described" "$scratch/described.c" -ldl 2>"$scratch/err"; then
    runs 3 "$scratch/described"
    says "$out" 'described ok'
    fails 2 "$scratch/described" other version # as another compiler's, which are left to the MPI library
else
    echo "not tested: descriptors: $(head -n 1 "$scratch/err")"
fi

# The bits of exact sums depend neither on the MPI library nor on the order of the ranks.
runs 3 PLEACH_SUMS=exact "$built/tests/programs/exact" check 2000
runs 3 PLEACH_SUMS=exact "$built/tests/programs/exact" order 1
grep '^hash: ' "$out" >"$scratch/hash"
MPIEXEC=$mpich runs 3 PLEACH_SUMS=exact "$programs/exact" order 2
says "$out" "$(cat "$scratch/hash")"

# So do those of Fortran's types, by Fortran's names.
cat >"$scratch/sums.f90" <<'END'
program sums
use mpi
real :: a(4), b(4)
double precision :: d(3)
complex :: z(2)
integer :: r, error
call MPI_Init(error)
call MPI_Comm_rank(MPI_COMM_WORLD, r, error)
a = merge(1e8, merge(1.0, -1e8, r == 1), r == 0)
d = merge(1d16, merge(1d0, -1d16, r == 1), r == 0)
z = cmplx(a(1), -a(1))
call MPI_Allreduce(a, b, 4, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, error)
call MPI_Allreduce(MPI_IN_PLACE, d, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
call MPI_Allreduce(MPI_IN_PLACE, z, 2, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
if (r == 0) print '(4f5.1)', b(4), d(3), z(2)
call MPI_Finalize(error)
end program
END
if mpifort.openmpi -o "$scratch/sums" "$scratch/sums.f90" >"$out" 2>&1; then
    runs 3 PLEACH_SUMS=exact "$scratch/sums"
    says "$out" '  1.0  1.0  1.0 -1.0'
else
    echo "not tested: sums of Fortran: $(head -n 1 "$out")"
fi

# runs_itself LAUNCHER PROGRAM..: fails unless the program succeeds under `pleach run' on two ranks, and an engine serves
# every large call.
runs_itself() {
    timeout 300 "$1" -n 2 env LD_PRELOAD="$YIELD" PLEACH_ENGINE=two-tree PLEACH_LOG=stderr "$PLEACH" run "$2" ${3:+"$3"} \
        >"$out" 2>&1 || fail "$*: exit status $?"
    says "$out" ' ok'
    says "$out" '	two-tree	'
    awk -F '\t' '$7 > 100000 && $12 == "native" { print; bad = 1 } END { exit bad }' "$out" ||
        fail "$*: a large call was native"
}
runs_itself "$MPIEXEC" "$built/tests/programs/five"
if mpifort.openmpi -shared -fPIC -o "$built/tests/programs/.libs/fortran.so" "$srcdir/tests/programs/plugin.f90" \
    2>"$out"; then
    runs_itself "$MPIEXEC" "$built/tests/programs/host" "$built/tests/programs/.libs/fortran.so"
else
    echo 'not tested: a plugin in Fortran'
fi
runs_itself "$mpich" "$builddir/tests/programs/five"
python=/usr/bin/python3 # Debian's, whatever else comes first in PATH
if $python -c 'import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
exit("Open MPI" not in MPI.Get_library_version())' >"$out" 2>&1; then
    runs_itself "$MPIEXEC" $python "$srcdir/tests/programs/several.py"
    # The calls stand outside functions, so each site is a line of the script alone, without frames of mpi4py or the
    # interpreter.
    awk -F '\t' 'NF == 16 && $6 == "scan" && $16 !~ /^<module> \(several.py:[0-9]+\)$/ { print; bad = 1 } END { exit bad }' \
        "$out" || fail 'a site of a script'
else
    echo 'not tested: there is no mpi4py of Open MPI (Debian: python3-mpi4py)'
fi
exit "$status"
