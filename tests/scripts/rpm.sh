#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rpmbuild makes the RPM package of the distributed tarball, and the package works from the folder where it was unpacked. To
# halve the time, it is compiled without optimization.
. "$srcdir/tests/scripts/mpi.sh"
for tool in rpmbuild rpm2cpio cpio; do
    command -v "$tool" >/dev/null || skip "no $tool (Debian: rpm, rpm2cpio, cpio)"
done
# The make that runs this test has set flags that do not apply here.
unset MAKEFLAGS MFLAGS MAKELEVEL
version=$("$PLEACH" --version)
version=${version#pleach }
tree=$scratch/pleach-$version
make -C "$builddir" --no-print-directory distdir distdir="$tree" >"$out" 2>&1 || fail "make distdir: $(cat "$out")"
tar -czf "$tree.tar.gz" -C "$scratch" "pleach-$version"
# The system's own packages are not those of rpm, so it cannot look for them. ACLOCAL and the others: the tarball needs none.
ACLOCAL=false AUTOCONF=false AUTOHEADER=false AUTOMAKE=false timeout 3000 rpmbuild -ta --nodeps \
    --define "_topdir $scratch/rpm" --define 'optflags -O0' --define 'debug_package %{nil}' \
    --define "_smp_mflags -j$(nproc)" "$tree.tar.gz" >"$out" 2>&1 || {
    fail 'no package:'
    tail -n 40 "$out"
    exit 1
}
lines "$out" '^two-tree bcast: .*: ok$' 1
package=$(find "$scratch/rpm/RPMS" -name 'pleach-*.rpm')
equal 'source packages' "$(find "$scratch/rpm/SRPMS" -name "pleach-$version-*.src.rpm" | wc -l)" 1
equal 'the version' "$(rpm -qp --queryformat '%{VERSION}' "$package" 2>"$scratch/err")" "$version"
rpm -qp --requires "$package" >"$out" 2>"$scratch/err"
lines "$out" mpi 0
says "$out" libdw.so
says "$out" 'libunwind('
mkdir "$scratch/root"
(cd "$scratch/root" && rpm2cpio "$package" | cpio -idm) >"$out" 2>&1 || fail "the package's files: $(cat "$out")"
usr=$scratch/root/usr
library=$(find "$usr" -name libpleach.so)
for part in mpich openmpi abi; do
    [ -s "${library%/*}/pleach/libpleach-$part.so" ] || fail "no part $part"
done
equal 'the path' "$("$usr/bin/pleach" path)" "$library"
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_ENGINE=chain,butterfly PLEACH_LOG="$scratch/log" \
    "$usr/bin/pleach" run "$programs/five" >"$out" 2>&1 || fail "a program: $(cat "$out")"
says "$out" 'five ok'
records "$scratch/log" 'butterfly forced
chain forced'
exit "$status"
