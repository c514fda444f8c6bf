#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Buffers may lie in device memory, which the processor must not touch (fakes/device.c). Results are right with each driver,
# with device memory on any ranks, and with all sorts of engines. The program makes calls before it loads the driver, too.
. "$srcdir/tests/scripts/mpi.sh"
LIBPLEACH=$LIBPLEACH:$fakes/device.so
for driver in libcuda.so.1 libamdhip64.so.6 libze_loader.so.1; do
    cp "$fakes/driver.so" "$scratch/$driver"
done

# device RANKS DRIVER [NAME=VALUE..]: fails unless tests/programs/device succeeds with this driver.
device() {
    device_ranks=$1
    device_driver=$2
    shift 2
    rm -f "$scratch/log"
    runs "$device_ranks" PLEACH_THRESHOLD=0 PLEACH_BLOCK=5K PLEACH_LOG="$scratch/log" "$@" "$programs/device" \
        "$scratch/$device_driver"
    says "$out" 'calls, ok'
}

for driver in libcuda.so.1 libamdhip64.so.6 libze_loader.so.1; do
    device 3 "$driver" PLEACH_ENGINE=chain,ring,butterfly
    equal "engines with $driver" "$(reasons "$scratch/log")" 'butterfly forced
chain forced
ring forced'
done
runs 3 PLEACH_THRESHOLD=0 PLEACH_ENGINE=chain,butterfly "$programs/device" "$scratch/libcuda.so.1" lack
says "$out" 'calls, ok'
if [ "${WHOLE:-no}" = yes ]; then
    device 2 libcuda.so.1 PLEACH_ENGINE=bintree
    engines_served "$scratch/log" bintree
    device 5 libcuda.so.1 PLEACH_ENGINE=two-tree
    engines_served "$scratch/log" two-tree
fi
device 4 libcuda.so.1 PLEACH_ENGINE=random:1
reasons "$scratch/log" | grep -q ' random$' || fail "no engine is drawn: $(reasons "$scratch/log")"
device 3 libcuda.so.1 PLEACH_ENGINE=native
device 3 libcuda.so.1 PLEACH_ENGINE=native PLEACH_SUMS=exact
device 3 libcuda.so.1 PLEACH_SHARED=64M PLEACH_ENGINE=node-copy,node-line
engines_served "$scratch/log" node-copy node-line
device 3 libcuda.so.1 PLEACH_SHARED=64M PLEACH_ENGINE=node-flat PLEACH_SCAN_ENGINE=node-prefixes
engines_served "$scratch/log" node-flat node-prefixes
if with mpich; then
    device 4 libcuda.so.1 PLEACH_SHARED=64M PLEACH_ENGINE=lanes $two_nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1
    engines_served "$scratch/log" lanes
fi
device 3 libcuda.so.1 PLEACH_ENGINE=chain,ring,butterfly PLEACH_VERIFY=yes
says "$out" 'none of'

exit "$status"
