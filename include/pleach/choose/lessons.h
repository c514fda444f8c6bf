/* SPDX-License-Identifier: BSD-2-Clause */
/* Lessons: what the calls of a run have taught, and the text of the file of rules that keeps them (PLEACH_LEARN). Pure. */
#ifndef PLEACH_LESSONS_H
#define PLEACH_LESSONS_H

#include "rules.h"

/* As many kinds as a file may have rules; messages have less than 2^LESSON_CLASSES bytes. */
enum { LESSONS_MOST = RULES_MOST, LESSON_CLASSES = 53 };

/* The best engine for one kind of call. */
struct lesson {
    /* The kind. */
    enum collective collective;
    enum op_class op;
    enum root_place root;
    int ranks, node_ranks; /* of the communicator; most of them on a node */
    int size_class;        /* k: messages of 2^k to 2^(k+1)-1 bytes */
    /* The winner: an engine, or native. */
    const struct engine *engine;
    int64_t block; /* bytes; 0 for native */
    /* The evidence, for people. */
    double native, seconds; /* of a call: natively, and with what won; 0: unknown */
    double spread;          /* of the times, as a share of them; 0: unknown */
    int64_t bytes;          /* of a typical call */
    int calls;              /* that were measured */
};

/* By kind, each at most once. All zero: none. */
struct lessons {
    int count;
    struct lesson lesson[LESSONS_MOST];
};

/* Adds a lesson, or replaces the one of the same kind. False if there is no room. */
bool lessons_take(struct lessons *l, const struct lesson *lesson);

/*
 * The text of a file of rules, to be freed with free(); NULL without memory. Kinds that differ in neighbouring size classes
 * alone share a rule if the same engine won. A line for each kind stands before its rule.
 */
char *lessons_text(const struct lessons *l);

/*
 * Reads such a text. False if the text differs from lessons_text() even by a blank, or without memory; *l is then undefined.
 */
bool lessons_read(struct lessons *l, const char *text);

#endif
