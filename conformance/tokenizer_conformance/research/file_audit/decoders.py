"""Decoders: what the pipeline marks in tokens, the decoder takes out of them again.

The pipeline leaves marks in tokens: bytes as characters (ByteLevel), a mark for a space (Metaspace), a prefix or suffix
of word parts, tokens for bytes. For each mark of the file there is one part of a decoder that undoes it. Where that is
not there or says otherwise, a witness is looked for: a text that comes back from a file with the decoder mended, and
not from this one. Without a witness there is no finding.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import with_part
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness

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
    "Text that the normalizer leaves as it is does not come back",
    Severity.NOTE,
    "Encoded and decoded it is another text, although no token of it is unknown: white space was taken away before the "
    "model, or the decoder writes spaces where none were.",
    "Nothing, if texts need not come back as they were; a byte-level or Metaspace pipeline brings them back.",
)

DEFECTS = (MISSING, BYTE_LEVEL, SPACE_MARK, PREPENDED, PREFIX, SUFFIX, BYTE_FALLBACK, CHANGED)

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


@dataclass(frozen=True, slots=True)
class _Suspicion:
    """A mark that ``defect`` says is not undone, at ``path``; with ``decoder``, it is."""

    defect: Defect
    path: Path
    message: str
    decoder: Json


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
            yield FoundDefect(suspicion.defect, suspicion.path, suspicion.message, witness=witness)


def _changed(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the finding about texts that do not come back, where they could."""
    changed = []
    for text in PLAIN_TEXTS:
        answer = audited.encoded(text)
        if (
            answer is None
            or audited.unknown_id in answer.ids
            or not _is_whole(text, answer)
            or audited.normalized(text) != text
        ):
            continue
        decoded = audited.decoded(answer.ids)
        if decoded is not None and decoded != text:
            changed.append((text, decoded, answer.ids))
    if changed:
        text, decoded, ids = changed[0]
        message = f"{len(changed)} of {len(PLAIN_TEXTS)} plain texts come back as others, {quoted(text)} among them"
        witness = Witness(f"{quoted(text)} becomes {list(ids)}, which decodes to {quoted(decoded)}", text, ids)
        others = ", ".join(f"{quoted(text)} as {quoted(decoded)}" for text, decoded, _ in changed[1:])
        details = (f"others: {others}",) if others else ()
        yield FoundDefect(CHANGED, ("decoder",), message, witness=witness, details=details)


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
    decoders = audited.of_stage("decoder")
    yield from _of_bytes(audited, decoders)
    yield from _of_spaces(audited, decoders)
    yield from _of_affixes(audited, decoders)
    yield from _of_byte_fallback(audited, decoders)


def _find(parts: tuple[Part, ...], kind: str) -> Part | None:
    return next((part for part in parts if part.type == kind), None)


def _of_bytes(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    writer = _find((*audited.of_stage("normalizer"), *audited.of_stage("pre_tokenizer")), "ByteLevel")
    reader = _find(decoders, "ByteLevel")
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    if writer is not None and reader is None:
        message = f"the {writer.stage} writes bytes as characters, and no ByteLevel decoder reads them"
        yield _Suspicion(BYTE_LEVEL, ("decoder",), message, byte_level)
    if reader is not None and writer is None:
        message = "the decoder reads characters as bytes, and no ByteLevel has written them"
        for other in ({"type": "Fuse"}, {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always"}):
            yield _Suspicion(BYTE_LEVEL, reader.path, message, _replaced(audited, reader, other))


def _of_spaces(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    writer = _find(audited.of_stage("pre_tokenizer"), "Metaspace")
    if writer is None:
        yield from _of_replaced_spaces(audited, decoders)
        return
    mark, scheme = _mark(writer), _scheme(writer)
    good = {"type": "Metaspace", "replacement": mark, "prepend_scheme": scheme, "split": True}
    reader = _find(decoders, "Metaspace")
    if reader is None:
        if not any(_is_replacing(each, mark) for each in decoders):
            message = f"the pre-tokenizer writes spaces as {quoted(mark)}, and no part of the decoder writes them back"
            yield _Suspicion(SPACE_MARK, ("decoder",), message, good)
    elif _mark(reader) != mark:
        message = f"the replacement is {quoted(_mark(reader))} here and {quoted(mark)} in the pre-tokenizer"
        yield _Suspicion(SPACE_MARK, (*reader.path, "replacement"), message, _replaced(audited, reader, good))
    elif (_scheme(reader) == "never") != (scheme == "never"):
        option = "prepend_scheme" if "prepend_scheme" in reader.members else "add_prefix_space"
        message = f"prepend_scheme is {_scheme(reader)} here and {scheme} in the pre-tokenizer"
        yield _Suspicion(PREPENDED, (*reader.path, option), message, _replaced(audited, reader, good))


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
    elif len(rest) == 3 and not any(each.type in {"Strip", "Metaspace"} for each in decoders):
        message = f"the normalizer puts {quoted(mark)} before a text, and no part of the decoder takes it away"
        yield _Suspicion(PREPENDED, ("decoder",), message, good)


def _of_affixes(audited: AuditedFile, decoders: tuple[Part, ...]) -> Iterator[_Suspicion]:
    prefix = audited.parts.text_option("continuing_subword_prefix")
    suffix = audited.parts.text_option("end_of_word_suffix")
    reader = _find(decoders, "WordPiece")
    if prefix and (reader is None or reader.members.get("prefix") != prefix):
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
    ender = _find(decoders, "BPEDecoder")
    if suffix and (ender is None or ender.members.get("suffix") != suffix):
        good = {"type": "BPEDecoder", "suffix": suffix}
        path: Path = ("decoder",) if ender is None else (*ender.path, "suffix")
        here = "there is no BPEDecoder" if ender is None else f"it is {quoted(str(ender.members.get('suffix')))} here"
        message = f"the model marks word ends with {quoted(suffix)}, and {here}"
        yield _Suspicion(SUFFIX, path, message, good if ender is None else _replaced(audited, ender, good))


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
