// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of a finding, as SVG: the wait-for graph of a deadlock, and what each rank does at the places of a finding,
// with an arrow for a message and a dashed line for a conflict. Each has a text for readers that do not see it.
"use strict";
const SVG = "http://www.w3.org/2000/svg";
function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

let pictures = 0;
function frame(width, height, caption) {
  const id = `picture-${++pictures}`;
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": id});
  svg.append(draw("title", {id}, caption));
  const marker = draw("marker", {id: `${id}-head`, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8,
                                 orient: "auto-start-reverse"});
  marker.append(draw("path", {d: "M0,0 L8,4 L0,8 z"}));
  svg.append(marker);
  const figure = document.createElement("figure"), words = document.createElement("figcaption");
  words.textContent = caption;
  figure.className = "scroll";
  figure.tabIndex = 0; // on a narrow screen it scrolls by keys
  figure.setAttribute("aria-label", "picture");
  figure.append(svg, words);
  return {figure, svg, head: `url(#${id}-head)`};
}

// "ranks 0-2,5" as numbers.
function numbers(list) {
  const result = [];
  for (const [, low, high] of list.matchAll(/(\d+)(?:-(\d+))?/g))
    for (let n = Number(low); n <= Number(high || low) && result.length < 64; n++) result.push(n);
  return result;
}

// The labels of a deadlock's places: "rank 0 waits in MPI_Recv(source 1, tag 5) for rank 1".
function waits(finding) {
  const edges = [];
  for (const place of finding.places) {
    const match = place.label.match(/^rank (\d+) waits in (\w+).*? for (?:all of |one of |any of )?ranks? ([\d,\- and]+)/);
    if (match) for (const to of numbers(match[3])) edges.push({from: Number(match[1]), to, call: match[2]});
  }
  return edges;
}

const describeWaits = (edges) => "The wait-for graph: " +
  edges.map((e) => `rank ${e.from} waits in ${e.call} for rank ${e.to}`).join("; ");

function drawWaits(edges) {
  const ranks = [...new Set(edges.flatMap((e) => [e.from, e.to]))].sort((a, b) => a - b);
  const size = Math.max(260, ranks.length * 42), center = size / 2, radius = center - 50;
  const {figure, svg, head} = frame(size + 160, size, describeWaits(edges));
  const spot = new Map(ranks.map((rank, i) => {
    const angle = 2 * Math.PI * i / ranks.length - Math.PI / 2;
    return [rank, [80 + center + radius * Math.cos(angle), center + radius * Math.sin(angle)]];
  }));
  for (const {from, to} of edges) {
    const [x1, y1] = spot.get(from), [x2, y2] = spot.get(to), length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const dx = (x2 - x1) / length, dy = (y2 - y1) / length, bend = 18; // two ranks that wait for each other
    svg.append(draw("path", {class: "arrow", "marker-end": head,
      d: `M${x1 + 24 * dx},${y1 + 24 * dy} Q${(x1 + x2) / 2 - bend * dy},${(y1 + y2) / 2 + bend * dx} ` +
         `${x2 - 26 * dx},${y2 - 26 * dy}`}));
  }
  for (const [rank, [x, y]] of spot) {
    const call = (edges.find((e) => e.from === rank) || {call: ""}).call;
    svg.append(draw("circle", {class: "box", cx: x, cy: y, r: 22}),
               draw("text", {x, y: y + 4, "text-anchor": "middle"}, String(rank)),
               draw("text", {x, y: y + 38, "text-anchor": "middle"}, call));
  }
  return figure;
}

const short = (text, n) => text.length > n ? `${text.slice(0, n - 1)}…` : text;

// A lane for each rank, and the places in it. The order from top to bottom is that of the report, not of time.
function drawLanes(finding) {
  const places = finding.places.filter((p) => p.rank !== null && p.stack.length);
  const ranks = [...new Set(places.map((p) => p.rank))].sort((a, b) => a - b);
  if (ranks.length < 2 || ranks.length > 8) return null;
  const lane = 260, step = 64, boxes = [];
  const isMessage = /^(message|type|collective)\./.test(finding.id);
  const {figure, svg, head} = frame(ranks.length * lane, 50 + places.length * step,
    "What the ranks do: " + places.map((p) => `rank ${p.rank}: ${p.label}`).join("; "));
  ranks.forEach((rank, i) => {
    const x = (i + .5) * lane;
    svg.append(draw("line", {class: "lane", x1: x, x2: x, y1: 26, y2: 40 + places.length * step}),
               draw("text", {x, y: 18, "text-anchor": "middle"}, `rank ${rank}`));
  });
  places.forEach((place, i) => {
    const x = (ranks.indexOf(place.rank) + .5) * lane, y = 40 + i * step;
    boxes.push({x, y: y + 20, rank: place.rank});
    svg.append(draw("rect", {class: "box", x: x - 118, y, width: 236, height: 40, rx: 5}),
               draw("text", {x, y: y + 16, "text-anchor": "middle"}, short(place.label, 32)),
               draw("text", {x, y: y + 32, "text-anchor": "middle"}, short(where(place.stack[0]), 32)));
  });
  const [first, second] = boxes;
  if (second && first.rank !== second.rank) {
    const isDown = first.x < second.x, line = {x1: first.x + (isDown ? 118 : -118), y1: first.y,
                                               x2: second.x - (isDown ? 118 : -118), y2: second.y};
    svg.append(draw("line", isMessage ? {class: "arrow", "marker-end": head, ...line} : {class: "conflict", ...line}));
  }
  return figure;
}

// The graph as dot has laid it out: that of the deadlock which ended the run. It has all ranks, and what they wait for.
function showGraph(edges) {
  const [graph] = JSON.parse(document.getElementById("graph").textContent);
  if (!graph) return null;
  const figure = document.createElement("figure"), words = document.createElement("figcaption");
  const image = document.createElement("img");
  image.src = `data:image/svg+xml;base64,${graph}`;
  image.className = "graph";
  words.textContent = describeWaits(edges);
  image.alt = words.textContent;
  figure.append(image, words);
  return figure;
}

function drawPicture(finding) {
  const edges = waits(finding);
  if (!edges.length) return matches(finding) || times[report.findings.indexOf(finding)] ? null : drawLanes(finding);
  const isEnd = finding.role === "end" || /^(deadlock|deadlock\.polling|collective\.comm-order)$/.test(finding.id);
  return (isEnd && showGraph(edges)) || drawWaits(edges);
}
