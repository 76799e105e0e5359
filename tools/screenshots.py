"""Pictures of a page, for people who have not made one yet.

    python tools/screenshots.py PAGE.html [--to FOLDER]

Writes ``report.png`` into the folder, ``reports/screenshots`` where none is named: the first screen of the page, light,
with few enough colours to be small. `make screenshots` runs it on the page of a run of eight implementations.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from chromium import MISSING, find_browser, started
from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "reports" / "screenshots"

SCREEN = (1280, 900)
"""Width and height of the window, in pixels."""

COLOURS = 128
LARGEST = 200_000
"""How many bytes a picture may have."""


def picture_of(program: str, page: Path) -> bytes:
    """Return the first screen of ``page`` as a PNG."""
    width, height = SCREEN
    with started(program) as browser:
        tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        tab.goto(page.resolve().as_uri())
        tab.wait_for_selector("html[data-ready]", state="attached")
        taken = tab.screenshot()
    small = io.BytesIO()
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> int:
    """Write the picture; the exit status is 1 where it is too large."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--to", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    program = find_browser()
    if program is None:
        parser.error(MISSING)
    picture = picture_of(program, arguments.page)
    arguments.to.mkdir(parents=True, exist_ok=True)
    (arguments.to / "report.png").write_bytes(picture)
    print(f"{arguments.to / 'report.png'}: {len(picture):,} bytes")
    return 1 if len(picture) > LARGEST else 0


if __name__ == "__main__":
    sys.exit(main())
