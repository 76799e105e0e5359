"""How the title of a page names a text."""

from __future__ import annotations

from tokenizer_conformance.command_io.visible import SPACE, visible_run

LONGEST = 40
"""So many characters of a text stand in a title."""


def text_in_title(text: str) -> str:
    r"""Return ``text`` in quotation marks, or its beginning where it is long; what is not plainly visible is escaped.

    >>> text_in_title("Hello, you\n"), text_in_title("a" * 100)[-4:]
    ('“Hello, you\\n”', 'aa…”')
    """
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return f"“{visible_run(shown).replace(SPACE, ' ')}”"
