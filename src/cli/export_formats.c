/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The formats of tuning files.
 *
 * MPICH 4.0 and later reads a tree of conditions in JSON (its src/mpi/coll/src/csel.c). In an object, the first condition
 * that holds counts. The library ends the program if no algorithm stands behind this condition. So the file is a copy of the
 * tree that the library itself contains, with objects added. If several nodes have several ranks each, the library also
 * calls itself: for the ranks of each node, and for the first ranks of the nodes. Pleach times the whole call, so a rule for
 * nodes of equal size is written for the calls among first ranks. The library cannot tell a program's calls on one node from
 * inner calls among the ranks of a node, so a rule that holds on one node covers both. Release 5.0 tells no inner call from
 * a program's: there, a rule for one rank on each node covers both, too, and no rule is written for the calls among first
 * ranks.
 *
 * Open MPI reads rules by the numbers of ranks and bytes. Up to release 5, the file has rows of numbers: the least size for
 * which the row holds, the algorithm, the fan-out and the size of a segment. A row holds for sizes below the least size of
 * the next row. Algorithm 0 is the default.
 */
#include "export.h"

#include "cli.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << COLL_##c)

/*
 * MPICH reads a file as a text that ends with a 0. The file has no 0, but the memory behind it, to the end of its last page,
 * is 0. So the file must not fill its last page.
 */
enum { PAGE = 4096 };

/* ---- MPICH ------------------------------------------------------------------------------------------------------------ */

/*
 * Releases from 4.1 on have algorithms with parameters. Where a variable names such an algorithm, the parameters come from
 * other variables. In a file they have no defaults, so the file has the defaults of these variables.
 */
#define TREE_COSTS                                                                                                          \
    "\"topo_overhead=200\":{},\"topo_diff_groups=2800\":{},\"topo_diff_switches=1900\":{},\"topo_same_switches=1600\":{}"

static const struct own_algorithm mpich_own[] = {
    {COLL_BCAST, "binomial", 0, 0, NULL},
    {COLL_BCAST, "smp", NEEDS_PARENT, 0, NULL},
    {COLL_BCAST, "scatter_recursive_doubling_allgather", 0, 0, NULL},
    {COLL_BCAST, "scatter_ring_allgather", 0, 0, NULL},
    {COLL_BCAST, "tree", 0, 0, "\"tree_type=kary\":{},\"k=2\":{},\"is_non_blocking=1\":{}," TREE_COSTS},
    {COLL_BCAST, "pipelined_tree", 0, 0,
     "\"tree_type=kary\":{},\"k=2\":{},\"is_non_blocking=1\":{},\"chunk_size=8192\":{},\"recv_pre_posted=0\":{}"},
    {COLL_REDUCE, "binomial", 0, 0, NULL},
    {COLL_REDUCE, "smp", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, NULL},
    {COLL_REDUCE, "reduce_scatter_gather", NEEDS_BUILT_IN | NEEDS_ELEMENTS, 0, NULL},
    {COLL_SCAN, "smp", NEEDS_CONSECUTIVE, 0, NULL},
    {COLL_SCAN, "recursive_doubling", 0, 0, NULL},
    {COLL_ALLREDUCE, "smp", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, NULL},
    {COLL_ALLREDUCE, "recursive_doubling", 0, 0, NULL},
    {COLL_ALLREDUCE, "recursive_multiplying", NEEDS_COMMUTATIVE, 0, "\"k=2\":{}"},
    {COLL_ALLREDUCE, "reduce_scatter_allgather", NEEDS_BUILT_IN | NEEDS_ELEMENTS, 0, NULL},
    {COLL_ALLREDUCE, "ring", NEEDS_COMMUTATIVE, 0, NULL},
    {COLL_ALLREDUCE, "tree", NEEDS_COMMUTATIVE, 0,
     "\"tree_type=knomial_1\":{},\"k=2\":{},\"chunk_size=0\":{},\"buffer_per_child=0\":{}," TREE_COSTS},
    {0},
};

/* The conditions under which a need is not met. They stand before `met`, as the first condition that holds counts. */
static const struct guard {
    unsigned need;
    const char *unmet[3], *met;
} guards[] = {
    {NEEDS_PARENT, {"comm_hierarchy=flat", "comm_hierarchy=node", "comm_hierarchy=node_roots"}, "comm_hierarchy=any"},
    {NEEDS_CONSECUTIVE, {"is_node_consecutive=no"}, "is_node_consecutive=yes"},
    {NEEDS_COMMUTATIVE, {"is_commutative=no"}, "is_commutative=yes"},
    {NEEDS_BUILT_IN, {"is_op_built_in=no"}, "is_op_built_in=yes"},
    {NEEDS_ELEMENTS, {"count<pow2"}, "count=any"},
};

