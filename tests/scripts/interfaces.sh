#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each mpi.h of ours says what the mpi.h of MPI libraries with this interface says: constants, sizes, layouts, prototypes.
# The test takes the headers that are installed, and those that HEADERS names: mpich:FOLDER openmpi:FOLDER standard:FOLDER.
. "$srcdir/tests/scripts/mpi.sh"
compared=0

# The functions that our mpi.h declares, as the header of an MPI library has them. The types of callbacks are defined again,
# which the compiler allows if both definitions agree.
cat >"$scratch/functions.c" <<'END'
#include <mpi.h>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define SAME(name, ...) __builtin_types_compatible_p(__typeof__(name), int(__VA_ARGS__))
#define FUNCTION(name, ...) _Static_assert(SAME(MPI_##name, __VA_ARGS__) && SAME(PMPI_##name, __VA_ARGS__), #name);
#if MPI_VERSION >= 4
#define FUNCTION_OF_4 FUNCTION
#else
#define FUNCTION_OF_4(...)
#endif
#include "functions.h"
END

# The start of a program that prints values. A constant that is the address of an object is printed as a hash of its name.
cat >"$scratch/values.h" <<'END'
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
static long number(const char *name)
{
    long hash = 1;
    while (*name)
        hash = hash * 31 + *name++;
    return hash;
}
#undef OBJECT
#undef OMPI_PREDEFINED_GLOBAL
#define OBJECT(type, object) ((type)number(#object))
#define OMPI_PREDEFINED_GLOBAL OBJECT
#define OMPI_C_MPI_COMM_NULL_COPY_FN number("OMPI_C_MPI_COMM_NULL_COPY_FN")
#define OMPI_C_MPI_TYPE_NULL_COPY_FN number("OMPI_C_MPI_TYPE_NULL_COPY_FN")
#define VALUE(name) printf("%s %zu %ld\n", #name, sizeof(name), (long)(name));
#define TYPE(name) printf("%s %zu %zu\n", #name, sizeof(name), _Alignof(name));
#define FIELD(name) printf("%s %zu\n", #name, offsetof(MPI_Status, name));
END

# printed FILE FOLDER..: compiles $scratch/values.c with the headers in these folders, and writes what it prints. False if it
# cannot be compiled; $out has the reason.
printed() {
    printed_file=$1
    shift
    # shellcheck disable=SC2046 # words
    cc -std=gnu11 -w $(printf -- '-I%s ' "$@") -I"$scratch" -o "$scratch/values" "$scratch/values.c" >"$out" 2>&1 &&
        "$scratch/values" >"$printed_file"
}

# values OURS THEIRS: prints a program that prints all of our mpi.h that theirs has, too. The two are folders.
values() {
    echo '#include <mpi.h>' | cc -E -dD -I"$2" -xc - >"$scratch/theirs"
    {
        sed -n 's/^#define \(MPI_[A-Z0-9_]*\)[ (].*/VALUE \1/p; s/^ *\(MPI_[A-Z0-9_]*\) = .*/VALUE \1/p' \
            "$srcdir/include/pleach/mpi/abi_constants.h" "$1/mpi.h"
        sed -n 's/^\(typedef\|}\) .*\<\(MPI_[A-Za-z_]*\);$/TYPE \2/p; s/^} \(MPI_[A-Za-z]*\);$/TYPE \1/p' "$1/mpi.h"
        printf 'FIELD %s\n' MPI_SOURCE MPI_TAG MPI_ERROR
    } >"$scratch/names"
    echo '#include "values.h"'
    echo 'int main(void) {'
    while read -r values_kind values_name; do
        if grep -qw "$values_name" "$scratch/theirs"; then
            echo "$values_kind($values_name)"
        else
            echo "$values_name" >>"$scratch/missing"
        fi
    done <"$scratch/names"
    echo '}'
}

# agrees OURS THEIRS: true if the header in the folder OURS agrees with the one in THEIRS; else $out has the difference.
agrees() {
    : >"$scratch/missing"
    values "$@" >"$scratch/values.c"
    printed "$scratch/our_values" "$1" "$srcdir/include/pleach/mpi" && printed "$scratch/their_values" "$2" &&
        diff "$scratch/our_values" "$scratch/their_values" >"$out" &&
        cc -std=gnu11 -Wall -Werror -I"$2" -I"$1" -I"$srcdir/include/pleach/mpi" -fsyntax-only "$scratch/functions.c" \
            >"$out" 2>&1
}

# compare INTERFACE FOLDER: fails unless our header agrees with the one in this folder, and errors in ours are found.
compare() {
    ours=$srcdir/src/mpi/$1
    agrees "$ours" "$2" || fail "src/mpi/$1/mpi.h and $2/mpi.h: $(cat "$out")"
    compared=$((compared + 1))
    echo "$2/mpi.h: $(wc -l <"$scratch/their_values") values, without $(tr '\n' ' ' <"$scratch/missing")"
    [ "$(wc -l <"$scratch/their_values")" -gt 130 ] || fail 'hardly any value was compared'
    grep -vxE "$absent" "$scratch/missing" >"$out" && fail "$2/mpi.h lacks $(cat "$out")"
    mkdir -p "$scratch/planted"
    for error in 's/\(MPI_ERR_NO_MEM =\).*/\1 99,/' 's/MPI_SOURCE, MPI_TAG,/MPI_TAG, MPI_SOURCE,/' \
        '/MPI_LONG_INT /s/000002, mpi_long_int, 0x22a/000003, mpi_int, 0x22b/' \
        's/^typedef .* MPI_Count;/typedef int MPI_Count;/'; do
        sed "$error" "$ours/mpi.h" >"$scratch/planted/mpi.h"
        sed "$error" "$srcdir/include/pleach/mpi/abi_constants.h" >"$scratch/planted/abi_constants.h"
        ! agrees "$scratch/planted" "$2" || fail "this error in the interface $1 is not found: $error"
    done
    rm "$scratch/planted/abi_constants.h"
    for error in 's/(Wait, MPI_Request \*/&, int/' 's/(Recv, void/(Recv, const void/' \
        's/void MPI_User_function/int MPI_User_function/'; do
        sed "$error" "$srcdir/include/pleach/mpi/functions.h" >"$scratch/planted/functions.h"
        ! agrees "$scratch/planted" "$2" || fail "this error in functions.h is not found: $error"
    done
}

absent=MPI_COMBINER_VALUE_INDEX # of MPI 4.1
# folder FLAGS..: prints the first folder with an mpi.h that these flags of the preprocessor name.
folder() {
    for folder_flag; do
        case $folder_flag in -I*) [ ! -e "${folder_flag#-I}/mpi.h" ] || { echo "${folder_flag#-I}" && return; } ;; esac
    done
}
# shellcheck disable=SC2086 # words
for header in "mpich:$(folder $MPI_COMPILER -I/usr/include)" "openmpi:$(folder $OPENMPI_FLAGS)" \
    "standard:$(folder "-I$srcdir/../shared/mpi5/include/abi")" $(printf 'standard:%s ' \
        /usr/lib/*/mpi_abi_mpich/include /usr/lib/*/openmpi/include/standard_abi) ${HEADERS:-}; do
    if [ -e "${header#*:}/mpi.h" ]; then
        compare "${header%%:*}" "${header#*:}"
    else
        echo "not tested: ${header%%:*}: there is no mpi.h in ${header#*:}"
    fi
done
[ "$compared" -gt 0 ] || skip 'no mpi.h'
exit "$status"
