/* SPDX-License-Identifier: BSD-2-Clause */
/* See algorithms.h. */
#include "algorithms.h"

#include "hot.h"
#include "pmpi.h"

#include <string.h>

enum { NAME = 64, DESCRIPTION = 4096, NO_VALUE = -1 };
enum { AUTO = 0 };

/* MPICH has one algorithm for exscans. */
static const char *const names[COLLECTIVES] = {[COLL_BCAST] = "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
                                               [COLL_REDUCE] = "MPIR_CVAR_REDUCE_INTRA_ALGORITHM",
                                               [COLL_SCAN] = "MPIR_CVAR_SCAN_INTRA_ALGORITHM",
                                               [COLL_ALLREDUCE] = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"};

static struct {
    MPI_T_cvar_handle handle;
    int value[ALGORITHMS]; /* of the variable, for each algorithm */
} variables[COLLECTIVES];

/* What MPICH does if an algorithm does not apply: takes another, perhaps with a report. */
static const char fallback_name[] = "MPIR_CVAR_COLLECTIVE_FALLBACK";
static struct {
    MPI_T_cvar_handle handle;
    int silent, print; /* values; silent is NO_VALUE without the variable */
} fallback = {.silent = NO_VALUE};

/* Of a name in "NAME - text" .., from 0 on, perhaps without a blank before NAME. NO_VALUE: not there. */
static int value_of(const char *description, const char *name)
{
    const size_t length = strlen(name);
    int value = 0;
    for (const char *dash = strstr(description, " - "); dash; dash = strstr(dash + 3, " - "), value++) {
        const char *end = dash;
        while (end > description && end[-1] == ' ')
            end--;
        const char *begin = end - length;
        if ((size_t)(end - description) >= length && memcmp(begin, name, length) == 0 &&
            (begin == description || begin[-1] != '_'))
            return value;
    }
    return NO_VALUE;
}

static const char *name_of(const struct engine *e, char name[NAME])
{
    strncpy(name, strchr(e->name, ':') + 1, NAME - 1);
    name[NAME - 1] = 0;
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

static bool open_variable(const char *variable, MPI_T_cvar_handle *handle, char description[DESCRIPTION])
{
    char name[NAME];
    int index, length = NAME, space = DESCRIPTION, verbosity, binding, scope, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum values;
    return pmpi.T_cvar_get_index(variable, &index) == MPI_SUCCESS &&
           pmpi.T_cvar_get_info(index, name, &length, &verbosity, &type, &values, description, &space, &binding, &scope) ==
               MPI_SUCCESS &&
           type == MPI_INT && pmpi.T_cvar_handle_alloc(index, NULL, handle, &count) == MPI_SUCCESS && count == 1;
}

static char described[DESCRIPTION]; /* by open_variable(), latest */

static uint64_t find_algorithms(enum collective c)
{
    char *const description = described, name[NAME];
    MPI_T_cvar_handle *handle = &variables[c].handle;
    uint64_t found = 0;
    int now = NO_VALUE;
    if (!open_variable(names[c], handle, description) || value_of(description, "auto") != AUTO ||
        pmpi.T_cvar_read(*handle, &now) != MPI_SUCCESS || now != AUTO)
        return 0;
    for (int i = 0; engines[i]; i++) {
        const enum algorithm a = engines[i]->algorithm;
        if (!a || !engines[i]->serves[c].text.rounds)
            continue;
        const int value = variables[c].value[a] = value_of(description, name_of(engines[i], name));
        if (value != NO_VALUE)
            found |= algorithm_bit(c, a);
    }
    return found;
}

/* MPICH 3 would give wrong results or end the program. Releases with MPI 4's functions take another algorithm. */
static bool checks_algorithms(void)
{
    return pmpi.Bcast_c;
}

static void find_fallback(void)
{
    if (!open_variable(fallback_name, &fallback.handle, described))
        return;
    fallback.silent = value_of(described, "silent");
    fallback.print = value_of(described, "print");
}

/*
 * MPI_THREAD_MULTIPLE, as a tool may read variables in its own thread: after a lower level MPICH stops locking. Not in Open
 * MPI, which has nothing for us, and where a lower level would be MPI's.
 */
uint64_t algorithms_find(void)
{
    uint64_t found = 0;
    int level;
    if (pmpi.natives == NATIVES_OPEN_MPI || !checks_algorithms() || !pmpi.T_init_thread || !pmpi.T_cvar_get_index ||
        !pmpi.T_cvar_get_info || !pmpi.T_cvar_handle_alloc || !pmpi.T_cvar_read || !pmpi.T_cvar_write ||
        pmpi.T_init_thread(MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        return 0;
    for (int c = 0; c < COLLECTIVES; c++)
        found |= names[c] ? find_algorithms((enum collective)c) : 0;
    if (found)
        find_fallback();
    return found;
}

/* For algorithm_end(), with the value of `fallback` before. */
static struct {
    bool on;
    enum collective collective;
    int fallback;
} switched;

/* They do not fail: the variable was read, and the tool interface stays open. It was `auto`; else the program has set it. */
void algorithm_begin(enum collective c, enum algorithm a, bool named)
{
    int now = AUTO;
    pmpi.T_cvar_read(variables[c].handle, &now);
    if (now != AUTO)
        return;
    switched.on = true;
    switched.collective = c;
    pmpi.T_cvar_write(variables[c].handle, &variables[c].value[a]);
    if (fallback.silent == NO_VALUE)
        return;
    pmpi.T_cvar_read(fallback.handle, &switched.fallback);
    if (!named || switched.fallback != fallback.print)
        pmpi.T_cvar_write(fallback.handle, &fallback.silent);
}

HOT void algorithm_end(void)
{
    static const int automatic = AUTO;
    if (!switched.on)
        return;
    pmpi.T_cvar_write(variables[switched.collective].handle, &automatic);
    if (fallback.silent != NO_VALUE)
        pmpi.T_cvar_write(fallback.handle, &switched.fallback);
    switched.on = false;
}
