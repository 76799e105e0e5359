"""How often each piece of a corpus occurs: what the pre-tokenizer leaves, added tokens as pieces of their own.

:meth:`WordCutter.by_definition` is the pipeline. A few pre-tokenizers have a pattern beside it that gives the texts of
their pieces alone, without alignment.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from tokenizer_reference.errors import CallbackError
from tokenizer_reference.pre_tokenizers import bert, byte_level, metaspace, whitespace
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.character_pattern import CharacterPattern, pieces_between_char

if TYPE_CHECKING:
    from tokenizer_reference.added_vocabulary import AddedVocabulary
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.trainers.base import WordCounts
    from tokenizer_reference.trainers.corpus import Texts
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString

Cut = Callable[[str], Iterable[str]]
"""Takes a text that is not empty, and returns its pieces."""

_REPORTED: Final = 256
"""After how many texts progress is reported."""


def count_words(texts: Texts, cutter: WordCutter, report: Report) -> WordCounts:
    """Return how often each piece of ``texts`` occurs, in the order in which they are first met.

    Raises what the pre-tokenizer raises. ``texts`` know of an error in reading them, which ends them.
    """
    counts: Counter[str] = Counter()
    report(texts.stage, 0, texts.total)
    reading = iter(texts)
    try:
        for number, text in enumerate(reading, 1):
            counts.update(cutter.words(text))
            if number % _REPORTED == 0:
                report(texts.stage, texts.done, texts.total)
    except CallbackError:
        deque(reading, maxlen=0)  # the target reads on to the end, where it may find another error
        raise
    report(texts.stage, texts.done, texts.done)
    return dict(counts)


class WordCutter:
    """Cuts texts as a tokenizer does before its model."""

    def __init__(
        self, added: AddedVocabulary, normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None
    ) -> None:
        self._added = added
        self._normalizer = normalizer
        self._pre_tokenizer = pre_tokenizer
        self._is_plain = normalizer is None and not added.vocabulary()
        self._cut = fast_cut(pre_tokenizer, is_whole_text=self._is_plain)

    def words(self, text: str) -> Iterable[str]:
        """Return the pieces of ``text``."""
        cut = self._cut
        if cut is None:
            return self.by_definition(text)
        if self._is_plain:
            return cut(text) if text else ()
        extracted = self._added.extract_and_normalize(text, self._normalizer)
        if not all(split.tokens is not None or split.normalized.is_regular for split in extracted.splits):
            return self._pre_tokenized(extracted)
        words: list[str] = []
        for split in extracted.splits:
            piece = split.normalized.normalized
            words += cut(piece) if split.tokens is None else [piece]
        return words

    def by_definition(self, text: str) -> list[str]:
        """Return the pieces of ``text`` by way of the pipeline."""
        return self._pre_tokenized(self._added.extract_and_normalize(text, self._normalizer))

    def _pre_tokenized(self, extracted: PreTokenizedString) -> list[str]:
        if self._pre_tokenizer is not None:
            self._pre_tokenizer.pre_tokenize(extracted)
        return [split.normalized.normalized for split in extracted.splits]


# Pieces by patterns --------------------------------------------------------------------------------------------------


def fast_cut(pre_tokenizer: PreTokenizer | None, *, is_whole_text: bool) -> Cut | None:
    """Return what cuts a text as ``pre_tokenizer`` does, or ``None`` where only it can.

    ``is_whole_text``: the texts are whole inputs, not parts of them.
    """
    if pre_tokenizer is None:
        return lambda text: (text,)
    kind = type(pre_tokenizer)
    if kind in _PATTERNS:
        return _cut_by(_PATTERNS[kind])
    if isinstance(pre_tokenizer, byte_level.ByteLevel):
        return _byte_level_cut(pre_tokenizer)
    if isinstance(pre_tokenizer, metaspace.Metaspace):
        return _metaspace_cut(pre_tokenizer, is_whole_text=is_whole_text)
    return None


_PATTERNS: Final[dict[type[PreTokenizer], CharacterPattern]] = {
    whitespace.Whitespace: whitespace._WORDS_AND_SYMBOLS,
    whitespace.WhitespaceSplit: whitespace._WORDS,
    bert.BertPreTokenizer: bert._PIECES,
}


def _cut_by(pattern: CharacterPattern) -> Cut:
    return lambda text: pattern.for_text(text).findall(text)


def _metaspace_cut(component: metaspace.Metaspace, *, is_whole_text: bool) -> Cut | None:
    replacement, scheme = component.replacement, component.prepend_scheme
    if scheme == "first" and not is_whole_text:
        return None
    pattern = pieces_between_char(replacement, "merged_with_next")

    def cut(text: str) -> Iterable[str]:
        text = text.replace(" ", replacement)
        if scheme != "never" and not text.startswith(replacement):
            text = replacement + text
        return pattern.for_text(text).findall(text) if component.split else (text,)

    return cut


_CHARS_OF_BYTES: Final = "".join(BYTE_TO_CHAR)


class _Spelling(dict[str, str]):
    """The words seen, each with its bytes as characters."""

    def __missing__(self, word: str) -> str:
        spelled = self[word] = charmap_decode(word.encode(), "strict", _CHARS_OF_BYTES)[0]
        return spelled


def _byte_level_cut(component: byte_level.ByteLevel) -> Cut:
    regex = byte_level._gpt2_regex()
    spelled = _Spelling().__getitem__

    def cut(text: str) -> Iterable[str]:
        if component.add_prefix_space and not text.startswith(" "):
            text = " " + text
        if not component.use_regex:
            return (spelled(text),)
        compiled, prepared = regex.prepared(text)
        if prepared is text:
            return map(spelled, compiled.findall(text))
        return map(spelled, [text[start:end] for start, end in (found.span() for found in compiled.finditer(prepared))])

    return cut
