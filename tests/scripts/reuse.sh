#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Communicators that live for a few calls: the next one of the same ranks in the same order takes over what Pleach made for
# the one before. The library made counts what is made.
. "$srcdir/tests/scripts/mpi.sh"
unset PLEACH_SHARED
behind=$fakes/made.so

# makes FILE SHARED WAY N: fails unless the program `reuse' is right. $scratch/FILE has what each rank has made.
makes() {
    rm -f "$scratch/made"
    case $2 in
    no) makes_engines=chain,butterfly ;;
    *) makes_engines=node-copy,node-line,node-ring ;;
    esac
    runs 3 MADE_FILE="$scratch/made" PLEACH_SHARED="$2" PLEACH_ENGINE=$makes_engines PLEACH_THRESHOLD=0 \
        PLEACH_LOG="$scratch/log" "$programs/reuse" "$3" "$4"
    # MPI_Finalize releases what waits, if the library knows that the last communicators are gone.
    [ "$3" = threads ] || ! with mpich || says "$out" 'reuse ok, 0 left'
    case $2 in
    no) grep -q '	chain	' "$scratch/log" ;;
    *) grep -q '	node-[a-z]*	' "$scratch/log" ;;
    esac || fail "$3: no engine of $makes_engines has served"
    rm -f "$scratch/log"
    sort "$scratch/made" >"$scratch/$1"
}

# count FILE WHAT: prints how many of these rank 0 has made.
count() {
    awk -v what="$2" '$1 == "0:" { for (i = 2; i < NF; i++) if (index($(i + 1), what) == 1) print $i }' "$scratch/$1"
}

# Ten times as many communicators make nothing more.
for shared in 64M no; do
    for way in dups orders late callbacks unused thread; do
        makes few $shared $way 12
        makes many $shared $way 120
        equal "$way, PLEACH_SHARED=$shared: for 120 communicators" "$(cat "$scratch/many")" "$(cat "$scratch/few")"
    done
done
makes few 64M dups 12
equal 'pieces of memory' "$(count few memfds)" 1

# Threads make communicators in an order that differs between ranks. Ranks then may have to make new ones.
for shared in 64M no; do
    makes many $shared threads 100
    [ "$(count many splits)" -lt 150 ] || fail "300 communicators of three threads: $(cat "$scratch/many")"
done

# After an error, nobody takes over what was used. What the kernel says of limits is read once, not for each segment.
makes few 64M errors 16
makes many 64M errors 80
[ "$(count many memfds)" -gt "$(count few memfds)" ] || fail "a segment is used after an error: $(cat "$scratch/many")"
equal 'files of /proc and /sys' "$(count many files)" "$(count few files)"
exit "$status"
