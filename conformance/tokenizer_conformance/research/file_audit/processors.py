"""Post-processors: the special tokens that they add are those of the vocabulary, and no sequence is left out."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import path_text, with_part
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.audited import is_id
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Encoded
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

TOKEN_MISSING = Defect(
    "processor-token-missing",
    "A post-processor adds a token that is not in the vocabulary",
    Severity.ERROR,
    "The id is added all the same, and decodes to another token, or to nothing.",
    "Name a token of the vocabulary, with its id.",
)
TOKEN_ID = Defect(
    "processor-id",
    "A post-processor adds another id than the token has",
    Severity.ERROR,
    "The id is added as it stands there: the model sees another token than the one that is named.",
    "Write the id that the token has.",
)
NO_SEQUENCE = Defect(
    "template-without-sequence",
    "A template leaves the text out",
    Severity.ERROR,
    "A template for one text without $A, or for two without $A and $B, gives the same ids whatever the text is.",
    "Put the sequence into the template.",
)
UNDEFINED_TOKEN = Defect(
    "template-undefined-token",
    "A template names a special token that it does not define",
    Severity.ERROR,
    "The file is loaded, and then every text ends in a panic.",
    "Define the token in `special_tokens`, with its id.",
)
UNUSED_TOKEN = Defect(
    "template-unused-token",
    "A template defines a special token that it does not use",
    Severity.NOTE,
    "It is never added.",
    "Leave it out, or put it into the template.",
)
PREFIX_SPACE = Defect(
    "processor-prefix-space",
    "Pre-tokenizer and post-processor disagree on add_prefix_space",
    Severity.WARNING,
    "The post-processor trims offsets and takes the space before the first word for one that the pre-tokenizer added, "
    "or the other way round: offsets of the first token are off by one.",
    "Give both the same add_prefix_space.",
)

TYPE_IDS = Defect(
    "template-type-ids",
    "A text of a pair has another type than the token that ends it",
    Severity.WARNING,
    "Types tell the two texts of a pair apart; the token after a text belongs to it.",
    "Give the text and the token after it the same type_id.",
)

OTHER_TOKENS = Defect(
    "template-other-tokens",
    "The templates for one text and for two add different tokens",
    Severity.WARNING,
    "A text alone is begun and ended like the texts of a pair; one of the two templates has lost a token.",
    "Give both templates the same special tokens.",
)

DEFECTS = (
    TOKEN_MISSING,
    TOKEN_ID,
    NO_SEQUENCE,
    UNDEFINED_TOKEN,
    UNUSED_TOKEN,
    TYPE_IDS,
    OTHER_TOKENS,
    PREFIX_SPACE,
)

SEQUENCES = {"single": ("A",), "pair": ("A", "B")}
"""The sequences that each template needs."""

SAMPLED = 20
"""How many tokens stand in the place of a text that a template leaves out."""

SPACED_TEXTS = ("a", " a", "the", " the", "  the", "the end", " the end")
"""Texts with and without a space before the first word."""


def check_processors(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield where post-processors disagree with the rest of the file."""
    for part in audited.of_stage("post_processor"):
        if part.type in {"BertProcessing", "RobertaProcessing"}:
            for name in ("sep", "cls"):
                yield from _pair(audited, (*part.path, name), part.members.get(name))
        if part.type == "TemplateProcessing":
            yield from _template(audited, part)
        if part.type in {"RobertaProcessing", "ByteLevel"}:
            yield from _prefix_space(audited, part)


def _pair(audited: AuditedFile, path: Path, value: object) -> Iterator[FoundDefect]:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and is_id(value[1]):
        yield from _token(audited, value[0], value[1], (*path, 0), (*path, 1))


