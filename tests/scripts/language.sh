#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The sources use one language: no word that HACKING has replaced, no two files or structs of
# one name (but an mpi.h for each interface), and no line of more than 125 columns. What users read has the field's words.
. "$srcdir/tests/scripts/mpi.sh"
cd "$srcdir" || exit 1
MOST=125

# sources FOLDER..: prints the C files of these folders.
sources() {
    find "$@" -name '*.[ch]' | sort
}

# refused WHY TEXT: fails unless TEXT is empty.
refused() {
    [ -z "$2" ] || fail "$1: $2"
}

# glossary: prints the words that HACKING defines, one a line.
glossary() {
    sed -n '/^Words, beside/,/^These words/p' HACKING | sed -nE 's/^    ([a-z, ]*[a-z])  .*/\1/p' | tr ',' '\n'
}

# replaced: prints the words that HACKING has replaced, one a line.
replaced() {
    sed -n '/^These words are no longer used/,/^$/p' HACKING | tr '\n' ' ' |
        sed 's/.*looks for them: //; s/ *([^)]*)//g; s/[. ]//g' | tr ',' '\n'
}

# replaced_words FOLDER..: prints the lines with a replaced word or its plural, also within names, but leaves out the list
# of these words and the samples of the fuzzer.
replaced_words() {
    replaced | while read -r word; do
        pattern="(^|[^a-z])${word}s?([^a-z]|\$)"
        sed '/^These words are no longer used/,/^$/d' HACKING | grep -niE "$pattern" | sed 's/^/HACKING:/'
        grep -rniE --exclude-dir=corpus "$pattern" "$@"
    done
}

# read_by_users: prints README, the manual, all --help, and the texts in the code, without the names of commands, options,
# engines and fields.
read_by_users() {
    {
        cat README man/*.[1-9] man/*.in
        for name in $("$PLEACH" --help | awk '/^  [a-z][a-z-]*  / { print $1 }'); do
            "$PLEACH" "$name" --help
        done
        find src -name '*.c' -exec grep -hvE '^ *(/?\*|//|#)' {} + | grep -oE '"([^"\\]|\\.)*"' |
            grep -vxE '"([a-z-]+|[A-Z_]+)"'
    } | sed -E "s/(pleach |[-.']|Cm |OPTIONS |, )(figures|places)\b//g"
}

# The field says parameters, topology, round-robin, is, fix, differently than, user-defined operation.
private='figures?|places|deals?|dealt|lies|lying|mend(s|ed|ing)?|otherwise than|(operations?|memory|buffer) of the program'
refused "words of our own in what users read" "$(read_by_users | grep -nwiE "$private")"
[ "$(read_by_users | wc -l)" -gt 5000 ] || fail 'what users read is not found'

[ "$(replaced | wc -l)" -ge 10 ] || fail 'HACKING has no list of replaced words any more'
words=$(glossary | wc -l)
[ "$words" -ge 10 ] && [ "$words" -le 20 ] || fail "the glossary in HACKING has $words words, not 10 to 20"
refused 'words that the glossary has replaced' "$(replaced_words src include man doc tests scripts bench)"
refused 'two files of one name' "$(sources src include | sed '/^src\/mpi\/[a-z]*\/mpi\.h$/d; s,.*/,,' | sort | uniq -d)"
refused 'two structs of one name' \
    "$(sources src include | xargs grep -hE '^(static )?struct [a-z_]+ \{' | sed 's/.*struct //' |
    sort | uniq -d)"
refused 'a header without #pragma once' \
    "$(sources include | grep '\.h$' | xargs grep -L '^#pragma once$')"
refused "more than $MOST columns" "$({
    sources src include tests bench
    echo HACKING README Makefile.am tests/tests.am scripts/* tests/*.sh tests/scripts/*.sh
} | xargs awk -v most=$MOST 'length > most { print FILENAME ":" FNR }')"
exit "$status"
