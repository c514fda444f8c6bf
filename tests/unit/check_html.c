/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The HTML report of a job: it is well-formed for all input, it shows the job's numbers, and its size is bounded. In
 * html.sh, a browser reads it.
 */
#include "html.h"
#include "jobs.h"
#include "rank_reports.h"

#include <ctype.h>
#include <sys/resource.h>

static char *page;
static size_t length;

static void write_page(const struct job *j)
{
    FILE *f = open_memstream(&page, &length);
    ck_assert(f && job_html(j, f) && fclose(f) == 0);
}

static void expect(const char *text)
{
    REQUIRE(strstr(page, text), "'%s' is missing", text);
}

/* ---- Is it well-formed? --------------------------------------------------------------------------------------------- */

/* Reads an attribute; returns the text after it. */
static const char *attribute(const char *c)
{
    const char *begin = c;
    while (isalpha((unsigned char)*c) || *c == '-' || (c > begin && isdigit((unsigned char)*c)))
        c++;
    REQUIRE(c > begin && c[0] == '=' && (c[1] == '\'' || c[1] == '"'), "no attribute: %.60s", begin);
    const char *end = strchr(c + 2, c[1]);
    REQUIRE(end && memchr(c + 2, '<', (size_t)(end - c - 2)) == NULL, "the attribute does not end: %.60s", begin);
    return end + 1;
}

/* Reads a tag and keeps the stack of open tags; returns the text after the tag. */
static const char *tag(const char *c, char open[][16], int *depth)
{
    const char *begin = c;
    char name[16] = "";
    bool closes = c[1] == '/';
    c += closes ? 2 : 1;
    for (int i = 0; isalnum((unsigned char)*c) && i < 15; i++)
        name[i] = *c++;
    REQUIRE(name[0], "no tag: %.60s", begin);
    while (*c == ' ')
        c = attribute(c + 1);
    bool alone = *c == '/';
    c += alone;
    REQUIRE(*c == '>', "the tag does not end: %.60s", begin);
    if (closes) {
        REQUIRE(*depth > 0 && strcmp(open[*depth - 1], name) == 0, "%.60s closes %s", begin,
                *depth ? open[*depth - 1] : "nothing");
        --*depth;
    } else if (!alone) {
        ck_assert_int_lt(*depth, 30);
        memcpy(open[(*depth)++], name, sizeof name);
    }
    return c + 1;
}

/* The page's data, behind all that people see. */
static char *data(void)
{
    char *at = strstr(page, "<script");
    ck_assert_ptr_nonnull(at);
    return at;
}

static void well_formed(void)
{
    static const char doctype[] = "<!DOCTYPE html>\n", style[] = "<style>";
    char open[30][16];
    int depth = 0;
    ck_assert_uint_eq(strlen(page), length);
    ck_assert_int_eq(strncmp(page, doctype, strlen(doctype)), 0);
    for (const char *c = page + strlen(doctype); *c;)
        if (strncmp(c, style, strlen(style)) == 0) { /* its text is CSS */
            c = strstr(c, "</style>") + strlen("</style>");
        } else if (*c == '<') {
            c = tag(c, open, &depth);
        } else if (*c == '&') {
            REQUIRE(c[1] == '#' && strchr(c, ';') && strchr(c, ';') - c < 10, "no entity: %.30s", c);
            c++;
        } else {
            REQUIRE((*c == '\n' || (unsigned char)*c >= ' ') && *c != '>', "%.30s", c);
            c++;
        }
    ck_assert_int_eq(depth, 0);
}

static const struct plan plans[] = {{.ranks = 1, .nodes = 1, .calls = 1, .sites = 1, .slow = -1},
                                    {.ranks = 8, .nodes = 2, .calls = 60, .sites = 5, .slow = 5},
                                    {.ranks = 5, .nodes = 5, .calls = 700, .sites = 5, .slow = 0},
                                    {.ranks = 300, .nodes = 7, .calls = 300, .sites = 200, .slow = 17},
                                    {.ranks = 4, .nodes = 1, .calls = 50, .sites = 3, .slow = -1, .dry = true}};

