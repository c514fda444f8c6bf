#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The MPI libraries load the files that pleach export writes. They take the algorithm that a rule names for the calls of this
# rule, and for no others. All calls have right results. The program `chosen' shows which sort of algorithm has served.
# Nothing of Pleach is preloaded.
. "$srcdir/tests/scripts/mpi.sh"
with mpich || skip 'this test starts the other MPI itself'
checks_algorithms ||
    skip "files are for releases that check whether an algorithm applies; natively: $(grep -m 1 . "$scratch/natively")"
rules=$scratch/rules
file=$scratch/file

# writes TARGET RULE..: exports these rules to $file.
writes() {
    writes_for=$1
    shift
    printf 'pleach-rules 1\n' >"$rules"
    printf '%s\n' "$@" >>"$rules"
    "$PLEACH" export --for "$writes_for" -o "$file" "$rules" 2>"$out" || fail "$writes_for, $*: $(cat "$out")"
}

# natively RANKS [NAME=VALUE..] PROGRAM [ARG..]: runs the program; its output goes to $out.
natively() {
    natively_ranks=$1
    shift
    in_time "$MPIEXEC" -n "$natively_ranks" env LD_PRELOAD="$YIELD" "$@" >"$out" 2>&1 || fail "$*: $(cat "$out")"
}

# bcast passes|waits RANKS BYTES [NAME=VALUE..]: fails unless `chosen' says this of the broadcast. A broadcast that must pass
# has a long time limit, as the machine may be busy.
bcast() {
    bcast_does=$1
    bcast_ranks=$2
    bcast_bytes=$3
    shift 3
    [ "$bcast_does" = passes ] && bcast_seconds=100 || bcast_seconds=0.5
    natively "$bcast_ranks" "$@" "$programs/chosen" "$bcast_bytes" $bcast_seconds
    equal "$bcast_bytes bytes on $bcast_ranks ranks with ${*:-nothing}" "$(grep '^bcast' "$out")" "bcast $bcast_does"
}

# sum COLLECTIVE RANKS BYTES [NAME=VALUE..]: prints the bits of a sum.
sum() {
    sum_by=$1
    sum_ranks=$2
    sum_bytes=$3
    shift 3
    natively "$sum_ranks" "$@" "$programs/chosen" "$sum_bytes" 0
    grep "^$sum_by " "$out"
}

# inner_calls: tests rules for the broadcasts among first ranks of nodes that the library makes inside others. $file has one.
inner_calls() {
    # On four nodes of two ranks, it applies to the broadcast between nodes. At other sizes MPICH's own rules hold. Their
    # condition "fewer than eight ranks" must not hold for eight ranks, whether or not it stands inside conditions on sizes.
    bcast passes 8 65536 $apart
    bcast waits 8 65536 $apart $loads
    bcast waits 8 1048576 $apart
    bcast waits 8 1048576 $apart $loads

    # A rule for four ranks on four nodes is not for the broadcasts that the library makes inside those of eight ranks.
    writes mpich 'collective=bcast ranks=4 ranks-per-node=1 -> engine=native:scatter-ring-allgather'
    bcast waits 4 65536 $apart $loads
    bcast passes 8 65536 $apart $loads
    # No inner call follows a rule that an earlier one hides, and where two rules for four nodes contradict each other, the
    # default holds.
    writes mpich 'collective=bcast bytes=0-64K -> engine=native' \
        'collective=bcast bytes=0-1M ranks=8 ranks-per-node=2 -> engine=native:scatter-ring-allgather'
    bcast passes 8 65536 $apart $loads
    bcast waits 8 65544 $apart $loads
    writes mpich 'collective=bcast ranks=8 ranks-per-node=2 -> engine=native:scatter-ring-allgather' \
        'collective=bcast ranks=12 ranks-per-node=3 -> engine=native:binomial' \
        'collective=scan -> engine=native:recursive-doubling'
    says "$out" '2 that other rules contradict where the format sees no difference'
    bcast passes 8 65536 $apart $loads
}

