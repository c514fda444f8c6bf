#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real files provoke each diagnosis of pleach doctor that is about a program. pleach run, too, must report programs that it
# cannot serve.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/examine.sh"

# ---- pleach doctor ------------------------------------------------------------------------------------------------------

launcher mpiexec 'HYDRA build details:'
examine nosuch
finds problem 'nosuch cannot be run: No such file or directory$'
cp "$five" "$scratch/here"
(cd "$scratch" && examine here &&
    finds problem 'here cannot be run: No such file or directory; in this folder, it is ./here$' &&
    exit "$status") || status=1
ln -s "$five" "$bin/app"
doctor app
finds ok "app is built for MPICH"
echo 'echo text' >"$scratch/text"
examine "$scratch/text"
finds problem "$scratch/text cannot be run: Permission denied\$"
chmod +x "$scratch/text"
doctor "$scratch/text"
finds note "$scratch/text is no program for this system, and names no interpreter; /bin/sh runs it"
printf '#! /bin/sh -e\ntrue\n' >"$scratch/script"
chmod +x "$scratch/script"
doctor "$scratch/script"
finds note "$scratch/script is a script for /bin/sh; the doctor cannot see what it loads or starts"
doctor /bin/sh
finds note '/bin/sh is linked with no MPI library; the doctor cannot see what it loads or starts'
examine "$scratch"
finds problem "$scratch cannot be run: Is a directory\$"
# The 19th byte of the file gives the kind of processor.
cp "$five" "$scratch/foreign"
printf '\377' | dd of="$scratch/foreign" bs=1 seek=18 conv=notrunc 2>/dev/null
examine "$scratch/foreign"
finds problem "$scratch/foreign is a program for another kind of processor\$"
cp "$LIBPLEACH" "$scratch/library"
chmod +x "$scratch/library"
examine "$scratch/library"
finds problem "$scratch/library is a library or an object file, no program\$"
if have strip 'a stripped program' && strip -o "$scratch/stripped" "$five"; then
    doctor "$scratch/stripped"
    finds ok "$scratch/stripped calls bcast, reduce, scan, exscan, allreduce\$"
fi
for fortran in 'bcast bcast, reduce, scan, allreduce' 'usempi reduce, scan, exscan, allreduce' \
    'usef08 bcast, scan, allreduce'; do
    [ -x "$programs/${fortran%% *}" ] || continue
    doctor "$programs/${fortran%% *}"
    finds ok "$programs/${fortran%% *} calls ${fortran#* }\$"
done

# The test builds the following programs.
if compiled plain </dev/null -Wl,--defsym=main=0; then
    examine "$scratch/plain"
    finds problem "$scratch/plain is linked with no MPI library, and starts no other program\$"
fi
if echo 'int main(void) { return 0; }' | compiled static -static; then
    examine "$scratch/static"
    finds problem "$scratch/static is linked statically: nothing can be preloaded; link it with"
fi
for option in -g '-rdynamic -s'; do
    echo 'int PMPI_Bcast(void) { return 0; } int main(void) { return PMPI_Bcast(); }' | compiled inside $option || continue
    examine "$scratch/inside"
    finds problem "$scratch/inside is linked with MPI statically: its calls do not leave it; link it with"
