#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command pleach, beyond its transcripts (golden.sh). Its schedules are right for a reader that knows only the TSV
# format, its pictures are valid SVG, and it finds its library.
. "$srcdir/tests/scripts/mpi.sh"

# ---- schedules, performed ----------------------------------------------------------------------------------------------

# perform COLLECTIVE P ROOT N ORDERED: performs the schedule in $scratch/out; see perform.awk. False if it is wrong.
perform() {
    awk -v collective="$1" -v p="$2" -v root="$3" -v n="$4" -v ordered="$5" -f "$srcdir/tests/scripts/perform.awk" \
        "$scratch/out" >"$scratch/why"
}

# perform.awk knows messages alone; check_segment and check_lanes test the engines whose ranks share memory.
others='^(native|lanes|multiport|node-)'
served=$("$PLEACH" engines --all | awk -v others="$others" '!NF { exit } NR > 1 && $1 !~ others { print $1, $2 }' | sort -u)
performed=0
while read -r engine collective; do
    for layout in 1 2 3 5 6 5:2,3 6:2-1-3; do
        ranks=${layout%:*}
        places=${layout#"$ranks"}
        places=${places#:}
        root=0
        while [ "$root" -lt "$ranks" ]; do
            # A cut is BLOCKS:WIDE. Engines that cut a message into a part for each rank send pieces of several blocks.
            case $collective$root in
            allreduce*) cuts='1:1 2:1 5:1 13:2 13:9 24:3' ;;
            *[01]) cuts='1:1 2:1 5:1' ;;
            *) cuts=5:1 ;;
            esac
            for cut in $cuts; do
                blocks=${cut%:*}
                for op in ordered any; do
                    if "$PLEACH" schedule "$engine" "$collective" --ranks "$ranks" ${places:+--places "$places"} \
                        --root "$root" --blocks "$blocks" --wide "${cut#*:}" --op "$op" \
                        >"$scratch/out" 2>"$scratch/err"; then
                        ordered=$([ "$op" = ordered ] && echo 1 || echo 0)
                        perform "$collective" "$ranks" "$root" "$blocks" "$ordered" ||
                            fail "$engine $collective $ranks $root $blocks $op: $(cat "$scratch/why")"
                        performed=$((performed + 1))
                    elif ! grep -q 'it needs' "$scratch/err"; then
                        fail "$engine $collective: $(cat "$scratch/err")"
                    fi
                done
            done
            case $collective in
            bcast | reduce) root=$((root + 1)) ;;
            *) root=$ranks ;;
            esac
        done
    done
done <<END
$served
END
echo "$performed schedules performed"
[ "$performed" -gt 300 ] || fail 'hardly any schedule was performed'

# spoilt ENGINE COLLECTIVE P N WIDE SCRIPT..: each script of sed plants an error in a schedule, which perform must find.
spoilt() {
    spoilt_engine=$1 spoilt_collective=$2 spoilt_ranks=$3 spoilt_blocks=$4 spoilt_wide=$5
    shift 5
    "$PLEACH" schedule "$spoilt_engine" "$spoilt_collective" --ranks "$spoilt_ranks" --blocks "$spoilt_blocks" \
        --wide "$spoilt_wide" --op ordered >"$scratch/good"
    for spoil; do
        sed "$spoil" "$scratch/good" >"$scratch/out"
        ! cmp -s "$scratch/good" "$scratch/out" || fail "'$spoil' changes nothing"
        ! perform "$spoilt_collective" "$spoilt_ranks" 0 "$spoilt_blocks" 1 || fail "a schedule spoilt by '$spoil' passes"
    done
}
# The scripts change, remove and double a line.
# shellcheck disable=SC2016 # $ is sed's
spoilt chain scan 4 3 1 '/^1/s/exchange\t2/exchange\t3/' '/^2/s/copy\t-\tin\t1/copy\t-\tin\t0/' '/^2.*fold/d' '$d' '8p' \
    '/^3/s/fold/copy/' 's/fold\t-\tt0\t\(.\)\t-\tout/fold\t-\tout\t\1\t-\tt0/' '/^1\t1\t/s/out\t0/out\t1/'
