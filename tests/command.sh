# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Sourced by the tests of the command. `make check` gives PLEACH, LIBPLEACH, srcdir.
set -u
: "${srcdir:?}" "${LIBPLEACH:?}" # set by make check, as PLEACH is
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
tab=$(printf '\t')

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# Runs pleach with the arguments "$@"; its output is in $scratch/out and $scratch/err, its exit status in $status.
pleach() {
    status=0
    "$PLEACH" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
}

# expect WHAT: the output of the last command is standard input, word for word (spaces stand for tabs), and nothing else.
expect() {
    tr ' ' '\t' >"$scratch/expected"
    [ "$status" -eq 0 ] || fail "$1: exit status $status"
    cmp -s "$scratch/expected" "$scratch/out" || fail "$1: $(diff "$scratch/expected" "$scratch/out")"
    [ ! -s "$scratch/err" ] || fail "$1: $(cat "$scratch/err")"
}

# refuse STATUS PATTERN ARGUMENTS...: one line on standard error that matches, no output.
refuse() {
    wanted=$1
    pattern=$2
    shift 2
    pleach "$@"
    [ "$status" -eq "$wanted" ] || fail "pleach $*: exit status $status, not $wanted"
    [ ! -s "$scratch/out" ] || fail "pleach $*: writes output"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "pleach $*: not one line: $(cat "$scratch/err")"
    grep -q "^pleach.*: .*$pattern" "$scratch/err" || fail "pleach $*: $(cat "$scratch/err")"
}

# succeed PATTERN ARGUMENTS...: the output matches, no error.
succeed() {
    pattern=$1
    shift
    pleach "$@"
    [ "$status" -eq 0 ] || fail "pleach $*: exit status $status"
    [ ! -s "$scratch/err" ] || fail "pleach $*: $(cat "$scratch/err")"
    grep -q -- "$pattern" "$scratch/out" || fail "pleach $*: $(cat "$scratch/out")"
}

# done_testing: the exit status of the test.
done_testing() {
    [ "$failures" -eq 0 ] || echo "$failures failures"
    [ "$failures" -eq 0 ]
}