# With a node for each rank, MPICH takes the algorithm within a rule's ranges of ranks and bytes, and not outside them.
apart=MPIR_CVAR_NUM_CLIQUES=5
loads=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$file
writes mpich 'collective=bcast bytes=64K-256K ranks=5 -> engine=native:scatter-ring-allgather' \
    'collective=reduce op=rounding root=first bytes=64K-256K ranks=5 ranks-per-node=1 -> engine=native:binomial'
[ ! -s "$out" ] || fail "it says $(cat "$out")"
bcast passes 5 65536 $apart
bcast waits 5 65536 $apart $loads
bcast waits 5 262144 $apart $loads
bcast passes 5 65535 $apart $loads
bcast passes 5 262145 $apart $loads
bcast passes 6 65536 MPIR_CVAR_NUM_CLIQUES=6 $loads
default=$(sum reduce 5 65536 $apart)
binomial=$(sum reduce 5 65536 $apart MPIR_CVAR_REDUCE_INTRA_ALGORITHM=binomial)
[ "$default" != "$binomial" ] || fail 'the sum does not depend on the algorithm'
equal 'a sum' "$(sum reduce 5 65536 $apart $loads)" "$binomial"
equal 'a shorter sum' "$(sum reduce 5 65528 $apart $loads)" "$(sum reduce 5 65528 $apart)"

# A broadcast of eight ranks on four nodes contains one of four ranks, the first ones of nodes. Some releases of MPICH take
# comm_hierarchy=node_roots for true in a program's own call on nodes of one rank, too. For these, files say nothing about
# first ranks.
writes mpich 'collective=scan -> engine=native:recursive-doubling'
roots='"comm_hierarchy=node_roots":{"algorithm=MPIR_Reduce_intra_binomial":{}},"comm_hierarchy=any":{'
sed -i "s/\"collective=reduce\":{/&$roots/; s/,\"collective=reduce_scatter\":/}&/" "$file"
asked=$(sum reduce 5 65536 $apart $loads)
apart=MPIR_CVAR_NUM_CLIQUES=4
writes mpich 'collective=bcast bytes=32K-128K ranks=8 ranks-per-node=2 -> engine=native:scatter-ring-allgather'
case $asked in
"$default") inner_calls ;;
"$binomial")
    echo 'not tested: rules for first ranks of nodes: this MPICH takes the ranks of other calls for first ranks'
    silent_about "$file" '"comm_hierarchy=node_roots":{"comm_size'
    ;;
*) fail "a file by hand: $asked instead of $default or $binomial" ;;
esac
# A rule for four ranks of one node is for programs on one node.
bcast passes 4 65536 MPIR_CVAR_NUM_CLIQUES=1
writes mpich 'collective=bcast ranks=4 ranks-per-node=4 -> engine=native:scatter-ring-allgather'
bcast waits 4 65536 MPIR_CVAR_NUM_CLIQUES=1 $loads
bcast passes 4 65536 $apart $loads
# A rule for some sizes or call sites is left out if the format lacks these, and another rule that contradicts it, too.
for part in 'collective=scan bytes=0-1K' 'collective=scan site=*solve*'; do
    writes mpich "$part -> engine=native" 'collective=scan -> engine=native:recursive-doubling' \
        'collective=bcast -> engine=native:binomial'
    says "$out" '1 that other rules contradict where the format sees no difference'
done

# If an algorithm does not fit a call, the library chooses as by default. A sum of a program's own operation keeps its order.
writes mpich 'collective=reduce -> engine=native:reduce-scatter-gather' 'collective=bcast,scan -> engine=native:smp' \
    'collective=allreduce -> engine=native:reduce-scatter-allgather'
natively 5 "$programs/order"
cp "$out" "$scratch/order"
natively 5 $loads "$programs/order"
equal 'a program'\''s operation' "$(cat "$out")" "$(cat "$scratch/order")"
for cliques in 1 2 5; do
    for elements in 2 3001; do
        natively 5 MPIR_CVAR_NUM_CLIQUES=$cliques $loads "$programs/five" $elements
        says "$out" 'five ok'
    done
done
writes mpich 'collective=reduce,allreduce -> engine=native:smp'
natively 5 MPIR_CVAR_NUM_CLIQUES=2 $loads "$programs/order"
equal 'nodes, a program'\''s operation' "$(cat "$out")" \
    "$(MPIR_CVAR_NUM_CLIQUES=2 in_time "$MPIEXEC" -n 5 "$programs/order")"

