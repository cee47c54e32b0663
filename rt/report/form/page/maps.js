// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of what a finding's words say in numbers: bytes and the memory that they lie in, the elements of two
// datatypes, the messages that a wildcard receive could have got. A finding whose words do not fit has no such picture.
"use strict";

// "4000 bytes at offset 0 of a heap block of 3996 bytes", "it touches bytes 24..39 of the window of rank 0, which has 32"
function bytesOf(finding) {
  const text = [finding.text, ...finding.why].join("\n");
  let match = text.match(/(\d+) bytes at offset (-?\d+) of (.+?) of (\d+) bytes/);
  if (match) return {low: +match[2], high: +match[2] + +match[1], what: match[3], size: +match[4]};
  match = text.match(/touches bytes (-?\d+)\.\.(-?\d+) of (.+?), which has (\d+)/);
  return match && {low: +match[1], high: +match[2] + 1, what: match[3], size: +match[4]};
}

function drawBytes({low, high, what, size}) {
  const first = Math.min(0, low), last = Math.max(size, high), width = 560, left = 20;
  const {figure, svg} = frame(width + 2 * left, 126, `Bytes ${low} to ${high - 1} of ${what}, which has ${size} bytes: ` +
    `${Math.max(0, -low) + Math.max(0, high - size)} bytes lie outside`);
  const x = (byte) => left + (byte - first) / (last - first || 1) * width;
  const bar = (name, from, to, y) => svg.append(
    draw("rect", {class: name, x: x(from), y, width: Math.max(2, x(to) - x(from)), height: 26}));
  bar("box", 0, size, 22);
  bar("access", low, high, 62);
  if (low < 0) bar("outside", low, Math.min(0, high), 62);
  if (high > size) bar("outside", Math.max(size, low), high, 62);
  svg.append(draw("text", {x: x(0), y: 16}, `${what}: ${size} bytes`),
             draw("text", {x: x(low), y: 106}, `the access: bytes ${low} to ${high - 1}`));
  return figure;
}

// "2 MPI_INT, 1 MPI_DOUBLE", from element first on, as elements: those that are shown.
function elementsOf(list, first, from, to) {
  const elements = [];
  let at = first;
  for (const [, count, type] of list.matchAll(/(\d+) ([A-Z]\w+)/g)) {
    for (let i = Math.max(at, from); i < at + Number(count) && i < to; i++) elements[i - from] = type;
    at += Number(count);
  }
  return elements;
}

function elements(finding) {
  const text = finding.why.join("\n");
  const wrong = text.match(/^element (\d+): the sender has/m);
  const part = text.match(/^from element (\d+) on, sent: (.*); expected: (.*)$/m); // of derived datatypes
  const whole = text.match(/^sent: (\d+ MPI_\w+); expected: (\d+ MPI_\w+)$/m);
  if (finding.id !== "type.mismatch" || !wrong || !(part || whole)) return null;
  const [first, sent, expected] = part ? [Number(part[1]), part[2], part[3]] : [0, whole[1], whole[2]];
  return {first, sent, expected, wrong: Number(wrong[1])};
}

function drawElements({first, sent, expected, wrong}) {
  const from = Math.max(0, wrong - 2), to = wrong + 4, wide = 150;
  const {figure, svg} = frame(90 + (to - from) * wide, 130,
    `Element ${wrong} is the first that differs. From element ${first} on, sent: ${sent}. Expected: ${expected}`);
  let shown = 0;
  for (const [row, name, list] of [[0, "sent", sent], [1, "expected", expected]]) {
    svg.append(draw("text", {x: 8, y: 52 + row * 50}, name));
    elementsOf(list, first, from, to).forEach((type, i) => {
      shown = Math.max(shown, i + 1);
      const x = 84 + i * wide;
      svg.append(draw("rect", {class: from + i === wrong ? "outside" : "box", x, y: 30 + row * 50, width: wide - 6,
                               height: 34}),
                 draw("text", {x: x + wide / 2 - 3, y: 52 + row * 50, "text-anchor": "middle"}, type));
    });
  }
  for (let i = from; i < from + shown; i++)
    svg.append(draw("text", {x: 84 + (i - from + .5) * wide - 3, y: 18, "text-anchor": "middle"}, `element ${i}`));
  return figure;
}

// The places of a wildcard receive: "got: MPI_Send from rank 1", "could have got: MPI_Send from rank 2". Where one line
// sends both, there is one place: "got: MPI_Send from rank 1, not rank 2".
function matches(finding) {
  if (!/^message\.(race|probe-race)$/.test(finding.id)) return null;
  const sends = [];
  for (const place of finding.places) {
    const match = place.label.match(/^(got|could have got|can get): (.*)$/);
    if (!match) continue;
    const both = match[2].match(/^(.*) from rank (\d+), not rank (\d+)$/);
    sends.push({place, how: match[1], what: both ? `${both[1]} from rank ${both[2]}` : match[2]});
    if (both) sends.push({place, how: "could have got", what: `${both[1]} from rank ${both[3]}`});
  }
  return sends.length ? {receive: finding.places[0], sends} : null;
}

function drawMatches({receive, sends}) {
  const height = 30 + Math.max(sends.length, 2) * 64, middle = height / 2;
  const {figure, svg, head} = frame(640, height, `${receive.label}: ` +
    sends.map((send) => `${send.how} ${send.what}`).join("; "));
  const box = (x, y, place, words) => svg.append(
    draw("rect", {class: "box", x, y: y - 22, width: 240, height: 44, rx: 5}),
    draw("text", {x: x + 120, y: y - 4, "text-anchor": "middle"}, short(words, 32)),
    draw("text", {x: x + 120, y: y + 13, "text-anchor": "middle"}, place.stack[0] ? short(where(place.stack[0]), 32) : ""));
  sends.forEach((send, i) => {
    const y = 40 + i * 64;
    box(10, y, send.place, send.what);
    svg.append(draw("line", {class: send.how === "got" ? "arrow" : "arrow maybe", "marker-end": head, x1: 252, y1: y,
                             x2: 386, y2: middle + (i - (sends.length - 1) / 2) * 12}),
               draw("text", {x: 318, y: (y + middle) / 2 - 8, "text-anchor": "middle"}, send.how));
  });
  box(390, middle, receive, receive.label);
  return figure;
}

function drawMap(finding) {
  const bytes = bytesOf(finding), types = elements(finding), messages = matches(finding);
  if (finding.bytes) return drawByteMap(finding);
  return bytes ? drawBytes(bytes) : types ? drawElements(types) : messages ? drawMatches(messages) : null;
}
