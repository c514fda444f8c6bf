# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Runs test scripts with an MPI other than MPICH; tests/openmpi.sh and tests/standard.sh source this file. builds() builds
# the programs for that MPI in a folder laid out like make's. Then also() runs scripts with these programs.
. "$srcdir/tests/mpi.sh"
built=$scratch/built

# builds COMPILER..: builds the programs that the scripts run. A program for which this MPI lacks something is left out.
builds() {
    mkdir -p "$built/tests/programs"
    sources=$(sed -n '/^tests_differential_SOURCES/,/[^\\]$/p' "$srcdir/tests/tests.am" | grep -o '[a-z]*\.c')
    # shellcheck disable=SC2086 # words
    (cd "$srcdir/tests" && "$@" -D_GNU_SOURCE -o "$built/tests/differential" $sources) >"$out" 2>&1 ||
        fail "the differential test: $(cat "$out")"
    for program in "$srcdir"/tests/programs/*.c; do
        basename "$program" .c
    done | xargs -P "$(nproc)" -I NAME \
        "$@" -D_GNU_SOURCE -o "$built/tests/programs/NAME" "$srcdir/tests/programs/NAME.c" -lm >"$out" 2>&1
    [ -x "$built/tests/programs/five" ] || fail "nothing is built: $(cat "$out")"
    # Most of these libraries are preloaded beside Pleach. The last one is a plugin with MPI; its host below has no MPI.
    mkdir -p "$built/tests/.libs" "$built/tests/programs/.libs"
    for library in device drives driver ends heap hurry liar made native_calls reached programs/plugin; do
        case $library in
        programs/*) folder=programs/.libs ;;
        *) folder=.libs ;;
        esac
        "$@" -D_GNU_SOURCE -shared -fPIC -o "$built/tests/$folder/${library##*/}.so" "$srcdir/tests/$library.c" \
            >"$out" 2>&1 || fail "$library: $(cat "$out")"
    done
    for program in host taken; do
        "${CC:-cc}" -D_GNU_SOURCE -o "$built/tests/programs/$program" "$srcdir/tests/programs/$program.c" -ldl \
            >"$out" 2>&1 || fail "$program: $(cat "$out")"
    done
    DRIVES=$built/tests/.libs/drives.so ENDS=$built/tests/.libs/ends.so HEAP=$built/tests/.libs/heap.so
    HURRY=$built/tests/.libs/hurry.so
    LIAR=$built/tests/.libs/liar.so MADE=$built/tests/.libs/made.so NATIVE_CALLS=$built/tests/.libs/native_calls.so
    REACHING=$built/tests/.libs/reached.so
    export DRIVES ENDS HEAP HURRY LIAR MADE NATIVE_CALLS REACHING
}

# also SCRIPT..: runs these tests at the same time, as starting their many jobs is mostly waiting. $MPI names the MPI.
also() {
    for script; do
        {
            builddir=$built sh "$srcdir/tests/$script.sh" >"$scratch/$script.said" 2>&1
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