done
# A program runs without its table of sections; here the number of sections becomes 0.
cp "$five" "$scratch/unknown"
dd if=/dev/zero of="$scratch/unknown" bs=1 seek="$(($(getconf LONG_BIT) == 64 ? 60 : 48))" count=2 conv=notrunc 2>/dev/null
doctor "$scratch/unknown"
finds note "$scratch/unknown: some symbols in the program or its libraries cannot be read, so its calls are not known\$"
calls='int MPI_Bcast(void); int main(void) { return MPI_Bcast(); }'
for name in libmpi_abi.so.0 libmpi.so.1; do
    echo "$stub" | compiled "$name" -shared -fPIC -Wl,-soname,"$name" || continue
    echo "$calls" | compiled "for-$name" -Wl,-rpath,"$scratch" "$scratch/$name" || continue
    examine "$scratch/for-$name"
    if [ "$name" = libmpi.so.1 ]; then
        finds problem \
            "$scratch/for-$name is built for another MPI ($scratch/$name), of which Pleach serves no call; build it with"
    else
        finds ok "$scratch/for-$name is built for an MPI with the standard ABI: $scratch/$name\$"
        finds ok "$scratch/for-$name calls bcast\$"
        "$scratch/alone/pleach" doctor "$scratch/for-$name" >"$out"
        if ! grep -q '^ok .*/libpleach-abi.so$' "$out"; then # else it is installed
            finds note "libpleach-abi.so is not installed: programs for an MPI with the standard ABI run without Pleach\$"
            finds problem "$scratch/for-$name is built for .* needs libpleach-abi.so, which is not installed\$"
        fi
    fi
    rm "$scratch/$name"
    examine "$scratch/for-$name"
    finds problem "$scratch/for-$name: [^/]*$name: .*; load its module, or set LD_LIBRARY_PATH\$"
done
if mpicc.openmpi -o "$scratch/openmpi" "$srcdir/tests/programs/five.c" 2>"$scratch/err"; then
    examine "$scratch/openmpi"
    finds ok "$scratch/openmpi is built for Open MPI: /.*\$"
    silent_about "$out" use_dynamic_rules
    PLEACH_LEARN=$scratch/learned examine "$scratch/openmpi"
    finds note 'Open MPI .* only with OMPI_MCA_coll_tuned_use_dynamic_rules=1; trials of native:NAME .*'
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 PLEACH_LEARN=$scratch/learned examine "$scratch/openmpi"
    silent_about "$out" use_dynamic_rules
else
    echo 'not tested: a program of Open MPI'
fi
# doctor takes these programs for MPICH's, by the name of the library that they need. aloof and starter make no call that
# Pleach serves; parts makes its calls in a library of its own; tooled has the MPI functions of another tool.
if echo "$stub" | compiled libmpi.so.12 -shared -fPIC -Wl,-soname,libmpi.so.12; then
    echo 'int MPI_Init(void); int MPI_Init(void) { return 0; }' | compiled libaside.so -shared -fPIC
    echo 'int MPI_Scan(void); int MPI_Exscan(void); int part(void); int part(void) { return MPI_Scan() + MPI_Exscan(); }' |
        compiled libpart.so -shared -fPIC
    linked="-Wl,--no-as-needed -Wl,--unresolved-symbols=ignore-all -Wl,-rpath,$scratch -L$scratch -l:libmpi.so.12"
    echo 'int MPI_Reduce_local(void), MPI_Scan_init(void), mpi_bcast_init_f08ts_(void);
        int main(void) { return MPI_Reduce_local() + MPI_Scan_init() + mpi_bcast_init_f08ts_(); }' | compiled aloof $linked
    examine "$scratch/aloof"
    finds problem "$scratch/aloof makes none of the calls that Pleach serves: $collectives\$"
    echo 'int system(const char *); int main(void) { return system("true"); }' | compiled starter $linked
    doctor "$scratch/starter"
    finds note "$scratch/starter makes none of the calls that Pleach serves (.*), but code that it loads or starts may\$"
    echo 'int part(void); int main(void) { return part(); }' | compiled parts -l:libpart.so $linked
    doctor "$scratch/parts"
    finds ok "$scratch/parts calls scan, exscan\$"
    tool
    echo "$calls" | compiled tooled -l:libtool.so $linked
    doctor "$scratch/tooled"
    finds note "$scratch/tooled: $scratch/libtool.so has its own MPI_ functions, which do not see"
    # A library may have functions of its own with names like MPI's in Fortran, as R's Rmpi does.
    echo 'int mpi_bcast(void); int mpi_bcast(void) { return 0; }' | compiled libown.so -shared -fPIC
    echo "$calls" | compiled owner -l:libown.so $linked
    doctor "$scratch/owner"
    lines "$out" 'functions of its own' 0
