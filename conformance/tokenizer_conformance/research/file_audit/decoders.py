"""Decoders: what the pipeline marks in tokens, the decoder takes out of them again.

The pipeline leaves marks in tokens: bytes as characters (ByteLevel), a mark for a space (Metaspace), a prefix or suffix
of word parts, tokens for bytes. For each mark of the file there is one part of a decoder that undoes it. Where that is
not there or says otherwise, a witness is looked for: a text that comes back from a file with the decoder mended, and
not from this one. Without a witness there is no finding.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import path_text, with_part
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness
from tokenizer_conformance.research.file_audit.fit.writing import OF_WORDS, Writing, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Encoded
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

MISSING = Defect(
    "decoder-missing",
    "There is no decoder, and tokens have marks in them",
    Severity.WARNING,
    "Without a decoder tokens are joined with spaces, marks included: no text comes back.",
    "Add the decoder that undoes the marks.",
)
BYTE_LEVEL = Defect(
    "decoder-byte-level",
    "Tokens are bytes written as characters, and are not decoded so, or the other way round",
    Severity.ERROR,
    "The ByteLevel decoder undoes the ByteLevel pre-tokenizer (or normalizer): one without the other leaves marks in "
    "the text, or takes characters for bytes.",
    "Use ByteLevel in both places or in none.",
)
SPACE_MARK = Defect(
    "decoder-space-mark",
    "The mark for a space is not the one that the decoder takes out",
    Severity.ERROR,
    "Spaces come back as the mark, or words run together.",
    "Give the decoder the replacement of the pre-tokenizer.",
)
PREPENDED = Defect(
    "decoder-prepend-scheme",
    "The pipeline puts a space before a text, and the decoder leaves it there, or the other way round",
    Severity.WARNING,
    "A decoded text has one space too many at its beginning, or has lost its own.",
    "Give both the same prepend_scheme (in older files add_prefix_space).",
)
PREFIX = Defect(
    "decoder-subword-prefix",
    "The prefix of word parts is not the one that the decoder takes out",
    Severity.ERROR,
    "Words come back in parts, with the prefix in them.",
    "Give the WordPiece decoder the continuing_subword_prefix of the model.",
)
SUFFIX = Defect(
    "decoder-word-suffix",
    "The suffix of word ends is not the one that the decoder takes out",
    Severity.ERROR,
    "Words run together, or have the suffix in them.",
    "Give the BPEDecoder the end_of_word_suffix of the model.",
)
BYTE_FALLBACK = Defect(
    "decoder-byte-fallback",
    "Bytes stand in for characters, and the decoder does not put them together",
    Severity.ERROR,
    'Characters that the vocabulary lacks come back as "<0xE6><0x97><0xA5>".',
    "Put ByteFallback into the decoder, before Fuse.",
)

CHANGED = Defect(
    "decoding-changes-text",
    "A decoded text begins with a space that was not there",
    Severity.NOTE,
    "The pre-tokenizer puts a space before each text, and the ByteLevel decoder cannot tell it from one of the text.",
    "Write false for the pre-tokenizer's add_prefix_space, if the model was trained so; or strip decoded texts.",
)
OTHER_WORDS = Defect(
    "decoding-changes-words",
    "Plain text comes back with other words",
    Severity.WARNING,
    "The normalizer leaves the text as it is and no token of it is unknown, and yet letters are others, or words run "
    "together, once it is encoded and decoded.",
    "Compare the decoder, part by part and in its order, with the normalizer and the pre-tokenizer that it undoes.",
)

DEFECTS = (MISSING, BYTE_LEVEL, SPACE_MARK, PREPENDED, PREFIX, SUFFIX, BYTE_FALLBACK, OTHER_WORDS, CHANGED)

PLAIN_TEXTS = (
    "a b",
    " a",
    "a ",
    "a  b",
    "a\nb",
    "a-b",
    "a,b",
    "a , b",
    "it's",
    "it 's",
    "(a)",
    '"a"',
    "1.5",
    "a...",
    "a. b",
    "café",
    "日本",
)
"""Texts that are to come back, whoever decodes them."""

TEXTS = (
    "hello world",
    " hello world",
    "the end of the world",
    "unbelievably",
    "a b",
    " a b",
    "ab",
    "é",
    "naïve café",
    "日本",
    "☃",
    "a☃b",
)
"""Texts that show marks; words of the vocabulary are tried after them."""

MOST_WORDS = 60
"""How many words of the vocabulary are tried."""

MARK = "▁"


_FALLBACK: list[Json] = [
    {"type": "Replace", "pattern": {"String": MARK}, "content": " "},
    {"type": "ByteFallback"},
    {"type": "Fuse"},
]
FAMILY: dict[Writing, tuple[Json, ...]] = {
    Writing.BYTES: ({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},),
    Writing.MARK: (
        {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True},
        {"type": "Sequence", "decoders": [*_FALLBACK, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
    ),
    Writing.PREFIX: ({"type": "WordPiece", "prefix": "##", "cleanup": True},),
    Writing.SUFFIX: ({"type": "BPEDecoder", "suffix": "</w>"},),
}
"""The decoders that each way to write a vocabulary is known with."""


@dataclass(frozen=True, slots=True)
class _Suspicion:
    """A mark that ``defect`` says is not undone, at ``path``; with ``decoder``, or without any, it is."""

    defect: Defect
    path: Path
    message: str
    decoder: Json | None
    remedy: str = ""


def check_decoders(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the marks that the decoder does not undo, each with a text that does not come back."""
    audited = audited.unlimited
    if audited.asked is None:
        return
    found = list(_undone_marks(audited))
    yield from found or _changed(audited)


