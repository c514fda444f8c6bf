#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With PLEACH_VERBOSE, rank 0 prints one line about Pleach. When no call was made, one line says why there is no report.
. "$srcdir/tests/scripts/mpi.sh"
who='pleach: Pleach [0-9.]* on MPICH [0-9.]* [a-z0-9:]*'
with openmpi && who='pleach: Pleach [0-9.]* on Open MPI [0-9.]*'
none="no call of rank 0 that Pleach serves ($collectives) has reached it; calls of functions that"
none="$none dlsym takes from the MPI library never reach it, see LIMITS in pleach(7)"

# line PATTERN: fails unless Pleach prints exactly one line, and it matches.
line() {
    lines "$out" '^pleach' 1
    lines "$out" "^$1\$" 1
}

# ---- PLEACH_VERBOSE -----------------------------------------------------------------------------------------------------

runs 3 PLEACH_VERBOSE=yes "$programs/five"
line "$who, 3 ranks on [0-9]* nodes*, loaded on all ranks.*"
runs 3 "$programs/five"
equal 'not verbose' "$(cat "$out")" 'five ok'
printf 'pleach-rules 1\nbytes=1-inf -> engine=chain\n' >"$scratch/rules"
runs 2 PLEACH_VERBOSE=yes PLEACH_RULES="$scratch/rules" "$programs/five"
line "$who, 2 ranks on [0-9]* nodes*, rules $scratch/rules, loaded on all ranks.*"

# Pleach is loaded, but serves no call.
runs 2 PLEACH_VERBOSE=yes PLEACH_DISABLE=yes "$programs/five"
line "$who, 2 ranks, loaded on all ranks; every call goes to the native MPI library: disabled"
runs 2 PLEACH_VERBOSE=yes PLEACH_BLOCK=x "$programs/five"
lines "$out" "^$who, 2 ranks, loaded on all ranks; every call goes to the native MPI library: bad-setting\$" 1
off='every call goes to the native MPI library: settings of engines or thresholds'
for setting in PLEACH_ENGINE=native PLEACH_THRESHOLD=inf; do
    runs 2 PLEACH_VERBOSE=yes $setting "$programs/five"
    line "$who, 2 ranks on [0-9]* nodes*, loaded on all ranks; $off"
done
runs 2 PLEACH_VERBOSE=yes PLEACH_SCAN_ENGINE=native "$programs/five"
lines "$out" "$off" 0
runs 1 PLEACH_VERBOSE=yes "$programs/five"
line "$who, 1 rank; every call goes to the native MPI library: one-rank"

# Rank 0 cannot know of all ranks: they make no call together that Pleach serves, and one may lack the library.
runs 3 PLEACH_VERBOSE=yes "$programs/aloof" halves
line "$who, 3 ranks, loaded on 2 at least; all ranks together made no call that Pleach serves"
timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_VERBOSE=yes "$programs/aloof" halves : \
    -n 1 "$programs/aloof" halves >"$out" 2>&1 || fail "a rank without the library: exit status $?"
line "$who, 3 ranks, loaded on 2 at least; all ranks together made no call that Pleach serves"
if [ -x "$programs/sessions" ]; then # MPI has sessions from MPI 4 on
    runs 2 PLEACH_VERBOSE=yes "$programs/sessions"
    line "$who, loaded on 2 ranks at least"
fi

# ---- No calls -----------------------------------------------------------------------------------------------------------

runs 3 PLEACH_REPORT="$scratch/report" "$programs/aloof"
line "pleach: no report: $none"
[ ! -e "$scratch/report" ] || fail 'a report of no calls'
runs 3 PLEACH_REPORT="$scratch/report" "$programs/aloof" others
line "pleach: no report: $none"
runs 2 PLEACH_LOG=stderr "$programs/aloof"
line "pleach: no records: $none"
runs 2 PLEACH_VERBOSE=yes "$programs/aloof"
line "pleach: nothing to serve: $none"
runs 2 PLEACH_BLOCK=x "$programs/aloof"
line 'pleach: PLEACH_BLOCK=x is not understood.*; every call goes to the native MPI library; see pleach-settings(5)'
# Settings are read in MPI_Init.
fails 2 PLEACH_STRICT=yes PLEACH_BLOCK=x "$programs/aloof"
says "$out" 'the program is aborted, as PLEACH_STRICT says'
runs 2 PLEACH_REPORT=stderr ALOOF=yes env -C "$builddir/tests/programs/.libs" "$programs/host"
line 'pleach: no report: .*'
printf 'REPORT=stderr\n' >"$scratch/conf"
runs 2 PLEACH_CONF="$scratch/conf" "$programs/aloof"
line "pleach: no report: .*"

# A program may look up functions by dlsym. If dlsym searches the MPI library alone, calls of these functions do not reach
# Pleach; if it searches all loaded libraries, they do.
if with mpich openmpi; then
    library=$(ldd "$programs/five" | sed -n 's/.* => \(.*\/libmpi[^ ]*\) .*/\1/p' | head -n 1)
    runs 2 PLEACH_REPORT=stderr "$programs/taken" "$library" alone
    line "pleach: no report: $none"
    runs 2 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/taken" "$library" all
    records "$out" 'chain forced'
fi

# A library that is preloaded before Pleach may take the calls, and pass them to the PMPI functions.
if compiled libtaker.so -shared -fPIC <<'END'; then
#define _GNU_SOURCE
#include <dlfcn.h>
int MPI_Bcast(void *data, long count, long type, long root, long comm);
int MPI_Bcast(void *data, long count, long type, long root, long comm)
{
    int (*next)(void *, long, long, long, long) = (int (*)(void *, long, long, long, long))dlsym(RTLD_NEXT, "PMPI_Bcast");
    return next(data, count, type, root, comm);
}
END
    LIBPLEACH=$scratch/libtaker.so:$LIBPLEACH runs 2 PLEACH_REPORT=stderr "$programs/nofinalize" handler
    says "$out" 'nofinalize ok'
    lines "$out" "^pleach: no report: ${none%;*}; $scratch/libtaker.so takes calls before Pleach sees them; name Pleach.*" 1
fi

# Without a report or a log, no line is printed.
for setting in PLEACH_REPORT=none PLEACH_STACK=2; do
    runs 2 $setting "$programs/aloof"
    [ ! -s "$out" ] || fail "$setting: $(cat "$out")"
done
# Programs without MPI print no line: a shell, and programs that it starts.
for bystander in 'sh -c true' 'env true' 'cat /dev/null'; do
    # shellcheck disable=SC2086 # words
    PLEACH_REPORT=stderr PLEACH_VERBOSE=yes LD_PRELOAD=$LIBPLEACH $bystander >"$out" 2>&1 ||
        fail "$bystander: exit status $?"
    [ ! -s "$out" ] || fail "$bystander: $(cat "$out")"
done
exit "$status"
