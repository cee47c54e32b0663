// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the HTML report from the JSON report in the page. All texts are set as text, never as markup. A finding's
// details are made when it is opened, and the list grows as it is scrolled, so a page of thousands opens at once.
"use strict";
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const report = read("report"), sources = read("sources"), pages = read("pages");
const at = (id) => document.getElementById(id);
const PORTION = 100;

// make("p", {class: "dim"}, "text", child, ...)
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function ranges(ranks) {
  const parts = [];
  for (let i = 0; i < ranks.length; i++) {
    const first = ranks[i];
    while (ranks[i + 1] === ranks[i] + 1) i++;
    parts.push(first === ranks[i] ? `${first}` : `${first}${ranks[i] === first + 1 ? "," : "-"}${ranks[i]}`);
  }
  return (ranks.length === 1 ? "rank " : "ranks ") + parts.join(",");
}

const base = (path) => path.slice(path.lastIndexOf("/") + 1);
// Of long names of C++ templates the arguments and the parameters are left out, as in the text report.
function functionName(name) {
  if (name.length <= 60) return name;
  let result = "", depth = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i], isOpen = c === "<" || c === "(";
    if (isOpen && !depth && /operator$/.test(result)) {
      const end = name.indexOf("(", i + 1);
      return result + name.slice(i, end < 0 ? undefined : end) + (end < 0 ? "" : "(...)");
    }
    if (!depth && name.startsWith("(anonymous", i)) {
      i = name.indexOf(")", i);
      result += "(anonymous namespace)";
      continue;
    }
    if (isOpen && !depth++) result += name[i + 1] === ")" ? "(" : `${c}...`;
    else if (isOpen) continue;
    else if ((c === ">" && name[i - 1] !== "-") || c === ")") { if (!--depth) result += c; }
    else if (!depth) result += c;
  }
  return result;
}
function where(frame) {
  const place = frame.file ? base(frame.file) + (frame.line ? `:${frame.line}` : "") : base(frame.module);
  return frame.function ? `${place} in ${functionName(frame.function)}` : place;
}

const linesOf = (frame) => frame.file && sources[`${frame.module || ""}\n${frame.file}`];

function excerpt(frame) {
  const lines = linesOf(frame);
  if (!lines || !frame.line || lines[frame.line] === undefined) return null;
  const pre = make("pre", {class: "source", tabindex: "0", "aria-label": `source of ${where(frame)}`});
  for (let n = frame.line - 3; n <= frame.line + 3; n++) {
    if (lines[n] === undefined) continue;
    const row = make("span", n === frame.line ? {class: "marked"} : {}, make("b", {}, String(n)), lines[n]);
    if (n === frame.line) row.append(make("i", {class: "skip"}, " (this line)"));
    pre.append(row);
  }
  return pre;
}

// Why there is no excerpt: the reader would look for one at the first frame.
function drawLack(frame) {
  const lack = linesOf(frame)?.lack;
  return lack ? make("p", {class: "dim"}, `The source is not shown: ${lack}.`) : "";
}

function drawPlace(place) {
  const [first, ...callers] = place.stack;
  const box = make("div", {}, make("h4", {}, place.label || "place"));
  if (!first) return box;
  box.append(make("code", {}, where(first)), excerpt(first) || drawLack(first));
  const user = callers.findIndex((frame) => excerpt(frame));
  if (!excerpt(first) && user >= 0) box.append(make("code", {}, where(callers[user])), excerpt(callers[user]) || "");
  if (callers.length) {
    const list = make("ol", {});
    for (const frame of callers) list.append(make("li", {}, make("code", {}, where(frame)), excerpt(frame) || ""));
    box.append(make("details", {}, make("summary", {}, `called from (${callers.length})`), list));
  }
  return box;
}

