// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The byte map of a finding: a row for each of the two places, with the bytes that it uses of one memory, and one for
// those that both use. Wide gaps are cut out, so that blocks far apart stay visible.
"use strict";
const bytesText = ([first, last]) => first === last ? `byte ${first}` : `bytes ${first}..${last}`;

function sharedPieces(uses) {
  const shared = [];
  for (const [a, b] of uses[0].pieces)
    for (const [c, d] of uses[1].pieces)
      if (Math.max(a, c) <= Math.min(b, d)) shared.push([Math.max(a, c), Math.min(b, d)]);
  return shared;
}

// Byte b as a place from 0 to 1. The scale has the same width for each stretch between two ends of pieces as it has in
// bytes, but at least 1 / (6 * ends), and for a gap at most 3 / ends.
function scaleOf(all) {
  const ends = [...new Set(all.flatMap(([first, last]) => [first, last + 1]))].sort((a, b) => a - b);
  const least = 1 / (6 * ends.length), total = ends[ends.length - 1] - ends[0], places = [0], cuts = [];
  for (let i = 1; i < ends.length; i++) {
    const isGap = !all.some(([first, last]) => first < ends[i] && last >= ends[i - 1]);
    let part = Math.max((ends[i] - ends[i - 1]) / total, least);
    if (isGap && part > 3 / ends.length) part = 3 / ends.length, cuts.push(i);
    places.push(places[i - 1] + part);
  }
  const length = places[places.length - 1];
  const middle = (i) => (places[i - 1] + places[i]) / 2 / length;
  return {at: (byte) => places[ends.indexOf(byte)] / length, cuts: cuts.map(middle), ends};
}

const listPieces = (pieces, more) => pieces.slice(0, 8).map(bytesText).join(", ") +
  (pieces.length > 8 || more ? ` and more` : "");

const begin = (name, pieces, more) =>
  short(`${name}: ${listPieces(pieces.slice(0, 2), pieces.length > 2 || more)}`, 84);

function drawByteMap(finding) {
  const {memory, size, uses} = finding.bytes, shared = sharedPieces(uses);
  const names = uses.map((use, i) => use.what || (finding.places[i] ? finding.places[i].label : ""));
  const {at, cuts, ends} = scaleOf(uses.flatMap((use) => use.pieces));
  const left = 20, width = 600, row = 58, x = (byte) => left + at(byte) * width;
  const caption = `Bytes of the ${memory}${size ? `, which has ${size} bytes` : ""}. ` +
    uses.map((use, i) => `${names[i]}: ${listPieces(use.pieces, use.more)}`).join(". ") +
    `. Both: ${listPieces(shared, uses.some((use) => use.more))}.`;
  const {figure, svg} = frame(width + 2 * left, 3 * row + 50, caption);
  const pattern = draw("pattern", {id: `picture-${pictures}-both`, width: 6, height: 6, patternUnits: "userSpaceOnUse",
                                   patternTransform: "rotate(45)"});
  pattern.append(draw("rect", {class: "stripes", width: 2, height: 6}));
  svg.append(pattern);
  for (const [first, last] of shared)
    svg.append(draw("rect", {class: "band", x: x(first), y: 22, width: Math.max(2, x(last + 1) - x(first)),
                             height: 3 * row - 16}));
  const bars = (pieces, y, style) => {
    for (const [first, last] of pieces)
      svg.append(draw("rect", {...style, x: x(first), y, width: Math.max(2, x(last + 1) - x(first)), height: 24}));
  };
  uses.forEach((use, i) => {
    svg.append(draw("text", {x: left, y: 17 + i * row}, begin(names[i], use.pieces, use.more)));
    bars(use.pieces, 24 + i * row, {class: "access"});
  });
  svg.append(draw("text", {x: left, y: 17 + 2 * row}, begin("both", shared, false)));
  bars(shared, 24 + 2 * row, {class: "shared", style: `fill: url(#picture-${pictures}-both)`});
  for (const cut of cuts) {
    const middle = left + cut * width;
    const mark = `${3 * row} l4,-6 l-4,-6`; // two small arrows: bytes are left out
    svg.append(draw("path", {class: "gap", d: `M${middle - 5},${mark} M${middle + 1},${mark}`}));
  }
  let free = -Infinity; // offsets below the rows, as many as fit
  for (const byte of ends) {
    const text = String(byte), middle = x(byte), half = text.length * 3.7 + 4;
    svg.append(draw("line", {class: "tick", x1: middle, x2: middle, y1: 3 * row + 4, y2: 3 * row + 10}));
    if (middle - half < free) continue;
    svg.append(draw("text", {x: middle, y: 3 * row + 24, "text-anchor": "middle"}, text));
    free = middle + half;
  }
  svg.append(draw("text", {x: left, y: 3 * row + 44, class: "small"},
                  short(`offsets in bytes from the begin of the ${memory}`, 84)));
  return figure;
}
