/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the MPI library; see pmpi.h. */
#include "pmpi.h"

#include "caller.h"
#include "hot.h"
#include "served.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct pmpi pmpi;
static void *handle;                   /* for dlsym(): MPI was found with this handle */
static bool reduce_in_place_crashes;   /* see pmpi_reduce_crashes() */
static char version[ABI_VERSION_TEXT]; /* of the MPI library; set by pmpi_fits() */
#ifdef ABI_OBJECTS
struct abi_objects abi_objects;
#endif

#define NAMES(name, fortran, collective, ...) [collective] = {"PMPI_" #name, "PMPI_" #name "_c"},
static const char *const native_names[COLLECTIVES][2] = {SERVED(NAMES)};

/*
 * Returns a handle with which dlsym() searches the objects behind us or, if they have no MPI, the MPI library that the
 * caller's object uses, or else that of a plugin.
 */
static void *where(void *caller)
{
    if (dlsym(RTLD_NEXT, "PMPI_Bcast"))
        return RTLD_NEXT;
    /*
     * We never close MPI's handle, so MPI stays loaded as long as we have pointers to its functions. A plugin that brought
     * MPI need not stay.
     */
    void *object = caller_object(caller), *bcast = object ? dlsym(object, "PMPI_Bcast") : NULL;
    void *library = bcast ? caller_object(bcast) : NULL;
    if (object)
        dlclose(object);
    return library ? library : caller_library();
}

const char *pmpi_name(enum collective collective, bool large)
{
    return native_names[collective][large];
}

bool pmpi_find(void *caller)
{
    bool complete = true;
    handle = where(caller);
    if (!handle)
        return false;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int large = 0; large < 2; large++)
            pmpi.native[c][large] = dlsym(handle, native_names[c][large]);
#define FIND(name) pmpi.name = (__typeof__(pmpi.name))dlsym(handle, "PMPI_" #name);
#define CHECK(name) complete = complete && pmpi.name;
    PMPI_REQUIRED(FIND)
    PMPI_OPTIONAL(FIND)
    PMPI_REQUIRED(CHECK)
#undef FIND
#undef CHECK
#define FIND(name) pmpi.wire.name = (__typeof__(pmpi.wire.name))dlsym(handle, "PMPI_" #name);
#define CHECK(name) complete = complete && pmpi.wire.name;
    WIRE(FIND)
    WIRE(CHECK)
#undef FIND
#undef CHECK
    return complete;
}

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
    if (now == MPI_ERRORS_RETURN) /* else another thread has set a handler meanwhile */
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

/*
 * The binary interface of each MPI library, by the library's name. is_standard() recognizes the standard ABI of MPI 5
 * without a name.
 */
static const struct interface {
    const char *name;                   /* the MPI library's name in its version text; the first name found there counts */
    const char *library;                /* our library for it, or NULL */
} interfaces[] = {{"MPIwrapper", NULL}, /* has handles of its own, and adds the text of the library that it wraps */
                  {"MPICH", "libpleach.so"},
                  {"MVAPICH", "libpleach.so"},
                  {"Intel(R) MPI", "libpleach.so"},
                  {"Open MPI", "libpleach-ompi.so"}};

/* A search for a name that is missing takes memory of the heap, so only MPI 5 is searched for its function. */
static bool is_standard(void)
{
    typedef int version_of(int *, int *);
    int major = -1, minor = -1;
    version_of *mpi = (version_of *)dlsym(handle, "PMPI_Get_version"), *abi = NULL;
    if (mpi && mpi(&major, &minor) == 0 && major >= 5)
        abi = (version_of *)dlsym(handle, "PMPI_Abi_get_version");
    return abi && abi(&major, &minor) == 0 && major >= 1;
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
    return found ? found : dlsym(handle, name);
}

/* Finds the MPI library's objects whose addresses are the constants of MPI, such as MPI_COMM_WORLD. */
static bool objects_found(void)
{
    bool complete = true;
#ifdef ABI_OBJECTS
#define FIND(object)                                                                                                        \
    abi_objects.object = pmpi_symbol(#object);                                                                              \
    complete = complete && abi_objects.object;
    ABI_OBJECTS(FIND)
#undef FIND
#endif
    return complete;
}

/*
 * Returns the text behind the first ':' of a line, without blanks around it. Sets *length to the number of its characters.
 */
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

bool pmpi_fits(const char **library)
{
    int length = 0;
    pmpi.Get_library_version(version, &length);
    *library = is_standard() ? "libpleach-abi.so" : NULL;
    size_t i = 0, known = sizeof interfaces / sizeof interfaces[0];
    while (i < known && !strstr(version, interfaces[i].name))
        i++;
    if (!*library && i < known)
        *library = interfaces[i].library;
    bool fits = *library && strcmp(*library, ABI_LIBRARY) == 0 && objects_found();
    pmpi.natives = strstr(version, "Open MPI") ? NATIVES_OPEN_MPI : NATIVES_MPICH;
    reduce_in_place_crashes = fits && crashes();
    return fits;
}

void pmpi_words(char *words, size_t size)
{
    pmpi_in_words(version, words, size);
}
