#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make install' makes a tree that works, even when it is moved, and prints the next command to type. `make uninstall' leaves
# nothing of it.
. "$srcdir/tests/scripts/mpi.sh"
prefix=$scratch/prefix
# The make that runs this test has set flags that do not apply here.
unset MAKEFLAGS MFLAGS MAKELEVEL

# made TARGET [NAME=VALUE..]: makes the target. The output goes to $out.
made() {
    timeout 300 make -C "$builddir" --no-print-directory prefix="$prefix" sysconfdir="$prefix/etc" "$@" >"$out" 2>&1 ||
        fail "make $*: $(cat "$out")"
}

made install
tail -n 2 "$out" >"$scratch/last"
lines "$scratch/last" "^Next: mpiexec[.a-z]* -n 4 $prefix/bin/pleach run ./program\$" 1
lines "$scratch/last" "^Does it work here? mpiexec[.a-z]* -n 4 $prefix/bin/pleach doctor ./program\$" 1
library=$(find "$prefix" -name libpleach.so)
for file in bin/pleach "${library#"$prefix/"}" share/man/man1/pleach.1 share/man/man5/pleach-rules.5 \
    share/man/man5/pleach-settings.5 share/man/man7/pleach.7 share/man/man7/pleach-engines.7; do
    [ -s "$prefix/$file" ] || fail "$file is not there"
done
lines "$prefix/share/zsh/site-functions/_pleach" '^#compdef pleach$\|_pleach pleach$' 2
for other in "$builddir"/.libs/libpleach-*.so; do
    [ -s "$(find "$prefix" -name "${other##*/}" -type f)" ] || fail "${other##*/} is not there"
done
for older in ompi abi; do
    equal "the name in older releases for $older" "$(readlink "${library%.so}-$older.so")" libpleach.so
done
equal 'libtool archives' "$(find "$prefix" -name '*.la')" ''
equal 'the path' "$("$prefix/bin/pleach" path)" "$library"
# shellcheck disable=SC2016 # another shell's variable
equal 'preloaded' "$("$prefix/bin/pleach" run sh -c 'echo "$LD_PRELOAD"')" "$library"
PLEACH_VERBOSE=yes timeout 120 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$library" "$programs/five" >"$out" 2>&1
lines "$out" '^pleach: Pleach .* loaded on all ranks' 1
made installcheck
mv "$prefix" "$scratch/moved"
equal 'the path in a moved tree' "$("$scratch/moved/bin/pleach" path)" "$scratch/moved/${library#"$prefix/"}"
mv "$scratch/moved" "$prefix"

made uninstall
equal 'left behind' "$(find "$prefix" ! -type d)" ''

# With DESTDIR, as for a package, `make install' prints no command, as the command's folders do not exist yet.
made install DESTDIR="$scratch/root"
silent_about "$out" Next:
[ -x "$scratch/root$prefix/bin/pleach" ] || fail 'make install ignores DESTDIR'
exit "$status"
