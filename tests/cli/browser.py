# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium, and a page that is open in it: for the tests and the benchmark of the page."""

import json
import os
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SWITCHES = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage
	--disable-background-networking --disable-component-update --disable-sync --disable-extensions"""


def open_browser(folder):
    """Its profile is kept in the folder."""
    options = Options()
    options.binary_location = os.environ["BROWSER"]
    for switch in SWITCHES.split():
        options.add_argument(switch)
    options.add_argument("--user-data-dir=" + os.path.join(folder, "profile"))
    options.add_argument("--window-size=1440,1000")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service("chromedriver"))
    browser.set_script_timeout(60)
    return browser


class Page:
    """A page that is open; what the console and the network say of it is looked at on leaving."""

    def __init__(self, browser, folder, name):
        self.browser = browser
        self.url = "file://" + os.path.join(os.path.realpath(folder), name)

    def __enter__(self):
        self.browser.get_log("performance")
        self.browser.get(self.url)
        assert self.js("return document.documentElement.dataset.ready") == "yes", "the script did not end"
        return self

    def __exit__(self, kind, value, trace):
        if kind:
            return
        errors = self.browser.get_log("browser")
        assert not errors, errors
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            asked = message["params"]["request"]["url"]
            if not message["params"]["documentURL"].startswith("chrome:"): # the browser's own first tab
                assert asked.split("#")[0] == self.url, f"the page asked for {asked}"

    def js(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, text, what):
        end = time.monotonic() + 20
        while not self.js("return " + text):
            assert time.monotonic() < end, what
            time.sleep(0.02)

    def press(self, *keys):
        chain = ActionChains(self.browser)
        for key in keys:
            chain.send_keys(key)
        chain.perform()
