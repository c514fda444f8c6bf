/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory in mappings of its own: pieces are zero, aligned and apart, also those that were used before. */
#include "own_memory.h"
#include "suite.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { PIECES = 200, TURNS = 4000, THREADS = 3 };

struct held {
    unsigned char *memory;
    size_t bytes;
    unsigned char with;
};

static bool all(const struct held *h, unsigned char value)
{
    bool same = true;
    for (size_t i = 0; i < h->bytes && same; i++)
        same = h->memory[i] == value;
    return same;
}

/* Takes and frees pieces of all sizes in turn. Each holds a number of its own until it is freed. */
static void *take_turns(void *seed)
{
    static const size_t sizes[] = {1, 16, 48, 49, 1000, 4080, 32752, 32753, 100000, 1 << 20};
    struct held held[PIECES] = {{NULL}};
    uint64_t x = *(uint64_t *)seed;
    const char *wrong = NULL;
    for (int i = 0; i < TURNS && !wrong; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        struct held *h = &held[(x >> 33) % PIECES];
        if (h->memory) {
            wrong = all(h, h->with) ? wrong : "a piece has changed";
            own_memory_free(h->memory);
            h->memory = NULL;
            continue;
        }
        *h = (struct held){.bytes = sizes[(x >> 45) % COUNT(sizes)], .with = (unsigned char)(1 + i % 250)};
        h->memory = own_memory(h->bytes);
        wrong = !h->memory ? "no memory" : (uintptr_t)h->memory % 16 ? "not aligned" : !all(h, 0) ? "not zero" : wrong;
        if (h->memory)
            memset(h->memory, h->with, h->bytes);
    }
    for (int i = 0; i < PIECES; i++)
        own_memory_free(held[i].memory);
    return (void *)(uintptr_t)wrong;
}

START_TEST(pieces)
{
    uint64_t seed[THREADS] = {1, 2, 3};
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, take_turns, &seed[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        ck_assert_msg(!wrong, "%s", (const char *)wrong);
    }
}

START_TEST(limits)
{
    own_memory_free(NULL);
    ck_assert_ptr_null(own_memory(SIZE_MAX));
    ck_assert_ptr_null(own_memory(SIZE_MAX / 4));
    void *none = own_memory(0);
    ck_assert_ptr_nonnull(none);
    own_memory_free(none);
}

SUITE("own_memory", 60)
