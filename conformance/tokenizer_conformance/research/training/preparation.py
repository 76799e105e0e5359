"""From what a user gives to a plan: the corpus is read, its words counted, and what cannot be learned is refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.training import Algorithm, CountedWords, TextFiles, TrainingRequest
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.defaults import TRAINING_TOLERANCE
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.training.task import TrainingTask, character_counts
from tokenizer_conformance.results.records.training import CorpusFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_adapters.training import PreTokenizer, Trainer, TrainingOptions
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Train ``trainers``, the first of which the others are compared with, ``repeat`` times each, on ``corpus``.

    ``options`` are those of each algorithm. ``words`` are those of the corpus with their counts, as the pre-tokenizer
    of ``counter`` cuts it. ``unavailable`` are trainers that were asked for and cannot be used. Those called as one of
    ``optional`` need not be able to do anything that was asked for.
    """

    trainers: tuple[Trainer, ...]
    corpus: tuple[CorpusFile, ...]
    pre_tokenizer: PreTokenizer
    words: Mapping[str, int]
    counter: str
    options: Mapping[Algorithm, TrainingOptions]
    repeat: int = 1
    tolerance: float = TRAINING_TOLERANCE
    unavailable: tuple[Rejected, ...] = ()
    optional: frozenset[str] = frozenset()
    command: tuple[str, ...] = ()

    @property
    def baseline(self) -> Trainer:
        """The trainer that the others are compared with."""
        return self.trainers[0]

    @property
    def required(self) -> frozenset[str]:
        """The names of the trainers that must be compared with the baseline at least once."""
        return frozenset(each.info.name for each in self.trainers[1:]) - self.optional

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the corpus."""
        return tuple(file.name for file in self.corpus)

    def task(self, algorithm: Algorithm) -> TrainingTask:
        """Return what answers of ``algorithm`` are compared on."""
        return TrainingTask(
            algorithm=algorithm, words=self.words, options=self.options[algorithm], tolerance=self.tolerance
        )

    def request(self, algorithm: Algorithm, trainer: Trainer) -> TrainingRequest:
        """Return what ``trainer`` is asked: to learn from the words, if it takes these, and else from the files."""
        return TrainingRequest(
            algorithm=algorithm,
            pre_tokenizer=self.pre_tokenizer,
            corpus=CountedWords(self.words) if trainer.info.takes_words else TextFiles(self.files),
            options=self.options[algorithm],
        )


class CannotCountError(Exception):
    """The words of the corpus cannot be counted, for a reason that lies in a trainer."""


def prepared(
    *,
    trainers: tuple[Trainer, ...],
    unavailable: tuple[Rejected, ...],
    optional: frozenset[str],
    counters: Sequence[Trainer],
    files: Sequence[str],
    pre_tokenizer: PreTokenizer,
    options: Mapping[Algorithm, TrainingOptions],
    repeat: int,
    tolerance: float,
    command: tuple[str, ...],
) -> TrainingPlan:
    """Return the plan to train ``trainers`` on ``files``; the first of ``counters`` counts the words.

    Raises :class:`BadInputError` where the corpus cannot be used or nothing can be learned from it as asked, and
    :class:`CannotCountError`.
    """
    STATUS.begin("reading the corpus")
    corpus = corpus_files(files)
    if not counters:
        raise CannotCountError("no trainer is installed that can cut a corpus into words; pip install tokenizers")
    counter = counters[0]
    STATUS.begin("words of the corpus", f"counted by {counter.info.name}")
    answer = counter.count_words(pre_tokenizer, tuple(file.name for file in corpus))
    if not isinstance(answer, CountedWords):
        raise CannotCountError(f"{counter.info.name} cannot count the words of the corpus: {in_words(answer)}")
    plan = TrainingPlan(
        trainers=trainers,
        corpus=corpus,
        pre_tokenizer=pre_tokenizer,
        words=answer.counts,
        counter=counter.info.name,
        options=options,
        repeat=repeat,
        tolerance=tolerance,
        unavailable=unavailable,
        optional=optional,
        command=command,
    )
    for algorithm in options:
        refuse_unlearnable(plan.task(algorithm), corpus)
    return plan


# The corpus -----------------------------------------------------------------------------------------------------------


def corpus_files(names: Iterable[str]) -> tuple[CorpusFile, ...]:
    """Read the files called ``names`` once each, and return what they are: names, sizes and digests.

    Raises :class:`BadInputError` for one that cannot be read or is not UTF-8.
    """
    return tuple(map(_corpus_file, dict.fromkeys(names)))


def _corpus_file(name: str) -> CorpusFile:
    digest = hashlib.sha256()
    size = 0
    try:
        with Path(name).open("rb") as file:
            for number, line in enumerate(file, 1):
                _refuse_other_than_utf_8(name, line, number, size)
                digest.update(line)
                size += len(line)
    except OSError as error:
        raise BadInputError(f"corpus file {name!r} cannot be read: {error.strerror or error}") from error
    return CorpusFile(name=name, bytes=size, sha256=digest.hexdigest())


def _refuse_other_than_utf_8(name: str, line: bytes, number: int, start: int) -> None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"corpus file {name!r} is not UTF-8: byte 0x{line[error.start]:02X} at offset {start + error.start} "
            f"(line {number}): {error.reason}; convert it to UTF-8 first"
        ) from error


# What cannot be learned ----------------------------------------------------------------------------------------------


def refuse_clashes(options: TrainingOptions) -> None:
    """Raise :class:`BadInputError` for special tokens that cannot stand beside each other, whatever the corpus is."""
    twice = [token for token, count in Counter(options.special_tokens).items() if count > 1]
    if twice:
        raise BadInputError(f"special token {twice[0]!r} is given twice: each can have one id only; leave one out")
    if "" in options.special_tokens:
        raise BadInputError("a special token is empty; give it a text, or leave it out")
    clashing = [character for character in options.initial_alphabet if character in options.special_tokens]
    if clashing:
        raise BadInputError(
            f"special token {clashing[0]!r} is a character of the initial alphabet too; take it out of one of them"
        )


def refuse_unlearnable(task: TrainingTask, files: Iterable[CorpusFile]) -> None:
    """Raise :class:`BadInputError` where nothing can be learned as asked: no words, clashing tokens, no room."""
    if not task.words:
        names = ", ".join(repr(file.name) for file in files)
        raise BadInputError(f"the corpus has no words to learn from ({names}); give files with text")
    begun = beginning(task)
    clashing = [token for token in task.options.special_tokens if token in begun]
    if clashing:
        what = "a word" if task.algorithm is Algorithm.WORDLEVEL else "a character"
        raise BadInputError(
            f"special token {clashing[0]!r} is {what} of the corpus too, and would share its id; "
            "choose another special token"
        )
    _refuse_small_vocabulary(task, begun)


def beginning(task: TrainingTask) -> Mapping[str, None]:
    """Return the tokens that a vocabulary begins with, but special tokens; for WordLevel, the words it may have."""
    options = task.options
    if task.algorithm is Algorithm.WORDLEVEL:
        return dict.fromkeys(task.words)
    characters = _kept_characters(task)
    tokens = dict.fromkeys(characters)
    if task.affixes.prefix or task.affixes.suffix:
        symbols = (task.affixes.symbols(word) for word in task.words)
        for word, of_word in zip(task.words, symbols, strict=True):
            tokens |= dict.fromkeys(
                symbol for character, symbol in zip(word, of_word, strict=True) if character in characters
            )
    return tokens | dict.fromkeys(options.initial_alphabet)


def _kept_characters(task: TrainingTask) -> Mapping[str, None]:
    """Return the characters of the corpus; the most frequent ones where their number is limited."""
    counts = character_counts(task.words)
    limit = task.options.limit_alphabet
    if limit is None:
        return dict.fromkeys(counts)
    initial = dict.fromkeys(task.options.initial_alphabet)
    by_count = sorted((character for character in counts if character not in initial), key=lambda each: -counts[each])
    return dict.fromkeys([*initial, *by_count][:limit])


def _refuse_small_vocabulary(task: TrainingTask, begun: Mapping[str, None]) -> None:
    options = task.options
    special = len(options.special_tokens)
    if task.algorithm is Algorithm.WORDLEVEL:
        if options.vocab_size <= special:
            raise BadInputError(
                f"a vocabulary of {options.vocab_size:,} has no room for words beside {special:,} special tokens; "
                f"ask for at least {special + 1:,}"
            )
        return
    needed = special + len(begun)
    if options.vocab_size < needed:
        marked = " (with and without affix)" if len(begun) > len(_kept_characters(task)) else ""
        beside = f" beside {special:,} special tokens" if special else ""
        limit = "" if task.algorithm is Algorithm.UNIGRAM else ", or limit the alphabet"
        raise BadInputError(
            f"a vocabulary of {options.vocab_size:,} is smaller than the alphabet: {task.algorithm} begins with "
            f"{len(begun):,} characters{marked}{beside}; ask for at least {needed:,}{limit}"
        )
