#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real files provoke each diagnosis of pleach doctor. pleach run, too, must report programs that it cannot serve.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/mpi.sh"
unset PLEACH_SHARED # doctor reports settings that are not the defaults
SECONDS_ALLOWED=60
five=$programs/five
bin=$scratch/bin
mkdir "$bin"

# examine PROGRAM [NAME=VALUE..]: runs pleach doctor for PROGRAM, or without a program (''). PATH is $bin alone; the output
# goes to $out. Every line must begin with a verdict, and the exit status must be 1 if there is a problem, else 0.
examine() {
    examine_program=$1
    shift
    code=0
    env PATH="$bin" "$@" "$PLEACH" doctor ${examine_program:+"$examine_program"} >"$out" 2>"$scratch/err" || code=$?
    [ ! -s "$scratch/err" ] || fail "$examine_program $*: on standard error: $(cat "$scratch/err")"
    ! grep -qv '^\(ok      \|note    \|problem \) [^ ]' "$out" ||
        fail "$examine_program $*: lines without verdict: $(cat "$out")"
    equal "$examine_program $*: exit status" "$code" "$(grep -c -m 1 '^problem' "$out")"
    [ "$code" -eq 0 ] || lines "$out" 'nothing stands in the way' 0
}

# finds VERDICT PATTERN: fails unless exactly one line has this verdict and matches.
finds() {
    lines "$out" "^$1  *$2" 1
}

# doctor PROGRAM [NAME=VALUE..]: like examine; fails if a line reports a problem.
doctor() {
    examine "$@"
    lines "$out" '^problem' 0
}

