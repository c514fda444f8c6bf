#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files of rules: the right rule decides a call. Broken files, files that differ between ranks, and ranks that call from
# different call sites give right results and no hang.
. "$srcdir/tests/scripts/mpi.sh"
rules=$scratch/rules

# write RULE..: writes a file of these rules.
write() {
    printf 'pleach-rules 1\n' >"$rules"
    printf '%s\n' "$@" >>"$rules"
}

# ruled [NAME=VALUE..] PROGRAM [ARG..]: runs the program on three ranks with this file. Records of all ranks go to $out, the
# exit status to $ended.
ruled() {
    preloaded 3 PLEACH_RULES="$rules" PLEACH_LOG=stderr PLEACH_LOG_RANKS=all "$@" >"$out" 2>&1
    ended=$?
}

# apart RANK_0 OTHERS PROGRAM: like ruled, but rank 0 has the setting RANK_0 and the other ranks have OTHERS, each a
# NAME=VALUE. A rank has rules only if its setting names them.
apart() {
    apart_first=$1
    apart_others=$2
    shift 2
    in_time "$MPIEXEC" \
        -n 1 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr PLEACH_LOG_RANKS=all "$apart_first" "$@" : \
        -n 2 env LD_PRELOAD="$YIELD:$LIBPLEACH" PLEACH_LOG=stderr PLEACH_LOG_RANKS=all "$apart_others" "$@" >"$out" 2>&1
    ended=$?
}

