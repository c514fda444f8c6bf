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
#define EACH (~0U)
#define SIZED (BIT(BCAST) | BIT(REDUCE) | BIT(ALLREDUCE))

static const struct format mpich = {
    .divides = {EACH, EACH, SIZED, BIT(REDUCE) | BIT(ALLREDUCE)},
    .level = {{"{", "\"comm_size<=@1\":@2", "\"comm_size=any\":@2", ",", "}", NULL},
              {"{", "\"comm_avg_ppn<=@1\":@2", "\"comm_size=any\":@2", ",", "}", NULL},
              {"{", "\"avg_msg_size<=@1\":@2", "\"avg_msg_size=any\":@2", ",", "}", NULL},
              {"{", "\"is_op_built_in=yes\":@2", "\"is_op_built_in=no\":@2", ",", "}", NULL}},
    .largest = INT_MAX,
};

/*
 * Finds the library's tree: a text that begins with an object of collectives, and names algorithms MPIR_Bcast_intra_... The
 * library also has trees with other algorithms. NULL: none.
 */
static const char *tree_in(const char *library, size_t size)
{
    static const char begin[] = "{\"collective=";
    const char *end = library + size, *tree = library, *last;
    while ((tree = memmem(tree, (size_t)(end - tree), begin, sizeof begin - 1))) {
        last = memchr(tree, 0, (size_t)(end - tree));
        if (last && strstr(tree, "\"algorithm=MPIR_Bcast_intra_"))
            return tree;
        tree++;
    }
    return NULL;
}

/* Copies the tree. Inside conditions on sizes, the library reads "comm_size<8" as "comm_size<=8"; the copy has "<=7". */
static char *copy_tree(const char *tree)
{
    struct text t;
    FILE *f = text_begin(&t);
    for (const char *below = "\"comm_size<", *at; (at = strstr(tree, below));) {
        fwrite(tree, 1, (size_t)(at - tree), f);
        fputs(below, f);
        tree = at + strlen(below);
        if (isdigit((unsigned char)*tree))
            fprintf(f, "=%ld", strtol(tree, (char **)&tree, 10) - 1);
    }
    fputs(tree, f);
    return text_end(&t);
}

/* A copy of the tree's object for calls of a collective on intracommunicators, which begins at *at; NULL: none. */
static char *object_in(char *tree, enum collective c, char **at)
{
    static const char intra[] = "{\"comm_type=intra\":";
    char key[40];
    snprintf(key, sizeof key, "\"collective=%s\":", collective_name(c));
    if (!(*at = strstr(tree, key)))
        return NULL;
    *at += strlen(key);
    *at += strncmp(*at, intra, sizeof intra - 1) == 0 ? sizeof intra - 1 : 0;
    int depth = 0;
    const char *end = *at; /* strings there have no braces */
    do
        depth += (*end == '{') - (*end == '}');
    while (*end++ && depth > 0);
    return strndup(*at, (size_t)(end - *at));
}

/*
 * Puts a text for all calls and, if `inner` is set, one for calls among first ranks in the place of a collective's object.
 * Returns the new tree, and frees the old one and the texts. If both texts are NULL, returns the old tree.
 */
static char *put_in(char *tree, enum collective c, char *for_all, char *for_nodes, bool inner)
{
    if (!for_all && !for_nodes)
        return tree;
    struct text t;
    FILE *f = text_begin(&t);
    char *at, *standard = object_in(tree, c, &at);
    const char *const text[] = {for_nodes ? for_nodes : standard, for_all ? for_all : standard};
    fwrite(tree, 1, (size_t)(at - tree), f);
    fill_template(
        f, inner ? "{\"comm_hierarchy=node_roots\":@0,\"comm_hierarchy=node\":@1,\"comm_hierarchy=any\":@1}" : "@1", text);
    fputs(at + strlen(standard), f);
    free(standard);
    free(tree);
    free(for_all);
    free(for_nodes);
    return text_end(&t);
}

