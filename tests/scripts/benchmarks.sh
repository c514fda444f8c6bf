#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/benchmarks marks a row if other code served its calls, or if the model would choose otherwise today; it marks no
# other row. All changes are to a copy of the sources.
. "$srcdir/tests/scripts/mpi.sh"
command -v python3 >/dev/null || skip 'no python3'
tree=$scratch/tree
mkdir -p "$tree/bench"
cp -R "$srcdir/src" "$srcdir/include" "$srcdir/scripts" "$tree"
cp -R "$srcdir/bench/data" "$srcdir"/bench/*.py "$tree/bench"
chmod -R u+w "$tree"
cd "$tree" || exit 1
page=$scratch/page

# measured FILE..: dates these files as if their rows had been measured just now.
measured() {
    for file; do
        python3 scripts/benchmarks --measured "$file" || fail "the date of $file"
    done
}

# writes: writes the page anew.
writes() {
    python3 scripts/benchmarks -o "$page" || fail "exit status $?"
}

# marked TITLE: prints the first words of the marked rows under this heading, then "|", then those of the others.
marked() {
    awk -v title="$1" '
        index($0, title) == 1 { table = 1; next }
        table == 1 && /^$/ { table = 2; next }
        table == 2 && (/^$/ || /REGRET/) { exit }
        table == 2 && /^  \* / { stale = stale $2 " " }
        table == 2 && /^    [a-z]/ { fresh = fresh $1 " " }
        END { print stale "|" fresh }' "$page" | sed 's/ |/|/; s/ $//; s/reduce reduce/reduce/'
}

# changes FILE SCRIPT: edits a file of the copy with sed.
changes() {
    cp "$1" "$scratch/kept"
    sed "$2" "$scratch/kept" >"$1"
    ! cmp -s "$1" "$scratch/kept" || fail "$1: '$2' changes nothing"
}

# a node: broadcasts by node-copy alone, scans by node-line alone
title='Two ranks on one node'
head -n 1 bench/data/node.tsv >"$scratch/rows"
awk -F '\t' '$4 == "auto" && ($1 == "bcast" && $5 == "node-copy" || $1 == "scan" && $2 == "exact" && $5 == "node-line")' \
    bench/data/node.tsv >>"$scratch/rows"
cp "$scratch/rows" bench/data/node.tsv
# hosts: reductions by chain
hosts='Two ranks on each of eight hosts'
head -n 1 bench/data/lab-two.tsv >"$scratch/rows"
awk -F '\t' '$4 == "auto" && $5 == "chain"' bench/data/lab-two.tsv >>"$scratch/rows"
cp "$scratch/rows" bench/data/lab-two.tsv
printf '%s\n\n%s\n\n' "$title" '@ratios node.tsv' "$hosts" '@ratios lab-two.tsv' >bench/BENCHMARKS.in

measured node.tsv lab-two.tsv
writes
equal 'rows of this code' "$(marked "$title")" '|bcast scan'
equal 'rows of this code on hosts' "$(marked "$hosts")" '|reduce'
changes src/engines/node_copy.c 's/return/return 0 +/'
writes
equal 'an engine has changed' "$(marked "$title")" 'bcast|scan'
cp "$scratch/kept" src/engines/node_copy.c
changes src/engines/node_line.c 's|^#include|/* a comment\n of two lines */\n\n  &|; s/;$/; \/\/ a comment/'
writes
equal 'comments and blanks have changed' "$(marked "$title")" '|bcast scan'
cp "$scratch/kept" src/engines/node_line.c
changes src/engines/node_steps.h 's/static/extern/'
writes
equal 'a header has changed' "$(marked "$title")" 'bcast scan|'
cp "$scratch/kept" src/engines/node_steps.h
changes src/run/rounds.c 's/return/return 0 +/'
writes
equal 'rounds have changed' "$(marked "$title")" 'bcast scan|'
equal 'rounds serve no hosts' "$(marked "$hosts")" '|reduce'
cp "$scratch/kept" src/run/rounds.c
changes src/run/loop.c 's/return/return 0 +/'
writes
equal 'the loop has changed' "$(marked "$hosts")" 'reduce|'
equal 'the loop serves no node' "$(marked "$title")" '|bcast scan'
cp "$scratch/kept" src/run/loop.c

# Rows with the facts of the model's choice: what it says today is noted, then scans have another answer.
facts='--bytes 65536 --ranks 16 --ranks-per-node 1 --beta 8e-8'
awk -F '\t' -v OFS='\t' -v facts="$facts" 'NR == 1 { print $0, "facts"; next } { print $0, $1 " " facts }' \
    bench/data/node.tsv >"$scratch/rows"
cp "$scratch/rows" bench/data/node.tsv
measured node.tsv
# shellcheck disable=SC2086 # words
answer=$("$PLEACH" choose scan $facts --format tsv | awk -F '\t' 'NR == 2 { print $1 "/" $2 }')
equal 'what the model chooses' "$(awk -F '\t' '/^scan/ { print $NF }' bench/data/node.tsv | sort -u)" "$answer"
writes
equal 'the same choice' "$(marked "$title")" '|bcast scan'
changes bench/data/node.tsv "/^scan/s,$answer\$,native/-,"
writes
equal 'another choice' "$(marked "$title")" 'scan|bcast'
complains 1 '^benchmarks: needs the command pleach' \
    env PLEACH="$scratch/none" python3 scripts/benchmarks -o "$page"

# Rows without a note of the code that served them are not of this code.
sed -i '/^node\.tsv/d' bench/data/code.tsv
writes
equal 'no code' "$(marked "$title")" 'bcast scan|'
exit "$status"
