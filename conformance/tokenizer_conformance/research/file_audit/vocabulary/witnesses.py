"""Texts that give an entry: made from the entry, and believed only when the implementation encodes them to its id.

Every text shows all entries in what comes of it, so most are found on the way. What a text is made of: the entry's own
characters, those that complete its bytes, and what stands around them. An entry that begins no word needs something
before it which the model keeps apart: an unknown character, a piece after which it is the longest match, a character of
another kind.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import bytes_of, completed, fallback_byte
from tokenizer_conformance.research.file_audit.vocabulary.entries import is_byte_level, unknown_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry
    from tokenizer_conformance.research.file_audit.vocabulary.models import LongestMatch
    from tokenizer_conformance.research.file_audit.vocabulary.proofs import Proofs

BATCH = 2000
"""How many texts are asked at once."""

FIRST_SEARCHED = 32
"""How many texts are asked at first where one entry is searched for; twice as many each time."""

UNKNOWN = ("\ue000", "\U0010fffd", "\u0378", "\x01", "中", "ﷺ", "𒀀")
"""Characters that hardly any vocabulary has."""

AROUND = (
    ("", ""),
    (" ", ""),
    ("a", ""),
    ("\ue000", ""),
    ("", "\ue000"),
    ("\n", ""),
    (". ", ""),
    ("", " "),
    ("", "a"),
    (".", ""),
    ("0", ""),
    ("", "."),
    ("\ue000", "\ue000"),
    ("a ", " a"),
    ("'", ""),
    ("\n", "\n"),
)
"""What stands before and after an entry, what helps most entries first."""

AFTER_A_LETTER = AROUND.index(("a", ""))
"""The round of texts in which a letter stands before the entry."""

IN_WORDS = (("", ""), ("a", ""), ("", "a"), ("a", "a"))
"""Places at the beginning, at the end, and within a word."""

KINDS = (
    "",
    " ",
    "a",
    "Z",
    "0",
    ".",
    "'",
    "\n",
    "\t",
    "  ",
    "é",
    "ж",
    "中",
    "あ",
    "ا",
    "\u0301",
    "\u200b",
    "\xad",
    "\ue000",
    "\x01",
    "€",
    "😀",
)
"""Characters of many kinds, to stand on either side of an entry that is not found else."""

MOST_COMPATIBLE = 3
MOST_FORMS = 3000
MOST_BEGINNINGS = 6
MOST_SEARCHED_BEGINNINGS = 300


class Witnesses:
    """The texts that were found, by the id that they give; ``texts`` counts those that were encoded.

    Once time ``is_over``, no more are encoded.
    """

    def __init__(self, asked: Asked, is_over: Callable[[], bool] = lambda: False) -> None:
        self._asked = asked
        self._is_over = is_over
        self._by_id: dict[int, str] = {}
        self.texts = 0

    def of(self, entry: Entry) -> str | None:
        """Return a text that gives ``entry``, ``None`` where none was found so far."""
        return self._by_id.get(entry.id)

    def ask(self, texts: Iterable[str]) -> None:
        """Encode ``texts``, without special tokens, and keep each as the witness of what it is the first to give."""
        waiting = iter(dict.fromkeys(filter(is_text, texts)))
        while not self._is_over() and (
            batch := [Encode(text, add_special_tokens=False) for text in islice(waiting, BATCH)]
        ):
            self._asked.ask_ahead(batch)
            for question in batch:
                answer = self._asked.ask(question)
                if isinstance(answer, Encoded):
                    self._keep(str(question.text), answer)
            self._asked.forget()
            self.texts += len(batch)

    def search(self, entry: Entry, texts: Iterable[str]) -> int:
        """Encode ``texts`` until one gives ``entry``; return how many were encoded for it."""
        waiting, before, size = iter(texts), self.texts, FIRST_SEARCHED
        while self.of(entry) is None and not self._is_over() and (batch := list(islice(waiting, size))):
            self.ask(batch)
            size = min(BATCH, 2 * size)
        return self.texts - before

    def _keep(self, text: str, answer: Encoded) -> None:
        real = answer.attention_mask or (1,) * len(answer.ids)
        for number, is_real in zip(answer.ids, real, strict=True):
            if is_real and number not in self._by_id:
                self._by_id[number] = text


class TextMaker:
    """Makes texts for entries of the tokenizer with these ``parts``."""

    def __init__(self, parts: DocumentParts, proofs: Proofs) -> None:
        self._proofs = proofs
        self._is_joined = cache(proofs.is_joined)
        self._byte_level = is_byte_level(parts)
        self._unknown = unknown_token(parts)
        metaspaces = [str(each.members.get("replacement", "▁")) for each in parts.of_type("Metaspace")]
        self._spaces = (*dict.fromkeys([*metaspaces, "▁"]),)

    def rounds(self) -> int:
        """How many rounds of first texts there are."""
        return len(AROUND)

    def first_texts(self, entry: Entry, number: int) -> Iterator[str]:
        """Give the texts of one round: each is cheap, and most entries are found in the first of them."""
        before, after = AROUND[number]
        for form in islice(self._forms(entry), 1 if number else 2):
            yield before + form + after
        if not number:
            yield from self._special(entry, MOST_BEGINNINGS)

    def all_texts(self, entry: Entry) -> Iterator[str]:
        """Give all texts that are tried for an entry which is not found else."""
        yield from self._special(entry, MOST_SEARCHED_BEGINNINGS)
        forms = list(islice(self._forms(entry), MOST_FORMS))
        yield from forms
        few = forms[:4]
        for form, (before, after) in product(few, IN_WORDS):
            yield from (before + other + after for other in _written_otherwise(form))
        for form, before, after in product(few, KINDS, KINDS):
            yield before + form + after
        for form in few:
            yield from (form * 2, form * 3, f"{form} {form}")

    def _forms(self, entry: Entry) -> Iterator[str]:
        """Give texts that have the entry's characters, with spaces as they are written in a text."""
        contents = dict.fromkeys(self._proofs.contents(entry.token))
        for content in contents:
            data = bytes_of(content) if self._byte_level else None
            if data is not None:
                yield from completed(data)
            for space in self._spaces:
                if space in content:
                    yield content.replace(space, " ")
            yield content

    def _special(self, entry: Entry, most: int) -> Iterator[str]:
        """Give texts that depend on the kind of entry."""
        if entry.token == self._unknown:
            yield from UNKNOWN
        byte = fallback_byte(entry.token)
        if byte is not None:
            yield from islice(completed(bytes([byte])), 40 * most)
        longest_match = self._proofs.longest_match
        content = None if longest_match is None else longest_match.content(entry.token)
        if longest_match is not None and content:
            for before in islice(self._beginnings(longest_match, content), most):
                yield before + content
                yield before + content.upper()

    def _beginnings(self, longest_match: LongestMatch, content: str) -> Iterator[str]:
        """Give beginnings of words after which the longest match is ``content``."""
        is_joined = self._is_joined
        yield from (piece for piece in longest_match.before(content) if is_joined(piece[-1]))
        first = next((piece for piece in longest_match.before("") if is_joined(piece[-1])), "")
        for piece in longest_match.after_continuing(content):
            if is_joined(piece[-1]) and first:
                yield first + piece


def _written_otherwise(text: str) -> Iterator[str]:
    """Give texts that a normalizer may make ``text`` of: in capitals, decomposed, with compatibility characters."""
    yield from (text.upper(), text.title(), unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text))
    others = _compatible()
    for rank in range(MOST_COMPATIBLE):
        yield "".join(others[each][rank] if len(others.get(each, ())) > rank else each for each in text)


@cache
def _compatible() -> Mapping[str, list[str]]:
    """Return, for a character, the first few that are compatible with it: they help a search, and prove nothing."""
    found: dict[str, list[str]] = {}
    for number in (*range(0x80, 0xD800), *range(0xE000, 0x30000)):
        character = chr(number)
        plain = unicodedata.normalize("NFKC", character)
        if plain != character and len(plain) == 1 and len(found.setdefault(plain, [])) < MOST_COMPATIBLE:
            found[plain].append(character)
    return found
