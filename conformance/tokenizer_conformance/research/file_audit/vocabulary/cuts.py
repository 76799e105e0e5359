"""Which characters never stand in one piece, because a pre-tokenizer cuts between them in every text.

Three kinds of rules say so whatever is around the characters:

- *by pairs*: whether these components cut between two neighbours depends on the two alone, so a pair that is cut when
  it is the whole text is cut everywhere, what they remove alone they remove everywhere, and what they cut from itself
  they cut from everything (a character of a class that is joined is joined to itself);
- *by patterns*: a piece is a match, or what lies between two (:mod:`.patterns`);
- Metaspace with ``split`` cuts before each of its replacements, and ByteLevel gives only characters that stand for
  bytes.

Components pass pieces on to the next one, which only cuts further. Going back through one that changes the text, what
it may have put in is left out: what remains was in the text that it was given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import ANY, bytes_of, characters_of
from tokenizer_conformance.research.file_audit.vocabulary.components import CharacterClasses, cutting
from tokenizer_conformance.research.file_audit.vocabulary.patterns import Pattern, UnreadPatternError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_conformance.comparison.loaded_documents import Documents

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""What ``ByteLevel`` cuts by (tokenizers 0.23.3)."""

PAIRS = frozenset(
    {"BertPreTokenizer", "CharDelimiterSplit", "Digits", "UnicodeScripts", "Whitespace", "WhitespaceSplit"}
)
"""Components that cut by pairs; ``Punctuation`` does with the behaviours below, too."""

BEHAVIORS = frozenset({"Contiguous", "Isolated", "Removed"})

REPLACEMENT = "\ufffd"
"""What part of a character is shown as."""

PASSED_OVER = " "
"""What ``UnicodeScripts`` looks through, so that a pair with it says nothing."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What one component always does; ``name`` is its type. By itself it says nothing and changes nothing."""

    name: str

    def cut_in(self, text: str) -> str:
        """Return in a sentence why ``text`` never stands in one piece; an empty one where nothing says so."""
        del text
        return ""

    def keeps_alone(self, character: str) -> bool:
        """Return whether ``character`` is always a piece of its own, or in none."""
        del character
        return False

    def given(self, text: str) -> list[str]:
        """Return what the component was given for ``text`` to be in a piece of what it gives: each part in one piece.

        What it may have put in itself is left out.
        """
        return [text]


class Cuts:
    """What ``components``, one after the other, always cut."""

    def __init__(self, documents: Documents, components: Sequence[Mapping[str, Any]]) -> None:
        self._rules = [rule for each in components for rule in _rules(documents, each)]

    def cut_in(self, content: str) -> str:
        """Return why ``content``, as the model would see it, never stands in one piece; empty where nothing says so."""
        texts = [content]
        for rule in reversed(self._rules):
            # What a component gives is judged before what it was given.
            texts = [given for text in texts for given in rule.given(text)]
            for text in texts:
                if sentence := rule.cut_in(text):
                    return sentence
        return ""

    def keeps_alone(self, character: str) -> str:
        """Return why ``character`` is never in a piece with another one; empty where nothing says so."""
        found = next((rule for rule in self._rules if rule.keeps_alone(character)), None)
        return f"{found.name} never joins {quoted(character)} to another character" if found else ""


@dataclass(frozen=True, slots=True)
class _Pairs(Rule):
    """A component that cuts by pairs."""

    cut: Callable[[str], tuple[str, ...] | None]

    def cut_in(self, text: str) -> str:
        for character in text.replace(ANY, ""):
            if self._says_something(character) and self.cut(character) == ():
                return f"{self.name} removes {quoted(character)}"
        for left, right in pairwise(text):
            if ANY in (left, right):
                if self.keeps_alone(known := right if left == ANY else left):
                    return f"{self.name} never joins {quoted(known)} to another character"
            elif self._says_something(left + right) and self.cut(left + right) not in ((left + right,), None):
                return f"{self.name} cuts between {quoted(left)} and {quoted(right)}"
        return ""

    def keeps_alone(self, character: str) -> bool:
        twice = character * 2
        return character != ANY and self._says_something(character) and self.cut(twice) not in ((twice,), None)

    def _says_something(self, text: str) -> bool:
        return self.name != "UnicodeScripts" or PASSED_OVER not in text