def _undone_marks(audited: AuditedFile) -> Iterator[FoundDefect]:
    suspicions = list(_suspicions(audited))
    if not suspicions:
        return
    texts = [*TEXTS, *_words(audited)]
    if audited.document.get("decoder") is None:
        witness = next((found for each in suspicions if (found := _witness(audited, each, texts))), None)
        if witness is not None:
            said = "; ".join(each.message for each in suspicions)
            yield FoundDefect(MISSING, ("decoder",), said, witness=witness)
        return
    for suspicion in suspicions:
        witness = _witness(audited, suspicion, texts)
        if witness is not None:
            remedy = suspicion.remedy or f"Write {json.dumps(suspicion.decoder, ensure_ascii=False)} at $.decoder."
            yield FoundDefect(suspicion.defect, suspicion.path, suspicion.message, witness=witness, to_do=remedy)


def _changed(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the finding about texts that come back with other words, or else with a space before them."""
    found = list(_other_words(audited))
    yield from found
    if found:
        return
    decoded = [(text, back, ids) for text in PLAIN_TEXTS for back, ids in _decoded(audited, text)]
    spaced = [each for each in decoded if each[1] == f" {each[0]}"]
    if spaced:
        message = f"{len(spaced)} of {len(decoded)} plain texts come back so"
        yield FoundDefect(CHANGED, ("decoder",), message, witness=_changing(*spaced[0]))


def _other_words(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the finding about a text whose words come back with the decoder of its vocabulary's family alone.

    Where no token has a mark for a space, words cannot come back as they were, and letters are looked at.
    """
    writing = read_vocabulary(audited.parts).writing
    words = str.split if writing in OF_WORDS else _letters
    for decoder in FAMILY.get(writing, ()):
        mended = audited.other({**audited.document, "decoder": decoder})
        if mended is None:
            continue
        for text in PLAIN_TEXTS:
            for back, ids in _decoded(audited, text):
                good = mended.decoded(ids)
                if words(back) != words(text) and good is not None and words(good) == words(text):
                    remedy = f"Write {json.dumps(decoder, ensure_ascii=False)} at $.decoder."
                    message = f"the words of {quoted(text)} come back as {quoted(back)}"
                    witness = _changing(text, back, ids)
                    yield FoundDefect(OTHER_WORDS, ("decoder",), message, witness=witness, to_do=remedy)
                    return


def _changing(text: str, back: str, ids: tuple[int, ...]) -> Witness:
    return Witness(f"{quoted(text)} becomes {list(ids)}, which decodes to {quoted(back)}", text, ids)


def _letters(text: str) -> list[str]:
    return ["".join(text.split())]


def _decoded(audited: AuditedFile, text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield what ``text`` decodes to, with its ids, if the file keeps all of its words until then."""
    answer, normalized = audited.encoded(text), audited.normalized(text)
    if answer is None or normalized is None or audited.unknown_id in answer.ids:
        return
    decoded = audited.decoded(answer.ids)
    if decoded is not None and normalized.replace(MARK, " ").split() == text.split() and _is_whole(text, answer):
        yield decoded, answer.ids


def _is_whole(text: str, answer: Encoded) -> bool:
    """Return whether every character of ``text`` but white space is in a token."""
    covered = {place for begin, end in answer.offsets or () for place in range(begin, end)}
    return all(character.isspace() or place in covered for place, character in enumerate(text))


def _witness(audited: AuditedFile, suspicion: _Suspicion, texts: list[str]) -> Witness | None:
    """Return a text that comes back with the other decoder, and not with that of the file."""
    mended = audited.other({**audited.document, "decoder": suspicion.decoder})
    if mended is None:
        return None
    for text in texts:
        answer = audited.encoded(text)
        if answer is None or not answer.ids:
            continue
        ours, theirs = audited.decoded(answer.ids), mended.decoded(answer.ids)
        if theirs == text and ours is not None and ours != text:
            return Witness(
                f"{quoted(text)} becomes {list(answer.ids)}, which decodes to {quoted(ours)}", text, answer.ids
            )
    return None


def _words(audited: AuditedFile) -> list[str]:
    prefix = audited.parts.text_option("continuing_subword_prefix")
    words = []
    for token in list(audited.token_ids)[-2000:]:
        word = token.strip("▁Ġ").removeprefix(prefix or "\0")
        if word.isalpha():
            words.append(word)
    step = max(1, len(words) // MOST_WORDS)
    chosen = words[::step][:MOST_WORDS]
    return [*chosen, *(f"{first} {second}" for first, second in pairwise(chosen))]


# What is suspected ---------------------------------------------------------------------------------------------------


def _suspicions(audited: AuditedFile) -> Iterator[_Suspicion]:
    """Yield what is suspected of the decoder; where the vocabulary speaks for it, the other stage is to blame."""
    decoders = audited.of_stage("decoder")
    writing = read_vocabulary(audited.parts).writing
    yield from _of_bytes(audited, decoders, writing)
    yield from _of_spaces(audited, decoders, writing)
    yield from _of_strips(audited, decoders)
    yield from _of_affixes(audited, decoders, writing)
    yield from _of_byte_fallback(audited, decoders)


def _find(parts: tuple[Part, ...], kind: str) -> Part | None:
    return next((part for part in parts if part.type == kind), None)


def _of_bytes(audited: AuditedFile, decoders: tuple[Part, ...], writing: Writing) -> Iterator[_Suspicion]:
    writer = _find((*audited.of_stage("normalizer"), *audited.of_stage("pre_tokenizer")), "ByteLevel")
    reader = _find(decoders, "ByteLevel")
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    if writer is not None and reader is None and writing not in (Writing.MARK, Writing.PREFIX):
        message = f"the {writer.stage} writes bytes as characters, and no ByteLevel decoder reads them"
        yield _Suspicion(BYTE_LEVEL, ("decoder",), message, byte_level)
    if reader is not None and writer is None and writing is not Writing.BYTES:
        message = "the decoder reads characters as bytes, and no ByteLevel has written them"
        for other in ({"type": "Fuse"}, {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always"}):
            yield _Suspicion(BYTE_LEVEL, reader.path, message, _replaced(audited, reader, other))


def _of_spaces(audited: AuditedFile, decoders: tuple[Part, ...], writing: Writing) -> Iterator[_Suspicion]:
    writer = _find(audited.of_stage("pre_tokenizer"), "Metaspace")
    if writer is None:
        yield from _of_replaced_spaces(audited, decoders)
        return
    mark, scheme = _mark(writer), _scheme(writer)
    if writing is Writing.MARK and mark != MARK:
        return
    good = {"type": "Metaspace", "replacement": mark, "prepend_scheme": scheme, "split": True}
    reader = _find(decoders, "Metaspace")
    if reader is None:
        if not any(_is_replacing(each, mark) for each in decoders):
            message = f"the pre-tokenizer writes spaces as {quoted(mark)}, and no part of the decoder writes them back"
            yield _Suspicion(SPACE_MARK, ("decoder",), message, good)
        elif scheme != "never" and not any(map(_strips_spaces, decoders)):
            message = "the pre-tokenizer puts a space before a text, and no part of the decoder takes it away"
            yield _Suspicion(PREPENDED, ("decoder",), message, good)
    elif _mark(reader) != mark:
        message = f"the replacement is {quoted(_mark(reader))} here and {quoted(mark)} in the pre-tokenizer"
        yield _Suspicion(SPACE_MARK, (*reader.path, "replacement"), message, _replaced(audited, reader, good))
    elif (_scheme(reader) == "never") != (scheme == "never"):
        option = "prepend_scheme" if "prepend_scheme" in reader.members else "add_prefix_space"
        message = f"prepend_scheme is {_scheme(reader)} here and {scheme} in the pre-tokenizer"
        here, there = path_text((*reader.path, "prepend_scheme")), path_text((*writer.path, "prepend_scheme"))
        remedy = f'Write "{scheme}" at {here}, or "{_scheme(reader)}" at {there}: the two must agree.'
        yield _Suspicion(PREPENDED, (*reader.path, option), message, _replaced(audited, reader, good), remedy)


def _of_replaced_spaces(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    """Yield what is suspected where a normalizer writes the mark in the place of a space."""
    writer = next((each for each in audited.of_stage("normalizer") if _is_replacing(each, " ")), None)
    mark = None if writer is None else writer.members.get("content")
    if not isinstance(mark, str) or len(mark) != 1:
        return
    back = [{"type": "Replace", "pattern": {"String": mark}, "content": " "}]
    rest: list[Json] = [{"type": "ByteFallback"}, {"type": "Fuse"}]
    if _find(audited.of_stage("normalizer"), "Prepend") is not None:
        rest.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    good = {"type": "Sequence", "decoders": [*back, *rest]}
    undone = any(_is_replacing(each, mark) or (each.type == "Metaspace" and _mark(each) == mark) for each in decoders)
    if not undone:
        message = f"the normalizer writes spaces as {quoted(mark)}, and no part of the decoder writes them back"
        yield _Suspicion(SPACE_MARK, ("decoder",), message, good)
    elif len(rest) == 3 and not any(each.type == "Metaspace" or _strips_spaces(each) for each in decoders):
        message = f"the normalizer puts {quoted(mark)} before a text, and no part of the decoder takes it away"
        yield _Suspicion(PREPENDED, ("decoder",), message, good)


def _strips_spaces(decoder: Part) -> bool:
    """Whether ``decoder`` strips spaces, or what stands for them, and nothing else."""
    return decoder.type == "Strip" and decoder.members.get("content") in {" ", "\u2581"}


def _of_strips(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    """Yield a part of the decoder that takes spaces from the beginning, where nothing has put one there."""
    strip = next((each for each in decoders if _strips_spaces(each) and each.members.get("start")), None)
    if strip is None or len(strip.path) == 1 or any(map(_prepends, _before_the_model(audited))):
        return
    kept = [each.members for each in decoders if each is not strip]
    message = "it takes a space from the beginning of a text, and nothing has put one there"
    yield _Suspicion(PREPENDED, strip.path, message, {"type": "Sequence", "decoders": kept})


def _before_the_model(audited: AuditedFile) -> tuple[Part, ...]:
    return (*audited.of_stage("normalizer"), *audited.of_stage("pre_tokenizer"))


def _prepends(part: Part) -> bool:
    if part.type == "Metaspace":
        return _scheme(part) != "never"
    return part.type == "Prepend" or (part.type == "ByteLevel" and part.members.get("add_prefix_space") is not False)


def _of_affixes(audited: AuditedFile, decoders: tuple[Part, ...], writing: Writing) -> Iterator[_Suspicion]:
    prefix = audited.parts.text_option("continuing_subword_prefix")
    suffix = audited.parts.text_option("end_of_word_suffix")
    reader = _find(decoders, "WordPiece")
    is_own = writing is not Writing.PREFIX or prefix == writing
    if prefix and is_own and (reader is None or reader.members.get("prefix") != prefix):
        good = {"type": "WordPiece", "prefix": prefix, "cleanup": False}
        if reader is None:
            message = f"the model marks word parts with {quoted(prefix)}, and no WordPiece decoder takes it out"
            yield _Suspicion(PREFIX, ("decoder",), message, good)
        else:
            message = (
                f"the prefix is {quoted(str(reader.members.get('prefix')))} here and {quoted(prefix)} in the model"
            )
            other = {**reader.members, "prefix": prefix}
            yield _Suspicion(PREFIX, (*reader.path, "prefix"), message, _replaced(audited, reader, other))
    yield from _of_suffix(audited, _find(decoders, "BPEDecoder"), suffix)


def _of_suffix(audited: AuditedFile, ender: Part | None, suffix: str) -> Iterator[_Suspicion]:
    its = None if ender is None else ender.members.get("suffix")
    if suffix and its != suffix:
        good = _suffix_decoder(audited, suffix)
        path: Path = ("decoder",) if ender is None else (*ender.path, "suffix")
        here = "there is no BPEDecoder" if ender is None else f"it is {quoted(str(its))} here"
        message = f"the model marks word ends with {quoted(suffix)}, and {here}"
        yield _Suspicion(SUFFIX, path, message, good if ender is None else _replaced(audited, ender, good))
    elif ender is not None and isinstance(its, str) and not any(each.endswith(its) for each in audited.token_ids):
        message = f"no entry ends with {quoted(its)}, which the decoder reads as a space"
        remedy = (
            f"Train again, with end_of_word_suffix {quoted(its)} given to the trainer, which takes none from the "
            "model: nothing in these entries says where a word ends. Or write null at $.decoder, to have a space after "
            "every token."
        )
        yield _Suspicion(SUFFIX, (*ender.path, "suffix"), message, None, remedy)


def _suffix_decoder(audited: AuditedFile, suffix: str) -> Json:
    """Return what undoes ``suffix``; BPEDecoder joins no bytes that were written as characters."""
    if _find(_before_the_model(audited), "ByteLevel") is None:
        return {"type": "BPEDecoder", "suffix": suffix}
    keeps_spaces = any(str(Writing.BYTES) in piece for piece in audited.pieces("a b") or ())
    end = {"type": "Replace", "pattern": {"String": suffix}, "content": "" if keeps_spaces else " "}
    stripping = [] if keeps_spaces else [{"type": "Strip", "content": " ", "start": 0, "stop": 1}]
    return {"type": "Sequence", "decoders": [*FAMILY[Writing.BYTES], end, *stripping]}


def _of_byte_fallback(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    if audited.parts.model.get("byte_fallback") is not True or _find(decoders, "ByteFallback") is not None:
        return
    written = audited.document.get("decoder")
    parts = [part.members for part in decoders]
    good = {"type": "Sequence", "decoders": [*parts[:1], {"type": "ByteFallback"}, {"type": "Fuse"}, *parts[1:]]}
    message = "the model writes bytes as tokens, and no ByteFallback is in the decoder"
    yield _Suspicion(BYTE_FALLBACK, ("decoder",), message, good if written else {"type": "ByteFallback"})


def _replaced(audited: AuditedFile, part: Part, other: Any) -> Json:
    """Return the decoder with ``other`` in the place of ``part``."""
    document = with_part(audited.document, part.path, other)
    decoder: Json = document["decoder"]
    return decoder


def _mark(part: Part) -> str:
    mark = part.members.get("replacement", part.members.get("str_rep", MARK))
    return mark if isinstance(mark, str) else MARK


def _scheme(part: Part) -> str:
    """Return the prepend_scheme; older files have add_prefix_space in its place."""
    scheme = part.members.get("prepend_scheme")
    if isinstance(scheme, str):
        return scheme
    return "never" if part.members.get("add_prefix_space") is False else "always"


def _is_replacing(part: Part, text: str) -> bool:
    pattern = part.members.get("pattern")
    return part.type == "Replace" and isinstance(pattern, dict) and text in pattern.values()
