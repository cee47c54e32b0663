# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""replay.py BUILD/fuzz CORPUS REGRESSIONS: every kept input through its target.
replay.py BUILD/fuzz damage DIR SCRATCH: each log of DIR cut at every 512th byte, and with flipped bits, through the
judge and mpicc-check-log.

All programs are built with ASan and UBSan; what they complain of fails.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile

programs = pathlib.Path(sys.argv[1])
os.environ["ASAN_OPTIONS"] = (
    "exitcode=99:detect_leaks=0" if sys.argv[2] == "damage" else "exitcode=99"
)  # programs that end need not free
os.environ["UBSAN_OPTIONS"] = "exitcode=99"


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=120)
    output = done.stdout + done.stderr
    if done.returncode not in (0, 1, 2, 66) or "Sanitizer" in output or "runtime error" in output:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{output[-4000:]}")
    return done.returncode, output


def replay(corpus, regressions):
    for target in ("log", "parcel", "finding", "view"):
        with tempfile.TemporaryDirectory() as scratch:
            with tarfile.open(corpus / f"{target}.tar.xz") as archive:
                archive.extractall(scratch)
            inputs = list(pathlib.Path(scratch).iterdir()) + list(regressions.glob(f"{target}-*"))
            assert len(inputs) > 20, target
            run(programs / f"fuzz-{target}", *inputs)
            print(f"fuzz-{target}: {len(inputs)} inputs")


def look_at(directory, log, what, is_cut):
    """Both say that the log is damaged, or use it as if it were whole: a flipped bit may be a valid log."""
    code, output = run(programs / "mpicc-check-log", directory)
    assert not is_cut or (code == 2 and log.name in output), (what, code, output)
    code, output = run(
        programs / "mpicc-check-log",
        "--definitions",
        "--summary",
        "--messages",
        "--trace",
        os.devnull,
        "--verify",
        directory,
    )
    assert not is_cut or (code in (1, 2) and log.name in output), (what, code, output)
    code, output = run(programs / "mpirun-check", "--judge", directory)
    assert "[incomplete]" in output if is_cut else code in (0, 2, 66), (what, code, output)


def without_checksums(data):
    """With them any flipped bit would be seen at once (rt/log/log-seal.h), and nothing behind it be read."""
    units = int.from_bytes(data[384:392], "little")
    return data[:1588] + bytes(4) + data[1592 : 4096 + 32 * units]


def damage(source, scratch):
    n = 0
    for log in sorted(source.glob("rank-*.log"))[:1]:
        data = without_checksums(log.read_bytes())
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(source, scratch)
        victim = scratch / log.name
        for size in range(0, len(data), 512):
            victim.write_bytes(data[:size])
            look_at(scratch, victim, f"{log} cut at {size}", True)
            n += 1
        for seed in range(8):
            rng = random.Random(seed)
            flipped = bytearray(data)
            for _ in range(1 + seed):
                flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            victim.write_bytes(flipped)
            look_at(scratch, victim, f"{log} with flipped bits, seed {seed}", False)
            n += 1
    print(f"{source}: {n} damaged logs")


if sys.argv[2] == "damage":
    damage(pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]))
else:
    replay(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
