#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make check-soak' makes five runs, of a fifth of SOAK_SECONDS each. Results equal those of native calls. In the end no
# process has more file descriptors or threads, or much more memory or context ids, than after a tenth of the time.
. "$srcdir/tests/scripts/mpi.sh"
PLEACH_SHARED=64M

fifth=$(((SOAK_SECONDS + 4) / 5))
SECONDS_ALLOWED=$((2 * fifth + 600)) # PLEACH_PATIENCE reports a hang long before
printf 'sites\nrank 0-1 a\nrank 2 b/x\nrank 3-4 b/y\n' >"$scratch/places"

# soaks WHAT RANKS THREADS [NAME=VALUE..]: fails unless tests/differential/soak of $build succeeds. Shows its output.
build=$builddir
soaks() {
    echo "$1:"
    soaks_ranks=$2
    soaks_threads=$3
    shift 3
    runs "$soaks_ranks" PLEACH_PATIENCE=120s "$@" "$build/tests/differential/soak" "$fifth" "$soaks_threads" "$SOAK_SEED"
    says "$out" 'soak ok'
    silent_about "$out" 'pleach: '
    grep -E '^(after|soak)' "$out"
}

# all_served FILE PATTERN: fails unless all engines that match are in the report. Recent algorithms of MPICH need not be.
all_served() {
    for engine in $("$PLEACH" engines --all | grep -vE "$recent_algorithms" | awk '!NF { exit } NR > 1 { print $1 }' |
        sort -u | grep -E "$2"); do
        grep -qE " $engine +random$" "$1" || fail "$engine has served no call"
    done
}

soaks 'all engines, in turn' 5 1 PLEACH_THRESHOLD=0 PLEACH_ENGINE="random:$SOAK_SEED" PLEACH_PLACES="$scratch/places" \
    PLEACH_REPORT="$scratch/report"
# A shorter run may not make enough calls to draw each engine. Ranks at different sites share no memory, so lanes,
# multiport and the engines node-.. do not serve.
[ "$SOAK_SECONDS" -lt 300 ] || all_served "$scratch/report" '^([^lmn]|l[^a]|m[^u]|n[^o])|latency'

soaks 'all engines, in threads' 3 4 PLEACH_THRESHOLD=0 PLEACH_ENGINE="random:$SOAK_SEED" PLEACH_BLOCK=1021 \
    PLEACH_REPORT="$scratch/threads"
[ "$SOAK_SECONDS" -lt 300 ] || all_served "$scratch/threads" '^node-'

# Most calls are short; longer ones have several lanes. Native reductions of MPICH 4.0.2 node by node have been wrong on
# made-up nodes, so native calls are flat here.
# shellcheck disable=SC2086 # words
soaks 'calls made of stages, on two nodes' 6 1 $two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1 MPIR_CVAR_ENABLE_SMP_COLLECTIVES=0 \
    PLEACH_THRESHOLD=0 PLEACH_ENGINE=lanes,multiport PLEACH_REPORT="$scratch/stages"
for engine in lanes multiport; do
    grep -qE " $engine +forced$" "$scratch/stages" || fail "$engine has served no call"
done

soaks 'what users get: learning, records, report' 2 1 PLEACH_LEARN="$scratch/rules" PLEACH_LOG="$scratch/log" \
    PLEACH_REPORT="$scratch/users"

# The last run is under ThreadSanitizer, which does not see MPICH's inside. When a thread ends, UCX and libunwind call
# functions that ThreadSanitizer no longer serves. So UCX sets no hooks here, and Pleach takes no call stacks.
build=$TSAN_BUILD
LIBPLEACH=$build/.libs/libpleach.so
# shellcheck disable=SC2086 # CC may have options
YIELD=$(${CC:-cc} -print-file-name=libtsan.so):$YIELD
soaks 'all engines, in threads, under ThreadSanitizer' 3 4 PLEACH_THRESHOLD=0 PLEACH_ENGINE="random:$SOAK_SEED" \
    PLEACH_BLOCK=1021 PLEACH_STACK=0 UCX_MEM_EVENTS=no UCX_MEM_MMAP_HOOK_MODE=none \
    TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1"

exit "$status"
