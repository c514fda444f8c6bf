/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI library's algorithms; see algorithms.h. */
#include "algorithms.h"

#include "hot.h"
#include "pmpi.h"

#include <string.h>

enum { NAME = 64, DESCRIPTION = 4096, NO_VALUE = -1 };
enum { AUTO = 0 }; /* the value of a variable for which the library chooses */

/* The names of the variables. Exscans have no engine native:NAME, as MPICH has one algorithm for blocking ones. */
static const char *const names[COLLECTIVES] = {[COLL_BCAST] = "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
                                               [COLL_REDUCE] = "MPIR_CVAR_REDUCE_INTRA_ALGORITHM",
                                               [COLL_SCAN] = "MPIR_CVAR_SCAN_INTRA_ALGORITHM",
                                               [COLL_ALLREDUCE] = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"};

static struct {
    MPI_T_cvar_handle handle;
    int value[ALGORITHMS]; /* the value of the variable for each algorithm */
} variables[COLLECTIVES];

/* What MPICH does if an algorithm does not apply to a call. It then takes another one, and perhaps reports that first. */
static const char fallback_name[] = "MPIR_CVAR_COLLECTIVE_FALLBACK";
static struct {
    MPI_T_cvar_handle handle;
    int silent, print; /* values of the variable; silent is NO_VALUE if there is no such variable */
} fallback = {.silent = NO_VALUE};

/*
 * Finds the value of a name. The description has "NAME - text" for each value, from 0 on, one after the other, perhaps
 * without a blank before NAME. Returns NO_VALUE if the name is not there.
 */
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

/* The MPI library's name of the algorithm of an engine native:NAME. */
static const char *name_of(const struct engine *e, char name[NAME])
{
    strncpy(name, strchr(e->name, ':') + 1, NAME - 1);
    name[NAME - 1] = 0;
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

/* Gets a handle of the variable, and the description of its values. Returns false if there is no such variable. */
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

static char described[DESCRIPTION]; /* what open_variable() has found last */

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

/*
 * If an algorithm does not apply to a call, MPICH 3 gives wrong results or ends the program. Releases that have functions of
 * MPI 4 take another algorithm.
 */
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
 * Asks for MPI_THREAD_MULTIPLE, as a tool may read variables in a thread of its own: MPICH stops locking them after a lower
 * level, even while another thread holds a lock. Open MPI has nothing for us there; its MPI_T_init_thread() takes 0.2 s, and
 * a lower level would become the level of MPI.
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

/* The switch that algorithm_end() has to take back: the collective, and the value of `fallback' before. */
static struct {
    bool on;
    enum collective collective;
    int fallback;
} switched;

/*
 * These calls do not fail: find_algorithms() has read the variable, and Pleach keeps the tool interface open. The variable
 * was `auto' then. If it is not any more, the program has set it since.
 */
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
