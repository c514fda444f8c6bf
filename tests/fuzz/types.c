/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Derived datatypes of all kinds: if Pleach packs a message in pieces, the bytes are those that MPI_Pack gives for the whole
 * message. Pleach also unpacks and moves messages right.
 */
#include <mpi.h> /* the one of the library that the program is linked with */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "fuzz.h"

#include "datatype.h"
#include "handles.h"
#include "typemap.h"

/* VALUE_INDEX: MPI_COMBINER_VALUE_INDEX, which an mpi.h before MPI 4.1 lacks */
enum { VALUE_INDEX = 20 };

enum { TYPES = 24, SIZE = 1 << 14, REACH = 1 << 16 }; /* SIZE: bytes of data; REACH: bytes on each side of an address */

static char memory[2 * REACH], copy[2 * REACH], moved[2 * REACH];
static char packed[SIZE], ours[SIZE];

/*
 * MPI_Type_get_value_index() may return a predefined pair without a name. MPICH has no such type, so this one is a structure
 * with a gap, and the functions below say that it is a pair.
 */
static MPI_Datatype pair;
static struct pmpi real;

static int pair_envelope(MPI_Datatype type, MPI_Count *ints, MPI_Count *aints, MPI_Count *counts, MPI_Count *types,
                         int *combiner)
{
    if (type != pair)
        return real.Type_get_envelope_c(type, ints, aints, counts, types, combiner);
    *ints = *aints = *counts = 0;
    *types = 2;
    *combiner = VALUE_INDEX;
    return MPI_SUCCESS;
}

static int pair_contents(MPI_Datatype type, int ints, int aints, int types, int *i, MPI_Aint *a, MPI_Datatype *of)
{
    if (type != pair)
        return real.Type_get_contents(type, ints, aints, types, i, a, of);
    of[0] = MPI_SHORT;
    of[1] = MPI_LONG;
    return MPI_SUCCESS;
}

static int pair_free(MPI_Datatype *type)
{
    MUST(*type != pair, "a predefined type is freed");
    return real.Type_free(type);
}

static void make_pair(void)
{
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, sizeof(long)}, (MPI_Datatype[]){MPI_SHORT, MPI_LONG}, &pair);
    real = pmpi;
    pmpi.Type_get_envelope_c = pair_envelope;
    pmpi.Type_get_contents = pair_contents;
    pmpi.Type_free = pair_free;
}

static void start(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MUST(pmpi_find(pmpi_symbol), "no MPI");
    make_pair();
    handles_open();
    typemap_open();
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (char)(i * 2654435761u >> 13);
}

/* MPI_LONG_DOUBLE is left out: of its 16 bytes MPICH copies only those with a meaning. */
static MPI_Datatype basic(struct bytes *b)
{
    const MPI_Datatype types[] = {MPI_CHAR,       MPI_SHORT,    MPI_INT, MPI_DOUBLE,          MPI_SHORT_INT,
                                  MPI_DOUBLE_INT, MPI_LONG_INT, pair,    MPI_C_DOUBLE_COMPLEX};
    return types[take_byte(b) % (sizeof types / sizeof types[0])];
}

/* Makes a type for a part of an array of up to three dimensions, or for one process's part of an array that four share. */
static int array(struct bytes *b, MPI_Datatype old, MPI_Datatype *new)
{
    int dims = take_number(b, 1, 3), whole[3], part[3], first[3], how[3], arg[3], procs[3] = {1, 1, 1};
    const int order = take_byte(b) % 2 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, distributed = take_number(b, 0, 1);
    for (int d = 0; d < dims; d++) {
        whole[d] = take_number(b, 1, 6);
        part[d] = take_number(b, 1, whole[d]);
        first[d] = take_number(b, 0, whole[d] - part[d]);
        how[d] = (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}[take_byte(b) % 3];
        arg[d] = how[d] == MPI_DISTRIBUTE_CYCLIC && take_byte(b) % 2 ? take_number(b, 1, 3) : MPI_DISTRIBUTE_DFLT_DARG;
    }
    if (!distributed)
        return MPI_Type_create_subarray(dims, whole, part, first, order, old, new);
    const int spread = take_number(b, 0, dims - 1);
    procs[spread] = how[spread] == MPI_DISTRIBUTE_NONE ? 1 : 4;
    return MPI_Type_create_darray(procs[spread], take_number(b, 0, procs[spread] - 1), dims, whole, how, arg, procs, order,
                                  old, new);
}

