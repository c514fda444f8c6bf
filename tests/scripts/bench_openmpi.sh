#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pleach bench, tune, figures and places run on ranks that Open MPI's launcher starts; all results are right. No time is
# judged. bench.sh, tune.sh and places.sh test the rest.
. "$srcdir/tests/scripts/mpi.sh"
err=$scratch/err

# Where pleach-mpi is missing, one line says so.
cp "$PLEACH" "$scratch/pleach"
ran=0
OMPI_COMM_WORLD_RANK=0 "$scratch/pleach" figures >"$out" 2>"$err" || ran=$?
[ "$ran" -eq 1 ] || fail "without its helper: exit status $ran"
lines "$err" '^pleach figures: pleach-mpi is neither beside ' 1
OMPI_COMM_WORLD_RANK=1 "$scratch/pleach" figures >"$out" 2>&1
[ ! -s "$out" ] || fail "every rank says so: $(cat "$out")"

# --mpi-library names the MPI library.
: >"$scratch/empty"
libc=$(ldconfig -p | sed -n 's/.*libc[.]so[.]6 .* //p' | head -n 1)
for library in "$scratch/empty:file too short" "$scratch/none:No such file" \
    "$libc:the file of --mpi-library is no MPI library"; do
    complains 1 "^pleach: .*${library##*:}" "$PLEACH" figures --mpi-library "${library%:*}"
done

if ! open_mpi; then
    [ "$status" -ne 0 ] || skip 'no mpiexec.openmpi (Debian: libopenmpi-dev, openmpi-bin)'
    exit "$status"
fi

# runs_here COMMAND [ARG..]: runs pleach COMMAND on two ranks. Standard output goes to $out, errors go to $err.
runs_here() {
    ran=0
    timeout 300 mpiexec.openmpi -n 2 env LD_PRELOAD="$YIELD" "$PLEACH" "$@" >"$out" 2>"$err" || ran=$?
}
succeeded() {
    [ "$ran" -eq 0 ] || fail "exit status $ran: $(cat "$err")"
    [ ! -s "$err" ] || fail "on standard error: $(cat "$err")"
}

runs_here bench --force -m 8K -i 1 -x 0 -e two-tree --format tsv
succeeded
awk -F '\t' '
    NR > 1 && $15 != "yes" { print "wrong result: " $0 }
    NR > 1 { n[$1 " " $7]++; rows++ }
    END {
        split("bcast reduce scan exscan allreduce", all, " ")
        for (c = 1; c <= 5; c++)
            for (i = split("native auto two-tree", with, " "); i > 0; i--)
                if (n[all[c] " " with[i]] != (all[c] == "bcast" ? 1 : 2)) # a reduction has lines for exact and for user
                    print all[c] ", " with[i] ": " n[all[c] " " with[i]] + 0 " lines of " rows
    }' "$out" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"

runs_here tune --force -o "$scratch/tuned.rules" -c bcast,scan -m 16K -e chain --time-limit 1
[ "$ran" -eq 0 ] || fail "tune: exit status $ran: $(cat "$err")"
silent_about "$err" 'wrong result'
"$PLEACH" check-rules "$scratch/tuned.rules" >"$out" 2>&1 || fail "the tuned rules: $(cat "$out")"
says "$scratch/tuned.rules" 'Open MPI'

runs_here places
succeeded
says "$out" '2 ranks on 1 node'
library=$(mpicc.openmpi --showme:libdirs 2>/dev/null | tr ' ' '\n' | sed 's,$,/libmpi.so,' | head -n 1)
if [ -e "$library" ]; then
    runs_here places --mpi-library="$library"
    succeeded
    says "$out" '2 ranks on 1 node'
fi

# On a busy machine a measurement may be disturbed.
for _ in 1 2 3 4 5; do
    runs_here figures
    grep -q '^pleach figures: the measurement was disturbed' "$err" || break
done
if [ "$ran" -eq 0 ]; then
    succeeded
    lines "$out" '^PLEACH_BETA=[0-9.e-]*$' 1
    says "$out" 'Open MPI'
elif grep -q '^pleach figures: the measurement was disturbed' "$err"; then
    echo 'not tested: figures with Open MPI: each measurement was disturbed'
else # there is one core
    says "$err" 'more ranks than usable cores'
fi

runs_here bench -c reduce --root 2
[ "$ran" -eq 2 ] || fail "root 2 of 2 ranks: exit status $ran"
lines "$err" '--root 2: there are only ranks 0 to 1; see .pleach bench --help.$' 1

# The library's model knows Open MPI's native calls. Open MPI's scan of two ranks folds once, and no engine beats that.
# MPICH's scan folds twice: by its formula an engine would be chosen.
if mpicc.openmpi -o "$scratch/five" "$srcdir/tests/programs/five.c" 2>"$out"; then
    PLEACH_ALPHA=1us PLEACH_BETA=1ns PLEACH_GAMMA=1us PLEACH_LEARN=off PLEACH_LOG=stderr timeout 300 mpiexec.openmpi -n 2 \
        env LD_PRELOAD="$YIELD" "$PLEACH" run "$scratch/five" >"$out" 2>&1 || fail "five: exit status $?"
    awk '$6 == "scan" && $14 !~ /native-faster|oversubscribed/ { print; bad = 1 } $6 == "scan" { n++ }
        END { exit bad || !n }' "$out" || fail "a scan: $(cat "$out")"
fi

exit "$status"
