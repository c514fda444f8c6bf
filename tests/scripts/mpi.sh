# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# Functions that the test scripts share. A script sources this file and ends with: exit "$status". A function that finds an
# error reports it, and the test goes on. `make check` sets MPIEXEC, LIBPLEACH, YIELD, PLEACH, srcdir, builddir.
#
# No test may depend on the number of cores, or on their load: ranks yield while they wait, time limits are for hangs alone,
# and no test expects a choice that follows from a measurement.
#
# Most tests start all ranks on this machine, and are about engines that send messages. So by default the ranks share no
# memory. A test of engines that need shared memory sets PLEACH_SHARED.
#
# MPI libraries let hwloc look at all devices, which takes a third of the time that a short job takes. No test needs devices,
# and made-up drivers of devices (fakes/driver.c) would come too late if a plugin of hwloc had loaded a real one.
set -u
export PLEACH_SHARED="${PLEACH_SHARED-no}" HWLOC_COMPONENTS=-pci,-linuxio HWLOC_PLUGINS_PATH=/nowhere
: "${srcdir:?}" "${builddir:?}" # set by make check
status=0
programs=$builddir/tests/programs
differential=$builddir/tests/differential/differential
fakes=$builddir/tests/fakes/.libs # libraries to preload
liar=$fakes/liar.so
MPI=${MPI:-mpich} # the MPI that the programs are built for; tests/scripts/other_mpi.sh runs scripts with openmpi and abi
collectives=$(sed -n 's/^#define COLLECTIVE_WORDS "\(.*\)".*/\1/p' "$srcdir/include/pleach/schedule/collective.h")
two_nodes='MPI_LOCALNRANKS=1 MPIR_CVAR_NUM_CLIQUES=2' # made-up nodes: MPICH's, and the launcher's
# MPICH 4.0 lacks these.
recent_algorithms='^native:(tree|pipelined-tree|ring|recursive-multiplying|recexch|k-reduce|composition|.*-k4)'
core=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status) # one that this test may use
scratch=$(mktemp -d) || exit 1
out=$scratch/out
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# fail TEXT..: reports a failure of the test.
fail() {
    echo "FAILED: $*"
    status=1
}

# whole_or ALL SOME: prints ALL with WHOLE=yes, else SOME.
whole_or() {
    [ "${WHOLE:-no}" = yes ] && echo "$1" || echo "$2"
}

# skip WHY: ends a test that cannot run here, or not further. Earlier failures still count.
skip() {
    echo "skipped: $*"
    [ "$status" -eq 0 ] || exit "$status"
    exit 77
}

# with MPI..: true if the programs are built for one of these.
with() {
    for with_mpi; do
        [ "$with_mpi" != "$MPI" ] || return 0
    done
    return 1
}

# have COMMAND PART: true if the command is installed; else says that this part of the test is left out.
have() {
    command -v "$1" >/dev/null || {
        echo "not tested: $2: there is no $1"
        false
    }
}

# compiled NAME [OPTION..]: compiles $scratch/NAME from standard input; false if that does not work here.
compiled() {
    compiled_name=$1
    shift
    cc -x c -o "$scratch/$compiled_name" - -x none "$@" 2>"$scratch/err" || {
        echo "not tested: $compiled_name: $(head -n 1 "$scratch/err")"
        false
    }
}

# in_time COMMAND..: ends a job that hangs, after SECONDS_ALLOWED (tests/limited.sh).
in_time() {
    timeout "$SECONDS_ALLOWED" "$@"
}

