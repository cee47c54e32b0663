# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From samples to one table."""
import statistics

CHECKED = ["preloaded", "access=0", "all"]


def find_ratios(row, form, what):
    """The ratios of all pairs of a checked run and the plain one of its round."""
    pairs = zip(row["samples"][form], row["samples"]["plain"])
    return [checked[what] / plain[what] for checked, plain in pairs if plain[what] > 0]


def median_of(row, form, what):
    return statistics.median(sample[what] for sample in row["samples"][form])


def show_ratios(ratios):
    if not ratios:
        return "-"
    return f"{statistics.median(ratios):.2f} [{min(ratios):.2f}, {max(ratios):.2f}]"


def show_counts(row):
    counts = row["instructions"]
    if not counts:
        return ["-"] * 3
    plain = counts["plain"]
    return [f"{counts[form] / plain:.2f}" if form in counts else "-" for form in CHECKED]


def show_turns(row):
    """What a turn of the loop takes, plain and with all checks: nanoseconds, instructions of one rank."""
    if not row["turns"]:
        return ["-"] * 4
    nanoseconds = [f"{median_of(row, form, 'loop') / row['turns'] * 1e9:.0f}" for form in ("plain", "all")]
    counts = row["instructions"]
    if not counts:
        return nanoseconds + ["-"] * 2
    return nanoseconds + [f"{counts[form] / row['counted turns']:.0f}" for form in ("plain", "all")]


def make_line(row):
    plain, checked = median_of(row, "plain", "loop"), median_of(row, "all", "loop")
    log = row["log"]
    return [
        row["name"] + (" " + row["level"] if row["level"] != "-O2" else ""),
        str(row["ranks"]),
        f"{plain:.3f}",
        *[show_ratios(find_ratios(row, form, "loop")) for form in CHECKED],
        *[f"{statistics.median(find_ratios(row, form, 'cpu') or [0]):.2f}" for form in CHECKED],
        *show_counts(row),
        f"{checked - plain - median_of(row, 'all', 'cuts'):.3f}",
        f"{median_of(row, 'all', 'judge'):.3f}",
        f"{median_of(row, 'plain', 'total'):.2f}",
        f"{median_of(row, 'all', 'total'):.2f}",
        f"{median_of(row, 'plain', 'memory') / 1024:.0f}",
        f"{median_of(row, 'all', 'memory') / 1024:.0f}",
        f"{log['bytes'] / 2**20:.2f}" if log else "-",
        f"{log['bytes'] / log['calls']:.1f}" if log else "-",
        f"{row['compile']['checked'] / row['compile']['plain']:.2f}",
        f"{row['code']['checked'] / row['code']['plain']:.2f}",
        *show_turns(row),
    ]


HEADS = [
    ("", "row"),
    ("", "ranks"),
    ("plain", "s"),
    ("loop, wall time:", "preloaded"),
    ("median [min, max]", "access=0"),
    ("of all pairs", "all checks"),
    ("cpu", "prel."),
    ("", "a=0"),
    ("", "all"),
    ("instr.", "prel."),
    ("", "a=0"),
    ("", "all"),
    ("record", "s"),
    ("judge", "s"),
    ("total", "plain s"),
    ("", "all s"),
    ("memory", "plain"),
    ("MiB", "all"),
    ("log", "MiB"),
    ("", "B/call"),
    ("com-", "pile"),
    ("", "code"),
    ("a turn:", "plain ns"),
    ("", "all ns"),
    ("plain", "instr."),
    ("all", "instr."),
]


def make_table(result):
    lines = [list(head) for head in zip(*HEADS)] + [make_line(row) for row in result["rows"]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADS))]
    shown = []
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        shown.append("  ".join(cells).rstrip())
    return "\n".join(shown)
