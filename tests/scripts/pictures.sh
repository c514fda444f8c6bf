#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench/plot.awk draws measured rows: the wire's limit, native, the library's choice on top, and only the engines that are
# the fastest at some size, each in its colour.
. "$srcdir/tests/scripts/mpi.sh"

# row CURVE BYTES VALUE: prints a row of one panel.
row() {
    printf 'panel\t%s\t%s\t%s\t%s\t%s\n' "$unit" "$1" "$1" "$2" "$3"
}

# curves: prints the curves that plot.awk draws of the rows on standard input, from the lowest to the top.
curves() {
    awk -f "$srcdir/bench/plot.awk" "$srcdir/src/reference/colour.c" - >"$out"
    sed -n 's/^plot //p' "$out" | grep -o 'title "[^"]*"' | sed 's/title "\(.*\)"/\1/' | tr '\n' ' '
}

# At 1K ring is the fastest. At 1M chain is the fastest, and bintree within 3 %, so one of them suffices. binomial is never
# fast.
unit=MB/s
equal 'curves of bandwidth' "$({
    row auto 1024 10; row auto 1048576 50
    row binomial 1024 11; row binomial 1048576 70
    row bintree 1024 11; row bintree 1048576 98
    row chain 1024 12; row chain 1048576 100
    row limit - 101
    row native 1024 5; row native 1048576 20
    row ring 1024 15; row ring 1048576 30
} | curves)" 'wire native bintree ring auto '
says "$out" 'lw 3.5 dt 1 lc rgb "#000000" title "auto"'
says "$out" 'lc rgb "#29cdf0" title "bintree"'
says "$out" 'lc rgb "#9b3a39" title "ring"'
says "$out" 'lc rgb "#a9abae" title "native"'
says "$out" 'set xtics ("1K" 1024, "1M" 1048576)'

# With times the least value is the best. For a size at which native is the fastest, no engine is drawn.
unit=ms
equal 'curves of times' "$({
    row native 8 1; row native 64 9
    row chain 8 2; row chain 64 4
    row ring 8 1.5; row ring 64 8
    row auto 8 1; row auto 64 4
} | curves)" 'native chain auto '

have gnuplot 'what is drawn' || exit "$status"
sh "$srcdir/scripts/pictures" -o "$scratch/pictures" 2>"$scratch/err" || fail "pictures: $(cat "$scratch/err")"
for picture in node lab figures; do
    file=$scratch/pictures/$picture.svg
    [ "$(grep -c -e '<svg' -e '</svg>' "$file")" -eq 2 ] || fail "$picture is no SVG"
    panels=$(grep -c '<title>auto<' "$file")
    equal "native curves of $picture" "$(grep -c '<title>native<' "$file")" "$panels"
    [ "$panels" -ge 4 ] || fail "$picture has $panels panels"
done
equal 'what is left' "$(find "$scratch/pictures" -type f | wc -l)" 3
exit "$status"
