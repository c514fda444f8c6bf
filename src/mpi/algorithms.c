/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI library's algorithms; see algorithms.h. */
#include "algorithms.h"

#include "hot.h"
#include "large_stack.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 64, DESCRIPTION = 4096, NO_VALUE = -1 };
enum { AUTO = 0 }; /* the value of a variable for which the library chooses */

/* What libraries call their variables. A collective without a name has one algorithm. */
static const struct family {
    const char *name[COLLECTIVES], *automatic; /* automatic: the word for AUTO */
    bool carried;
} families[] = {
    {{[COLL_BCAST] = "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
      [COLL_REDUCE] = "MPIR_CVAR_REDUCE_INTRA_ALGORITHM",
      [COLL_SCAN] = "MPIR_CVAR_SCAN_INTRA_ALGORITHM",
      [COLL_ALLREDUCE] = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"},
     "auto",
     false},
    {{[COLL_BCAST] = "coll_tuned_bcast_algorithm",
      [COLL_REDUCE] = "coll_tuned_reduce_algorithm",
      [COLL_SCAN] = "coll_tuned_scan_algorithm",
      [COLL_EXSCAN] = "coll_tuned_exscan_algorithm",
      [COLL_ALLREDUCE] = "coll_tuned_allreduce_algorithm"},
     "ignore",
     true},
};
static const struct family *family; /* this library's, if it has algorithms */

struct variable {
    MPI_T_cvar_handle handle;
    MPI_T_enum words; /* of its values; NULL: `described' has them */
};

static struct {
    struct variable variable;
    int value[ALGORITHMS]; /* the value of the variable for each algorithm */
} variables[COLLECTIVES];

static struct algorithms found; /* of variables[] */

/*
 * MPICH's parameters: an algorithm, or the library's choice among them, while a second variable of the collective has a
 * value of ours. MPICH reads these variables in each call.
 */
static const struct variant {
    enum algorithm algorithm, of; /* of: ALGORITHM_NONE for the library's choice */
    const char *name;             /* in the place of ALGORITHM_SUFFIX */
    int standard, value;
} variants[] = {
    {ALGORITHM_tree_k4, ALGORITHM_tree, "TREE_KVAL", 2, 4},
    {ALGORITHM_recursive_multiplying_k4, ALGORITHM_recursive_multiplying, "RECURSIVE_MULTIPLYING_KVAL", 2, 4},
    {ALGORITHM_recexch_k4, ALGORITHM_recexch, "RECEXCH_KVAL", 2, 4},
    {ALGORITHM_composition_alpha, ALGORITHM_NONE, "COMPOSITION", 0, 1},
    {ALGORITHM_composition_beta, ALGORITHM_NONE, "COMPOSITION", 0, 2},
    {ALGORITHM_composition_gamma, ALGORITHM_NONE, "COMPOSITION", 0, 3},
};
#define ALGORITHM_SUFFIX "INTRA_ALGORITHM"
enum { VARIANTS = sizeof variants / sizeof *variants };
static MPI_T_cvar_handle parameter[COLLECTIVES][VARIANTS];

/* What MPICH does if an algorithm does not apply to a call. It then takes another one, and perhaps reports that first. */
static const char fallback_name[] = "MPIR_CVAR_COLLECTIVE_FALLBACK";
static struct {
    MPI_T_cvar_handle handle;
    int silent, print; /* values of the variable; silent is NO_VALUE if there is no such variable */
} fallback = {.silent = NO_VALUE};

/* Open MPI heeds its variables if this one is true, and then a file that names algorithms even more. */
static const char obeys_name[] = "coll_tuned_use_dynamic_rules", file_name[] = "coll_tuned_dynamic_rules_filename";
static struct {
    MPI_T_cvar_handle handle;
    bool always; /* the user has set it */
} obeys;

static char described[DESCRIPTION]; /* what open_variable() has found last */

/* ---- Variables and their values -------------------------------------------------------------------------------------- */

/* Is this the name that text begins with? A '-' in one of them may be a '_' in the other. */
static bool begins(const char *text, const char *name, size_t length)
{
    size_t i = 0;
    while (i < length && (text[i] == '_' ? '-' : text[i]) == (name[i] == '_' ? '-' : name[i]))
        i++;
    return i == length;
}

/*
 * Finds the value of a name in `described', which has "NAME - text" for each value, from 0 on, one after the other, perhaps
 * without a blank before NAME. Returns NO_VALUE if the name is not there.
 */
static int described_value(const char *name)
{
    const size_t length = strlen(name);
    int value = 0;
    for (const char *dash = strstr(described, " - "); dash; dash = strstr(dash + 3, " - "), value++) {
        const char *end = dash;
        while (end > described && end[-1] == ' ')
            end--;
        const char *begin = end - length;
        if ((size_t)(end - described) >= length && begins(begin, name, length) && (begin == described || begin[-1] != '_'))
            return value;
    }
    return NO_VALUE;
}

static int value_of(const struct variable *v, const char *name)
{
    char word[NAME];
    int count = 0, length = NAME, value;
    if (!v->words)
        return described_value(name);
    if (pmpi.T_enum_get_info(v->words, &count, word, &length) != MPI_SUCCESS)
        return NO_VALUE;
    for (int i = 0; i < count; i++) {
        length = NAME;
        if (pmpi.T_enum_get_item(v->words, i, &value, word, &length) == MPI_SUCCESS && strlen(word) == strlen(name) &&
            begins(word, name, strlen(name)))
            return value;
    }
    return NO_VALUE;
}

/* Returns the number of the variable's values, which is that of bytes of a text; 0: there is no such variable. */
static int open_variable(const char *name, struct variable *v)
{
    char same[NAME];
    int index, length = NAME, space = DESCRIPTION, verbosity, binding, scope, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    v->words = NULL;
    if (pmpi.T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        pmpi.T_cvar_get_info(index, same, &length, &verbosity, &type, &v->words, described, &space, &binding, &scope) !=
            MPI_SUCCESS ||
        pmpi.T_cvar_handle_alloc(index, NULL, &v->handle, &count) != MPI_SUCCESS)
        return 0;
    return count;
}

static bool is_automatic(enum collective c)
{
    int now = NO_VALUE;
    return pmpi.T_cvar_read(variables[c].variable.handle, &now) == MPI_SUCCESS && now == AUTO;
}

/* NULL: the algorithm has no parameter of ours. */
static const struct variant *variant_of(enum algorithm a)
{
    const struct variant *p = variants;
    while (p < variants + VARIANTS && p->algorithm != a)
        p++;
    return p < variants + VARIANTS ? p : NULL;
}

static bool is_standard(enum collective c, const struct variant *p)
{
    int now = NO_VALUE;
    return pmpi.T_cvar_read(parameter[c][p - variants], &now) == MPI_SUCCESS && now == p->standard;
}

/* ---- What the library has -------------------------------------------------------------------------------------------- */

static uint32_t find_in(const char *name, enum collective c)
{
    struct variable *v = &variables[c].variable;
    uint32_t all = 0;
    if (open_variable(name, v) != 1 || value_of(v, family->automatic) != AUTO || !is_automatic(c))
        return 0;
    for (int i = 0; engines[i]; i++) {
        const enum algorithm a = engines[i]->algorithm;
        if (!a || !engines[i]->serves[c].text.rounds)
            continue;
        const int value = variables[c].value[a] = value_of(v, strchr(engines[i]->name, ':') + 1);
        all |= (uint32_t)(value != NO_VALUE) << a;
    }
    return all;
}

/* Is it one of the values that `described' lists, or does that list none? */
static bool lists(int value)
{
    char text[16];
    snprintf(text, sizeof text, " %d ", value);
    return !strstr(described, " 0 ") || strstr(described, text);
}

/* Adds those of the algorithms that find_in() has found, and of the library's choice. */
static uint32_t with_variants(const char *of, enum collective c, uint32_t all)
{
    for (int i = 0; engines[i]; i++) {
        const enum algorithm a = engines[i]->algorithm;
        const struct variant *p = variant_of(a);
        struct variable v;
        char name[NAME];
        if (!p || !engines[i]->serves[c].text.rounds || (p->of && !(all >> p->of & 1)))
            continue;
        snprintf(name, sizeof name, "%.*s%s", (int)(strlen(of) - strlen(ALGORITHM_SUFFIX)), of, p->name);
        if (open_variable(name, &v) != 1 || !lists(p->value))
            continue;
        parameter[c][p - variants] = v.handle;
        variables[c].value[a] = variables[c].value[p->of];
        all |= (uint32_t)is_standard(c, p) << a;
    }
    return all;
}

/* MPI_T may read and write one byte or four. */
static bool write_flag(MPI_T_cvar_handle handle, bool flag)
{
    const int value = flag;
    return pmpi.T_cvar_write(handle, &value) == MPI_SUCCESS;
}

/* Has the user named a file of algorithms, or may have? */
static bool names_file(void)
{
    struct variable v;
    const int room = open_variable(file_name, &v);
    described[0] = 0;
    return room > DESCRIPTION || (room && pmpi.T_cvar_read(v.handle, described) != MPI_SUCCESS) || described[0];
}

/*
 * If an algorithm does not apply to a call, MPICH 3 gives wrong results or ends the program. Releases that have functions of
 * MPI 4 take another algorithm. Open MPI before releases 4.1.7 and 5.0.6 obeys its variables only if the environment says
 * so.
 */
static bool can_switch(void)
{
    struct variable v;
    int now = 0;
    if (!family->carried)
        return pmpi.Bcast_c;
    if (!pmpi.Comm_dup_with_info || names_file() || open_variable(obeys_name, &v) != 1 ||
        pmpi.T_cvar_read(v.handle, &now) != MPI_SUCCESS)
        return false;
    obeys.handle = v.handle;
    obeys.always = now;
    return obeys.always || (write_flag(v.handle, true) && write_flag(v.handle, false));
}

static void find_fallback(void)
{
    struct variable v;
    if (open_variable(fallback_name, &v) != 1)
        return;
    fallback.handle = v.handle;
    fallback.silent = value_of(&v, "silent");
    fallback.print = value_of(&v, "print");
}

bool algorithms_slow(void)
{
    return pmpi.natives == NATIVES_OPEN_MPI;
}

/*
 * Asks for MPI_THREAD_MULTIPLE, as a tool may read variables in a thread of its own: MPICH stops locking them after a lower
 * level, even while another thread holds a lock. In Open MPI, the level would become that of MPI, which so stays as it is.
 */
static bool begin_asking(void)
{
    int level = MPI_THREAD_MULTIPLE;
    if (!pmpi.T_init_thread || !pmpi.T_cvar_get_index || !pmpi.T_cvar_get_info || !pmpi.T_cvar_handle_alloc ||
        !pmpi.T_cvar_read || !pmpi.T_cvar_write || !pmpi.T_enum_get_info || !pmpi.T_enum_get_item)
        return false;
    if (pmpi.natives == NATIVES_OPEN_MPI)
        pmpi.Query_thread(&level);
    return pmpi.T_init_thread(level, &level) == MPI_SUCCESS;
}

static void find(void *unused)
{
    (void)unused;
    if (!begin_asking())
        return;
    for (size_t i = 0; i < sizeof families / sizeof *families && !algorithms_any(&found); i++) {
        family = &families[i];
        const bool can = can_switch();
        found.carried = family->carried;
        for (int c = 0; c < COLLECTIVES && can; c++)
            found.of[c] = family->name[c] ? find_in(family->name[c], (enum collective)c) : 0;
        for (int c = 0; c < COLLECTIVES && !family->carried; c++)
            found.of[c] = found.of[c] ? with_variants(family->name[c], (enum collective)c, found.of[c]) : 0;
    }
    find_fallback();
}

struct algorithms algorithms_find(void)
{
    static bool asked;
    if (!asked)
        large_stack_call(find, NULL);
    asked = true;
    return found;
}

/* ---- Carriers -------------------------------------------------------------------------------------------------------- */

struct carrying {
    MPI_Comm like, *carrier;
    enum algorithm algorithm;
    int error;
};

/* Where the program has set a variable since, its choice holds. */
static void make_carrier(void *argument)
{
    struct carrying *k = argument;
    const int automatic = AUTO;
    MPI_Info info;
    bool set[COLLECTIVES] = {false};
    k->error = pmpi.Info_create(&info);
    if (k->error != MPI_SUCCESS)
        return;
    k->error = pmpi.Info_set(info, "ompi_comm_coll_preference", "tuned");
    for (enum collective c = 0; c < COLLECTIVES; c++)
        if (algorithms_have(&found, c, k->algorithm) && is_automatic(c))
            set[c] = pmpi.T_cvar_write(variables[c].variable.handle, &variables[c].value[k->algorithm]) == MPI_SUCCESS;
    if (!obeys.always)
        write_flag(obeys.handle, true);
    if (k->error == MPI_SUCCESS)
        k->error = pmpi.Comm_dup_with_info(k->like, info, k->carrier);
    if (!obeys.always)
        write_flag(obeys.handle, false);
    for (enum collective c = 0; c < COLLECTIVES; c++)
        if (set[c])
            pmpi.T_cvar_write(variables[c].variable.handle, &automatic);
    pmpi.Info_free(&info);
}

int algorithm_carrier(MPI_Comm like, enum algorithm a, MPI_Comm *carrier)
{
    struct carrying k = {.like = like, .carrier = carrier, .algorithm = a};
    large_stack_call(make_carrier, &k);
    return k.error;
}

/* ---- Single calls ---------------------------------------------------------------------------------------------------- */

/* The switch that algorithm_end() has to take back: the collective, and the value of `fallback' before. */
static struct {
    bool on;
    enum collective collective;
    const struct variant *variant; /* or NULL */
    int fallback;
} switched;

/*
 * These calls do not fail: find_algorithms() has read the variable, and Pleach keeps the tool interface open. The variable
 * was `auto' then. If it is not any more, the program has set it since.
 */
void algorithm_begin(enum collective c, enum algorithm a, bool named)
{
    const struct variant *p = variant_of(a);
    if (family->carried || !is_automatic(c) || (p && !is_standard(c, p)))
        return;
    switched.on = true;
    switched.collective = c;
    switched.variant = p;
    pmpi.T_cvar_write(variables[c].variable.handle, &variables[c].value[a]);
    if (p)
        pmpi.T_cvar_write(parameter[c][p - variants], &p->value);
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
    pmpi.T_cvar_write(variables[switched.collective].variable.handle, &automatic);
    if (switched.variant)
        pmpi.T_cvar_write(parameter[switched.collective][switched.variant - variants], &switched.variant->standard);
    if (fallback.silent != NO_VALUE)
        pmpi.T_cvar_write(fallback.handle, &switched.fallback);
    switched.on = false;
}
