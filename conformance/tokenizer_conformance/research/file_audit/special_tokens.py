"""Special tokens: what their names say that they are for, against what the file makes of them.

A special token is found in a text where it is an added token, is left out of a decoded text where it is `special`, and
is put around texts where the post-processor does so. None of the three follows from its entry in the vocabulary.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import (
    Defect,
    Example,
    FoundDefect,
    Severity,
    Witness,
    gathered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

NOT_ADDED = Defect(
    "special-token-not-added",
    "A special token is an entry and no added token",
    Severity.ERROR,
    "A text that has it is cut apart like any other, and where the post-processor adds it, it stays in decoded texts.",
    "Add it to $.added_tokens with its id and `special`.",
)
NOT_SPECIAL = Defect(
    "special-token-not-special",
    "A special token is added without `special`",
    Severity.WARNING,
    "It stays in decoded texts, whatever is said about leaving special tokens out.",
    "Write true for its `special`.",
)
WORDS_ONLY = Defect(
    "special-token-single-word",
    "A special token is found as a word of its own alone",
    Severity.WARNING,
    "Templates of chats put special tokens right beside letters, where it is cut apart like any other text.",
    "Write false for its `single_word`.",
)
NOT_GIVEN = Defect(
    "special-tokens-not-given",
    "No text gets the special tokens of its model's family",
    Severity.WARNING,
    "Models with a mask token or sentinels are trained on texts with a token at their end; without it the model sees "
    "texts that it knows nothing of.",
    "Put a TemplateProcessing at $.post_processor that adds the tokens of the training, such as [CLS] $A [SEP].",
)
EXCHANGED = Defect(
    "template-order",
    "A text begins with the closing token and ends with the opening one",
    Severity.WARNING,
    "The names of the two say which comes first.",
    "Exchange the two.",
)

DEFECTS = (NOT_ADDED, NOT_SPECIAL, WORDS_ONLY, NOT_GIVEN, EXCHANGED)

OPENING = ("[CLS]", "<s>", "<cls>", "<bos>", "[BOS]", "<|begin_of_text|>", "<|startoftext|>")
CLOSING = ("[SEP]", "</s>", "<sep>", "<eos>", "[EOS]", "<|end_of_text|>", "<|endoftext|>")
MASKING = ("[MASK]", "<mask>", "<extra_id_0>")
PADDING = ("[PAD]", "<pad>")
ROLES = (OPENING, CLOSING, MASKING, PADDING)
"""What special tokens are called, by what they are for. The unknown token is left out: some want to see it decoded."""


def check_special_tokens(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the special tokens that are not found, not left out, not given, or at the wrong end."""
    audited = audited.unlimited
    rows = {str(row["content"]): row for row in audited.parts.added_tokens}
    added_by_template = dict.fromkeys(token for part in _processors(audited) for token in tokens_of(part))
    names = [name for role in (added_by_template, *ROLES) for name in role if name in audited.vocabulary]
    names = [*dict.fromkeys(names)]
    # What merges make was learned from texts, such as "<s>" from pages of HTML.
    learned = {left + right for left, right in audited.parts.ranks}
    # A vocabulary may have a second name for a part that an added token plays already.
    played = {
        name for role in ROLES if any(name in rows for name in role) for name in role if name not in added_by_template
    }
    yield from _not_added(audited, [name for name in names if name not in rows and name not in played | learned])
    yield from _options(audited, [name for name in names if name in rows and not _is_spare(name, rows, played)], rows)
    yield from _not_given(audited, names)
    for part in _processors(audited):
        yield from _exchanged(audited, part)


def _processors(audited: AuditedFile) -> Iterator[Part]:
    yield from (part for part in audited.of_stage("post_processor") if part.type != "ByteLevel")


def tokens_of(part: Part) -> list[str]:
    """Return the tokens that the post-processor ``part`` puts around one text, in their order."""
    if part.type == "TemplateProcessing":
        single, defined = part.members.get("single"), part.members.get("special_tokens")
        pieces = (
            [each.get("SpecialToken") for each in single if isinstance(each, dict)] if isinstance(single, list) else []
        )
        names = [str(each["id"]) for each in pieces if isinstance(each, dict) and "id" in each]
        entries = [defined.get(name) for name in names] if isinstance(defined, dict) else []
        lists = [each.get("tokens") for each in entries if isinstance(each, dict)]
        return [token for tokens in lists if isinstance(tokens, list) for token in tokens if isinstance(token, str)]
    pairs = [part.members.get(name) for name in ("cls", "sep")]
    return [pair[0] for pair in pairs if isinstance(pair, list) and pair and isinstance(pair[0], str)]


