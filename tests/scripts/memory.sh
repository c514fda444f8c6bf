#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# valgrind finds no memory error and no leak in Pleach. Errors of MPICH and its libraries do not count.
. "$srcdir/tests/scripts/mpi.sh"
behind=$fakes/native_calls.so

[ -n "${VALGRIND:-}" ] || skip 'no valgrind'
! nm -D "$LIBPLEACH" | grep -q __asan_init || skip 'built with a sanitizer'
# libunwind writes memory to a pipe to find out whether it can read the memory. valgrind takes that for a use of the data.
cat >"$scratch/suppressions" <<'EOF'
{
   libunwind-validates-addresses
   Memcheck:Param
   write(buf)
   ...
   obj:*/libunwind.so.*
}
EOF
# Pleach does not free private communicators at the end, as calls may come until the very end; MPI's memory for them stays.
# If Pleach did not free them with the program's communicators, tests/programs/communicators would run out of communicators.
for owner in split_self split_comm; do
    cat >>"$scratch/suppressions" <<EOF
{
   never-freed-$owner
   Memcheck:Leak
   ...
   fun:PMPI_Comm_split
   ...
   fun:$owner
   ...
}
EOF
done
# What MPI leaks while it begins, it leaks natively, too.
cat >>"$scratch/suppressions" <<'EOF'
{
   native-beginning
   Memcheck:Leak
   ...
   fun:PMPI_Init*
   ...
}
EOF
# While a communicator is being freed, Pleach asks MPI whether it lives. MPICH then makes a group for it, and keeps that.
cat >>"$scratch/suppressions" <<'EOF'
{
   group-of-a-communicator-that-goes
   Memcheck:Leak
   ...
   fun:PMPI_Comm_compare
   fun:alive
   fun:on_delete
   ...
}
EOF

# An error is Pleach's if libpleach.so is on its stack; the test looks for no other errors in the output.
# checks [NAME=VALUE..] -- PROGRAM [ARG..]
checks() {
    checks_settings=
    while [ "$1" != -- ]; do
        checks_settings="$checks_settings $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # settings without blanks
    runs 2 $checks_settings "$VALGRIND" --quiet --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --num-callers=40 --fullpath-after= --suppressions="$scratch/suppressions" --log-file="$scratch/valgrind.%p" "$@"
}
checks PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain,ring,butterfly PLEACH_BLOCK=3K PLEACH_LOG="$scratch/log" -- \
    "$differential" --quick
says "$out" 'cases ok'
checks PLEACH_SHARED=64M PLEACH_THRESHOLD=0 PLEACH_ENGINE=node-copy,node-line PLEACH_SCAN_ENGINE=node-prefixes \
    PLEACH_BLOCK=3K PLEACH_LOG="$scratch/shared" -- "$programs/five"
for engine in node-copy node-line node-prefixes; do
    says "$scratch/shared" "	$engine	"
done
# Operations that assign whole structs, in scratch memory and in that of a segment.
checks PLEACH_THRESHOLD=0 PLEACH_ENGINE=two-tree -- "$programs/structs" all reduce
says "$out" 'structs ok'
checks PLEACH_SHARED=64M PLEACH_THRESHOLD=0 PLEACH_ENGINE=node-line -- "$programs/structs"
says "$out" 'structs ok'
checks PLEACH_ENGINE=chain -- "$programs/dropped"
says "$out" 'dropped ok'
for engine in chain butterfly; do
    says "$scratch/log" "	$engine	"
done
# An empty line behind the process number ends a paragraph. valgrind names a frame by its source file if it knows the file.
cat "$scratch"/valgrind.* | sed 's/^==[0-9]*== *$//' |
    awk -v RS= '/libpleach\.so|src\/[a-z]+(\/[a-z]+)?\/[a-z_]*\.c:/' >"$scratch/ours"
[ ! -s "$scratch/ours" ] || {
    fail 'memory errors or leaks in libpleach.so:'
    head -n 60 "$scratch/ours"
}

exit "$status"