def _token(audited: AuditedFile, token: str, number: int, token_path: Path, id_path: Path) -> Iterator[FoundDefect]:
    given = audited.vocabulary.get(token)
    if given == number:
        return
    witness = _added(audited, number)
    if given is None:
        message = f"{quoted(token)} is added as {number}, and no token is called so"
        yield FoundDefect(TOKEN_MISSING, token_path, message, witness=witness)
    else:
        owner = next((each for each, its in audited.vocabulary.items() if its == number), None)
        which = "which no token has" if owner is None else f"the id of {quoted(owner)}"
        message = f"{quoted(token)} is added as {number}, {which}; its id is {given}"
        yield FoundDefect(TOKEN_ID, id_path, message, witness=witness)


def _added(audited: AuditedFile, number: int) -> Witness | None:
    answer = audited.encoded("a", add_special_tokens=True)
    if answer is None or number not in answer.ids:
        return None
    return Witness(f'"a" becomes {list(answer.ids)}', "a")


def _template(audited: AuditedFile, part: Part) -> Iterator[FoundDefect]:
    defined = part.members.get("special_tokens")
    defined = defined if isinstance(defined, dict) else {}
    used: set[str | None] = set()
    for name, needed in SEQUENCES.items():
        pieces = part.members.get(name)
        if not isinstance(pieces, list):
            continue
        found = {_named(piece, "Sequence") for piece in pieces}
        for sequence in needed:
            if sequence not in found:
                yield FoundDefect(
                    NO_SEQUENCE,
                    (*part.path, name),
                    f"the template for {'two texts' if name == 'pair' else 'one text'} has no ${sequence}",
                    witness=_lost(audited, sequence, is_pair=name == "pair"),
                )
        for index, piece in enumerate(pieces):
            token = _named(piece, "SpecialToken")
            if token is not None and token not in defined:
                message = f"{quoted(token)} is not defined in special_tokens"
                yield FoundDefect(UNDEFINED_TOKEN, (*part.path, name, index), message)
            used.add(token)
    yield from _types(audited, part)
    yield from _other_tokens(audited, part)
    for name, entry in defined.items():
        path = (*part.path, "special_tokens", name)
        if name not in used:
            yield FoundDefect(UNUSED_TOKEN, path, f"{quoted(name)} is in no template")
        yield from _defined(audited, path, entry)


def _types(audited: AuditedFile, part: Part) -> Iterator[FoundDefect]:
    """Yield the last text of the template for two, if its type is not that of the token right after it.

    A token between the two may belong to either.
    """
    pieces = part.members.get("pair")
    answer = audited.encoded("a", "a", add_special_tokens=True)
    pairs = [*enumerate(pairwise([*pieces, None] if isinstance(pieces, list) else ()))]
    last = [(index, *pair) for index, pair in pairs if _named(pair[0], "Sequence") is not None][-1:]
    for index, piece, after in last:
        name, token = _named(piece, "Sequence"), _named(after, "SpecialToken")
        if token is None or answer is None or answer.type_ids is None:
            continue
        of_text, of_token = piece["Sequence"].get("type_id"), after["SpecialToken"].get("type_id")
        if of_text != of_token:
            path = (*part.path, "pair", index, "Sequence", "type_id")
            message = f"${name} has the type {of_text}, and {quoted(token)} after it {of_token}"
            witness = Witness(f'"a" and "a" have the types {list(answer.type_ids)}', "a")
            remedy = f"Write {of_token} at {path_text(path)}, or {of_text} for the token after it."
            yield FoundDefect(TYPE_IDS, path, message, witness=witness, to_do=remedy)


def _other_tokens(audited: AuditedFile, part: Part) -> Iterator[FoundDefect]:
    """Yield the template that lacks a special token which the other one has."""
    tokens: dict[str, set[str]] = {}
    for name in SEQUENCES:
        pieces = part.members.get(name)
        named = (_named(piece, "SpecialToken") for piece in (pieces if isinstance(pieces, list) else ()))
        tokens[name] = {token for token in named if token is not None}
    one, two = (audited.encoded("a", other, add_special_tokens=True) for other in (None, "a"))
    for name, other in (("single", "pair"), ("pair", "single")):
        lacking = sorted(tokens[other] - tokens[name])
        if lacking and one is not None and two is not None:
            message = f"there is no {' and no '.join(map(quoted, lacking))} here, as in the template for the other case"
            witness = Witness(f'"a" becomes {list(one.ids)}, and "a" with "a" {list(two.ids)}', "a")
            yield FoundDefect(OTHER_TOKENS, (*part.path, name), message, witness=witness)


