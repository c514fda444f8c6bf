#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# No memory error and no leak of ours, under valgrind; what MPICH and its friends do is theirs.
. "$srcdir/tests/mpi.sh"

[ -n "${VALGRIND:-}" ] || skip 'no valgrind'
! nm -D "$LIBPLEACH" | grep -q __asan_init || skip 'built with a sanitizer'
# libunwind finds out whether memory may be read by writing it to a pipe, which valgrind takes for a use of its contents.
cat >"$scratch/suppressions" <<'EOF'
{
   libunwind-validates-addresses
   Memcheck:Param
   write(buf)
   ...
   obj:*/libunwind.so.*
}
EOF
# Communicators that are never freed, as calls may come to the very end, keep what MPI has allocated for them. That those of
# freed communicators go is for tests/programs/communicators, which would run out of them.
for owner in split_self split_comm; do
    cat >>"$scratch/suppressions" <<EOF
{
   never-freed-$owner
   Memcheck:Leak
   ...
   fun:PMPI_Comm_split
   fun:$owner
   ...
}
EOF
done
# A communicator that goes, but has not gone yet, is asked whether it lives: MPICH then makes a group for it, and keeps that.
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

# Errors whose stack does not touch libpleach.so are not ours: only those that do are looked for in the output.
runs 2 PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain,ring,butterfly PLEACH_BLOCK=3K PLEACH_LOG="$scratch/log" \
    "$VALGRIND" --quiet --leak-check=full --show-leak-kinds=definite,indirect,possible --num-callers=40 --fullpath-after= \
    --suppressions="$scratch/suppressions" \
    --log-file="$scratch/valgrind.%p" "$builddir/tests/differential" --quick
says "$out" 'cases ok'
for engine in chain butterfly; do
    says "$scratch/log" "	$engine	"
done
# Paragraphs end with an empty line behind the process number. A frame is named by its source where that is known.
cat "$scratch"/valgrind.* | sed 's/^==[0-9]*== *$//' |
    awk -v RS= '/libpleach\.so|src\/[a-z]+(\/[a-z]+)?\/[a-z_]*\.c:/' >"$scratch/ours"
[ ! -s "$scratch/ours" ] || {
    fail 'memory errors or leaks in libpleach.so:'
    head -n 60 "$scratch/ours"
}

exit "$status"
