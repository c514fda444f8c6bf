#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pleach doctor finds what is wrong with shared memory, settings, preloaded libraries, launchers and jobs. The test
# doctor_programs.sh is about programs.
. "$srcdir/tests/scripts/examine.sh"

# ---- Nothing is wrong ---------------------------------------------------------------------------------------------------

launcher mpiexec 'HYDRA build details:'
doctor ''
finds ok "Pleach [0-9.]*: $LIBPLEACH\$"
finds ok 'settings: the defaults$'
finds note "nothing of Pleach is preloaded here; 'pleach run' preloads the library\$"
for part in 'MPICH:mpich' 'Open MPI:openmpi' 'an MPI with the standard ABI:abi'; do
    finds ok "for ${part%:*}: ${LIBPLEACH%/*}/libpleach-${part#*:}.so\$"
done
finds ok "mpiexec is MPICH's: $bin/mpiexec\$"
doctor "$five"
finds ok "$five is built for MPICH: /.*/libmpi.*\$"
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

# A budget may be too small for the ranks of a node. The launcher tells how many there are.
doctor '' MPI_LOCALNRANKS=192 PLEACH_SHARED=8M
finds note 'PLEACH_SHARED=8M is too little for memory that 192 ranks of a node share; each .* takes 13060K at least'
doctor '' MPI_LOCALNRANKS=192
silent_about "$out" 'too little'

# ---- Settings -----------------------------------------------------------------------------------------------------------

examine '' PLEACH_THRESHOLD=x
finds problem 'PLEACH_THRESHOLD=x is not understood: .*; every call goes to the native MPI library; see pleach-settings(5)$'
examine '' PLEACH_THRESHOD=1
finds problem 'PLEACH_THRESHOD is not a setting.*did you mean PLEACH_THRESHOLD'
examine '' PLEACH_SCAN_ENGINE=ring
finds problem 'PLEACH_SCAN_ENGINE: ring does not serve scan'
examine '' PLEACH_RULES="$scratch/nosuch"
finds problem "PLEACH_RULES: $scratch/nosuch cannot be read: No such file"
examine '' PLEACH_PLACES="$scratch/nosuch"
finds problem "PLEACH_PLACES: $scratch/nosuch cannot be read: No such file.*; groups are nodes"
printf '#! /bin/sh -e\ntrue\n' >"$scratch/script"
examine '' PLEACH_PLACES="$scratch/script"
finds problem "PLEACH_PLACES: $scratch/script:2: 'true' has no group; groups are nodes"
echo 'echo text' >"$scratch/text"
doctor '' PLEACH_PLACES="$scratch/text"
examine '' PLEACH_DISABLE=yes
finds problem 'PLEACH_DISABLE=yes: every call goes to the native MPI library; unset it$'
printf 'STACK=3\nDISABLE=yes\n' >"$scratch/conf"
examine '' PLEACH_CONF="$scratch/conf"
finds problem "$scratch/conf: PLEACH_DISABLE=yes: every call goes to the native MPI library; remove the line\$"
examine '' PLEACH_ENGINE=native
finds problem "$collectives: every call goes to the native MPI library"
doctor '' PLEACH_SCAN_ENGINE=native PLEACH_BCAST_THRESHOLD=inf
finds note 'bcast, scan: every call goes to the native MPI library, as settings of engines or thresholds say$'
doctor '' PLEACH_DRY_RUN=yes PLEACH_VERIFY=yes
lines "$out" '^note .*PLEACH_DRY_RUN=yes\|^note .*PLEACH_VERIFY=yes' 2
examine '' PLEACH_REPORT=/nowhere/at/all PLEACH_LOG=/nowhere/%r PLEACH_LEARN="$scratch/learned"
lines "$out" '^problem  *PLEACH_[A-Z]*=/nowhere.*: No such file or directory$' 2
mkfifo "$scratch/pipe"
examine '' PLEACH_REPORT="$scratch/pipe" PLEACH_LOG="$scratch/pipe" PLEACH_LEARN="$scratch/pipe"
finds problem "PLEACH_LEARN=$scratch/pipe: it is not a regular file\$"
lines "$out" '^problem  *PLEACH_[A-Z]*=' 1
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
cp "$LIBPLEACH" "$scratch/libpleach-ompi.so" # the name in older releases
examine '' LD_PRELOAD="$LIBPLEACH:$scratch/libpleach-ompi.so"
finds problem "LD_PRELOAD names another libpleach-ompi.so: $scratch/libpleach-ompi.so; take it out\$"
if tool; then
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
finds ok 'nothing stands in the way of: mpiexec -n P pleach run /bin/sh, if that is the launcher of the program'\''s MPI$'
examine "$five"
finds problem "$advice\$"
rm "$bin/mpiexec.hydra"
doctor /bin/sh
without="$bin/mpiexec is Open MPI's, and no mpiexec of MPICH is in PATH\$"
finds ok "mpiexec is Open MPI's: $bin/mpiexec\$"
finds ok 'nothing stands in the way of: mpiexec -n P pleach run /bin/sh, if that is the launcher of the program'\''s MPI$'
lines "$out" 'MPICH.s' 0
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
finds ok "nothing stands in the way of: srun --mpi=pmi2 -n P pleach run $five\$"
doctor /bin/sh
finds ok 'nothing stands in the way of: srun --mpi=TYPE -n P pleach run /bin/sh$'
examine "$five" SLURM_EXPORT_ENV=NONE
finds problem 'SLURM_EXPORT_ENV=NONE: srun hands no settings'
doctor "$five" SLURM_EXPORT_ENV=ALL,PLEACH_LOG=x
doctor "$five" SLURM_EXPORT_ENV=SMALL,PLEACH_LOG PLEACH_LOG=/dev/null
finds note 'SLURM_EXPORT_ENV=SMALL,PLEACH_LOG: srun hands only these settings'