def _defined(audited: AuditedFile, path: Path, entry: Any) -> Iterator[FoundDefect]:
    ids, tokens = (entry.get("ids"), entry.get("tokens")) if isinstance(entry, dict) else (None, None)
    if not isinstance(ids, list) or not isinstance(tokens, list):
        return
    for index, (number, token) in enumerate(zip(ids, tokens, strict=False)):
        if is_id(number) and isinstance(token, str):
            yield from _token(audited, token, number, (*path, "tokens", index), (*path, "ids", index))


def _named(piece: Any, kind: str) -> str | None:
    """Return the id of a piece of a template that is a ``Sequence`` or a ``SpecialToken``."""
    inner = piece.get(kind) if isinstance(piece, dict) else None
    name = inner.get("id") if isinstance(inner, dict) else None
    return name if isinstance(name, str) else None


def _lost(audited: AuditedFile, sequence: str, *, is_pair: bool) -> Witness | None:
    """Return two texts in the place of ``sequence`` that become the same ids."""
    first, *others = [token for token in audited.vocabulary if token.isalpha()][:SAMPLED] or [""]
    expected = _with(audited, first, first, is_first=sequence == "A", is_pair=is_pair)
    same = [
        text for text in others if _with(audited, text, first, is_first=sequence == "A", is_pair=is_pair) == expected
    ]
    if expected is None or len(same) < len(others) or not same:
        return None
    return Witness(f"{quoted(first)} and {quoted(same[0])} both become {list(expected)}", same[0])


def _with(audited: AuditedFile, text: str, other: str, *, is_first: bool, is_pair: bool) -> tuple[int, ...] | None:
    """Return the ids of ``text`` in the first or second place, with ``other`` in the other one."""
    first, second = (text, other) if is_first else (other, text)
    answer = audited.encoded(first, second if is_pair else None, add_special_tokens=True)
    return None if answer is None else answer.ids


def _prefix_space(audited: AuditedFile, part: Part) -> Iterator[FoundDefect]:
    """Yield a text whose offsets are others once the post-processor has the pre-tokenizer's add_prefix_space."""
    cutters = [each for each in audited.of_stage("pre_tokenizer") if each.type == "ByteLevel"]
    wanted, given = [_adds(each) for each in cutters], _adds(part)
    if not cutters or given in wanted or part.members.get("trim_offsets") is False:
        return
    repaired = audited.other(with_part(audited.document, (*part.path, "add_prefix_space"), wanted[0]))
    if repaired is None:
        return
    for text in SPACED_TEXTS:
        ours, theirs = (each.encoded(text, add_special_tokens=True) for each in (audited, repaired))
        if ours is not None and theirs is not None and theirs.offsets not in (None, ours.offsets):
            message = f"it is {str(given).lower()} here and {str(wanted[0]).lower()} in the pre-tokenizer"
            shown = f"the offsets of {quoted(text)} are {_spans(ours)}; with the pre-tokenizer's {_spans(theirs)}"
            yield FoundDefect(PREFIX_SPACE, (*part.path, "add_prefix_space"), message, witness=Witness(shown, text))
            return


def _adds(part: Part) -> bool:
    """Return the add_prefix_space of ``part``, which is on where nothing is said."""
    return part.members.get("add_prefix_space") is not False


def _spans(answer: Encoded) -> str:
    return " ".join(f"{begin}:{end}" for begin, end in answer.offsets or ())
