/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports in JSON and in pages: what is read is what was written, and no damaged report is taken. */
#include <config.h> /* HAVE_JSON */

#include "job_read.h"
#include "jobs.h"

static char why[256];

static const char *written(const struct job *j, enum job_format format)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    ck_assert(f && job_write(j, format, 0, f) && fclose(f) == 0);
    return text;
}

static const struct job *read_again(const char *text)
{
    const struct job *j = job_read(text, why, sizeof why);
    ck_assert_msg(j != NULL, "%s", why);
    return j;
}

static void same_in_all_formats(const struct job *j)
{
    const struct job *again[] = {read_again(written(j, JOB_JSON)), read_again(written(j, JOB_HTML))};
    for (enum job_format format = JOB_TEXT; format < JOB_FORMATS; format++)
        for (size_t i = 0; i < COUNT(again); i++)
            REQUIRE(strcmp(written(j, format), written(again[i], format)) == 0, "format %d, by %zu", (int)format, i);
}

START_TEST(round_trips)
{
    static const struct plan plans[] = {
        {.ranks = 1, .nodes = 1, .calls = 3, .sites = 1, .slow = -1},
        {.ranks = 5, .nodes = 2, .calls = 400, .sites = 7, .slow = 3},
        {.ranks = 3, .nodes = 1, .calls = 20, .sites = 2, .slow = -1, .dry = true},
        {.ranks = 700, .nodes = 20, .calls = 90, .sites = 2, .slow = 600},
        {.ranks = 2, .nodes = 1, .calls = 9, .sites = 1, .slow = 1, .text = "a\"\\<&\xc3\xbc"}};
    for (size_t i = 0; i < COUNT(plans); i++)
        same_in_all_formats(made_job(&plans[i]));
}

/* The times of calls in logs stay, so that medians do, and comparisons find what they would find in the logs. */
START_TEST(jobs_of_logs)
{
    struct merge *m = job_begin();
    for (int i = 0; i < 1000; i++) {
        struct rank_row row = {.collective = COLL_SCAN, .size = i % 3, .tally = {.calls = 1, .bytes = 1 << i % 3}};
        row.tally.seconds = row.tally.least = row.tally.most = 1e-6 * (i * i % 977);
        ck_assert(job_add_call(m, "site", i / 500, 1e-3 * i, &row, i % 2 ? "f" : "g"));
    }
    const struct job *j = job_finish(m), *again = read_again(written(j, JOB_JSON));
    same_in_all_formats(j);
    ck_assert(histogram_times(again->group[BY_SITE][0].times) == histogram_times(j->group[BY_SITE][0].times));
    ck_assert(again->group[BY_SITE][0].middle == j->group[BY_SITE][0].middle);
}

/* However often single calls are thinned out, those that are left stand for all. */
START_TEST(thinned)
{
    const struct plan plan = {.ranks = 500, .nodes = 1, .calls = 300, .sites = 1, .slow = -1};
    const struct job *j = made_job(&plan);
    int64_t calls = 0;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        calls += c->each;
    ck_assert_int_le(j->moments, 32768 + 4 * 500);
    ck_assert_int_lt(j->calls, 300);
    ck_assert(calls >= 250 && calls <= 350);
}

/* A report that is cut short at any byte, or in which any byte is another one, is refused or read; it does no harm. */
START_TEST(damaged)
{
    const struct plan plan = {.ranks = 2, .nodes = 1, .calls = 5, .sites = 1, .slow = -1};
    char *text = (char *)written(made_job(&plan), JOB_JSON);
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i += 61) {
        char *cut = strndup(text, i);
        ck_assert_msg(i > length - 3 || !job_read(cut, why, sizeof why), "cut at %zu of %zu", i, length);
        free(cut);
        for (const char *other = "\"0{-9"; *other; other++) {
            const char was = text[i];
            text[i] = *other;
            const struct job *j = job_read(text, why, sizeof why);
            for (enum job_format format = JOB_TEXT; j && format < JOB_FORMATS; format++)
                free((char *)written(j, format));
            text[i] = was;
        }
    }
}

START_TEST(refused)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"", "cut off"},
        {"<!DOCTYPE html>", "no data"},
        {"[1]", "no report of Pleach"},
        {"{\"pleach_report\": 2}", "version 2"},
        {"{\"pleach_report\": 1}", "an object was expected"},
        {"{\"pleach_report\": 1, \"run\": {\"reported\": 1}}", "ranks are missing"},
        {"{\"pleach_report\": 1, \"run\": {\"reported\": 1}, \"ranks\": [{\"rank\": 0}], \"sites\": [{\"calls\": 1}]}",
         "lacks calls, or its site"},
        {"{\"pleach_report\": 1, \"run\": {\"ended\": \"never\"}}", "a word is unknown"},
        {"{\"pleach_report\": 1, \"run\": {\"calls\": -1}}", "a whole number"}};
    for (size_t i = 0; i < COUNT(row); i++) {
        ck_assert_ptr_null(job_read(row[i].text, why, sizeof why));
        REQUIRE(strstr(why, row[i].why), "%s: %s", row[i].text, why);
    }
}

#ifdef HAVE_JSON
SUITE("reports as JSON", 60)
#else
int main(void)
{
    puts("built without json-c");
    return 77;
}
#endif
