"""Why no text can give an entry of the vocabulary.

An entry can come of a text in different ways, its *readings*: WordPiece's ``##s`` continues a word with an "s", and is
the beginning of a word that is spelt "##s". An entry is unreachable where every reading is blocked: by the model, which
makes something else of these characters in every word, or before it, where the characters never come together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.audited import components_at_work, is_piece
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import (
    BYTE_OF_CHARACTER,
    CHARACTER_OF_BYTE,
    NEVER_IN_UTF8,
    bytes_of,
    fallback_byte,
    occurs_in_utf8,
    whole_characters,
)
from tokenizer_conformance.research.file_audit.vocabulary.components import normalizing
from tokenizer_conformance.research.file_audit.vocabulary.cuts import Cuts
from tokenizer_conformance.research.file_audit.vocabulary.emitted import Emitted, emitted
from tokenizer_conformance.research.file_audit.vocabulary.entries import is_byte_level, unknown_token
from tokenizer_conformance.research.file_audit.vocabulary.models import LongestMatch, Merging, Segmentation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry

NORMAL_FORMS = frozenset({"NFC", "NFD", "NFKC", "NFKD"})
"""Normal forms: each part of a text in such a form is in that form, too (Unicode Standard Annex #15)."""

MOST_NAMED = 6
"""How many parts of a segmentation a sentence names."""


class Reason(StrEnum):
    """Why an entry is never given."""

    EMPTY = "empty"
    REPEATED = "repeated"
    BYTES = "bytes that no text has"
    MERGE_ORDER = "merge order"
    SEGMENTATION = "a better segmentation"
    LONGEST_MATCH = "longest match first"
    WORD_LENGTH = "the longest word"
    NORMALIZATION = "normalization"
    PRE_TOKENIZATION = "pre-tokenization"
    ADDED_TOKEN = "an added token"  # noqa: S105 - a word
    NOTHING_UNKNOWN = "nothing is unknown"


@dataclass(frozen=True, slots=True)
class Blocked:
    """What keeps an entry from being given, and in a clause how."""

    reason: Reason
    because: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The ``content`` that an entry stands for in a text; ``continues``: only where a word goes on."""

    content: str
    continues: bool = False


class Proofs:
    """What is proven about the entries of the tokenizer with these ``parts``."""

    def __init__(self, parts: DocumentParts, documents: Documents) -> None:
        self._parts = parts
        self._documents = documents
        self._type = parts.model_type
        self._byte_level = is_byte_level(parts)
        self._unknown = unknown_token(parts)
        normalizers, cutters = (
            tuple(part.members for part in components_at_work(parts.document, stage))
            for stage in ("normalizer", "pre_tokenizer")
        )
        # ByteLevel changes how characters are written, not which ones there are.
        self._normalizers = tuple(each for each in normalizers if each.get("type") != "ByteLevel")
        self.cuts = Cuts(documents, cutters)
        self.merging = Merging(parts) if self._type == "BPE" else None
        self.segmentation = Segmentation(parts) if self._type == "Unigram" else None
        self.longest_match = LongestMatch(parts) if self._type == "WordPiece" else None
        vocabulary = parts.model.get("vocab")
        rows = vocabulary if isinstance(vocabulary, list) else []
        self._last_ids = {row[0]: number for number, row in enumerate(rows) if is_piece(row)}

    # Entries ---------------------------------------------------------------------------------------------------------

    def of(self, entry: Entry) -> Blocked | None:
        """Return why no text gives ``entry``, ``None`` where nothing proves it."""
        token = entry.token
        if self._last_ids.get(token, entry.id) != entry.id:
            return Blocked(Reason.REPEATED, f"{quoted(token)} is there again later, with id {self._last_ids[token]}")
        if not token:
            return Blocked(Reason.EMPTY, "an empty piece never reaches the model")
        if token == self._unknown and not self._nothing_is_unknown:
            return None
        found = [self._of_fallback(token)] if fallback_byte(token) is not None and self._has_fallback else []
        found += [self._of_reading(token, reading) for reading in self._readings(token)]
        if None in found or not found:
            return None
        if token == self._unknown:
            return Blocked(Reason.NOTHING_UNKNOWN, "every byte has an entry, so that nothing is unknown")
        return found[0]

    def _of_reading(self, token: str, reading: Reading) -> Blocked | None:
        if self.longest_match is not None:
            return self.before_the_model(token, reading) or self._by_longest_match(self.longest_match, reading)
        return self._by_model(token) or self.before_the_model(token, reading)

    def _readings(self, token: str) -> list[Reading]:
        """Return the ways in which ``token`` can come of a text; the one that it is meant for comes first."""
        if self.longest_match is not None:
            content = self.longest_match.content(token)
            first = Reading(token)
            return [Reading(content, continues=True), first] if content else [first]
        if self.merging is not None:
            return self._places(self.merging, token)
        return [Reading(token)]

    @staticmethod
    def _places(merging: Merging, token: str) -> list[Reading]:
        contents = dict.fromkeys(merging.contents(token))
        return [Reading(content) for content in contents] or [Reading(token)]

    def contents(self, token: str) -> list[str]:
        """Return the characters that ``token`` stands for in a text, for each of its readings."""
        return [reading.content for reading in self._readings(token)]

    def is_joined(self, character: str) -> bool:
        """Return whether ``character`` may stand in a word with others, as far as the pre-tokenizer is concerned."""
        return not self.cuts.keeps_alone(character) and not self.cuts.cut_in(character)

    # The model -------------------------------------------------------------------------------------------------------

    def _by_model(self, token: str) -> Blocked | None:
        if self.merging is not None:
            return self._by_merges(self.merging, token)
        if self.segmentation is not None:
            return self._by_scores(self.segmentation, token)
        return None

    @staticmethod
    def _by_merges(merging: Merging, token: str) -> Blocked | None:
        if merging.no_proof or merging.takes_whole_words:
            return None
        if merging.has_dropout:
            if merging.is_derivable(token):
                return None
            return Blocked(Reason.MERGE_ORDER, "no merges lead to it, in whatever order")
        if merging.last_merges(token):
            return None
        instead, missing = merging.blocking(token)
        if missing:
            return Blocked(Reason.MERGE_ORDER, f"{quoted(missing)}, a character of it, is no entry")
        if not merging.ways_to[token]:
            return Blocked(Reason.MERGE_ORDER, f"no merge gives it: its characters become {_named(instead)}")
        return Blocked(Reason.MERGE_ORDER, f"earlier merges make {_named(instead)} of its characters")

    @staticmethod
    def _by_scores(segmentation: Segmentation, token: str) -> Blocked | None:
        found = segmentation.better(token)
        if found is None:
            return None
        pieces, lead = found
        return Blocked(Reason.SEGMENTATION, f"{_named(pieces)} score {lead:.6g} more in sum")

    def _by_longest_match(self, longest_match: LongestMatch, reading: Reading) -> Blocked | None:
        if len(reading.content) + reading.continues > longest_match.most_characters:
            most = longest_match.most_characters
            return Blocked(Reason.WORD_LENGTH, f"words of more than {most} characters are unknown")
        words = longest_match.words(reading.content) if reading.continues else ("",)
        if any(self.before_the_model("", Reading(word)) is None for word in words):
            return None
        return Blocked(Reason.LONGEST_MATCH, "after all that can stand before it, a longer match takes its beginning")

    # Bytes -----------------------------------------------------------------------------------------------------------

    @property
    def _has_fallback(self) -> bool:
        return self._parts.model.get("byte_fallback") is True

    def _of_fallback(self, token: str) -> Blocked | None:
        """Return why no unknown character has the byte of ``token``."""
        byte = fallback_byte(token)
        if byte in NEVER_IN_UTF8:
            return Blocked(Reason.BYTES, "no UTF-8 has this byte")
        if byte is not None and byte < 0x80:
            character = chr(byte)
            if character in self._tokens:
                return Blocked(Reason.BYTES, f"{quoted(character)}, the one character with this byte, is an entry")
            return self._by_characters(character)
        return None

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(self._parts.tokens)

    @cached_property
    def _nothing_is_unknown(self) -> bool:
        if self._type != "BPE":
            return False
        usable = set(CHARACTER_OF_BYTE) - NEVER_IN_UTF8
        if self._byte_level:
            return all(CHARACTER_OF_BYTE[byte] in self._tokens for byte in usable)
        return self._has_fallback and all(f"<0x{byte:02X}>" in self._tokens for byte in usable)

    # Before the model ------------------------------------------------------------------------------------------------

    def before_the_model(self, token: str, reading: Reading) -> Blocked | None:
        """Return why the characters of ``token`` in this ``reading`` never come together in one piece."""
        content = text = reading.content
        if self._byte_level:
            data = bytes_of(content)
            if data is None:
                odd = next(each for each in content if each not in BYTE_OF_CHARACTER)
                return Blocked(Reason.PRE_TOKENIZATION, f"ByteLevel never gives {quoted(odd)}")
            if not occurs_in_utf8(data):
                return Blocked(Reason.BYTES, f"no UTF-8 has the bytes {data.hex(' ').upper()}")
            text = whole_characters(data)
            if any(each.members.get("add_prefix_space") is not False for each in self._parts.of_type("ByteLevel")):
                text = text.removeprefix(" ")  # the space may have been put in
        return (
            self._by_characters(text)
            or self._by_padding(text, reading)
            or self._by_cuts(reading)
            or self._by_added(token, text)
        )

    def _by_characters(self, text: str) -> Blocked | None:
        """Return why the normalizer never gives ``text``: one of its characters, or all in a row."""
        for part in self._without_replacements(text):
            missing = self._emitted.missing(part)
            if missing:
                return Blocked(Reason.NORMALIZATION, f"the normalizer gives {quoted(missing)} for no text")
            last = self._normalizers[-1] if self._normalizers else {}
            if last.get("type") in NORMAL_FORMS and self._last_normalizer(part) not in (part, None):
                return Blocked(Reason.NORMALIZATION, f"{quoted(part)} is not in the form {last['type']}")
        return None

    def _by_padding(self, text: str, reading: Reading) -> Blocked | None:
        """Return why ``text`` is torn by spaces: BERT's normalizer puts one on each side of a Chinese character."""
        if not self._normalizers or self._normalizers[-1].get("type") != "BertNormalizer":
            return None
        is_joined = len(text) > 1 or (reading.continues and self.cuts.cut_in(" "))
        padded = [each for each in text if self._last_normalizer(each) == f" {each} "] if is_joined else []
        if not padded:
            return None
        return Blocked(Reason.NORMALIZATION, f"BertNormalizer puts spaces around {quoted(padded[0])}")

    def _by_cuts(self, reading: Reading) -> Blocked | None:
        sentence = self.cuts.cut_in(reading.content)
        if not sentence and reading.continues:
            sentence = self.cuts.keeps_alone(reading.content[0])
        return Blocked(Reason.PRE_TOKENIZATION, sentence) if sentence else None

    def _by_added(self, token: str, text: str) -> Blocked | None:
        if token in self._added:
            return None
        for content in self._always_cut_out:
            if content in text:
                return Blocked(Reason.ADDED_TOKEN, f"the added token {quoted(content)} is cut out first")
        return None

    @cached_property
    def _added(self) -> frozenset[str]:
        return frozenset(row["content"] for row in self._parts.added_tokens)

    @cached_property
    def _always_cut_out(self) -> tuple[str, ...]:
        """The texts of added tokens that never reach the model: nothing around them saves them from being cut out.

        Those that are matched before the normalizer may still come of its work, unless there is none.
        """
        normalize = normalizing(self._documents, self._normalizers) if self._normalizers else str
        found = []
        for row in self._parts.added_tokens:
            if row.get("single_word"):
                continue
            if not self._normalizers:
                found.append(row["content"])
            elif row.get("normalized") and normalize is not None:
                found.append(normalize(row["content"]) or "")
        return tuple(filter(None, found))

    @cached_property
    def _emitted(self) -> Emitted:
        return emitted(self._documents, self._normalizers)

    @cached_property
    def _last_normalizer(self) -> Callable[[str], str | None]:
        return normalizing(self._documents, self._normalizers[-1:]) or (lambda _text: None)

    @cached_property
    def _replacements(self) -> frozenset[str]:
        """What Metaspace puts in the place of spaces, and before texts."""
        return frozenset(str(each.members.get("replacement", "▁")) for each in self._parts.of_type("Metaspace"))

    def _without_replacements(self, text: str) -> Iterator[str]:
        for replacement in self._replacements:
            text = text.replace(replacement, "\0")
        yield from filter(None, text.split("\0")) if self._replacements else (text,)


def _named(parts: list[str] | tuple[str, ...]) -> str:
    """Return ``parts`` for a sentence."""
    named = [quoted(part) for part in parts[:MOST_NAMED]]
    return " ".join(named) + (" …" if len(parts) > MOST_NAMED else "")
