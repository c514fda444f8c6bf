# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Sourced by the tests that run MPI programs. `make check` gives MPIEXEC, LIBPLEACH, YIELD, PLEACH, srcdir, builddir.
set -u
status=0
programs=$builddir/tests/programs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "FAILED: $*"
    status=1
}

# preloaded RANKS [NAME=VALUE..] PROGRAM [ARG..]: on RANKS ranks that yield while they wait, with Pleach and these settings.
preloaded() {
    preloaded_ranks=$1
    shift
    timeout "${SECONDS_ALLOWED:-300}" "$MPIEXEC" -n "$preloaded_ranks" env LD_PRELOAD="$YIELD:$LIBPLEACH" "$@"
}

# says FILE TEXT: the file has a line with TEXT.
says() {
    grep -qF -e "$2" "$1" || {
        fail "no \"$2\" in:"
        sed 's/^/    /' "$1"
    }
}

# silent_about FILE TEXT
silent_about() {
    ! grep -F -e "$2" "$1" || fail "\"$2\" where nothing should be said"
}

# lines FILE PATTERN NUMBER: so many lines match.
lines() {
    lines_found=$(grep -c -e "$2" "$1")
    [ "$lines_found" -eq "$3" ] || {
        fail "$lines_found lines with \"$2\" instead of $3 in:"
        sed 's/^/    /' "$1"
    }
}

# reasons FILE: the engines and reasons in a file of records.
reasons() {
    awk -F '\t' '$1 ~ /^[0-9]+$/ { print $12, $14 }' "$1" | sort -u
}