# Learned rules are exported, too. Its times are made up: algorithm number 4 is scatter-recursive-doubling-allgather,
# with which rank 1 waits for rank 3. MPICH takes it for broadcasts of the learned sizes.
runs 4 LD_PRELOAD="$YIELD:$LIBPLEACH:$liar" $apart PLEACH_PLACES=node LIAR_CORES=64 LIAR_CLOCK=yes LIAR_ALGORITHM=4:0.5 \
    PLEACH_BUDGET=1 PLEACH_LEARN="$scratch/learned" "$programs/learn" repeat bcast 131072 60
"$PLEACH" export --for mpich "$scratch/learned" >"$file" || fail 'learned rules are not exported'
learned='"avg_msg_size<=2097151":{"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather":{}}'
grep -qF "$learned" "$file" || fail "the rule is not in the file: $(cat "$file")"
bcast passes 4 1048576 $apart
bcast waits 4 1048576 $apart "$loads"
bcast passes 4 1048575 $apart "$loads"
bcast passes 4 2097152 $apart "$loads"
natively 4 $apart "$loads" "$programs/five" 131072
says "$out" 'five ok'
# MPICH has sizes up to 2G-1. A rule that ends there, or beyond, leaves the default to longer messages.
for most in 2147483647 3G; do
    writes mpich "collective=bcast bytes=1G-$most ranks=4 ranks-per-node=1 -> engine=native:binomial"
    grep -q 'avg_msg_size<=2147483647' "$file" || fail "the rule has no end: $(cat "$file")"
done
# An earlier rule for larger sizes leaves the default to them.
writes mpich 'collective=bcast bytes=3G-inf -> engine=native' 'collective=bcast bytes=1M-inf -> engine=native:binomial'
grep -q 'avg_msg_size<=2147483646' "$file" || fail "a rule for larger sizes is lost: $(cat "$file")"

# MPICH maps the file into memory and reads up to a byte 0, so the file must not fill its last page. As --library takes any
# file for that of MPICH, this test can choose the length.
tree='{"collective=bcast":{"algorithm=MPIR_Bcast_intra_smp":{}}}'
printf 'algorithm=MPIR_Bcast_intra_binomial\0%s%*s\0' "$tree" 8000 '' >"$scratch/library"
printf 'pleach-rules 1\ncollective=bcast -> engine=native:binomial\n' >"$rules"
"$PLEACH" export --for mpich --library "$scratch/library" "$rules" -o "$file" || fail 'a library of one tree'
blanks=$((8000 + 8192 + 4096 - $(wc -c <"$file")))
printf 'algorithm=MPIR_Bcast_intra_binomial\0%s%*s\0' "$tree" $blanks '' >"$scratch/library"
"$PLEACH" export --for mpich --library "$scratch/library" "$rules" -o "$file" || fail 'a tree of whole pages'
equal 'bytes in the last page' $(($(wc -c <"$file") % 4096)) 1

