#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A real Slurm of two nodes, which this test starts and stops on this machine: programs under srun with each PMI, mpiexec in
# a job, arrays, a time limit, a requeue, the lists of --export, the lines of the tutorial, and what a whole site may set.
# shellcheck disable=SC2086,SC2317 # words; functions that a trap runs
. "$srcdir/tests/scripts/mpi.sh"

PATH=$PATH:/usr/sbin:/sbin
unset HYDRA_LAUNCHER PLEACH_SHARED
host=$(hostname)
for tool in slurmctld slurmd munged srun sbatch scontrol scancel; do
    command -v "$tool" >/dev/null ||
        skip "there is no $tool (Debian: slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge)"
done
[ "$(id -u)" -eq 0 ] || skip 'only root can start a Slurm for this test alone'
getent hosts "$host" >/dev/null || skip "the name of this machine, $host, has no address"

# ---- Slurm --------------------------------------------------------------------------------------------------------------

site=$scratch/slurm
export SLURM_CONF="$site/slurm.conf"

# within SECONDS COMMAND..: tries the command until it succeeds; false if it does not in this time.
within() {
    within_end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt $within_end ] || return 1
        sleep 0.2
    done
}

# idle: true if there is no job.
idle() {
    [ -z "$(timeout 5 squeue --noheader 2>/dev/null)" ]
}

