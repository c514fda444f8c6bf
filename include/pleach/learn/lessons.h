/* SPDX-License-Identifier: BSD-2-Clause */
/* Lessons: the best engine of each kind of call in a run. A file of rules keeps them between runs (PLEACH_LEARN). Pure. */
#pragma once

#include "rules.h"

/* Limits: as many lessons as a file may have rules, and messages of less than 2^LESSON_CLASSES bytes. */
enum { LESSONS_MOST = RULES_MOST, LESSON_CLASSES = 53 };

/* The best engine for one kind of call, or native. */
struct lesson {
    /* The kind. */
    enum collective collective;
    enum op_class op;
    enum root_place root;
    int ranks, node_ranks; /* ranks of the communicator; the most of them on one node */
    int size_class;        /* k, for messages of 2^k to 2^(k+1)-1 bytes */
    /* The winner: an engine, or native. */
    const struct engine *engine;
    int64_t block; /* bytes of a block; 0: none is needed, see choose_block() */
    /* The evidence, which only people read. */
    double native, seconds; /* time of a native call, and of a call with the winner; 0 if unknown */
    double spread;          /* the winner's longest time over its shortest, minus 1; 0 if unknown */
    int64_t bytes;          /* bytes of a typical call */
    int calls;              /* number of calls that were timed */
};

/* At most one lesson for each kind, in the order of the kinds. A struct whose memory is all zero has no lessons. */
struct lessons {
    int count;
    struct lesson lesson[LESSONS_MOST];
};

/* Adds a lesson, or replaces the lesson of the same kind. Returns false if there is no room. */
bool lessons_put(struct lessons *l, const struct lesson *lesson);

/*
 * Returns the text of a file of rules; the caller frees it with free(). Returns NULL if memory runs out. Neighbouring size
 * classes share a rule if their kinds are equal otherwise, and the same engine has won with the same size of blocks. Before
 * each rule, a comment line for each kind has the evidence.
 */
char *lessons_text(const struct lessons *l);

/*
 * Reads a text that lessons_text() has made. Returns false if memory runs out or if the text differs from what
 * lessons_text() would make of the lessons, even by a blank; then *l is undefined.
 */
bool lessons_read(struct lessons *l, const char *text);