# Releases of MPICH from 4.1 on have more algorithms. Some have parameters, which the file names.
mpi5=$srcdir/../shared/mpi5
if [ -e "$mpi5/lib/libmpi_abi.so.1" ]; then
    mkdir "$scratch/mpi5"
    "${CC:-cc}" -I"$mpi5/include/abi" -o "$scratch/mpi5/chosen" "$srcdir/tests/programs/chosen.c" \
        -L"$mpi5/lib" -Wl,--no-as-needed,-rpath,"$mpi5/lib" -l:libmpi_abi.so.1 || fail 'chosen does not compile for MPICH 5'
    # bits COLLECTIVE [NAME=VALUE..]: sets $bits to the line of `chosen' for this collective. A broadcast natively passes.
    bits() {
        bits_of=$1
        shift
        natively 5 "$@" MPIR_CVAR_NUM_CLIQUES=5 "$scratch/mpi5/chosen" 65536 "$limit"
        bits=$(grep "^$bits_of " "$out")
    }
    limit=100
    bits allreduce
    standard=$bits
    for name in allreduce:ring allreduce:recursive-multiplying allreduce:tree allreduce:tree-k4 \
        allreduce:recursive-multiplying-k4 allreduce:recexch allreduce:recexch-k4 allreduce:k-reduce-scatter-allgather \
        bcast:tree bcast:tree-k4 bcast:pipelined-tree; do
        collective=${name%:*}
        algorithm=${name#*:}
        variable=MPIR_CVAR_$(echo "$collective" | tr '[:lower:]' '[:upper:]')
        base=$(echo "${algorithm%-k4}" | tr - _)
        parameter=MPIR_NONE=4
        [ "${algorithm%-k4}" = "$algorithm" ] || parameter=${variable}_$(echo "$base" | tr '[:lower:]' '[:upper:]')_KVAL=4
        # With native:tree rank 1 needs rank 3. With native:pipelined-tree it passes, as natively: the file does no harm.
        case $name in bcast:tree) limit=0.5 ;; *) limit=100 ;; esac
        bits "$collective" "${variable}_INTRA_ALGORITHM=$base" "$parameter"
        named=$bits
        case $name in
        allreduce:recexch | allreduce:k-*) ;; # these add in the order of the default
        allreduce:*) [ "$named" != "$standard" ] || fail "native:$algorithm does not change the sum" ;;
        bcast:tree) equal 'a broadcast by a tree' "$named" 'bcast waits' ;;
        esac
        printf 'pleach-rules 1\ncollective=%s bytes=64K -> engine=native:%s\n' "$collective" "$algorithm" >"$rules"
        "$PLEACH" export --for mpich --library "$mpi5/lib/libmpi_abi.so.1" -o "$file" "$rules" 2>"$out" ||
            fail "native:$algorithm: $(cat "$out")"
        bits "$collective" "$loads"
        equal "native:$algorithm by a file" "$bits" "$named"
    done
    # This release takes five ranks on five nodes for first ranks of nodes. Their rule holds, whatever other rules there are.
    printf 'pleach-rules 1\n%s\n%s\n' 'collective=bcast bytes=64K ranks=5 ranks-per-node=1 -> engine=native:tree' \
        'collective=bcast bytes=64K ranks=10 ranks-per-node=2 -> engine=native:binomial' >"$rules"
    "$PLEACH" export --for mpich --library "$mpi5/lib/libmpi_abi.so.1" -o "$file" "$rules" || fail 'two rules for MPICH 5'
    limit=0.5
    bits bcast "$loads"
    equal 'a broadcast by one of two rules' "$bits" 'bcast waits'
else
    echo 'not tested: the algorithms of MPICH 5, which is not in ../shared/mpi5'
fi

# The file has the keys of the published schema, and no others. Open MPI reads it, from release 6 on.
if have python3 'the JSON for Open MPI'; then
    writes openmpi-6 'collective=bcast bytes=64K-256K ranks=5 -> engine=native:binomial' \
        'collective=bcast bytes=1M-inf ranks=5-8 -> engine=native:binomial' \
        'collective=allreduce,scan ranks=9-inf -> engine=native:recursive-doubling'
    python3 - "$file" >"$out" 2>&1 <<'END' || fail "the JSON for Open MPI: $(cat "$out")"
import json, sys
def has(what, needs, may):
    assert needs <= set(what) <= needs | may, what
whole = json.load(open(sys.argv[1]))
has(whole, {"rule_file_version", "module", "collectives"}, {"$schema"})
assert whole["rule_file_version"] == 3 and whole["module"] == "tuned"
assert list(whole["collectives"]) == ["bcast", "scan", "allreduce"]
for by_ranks in sum(whole["collectives"].values(), []):
    has(by_ranks, {"rules"}, {"comm_size_min", "comm_size_max", "comm_rank_distribution"})
    for rule in by_ranks["rules"]:
        has(rule, {"alg"}, {"msg_size_min", "msg_size_max", "reqs", "faninout"})
        assert isinstance(rule["alg"], str) and all(isinstance(rule[key], int) for key in rule if key != "alg")
END
fi

