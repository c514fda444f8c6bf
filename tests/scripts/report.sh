#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# There is one report of all ranks, or one of each rank. A job that is killed leaves rank reports. A report that cannot be
# written does not harm the program.
. "$srcdir/tests/scripts/mpi.sh"

# groups FILE: prints calls, collective, engine and reason from a report as TSV.
groups() {
    awk -F '\t' '$1 == "engine" { print $9, $2, $4, $6 }' "$1" | sort
}

# has FILE GROUPS: fails unless the report has exactly these groups.
has() {
    [ "$(groups "$1")" = "$2" ] || {
        fail "other groups than these: $2; in:"
        sed 's/^/    /' "$1"
    }
}

# all_calls FILE CONDITION: true if the report has one row of all calls, and awk's condition holds for it.
all_calls() {
    [ "$(awk -F '\t' "\$1 == \"all\" { print ($2) }" "$1")" = 1 ]
}

# gone NAME..: fails if such a file or folder exists.
gone() {
    for gone_name; do
        [ ! -e "$gone_name" ] || fail "$gone_name is there: $(ls -R "$gone_name")"
    done
}

# Each of 2 ranks makes 2 broadcasts, 2 reductions, a scan, an exscan and an all-reduce. A setting makes the reductions
# native.
both='2 allreduce two-tree forced
2 exscan two-tree forced
2 scan two-tree forced
4 bcast two-tree forced
4 reduce native forced'

# with_both RANKS [NAME=VALUE..] PROGRAM [ARG..]: runs the program with an engine, but with native reductions.
with_both() {
    with_ranks=$1
    shift
    preloaded "$with_ranks" PLEACH_ENGINE=two-tree PLEACH_REDUCE_ENGINE=native "$@" >"$out" 2>&1
}

# There is one report for all ranks, whichever ranks write records. Standard error stays empty, and no other file is left.
# The two cores are made up (fakes/liar.c): with more ranks than cores, Pleach measures no figures.
LIBPLEACH=$LIBPLEACH:$liar with_both 2 LIAR_CORES=2 PLEACH_BUDGET=1 PLEACH_LOG_RANKS=1 PLEACH_REPORT="$scratch/report.tsv" \
    "$programs/five" || fail "file: exit status $?"
equal 'what it says' "$(cat "$out")" 'five ok'
equal 'reports' "$(cd "$scratch" && echo report*)" report.tsv
report=$scratch/report.tsv
has "$report" "$both"
lines "$report" '^# told 2$' 1
lines "$report" '^# ended finalize$' 1
lines "$report" "^# command $programs/five\$" 1
says "$report" '# pleach '"$("$PLEACH" --version | sed 's/.* //;q')"
with openmpi && mpi='Open MPI 4' || mpi='MPICH [0-9.]* ch[34]'
lines "$report" "^# mpi $mpi" 1
says "$report" "# settings PLEACH_ENGINE=two-tree PLEACH_REDUCE_ENGINE=native PLEACH_BUDGET=1 PLEACH_SHARED=no \
PLEACH_REPORT=$report PLEACH_LOG_RANKS=1"
# With the standard ABI, MPI reports a node for each rank (see nodes() in mpi.sh), so there are no figures within a node.
with abi || lines "$report" '^# figures within a node: ' 1
for site in 'bcast.*rooted' 'reduce.*rooted' 'scan.*scans' 'exscan.*scans' 'allreduce.*everywhere'; do
    lines "$report" "^site	$site+0x[0-9a-f]* < main+0x[0-9a-f]*	" 1
