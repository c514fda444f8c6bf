/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules: the line and message of every error, every kind of rule that can never match, spoilt and unreadable files. */
#include "reading.h"
#include "textfile.h"

#include <sys/stat.h>

/* ---- Errors --------------------------------------------------------------------------------------------------------- */

#define NEVER "this rule can never match: "
#define TAKES " is not understood: it takes "

/* A row has the line and the beginning of a message. A row without `text` has a further message for the text above it. */
static const struct {
    const char *text;
    int line;
    const char *why;
} errors[] = {
    {"", 1, "the first line must be 'pleach-rules 1'"},
    {"\n# only comments\n", 1, "the first line must be 'pleach-rules 1'"},
    {"\n\nranks=2 -> block=7\nbogus\n", 3, "the first line must be 'pleach-rules 1', but begins with 'ranks=2'"},
    {"pleach-rules\n", 1, "the first line must be 'pleach-rules 1', but begins with 'pleach-rules'"},
    {"\xef\xbb\xbfpleach-rules 1\n", 1, "the first line must be 'pleach-rules 1', but begins with"},
    {"pleach-rules 2\nbogus\n", 1, "the rules have version '2', but this Pleach reads version 1"},
    {"pleach-rules 1.0\n", 1, "the rules have version '1.0'"},
    {"pleach-rules 1 ranks=2 -> block=7\n", 1, "the first line has 'ranks=2' behind the version"},
    {HEADER HEADER, 2, "'pleach-rules' is no condition"},
    {NULL, 2, "'1' is no condition"},
    {NULL, 2, "the rule has no '->' with actions behind it"},
    {HEADER "\nranks=2\n", 3, "the rule has no '->' with actions behind it"},
    {HEADER "ranks=2 ->\n", 2, "the rule has no action behind '->'"},
    {HEADER "ranks=2 -> # block=7\n", 2, "the rule has no action behind '->'"},
    {HEADER "->", 2, "the rule has no action behind '->'"},
    {HEADER "-> block=7 -> engine=chain", 2, "the rule has '->' twice"},
    {HEADER "rank=2 -> block=7", 2,
     "'rank=2' is no condition; the conditions are collective, op, root, bytes, ranks, ranks-per-node and site (did you "
     "mean ranks?)"},
    {HEADER "Ranks=2 -> block=7", 2, "'Ranks=2' is no condition"},
    {HEADER "ranks =2 -> block=7", 2, "'ranks' has no value: it takes a whole number"},
    {NULL, 2, "'=2' is no condition"},
    {HEADER "-> blocks=7", 2,
     "'blocks=7' is no action; the actions are engine, block, alpha, beta, gamma, hop, gap, origin, at, native-us, us, "
     "calls, date and table (did you mean block?)"},
    {HEADER "-> engine=two-tree,chian", 2,
     "engine=two-tree,chian" TAKES "auto, engine names (see pleach engines), or ^NAME (did you mean chain?)"},
    {HEADER "-> engine=^rnig", 2,
     "engine=^rnig" TAKES "auto, engine names (see pleach engines), or ^NAME (did you mean ring?)"},
    {HEADER "-> block", 2, "'block' has no value: it takes a size"},
    {HEADER "block=7 -> engine=chain", 2, "'block=7' is an action: it belongs behind '->'"},
    {HEADER "-> engine=chain ranks=2", 2, "'ranks=2' is a condition: it belongs before '->'"},
    {HEADER "ranks=2 bytes=1 ranks=3 -> block=7", 2, "the rule has ranks twice, the second time as 'ranks=3'"},
    {HEADER "-> block=7 block=7", 2, "the rule has block twice, the second time as 'block=7'"},
    {HEADER "ranks=2->block=7", 2, "ranks=2->block=7" TAKES "a whole number of at least 1"},
    {NULL, 2, "the rule has no '->'"},
    {HEADER "site=\"a b -> block=7", 2, "'site=\"a b -> block=7' has wrong quotes"},
    {NULL, 2, "the rule has no '->'"},
    {HEADER "site=a\"b\" -> block=7", 2, "'site=a\"b\"' has wrong quotes: they go around the whole value"},
    {HEADER "site=\"a\"b -> block=7", 2, "'site=\"a\"b' has wrong quotes"},
    {HEADER "site=\"a\"b\" -> block=7", 2, "'site=\"a\"b\" -> block=7' has wrong quotes"},
    {NULL, 2, "the rule has no '->'"},
    {HEADER "site=\" -> block=7", 2, "'site=\" -> block=7' has wrong quotes"},
    {NULL, 2, "the rule has no '->'"},
    {HEADER "-> block=12\"", 2, "'block=12\"' has wrong quotes"},
    {HEADER "site= -> block=7", 2, "site=" TAKES "a pattern such as *solve*, in quotes if it has blanks"},
    {HEADER "site=\"\" -> block=7", 2, "site=\"\"" TAKES "a pattern"},
    {HEADER "ranks=2 -> block=7\nbytes=x -> block=7\nranks=0 -> block=7\nranks=4 -> alpha=x", 3, "bytes=x" TAKES},
    {NULL, 4, "ranks=0" TAKES},
    {NULL, 5, "alpha=x" TAKES},
    {HEADER "bytes=2-1 -> block=7", 2, "bytes=2-1 is an empty range: the lower end comes first"},
    {HEADER "ranks=16-2 -> block=7", 2, "ranks=16-2 is an empty range"},
    {HEADER "ranks-per-node=2-1 -> block=7", 2, "ranks-per-node=2-1 is an empty range"},
    {HEADER "ranks=\x1b[2J -> block=7", 2, "ranks=?[2J" TAKES},
    {HEADER "collective=scan -> engine=mesh", 2, "no engine of this rule serves any of its calls; see 'pleach engines'"},
    {HEADER "op=none -> engine=ring", 2, "no engine of this rule serves"},
    {HEADER "collective=reduce op=user -> engine=circulant", 2, "no engine of this rule serves"},
    {HEADER "collective=scan,exscan -> engine=mesh,circulant", 2, "no engine of this rule serves"},
    {HEADER "collective=bcast op=exact -> block=7", 2,
     NEVER "its op fits none of its collectives: a bcast has op=none, the others have another op"},
    {HEADER "collective=scan,reduce op=none -> block=7", 2, NEVER "its op fits none"},
    {HEADER "collective=scan,exscan root=last,inside -> block=7", 2,
     NEVER "its root fits none of its calls: a call without a root has root=first"},
    {HEADER "collective=reduce op=user root=inside -> engine=chain", 2, "no engine of this rule serves"},
    {HEADER "root=first,last -> block=7\nroot=last -> block=8", 3, NEVER "the rule of line 2"},
    {HEADER "ranks=1 -> block=7", 2, NEVER "calls of one rank are always native"},
    {HEADER "bytes=0 -> block=7", 2, NEVER "empty messages are always native"},
    {HEADER "ranks=2-7 ranks-per-node=8-9 -> block=7", 2, NEVER "a node cannot have more ranks than the communicator"},
    {HEADER "ranks=2-7 -> block=7\n\nranks=2-7 -> block=8", 4, NEVER "the rule of line 2 matches all its calls"},
    {HEADER "bytes=9 -> block=7\n-> block=8\nranks=5 -> block=9", 4, NEVER "the rule of line 3 matches"},
    {HEADER "op=none,user -> block=7\nop=none ranks=4 -> block=8", 3, NEVER "the rule of line 2"},
    {HEADER "collective=bcast,scan -> block=7\ncollective=bcast ranks=4 -> block=8", 3, NEVER "the rule of line 2"},
    {HEADER "ranks-per-node=2-4 -> block=7\nranks-per-node=4 -> block=8", 3, NEVER "the rule of line 2"},
    {HEADER "site=a* -> block=7\nsite=a* ranks=3 -> block=8", 3, NEVER "the rule of line 2"},
    {HEADER "ranks=3 -> block=7\nsite=a* ranks=3 -> block=8", 3, NEVER "the rule of line 2"},
};

