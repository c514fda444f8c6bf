#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# configure: a wrapper that is given wins over the MPICH that pkg-config knows, and its mpiexec over others. The one given here
# has no MPI, so configure ends soon.
. "$srcdir/tests/mpi.sh"
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
! timeout 300 env PATH="$scratch/bin:$PATH" MPICC=mpicc sh "$srcdir/configure" --disable-tests >"$out" 2>&1 ||
    fail 'configure takes an mpi.h of no MPI'
lines "$out" "^checking for MPICH's flags from mpicc\.\.\.  *-I$scratch/include -DGIVEN  *-L$scratch/lib -lgiven\$" 1
lines "$out" "^configure: error: no mpi\.h of MPICH with MPICH_CFLAGS=\" *-I$scratch/include -DGIVEN\"" 1
lines "$out" "^checking for mpiexec\.\.\. $scratch/bin/mpiexec\$" 1
exit "$status"
