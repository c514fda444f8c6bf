#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call sites in Python scripts are functions and lines of the script, not those of the interpreter. PYTHON names an
# interpreter.
. "$srcdir/tests/scripts/mpi.sh"
python=${PYTHON:-/usr/bin/python3} # Debian's, whatever else comes first in PATH
with mpich || skip 'the script knows the handles of MPICH'
$python -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip 'no python3 that is new enough'
library=$(ldd "$programs/five" | awk '/libmpi/ { print $3; exit }')

# sites NAME=VALUE..: fails unless the script succeeds. Its sites go to $scratch/sites, without repeated lines.
sites() {
    rm -f "$scratch/log"
    runs 2 PLEACH_LOG="$scratch/log" "$@" "$python" "$srcdir/tests/programs/scripted.py" "$library"
    says "$out" 'scripted ok'
    awk -F '\t' 'NR > 1 && !/^#/ { print $16 }' "$scratch/log" | uniq >"$scratch/sites"
    ! grep -q 'PyEval\|PyObject\|python3' "$scratch/sites" || fail "the interpreter's own frames: $(cat "$scratch/sites")"
}

# line TEXT: prints the number of the first line of the script that is TEXT.
line() {
    grep -nxF -m 1 "$1" "$srcdir/tests/programs/scripted.py" | cut -d : -f 1
}
call=$(line '    if mpi.MPI_Bcast(data, len(data), BYTE, 0, COMM_WORLD):')
step=$(line '        send()')
loop=$(line '    Solver().step()')
again=$(line '        recursive(depth - 1)')

# Before release 3.11, Python does not name a method's class.
sites PLEACH_STACK=4
sed -n 1p "$scratch/sites" | sed 's/ Solver\./ /' |
    grep -q "send (scripted.py:$call) < step (scripted.py:$step) < <module> (scripted.py:$loop)\$" ||
    fail "a method: $(cat "$scratch/sites")"
repeated="recursive (scripted.py:$again)"
sed -n 2p "$scratch/sites" |
    grep -q "send (scripted.py:$call) < recursive (scripted.py:[0-9]*) < $repeated < $repeated\$" ||
    fail "a recursion: $(cat "$scratch/sites")"
# Another thread may hold the interpreter's lock; then Pleach cannot read the script's frames.
! sed -n 3p "$scratch/sites" | grep -q 'scripted\.py' || fail "beside a thread: $(cat "$scratch/sites")"
[ "$(wc -l <"$scratch/sites")" -eq 3 ] || fail "sites: $(cat "$scratch/sites")"
! grep -q '^# frame .*pleach' "$scratch/log" ||
    fail "a frame of Python counts as one of Pleach: $(grep frame "$scratch/log")"

sites PLEACH_STACK=1
grep -q "send (scripted.py:$call)\$" "$scratch/sites" || fail "one frame: $(cat "$scratch/sites")"
sites PLEACH_STACK=0
[ "$(cat "$scratch/sites")" = - ] || fail "no stack: $(cat "$scratch/sites")"
exit "$status"
