# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""html.py PAGE [dark] [AXE]: opens an HTML report in headless Chromium, opens and filters its findings, and prints what
it has, and what it lacks for some readers (accessible.js).

Fails where the page writes to the console, or asks for anything but itself. With AXE (axe.min.js) also prints what that
accessibility checker finds with everything open, by all of its rules (best practice, AAA and experimental ones, too).
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --enable-logging=stderr --virtual-time-budget=4000 --dump-dom""".split()
PROBE = """
const say = {title: document.title, rows: document.querySelectorAll("#summary tbody tr").length,
             first: document.querySelectorAll("details.finding").length, shown: at("shown").textContent};
const set = (id, value) => { at(id).value = value; at("filter").dispatchEvent(new Event("input")); };
const count = (id, value) => { set(id, value); const n = asked.length; set(id, ""); return n; };
say.filters = [count("kind", "rma.race"), count("severity", "warning"), count("rank", "1"), count("file", "none.c"),
               count("text", "ssend")];
location.hash = "#" + (report.findings[Math.min(report.findings.length - 1, 150)]?.anchor || "findings");
setTimeout(() => {
  const open = [...document.querySelectorAll("details.finding[open]")].map((d) => d.id);
  say.linked = open.includes(location.hash.slice(1));
  for (const d of [...document.querySelectorAll("details.finding")].slice(0, 20)) d.open = true;
  setTimeout(async () => {
    for (const d of document.querySelectorAll("details details")) d.open = true;
    say.marked = document.querySelectorAll(".source .marked").length;
    const texts = [...document.querySelectorAll("p.dim")].map((p) => p.textContent);
    say.lacks = [...new Set(texts.filter((t) => t.startsWith("The source is not shown")))].sort().join(" ");
    // A finding whose places are on several ranks is not on one rank.
    say.ranks = report.findings.filter((finding) => {
      const fact = document.querySelector(`#${CSS.escape(finding.anchor)} p.dim`);
      const several = new Set(finding.places.map((place) => place.rank).filter((rank) => rank >= 0)).size > 1;
      return fact && several && !fact.textContent.startsWith("on ranks ");
    }).map((finding) => finding.anchor);
    say.pictures = document.querySelectorAll("svg[role=img] > title").length;
    say.maps = `${document.querySelectorAll("svg .outside").length} ${document.querySelectorAll("svg .maybe").length}`;
    say.shared = document.querySelectorAll("svg .shared").length;
    say.times = `${document.querySelectorAll("[aria-label='time line'] svg").length} lines, ` +
                `${document.querySelectorAll("svg .epoch").length} epochs`;
    // An arrow that is drawn behind a box of calls runs over its text.
    say.crossed = document.querySelectorAll("[aria-label='time line'] svg g ~ line.arrow").length;
    say.programs = document.querySelectorAll("details details pre").length;
    say.requests = performance.getEntriesByType("resource").length;
    say.scripts = document.scripts.length;
    say.faults = findFaults();
    const rules = window.axe ? Object.fromEntries(axe.getRules().map((rule) => [rule.ruleId, {enabled: true}])) : {};
    if (window.axe) say.axe = (await axe.run({rules})).violations.map((v) => [v.id, v.nodes.map((n) => n.html)]);
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = JSON.stringify(say);
    document.body.append(result);
  }, 500);
}, 500);
"""


def script(text):
    return "<script>" + text.replace("</script", "<\\/script") + "</script>"


page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
files = [pathlib.Path(__file__).with_name("accessible.js"), *(path for path in sys.argv[2:] if path != "dark")]
added = "".join(script(pathlib.Path(path).read_text(encoding="utf-8")) for path in files) + script(PROBE)
if "dark" in sys.argv:
    FLAGS.append("--blink-settings=preferredColorScheme=0")
probe = pathlib.Path(sys.argv[1] + ".probe.html").resolve()
probe.write_text(page.replace("</body>", added + "</body>"), encoding="utf-8")
with tempfile.TemporaryDirectory(prefix="mck-") as profile:
    words = ["chromium", *FLAGS, f"--user-data-dir={profile}", probe.as_uri()]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
assert not console, console
result = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.S)
assert result, (done.stdout[-2000:], done.stderr[-2000:])
said = json.loads(result[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
assert not (wrong := said.pop("ranks")), f"on one rank: {wrong}"
assert not said.pop("crossed"), "arrows of a time line run over boxes"
for key, value in said.items():
    print(key, value)
assert len(page) < 20 << 20, "the page is too large"