# open_mpi: lets Open MPI's launcher start more ranks than there are cores, also for root. The ranks yield. They use only
# the transports for one machine and for spawned jobs: to search for networks that are not there would take more than half
# of the time in which a job starts. Returns false if Open MPI is not there. From release 5 on, its launcher is PRRTE, whose
# variables have other names.
#
# From then on, mpiexec.openmpi is a script. Jobs at the same time would remove each other's folders, so each has its own.
# After ranks have failed, the launcher of Open MPI 4.1 sometimes waits for itself in PMIx_server_finalize() for ever. So the
# script ends a launcher whose ranks have all ended, and are still its zombies after five seconds. The watcher is no child of
# the launcher. Jobs read no input, for which the launcher would have a handler.
open_mpi() {
    command -v mpicc.openmpi >/dev/null && open_mpi_launcher=$(command -v mpiexec.openmpi) || return
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,tcp,self OMPI_MCA_btl_tcp_if_include=lo
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    mkdir "$scratch/open_mpi"
    cat >"$scratch/open_mpi/mpiexec.openmpi" <<END
#!/bin/sh
ended() {
    [ "\$(cat /proc/[0-9]*/stat 2>/dev/null | sed -n 's/^[0-9]* (.*) \(.\) '\$\$' .*/\1/p' | sort -u)" = Z ]
}
(while sleep 5 && kill -0 \$\$; do
    ended && sleep 5 && ended && kill -KILL \$\$
done >/dev/null 2>&1 &)
OMPI_MCA_orte_tmpdir_base=\$(mktemp -d "$scratch/open_mpi/XXXX")
export OMPI_MCA_orte_tmpdir_base PRTE_MCA_prte_tmpdir_base="\$OMPI_MCA_orte_tmpdir_base"
exec $open_mpi_launcher --stdin none "\$@"
END
    chmod +x "$scratch/open_mpi/mpiexec.openmpi"
    PATH=$scratch/open_mpi:$PATH
}

# preloaded RANKS [NAME=VALUE..] PROGRAM [ARG..]: runs the program with Pleach and these settings on RANKS ranks, which yield
# while they wait. $behind: a library to preload behind Pleach; the library native_calls lets operations of the differential
# test write whole elements.
preloaded() {
    preloaded_ranks=$1
    shift
    in_time "$MPIEXEC" -n "$preloaded_ranks" \
        env LD_PRELOAD="$YIELD:$LIBPLEACH${behind:+:$behind}" "$@"
}

# heard RANKS [NAME=VALUE..] PROGRAM [ARG..]: like preloaded, but for ranks that leave early or are killed: the ranks write
# to $out themselves, as the launcher may drop their last output.
heard() {
    heard_ranks=$1
    shift
    : >"$out"
    # shellcheck disable=SC2016,SC2094 # another shell's variables; all append
    preloaded "$heard_ranks" sh -c 'exec env "$@" >>"$0" 2>&1' "$out" "$@" >>"$out" 2>&1
}

# runs RANKS [NAME=VALUE..] PROGRAM [ARG..]: like preloaded; fails unless the program succeeds and, if it is one of ours that
# does so, says "NAME ok". Its output goes to $out.
runs() {
    preloaded "$@" >"$out" 2>&1 || {
        fail "exit status $? on $*:"
        sed 's/^/    /' "$out"
    }
    for runs_program; do
        case $runs_program in
        "$programs"/[a-z]*)
            runs_name=${runs_program##*/}
            # shellcheck disable=SC2086 # a pattern
            ! grep -q "$runs_name ok\|return end(" "$srcdir"/tests/programs/$runs_name.* 2>/dev/null ||
                says "$out" "$runs_name ok"
            ;;
        "$differential") says "$out" 'cases ok' ;;
        esac
    done
}

# marked PATTERN: prints the ids of the processes that signalled() has started and whose names match.
marked() {
    grep -lzxF "SIGNALLED=$scratch" /proc/[0-9]*/environ 2>/dev/null | while read -r marked_file; do
        # shellcheck disable=SC2254 # a pattern
        case $(cat "${marked_file%environ}comm" 2>/dev/null) in
        $1)
            marked_file=${marked_file%/environ}
            echo "${marked_file##*/}"
            ;;
        esac
    done
}

# catching ID..: prints how many of these processes catch SIGTERM (bit 14).
catching() {
    for catching_process; do
        cat "/proc/$catching_process/status" 2>/dev/null
    done | grep -c '^SigCgt:.*[4-7c-f]...$'
}