fi
# The loader preloads nothing into a program with additional rights. Only root can make such a program here.
cp "$five" "$scratch/group"
if [ "$(id -u)" -eq 0 ] && chgrp 1 "$scratch/group" && chmod g+s "$scratch/group"; then
    examine "$scratch/group"
    finds problem "$scratch/group is run with the rights of another user or group: nothing is preloaded\$"
elif [ "$(id -u)" -ne 0 ]; then
    chmod 711 "$scratch/group" && chmod u-r "$scratch/group"
    doctor "$scratch/group"
    finds note "$scratch/group can be run, but not read: Permission denied\$"
fi

# ---- pleach run ---------------------------------------------------------------------------------------------------------

# told PROGRAM TEXT [NAME=VALUE..]: fails unless pleach run prints exactly this line and runs the program.
told() {
    told_program=$1
    told_text=$2
    shift 2
    env "$@" "$PLEACH" run "$told_program" >"$out" 2>&1
    equal "run $told_program $*" "$(cat "$out")" "$told_text"
}
true=$(command -v true)
told "$true" "pleach run: $true is linked with no MPI library, and starts no other program; there will be no report" \
    PLEACH_REPORT=stderr
if [ -x "$scratch/static" ]; then
    told "$scratch/static" \
        "pleach run: $scratch/static is linked statically: nothing can be preloaded; there will be no records" \
        PLEACH_LOG="$scratch/log.%r"
    told "$scratch/static" '' PLEACH_REPORT=none
    told "$scratch/static" '' PLEACH_REPORT=stderr PMI_RANK=1
fi
# A line says that the launcher comes first; the ranks run with Pleach all the same.
PLEACH_VERBOSE=yes timeout 120 "$PLEACH" run "$MPIEXEC" -n 2 "$five" >"$out" 2>&1 || fail "run mpiexec: exit status $?"
lines "$out" "^pleach run: the order is wrong: $MPIEXEC comes first, then this command, then the program; " 1
says "$out" 'five ok'
lines "$out" ' loaded on all ranks' 1
# One rank examines the program's libraries, in a process of its own. The others only open the program.
if have strace 'the processes that ranks start'; then
    for rank in 0 1; do
        PMI_RANK=$rank strace -f -qq -e trace=execve -o "$scratch/trace" "$PLEACH" run "$five" >"$out" 2>&1
        equal "programs that rank $rank runs" "$(grep -c 'execve(.* = 0$' "$scratch/trace")" $((3 - rank))
    done
fi
# One rank of a node says why none of them can run the program.
for wrong in run 'run --bogus' advise; do
    timeout 120 "$MPIEXEC" -n 3 "$PLEACH" $wrong ./typo >"$out" 2>&1
    lines "$out" "^pleach ${wrong%% *}: " 1
done
# gcc's AddressSanitizer ends a program whose first library is another one.
: "${MPI_COMPILER:?}" "${MPI_LINKED?}" # set by make check
export ASAN_OPTIONS=detect_leaks=0
if $MPI_COMPILER -fsanitize=address -o "$scratch/sanitized" "$srcdir/tests/programs/five.c" $MPI_LINKED 2>"$scratch/err" &&
    "$scratch/sanitized" >"$out" 2>&1 && ! LD_PRELOAD=$LIBPLEACH "$scratch/sanitized" >"$out" 2>&1; then
    doctor "$scratch/sanitized"
    finds note "$scratch/sanitized needs /.*/libasan.so.* before all other libraries: 'pleach run' puts it first"
    for how in run advise; do
        timeout 120 "$MPIEXEC" -n 2 env LD_PRELOAD="$YIELD" PLEACH_VERBOSE=yes "$PLEACH" $how "$scratch/sanitized" \
            >"$out" 2>&1 || fail "$how: a program with AddressSanitizer: $(cat "$out")"
        says "$out" 'five ok'
        lines "$out" '^pleach: Pleach .* loaded on all ranks' 1
    done
else
    echo 'not tested: a program with AddressSanitizer'
fi
unset ASAN_OPTIONS
"$PLEACH" advise -o '' "$true" >"$out" 2>&1
equal 'advise without a name' "$? $(cat "$out")" "2 pleach advise: -o FILE: the name is empty; see 'pleach advise --help'"
"$PLEACH" advise "$true" >"$out" 2>&1
equal 'advise true' "$(cat "$out")" \
    "pleach advise: $true is linked with no MPI library, and starts no other program; there will be no advice"