enum { GUARDS = sizeof guards / sizeof guards[0] };

/* Writes the name that the library's function and its JSON share, such as "MPIR_Bcast_intra_binomial". */
static void put_function(FILE *f, const struct own_algorithm *own)
{
    fprintf(f, "MPIR_%s_intra_%s", collective_traits[own->collective].function + strlen("MPI_"), own->name);
}

static void put_mpich(FILE *f, const struct own_algorithm *own, const char *standard)
{
    int open = 1;
    for (const struct guard *g = guards; g < guards + GUARDS; g++)
        if (own->needs & g->need) {
            fputc('{', f);
            for (int i = 0; i < 3 && g->unmet[i]; i++)
                fprintf(f, "\"%s\":%s,", g->unmet[i], standard);
            fprintf(f, "\"%s\":", g->met);
            open++;
        }
    fputs("{\"algorithm=", f);
    put_function(f, own);
    fprintf(f, "\":{%s}", own->parameters ? own->parameters : "");
    while (open--)
        fputc('}', f);
}

static void join_mpich(FILE *f, enum dimension d, const struct portion *part, int count, const char *standard)
{
    static const struct {
        const char *up_to, *last;
    } words[] = {[BY_RANKS] = {"comm_size<=", "comm_size=any"},
                 [BY_NODE_RANKS] = {"comm_avg_ppn<=", "comm_size=any"},
                 [BY_BYTES] = {"avg_msg_size<=", "avg_msg_size=any"},
                 [BY_OP] = {NULL, "is_op_built_in=no"}};
    fputc('{', f);
    for (int i = 0; i < count; i++) {
        const char *text = part[i].text ? part[i].text : standard;
        if (i == count - 1)
            fprintf(f, "\"%s\":%s}", words[d].last, text);
        else if (d == BY_OP)
            fprintf(f, "\"is_op_built_in=yes\":%s,", text);
        else
            fprintf(f, "\"%s%" PRId64 "\":%s,", words[d].up_to, part[i].most, text);
    }
}

static const struct format mpich = {
    .own = mpich_own,
    .seen = 1u << BY_RANKS | 1u << BY_NODE_RANKS | 1u << BY_BYTES | 1u << BY_OP,
    .ops = BIT(REDUCE) | BIT(ALLREDUCE),
    .sizes = BIT(BCAST) | BIT(REDUCE) | BIT(ALLREDUCE),
    .guards = NEEDS_PARENT | NEEDS_CONSECUTIVE | NEEDS_COMMUTATIVE | NEEDS_BUILT_IN | NEEDS_ELEMENTS,
    .largest = INT32_MAX,
    .leaf = put_mpich,
    .join = join_mpich,
};

/*
 * Finds the library's tree: a text that begins with an object of collectives, and names algorithms MPIR_Bcast_intra_... The
 * library also has trees with other algorithms. NULL: none.
 */
static const char *tree_in(const char *library, size_t size)
{
    static const char begin[] = "{\"collective=", level[] = "\"algorithm=MPIR_Bcast_intra_";
    const char *end = library + size, *tree = library, *last;
    while ((tree = memmem(tree, (size_t)(end - tree), begin, sizeof begin - 1))) {
        last = memchr(tree, 0, (size_t)(end - tree));
        if (last && strstr(tree, level))
            return tree;
        tree++;
    }
    return NULL;
}

/*
 * Does the library tell its inner calls among the first ranks of nodes from calls of a program? A release that also reads
 * comm_avg_ppn< takes comm_hierarchy=node_roots for true in every call on one node, or with one rank on each node.
 */
static bool tells_inner_calls(const char *library, size_t size)
{
    static const char ranks[] = "comm_avg_ppn<", inner[] = "comm_hierarchy=node_roots";
    return !memmem(library, size, ranks, sizeof ranks) || !memmem(library, size, inner, sizeof inner);
}

/* The algorithms whose names are not in the library; bit i: row i of mpich_own. */
static uint64_t lacking(const char *library, size_t size)
{
    uint64_t lacks = 0;
    for (const struct own_algorithm *own = mpich_own; own->name; own++) {
        struct text t;
        put_function(text_begin(&t), own);
        char *name = text_end(&t);
        if (!memmem(library, size, name, strlen(name) + 1))
            lacks |= UINT64_C(1) << (own - mpich_own);
        free(name);
    }
    return lacks;
}

