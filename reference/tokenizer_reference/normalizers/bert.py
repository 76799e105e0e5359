"""BertNormalizer: controls, Chinese characters, accents and case as BERT's own tokenizer has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import boolean, optional
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.stage import untyped
from tokenizer_reference.text import characters, code_point_sets
from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.normalization import changed_regions, stands_alone
from tokenizer_reference.text.normalized_string import origins_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import Change, NormalizedString, Origins, Region

CHINESE: Final[code_point_sets.Ranges] = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),  # sic: BERT's own list begins this block at U+2B820
    (0x2F800, 0x2FA1F),
)
"""The characters that ``handle_chinese_chars`` sets apart."""

_REMOVED = CharacterPattern("[{removed}]+", removed=characters.bert_removed)
_CHINESE = CharacterPattern("[{chinese}]+", chinese=lambda: CHINESE)
_ACCENTS = CharacterPattern("[{accents}]+", accents=characters.nonspacing_marks_8)


def _is_removed(char: str) -> bool:
    return code_point_sets.contains(characters.bert_removed(), ord(char))


def _is_accent(char: str) -> bool:
    return code_point_sets.contains(characters.nonspacing_marks_8(), ord(char))


def _is_chinese(char: str) -> bool:
    return code_point_sets.contains(CHINESE, ord(char))


@NORMALIZER.component(untyped("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"))
@dataclass(eq=False, repr=False)
class BertNormalizer(Normalizer):
    r"""The clean-up of BERT's tokenizer.

    In this order:

    - ``clean_text`` removes controls (Cc, Cf and Co of Unicode 8.0) and U+FFFD, and makes white space spaces;
    - ``handle_chinese_chars`` puts a space on both sides of Chinese characters;
    - ``strip_accents`` decomposes and removes accents (Mn of Unicode 8.0); ``None`` does what ``lowercase`` says;
    - ``lowercase`` lowercases each character on its own.

    Observed, tokenizers 0.23.3.

    >>> BertNormalizer().normalize_str("É\t中\x00!")
    'e  中 !'
    """

    _OPTIONS: ClassVar = {
        "clean_text": boolean,
        "handle_chinese_chars": boolean,
        "strip_accents": optional(boolean),
        "lowercase": boolean,
    }

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True

    @property
    def _strips_accents(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def _normalize(self, normalized: NormalizedString) -> None:
        if normalized.is_regular:
            self._normalize_fast(normalized)
        else:
            self._normalize_plainly(normalized)

    def _normalize_plainly(self, text: NormalizedString) -> None:
        """Do as the definition says, character by character."""
        if self.clean_text:
            text.filter(lambda char: not _is_removed(char))
            text.map(lambda char: " " if characters.is_whitespace(char) else char)
        if self.handle_chinese_chars:
            text.transform([change for char in text.normalized for change in _set_apart(char)])
        if self._strips_accents:
            text.nfd()
            text.filter(lambda char: not _is_accent(char))
        if self.lowercase:
            text.lowercase()

    def _normalize_fast(self, text: NormalizedString) -> None:
        """Do the same where it matters only: what is not in a region of its step stays."""
        if self.clean_text:
            text.remove(_REMOVED.for_text(text.normalized))
            text.set_one_to_one(_with_plain_spaces(text.normalized))
        if not text.normalized.isascii():
            if self.handle_chinese_chars:
                text.rewrite(_chinese_regions(text.normalized))
            if self._strips_accents:
                text.rewrite(_accented_regions(text.normalized))
        if self.lowercase:
            text.lowercase()

    def _locality(self) -> Locality:
        return Locality(self._of_alone if self._strips_accents else self.normalize_str)

    def _of_alone(self, char: str) -> str | None:
        return self.normalize_str(char) if stands_alone(char, "NFD") else None

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "BertNormalizer",
            "clean_text": self.clean_text,
            "handle_chinese_chars": self.handle_chinese_chars,
            "strip_accents": self.strip_accents,
            "lowercase": self.lowercase,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(
            clean_text=value["clean_text"].boolean(),
            handle_chinese_chars=value["handle_chinese_chars"].boolean(),
            strip_accents=value.get("strip_accents").optional_boolean(),
            lowercase=value["lowercase"].boolean(),
        )


def _set_apart(char: str) -> list[Change]:
    """Return ``char``, between spaces if it is Chinese."""
    return [(" ", 0), (char, 1), (" ", 1)] if _is_chinese(char) else [(char, 0)]


def _with_plain_spaces(text: str) -> str:
    for blank in characters.WHITE_SPACE:
        text = text.replace(blank, " ")
    return text


def _chinese_regions(text: str) -> Iterator[Region]:
    for match in _CHINESE.for_text(text).finditer(text):
        run = match[0]
        yield *match.span(), f" {'  '.join(run)} ", tuple([at for at in range(len(run)) for _ in range(3)])


def _accented_regions(text: str) -> Iterator[Region]:
    """Give what decomposition changes, without accents, and between these the accents that it leaves alone."""
    accents = _ACCENTS.for_text(text)
    done = 0
    for start, end, changes in changed_regions(text, "NFD"):
        yield from ((*match.span(), "", ()) for match in accents.finditer(text, done, start))
        yield start, end, *(_cached_without_accents if isinstance(changes, tuple) else _without_accents)(changes)
        done = end
    yield from ((*match.span(), "", ()) for match in accents.finditer(text, done))


def _without_accents(changes: Iterable[Change]) -> tuple[str, Origins]:
    """Return what ``changes`` make, less accents, and the origins of that."""
    text, origins = origins_of(changes)
    kept = [index for index, char in enumerate(text) if not _is_accent(char)]
    return "".join([text[index] for index in kept]), tuple([origins[index] for index in kept])


_cached_without_accents = lru_cache(maxsize=4096)(_without_accents)
