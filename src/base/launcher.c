/* SPDX-License-Identifier: BSD-2-Clause */
/* See launcher.h. */
#include "launcher.h"

#include "hash.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ON_NODES: ranks on each node, a list; NODE: its index; HERE: the rank's number on its node, from 0. */
enum quantity { RANK, RANKS, ON_THIS_NODE, ON_NODES, NODE, HERE, QUANTITIES };

/* The first row that is set counts. */
static const struct launcher {
    const char *name; /* NULL: the variables do not show it */
    enum mpi mpi;     /* MPI_NONE: of any */
    enum mpi finds;   /* whose ranks find each other where RANK is set; MPI_NONE: unknown */
    const char *variable[QUANTITIES];
} launchers[] = {
    {"Open MPI's mpiexec",
     MPI_OPEN_MPI,
     MPI_OPEN_MPI,
     {[RANK] = "OMPI_COMM_WORLD_RANK",
      [RANKS] = "OMPI_COMM_WORLD_SIZE",
      [ON_THIS_NODE] = "OMPI_COMM_WORLD_LOCAL_SIZE",
      [HERE] = "OMPI_COMM_WORLD_LOCAL_RANK"}},
    {NULL, MPI_NONE, MPI_OPEN_MPI, {[RANK] = "PMIX_RANK"}},
    {"MPICH's mpiexec",
     MPI_MPICH,
     MPI_MPICH,
     {[RANK] = "PMI_RANK", [RANKS] = "PMI_SIZE", [ON_THIS_NODE] = "MPI_LOCALNRANKS", [HERE] = "MPI_LOCALRANKID"}},
    {NULL, MPI_MPICH, MPI_MPICH, {[RANK] = "PMI_ID"}}, /* mpiexec -pmi-port */
    {"srun",
     MPI_NONE,
     MPI_NONE,
     {[RANK] = "SLURM_PROCID",
      [RANKS] = "SLURM_STEP_NUM_TASKS",
      [ON_NODES] = "SLURM_STEP_TASKS_PER_NODE",
      [NODE] = "SLURM_NODEID",
      [HERE] = "SLURM_LOCALID"}},
};
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static const char *value_of(const struct launcher *l, enum quantity what)
{
    return l->variable[what] ? getenv(l->variable[what]) : NULL;
}

static int first_number(enum quantity what)
{
    for (int i = 0; i < LAUNCHERS; i++) {
        const char *number = value_of(&launchers[i], what);
        if (number)
            return atoi(number);
    }
    return 0;
}

int launcher_rank(void)
{
    return first_number(RANK);
}

bool launcher_first_here(void)
{
    return launcher_rank() == 0 || first_number(HERE) == 0;
}

int launcher_ranks(void)
{
    return first_number(RANKS);
}

/* In a list such as "4(x2),3"; or 0. */
static int on_node(const char *list, int node)
{
    int ranks, times, length;
    for (; sscanf(list, "%9d%n", &ranks, &length) == 1; list += *list == ',') {
        list += length;
        if (sscanf(list, "(x%9d)%n", &times, &length) == 1)
            list += length;
        else
            times = 1;
        if ((node -= times) < 0)
            return ranks;
    }
    return 0;
}

int launcher_node_ranks(void)
{
    int here = first_number(ON_THIS_NODE);
    for (int i = 0; i < LAUNCHERS && here == 0; i++) {
        const char *list = value_of(&launchers[i], ON_NODES), *node = value_of(&launchers[i], NODE);
        here = list && node ? on_node(list, atoi(node)) : 0;
    }
    return here;
}

int launcher_node_ranks_or_cores(void)
{
    static _Atomic int known;
    int here = known;
    if (here == 0) {
        here = launcher_node_ranks();
        known = here = here > 0 ? here : (int)sysconf(_SC_NPROCESSORS_ONLN);
    }
    return here;
}

enum mpi launcher_mpi(void)
{
    for (int i = 0; i < LAUNCHERS; i++)
        if (launchers[i].finds && value_of(&launchers[i], RANK))
            return launchers[i].finds;
    return MPI_NONE;
}

const char *launcher_job(void)
{
    static const char *const variable[] = {
        "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOB_ID", "COBALT_JOBID", "FLUX_JOB_ID", "JOB_ID",
    };
    for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
        const char *value = getenv(variable[i]);
        if (value && *value)
            return value;
    }
    return "0";
}

int launcher_rack(void)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR"), *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), *node = address;
    for (; node && pattern && (pattern = strchr(pattern, '.')); pattern++)
        node = (node = strchr(node, '.')) ? node + 1 : NULL;
    char *rack = node && node > address ? strndup(address, (size_t)(node - address)) : NULL;
    const int number = rack ? (int)(hash_text(rack) & INT_MAX) : 0;
    free(rack);
    return number;
}

/* ---- The launcher of a job ----------------------------------------------------------------------------------------- */

static bool has_started(const struct launcher *l, struct launched *by)
{
    const char *on_nodes = value_of(l, ON_NODES);
    *by = (struct launched){l->name, l->mpi, value_of(l, RANK), value_of(l, RANKS),
                            on_nodes ? on_nodes : value_of(l, ON_THIS_NODE)};
    return by->launcher && by->rank && by->ranks && by->here;
}

bool launched_by(struct launched *by)
{
    for (int i = 0; i < LAUNCHERS; i++)
        if (has_started(&launchers[i], by))
            return true;
    return false;
}

const char *launcher_pmi(enum mpi program)
{
    return program == MPI_OPEN_MPI ? "pmix" : program == MPI_MPICH ? "pmi2" : NULL;
}

bool launched_alone(enum mpi program, const char *library, char *text, size_t size)
{
    struct launched by;
    if (!launched_by(&by) || atoi(by.rank) != 0 || atoi(by.ranks) < 2)
        return false;
    const char *pmi = launcher_pmi(program);
    const int head = snprintf(text, size, "%s has started %s ranks, but " LAUNCHED_ALONE "; ", by.launcher, by.ranks);
    const size_t used = (size_t)head < size ? (size_t)head : size;
    if (by.mpi)
        snprintf(text + used, size - used, "start them with the mpiexec of %s", library);
    else
        snprintf(text + used, size - used, "%s needs srun --mpi=%s, or another of those that srun --mpi=list names", library,
                 pmi ? pmi : "pmi2, pmix");
    return true;
}
