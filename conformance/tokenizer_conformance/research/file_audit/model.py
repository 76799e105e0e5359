"""The model: the tokens that it needs for what stands in no vocabulary, its options, and the merges of a BPE."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Failed, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import MERGES, VOCABULARY, is_id
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity, Witness, gathered
from tokenizer_conformance.research.file_audit.fit.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path
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
UNK_OTHER = Defect(
    "unk-other-entry",
    "The unknown token is another entry than the one of that name",
    Severity.ERROR,
    "What stands in no vocabulary becomes a token that means something else; the entry that is there for it is never "
    "given.",
    "Name the entry that is there for what is unknown.",
)
UNK_NAMES = ("[UNK]", "<unk>", "<UNK>", "<|unk|>", "[unk]", "<oov>", "[OOV]")
"""What the unknown token is called."""

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

CHARACTER_MISSING = Defect(
    "character-missing",
    "A character of many entries has none of its own",
    Severity.WARNING,
    "Where no longer entry fits, a text is cut into characters: this one is unknown there. Trainers keep all of their "
    "alphabet.",
    "Give the character the entry that it had in the training.",
)
MANY = 20
"""In how many entries a character stands that must be one."""

OF_TOKENS = (
    UNK_MISSING,
    UNK_ID,
    UNK_OTHER,
    NO_UNK,
    CHARACTER_MISSING,
    BYTES_INCOMPLETE,
    BYTES_UNUSED,
    PREFIX_UNUSED,
    SUFFIX_UNUSED,
)


def check_model_tokens(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield which of the tokens that the model needs are not there."""
    yield from _unknown_token(audited)
    yield from _bytes(audited)
    yield from _characters(audited)
    yield from _affixes(audited)


