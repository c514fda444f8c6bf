# SPDX-License-Identifier: BSD-2-Clause
"""scripted LIBRARY: broadcasts by this MPICH library without mpi4py, first alone, then beside another thread of Python."""
import ctypes
import sys
import threading

ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
mpi = ctypes.CDLL(None) # finds the first definition of a function, as a linked program does
COMM_WORLD, BYTE = 0x44000000, 0x4C00010D
data = ctypes.create_string_buffer(1000)


def send():
    if mpi.MPI_Bcast(data, len(data), BYTE, 0, COMM_WORLD):
        sys.exit("scripted: the broadcast failed")


class Solver:
    def step(self):
        send()


def recursive(depth):
    if depth > 0:
        recursive(depth - 1)
    else:
        send()


mpi.MPI_Init(None, None)
for i in range(3):
    Solver().step()
recursive(40)
done = threading.Event()
other = threading.Thread(target=done.wait)
other.start()
send()
done.set()
other.join()
mpi.MPI_Finalize()
print("scripted ok")
