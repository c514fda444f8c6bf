#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The commands about choices: choose, the rules they go by, and the log of what was chosen.
. "$srcdir/tests/command.sh"

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
chooses circulant model bcast --bytes 4M --ranks 64
[ "$(column barred)" = - ] || fail 'what is chosen is barred'
sed 1d "$scratch/out" | cut -f5 | sort -gc || fail 'choose: not sorted by time'
awk 'NR > 1 && $6 < 1' "$scratch/out" | grep . && fail 'choose: faster than beta m'
awk "BEGIN { exit !($(column native_over) > 1.1) }" || fail "choose: native takes $(column native_over) times as long"
grep simplex "$scratch/out" && fail 'choose: simplex variants unasked'
chooses two-tree model reduce --bytes 64M --ranks 1000
grep -q "^circulant.*${tab}-${tab}the order of operands varies" "$scratch/out" || fail 'choose: circulant is not barred'
chooses circulant model reduce --bytes 4M --ranks 64 --op exact
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
chooses chain model reduce --bytes 1M --ranks 8 --site 'main+0x2'
succeed '^rules: others of .*/rules may hold at some call sites' choose reduce --bytes 1M --ranks 8
succeed '^chosen: native, reason below' choose reduce --bytes 1K --ranks 7
grep -q '^rule' "$scratch/out" && fail 'choose: rules that cannot hold are told of'
echo 'pleach-rules 1' >"$scratch/none"
chooses chain model reduce --bytes 1M --ranks 8 --rules "$scratch/none" --site 'solve'
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
{ log_header && echo what && echo ever; } >"$scratch/broken"
refuse 1 'no records: 2 lines were not understood' log "$scratch/broken"
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

done_testing
