# What can be done with this tree. Each target builds first what it needs, and installs missing Debian packages.
#   make                      build
#   make demo                 compile and run an example with errors
#   make demo-flow            the same for an MPI library with an error
#   make check                all tests
#   make lint                 format, clang-tidy, shellcheck, lengths
#   make fuzz SECONDS=600     the fuzzers
#   make random PROGRAMS=5000 random programs against a naive reference
#   make torment              runs in which each allocation of mpicc-check fails in turn (hours; STEP=10: minutes)
#   make bench                what the checks cost on this machine: a table of miniatures of real programs
#   make bench-details        what single mechanisms cost
#   make install PREFIX=DIR
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
PREFIX ?= /usr/local
BUILD  ?= build
JOBS   ?= $(shell nproc)

.PHONY: all packages test-packages build check lint fuzz random torment demo demo-flow bench bench-details install clean
all: build

packages:
	@./packages.sh

test-packages:
	@./packages.sh --tests

build: packages
	@[ -f $(BUILD)/build.ninja ] || \
	  cmake -G Ninja -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CONFIGURE) > $(BUILD).log 2>&1 || \
	  { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) -j $(JOBS)

# The tests build with -Werror. A build folder without it is configured again. They wait for mpirun now and then, so
# there are two more at a time than there are cores.
check: test-packages
	@[ ! -f $(BUILD)/build.ninja ] || grep -q '^MCK_WERROR:BOOL=ON$$' $(BUILD)/CMakeCache.txt || \
	  cmake -DMCK_WERROR=ON $(BUILD) > /dev/null
	@$(MAKE) --no-print-directory build CONFIGURE=-DMCK_WERROR=ON
	@tests/report/get-axe.sh $(BUILD)
	@/usr/bin/python3 tests/run.py $(BUILD) -j $$(($(JOBS) + 2))

# clang-format, clang-tidy, shellcheck, lengths of lines and files; part of make check.
lint: test-packages build
	@/usr/bin/python3 tests/lint.py . $(BUILD)

# SECONDS is the time of all targets together. make check runs the kept inputs only.
SECONDS ?= 600
fuzz: build
	@tests/fuzz/build.sh $(BUILD) clang-19
	@tests/fuzz/fuzz.sh $(BUILD) $(SECONDS)

# Compares load and store signals of random programs, at -O0 to -O3, with a naive reference, and static checks of others
# with an execution of all ranks. make check runs fewer.
PROGRAMS ?= 5000
SEED     ?= $(shell date +%s)
random: build
	@cmake --build $(BUILD) -j $(JOBS) --target mck-naive
	@/usr/bin/python3 tests/plugin/Inputs/loops.py $(SEED) $(PROGRAMS) $(BUILD)/random --clang clang-19 \
	  --plugin $(BUILD)/lib/mck-plugin.so --naive $(BUILD)/unit/mck-naive.so --source rt
	@/usr/bin/python3 tests/plugin/Inputs/pointers.py $(SEED) $(PROGRAMS) $(BUILD)/random --clang clang-19 \
	  --plugin $(BUILD)/lib/mck-plugin.so --naive $(BUILD)/unit/mck-naive.so --source rt
	@/usr/bin/python3 tests/plugin/Inputs/closed.py $(SEED) $(PROGRAMS) $(BUILD)/random --clang clang-19 \
	  --plugin $(BUILD)/lib/mck-plugin.so --source rt \
	  --mpi $$(sed -n 's/^config.mpi_h = "\(.*\)"/\1/p' $(BUILD)/tests/lit.site.cfg)
	@/usr/bin/python3 tests/static/Inputs/spmd.py $(SEED) $(PROGRAMS) $(BUILD)/random $(BUILD)/bin/mpicc-check -O0
	@/usr/bin/python3 tests/static/Inputs/remote.py $(SEED) $(PROGRAMS) $(BUILD)/random $(BUILD)/bin/mpicc-check -O0
	@/usr/bin/python3 tests/static/Inputs/spmd.py $(SEED) $(PROGRAMS) $(BUILD)/random --files $(BUILD)/bin/mpicc-check -O0

# Each STEP-th allocation fails in turn.
STEP ?= 1
torment: build
	@tests/torment/torment.sh $(BUILD) $(STEP)

demo: build
	@examples/demo.sh $(BUILD)

demo-flow: build
	@examples/demo-flow.sh $(BUILD)

bench: build
	@/usr/bin/python3 bench/bench.py $(BUILD)

bench-details: build
	@bench/run.sh $(BUILD)

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
