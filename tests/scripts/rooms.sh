#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A room sees only the rooms that it needs. With the flags of a room, a source finds only the headers of the room and
# of these rooms. The build refuses an include that names a folder. Files name MPI libraries only where HACKING says so.
. "$srcdir/tests/scripts/mpi.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
planted=$scratch/planted.c
tried=0

# value EXPRESSION: prints the value that make gives it.
value() {
    make -s -C "$builddir" --no-print-directory --eval "rooms-value:; @echo '$1'" rooms-value
}

# compiles HEADER..: true if $compiler compiles a source that includes them. The output in $out shows whether a header is
# missing, or lacks other headers.
compiles() {
    tried=$((tried + $#))
    # shellcheck disable=SC2046,SC2183 # words
    printf '#if !__has_include("%s")\n#error %s is not there\n#else\n#include "%s"\n#endif\n' \
        $(for compiles_header; do echo "$compiles_header $compiles_header $compiles_header"; done) >"$planted"
    compiled
}

# compiled: true if $compiler compiles $planted.
compiled() {
    # shellcheck disable=SC2086 # words
    (cd "$builddir" && eval "$compiler -w -fsyntax-only $planted") >"$out" 2>&1
}

# room NAME OBJECTS OTHERS..: fails unless the room finds all headers of its own and of the rooms OTHERS, and of no other
# room. OBJECTS is the room's name in make.
room() {
    room_name=$1
    room_objects=$2
    compiler=$(value "\$(CC) \$(DEFS) \$($2_CPPFLAGS) \$(CPPFLAGS) \$(AM_CFLAGS) \$(CFLAGS)")
    shift 2
    for room_header in $(headers_of "$room_name"); do
        compiles "$room_header" || fail "$room_name may not include $room_header of its own: $(cat "$out")"
    done
    room_seen=" $room_name $* "
    # shellcheck disable=SC2046 # words
    [ $# -eq 0 ] || compiles $(headers_of "$@") || fail "$room_name may not include a header that it needs: $(cat "$out")"
    for room_other in $rooms; do
        case $room_seen in *" $room_other "*) continue ;; esac
        for room_header in $(headers_of "$room_other"); do
            tried=$((tried + 1))
            printf '#if __has_include("%s")\n#error %s is there\n#endif\n' "$room_header" "$room_header"
        done
    done >"$planted"
    compiled || fail "$room_name may include a header of a room that it does not need: $(cat "$out")"
    # If the compiler's own path has an mpi.h, only `make check-static' can find an include of mpi.h.
    case $room_seen in *' mpi '*) return ;; esac
    compiler=$(value "\$(CC)")
    if ! compiles mpi.h; then
        compiler=$(value "\$(CC) \$(${room_objects}_CPPFLAGS)")
        compiles mpi.h && fail "$room_name finds mpi.h"
    fi
}

# headers_of ROOM..: prints the headers that these rooms show.
headers_of() {
    for headers_room; do
        for headers_header in "$srcdir/include/pleach/$headers_room"/*.h; do
            [ ! -e "$headers_header" ] || echo "${headers_header##*/}" # a room may show nothing
        done
    done
}

rooms='base schedule simulate choose record report mpi run agreement interpose cli bench'
pure='base schedule choose'
room base libbase_la
room schedule libschedule_la base
room simulate libsimulate_la base schedule
room choose libchoose_la base schedule
# shellcheck disable=SC2086 # words
{
    room record librecord_la $pure
    room report libreport_la $pure record
    room cli libcli_la $pure simulate record report
    room mpi libmpiroom_la $pure # libmpi would be MPI's own library
    room run librun_la $pure mpi
    room agreement libagreement_la $pure record mpi run
    room interpose libinterpose_la $pure record mpi run agreement
    room bench pleach_mpi $pure record mpi run agreement interpose cli
}
echo "$tried includes tried"
[ "$tried" -gt 400 ] || fail 'hardly any include was tried'

# known_in WORDS PLACE..: fails unless all sources that have these words, even in a comment, are in these places. HACKING
# must name each place, and each place must have such words: a place that has none is no exception any more.
known_in() {
    known_words=$1
    shift
    known_files=$(cd "$srcdir" && grep -rliE --include='*.[ch]' "$known_words" src include)
    for known_place; do
        grep -qF "$known_place" "$srcdir/HACKING" || fail "HACKING does not name $known_place"
        case $known_files in
        *"$known_place"*) ;;
        *) fail "$known_place has no $known_words any more" ;;
        esac
        known_files=$(echo "$known_files" | grep -v "^$known_place")
    done
    [ -z "$known_files" ] || fail "these know MPI libraries ($known_words), and HACKING does not say so: $known_files"
}

known_in 'mpich|mvapich|open[ _-]?mpi|ompi_|mpir_|intel mpi' src/mpi include/pleach/mpi src/choose/native \
    include/pleach/facts/natives.h src/base/launcher.c src/base/mpis.c include/pleach/base/mpis.h src/cli
known_in 'ompi_comm_world_[rsl]|pmi_|pmix_|slurm_|localnranks' src/base/launcher.c src/cli/doctor_

# The build takes the sources as they are, and refuses a planted one.
cp -Rp "$srcdir/src" "$scratch/src"
for name in "$srcdir"/*; do
    [ -e "$scratch/${name##*/}" ] || ln -s "$name" "$scratch/${name##*/}"
done
make -C "$builddir" all-local srcdir="$scratch" >"$out" 2>&1 || fail "make: $(cat "$out")"
chmod -R u+w "$scratch/src" # the sources may be read-only
echo ' # include "../run/run.h"' >"$scratch/src/base/planted.c"
make -C "$builddir" all-local srcdir="$scratch" >"$out" 2>&1 && fail 'an include that names a folder is built'
says "$out" 'src/base/planted.c:1:'
exit "$status"
