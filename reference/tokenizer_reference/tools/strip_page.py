"""The page of a strip of tokens. What comes from the text, the tokenizer and the annotations is hostile and escaped."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.code_point_sets import character_class, difference, from_characters, union
from tokenizer_reference.text.unicode_properties import binary_property, general_category

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_reference.tools.strip import Annotated, Piece
    from tokenizer_reference.values.encoding import Encoding

_COLOURS: Final = 6
"""How many colours tokens take in turn."""

_STYLE: Final = """
.token-strip { font: 1.05em/2.2 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.token-strip .no-characters, .token-strip .code, .token-strip .label { unicode-bidi: isolate; }
.token-strip .token { color: #111; border-radius: 3px; padding: 2px 0; border-left: 1px solid #fff; }
.token-strip .colour-0 { background: #bcdcff; }
.token-strip .colour-1 { background: #ffdfa8; }
.token-strip .colour-2 { background: #c2ecc4; }
.token-strip .colour-3 { background: #f6c9ec; }
.token-strip .colour-4 { background: #cfe8ea; }
.token-strip .colour-5 { background: #fbd0c4; }
.token-strip .several { border-bottom: 3px double #111; }
.token-strip .unknown { outline: 2px solid #c00; }
.token-strip .no-characters {
  color: #fff; background: #555; border-radius: 8px; padding: 1px 6px; margin: 0 2px; font-size: 80%;
}
.token-strip .between { color: #888; }
.token-strip .code { color: #a00; background: #fff; font-size: 70%; border: 1px dotted #a00; }
.token-strip .annotation { border-bottom: 3px solid; padding-bottom: 4px; }
.token-strip .label { color: #fff; font-size: 65%; border-radius: 3px; padding: 1px 4px; vertical-align: super; }
"""


def page(
    text: str,
    encoding: Encoding,
    pieces: Sequence[Piece],
    annotations: Sequence[Annotated],
    colours: Mapping[str, str],
    unknown: re.Pattern[str],
) -> str:
    """Return the page that shows ``pieces`` of ``text``.

    ``colours`` are those of the annotations' labels, in CSS; ``unknown`` is searched in the names of tokens, to mark
    those that stand for what the vocabulary does not have.
    """
    shown = []
    for index, group in groupby(pieces, lambda piece: piece.annotation):
        spans = "".join(_span(text, encoding, piece, unknown) for piece in group)
        shown.append(spans if index is None else _annotation(annotations[index], colours, spans))
    strip = f'<div class="token-strip" dir="auto">{"".join(shown)}</div>'
    head = f'<meta charset="utf-8"><title>Tokens</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="und"><head>{head}</head>\n<body>\n{strip}\n</body></html>\n'


def _annotation(annotation: Annotated, colours: Mapping[str, str], spans: str) -> str:
    colour = escape(colours[annotation.label])
    label = f'<span class="label" style="background: {colour}">{_visible(annotation.label)}</span>'
    return f'<span class="annotation" style="border-color: {colour}">{label}{spans}</span>'


def _span(text: str, encoding: Encoding, piece: Piece, unknown: re.Pattern[str]) -> str:
    characters = text[piece.start : piece.end]
    if not piece.tokens:
        return f'<span class="between">{_visible(characters)}</span>'
    names = [encoding.tokens[index] for index in piece.tokens]
    classes = ["token", f"colour-{piece.tokens[0] % _COLOURS}"] if characters else ["no-characters"]
    if len(names) > 1:
        classes.append("several")
    if any(_is_unknown(name, characters, unknown) for name in names):
        classes.append("unknown")
    about = "\n".join(_about(encoding, index) for index in piece.tokens)
    return f'<span class="{" ".join(classes)}" title="{about}">{_visible(characters or names[0])}</span>'


def _is_unknown(name: str, characters: str, unknown: re.Pattern[str]) -> bool:
    """Return whether a token is named as an unknown one, and not for its text."""
    found = unknown.search(name)
    return found is not None and found[0].lower() not in characters.lower()


def _about(encoding: Encoding, index: int) -> str:
    """Return what the tip on a token says."""
    start, end = encoding.offsets[index]
    word = encoding.word_ids[index]
    parts = [f"token {index}: {_visible(encoding.tokens[index], with_tags=False)}", f"id {encoding.ids[index]}"]
    parts.append(f"characters {start} to {end}" if start < end else "no characters")
    if word is not None:
        parts.append(f"word {word}")
    return ", ".join(parts)


# Characters ----------------------------------------------------------------------------------------------------------


@cache
def _invisible() -> re.Pattern[str]:
    """Return a pattern of the characters that are shown by their numbers: unseen, or changing how others are seen.

    The joiners and variation selectors of emoji and of Indic and Arabic script stay.
    """
    named = union(*map(general_category, ("C", "Z")), binary_property("Default_Ignorable_Code_Point"))
    kept = union(from_characters(" \n\u200c\u200d"), binary_property("Variation_Selector"))
    return re.compile(f"[{character_class(difference(named, kept))}]")


@cache
def _marks_at_start() -> re.Pattern[str]:
    return re.compile(f"^(?=[{character_class(general_category('M'))}])")


def _visible(text: str, *, with_tags: bool = True) -> str:
    r"""Return ``text`` as HTML in which every character is seen; without tags for an attribute's value.

    A mark that would sit on what is before gets a dotted circle to sit on.

    >>> _visible("<b>\u202e", with_tags=False)
    '&lt;b&gt;U+202E'
    """
    before, after = ('<span class="code">', "</span>") if with_tags else ("", "")
    shown = _marks_at_start().sub("\N{DOTTED CIRCLE}", escape(text))
    shown = _invisible().sub(lambda match: f"{before}U+{ord(match[0]):04X}{after}", shown)
    return shown.replace("\n", f"{before}\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}{after}\n" if with_tags else "\u21b5")
