"""The check that the pipeline fits the vocabulary: rules that are broken, and the change with which they hold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FileCheck, FoundDefect, Severity, Witness
from tokenizer_conformance.research.file_audit.fit.changes import AFFIXES, changes
from tokenizer_conformance.research.file_audit.fit.literal import LITERAL, literal_patterns
from tokenizer_conformance.research.file_audit.fit.signs import PARTS, PIECES_OF_BYTES, SIGNS, WORDS, sample
from tokenizer_conformance.research.file_audit.fit.writing import OF_WORDS, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Encoded
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.fit.changes import Change
    from tokenizer_conformance.research.file_audit.fit.signs import Sign
    from tokenizer_conformance.research.file_audit.fit.writing import Written

_MEANT = "Texts become other tokens than those that the model was trained with, or the unknown token."


def _unfit(part: str, named: str) -> Defect:
    return Defect(
        f"{part}-unfit",
        f"The {named} does not fit the vocabulary",
        Severity.ERROR,
        f"What the entries have in common tells what the texts of the training had gone through. {_MEANT}",
        "Make the change that the finding names: with it the vocabulary is used.",
    )


NORMALIZER, PRE_TOKENIZER, MODEL = (
    _unfit("normalizer", "normalizer"),
    _unfit("pre-tokenizer", "pre-tokenizer"),
    _unfit("model", "model"),
)

BY_STAGE = {"normalizer": NORMALIZER, "pre_tokenizer": PRE_TOKENIZER, "model": MODEL}

ENDINGS = Defect(
    "entries-with-endings",
    "Entries end with a character of line ends",
    Severity.ERROR,
    "A vocabulary was read from a file with other line ends. No text gives these entries, since texts are cut there.",
    "Write the entries without it.",
)

DEFECTS = (*BY_STAGE.values(), ENDINGS, LITERAL)

SAMPLED = 60
"""How many texts a rule is tried with."""

BROKEN = 0.02
"""Up to this share of texts that keep a rule, it is broken."""

KEPT = 0.5
"""From this share on it is kept."""

SLACK = 0.1
"""By how much less a change may keep other rules than the file does."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule about ``texts``: ``keeps`` tells whether a file keeps it for one of them; ``said`` is what it is.

    ``plain`` are texts that the rule says nothing about: what mends it must leave them as they are.
    """

    said: str
    texts: tuple[str, ...]
    keeps: Callable[[AuditedFile, str], bool]
    plain: tuple[str, ...] = ()

    def share(self, audited: AuditedFile) -> float:
        """Return for which share of the texts ``audited`` keeps it."""
        return sum(self.keeps(audited, text) for text in self.texts) / len(self.texts)


def find_unfit(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the parts of the file with which a rule of its vocabulary does not hold, and patterns that find nothing."""
    found = list(_unfit_parts(audited))
    yield from found
    yield from literal_patterns(audited, {each.path for each in found})


def _unfit_parts(audited: AuditedFile) -> Iterator[FoundDefect]:
    audited = audited.unlimited
    if (ending := _ending(audited)) is not None:
        yield ending
        return
    if audited.encoded("a") is None or not audited.parts.tokens:
        return
    written = read_vocabulary(audited.parts)
    rules = {sign: rule for sign in SIGNS if (rule := _rule(sign, written)) is not None}
    shares = {sign: rule.share(audited) for sign, rule in rules.items()}
    mended: list[AuditedFile] = []
    for sign, rule in rules.items():
        if shares[sign] > BROKEN or any(rule.share(each) >= KEPT for each in mended):
            continue
        controls = [(each, shares[other] - SLACK) for other, each in rules.items() if other is not sign]
        if audited.is_over(f"which change of the file makes it fit its vocabulary ({sign.named})"):
            return
        found = _mending(audited, rule, controls, changes(audited, sign.mends, written.writing))
        if found is not None:
            mended.append(found[1])
            if not _is_unused_affix(audited, found[0].path):
                yield _finding(audited, rule, *found)


def _ending(audited: AuditedFile) -> FoundDefect | None:
    """Return the finding that most entries end with a carriage return or a line feed."""
    tokens = audited.parts.tokens
    for ending in ("\r", "\n"):
        count = sum(token.endswith(ending) for token in tokens)
        text = next((token.rstrip(ending) for token in tokens if token.rstrip(ending).isalpha()), None)
        if 2 * count > len(tokens) and text is not None:
            message = f"{count:,} of {len(tokens):,} entries end with {quoted(ending)}"
            witness = Witness(f"{quoted(text)} becomes {_shown(audited.encoded(text))}", text)
            return FoundDefect(ENDINGS, ("model", "vocab"), message, witness=witness)
    return None


# Rules ---------------------------------------------------------------------------------------------------------------


def _rule(sign: Sign, written: Written) -> _Rule | None:
    if sign is PARTS:
        return _parts(written)
    return _presence(sign, written) or _absence(sign, written)


