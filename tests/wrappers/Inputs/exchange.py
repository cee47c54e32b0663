# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends an int where a float is received, from two lines; and loses a message. "right": it does none of that."""
import sys

from mpi4py import MPI


def exchange(comm, number, kind):
    if comm.rank == 0:
        comm.Send([number, 1, MPI.INT], dest=1, tag=1)
        comm.Send([number, 1, MPI.INT], dest=1, tag=2)
    elif comm.rank == 1:
        comm.Recv([number, 1, kind], source=0, tag=1)
        comm.Recv([number, 1, kind], source=0, tag=2)


class Größe:
    def run(self, comm):
        if comm.rank == 0:
            comm.send({"a": 1}, dest=1, tag=3)


is_right = "right" in sys.argv
exchange(MPI.COMM_WORLD, bytearray(4), MPI.INT if is_right else MPI.FLOAT)
if not is_right:
    Größe().run(MPI.COMM_WORLD)
