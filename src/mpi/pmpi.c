/* SPDX-License-Identifier: BSD-2-Clause */
/* See pmpi.h. */
#include "pmpi.h"

#include "hot.h"
#include "interface.h"
#include "served.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct pmpi pmpi;
_Atomic bool pmpi_may_end = true;

static void *(*lookup)(const char *);
static bool reduce_in_place_crashes;
static char version[INTERFACE_TEXT]; /* by pmpi_find() */
#ifdef ABI_OBJECTS
struct abi_objects abi_objects;
#endif

static const char *const native_names[COLLECTIVES][2] = {SERVED(NATIVE_NAMES)};

MPI_Errhandler pmpi_hush(MPI_Comm comm)
{
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(comm, &before);
    pmpi.Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return before;
}

void pmpi_unhush(MPI_Comm comm, MPI_Errhandler before)
{
    MPI_Errhandler now = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(comm, &now);
    if (now == MPI_ERRORS_RETURN) /* else another thread has set one */
        pmpi.Comm_set_errhandler(comm, before);
    pmpi.Errhandler_free(&now);
    pmpi.Errhandler_free(&before);
}

HOT bool pmpi_ending(void)
{
#ifdef ABI_MPICH
    return false;
#else
    int ended = 0;
    if (atomic_load_explicit(&pmpi_may_end, memory_order_relaxed))
        pmpi.Finalized(&ended);
    return ended;
#endif
}

HOT bool pmpi_reduce_crashes(const void *in, int rank, int root)
{
    return reduce_in_place_crashes && in == MPI_IN_PLACE && root != 0 && rank == root;
}

enum collective pmpi_reports_aliasing(enum collective collective, int64_t count)
{
    return collective == COLL_ALLREDUCE && count > 1 ? COLL_REDUCE : collective;
}

static bool crashes(void)
{
    int release[3] = {0};
    return sscanf(version, "MPICH Version: %d.%d.%d", &release[0], &release[1], &release[2]) >= 2 &&
           release[0] * 10000 + release[1] * 100 + release[2] < 40102;
}

void *pmpi_symbol(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found || lookup == pmpi_symbol ? found : lookup(name);
}

/* Constants such as MPI_COMM_WORLD. */
static bool objects_found(void)
{
    bool complete = true;
#ifdef ABI_OBJECTS
#define FIND(object) abi_objects.object = pmpi_symbol(#object);
#define CHECK(object) complete = complete && abi_objects.object;
    ABI_OBJECTS(FIND)
    ABI_OBJECTS_OPTIONAL(FIND)
    ABI_OBJECTS(CHECK)
#undef FIND
#undef CHECK
#endif
    return complete;
}

static const char *value_of(const char *line, int *length)
{
    const char *end = line + strcspn(line, "\n"), *value = memchr(line, ':', (size_t)(end - line));
    value = value ? value + 1 : end;
    while (value < end && isspace((unsigned char)*value))
        value++;
    while (end > value && isspace((unsigned char)end[-1]))
        end--;
    *length = (int)(end - value);
    return value;
}

void pmpi_in_words(const char *text, char *words, size_t size)
{
    int first = (int)strcspn(text, "\n,"), number, name, device = 0;
    const char *word = strstr(text, "Version"), *v = strstr(text, " v"), *value = value_of(text, &number),
               *kind = strstr(text, " Device");
    name = word ? (int)(word - text) : 0;
    if (kind)
        kind = value_of(kind, &device);
    if (name > 0 && name < first && number > 0)
        snprintf(words, size, "%.*s%.*s%s%.*s", name, text, number, value, device ? " " : "", device, device ? kind : "");
    else if (v && v - text < first && isdigit((unsigned char)v[2]))
        snprintf(words, size, "%.*s %.*s", (int)(v - text), text, first - (int)(v - text) - 2, v + 2);
    else
        snprintf(words, size, "%.*s", first, text);
}

bool pmpi_find(void *(*find)(const char *name))
{
    int length = 0;
    bool complete = true;
    lookup = find;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int large = 0; large < 2; large++)
            pmpi.native[c][large] = find(native_names[c][large]);
#define FIND(name) pmpi.name = (__typeof__(pmpi.name))find("PMPI_" #name);
#define CHECK(name) complete = complete && pmpi.name;
    PMPI_REQUIRED(FIND)
    PMPI_OPTIONAL(FIND)
    PMPI_REQUIRED(CHECK)
#undef FIND
#undef CHECK
#define FIND(name) pmpi.wire.name = (__typeof__(pmpi.wire.name))find("PMPI_" #name);
#define CHECK(name) complete = complete && pmpi.wire.name;
    WIRE(FIND)
    WIRE(CHECK)
#undef FIND
#undef CHECK
    if (!complete || !objects_found())
        return false;
    pmpi.Get_library_version(version, &length);
    pmpi.natives = strstr(version, "Open MPI") ? NATIVES_OPEN_MPI : NATIVES_MPICH;
    reduce_in_place_crashes = crashes();
    return true;
}

void pmpi_words(char *words, size_t size)
{
    pmpi_in_words(version, words, size);
}