static char *mpich_file(const struct rules *rules, const char *library, size_t size, enum outcome *outcome)
{
    /*
     * The library tells inner calls among first ranks from calls of a program unless it is of release 5. That one takes
     * comm_hierarchy=node_roots for true in every call on one node, or with one rank on each.
     */
    static const char of_5[] = "MPI_Abi_get_version";
    const bool inner = !memmem(library, size, of_5, sizeof of_5);
    const char *found = tree_in(library, size);
    if (!found)
        return NULL;
    uint64_t lacks = 0;
    for (const struct own_algorithm *own = own_algorithms; own->name; own++) {
        char name[96];
        const bool has = own->parameters && memmem(library, size, name, put_function(own, name) + 1);
        lacks |= (uint64_t)!has << (own - own_algorithms);
    }
    char *tree = copy_tree(found), *at, *text[2][COLLECTIVES] = {{NULL}};
    struct exported x;
    exported_begin(&x, &mpich, lacks, rules);
    for (int first_ranks = inner; first_ranks >= 0; first_ranks--)
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            char *standard = object_in(tree, c, &at);
            text[first_ranks][c] = standard ? exported_text(&x, c, first_ranks, standard) : NULL;
            free(standard);
        }
    for (enum collective c = 0; c < COLLECTIVES; c++)
        tree = put_in(tree, c, text[0][c], text[1][c], inner);
    exported_end(&x, outcome);
    /*
     * MPICH reads a file as a text that ends with a 0. The file has no 0, but the memory behind it, to the end of its last
     * page, is 0. So the file must not fill its last page.
     */
    enum { PAGE = 4096 };
    struct text t;
    fprintf(text_begin(&t), "%s\n%s", tree, (strlen(tree) + 1) % PAGE ? "" : "\n");
    free(tree);
    return text_end(&t);
}

/* ---- Open MPI --------------------------------------------------------------------------------------------------------- */

static const int openmpi_number[COLLECTIVES] = {
    [COLL_BCAST] = 7, [COLL_REDUCE] = 11, [COLL_SCAN] = 14, [COLL_EXSCAN] = 8, [COLL_ALLREDUCE] = 2};

#define OPEN_MPI .divides = {EACH, 0, SIZED, 0}, .whole = true, .largest = INT64_MAX

static const struct openmpi_format {
    struct format format;
    struct templates file;
} openmpi_formats[] = {
    [TARGET_OPEN_MPI] = {{OPEN_MPI, .leaf = "@1 0 0\n",
                          .level = {[BY_RANKS] = {"@0 # numbers of ranks\n", "@0 @2", "@0 @2", "", "", "1\n0 0 0 0\n"},
                                    [BY_BYTES] = {"@0 # sizes\n", "@0 @2", "@0 @2", "", "", "0 0 0\n"}}},
                         {"@0 # collectives\n", "@0 # @3\n@2", "@0 # @3\n@2", "", "", NULL}},
    [TARGET_OPEN_MPI_6] =
        {{OPEN_MPI, .leaf = "\"alg\": \"@0\"",
          .level = {[BY_RANKS] = {"", "{\"comm_size_min\": @0, \"comm_size_max\": @1, \"rules\": [\n            @2]}",
                                  "{\"comm_size_min\": @0, \"rules\": [\n            @2]}", ",\n        ", "", NULL},
                    [BY_BYTES] = {"", "{\"msg_size_min\": @0, \"msg_size_max\": @1, @2}", "{\"msg_size_min\": @0, @2}",
                                  ",\n            ", "", NULL}}},
         {"{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {\n", "    \"@3\": [\n        @2]",
          "    \"@3\": [\n        @2]", ",\n", "}}\n", NULL}},
};

char *export_file(enum target target, const struct rules *rules, const void *library, size_t size, enum outcome *outcome)
{
    struct portion part[COLLECTIVES];
    struct exported x;
    uint64_t lacks = 0;
    int count = 0;
    if (target == TARGET_MPICH)
        return mpich_file(rules, library, size, outcome);
    for (int i = 0; own_algorithms[i].name; i++)
        lacks |= (uint64_t)!own_algorithms[i].number << i;
    exported_begin(&x, &openmpi_formats[target].format, lacks, rules);
    for (enum collective c = 0; c < COLLECTIVES; c++)
        if ((part[count].text = exported_text(&x, c, false, NULL))) {
            part[count].least = openmpi_number[c];
            part[count++].name = collective_name(c);
        }
    char *text = join_text(&openmpi_formats[target].file, part, count, NULL);
    while (count--)
        free(part[count].text);
    exported_end(&x, outcome);
    return text;
}
