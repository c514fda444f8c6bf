#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A rank that differs from the others causes neither a hang nor an abort: at the end, with invalid calls, without context
# ids, with another libpleach.so, with sessions.
. "$srcdir/tests/scripts/mpi.sh"

# served RANKS [NAME=VALUE..] NAME [ARG..]: fails unless the program says "NAME ok". The records of all ranks go to
# $scratch/log.*.
served() {
    served_ranks=$1
    shift
    rm -f "$scratch"/log.*
    runs "$served_ranks" PLEACH_ENGINE=chain PLEACH_LOG="$scratch/log.%r" PLEACH_LOG_RANKS=all "$@"
    lines "$out" '^pleach: ' 0
}

# Calls from callbacks of MPI_Finalize are served like earlier calls, in whatever order the callbacks run. Records and report
# have these calls.
for where in self world; do
    served 3 PLEACH_REPORT="$scratch/report.%r" "$programs/finalize" $where
    # When callbacks of MPI_COMM_WORLD run, Open MPI has freed its operations.
    with openmpi && [ $where = world ] && calls=2 || calls=4
    for rank in 0 1 2; do
        equal "calls of rank $rank ($where)" "$(grep -c '	chain	' "$scratch/log.$rank")" "$calls"
    done
    [ $where = world ] || says "$scratch/report.0" "calls     4, "
    rm -f "$scratch"/report.*
done

# The same holds for callbacks of a communicator that is freed. A new communicator that gets the same handle counts as
# another one.
for apart in '' apart; do
    # shellcheck disable=SC2086 # an argument or none
    served 3 "$programs/freeing" $apart
    equal 'calls served' "$(grep -c '	chain	' "$scratch/log.2")" 30
done

# An error handler may free the communicator of its call.
served 3 "$programs/dropped"

# An invalid call goes native, and the rank sends the others nothing. It does not count among the calls of the communicator,
# so the report finds the call after it on all ranks. The report knows how long they waited: column 16.
for number in 0 1 2 8 $(with openmpi || echo 11 12); do
    served 3 PLEACH_ENGINE=two-tree PLEACH_REPORT="$scratch/report.tsv" "$programs/invalid" "$number"
    records "$scratch/log.1" 'two-tree forced'
    waited=$(awk -F '\t' '$1 == "collective" && $2 == "allreduce" { print $16 }' "$scratch/report.tsv")
    case $waited in
    [01].*) ;;
    *) fail "invalid $number: waited: $waited" ;;
    esac
    rm "$scratch/report.tsv"
done
served 3 PLEACH_ENGINE=two-tree "$programs/invalid" threads
records "$scratch/log.1" 'native zero-bytes
two-tree forced'
# Pleach does not ask for the name of a datatype that the native call has refused.
if with mpich; then
    served 3 PLEACH_ENGINE=auto "$programs/invalid" short
    records "$scratch/log.0" 'native below-threshold'
fi

# If the error handler of a failed call makes other calls, the failed call does not get their expected time: column 19.
if with mpich; then
    printf 'pleach-rules 1\ncollective=allreduce -> engine=native\n' >"$scratch/rules"
    served 2 PLEACH_RULES="$scratch/rules" PLEACH_ALLREDUCE_ENGINE=auto PLEACH_REPORT="$scratch/report.tsv" \
        "$programs/intrude"
    expected=$(awk -F '\t' '$1 == "engine" && $6 == "invalid" { print $19 }' "$scratch/report.tsv")
    equal 'expected time' "$expected" 0.000000000
    rm "$scratch/report.tsv"
fi

# A rank that gets no context id tells all others in the call in which they agree.
served 3 "$programs/contexts"
for rank in 0 1 2; do
    records "$scratch/log.$rank" 'native no-context'
done
served 3 PLEACH_DISABLE=yes "$programs/contexts"

