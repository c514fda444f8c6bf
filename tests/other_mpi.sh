# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# The tests with another MPI: tests/openmpi.sh and tests/standard.sh source this file. Programs are built for it in a folder
# like the one where make builds them; then the scripts that test MPICH run with these programs, and with its library.
. "$srcdir/tests/mpi.sh"
built=$scratch/built

# builds COMPILER..: what the scripts run, as far as this MPI has all that it takes.
builds() {
    mkdir -p "$built/tests/programs"
    sources=$(sed -n '/^tests_differential_SOURCES/,/[^\\]$/p' "$srcdir/tests/tests.am" | grep -o '[a-z]*\.c')
    # shellcheck disable=SC2086 # words
    (cd "$srcdir/tests" && "$@" -D_GNU_SOURCE -o "$built/tests/differential" $sources) >"$out" 2>&1 ||
        fail "the differential test: $(cat "$out")"
    for program in "$srcdir"/tests/programs/*.c; do
        basename "$program" .c
    done | xargs -P "$(nproc)" -I NAME \
        "$@" -D_GNU_SOURCE -o "$built/tests/programs/NAME" "$srcdir/tests/programs/NAME.c" >"$out" 2>&1
    [ -x "$built/tests/programs/five" ] || fail "nothing is built: $(cat "$out")"
    # What is preloaded behind Pleach; and a plugin, which has MPI, with its host, which has not.
    mkdir -p "$built/tests/.libs" "$built/tests/programs/.libs"
    for library in device driver hurry liar reached programs/plugin; do
        case $library in
        programs/*) folder=programs/.libs ;;
        *) folder=.libs ;;
        esac
        "$@" -D_GNU_SOURCE -shared -fPIC -o "$built/tests/$folder/${library##*/}.so" "$srcdir/tests/$library.c" \
            >"$out" 2>&1 || fail "$library: $(cat "$out")"
    done
    for program in host taken; do
        "${CC:-cc}" -D_GNU_SOURCE -o "$built/tests/programs/$program" "$srcdir/tests/programs/$program.c" -ldl
    done
    HURRY=$built/tests/.libs/hurry.so LIAR=$built/tests/.libs/liar.so REACHING=$built/tests/.libs/reached.so
    export HURRY LIAR REACHING
}

# also SCRIPT..: these tests hold, too, at the same time: they start many jobs, which mostly waits. They know by $MPI whose
# programs these are.
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