LOOPED_TEST(all_are_well_formed, COUNT(plans))
{
    static const char *const section[] = {"Time by size", "By collective", "By call site", "By engine and reason",
                                          "Timeline"};
    write_page(made_job(&plans[_i]));
    well_formed();
    for (size_t i = 0; i < COUNT(section); i++)
        expect(section[i]);
    ck_assert_ptr_null(strstr(page, "nan"));
    ck_assert_ptr_null(strstr(page, "inf"));
}

/* A name of a program, call site or host brings no tag, entity, control character or broken UTF-8 into the page. */
START_TEST(names_are_text)
{
    const struct plan plan = {
        .ranks = 2,
        .nodes = 1,
        .calls = 9,
        .sites = 1,
        .slow = 1,
        .text =
            "a</td></table><script>x(1)</script>&lt;'\"--><!--]]> \x80\xc3\xff\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80\x1b[31m\t"
            "\xe2\x80\xae\xef\xbf\xbf gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\xb3%s%n\xe2\x82"};
    write_page(made_job(&plan));
    well_formed();
    const char *script = strstr(page, "<script");
    ck_assert(script == data() && !strstr(script + 1, "<script"));
    ck_assert_ptr_null(strstr(page, "<!--"));
    ck_assert_ptr_null(strstr(page, "&lt;"));
    for (const char *c = page; *c; c++)
        REQUIRE(!strchr("\xff\xc0\xf5\x1b\t", *c), "byte %02x: %.20s", (unsigned char)*c, c - 10);
    ck_assert_ptr_null(strstr(page, "\xed\xa0"));
    ck_assert_ptr_null(strstr(page, "\xe2\x80\xae"));
    expect("a&#60;/td&#62;&#60;/table&#62;&#60;script&#62;x(1)&#60;/script&#62;&#38;lt;&#39;&#34;--&#62;");
    expect(" gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\xb3%s%n&#xfffd;&#xfffd;<");
}

/* ---- Is it true? ---------------------------------------------------------------------------------------------------- */

START_TEST(shows_times_and_waiting)
{
    struct made a, b;
    struct rank_report *p[] = {made_report(&a, 0, 8, "one"), made_report(&b, 3, 8, "two")};
    /* Calls take 3 of 12 seconds, 2 of these with engines. One call is kept singly; rank 0 waits for half of its time. */
    for (int i = 0; i < 2; i++) {
        add_row(p[i], COLL_ALLREDUCE, 1 << 20, "circulant", REASON_MODEL, 0, 20, 0.1);
        add_row(p[i], COLL_BCAST, 8, "native", REASON_BELOW_THRESHOLD, 1, 1000000, 1e-6);
        struct rank_call *c = add_call(p[i], 1, 0, 2, i ? 1.05 : 1, i ? 0.05 : 0.1);
        c->bytes = 1 << 20;
        c->engine = p[i]->row[0].engine;
    }
    b.part.end = END_RUNNING;
    write_page(joined(job_begin(), (const struct rank_report *const *)p, 2));
    well_formed();
    expect("Collectives that Pleach serves took <b>25%</b> of the run. Of that time, engines served <b>67%</b>; ranks "
           "waited for each other for <b>33%</b>.");
    expect("<b>allreduce</b> at <code>solve+0x1f &#60; main+0x3a</code>: 17% of the run; for 33% of this time, "
           "ranks waited for each other.</p>");
    expect("<code class='command'>./app -n 5</code>");
    expect("<dd>8 on 2 nodes</dd>");
    expect("<dd>all at their defaults</dd>");
    expect("6 of 8 ranks have not reported: 1&#8211;2, 4&#8211;7.");
    expect("was still running or had been killed: rank 3.");
    expect("<td>2&#8239;000&#8239;000</td>");
    expect("<tr><td class='t'>3</td><td class='t'>two</td><td>100.0% of the calls</td><td>50ms</td>");
    ck_assert_ptr_null(strstr(page, "DRY RUN"));
    /* The timeline shows 100 ms in 880 pixels. Rank 0 waits for the first half; then rank 3 comes. */
    expect("<path fill='#29cdf0' d='M516 43h440v-21h-440zM516 65h440v-21h-440z'/>");
    expect("<path class='waiting' d='M76 43h440v-21h-440z'/>");
}