// The part of Markdown that the pages of checks use.
function drawPage(text) {
  const box = make("div", {});
  for (const [i, part] of text.split(/^```.*$/m).entries()) {
    if (i % 2) {
      box.append(make("pre", {tabindex: "0", "aria-label": "program"}, part.replace(/^\n/, "")));
      continue;
    }
    for (const block of part.split(/\n{2,}/)) {
      const line = block.trim();
      if (!line || line.startsWith("<!--") || line.startsWith("# ")) continue;
      const plain = line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
      const items = plain.split(/^- /m).filter((item) => item && !item.startsWith("Decided in"));
      if (line.startsWith("#")) box.append(make("h4", {}, line.replace(/^#+ */, "")));
      else if (line.startsWith("- ")) box.append(make("ul", {}, ...items.map((item) => make("li", {}, item))));
      else box.append(make("p", {}, plain));
    }
  }
  return box;
}

function drawBody(finding) {
  const body = make("div", {class: "body"});
  const facts = [];
  // A finding belongs to one rank, and its places may be on others, too.
  const named = [...finding.ranks, ...finding.places.map((place) => place.rank)];
  const concerned = new Set(named.filter((rank) => rank >= 0));
  if (concerned.size) facts.push(`on ${ranges([...concerned].sort((a, b) => a - b))}`);
  if (finding.count > 1) facts.push(`${finding.count} times`);
  facts.push(`fingerprint ${finding.fingerprint}`);
  body.append(make("p", {class: "dim"}, facts.join(" · "), " · ",
                   make("a", {href: `#${finding.anchor}`}, "link to this finding")));
  if (finding.suppressed)
    body.append(make("p", {}, `suppressed by ${finding.suppressed.place}: ${finding.suppressed.reason}`));
  const rest = finding.text.split("\n").slice(1).join("\n");
  if (rest) body.append(make("p", {}, rest));
  for (const picture of [drawMap(finding), drawPicture(finding), timeOf(finding)]) if (picture) body.append(picture);
  if (finding.places.length) body.append(make("h3", {}, "Where"), ...finding.places.map(drawPlace));
  if (finding.why.length) {
    body.append(make("h3", {}, "Why"), make("ul", {}, ...finding.why.map((line) => make("li", {}, line))));
  }
  if (finding.warned) {
    const {file, line, column, id} = finding.warned;
    body.append(make("p", {}, `The compiler warned of it at ${file}:${line}${column ? `:${column}` : ""} [${id}].`));
  }
  body.append(make("h3", {}, "How to mend it"), make("p", {class: "help"}, finding.help));
  if (pages[finding.id]) {
    body.append(make("details", {}, make("summary", {}, `about ${finding.id}, with a wrong and a right program`),
                     drawPage(pages[finding.id])));
  }
  return body;
}

function drawFinding(finding) {
  const [headline] = finding.text.split("\n");
  const details = make("details", {class: "finding", id: finding.anchor});
  const summary = make("summary", {}, make("span", {class: `severity ${finding.severity}`}, finding.severity), " ",
                       make("code", {}, `[${finding.id}]`), ` ${headline} `);
  const [place] = finding.places;
  if (place && place.stack[0]) summary.append(make("span", {class: "dim"}, where(place.stack[0])), " ");
  if (finding.suppressed) summary.append(make("span", {class: "tag"}, "suppressed"), " ");
  if (finding.baseline) summary.append(make("span", {class: "tag"}, finding.baseline));
  details.append(summary);
  details.addEventListener("toggle", () => fill(details, finding));
  return details;
}

function fill(details, finding) {
  if (details.open && details.childElementCount === 1) details.append(drawBody(finding));
}

// Of which files the loads and stores were checked.
function describeCoverage(coverage) {
  if (!coverage) return "";
  const {files, checked, stripped, loads_and_stores: state, not_checked: others} = coverage;
  const count = state === "some" ? `${checked} of ${files} files` : state;
  const names = others.slice(0, 20).map((unit) => (unit.file || base(unit.object)) +
                                                  (unit.file && unit.compiler ? ` (${unit.compiler})` : ""));
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : "";
  return `, loads and stores: ${count}` + (names.length ? `, not in ${names.join(", ")}${more}` : "") +
         (stripped ? ", other files unknown" : "");
}

function drawSummary() {
  const run = report.run, counts = new Map();
  const name = run.program || "a run";
  document.title = `mpicc-check: ${base(name)}`;
  at("title").textContent = `mpicc-check: ${name}`;
  at("run").textContent = `${run.ranks} ranks, ${run.calls.toLocaleString("en")} MPI calls` +
                          (run.incomplete ? ", incomplete" : "") + describeCoverage(run.coverage) +
                          ` · version ${report.tool_version}`;
  for (const finding of report.findings) {
    const key = finding.suppressed ? "suppressed" : finding.severity;
    if (!counts.has(finding.id)) counts.set(finding.id, {error: 0, warning: 0, note: 0, suppressed: 0});
    counts.get(finding.id)[key]++;
  }
  if (!counts.size) {
    at("summary").append(make("p", {}, "No errors found."));
    at("filter").hidden = true;
  } else {
    const head = ["Kind", "Errors", "Warnings", "Notes", "Suppressed"].map((word) => make("th", {scope: "col"}, word));
    const rows = [...counts].sort().map(([kind, count]) =>
      make("tr", {}, make("th", {scope: "row"}, make("code", {}, kind)),
           ...Object.values(count).map((n) => make("td", {class: "number"}, n ? String(n) : ""))));
    at("summary").append(make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
  }
  for (const finding of report.fixed || [])
    at("summary").append(make("p", {}, `Fixed since the baseline: [${finding.id}] ${finding.text.split("\n")[0]}`));
  at("kind").append(make("option", {value: ""}, "all"), ...[...counts.keys()].sort().map((k) => make("option", {}, k)));
}

// What a search looks at, made once for each finding.
function textOf(finding) {
  finding.words ||= [finding.id, finding.text, finding.help, ...finding.why,
                     ...finding.places.flatMap((p) => [p.label, ...p.stack.map(where)])].join("\n").toLowerCase();
  return finding.words;
}

function isAsked(finding) {
  const kind = at("kind").value, severity = at("severity").value, rank = at("rank").value.trim();
  const file = at("file").value.trim().toLowerCase(), text = at("text").value.trim().toLowerCase();
  const state = finding.suppressed ? "suppressed" : finding.severity;
  return (!kind || finding.id === kind) && (!severity || state === severity) &&
         (!rank || finding.ranks.includes(Number(rank)) || finding.places.some((p) => p.rank === Number(rank))) &&
         (!file || finding.places.some((p) => p.stack.some((f) => (f.file || "").toLowerCase().includes(file)))) &&
         (!text || textOf(finding).includes(text));
}

let asked = [], drawn = 0;
function drawMore(count) {
  const end = Math.min(asked.length, drawn + count), list = document.createDocumentFragment();
  const first = document.activeElement === at("more") ? drawn : end;
  for (; drawn < end; drawn++) list.append(drawFinding(asked[drawn]));
  at("findings").append(list);
  // By keyboard one goes on with the first new finding, and not behind the last one.
  if (first < end) at("findings").children[first].querySelector("summary").focus();
  at("more").hidden = drawn === asked.length;
}

function drawList() {
  asked = report.findings.filter(isAsked);
  drawn = 0;
  at("findings").replaceChildren();
  at("shown").textContent = `${asked.length} of ${report.findings.length} findings`;
  drawMore(PORTION);
}

// A link to a finding opens it.
function followLink() {
  const index = asked.findIndex((finding) => `#${finding.anchor}` === location.hash);
  if (index < 0) return;
  if (index >= drawn) drawMore(index + 1 - drawn);
  const details = at(asked[index].anchor);
  details.open = true;
  fill(details, asked[index]);
  details.scrollIntoView();
}

function start() {
  const seen = new Map();
  for (const finding of report.findings) {
    const n = (seen.get(finding.fingerprint) || 0) + 1;
    seen.set(finding.fingerprint, n);
    finding.anchor = `f-${finding.fingerprint}` + (n > 1 ? `-${n}` : "");
  }
  drawSummary();
  drawList();
  at("filter").addEventListener("input", drawList);
  at("filter").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", () => drawMore(PORTION));
  at("open").addEventListener("click", () => {
    for (const details of at("findings").children) details.open = true;
  });
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) drawMore(PORTION);
  }).observe(at("more"));
  addEventListener("hashchange", followLink);
  addEventListener("beforeprint", () => {
    drawMore(asked.length);
    for (const [i, details] of [...at("findings").children].entries()) {
      details.open = true;
      fill(details, asked[i]);
    }
  });
  followLink();
  if (report.findings.length === 1) {
    const [only] = at("findings").children;
    only.open = true;
    fill(only, report.findings[0]);
  }
}
start();