spoilt butterfly allreduce 3 6 2 's/2[.][.]3/2/' 's/t0\t2[.][.]3/t0\t3..4/' '/copy.*0[.][.]1/s/0[.][.]1/0/g' '/copy.*t1/d'

# ---- trees of places -----------------------------------------------------------------------------------------------------

# For a text that is no tree of places, one line says why, and nothing else happens.
for bad in 3x:'a number' 3,2-1:'one list' 0:'without ranks' '(2:missing' 2,2z:'not understood' 3,4:'7 ranks, not the 5'; do
    for command in 'schedule places bcast' 'simulate places bcast' 'choose bcast --bytes 1M'; do
        # shellcheck disable=SC2086 # words
        complains 2 "pleach.*--places ${bad%:*}: .*${bad#*:}" "$PLEACH" $command --ranks 5 --places "${bad%:*}"
    done
done

complains 2 'pleach simulate: --places has one number of ranks' "$PLEACH" simulate places bcast --ranks 8-16 --places 4x2

# With trees over places a message crosses each boundary once; with other trees, several times.
# most ENGINE PLACES FACTOR: fails unless the most that leaves a place is FACTOR times the message.
most() {
    "$PLEACH" simulate "$1" bcast --places "$2" --blocks 8 | grep -q "into a group.*out of one at most $3 m: ok" ||
        fail "$1 over $2: $("$PLEACH" simulate "$1" bcast --places "$2" --blocks 8)"
}
most places 16x16 1.00
most two-tree 16x16 1.50
most places 50,40,30,17 1.00
most places-line 50-40-30-17 1.00
most two-tree 50,40,30,17 4.50
most places 20x13 1.00
most two-tree 20x13 4.00

# moves ENGINE COLLECTIVE MOST FACTOR: fails unless 8 ranks load and store, on average, FACTOR times the message, and one of
# them MOST times.
moves() {
    "$PLEACH" simulate "$1" "$2" --ranks 8 --blocks 16 >"$out"
    says "$out" "each rank loads and stores at most $3 m, on average at most $4 m: ok"
}
moves node-copy bcast 2.00 2.00
moves node-line reduce 3.00 2.88
moves node-ring allreduce 4.88 4.88
moves node-prefixes scan 25.00 6.62

# ---- misspelt words, and other wrong arguments -------------------------------------------------------------------------