told "$scratch/script" '' PLEACH_REPORT=stderr
told "$true" ''
PLEACH_REPORT=stderr "$PLEACH" run env true >"$out" 2>&1
[ ! -s "$out" ] || fail "run env true: $(cat "$out")"

# Another library of Pleach that is preloaded, as for a whole site, makes room.
cp "$LIBPLEACH" "$scratch/libpleach.so"
LD_PRELOAD="$scratch/libpleach.so $YIELD" PLEACH_REPORT=stderr \
    timeout 60 "$MPIEXEC" -n 2 "$PLEACH" run "$five" >"$out" 2>&1 || fail "two libraries: $(cat "$out")"
says "$out" 'Pleach report'
lines "$out" '^pleach' 0
LD_PRELOAD="$scratch/libpleach.so:$YIELD" "$PLEACH" run env >"$out" 2>&1
lines "$out" "^LD_PRELOAD=$LIBPLEACH:$YIELD\$" 1

# With the launcher of another MPI, rank 0 says that each rank is alone, and the program runs. Nobody says so where one rank
# was started, or with PLEACH_DISABLE.
alone='each is alone in its MPI_COMM_WORLD; start them with the mpiexec of'
open_mpi_job='OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_SIZE=2'
# started LINES [NAME=VALUE..]: runs a program for MPICH. Fails unless so many lines report the launcher.
started() {
    started_lines=$1
    shift
    env "$@" "$PLEACH" run "$five" >"$out" 2>&1 || fail "$*: $(cat "$out")"
    lines "$out" "^pleach: Open MPI's mpiexec has started 2 ranks, but $alone MPICH [0-9]" "$started_lines"
    lines "$out" '^pleach' "$started_lines"
}
started 0
started 1 $open_mpi_job
started 1 $open_mpi_job SLURM_STEP_NUM_TASKS=1 SLURM_STEP_TASKS_PER_NODE=1 # mpiexec has started its daemons by srun
started 0 $open_mpi_job OMPI_COMM_WORLD_RANK=1
started 0 $open_mpi_job OMPI_COMM_WORLD_SIZE=1
started 0 $open_mpi_job PLEACH_DISABLE=yes
started 0 SLURM_NTASKS=2 SLURM_PROCID=0 # a batch script
timeout 60 "$MPIEXEC" -n 2 "$PLEACH" run "$five" >"$out" 2>&1 || fail "MPICH's program: exit status $?"
equal 'with its launcher' "$(cat "$out")" 'five ok'
if [ -x "$scratch/openmpi" ] && open_mpi; then
    # Each process is a job of its own, and needs a folder of its own: Open MPI removes the folder when a job ends.
    # shellcheck disable=SC2016 # the process expands it
    timeout 60 "$MPIEXEC" -n 2 sh -c 'OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$0/jXXXX") exec "$@"' "$scratch" \
        "$PLEACH" run "$scratch/openmpi" >"$out" 2>&1 || fail "Open MPI's program: exit status $?"
    equal 'jobs of one rank' "$(grep -o 'five ok' "$out" | wc -l)" 2
    lines "$out" "^pleach: MPICH's mpiexec has started 2 ranks, but $alone Open MPI [0-9]" 1
    timeout 60 mpiexec.openmpi -n 2 "$PLEACH" run "$five" >"$out" 2>&1 || fail "MPICH's program: exit status $?"
    equal 'jobs of one rank' "$(grep -o 'five ok' "$out" | wc -l)" 2
    lines "$out" "^pleach: Open MPI's mpiexec has started 2 ranks, but $alone MPICH [0-9]" 1
    timeout 60 mpiexec.openmpi -n 2 "$PLEACH" run "$scratch/openmpi" >"$out" 2>&1 ||
        fail "Open MPI's program: exit status $?"
    equal 'with its launcher' "$(cat "$out")" 'five ok'
fi
exit "$status"
