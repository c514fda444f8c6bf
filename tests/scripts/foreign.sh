#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs of MPI libraries that Pleach does not know run natively, after one warning; so do they where a part is missing or
# belongs to another build.
. "$srcdir/tests/scripts/mpi.sh"

# An MPI library with the handles of MPItrampoline, whatever the library behind it.
if compiled wrapper.so -shared -fPIC <<'END'; then
#include <string.h>
int PMPI_Get_library_version(char *version, int *length)
{
    strcpy(version, "MPIwrapper 2.11.1, using MPIABI 2.10.0, wrapping:\nMPICH Version:      4.1.2\n");
    *length = (int)strlen(version);
    return 0;
}
END
    LIBPLEACH=$LIBPLEACH:$scratch/wrapper.so preloaded 2 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/five" \
        >"$out" 2>&1 || fail "MPIwrapper: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    says "$out" 'pleach: this MPI library is "MPIwrapper 2.11.1'
    silent_about "$out" 'chain forced'
fi

# Plugins may bring two MPI libraries into a process. The first one's calls are served.
cat >"$scratch/plugin.c" <<'END'
#include <mpi.h>
#include <stddef.h>
int run(void);
int run(void)
{
    static int in[5000], sums[5000];
    int begun;
    MPI_Initialized(&begun);
    if (!begun)
        MPI_Init(NULL, NULL);
    for (int i = 0; i < 5000; i++)
        in[i] = i;
    return MPI_Allreduce(in, sums, 5000, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS || sums[4999] != 4999;
}
END
if open_mpi && mpicc.openmpi -shared -fPIC -o "$scratch/second.so" "$scratch/plugin.c" 2>"$scratch/err" &&
    $MPI_COMPILER -shared -fPIC -o "$scratch/first.so" "$scratch/plugin.c" $MPI_LINKED 2>"$scratch/err" &&
    compiled plugins -ldl <<'END' && in_time "$scratch/plugins" "$scratch/first.so" "$scratch/second.so" >"$out" 2>&1; then
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int wrong = argc - 3, (*run[2])(void);
    for (int i = 0; i < 2; i++)
        *(void **)&run[i] = dlsym(dlopen(argv[i + 1], RTLD_NOW | RTLD_LOCAL), "run");
    for (int i = 0; i < 6; i++)
        wrong += run[i % 2]();
    puts(wrong ? "wrong" : "plugins ok");
    return wrong;
}
END
    for order in 'first second' 'second first'; do
        in_time env LD_PRELOAD="$LIBPLEACH" PLEACH_LOG="$scratch/log" "$scratch/plugins" "$scratch/${order% *}.so" \
            "$scratch/${order#* }.so" >"$out" 2>&1 || fail "plugins, $order: exit status $?"
        says "$out" 'plugins ok'
        lines "$out" '^pleach: this process has two MPI libraries; calls of the second one are passed through$' 1
        lines "$out" '^pleach: ' 1
        equal "calls of the ${order% *} one" "$(awk -F '\t' '$6 == "allreduce"' "$scratch/log" | wc -l)" 3
        rm "$scratch/log"
    done
else
    echo "not tested: two MPI libraries in a process: $(head -n 1 "$out")"
fi

# alone NAME WHY: with a copy of libpleach.so beside which there is what `mkdir NAME' and the caller have put there, MPI
# programs run natively, and rank 0 says WHY.
alone() {
    cp "$LIBPLEACH" "$scratch/$1/libpleach.so"
    LIBPLEACH=$scratch/$1/libpleach.so preloaded 2 PLEACH_ENGINE=chain PLEACH_LOG=stderr "$programs/five" >"$out" 2>&1 ||
        fail "$1: exit status $?"
    says "$out" 'five ok'
    lines "$out" '^pleach: ' 1
    lines "$out" "^pleach: $2; every call is passed through\$" 1
    silent_about "$out" 'chain forced'
}
mkdir "$scratch/missing" "$scratch/broken" "$scratch/older" "$scratch/other"
[ -e "$(sed -n "s/^pkglibdir = //p" "$builddir/Makefile")/libpleach-mpich.so" ] ||
    alone missing 'libpleach-mpich.so is neither in the folder pleach beside this library nor in .*'
mkdir "$scratch/broken/pleach"
: >"$scratch/broken/pleach/libpleach-mpich.so"
alone broken '.*/pleach/libpleach-mpich.so: file too short'
for build in older:0.0.1:8 other:"$("$PLEACH" --version | sed 's/.* //')":8; do
    mkdir "$scratch/${build%%:*}/pleach"
    echo "${build}" | {
        IFS=: read -r folder version size
        printf 'const struct { const char *version; unsigned long size; } pleach_part = {"%s", %s};\n' "$version" "$size" |
            compiled "$folder/pleach/libpleach-mpich.so" -shared -fPIC
    }
done
alone older '.*/libpleach-mpich.so belongs to Pleach 0.0.1, not to Pleach .*'
alone other 'libpleach-mpich.so belongs to another build of Pleach'
exit "$status"
