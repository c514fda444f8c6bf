#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make index' prints, for each source file, up to six tests to run after a change of it, the closest ones first. A test is
# close to a file if it has the file's name, takes symbols from it, or names an engine, a subcommand or a setting of it.
# Behind a "~" are the tests of the files that use it. A line without tests stands for all scripts that start ranks.
set -eu
cd "${srcdir:?}"

# words PATTERN FILE..: prints "TEST WORD" for each match of the pattern, which ends with the word, in these files.
words() {
    grep -oE "$@" | tr "[:upper:]" "[:lower:]" |
        sed -E 's|^[^:]*/([a-z_]*)\.[a-z]*:.*[^a-z_-]([a-z_-]+)[="]?$|\1 \2|' | sort -u
}

{
    # "FILE SYMBOL TYPE" for the global symbols of all objects
    (cd "${builddir:?}" && find src tests/unit tests/programs tests/fuzz -name '*.o' -exec nm -AgP {} + 2>/dev/null) |
        sed 's|\.libs/||; s|/[a-z_0-9]*-\([^/ ]*\)\.o: |/\1 |; s|\.o: | |' | sort -u
    echo
    printf '%s\n' tests/unit/*.c tests/scripts/*.sh | sed -E 's|.*/(check_)?([a-z_]*)\..*|\1\2 \2|'
    words '(programs|tests)/[a-z_]+' tests/scripts/*.sh | sed 's| | tests/programs/|; s|programs/fuzz|fuzz|'
    # shellcheck disable=SC2016 # a pattern
    words '(pleach|"\$PLEACH") [a-z-]+' tests/scripts/*.sh | tr - _ | sed 's| | cmd_|'
    words '\$ pleach [a-z-]+' tests/golden/*.txt | tr - _ | sed 's|.* |golden cmd_|'
    words '[^A-Z]PLEACH_[A-Z_]+=' tests/scripts/*.sh | sed 's| pleach_| S|'
    grep -noE 'settings(\.|->)[a-z_]+' src/*/*.c | sed -E 's|(.*)\.c:.*[.>](.*)|S\2 \1|' | sort -u
    words 'ENGINE=[a-z-]+' tests/scripts/*.sh | sed 's| | E|'
    words '"[a-z-]+"' tests/unit/*.c | sed 's| | E|'
    grep -oE '^ *\.name = "[a-z-]+"' src/engines/*.c src/reference/*.c | sed -E 's|(.*)\.c:.*"(.*)"|E\2 \1|'
} | grep -vE '^(examine|mpi|other_mpi|soak) ' | awk '
    # reach(TEST, FILE): one more reason to run the test after a change of the file; best(FILE): those with most reasons.
    function reach(test, file) { if (!score[file, test]++) tests[file] = tests[file] " " test }
    function each(list, file,    test, n, i) { n = split(list, test); for (i = 1; i <= n; i++) reach(test[i], file) }
    function best(file,    test, n, i, most, text) {
        for (n = split(tests[file], test); n > 0 && split(text, _) < 6; test[most] = test[n--]) {
            for (i = most = 1; i <= n; i++) if (score[file, test[i]] > score[file, test[most]]) most = i
            text = text " " test[most]
        }
        return text
    }
    !NF { named = 1 }
    !named && $1 ~ /^src/ { base = $1; sub(/.*\//, "", base); at[base] = $1; if ($3 != "U") home[$2] = $1 }
    !named && $3 == "U" { used[++uses] = $2; by[uses] = $1 }
    named && $2 in at { reach($1, at[$2]); if ($2 !~ /^cmd_/) score[at[$2], $1] += 99 }
    $2 ~ /^tests|^[SE]/ { runs[$2] = runs[$2] " " $1; count[$2]++ }
    $1 ~ /^[SE]/ && count[$1] <= 8 { each(runs[$1], $2) }
    END {
        for (i = 1; i <= uses; i++) {
            file = home[used[i]]
            if (file == "" || file == by[i]) continue
            if (by[i] ~ /^src/) users[file] = users[file] " " by[i]
            else each(by[i] ~ /unit/ ? substr(by[i], 12) : by[i] ~ /fuzz/ ? "fuzz" : runs[by[i]], file)
        }
        for (base in at) list[at[base]] = best(at[base])
        for (more = 1; more--;) {
            for (file in list) if (list[file] == "") for (i = split(users[file], user); i > 0; i--) each(list[user[i]], file)
            for (file in list) if (list[file] == "" && tests[file] != "") { list[file] = best(file); far[file] = more = 1 }
        }
        for (file in list) print file ".c:" (file in far ? " ~" : "") list[file]
    }' | sort