# launcher NAME WORDS: makes a launcher in $bin that prints WORDS.
launcher() {
    printf '#!/bin/sh\necho "%s"\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# ---- Nothing is wrong ---------------------------------------------------------------------------------------------------

launcher mpiexec 'HYDRA build details:'
doctor ''
finds ok "Pleach [0-9.]*: $LIBPLEACH\$"
finds ok 'settings: the defaults$'
finds note "nothing of Pleach is preloaded here; 'pleach run' preloads the library that a program needs\$"
for other in 'Open MPI:libpleach-ompi' 'an MPI with the standard ABI:libpleach-abi'; do
    library=$(dirname "$LIBPLEACH")/${other#*:}.so
    if [ -e "$library" ]; then
        finds ok "for ${other%:*}: $library\$"
    else
        finds note "${other#*:}.so is not installed: programs for ${other%:*} run without Pleach\$"
    fi
done
finds ok "mpiexec is MPICH's: $bin/mpiexec\$"
doctor "$five"
finds ok "$five is built for MPICH: /.*/libmpi.*; 'pleach run' preloads libpleach.so\$"
finds ok "$five calls bcast, reduce, scan, exscan, allreduce\$"
finds ok "nothing stands in the way of: mpiexec -n P pleach run $five\$"

# ---- Shared memory ------------------------------------------------------------------------------------------------------

doctor ''
finds ok 'ranks of a node can share memory$'
doctor '' PLEACH_SHARED=no
finds note 'PLEACH_SHARED=no: ranks of a node share no memory, and exchange messages instead$'
if compiled sandbox.so -shared -fPIC <<'END'; then
#include <errno.h>
#include <stdlib.h>
int memfd_create(const char *name, unsigned flags)
{
    errno = EPERM;
    return -1;
}
int posix_fallocate(int file, long from, long length)
{
    return getenv("FULL") ? ENOSPC : 0;
}
END
    examine '' LD_PRELOAD="$scratch/sandbox.so"
    finds '[on][ko]t*e*' 'ranks of a node can share memory in /dev/shm'
    doctor '' LD_PRELOAD="$scratch/sandbox.so" PLEACH_SHARED=1000G
    finds note 'ranks of a node can share memory in /dev/shm, but .* is free there, less than PLEACH_SHARED: make /dev/shm'
    doctor '' LD_PRELOAD="$scratch/sandbox.so" FULL=yes
    finds note 'ranks of a node exchange messages, as they cannot share memory by memfd_create(): Operation not'
    finds note '.* let the sandbox of the job (seccomp) allow memfd_create(); nor in /dev/shm: No space left on device: make'
fi

# ---- Programs -----------------------------------------------------------------------------------------------------------

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
finds note "$scratch/unknown: some symbols of the program or of its libraries cannot be read, so its calls are not known\$"
stub='int PMPI_Bcast(void) { return 0; } int MPI_Bcast(void) { return 0; }
    int MPI_Reduce_local(void) { return 0; } int MPI_Scan_init(void) { return 0; }
    int mpi_bcast_init_f08ts_(void) { return 0; }'
calls='int MPI_Bcast(void); int main(void) { return MPI_Bcast(); }'
for name in libmpi_abi.so.0 libmpi.so.1; do
    echo "$stub" | compiled "$name" -shared -fPIC -Wl,-soname,"$name" || continue
    echo "$calls" | compiled "for-$name" -Wl,-rpath,"$scratch" "$scratch/$name" || continue
    examine "$scratch/for-$name"
    if [ "$name" = libmpi.so.1 ]; then
        finds problem \
            "$scratch/for-$name is built for another MPI ($scratch/$name), of which Pleach serves no call; build it with"
    elif [ -e "$(dirname "$LIBPLEACH")/libpleach-abi.so" ]; then
        finds ok "$scratch/for-$name is built for an MPI with the standard ABI: $scratch/$name; .* libpleach-abi.so\$"
        finds ok "$scratch/for-$name calls bcast\$"
    fi
    # This copy of pleach has none of Pleach's other libraries beside it, but it may find installed ones.
    mkdir -p "$scratch/alone/.libs"
    cp "$PLEACH" "$scratch/alone/pleach"
    cp "$LIBPLEACH" "$scratch/alone/.libs"
    if [ "$name" != libmpi.so.1 ] && ! "$scratch/alone/pleach" path --mpi abi >/dev/null 2>&1; then
        "$scratch/alone/pleach" doctor "$scratch/for-$name" >"$out"
        finds note "libpleach-abi.so is not installed: programs for an MPI with the standard ABI run without Pleach\$"
        abi=libpleach-abi.so missing='which is not installed'
        finds problem "$scratch/for-$name is built for .* needs $abi, $missing; configure Pleach --with-mpi-abi\$"
        for command in run advise; do
            "$scratch/alone/pleach" $command "$scratch/for-$name" >"$out" 2>&1 || fail "$command: exit status $?"
            equal "$command" "$(cat "$out")" \
                "pleach $command: $scratch/for-$name runs without Pleach: it needs $abi ($scratch/$name), $missing"
        done
        PMI_RANK=1 "$scratch/alone/pleach" run -v "$scratch/for-$name" >"$out" 2>&1
        [ ! -s "$out" ] || fail "rank 1 says $(cat "$out")"
        code=0
        "$scratch/alone/pleach" run --mpi abi "$scratch/for-$name" >"$out" 2>&1 || code=$?
        equal "run --mpi abi without libpleach-abi.so: exit status" "$code" 125
    fi
    rm "$scratch/$name"
    examine "$scratch/for-$name"
    finds problem "$scratch/for-$name: [^/]*$name: .*; load its module, or set LD_LIBRARY_PATH\$"
done
if mpicc.openmpi -o "$scratch/openmpi" "$srcdir/tests/programs/five.c" 2>"$scratch/err"; then
    examine "$scratch/openmpi"
    if [ -e "$(dirname "$LIBPLEACH")/libpleach-ompi.so" ]; then
        finds ok "$scratch/openmpi is built for Open MPI: .*; 'pleach run' preloads libpleach-ompi.so\$"
    else
        finds problem \
            "$scratch/openmpi is built for Open MPI (.*) and needs libpleach-ompi.so, .*; configure Pleach --with-openmpi\$"
    fi
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
    finds problem "$scratch/aloof makes none of the calls that Pleach serves: bcast, reduce, scan, exscan, allreduce\$"
    echo 'int system(const char *); int main(void) { return system("true"); }' | compiled starter $linked
    doctor "$scratch/starter"
    finds note "$scratch/starter makes none of the calls that Pleach serves (.*), but code that it loads or starts may\$"
    echo 'int part(void); int main(void) { return part(); }' | compiled parts -l:libpart.so $linked
    doctor "$scratch/parts"
    finds ok "$scratch/parts calls scan, exscan\$"
    echo "$stub" | sed 's/PMPI/TOOL/g' | compiled libtool.so -shared -fPIC
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

# ---- Settings -----------------------------------------------------------------------------------------------------------

examine '' PLEACH_THRESHOLD=x
finds problem 'PLEACH_THRESHOLD=x is not understood: .*; every call goes to the native MPI library$'
examine '' PLEACH_THRESHOD=1
finds problem 'PLEACH_THRESHOD is not a setting.*did you mean PLEACH_THRESHOLD'
examine '' PLEACH_SCAN_ENGINE=ring
finds problem 'PLEACH_SCAN_ENGINE: ring does not serve scan'
examine '' PLEACH_RULES="$scratch/nosuch"
finds problem "PLEACH_RULES: $scratch/nosuch cannot be read: No such file"
examine '' PLEACH_PLACES="$scratch/nosuch"
finds problem "PLEACH_PLACES: $scratch/nosuch cannot be read: No such file.*; places are nodes"
examine '' PLEACH_PLACES="$scratch/script"
finds problem "PLEACH_PLACES: $scratch/script:2: 'true' has no place; places are nodes"
doctor '' PLEACH_PLACES="$scratch/text"
examine '' PLEACH_DISABLE=yes
finds problem 'PLEACH_DISABLE=yes: every call'
examine '' PLEACH_ENGINE=native
finds problem 'bcast, reduce, scan, exscan, allreduce: every call goes to the native MPI library'
doctor '' PLEACH_SCAN_ENGINE=native PLEACH_BCAST_THRESHOLD=inf
finds note 'bcast, scan: every call goes to the native MPI library, as settings of engines or thresholds say$'
doctor '' PLEACH_DRY_RUN=yes PLEACH_VERIFY=yes
lines "$out" '^note .*PLEACH_DRY_RUN=yes\|^note .*PLEACH_VERIFY=yes' 2
examine '' PLEACH_REPORT=/nowhere/at/all PLEACH_LOG=/nowhere/%r PLEACH_LEARN="$scratch/learned"
lines "$out" '^problem  *PLEACH_[A-Z]*=/nowhere.*: No such file or directory$' 2
doctor '' PLEACH_REPORT=/nowhere/%h/report
# In a folder to which nothing can be written: for root, that of another file system.
mkdir -m 555 "$scratch/closed"
closed=
for folder in "$scratch/closed" /sys /proc/self; do
    [ -w "$folder" ] || [ ! -x "$folder" ] || closed=$folder
done
if [ -n "$closed" ]; then
    before=$PWD
    cd "$closed" || exit 1
    examine '' PLEACH_REPORT=stderr PLEACH_LOG=calls.%r PLEACH_LEARN=off
    cd "$before" || exit 1
    lines "$out" '^problem  *PLEACH_[A-Z]*=' 1
    finds problem 'PLEACH_LOG=calls.%r: nothing can be written to .: '
else
    echo 'not tested: a log in a working directory to which nothing can be written: there is none'
fi
printf 'pleach-rules 1\nbytes=1-inf -> engine=chain\n' >"$scratch/rules"
printf 'STACK=3\nRULES=%s\n' "$scratch/rules" >"$scratch/conf"
doctor '' PLEACH_CONF="$scratch/conf"
finds ok "settings: PLEACH_RULES=$scratch/rules PLEACH_STACK=3 PLEACH_CONF=$scratch/conf\$"

# ---- What is preloaded --------------------------------------------------------------------------------------------------

doctor '' LD_PRELOAD="$LIBPLEACH"
finds ok 'libpleach.so is preloaded here'
cp "$LIBPLEACH" "$scratch/libpleach.so"
examine '' LD_PRELOAD="$scratch/libpleach.so"
finds problem "LD_PRELOAD names another libpleach.so: $scratch/libpleach.so; take it out\$"
finds note 'nothing of Pleach is preloaded here'
for library in "$(dirname "$LIBPLEACH")"/libpleach-abi.so "$(dirname "$LIBPLEACH")"/libpleach-ompi.so; do
    [ -e "$library" ] || continue
    doctor '' LD_PRELOAD="$library"
    finds ok "${library##*/} is preloaded here"
    lines "$out" 'LD_PRELOAD names' 0
done
if [ -e "$scratch/libtool.so" ]; then
    doctor '' LD_PRELOAD="$LIBPLEACH:$scratch/libtool.so"
    finds note "LD_PRELOAD names $scratch/libtool.so, which does not see the calls that Pleach serves\$"
    doctor '' LD_PRELOAD="$scratch/libtool.so"
    finds note "LD_PRELOAD names $scratch/libtool.so, which does not see the calls that Pleach serves\$"
    examine '' LD_PRELOAD="$scratch/libtool.so $LIBPLEACH"
    finds problem "LD_PRELOAD names Pleach's library behind $scratch/libtool.so, which takes the calls"
fi
doctor '' LD_PRELOAD="$YIELD:$LIBPLEACH"
lines "$out" "LD_PRELOAD names" 0
# The loader itself complains about a missing library on standard error, which doctor() would not allow.
LD_PRELOAD="$scratch/nosuch.so" "$PLEACH" doctor >"$out" 2>/dev/null && fail 'a library that is not there: exit status 0'
finds problem "LD_PRELOAD names $scratch/nosuch.so, which is not there\$"
mkdir "$scratch/lone"
cp "$PLEACH" "$scratch/lone/pleach"
if ! "$scratch/lone/pleach" path >/dev/null 2>&1; then # else the command finds an installed library
    "$scratch/lone/pleach" doctor >"$out" && fail 'no library: exit status 0'
    finds problem 'libpleach.so is neither beside this command nor in '
fi

# ---- Launchers and jobs -------------------------------------------------------------------------------------------------

launcher mpiexec 'mpiexec (OpenRTE) 4.1.4'
launcher mpiexec.hydra 'HYDRA build details:'
advice="$bin/mpiexec is not MPICH's, but Open MPI's: with it, each rank of a program for MPICH is alone; use mpiexec.hydra"
doctor ''
finds note "$advice\$"
# pleach doctor cannot know what a script starts: that may be a program for this launcher's MPI.
doctor /bin/sh
finds note "$advice\$"
finds ok 'nothing stands in the way of: mpiexec -n P pleach run /bin/sh$'
examine "$five"
finds problem "$advice\$"
rm "$bin/mpiexec.hydra"
doctor /bin/sh
without="$bin/mpiexec is Open MPI's, and no mpiexec of MPICH is in PATH\$"
if "$PLEACH" path --mpi openmpi >/dev/null 2>&1; then
    finds ok "mpiexec is Open MPI's: $bin/mpiexec\$"
    finds ok 'nothing stands in the way of: mpiexec -n P pleach run /bin/sh$'
    lines "$out" 'MPICH' 0
else
    finds note "$without"
fi
# Without a library for Open MPI, Pleach can serve only programs of MPICH.
if [ -x "$scratch/alone/pleach" ] && ! "$scratch/alone/pleach" path --mpi openmpi >/dev/null 2>&1; then
    env PATH="$bin" "$scratch/alone/pleach" doctor /bin/sh >"$out"
    finds note "$without"
fi
doctor "$five"
finds note "$without"
launcher mpiexec 'something else'
doctor "$five"
finds note "$bin/mpiexec is another MPI's, and no mpiexec of MPICH is in PATH\$"
rm "$bin/mpiexec"
doctor "$five"
finds note 'no mpiexec is in PATH$'
launcher srun 'slurm 23.02'
doctor "$five"
finds ok "nothing stands in the way of: srun -n P pleach run $five\$"
examine "$five" SLURM_EXPORT_ENV=NONE
finds problem 'SLURM_EXPORT_ENV=NONE: srun hands no settings'
doctor "$five" SLURM_EXPORT_ENV=ALL,PLEACH_LOG=x

doctor "$five" PMI_RANK=0 PMI_SIZE=4 MPI_LOCALNRANKS=1
finds ok "in a job of 4 ranks that MPICH's mpiexec started\$"
finds ok 'ranks on this node: 1, cores: [0-9]*$'
doctor "$five" PMI_RANK=0 PMI_SIZE=200000 MPI_LOCALNRANKS=100000
finds note 'ranks on this node: 100000, but cores: [0-9]*: ranks take turns; Pleach serves communicators of one node, '
examine "$five" PMI_RANK=0 PMI_SIZE=200000 MPI_LOCALNRANKS=100000 PLEACH_SHARED=no
finds problem 'ranks on this node: 100000, but cores: [0-9]*: only engines serve that settings or rules name, '
if have taskset 'one core' && [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
    taskset -c 0 env PMI_RANK=0 PMI_SIZE=2 MPI_LOCALNRANKS=2 "$PLEACH" doctor >"$out" 2>&1 || fail "one core: exit status $?"
    use='this rank may use 1 of the node.s [0-9]* cores, which is enough if the other ranks use the rest; '
    finds note "ranks on this node: 2; $use"
fi
examine "$five" OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=1
finds problem "in a job of 4 ranks that Open MPI's mpiexec started: each rank of a program for MPICH is alone in it"
doctor "$five" SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 'SLURM_STEP_TASKS_PER_NODE=1(x4)'
finds note 'in a job of 4 ranks that srun started without PMI'
doctor "$five" PMI_RANK=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 'SLURM_STEP_TASKS_PER_NODE=1(x4)'
finds ok 'in a job of 4 ranks that srun started$'
doctor nosuch PMI_RANK=1 PMI_SIZE=4 MPI_LOCALNRANKS=100000
[ ! -s "$out" ] || fail "rank 1 says $(cat "$out")"
timeout 60 "$MPIEXEC" -n 2 "$PLEACH" doctor "$five" >"$out" 2>&1
finds ok "$five calls bcast"
finds ok "in a job of 2 ranks that MPICH's mpiexec started\$"

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
"$PLEACH" advise -o '' "$true" >"$out" 2>&1
equal 'advise without a name' "$? $(cat "$out")" '2 pleach advise: -o FILE: the name is empty'
"$PLEACH" advise "$true" >"$out" 2>&1
equal 'advise true' "$(cat "$out")" \
    "pleach advise: $true is linked with no MPI library, and starts no other program; there will be no advice"
told "$scratch/script" '' PLEACH_REPORT=stderr
told "$true" ''
PLEACH_REPORT=stderr "$PLEACH" run env true >"$out" 2>&1
[ ! -s "$out" ] || fail "run env true: $(cat "$out")"

# With the launcher of another MPI, rank 0 prints one line, and the program runs. No line appears if the launcher of the
# program's own MPI has left its variables, too: it may have started this job inside a job of the other MPI.
apart='each may be alone; start it with the mpiexec of'
open_mpi_job='OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_SIZE=2'
mpich_job='PMI_RANK=0 PMI_SIZE=2 MPI_LOCALNRANKS=2'
# started PROGRAM NUMBER [NAME=VALUE..]: fails unless NUMBER lines report the launcher.
started() {
    started_program=$1
    started_lines=$2
    shift 2
    env "$@" "$PLEACH" run "$started_program" --version >"$out" 2>&1
    lines "$out" "$apart" "$started_lines"
}
if [ -x "$scratch/aloof" ]; then # a program for MPICH, which ends at once as it finds no MPI function
    started "$scratch/aloof" 0
    started "$scratch/aloof" 0 $mpich_job
    started "$scratch/aloof" 1 $open_mpi_job
    says "$out" \
        "pleach run: $scratch/aloof is built for MPICH, but Open MPI's mpiexec has started its 2 ranks: $apart MPICH"
    started "$scratch/aloof" 0 $open_mpi_job $mpich_job
    started "$scratch/aloof" 0 $open_mpi_job OMPI_COMM_WORLD_RANK=1
    started "$scratch/aloof" 0 $open_mpi_job OMPI_COMM_WORLD_SIZE=1
    started "$scratch/aloof" 0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 'SLURM_STEP_TASKS_PER_NODE=1(x4)'
    started "$scratch/script" 0 $open_mpi_job
    started /bin/sh 0 $open_mpi_job
fi
timeout 60 "$MPIEXEC" -n 2 "$PLEACH" run "$five" >"$out" 2>&1 || fail "MPICH's program: exit status $?"
equal 'with its launcher' "$(cat "$out")" 'five ok'
if [ -x "$scratch/openmpi" ] && open_mpi; then
    # Each process is a job of its own, and needs a folder of its own: Open MPI removes the folder when a job ends.
    # shellcheck disable=SC2016 # the process expands it
    timeout 60 "$MPIEXEC" -n 2 sh -c 'OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$0/jXXXX") exec "$@"' "$scratch" \
        "$PLEACH" run "$scratch/openmpi" >"$out" 2>&1 || fail "Open MPI's program: exit status $?"
    equal 'jobs of one rank' "$(grep -o 'five ok' "$out" | wc -l)" 2
    started="but MPICH's mpiexec has started its 2 ranks: $apart Open MPI"
    lines "$out" "^pleach run: $scratch/openmpi is built for Open MPI, $started\$" 1
    timeout 60 mpiexec.openmpi -n 2 "$PLEACH" run "$five" >"$out" 2>&1 || fail "MPICH's program: exit status $?"
    equal 'jobs of one rank' "$(grep -o 'five ok' "$out" | wc -l)" 2
    lines "$out" "^pleach run: $five is built for MPICH, but Open MPI's mpiexec has started its 2 ranks: $apart MPICH\$" 1
    timeout 60 mpiexec.openmpi -n 2 "$PLEACH" run "$scratch/openmpi" >"$out" 2>&1 ||
        fail "Open MPI's program: exit status $?"
    equal 'with its launcher' "$(cat "$out")" 'five ok'
fi
exit "$status"
