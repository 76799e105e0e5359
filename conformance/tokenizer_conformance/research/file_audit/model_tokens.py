"""Tokens that a model needs for what stands in no vocabulary: the unknown token, bytes, marks of parts of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Failed, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import is_id
from tokenizer_conformance.research.file_audit.finding import Defect, Finding, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile

UNKNOWN_TEXTS = ("\u2603", "日", "ꙮ", "\U00010437", "\U0001f389", "a", "§")
"""Texts of characters that some vocabularies lack."""

BYTE_TOKENS = tuple(f"<0x{byte:02X}>" for byte in range(256))

UNK_MISSING = Defect(
    "unk-token-missing",
    "The unknown token is not in the vocabulary",
    Severity.ERROR,
    "A text with anything that the vocabulary lacks cannot be encoded: it ends in an error.",
    "Name a token of the vocabulary; an added token alone is not enough.",
)
UNK_ID = Defect(
    "unk-id-out-of-range",
    "The unknown token of a Unigram is no entry of its vocabulary",
    Severity.ERROR,
    "`unk_id` is the place of the unknown token in the vocabulary; a file with a place that is not there is refused.",
    "Write the place of the unknown token, or null where there is none.",
)
NO_UNK = Defect(
    "no-unknown-token",
    "There is no unknown token, and some texts need one",
    Severity.WARNING,
    "What stands in no vocabulary has no id: a BPE leaves it out without a word, a Unigram ends in an error.",
    "Name an unknown token, or have bytes stand in for what is missing (byte_fallback, or a byte-level vocabulary).",
)
USED_BYTES = tuple(token for byte, token in enumerate(BYTE_TOKENS) if byte not in {0xC0, 0xC1, *range(0xF5, 0x100)})
"""Those of bytes that stand in a text in UTF-8."""

BYTES_INCOMPLETE = Defect(
    "byte-fallback-incomplete",
    "Bytes are to stand in for characters, and not all have a token",
    Severity.WARNING,
    "A character of which one byte has no token is unknown as a whole, so that byte_fallback does not do what it says.",
    'Put all of "<0x00>" to "<0xFF>" into the vocabulary, or set byte_fallback to false.',
)
BYTES_UNUSED = Defect(
    "byte-tokens-unused",
    "The vocabulary has tokens for bytes, and byte_fallback is off",
    Severity.WARNING,
    "Characters that the vocabulary lacks become the unknown token, although there are tokens for their bytes.",
    "Set byte_fallback to true, if the model was trained so.",
)
PREFIX_UNUSED = Defect(
    "subword-prefix-unused",
    "No token has the prefix of word parts",
    Severity.WARNING,
    "Within a word only tokens with continuing_subword_prefix are looked for; without any, every word that is no token "
    "as a whole is unknown, or stays cut into nothing.",
    "Write the prefix that the tokens of the vocabulary have.",
)
SUFFIX_UNUSED = Defect(
    "word-suffix-unused",
    "No token has the suffix of word ends",
    Severity.WARNING,
    "The last character of every word is looked for with end_of_word_suffix; without any token that has it, each is "
    "unknown.",
    "Write the suffix that the tokens of the vocabulary have.",
)

DEFECTS = (UNK_MISSING, UNK_ID, NO_UNK, BYTES_INCOMPLETE, BYTES_UNUSED, PREFIX_UNUSED, SUFFIX_UNUSED)


def check_model_tokens(audited: AuditedFile) -> Iterator[Finding]:
    """Yield which of the tokens that the model needs are not there."""
    yield from _unknown_token(audited)
    yield from _bytes(audited)
    yield from _affixes(audited)


def _unknown_token(audited: AuditedFile) -> Iterator[Finding]:
    model, kind = audited.parts.model, audited.parts.model_type
    if kind == "Unigram":
        number, size = model.get("unk_id"), len(model.get("vocab") or ())
        if is_id(number) and not 0 <= number < size:
            message = f"unk_id is {number}, and the vocabulary has {size:,} entries"
            yield Finding(UNK_ID, ("model", "unk_id"), message)
        elif number is None:
            yield from _without_unknown(audited)
        return
    token = model.get("unk_token")
    if isinstance(token, str) and token not in audited.token_ids:
        message = f"unk_token is {quoted(token)}, which is not in the vocabulary"
        yield Finding(UNK_MISSING, ("model", "unk_token"), message, witness=_unanswered(audited))
    elif token is None and kind == "BPE":
        yield from _without_unknown(audited)


def _without_unknown(audited: AuditedFile) -> Iterator[Finding]:
    witness = _unanswered(audited)
    if witness is not None:
        message = "nothing stands in for what the vocabulary lacks"
        yield Finding(NO_UNK, ("model",), message, witness=witness)


def _unanswered(audited: AuditedFile) -> Witness | None:
    """Return a text of which nothing is left, or that ends in an error."""
    for text in UNKNOWN_TEXTS:
        answer = audited.answer(Encode(text, add_special_tokens=False))
        if isinstance(answer, Encoded):
            if not answer.ids:
                return Witness(f"{quoted(text)} becomes no ids at all", text)
        elif not isinstance(answer, Unsupported):
            said = answer.message if isinstance(answer, Failed) else in_words(answer)
            return Witness(f"{quoted(text)} cannot be encoded: {one_line(said)}", text)
    return None


def _bytes(audited: AuditedFile) -> Iterator[Finding]:
    model, tokens = audited.parts.model, audited.token_ids
    missing = [token for token in USED_BYTES if token not in tokens]
    witness = next(filter(None, (_unknown(audited, text) for text in UNKNOWN_TEXTS)), None)
    if model.get("byte_fallback") is True and missing:
        named = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        message = f"{counted(len(missing), 'byte')} of {len(USED_BYTES)} that UTF-8 has are without a token: {named}"
        yield Finding(BYTES_INCOMPLETE, ("model", "byte_fallback"), message, witness=witness, count=len(missing))
    elif not missing and audited.parts.model_type in {"BPE", "Unigram"} and model.get("byte_fallback") is not True:
        message = 'all of "<0x00>" to "<0xFF>" are in the vocabulary, and byte_fallback is off'
        yield Finding(BYTES_UNUSED, ("model", "byte_fallback"), message, witness=witness)


def _unknown(audited: AuditedFile, text: str) -> Witness | None:
    answer = audited.encoded(text)
    named = audited.parts.model.get("unk_token")
    number = audited.parts.model.get("unk_id") if named is None else audited.token_ids.get(str(named))
    if answer is None or number not in answer.ids:
        return None
    return Witness(f"{quoted(text)} becomes {list(answer.ids)}, and {number} is the unknown token", text)


def _affixes(audited: AuditedFile) -> Iterator[Finding]:
    parts, tokens = audited.parts, audited.token_ids
    prefix, suffix = parts.text_option("continuing_subword_prefix"), parts.text_option("end_of_word_suffix")
    if prefix and tokens and not any(token.startswith(prefix) for token in tokens):
        message = f"none of {len(tokens):,} tokens begins with {quoted(prefix)}"
        yield Finding(PREFIX_UNUSED, ("model", "continuing_subword_prefix"), message)
    if suffix and tokens and not any(token.endswith(suffix) for token in tokens):
        message = f"none of {len(tokens):,} tokens ends with {quoted(suffix)}"
        yield Finding(SUFFIX_UNUSED, ("model", "end_of_word_suffix"), message)
