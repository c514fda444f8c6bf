/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach doctor: launchers, and the job that this process belongs to; see doctor.h. */
#include "doctor.h"

#include "launcher.h"
#include "quota.h"
#include "tool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The job ------------------------------------------------------------------------------------------------------- */

/*
 * Compares ranks with cores as the library does (src/agreement/nodes.c). The library also knows the cores of the other
 * ranks.
 */
static void tell_cores(const struct settings *s, int here)
{
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN), cores = quota_of_cores(quota_cores(), online);
    int usable = online;
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        usable = CPU_COUNT(&mine);
    if (here > cores && s->shared == 0) {
        char where[PROBLEM_TEXT];
        const char *remedy = settings_origin(s, "PLEACH_SHARED", where, sizeof where);
        doctor_tell(VERDICT_PROBLEM,
                    "ranks on this node: %d, but cores: %d: only engines serve that settings or rules name, as "
                    "%sPLEACH_SHARED=no keeps ranks from sharing memory; %s, or start fewer ranks",
                    here, cores, where, remedy);
    } else if (here > cores)
        doctor_tell(VERDICT_NOTE,
                    "ranks on this node: %d, but cores: %d: ranks take turns; Pleach serves communicators of one node, "
                    "through shared memory, and gives up the core while it waits; calls on other communicators stay "
                    "native, unless a setting or a rule names an engine",
                    here, cores);
    else if (here > usable)
        doctor_tell(
            VERDICT_NOTE,
            "ranks on this node: %d; this rank may use %d of the node's %d cores, which is enough if the other ranks use "
            "the rest; PLEACH_VERBOSE=yes shows that in the run",
            here, usable, cores);
    else
        doctor_tell(VERDICT_OK, "ranks on this node: %d, cores: %d", here, cores);
}

/* doctor_ranks() finds out whether the ranks find each other. */
static void tell_job(const struct settings *s, const struct launched *j)
{
    doctor_tell(VERDICT_OK, "in a job of %s rank%s that %s started", j->ranks, plural(atoi(j->ranks)), j->launcher);
    const int here = launcher_node_ranks();
    tell_cores(s, here ? here : atoi(j->here));
}

/* ---- Launchers ----------------------------------------------------------------------------------------------------- */

/* The MPI that a launcher belongs to, as its output for --version shows. */
static enum mpi whose(const char *path)
{
    static const struct {
        const char *word;
        enum mpi mpi;
    } words[] = {{"HYDRA", MPI_MPICH},       {"Intel(R) MPI", MPI_MPICH}, {"OpenRTE", MPI_OPEN_MPI},
                 {"Open MPI", MPI_OPEN_MPI}, {"PRRTE", MPI_OPEN_MPI},     {"prte", MPI_OPEN_MPI}};
    char text[4096];
    if (!tool_asked((const char *const[]){path, "--version", NULL}, TOOL_SECONDS, text, sizeof text))
        return MPI_OTHER;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i].word))
            return words[i].mpi;
    return MPI_OTHER;
}

/* srun, with the option that programs for this MPI usually need. */
static const char *srun(enum mpi mpi)
{
    static char text[32];
    const char *pmi = launcher_pmi(mpi);
    snprintf(text, sizeof text, "srun --mpi=%s", pmi ? pmi : "TYPE");
    return text;
}

/*
 * Looks under the usual names for Open MPI's launcher if `mpi` is Open MPI, else for MPICH's. Returns its name, or NULL. If
 * another MPI's launcher comes first, a line says so. Returns the name of this other launcher if it is Open MPI's and the
 * program's MPI is unknown, as for Python. Without any launcher, returns srun's if srun is in PATH.
 */
static const char *tell_launchers(enum mpi mpi)
{
    static const char *const names[] = {"mpiexec", "mpiexec.mpich", "mpiexec.hydra", "mpiexec.openmpi", "mpirun"};
    const char *first_name = NULL;
    enum mpi first = MPI_NONE, wanted = mpi == MPI_OPEN_MPI ? MPI_OPEN_MPI : MPI_MPICH;
    char path[PATH_MAX], other[PATH_MAX] = "";
    const bool any = mpi == MPI_NONE; /* the program may be for Open MPI */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!program_find(names[i], path))
            continue;
        enum mpi found = whose(path);
        if (found == wanted && !first) {
            doctor_tell(VERDICT_OK, "%s is %s's: %s", names[i], mpi_name(wanted), path);
            return names[i];
        }
        if (found == wanted) {
            doctor_tell(mpi == wanted ? VERDICT_PROBLEM : VERDICT_NOTE,
                        "%s is not %s's, but %s's: with it, each rank of a program for %s is alone; use %s", other,
                        mpi_name(wanted), mpi_name(first), mpi_name(wanted), names[i]);
            return any && first == MPI_OPEN_MPI ? first_name : names[i];
        }
        if (!first) {
            first = found;
            first_name = names[i];
            snprintf(other, sizeof other, "%s", path);
        }
    }
    if (any && first == MPI_OPEN_MPI) {
        doctor_tell(VERDICT_OK, "%s is %s's: %s", first_name, mpi_name(first), other);
        return first_name;
    }
    if (first)
        doctor_tell(VERDICT_NOTE, "%s is %s's, and no mpiexec of %s is in PATH", other, mpi_name(first), mpi_name(wanted));
    else if (program_find("srun", path))
        return srun(mpi);
    else
        doctor_tell(VERDICT_NOTE, "no mpiexec is in PATH");
    return NULL;
}

/* srun hands on all variables if the list has the word ALL, else those that the list names. */
static void tell_slurm(void)
{
    const char *export = getenv("SLURM_EXPORT_ENV");
    bool all = !export, some = false;
    for (const char *word = export; word && *word; word += strcspn(word, ",")) {
        word += strspn(word, ",");
        all |= strcspn(word, ",") == 3 && strncmp(word, "ALL", 3) == 0;
        some |= strncmp(word, "PLEACH_", 7) == 0;
    }
    if (!all)
        doctor_tell(some ? VERDICT_NOTE : VERDICT_PROBLEM,
                    "SLURM_EXPORT_ENV=%s: srun hands %s settings of Pleach to the ranks; use srun --export=ALL", export,
                    some ? "only these" : "no");
}

/* ---- Algorithms of the MPI library ----------------------------------------------------------------------------------- */

static void tell_algorithms(const struct settings *s, enum mpi mpi)
{
    static const char obeys[] = "OMPI_MCA_coll_tuned_use_dynamic_rules";
    bool wanted = s->learn[0] && settings_learns(s);
    for (int c = 0; c < COLLECTIVES; c++)
        wanted |= s->engine[c].native;
    if (mpi == MPI_OPEN_MPI && wanted && !getenv(obeys))
        doctor_tell(VERDICT_NOTE,
                    "Open MPI before releases 4.1.7 and 5.0.6 switches to other algorithms only with %s=1; trials of "
                    "native:NAME then need it",
                    obeys);
}

/* ---- The examination ------------------------------------------------------------------------------------------------- */

const char *doctor_job(const struct settings *s, enum mpi mpi)
{
    struct launched job;
    tell_algorithms(s, mpi);
    if (launched_by(&job)) {
        tell_job(s, &job);
        return NULL;
    }
    tell_slurm();
    return tell_launchers(mpi);
}