# signalled SIGNAL FILE LAUNCHER ARG..: runs two ranks of pleach-mpi and sends the signal to their launcher as soon as both
# ranks catch SIGTERM and FILE exists. Returns the launcher's exit status.
signalled() {
    signalled_by=$1
    signalled_after=$2
    shift 2
    (
        # shellcheck disable=SC2046 # numbers
        while [ "$(catching $(marked 'pleach-mpi*'))" -lt 2 ]; do sleep 0.05; done
        while [ ! -e "$signalled_after" ]; do sleep 0.05; done
        # shellcheck disable=SC2046 # numbers
        kill -s "$signalled_by" $(marked 'mpiexec*')
    ) &
    signalled_ended=0
    SIGNALLED=$scratch timeout --foreground --preserve-status "$SECONDS_ALLOWED" "$@" || signalled_ended=$?
    kill $! 2>/dev/null
    wait $!
    return $signalled_ended
}

# fails RANKS [NAME=VALUE..] PROGRAM [ARG..]: like heard; fails if the program succeeds. MPICH's launcher may end with status
# 0 although MPI has aborted the job (release 4.2, natively, too); MPI says so, or the program.
fails() {
    ! heard "$@" || grep -q '^Abort(\|^mismatch was reported$' "$out" || fail "exit status 0 on $*"
}

# says FILE TEXT: fails unless the file has a line with TEXT.
says() {
    grep -qF -e "$2" "$1" || {
        fail "no \"$2\" in:"
        sed 's/^/    /' "$1"
    }
}

# silent_about FILE TEXT: fails if the file has a line with TEXT.
silent_about() {
    [ -r "$1" ] || fail "there is no file $1"
    ! grep -F -e "$2" "$1" || fail "\"$2\" is in a text that must not have it"
}

# lines FILE PATTERN NUMBER: fails unless NUMBER lines match.
lines() {
    lines_found=$(grep -c -e "$2" "$1")
    [ "$lines_found" -eq "$3" ] || {
        fail "$lines_found lines with \"$2\" instead of $3 in:"
        sed 's/^/    /' "$1"
    }
}

# equal WHAT GOT WANTED: fails unless the two texts are equal.
equal() {
    [ "$2" = "$3" ] || fail "$1: $2, instead of: $3"
}

# blocks_of_nodes: can the MPI library make up nodes of consecutive ranks? MPICH 3.4 deals ranks out in turn.
blocks_of_nodes() {
    in_time "$MPIEXEC" -n 4 env LD_PRELOAD="$YIELD" MPI_LOCALNRANKS=1 MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 \
        PLEACH_PLACES=node "$PLEACH" places --format tsv 2>/dev/null | cut -f 10 | grep -qx '0[-,]1'
}

# checks_algorithms: does the MPI library check whether an algorithm of its own applies? Pleach switches none of a library
# that does not. $scratch/natively says what happens natively.
checks_algorithms() {
    in_time "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" MPIR_CVAR_COLLECTIVE_FALLBACK=print MPIR_CVAR_BCAST_INTRA_ALGORITHM=smp \
        "$programs/five" 3001 >"$scratch/natively" 2>&1 || grep -q 'Bcast smp cannot be applied' "$scratch/natively"
}

# nesting: prints how deeply datatypes can be nested. The square of the depth counts: in MPICH 3.4 for the memory of a
# datatype, in Open MPI for the time to make one.
nesting() {
    # shellcheck disable=SC3045 # every shell that we use has ulimit -v
    if with mpich && (ulimit -v 2000000 && in_time "$MPIEXEC" -n 1 "$programs/nested" 20000) >/dev/null 2>&1; then
        echo 20000
    else
        echo 500
    fi
}

