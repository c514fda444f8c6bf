# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Functions that the tests of pleach doctor share; doctor.sh and doctor_programs.sh source this file.
. "$srcdir/tests/scripts/mpi.sh"
unset PLEACH_SHARED # doctor reports settings that are not the defaults
five=$programs/five
bin=$scratch/bin
mkdir "$bin"
# This copy of pleach has none of Pleach's other libraries beside it, but it may find installed ones.
mkdir -p "$scratch/alone/.libs"
cp "$PLEACH" "$scratch/alone/pleach"
cp "$LIBPLEACH" "$scratch/alone/.libs"
# An MPI library that does nothing.
stub='int PMPI_Bcast(void) { return 0; } int MPI_Bcast(void) { return 0; }
    int MPI_Reduce_local(void) { return 0; } int MPI_Scan_init(void) { return 0; }
    int mpi_bcast_init_f08ts_(void) { return 0; }'

# examine PROGRAM [NAME=VALUE..]: runs pleach doctor for PROGRAM, or without a program (''). PATH is $bin alone; the output
# goes to $out. Every line must begin with a verdict, and the exit status must be 1 if there is a problem, else 0.
examine() {
    examine_program=$1
    shift
    code=0
    env PATH="$bin" "$@" "$PLEACH" doctor ${examine_program:+"$examine_program"} >"$out" 2>"$scratch/err" || code=$?
    [ ! -s "$scratch/err" ] || fail "$examine_program $*: on standard error: $(cat "$scratch/err")"
    ! grep -qv '^\(ok      \|note    \|problem \) [^ ]' "$out" ||
        fail "$examine_program $*: lines without verdict: $(cat "$out")"
    equal "$examine_program $*: exit status" "$code" "$(grep -c -m 1 '^problem' "$out")"
    [ "$code" -eq 0 ] || lines "$out" 'nothing stands in the way' 0
}

# finds VERDICT PATTERN: fails unless exactly one line has this verdict and matches.
finds() {
    lines "$out" "^$1  *$2" 1
}

# doctor PROGRAM [NAME=VALUE..]: like examine; fails if a line reports a problem.
doctor() {
    examine "$@"
    lines "$out" '^problem' 0
}

# launcher NAME WORDS: makes a launcher in $bin that prints WORDS.
launcher() {
    printf '#!/bin/sh\necho "%s"\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# tool: compiles $scratch/libtool.so, another tool with MPI_ functions of its own; false if that does not work here.
tool() {
    echo "$stub" | sed 's/PMPI/TOOL/g' | compiled libtool.so -shared -fPIC
}
