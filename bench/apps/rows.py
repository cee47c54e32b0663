# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of the table: which sources make a program, and how it is run."""
from dataclasses import dataclass, field

COMMON = ["aligned.c", "measured.c"]
STENCIL = COMMON + ["stencil/stencil.c", "stencil/domain.c"]
TRANSPOSE = COMMON + ["transpose/transpose.c", "transpose/matrix.c"]
HYDRO = ["measured.c", "hydro/hydro.cpp", "hydro/mesh.cpp"]
MD = ["measured.c", "md/md.cpp", "md/atom.cpp", "md/comm.cpp", "md/neighbor.cpp"]
MD_RMA = MD + ["md/atom-window.cpp", "md/comm-windows.cpp"]
WAVEFRONT = COMMON + ["wavefront/wavefront.c"]
BTSOLVE = ["btsolve.c", "block.c", "field.c", "line-solve.c", "pipeline.c"]

HALO_MESSAGES = ["stencil/margin.c", "stencil/halo-messages.c"]

# The sources of each program, below bench/apps, perhaps with a definition or -fopenmp.
PROGRAMS = {
    "stencil": STENCIL + HALO_MESSAGES,
    "stencil-openmp": COMMON + [name + " -fopenmp" for name in STENCIL[2:]] + HALO_MESSAGES,
    "stencil-rma": STENCIL + ["stencil/margin.c", "stencil/halo-puts.c"],
    "stencil-shared": STENCIL + ["stencil/halo-loads.c"],
    "transpose": TRANSPOSE + ["transpose/blocks-messages.c"],
    "transpose-rma": TRANSPOSE + ["transpose/blocks-windows.c"],
    "md": MD + ["md/force.cpp", "md/atom-heap.cpp", "md/comm-messages.cpp"],
    "md-rma": MD_RMA + ["md/force.cpp"],
    "md-rma-hoisted": MD_RMA + ["md/force.cpp -DHOISTED"],
    "multigrid": COMMON + ["multigrid/multigrid.c", "multigrid/parcsr.c", "multigrid/comm-pkg.c"],
    "fem": ["measured.c", "fem/fem.cpp", "fem/assembly.cpp"],
    "hydro": HYDRO + ["hydro/exchange-messages.cpp"],
    "hydro-rma": HYDRO + ["hydro/exchange-puts.cpp"],
    "sort": ["measured.c", "sort/sort.c", "sort/keys.c"],
    "updates": COMMON + ["updates/updates.c", "updates/bucket.c"],
    "wavefront": WAVEFRONT + ["wavefront/link-messages.c"],
    "wavefront-flags": WAVEFRONT + ["wavefront/link-flags.c"],
    "btsolve": COMMON + ["btsolve/" + name for name in BTSOLVE],
    "micro": COMMON + ["micro/micro.c"],
}


@dataclass
class Row:
    name: str
    program: str
    arguments: str  # some 1 s on 2 idle cores
    smoke: str = ""  # a moment
    # On one rank, with % repetitions: the number of instructions of such a run less that of a run with half as many.
    count: str = ""
    repetitions: int = 0
    ranks: int = 2
    levels: tuple = field(default=("-O2", "-O3"))
    turns: int = 0  # of the loop, where one is a call or two: what a turn takes is in the table, too


ROWS = [
    Row("stencil", "stencil", "1500 250 nonblocking", "100 5 nonblocking", "200 % nonblocking", 10),
    Row("stencil-blocking", "stencil", "1500 250 blocking", "100 5 blocking", levels=("-O2",)),
    Row("stencil-openmp", "stencil-openmp", "1500 250 nonblocking", "100 5 nonblocking"),
    Row("transpose", "transpose", "1800 60 32", "200 3 32", "200 % 32", 10),
    Row("transpose-isend", "transpose", "1800 60 32 nonblocking", "200 3 32 nonblocking", levels=("-O2",)),
    Row("md", "md", "14 150", "4 25", "4 %", 20),
    Row("multigrid", "multigrid", "256 6 10", "32 3 2", "32 3 %", 2),
    Row("fem", "fem", "40 3", "6 1", "6 %", 4),
    Row("hydro", "hydro", "256 256 250", "20 20 5", "32 32 %", 10),
    Row("sort", "sort", "2000000 19 25", "20000 12 2", "20000 12 %", 6),
    Row("updates", "updates", "21 16", "10 2", "10 %", 8),
    Row("stencil-rma", "stencil-rma", "1500 250", "100 5", "200 %", 10),
    Row("stencil-shared", "stencil-shared", "1500 250", "100 5", "200 %", 10),
    Row("transpose-rma", "transpose-rma", "1800 60 32 put", "200 3 32 put", "200 % 32 put", 10),
    Row("transpose-get", "transpose-rma", "1800 60 32 get", "200 3 32 get", levels=("-O2",)),
    Row("hydro-rma", "hydro-rma", "256 256 250", "20 20 5", "32 32 %", 10),
    Row("md-rma", "md-rma", "14 50", "4 25", "4 %", 20),
    Row("md-rma-hoisted", "md-rma-hoisted", "14 50", "4 25", "4 %", 20),
    Row("wavefront", "wavefront", "64 2000 1000", "16 50 2", "64 500 %", 10),
    Row("wavefront-flags", "wavefront-flags", "64 2000 50", "16 50 2"),
    Row("btsolve", "btsolve", "32 32 80", "8 8 1", "8 8 %", 4, ranks=4),
] + [
    Row(name, "micro", f"{name} {n}", count=f"{name} %", repetitions=repetitions, levels=("-O2",), turns=n)
    for name, repetitions, n in [
        ("pingpong-4", 20000, 400000),
        ("pingpong-1k", 10000, 200000),
        ("pingpong-64k", 1000, 50000),
        ("pingpong-1m", 100, 3000),
        ("exchange-4", 20000, 400000),
        ("rate-64", 20480, 2000000),
        ("waitall-64", 200, 10000),
        ("waitall-1000", 20, 500),
        ("allreduce-8", 20000, 500000),
        ("put", 20000, 1000000),
        ("put-flush", 20000, 500000),
        ("get-flush", 20000, 500000),
        ("flag", 20000, 500000),
        ("fetch-op", 20000, 500000),
        ("threads-4", 4000, 100000),
    ]
] + [
    Row("threads-rate-4", "micro", "threads-rate-4 50000", levels=("-O2",), turns=50000),
]
# The smoke test runs all loops of micro at once.
SMOKE_ROWS = [row for row in ROWS if row.program != "micro"]
SMOKE_ROWS.append(Row("micro", "micro", "all", "all", "put-flush %", 2000))
