#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command: what it prints, how it fails, and that its schedules are right to a reader who knows only the TSV format.
set -u
: "${srcdir:?}" "${LIBPLEACH:?}" # set by make check, as PLEACH is
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
tab=$(printf '\t')

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# Runs pleach with the arguments "$@"; its output is in $scratch/out and $scratch/err, its exit status in $status.
pleach() {
    status=0
    "$PLEACH" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
}

# expect WHAT: the output of the last command is standard input, word for word (spaces stand for tabs), and nothing else.
expect() {
    tr ' ' '\t' >"$scratch/expected"
    [ "$status" -eq 0 ] || fail "$1: exit status $status"
    cmp -s "$scratch/expected" "$scratch/out" || fail "$1: $(diff "$scratch/expected" "$scratch/out")"
    [ ! -s "$scratch/err" ] || fail "$1: $(cat "$scratch/err")"
}

# refuse STATUS PATTERN ARGUMENTS...: one line on standard error that matches, no output.
refuse() {
    wanted=$1
    pattern=$2
    shift 2
    pleach "$@"
    [ "$status" -eq "$wanted" ] || fail "pleach $*: exit status $status, not $wanted"
    [ ! -s "$scratch/out" ] || fail "pleach $*: writes output"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "pleach $*: not one line: $(cat "$scratch/err")"
    grep -q "^pleach.*: .*$pattern" "$scratch/err" || fail "pleach $*: $(cat "$scratch/err")"
}

# succeed PATTERN ARGUMENTS...: the output matches, no error.
succeed() {
    pattern=$1
    shift
    pleach "$@"
    [ "$status" -eq 0 ] || fail "pleach $*: exit status $status"
    [ ! -s "$scratch/err" ] || fail "pleach $*: $(cat "$scratch/err")"
    grep -q -- "$pattern" "$scratch/out" || fail "pleach $*: $(cat "$scratch/out")"
}

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

# ---- the choice --------------------------------------------------------------------------------------------------------

# column NAME: of the line of the engine that is chosen, in the tsv in $scratch/out.
column() {
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["reason"] != "-" && NR > 1 { print $at[name] }' \
        "$scratch/out"
}

# chooses ENGINE REASON ARGUMENTS...: one engine is chosen, this one.
chooses() {
    wanted="$1 $2"
    shift 2
    pleach choose "$@" --format tsv
    [ "$status" -eq 0 ] || fail "choose $*: exit status $status"
    [ ! -s "$scratch/err" ] || fail "choose $*: $(cat "$scratch/err")"
    [ "$(column engine) $(column reason)" = "$wanted" ] || fail "choose $*: $(column engine) $(column reason), not $wanted"
}

chooses native below-threshold bcast --bytes 65535 --ranks 8
chooses circulant model bcast --bytes 64M --ranks 1000
[ "$(column barred)" = - ] || fail 'what is chosen is barred'
sed 1d "$scratch/out" | cut -f5 | sort -gc || fail 'choose: not sorted by time'
awk 'NR > 1 && $6 < 1' "$scratch/out" | grep . && fail 'choose: faster than beta m'
awk "BEGIN { exit !($(column native_over) > 1.1) }" || fail "choose: native takes $(column native_over) times as long"
grep simplex "$scratch/out" && fail 'choose: simplex variants unasked'
chooses two-tree model reduce --bytes 64M --ranks 1000
grep -q "^circulant.*${tab}-${tab}the order of operands varies" "$scratch/out" || fail 'choose: circulant is not barred'
chooses circulant model reduce --bytes 64M --ranks 1000 --op exact
chooses two-tree model bcast --bytes 1M --ranks 1000 --ranks-per-node 2
chooses ring model reduce --bytes 4M --ranks 17 --root 3 --op user
awk -F '\t' '$5 == "-" { late = 1 } $5 != "-" && late { bad = 1 } END { exit bad || !late }' "$scratch/out" ||
    fail 'choose: what has no prediction is not last'
