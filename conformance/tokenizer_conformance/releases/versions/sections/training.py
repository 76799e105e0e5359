"""What the trainers of a release learn from small corpora."""

from __future__ import annotations

import hashlib
import itertools
import json
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import select_trainer
from tokenizer_adapters.training import (
    Algorithm,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
)
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.escape import escape
from tokenizer_conformance.inputs.builtin import builtin_categories
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError
from tokenizer_conformance.releases.versions.sections.loading import without_this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.training import Trainer, TrainingOutcome
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release

TIMES: Final = 2
"""How often each model is trained: what is not learned again is noise."""

TIMES_MORE: Final = 4
"""How often one is trained again that seems to be another one than before: a tie may fall the same way twice."""

TRAIN_SECONDS: Final = 60.0
SHOWN: Final = 5
"""How many merges or tokens are shown."""

BUNDLED: Final = "bundled corpus"
MULTILINGUAL: Final = "built-in texts"

SCRIPTS: Final = ("arabic", "caucasian", "cjk", "cyrillic", "greek", "hebrew", "indic", "japanese", "korean", "turkic")
"""The categories of built-in texts whose lines are the multilingual corpus."""

SPECIAL: Final = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True, slots=True)
class Course:
    """What is trained: ``name`` says it in facts. ``corpus`` is :data:`BUNDLED` or :data:`MULTILINGUAL`."""

    name: str
    algorithm: Algorithm
    pre_tokenizer: PreTokenizer
    corpus: str
    options: TrainingOptions


def _courses() -> Iterator[Course]:
    bpe, wordpiece, unigram, wordlevel = Algorithm.BPE, Algorithm.WORDPIECE, Algorithm.UNIGRAM, Algorithm.WORDLEVEL
    whitespace, byte_level, metaspace = PreTokenizer.WHITESPACE, PreTokenizer.BYTELEVEL, PreTokenizer.METASPACE
    options, unknown = TrainingOptions, SPECIAL[0]
    for corpus in (BUNDLED, MULTILINGUAL):
        for algorithm, pre_tokenizer, words, chosen in (
            (bpe, byte_level, "bytes", options(vocab_size=600, special_tokens=SPECIAL)),
            (bpe, whitespace, "words", options(vocab_size=4000, min_frequency=8, end_of_word_suffix="</w>")),
            (bpe, whitespace, "limits", options(vocab_size=500, limit_alphabet=40, max_token_length=6)),
            (wordpiece, whitespace, "words", options(vocab_size=4000, min_frequency=8, continuing_subword_prefix="##")),
            (wordlevel, whitespace, "words", options(vocab_size=300, special_tokens=SPECIAL)),
            (wordlevel, whitespace, "frequent words", options(vocab_size=300, min_frequency=2)),
            (unigram, metaspace, "pieces", options(vocab_size=1200, special_tokens=SPECIAL, unk_token=unknown)),
            (unigram, whitespace, "short pieces", options(vocab_size=1200, max_piece_length=4, unk_token=unknown)),
        ):
            yield Course(f"{algorithm} of {words}, {corpus}", algorithm, pre_tokenizer, corpus, chosen)


COURSES: Final = tuple(_courses())