/* The length of the JSON object that begins here. Its strings have no braces. */
static size_t object_length(const char *object)
{
    int depth = 0;
    const char *end = object;
    do
        depth += (*end == '{') - (*end == '}');
    while (*end++ && depth > 0);
    return (size_t)(end - object);
}

/* Finds the object in the tree for calls of a collective on intracommunicators. NULL: none. */
static const char *find_collective(const char *tree, enum collective c)
{
    static const char intra[] = "{\"comm_type=intra\":";
    char key[40];
    snprintf(key, sizeof key, "\"collective=%s\":", collective_name(c));
    const char *at = strstr(tree, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return strncmp(at, intra, sizeof intra - 1) == 0 ? at + sizeof intra - 1 : at;
}

/*
 * Copies the default, to stand inside conditions on sizes. There, the library reads "comm_size<8" as if it were
 * "comm_size<=8", so the copy has "comm_size<=7".
 */
static char *copy_default(const char *object, size_t length)
{
    static const char below[] = "\"comm_size<";
    const size_t skip = sizeof below - 1;
    char *text = strndup(object, length), *rest = text;
    struct text t;
    FILE *f = text_begin(&t);
    for (char *at; rest && (at = strstr(rest, below));) {
        fwrite(rest, 1, (size_t)(at - rest) + skip, f);
        rest = at + skip;
        if (isdigit((unsigned char)*rest))
            fprintf(f, "=%ld", strtol(rest, &rest, 10) - 1);
    }
    fputs(rest ? rest : "", f);
    free(text);
    return text_end(&t);
}

/* Finds the calls of a collective in the tree. Returns their default, which the caller frees, or NULL. */
static char *default_in(const char *tree, enum collective c)
{
    const char *at = find_collective(tree, c);
    return at ? copy_default(at, object_length(at)) : NULL;
}

/*
 * Puts the texts for a collective into the tree. Returns the new tree and frees the old one; if both texts are NULL, returns
 * `tree`. `inner`: the library can tell inner calls among the first ranks of nodes from others.
 */
static char *put_in(char *tree, enum collective c, const char *for_all, const char *for_nodes, bool inner)
{
    char *standard = for_all || for_nodes ? default_in(tree, c) : NULL;
    struct text t;
    if (!standard)
        return tree;
    const char *at = find_collective(tree, c);
    FILE *f = text_begin(&t);
    fwrite(tree, 1, (size_t)(at - tree), f);
    if (inner)
        fprintf(f, "{\"comm_hierarchy=node_roots\":%s,\"comm_hierarchy=node\":%s,\"comm_hierarchy=any\":",
                for_nodes ? for_nodes : standard, for_all ? for_all : standard);
    fputs(for_all ? for_all : standard, f);
    fputs(inner ? "}" : "", f);
    fputs(at + object_length(at), f);
    free(standard);
    free(tree);
    return text_end(&t);
}

/* Sets text[c] to the rules' text for each collective; NULL: its calls keep the default. The caller frees the texts. */
static void texts_of(struct exported *x, const char *tree, char *text[COLLECTIVES])
{
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        char *standard = default_in(tree, c);
        text[c] = standard ? exported_text(x, c, standard) : NULL;
        free(standard);
    }
}

static char *mpich_file(const struct rules *rules, const void *library, size_t size, enum outcome *outcome)
{
    const char *found = tree_in(library, size);
    struct exported all, nodes;
    struct text t;
    char *for_all[COLLECTIVES], *for_nodes[COLLECTIVES] = {NULL};
    if (!found)
        return NULL;
    const bool inner = tells_inner_calls(library, size);
    exported_begin(&all, &mpich, lacking(library, size), rules);
    exported_for_nodes(&nodes, &all);
    if (inner)
        texts_of(&nodes, found, for_nodes);
    exported_join(&all, &nodes);
    texts_of(&all, found, for_all);
    fputs(found, text_begin(&t));
    char *tree = text_end(&t);
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        tree = put_in(tree, c, for_all[c], for_nodes[c], inner);
        free(for_all[c]);
        free(for_nodes[c]);
    }
    for (int i = 0; i < rules->count; i++)
        outcome[i] = all.rule[i].outcome;
    exported_end(&all);
    exported_end(&nodes);
    fprintf(text_begin(&t), "%s\n%s", tree, (strlen(tree) + 1) % PAGE ? "" : "\n");
    free(tree);
    return text_end(&t);
}

