"""The Chromium of this machine, for whatever looks at pages: tests, screenshots, benchmarks."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

CHOSEN = "TOKCONF_BROWSER"
"""The variable that names the program to start instead of those below."""

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Those that are looked for; the first draws the same, and is quicker to start and to draw."""

MISSING = f"no browser: none of {', '.join(PROGRAMS)} is installed, and {CHOSEN} names none"


def find_browser() -> str | None:
    """Return the path of the browser, ``None`` where there is none."""
    chosen = os.environ.get(CHOSEN)
    return shutil.which(chosen) if chosen else next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def started(program: str) -> Iterator[Browser]:
    """Start the browser that is that ``program``, and end it."""
    # As root the sandbox cannot be set up; what is opened is made here.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if is_root else [])
        try:
            yield browser
        finally:
            browser.close()