# Releases of Open MPI before 6 read another file.
open_mpi || skip 'no Open MPI (Debian: libopenmpi-dev, openmpi-bin); MPICH was tested'
mkdir "$scratch/built"
mpicc.openmpi -o "$scratch/built/chosen" "$srcdir/tests/programs/chosen.c" || fail 'chosen does not compile'
programs=$scratch/built
MPIEXEC=mpiexec.openmpi
# Pleach's numbers and names of algorithms are those of Open MPI, which lists them.
ompi_info --param coll tuned --level 9 | tr '|' : | tr -d '"' >"$scratch/listed"
sed -n 's/.*{COLL_\([A-Z]*\), "\([^"]*\)", [^,]*, \([1-9][0-9]*\), .*/\1 \3:\2/p' \
    "$srcdir/src/commands/export_text.c" | tr '[:upper:]-' '[:lower:]_' |
    sed 's/in_order_binary/in-order_binary/' >"$scratch/ours"
[ "$(wc -l <"$scratch/ours")" -gt 15 ] || fail "these are too few: $(cat "$scratch/ours")"
while read -r collective algorithm; do
    grep -A 2 " coll_tuned_${collective}_algorithm " "$scratch/listed" | grep -qF " $algorithm" ||
        fail "Open MPI has no $algorithm for $collective"
done <"$scratch/ours"

if [ "$(ompi_info --version | sed -n 's/^Open MPI v\([0-9]*\).*/\1/p')" -ge 6 ]; then
    writes openmpi-6 'collective=bcast bytes=64K-256K ranks=5 -> engine=native:binomial'
    echo '#include <mpi.h>
        int main(void) { return MPI_Init(NULL, NULL) || MPI_Finalize(); }' >"$scratch/begins.c"
    mpicc.openmpi -o "$scratch/begins" "$scratch/begins.c" || fail 'begins does not compile'
    in_time mpiexec.openmpi -n 1 env OMPI_MCA_coll_base_verbose=100 OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
        OMPI_MCA_coll_tuned_dynamic_rules_filename="$file" "$scratch/begins" >"$out" 2>&1 || fail "begins: $(cat "$out")"
    lines "$out" 'number of communicator rules: 1$' 1
fi
writes openmpi 'collective=bcast bytes=64K-256K ranks=5 -> engine=native:binomial'
dynamic=OMPI_MCA_coll_tuned_use_dynamic_rules=1
loads=OMPI_MCA_coll_tuned_dynamic_rules_filename=$file
bcast passes 5 65536 $dynamic
bcast waits 5 65536 $dynamic "$loads"
bcast waits 5 262144 $dynamic "$loads"
bcast passes 5 65535 $dynamic "$loads"
bcast passes 5 262145 $dynamic "$loads"
bcast passes 6 65536 $dynamic "$loads"

# Of a file for two collectives, Open MPI takes both parts. By default, sums have the bits of recursive doubling. So here a
# variable makes sums go around a ring (algorithm 4), over which a file prevails in some releases.
ring=OMPI_MCA_coll_tuned_allreduce_algorithm=4
doubles='collective=allreduce bytes=64K-256K ranks=5 -> engine=native:recursive-doubling'
doubling=$(sum allreduce 5 65536 $dynamic OMPI_MCA_coll_tuned_allreduce_algorithm=3)
around=$(sum allreduce 5 65536 $dynamic $ring)
[ "$doubling" != "$around" ] || fail 'the sum by recursive doubling is the sum around a ring'
writes openmpi "$doubles"
if [ "$(sum allreduce 5 65536 $dynamic $ring "$loads")" = "$around" ]; then
    echo 'not tested: a file for two collectives: here a variable prevails over a file'
    exit "$status"
fi
writes openmpi 'collective=bcast bytes=64K-256K ranks=5 -> engine=native:binomial' "$doubles"
lines "$file" ' # \(bcast\|allreduce\)$' 2
bcast waits 5 65536 $dynamic $ring "$loads"
equal 'a sum by a file for two collectives' "$(grep '^allreduce ' "$out")" "$doubling"
equal 'a shorter sum' "$(sum allreduce 5 65528 $dynamic $ring "$loads")" "$(sum allreduce 5 65528 $dynamic $ring)"
exit "$status"
