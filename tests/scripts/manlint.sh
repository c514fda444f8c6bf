#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mandoc, man and groff format the manual pages without a warning at 80, 100 and 120 columns, and no line is wider than that.
set -u
: "${srcdir:?}"
looked=0
bad=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

has() {
    command -v "$1" >/dev/null
}

# quiet WHAT COMMAND..: counts a complaint if the command writes anything.
quiet() {
    what=$1
    shift
    looked=$((looked + 1))
    "$@" >"$scratch/said" 2>&1
    [ -s "$scratch/said" ] || return
    bad=$((bad + 1))
    echo "$page, $what:"
    head -n 5 "$scratch/said"
}

# warnings COMMAND..: prints what the command writes beside the page.
warnings() {
    { "$@" >/dev/null; } 2>&1
}

# wider COLUMNS COMMAND..: prints the lines of the page that are wider. Bold and underlined characters are struck over
# others, which do not count.
wider() {
    columns=$1
    shift
    "$@" 2>/dev/null | sed "s/.$(printf '\b')//g" | awk -v columns="$columns" 'length > columns'
}

groff=no
! groff -mandoc -T ascii /dev/null >/dev/null 2>&1 || groff=yes
for page in "$srcdir"/man/*.[1-9] "$builddir"/man/*.[1-9]; do
    ! has mandoc || quiet 'mandoc -T lint' mandoc -T lint -W warning "$page"
    for width in 80 100 120; do
        ! has mandoc || quiet "mandoc, wider than $width" wider $width mandoc -T ascii -O width=$width "$page"
        ! has man || MANWIDTH=$width quiet "man, $width columns" warnings man --warnings=all -l "$page"
        [ $groff = no ] || {
            quiet "groff, $width columns" warnings groff -mandoc -T utf8 -rLL=${width}n -ww "$page"
            quiet "groff, wider than $width" wider $width groff -mandoc -T ascii -P -c -rLL=${width}n "$page"
        }
    done
done
[ $looked -gt 0 ] || {
    echo 'skipped: none of mandoc, man and groff is here (Debian: mandoc, groff)'
    exit 77
}
echo "$looked checks, $bad complaints"
[ $bad -eq 0 ]
