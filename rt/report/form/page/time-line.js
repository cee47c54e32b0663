// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time line of a finding: a lane for each rank, from top to bottom in logical time. A box is a call and is as long
// as the call waits for other ranks; a bar beside it is an epoch of a window; an arrow is a message. The places of the
// finding are marked.
"use strict";
const LANE = 330, ROW = 24, BOX = 236, BAR = 7;

const describeCall = (call) => call.call + (call.with ? ` ${call.with}` : "") + (call.at ? ` at ${call.at}` : "") +
  (call.marked ? " (a place of the finding)" : "") + (call.open ? " (does not return)" : "");

function describeTime(line) {
  const ranks = line.lanes.map((lane) => `rank ${lane.rank}: ${lane.calls.map(describeCall).join(", ")}` +
    (lane.epochs.length ? `; epochs: ${lane.epochs.map((e) => `${e.name} of ${e.window}`).join(", ")}` : ""));
  const messages = line.arrows.filter((a) => a[4]).map((a) =>
    `from rank ${line.lanes[a[0]].rank} to rank ${line.lanes[a[2]].rank}`);
  return `Time line. ${ranks.join(". ")}.` + (messages.length ? ` Messages: ${messages.join(", ")}.` : "");
}

// Times become rows: each one that a shown call or epoch begins or ends at.
function rowsOf(line) {
  const times = new Set();
  for (const lane of line.lanes) for (const call of lane.calls) times.add(call.from).add(call.to);
  const sorted = [...times].sort((a, b) => a - b);
  return (time) => {
    const row = sorted.findIndex((t) => t >= time);
    return row < 0 ? sorted.length : row;
  };
}

function drawEpochs(svg, lane, left, y) {
  const ends = []; // of the last bar of each column
  for (const epoch of [...lane.epochs].sort((a, b) => a.from - b.from)) {
    let column = ends.findIndex((end) => end <= epoch.from);
    if (column < 0) column = Math.min(ends.length, 5);
    ends[column] = epoch.to;
    const bar = draw("rect", {class: "epoch", x: left + 4 + column * (BAR + 2), y: y(epoch.from) + 2, width: BAR,
                              height: Math.max(ROW / 2, y(epoch.to) - y(epoch.from) - 4)});
    bar.append(draw("title", {}, `${epoch.name} of ${epoch.window}` + (epoch.with ? ` ${epoch.with}` : "")));
    svg.append(bar);
  }
}

function drawCall(svg, call, x, y) {
  const top = y(call.from), height = Math.max(call.open ? 2 * ROW : ROW, y(call.to) - top) - 3;
  const box = draw("g", {});
  box.append(draw("title", {}, describeCall(call)),
             draw("rect", {class: call.marked ? "box outside" : height > ROW ? "box waits" : "box", x, y: top,
                           width: BOX, height, rx: 4}),
             draw("text", {x: x + 8, y: top + 15}, short(`${call.call}${call.at ? ` ${call.at.split(" in ")[0]}` : ""}`,
                                                         34)));
  if (height > ROW) {
    const words = call.open ? "does not return" : `waits${call.with ? `, ${call.with}` : ""}`;
    box.append(draw("text", {x: x + 8, y: top + 33, class: "small"}, words));
  }
  svg.append(box);
}

function drawTime(line) {
  const row = rowsOf(line), ends = line.lanes.flatMap((lane) => lane.calls.map((call) => row(call.to)));
  const y = (time) => 30 + row(time) * ROW, height = 64 + Math.max(...ends) * ROW;
  const {figure, svg, head} = frame(line.lanes.length * LANE, height, describeTime(line));
  line.lanes.forEach((lane, i) => {
    const middle = i * LANE + 60 + BOX / 2;
    svg.append(draw("text", {x: middle, y: 16, "text-anchor": "middle"}, `rank ${lane.rank}`),
               draw("line", {class: "lane", x1: middle, x2: middle, y1: 22, y2: height - 4}));
  });
  // Before the boxes, so that an arrow between distant ranks runs behind those between them.
  for (const [from, start, to, end, isMessage] of line.arrows) {
    const isDown = from < to, x1 = from * LANE + 60 + (isDown ? BOX : 0), x2 = to * LANE + 60 + (isDown ? 0 : BOX);
    svg.append(draw("line", {class: isMessage ? "arrow" : "arrow maybe", "marker-end": head, x1, x2,
                             y1: y(start) + ROW / 2, y2: Math.max(y(start), y(end) - ROW) + ROW / 2}));
  }
  line.lanes.forEach((lane, i) => {
    const left = i * LANE, x = left + 60;
    drawEpochs(svg, lane, left, y);
    for (const call of lane.calls) {
      if (call.gap) svg.append(draw("text", {x: x - 14, y: y(call.from) + 8}, "⋮"));
      drawCall(svg, call, x, y);
    }
  });
  const legend = document.createElement("p");
  legend.className = "dim";
  legend.textContent = "From top to bottom in logical time: lengths mean only what waits for what. Marked: the " +
    "places of the finding; narrow bars: epochs of windows; arrows: messages; dashed: within a collective; " +
    "⋮: calls are left out.";
  figure.lastChild.hidden = true; // the picture has it as its title
  figure.append(legend);
  figure.setAttribute("aria-label", "time line");
  return figure;
}

const times = JSON.parse(document.getElementById("times").textContent);
function timeOf(finding) {
  const line = times[report.findings.indexOf(finding)];
  return line && line.lanes.length ? drawTime(line) : null;
}
