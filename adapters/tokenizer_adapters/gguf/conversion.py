"""What a faithful conversion of a tokenizer.json to GGUF says of it.

The rules are those of llama.cpp's own converter (``convert_hf_to_gguf.py``, its folder ``conversion`` and
``gguf-py/gguf/vocab.py``, October 2026). What the converter has nothing for is refused, with the reason. What it leaves
out without a word is left out: the NFC of a byte-level BPE, for one, which no GGUF file has a key for.

It differs from that converter where the converter reads other files than the tokenizer.json. The scores of a BPE with
byte fallback come from its ``tokenizer.model`` there; here they follow the merges, as those scores do. The pieces of a
Unigram model come from its ``spiece.model`` there, which lacks the tokens that were added later.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.documents import is_byte_level, model_kind, token_ids, unknown_id
from tokenizer_adapters.gguf.around import around_of, ids_of
from tokenizer_adapters.gguf.pre_tokenizers import name_of
from tokenizer_adapters.gguf.vocabulary import DEFAULT_TEMPLATE, GgufVocabulary, TokenType
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SPACE = "▁"
CONTINUING = "##"
BYTE = re.compile(r"<0x[0-9A-Fa-f]{2}>")
ADDED_SCORE = -1000.0
DEFAULT = "default"
"""The pre-tokenizer of models that have none to choose."""

MOST_TOKENS = 1 << 22
"""The most ids of a vocabulary: each id up to the largest gets a token, those without one too."""

LOOKING_SPECIAL = frozenset({"<pad>", "<mask>", "<2mass>", "[@BOS@]"})
LOOKING_SPECIAL_ENDS = (("<|", "|>"), ("<｜", "｜>"), ("<unused", ">"))
"""Added tokens that are control tokens for the converter whether they are special or not."""

Component = dict[str, Any]


def vocabulary_of(
    document: dict[str, Any], configuration: Mapping[str, Any] | None = None, model: Mapping[str, Any] | None = None
) -> GgufVocabulary:
    """Return what a conversion of ``document``, a parsed tokenizer.json, should say.

    ``configuration`` is the parsed tokenizer_config.json beside it, ``model`` the parsed config.json, for the ids of
    special tokens and the size of the vocabulary. Raises :class:`UnfitTokenizerError` where llama.cpp has nothing for a
    tokenizer of this kind.
    """
    configuration, model = configuration or {}, model or {}
    vocabulary = _converter(document)(document, _size(document, model))
    around = around_of(document, configuration)
    said = {f"add_{role}_token": value for role, value in around.added.items()}
    return _whole(
        vocabulary,
        special_ids=ids_of(around, document, model),
        flags={**said, **_normalizer_flags(document), **vocabulary.flags},
        templates=_templates(configuration.get("chat_template")),
    )


def _whole(vocabulary: GgufVocabulary, **more: Any) -> GgufVocabulary:
    """Return ``vocabulary`` with ``more``, if llama.cpp can load it: it ends where a token is there twice."""
    ids: dict[str, int] = {}
    for id_, token in enumerate(vocabulary.tokens):
        other = ids.setdefault(token, id_)
        if other != id_:
            raise UnfitTokenizerError(
                f"the tokens {other} and {id_} are both spelled {token!r} in a GGUF file, and llama.cpp ends where a "
                "vocabulary has a token twice"
            )
    return replace(vocabulary, **more)


def _converter(document: dict[str, Any]) -> Callable[[dict[str, Any], int], GgufVocabulary]:
    kind = model_kind(document)
    if kind == "BPE" and is_byte_level(document):
        return _byte_level
    if kind == "BPE" and document["model"].get("byte_fallback"):
        return _byte_fallback
    converters = {"WordPiece": _word_piece, "Unigram": _unigram}
    if kind not in converters:
        raise UnfitTokenizerError(
            f"it knows BPE over bytes or with byte fallback, WordPiece and Unigram; this model is {kind}"
            + (" over characters" if kind == "BPE" else "")
        )
    return converters[kind]


def _size(document: dict[str, Any], model: Mapping[str, Any]) -> int:
    largest = max(token_ids(document).values(), default=-1)
    given = model.get("vocab_size")
    size = max(largest + 1, given if isinstance(given, int) else 0)
    if size > MOST_TOKENS:
        raise UnfitTokenizerError(f"its ids go up to {size - 1:,}, and a GGUF file has a token for each id below")
    return size


# Kinds ----------------------------------------------------------------------------------------------------------------


def _byte_level(document: dict[str, Any], size: int) -> GgufVocabulary:
    _check_bpe(document)
    _check_normalizers(document, {"NFC"})
    pre = name_of(document)
    if pre is None:
        raise UnfitTokenizerError("it knows pre-tokenizers by name, and none of its names stands for this one")
    tokens, types = _tokens(document, size)
    merges = document["model"]["merges"]
    return GgufVocabulary(
        model="gpt2",
        pre=pre,
        tokens=tuple(tokens),
        types=tuple(types),
        merges=tuple(" ".join(part.replace(" ", "Ġ") for part in _merge(merge)) for merge in merges),
        architecture="llama",
    )


def _word_piece(document: dict[str, Any], size: int) -> GgufVocabulary:
    if document["model"].get("continuing_subword_prefix", CONTINUING) != CONTINUING:
        raise UnfitTokenizerError(f"it knows WordPiece whose pieces within a word begin with {CONTINUING}")
    if (document.get("pre_tokenizer") or {}).get("type") != "BertPreTokenizer":
        raise UnfitTokenizerError("its WordPiece splits words as BertPreTokenizer does; this file does not")
    _check_normalizers(document, {"BertNormalizer", "Lowercase", "StripAccents", "NFD"})
    if "normalizer.lowercase" not in _normalizer_flags(document):
        raise UnfitTokenizerError("its WordPiece lowers the case of a text unless a BertNormalizer says otherwise")
    tokens, types = _tokens(document, size)
    return GgufVocabulary(
        model="bert",
        tokens=tuple(map(_with_phantom_space, tokens, types)),
        types=tuple(types),
        architecture="bert",
    )


def _with_phantom_space(token: str, type_: int) -> str:
    """Return ``token`` as llama.cpp spells it: a space before what begins a word, nothing before what goes on."""
    if type_ == TokenType.CONTROL:
        return token
    return token.removeprefix(CONTINUING) if token.startswith(CONTINUING) else SPACE + token


def _unigram(document: dict[str, Any], size: int) -> GgufVocabulary:
    if document["model"].get("byte_fallback"):
        raise UnfitTokenizerError("its Unigram has no byte fallback; this model has")
    metaspace, splits = _metaspace(document)
    charsmap, removes = _unigram_normalizer(document)
    tokens, types = _tokens(document, size)
    unknown = unknown_id(document)
    if unknown is not None:
        types[unknown] = TokenType.UNKNOWN
    scores = [score for _, score in document["model"]["vocab"]]
    return GgufVocabulary(
        model="t5",
        pre=DEFAULT,
        tokens=tuple(tokens),
        types=tuple(types),
        scores=tuple(map(float, [*scores, *[ADDED_SCORE] * (size - len(scores))])),
        flags={"add_space_prefix": _prepends(metaspace), "remove_extra_whitespaces": splits or removes},
        charsmap=charsmap,
        architecture="t5",
    )


def _unigram_normalizer(document: dict[str, Any]) -> tuple[bytes | None, bool]:
    """Return the character map, and whether runs of spaces become one."""
    charsmap, removes = None, False
    for step in _parts(document.get("normalizer"), "normalizers"):
        match step:
            case {"type": "Precompiled", "precompiled_charsmap": given}:
                charsmap = base64.b64decode(given) if given else None
            case {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " " | "▁"}:
                removes = True
            case {"type": "Strip"}:
                removes = True
            case {"type": type_}:
                raise UnfitTokenizerError(
                    f"its Unigram normalizes by a character map alone; this file has the normalizer {type_} too"
                )
    return charsmap, removes


def _metaspace(document: dict[str, Any]) -> tuple[Component, bool]:
    """Return the ``Metaspace`` of the pre-tokenizer, and whether words are split at white space before it."""
    match list(_parts(document.get("pre_tokenizer"), "pretokenizers")):
        case [{"type": "WhitespaceSplit"}, {"type": "Metaspace"} as metaspace]:
            found, splits = metaspace, True
        case [{"type": "Metaspace"} as metaspace]:
            found, splits = metaspace, False
        case _:
            raise UnfitTokenizerError("it splits words at spaces as Metaspace does; this pre-tokenizer does not")
    if found.get("replacement", SPACE) != SPACE:
        raise UnfitTokenizerError(f"it writes spaces as {SPACE}; this Metaspace has {found['replacement']!r}")
    return found, splits


def _prepends(metaspace: Component) -> bool:
    return bool(metaspace.get("prepend_scheme", "always") != "never" and metaspace.get("add_prefix_space", True))


def _byte_fallback(document: dict[str, Any], size: int) -> GgufVocabulary:
    _check_bpe(document)
    prepends = _byte_fallback_prepends(document)
    tokens, types = _tokens(document, size)
    ranks: dict[str, int] = {}
    for rank, merge in enumerate(document["model"]["merges"]):
        ranks.setdefault("".join(_merge(merge)), rank)
    added = {token["id"] for token in document.get("added_tokens") or ()}
    scores = [_score(id_ in added, token, ranks) for id_, token in enumerate(tokens)]
    unknown = unknown_id(document)
    if unknown is not None and unknown not in added:
        types[unknown] = TokenType.UNKNOWN
    return GgufVocabulary(
        model="llama",
        pre=DEFAULT,
        tokens=tuple(tokens),
        types=tuple(
            TokenType.BYTE if type_ == TokenType.NORMAL and BYTE.fullmatch(token) else type_
            for token, type_ in zip(tokens, types, strict=True)
        ),
        scores=tuple(scores),
        flags={"add_space_prefix": prepends},
        architecture="llama",
    )


def _score(added: bool, token: str, ranks: Mapping[str, int]) -> float:
    """Return the score of ``token``: the later it is merged, the lower; that of a byte counts for nothing."""
    if added:
        return ADDED_SCORE
    return 0.0 if BYTE.fullmatch(token) else -float(ranks.get(token, len(ranks)))


def _byte_fallback_prepends(document: dict[str, Any]) -> bool:
    """Return whether a space is put before a text; the normalizer or the pre-tokenizer writes spaces as U+2581."""
    splitters = list(_parts(document.get("pre_tokenizer"), "pretokenizers"))
    match list(_parts(document.get("normalizer"), "normalizers")), splitters:
        case [
            [*first, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}],
            [] | [{"type": "Split", "pattern": {"String": " "}, "invert": False}],
        ] if first in ([], [{"type": "Prepend", "prepend": SPACE}]):
            return bool(first)
        case [[], [{"type": "Metaspace"}]]:
            return _prepends(_metaspace(document)[0])
    raise UnfitTokenizerError(
        f"its BPE with byte fallback writes spaces as {SPACE}, and does nothing else before the model; this file does"
    )


# Tokens ---------------------------------------------------------------------------------------------------------------


def _tokens(document: dict[str, Any], size: int) -> tuple[list[str], list[int]]:
    """Return the token of each id and its type; ids that have none get one that is never used."""
    tokens = [f"[PAD{id_}]" for id_ in range(size)]
    types: list[int] = [TokenType.UNUSED] * size
    for token, id_ in token_ids(document).items():
        tokens[id_], types[id_] = token, TokenType.NORMAL
    for added in document.get("added_tokens") or ():
        content, id_ = added["content"], added["id"]
        is_control = added.get("special", False) or looks_special(content)
        types[id_] = TokenType.CONTROL if is_control else TokenType.USER_DEFINED
        tokens[id_] = content if is_control else content.replace(SPACE, " ")
    return tokens, types


def looks_special(token: str) -> bool:
    """Return whether llama.cpp's converter makes a control token of the added ``token``, be it special or not."""
    return token in LOOKING_SPECIAL or any(
        token.startswith(first) and token.endswith(last) for first, last in LOOKING_SPECIAL_ENDS
    )


