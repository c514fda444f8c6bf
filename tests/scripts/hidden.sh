#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A preloaded library hides no function of the application: none with a name like those of MPI in Fortran, and none of a
# library that replaces MPI. `pleach run' and `pleach advise' preload the library.
. "$srcdir/tests/scripts/mpi.sh"
collectives='bcast reduce scan exscan allreduce'

# These functions of a library are not MPI's; R's Rmpi has such functions. They return 7 if their arguments arrive.
own=
for name in $collectives; do
    own="$own mpi_$name mpi_${name}__ MPI_$(echo "$name" | tr '[:lower:]' '[:upper:]')"
done
# The C and Fortran functions of a library that replaces MPI for serial programs.
standing_in='MPI_Barrier MPI_Init MPI_Init_thread MPI_Session_finalize MPI_Session_init mpi_init_ mpi_init_thread_'
for name in $collectives; do
    first=$(echo "$name" | cut -c 1 | tr '[:lower:]' '[:upper:]')
    standing_in="$standing_in MPI_$first$(echo "$name" | cut -c 2-) mpi_${name}_"
done

# definitions HEAD BODY NAME..: prints functions with these names. checks HEAD CALL NAME..: prints all_called(), which
# returns true if the CALL of each name is true. A % in HEAD and CALL stands for the name.
definitions() {
    head=$1
    body=$2
    shift 2
    for name; do
        echo "$head; $head { $body }" | sed "s/%/$name/g"
    done
}
checks() {
    head=$1
    call=$2
    shift 2
    for name; do
        echo "$head;" | sed "s/%/$name/g"
    done
    echo 'int all_called(void); int all_called(void) { int x = 0; return 1'
    for name; do
        echo " && ($call)" | sed "s/%/$name/g"
    done
    echo '&& x >= 0; }'
}
# shellcheck disable=SC2086 # words
{
    definitions 'int %(double x, const char *text)' 'return x == 0.5 && *text == 111 ? 7 : 0;' $own |
        compiled libown.so -shared -fPIC
    checks 'int %(double, const char *)' '%(0.5, "own") == 7' $own |
        compiled libcalls.so -shared -fPIC -L"$scratch" -lown -Wl,-rpath,"$scratch"
    definitions 'int %(int *x)' 'return !++*x;' $standing_in | compiled libserial.so -shared -fPIC
    checks 'int %(int *)' 'x = 4, %(&x), x == 5' $standing_in >"$scratch/checks.c"
    compiled plugin.so -shared -fPIC -L"$scratch" -lserial -Wl,-rpath,"$scratch" <"$scratch/checks.c"
    echo 'int main(void) { return !all_called(); }' | cat "$scratch/checks.c" - |
        compiled serial -L"$scratch" -lserial -Wl,-rpath,"$scratch"
    # One instruction of the program `pointer' calls several functions of such a library.
    compiled libnumbers.so -shared -fPIC <<'END' &&
#define NUMBER(name, number) int name(void); int name(void) { return number; }
NUMBER(MPI_Scan, 0) NUMBER(MPI_Exscan, 1) NUMBER(MPI_Barrier, 2) NUMBER(MPI_Gather, 3)
END
        compiled pointer -L"$scratch" -lnumbers -Wl,-rpath,"$scratch" <<'END'
int MPI_Scan(void), MPI_Exscan(void), MPI_Barrier(void), MPI_Gather(void);
static int (*const functions[])(void) = {MPI_Scan, MPI_Exscan, MPI_Barrier, MPI_Gather};
int main(void)
{
    int right = 1;
    for (volatile int i = 0; i < 8; i++)
        right &= functions[i % 4]() == i % 4;
    return !right;
}
END
} || skip 'no libraries can be built'

# Programs with MPI: `own' is linked with libraries that have such functions. `loads' loads two plugins, one with MPI, one
# with the library that replaces it.
cat >"$scratch/cast.h" <<'END'
#include <mpi.h>
#include <stddef.h>
static int data[100003];
static int cast(void)
{
    int rank, last = sizeof data / sizeof data[0] - 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    data[last] = rank == 0 ? 5 : 0;
    MPI_Bcast(data, last + 1, MPI_INT, 0, MPI_COMM_WORLD);
    return data[last] == 5;
}
END
cat >"$scratch/own.c" <<'END'
#include "cast.h"
int all_called(void);
int main(void)
{
    MPI_Init(NULL, NULL);
    int good = all_called() && cast() && all_called();
    MPI_Finalize();
    return !good;
}
END
cat >"$scratch/mpi.c" <<'END'
#include "cast.h"
int use(int (*other)(void));
int use(int (*other)(void))
{
    MPI_Init(NULL, NULL);
    int good = other() && cast() && other();
    MPI_Finalize();
    return !good;
}
END
compiled loads -ldl <<'END' || skip 'no program can be built'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *mpi = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *serial = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (!mpi || !serial)
        return fputs(dlerror(), stderr), 1;
    int (*use)(int (*)(void)) = (int (*)(int (*)(void)))dlsym(mpi, "use");
    return use((int (*)(void))dlsym(serial, "all_called"));
}
END