chooses native zero-bytes scan --bytes 0 --ranks 8
chooses native one-rank scan --bytes 1M --ranks 1
chooses native model scan --bytes 64K --ranks 1000 --alpha 1s
# A chain of two ranks has a round for each block: with alpha = 0 it takes beta m, in blocks of no more than 256K.
pleach choose bcast --bytes 1M --ranks 2 --alpha 0 --beta 1us --format tsv
grep -q "^chain${tab}4${tab}262144${tab}4${tab}1.048576" "$scratch/out" || fail "choose: $(cat "$scratch/out")"
# No block divides an element.
chooses chain model scan --bytes 5M --ranks 8 --element 1M --op user
[ "$(column blocks) $(column block_bytes)" = '5 1048576' ] || fail "choose: blocks of $(column block_bytes)"
PLEACH_ENGINE=two-tree PLEACH_BLOCK=2 PLEACH_THRESHOLD=0
export PLEACH_ENGINE PLEACH_BLOCK PLEACH_THRESHOLD
chooses two-tree forced bcast --bytes 3 --ranks 8
[ "$(column blocks) $(column block_bytes)" = '2 2' ] || fail "choose: not the largest block, $(column block_bytes)"
unset PLEACH_ENGINE PLEACH_BLOCK PLEACH_THRESHOLD
succeed 'alpha 1us (nominal)' choose bcast --bytes 1M --ranks 8 --ranks-per-node 9
# The settings are those of the library, and options go before them.
PLEACH_ENGINE=chain PLEACH_THRESHOLD=2M PLEACH_SCAN_THRESHOLD=1 PLEACH_BETA=3ns
export PLEACH_ENGINE PLEACH_THRESHOLD PLEACH_SCAN_THRESHOLD PLEACH_BETA
chooses chain forced scan --bytes 64K --ranks 8
chooses native below-threshold bcast --bytes 1M --ranks 8
succeed '^chosen: native, reason below-threshold (fewer bytes than the threshold, 2M)$' choose bcast --bytes 1M --ranks 8
grep -q '^figures: alpha 5us (nominal), beta 3ns/B (setting), gamma' "$scratch/out" || fail "choose: $(cat "$scratch/out")"
succeed 'alpha 5us (nominal), beta 2ns/B (option), gamma 0.5ns/B' choose bcast --bytes 3M --ranks 8 --beta 2ns --gamma 5e-10
grep -q '^\* chain .* -$' "$scratch/out" || fail 'choose: chain is not marked'
grep -q '^  native .* not among those that may serve$' "$scratch/out" || fail 'choose: native is not barred'
unset PLEACH_ENGINE PLEACH_THRESHOLD PLEACH_SCAN_THRESHOLD PLEACH_BETA
succeed '^  two-tree-simplex  .* never run, only compared$' choose bcast --bytes 1M --ranks 8 --simplex
refuse 2 'no engine has a simplex variant of scan' choose scan --bytes 1M --ranks 8 --simplex
refuse 2 'bytes is missing' choose bcast --ranks 8
refuse 2 'ranks is missing' choose bcast --bytes 8
refuse 2 'scan has no root' choose scan --bytes 8 --ranks 8 --root 1
refuse 2 'ranks are 0 to 7' choose bcast --bytes 8 --ranks 8 --root 8
refuse 2 'bytes 1001 are no whole number of elements' choose scan --bytes 1001 --ranks 8
refuse 2 'takes exact|rounding|user' choose scan --bytes 8 --ranks 8 --op any
for value in '' -1 1.0001K 1X inf 0x10 8E; do
    refuse 2 'bytes takes M' choose bcast --ranks 8 --bytes "$value"
done
for value in '' -1 auto 1min 5us5 nan; do
    refuse 2 'alpha takes T' choose bcast --ranks 8 --bytes 8 --alpha "$value"
done
# Rules: those without a site, then those with one.
printf 'pleach-rules 1\ncollective=scan -> engine=chain beta=7ns\nsite="*solve*" ranks=8 -> engine=ring\n' >"$scratch/rules"
PLEACH_RULES=$scratch/rules
export PLEACH_RULES
chooses chain rule scan --bytes 1M --ranks 8
succeed 'beta 7ns/B (rule)' choose scan --bytes 1M --ranks 8
grep -q "^rule: $scratch/rules:2\$" "$scratch/out" || fail "choose: $(cat "$scratch/out")"
chooses ring rule reduce --bytes 1M --ranks 8 --site 'solve+0x1 < main+0x2'
chooses two-tree model reduce --bytes 1M --ranks 8 --site 'main+0x2'
succeed '^rules: others of .*/rules may hold at some call sites' choose reduce --bytes 1M --ranks 8
succeed '^chosen: native, reason below' choose reduce --bytes 1K --ranks 7
grep -q '^rule' "$scratch/out" && fail 'choose: rules that cannot hold are told of'
echo 'pleach-rules 1' >"$scratch/none"
chooses two-tree model reduce --bytes 1M --ranks 8 --rules "$scratch/none" --site 'solve'
rm "$scratch/none"
echo 'scan -> chain' >>"$scratch/rules"
refuse 1 'rules:4: ' choose scan --bytes 1M --ranks 8
unset PLEACH_RULES
refuse 1 'none cannot be read: No such file' choose bcast --ranks 8 --bytes 1M --rules "$scratch/none"
refuse 1 'cannot be read: ' choose bcast --ranks 8 --bytes 1M --rules "$scratch"
PLEACH_ALPHA=soon
export PLEACH_ALPHA
refuse 1 'PLEACH_ALPHA=soon is not understood' choose bcast --ranks 8 --bytes 1M
unset PLEACH_ALPHA

