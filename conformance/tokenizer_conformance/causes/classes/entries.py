"""The class ``model-entry``: one merge, word or piece of the model is missing, or has another rank or score.

The experiment takes one entry away from the tokenizer.json, or puts it elsewhere, and gives that to the baseline. Where
it then answers exactly as the implementation does, the entry is what the implementation lacks.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any
from unicodedata import category

from tokenizer_adapters.contract import Decode, Encode, Encoded, Stage, Text, plain_of
from tokenizer_adapters.protocol.processor_time import processor_seconds
from tokenizer_conformance.causes.cause import UNEXPLAINED, Reason
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.questions import with_sides
from tokenizer_conformance.inputs.text_generators.characters import representatives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json

NAME = "model-entry"

SECONDS = 20.0
"""How much processor time entries are tried for one witness."""

LONGEST = 24
"""The longest run of characters of which entries are looked for in full."""

DRAWN = 20
"""How many texts with an entry, and of its characters, are drawn as controls."""

NEAREST, DRAWN_ENTRIES = 40, 160
"""How many other entries are asked about, of about the same length and spelling, and drawn ones."""

FAR = 20.0
"""How far a score is moved so that it decides."""

UNREACHABLE = "\ue000\ue001\ue002"
"""What stands in the place of an entry that is taken away: in no text."""

CONTINUING = "##"


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change of one entry of a model: in ``words``, the name of the ``entry``, the ``token`` that needs it.

    ``parts`` are what a merge makes it of. ``is_of_score``: the entry stays, with another rank or score; how far it
    moves is our choice and not the fault's.
    """

    words: str
    entry: str
    token: str
    changed: Callable[[], Json]
    is_of_score: bool = False
    parts: tuple[str, ...] = ()


def explained_by_an_entry(bench: Bench, witness: Witness) -> Reason | None:
    """Return the entry without which the baseline gives the implementation's answer; ``None`` where none does.

    Other texts that need the entry are the control: there, too, the implementation must answer as the changed baseline.
    """
    if not isinstance(plain_of(witness.question), Encode) or not isinstance(witness.expected, Encoded):
        return None
    trial = bench.trial_for(witness)
    if trial is None or not isinstance(witness.actual, Encoded):
        return None
    document = trial.read()
    until = processor_seconds() + SECONDS
    for change in entry_changes(document, witness.expected, witness.actual):
        if processor_seconds() > until:
            return None
        model = bench.baseline_with(witness.source, {**document, "model": change.changed()})
        if model is not None and _explains(model, trial, witness, change):
            if _may_be_cut(trial, change):
                return Reason(UNEXPLAINED, f"either {NAME}, {change.entry}; or texts are cut between these two")
            sentence = (
                f"{change.words}, {model.info.name} gives the very answer of {trial.implementation.info.name}, "
                "here and for other texts with it; with the file as it is, it does not."
            )
            concerns = partial(_answers_otherwise, model, trial)
            return Reason(NAME, change.entry, (sentence,), partial(_alike, model, trial), concerns=concerns)
    return None


def _may_be_cut(trial: Trial, change: EntryChange) -> bool:
    """Say whether a pre-tokenizer that is not shown may cut where the merge of ``change`` is not made.

    It may between characters of two kinds.
    """
    if change.is_of_score or not change.parts or Stage.PRE_TOKENIZE in trial.implementation.shows:
        return False
    left, right = (_text_of(trial, part) for part in change.parts)
    return not left or not right or category(left[-1])[0] != category(right[0])[0]


def _explains(model: Asked, trial: Trial, witness: Witness, change: EntryChange) -> bool:
    """Say whether the changed ``model`` answers as the implementation, and does so for other texts with the entry.

    At least one of these has to show a difference.
    """
    if not _alike(model, trial, witness.question):
        return False
    shown = 0
    for question in _controls(trial, witness, change):
        is_alike, differs = _alike(model, trial, question), trial.differs(question)
        if not is_alike and (differs or not change.is_of_score):
            return False
        shown += is_alike and differs and question != witness.question
    others = filter(trial.differs, _other_entries(trial, witness, change))
    return shown > 0 and all(_alike(model, trial, each) for each in others)


def _other_entries(trial: Trial, witness: Witness, change: EntryChange) -> Iterator[Observation]:
    """Yield questions about other entries: those next in length and in spelling, drawn ones, and pairs of these.

    Where one of them differs as well, and not for this entry, it is no single entry that is another one.
    """
    size = len(change.token)
    others = sorted(trial.vocabulary(), key=lambda token: (abs(len(token) - size), token))
    random = Random(change.token)  # noqa: S311 - the same each time
    drawn = random.sample(others, min(DRAWN_ENTRIES, len(others)))
    pairs = zip(drawn, random.sample(drawn, len(drawn)), strict=True)
    spelled = sorted(others)
    at = bisect(spelled, change.token)
    some = [*others[:NEAREST], *spelled[max(0, at - NEAREST) : at + NEAREST], *drawn]
    texts = {token: _text_of(trial, token) for token in some}
    for text in dict.fromkeys((*texts.values(), *(texts[one] + texts[other] for one, other in pairs))):
        if text:
            yield with_sides(witness.question, lambda side, text=text: text if isinstance(side, str) else (text,))  # type: ignore[misc]