# The ranks of these jobs are made up, and the doctor finds out that they are not there.
alone='each is alone in its MPI_COMM_WORLD; '
examine "$five" PMI_RANK=0 PMI_SIZE=4 MPI_LOCALNRANKS=1
finds ok "in a job of 4 ranks that MPICH's mpiexec started\$"
finds ok 'ranks on this node: 1, cores: [0-9]*$'
finds problem "MPICH's mpiexec has started 4 ranks, but ${alone}start them with the mpiexec of MPICH [0-9]"
examine "$five" PMI_RANK=0 PMI_SIZE=200000 MPI_LOCALNRANKS=100000
finds note 'ranks on this node: 100000, but cores: [0-9]*: ranks take turns; Pleach serves communicators of one node, '
examine "$five" PMI_RANK=0 PMI_SIZE=200000 MPI_LOCALNRANKS=100000 PLEACH_SHARED=no
finds problem 'ranks on this node: 100000, but cores: [0-9]*: only engines serve that settings or rules name, '
if have taskset 'one core' && [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
    taskset -c "$core" env PMI_RANK=0 PMI_SIZE=2 MPI_LOCALNRANKS=2 "$PLEACH" doctor >"$out" 2>&1 ||
        fail "one core: exit status $?"
    use='this rank may use 1 of the node.s [0-9]* cores, which is enough if the other ranks use the rest; '
    finds note "ranks on this node: 2; $use"
fi
examine "$five" OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=1
finds ok "in a job of 4 ranks that Open MPI's mpiexec started\$"
finds problem "Open MPI's mpiexec has started 4 ranks, but ${alone}start them with the mpiexec of MPICH [0-9]"
srun="SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_TASKS_PER_NODE=1(x4) SLURM_EXPORT_ENV=NONE"
# shellcheck disable=SC2086 # words
examine "$five" $srun
finds ok 'in a job of 4 ranks that srun started$'
finds problem "srun has started 4 ranks, but ${alone}MPICH [0-9].* needs srun --mpi=pmi2, or another of those"
lines "$out" '^problem' 1 # a step has its variables, whatever the job handed on
# shellcheck disable=SC2086 # words
doctor '' $srun
finds note "srun has started 4 ranks, but $alone"
# shellcheck disable=SC2086 # words
doctor '' $srun SLURM_STEP_NUM_TASKS=1
finds ok 'in a job of 1 rank that srun started$'
doctor nosuch PMI_RANK=1 PMI_SIZE=4 MPI_LOCALNRANKS=100000
[ ! -s "$out" ] || fail "rank 1 says $(cat "$out")"
doctor nosuch PMI_ID=1 # mpiexec -pmi-port
[ ! -s "$out" ] || fail "rank 1 of a port says $(cat "$out")"
# In a job, all ranks try to share memory, and write no files.
timeout 100 "$MPIEXEC" -n 2 env PLEACH_LOG="$scratch/log" PLEACH_REPORT="$scratch/report" PLEACH_LEARN="$scratch/learned" \
    "$PLEACH" doctor "$five" >"$out" 2>&1
finds ok "$five calls bcast"
finds ok "in a job of 2 ranks that MPICH's mpiexec started\$"
finds ok 'the ranks of this job share memory, on each node$'
for file in log report learned; do
    [ ! -e "$scratch/$file" ] || fail "pleach doctor has written a $file: $(cat "$scratch/$file")"
done
timeout 100 "$MPIEXEC" -n 2 env MPIR_CVAR_NOLOCAL=1 MPI_LOCALNRANKS=1 "$PLEACH" doctor >"$out" 2>&1
finds note 'the ranks of this job exchange messages, as they cannot share memory: MPI finds each rank on a node of its own$'
timeout 100 "$MPIEXEC" -n 1 "$PLEACH" doctor : -n 1 env PLEACH_SHARED=no "$PLEACH" doctor >"$out" 2>&1
finds note 'the ranks of this job have not tried to share memory: pleach shared: PLEACH_SHARED differs between ranks: '
for nodes in '' MPIR_CVAR_NOLOCAL=1; do
    timeout 100 "$MPIEXEC" -n 2 env PLEACH_SHARED=no $nodes "$PLEACH" doctor >"$out" 2>&1
    finds note 'PLEACH_SHARED=no: ranks of a node share no memory'
    ! grep 'ranks of this job' "$out" || fail 'ranks share memory, although PLEACH_SHARED=no'
done
exit "$status"