START_TEST(each_error)
{
    size_t count = COUNT(errors);
    for (size_t i = 0, next; i < count; i = next) {
        bool fatal = false;
        struct rules *r = parse(errors[i].text);
        for (next = i; next < count && (next == i || !errors[next].text); next++) {
            size_t k = next - i;
            bool never = strncmp(errors[next].why, NEVER, strlen(NEVER)) == 0;
            REQUIRE((int)k < report_count, "%s: only %d reports", errors[i].text, report_count);
            REQUIRE(strncmp(reports[k].why, errors[next].why, strlen(errors[next].why)) == 0, "%s: %s", errors[i].text,
                    reports[k].why);
            REQUIRE(reports[k].line == errors[next].line, "%s: line %d", errors[i].text, reports[k].line);
            REQUIRE(reports[k].fatal == !never, "%s: `fatal` is wrong", errors[i].text);
            fatal |= !never;
        }
        REQUIRE(report_count == (int)(next - i), "%s: %d reports, the last: %s", errors[i].text, report_count,
                reports[report_count - 1].why);
        REQUIRE(!r == fatal, "%s: only a text with a fatal error is refused", errors[i].text);
        free(r);
        r = rules_parse(errors[i].text, NULL, NULL); /* without a function that hears of errors */
        ck_assert(!r == fatal);
        free(r);
    }
}

