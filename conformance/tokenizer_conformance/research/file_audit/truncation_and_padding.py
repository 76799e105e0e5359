"""Truncation and padding: limits that leave nothing, or limit nothing, and a padding token that is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.comparison.document_parts import with_part
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import is_id
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from tokenizer_conformance.research.file_audit.audited import AuditedFile

ON = Defect(
    "truncation-on",
    "The file cuts texts off",
    Severity.NOTE,
    "Whoever loads the file and encodes a long text gets its beginning (or end) alone, without being told.",
    "Ship the file without truncation, and set it where it is wanted.",
)
TOO_SHORT = Defect(
    "truncation-too-short",
    "Truncation leaves no room for text",
    Severity.ERROR,
    "Special tokens count. With fewer tokens allowed than are added nothing is cut off at all, and with just as many "
    "nothing is left of the text.",
    "Allow more tokens than the post-processor adds.",
)
STRIDE = Defect(
    "truncation-stride",
    "The stride is no smaller than what is left of a text",
    Severity.ERROR,
    "Parts of a text that are cut off overlap by the stride, which must be smaller than max_length without the special "
    "tokens. Every text that is too long ends in a panic.",
    "Make the stride smaller.",
)
PADDING_ON = Defect(
    "padding-on",
    "The file pads texts",
    Severity.NOTE,
    "Whoever loads the file and encodes a text gets tokens that no text has.",
    "Ship the file without padding, and set it where it is wanted.",
)
PAD_MISSING = Defect(
    "pad-token-missing",
    "The padding token is not in the vocabulary",
    Severity.ERROR,
    "The id of the padding is another token's, or none's, and decodes so.",
    "Name a token of the vocabulary, with its id.",
)
PAD_ID = Defect(
    "pad-id",
    "The padding has another id than its token",
    Severity.ERROR,
    "Padding decodes to another token, and is counted as that by whoever compares ids.",
    "Write the id that the token has.",
)
MULTIPLE = Defect(
    "pad-to-multiple-of-zero",
    "Padding to a multiple of 0",
    Severity.WARNING,
    "It is read and ignored: lengths are those without it.",
    "Write null, or the number that is meant.",
)
DIRECTIONS = Defect(
    "padding-truncation-directions",
    "Texts are cut off on one side and padded on the other",
    Severity.NOTE,
    "For a model that reads from left to right, both on the left keep the end of a text next to what follows.",
    "Nothing, if it is meant.",
)

DEFECTS = (ON, TOO_SHORT, STRIDE, PADDING_ON, PAD_MISSING, PAD_ID, MULTIPLE, DIRECTIONS)


def check_truncation_and_padding(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with truncation and padding."""
    truncation, padding = audited.document.get("truncation"), audited.document.get("padding")
    if isinstance(truncation, dict):
        yield from _truncation(audited, truncation)
    if isinstance(padding, dict):
        yield from _padding(audited, padding)
    if isinstance(truncation, dict) and isinstance(padding, dict):
        cut, padded = truncation.get("direction", "Right"), padding.get("direction")
        if isinstance(padded, str) and isinstance(cut, str) and cut != padded:
            message = f"texts are cut off on the {cut.lower()} and padded on the {padded.lower()}"
            yield FoundDefect(DIRECTIONS, ("padding", "direction"), message)


def _truncation(audited: AuditedFile, truncation: Mapping[str, Any]) -> Iterator[FoundDefect]:
    length, stride = truncation.get("max_length"), truncation.get("stride", 0)
    if not is_id(length):
        return
    message = f"to {counted(length, 'token')}, in every call that says nothing else"
    yield FoundDefect(ON, ("truncation",), message)
    added = _special_tokens(audited)
    if added is None:
        return
    if length <= added:
        what = "as many" if length == added else f"{added:,}"
        message = f"max_length is {length}, and the post-processor adds {what} tokens"
        yield FoundDefect(TOO_SHORT, ("truncation", "max_length"), message, witness=_long_text(audited))
    elif is_id(stride) and stride >= length - added:
        message = f"the stride is {stride}, and {length} tokens without {added} special ones are {length - added}"
        yield FoundDefect(STRIDE, ("truncation", "stride"), message, witness=_long_text(audited))


def _special_tokens(audited: AuditedFile) -> int | None:
    """Return how many tokens the post-processor adds to a text, without truncation and padding."""
    whole = audited.unlimited
    with_them, without = whole.encoded("a", add_special_tokens=True), whole.encoded("a")
    return None if with_them is None or without is None else len(with_them.ids) - len(without.ids)


def _long_text(audited: AuditedFile) -> Witness | None:
    text = "a " * 600
    answer = audited.answer(Encode(text))
    shown = '"a" six hundred times'
    if isinstance(answer, Encoded):
        return Witness(f"{shown} becomes {counted(len(answer.ids), 'token')}", text)
    if isinstance(answer, Unsupported):
        return None
    return Witness(f"{shown} cannot be encoded: {one_line(in_words(answer))}", text)


def _padding(audited: AuditedFile, padding: Mapping[str, Any]) -> Iterator[FoundDefect]:
    strategy, multiple = padding.get("strategy"), padding.get("pad_to_multiple_of")
    to = f"to {strategy['Fixed']:,} tokens" if isinstance(strategy, dict) and is_id(strategy.get("Fixed")) else ""
    yield FoundDefect(
        PADDING_ON, ("padding",), f"{to or 'to the longest of a batch'}, in every call that says nothing else"
    )
    token, number = padding.get("pad_token"), padding.get("pad_id")
    if isinstance(token, str) and is_id(number):
        given = audited.vocabulary.get(token)
        witness = _padded(audited, number)
        if given is None:
            message = f"pad_token is {quoted(token)}, and no token is called so"
            yield FoundDefect(PAD_MISSING, ("padding", "pad_token"), message, witness=witness)
        elif given != number:
            message = f"pad_id is {number}, and {quoted(token)} has the id {given}"
            yield FoundDefect(PAD_ID, ("padding", "pad_id"), message, witness=witness)
    if multiple == 0 and is_id(multiple):
        yield FoundDefect(MULTIPLE, ("padding", "pad_to_multiple_of"), "pad_to_multiple_of is 0")


def _padded(audited: AuditedFile, number: int) -> Witness | None:
    """Return a text that is padded to sixteen tokens, with what the padding decodes to."""
    document = with_part(audited.document, ("padding", "strategy"), {"Fixed": 16})
    fixed = audited.other(document)
    answer = None if fixed is None else fixed.encoded("a", add_special_tokens=True)
    if answer is None or number not in answer.ids:
        return None
    text = audited.decoded((number,))
    return Witness(f'"a" is padded with {number}, which decodes to {quoted(text or "")}', "a")