# ---- logs --------------------------------------------------------------------------------------------------------------

# log_line COLLECTIVE BYTES ENGINE REASON DURATION SITE
log_line() {
    printf '0\t0.1\t0\tMPI_COMM_WORLD\t8\t%s\t%s\t1\tMPI_INT\tMPI_SUM\t0\t%s\t2\t%s\t%s\t%s\n' "$@"
}
log_header() {
    echo "seq time_s rank comm ranks collective bytes count datatype op root engine blocks reason duration_us site" |
        tr ' ' '\t'
}

{
    log_header
    echo '# a comment'
    log_line bcast 1000 chain model 10.5 f+0x1
    log_line bcast 3000 chain model 29.5 f+0x1
    log_line scan 24 native below-threshold 1000 'g+0x1'
} >"$scratch/log.0"
{ # other columns, in another order
    printf 'site\tnew\tduration_us\treason\tengine\tbytes\tcollective\n'
    printf 'g+0x1\tx\t3000\tmodel\tchain\t976\tscan\n'
} >"$scratch/log.1"
pleach log --format tsv "$scratch/log.0" "$scratch/log.1" --by site
expect 'log by site' <<END
by name calls bytes seconds share mean_s min_s max_s
site g+0x1 2 1000 0.004 0.990099 0.002 0.001 0.003
site f+0x1 2 4000 4e-05 0.009901 2e-05 1.05e-05 2.95e-05
END
pleach log --format tsv "$scratch/log.0" "$scratch/log.1" --by engine
expect 'log by engine' <<END
by name calls bytes seconds share mean_s min_s max_s
engine chain 3 4976 0.00304 0.752475 0.00101333333 1.05e-05 0.003
engine native 1 24 0.001 0.247525 0.001 0.001 0.001
END
succeed '^4 calls in 2 files: 4.883K bytes, 4.04ms$' log "$scratch/log.0" "$scratch/log.1"
for line in '^2  *1000  *4ms  *99.0%  *2ms  *1ms  *3ms  *g+0x1$' '^3 .* model$' '^1 .* below-threshold$' '^2 .* bcast$' \
    '^CALLS .* COLLECTIVE$' '^2 .* f+0x1$'; do
    grep -q -- "$line" "$scratch/out" || fail "log: no line '$line'"