/* Each of the timeline's 220 bins has one call of 10 ms. Rank 0 comes first and waits 4 ms for the others. */
START_TEST(sums_up_many_calls)
{
    enum { RANKS = 5, CALLS = 220 };
    static struct made made[RANKS];
    static struct rank_call call[RANKS][CALLS];
    struct rank_report *p[RANKS];
    for (int r = 0; r < RANKS; r++) {
        p[r] = made_report(&made[r], r, RANKS, "one");
        add_row(p[r], COLL_SCAN, 8, "circulant", REASON_FORCED, 0, CALLS, r ? 0.006 : 0.010);
        for (int i = 0; i < CALLS; i++)
            call[r][i] = (struct rank_call){5,
                                            i,
                                            RANKS,
                                            i * 0.010 + (r ? 0.004 : 0),
                                            r ? 0.006 : 0.010,
                                            COLL_SCAN,
                                            8,
                                            engine_row(engine_find("circulant")),
                                            0};
        p[r]->call = call[r];
        p[r]->calls = CALLS;
    }
    write_page(joined(job_begin(), (const struct rank_report *const *)p, RANKS));
    well_formed();
    /* A row has 21 pixels. 13 of them show the moving of data; in rank 0's row, 8 more show waiting. */
    expect("<path fill='#29cdf0' d='M76 43h880v-13h-880zM76 65h880v-13h-880zM76 87h880v-13h-880z"
           "M76 109h880v-13h-880zM76 131h880v-13h-880z'/>");
    expect("<path class='waiting' d='M76 30h880v-8h-880z'/>");
    expect("<td class='t'>1</td>"); /* ranks 1 to 4 come last, at the same time: the table names the first */
}

/* The page of one rank alone does not miss other ranks. */
START_TEST(one_rank_alone)
{
    struct made m;
    struct merge *j = job_begin();
    struct rank_report *p[] = {made_report(&m, 2, 4, "one")};
    const struct job *job = joined(j, (const struct rank_report *const *)p, 1);
    struct job own = *job;
    write_page(job);
    expect("3 of 4 ranks have not reported: 0&#8211;1, 3.");
    own.own = true;
    write_page(&own);
    well_formed();
    expect("<dd>rank 2 of 4</dd>");
    *data() = 0;
    ck_assert_ptr_null(strstr(page, "reported"));
    job_free(j);
}

START_TEST(says_that_it_was_dry)
{
    write_page(made_job(&plans[4]));
    expect("A DRY RUN");
    expect("Of that time, engines would have served");
    expect("</b></span>native</td><td class='t'><span class='legend'>");
    expect("</b></span>two-tree</td>");
    ck_assert_ptr_null(strstr(page, "Of that time, engines served"));
}

/*
 * The longest bar has 250 pixels. The time that native calls would have taken is the measured time with engines, times the
 * ratio of the two predictions, as both may be wrong by the same factor. In a dry run, the page predicts engines likewise.
 */
START_TEST(predicts_the_other_way)
{
    struct made m;
    struct rank_report *p[] = {made_report(&m, 0, 1, "one")};
    struct tally *t = &add_row(p[0], COLL_SCAN, 1000, "chain", REASON_MODEL, 0, 10, 0.1)->tally;
    t->predicted = 1;
    t->native = 0.02;
    t->engine = 0.01;
    write_page(joined(job_begin(), (const struct rank_report *const *)p, 1));
    expect("<rect class='engines' x='70' y='6' width='125.0' height='11'/>");
    expect("<rect class='native' x='70' y='18' width='250.0' height='3'/>");
    expect("predicted natively: 2s instead of 1s");
    p[0]->dry = true;
    p[0]->row[0].engine = 0;
    write_page(joined(job_begin(), (const struct rank_report *const *)p, 1));
    expect("<rect class='would' x='70' y='6' width='250.0' height='11'/>");
    expect("<rect class='engines' x='70' y='18' width='125.0' height='3'/>");
    expect("predicted with engines: 500ms instead of 1s");
    expect("<p class='next'>Cannot tell what Pleach would do: too few calls were tried, and by the model it would save "
           "500 ms of 12 s, or nothing; to see, unset PLEACH_DRY_RUN.</p>");
}