# stopped: ends all jobs, with their slurmstepd, and then the daemons.
stopped() {
    timeout 20 scancel --user=root >/dev/null 2>&1
    within 30 idle
    for stopped_file in "$site"/*.pid; do
        [ ! -s "$stopped_file" ] || kill "$(cat "$stopped_file")" 2>/dev/null
    done
    within 5 [ ! -e "$site/slurmctld.pid" ]
}
trap 'stopped; rm -rf "$scratch"' EXIT

chmod 755 "$scratch"
mkdir "$site" "$site/state" "$site/spool.n1" "$site/spool.n2"
chmod 755 "$site"
port=$((20000 + $$ % 4000 * 5))
cat >"$SLURM_CONF" <<END
ClusterName=pleach
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$site/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmctldPidFile=$site/slurmctld.pid
SlurmdPidFile=$site/slurmd.%n.pid
StateSaveLocation=$site/state
SlurmdSpoolDir=$site/spool.%n
SlurmctldLogFile=$site/slurmctld.log
SlurmdLogFile=$site/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
KillWait=5
SlurmdParameters=config_overrides
TaskProlog=$site/prolog
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=4 RealMemory=500
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=60 State=UP OverSubscribe=NO
END
# Slurm 22 has no name for a machine without control groups, and needs none.
slurmd -V | grep -q ' 2[0-2]\.' || echo CgroupPlugin=disabled >"$site/cgroup.conf"
printf '#!/bin/sh\n' >"$site/prolog"
chmod 755 "$site/prolog"
head -c 128 /dev/urandom >"$site/key"
chmod 400 "$site/key"
{ munged --force --socket="$site/munge.socket" --key-file="$site/key" --pid-file="$site/munged.pid" \
    --log-file="$site/munged.log" --seed-file="$site/seed" && slurmctld -c && slurmd -N n1 && slurmd -N n2; } >"$out" 2>&1 ||
    skip "Slurm does not start: $(cat "$out")"
within 30 timeout 30 srun -N 2 -n 2 true >"$out" 2>&1 ||
    skip "Slurm starts no task: $(tail -n 3 "$out" "$site/slurmctld.log" "$site"/slurmd.*.log)"

# pmi NAME PART: true if srun has this --mpi; else says that this part of the test is left out.
pmi() {
    srun --mpi=list 2>&1 | grep -qw "$1" || {
        echo "not tested: $2: srun has no --mpi=$1"
        false
    }
}

# step ARG..: runs srun. The output goes to $out.
step() {
    in_time srun "$@" >"$out" 2>&1 </dev/null
}

# batch [OPTION..]: runs the script of standard input as a job, and waits for its end. The job's output goes to $out.
batch() {
    { echo '#!/bin/sh' && cat; } >"$scratch/script"
    (cd "$scratch" && in_time sbatch --wait --open-mode=truncate -o "$out" "$@" "$scratch/script") >"$scratch/err" 2>&1 ||
        fail "sbatch $*: $(cat "$scratch/err" "$out")"
}

export LD_PRELOAD="$YIELD" # for tasks
alone='each is alone in its MPI_COMM_WORLD'
five=$programs/five
MPI_ALONE="srun has started 2 ranks, but $alone; MPICH .* needs srun --mpi=pmi2, or another"
: "${MPI_COMPILER:?}" "${MPI_LINKED?}" # set by make check

# ---- Jobs that end early ------------------------------------------------------------------------------------------------

# They wait for Slurm most of the time, and so begin here; their ends are below.
cat >"$scratch/loops.c" <<'END'
/* Makes calls until a file exists. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static double in[1000], out[1000];
int main(int argc, char **argv)
{
    int end = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!end) {
        MPI_Allreduce(in, out, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        usleep(10000);
        end = rank == 0 && access(argv[1], F_OK) == 0;
        MPI_Bcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        puts("loops ok");
    MPI_Finalize();
    return 0;
}
END
$MPI_COMPILER -o "$scratch/loops" "$scratch/loops.c" $MPI_LINKED >"$out" 2>&1 || fail "loops.c: $(cat "$out")"
# looping NAME [OPTION..]: submits a job that makes calls until $scratch/NAME.stop exists. Sets $job.
looping() {
    looping_name=$1
    shift
    cat >"$scratch/$looping_name" <<END
#!/bin/sh
export PLEACH_REPORT=$scratch/$looping_name.txt
srun --mpi=pmi2 $PLEACH run $scratch/loops $scratch/$looping_name.stop
END
    job=$(sbatch --parsable -n 2 --open-mode=append -o "$scratch/$looping_name.out" "$@" "$scratch/$looping_name")
}
if pmi pmi2 'jobs that end early'; then
    looping limit --time=0:05
    looping again --requeue
    again=$job
    within 30 [ -e "$scratch/again.txt.parts/0" ] || fail 'a job writes no part'
    scontrol requeue "$again" >"$out" 2>&1 || fail "requeue: $(cat "$out")"
fi

# ---- srun ---------------------------------------------------------------------------------------------------------------

if pmi pmi2 'MPICH under srun'; then
    step -n 2 --mpi=pmi2 "$PLEACH" run "$five"
    equal 'MPICH with pmi2' "$(cat "$out")" 'five ok'
    step -n 2 -N 2 --mpi=pmi2 env PLEACH_VERBOSE=yes PLEACH_REPORT=stderr "$PLEACH" run "$five"
    says "$out" ', 2 ranks on 2 nodes, loaded on all ranks'
    says "$out" '  ranks     2 on 2 nodes'
    step -n 2 --mpi=pmi2 "$PLEACH" doctor "$five" || fail "doctor with pmi2: $(cat "$out")"
    lines "$out" '^ok  *in a job of 2 ranks that srun started$' 1
    lines "$out" '^ok  *the ranks of this job share memory, on each node$' 1
    step -n 1 --mpi=pmi2 "$PLEACH" doctor "$five"
    lines "$out" '^ok  *in a job of 1 rank that srun started$' 1
    step -n 2 --mpi=pmi2 "$PLEACH" places
    says "$out" '2 ranks on 1 node'
fi
wrong=none
! pmi pmix 'a wrong PMI' || wrong='none pmix'
for type in $wrong; do
    step -n 2 --mpi="$type" "$PLEACH" run "$five"
    equal "MPICH with $type" "$(grep -c '^five ok' "$out")" 2
    lines "$out" '^pleach' 1
    lines "$out" "^pleach: $MPI_ALONE" 1
    step -n 2 --mpi="$type" env PLEACH_DISABLE=yes "$PLEACH" run "$five"
    lines "$out" '^pleach' 0
    step -n 2 --mpi="$type" "$PLEACH" doctor "$five" && fail "doctor with $type: exit status 0"
    lines "$out" "^problem  *$MPI_ALONE" 1
    step -n 2 --mpi="$type" env PLEACH_REPORT="$scratch/alone.%p.txt" "$PLEACH" run "$five"
    says "$(echo "$scratch"/alone.*.txt | cut -d ' ' -f 1)" 'Ask pleach doctor if more ranks were started'
    rm "$scratch"/alone.*
    step -n 2 --mpi="$type" "$PLEACH" advise "$five"
    says "$out" 'the job has one rank; if more were started, pleach doctor says why'
done
step -n 2 --mpi=none "$PLEACH" places
lines "$out" "^pleach places: srun has started 2 ranks, but $alone" 1
lines "$out" '^pleach places: --mpi-library=FILE takes another MPI library than that of ' 1

if pmi pmix 'Open MPI under srun' && open_mpi; then
    mpicc.openmpi -o "$scratch/openmpi" "$srcdir/tests/programs/five.c" 2>"$scratch/err"
    step -n 2 --mpi=pmix "$PLEACH" run "$scratch/openmpi"
    equal 'Open MPI with pmix' "$(cat "$out")" 'five ok'
    step -n 2 --mpi=pmix "$PLEACH" doctor "$scratch/openmpi" || fail "doctor with pmix: $(cat "$out")"
    lines "$out" '^ok  *the ranks of this job share memory, on each node$' 1
    for command in places 'bench -c scan -m 16K:16K -i 1 --force'; do
            step -n 2 --mpi=pmix "$PLEACH" $command || fail "$command with pmix: $(cat "$out")"
        lines "$out" "$alone" 0
    done
    step -n 2 --mpi=none "$PLEACH" doctor "$scratch/openmpi" && fail 'doctor of Open MPI without PMI: exit status 0'
    lines "$out" '^problem  .*--mpi=pmix' 1
    python=/usr/bin/python3 # Debian's, whatever else comes first in PATH
    if $python -c 'from mpi4py import MPI; exit("Open MPI" not in MPI.Get_library_version())' >"$out" 2>&1; then
        step -n 2 --mpi=pmix env PLEACH_VERBOSE=yes "$PLEACH" run $python "$srcdir/tests/programs/several.py"
        says "$out" 'several ok'
        lines "$out" ' 2 ranks on 1 node, loaded on all ranks' 1
        step -n 2 --mpi=none "$PLEACH" run $python "$srcdir/tests/programs/several.py" && fail 'Python without PMI'
    else
        echo 'not tested: there is no mpi4py of Open MPI (Debian: python3-mpi4py)'
    fi
else
    echo 'not tested: Open MPI under srun'
fi

# ---- mpiexec in a job ---------------------------------------------------------------------------------------------------

batch -n 2 <<END
$MPIEXEC -n 2 $PLEACH run $five
END
equal 'mpiexec in a job' "$(cat "$out")" 'five ok'
if [ -x "$scratch/openmpi" ]; then
    batch -n 2 <<END
mpiexec.openmpi -n 2 $PLEACH run $five
mpiexec.openmpi -n 2 $PLEACH run $scratch/openmpi
END
    equal "Open MPI's mpiexec in a job" "$(grep -c 'five ok' "$out")" 3
    lines "$out" "^pleach: Open MPI's mpiexec has started 2 ranks, but $alone; start them with the mpiexec of MPICH" 1
fi

# ---- Lists of --export --------------------------------------------------------------------------------------------------

if pmi pmi2 '--export'; then
    batch -n 2 --export=NONE <<END
export LD_PRELOAD=$YIELD
$PLEACH doctor | grep EXPORT
echo in the step:
srun --export=ALL --mpi=pmi2 $PLEACH doctor $five || echo problems
END
    sed '/in the step/,$d' "$out" >"$scratch/before"
    sed '1,/in the step/d' "$out" >"$scratch/in"
    lines "$scratch/before" '^problem  *SLURM_EXPORT_ENV=NONE: srun hands no settings of Pleach to the ranks' 1
    lines "$scratch/in" 'EXPORT\|^problem' 0
    says "$scratch/in" 'the ranks of this job share memory'
fi

# ---- Arrays, and the tutorial -------------------------------------------------------------------------------------------

# The lines of the tutorial's item on Slurm, as a script for two ranks.
sed -n '/^\.It Slurm/,/^\.It PBS/p; /^\.It PBS/q' "$srcdir/man/pleach-tutorial.7" |
    sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' | sed 's/-n 64/-n 2/' >"$scratch/tutorial"
lines "$scratch/tutorial" '^srun .*pleach' 2
if pmi pmi2 'the lines of the tutorial'; then
    mkdir "$scratch/job"
    ln -s "$five" "$scratch/job/app"
    cp "$scratch/tutorial" "$scratch/job/script"
    (PATH=$(dirname "$PLEACH"):$PATH && cd "$scratch/job" &&
        in_time sbatch --wait --array=1-2 -o %a.out script) >"$out" 2>&1 ||
        fail "the tutorial's script: $(cat "$out" "$scratch"/job/*.out)"
    for task in 1 2; do
        says "$scratch/job/$task.out" 'the ranks of this job share memory'
        says "$scratch/job/$task.out" 'five ok'
        lines "$scratch/job/$task.out" '^problem\|^pleach' 0
    done
    equal 'reports of an array' "$(find "$scratch/job" -name 'report.*' | grep -c '/report\.[0-9]*\.html$')" 2
    equal 'files beside them' "$(find "$scratch/job" -name 'report.*' | wc -l)" 2
fi

# ---- A whole site -------------------------------------------------------------------------------------------------------

# The installed TaskProlog preloads the library into all tasks. Programs without MPI do not notice it.
timeout 300 make -C "$builddir" --no-print-directory install-data-local DESTDIR="$scratch/root" prefix=/p datadir=/p \
    libdir="${LIBPLEACH%/*}" completionsdir=/p/c MAKEFLAGS= >"$out" 2>&1 || fail "make install-data-local: $(cat "$out")"
site_wide() {
    site_wide_options=$1
    step -n 2 $site_wide_options --mpi=pmi2 env PLEACH_VERBOSE=yes "$five"
    says "$out" 'five ok'
    lines "$out" ' loaded on all ranks' 1
    for site_wide_command in true 'bash -c true' 'python3 -c pass' 'git --version'; do
        command -v "${site_wide_command%% *}" >/dev/null || continue
        step -n 2 $site_wide_options env PLEACH_REPORT=stderr PLEACH_VERBOSE=yes $site_wide_command ||
            fail "$site_wide_command: $(cat "$out")"
        lines "$out" pleach 0
    done
}
if pmi pmi2 'a whole site'; then
    cp "$scratch/root/p/pleach/slurm/taskprolog" "$site/prolog"
    equal 'lines of the prolog' "$(grep -c '^[^#]' "$site/prolog")" 1
    step -n 1 env
    lines "$out" "^LD_PRELOAD=$LIBPLEACH:$YIELD\$" 1
    site_wide ''
    printf '#!/bin/sh\n' >"$site/prolog"
fi
if echo '#include <slurm/spank.h>' | cc -x c -fsyntax-only - 2>"$scratch/err"; then
    cc -Wall -Wextra -Werror -shared -fPIC -o "$site/spank.so" "$srcdir/share/slurm/spank_pleach.c" >"$out" 2>&1 ||
        fail "the plugin: $(cat "$out")"
    echo "required $site/spank.so $LIBPLEACH" >"$site/plugstack.conf"
    site_wide --pleach
    step -n 2 --mpi=pmi2 "$five"
    equal 'without --pleach' "$(cat "$out")" 'five ok'
    (cd "$scratch" && step -n 2 --mpi=pmi2 --pleach=report "$five")
    equal 'reports with --pleach=report' "$(find "$scratch" -maxdepth 1 -name 'report.[0-9]*.html' | wc -l)" 1
    step -n 1 --pleach=wrong true && fail 'srun --pleach=wrong: exit status 0'
    says "$out" '--pleach=wrong: only --pleach and --pleach=report are known'
    step -n 1 --pleach env
    lines "$out" "^LD_PRELOAD=$LIBPLEACH:$YIELD\$" 1
    rm "$site/plugstack.conf"
else
    echo "not tested: the plugin for Slurm: $(head -n 1 "$scratch/err") (Debian: libslurm-dev)"
fi

# ---- Jobs that have ended early -----------------------------------------------------------------------------------------

if pmi pmi2 'jobs that have ended early'; then
    scontrol update jobid="$again" starttime=now >"$out" 2>&1 # else Slurm waits two minutes
    touch "$scratch/again.stop"
    within 60 grep -q 'loops ok' "$scratch/again.out"
    says "$scratch/again.out" "the name of the report is taken; this run writes to $scratch/again.txt.1"
    folder=$(grep -o "pleach report $scratch/again.txt[^']*old" "$scratch/again.txt")
    equal 'the folder that the first report names' "$folder" "pleach report $scratch/again.txt.parts.old"
    "$PLEACH" report "${folder##* }" >"$out" 2>&1 || fail "the first run: $(cat "$out")"
    says "$out" '  unended   '
    says "$scratch/again.txt.1" '  ranks     2 on 1 node'
    [ ! -e "$scratch/again.txt.parts" ] || fail 'the second run leaves parts'
    within 150 grep -q 'DUE TO TIME LIMIT' "$scratch/limit.out"
    says "$scratch/limit.out" 'DUE TO TIME LIMIT'
    "$PLEACH" report "$scratch/limit.txt" >"$out" 2>&1 || fail "after the time limit: $(cat "$out")"
    says "$out" '  ranks     2 on 1 node'
    says "$out" '  unended   '
fi
exit "$status"