def _other_unknown(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the finding that another entry than the one of that name is the unknown token."""
    number, tokens = audited.unknown_id, audited.token_ids
    meant = next((name for name in UNK_NAMES if name in tokens), None)
    if number is None or meant is None or any(tokens.get(name) == number for name in UNK_NAMES):
        return
    owner = next((token for token, its in tokens.items() if its == number), None)
    if owner is None:
        return
    witness = next(filter(None, (_unknown(audited, text) for text in UNKNOWN_TEXTS)), None)
    is_place = audited.parts.model_type == "Unigram"
    option, value = ("unk_id", str(tokens[meant])) if is_place else ("unk_token", json.dumps(meant, ensure_ascii=False))
    said = f"{option} names {quoted(owner)}, the entry {number}; {quoted(meant)} is the entry {tokens[meant]}"
    remedy = f"Write {value} at $.model.{option}."
    yield FoundDefect(UNK_OTHER, ("model", option), said, witness=witness, to_do=remedy)


def _unknown_token(audited: AuditedFile) -> Iterator[FoundDefect]:
    yield from _other_unknown(audited)
    model, kind = audited.parts.model, audited.parts.model_type
    if kind == "Unigram":
        number, size = model.get("unk_id"), len(model.get("vocab") or ())
        if is_id(number) and not 0 <= number < size:
            message = f"unk_id is {number}, and the vocabulary has {size:,} entries"
            yield FoundDefect(UNK_ID, ("model", "unk_id"), message)
        elif number is None:
            yield from _without_unknown(audited)
        return
    token = model.get("unk_token")
    if isinstance(token, str) and token not in audited.token_ids:
        message = f"unk_token is {quoted(token)}, which is not in the vocabulary"
        yield FoundDefect(UNK_MISSING, ("model", "unk_token"), message, witness=_unanswered(audited))
    elif token is None and kind == "BPE":
        yield from _without_unknown(audited)


def _without_unknown(audited: AuditedFile) -> Iterator[FoundDefect]:
    witness = _unanswered(audited)
    if witness is not None:
        message = "nothing stands in for what the vocabulary lacks"
        yield FoundDefect(NO_UNK, ("model",), message, witness=witness)


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


def _bytes(audited: AuditedFile) -> Iterator[FoundDefect]:
    model, tokens = audited.parts.model, audited.token_ids
    missing = [token for token in USED_BYTES if token not in tokens]
    # A character with an entry of its own is not written in bytes.
    needed = [token for token in missing if (byte := BYTE_TOKENS.index(token)) >= 0x80 or chr(byte) not in tokens]
    witness = next(filter(None, (_unknown(audited, text) for text in UNKNOWN_TEXTS)), None)
    if model.get("byte_fallback") is True and needed:
        named = ", ".join(needed[:5]) + (", …" if len(needed) > 5 else "")
        message = f"{counted(len(needed), 'byte')} of {len(USED_BYTES)} that UTF-8 has are without a token: {named}"
        yield FoundDefect(BYTES_INCOMPLETE, ("model", "byte_fallback"), message, witness=witness, count=len(needed))
    elif len(missing) < len(USED_BYTES) // 2 and model.get("byte_fallback") is not True:
        if audited.parts.model_type not in {"BPE", "Unigram"}:
            return
        has = len(USED_BYTES) - len(missing)
        message = f"{has} of {len(USED_BYTES)} bytes that UTF-8 has are entries, and byte_fallback is off"
        yield FoundDefect(BYTES_UNUSED, ("model", "byte_fallback"), message, witness=witness)


def _unknown(audited: AuditedFile, text: str) -> Witness | None:
    answer, number = audited.encoded(text), audited.unknown_id
    if answer is None or number not in answer.ids:
        return None
    return Witness(f"{quoted(text)} becomes {list(answer.ids)}, and {number} is the unknown token", text)


def _characters(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the characters that stand in many entries of a BPE or Unigram, and are none, with a text that shows it."""
    tokens = audited.token_ids
    special = {str(each["content"]) for each in audited.parts.added_tokens}
    suffix = audited.parts.text_option("end_of_word_suffix") or Writing.SUFFIX
    texts = (token.removesuffix(suffix) for token in tokens.keys() - special)
    counts = Counter(each for text in texts for each in set(text)) if _cuts(audited) else {}
    for character, count in counts.items():
        if count < MANY or character in tokens:
            continue
        for text in (character, character * 2, f"{character}☃{character}"):
            witness = _unknown(audited, text)
            if witness is not None:
                message = f"{quoted(character)} is no entry, and stands in {count:,}"
                yield FoundDefect(CHARACTER_MISSING, VOCABULARY, message, witness=witness)
                break


def _cuts(audited: AuditedFile) -> bool:
    """Return whether the model cuts what it does not know into characters that stand as they are."""
    is_plain = not audited.parts.text_option("continuing_subword_prefix")
    return audited.parts.model_type == "Unigram" or (audited.parts.model_type == "BPE" and is_plain)


def _affixes(audited: AuditedFile) -> Iterator[FoundDefect]:
    parts, tokens = audited.parts, audited.token_ids
    prefix, suffix = parts.text_option("continuing_subword_prefix"), parts.text_option("end_of_word_suffix")
    if prefix and tokens and not any(token.startswith(prefix) for token in tokens):
        message = f"none of {len(tokens):,} tokens begins with {quoted(prefix)}"
        path: Path = ("model", "continuing_subword_prefix")
        yield FoundDefect(PREFIX_UNUSED, path, message, witness=_long_token_twice(audited))
    if suffix and tokens and not any(token.endswith(suffix) for token in tokens):
        message = f"none of {len(tokens):,} tokens ends with {quoted(suffix)}"
        path = ("model", "end_of_word_suffix")
        yield FoundDefect(SUFFIX_UNUSED, path, message, witness=_long_token_twice(audited))


def _long_token_twice(audited: AuditedFile) -> Witness | None:
    token = max((token for token in audited.token_ids if token.isascii() and token.isalpha()), key=len, default="")
    answer = audited.encoded(token * 2)
    if not token or answer is None:
        return None
    shown = " ".join(map(quoted, answer.tokens or ())) or "nothing"
    return Witness(f"{quoted(token * 2)} becomes {shown}", token * 2)


# Options -------------------------------------------------------------------------------------------------------------

DROPOUT = Defect(
    "dropout-on",
    "The file leaves out merges at random",
    Severity.WARNING,
    "Dropout is for training: each call leaves out other merges, so that one text has many encodings.",
    "Set dropout to null.",
)
LONG_WORDS = Defect(
    "long-words-unknown",
    "Words of moderate length are unknown",
    Severity.NOTE,
    "A word of more than max_input_chars_per_word characters becomes one unknown token, whatever it is made of. 100 is "
    "usual; names of chemicals, addresses and German words have more than 20.",
    "Allow longer words, if the model was trained so.",
)
IGNORED_MERGES = Defect(
    "merges-ignored",
    "Words that are tokens are taken whole, whatever the merges say",
    Severity.NOTE,
    "With ignore_merges, a piece of the pre-tokenizer that is in the vocabulary is one token without any merge. "
    "Implementations that know no such option give other ids.",
    "Nothing, if it is meant.",
)

OF_OPTIONS = (DROPOUT, LONG_WORDS, IGNORED_MERGES)

USUAL_LENGTH = 100
"""The longest word of every BERT, in characters."""

TRIES = 20
"""How often a word is encoded to see whether it is always the same."""

WORDS = 500
"""How many words are asked so, each by itself, since in a longer text a merge that was left out may come later."""


def check_options(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is unusual in the model's options."""
    model = audited.parts.model
    dropout, longest = model.get("dropout"), model.get("max_input_chars_per_word")
    if isinstance(dropout, int | float) and dropout:
        yield FoundDefect(DROPOUT, ("model", "dropout"), f"dropout is {dropout:g}", witness=_random(audited))
    if audited.parts.model_type == "WordPiece" and is_id(longest) and longest < USUAL_LENGTH:
        message = f"a word of more than {longest:,} characters is unknown"
        yield FoundDefect(
            LONG_WORDS, ("model", "max_input_chars_per_word"), message, witness=_long_word(audited, longest)
        )
    if model.get("ignore_merges") is True:
        yield FoundDefect(IGNORED_MERGES, ("model", "ignore_merges"), "ignore_merges is on")


def _random(audited: AuditedFile) -> Witness | None:
    words = [token for token in audited.token_ids if token.isascii() and token.isalpha()] or ["a"]
    for word in sorted(words, key=len, reverse=True)[:WORDS]:
        answers = (audited.encoded(word) for _ in range(TRIES))
        ways = {answer.ids for answer in answers if answer is not None}
        if len(ways) > 1:
            return Witness(f"{quoted(word)}, encoded {TRIES} times, has more than one encoding", word)
    return None


def _long_word(audited: AuditedFile, longest: int) -> Witness | None:
    for letter in "aeno0":
        fits, too_long = audited.encoded(letter * longest), audited.encoded(letter * (longest + 1))
        if fits is not None and too_long is not None and len(too_long.ids) == 1 < len(fits.ids):
            text = letter * (longest + 1)
            shown = f"{quoted(letter)} {longest} times becomes {len(fits.ids)} tokens"
            return Witness(f"{shown}, and {longest + 1} times {too_long.ids[0]} alone", text)
    return None


# Merges --------------------------------------------------------------------------------------------------------------


MALFORMED = Defect(
    "merge-malformed",
    "A merge is no pair of tokens",
    Severity.ERROR,
    "A merge is an array of two tokens, or in older files a text with one space between them; a file with another one "
    "is refused.",
    "Write the two tokens as an array, which may have spaces in them.",
)
PART_MISSING = Defect(
    "merge-part-missing",
    "A part of a merge is not in the vocabulary",
    Severity.ERROR,
    "What is merged are tokens with ids; a file with a merge of other things is refused.",
    "Put the part into the vocabulary, or leave the merge out.",
)
RESULT_MISSING = Defect(
    "merge-result-missing",
    "The result of a merge is not in the vocabulary",
    Severity.ERROR,
    "A merge makes a token with an id; a file with a merge that makes something else is refused.",
    "Put the result into the vocabulary, or leave the merge out.",
)
DUPLICATE = Defect(
    "duplicate-merge",
    "A merge is there twice",
    Severity.WARNING,
    "The later one counts: the merge is done with the later, lower priority, and the earlier entry does nothing.",
    "If the file is right as it behaves, leave the earlier entry out (--fix-to does); if the earlier one is meant, the "
    "later.",
)

OF_MERGES = (MALFORMED, PART_MISSING, RESULT_MISSING, DUPLICATE)


def parts_of_merge(row: object) -> tuple[str, str] | None:
    """Return the two parts of a merge, which is an array or a text; ``None`` where it is none.

    >>> parts_of_merge("a b"), parts_of_merge(["a ", "b"]), parts_of_merge("a b c")
    (('a', 'b'), ('a ', 'b'), None)
    """
    parts = row.split(" ") if isinstance(row, str) else row
    if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):
        return None
    return parts[0], parts[1]


def check_merges(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with single merges."""
    rows = audited.parts.model.get("merges")
    if not isinstance(rows, list):
        return
    prefix = audited.parts.text_option("continuing_subword_prefix")
    tokens = audited.token_ids
    malformed, without_part, without_result, repeated = [], [], [], []
    seen: dict[tuple[str, str], int] = {}
    for rank, row in enumerate(rows):
        path: Path = (*MERGES, rank)
        merge = parts_of_merge(row)
        if merge is None:
            malformed.append(Example(path, f"{str(row)[:80]} is no merge"))
            continue
        named = f"the merge of {quoted(merge[0])} and {quoted(merge[1])}"
        absent = [part for part in dict.fromkeys(merge) if part not in tokens]
        result = merge[0] + merge[1][len(prefix) :]  # as much is cut, whatever it begins with
        if absent:
            without_part.append(Example(path, f"{named}: {' and '.join(map(quoted, absent))} not in the vocabulary"))
        elif result not in tokens:
            without_result.append(Example(path, f"{named}: {quoted(result)} is not in the vocabulary"))
        if merge in seen:
            earlier = seen[merge]
            message = f"{named} has the ranks {earlier} and {rank}; it is done with rank {rank}"
            repeated.append(Example(path, message))
        seen[merge] = rank
    for defect, found in (
        (MALFORMED, malformed),
        (PART_MISSING, without_part),
        (RESULT_MISSING, without_result),
        (DUPLICATE, repeated),
    ):
        yield from gathered(defect, MERGES, found, f"{counted(len(found), 'merge')}: {defect.title.lower()}")
