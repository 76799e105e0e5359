"""The lines of ``tokenizer-conformance-training``."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value

Algorithm = Literal["bpe", "wordpiece", "unigram", "wordlevel"]


class TrainerInfo(Value, frozen=True, kw_only=True):
    name: str
    version: str
    language: str
    home_page: str
    algorithms: tuple[Algorithm, ...]


class CorpusFile(Value, frozen=True, kw_only=True):
    name: str
    bytes: Count
    sha256: Sha256


class CountedWords(Value, frozen=True, kw_only=True):
    counter: str
    total: Count
    kinds: Count
    characters: Count


class Options(Value, frozen=True, kw_only=True):
    """The options of the trainers of ``tokenizers``, by their names there."""

    vocab_size: Count
    min_frequency: Count
    special_tokens: tuple[str, ...]
    limit_alphabet: Count | None
    initial_alphabet: tuple[str, ...]
    max_token_length: Count | None
    continuing_subword_prefix: str
    end_of_word_suffix: str
    unk_token: str | None
    max_piece_length: Count
    shrinking_factor: float
    n_sub_iterations: Count


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    baseline: str
    trainers: Annotated[tuple[TrainerInfo, ...], Meta(min_length=1)]
    corpus: Annotated[tuple[CorpusFile, ...], Meta(min_length=1)]
    pre_tokenizer: Literal["whitespace", "bytelevel", "metaspace"]
    words: CountedWords
    options: dict[Algorithm, Options]
    repeat: FromOne
    tolerance: Seconds


class ImplementationMissing(Line, frozen=True, kw_only=True, tag="implementation_missing"):
    """A trainer that was asked for cannot be used on this machine."""

    name: str
    reason: str


class WordsExample(Value, frozen=True, kw_only=True):
    word: str
    first: Count
    second: Count


class NoAnswer(Value, frozen=True, kw_only=True):
    """Why there is no answer."""

    verdict: Literal["unsupported", "error", "crash", "timeout", "protocol"]
    detail: str


class Words(Line, frozen=True, kw_only=True, tag="words"):
    """The words that another trainer cuts the corpus into, beside those of the header."""

    trainer: str
    kinds: Count
    differing: Count
    example: WordsExample | None
    no_answer: NoAnswer | None


class Learned(Value, frozen=True, kw_only=True):
    """A trained model in short."""

    tokens: Count
    merges: Count | None
    scores: Count | None
    seconds: Seconds | None
    peak_memory: Count | None
    sha256: Sha256


class Run(Line, frozen=True, kw_only=True, tag="run"):
    """One training is over."""

    algorithm: Algorithm
    trainer: str
    run: FromOne
    learned: Learned | None
    no_answer: NoAnswer | None


class Top(Value, frozen=True, kw_only=True):
    """A pair than which none is more frequent."""

    pair: tuple[str, str]
    count: Count
    is_tied: bool


class Tokens(Value, frozen=True, kw_only=True):
    """How many tokens there are, and the first of them."""

    count: Count
    entries: tuple[str, ...]


class FirstFault(Value, frozen=True, kw_only=True):
    """The first merge that is not of a most frequent pair, or the first token that stands after a lesser number."""

    number: float
    token: str
    pair: tuple[str, str] | UnsetType | None = UNSET
    count: Count | UnsetType = UNSET
    better: tuple[str, str] | UnsetType | None = UNSET
    better_count: Count | UnsetType = UNSET
    greater: str | UnsetType = UNSET
    greater_number: float | UnsetType = UNSET


class Judgement(Value, frozen=True, kw_only=True):
    """Whether a model keeps the rules of its algorithm.

    Of merges: what doing all of them again beside exact counts has shown; their numbers count from 0. Of others:
    whether ``tokens`` stand in the order of their numbers (counts, or scores).
    """

    is_legal: bool
    steps: Count | UnsetType = UNSET
    tokens: Count | UnsetType = UNSET
    most_frequent: Count | UnsetType = UNSET
    tied: Count
    lowest_ids: Count | UnsetType = UNSET
    first: FirstFault | None
    left: Top | UnsetType | None = UNSET
    stray: Tokens | UnsetType = UNSET


class Coverage(Value, frozen=True, kw_only=True):
    tokens: Count
    unknown: Count


Level = Literal["tokens", "merges", "scores", "ids"]


class LevelOfComparison(Value, frozen=True, kw_only=True):
    level: Level
    agreement: Literal["agree", "tie", "differ", "not shown"]
    compared: Count
    differing: Count


class Taken(Value, frozen=True, kw_only=True):
    """What a side merges, how often that occurs on both sides, and how often its parts do."""

    token: str
    pair: tuple[str, str] | None
    count: Count
    left_count: Count
    right_count: Count
    count_on_other_side: Count

    @property
    def score(self) -> Fraction | None:
        """The count of the pair over the product of the counts of its parts, by which WordPiece is taught to choose."""
        parts = self.left_count * self.right_count
        return Fraction(self.count, parts) if parts else None


class Divergence(Value, frozen=True, kw_only=True):
    """The first merge that differs.

    ``is_shown`` says that both sides show merges, else tokens were compared in the order of their ids.
    """

    number: Count
    kind: Literal[
        "tie", "first_not_most_frequent", "second_not_most_frequent", "neither_most_frequent", "each_its_own", "ends"
    ]
    is_shown: bool
    first: Taken | None
    second: Taken | None
    tops: tuple[Top | None, Top | None]


class Largest(Value, frozen=True, kw_only=True):
    token: str
    first: float
    second: float


class Scores(Value, frozen=True, kw_only=True):
    compared: Count
    beyond: Count
    largest: tuple[Largest, ...]
    shift: float
    are_exchanged: bool


class MovedToken(Value, frozen=True, kw_only=True):
    token: str
    first: Count
    second: Count


class Moved(Value, frozen=True, kw_only=True):
    count: Count
    entries: tuple[MovedToken, ...]


class EffectExample(Value, frozen=True, kw_only=True):
    word: str
    count: Count
    first: tuple[str, ...]
    second: tuple[str, ...]


class Effect(Value, frozen=True, kw_only=True):
    """How both sides split the words of the corpus."""

    words: Count
    kinds: Count
    first_tokens: Count
    second_tokens: Count
    differing_words: Count
    differing_kinds: Count
    examples: tuple[EffectExample, ...]


class ComparisonBody(Value, frozen=True, kw_only=True):
    """Two models side by side."""

    agreement: Literal["agree", "tie", "differ"]
    blamed: Level | None
    levels: tuple[LevelOfComparison, ...]
    shared: Count
    only_first: Tokens
    only_second: Tokens
    in_one_word: tuple[Count, Count] | None
    divergence: Divergence | None
    scores: Scores | None
    moved: Moved
    layouts: tuple[
        tuple[Literal["special tokens", "characters", "characters with an affix", "learned tokens"], ...],
        tuple[Literal["special tokens", "characters", "characters with an affix", "learned tokens"], ...],
    ]
    effect: Effect


class Answer(Value, frozen=True, kw_only=True):
    runs: Annotated[tuple[FromOne, ...], Meta(min_length=1)]
    learned: Learned
    judgement: Judgement
    coverage: Coverage
    against_first: ComparisonBody | None


class FailedRun(NoAnswer, frozen=True, kw_only=True):
    run: FromOne


class Trainer(Line, frozen=True, kw_only=True, tag="trainer"):
    """All trainings of a trainer are over; every different answer stands once."""

    algorithm: Algorithm
    trainer: str
    answers: tuple[Answer, ...]
    no_answers: tuple[FailedRun, ...]
    seconds: Seconds | None
    peak_memory: Count | None


class Comparison(ComparisonBody, frozen=True, kw_only=True, tag_field="type", tag="comparison"):
    """The first answer of a trainer beside that of the baseline."""

    algorithm: Algorithm
    first: str
    second: str


class Overlap(Value, frozen=True, kw_only=True):
    first: str
    second: str
    shared: Count
    only_first: Count
    only_second: Count


class AlgorithmLine(Line, frozen=True, kw_only=True, tag="algorithm"):
    """An algorithm is done, or was stopped early."""

    algorithm: Algorithm
    complete: bool
    overlaps: tuple[Overlap, ...]
    seconds: Seconds


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    runs: Count
    comparisons: Count
    ties: Count
    differences: Count


FORMAT = Format(
    name="tokenizer-conformance-training",
    version="1.0",
    file="training-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a command that was killed."
    ),
    lines=Header | ImplementationMissing | Words | Run | Trainer | Comparison | AlgorithmLine | Footer,
)