def _presence(sign: Sign, written: Written) -> _Rule | None:
    """Return the rule that texts give entries with ``sign``, where there are enough of them."""
    having = {each.text: each.id for each in written.pieces if sign.has(each.text.strip() or each.text)}
    begun = {text: number for text, number in having.items() if text.startswith(" ")}
    has_spaces = written.writing in OF_WORDS
    asked = begun if has_spaces and len(begun) >= sign.least else having
    if len(asked) < sign.least:
        return None
    texts = {f"a{text}" if has_spaces else f"a {text}": number for text, number in asked.items()}

    def keeps(audited: AuditedFile, text: str) -> bool:
        answer = audited.encoded(text)
        return answer is not None and texts[text] in answer.ids

    said = f"{len(having):,} of {len(written.pieces):,} entries {sign.named}, and no text gives any"
    return _Rule(said, tuple(sample(tuple(texts), SAMPLED)), keeps)


def _parts(written: Written) -> _Rule | None:
    """Return the rule that a word and a part of one, together, give some part of a word."""
    words = [each.text for each in written.pieces if WORDS.has(each.text)]
    if min(len(words), len(written.parts)) < PARTS.least:
        return None
    numbers = frozenset(written.parts.values())
    texts = [
        word + part for word, part in zip(sample(words, SAMPLED), sample(tuple(written.parts), SAMPLED), strict=False)
    ]

    def keeps(audited: AuditedFile, text: str) -> bool:
        answer = audited.encoded(text)
        return answer is not None and not numbers.isdisjoint(answer.ids)

    return _Rule(f"{len(numbers):,} entries {PARTS.named}, and no text gives any", tuple(texts), keeps)


def _absence(sign: Sign, written: Written) -> _Rule | None:
    """Return the rule that a text with ``sign`` becomes what it becomes without, where the entries lack it."""
    absence = sign.absence
    if absence is None or written.writing not in absence.writings or len(written.pieces) < absence.pieces:
        return None
    texts = [each.text.strip() for each in written.pieces]
    having = sum(sign.has(text) or (not written.is_bytes and absence.of_one(text)) for text in texts)
    if written.is_bytes and len(texts) < PIECES_OF_BYTES:
        return None
    words = [each.text.strip() for each in written.pieces if WORDS.has(each.text.strip())]
    if having * absence.stray > len(written.pieces) or len(words) < WORDS.least:
        return None
    pairs = dict(absence.put_in(first, second) for first, second in pairwise(sample(words, SAMPLED)))

    def keeps(audited: AuditedFile, text: str) -> bool:
        having, lacking = audited.encoded(text), audited.encoded(pairs[text])
        return having is not None and lacking is not None and having.ids == lacking.ids

    of = f"{having:,}" if having else "none"
    said = f"of {len(written.pieces):,} entries {of} {sign.named}, and here texts that do are not the same as without"
    return _Rule(said, tuple(pairs), keeps, tuple(pairs.values()))


# Changes -------------------------------------------------------------------------------------------------------------


def _mending(
    audited: AuditedFile, rule: _Rule, controls: Sequence[tuple[_Rule, float]], candidates: Iterator[Change]
) -> tuple[Change, AuditedFile] | None:
    """Return the change with which most texts keep ``rule``, and the ``controls`` hold, each for its share of texts."""
    best: tuple[float, Change, AuditedFile] | None = None
    for change in candidates:
        changed = audited.other(change.document)
        if changed is None or not _leaves_the_rest(audited, changed, rule, controls):
            continue
        share = rule.share(changed)
        if share >= KEPT and (best is None or share > best[0]):
            best = share, change, changed
        if share == 1.0:
            break
    return None if best is None else best[1:]


def _leaves_the_rest(
    audited: AuditedFile, changed: AuditedFile, rule: _Rule, controls: Sequence[tuple[_Rule, float]]
) -> bool:
    same = sum(_ids(audited, text) == _ids(changed, text) for text in rule.plain)
    return same >= (1 - SLACK) * len(rule.plain) and all(each.share(changed) >= share for each, share in controls)


def _ids(audited: AuditedFile, text: str) -> tuple[int, ...]:
    answer = audited.encoded(text)
    return () if answer is None else answer.ids


def _is_unused_affix(audited: AuditedFile, path: Path) -> bool:
    """Return whether ``path`` is that of an affix that no token has, which is found by itself."""
    affix = audited.parts.text_option(str(path[-1])) if path[-1] in AFFIXES else ""
    return bool(affix) and not any(token.startswith(affix) or token.endswith(affix) for token in audited.token_ids)


def _finding(audited: AuditedFile, rule: _Rule, change: Change, changed: AuditedFile) -> FoundDefect:
    text = next(each for each in rule.texts if rule.keeps(changed, each) and not rule.keeps(audited, each))
    now, then = _shown(audited.encoded(text)), _shown(changed.encoded(text))
    return FoundDefect(
        BY_STAGE[str(change.path[0])],
        change.path,
        rule.said,
        witness=Witness(f"{quoted(text)} becomes {now}; with the change {then}", text),
        to_do=change.remedy,
    )


def _shown(answer: Encoded | None) -> str:
    if answer is None:
        return "an error"
    if not answer.ids:
        return "nothing"
    tokens = answer.tokens or ("",) * len(answer.ids)
    return " ".join(f"{number} {quoted(token)}" for number, token in zip(answer.ids, tokens, strict=True))


CHECK = FileCheck("fit of vocabulary and pipeline", DEFECTS, find_unfit)
"""What is looked for here."""