def _merge(merge: Any) -> list[str]:
    """Return the two parts of ``merge``, which a file writes as a list, or as text with a space."""
    return merge.split(" ", 1) if isinstance(merge, str) else list(merge)


def _check_bpe(document: dict[str, Any]) -> None:
    model = document["model"]
    setting = next((name for name in UNSAYABLE if model.get(name)), None)
    if setting is not None:
        raise UnfitTokenizerError(f"a GGUF file has nothing like this model's {setting}")


UNSAYABLE = ("dropout", "continuing_subword_prefix", "end_of_word_suffix")
"""Settings of a BPE that a GGUF file has no key for, and that change what a text becomes."""

# Normalizers ----------------------------------------------------------------------------------------------------------


def _parts(component: Component | None, members: str) -> Iterator[Component]:
    """Yield the steps of ``component``, those of sequences too."""
    if component is None:
        return
    if component.get("type") == "Sequence":
        for part in component.get(members) or ():
            yield from _parts(part, members)
        return
    yield component


def _check_normalizers(document: dict[str, Any], known: set[str]) -> None:
    for step in _parts(document.get("normalizer"), "normalizers"):
        if step.get("type") not in known:
            raise UnfitTokenizerError(
                f"it has nothing for the normalizer {step.get('type')} before a model of this kind"
            )


def _normalizer_flags(document: dict[str, Any]) -> dict[str, bool]:
    flags: dict[str, bool] = {}
    for step in _parts(document.get("normalizer"), "normalizers"):
        match step:
            case {"type": "Lowercase"}:
                flags["normalizer.lowercase"] = True
            case {"type": "StripAccents"}:
                flags["normalizer.strip_accents"] = True
            case {"type": "BertNormalizer"}:
                said = {name: step[name] for name in ("lowercase", "strip_accents") if step.get(name) is not None}
                flags.update({f"normalizer.{name}": bool(value) for name, value in said.items()})
    return flags


def _templates(given: Any) -> dict[str, str]:
    if isinstance(given, str):
        return {DEFAULT_TEMPLATE: given}
    return {each["name"]: each["template"] for each in given or ()}