/* A word gets no hint if it is far from all keys, or if only settings know it. */
START_TEST(no_hints)
{
    static const char *const texts[] = {HEADER "-> engine=zzz", HEADER "-> engine=random:7", HEADER "zzz=2 -> block=7",
                                        HEADER "-> ranks=2"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        ck_assert_ptr_null(parse(texts[i]));
        ck_assert_int_ge(report_count, 1);
        REQUIRE(!strstr(reports[0].why, "did you mean"), "%s: %s", texts[i], reports[0].why);
    }
}

/* Bad values of each key, separated by blanks. */
START_TEST(bad_values)
{
    static const struct {
        const char *before, *values, *behind, *accepts;
    } table[] = {
        {"collective=", "x , scan, ,scan scan,,scan alltoall all scan;bcast ^scan", ALWAYS,
         "bcast, reduce, scan, exscan, allreduce"},
        {"op=", "x , exact, Exact none,,user sum ordered ^user", ALWAYS, "none, exact, rounding or user"},
        {"bytes=", "x - -1 1- 1-2-3 inf inf-inf 64K-x 64Q 0x10 1-nan 1,2 64K..1M 0.5", ALWAYS, "a size"},
        {"ranks=", "x - -2 2- 0 0-4 1-2-3 inf 2K 1.5 2147483648 2-x 2,3 2-4-", ALWAYS, "a whole number of at least 1"},
        {"ranks-per-node=", "x 0 -1 inf 1- 1.5", ALWAYS, "a whole number of at least 1"},
        {"-> engine=", "x chain, ,chain ^ ^x chain,auto random:7 random: chain;ring", "\n", "auto, engine names"},
        {"-> block=", "x 0 auto -1 1-2 12Q 0.5", "\n", "a size"},
        {"-> alpha=", "x auto -1us us inf 1m 0x1 1e6 5,5us", "\n", "seconds, or with suffix ms, us or ns"},
        {"-> beta=", "x auto -1", "\n", "seconds, or with suffix ms, us or ns"},
        {"-> gamma=", "x auto -1", "\n", "seconds, or with suffix ms, us or ns"},
        {"-> hop=", "x auto -1", "\n", "seconds, or with suffix ms, us or ns"},
        {"-> gap=", "x auto -1", "\n", "seconds, or with suffix ms, us or ns"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char words[256], text[512], *rest = words;
        snprintf(words, sizeof words, " %s", table[i].values); /* the first value is empty */
        for (char *word; (word = strsep(&rest, " "));) {
            snprintf(text, sizeof text, HEADER "%s%s%s", table[i].before, word, table[i].behind);
            struct rules *r = parse(text);
            REQUIRE(!r && report_count == 1, "%s: %d reports", text, report_count);
            const char *accepts = strstr(reports[0].why, TAKES);
            REQUIRE(accepts && strncmp(accepts + strlen(TAKES), table[i].accepts, strlen(table[i].accepts)) == 0, "%s: %s",
                    text, reports[0].why);
        }
    }
}

START_TEST(long_values)
{
    static char text[TEXT];
    for (int length = SETTING_TEXT - 4; length < SETTING_TEXT + 4; length++) {
        static const char *const keys[][2] = {{"bytes=", ALWAYS}, {"site=", ALWAYS}, {"-> block=", "\n"}};
        for (int i = 0; i < 3; i++) {
            snprintf(text, sizeof text, HEADER "%s%0*d%s", keys[i][0], length, 7, keys[i][1]);
            struct rules *r = parse(text);
            ck_assert_msg(!r == (length >= SETTING_TEXT), "%s with %d characters", keys[i][0], length);
            if (!r)
                ck_assert_ptr_nonnull(strstr(reports[0].why, "...' is too long: a value has at most 255 characters"));
            else if (i == 1)
                ck_assert_uint_eq(strlen(r->rule[0].site), (size_t)length);
            free(r);
        }
    }
    snprintf(text, sizeof text, HEADER "%0*d=3 -> block=7", 50000, 7); /* a long word that is no key */
    ck_assert_ptr_null(parse(text));
    ck_assert_int_eq(report_count, 1);
    snprintf(text, sizeof text, HEADER "-> block=7 #%0*d", 50000, 7);
    free(parse_good(text));
}

/* ---- Files, good and spoilt ----------------------------------------------------------------------------------------- */

static const char sample[] = "pleach-rules 1\n# tuned\ncollective=scan,exscan bytes=64K-1M ranks=2-16 ranks-per-node=1 "
                             "op=exact,user site=\"*solve* < main*\" -> engine=chain,ring block=32K # why\n"
                             "bytes=1M-inf site=*x* -> engine=^circulant alpha=5us beta=0.1ns gamma=0\n";

/* Each beginning of a file, and each file with a wrong byte, is either read or refused with a reason: nothing crashes. */
START_TEST(spoilt_files)
{
    const struct facts f = call(SCAN(M, 8, 1));
    int good = 0;
    free(parse_good(sample));
    for (size_t i = 0; i < 40 * sizeof sample; i++) {
        size_t length = i < sizeof sample ? i : sizeof sample - 1;
        char *text = malloc(length + 1); /* no larger, so that valgrind finds a read behind its end */
        memcpy(text, sample, length);
        text[length] = 0;
        if (i >= sizeof sample)
            text[i % length] = "\n\"# =-,*>^\x01\xff"
                               "0KabZ"[below(17)];
        struct rules *r = parse(text);
        REQUIRE(!r == (report_count > 0 && reports[0].fatal), "%s: %d reports", text, report_count);
        if (r) {
            good++;
            uint64_t asked;
            found(r, &f, "solve < main", &asked);
        }
        free(r);
        free(text);
    }
    ck_assert_int_gt(good, 100);
}

START_TEST(reading_files)
{
    static char big[TEXTFILE_MOST + 2];
    static const char name[] = "rules";
    char why[64] = "";
    ck_assert_ptr_null(textfile_read(name, why, sizeof why));
    ck_assert_str_eq(why, "No such file or directory");
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(textfile_read((const char *[]){".", "/dev/zero", name}[i], why, sizeof why));
        ck_assert_str_eq(why, "it is not a regular file");
    }
    ck_assert_int_eq(unlink(name), 0);
    char *nothing = textfile_read("/dev/null", why, sizeof why);
    ck_assert_str_eq(nothing, "");
    free(nothing);
    write_file(name, "\xef\xbb\xbf# text", 9);
    char *marked = textfile_read(name, why, sizeof why);
    ck_assert_str_eq(marked, "# text");
    free(marked);

    memset(big, '#', sizeof big - 1);
    for (int more = 0; more < 2; more++) {
        write_file(name, big, TEXTFILE_MOST + (size_t)more);
        char *text = textfile_read(name, why, sizeof why);
        ck_assert_int_eq(text == NULL, more);
        ck_assert_uint_eq(text ? strlen(text) : 0, more ? 0 : TEXTFILE_MOST);
        free(text);
    }
    ck_assert_str_eq(why, "it has more than 1048576 bytes");
    write_file(name, sample, sizeof sample); /* with its NUL */
    ck_assert_ptr_null(textfile_read(name, why, sizeof why));
    ck_assert_str_eq(why, "it has a NUL byte: it is no text");
    for (size_t length = 0; length < sizeof sample; length += sizeof sample - 1) {
        write_file(name, sample, length);
        char *text = textfile_read(name, why, sizeof why);
        ck_assert_ptr_nonnull(text);
        ck_assert(strlen(text) == length && strncmp(text, sample, length) == 0);
        free(text);
    }
}

/* A file to which the run writes learned rules, under whatever name, need not exist. */
START_TEST(grown)
{
    char why[256] = "";
    char *text = rules_read("new.rules", "./.././new.rules", why, sizeof why);
    ck_assert_ptr_null(text);
    text = rules_read("new.rules", ".//./new.rules", why, sizeof why);
    ck_assert_msg(text && strcmp(text, "pleach-rules 1\n") == 0, "%s", why);
    free(text);
    ck_assert_ptr_null(rules_read("new.rules", "", why, sizeof why));
    write_file("new.rules", "", 0); /* another job has just created it */
    text = rules_read("new.rules", "new.rules", why, sizeof why);
    ck_assert_str_eq(text, "pleach-rules 1\n");
    free(text);
    write_file("new.rules", sample, sizeof sample - 1);
    text = rules_read("new.rules", "new.rules", why, sizeof why);
    ck_assert_str_eq(text, sample);
    free(text);
}

SUITE("rules_errors", 30)