START_TEST(nothing_was_called)
{
    struct made m;
    struct rank_report *p[] = {made_report(&m, 0, 1, "one")};
    p[0]->other[0] = (struct rank_other){"MPI_Alltoall", 7, 1024, 0.5};
    p[0]->others = 1;
    write_page(joined(job_begin(), (const struct rank_report *const *)p, 1));
    well_formed();
    expect("No collective that Pleach serves was called.");
    expect("<td class='t'>MPI_Alltoall</td><td>7</td><td>1K</td><td>500ms</td>");
    ck_assert_ptr_null(strstr(page, "Timeline"));
    write_page(&(struct job){.command = "", .pleach = "", .mpi = "", .settings = "", .note = "", .unshared = ""});
    well_formed();
    expect("(unknown program)");
}

/* ---- Is it robust? -------------------------------------------------------------------------------------------------- */

START_TEST(is_bounded)
{
    const struct plan many_ranks = {.ranks = 10000, .nodes = 100, .calls = 40, .sites = 9, .slow = 777};
    const struct plan many_calls = {.ranks = 90, .nodes = 9, .calls = 20000, .sites = 5000, .slow = 80};
    write_page(made_job(&many_ranks));
    well_formed();
    ck_assert_uint_lt((size_t)(data() - page), 1000000);
    expect("777</td>");
    const struct job *j = made_job(&many_calls);
    char more[64];
    write_page(j);
    well_formed();
    ck_assert_uint_lt((size_t)(data() - page), 1000000);
    ck_assert_int_gt(j->groups[BY_SITE], 5000);
    snprintf(more, sizeof more, "And %d more, with ", j->groups[BY_SITE] - 40);
    expect(more);
}

/* Times may be so large that doubles are farther apart than the timeline's marks. */
START_TEST(large_times)
{
    struct made m;
    for (int i = 0; i < 2; i++) {
        struct merge *j = job_begin();
        struct rank_report *p[] = {made_report(&m, 0, 1, "one")};
        add_row(p[0], COLL_ALLREDUCE, 8, "native", REASON_MODEL, 0, 1, 1e-6);
        add_call(p[0], 1, 0, 1, 9e9, i ? 4e-6 : 0);
        write_page(joined(j, (const struct rank_report *const *)p, 1));
        well_formed();
        expect("Timeline");
        ck_assert_ptr_null(strstr(page, "nan"));
        ck_assert_ptr_null(strstr(page, "inf"));
        ck_assert_uint_lt(length, 100000);
        job_free(j);
    }
}

/* The page has decimal points even if the application's locale has decimal commas. */
START_TEST(has_no_decimal_commas)
{
    const struct job *j = made_job(&plans[2]);
    write_page(j);
    char *before = page;
    if (!in_decimal_comma())
        return;
    write_page(j);
    ck_assert_str_eq(page, before);
}

START_TEST(reports_errors)
{
    static char buffer[4096];
    const struct job *j = made_job(&plans[2]);
    FILE *full = fopen("/dev/full", "w"), *f = fopen("/dev/null", "w");
    ck_assert(full && f);
    ck_assert(!job_html(j, full));
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer ends a process that is out of memory */
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){1, RLIM_INFINITY}), 0);
    for (size_t size = 1 << 20; size >= 16; size /= 2)
        while (malloc(size))
            ;
    bool whole = job_html(j, f);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
    ck_assert(!whole);
#endif
}

SUITE("report as a page", 20)
