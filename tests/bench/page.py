# SPDX-License-Identifier: GPL-2.0-or-later
"""
page.py PROGRAM FOLDER: how quick the page of rsbsim report is with a recording of 100000 events: to
open, to jump in, to drag the slider of. Times are of the whole way to the frame that shows it, in
headless Chromium, which paints with the processor.
"""

import os
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True # nothing is left in the sources
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))
from browser import Page, open_browser # noqa: E402

PROGRAM, FOLDER = sys.argv[1:]
EVENTS = 100000
RUNS = 3
JUMPS = 40
MOVES = 50

# Wide calls of one layout that misses little, and of one that misses often.
LAYOUTS = [("bpf-fexit-skip", "10000"), ("return-thunk-srso", "20000")]

# Below them nobody waits: a page opens, a jump is done, a slider does not stick.
LIMIT_OPEN, LIMIT_JUMP, LIMIT_DRAG = 2000, 200, 300 # ms

# Jumps all over the recording, each from the call up to the end of its frame.
JUMP = """
const [jumps, done] = arguments;
const player = players[0];
const times = [];

function jump() {
	const start = performance.now();

	if (times.length === jumps) {
		done(times);
		return;
	}
	player.show((times.length * 7919 * 13) % player.run.count, true);
	requestAnimationFrame(() => {
		const after = new MessageChannel(); /* what is posted now comes when the frame is out */

		after.port1.onmessage = () => {
			times.push(performance.now() - start);
			jump();
		};
		after.port2.postMessage(0);
	});
}
jump();
"""

# Keeps how far frames are apart.
WATCH = """
window.gaps = [];
let last = performance.now();
(function frame() {
	const now = performance.now();

	window.gaps.push(now - last);
	last = now;
	requestAnimationFrame(frame);
})();
players[0].slider.scrollIntoView({ block: "center" });
const box = players[0].slider.getBoundingClientRect();
return [box.left + 10, box.right - 10, box.top + box.height / 2];
"""


def opened(page):
    """Milliseconds from asking for it up to all being drawn."""
    return page.js("return performance.getEntriesByType('navigation')[0].loadEventEnd")


def dragged(browser, page):
    """The slider by the mouse, from one end to the other: the longest time without a frame."""
    left, right, y = page.js(WATCH)

    def mouse(what, x):
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1})

    time.sleep(0.3)
    page.js("gaps.length = 0")
    mouse("mousePressed", left)
    for i in range(MOVES):
        mouse("mouseMoved", left + (right - left) * i / (MOVES - 1))
    mouse("mouseReleased", right)
    assert page.js("return players[0].at") > 0.9 * EVENTS, "the slider was not dragged"
    return max(page.js("return gaps"))


def measure(browser, layout, batch):
    name = layout + ".html"
    subprocess.run([PROGRAM, "report", layout, "--cpu", "amd-zen4", "--batch", batch, "--events", str(EVENTS),
                    "-o", os.path.join(FOLDER, name)], check=True)
    figures = []
    for _ in range(RUNS):
        with Page(browser, FOLDER, name) as page:
            assert page.js("return players[0].run.count") == EVENTS
            jumps = browser.execute_async_script(JUMP, JUMPS)
            figures.append((opened(page), statistics.median(jumps), dragged(browser, page)))
    words = f"{EVENTS} events on the page, {layout}"
    for what, values, limit in zip(("to open", "a jump", "a drag, longest frame"), zip(*figures),
                                   (LIMIT_OPEN, LIMIT_JUMP, LIMIT_DRAG)):
        print(f"{words + ': ' + what:<68} min {min(values):.0f} ms, limit {limit} ms", flush=True)


def main():
    browser = open_browser(FOLDER)
    try:
        for layout, batch in LAYOUTS:
            measure(browser, layout, batch)
    finally:
        browser.quit()


main()
