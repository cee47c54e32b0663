# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""keys.py PAGE: goes through an HTML report in headless Chromium by keys alone, and prints where they lead.

The keys are the browser's own (its DevTools protocol over a pipe), so its order of stops and its marks are tried, too.
"""
import contextlib
import itertools
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

FLAGS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --remote-debugging-pipe --window-size=1280,900""".split()
PATIENCE = 300  # seconds for one answer
CODES = {"Tab": 9, "Enter": 13, " ": 32}
# What has the focus, and what lets nobody see that it has.
FOCUS = """(() => {
  const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
  return {tag: e.localName, id: e.id, text: e.textContent.trim().split("\\n")[0], open: e.parentElement?.open,
          hidden: e !== document.body && (style.outlineStyle === "none" || box.bottom < 0 || box.top > innerHeight)};
})()"""


class Browser:
    """A Chromium of its own."""

    def __init__(self, profile):
        asks, self.asked = os.pipe()
        self.answers, answers = os.pipe()
        # The browser reads from 3 and writes to 4.
        command = ["bash", "-c", f'exec "$@" 3<&{asks} 4>&{answers}', "bash", "chromium", *FLAGS,
                   f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(command, pass_fds=[asks, answers], stderr=subprocess.DEVNULL)
        os.close(asks)
        os.close(answers)
        self.numbers, self.session, self.rest = itertools.count(1), {}, b""
        self.loaded = 0  # pages, until now

    def start(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.ask("Page.enable")

    def load(self, method, **params):
        """Page.navigate or Page.reload. A question that comes while the old page goes may never be answered."""
        before = self.loaded
        self.ask(method, **params)
        while self.loaded == before:
            self.hear(method)
        self.wait("!!document.querySelector('details.finding')")

    def hear(self, asked):
        """The next message of the browser."""
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], PATIENCE)[0]:
                sys.exit(f"no answer to {asked}")
            self.rest += os.read(self.answers, 1 << 20) or sys.exit("the browser has ended")
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.loaded += message.get("method") == "Page.loadEventFired"
        return message

    def ask(self, method, **params):
        number = next(self.numbers)
        question = {"id": number, "method": method, "params": params, **self.session}
        os.write(self.asked, json.dumps(question).encode() + b"\0")
        while (answer := self.hear(method)).get("id") != number:
            pass
        return answer["result"] if "result" in answer else sys.exit(str(answer))

    def value(self, text):
        answer = self.ask("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    def wait(self, text):
        for _ in range(600):
            if self.value(text):
                return
            time.sleep(0.05)
        sys.exit(f"never: {text}")

    def press(self, key):
        known = {"key": key, "windowsVirtualKeyCode": CODES.get(key, ord(key[0].upper()))}
        typed = {"text": {"Enter": "\r"}.get(key, key), "type": "keyDown"} if key != "Tab" else {"type": "rawKeyDown"}
        self.ask("Input.dispatchKeyEvent", **known, **typed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **known)
        # What the page does later has a turn. Its frames do not count: a busy machine may draw none for minutes.
        self.value("new Promise((done) => setTimeout(done, 20))")

    def tab(self):
        self.press("Tab")
        return self.value(FOCUS)


def walk(browser):
    """To the end of the page with the tab key; what is folded is opened by the blank and by Enter in turn."""
    stops, unseen, keys = [], [], itertools.cycle([" ", "Enter"])
    while (stop := browser.tab())["tag"] != "body":
        stops.append(stop["id"] or stop["tag"])
        if stop["hidden"]:
            unseen.append(stop)
        if stop["tag"] == "summary" and not stop["open"]:
            browser.press(next(keys))
            if not browser.value(FOCUS)["open"]:
                unseen.append(stop)
        if len(stops) > 3000:
            sys.exit("the focus never leaves the page")
    folded = browser.value("[...document.querySelectorAll('details')].filter((d) => !d.open).length")
    print("stops", " ".join(f"{name}*{len(list(same))}" if name == "summary" else name
                            for name, same in itertools.groupby(stops[:8])))
    print("unseen", unseen)
    print("folded", folded)


def choose(browser):
    """The link at the top, a filter, and the button at the end."""
    browser.value("document.activeElement.blur(); scrollTo(0, 0)")
    browser.load("Page.reload")
    browser.tab()
    browser.press("Enter")
    print("skipped to", browser.value(FOCUS)["id"])
    browser.value("at('text').focus()")
    for letter in "leak":
        browser.press(letter)
    print("filtered", browser.value("at('shown').textContent"))
    browser.value("at('text').value = ''; at('filter').dispatchEvent(new Event('input')); at('more').focus()")
    browser.wait("document.activeElement.localName === 'summary' || at('more').hidden")
    print("more", browser.value("[...at('findings').children].indexOf(document.activeElement.parentElement)"))


with tempfile.TemporaryDirectory(prefix="mck-", ignore_cleanup_errors=True) as home:
    chromium = Browser(home)
    try:
        chromium.start()
        chromium.load("Page.navigate", url=pathlib.Path(sys.argv[1]).resolve().as_uri())
        if "many" not in sys.argv:
            walk(chromium)
        choose(chromium)
    finally:
        chromium.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            chromium.process.wait(10)
        chromium.process.kill()
        chromium.process.wait()