done
# The times of the calls add up, and are not longer than the program ran on its ranks.
awk -F '\t' '
    sub(/^# run_ns /, "", $1) { run = 1e-9 * $1 }
    $1 == "all" { all = $11 }
    $1 == "collective" { sum += $11; ranks = $8 }
    END { exit !(all > 0 && sum > 0.99 * all && sum < 1.01 * all && all < 2 * run && ranks == 2) }' "$report" ||
    fail "times in $(cat "$report")"

# A report may be text, here of small calls. A second one does not overwrite it.
with_both 3 PLEACH_REPORT="$scratch/report.txt" "$programs/five" 10 5 || fail "small: $?"
lines "$scratch/report.txt" '^  calls     135, ' 1
with_both 3 PLEACH_REPORT="$scratch/report.txt" "$programs/five" 10 5 || fail "small again: $?"
lines "$scratch/report.txt.1" '^  calls     135, ' 1
lines "$out" "^pleach: the name of the report is taken; this run writes to $scratch/report.txt.1\$" 1
gone "$scratch/report.txt.parts"
# The ending that names the form stays at the end.
echo old >"$scratch/page.html"
with_both 2 PLEACH_REPORT="$scratch/page.html" "$programs/five" 10 5 || fail "page: $?"
lines "$scratch/page.1.html" '<!DOCTYPE html>' 1
equal 'the old page' "$(cat "$scratch/page.html")" old

# If libpleach-report.so is not installed, rank 0 prints one line, which says that there is no report. The other rank leaves
# its rank report.
mkdir "$scratch/alone"
for part in '' -mpich -openmpi -abi; do
    cp "${LIBPLEACH%.so}$part.so" "$scratch/alone"
done
LIBPLEACH=$scratch/alone/libpleach.so with_both 2 PLEACH_REPORT="$scratch/none" "$programs/five" || fail "alone: $?"
lines "$out" "$scratch/none: libpleach-report.so is neither in the folder pleach beside .* nor in .*; no report is written" 1
lines "$out" . 2
equal 'left by a lone library' "$(cd "$scratch" && echo none*/*)" none.parts/1
rm -r "$scratch/none.parts"

# Each listed rank has a report of its own.
with_both 3 PLEACH_REPORT="$scratch/own.%r.tsv" PLEACH_LOG_RANKS=0,2 "$programs/five" 10 5 || fail "own: $?"
equal 'own reports' "$(cd "$scratch" && echo own*)" 'own.0.tsv own.2.tsv'
for rank in 0 2; do
    has "$scratch/own.$rank.tsv" '15 bcast native below-threshold
15 reduce native below-threshold
5 allreduce native below-threshold
5 exscan native below-threshold
5 scan native below-threshold'
    lines "$scratch/own.$rank.tsv" '^# told 1$' 1
done

# A report goes to standard error, beside a log. There are no call sites.
with_both 2 PLEACH_REPORT=stderr PLEACH_LOG="$scratch/log" PLEACH_STACK=0 "$programs/five" || fail "stderr: exit status $?"
lines "$out" '^  calls     14, ' 1
lines "$out" '^  ranks     2 on 1 node$' 1
says "$out" 'five ok'
[ "$(reasons "$scratch/log")" = 'native forced
two-tree forced' ] || fail "the log beside it: $(reasons "$scratch/log")"
[ "$(grep -vc '^#' "$scratch/log")" -eq 8 ] || fail 'the log does not have a line for each call of rank 0'
lines "$out" '  bcast *-$' 1

# PLEACH_REPORT=none in the environment takes precedence over the file of settings.
printf 'REPORT=%s\n' "$scratch/none" >"$scratch/conf"
(cd "$scratch" && preloaded 2 PLEACH_CONF="$scratch/conf" PLEACH_REPORT=none "$programs/five") >"$out" 2>&1 ||
    fail "none: exit status $?"
equal 'what it says without a report' "$(cat "$out")" 'five ok'
gone "$scratch/none" "$scratch/none.parts"

# Programs may have threads, end in MPI_Finalize or without it, or fork. In the last job, PLEACH_REPORT is set for one rank
# alone.
runs 2 PLEACH_THRESHOLD=0 PLEACH_REPORT="$scratch/threads.tsv" "$programs/threads"
lines "$scratch/threads.tsv" '^# told 2$' 1
gone "$scratch/threads.tsv.parts"
runs 2 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/finalized.tsv" "$programs/sites"
has "$scratch/finalized.tsv" '6 reduce chain forced
6 scan chain forced'
# The job has one rank: of several ranks, the launcher would kill the others when the first ends without MPI_Finalize.
preloaded 1 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/left.tsv" "$programs/nofinalize" >"$out" 2>&1
has "$scratch/left.tsv" '1 bcast native one-rank'
gone "$scratch/left.tsv.parts"
runs 2 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/handler.tsv" "$programs/nofinalize" handler
has "$scratch/handler.tsv" '2 bcast chain forced'
lines "$scratch/handler.tsv" '^# ended finalize$' 1
gone "$scratch/handler.tsv.parts"
# A library's destructor, which runs after Pleach's, makes a call and ends MPI.
behind=$fakes/ends.so
runs 2 PLEACH_ENGINE=chain PLEACH_LOG="$scratch/ends.log" PLEACH_REPORT="$scratch/ends.tsv" "$programs/nofinalize"
behind=
has "$scratch/ends.tsv" '4 bcast chain forced'
lines "$scratch/ends.tsv" '^# ended finalize$' 1
gone "$scratch/ends.tsv.parts"
equal 'records of a program that a destructor ends' "$(grep -c '^[0-9]' "$scratch/ends.log")" 2
runs 2 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/fork.txt" "$programs/fork"
lines "$scratch/fork.txt" '^Pleach report' 1
in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_REPORT="$scratch/one.tsv" \
    "$programs/five" 10 : -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" "$programs/five" 10 >"$out" 2>&1 || fail "one of three: $?"
equal 'what it says where one has a report' "$(cat "$out")" 'five ok'
lines "$scratch/one.tsv" '^# told 1$' 1
lines "$scratch/one.tsv" '^# ranks 3$' 1

# With `pairs' the program broadcasts and reduces only on communicators of two ranks. Pleach then knows no communicator of
# all ranks, so the other ranks cannot send rank 0 their rank reports. When rank 0 exits, it merges the rank reports that
# they have left in files.
calls='16 bcast 12 reduce'
# sums FILE: prints the number of calls of each collective.
sums() {
    awk -F '\t' '$1 == "collective" { printf "%s%s %s", sep, $9, $2; sep = " " } END { print "" }' "$1" |
        sed 's/^\(.* reduce\) \(.* bcast\)$/\2 \1/'
}
for where in world pairs; do
    runs 4 PLEACH_REPORT="$scratch/$where.tsv" "$programs/parts" $where finalize
    equal "calls on $where" "$(sums "$scratch/$where.tsv")" "$calls"
    lines "$scratch/$where.tsv" '^# told 4$' 1
    # All ranks give a communicator and its calls the same names and numbers; otherwise the report could not say which rank
    # waited.
    # shellcheck disable=SC2016 # $ is awk's
    all_calls "$scratch/$where.tsv" '$16 != "-" && $16 >= 0' || fail "waiting on $where"
    gone "$scratch/$where.tsv.parts"
done

# Rank 0 may run without Pleach, or make no call. Then the lowest rank that makes calls writes the report when it exits.
parts=$programs/parts
for zero in '' "$YIELD:$LIBPLEACH"; do
    rm -rf "$scratch"/clients*
    in_time "$MPIEXEC" -n 1 env LD_PRELOAD="$zero" PLEACH_REPORT="$scratch/clients.tsv" \
        "$parts" clients finalize : -n 3 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_REPORT="$scratch/clients.tsv" \
        "$parts" clients finalize >"$out" 2>&1 || fail "clients: exit status $?"
    equal "reports of clients ($zero)" "$(cd "$scratch" && echo clients*)" 'clients.tsv clients.tsv.parts'
    equal 'calls of clients' "$(sums "$scratch/clients.tsv")" '12 bcast 9 reduce'
    lines "$scratch/clients.tsv" '^# told 3$' 1
    lines "$scratch/clients.tsv" '^# ended finalize$' 1
done

# A report goes to several files. Any form is made of a page or of JSON, and is the same again.
runs 2 PLEACH_ENGINE=chain PLEACH_LOG="$scratch/all.%r" PLEACH_LOG_RANKS=all \
    PLEACH_REPORT="$scratch/all.html,$scratch/all.json $scratch/all.tsv" \
    "$programs/parts" world finalize
gone "$scratch/all.html.parts"
for of in html json; do
    for to in html json tsv csv txt; do
        "$PLEACH" report "$scratch/all.$of" -o "$scratch/from-$of.$to" 2>"$out" || fail "$to of $of: $(cat "$out")"
    done
    "$PLEACH" report "$scratch/all.$of" --format trace >"$scratch/from-$of.trace" || fail "trace of $of"
done
for to in html json tsv csv txt trace; do
    cmp "$scratch/from-html.$to" "$scratch/from-json.$to" || fail "$to of the page is not that of the JSON"
done
cmp "$scratch/all.tsv" "$scratch/from-json.tsv" || fail 'the table made of JSON is not that of the library'
cat >"$scratch/sums.awk" <<'END'
NR > 1 && !/^#/ && ($1 == "collective" || $1 == "size" || $1 == "site" || $1 == "engine") {
    printf "%s %s %s %s %s %s %d %d %.0f\n", $1, $2, $3, $4, $6, $7, $8, $9, 1e6 * $11
}
END
"$PLEACH" report --format tsv "$scratch"/all.[01] | awk -F '\t' -f "$scratch/sums.awk" | sort >"$scratch/of-logs"
"$PLEACH" report --format tsv "$scratch/all.json" | awk -F '\t' -f "$scratch/sums.awk" | sort >"$scratch/of-report"
diff "$scratch/of-logs" "$scratch/of-report" >"$out" || fail "the sums of the logs are others: $(cat "$out")"
if have python3 'JSON'; then
    for file in all.json from-html.json from-json.trace; do
        python3 -m json.tool "$scratch/$file" >/dev/null || fail "$file is no JSON"
    done
    "$PLEACH" report --format trace "$scratch"/all.[01] >"$scratch/logs.trace"
    python3 - "$scratch/logs.trace" "$scratch/from-json.trace" >"$out" <<'END' || fail "traces: $(cat "$out")"
import json, sys
for name in sys.argv[1:]:
    events = json.load(open(name))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    assert all({"name", "cat", "ts", "dur", "pid", "tid", "args"} <= set(e) for e in slices), name
    assert {e["tid"] for e in slices} == {0, 1} and all(e["dur"] > 0 and e["ts"] >= 0 for e in slices), name
    assert len(slices) == 2 * 7, (name, len(slices))
    # Ranks have one clock: no rank ends a reduction at the root before the others have begun it.
    for rank in 0, 1:
        own = sorted((e for e in slices if e["tid"] == rank), key=lambda e: e["ts"])
        assert all(a["ts"] + a["dur"] <= b["ts"] + 1 for a, b in zip(own, own[1:])), name
END
fi
# Standard error gets one report, at the end; a name for single ranks is left out where another is for all.
runs 2 PLEACH_REPORT_EVERY=1ms PLEACH_REPORT="stderr,$scratch/mixed.json,$scratch/one.%r.json" \
    "$programs/parts" world finalize
lines "$out" '^Pleach report$' 1
lines "$out" '^  calls     14, ' 1
lines "$out" '^pleach: PLEACH_REPORT names a file for all ranks, so there is no .*/one\.%r\.json; see' 1
gone "$scratch/one.0.json"
gone "$scratch/mixed.json.parts"
# A job that is killed leaves parts for all its reports, whichever of them is named.
rm -rf "$scratch"/two.*
heard 4 PLEACH_REPORT="$scratch/nowhere/two.html,$scratch/two.json,$scratch/two.html" "$programs/parts" world kill
for named in two.json two.html two.json.parts; do
    "$PLEACH" report "$scratch/$named" >"$out" 2>&1 || fail "report of $named: $(cat "$out")"
    lines "$out" '^  ranks     4 on ' 1
done

# A log that grows is followed: a record counts when its line is whole.
awk '{ print } /^0\t/ { exit }' "$scratch/all.0" >"$scratch/grows"
printf '9\t0.5\t0\tMPI' >>"$scratch/grows"
"$PLEACH" log --follow --by collective "$scratch/grows" >"$scratch/followed" 2>&1 &
follower=$!
# followed PATTERN: waits until the command prints such a line.
followed() {
    for attempt in $(seq 300); do
        grep -q "$1" "$scratch/followed" && return
        sleep 0.1
    done
    fail "followed: no \"$1\" in: $(cat "$scratch/followed")"
}
followed '^1 call of 1 rank '
printf '_COMM_WORLD\t2\tbcast\t8\t1\tMPI_DOUBLE\t-\t0\tnative\t-\tmodel\t3.000\tf+0x1\n' >>"$scratch/grows"
followed '^2 calls of 1 rank '
kill $follower
wait $follower 2>/dev/null

# So is a FIFO.
mkfifo "$scratch/fifo"
"$PLEACH" log --follow --by collective "$scratch/fifo" >"$scratch/followed" 2>&1 &
follower=$!
cat "$scratch/grows" >"$scratch/fifo"
followed '^2 calls of 1 rank '
kill $follower
wait $follower 2>/dev/null

# The manual has all fields.
if have python3 'the fields of JSON'; then
    python3 - "$scratch/all.json" "$srcdir/man/pleach-report.5" >"$out" 2>&1 <<'END' || fail "the manual lacks $(cat "$out")"
import json, re, sys
words = set(re.findall(r"[a-z_]+", open(sys.argv[2]).read()))
def keys(of):
    if isinstance(of, dict):
        yield from of
    for inner in of.values() if isinstance(of, dict) else of if isinstance(of, list) else []:
        yield from keys(inner)
missing = {re.sub("^(served|modelled|tried)_", "", key) for key in keys(json.load(open(sys.argv[1])))} - words
print(*missing)
sys.exit(bool(missing))
END
fi

if have python3 'pleach.py'; then
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$srcdir/share" python3 - "$scratch" >"$out" 2>&1 <<'END' ||
import sys, pleach
rows = lambda table: table.to_dict("records") if hasattr(table, "to_dict") else table
page, data = (pleach.read(f"{sys.argv[1]}/all.{end}") for end in ("html", "json"))
log = rows(pleach.read(f"{sys.argv[1]}/all.0")["calls"])
assert page.keys() == data.keys() and {"run", "sites", "sizes", "ranks", "calls"} <= page.keys(), page.keys()
calls = {row["collective"]: (row["calls"], row["ranks"]) for row in rows(page["collectives"])}
assert calls == {"bcast": (8, 2), "reduce": (6, 2)}, calls
assert sorted(row["rank"] for row in rows(page["ranks"])) == [0, 1]
assert len(rows(page["calls"])) == 14 and {row["rank"] for row in rows(page["calls"])} == {0, 1}
assert len(log) == 7 and {row["collective"] for row in log} == {"bcast", "reduce"}
assert abs(sum(row["duration_us"] for row in log) - 1e6 * rows(page["ranks"])[0]["seconds"]) < 1
END
        fail "pleach.py: $(cat "$out")"
fi
mkdir "$scratch/results"
runs 2 PLEACH_REPORT="$scratch/results" SLURM_JOB_ID=4711 "$programs/parts" world finalize
equal 'reports in a folder' "$(cd "$scratch/results" && echo *)" 'pleach-4711.html pleach-4711.json'

# Names that are no UTF-8 are escaped, so that readers of log and report do not stop there; the file of code is still found.
latin=$scratch/$(printf 'pr\351fecture')
cp "$programs/parts" "$latin"
escaped=$scratch/pr'\xe9'fecture
for end in tsv html txt; do
    runs 4 PLEACH_LOG="$scratch/latin.log" PLEACH_REPORT="$scratch/latin.$end" "$latin" pairs finalize
    says "$scratch/latin.$end" "$escaped"
    for file in latin.log "latin.$end"; do
        iconv -f UTF-8 -t UTF-8 "$scratch/$file" >/dev/null || fail "$file is no UTF-8"
    done
    says "$scratch/latin.log" "$escaped"
    lines "$scratch/latin.log" '	two of pr.xe9fecture	' 7
    "$PLEACH" log "$scratch/latin.log" >"$out" 2>&1 || fail "log: exit status $?"
    silent_about "$out" 'is not there any more'
    [ "$LIBDW" != yes ] || says "$out" '(parts.c:'
    rm "$scratch/latin.log"
done

# ends HOW: lets a job end so. True if its rank reports have all calls, or lack the last one alone.
ends() {
    killed=$scratch/$1.txt
    rm -rf "$killed" "$killed.parts"
    heard 4 PLEACH_REPORT="$killed" "$programs/parts" world "$1"
    says "$out" 'parts ok'
    lines "$out" '^pleach: ' 0
    "$PLEACH" report "$killed.parts" --format tsv >"$scratch/joined" || fail "report after $1"
    case $(sums "$scratch/joined") in
    '16 bcast 8 reduce' | '16 bcast 9 reduce' | '16 bcast 1'[012]' reduce') ;;
    *) false ;;
    esac
}
# If a job ends without MPI_Finalize, in whatever way, its ranks leave rank reports. These may lack the last call. A rank
# whose write was slow waits long for the next one, and then more calls are missing.
for end in exit abort kill term; do
    ends $end || ends $end || ends $end || fail "calls after $end: $(sums "$scratch/joined")"
    lines "$scratch/joined" '^# told 4$' 1
    [ $end = exit ] || says "$killed" "pleach report $killed.parts"
