#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The distributed files suffice to build the Debian package, and the package works from the folder where it was unpacked. To
# halve the time, it is compiled without optimization and debug information; make check tests the same sources.
. "$srcdir/tests/scripts/mpi.sh"
for tool in dpkg-buildpackage dh; do
    command -v "$tool" >/dev/null || skip "no $tool (Debian: dpkg-dev, debhelper)"
done
# The make that runs this test has set flags that do not apply here.
unset MAKEFLAGS MFLAGS MAKELEVEL
tree=$scratch/pleach
make -C "$builddir" --no-print-directory distdir distdir="$tree" >"$out" 2>&1 || fail "make distdir: $(cat "$out")"
cd "$tree" || exit 1
lacking=0
dpkg-checkbuilddeps >"$out" 2>&1 || lacking=$?
[ "$lacking" -le 1 ] || fail "debian/control: $(cat "$out")"
[ "$lacking" -eq 0 ] || skip "$(cat "$out")"

DEB_CFLAGS_STRIP=-g DEB_CXXFLAGS_STRIP=-g
export DEB_CFLAGS_STRIP DEB_CXXFLAGS_STRIP
# A distributed tree needs none of these.
export ACLOCAL=false AUTOCONF=false AUTOHEADER=false AUTOMAKE=false
DEB_BUILD_OPTIONS="nocheck noopt noautodbgsym terse parallel=$(nproc)" timeout 3000 dpkg-buildpackage -us -uc -b \
    >"$out" 2>&1 || {
    fail 'no package:'
    tail -n 40 "$out"
    exit 1
}
package=$(find "$scratch" -maxdepth 1 -name 'pleach_*.deb')
version=$("$PLEACH" --version)
equal 'the version' "$(dpkg-deb -f "$package" Version)" "${version#pleach }-1"
depends=$(dpkg-deb -f "$package" Depends)
for needed in libdw1 libjson-c5 libunwind8; do
    case $depends in
    *mpi*) fail "depends on an MPI library: $depends" ;;
    *"$needed"*) ;;
    *) fail "does not depend on $needed: $depends" ;;
    esac
done
if have lintian 'the package'; then
    lintian --fail-on error,warning --suppress-tags groff-message "$scratch"/pleach_*.changes >"$out" 2>&1 ||
        fail "lintian: $(cat "$out")"
fi

dpkg-deb -x "$package" "$scratch/root"
usr=$scratch/root/usr
library=$(find "$usr/lib" -name libpleach.so)
case ${library#"$usr"} in
/lib/*-*/pleach/libpleach.so) ;;
*) fail "the library is $library" ;;
esac
for part in mpich openmpi abi; do
    [ -s "${library%/*}/pleach/libpleach-$part.so" ] || fail "no part $part"
done
equal 'the path' "$("$usr/bin/pleach" path)" "$library"
equal 'its version' "$("$usr/bin/pleach" --version)" "$version"
grep -q /etc/pleach.conf "${library%/*}/pleach/libpleach-mpich.so" || fail 'the file of the site is not in /etc'
"$usr/bin/pleach" bench -c bcast -m 64K 2>&1 | grep -q 'only one rank' || fail 'pleach-mpi is not found'
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_ENGINE=chain,butterfly PLEACH_LOG="$scratch/log" \
    "$usr/bin/pleach" run "$programs/five" >"$out" 2>&1 || fail "a program: $(cat "$out")"
says "$out" 'five ok'
records "$scratch/log" 'butterfly forced
chain forced'
for file in share/man/man1/pleach.1.gz share/bash-completion/completions/pleach \
    share/zsh/vendor-completions/_pleach share/doc/pleach/copyright; do
    [ -s "$usr/$file" ] || fail "no $file"
done
# The folders of the system are searched anyway.
for module in "$usr"/share/pleach/modulefiles/pleach/*; do
    says "$module" 'Pleach'
    silent_about "$module" pkgconfig
done
for file in "$usr/bin/pleach" "$library" "${library%/*}/pleach/libpleach-mpich.so"; do
    readelf -d "$file" | grep -q BIND_NOW || fail "$file is not hardened"
done
# The test that Debian runs on the installed package.
if command -v mpicc.mpich >/dev/null; then
    export LD_PRELOAD="$YIELD"
    PATH=$usr/bin:$PATH AUTOPKGTEST_TMP=$scratch timeout 900 sh "$tree/debian/tests/job" >"$out" 2>&1 ||
        fail "debian/tests/job: $(cat "$out")"
fi
exit "$status"
