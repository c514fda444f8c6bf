#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A room sees only the rooms that it needs. With the flags of a room, a source finds only the headers of the room and
# of these rooms, and no object needs a symbol of another room. Hardly any files need each other. The build refuses an
# include that names a folder. Files name MPI libraries only where HACKING says so.
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
    # If the compiler's own path has an mpi.h, only `make check-static' can find an include of it.
    compiler=$(value "\$(CC)")
    echo '#include <mpi.h>' >"$planted"
    compiled && return
    compiler=$(value "\$(CC) \$(${room_objects}_CPPFLAGS)")
    compiled && fail "$room_name finds the mpi.h of an MPI library"
    case $room_seen in *' mpi '*) return ;; esac
    compiles mpi.h && fail "$room_name finds our mpi.h"
}

# headers_of ROOM..: prints the headers that these rooms show.
headers_of() {
    for headers_room; do
        for headers_header in "$srcdir/include/pleach/$headers_room"/*.h; do
            [ ! -e "$headers_header" ] || echo "${headers_header##*/}" # a room may show nothing
        done
    done
}

# Each line has a room, its objects in make, and the rooms that it sees: "..." stands for those of all lines before, "pure"
# for base to record, and "-ROOM" leaves a room out.
table='base libbase_la
schedule libschedule_la ...
trees libtrees_la ...
engines libengines_la ...
reference libreference_la ...
facts libfacts_la ...
settings libsettings_la ...
topology libtopology_la ...
learn liblearn_la ...
choose libchoose_la ...
record librecord_la ...
front libpleach_la base schedule
mpi libmpiroom_la ... -record
run librun_la ... -record
agreement libagreement_la ...
measure libmeasure_la ...
call libcall_la ...
watch libwatch_la ...
verify libverify_la ...
interpose libinterpose_la ...
bench libpleach_bench_mpich_la ... report cli
simulate libsimulate_la base schedule trees engines reference
report libreport_la pure
cli libcli_la pure simulate report
launch liblaunch_la pure simulate report cli
doctor libdoctor_la pure simulate report cli launch
commands pleach pure simulate report cli launch doctor'
echo "$table" | awk '{
    seen = ""
    for (i = 3; i <= NF; i++)
        if ($i == "...") seen = seen before
        else if ($i == "pure") seen = seen pure
        else if ($i ~ /^-/) { sub(" " substr($i, 2) " ", " ", seen) }
        else seen = seen $i " "
    before = before $1 " "
    if ($1 == "record") pure = before
    print $1, $2, seen
}' >"$scratch/table"
rooms=$(cut -d' ' -f1 "$scratch/table")
while read -r name objects seen; do
    # shellcheck disable=SC2086 # words
    room "$name" "$objects" $seen
done <"$scratch/table"
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

# The linker's graph, of objects as room/file. An edge is a symbol of another object that an object needs.
nm -P -A "$builddir"/src/*/.libs/lib*.o "$builddir"/src/commands/*.o 2>/dev/null |
    grep -v '/libopenmpi_la-\|/libstandard_la-\|base/.libs/libpleach_la-' |
    grep -v '/libpleach_\(\(bench_\)*\(abi\|openmpi\)\|others\|report\)_la-' | awk '{
        n = split($1, part, "/")
        file = part[n]
        room = part[n - 1] == ".libs" ? part[n - 2] : part[n - 1]
        sub(/^[a-z_]*-/, "", file)
        sub(/\.o:$/, "", file)
        object = room "/" file
        if ($3 ~ /^[TDBRVWGSC]$/) from[$2] = object
        else if ($3 == "U") need[object " " $2]
    } END {
        for (pair in need) {
            split(pair, p, " ")
            if (p[2] in from && from[p[2]] != p[1]) print p[1], from[p[2]]
        }
    }' | sort -u >"$scratch/edges"
echo "$(wc -l <"$scratch/edges") edges"
[ "$(wc -l <"$scratch/edges")" -gt 500 ] || fail 'hardly any edge was found'
awk 'NR == FNR { for (i = 1; i <= NF; i++) if (i != 2) sees[$1 " " $i]; next }
    { a = $1; b = $2; sub("/.*", "", a); sub("/.*", "", b); if (!((a " " b) in sees)) print $1 " needs " $2 }' \
    "$scratch/table" "$scratch/edges" >"$out"
[ ! -s "$out" ] || fail "an edge leads to a room that is not seen: $(cat "$out")"

# knot NAME FILE..: prints a sed script that makes one node NAME of these files.
knot() {
    knot_name=$1
    shift
    for knot_file; do
        printf 's,\\b%s\\b,%s,g\n' "$knot_file" "$knot_name"
    done
}
# Files that need each other are a knot. These are real recursion: a stage of a call is a call.
knots='stages choose/choose choose/model choose/predict choose/stages
operations run/composed run/loop run/operation
segments agreement/private_comm agreement/sharing'
echo "$knots" | while read -r name files; do
    # shellcheck disable=SC2086 # words
    knot "$name" $files
done >"$scratch/knots"
sed -f "$scratch/knots" "$scratch/edges" | awk '$1 != $2' | tsort 2>&1 >/dev/null | sed 's/^tsort: //' >"$out"
[ ! -s "$out" ] || fail "a knot: $(cat "$out")"
for name in $(echo "$knots" | cut -d' ' -f1); do
    grep -v ",$name,g$" "$scratch/knots" >"$scratch/fewer"
    sed -f "$scratch/fewer" "$scratch/edges" | awk '$1 != $2' | tsort >"$out" 2>&1 && fail "the files of $name are no knot"
done

known_in 'mpich|mvapich|open[ _-]?mpi|ompi_|mpir_|intel mpi' src/front include/pleach/front src/bench/pleach_mpi.c \
    src/mpi include/pleach/mpi src/choose/native \
    include/pleach/facts/natives.h src/base/launcher.c src/base/mpis.c include/pleach/base/mpis.h src/commands src/launch \
    include/pleach/launch src/doctor src/cli/figurefile.c
known_in 'ompi_comm_world_[rsl]|pmi_|pmix_|slurm_|localnranks' src/base/launcher.c src/doctor/doctor_

# The calls of a communicator count on all ranks or on none, so one function alone counts them: known_made().
counts=$(cd "$srcdir" && grep -rnE '(known(\.|->)|\<k->)made *(\+\+|--|[-+]?=[^=])' src include)
[ "$(echo "$counts" | cut -d : -f 1)" = include/pleach/choose/decision.h ] || fail "other functions count calls: $counts"

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
