#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command: what it prints, how it fails, and that its schedules are right to a reader who knows only the TSV format.
. "$srcdir/tests/command.sh"

# ---- schedules, word for word ------------------------------------------------------------------------------------------

header='rank step kind to a_slot a_block from b_slot b_block'

pleach schedule chain bcast --ranks 3 --root 1 --blocks 2
expect 'chain bcast' <<END
$header
0 1 exchange - - - 2 out 0
0 2 exchange - - - 2 out 1
1 0 exchange 2 out 0 - - -
1 1 exchange 2 out 1 - - -
2 0 exchange - - - 1 out 0
2 1 exchange 0 out 0 1 out 1
2 2 exchange 0 out 1 - - -
END

pleach schedule chain scan --ranks 2 --blocks 1
expect 'chain scan' <<END
$header
0 - copy - in 0 - out 0
0 0 exchange 1 out 0 - - -
1 0 exchange - - - 0 t0 0
1 - copy - in 0 - out 0
1 - fold - t0 0 - out 0
END

pleach schedule chain reduce --ranks 1 --blocks 2
expect 'chain reduce on one rank' <<END
$header
0 - copy - in 0 - out 0
0 - copy - in 1 - out 1
END

pleach schedule two-tree bcast --ranks 1
expect 'two-tree bcast on one rank' <<END
$header
END

pleach schedule MPI_Bcast chain --ranks 3
[ "$status" -eq 2 ] || fail 'a collective where the engine stands is taken'
pleach schedule chain MPI_Bcast --ranks=3 --rank 2 --blocks 1
expect 'another spelling' <<END
$header
2 1 exchange - - - 1 out 0
END

# Ordered if the engine can be, else any order: at an inner root, a chain cannot.
for choice in '0 ordered' '2 ordered' '1 any'; do
    # shellcheck disable=SC2086 # two words
    set -- $choice
    "$PLEACH" schedule chain reduce --ranks 3 --root "$1" >"$scratch/default"
    pleach schedule chain reduce --ranks 3 --root "$1" --op "$2"
    cmp -s "$scratch/default" "$scratch/out" || fail "chain reduce at root $1 is not '$2' by default"
done

# One rank of many: no work for the others, and the same as in the whole.
timeout 5 "$PLEACH" schedule two-tree bcast --ranks 100000 --rank 77777 >"$scratch/out" || fail 'one rank of many is slow'
[ "$(cut -f1 "$scratch/out" | sort -u | tr '\n' ' ')" = '77777 rank ' ] || fail 'other ranks than that of --rank'
timeout 5 "$PLEACH" schedule chain scan --ranks 1048576 --rank 1048575 --format dot >"$scratch/out" ||
    fail 'one rank of 2^20 is slow'
"$PLEACH" schedule ring reduce --ranks 6 --root 3 | awk '$1 == 4' >"$scratch/whole"
"$PLEACH" schedule ring reduce --ranks 6 --root 3 --rank 4 | sed 1d >"$scratch/rank"
cmp -s "$scratch/whole" "$scratch/rank" || fail '--rank differs from the whole'
# Nothing is stored: a schedule that is far too long to be is there at once.
[ "$("$PLEACH" schedule chain bcast --ranks 3 --rank 1 --blocks 1000000000 2>&1 | sed -n '2p;3q')" = \
    "1${tab}0${tab}exchange${tab}-${tab}-${tab}-${tab}0${tab}out${tab}0" ] || fail 'a long schedule does not begin'

# ---- schedules, performed ----------------------------------------------------------------------------------------------

# perform ENGINE COLLECTIVE P ROOT N ORDERED: performs what lies in $scratch/out; see perform.awk.
perform() {
    awk -v p="$3" -v collective="$2" -v root="$4" -v n="$5" -v ordered="$6" -f "$srcdir/tests/perform.awk" "$scratch/out" \
        >"$scratch/why" || fail "$*: $(cat "$scratch/why")"
}

served=$("$PLEACH" engines | awk '!NF { exit } NR > 1 && $1 != "native" { print $1, $2 }' | sort -u)
performed=0
while read -r engine collective; do
    for ranks in 1 2 3 4 5 6; do
        root=0
        while [ "$root" -lt "$ranks" ]; do
            for blocks in 1 2 5; do
                for op in ordered any; do
                    pleach schedule "$engine" "$collective" --ranks "$ranks" --root "$root" --blocks "$blocks" --op "$op"
                    if [ "$status" -eq 0 ]; then
                        ordered=$([ "$op" = ordered ] && echo 1 || echo 0)
                        perform "$engine" "$collective" "$ranks" "$root" "$blocks" "$ordered"
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