done

# With PLEACH_REPORT_EVERY, a report is written while the program runs. It may lack the last call of other ranks.
preloaded 4 PLEACH_REPORT_EVERY=50ms PLEACH_REPORT="$scratch/every.tsv" "$programs/parts" world kill >"$out" 2>&1
lines "$scratch/every.tsv" '^# told 4$' 1
lines "$scratch/every.tsv" '^# ended running$' 1
# shellcheck disable=SC2016 # $ is awk's
all_calls "$scratch/every.tsv" '$9 >= 25 && $9 <= 28' || fail "every: $(cat "$scratch/every.tsv")"

# The program's callback of MPI_Finalize runs before Pleach's on one rank and after it on others. No rank waits for longer
# than a minute, which fakes/hurry.c shortens to a second. Then rank 0 writes a report from the rank reports that it has.
for rank in 0 1; do
    LIBPLEACH="$fakes/hurry.so:$LIBPLEACH" runs 3 PLEACH_ENGINE=chain PLEACH_REPORT="$scratch/order$rank.tsv" \
        "$programs/finalize" world $rank
    says "$out" 'finalize ok'
    lines "$scratch/order$rank.tsv" '^# told [1-3]$' 1
done

# If a report cannot be written, one line reports it, and the program goes on.
for report in /dev/full /nowhere/at/all; do
    runs 2 PLEACH_ENGINE=chain PLEACH_REPORT=$report "$programs/five"
    lines "$out" '^pleach: ' 1
    says "$out" "pleach: report $report: "
done
# If rank reports cannot be written, one line reports it, and the report is written in the end.
: >"$scratch/blocked.txt.parts"
runs 2 PLEACH_REPORT="$scratch/blocked.txt" "$programs/parts" world finalize
lines "$out" '^pleach: ' 1
says "$out" "pleach: report: $scratch/blocked.txt.parts/0 cannot be written: "
says "$out" "; if the program is killed, it leaves no report"
lines "$scratch/blocked.txt" '^  calls     14, ' 1
exit "$status"