# Pleach takes few context ids, as the program may need all others. It serves all communicators nevertheless; if threads may
# make calls, it serves only a few.
# spares MOST [COMMUNICATORS [threads]]: fails if the program makes fewer communicators than natively, by more than MOST.
spares() {
    spares_most=$1
    shift
    in_time "$MPIEXEC" -n 3 env LD_PRELOAD="$YIELD" "$programs/many" "$@" >"$scratch/natively" 2>&1 ||
        fail "many $*, natively: $(cat "$scratch/natively")"
    served 3 "$programs/many" "$@"
    spares_made=$(sed -n 's/^many ok: \([0-9]*\) .*/\1/p' "$out")
    taken=$(($(sed -n 's/^many ok: \([0-9]*\) .*/\1/p' "$scratch/natively") - spares_made))
    [ "$taken" -le "$spares_most" ] || fail "many $*: $taken context ids taken"
}
with openmpi && most=3000 || most=100000 # to use up Open MPI's 65,535 takes too long
spares 16 "$most"
records "$scratch/log.1" 'chain forced'
spares 80 "$most" threads
records "$scratch/log.1" 'chain forced
native no-context'

# Freed communicators leave nothing behind.
served 3 "$programs/churn" "$(whole_or 2000 600)"

# If ranks have different releases of the library, one line names both, all calls are native, and the program runs.
# other FROM TO: makes a copy of the library and its parts in which the text TO replaces FROM behind "wire protocol".
other() {
    mkdir -p "$scratch/other"
    cp "$LIBPLEACH" "$scratch/other"
    for other_part in mpich openmpi abi; do
        LC_ALL=C sed "s/\(wire protocol\) $1/\1 $2/" "${LIBPLEACH%.so}-$other_part.so" \
            >"$scratch/other/libpleach-$other_part.so"
        ! cmp -s "${LIBPLEACH%.so}-$other_part.so" "$scratch/other/libpleach-$other_part.so" ||
            fail "no \"wire protocol $1\" in part $other_part"
    done
}
# differing LIBRARIES: runs three ranks, the last with these libraries. All calls must be native.
differing() {
    in_time "$MPIEXEC" \
        -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr PLEACH_ENGINE=chain "$programs/five" : \
        -n 1 env LD_PRELOAD="$YIELD:$1" PLEACH_ENGINE=chain "$programs/five" >"$out" 2>&1 ||
        fail "$1 on one rank: exit status $?"
    says "$out" 'five ok'
}
# A rank that gets no operations for the first message takes MPI's own, as do ranks of release 0.1.0.
refused=
if echo 'int PMPI_Op_create(void *f, int commutes, void *op) { return 16; }' | compiled refuses.so -shared -fPIC; then
    refused=:$scratch/refuses.so
    differing "$LIBPLEACH$refused"
    records "$out" 'native no-memory'
fi
# mixed SAID: fails unless there is one line, with this text, if one rank has the other library.
mixed() {
    for operations in '' "$refused"; do
        differing "$scratch/other/libpleach.so$operations"
        lines "$out" '^pleach: ' 1
        says "$out" "$1"
        records "$out" 'native mismatch'
    done
}
version=$("$PLEACH" --version | sed 's/.* //;q')
# The name of another release, of the same length.
next=$(printf '%s' "$version" | sed 's/.$//')Z
number=$(grep -a -o 'wire protocol [0-9]*' "${LIBPLEACH%.so}-mpich.so" | sed 's/.* //;q')
other "$number of release $version" "$number of release $next"
mixed "${LIBPLEACH##*/} differs between ranks: releases $version and $next; every call goes to the native MPI library"
other "$number" "$(echo "$number" | tr 0-9 1-90)"
mixed "${LIBPLEACH##*/} differs between ranks: builds of release $version that do not fit together"

# With sessions, decisions follow from what all ranks of a communicator share, not from a rank's call of MPI_Init.
[ -x "$programs/sessions" ] || exit "$status" # MPI has sessions from MPI 4 on
for order in alone mixed unseen hidden; do
    if ! in_time "$MPIEXEC" -n 4 env LD_PRELOAD="$YIELD" "$programs/sessions" $order >"$out" 2>&1; then
        echo "not tested: sessions $order: ends natively with: $(grep -m 1 . "$out")"
        continue
    fi
    served 4 "$programs/sessions" $order
    wanted='chain forced'
    if with abi && [ $order = hidden ]; then # after MPI_Finalize, engines serve only MPICH's own interface
        wanted="$wanted
native not-applicable"
    fi
    for rank in 0 1 2 3; do
        records "$scratch/log.$rank" "$wanted"
    done
done

exit "$status"
