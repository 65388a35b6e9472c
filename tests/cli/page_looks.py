# SPDX-License-Identifier: GPL-2.0-or-later
"""How the page of rsbsim report looks: tests of tests/cli/report_page.py, of main.html in its folder."""

import sys

from browser import Page

FOLDER = sys.argv[1]

# The names in the stacks that are cut, and whether the stacks stand beside each other row by row.
CUT = """
const cut = [...document.querySelectorAll(".slot .where")].filter((each) =>
    each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1).map((each) => each.textContent);
const uneven = players.filter((player) => {
    const [slots, frames] = [player.stacks.slots, player.stacks.frames].map((list) => [...list.children].map((each) => each.getBoundingClientRect().top));
    return frames.some((top, i) => slots[i] !== undefined && Math.abs(top - slots[i]) > 1);
}).length;
return [cut, uneven];
"""


def looks(browser):
    """Nothing is wider than a phone, the theme follows the system and the switch, and it can be printed."""
    with Page(browser, FOLDER, "main.html") as page:
        back = "return getComputedStyle(document.documentElement).backgroundColor"
        for width in (360, 768, 1080, 1440):
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
            wide = page.js("return document.documentElement.scrollWidth")
            assert wide <= width, f"{wide} wide on {width}"
            cut, uneven = page.js(CUT)
            assert not cut and not uneven, f"on {width} {cut} are cut, {uneven} stacks are uneven"
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        colours = []
        for scheme in ("light", "dark"):
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            colours.append(page.js(back))
        assert colours[0] != colours[1], "it does not follow the system"
        page.js("[...document.querySelectorAll('.top input')].find((each) => each.value === 'light').click()")
        assert page.js(back) == colours[0], "the switch has no effect"
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        assert len(browser.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 10000


# Texts whose contrast is less than WCAG 2.1 asks for (1.4.3: 4.5); what cannot be pressed is exempt.
PALE = """
const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const parse = (text) => { const parts = text.match(/[\\d.]+/g).map(Number); return parts.length < 4 ? [...parts, 1] : parts; };
const over = (colour, back, share) => [0, 1, 2].map((i) => colour[i] * share + back[i] * (1 - share));
const backOf = (element) => {
    const [r, g, b, share] = parse(getComputedStyle(element).backgroundColor);
    return share < 1 && element.parentElement ? over([r, g, b], backOf(element.parentElement), share) : [r, g, b];
};
const pale = [];
for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg, script, style, [hidden], :disabled") || !element.offsetParent ||
        ![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
        continue;
    let opacity = 1;
    for (let each = element; each; each = each.parentElement)
        opacity *= Number(getComputedStyle(each).opacity);
    const back = backOf(element);
    const [x, y] = [luminance(over(parse(getComputedStyle(element).color), back, opacity)), luminance(back)];
    const contrast = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (contrast < 4.5)
        pale.push(`${contrast.toFixed(2)}: ${element.className}, ${element.textContent.slice(0, 40)}`);
}
return pale;
"""


def contrast(browser):
    """Every text can be told from what is behind it, light and dark, at a miss too."""
    with Page(browser, FOLDER, "main.html") as page:
        for scheme in ("light", "dark"):
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            pale = page.js(PALE)
            assert not pale, f"{scheme}: {pale[:8]}"
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def narrow(browser):
    """On a phone the events stand below each other, and neither they nor the stacks scroll sideways."""
    with Page(browser, FOLDER, "main.html") as page:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        page.js("players.forEach((player) => player.show(player.track.misses[0] + 1 || 9))")
        wide = page.js("""return [...document.querySelectorAll('.event-scroll, .slots, .lanes, .done')]
            .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.outerHTML.slice(0, 80))""")
        assert not wide, wide
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