/* ---- Open MPI --------------------------------------------------------------------------------------------------------- */

/* The algorithms after which engines native:NAME are named. */
static const struct own_algorithm openmpi_own[] = {
    {COLL_BCAST, "binomial", 0, 6, NULL},
    {COLL_REDUCE, "binomial", NEEDS_COMMUTATIVE, 5, NULL},
    {COLL_SCAN, "recursive_doubling", 0, 2, NULL},
    {COLL_ALLREDUCE, "recursive_doubling", 0, 3, NULL},
    {0},
};

static const int openmpi_number[COLLECTIVES] = {
    [COLL_BCAST] = 7, [COLL_REDUCE] = 11, [COLL_SCAN] = 14, [COLL_EXSCAN] = 8, [COLL_ALLREDUCE] = 2};

static void put_row(FILE *f, const struct own_algorithm *own, const char *standard)
{
    (void)standard;
    fprintf(f, "%d 0 0\n", own->number);
}

static void join_rows(FILE *f, enum dimension d, const struct portion *part, int count, const char *standard)
{
    (void)standard;
    fprintf(f, "%d # %s\n", count, d == BY_RANKS ? "numbers of ranks" : "sizes");
    for (int i = 0; i < count; i++)
        fprintf(f, "%" PRId64 " %s", part[i].least,
                part[i].text    ? part[i].text
                : d == BY_RANKS ? "1\n0 0 0 0\n"
                                : "0 0 0\n");
}

static void put_alg(FILE *f, const struct own_algorithm *own, const char *standard)
{
    (void)standard;
    fprintf(f, "\"alg\": \"%s\"", own->name);
}

static void join_alg(FILE *f, enum dimension d, const struct portion *part, int count, const char *standard)
{
    const char *key = d == BY_RANKS ? "comm_size" : "msg_size", *between = "";
    (void)standard;
    for (int i = 0; i < count; i++)
        if (part[i].text) {
            fprintf(f, "%s{\"%s_min\": %" PRId64 ", ", between, key, part[i].least);
            if (part[i].most < INT64_MAX)
                fprintf(f, "\"%s_max\": %" PRId64 ", ", key, part[i].most);
            fprintf(f, d == BY_RANKS ? "\"rules\": [\n            %s]}" : "%s}", part[i].text);
            between = d == BY_RANKS ? ",\n        " : ",\n            ";
        }
}

#define OPEN_MPI                                                                                                            \
    .own = openmpi_own, .seen = 1u << BY_RANKS | 1u << BY_BYTES, .sizes = BIT(BCAST) | BIT(REDUCE) | BIT(ALLREDUCE),        \
    .full = true, .largest = INT64_MAX

static const struct format openmpi = {OPEN_MPI, .leaf = put_row, .join = join_rows};
static const struct format openmpi_6 = {OPEN_MPI, .leaf = put_alg, .join = join_alg};

static char *openmpi_file(const struct format *format, const struct rules *rules, enum outcome *outcome)
{
    const bool rows = format == &openmpi;
    struct exported x;
    struct text body, whole;
    int count = 0;
    exported_begin(&x, format, 0, rules);
    FILE *f = text_begin(&body);
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        char *text = exported_text(&x, c, NULL);
        if (text && rows)
            fprintf(f, "%d # %s\n%s", openmpi_number[c], collective_name(c), text);
        else if (text)
            fprintf(f, "%s    \"%s\": [\n        %s]", count ? ",\n" : "", collective_name(c), text);
        count += text != NULL;
        free(text);
    }
    char *text = text_end(&body);
    f = text_begin(&whole);
    if (rows)
        fprintf(f, "%d # collectives\n%s", count, text);
    else
        fprintf(f, "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {\n%s}}\n", text);
    free(text);
    for (int i = 0; i < x.count; i++)
        outcome[i] = x.rule[i].outcome;
    exported_end(&x);
    return text_end(&whole);
}

char *export_file(enum target target, const struct rules *rules, const void *library, size_t size, enum outcome *outcome)
{
    if (target == TARGET_MPICH)
        return mpich_file(rules, library, size, outcome);
    return openmpi_file(target == TARGET_OPEN_MPI ? &openmpi : &openmpi_6, rules, outcome);
}
