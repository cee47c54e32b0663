# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opened.py PAGE: whether an HTML report opens in headless Chromium in less than 2 s of processor time.

What an empty page takes is subtracted. The page is emptied when it is open, because --dump-dom prints it. Other tests
run meanwhile, so the clock on the wall would say more of them.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

FLAGS = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --dump-dom".split()


def seconds(address):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="mck-") as profile:
        words = ["chromium", *FLAGS, f"--user-data-dir={profile}", address]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, timeout=300)
    assert address == "about:blank" or b"<p>100 findings</p>" in done.stdout, done.stdout[-2000:]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


SCRIPT = """<script>addEventListener("load", () => {
  const shown = document.querySelectorAll("details.finding").length;
  document.documentElement.innerHTML = `<p>${shown} findings</p>`;
});</script>"""
page = pathlib.Path(sys.argv[1] + ".opened.html").resolve()
text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
page.write_text(text.replace("</body>", SCRIPT + "</body>"), encoding="utf-8")
taken = seconds(page.as_uri()) - seconds("about:blank")
print(f"opened in {'less' if taken < 2 else 'more'} than 2 s: {taken:.2f} s")