# The performer itself must see what is wrong: a changed, a missing and a doubled line.
"$PLEACH" schedule chain scan --ranks 4 --blocks 3 --op ordered >"$scratch/good"
# shellcheck disable=SC2016 # $ is sed's
for spoil in '/^1/s/exchange\t2/exchange\t3/' '/^2/s/copy\t-\tin\t1/copy\t-\tin\t0/' '/^2.*fold/d' '$d' '8p' \
    '/^3/s/fold/copy/' 's/fold\t-\tt0\t\(.\)\t-\tout/fold\t-\tout\t\1\t-\tt0/' '/^1\t1\t/s/out\t0/out\t1/'; do
    sed "$spoil" "$scratch/good" >"$scratch/out"
    cmp -s "$scratch/good" "$scratch/out" && fail "'$spoil' changes nothing"
    awk -v p=4 -v collective=scan -v root=0 -v n=3 -v ordered=1 -f "$srcdir/tests/perform.awk" "$scratch/out" \
        >"$scratch/why" &&
        fail "a schedule spoilt by '$spoil' passes"
done

# ---- drawings and tables -----------------------------------------------------------------------------------------------

pleach schedule two-tree bcast --ranks 7 --blocks 4 --format dot
for line in 't0r4 -> t0r2 .*"3", color=firebrick' 't1r5 -> t1r4 .*"4", color=steelblue' 't1r0 \[shape=doublecircle\]'; do
    grep -q "$line" "$scratch/out" || fail "dot: no line '$line'"
done
[ "$(grep -c -- '->' "$scratch/out")" -eq 12 ] || fail 'dot: not 12 edges'
if command -v dot >/dev/null && command -v gnuplot >/dev/null; then
    for engine in $(echo "$served" | tr ' ' /); do
        for picture in graph time; do
            pleach schedule "${engine%/*}" "${engine#*/}" --ranks 9 --format svg --picture $picture
            [ "$status" -eq 0 ] || fail "$picture of $engine: $(cat "$scratch/err")"
            [ "$(grep -c -e '<svg' -e '</svg>' "$scratch/out")" -eq 2 ] || fail "$picture of $engine is no SVG"
        done
    done
else
    echo 'no graphviz or no gnuplot here: nothing is drawn'
fi
# Without the programs that draw: one line, and nothing on standard output.
for picture in graph time; do
    env PATH="$scratch" "$PLEACH" schedule chain bcast --ranks 4 --format svg --picture $picture >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 1 ] || fail 'svg without a program to draw: exit status'
    [ ! -s "$scratch/out" ] || fail 'svg without a program to draw: output'
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "svg without a program to draw: $(cat "$scratch/err")"
done
succeed '^rank 2       0/-  1/0  -/1$' schedule chain bcast --ranks 4 --blocks 2 --format table
succeed '^rank 0  -/0  -/1  -/0  -/2       -/2$' schedule fractional bcast --ranks 6 --blocks 3 --group 2 --format table

# ---- the simulator -----------------------------------------------------------------------------------------------------

succeed '^chain bcast: 12 sizes, 702 cases, at most 19 rounds, never above p-2+n: ok$' \
    simulate chain bcast --ranks 1-12 --root all --blocks 1-9
succeed '^chain reduce: 1 size, 7 cases, 3 left out (needs .*), at most 4 rounds, .*: ok$' \
    simulate chain reduce --ranks 5 --root all --blocks 1 --op both
pleach simulate all all --ranks 1-9 --root all
[ "$status" -eq 0 ] || fail "simulate all: $(cat "$scratch/err")"
[ "$(grep -c ': ok$' "$scratch/out")" -eq "$(echo "$served" | wc -l)" ] || fail "simulate all: $(cat "$scratch/out")"
succeed '^fractional reduce: 9 sizes, 4050 cases, .* at most 20 rounds, .*: ok$' \
    simulate fractional reduce --ranks 1-9 --root all --group 1-10
succeed '^two-tree-simplex bcast: 9 sizes, 405 cases, at most 23 rounds, never above 4q-6+2n .*: ok$' \
    simulate two-tree bcast --ranks 1-9 --root all --simplex
succeed '^fractional-simplex reduce: 9 sizes, 4050 cases, .* at most 29 rounds, .*: ok$' \
    simulate fractional reduce --ranks 1-9 --root all --group 1-10 --simplex
