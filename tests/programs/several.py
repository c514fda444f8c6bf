# SPDX-License-Identifier: BSD-2-Clause
"""several: makes large calls by mpi4py, which loads its MPI library late. It does without numpy."""
from array import array

from mpi4py import MPI

N = 100003
world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()


def numbers(factor):
    return array("i", (factor * (i % 1009) for i in range(N)))


def check(what, got, want):
    if got != want:
        print(f"several: {what} is wrong on rank {rank}", flush=True)
        world.Abort(1)


for root in range(ranks):
    data = numbers(root + 1) if rank == root else array("i", bytes(4 * N))
    world.Bcast([data, MPI.INT], root)
    check("Bcast", data, numbers(root + 1))
    total = array("i", bytes(4 * N))
    world.Reduce([numbers(rank + 1), MPI.INT], [total, MPI.INT], MPI.SUM, root)
    if rank == root:
        check("Reduce", total, numbers(ranks * (ranks + 1) // 2))

sums = array("i", bytes(4 * N))
world.Scan([numbers(rank + 1), MPI.INT], [sums, MPI.INT], MPI.SUM)
check("Scan", sums, numbers((rank + 1) * (rank + 2) // 2))
world.Exscan([numbers(rank + 1), MPI.INT], [sums, MPI.INT], MPI.SUM)
if rank > 0: # MPI leaves the result on rank 0 as it was
    check("Exscan", sums, numbers(rank * (rank + 1) // 2))
world.Allreduce(MPI.IN_PLACE, [sums, MPI.INT], MPI.MAX)
check("Allreduce in place", sums, numbers(max(1, (ranks - 1) * ranks // 2)))
copy = world.Dup()
copy.Allreduce([numbers(1), MPI.INT], [sums, MPI.INT], MPI.SUM)
check("Allreduce", sums, numbers(ranks))
copy.Free()
# mpi4py broadcasts an object as the length of its pickle, and then the pickle.
check("bcast", world.bcast(list(range(N)) if rank == 0 else None), list(range(N)))
world.Barrier()
if rank == 0:
    print("several ok")
