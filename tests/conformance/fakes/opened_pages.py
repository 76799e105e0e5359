"""Pages opened in a browser, and what goes wrong there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.html.writing import html_of
from tokenizer_conformance.results.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Request
    from playwright.sync_api import Page as Tab

LATE = """
const listen = window.addEventListener;
window.addEventListener = function (kind, heard, ...others) {
  listen.call(this, kind, kind === "hashchange" ? (event) => setTimeout(heard, 100, event) : heard, ...others);
};
"""
"""A page hears of a new fragment after a click has returned; here so late that a test which does not wait fails."""

LISTEN = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""

PATIENCE = 30_000
"""So many milliseconds are waited for something to happen; no test depends on how long things take."""


SERIOUS = ("serious", "critical")


def violations(tab: Tab, axe: str) -> list[str]:
    """Return what the script of axe-core finds wrong with the page in ``tab`` that is serious or critical."""
    tab.evaluate(axe)
    found = tab.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")["violations"]
    return [f"{each['id']}: {node['html']}" for each in found if each["impact"] in SERIOUS for node in each["nodes"]]


@dataclass
class Opener:
    """Opens pages; ``troubles`` is what no page may cause."""

    browser: Browser
    folder: Path
    troubles: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(self, page: Page | Path, hash_: str = "", **options: Any) -> Tab:
        """Open a ``page``, or the file of one, in a context of its own, at that fragment of its address."""
        file = self.written(page) if isinstance(page, Page) else page
        context = self.browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        tab = context.new_page()
        if options.get("java_script_enabled", True):
            tab.add_init_script(LATE + LISTEN)
        tab.on("console", self._console)
        tab.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        tab.on("dialog", self._dialog)
        tab.on("request", self._request)
        tab.goto(f"{file.as_uri()}{hash_}")
        if options.get("java_script_enabled", True):
            ready(tab)
        return tab

    def written(self, page: Page) -> Path:
        file = self.folder / "page.html"
        file.write_text(html_of(page), encoding="utf-8")
        return file

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console: {message.text}")

    def _dialog(self, dialog: Dialog) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.troubles.append(f"asked the network for {request.url}")

    def close(self) -> None:
        """Close all pages. Raises ``AssertionError`` where one was in trouble."""
        for context in self.contexts:
            for tab in context.pages:
                self.troubles += [f"violated: {each}" for each in tab.evaluate("window.violations ?? []")]
            context.close()
        assert not self.troubles


def ready(tab: Tab) -> None:
    """Wait until the list of findings is there."""
    tab.wait_for_selector("html[data-ready]", state="attached")


def shown(tab: Tab) -> str:
    """Return what is said about how many findings are shown."""
    return tab.locator("#shown").inner_text()


def headlines(tab: Tab) -> list[str]:
    """Return the findings in the list, in their order."""
    return tab.locator("#list .title button").all_inner_texts()


# Records, each made once whatever the number of workers ---------------------------------------------------------------


@dataclass(frozen=True)
class Recorded:
    """A record that a command wrote, the HTML it wrote, and the page that both are of."""

    record: Path
    html: Path

    @property
    def page(self) -> Page:
        return read_page(self.record)


@dataclass(frozen=True)
class Records:
    """Makes records in ``folder``, which all workers have."""

    folder: Path

    def once(self, name: str, make: Callable[[Path], None]) -> Recorded:
        """Return what ``make`` writes into a folder of that ``name``, ``run.jsonl`` and ``run.html``."""
        folder = self.folder / f"report-{name}"
        with FileLock(folder.with_suffix(".lock")):
            if not (folder / "done").exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                (folder / "done").touch()
        return Recorded(folder / "run.jsonl", folder / "run.html")
