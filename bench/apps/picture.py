# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture that compares two results: a group of bars for each row, a pair of bars for each form."""
import math
import statistics
from xml.sax.saxutils import escape

import figures

BAR, GAP, LEFT, WIDTH, TOP = 7, 10, 170, 640, 70
COLORS = {"preloaded": ("#a6cee3", "#1f78b4"), "access=0": ("#fdbf6f", "#ff7f00"), "all": ("#b2df8a", "#33a02c")}


def find_medians(result, what):
    return {
        (row["name"], row["level"]): {
            form: statistics.median(figures.find_ratios(row, form, what) or [math.nan]) for form in figures.CHECKED
        }
        for row in result["rows"]
    }


def make_picture(first, second, names, what):
    """Ratios to the plain build, on a logarithmic axis; a row must be in both results."""
    a, b = find_medians(first, what), find_medians(second, what)
    keys = [key for key in a if key in b]
    values = [v for key in keys for side in (a, b) for v in side[key].values() if v > 0]
    low, high = math.log(min(values + [0.8])), math.log(max(values + [2.0]))
    group = 2 * BAR * len(figures.CHECKED) + GAP
    height = TOP + group * len(keys) + 30

    def place(value):
        return LEFT + WIDTH * (math.log(value) - low) / (high - low)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{height}" '
        f'font-family="sans-serif" font-size="11">',
        f'<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="18" font-size="14">Cost against the plain build ({what}): '
        f"{escape(names[0])} (light), {escape(names[1])} (dark)</text>",
    ]
    for i, form in enumerate(figures.CHECKED):
        out.append(f'<rect x="{LEFT + 110 * i}" y="28" width="12" height="12" fill="{COLORS[form][1]}"/>')
        out.append(f'<text x="{LEFT + 110 * i + 17}" y="38">{form}</text>')
    for tick in [0.5, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128]:
        if low <= math.log(tick) <= high:
            x = place(tick)
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height - 20}" stroke="#ccc"/>')
            out.append(f'<text x="{x:.1f}" y="{TOP - 10}" text-anchor="middle">{tick:g}</text>')
    for g, key in enumerate(keys):
        y = TOP + g * group
        out.append(f'<text x="{LEFT - 8}" y="{y + group / 2}" text-anchor="end">{escape(" ".join(key))}</text>')
        for i, form in enumerate(figures.CHECKED):
            for k, side in enumerate((a, b)):
                value = side[key][form]
                if not value > 0:
                    continue
                x0, x1 = sorted((place(1), place(value)))
                top = y + (2 * i + k) * BAR
                out.append(
                    f'<rect x="{x0:.1f}" y="{top}" width="{max(x1 - x0, 1):.1f}" height="{BAR - 1}" '
                    f'fill="{COLORS[form][k]}"><title>{escape(key[0])}, {form}: {value:.3f}</title></rect>'
                )
                if k == 1:
                    out.append(f'<text x="{x1 + 3:.1f}" y="{top + BAR - 2}" font-size="8">{value:.2f}</text>')
    return "\n".join(out + ["</svg>\n"])