# four_ways LAUNCHER PROGRAM [ARG..]: fails unless the program succeeds on two ranks: natively, with an engine, with Pleach
# switched off, and in `pleach advise'.
four_ways() {
    four_launcher=$1
    shift
    for way in env "$PLEACH run" "env PLEACH_DISABLE=yes $PLEACH run" "$PLEACH advise -o $scratch/advice"; do
        # shellcheck disable=SC2086 # words
        timeout 300 $four_launcher -n 2 env LD_PRELOAD="$YIELD" PLEACH_BCAST_ENGINE=two-tree PLEACH_LOG="$scratch/log" \
            $way "$@" >"$out" 2>&1 || fail "$way $*: exit status $?: $(cat "$out")"
        case $way in
        *DISABLE*) says "$scratch/log" '	disabled	' ;;
        *run) says "$scratch/log" '	two-tree	' ;;
        esac
        rm -f "$scratch/log"
    done
}

# with_mpi COMPILER LAUNCHER: builds and tests the programs with this MPI.
with_mpi() {
    (cd "$scratch" && "$1" -o own own.c -L. -lcalls -lown -Wl,-rpath,"$scratch" &&
        "$1" -shared -fPIC -o mpi.so mpi.c) \
        >"$out" 2>&1 || fail "$1: $(cat "$out")"
    four_ways "$2" "$scratch/own"
    four_ways "$2" "$scratch/loads" "$scratch/mpi.so" "$scratch/plugin.so"
}
with_mpi "${MPICC:-mpicc.mpich}" "$MPIEXEC"

# Tools that are preloaded before Pleach pass calls on to it. They know nothing of PMPI_ functions.
for tool in 1 2; do
    compiled tool$tool.so -shared -fPIC <<'END' || fail 'no tool'
#define _GNU_SOURCE
#include <dlfcn.h>
int MPI_Bcast(void *data, long count, long type, long root, long comm);
int MPI_Bcast(void *data, long count, long type, long root, long comm)
{
    int (*next)(void *, long, long, long, long) = (int (*)(void *, long, long, long, long))dlsym(RTLD_NEXT, "MPI_Bcast");
    return next(data, count, type, root, comm);
}
END
done
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$scratch/tool1.so:$scratch/tool2.so:$YIELD:$LIBPLEACH" \
    PLEACH_BCAST_ENGINE=two-tree PLEACH_LOG="$scratch/log" "$scratch/own" >"$out" 2>&1 ||
    fail "two tools: exit status $?: $(head -n 20 "$out")"
engines_served "$scratch/log" two-tree

# A tool that is preloaded behind Pleach may have an MPI_Init of its own.
compiled behind.so -shared -fPIC <<'END' || fail 'no tool'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "PMPI_Init");
    fputs("the tool begins\n", stderr);
    return next(argc, argv);
}
END
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH:$scratch/behind.so" "$scratch/own" >"$out" 2>&1 ||
    fail "a tool behind Pleach: exit status $?: $(head -n 20 "$out")"
lines "$out" '^the tool begins$' 2

for preload in "$LIBPLEACH" "$LIBPLEACH:$OTHERS"; do
    for program in serial pointer; do
        LD_PRELOAD=$preload "$scratch/$program" >"$out" 2>&1 || fail "$program with $preload: exit status $?: $(cat "$out")"
        [ ! -s "$out" ] || fail "$program with $preload: $(cat "$out")"
    done
done

if ! open_mpi; then
    echo 'not tested: Open MPI (Debian: libopenmpi-dev, openmpi-bin)'
    exit "$status"
fi
with_mpi mpicc.openmpi mpiexec.openmpi
if Rscript -e 'cat(nzchar(system.file(package = "Rmpi")))' 2>"$scratch/err" | grep -q TRUE; then
    cat >"$scratch/cast.R" <<'END'
library(Rmpi)
x <- if (mpi.comm.rank(0) == 0) 1:100003 else integer(100003)
x <- mpi.bcast(x, 1, 0, 0)
sums <- mpi.allreduce(x, 1, "sum", 0)
stopifnot(x[100003] == 100003, sums[100003] == 2 * 100003)
invisible(mpi.finalize())
END
    four_ways mpiexec.openmpi Rscript "$scratch/cast.R"
else
    echo 'not tested: Rmpi (Debian: r-cran-rmpi)'
fi
exit "$status"
