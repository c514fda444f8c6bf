# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Runs test scripts with an MPI other than MPICH; openmpi.sh and standard.sh source this file. builds() builds
# the programs for that MPI in a folder laid out like make's. Then also() runs scripts with these programs.
. "$srcdir/tests/scripts/mpi.sh"
built=$scratch/built

# builds COMPILER..: builds the programs that $scripts run, and those that $0 names. A program for which this MPI lacks
# something is left out.
builds() {
    # shellcheck disable=SC2046,SC2086 # words
    builds_named=$(cat "$0" $(printf "$srcdir/tests/scripts/%s.sh " $scripts) | grep -o '[a-z]*' | sort -u)
    set -- "$@" -D_GNU_SOURCE -I"$srcdir/tests/fakes" -I"$srcdir/tests/differential" \
        -I"$srcdir/include/pleach/schedule" -I"$srcdir/include/pleach/front"
    mkdir -p "$built/tests/differential" "$built/tests/fakes/.libs" "$built/tests/programs/.libs"
    sources=$(sed -n '/^tests_differential_differential_SOURCES/,/[^\\]$/p' "$srcdir/tests/tests.am" | grep -o '[a-z]*\.c')
    # shellcheck disable=SC2086 # words
    (cd "$srcdir/tests/differential" && "$@" -o "$built/tests/differential/differential" $sources -ldl) >"$out" 2>&1 ||
        fail "the differential test: $(cat "$out")"
    for program in "$srcdir"/tests/programs/*.c; do
        basename "$program" .c
    done | grep -xF "$builds_named" | xargs -P "$(nproc)" -I NAME \
        "$@" -o "$built/tests/programs/NAME" "$srcdir/tests/programs/NAME.c" -lm -ldl >"$out" 2>&1
    [ -x "$built/tests/programs/five" ] || fail "nothing is built: $(cat "$out")"
    # Fakes that do not depend on the MPI are those of make. The last library is a plugin with MPI; its host has no MPI.
    cp "$fakes"/*.so "$built/tests/fakes/.libs"
    for library in fakes/device fakes/drives fakes/driver fakes/ends fakes/heap fakes/hurry fakes/liar fakes/made \
        fakes/native_calls fakes/reached programs/plugin; do
        "$@" -shared -fPIC -o "$built/tests/${library%/*}/.libs/${library##*/}.so" "$srcdir/tests/$library.c" \
            >"$out" 2>&1 || fail "$library: $(cat "$out")"
    done
    for program in host taken; do
        "${CC:-cc}" -D_GNU_SOURCE -o "$built/tests/programs/$program" "$srcdir/tests/programs/$program.c" -ldl \
            >"$out" 2>&1 || fail "$program: $(cat "$out")"
    done
}

# also SCRIPT..: runs these tests at the same time, as starting their many jobs is mostly waiting. $MPI names the MPI.
also() {
    for script; do
        {
            builddir=$built sh "$srcdir/tests/scripts/$script.sh" >"$scratch/$script.said" 2>&1
            echo $? >"$scratch/$script.ended"
        } &
    done
    wait
    for script; do
        echo "$script:"
        cat "$scratch/$script.said"
        read -r ended <"$scratch/$script.ended"
        [ "$ended" -eq 0 ] || fail "$script with $MPI: exit status $ended"
    done
}