refuse 2 'chain has no simplex variant' simulate chain bcast --ranks 3 --simplex
refuse 1 'nothing to simulate' simulate two-tree scan --ranks 3 --simplex
refuse 1 'nothing to simulate' simulate chain reduce --ranks 5 --root 2 --op ordered
refuse 1 'nothing to simulate' simulate native bcast --ranks 5
refuse 2 'there are 0 to 0' simulate chain bcast --ranks 1-4 --root 1
refuse 2 'has no root' simulate chain scan --ranks 4 --root 1
refuse 2 'takes P|P-P' simulate chain bcast --ranks 4-3
refuse 2 'takes P|P-P' simulate chain bcast --ranks 1-
refuse 2 'takes P|P-P' simulate chain bcast --ranks all
refuse 2 'ranks is missing' simulate chain bcast

# ---- wrong use ---------------------------------------------------------------------------------------------------------

refuse 2 'command is missing'
refuse 2 "unknown command 'bogus'" bogus
refuse 2 "unknown option '--bogus'" --bogus
refuse 2 'ranks is missing' schedule chain bcast
refuse 2 'missing operands' schedule chain
refuse 2 'too many operands' schedule chain bcast twice --ranks 4
refuse 2 'too many operands' engines chain
refuse 2 "no engine is called 'bogus'" schedule bogus bcast --ranks 4
refuse 2 "no engine is called 'all'" schedule all bcast --ranks 4
refuse 2 "no collective is called 'allreduce'" schedule chain allreduce --ranks 4
refuse 2 'a?b' schedule "$(printf 'a\nb')" bcast --ranks 4
refuse 2 'ring does not serve bcast' schedule ring bcast --ranks 4
refuse 2 'native has no schedule' schedule native bcast --ranks 4
refuse 2 'ordered reduce of 5 ranks at root 3: it needs a commutative' schedule chain reduce --ranks 5 --root 3 --op ordered
refuse 2 'ranks are 0 to 3' schedule chain bcast --ranks 4 --root 4
refuse 2 'ranks are 0 to 3' schedule chain bcast --ranks 4 --rank 4
refuse 2 'scan has no root' schedule chain scan --ranks 4 --root 1
refuse 2 'format takes tsv|dot|svg|table' schedule chain bcast --ranks 4 --format xml
refuse 2 'group takes G' schedule fractional bcast --ranks 4 --group 0
refuse 2 'unknown option' schedule chain bcast --ranks 4 --bogus
refuse 2 'unknown option' schedule chain bcast --ranks 4 --r 1
refuse 2 "unknown option '-q'" schedule chain bcast --ranks 4 -q
refuse 2 'no value goes with' settings --effective=yes
refuse 2 'needs a value' schedule chain bcast --ranks
for value in 0 -1 '' x 4x 1e3 0x4 1073741825 99999999999999999999; do
    refuse 2 'ranks takes P' schedule chain bcast --ranks "$value"
    refuse 2 'blocks takes N' schedule chain bcast --ranks 4 --blocks "${value%1073741825}"
done

# ---- help, and output that cannot be written ---------------------------------------------------------------------------

succeed '^pleach [0-9]' --version
succeed '  simulate ' --help
for command in run settings engines schedule simulate choose log check-rules; do
    succeed "^Usage: pleach $command" "$command" --help
done
if [ -c /dev/full ]; then
    for command in --help --version 'run --help' settings 'settings --effective' engines 'schedule chain bcast --ranks 4' \
        'schedule chain bcast --ranks 100000 --blocks 100000' 'schedule chain bcast --ranks 4 --format dot' \
        'schedule chain bcast --ranks 100000 --blocks 100 --format table --rank 9' 'simulate chain scan --ranks 4' \
        'choose bcast --bytes 1M --ranks 4' 'log /dev/null'; do
        status=0
        # shellcheck disable=SC2086 # words
        timeout 20 "$PLEACH" $command >/dev/full 2>"$scratch/err" || status=$?
        [ "$status" -eq 1 ] || fail "$command >/dev/full: exit status $status"
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "$command >/dev/full: not one line: $(cat "$scratch/err")"
    done
fi

# ---- settings ----------------------------------------------------------------------------------------------------------