# refused WORDS PATTERN: fails unless pleach refuses WORDS.
refused() {
    # shellcheck disable=SC2086 # words
    complains 2 "$2" "$PLEACH" $1
}
refused settigns "'settigns' (did you mean settings?); see"
refused hepl '(did you mean help?)'
equal 'pleach -V' "$("$PLEACH" -V)" "$("$PLEACH" --version)"
refused --verison '(did you mean --version?)'
refused 'help simluate' '(did you mean simulate?)'
refused 'help bench tune' "too many operands: 'tune'"
refused 'schedule chian bcast --ranks 3' "'chian' (did you mean chain?)"
refused 'schedule chain bcats --ranks 3' "'bcats'; the collectives are bcast, "
refused 'schedule chain bcast --rnaks=3' "'--rnaks=3' (did you mean --ranks?)"
refused 'schedule chain bcast --ranks=3 --format tvs' "takes tsv|dot|svg|table, not 'tvs'"
refused 'bench -e chain,rnig' ", ring, .*not 'chain,rnig'"
refused 'bench -c scna,reduce' 'of bcast, '
refused 'bench -m 1K:' "not '1K:'"
refused 'bench -m 8' "not '8'"
refused schedule 'missing operand; usage: pleach schedule ENGINE COLLECTIVE '
refused 'simulate all' 'missing operand; usage: pleach simulate '
refused 'schedule chain bcast scan --ranks 3' "too many operands: 'scan';"
refused run 'missing operand; usage: pleach run '
refused bogus "'bogus'; see"
# Colours mark the chosen engine, and what doctor says, if they are wanted.
mark=$(printf '\033')
for wanted in always never; do
    "$PLEACH" choose bcast --bytes 1M --ranks 8 --color $wanted >"$out"
    lines "$out" "^$mark\\[1m\\* .*$mark\\[0m\$" "$([ $wanted = never ]; echo $?)"
    "$PLEACH" doctor --color $wanted >"$out"
    [ "$(grep -c "^$mark\\[[0-9;]*m[a-z]* *$mark\\[0m " "$out")" -gt 0 ] && coloured=always || coloured=never
    equal "colours of doctor with --color $wanted" $coloured $wanted
done
refused 'advise -o a,b true' 'the name must have no comma'
PLEACH_REPORT=a.txt "$PLEACH" advise true 2>"$out"
lines "$out" '^pleach advise: PLEACH_REPORT=a.txt has no effect here: the advice takes the place of the report' 1
PLEACH_REPORT=off "$PLEACH" advise true 2>"$out"
silent_about "$out" PLEACH_REPORT

# The library would report these errors at the first large call, if at all. The command reports them before a job starts.
# effective VARIABLE=VALUE PATTERN: fails unless settings --effective complains of the value.
effective() {
    complains 1 "$2" env "$1" "$PLEACH" settings --effective
}
printf 'pleach-rules 1\nbytes=1M-inf -> engine=chain\nbytes=1K -> engine=chian\nbytes=x -> block=1\n' >"$scratch/rules"
effective PLEACH_SCAN_ENGINE=ring 'PLEACH_SCAN_ENGINE: ring does not serve scan'
effective PLEACH_RULES="$scratch/none" "PLEACH_RULES: $scratch/none cannot be read: No such file or directory; every call"
effective PLEACH_RULES="$scratch/rules" "PLEACH_RULES: $scratch/rules:3: engine=chian is not understood"
PLEACH_ENGINE=ring PLEACH_RULES=/dev/null "$PLEACH" settings --effective >"$scratch/out" 2>&1 && fail 'empty rules are taken'
sed -i 3,4d "$scratch/rules"
PLEACH_ENGINE=ring PLEACH_RULES="$scratch/rules" "$PLEACH" settings --effective >"$scratch/out" ||
    fail 'good rules are refused'
says "$scratch/out" "PLEACH_RULES=$scratch/rules"

for name in $("$PLEACH" --help | awk '/^  [a-z][a-z-]*  / { print $1 }'); do
    "$PLEACH" "$name" --help >"$scratch/out" || fail "$name --help"
    "$PLEACH" help "$name" | cmp -s - "$scratch/out" || fail "help $name is not $name --help"
done
"$PLEACH" --help >"$scratch/out"
"$PLEACH" help | cmp -s - "$scratch/out" || fail 'help is not --help'

# ---- rules that say what is chosen -------------------------------------------------------------------------------------

# chosen COLLECTIVE ARG..: prints the engine that `pleach choose' chooses.
chosen() {
    "$PLEACH" choose "$@" --format tsv | awk -F '\t' 'NR > 1 && $9 != "-" { print $1 }'
}

# calls RANKS: for each line of $scratch/rules, prints the least and the largest size, a collective, and options for `pleach
# choose'. Sizes are whole numbers of elements.
calls() {
    sed -n 's/^\(# \)*collective=//p' "$scratch/rules" | awk -v ranks="$1" '
        function elements(size) { return size ~ /^[0-9]+$/ ? size - size % 8 : size }
        {
            collectives = split($1, collective, ",")
            op = "exact"
            root = 0
            for (i = 2; i <= NF; i++) {
                split($i, word, "[=,]")
                if (word[1] == "bytes") split(word[2], size, "-")
                if (word[1] == "op") op = word[2]
                if (word[1] == "root") root = word[2] == "last" ? ranks - 1 : word[2] == "inside" ? 1 : 0
            }
            for (i = 1; i <= collectives; i++)
                if (collective[i] == "bcast")
                    print size[1], size[2], "bcast --root " root
                else
                    print elements(size[1]), elements(size[2]), collective[i], "--op " op,
                        collective[i] == "reduce" ? "--root " root : ""
        }'
}

# `pleach choose' chooses the same engines by these rules as without them, at both ends of each line's sizes.
for job in '--ranks 16' '--ranks 4 --ranks-per-node 4'; do
    # shellcheck disable=SC2086 # words
    "$PLEACH" rules $job >"$scratch/rules" || fail "pleach rules $job"
    # shellcheck disable=SC2086 # words
    calls ${job#--ranks } >"$scratch/calls"
    [ "$(wc -l <"$scratch/calls")" -ge 30 ] || fail "pleach rules $job: $(cat "$scratch/rules")"
    while read -r least most call; do
        for size in "$least" "$most"; do
            [ "$size" != inf ] || size=4G
            # shellcheck disable=SC2086 # words
            equal "$job, $call of $size" "$(chosen $call $job --bytes "$size" --rules "$scratch/rules")" \
                "$(chosen $call $job --bytes "$size")"
        done
    done <"$scratch/calls"
done

# ---- pictures ----------------------------------------------------------------------------------------------------------

# picture ARGUMENTS...: draws an SVG to $scratch/out.
picture() {
    "$PLEACH" "$@" --format svg >"$scratch/out" 2>"$scratch/err" || fail "$*: $(cat "$scratch/err")"
    lines "$scratch/out" '</*svg' 2
}

if command -v dot >/dev/null; then
    while read -r engine collective; do
        picture schedule "$engine" "$collective" --places 3-3-3
    done <<END
$served
END
else
    echo 'not tested: pictures of schedules: there is no graphviz'
fi
# A name in a log brings no tag into the picture.
{
    head -n 1 "$srcdir/tests/golden/files/log.0"
    sed -n '3s/[^\t]*$//p' "$srcdir/tests/golden/files/log.0" | tr -d '\n'
    printf 'f"<script> < main+0x2\n'
} >"$scratch/steering"
picture log "$scratch/steering"
says "$scratch/out" 'f&#34;&#60;script&#62; &#60; main+0x2'

# ---- where the library is ----------------------------------------------------------------------------------------------

# The command lies first in a folder without the library, then in an installed tree that was moved.
mkdir "$scratch/bin"
cp "$PLEACH" "$scratch/bin/pleach"
equal 'the path' "$("$PLEACH" path)" "$LIBPLEACH"
if ! "$scratch/bin/pleach" run true 2>"$scratch/err"; then # else the command finds an installed library
    complains 125 '^pleach run: libpleach.so is neither' "$scratch/bin/pleach" run true
    complains 1 '^pleach path: libpleach.so is neither' "$scratch/bin/pleach" path
fi
# The moved tree has the folders that configure was given.
moved=$scratch/moved
mkdir -p "$moved${bindir:?}" "$moved${libdir:?}"
cp "$PLEACH" "$moved$bindir/pleach"
cp "$LIBPLEACH" "$moved$libdir/libpleach.so"
# shellcheck disable=SC2016 # for the child
"$moved$bindir/pleach" run sh -c 'echo "$LD_PRELOAD"' >"$scratch/out" 2>&1 ||
    fail "run in a moved tree: $(cat "$scratch/out")"
equal 'the library in a moved tree' "$(cat "$scratch/out")" "$moved$libdir/libpleach.so"
equal 'the path in a moved tree' "$("$moved$bindir/pleach" path)" "$moved$libdir/libpleach.so"
# pleach path does not name a library that the loader cannot preload.
mkdir -p "$scratch/a b/.libs"
cp "$PLEACH" "$scratch/a b/pleach"
cp "$LIBPLEACH" "$scratch/a b/.libs"
complains 1 '^pleach path: .*/a b/.*space or colon' "$scratch/a b/pleach" path
exit "$status"
