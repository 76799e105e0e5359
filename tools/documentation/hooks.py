"""What MkDocs does to the documentation beyond its own: links to the rest of the project, and nothing from elsewhere.

In the repository, a page links to any file of the project. On the site, the pages of ``reports/`` are documents of the
site around the documentation, and other files are not there: of a link to one its words are left.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]+)(#[^)\s]*)?\)")

ROLE = re.compile(r":(?:func|class|meth|mod|data|attr|exc):<code>(?:[~.][\w.]*\.|[~.])?([^<]*)</code>")
"""A name in a docstring, with what says what it is and where; only the name is shown."""

UNUSED = re.compile(r"^assets/javascripts/(?:lunr|workers)/|\.map$")
"""Files of the theme that only its own search and people who mend it need."""

HOST = re.compile(r"(?<=[\"'`])https://[\w.-]+/[^\s\"'`$]*")
"""Addresses in the theme's script: of what it would fetch if pages asked for it, which none does."""

LEFT_OUT = ("404.html", "sitemap.xml", "sitemap.xml.gz")
"""What a site of its own would have, but a part of another has not."""


def document_of(target: Path) -> str | None:
    """Return the address that ``target`` has on the site around the documentation; ``None`` if it has none.

    >>> document_of(ROOT / "reports" / "peers" / "tokie.md")
    'documents/tokie.html'
    >>> document_of(ROOT / "CONTRIBUTING.md")
    """
    published = {ROOT / "reports", ROOT / "reports" / "peers"}
    if target.suffix == ".md" and (target.parent in published or target == ROOT / "reference" / "TEXTBOOK.md"):
        return f"documents/{target.stem}.html"
    return None


def linked(markdown: str, source: Path) -> str:
    """Return the text of the page at ``source`` with its links out of ``docs/`` as they are on the site.

    >>> linked("[`a`](../../reports/speed.md#x), [b](../../Makefile), [c](ci.md)", DOCS / "how-to" / "x.md")
    '<a href="../../documents/speed.html#x">`a`</a>, b, [c](ci.md)'
    """

    def replaced(found: re.Match[str]) -> str:
        words, name, anchor = found[1], found[2], found[3] or ""
        target = Path(os.path.normpath(source.parent / name))
        if ":" in name or target.is_relative_to(DOCS):
            return found[0]
        address = document_of(target)
        if address is None:
            return words
        up = "../" * len(source.relative_to(DOCS).parts)
        return f'<a href="{up}{address}{anchor}">{words}</a>'

    parts = FENCED.split(markdown)
    return "".join(part if number % 2 else LINK.sub(replaced, part) for number, part in enumerate(parts))


def named(html: str) -> str:
    """Return ``html`` without the roles of names, as docstrings have them.

    >>> named(":class:<code>~.results.Results</code> and :func:<code>check</code>, :mod:<code>a.b</code>")
    '<code>Results</code> and <code>check</code>, <code>a.b</code>'
    """
    return ROLE.sub(r"<code>\1</code>", html)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Lead links out of the folder to where the site has these files."""
    return linked(markdown, Path(page.file.abs_src_path or DOCS))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Leave out the roles of names in docstrings."""
    return named(html)


def on_files(files: Files, config: MkDocsConfig) -> None:  # noqa: ARG001
    """Leave out what nothing on the pages uses."""
    for file in list(files):
        if UNUSED.search(file.src_uri):
            files.remove(file)


def on_post_build(config: MkDocsConfig) -> None:
    """Take the addresses of hosts out of the theme's script, and leave out the pages of a site of its own."""
    site = Path(config.site_dir)
    for script in site.glob("assets/javascripts/*.js"):
        text = HOST.sub("", script.read_text(encoding="utf-8"))
        script.write_text(re.sub(r"\n?//# sourceMappingURL=.*", "", text), encoding="utf-8")
    for style in site.glob("assets/stylesheets/*.css"):
        text = style.read_text(encoding="utf-8")
        style.write_text(re.sub(r"\n?/\*# sourceMappingURL=.*?\*/", "", text), encoding="utf-8")
    for name in LEFT_OUT:
        (site / name).unlink(missing_ok=True)
