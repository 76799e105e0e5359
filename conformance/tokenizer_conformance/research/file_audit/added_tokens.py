"""Added tokens: each is found where it stands in a text, and nothing else is taken for it.

Every added token is put into texts, and the baseline is asked what becomes of them: so a finding holds whatever the
cause is, be it the normalizer, another added token, or the options of the token itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Failed
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity, Witness, gathered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

EMPTY = Defect(
    "added-token-empty",
    "An added token has no content",
    Severity.WARNING,
    "It takes an id and is found in no text.",
    "Leave it out, or write its content.",
)
DESTROYED = Defect(
    "added-token-normalized-away",
    "The normalizer leaves nothing of an added token",
    Severity.ERROR,
    "A token with `normalized` is looked for in the form that the normalizer gives its own content. Where that is "
    "nothing, it is found between any two bytes, and encoding a character of more than one byte ends in a panic.",
    "Set `normalized` to false.",
)
SHADOWED = Defect(
    "added-token-shadowed",
    "Another added token is found wherever this one stands",
    Severity.ERROR,
    "Tokens that are not normalized are cut out first, then those that are; of those that begin at one place the "
    "longest is taken, and of two with one form only one can be.",
    "Leave one of the two out, or give them forms that differ after normalization.",
)
COLLISION = Defect(
    "added-token-collision",
    "Two added tokens are one when normalized",
    Severity.ERROR,
    "Tokens with `normalized` are looked for in their normalized form. Of two with one form either may be found: which "
    "one is decided anew, at random, whenever the file is loaded.",
    "Leave one of the two out, or set `normalized` to false for both.",
)
AT_PLACES = Defect(
    "added-token-not-everywhere",
    "An added token is found in some places, and not in others",
    Severity.NOTE,
    "What the normalizer puts before a text, or takes from its ends, decides whether a token with `normalized` is "
    "found.",
    "Set `normalized` to false, if it is to be found everywhere.",
)
ALSO = Defect(
    "added-token-matches-more",
    "Other text than its content is taken for an added token",
    Severity.NOTE,
    "With `normalized`, every text that the normalizer makes equal is the token. So a user's text can become a special "
    "token although it does not have its content.",
    "Set `normalized` to false, if only the exact content is meant.",
)
IN_WORDS = Defect(
    "added-token-in-words",
    "An added token that is a word or a part of one is cut out of other words",
    Severity.NOTE,
    "It is looked for before anything else, at any place: longer words that have it inside are cut there.",
    "Set `single_word` to true, if only whole words are meant.",
)

DECODED = Defect(
    "added-token-decoded-otherwise",
    "An added token decodes to another text",
    Severity.ERROR,
    "A ByteLevel decoder takes every character that stands for a byte for that byte, in added tokens too: letters with "
    "accents become other characters, or none.",
    "Give the token a content of ASCII characters alone, or leave it to the model, which has its bytes.",
)

DEFECTS = (EMPTY, DESTROYED, SHADOWED, COLLISION, AT_PLACES, ALSO, IN_WORDS, DECODED)

PLACES = {"alone": "{}", "between words": "a {} b", "inside a word": "a{}b", "twice in a row": "{}{}", "first": "{} a"}
"""Texts that an added token is put into."""

WHOLE_WORD_PLACES = ("alone", "between words", "first")
"""Those in which it stands as a word of its own."""


SAMPLED = 30
"""How many tokens of the vocabulary are encoded to see whether anything is."""


@dataclass(frozen=True, slots=True)
class _Added:
    path: Path
    content: str
    id: int
    members: Mapping[str, object]

    def has(self, option: str) -> bool:
        return self.members.get(option) is True


def check_added_tokens(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the added tokens that are not found, or not only where they stand."""
    rows = audited.document.get("added_tokens")
    added = list(_read(audited, rows if isinstance(rows, list) else []))
    for each in added:
        if not each.content:
            yield FoundDefect(EMPTY, (*each.path, "content"), f"the added token with the id {each.id} has no content")
    audited = audited.unlimited
    if audited.asked is None or _gives_nothing(audited):
        return
    contents = {each.id: each.content for each in added}
    collisions = list(_collisions(audited, added))
    yield from (finding for _, _, finding in collisions)
    colliding = {each.content for first, second, _ in collisions for each in (first, second)}
    found: dict[Defect, list[FoundDefect]] = {}
    for number, each in enumerate(added):
        if audited.is_over(f"added tokens from number {number:,} on"):
            break
        for finding in _of_token(audited, each, contents) if each.content and each.content not in colliding else ():
            found.setdefault(finding.defect, []).append(finding)
    for defect, findings in found.items():
        yield from _together(defect, findings)


def _read(audited: AuditedFile, rows: list[object]) -> Iterator[_Added]:
    seen = set()
    for index, row in enumerate(rows):
        if isinstance(row, dict) and is_text(content := row.get("content")) and content not in seen:
            seen.add(content)
            yield _Added(("added_tokens", index), content, audited.vocabulary.get(content, -1), row)


def _gives_nothing(audited: AuditedFile) -> bool:
    """Return whether no text becomes anything, as with a template that leaves it out."""
    answers = [audited.encoded(text) for text in list(audited.token_ids)[:SAMPLED]]
    return bool(answers) and all(answer is not None and not answer.ids for answer in answers)


def _together(defect: Defect, findings: list[FoundDefect]) -> Iterator[FoundDefect]:
    """Yield ``findings``, as a single one where they are many."""
    places = [Example(each.path, each.message, each.witness) for each in findings]
    message = f"{counted(len(findings), 'added token')}: {defect.title[0].lower()}{defect.title[1:]}"
    yield from gathered(defect, ("added_tokens",), places, message)


