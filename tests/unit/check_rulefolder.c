/* SPDX-License-Identifier: BSD-2-Clause */
/* Folders of rules: which file a job reads. */
#include "rulefolder.h"
#include "suite.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = "folder";

/* Empties the folder, and makes files of these names there. The text of each file is its name. */
static void fill(const char *names)
{
    char path[256], name[64];
    int used;
    ck_assert_int_eq(system("rm -rf folder && mkdir folder"), 0);
    for (; sscanf(names, " %60s%n", name, &used) == 1; names += used) {
        snprintf(path, sizeof path, "folder/%s", name);
        write_file(path, name, strlen(name));
    }
}

static void taken(int ranks, int nodes, const char *want)
{
    char file[RULEFOLDER_FILE], why[256] = "";
    char *text = rulefolder_read(folder, "", ranks, nodes, file, why, sizeof why);
    REQUIRE(text, "%d on %d: %s", ranks, nodes, why);
    REQUIRE(strcmp(text, want) == 0, "%d on %d: %s instead of %s", ranks, nodes, text, want);
    ck_assert_int_eq(strncmp(file, folder, strlen(folder)), 0);
    if (strchr(want, '\n')) /* no file fits: `file` is the folder */
        ck_assert_str_eq(file, folder);
    else
        ck_assert_str_eq(file + strlen(folder) + 1, want);
    free(text);
}

START_TEST(most_exact)
{
    fill("16-on-4.rules 16.rules 160-on-4.rules default.rules other.rules notes.txt");
    taken(16, 4, "16-on-4.rules");
    taken(16, 2, "16.rules");
    taken(16, 16, "16.rules");
    taken(160, 4, "160-on-4.rules");
    taken(1, 6, "default.rules");
    taken(4, 4, "default.rules");
    fill("16-on-4.rules 16.rules");
    taken(8, 2, "pleach-rules 1\n");
    taken(16, 1, "16.rules");
    fill("other.rules");
    taken(16, 4, "pleach-rules 1\n");
}

START_TEST(not_read)
{
    static const char path[] = "folder/2-on-1.rules";
    char file[RULEFOLDER_FILE], why[256] = "";
    fill("notes.txt");
    ck_assert_ptr_null(rulefolder_read(folder, "", 2, 1, file, why, sizeof why));
    ck_assert_str_eq(why, "it is a folder without files *.rules");
    ck_assert_str_eq(file, folder);
    ck_assert_ptr_null(rulefolder_read("/nowhere/at/all", "/nowhere/at/other", 2, 1, file, why, sizeof why));
    ck_assert_str_eq(why, strerror(ENOENT));
    /* If the name of the best file belongs to a folder, that is an error: no other file takes its place. */
    fill("default.rules 2.rules");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_ptr_null(rulefolder_read(folder, "", 2, 1, file, why, sizeof why));
    ck_assert_str_eq(file, path);
    ck_assert_str_eq(why, "it is not a regular file");
    taken(2, 2, "2.rules");
    /* A link that leads nowhere counts as no file. */
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(symlink("/nowhere/at/all", path), 0);
    taken(2, 1, "2.rules");
}

/* A file to which the run writes its lessons, under whatever name, need not exist. */
START_TEST(grown)
{
    char file[RULEFOLDER_FILE], why[256] = "";
    fill("16.rules");
    char *text = rulefolder_read("folder/new.rules", "./folder/../folder/new.rules", 2, 1, file, why, sizeof why);
    ck_assert_msg(text && strcmp(text, "pleach-rules 1\n") == 0, "%s", why);
    free(text);
    ck_assert_ptr_null(rulefolder_read("folder/new.rules", "new.rules", 2, 1, file, why, sizeof why));
    ck_assert_ptr_null(rulefolder_read("folder/new.rules", "", 2, 1, file, why, sizeof why));
}

struct listed {
    char names[512];
};

static void note(void *to, const char *file, bool job)
{
    struct listed *l = to;
    size_t used = strlen(l->names);
    snprintf(l->names + used, sizeof l->names - used, "%s%s ", strrchr(file, '/') + 1, job ? "" : "(none)");
}

START_TEST(all_files)
{
    struct listed l = {""};
    fill(
        "2.rules 10.rules 16-on-4.rules 4-on-16.rules 016.rules 16x4.rules 1.rules default.rules Default.rules 16-on-4.rule "
        "16-on-0.rules -2.rules 16-on.rules .rules 99999999999-on-1.rules");
    ck_assert_int_eq(rulefolder_each(folder, note, &l), 13);
    ck_assert_str_eq(l.names, "-2.rules(none) 016.rules(none) 1.rules(none) 2.rules 4-on-16.rules(none) 10.rules "
                              "16-on-0.rules(none) 16-on-4.rules 16-on.rules(none) 16x4.rules(none) "
                              "99999999999-on-1.rules(none) Default.rules(none) default.rules ");
    ck_assert_int_eq(rulefolder_each("/nowhere/at/all", note, &l), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(is_rulefolder(folder) && !is_rulefolder("/nowhere/at/all") && !is_rulefolder("/dev/null"));
}

START_TEST(own_file)
{
    char file[RULEFOLDER_FILE];
    rulefolder_file("here", 16, 4, file);
    ck_assert_str_eq(file, "here/16-on-4.rules");
    rulefolder_file("/", 2, 1, file);
    ck_assert_str_eq(file, "/2-on-1.rules");
}

SUITE("rulefolder", 30)
