# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# The vocabulary of the test scripts, which source this file and end with: exit "$status". A verb that finds something wrong
# tells of it and goes on. `make check` gives MPIEXEC, LIBPLEACH, YIELD, PLEACH, srcdir, builddir.
#
# No test may depend on how many cores there are, or on how busy they are: ranks yield while they wait, times limit what hangs,
# and no choice is expected that goes by a measurement.
set -u
: "${srcdir:?}" "${builddir:?}" # set by make check
status=0
programs=$builddir/tests/programs
MPI=${MPI:-mpich} # what these programs are built for: mpich; openmpi and abi where tests/other_mpi.sh says so
scratch=$(mktemp -d) || exit 1
out=$scratch/out
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# fail TEXT..: the test has failed.
fail() {
    echo "FAILED: $*"
    status=1
}

# skip WHY: this test cannot run here.
skip() {
    echo "skipped: $*"
    exit 77
}

# with MPI..: is this one of them?
with() {
    for with_mpi; do
        [ "$with_mpi" != "$MPI" ] || return 0
    done
    return 1
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

# open_mpi: its launcher may start more ranks than there are cores, which yield; as root, too; with files in a folder of this
# test. False: it is not here.
open_mpi() {
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base=$scratch
    export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_mpi_yield_when_idle
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_orte_tmpdir_base
    command -v mpicc.openmpi >/dev/null && command -v mpiexec.openmpi >/dev/null
}

# nodes RANKS: what Pleach says of the nodes that so many ranks are on here. MPICH 5 under the launcher of an older release
# takes each rank for a node.
nodes() {
    with abi && [ "$1" -gt 1 ] && echo "$1 nodes" || echo '1 node'
}

# preloaded RANKS [NAME=VALUE..] PROGRAM [ARG..]: on RANKS ranks that yield while they wait, with Pleach and these settings.
# The limit is for what hangs: SECONDS_ALLOWED, or 15 minutes.
preloaded() {
    preloaded_ranks=$1
    shift
    timeout "${SECONDS_ALLOWED:-900}" "$MPIEXEC" -n "$preloaded_ranks" env LD_PRELOAD="$YIELD:$LIBPLEACH" "$@"
}

# heard RANKS [NAME=VALUE..] PROGRAM [ARG..]: likewise, of ranks that leave early or are killed: they write to $out themselves, as
# the launcher then drops what is on its way.
heard() {
    heard_ranks=$1
    shift
    : >"$out"
    # shellcheck disable=SC2016,SC2094 # another shell's variables; all append
    preloaded "$heard_ranks" sh -c 'exec env "$@" >>"$0" 2>&1' "$out" "$@" >>"$out" 2>&1
}

# runs RANKS [NAME=VALUE..] PROGRAM [ARG..]: preloaded, it ends well; what it says is in $out.
runs() {
    preloaded "$@" >"$out" 2>&1 || {
        fail "exit status $? on $*:"
        sed 's/^/    /' "$out"
    }
}

# marked COMM: the numbers of the processes of this name that signalled() has started, in a line.
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

# catching NUMBER..: how many of these processes catch SIGTERM: bit 14.
catching() {
    for catching_process; do
        cat "/proc/$catching_process/status" 2>/dev/null
    done | grep -c '^SigCgt:.*[4-7c-f]...$'
}

# signalled SIGNAL FILE LAUNCHER ARG..: two ranks of pleach-mpi, whose launcher gets the signal once both of them catch it
# and FILE is there. Its exit status.
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
    SIGNALLED=$scratch timeout --foreground --preserve-status 900 "$@" || signalled_ended=$?
    kill $! 2>/dev/null
    wait $!
    return $signalled_ended
}

# fails RANKS [NAME=VALUE..] PROGRAM [ARG..]: likewise, but it does not end well.
fails() {
    ! heard "$@" || fail "exit status 0 on $*"
}

# says FILE TEXT: the file has a line with TEXT.
says() {
    grep -qF -e "$2" "$1" || {
        fail "no \"$2\" in:"
        sed 's/^/    /' "$1"
    }
}

# silent_about FILE TEXT: the file has no line with TEXT.
silent_about() {
    ! grep -F -e "$2" "$1" || fail "\"$2\" where nothing should be said"
}

# lines FILE PATTERN NUMBER: so many lines match.
lines() {
    lines_found=$(grep -c -e "$2" "$1")
    [ "$lines_found" -eq "$3" ] || {
        fail "$lines_found lines with \"$2\" instead of $3 in:"
        sed 's/^/    /' "$1"
    }
}

# equal WHAT GOT WANTED: two texts.
equal() {
    [ "$2" = "$3" ] || fail "$1: $2, instead of: $3"
}

# reasons FILE: the engines and reasons in a file of records.
reasons() {
    awk -F '\t' '$1 ~ /^[0-9]+$/ { print $12, $14 }' "$1" | sort -u
}

# records FILE REASONS: engines and reasons in a file of records are these and no others.
records() {
    equal "engines and reasons" "$(reasons "$1")" "$2"
}
