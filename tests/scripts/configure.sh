#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests need an MPI: configure prefers a compiler wrapper in MPICC to the MPICH that pkg-config knows, and the mpiexec beside
# the wrapper to any other. The wrapper of this test has no MPI, so that configure ends soon. configure needs no Fortran.
# Without tests, a compiler is enough. A command built without libdw and libunwind is tested, too.
. "$srcdir/tests/scripts/mpi.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
[ ! -e "$srcdir/config.status" ] || skip 'built where the sources are'
mkdir "$scratch/bin" "$scratch/include" "$scratch/build"
echo '#error no MPI' >"$scratch/include/mpi.h"
cat >"$scratch/bin/mpicc" <<END
#!/bin/sh
case \$1 in
-compile-info) echo "cc -I$scratch/include -DGIVEN" ;;
-link-info) echo "cc -L$scratch/lib -lgiven" ;;
*) exit 1 ;;
esac
END
echo '#!/bin/sh' >"$scratch/bin/mpiexec"
chmod +x "$scratch/bin/mpicc" "$scratch/bin/mpiexec"

cd "$scratch/build" || exit 1
unset MPIEXEC
! timeout 300 env PATH="$scratch/bin:$PATH" MPICC=mpicc sh "$srcdir/configure" >"$out" 2>&1 ||
    fail 'configure takes an mpi.h of no MPI'
lines "$out" "^checking for MPICH's flags from mpicc\.\.\.  *-I$scratch/include -DGIVEN  *-L$scratch/lib -lgiven\$" 1
lines "$out" "^configure: error: no mpi\.h of MPICH with MPICH_CFLAGS=\" *-I$scratch/include -DGIVEN\"" 1
lines "$out" "^checking for mpiexec\.\.\. $scratch/bin/mpiexec\$" 1

# A wrapper for Fortran without a compiler is no compiler: Debian's libmpich-dev has such a one.
cat >"$scratch/bin/mpifort" <<'END'
#!/bin/sh
[ "$1" = -compile-info ] && echo gfortran || exit 127
END
chmod +x "$scratch/bin/mpifort"
mkdir "$scratch/fortran"
(
    cd "$scratch/fortran" && export F77="$scratch/bin/mpifort" FC="$scratch/bin/mpifort" &&
        timeout 300 sh "$srcdir/configure"
) >"$out" 2>&1 || fail "configure without a Fortran compiler: $(tail -n 3 "$out")"
lines "$out" "^checking whether $scratch/bin/mpifort has a compiler\.\.\. no\$" 1

# Without pkg-config, MPI and libunwind: configure says what is left out.
mkdir "$scratch/bare"
(cd "$scratch/bare" && timeout 300 sh "$srcdir/configure" --disable-tests --without-libunwind PKG_CONFIG=/nowhere) \
    >"$out" 2>&1 || fail "configure with a compiler alone: $(tail -n 3 "$out")"
lines "$out" '^checking for mpich' 0
for left in libunwind libdw tests; do
    lines "$out" "^  $left  *left out: .*-$left" 1
done

# Without libdw and json-c, the command says so; it shows frames as function+offset, and reads no finished report. Without
# libunwind, doctor says so. All other
# objects are those of this build.
sed 's/.*HAVE_\(LIBDW\|JSON\).*//; s/\(LIBUNWIND_SONAME\).*/\1 ""/' "$builddir/config.h" \
    >"$scratch/include/config.h"
set -- "-I$scratch/include"
for room in "$srcdir"/include/pleach/*; do
    set -- "$@" "-I$room"
done
# shellcheck disable=SC2016 # make's variables
parts='$(pleach_OBJECTS) $(patsubst %.la,.libs/%.a,$(filter %.la,$(pleach_LDADD)))'
for part in $(make -s -C "$builddir" --no-print-directory --eval "parts:; @echo $parts" parts); do
    case $part in
    *codefile*) ;;
    *) objects="${objects-} $builddir/$part" ;;
    esac
done
eval "$MPI_COMPILER -std=gnu11 -D_GNU_SOURCE -DPLEACH_LIBDIR='\"\"' $* -I'$srcdir/src/record' -I'$srcdir/src/commands' \
    -I'$srcdir/src/doctor' \
    -o lineless '$srcdir/src/commands/codefile.c' '$srcdir/src/cli/job_read.c' '$srcdir/src/doctor/cmd_doctor.c' \
    '$srcdir/src/record/no_unwinder.c' \
    $objects -lm -ldl -lpthread" >"$out" 2>&1 || fail "no command without libdw and libunwind: $(tail -n 20 "$out")"
{
    sed 3q "$srcdir/tests/golden/files/log.0"
    echo "# frame 0x1 0123 f+0x1 $PLEACH"
} >log
./lineless log --by site log >"$out" 2>"$scratch/err" || fail "exit status $? without libdw"
lines "$out" '  f+0x1$' 1
lines "$scratch/err" '' 1
lines "$scratch/err" '^pleach log: this pleach was built without libdw' 1
echo '{"pleach_report": 1}' >report.json
./lineless report report.json >"$out" 2>&1 && fail 'a report is read without json-c'
says "$out" 'this pleach was built without json-c'
./lineless doctor >"$out" 2>&1
lines "$out" 'built without libunwind: a call site' 1
exit "$status"
