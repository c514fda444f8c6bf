#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What one rank does alone, or has alone, is no hang and no abort: at the end, with invalid calls, without context ids, with
# another libpleach.so, with sessions.
. "$srcdir/tests/mpi.sh"
SECONDS_ALLOWED=180

# served RANKS [NAME=VALUE..] NAME [ARG..]: the program says "NAME ok"; the records of all ranks are in $scratch/log.*.
served() {
    served_ranks=$1
    shift
    rm -f "$scratch"/log.*
    runs "$served_ranks" PLEACH_ENGINE=chain PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    says "$out" ' ok'
    lines "$out" '^pleach: ' 0
}

# The end: callbacks of MPI_Finalize are served as before, whatever their order, and are in the records and in the report.
for where in self world; do
    served 3 PLEACH_REPORT="$scratch/report.%r" "$programs/finalize" $where
    # Open MPI has no operations any more where those of MPI_COMM_WORLD are called.
    with openmpi && [ $where = world ] && calls=2 || calls=4
    for rank in 0 1 2; do
        equal "calls of rank $rank ($where)" "$(grep -c '	chain	' "$scratch/log.$rank")" "$calls"
    done
    [ $where = world ] || says "$scratch/report.0" "calls     4, "
    rm -f "$scratch"/report.*
done

# A communicator's end: likewise, and whoever gets its handle is another.
for apart in '' apart; do
    # shellcheck disable=SC2086 # an argument or none
    served 3 "$programs/freeing" $apart
    equal 'calls served' "$(grep -c '	chain	' "$scratch/log.2")" 30
done

# An invalid call is native without a word to the others.
for number in 0 2 8 $(with openmpi || echo 11 12); do
    served 3 PLEACH_ENGINE=two-tree "$programs/invalid" "$number"
    records "$scratch/log.1" 'two-tree forced'
done
served 3 PLEACH_ENGINE=two-tree "$programs/invalid" threads
records "$scratch/log.1" 'native zero-bytes
two-tree forced'

# No context id on one rank: it says so where all listen.
served 3 "$programs/contexts"
for rank in 0 1 2; do
    records "$scratch/log.$rank" 'native no-context'
done
served 3 PLEACH_DISABLE=yes "$programs/contexts"

# Nor does a library take many of them: a program may have all others itself. The communicators are served all the same but,
# where threads may make the calls, no more than a few of them.
# spares MOST [COMMUNICATORS [threads]]: as many communicators as natively, but for so many.
spares() {
    spares_most=$1
    shift
    timeout "$SECONDS_ALLOWED" "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD" "$programs/many" "$@" >"$scratch/natively" 2>&1
    served 3 "$programs/many" "$@"
    taken=$(($(sed -n 's/^many ok: \([0-9]*\) .*/\1/p' "$scratch/natively") - $(sed -n 's/^many ok: \([0-9]*\) .*/\1/p' "$out")))
    [ "$taken" -le "$spares_most" ] || fail "many $*: $taken context ids taken"
}
with openmpi && most=3000 || most=100000 # Open MPI has 65,535 of them, for which nobody wants to wait
spares 16 "$most"
records "$scratch/log.1" 'chain forced'
spares 80 "$most" threads
records "$scratch/log.1" 'chain forced
native no-context'

# Communicators that come and go leave nothing behind.
served 3 "$programs/churn" 2000

# Different libraries: one line that names both releases, native, and the program runs.
# other FROM TO: the library, but with another text where it has its release.
other() {
    LC_ALL=C sed "s/\(wire protocol\) $1/\1 $2/" "$LIBPLEACH" >"$scratch/other.so"
    ! cmp -s "$LIBPLEACH" "$scratch/other.so" || fail "no \"wire protocol $1\" in $LIBPLEACH"
}
# mixed SAID: three ranks, the last with the other library; one line, which has this text.
mixed() {
    timeout "$SECONDS_ALLOWED" "$MPIEXEC" \
        -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr PLEACH_ENGINE=chain "$programs/five" : \
        -n 1 env LD_PRELOAD="$YIELD:$scratch/other.so" PLEACH_ENGINE=chain "$programs/five" >"$out" 2>&1 ||
        fail "another library on one rank: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    says "$out" "$1"
    records "$out" 'native mismatch'
}
version=$("$PLEACH" --version | sed 's/.* //;q')
# A release's name of the same length, with another last character.
next=$(printf '%s' "$version" | sed 's/.$//')Z
number=$(grep -a -o 'wire protocol [0-9]' "$LIBPLEACH" | sed 's/.* //;q')
other "$number of release $version" "$number of release $next"
mixed "libpleach.so differs between ranks: releases $version and $next; every call goes to the native MPI library"
other "$number" 0
mixed "libpleach.so differs between ranks: builds of release $version that do not fit together"

# Sessions: what all ranks of a communicator share decides, not whether MPI_Init has been called.
with openmpi && exit "$status" # Open MPI 4 has none
for order in alone mixed; do
    served 4 "$programs/sessions" $order
    for rank in 0 1 2 3; do
        records "$scratch/log.$rank" 'chain forced'
    done
done

exit "$status"