/* Makes one more type from the types in the list. */
static int make(struct bytes *b, const MPI_Datatype *type, int types, MPI_Datatype *new)
{
    enum { MOST = 5 };
    const MPI_Datatype old = type[take_byte(b) % (unsigned)types];
    const unsigned kind = take_byte(b);
    const int count = take_number(b, 0, MOST), length = take_number(b, 0, 4), stride = take_number(b, -9, 9);
    int lengths[MOST], at[MOST];
    MPI_Aint bytes[MOST];
    MPI_Datatype of[MOST];
    for (int i = 0; i < count; i++) {
        lengths[i] = take_number(b, 0, 3);
        at[i] = take_number(b, -20, 20);
        bytes[i] = take_number(b, -200, 200);
        of[i] = type[take_byte(b) % (unsigned)types];
    }
    switch (kind % 12) {
    case 0:
        return MPI_Type_dup(old, new);
    case 1:
        return MPI_Type_contiguous(count, old, new);
    case 2:
        return MPI_Type_vector(count, length, stride, old, new);
    case 3:
        return MPI_Type_create_hvector(count, length, stride * 7, old, new);
    case 4:
        return MPI_Type_indexed(count, lengths, at, old, new);
    case 5:
        return MPI_Type_create_hindexed(count, lengths, bytes, old, new);
    case 6:
        return MPI_Type_create_indexed_block(count, length, at, old, new);
    case 7:
        return MPI_Type_create_hindexed_block(count, length, bytes, old, new);
    case 8:
        return MPI_Type_create_resized(old, stride, 16 * count + 16, new);
    case 9:
        return array(b, old, new);
    case 10:
        return MPI_Type_create_struct(count, lengths, bytes, of, new);
    default: {
        const MPI_Count large = count;
        return MPI_Type_vector_c(large, length, stride, old, new);
    }
    }
}

/* Tries a message of the type, if there is room for it. Its bytes may lie on both sides of the middle of the memory. */
static void try_message(struct bytes *b, MPI_Datatype type)
{
    const struct extents e = type_extents(type);
    const int count = take_number(b, 1, 3);
    ptrdiff_t origin;
    int position = 0;
    if (e.size <= 0 || e.size * count > SIZE || e.low < -REACH / 8 || e.low > REACH / 8 || e.end > REACH / 8 ||
        e.begin < -REACH / 8 || e.extent < -REACH / 8 || e.extent > REACH / 8)
        return;
    const int64_t span = extents_span(&e, count, &origin), size = e.size * count;
    MUST(span > 0 && origin >= -REACH && span - origin <= REACH, "a span of %" PRId64, span);
    MPI_Type_commit(&type);
    if (MPI_Pack(memory + REACH, count, type, packed, SIZE, &position, MPI_COMM_SELF) == MPI_SUCCESS && position == size) {
        struct identity identity;
        type_identity(type, &identity);
        struct typemap *map = typemap_new(count, type, &identity);
        MUST(map, "no typemap");
        for (int64_t from = 0, piece; from < size; from += piece) {
            piece = take_number(b, 1, 300);
            piece = piece < size - from ? piece : size - from;
            typemap_pack(map, memory + REACH, from, piece, ours + from);
        }
        MUST(memcmp(packed, ours, (size_t)size) == 0, "MPI packs other bytes");
        memset(copy, 0, sizeof copy);
        memset(moved, 0, sizeof moved);
        typemap_unpack(map, copy + REACH, 0, size, packed);
        typemap_move(map, memory + REACH, moved + REACH, 0, size);
        MUST(memcmp(copy, moved, sizeof copy) == 0, "moving and unpacking give different bytes");
        for (size_t i = 0; i < sizeof copy; i++)
            MUST(copy[i] == 0 || copy[i] == memory[i], "byte %zu is wrong", i);
        MPI_Pack(copy + REACH, count, type, ours, SIZE, (position = 0, &position), MPI_COMM_SELF);
        MUST(memcmp(packed, ours, (size_t)size) == 0, "MPI_Pack gives other bytes of the unpacked message");
        typemap_free(map);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, size};
    MPI_Datatype type[TYPES + 2];
    int types = 2;
    start();
    type[0] = basic(&b);
    type[1] = basic(&b);
    while (types < TYPES + 2 && b.left > 0) {
        MPI_Datatype new;
        int length = 0;
        if (make(&b, type, types, &new) != MPI_SUCCESS)
            break;
        MPI_Type_size(new, &length);
        if (length == 0) { /* as part of another type it makes MPICH 4.0 divide by 0 */
            MPI_Type_free(&new);
            continue;
        }
        type[types++] = new;
        if (length == MPI_UNDEFINED || length > SIZE)
            break;
    }
    try_message(&b, type[types - 1]);
    for (int i = 2; i < types; i++)
        MPI_Type_free(&type[i]);
    return 0;
}
