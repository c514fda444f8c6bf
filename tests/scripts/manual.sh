#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The manual pages and README agree with the code where no page is made from the code: each command, option, reason, column
# and version of a format stands in the text, and the text names no other commands and settings.
set -u
: "${srcdir:?}" "${builddir:?}"
reference=$srcdir/man/pleach.7
records=$srcdir/man/pleach-report.5
command=$builddir/man/pleach.1
rules=$srcdir/man/pleach-rules.5
readme=$srcdir/README
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
looked=0
missing=0

lacks() {
    echo "$1"
    missing=$((missing + 1))
}

# look FILE TEXT [-x]: counts a lack unless the file has this text or, with -x, this line.
look() {
    looked=$((looked + 1))
    grep -qF ${3:+"$3"} -- "$2" "$1" || lacks "$1 lacks ${3:+the line }$2"
}

# The manual and README have all commands; the manual also has their options.
for name in $("$PLEACH" --help | awk '/^  [a-z][a-z-]*  / { print $1 }'); do
    grep -q "^\.\(It\|Nm\) Cm $name\( \|$\)" "$command" || lacks "$command has no item for $name"
    looked=$((looked + 1))
    grep -qw -- "$name" "$readme" || lacks "$readme lacks the command $name"
    for option in $("$PLEACH" "$name" --help |
        awk '/^  -/ { for (i = 1; i <= 2; i++) if ($i ~ /^-/) { sub(",", "", $i); print substr($i, 2) } }'); do
        look "$command" "Fl $option"
    done
done
look "$command" 'Fl -version'

# The pages that are made from the command are whole.
grep -n '^@' "$builddir"/man/*.[1-9] && lacks 'a template has lines that fill.awk does not know'
[ "$(grep -c '^\.It Ev PLEACH_' "$builddir/man/pleach-settings.5")" -eq "$("$PLEACH" settings | grep -c '^PLEACH_')" ] ||
    lacks 'pleach-settings(5) has other settings than the code'
[ "$(grep -c '^\.It Cm ' "$builddir/man/pleach-engines.7")" -eq \
    "$("$PLEACH" engines --all | awk '!NF { part++ } part == 1 && NF' | tail -n +2 | wc -l)" ] ||
    lacks 'pleach-engines(7) has other engines than the code'

# README and the manual name only commands and settings that exist.
for page in "$readme" "$srcdir"/man/*.[1-9] "$srcdir"/man/*.in; do
    while read -r name; do
        looked=$((looked + 1))
        case $name in
        pleach*) "$PLEACH" "${name#pleach }" --help >/dev/null 2>&1 || lacks "$page: '$name' is no command" ;;
        PLEACH_ | PLEACH_ROOT) ;; # the prefix; what modules set
        *) "$PLEACH" settings | sed 's/\[<COLL>_\]//' | grep -q "^$name " || lacks "$page: $name is no setting" ;;
        esac
    done <<END
$(grep -o -e 'pleach [a-z][a-z-]*' -e 'PLEACH_[A-Z_]*' "$page" |
    sed 's/_\(BCAST\|REDUCE\|ALLREDUCE\|SCAN\|EXSCAN\)_/_/' | sort -u)
END
done

# BENCHMARKS is what scripts/benchmarks writes from the measured rows, and README quotes lines of it without their marks.
python3 "$srcdir/scripts/benchmarks" -o "$scratch/benchmarks"
diff "$srcdir/BENCHMARKS" "$scratch/benchmarks" || lacks 'BENCHMARKS (<) is not what scripts/benchmarks writes (>)'
sed 's/^  \* /    /' "$srcdir/BENCHMARKS" >"$scratch/unmarked"
grep '^    [a-z].* ##' "$readme" >"$scratch/picture"
[ "$(wc -l <"$scratch/picture")" -ge 5 ] || lacks "$readme has no picture"
while IFS= read -r line; do
    look "$scratch/unmarked" "$line" -x
done <"$scratch/picture"

# README has the ratios of applications that BENCHMARKS has.
ratios=$(awk '{ sub(/^ *\* /, "") } /^ *(cp2k|espresso) +[0-9.]+ +[0-9.]+ / { print $4 }' "$srcdir/BENCHMARKS")
[ "$(echo "$ratios" | wc -l)" -eq 2 ] || lacks 'BENCHMARKS has no applications'
for ratio in $ratios; do
    look "$readme" "$ratio ("
done

# The manual has conditions and actions of rules, and the names of operation classes and of places of the root.
while read -r key; do
    look "$rules" ".It Cm $key" -x
done <<END
$(sed -n 's/^    {"\([a-z-]*\)", \(true\|false\),.*/\1/p' "$srcdir/src/settings/rules_keys.c")
$(sed -n 's/.*\(\[OP_NONE\]\|\[ROOT_FIRST\]\) = //p' "$srcdir/src/facts/facts.c" | grep -o '"[a-z]*"' | tr -d '"')
END

# The manual has the reasons and columns of the records.
while read -r reason; do
    [ "$reason" = none ] || look "$records" ".It Cm $reason" -x
done <<END
$(sed -n 's/^ *X([A-Z_]*, "\([a-z-]*\)", .*/\1/p' "$srcdir/include/pleach/facts/facts.h")
END
while read -r column; do
    look "$records" ".It $column" -x
done <<END
$(sed -n '/^static const char HEADER/,/;/p' "$srcdir/src/record/record.c" | grep -o '"[^"]*"' | sed 's/\\[tn]/ /g; s/"//g' |
    xargs -n 1)
END
for column in $("$PLEACH" schedule chain bcast --ranks 1 | tr '\t' ' '); do
    look "$command" "$column"
done

# The manual names the versions of the formats that it promises to keep.
while read -r format; do
    [ -z "$format" ] || look "$reference" ".Ql $format"
done <<END
$(sed -n 's/.*RULES_VERSION = \([0-9]*\).*/pleach-rules \1/p' "$srcdir/include/pleach/settings/rules.h")
$(sed -n 's/.*RANK_REPORT_VERSION = \([0-9]*\).*/pleach-part \1/p' "$srcdir/include/pleach/record/rank_report.h")
$(sed -n 's/.*"\(# pleach-log [0-9]*\),.*/\1/p' "$srcdir/src/record/record.c")
END

# Each page names its release, and NEWS has an entry for it.
version=$("$PLEACH" --version)
for page in "$srcdir"/man/*.[1-9]; do
    look "$page" ".Os Pleach ${version#pleach }" -x
done
look "$srcdir/NEWS" "${version#pleach }" -x

echo "$looked things looked for, $missing missing"
[ "$looked" -gt 80 ] && [ "$missing" -eq 0 ]