# served PROGRAM COLUMNS WANT: fails unless the program succeeded and these columns of its records are WANT: joined by
# blanks, sorted, each combination once.
served() {
    [ "$ended" -eq 0 ] || fail "exit status $ended of $1: $(cat "$out")"
    says "$out" "$1 ok"
    served_got=$(awk -F '\t' -v columns="$2" '
        $1 ~ /^[0-9]+$/ && NF == 16 {
            n = split(columns, column, " ")
            for (i = 1; i <= n; i++)
                printf "%s%s", $column[i], i < n ? " " : "\n"
        }' "$out" | sort -u)
    equal "engines by these rules: $(cat "$rules")" "$served_got" "$3"
}
calls='6 12 14'  # collective, engine, reason
blocks='6 12 13' # .. and number of blocks

# The first rule that matches decides, and the engine that it names serves. Conditions are on bytes, ranks and op.
write 'collective=bcast bytes=800025-inf -> engine=mesh' 'collective=bcast ranks=4-inf -> engine=mesh' \
    'collective=bcast bytes=800024 ranks=3 -> engine=binomial' 'collective=bcast,reduce -> engine=chain' \
    'op=rounding,user -> engine=native' 'collective=scan op=exact -> engine=native' 'collective=exscan -> engine=doubling' \
    'collective=allreduce bytes=800025-inf -> engine=two-tree' 'collective=allreduce -> engine=butterfly'
ruled "$programs/five"
served five "$calls" 'allreduce butterfly rule
bcast binomial rule
exscan doubling rule
reduce chain rule
scan native rule'
lines "$out" '^pleach: ' 0

# An engine that a setting names takes precedence over the rules; an engine that a setting excludes does not serve.
ruled PLEACH_ENGINE=bintree "$programs/five"
served five "$calls" 'allreduce native not-applicable
bcast bintree forced
exscan bintree forced
reduce bintree forced
scan bintree forced'
ruled PLEACH_BCAST_ENGINE=chain PLEACH_REDUCE_ENGINE=^chain "$programs/five"
! grep '	reduce	.*	chain	' "$out" || fail 'a rule names what the settings exclude'
sed -i '/	reduce	/d' "$out" # the model chooses their engine, or few cores make them native
served five "$calls" 'allreduce butterfly rule
bcast chain forced
exscan doubling rule
scan native rule'
ruled "$programs/five" 10
served five "12 14" 'native below-threshold'

# Rules set the size of a block, unless a setting does. They also set figures: a large alpha leads to few blocks (of at most
# 256K), a small alpha to many (of at least 8K).
write 'collective=bcast -> engine=chain block=16K' 'collective=reduce -> engine=bintree block=inf' \
    'collective=scan -> engine=chain alpha=10s beta=1ns gamma=1ns' \
    'collective=exscan -> engine=chain alpha=10ns beta=1ns gamma=1ns' 'collective=allreduce -> engine=two-tree block=100K'
ruled "$programs/five"
served five "$blocks" 'allreduce two-tree 8
bcast chain 49
exscan chain 98
reduce bintree 1
scan chain 4'
ruled PLEACH_BLOCK=32K "$programs/five"
served five "$blocks" 'allreduce two-tree 26
bcast chain 25
exscan chain 25
reduce bintree 25
scan chain 25'

# With blocks of inf, every engine calls a user-defined operation once for all elements; with smaller blocks it does not.
write 'op=user -> engine=two-tree block=inf'
ruled "$programs/whole"
sed -i '/	allreduce	/d' "$out" # $programs/whole checks all-reduces itself
served whole "$blocks" 'exscan two-tree 1
reduce two-tree 1
scan two-tree 1'
for engine in $("$PLEACH" engines --all | awk '!NF { exit } $2 ~ /reduce|scan/ { print $1 }' | sort -u); do
    rm -f "$scratch/log"
    runs 3 PLEACH_ENGINE="$engine" PLEACH_BLOCK=inf PLEACH_LOG="$scratch/log" "$programs/whole"
    reasons "$scratch/log" | sed -n 's/ forced$//p' >>"$scratch/forced"
done
for engine in binomial bintree chain doubling ring two-tree; do
    grep -qx "$engine" "$scratch/forced" || fail "with block=inf, $engine serves no call"
done
fails 3 PLEACH_ENGINE=two-tree PLEACH_BLOCK=1G "$programs/whole"

# If a file is broken or missing, one line says where, and the program runs.
write 'collective=bcast -> engine=chain' '# a comment' 'collective=scan -> engine=swift'
ruled "$programs/five"
served five "12 14" 'native bad-rules'
lines "$out" '^pleach: ' 1
says "$out" "pleach: PLEACH_RULES: $rules:4: "
says "$out" '; every call goes to the native MPI library; see pleach-rules(5)'
fails 3 PLEACH_RULES="$rules" PLEACH_STRICT=yes "$programs/five"
says "$out" "pleach: PLEACH_RULES: $rules:4: "
says "$out" 'the program is aborted'
silent_about "$out" 'five ok'
ruled PLEACH_RULES=/nowhere/at/all "$programs/five"
served five "12 14" 'native bad-rules'
lines "$out" '^pleach: ' 1
says "$out" 'pleach: PLEACH_RULES: /nowhere/at/all cannot be read: No such file or directory; every call goes to the native'
# Names are those in the working directory of the program's start.
before=$PWD
write 'collective=bcast bytes=1K-1M -> engine=chain'
printf 'rank 0,1 a\nrank 2,3 b\n' >"$scratch/places"
cd "$scratch" || exit 1
mkdir "$scratch/later"
runs 4 PLEACH_LEARN=learned "$programs/elsewhere" "$scratch/later"
[ -e "$scratch/learned" ] && [ ! -e "$scratch/later/learned" ] || fail 'learned rules are not where MPI_Init was'
runs 4 PLEACH_RULES=rules PLEACH_PLACES=places PLEACH_LOG=stderr "$programs/elsewhere"
cd "$before" || exit 1
says "$out" 'elsewhere ok'
lines "$out" '^pleach: ' 0
lines "$out" '	chain	.*	rule	' 2
ruled PLEACH_STRICT=yes PLEACH_RULES=/nowhere/at/all "$programs/five"
[ "$ended" -ne 0 ] || fail 'the program went on'
silent_about "$out" 'five ok'
ruled PLEACH_RULES="$scratch" "$programs/five"
served five "12 14" 'native bad-rules'
lines "$out" "^pleach: PLEACH_RULES: $scratch cannot be read: it is not a regular file; every call" 1

# If rules differ between ranks, all ranks use those of rank 0.
write '-> engine=two-tree'
printf 'pleach-rules 1\n-> engine=binomial\n' >"$scratch/other"
for others in PLEACH_RULES="$scratch/other" PLEACH_RULES=/nowhere/at/all PLEACH_RULES=; do
    apart PLEACH_RULES="$rules" "$others" "$programs/five"
    served five "12 14" 'two-tree rule'
    lines "$out" '^pleach: ' 0
done
apart A=1 PLEACH_RULES="$rules" "$programs/five"
served five "12 14" "$(awk -F '\t' '$3 == 0 && NF == 16 { print $12, $14 }' "$out" | sort -u)"
lines "$out" '^pleach: ' 0
! reasons "$out" | grep rule || fail 'rules that rank 0 does not have'

# Rules may name call sites.
write 'site="*rooted*" -> engine=chain' 'site="*nowhere*" -> engine=binomial' \
    'site="scans*< main*" collective=scan -> engine=doubling' 'site="every*" -> engine=butterfly'
ruled "$programs/five"
sed -i '/	exscan	/d' "$out"
served five "$calls" 'allreduce butterfly rule
bcast chain rule
reduce chain rule
scan doubling rule'
ruled PLEACH_LOG_RANKS=0 "$programs/five" # here most ranks need call sites for the rules alone
sed -i '/	exscan	/d' "$out"
served five "$calls" 'allreduce butterfly rule
bcast chain rule
reduce chain rule
scan doubling rule'
ruled PLEACH_STACK=0 "$programs/five"
equal 'exit status' "$ended" 0
! reasons "$out" | grep rule || fail 'a rule with a site, where there are no sites'

# Ranks call from different call sites. A rule that matches on some ranks alone decides on none.
write 'collective=reduce site=*even* -> engine=binomial' 'collective=reduce site=*odd* -> engine=bintree' \
    'collective=reduce -> engine=chain' 'collective=scan site=*both* -> engine=doubling'
ruled "$programs/sites"
served sites "$calls" 'reduce chain rule
scan doubling rule'
# A rule that matches on all ranks decides, whatever their call sites.
write 'collective=reduce site=even* -> engine=binomial' 'collective=reduce site="*< main*" -> engine=bintree' \
    'site=?* -> engine=chain'
ruled "$programs/sites"
served sites "$calls" 'reduce bintree rule
scan chain rule'
# A rank without call sites matches no rule with a site.
apart PLEACH_RULES="$rules" PLEACH_STACK=0 "$programs/sites"
equal 'exit status' "$ended" 0
says "$out" 'sites ok'
! reasons "$out" | grep rule || fail 'a rule with a site that one rank alone has'

exit "$status"
