/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of source, by libdw; see codefile.h. */
#include <config.h> /* HAVE_LIBDW */

#include "codefile.h"

#ifdef HAVE_LIBDW

#include "buildid.h"
#include "cli.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Names of C++ --------------------------------------------------------------------------------------------------- */

enum { HOPS = 16 }; /* most references to follow, more than any compiler makes: a file may be damaged */

/* The declaration of a function, in its class or namespace. The function's code and its inlined copies refer to it. */
static Dwarf_Die declaration(Dwarf_Die function)
{
    Dwarf_Attribute reference;
    Dwarf_Die next;
    for (int i = 0; i < HOPS && (dwarf_formref_die(dwarf_attr(&function, DW_AT_abstract_origin, &reference), &next) ||
                                 dwarf_formref_die(dwarf_attr(&function, DW_AT_specification, &reference), &next));
         i++)
        function = next;
    return function;
}

/* Puts a scope before a name, and frees both. If one of them is NULL, returns the other. */
static char *join(char *scope, char *name)
{
    char *joined = NULL;
    if (!scope || !name)
        return scope ? scope : name;
    cli_enough(asprintf(&joined, "%s::%s", scope, name) >= 0);
    free(scope);
    free(name);
    return joined;
}

static char *own_name(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    if (!name && dwarf_tag(die) == DW_TAG_namespace)
        name = "(anonymous)";
    return name ? cli_copy(name) : NULL;
}

/* The name as in "space::type::solve", without parameters; NULL if there is none. */
static char *full_name(Dwarf_Die function)
{
    Dwarf_Die *scope = NULL;
    function = declaration(function);
    char *name = own_name(&function);
    int scopes = dwarf_getscopes_die(&function, &scope);
    for (int i = 1; i < scopes && dwarf_tag(&scope[i]) != DW_TAG_compile_unit; i++) {
        bool in_function = dwarf_tag(&scope[i]) == DW_TAG_subprogram;
        name = join(in_function ? full_name(scope[i]) : own_name(&scope[i]), name);
        if (in_function)
            break;
    }
    free(scope);
    return name;
}

/*
 * Finds the innermost function in a scope, inlined or not, that has this address. dwarf_getscopes() would not find a lambda
 * that has code of its own, as the lambda is declared in another function.
 */
static void find_function(Dwarf_Die *scope, Dwarf_Addr address, Dwarf_Die *found)
{
    Dwarf_Die die;
    for (int end = dwarf_child(scope, &die); end == 0; end = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&die, address) > 0)
            *found = die;
        find_function(&die, address, found);
    }
}

static char *function_at(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias), found;
    if (!unit)
        return NULL;
    found = *unit;
    find_function(unit, address - bias, &found);
    return dwarf_tag(&found) == DW_TAG_compile_unit ? NULL : full_name(found);
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

static char *place_at(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwfl_Line *found = dwfl_module_getsrc(module, address);
    int number = 0;
    char *place = NULL;
    const char *file = found ? dwfl_lineinfo(found, NULL, &number, NULL, NULL, NULL) : NULL;
    const char *folder = file ? strrchr(file, '/') : NULL;
    if (file && number > 0 && asprintf(&place, "%s:%d", folder ? folder + 1 : file, number) < 0)
        cli_fail(STATUS_FAILED, "out of memory");
    return place;
}

static enum codefile_end find_in_module(Dwfl_Module *module, const char *id, struct code_line *line, int count)
{
    const unsigned char *bytes;
    GElf_Addr where;
    char now[BUILDID_TEXT] = "-";
    enum codefile_end end = CODEFILE_STRIPPED;
    if (!dwfl_module_getelf(module, &where))
        return CODEFILE_GONE;
    int size = dwfl_module_build_id(module, &bytes, &where);
    if (size > 0)
        buildid_print(bytes, (size_t)size, now);
    if (strcmp(id, "-") == 0)
        return CODEFILE_NO_ID;
    if (strcmp(id, now) != 0)
        return CODEFILE_REBUILT;
    for (int i = 0; i < count; i++) {
        line[i].place = place_at(module, line[i].address);
        line[i].function = line[i].mangled ? function_at(module, line[i].address) : NULL;
        end = line[i].place ? CODEFILE_FOUND : end;
    }
    return end;
}

enum codefile_end codefile_find(const char *path, const char *id, struct code_line *line, int count)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) /* libdw would wait for a pipe */
        return CODEFILE_GONE;
    unsetenv("DEBUGINFOD_URLS"); /* otherwise libdw fetches missing files over the network */
    Dwfl *session = dwfl_begin(&callbacks);
    if (!session)
        cli_fail(STATUS_FAILED, "libdw: %s", dwfl_errmsg(-1));
    dwfl_report_begin(session);
    Dwfl_Module *module = dwfl_report_elf(session, path, path, -1, 0, true);
    dwfl_report_end(session, NULL, NULL);
    enum codefile_end end = module ? find_in_module(module, id, line, count) : CODEFILE_GONE;
    dwfl_end(session);
    return end;
}

#else

enum codefile_end codefile_find(const char *path, const char *id, struct code_line *line, int count)
{
    (void)path;
    (void)id;
    (void)line;
    (void)count;
    return CODEFILE_NO_LIBDW;
}

#endif
