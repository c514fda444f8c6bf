#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command pleach prints word for word what the transcripts tests/golden/NAME.txt say.
#
#     $ command      run by sh in a folder of the transcript's own, which has the files of tests/golden/files
#     2$ command     the same, for a command whose exit status is 2
#     | text         a line of its standard output
#     ! text         a line of its standard error
#
# All other lines are prose. quoted() replaces texts that differ between machines. UPDATE=yes writes the transcripts anew:
#
#     UPDATE=yes sh scripts/test golden; git diff
set -u
: "${srcdir:?}" "${LIBPLEACH:?}" "${YIELD:?}" # set by make check, as PLEACH is
golden=$srcdir/tests/golden
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
LC_ALL=C PATH=$(dirname "$PLEACH"):$PATH
export LC_ALL PATH

# quoted MARK FILE: prints the lines of the file behind MARK; texts that differ between machines become names.
quoted() {
    sed -e "s|$LIBPLEACH|LIBPLEACH|g" -e "s|$YIELD|YIELD|g" -e 's/^pleach [0-9][0-9.]*[-0-9a-z.]*$/pleach VERSION/' "$2" |
        awk -v mark="$1" '{ print mark ($0 == "" ? "" : " ") $0 }'
}

# Reads a transcript on standard input, runs its commands, and prints it with their present output.
perform() {
    while IFS= read -r line; do
        case $line in
        '$ '* | [0-9]'$ '* | [0-9][0-9]'$ '* | [0-9][0-9][0-9]'$ '*)
            command=${line#*'$ '}
            status=0
            timeout 100 sh -c "$command" >../out 2>../err </dev/null || status=$?
            printf '%s$ %s\n' "${status#0}" "$command"
            quoted '|' ../out
            quoted '!' ../err
            ;;
        '|'* | '!'*) ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

failures=0
for transcript in "$golden"/*.txt; do
    name=$(basename "$transcript")
    case $name${JSON:?} in
    compare.txtno | report.txtno)
        echo "not tested: $name: built without json-c"
        continue
        ;;
    esac
    mkdir "$scratch/here"
    cp "$golden"/files/* "$scratch/here"
    chmod u+w "$scratch"/here/* # sources may be read-only
    (cd "$scratch/here" && perform) <"$transcript" >"$scratch/now"
    rm -rf "$scratch/here"
    if [ "${UPDATE:-no}" = yes ]; then
        cmp -s "$scratch/now" "$transcript" || cp "$scratch/now" "$transcript"
    elif ! diff -u "$transcript" "$scratch/now"; then
        echo "FAIL: $name; if the new output (+) is right: UPDATE=yes sh scripts/test golden"
        failures=$((failures + 1))
    fi
    echo "$name: $(grep -c '^[0-9]*\$ ' "$transcript") commands"
done

# misquoted: prints the lines that HACKING quotes behind "    $ pleach ..", up to an empty line, and that the command does
# not print. Blanks do not count.
misquoted() {
    sed -n '/^    \$ pleach /,/^$/p' "$srcdir/HACKING" | tr -s ' ' | while IFS= read -r line; do
        case $line in
        ' $ '*) sh -c "${line#' $ '}" </dev/null 2>&1 | tr -s '\t ' ' ' | sed 's/^ //' >"$scratch/now" ;;
        ?*) grep -qxFe "${line#' '}" "$scratch/now" || printf '%s\n' "$line" ;;
        esac
    done
}
quotes=$(grep -c '^    \$ pleach ' "$srcdir/HACKING")
wrong=$(misquoted)
echo "HACKING: $quotes commands"
if [ "$quotes" -lt 2 ] || [ -n "$wrong" ]; then
    echo "FAIL: HACKING quotes lines of $quotes commands, and these are not printed: $wrong"
    failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