def _collisions(audited: AuditedFile, added: list[_Added]) -> Iterator[tuple[_Added, _Added, FoundDefect]]:
    forms: dict[str, _Added] = {}
    for each in added:
        form = audited.normalized(each.content) if each.has("normalized") else None
        if not form:
            continue
        other = forms.setdefault(form, each)
        if other is not each:
            message = f"{quoted(other.content)} and {quoted(each.content)} are both {quoted(form)} when normalized"
            witness = _witness(each.content, audited.encoded(each.content))
            yield other, each, FoundDefect(COLLISION, each.path, message, witness=witness)


def _of_token(audited: AuditedFile, added: _Added, contents: Mapping[int, str]) -> Iterator[FoundDefect]:
    names = WHOLE_WORD_PLACES if added.has("single_word") else tuple(PLACES)
    texts = {name: PLACES[name].format(*[added.content] * 2) for name in names}
    answers = {name: audited.encoded(text) for name, text in texts.items()}
    if added.has("normalized") and audited.normalized(added.content) == "":
        yield _destroyed(audited, added)
        return
    if None in answers.values():
        return  # What cannot be encoded at all is found elsewhere.
    missed = [name for name, answer in answers.items() if not _is_found(answer, added)]
    if len(missed) == len(names):
        yield _shadowed(audited, added, answers["alone"], contents)
    elif missed:
        text = texts[missed[0]]
        found = next(name for name in names if name not in missed)
        yield FoundDefect(
            AT_PLACES,
            added.path,
            f"{quoted(added.content)} is found {found}, and not {', '.join(missed)}",
            witness=_witness(text, answers[missed[0]]),
        )
    yield from _decoded(audited, added)
    if not missed:
        yield from _also(audited, added)
        yield from _in_words(answers, texts, added)


def _decoded(audited: AuditedFile, added: _Added) -> Iterator[FoundDefect]:
    is_bytes = any(part.type == "ByteLevel" for part in audited.of_stage("decoder"))
    text = audited.decoded((added.id,)) if is_bytes else None
    forms = [added.content, *([audited.normalized(added.content) or ""] if added.has("normalized") else ())]
    if text is not None and text not in forms:
        witness = Witness(f"the id {added.id} decodes to {quoted(text)}", ids=(added.id,))
        message = f"{quoted(added.content)} decodes to {quoted(text)}"
        yield FoundDefect(DECODED, (*added.path, "content"), message, witness=witness)


def _is_found(answer: Encoded | None, added: _Added) -> bool:
    return answer is not None and added.id in answer.ids


def _witness(text: str, answer: Encoded | None) -> Witness:
    return Witness(f"{quoted(text)} becomes {_shown(answer)}", text)


def _shown(answer: Encoded | None) -> str:
    if answer is None or answer.tokens is None:
        return "nothing"
    return " ".join(f"{number} {quoted(token)}" for number, token in zip(answer.ids, answer.tokens, strict=True))


def _destroyed(audited: AuditedFile, added: _Added) -> FoundDefect:
    text = "\u00e9"  # where an empty token is found, this is cut in two
    answer = audited.answer(Encode(text))
    said = answer.message if isinstance(answer, Failed) else in_words(answer) if not isinstance(answer, Encoded) else ""
    witness = Witness(f"{quoted(text)} cannot be encoded: {one_line(said)}", text) if said else None
    message = f"the normalizer leaves nothing of {quoted(added.content)}"
    return FoundDefect(DESTROYED, (*added.path, "normalized"), message, witness=witness)


def _shadowed(audited: AuditedFile, added: _Added, alone: Encoded | None, contents: Mapping[int, str]) -> FoundDefect:
    """Return the finding about a token that is never found, with what is found in its place.

    Alone in a text, a token is found unless another one has taken some of it.
    """
    form = audited.normalized(added.content) if added.has("normalized") else added.content
    others = [contents[number] for number in ([] if alone is None else alone.ids) if number in contents]
    named = quoted(added.content)
    if form not in {None, added.content}:
        named += f", normalized {quoted(str(form))},"
    found = f"the added token {quoted(others[0])}" if others else "something else"
    message = f"where {named} stands, {found} is found"
    return FoundDefect(SHADOWED, added.path, message, witness=_witness(added.content, alone))


def _also(audited: AuditedFile, added: _Added) -> Iterator[FoundDefect]:
    """Yield the finding about another text that is taken for the token, where there is one."""
    content = added.content
    if not added.has("normalized"):
        return
    wide = "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in content)
    variants = (content.upper(), content.lower(), wide, audited.normalized(content) or "")
    for text in dict.fromkeys(variants):
        if not text or content in text:
            continue
        answer = audited.encoded(text)
        if answer is not None and answer.ids == (added.id,):
            role = "the special token " if added.has("special") else ""
            message = f"{quoted(text)} is taken for {role}{quoted(content)}"
            yield FoundDefect(ALSO, (*added.path, "normalized"), message, witness=_witness(text, answer))
            return


def _in_words(answers: Mapping[str, Encoded | None], texts: Mapping[str, str], added: _Added) -> Iterator[FoundDefect]:
    name = "inside a word"
    if name in answers and added.content.isalnum():
        message = f"{quoted(added.content)} is cut out of words that have it inside"
        yield FoundDefect(IN_WORDS, (*added.path, "single_word"), message, witness=_witness(texts[name], answers[name]))