def _not_added(audited: AuditedFile, names: list[str]) -> Iterator[FoundDefect]:
    lost = [(name, witness) for name in names if (witness := _cut_apart(audited, name)) is not None]
    if not lost:
        return
    listed = ", ".join(quoted(name) for name, _ in lost)
    message = f"{listed}: in $.model.vocab, and not in $.added_tokens"
    rows = ", ".join(_row(audited, name) for name, _ in lost)
    remedy = f"Add to $.added_tokens: {rows}."
    yield FoundDefect(NOT_ADDED, ("added_tokens",), message, witness=lost[0][1], to_do=remedy, count=len(lost))


def _is_spare(name: str, rows: Mapping[str, Mapping[str, object]], played: set[str]) -> bool:
    """Return whether ``name`` is an added token like any other, such as a tag: a special one plays its part."""
    role = next((role for role in (OPENING, CLOSING, PADDING) if name in role), ())
    others = (rows[other] for other in role if other in rows and other != name)
    return name in played and any(row.get("special") is True for row in others) and not rows[name].get("special")


def _row(audited: AuditedFile, name: str) -> str:
    flags = '"single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true'
    return f'{{"id": {audited.vocabulary[name]}, "content": {quoted(name)}, {flags}}}'


def _cut_apart(audited: AuditedFile, name: str) -> Witness | None:
    answer = audited.encoded(name)
    if answer is None or answer.ids == (audited.vocabulary[name],):
        return None
    shown = " ".join(map(quoted, answer.tokens or ())) or "nothing"
    return Witness(f"{quoted(name)} becomes {shown}", name)


def _options(audited: AuditedFile, names: list[str], rows: Mapping[str, Mapping[str, object]]) -> Iterator[FoundDefect]:
    listed = audited.document.get("added_tokens")
    numbered = enumerate(listed if isinstance(listed, list) else ())
    places = {str(row.get("content")): index for index, row in numbered if isinstance(row, dict)}
    for defect, option, value, shown in (
        (NOT_SPECIAL, "special", True, _stays),
        (WORDS_ONLY, "single_word", False, _is_missed),
    ):
        found = []
        for name in names:
            path: Path = ("added_tokens", places[name], option)
            witness = None if (rows[name].get(option) is True) is value else shown(audited, name)
            if witness is not None:
                remedy = f"Write {json.dumps(value)} at {path_text(path)}."
                found.append(Example(path, f"{quoted(name)}: {option} is {json.dumps(not value)}", witness, remedy))
        yield from gathered(defect, ("added_tokens",), found, f"{counted(len(found), 'token')}: {defect.title.lower()}")


def _stays(audited: AuditedFile, name: str) -> Witness | None:
    number = audited.vocabulary[name]
    text = audited.decoded((number,), skip_special_tokens=True)
    result = f"the id {number}, decoded without special tokens, is {quoted(text or '')}"
    return Witness(result, ids=(number,)) if text else None


def _is_missed(audited: AuditedFile, name: str) -> Witness | None:
    text = f"a{name}b"
    answer = audited.encoded(text)
    if answer is None or audited.vocabulary[name] in answer.ids:
        return None
    return Witness(f"{quoted(text)} becomes {' '.join(map(quoted, answer.tokens or ()))}", text)


def _not_given(audited: AuditedFile, names: list[str]) -> Iterator[FoundDefect]:
    with_them, without = (audited.encoded("a", add_special_tokens=is_wanted) for is_wanted in (True, False))
    masking = next((name for name in MASKING if name in names), None)
    closing = next((name for name in CLOSING if name in names), None)
    if with_them is None or without is None or masking is None or closing is None or with_them.ids != without.ids:
        return
    message = f"there are {quoted(masking)} and {quoted(closing)}, and no post-processor that adds a token"
    witness = Witness(f'"a" becomes {list(with_them.ids)}, with special tokens and without', "a")
    yield FoundDefect(NOT_GIVEN, ("post_processor",), message, witness=witness)


def _exchanged(audited: AuditedFile, part: Part) -> Iterator[FoundDefect]:
    tokens = tokens_of(part)
    answer = audited.encoded("a", add_special_tokens=True)
    if len(tokens) < 2 or tokens[0] not in CLOSING or tokens[-1] not in OPENING or answer is None:
        return
    if answer.tokens is None or answer.tokens[0] != tokens[0] or len(answer.tokens) == len(tokens):
        return
    shown = " ".join(map(quoted, answer.tokens))
    message = f"{quoted(tokens[0])} stands before a text, and {quoted(tokens[-1])} after it"
    yield FoundDefect(EXCHANGED, part.path, message, witness=Witness(f'"a" becomes {shown}', "a"))
