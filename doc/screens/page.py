# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py FOLDER: makes page.png, the player of a layout on the page of ${RSBSIM:-rsbsim} report; needs
chromium, chromedriver and selenium."""

import base64
import os
import shutil
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SWITCHES = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars
	--disable-background-networking --disable-component-update --disable-sync"""
WIDTH = 1080


def shoot(browser, page):
    browser.get("file://" + page)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": WIDTH, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
    top, bottom = browser.execute_async_script("""
        const done = arguments[0];
        for (const other of document.querySelectorAll(".lanes, .what-if"))
            other.remove(); /* the stacks come next */
        players[0].listing.body.scrollTop += 150;
        const box = document.querySelector(".player").getBoundingClientRect();
        const end = document.querySelector(".player .columns").getBoundingClientRect();
        setTimeout(() => done([box.top + scrollY, end.bottom + scrollY]), 500);""")
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": top, "width": WIDTH, "height": bottom - top - 140, "scale": 1}})
    return base64.b64decode(shot["data"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")
        subprocess.run([os.environ.get("RSBSIM", "rsbsim"), "report", "bpf-fexit-skip", "--cpu",
                        "amd-zen4,intel-haswell", "-o", page], check=True)
        options = Options()
        options.binary_location = shutil.which("chromium") or "chromium"
        for switch in SWITCHES.split():
            options.add_argument(switch)
        options.add_argument("--user-data-dir=" + os.path.join(folder, "profile"))
        browser = webdriver.Chrome(options=options, service=Service("chromedriver"))
        try:
            shot = shoot(browser, page)
        finally:
            browser.quit()
    with open(os.path.join(sys.argv[1], "page.png"), "wb") as file:
        file.write(shot)


main()