succeed '^PLEACH_\[<COLL>_\]THRESHOLD  *64K,32K,16K,16K  *bytes$' settings
succeed '^PLEACH_BCAST_THRESHOLD=64K$' settings --effective
succeed '^PLEACH_EXSCAN_THRESHOLD=16K$' settings --effective
PLEACH_THRESHOLD=1M PLEACH_SCAN_THRESHOLD=2M
export PLEACH_THRESHOLD PLEACH_SCAN_THRESHOLD
succeed '^PLEACH_SCAN_THRESHOLD=2M$' settings --effective
succeed '^PLEACH_EXSCAN_THRESHOLD=1M$' settings --effective
unset PLEACH_SCAN_THRESHOLD
succeed '^PLEACH_THRESHOLD=1M$' settings --effective
# The output is a file of settings.
cp "$scratch/out" "$scratch/conf"
unset PLEACH_THRESHOLD
PLEACH_CONF=$scratch/conf
export PLEACH_CONF
succeed '^PLEACH_THRESHOLD=1M$' settings --effective
# Whatever stands in a value.
PLEACH_LOG=$(printf ' "a#b\\c\nd" ')
export PLEACH_LOG
pleach settings --effective
cp "$scratch/out" "$scratch/conf"
unset PLEACH_LOG
pleach settings --effective
diff "$scratch/conf" "$scratch/out" | grep '^[<>]' | grep -v '_CONF=' && fail 'a value is not read back the same'
grep -q '^PLEACH_LOG="' "$scratch/out" || fail "no value in quotes: $(cat "$scratch/out")"
# The environment goes before the file, also where the file is wrong.
echo 'THRESHOLD=lots' >>"$scratch/conf"
refuse 1 "conf:[0-9]*: PLEACH_THRESHOLD=lots is not understood: .*; every call goes to the native" settings --effective
PLEACH_CONF=$scratch/none
refuse 1 'cannot be read' settings --effective
unset PLEACH_CONF
PLEACH_ENGINE=bogus
export PLEACH_ENGINE
refuse 1 'PLEACH_ENGINE=bogus is not understood: it takes ' settings --effective
succeed PLEACH_ALPHA settings
unset PLEACH_ENGINE
PLEACH_TRESHOLD=1 "$PLEACH" settings --effective >"$scratch/out" 2>"$scratch/err" || fail 'an unknown variable is an error'
grep -q 'PLEACH_TRESHOLD is not a setting' "$scratch/err" || fail 'an unknown variable is not reported'

# ---- run ---------------------------------------------------------------------------------------------------------------

# shellcheck disable=SC2016 # for the child
show='echo "$LD_PRELOAD"'
succeed "^$LIBPLEACH\$" run sh -c "$show"
succeed "^$LIBPLEACH\$" run -- sh -c "$show"
succeed '^--help -x$' run echo --help -x
if [ -e /lib/x86_64-linux-gnu/libm.so.6 ]; then # any library that does no harm
    LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6 "$PLEACH" run sh -c "$show" >"$scratch/out"
    [ "$(cat "$scratch/out")" = "$LIBPLEACH:/lib/x86_64-linux-gnu/libm.so.6" ] || fail "LD_PRELOAD: $(cat "$scratch/out")"
fi
[ -z "${LD_PRELOAD:-}" ] || fail 'LD_PRELOAD is set outside, too'
for wanted in 0 3 77; do
    pleach run sh -c "exit $wanted"
    [ "$status" -eq "$wanted" ] || fail "run: exit status $status, not $wanted"
done
{ pleach run sh -c 'kill -9 $$'; } 2>/dev/null # the shell tells of it
[ "$status" -eq 137 ] || fail "run: a killed program's exit status is $status"
refuse 127 'bogus-program: No such file' run bogus-program
echo 'echo never' >"$scratch/plain"
refuse 126 'plain: Permission denied' run "$scratch/plain"
refuse 2 'missing operands' run
refuse 2 'missing operands' run --
refuse 2 "unknown option '--bogus'" run --bogus true

# The command alone, in a place without the library; then a tree that was installed and moved, as `make install` lays it out.
mkdir "$scratch/bin" "$scratch/lib"
cp "$PLEACH" "$scratch/bin/pleach"
if ! "$scratch/bin/pleach" run true 2>"$scratch/err"; then # else it is installed, too, where it was configured for
    "$scratch/bin/pleach" run true 2>/dev/null
    [ $? -eq 125 ] || fail 'run without library'
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "run without library: $(cat "$scratch/err")"
fi
cp "$LIBPLEACH" "$scratch/lib/libpleach.so"
if "$scratch/bin/pleach" run sh -c "$show" >"$scratch/out" 2>"$scratch/err"; then
    grep -q "^$scratch/lib/libpleach.so\$" "$scratch/out" || echo 'not found in a moved tree: configured for another layout?'
fi

done_testing
