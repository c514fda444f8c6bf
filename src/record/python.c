/* SPDX-License-Identifier: BSD-2-Clause */
/* See python.h. */
#include "python.h"

#include "hash.h"
#include "call_site.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 4096, LINE_SLOTS = 2 * LINES };

static struct {
    void *(*thread_here)(void), *(*interpreter)(void), *(*next_interpreter)(void *);
    void *(*thread)(void *), *(*next_thread)(void *);
    int (*ensure)(void);
    void (*release)(int);
    void (*fetch)(void **, void **, void **), (*restore)(void *, void *, void *), (*clear)(void);
    void *(*frame)(void), *(*back)(void *), *(*code)(void *);
    int (*line)(void *);
    void *(*attribute)(void *, const char *);
    const char *(*utf8)(void *);
    void (*keep)(void *), (*drop)(void *);
} python;

static const struct {
    const char *name;
    size_t where;
} functions[] = {
    {"PyGILState_GetThisThreadState", offsetof(__typeof__(python), thread_here)},
    {"PyInterpreterState_Head", offsetof(__typeof__(python), interpreter)},
    {"PyInterpreterState_Next", offsetof(__typeof__(python), next_interpreter)},
    {"PyInterpreterState_ThreadHead", offsetof(__typeof__(python), thread)},
    {"PyThreadState_Next", offsetof(__typeof__(python), next_thread)},
    {"PyGILState_Ensure", offsetof(__typeof__(python), ensure)},
    {"PyGILState_Release", offsetof(__typeof__(python), release)},
    {"PyErr_Fetch", offsetof(__typeof__(python), fetch)},
    {"PyErr_Restore", offsetof(__typeof__(python), restore)},
    {"PyErr_Clear", offsetof(__typeof__(python), clear)},
    {"PyEval_GetFrame", offsetof(__typeof__(python), frame)},
    {"PyFrame_GetBack", offsetof(__typeof__(python), back)},
    {"PyFrame_GetCode", offsetof(__typeof__(python), code)},
    {"PyFrame_GetLineNumber", offsetof(__typeof__(python), line)},
    {"PyObject_GetAttrString", offsetof(__typeof__(python), attribute)},
    {"PyUnicode_AsUTF8", offsetof(__typeof__(python), utf8)},
    {"Py_IncRef", offsetof(__typeof__(python), keep)},
    {"Py_DecRef", offsetof(__typeof__(python), drop)},
};

static uintptr_t begin, end; /* the interpreter's code, or nothing */

/* ---- The interpreter ------------------------------------------------------------------------------------------------- */

static int find_code(struct dl_phdr_info *module, size_t size, void *address)
{
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &module->dlpi_phdr[i];
        const uintptr_t start = module->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && (uintptr_t)address - start < p->p_memsz) {
            begin = start;
            end = start + p->p_memsz;
            return 1;
        }
    }
    return 0;
}

void python_open(void)
{
    if (end)
        return;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(RTLD_DEFAULT, functions[i].name);
        if (!function)
            return;
        memcpy((char *)&python + functions[i].where, &function, sizeof function);
    }
    dl_iterate_phdr(find_code, *(void **)&python.frame);
}

bool python_runs(const void *address)
{
    return (uintptr_t)address - begin < end - begin;
}

/* As far as Python knows. Takes no lock. */
static bool alone(void)
{
    void *here = python.thread_here(), *interpreter = here ? python.interpreter() : NULL;
    return here && interpreter && !python.next_interpreter(interpreter) && python.thread(interpreter) == here &&
           !python.next_thread(here);
}

/* ---- Lines ----------------------------------------------------------------------------------------------------------- */

/* A calling line, written once under Python's lock; keeps a reference to the code. */
static struct script_line {
    void *code;
    int number;
    char *name;
} lines[LINES];
static int count, slot[LINE_SLOTS]; /* slot: a line's number, from 1 */

/* A text; "?" and false if there is none. */
static bool put_attribute(void *code, const char *attribute, char text[CALL_SITE_NAME])
{
    void *object = python.attribute(code, attribute);
    const char *utf8 = object ? python.utf8(object) : NULL;
    snprintf(text, CALL_SITE_NAME, "%s", utf8 ? utf8 : "?");
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    if (object)
        python.drop(object);
    python.clear();
    return utf8;
}

static char *name_of(void *code, int number)
{
    char function[CALL_SITE_NAME], file[CALL_SITE_NAME], name[CALL_SITE_NAME];
    if (!put_attribute(code, "co_qualname", function))
        put_attribute(code, "co_name", function);
    put_attribute(code, "co_filename", file);
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%.120s (%.110s:%d)", function, slash ? slash + 1 : file, number);
    return strdup(name);
}

static struct script_line *line_of(void *frame)
{
    void *code = python.code(frame);
    const int number = python.line(frame);
    uint64_t at = mix64((uintptr_t)code + (uint64_t)number);
    struct script_line *l = NULL;
    for (; slot[at % LINE_SLOTS] && !l; at++) {
        struct script_line *known = &lines[slot[at % LINE_SLOTS] - 1];
        l = known->code == code && known->number == number ? known : NULL;
    }
    char *name = !l && count < LINES ? name_of(code, number) : NULL;
    if (name) {
        l = &lines[count];
        *l = (struct script_line){code, number, name};
        slot[at % LINE_SLOTS] = ++count;
    } else {
        python.drop(code);
    }
    return l;
}

int python_capture(void *frame[], int most)
{
    int taken = 0;
    if (!alone())
        return 0;
    void *error[3], *back;
    const int state = python.ensure();
    python.fetch(&error[0], &error[1], &error[2]);
    void *f = python.frame();
    if (f)
        python.keep(f);
    for (; f && taken < most; f = back) {
        struct script_line *l = line_of(f);
        if (l)
            frame[taken++] = l;
        back = python.back(f);
        python.drop(f);
    }
    if (f)
        python.drop(f);
    python.restore(error[0], error[1], error[2]);
    python.release(state);
    return taken;
}

const char *python_name(const void *frame)
{
    const uintptr_t into = (uintptr_t)frame - (uintptr_t)lines;
    return into < sizeof lines ? lines[into / sizeof lines[0]].name : NULL;
}