# engines_but NAME..: prints the lines of `pleach engines' without these engines and without references, which serve only
# where they are named, and need WHOLE=yes.
engines_but() {
    # shellcheck disable=SC2046 # words
    [ "${WHOLE:-no}" != no ] || set -- "$@" $(sed -n 's/^    \.name = "\(.*\)",/\1/p' "$srcdir"/src/reference/*.c)
    "$PLEACH" engines --all | awk -v names="$*" '
        BEGIN { n = split(names, name); for (i = 1; i <= n; i++) out[name[i]] }
        !NF { exit }
        NR > 1 && !($1 in out)'
}

# sited PATTERN: each engine of ours whose name matches gets a call site of differential, a number from 0 in each
# collective. $scratch/sited has a line for each collective and engine: collective, number, engine, "places" if the engine
# needs places. Sets $sites, the number of call sites.
sited() {
    "$PLEACH" engines --all | awk -v pattern="$1" '
        !NF { exit }
        NR > 1 && $1 !~ /^native/ && $1 ~ pattern && !seen[$1, $2]++ {
            print $2, n[$2]++, $1, (/groups|sites/ ? "places" : "-")
        }' | sort >"$scratch/sited"
    sites=$(awk '$2 >= n { n = $2 + 1 } END { print n }' "$scratch/sited")
    {
        echo 'pleach-rules 1'
        sed 's/\(.*\) \(.*\) \(.*\) .*/collective=\1 site=*site_\2+* -> engine=\3/' "$scratch/sited"
    } >"$scratch/sites"
}

# sites_served FILE RANKS [NAME=VALUE..] PROGRAM [OPTION..]: runs differential, the program, with the call sites of
# sited(). Fails unless all results equal the native ones, and the engines that have served are those of FILE, which has
# sorted lines of collective and engine.
sites_served() {
    sites_file=$1
    sites_ranks=$2
    shift 2
    rm -f "$scratch/log"
    runs "$sites_ranks" PLEACH_RULES="$scratch/sites" PLEACH_STACK=2 PLEACH_THRESHOLD=0 PLEACH_LOG="$scratch/log" "$@" \
        --sites "$sites" --seed "${SEED:-1}"
    awk -F '\t' '$14 == "rule" { print $6, $12 }' "$scratch/log" | sort -u | diff "$sites_file" - ||
        fail "$sites_ranks ranks, $*: the engines that served (>) are not those that can (<)"
}

# complains STATUS PATTERN COMMAND..: fails unless the command ends with this exit status and prints one line alone, which
# matches, on standard error.
complains() {
    complains_status=$1
    complains_pattern=$2
    complains_ended=0
    shift 2
    "$@" >"$out" 2>"$scratch/err" || complains_ended=$?
    equal "exit status of $*" "$complains_ended" "$complains_status"
    equal "output of $*" "$(cat "$out")" ''
    lines "$scratch/err" . 1
    lines "$scratch/err" "$complains_pattern" 1
}

# reasons FILE: prints the engines and reasons in a file of records.
reasons() {
    awk -F '\t' '$1 ~ /^[0-9]+$/ { print $12, $14 }' "$1" | sort -u
}

# engines_served FILE ENGINE..: fails unless each of these engines serves a call in a file of records.
engines_served() {
    engines_file=$1
    shift
    for engines_name; do
        reasons "$engines_file" | grep -q "^$engines_name " ||
            fail "$engines_name serves no call: $(reasons "$engines_file")"
    done
}

# records FILE REASONS: fails unless a file of records has exactly these engines and reasons.
records() {
    equal "engines and reasons" "$(reasons "$1")" "$2"
}

# mismatches RANKS ENGINE [NAME=VALUE..]: in the program mismatch, the root broadcasts more than the others expect, while the
# engine serves. Fails unless they get an error. Beside a call of this function, scripts name the program for scripts/test.
mismatches() {
    mismatches_ranks=$1
    mismatches_engine=$2
    shift 2
    fails "$mismatches_ranks" PLEACH_ENGINE="$mismatches_engine" PLEACH_LOG="$scratch/mismatch.%r" PLEACH_LOG_RANKS=all \
        "$@" "$programs/mismatch" return
    says "$out" 'mismatch was reported'
    silent_about "$out" 'went unseen'
    cat "$scratch"/mismatch.* >"$scratch/mismatch" # the launcher ends other ranks before they write
    engines_served "$scratch/mismatch" "$mismatches_engine"
    rm "$scratch"/mismatch*
}
