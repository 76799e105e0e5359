"""What a tokenizer.json says about its encodings: what a token stands for, and what is put around and between texts.

Nothing here tokenizes. The rules are read from the file: in which alphabet tokens are written, which prefix and suffix
they have, where a space may be put before a text that has none, which special tokens a template adds, and what type ids
it gives. They are those of tokenizers 0.23.3 (the formats of its components).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.comparison.reduction import Json

PARTS = ("normalizers", "pretokenizers", "processors", "decoders")
"""Under which names a Sequence keeps its components."""

BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
"""A token that stands for one byte."""

DEFAULT_REPLACEMENT = "▁"


BYTE_ALPHABET = byte_of_character()


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token of ``added_tokens``: where ``strips`` is true, it takes white space around it along."""

    content: str
    is_normalized: bool
    strips: bool


@dataclass(frozen=True, slots=True)
class LayoutPart:
    """A place of a template: a special token with its ``ids``, or all of ``sequence`` 0 or 1; ``type_id`` of all."""

    sequence: int | None
    ids: tuple[int, ...]
    type_id: int


@dataclass(frozen=True, slots=True)
class Layout:
    """How special tokens stand around one text (``single``) and two."""

    single: tuple[LayoutPart, ...]
    pair: tuple[LayoutPart, ...]

    @property
    def around(self) -> tuple[int, int]:
        """How many special tokens stand before a single text, and behind it."""
        sizes = [None if part.sequence == 0 else len(part.ids) for part in self.single]
        text = sizes.index(None)
        return sum(filter(None, sizes[:text])), sum(filter(None, sizes[text:]))

    @property
    def added(self) -> int:
        """How many special tokens are added to a single text."""
        return sum(len(part.ids) for part in self.single)


PLAIN_LAYOUT = Layout((LayoutPart(0, (), 0),), (LayoutPart(0, (), 0), LayoutPart(1, (), 1)))
"""What stands around texts where no special tokens are added."""


@dataclass(frozen=True, slots=True)
class TokenizerRules:
    """What a tokenizer.json says.

    ``tokens`` leads from ids to the tokens that have them in the model or among the added tokens. ``is_byte_level``:
    tokens are written in the byte-level alphabet, ``normalizes_to_bytes``: what the normalizer gives, too.
    ``replacements`` stand for a space. ``trims``: a post-processor takes white space at the ends of tokens out of
    their spans. ``adds_prefix``: a space may be put before a piece; ``cuts_spaces``: a pre-tokenizer has taken spaces
    out before. ``layout`` is ``None`` where the post-processor is none that this module knows.
    """

    tokens: Mapping[int, frozenset[str]]
    added: Mapping[int, AddedToken]
    unknown_id: int | None
    prefix: str
    suffix: str
    has_byte_tokens: bool
    is_byte_level: bool
    normalizes_to_bytes: bool
    has_normalizer: bool
    replacements: str
    trims: bool
    adds_prefix: bool
    cuts_spaces: bool
    is_random: bool
    layout: Layout | None

    def spaced(self, text: str) -> str:
        """Return ``text`` with a space for what stands for one."""
        for replacement in self.replacements:
            text = text.replace(replacement, " ")
        return text

    def normalized_bytes(self, normalized: str) -> bytes:
        """Return what the normalizer gave as the bytes of text that it stands for."""
        return self._bytes(normalized, self.normalizes_to_bytes)

    def contents(self, token: str) -> tuple[bytes, ...]:
        """Return what ``token`` may stand for, as bytes of normalized text, the likeliest first.

        A prefix of continuing words (``##``) may also be text of its own, so both are returned.

        >>> rules_of({"model": {"type": "WordPiece", "vocab": {}}}).contents("##a")
        (b'a', b'##a')
        """
        byte = BYTE_TOKEN.fullmatch(token) if self.has_byte_tokens else None
        if byte is not None:
            return (bytes.fromhex(byte[1]), token.encode())
        forms = [token]
        if self.suffix and token.endswith(self.suffix):
            forms.insert(0, token.removesuffix(self.suffix))
        if self.prefix:
            forms = [form for each in forms for form in (each.removeprefix(self.prefix), each)]
        return tuple(dict.fromkeys(self._bytes(form, self.is_byte_level) for form in forms))

    def _bytes(self, text: str, is_byte_level: bool) -> bytes:
        if is_byte_level and all(character in BYTE_ALPHABET for character in text):
            return bytes(map(BYTE_ALPHABET.__getitem__, text))
        return self.spaced(text).encode("utf-8", "surrogatepass")


def rules_of(document: Json) -> TokenizerRules:
    """Return what ``document``, a parsed tokenizer.json, says."""
    model = document.get("model") or {}
    normalizers = list(_components(document.get("normalizer")))
    pre_tokenizers = list(_components(document.get("pre_tokenizer")))
    processors = list(_components(document.get("post_processor")))
    before, spaces = _prefixes(normalizers, pre_tokenizers)
    return TokenizerRules(
        tokens=_tokens(document),
        added=_added(document),
        unknown_id=_unknown_id(document, model),
        prefix=_model_prefix(model),
        suffix=model.get("end_of_word_suffix") or "",
        has_byte_tokens=bool(model.get("byte_fallback")),
        is_byte_level=any(each.get("type") == "ByteLevel" for each in (*normalizers, *pre_tokenizers)),
        normalizes_to_bytes=any(each.get("type") == "ByteLevel" for each in normalizers),
        has_normalizer=bool(normalizers),
        replacements=_replacements(normalizers, pre_tokenizers),
        trims=any(
            each.get("type") in ("ByteLevel", "RobertaProcessing") and each.get("trim_offsets", True)
            for each in processors
        ),
        adds_prefix=before,
        cuts_spaces=spaces,
        is_random=bool(model.get("dropout")),
        layout=_layout(processors),
    )