class Training:
    """What each course teaches: the tokens, and apart from them merges in their order, ids and scores, as digests.

    They are facts of their own, since trainers do not repeat all of them: characters with a prefix or suffix get random
    ids, by which ties are broken, and scores depend on the order of sums (observed, tokenizers 0.13.3 to 0.23.3). What
    differs from the release before is shown; for that it is remembered, and releases come oldest first.
    """

    name: ClassVar[str] = "training"
    title: ClassVar[str] = "what its trainers learn"

    def __init__(self, courses: Sequence[Course] = COURSES) -> None:
        self._courses = courses
        self._before: dict[str, tuple[str, list[str]]] = {}

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return what is learned in each course, by its name.

        Raises :class:`NoFactsError` where the release has no trainers.
        """
        STATUS.begin(release.word, "training")
        try:
            trainer = select_trainer(release.word).start(Limits(train_seconds=TRAIN_SECONDS))
        except (RegistryError, UnavailableError) as error:
            raise NoFactsError(f"its trainers cannot be asked: {error}") from error
        with tempfile.TemporaryDirectory(prefix="tokconf-versions-") as folder:
            corpora = write_corpora(Path(folder))
            found: dict[str, Fact] = {}
            for done, course in enumerate(self._courses):
                STATUS.reach(Place(release.word, done, len(self._courses), "trainings"))
                if course.algorithm in trainer.info.algorithms:
                    found |= self._facts(release, trainer, course, corpora[course.corpus])
            return found

    def _facts(self, release: Release, trainer: Trainer, course: Course, corpus: TextFiles) -> dict[str, Fact]:
        request = TrainingRequest(
            algorithm=course.algorithm, pre_tokenizer=course.pre_tokenizer, corpus=corpus, options=course.options
        )
        outcomes = [trainer.train(request) for _ in range(TIMES)]
        if self._seems_changed(course, outcomes[0]):
            outcomes += [trainer.train(request) for _ in range(TIMES_MORE)]
        models = [outcome for outcome in outcomes if isinstance(outcome, TrainedModel)]
        if len(models) < len(outcomes):
            values = [_not_trained(outcome, release.word) for outcome in outcomes]
            return {course.name: Fact(values[0], is_stable=len(set(values)) == 1)}
        return {
            f"{course.name}{aspect}": self._aspect(release, f"{course.name}{aspect}", list(map(lines_of, models)))
            for aspect, lines_of in ASPECTS.items()
            if lines_of(models[0])
        }

    def _seems_changed(self, course: Course, outcome: TrainingOutcome) -> bool:
        """Return whether anything that the release before repeated is not what ``outcome`` has."""
        if not isinstance(outcome, TrainedModel):
            return False
        names = {f"{course.name}{aspect}": lines_of for aspect, lines_of in ASPECTS.items()}
        return any(name in self._before and self._before[name][1] != names[name](outcome) for name in names)

    def _aspect(self, release: Release, name: str, lines: Sequence[list[str]]) -> Fact:
        """Return the fact called ``name``, whose value is in the first of ``lines``; the others are of repetitions."""
        first = lines[0]
        shown = f"{len(first):,}: {', '.join(first[:SHOWN])}, …"
        again = next((other for other in lines if other != first), None)
        if again is not None:
            return Fact(_digest(first), f"{shown}; trained again, {first_difference(first, again)}", is_stable=False)
        version, before = self._before.get(name, ("", first))
        if before != first:
            shown += f"; after {version}, {first_difference(before, first)}"
        self._before[name] = (release.version, first)
        return Fact(_digest(first), shown)


def write_corpora(folder: Path) -> dict[str, TextFiles]:
    """Write the corpora to files in ``folder`` and return them by name."""
    texts = {
        BUNDLED: (files("tokenizer_conformance.inputs.bundled") / "corpus.txt").read_text("utf-8").splitlines(),
        MULTILINGUAL: [
            each.text.replace("\r", " ").replace("\n", " ")
            for category in builtin_categories()
            if category.name in SCRIPTS
            for each in category.inputs
        ],
    }
    found = {}
    for name, lines in texts.items():
        file = folder / f"{name}.txt"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        found[name] = TextFiles((str(file),))
    return found


def _not_trained(outcome: TrainingOutcome, word: str) -> str:
    """Return the words for an ``outcome`` without a model; nothing where there is one."""
    if isinstance(outcome, TrainedModel):
        return ""
    return without_this_machine(f"does not train: {in_words(outcome)}", word)


def _digest(lines: list[str]) -> str:
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()[:16]


def first_difference(before: list[str], after: list[str]) -> str:
    """Say where lines first differ; of the same lines nothing.

    >>> first_difference(['"a"', '"b"'], ['"a"', '"c"']), first_difference(["x"], ["x", "y"])
    ('place 1 has "c", no longer "b"', 'place 1 has y, no longer nothing')
    """
    for place, (old, new) in enumerate(itertools.zip_longest(before, after, fillvalue="nothing")):
        if old != new:
            return f"place {place} has {new}, no longer {old}"
    return ""


def _token(token: str) -> str:
    return f'"{escape(token)}"'


def tokens_of(model: TrainedModel) -> list[str]:
    """Return the tokens of ``model``, in an order that says nothing of their ids."""
    return sorted(map(_token, model.tokens))


def merges_of(model: TrainedModel) -> list[str]:
    """Return the merges of ``model`` in their order."""
    return [f"{_token(left)} {_token(right)}" for left, right in model.merges or ()]


def ids_of(model: TrainedModel) -> list[str]:
    """Return the tokens of ``model`` with their ids."""
    tokens = sorted(model.tokens.items(), key=lambda entry: (entry[1], entry[0]))
    return [f"{_token(token)} {number}" for token, number in tokens]


def scores_of(model: TrainedModel) -> list[str]:
    """Return the tokens of ``model`` with their scores."""
    return [f"{_token(token)} {score!r}" for token, score in sorted((model.scores or {}).items())]


ASPECTS: Final[Mapping[str, Callable[[TrainedModel], list[str]]]] = {
    "": tokens_of,
    ": merges": merges_of,
    ": ids": ids_of,
    ": scores": scores_of,
}
"""What is compared of a model: what the names of facts end with, and the lines that are compared."""
