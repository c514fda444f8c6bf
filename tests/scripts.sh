#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every script has --help, and refuses an unknown argument with one line before it does anything.
. "$srcdir/tests/mpi.sh"
# A script that wrongly goes on can neither install nor build anything here.
mkdir "$scratch/bin"
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/make"
chmod +x "$scratch/bin/make"
PATH=$scratch/bin:$PATH INSTALL=no BUILD=$scratch/build LAB_STATE=$scratch/lab
export PATH INSTALL BUILD LAB_STATE

looked=0
for script in "$srcdir"/scripts/*; do
    name=${script##*/}
    looked=$((looked + 1))
    timeout 60 sh "$script" --help >"$out" 2>"$scratch/err" </dev/null || fail "$name --help: exit status $?"
    [ ! -s "$scratch/err" ] || fail "$name --help: $(cat "$scratch/err")"
    head -n 1 "$out" | grep -q "^usage: .*$name" || fail "$name --help: $(cat "$out")"
    awk 'length > 125' "$out" | grep . && fail "$name --help: long lines"
    for wrong in --frobnicate frobnicate -9; do
        case $wrong,$name in
        -*,wind-*) named=$(printf %.2s "$wrong") ;; # getopts knows the letter alone
        *) named=$wrong ;;
        esac
        complains 2 "^$name: .*$named" timeout 60 sh "$script" "$wrong" </dev/null
    done
done
[ "$looked" -ge 8 ] || fail "$looked scripts"
exit "$status"
