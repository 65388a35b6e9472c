# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the page share: the folder they are in, and the program, whose figures are expected."""

import json
import os
import subprocess
import sys

FOLDER = sys.argv[1]
RSBSIM = os.environ["RSBSIM"]


def rsbsim(*arguments):
    done = subprocess.run([RSBSIM, *arguments], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, f"rsbsim {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)


def per_call(layouts, cpu, *more):
    scores = json.loads(rsbsim("score", *layouts, "--cpu", cpu, "--scenario", "unwind", "-f", "json", *more))
    return {score["layout"]: score["per_call"] for score in scores["results"]}