def _alike(model: Asked, trial: Trial, question: Observation) -> bool:
    """Return whether ``model`` answers ``question`` as the implementation does."""
    comparison = compare(
        question,
        OutcomeInUnit(model.ask(question), model.info.offset_unit),
        OutcomeInUnit(trial.actual(question), trial.implementation.info.offset_unit),
    )
    return bool(comparison.agreed) and not comparison.differences


def _answers_otherwise(model: Asked, trial: Trial, question: Observation) -> bool:
    """Return whether ``model`` answers ``question`` otherwise than the baseline with the file as it is."""
    return model.ask(question) != trial.expected(question)


def _controls(trial: Trial, witness: Witness, change: EntryChange) -> Iterator[Observation]:
    """Yield questions about other texts in which the token stands, beside others, and about parts of it in a row."""
    text, *parts = (_text_of(trial, token) for token in (change.token, *change.parts))
    texts = [text, f" {text}", f"a{text}", f"{text}a", f"x {text} y", f"o{text}", text + text] if text else []
    if len(parts) > 1 and all(parts):
        left, right = parts
        texts += [left + text, text + right, right + text, text + left, left * 2 + right * 2]
        texts += [part * times for part in (text, left, right) for times in (3, 4, 7, 10)]
    texts += _drawn(text)
    for other in texts:
        yield with_sides(witness.question, lambda side, other=other: other if isinstance(side, str) else (other,))  # type: ignore[misc]


def _drawn(text: str) -> list[str]:
    """Return texts with ``text`` among drawn characters of its kinds, and of its characters in another order."""
    random = Random(text)  # noqa: S311 - the same texts each time
    kinds = {category(each)[0] for each in text}
    like = [each for each in representatives() if each.isascii() and category(each)[0] in kinds] or ["a"]
    found = []
    for _ in range(DRAWN if text else 0):
        before, behind = (random.choices([*text, *like], k=random.randint(0, 4)) for _ in range(2))
        found += ["".join([*before, text, *behind]), "".join(random.choices(text, k=random.randint(2, 9)))]
    return found


def _text_of(trial: Trial, token: str) -> str:
    """Return what the baseline decodes ``token`` to; nothing where it has no id."""
    number = trial.vocabulary().get(token)
    decoded = None if number is None else trial.expected(Decode((number,), skip_special_tokens=False))
    return decoded.text.removeprefix(CONTINUING) if isinstance(decoded, Text) else ""


def entry_changes(document: Json, expected: Encoded, actual: Encoded) -> Iterator[EntryChange]:
    """Yield the changes of single entries of the model that can matter to the two answers, the likely ones first."""
    model = document.get("model")
    if not isinstance(model, dict) or expected.tokens is None:
        return
    surfaces = _surfaces(expected.tokens, actual.tokens or ())
    if isinstance(model.get("merges"), list):
        yield from _merge_changes(model, surfaces)
    elif isinstance(model.get("vocab"), list):
        yield from _piece_changes(model, surfaces)
    elif isinstance(model.get("vocab"), dict):
        yield from _word_changes(model, surfaces)


def _surfaces(*sides: tuple[str, ...]) -> set[str]:
    """Return all runs of characters in what the tokens of each side stand for."""
    runs: set[str] = set()
    for tokens in sides:
        text = "".join(token.removeprefix(CONTINUING) for token in tokens)
        for start in range(len(text)):
            runs.update(text[start:end] for end in range(start + 1, min(len(text), start + LONGEST) + 1))
        runs.update(tokens)
    return runs


def _merge_changes(model: Json, surfaces: set[str]) -> Iterator[EntryChange]:
    merges = model["merges"]
    for rank, merge in enumerate(merges):
        left, right = merge.split(" ", 1) if isinstance(merge, str) else merge
        if left + right in surfaces:
            rest = [*merges[:rank], *merges[rank + 1 :]]
            name = f"merge {left!r} + {right!r}"
            for words, changed in (
                (f"Without the {name} (rank {rank})", rest),
                (f"With the {name} (rank {rank}) after all others", [*rest, merge]),
                (f"With the {name} (rank {rank}) before all others", [merge, *rest]),
            ):
                made = partial(_with, model, "merges", changed)
                yield EntryChange(words, name, left + right, made, changed is not rest, (left, right))


def _with(model: Json, member: str, value: Any) -> Json:
    return {**model, member: value}


def _piece_changes(model: Json, surfaces: set[str]) -> Iterator[EntryChange]:
    vocab: list[Any] = model["vocab"]
    for at, (piece, score) in enumerate(vocab):
        if piece not in surfaces or at == model.get("unk_id"):
            continue
        name = f"piece {piece!r}"
        for words, entry in (
            (f"Without the {name}", [UNREACHABLE, score]),
            (f"With a lower score of the {name}", [piece, score - FAR]),
            (f"With a higher score of the {name}", [piece, score + FAR]),
        ):
            changed = [*vocab[:at], entry, *vocab[at + 1 :]]
            yield EntryChange(words, name, piece, partial(_with, model, "vocab", changed), entry[0] == piece)


def _word_changes(model: Json, surfaces: set[str]) -> Iterator[EntryChange]:
    vocab: dict[str, int] = model["vocab"]
    for run in sorted(surfaces, key=lambda run: (-len(run), run)):
        for word in dict.fromkeys((run, f"{CONTINUING}{run}")):
            if word in vocab and word != model.get("unk_token"):
                name = f"word {word!r}"
                changed = {(UNREACHABLE if each == word else each): number for each, number in vocab.items()}
                yield EntryChange(f"Without the {name}", name, word, partial(_with, model, "vocab", changed))