done
succeed '^\.\.\. and 1 more$' log "$scratch/log.0" --by reason --top 1
grep -q ' model$' "$scratch/out" && fail 'log --top 1: two lines'
"$PLEACH" log - --format tsv <"$scratch/log.0" >"$scratch/one" || fail 'log of standard input'
cat "$scratch/log.1" "$scratch/log.0" | "$PLEACH" log - --format tsv >"$scratch/joined" # a header within
"$PLEACH" log "$scratch/log.0" "$scratch/log.1" --format tsv | cmp -s - "$scratch/joined" || fail 'log: joined files differ'
: >"$scratch/empty"
succeed '^0 calls in 1 file' log "$scratch/empty"
# What is broken is left out and counted; columns that are missing are an error.
{
    cat "$scratch/log.0"
    log_line bcast x chain model 1 f
    log_line bcast 1 chain model inf f
    log_line bcast 1 chain model 1e999 f
    log_line bcast 1 '' model 1 f
    log_line bcast 1 chain model 1 "f${tab}g"
    printf 'bcast\0\n'
    log_line bcast 1 chain model 1 f | tr -d '\n'
} >"$scratch/broken"
"$PLEACH" log "$scratch/broken" --format tsv >"$scratch/out" 2>"$scratch/err" || fail 'log: a broken line is an error'
cmp -s "$scratch/one" "$scratch/out" || fail "log: broken lines count: $(cat "$scratch/out")"
[ "$(cat "$scratch/err")" = 'pleach log: 7 lines were not understood' ] || fail "log: $(cat "$scratch/err")"
{ log_header && log_line bcast 1 chain model 1 "$(printf '\033[2Jf+0x1 < main+0x2')"; } >"$scratch/steering"
succeed ' ?\[2Jf+0x1 < main+0x2$' log "$scratch/steering"
log_header | sed 's/reason/raison/' >"$scratch/raison"
refuse 1 "raison is no log of Pleach: its first line lacks the column 'reason'" log "$scratch/log.0" "$scratch/raison"
head -c 100000 /dev/urandom | tr '\n\0' '  ' >"$scratch/random"
refuse 1 'random is no log' log "$scratch/random"
{ cat "$scratch/log.0" "$scratch/random" && echo && cat "$scratch/log.1"; } >"$scratch/long"
"$PLEACH" log "$scratch/long" --format tsv 2>"$scratch/err" | cmp -s - "$scratch/joined" || fail 'log: a long line is no end'
[ "$(cat "$scratch/err")" = 'pleach log: 1 line was not understood' ] || fail "log: $(cat "$scratch/err")"
refuse 1 'none cannot be read: No such file' log "$scratch/none"
refuse 1 'cannot be read: Is a directory' log "$scratch"
refuse 2 'missing operands' log
refuse 2 'by takes site|engine' log --by rank "$scratch/log.0"
refuse 1 'nothing to draw' log "$scratch/empty" --format svg
if command -v gnuplot >/dev/null; then
    succeed 'f+0x1 &lt; main+0x2' log "$scratch/steering" --format svg
    [ "$(grep -c -e '<svg' -e '</svg>' "$scratch/out")" -eq 2 ] || fail 'the picture of a log is no SVG'
    # gnuplot takes nothing of a name as a command.
    { log_header && log_line bcast 1 EOD model 1 "f\"g\\\\h\`touch $scratch/touched\`"; } >"$scratch/steering"
    succeed 'f?g??h?touch ' log "$scratch/steering" --format svg
    [ ! -e "$scratch/touched" ] || fail 'gnuplot ran what a log says'
fi

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

# ---- rules -------------------------------------------------------------------------------------------------------------

# findings: check-rules finds in $scratch/rules what standard input says, and nothing else.
findings() {
    sed "s|^|$scratch/rules:|" >"$scratch/expected"
    pleach check-rules "$scratch/rules"
    [ "$status" -eq 1 ] || fail "check-rules: exit status $status"
    [ ! -s "$scratch/out" ] || fail 'check-rules: writes output'
    cmp -s "$scratch/expected" "$scratch/err" || fail "check-rules: $(diff "$scratch/expected" "$scratch/err")"
}

cat >"$scratch/rules" <<END
# tuned
pleach-rules 1

collective=scan,exscan bytes=64K-1M ranks=2-16 ranks-per-node=1 op=exact -> engine=chain block=32K
bytes=1M-inf site="*solve* < main*" -> engine=^circulant alpha=5us # the solver
END
succeed "^$scratch/rules: 2 rules: ok\$" check-rules "$scratch/rules"
echo 'bytes=2M -> engine=bintree' >>"$scratch/rules"
succeed "^$scratch/rules: 3 rules: ok\$" check-rules "$scratch/rules"
echo 'ranks=4 bytes=2M -> block=1M' >>"$scratch/rules"
findings <<END
7: this rule can never match: that of line 6 matches all its calls
END
cat >>"$scratch/rules" <<END
collective=bcast op=user -> block=1M
bytes=2M-1M rank=4 -> engine=mesh
collective=scan -> engine=mesh
END
findings <<END
7: this rule can never match: that of line 6 matches all its calls
8: this rule can never match: its kinds of operation and its collectives do not go together: broadcasts alone have none
9: bytes=2M-1M is an empty range: the lower end comes first
9: 'rank=4' is no condition: there are collective, op, bytes, ranks, ranks-per-node and site
10: none of its engines serves any of its calls; see 'pleach engines'
END
echo 'pleach-rules 2' >"$scratch/rules"
findings <<END
1: version '2' of the rules is not understood, but version 1
END
echo 'pleach-rules 1' >"$scratch/rules"
succeed ': 0 rules: ok$' check-rules "$scratch/rules"
printf 'pleach-rules 1\n\000' >"$scratch/rules"
refuse 1 'rules cannot be read: it has a NUL byte' check-rules "$scratch/rules"
refuse 1 'none cannot be read: No such file' check-rules "$scratch/none"
refuse 1 'cannot be read: it is not a regular file' check-rules "$scratch"
refuse 2 'missing operands' check-rules
refuse 2 'too many operands' check-rules "$scratch/rules" "$scratch/rules"
refuse 2 'unknown option' check-rules --bogus "$scratch/rules"

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

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
