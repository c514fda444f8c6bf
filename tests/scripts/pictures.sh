#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/benchmarks draws measured rows: the wire's limit, native, the library's choice on top, and only the engines that
# are the fastest at some size, each in its colour.
. "$srcdir/tests/scripts/mpi.sh"
python=${PYTHON:-/usr/bin/python3} # Debian's, whatever else comes first in PATH
command -v "$python" >/dev/null || skip 'no python3'
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$srcdir/bench"

# curves UNIT: prints the curves that are drawn of the rows on standard input, from the lowest to the top, and their colours.
# A row has a curve, bytes and microseconds.
curves() {
    (cd "$srcdir" && "$python" -c 'if True:
        import sys, curves
        panel = curves.Panel(sys.argv[1])
        for line in sys.stdin:
            curve, number, us = line.split()
            panel.add(curve, int(number), float(us))
        colours = curves.colours({"": panel})
        print(*(curve + colours[curve] for curve in panel.drawn()))' "$1")
}

# At 1K ring is the fastest. At 1M chain is the fastest, and bintree within 3 %, so one of them suffices. binomial is never
# fast.
equal 'curves of bandwidth' "$(
    curves MB/s <<'END'
auto 1024 102
auto 1048576 20971
binomial 1024 93
binomial 1048576 14979
bintree 1024 93
bintree 1048576 10699
chain 1024 85
chain 1048576 10485
native 1024 204
native 1048576 52428
ring 1024 68
ring 1048576 34952
END
)" 'native#a9abae bintree#29cdf0 ring#9b3a39 auto#000000'

# With times the least value is the best. For a size at which native is the fastest, no engine is drawn.
equal 'curves of times' "$(
    curves ms <<'END'
native 8 1000
native 64 9000
chain 8 2000
chain 64 4000
ring 8 2500
ring 64 8000
auto 8 1000
auto 64 4000
END
)" 'native#a9abae chain#29cdf0 auto#000000'

# Rows that were measured before: a panel for each call, with the limit of the wire, which takes 1 beta m or, in an
# all-reduce of four hosts, 1.5 beta m.
tr ' ' '\t' >"$scratch/rows.tsv" <<'END'
ranks hosts collective op bytes engine median_us t_over_beta_m
4 4 bcast - 1024 native 200 2
4 4 bcast - 1024 auto 100 1
4 4 allreduce exact 1024 native 300 3
4 4 allreduce exact 1024 learned 150 1.5
4 4 allreduce exact 1024 auto 150 1.5
4 4 allreduce exact 1024 ring - -
END
# panels FILE..: prints a line for each panel: its title, the limit of the wire in MB/s, and its curves.
panels() {
    (cd "$srcdir" && "$python" -c 'if True:
        import sys, curves
        for title, panel in curves.panels_of(sys.argv[1:]).items():
            print(title, f"{panel.limit:.2f}", *panel.values, sep="|")' "$@")
}
equal 'panels' "$(panels "$scratch/rows.tsv")" \
    'bcast, 4 ranks on 4 hosts|10.24|native|auto
allreduce exact, 4 ranks on 4 hosts|6.83|native|auto'
head -n 3 "$scratch/rows.tsv" >"$scratch/more.tsv"
equal 'panels of two files' "$(panels "$scratch/rows.tsv" "$scratch/more.tsv" | cut -d '|' -f 1)" \
    'rows.tsv: bcast, 4 ranks on 4 hosts
rows.tsv: allreduce exact, 4 ranks on 4 hosts
more.tsv: bcast, 4 ranks on 4 hosts'
sed 's/hosts/places/' "$scratch/rows.tsv" >"$scratch/other.tsv"
complains 1 '^benchmarks: .*other.tsv has no rows' "$python" "$srcdir/scripts/benchmarks" --plot "$scratch/other.tsv" \
    -o "$scratch/no.svg"
complains 2 '^benchmarks: --plot needs -o' "$python" "$srcdir/scripts/benchmarks" --plot "$scratch/rows.tsv"

"$python" -c 'import matplotlib' 2>/dev/null || {
    complains 1 '^benchmarks: .*no matplotlib' "$python" "$srcdir/scripts/benchmarks" --plot "$scratch/rows.tsv" \
        -o "$scratch/no.svg"
    echo 'not tested: what is drawn: there is no matplotlib (Debian: python3-matplotlib)'
    exit "$status"
}
"$python" "$srcdir/scripts/benchmarks" --pictures -o "$scratch/pictures" 2>"$scratch/err" ||
    fail "pictures: $(cat "$scratch/err")"
"$python" "$srcdir/scripts/benchmarks" --plot "$scratch/rows.tsv" -o "$scratch/pictures/rows.svg" || fail '--plot'
for picture in node:13 lab:12 figures:4 rows:2; do
    file=$scratch/pictures/${picture%:*}.svg
    panels=${picture#*:}
    [ "$(grep -c -e '<svg' -e '</svg>' "$file")" -eq 2 ] || fail "$picture is no SVG"
    for curve in native auto; do
        equal "$curve curves of $picture" "$(grep -c "<g id=\"[^\"]*: $curve\">" "$file")" "$panels"
    done
    ! grep -q '<g id="[^"]*: learned">' "$file" || fail "$picture has a curve of learned"
done
equal 'what is left' "$(find "$scratch/pictures" -type f | wc -l)" 4
exit "$status"
