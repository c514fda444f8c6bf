/* SPDX-License-Identifier: BSD-2-Clause */
/* The command `pleach`: the table of its subcommands. */
#include <config.h> /* PACKAGE_VERSION */

#include "cli.h"
#include "launcher.h"
#include "nearest.h"
#include "parts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

extern const struct command command_run, command_advise, command_doctor, command_path, command_settings, command_engines,
    command_schedule, command_simulate, command_choose, command_rules, command_log, command_report, command_compare,
    command_check_rules, command_export, command_tune, command_bench, command_figures, command_places;

enum { GROUPS = 5, MOST_COMMANDS = 5 };

/* The commands by what they are for, as in pleach(1). The last two groups are for research. */
static const struct group {
    const char *title;
    const struct command *commands[MOST_COMMANDS]; /* up to NULL */
} groups[GROUPS] = {
    {"Run a program", {&command_run, &command_advise, &command_doctor, &command_path}},
    {"Read what it did", {&command_report, &command_log, &command_compare}},
    {"Settings and rules", {&command_settings, &command_tune, &command_check_rules, &command_export}},
    {"What the library would choose", {&command_choose, &command_rules, &command_figures, &command_places}},
    {"Algorithms", {&command_engines, &command_schedule, &command_simulate, &command_bench}},
};

/* Command number i; NULL after the last. */
static const struct command *command_at(int i)
{
    for (const struct group *g = groups; g < groups + GROUPS; g++)
        for (int k = 0; k < MOST_COMMANDS && g->commands[k]; k++)
            if (i-- == 0)
                return g->commands[k];
    return NULL;
}

static char **arguments; /* argv of the command */

/* Becomes pleach-mpi, with this command's arguments, which cli_run() has checked. */
static int become_helper(char **operand)
{
    static char helper[PATH_MAX];
    (void)operand;
    if (!parts_find(PART_HELPER, helper))
        cli_fail(STATUS_FAILED, "pleach-mpi is neither beside this command nor in %s", PLEACH_PKGLIBDIR);
    arguments[0] = helper; /* by this name it finds its modules */
    execv(helper, arguments);
    cli_fail(STATUS_FAILED, "%s: %s", helper, strerror(errno));
}

static void print_commands(void)
{
    printf("Usage: pleach COMMAND [ARGUMENTS]\n\n"
           "Faster large collectives for unmodified MPI programs; pleach-tutorial(7) begins with a first run.\n");
    for (const struct group *g = groups; g < groups + GROUPS; g++) {
        printf("\n%s:\n", g->title);
        for (int k = 0; k < MOST_COMMANDS && g->commands[k]; k++)
            printf("  %-12s %s\n", g->commands[k]->name, g->commands[k]->summary);
    }
    printf("\n  --help         print this text; after a command, print that command's help\n"
           "  -V, --version  print the version\n"
           "  help COMMAND   the same as COMMAND --help\n\n"
           "Report bugs to your site, or to the maker of the package; see BUGS in pleach(1).\n");
}

_Noreturn static void refuse(const char *name)
{
    static const char *const others[] = {"help", "--help", "--version"};
    struct nearest near = {.text = name, .prefix = name[0] == '-' ? 2 : 0};
    for (int i = 0; command_at(i); i++)
        nearest_try(&near, command_at(i)->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        nearest_try(&near, others[i]);
    if (strchr(name, '/'))
        cli_fail(STATUS_USAGE, "unknown command '%s' (did you mean pleach run %s?)", name, name);
    cli_fail(STATUS_USAGE, "unknown %s '%s'%s", name[0] == '-' ? "option" : "command", name, nearest_hint(&near));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        cli_fail(STATUS_USAGE, "a command is missing");
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 && argc > 3)
        cli_fail(STATUS_USAGE, "help: too many operands: '%s'", argv[3]);
    if (strcmp(name, "help") == 0 && argc > 2) { /* as "COMMAND --help" */
        static char help[] = "--help";
        name = argv[1] = argv[2];
        argv[2] = help;
    }
    const struct command *c = NULL;
    for (int i = 0; (c = command_at(i)) && strcmp(name, c->name) != 0;)
        i++;
    if (c) {
        arguments = argv;
        if (!c->work)
            say_nothing(!is_speaker());
        if (c->operands_end_options)
            say_nothing(!launcher_first_here());
        return cli_run(c, argc - 1, argv + 1, c->work ? c->work : become_helper);
    }

    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        print_commands();
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        printf("pleach %s\n", PACKAGE_VERSION);
    else
        refuse(name);
    cli_finish();
    return 0;
}