@dataclass(frozen=True, slots=True)
class _Matches(Rule):
    """A component that cuts by a pattern. ``keeps_matches`` and ``keeps_gaps``: which of the two become pieces."""

    pattern: Pattern
    keeps_matches: bool = True
    keeps_gaps: bool = True

    def cut_in(self, text: str) -> str:
        try:
            if self._may_hold(text):
                return ""
            known = (pair for pair in pairwise(text) if ANY not in pair)
            pair = next((pair for pair in known if not self._may_hold("".join(pair))), None)
        except UnreadPatternError:
            return ""
        if pair:
            return f"the pattern of {self.name} cuts between {quoted(pair[0])} and {quoted(pair[1])}"
        shown = quoted(text.replace(ANY, REPLACEMENT))
        return f"no piece that the pattern of {self.name} cuts has {shown} in it"

    def _may_hold(self, text: str) -> bool:
        if not text or (self.keeps_matches and self.pattern.can_hold(text)):
            return True
        return self.keeps_gaps and not any(map(self.pattern.always_matches, text.replace(ANY, "")))


@dataclass(frozen=True, slots=True)
class _Replacing(Rule):
    """``Metaspace`` makes ``replacement`` of spaces, and may put one in at the beginning."""

    replacement: str

    def given(self, text: str) -> list[str]:
        return [part for part in text.split(self.replacement) if part]


@dataclass(frozen=True, slots=True)
class _Before(Rule):
    """``Metaspace`` cuts before each ``replacement``."""

    replacement: str

    def cut_in(self, text: str) -> str:
        at = text.find(self.replacement, 1)
        return "" if at < 0 else f"{self.name} cuts between {quoted(text[at - 1])} and {quoted(text[at])}"


@dataclass(frozen=True, slots=True)
class _Space(Rule):
    """``ByteLevel`` may put a space in before what it is given."""

    def given(self, text: str) -> list[str]:
        return [text.removeprefix(" ")]


@dataclass(frozen=True, slots=True)
class _Bytes(Rule):
    """``ByteLevel`` gives characters that stand for bytes; a part of a character is some character or other."""

    def given(self, text: str) -> list[str]:
        data = bytes_of(text)
        return [] if data is None else [characters_of(data)]


def _rules(documents: Documents, component: Mapping[str, Any]) -> Iterator[Rule]:
    """Give the rules of ``component`` in the order in which they act on a text."""
    name = str(component.get("type"))
    if name in PAIRS or (name == "Punctuation" and component.get("behavior", "Isolated") in BEHAVIORS):
        cut = cutting(documents, component)
        if cut is not None:
            yield _Pairs(name, cut)
    elif name == "Metaspace":
        replacement = str(component.get("replacement", "▁"))
        yield _Replacing(name, replacement)
        if component.get("split") is not False:
            yield _Before(name, replacement)
    elif name == "ByteLevel":
        if component.get("add_prefix_space") is not False:
            yield _Space(name)
        if component.get("use_regex") is not False:
            yield _Matches(name, Pattern(GPT2_PATTERN, CharacterClasses(documents)))
        yield _Bytes(name)
    elif name == "Split":
        yield from _split(documents, component)


def _split(documents: Documents, component: Mapping[str, Any]) -> Iterator[Rule]:
    pattern, behavior = component.get("pattern"), component.get("behavior")
    if not isinstance(pattern, dict) or behavior not in ("Isolated", "Removed"):
        return
    source = pattern.get("Regex")
    if not isinstance(source, str):
        source = re.escape(str(pattern.get("String", "")))
    is_inverted, keeps_all = component.get("invert") is True, behavior == "Isolated"
    try:
        read = Pattern(source, CharacterClasses(documents))
    except UnreadPatternError:
        return
    yield _Matches("Split", read, keeps_all or is_inverted, keeps_all or not is_inverted)