def _components(component: Json | None) -> Iterator[Json]:
    """Yield the components that ``component`` consists of, those of a Sequence in their order."""
    if not isinstance(component, dict):
        return
    parts = next((component[name] for name in PARTS if isinstance(component.get(name), list)), None)
    if parts is None:
        yield component
    else:
        for part in parts:
            yield from _components(part)


# The vocabulary ------------------------------------------------------------------------------------------------------


def _model_type(model: Json) -> str:
    """Return the type of a model; files may leave it out."""
    if "type" in model:
        return str(model["type"])
    return "Unigram" if isinstance(model.get("vocab"), list) else "BPE" if "merges" in model else "WordPiece"


def _model_prefix(model: Json) -> str:
    default = "##" if _model_type(model) == "WordPiece" else ""
    return str(model.get("continuing_subword_prefix", default) or "")


def _model_vocabulary(model: Json) -> Iterator[tuple[str, int]]:
    vocabulary = model.get("vocab")
    if isinstance(vocabulary, dict):
        yield from vocabulary.items()
    elif isinstance(vocabulary, list):
        for number, entry in enumerate(vocabulary):
            yield entry[0], number


def _tokens(document: Json) -> dict[int, frozenset[str]]:
    found: defaultdict[int, set[str]] = defaultdict(set)
    for token, id in _model_vocabulary(document.get("model") or {}):
        found[id].add(token)
    for added in document.get("added_tokens") or ():
        found[added["id"]].add(added["content"])
    return {id: frozenset(tokens) for id, tokens in found.items()}


def _added(document: Json) -> dict[int, AddedToken]:
    return {
        each["id"]: AddedToken(
            each["content"], bool(each.get("normalized")), bool(each.get("lstrip") or each.get("rstrip"))
        )
        for each in document.get("added_tokens") or ()
    }


def _unknown_id(document: Json, model: Json) -> int | None:
    if _model_type(model) == "Unigram":
        number: int | None = model.get("unk_id")
        return number
    token = model.get("unk_token")
    found = None if token is None else (model.get("vocab") or {}).get(token)
    if found is None and token is not None:
        found = next((each["id"] for each in document.get("added_tokens") or () if each["content"] == token), None)
    return found


# Spaces --------------------------------------------------------------------------------------------------------------


def _replacements(normalizers: list[Json], pre_tokenizers: list[Json]) -> str:
    """Return the characters that stand for a space."""
    found = [each.get("replacement", DEFAULT_REPLACEMENT) for each in pre_tokenizers if each.get("type") == "Metaspace"]
    found += [
        each.get("content", "")
        for each in normalizers
        if each.get("type") == "Replace" and (each.get("pattern") or {}).get("String") == " "
    ]
    found += [each.get("prepend", "") for each in normalizers if each.get("type") == "Prepend"]
    return "".join(dict.fromkeys(each for each in found if len(each) == 1))


def _prefixes(normalizers: list[Json], pre_tokenizers: list[Json]) -> tuple[bool, bool]:
    """Return whether a space may be put before a piece, and whether spaces were taken out of the text before that."""
    if any(each.get("type") == "Prepend" for each in normalizers):
        return True, False
    for number, each in enumerate(pre_tokenizers):
        kind = each.get("type")
        if kind == "ByteLevel" and each.get("add_prefix_space", True):
            return True, number > 0
        if kind == "Metaspace" and each.get("prepend_scheme", "always") != "never":
            return each.get("add_prefix_space", True) is not False, number > 0
    return False, False


# Special tokens ------------------------------------------------------------------------------------------------------


def _layout(processors: list[Json]) -> Layout | None:
    """Return the layout of the one processor that adds tokens, ``None`` where there are several, or an unknown one."""
    adding = [each for each in processors if each.get("type") != "ByteLevel"]
    if not adding:
        return PLAIN_LAYOUT
    if len(adding) > 1:
        return None
    match adding[0]:
        case {"type": "BertProcessing", "sep": [_, int(sep)], "cls": [_, int(cls)]}:
            first = (LayoutPart(None, (cls,), 0), LayoutPart(0, (), 0), LayoutPart(None, (sep,), 0))
            return Layout(first, (*first, LayoutPart(1, (), 1), LayoutPart(None, (sep,), 1)))
        case {"type": "RobertaProcessing", "sep": [_, int(sep)], "cls": [_, int(cls)]}:
            first = (LayoutPart(None, (cls,), 0), LayoutPart(0, (), 0), LayoutPart(None, (sep,), 0))
            second = (LayoutPart(None, (sep,), 0), LayoutPart(1, (), 0), LayoutPart(None, (sep,), 0))
            return Layout(first, (*first, *second))
        case {"type": "TemplateProcessing", "single": list(single), "pair": list(pair)} as template:
            tokens = template.get("special_tokens") or {}
            try:
                return Layout(tuple(_template(single, tokens)), tuple(_template(pair, tokens)))
            except KeyError:
                return None
    return None


def _template(pieces: list[Json], tokens: Json) -> Iterator[LayoutPart]:
    for piece in pieces:
        if "Sequence" in piece:
            sequence = piece["Sequence"]
            yield LayoutPart(0 if sequence["id"] == "A" else 1, (), sequence.get("type_id", 0))
        else:
            special = piece["SpecialToken"]
            yield LayoutPart(None, tuple(tokens[special["id"]]["ids"]), special.get("type_id", 0))
