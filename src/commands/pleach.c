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

static const struct command *const commands[] = {
    &command_run,     &command_advise,   &command_doctor,   &command_path,        &command_settings,
    &command_engines, &command_schedule, &command_simulate, &command_choose,      &command_rules,
    &command_log,     &command_report,   &command_compare,  &command_check_rules, &command_export,
    &command_tune,    &command_bench,    &command_figures,  &command_places,      NULL,
};

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
           "Faster large collectives for unmodified MPI programs; see pleach(1) and pleach(7).\n\n");
    for (int i = 0; commands[i]; i++)
        printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n  --help         print this text; after a command, print that command's help\n"
           "  -V, --version  print the version\n"
           "  help COMMAND   the same as COMMAND --help\n\n"
           "Report bugs to your site, or to the maker of the package; see BUGS in pleach(1).\n");
}

_Noreturn static void refuse(const char *name)
{
    static const char *const others[] = {"help", "--help", "--version"};
    struct nearest near = {.text = name, .prefix = name[0] == '-' ? 2 : 0};
    for (int i = 0; commands[i]; i++)
        nearest_try(&near, commands[i]->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        nearest_try(&near, others[i]);
    cli_fail(STATUS_USAGE, "unknown %s '%s'%s; see 'pleach --help'", name[0] == '-' ? "option" : "command", name,
             nearest_hint(&near));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        cli_fail(STATUS_USAGE, "a command is missing; see 'pleach --help'");
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 && argc > 3)
        cli_fail(STATUS_USAGE, "help: too many operands: '%s'; see 'pleach --help'", argv[3]);
    if (strcmp(name, "help") == 0 && argc > 2) { /* as "COMMAND --help" */
        static char help[] = "--help";
        name = argv[1] = argv[2];
        argv[2] = help;
    }
    for (int i = 0; commands[i]; i++)
        if (strcmp(name, commands[i]->name) == 0) {
            arguments = argv;
            if (!commands[i]->work)
                say_nothing(!is_speaker());
            if (commands[i]->operands_end_options)
                say_nothing(!launcher_first_here());
            return cli_run(commands[i], argc - 1, argv + 1, commands[i]->work ? commands[i]->work : become_helper);
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
