"""The lines of ``tokenizer-conformance-record``."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType, field

from tokenizer_adapters.contract import Clocked, Field, Stage
from tokenizer_conformance.comparison.differences import DifferenceKind, Party
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question, WholeAnswers
from tokenizer_conformance.results.records.causes import Cause, ExplainedBy, Unexamined
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value


class HeaderTokenizer(Value, frozen=True, kw_only=True):
    """``sha256`` is that of the tokenizer.json.

    ``repository`` and ``commit`` are where it is from on the Hugging Face hub, if it is (since version 1.2).
    """

    name: str
    sha256: Sha256
    repository: str | UnsetType = UNSET
    commit: str | UnsetType = UNSET
    cached: bool | UnsetType = UNSET
    """True where the hub was not reached, and the files are those of its cache (since version 1.12)."""


class Inputs(Value, frozen=True, kw_only=True):
    count: Count
    sha256: Sha256
    sources: tuple[Sha256, ...] = ()
    """The digest of the inputs of each source that has any, in order; none where sources are not known. Since version
    1.10."""


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    """What is run, where. ``inputs`` are those of each tokenizer."""

    seed: int
    baseline: str
    implementations: tuple[headers.Implementation, ...]
    tokenizers: tuple[HeaderTokenizer, ...]
    inputs: Inputs
    stages: tuple[Stage, ...]
    fields: tuple[Field, ...]
    every_id: bool
    required: tuple[str, ...]
    """What the user requires to be compared: STAGE or STAGE:FIELD."""
    ledgers: tuple[headers.NamedFile, ...] = ()
    """The ledgers of known differences; since version 1.3."""
    optional: tuple[str, ...] = ()
    """The implementations that need not load every tokenizer; since version 1.9."""
    options: dict[str, Any] = field(default_factory=dict)
    """Further options on which what is found hangs, by their long names; since version 1.9."""
    shard: headers.Shard | None = None
    """Which part of the whole run this is; since version 1.9."""
    repeats: headers.NamedFile | None = None
    """The record of which only the failed inputs are repeated; since version 1.9."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of; since version 1.9."""


class Resumed(Line, frozen=True, kw_only=True, tag="resumed"):
    """A later run goes on from here. Since version 1.1."""

    environment: headers.Environment


class ImplementationMissing(Line, frozen=True, kw_only=True, tag="implementation_missing"):
    """An implementation cannot be used on this machine."""

    name: str
    reason: str
    asked: bool | UnsetType = UNSET
    """Whether it was asked for by its name; if not, this is no failure. True where it is left out."""


class Loaded(Line, frozen=True, kw_only=True, tag="loaded"):
    """An implementation has loaded a tokenizer."""

    tokenizer: str
    implementation: str
    seconds: Seconds


class LoadFailed(Line, frozen=True, kw_only=True, tag="load_failed"):
    """An implementation cannot load a tokenizer that another one loads."""

    tokenizer: str
    implementation: str
    reason: str


class LedgerEntries(Line, frozen=True, kw_only=True, tag="ledger_entries"):
    """In the record of a part: the entries of ledgers that are about its implementations, each whole.

    ``is_reachable`` says that the inputs of the whole run have all that the entry names. Since version 1.9.
    """

    entries: tuple[dict[str, Any], ...]


class Failing(Line, frozen=True, kw_only=True, tag="failing"):
    """Further inputs on which the implementation differs in a way that is not known, or is unstable, by their ids.

    An id, or a prefix with the first and the last of the numbers that follow it. Since version 1.9.
    """

    tokenizer: str
    implementation: str
    inputs: tuple[str | tuple[str, Count, Count], ...]


class Input(Value, frozen=True, kw_only=True):
    id: str
    category: str


class Near(Value, frozen=True, kw_only=True):
    position: Count
    in_pair: bool


class ResultStage(Value, frozen=True, kw_only=True):
    """What was compared at one stage between an implementation and the baseline.

    ``inputs`` counts inputs by the gravest verdict on each, ``values`` single fields of single answers (an error, crash
    or timeout counts as one value). ``unsupported_fields`` counts the values that were not shown, by field.
    """

    inputs: dict[Verdict, Count]
    values: dict[Verdict, Count]
    unsupported_fields: dict[Field, Count]
    questions: Count
    """How many questions were put to both."""
    answerable: Count
    """How many of these the baseline answered."""
    unanswered_fields: dict[Field, Count]
    """How often the baseline showed a field and the implementation did not."""
    known_without_value: Count = 0
    """How many of the known differences are errors and missing answers; since version 1.3."""
    extra_answerable: Count = 0
    """How many extra questions (words, batches, ids one by one) the baseline answered; they are none of ``questions``.
    Since version 1.4."""
    extra_unanswered: Count = 0
    """How many of these the implementation did not answer; since version 1.4."""
    finer: Count = 0
    """How many answers have offsets that agree and say more: some begin or end inside a character that tokens share,
    and were rounded outward. Since version 1.5."""
    differing_fields: dict[Field, Count] = field(default_factory=dict)
    """On how many inputs the answer to a question about one text, or about its ids, differs in a field, known
    differences included; errors and missing answers differ in every field. Extra questions do not count. Since version
    1.7."""
    differing_pairs: dict[Field, Count] = field(default_factory=dict)
    """The same of the questions about pairs; since version 1.7."""

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        compared = sum(count for verdict, count in self.values.items() if verdict.is_compared)
        return compared + self.values.get(Verdict.KNOWN, 0) - self.known_without_value

    @property
    def total(self) -> int:
        """How many values there were to compare."""
        return sum(self.values.values())


class Share(Value, frozen=True, kw_only=True):
    changed: Count
    total: Count


class Impact(Value, frozen=True, kw_only=True):
    """How much of the inputs has other ids, without special tokens or with ``special_tokens``.

    ``documents`` are inputs, ``words`` what stands between white space in them (null where a side shows no offsets);
    tokens, ``longer`` and ``shorter`` are about the changed documents; ``scripts`` counts changed words, ``sources``
    documents by category.
    """

    documents: Share
    words: Share | None
    tokens_before: Count
    tokens: Count
    longer: Count
    shorter: Count
    scripts: dict[str, Count]
    sources: dict[str, Share]
    special_tokens: bool = False
    """True where no ids were compared without special tokens, but with them; since version 1.17."""


class Known(Value, frozen=True, kw_only=True):
    """The entry by which the differences are known. Since version 1.3."""

    ledger: Count
    entry: FromOne
    line: FromOne | None
    reason: str
    link: str | None
    finding: str | None


class OtherEntry(Value, frozen=True, kw_only=True):
    """An entry of a vocabulary that differs: a token with its ids, null on the side that does not have it."""

    token: str
    baseline: int | None
    implementation: int | None
    known: Known | None = None
    """The entry of a ledger by which it is known."""


class Vocabulary(Value, frozen=True, kw_only=True):
    """What came of the vocabulary that an implementation shows: every token with its id, added tokens too."""

    baseline: Count | None
    implementation: Count | None
    """How many tokens each side shows; null where it shows no vocabulary."""
    not_shown: str = ""
    """Why nothing was compared; empty where both sides show a vocabulary."""
    differing: Count = 0
    """How many entries differ, known ones included."""
    known: Count = 0
    """How many of these a ledger expects."""
    unstable: bool = False
    """Whether a side showed another vocabulary when both were asked again."""
    name: str = ""
    """What a ledger calls all entries that differ together, where they are too many to be named one by one."""
    entries: tuple[OtherEntry, ...] = ()
    """The first entries that differ; new ones first."""
    repeat: str = ""
    """The command that compares this vocabulary alone."""

    @property
    def is_compared(self) -> bool:
        """Whether both sides show a vocabulary."""
        return not self.not_shown

    @property
    def is_told(self) -> bool:
        """Whether it is known what differs."""
        return self.is_compared and not self.unstable

    @property
    def fails(self) -> bool:
        """Whether something differs that is not known, or is another one each time."""
        return bool(self.new or self.unstable)

    @property
    def new(self) -> int:
        """How many entries differ, and are not known."""
        return 0 if self.unstable else self.differing - self.known


class Result(Value, frozen=True, kw_only=True):
    """What came of one implementation on a tokenizer.

    ``failing_inputs`` counts the inputs with any difference, ``blamed`` these by the first stage at which they differ;
    an input that differs only in its pair with a text that differs alone is not blamed on any stage. ``load_error`` is
    set where the implementation could not load the tokenizer. ``seconds`` were spent waiting for its answers.
    """

    implementation: str
    load_error: str | None
    files: tuple[str, ...] = ()
    """The names of the files that the implementation was given in the place of the tokenizer.json; since version
    1.1."""
    shows: dict[Stage, tuple[Field, ...]] | None = None
    """What the implementation says it shows of this tokenizer: for each stage the fields that every answer has. Null:
    as much as at best. Since version 1.6."""
    failing_inputs: Count
    blamed: dict[Stage, Count]
    seconds: Seconds
    impact: Impact | None = None
    """Since version 1.9; null where ids were not compared."""
    stages: dict[Stage, ResultStage]
    vocabulary: Vocabulary | None = None
    """Null where it was not compared; since version 1.14."""

    @property
    def other_entries(self) -> int:
        """How many entries of the vocabulary differ in a way that is not known."""
        return 0 if self.vocabulary is None else self.vocabulary.new

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        return sum(count.compared for count in self.stages.values())

    def has(self, *verdicts: Verdict) -> bool:
        """Return whether any of ``verdicts`` was reached at any stage."""
        return any(count.values.get(verdict, 0) for count in self.stages.values() for verdict in verdicts)


class Example(Value, frozen=True, kw_only=True):
    input: Input
    question: Question
    difference: DifferenceOfSides
    differs_at: Stage
    consequence_of: Stage | None
    near: Near | None
    """Where in the question the difference is seen, in code points."""
    reduced_from: Count | None
    """The length of the question that was asked about the input, where ``question`` is a shorter one that shows the
    same."""
    answers: WholeAnswers | UnsetType = UNSET


class Difference(Example, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """One difference. Of each finding a bounded number is recorded; the finding counts all."""

    tokenizer: str
    implementation: str
    stage: Stage


class Finding(Value, frozen=True, kw_only=True):
    implementation: str
    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind
    party: Party | None
    detail: str
    differences: Count
    inputs: Count
    consequences: Count
    first: Example
    smallest: Example
    repeat: str
    """The command that asks what ``smallest`` asks; before version 1.13 all about its input."""
    own_inputs: tuple[str, ...] = ()
    """The ids of the first inputs that show it as a difference of its own; since version 1.3."""
    known: Known | UnsetType = UNSET


class TokenizerResult(Value, frozen=True, kw_only=True):
    """The result of a tokenizer. ``blamed`` counts failing inputs by the first stage at which they differ."""

    tokenizer: str
    complete: bool
    inputs: Count
    ids: Count
    baseline_load_error: str | None
    baseline_seconds: Seconds
    seconds: Seconds
    results: tuple[Result, ...]
    findings: tuple[Finding, ...]
    unstable: tuple[Finding, ...]
    """Differences that were gone, or were others, when the question was put again."""
    known: tuple[Finding, ...] = ()
    """Differences that a ledger expects; since version 1.3."""
    matched: tuple[headers.EntryReference, ...] = ()
    """The entries of ledgers that a difference has; since version 1.3."""
    causes: tuple[Cause, ...] = ()
    """Why answers differ, each cause once; since version 1.8."""
    uncounted: Count = 0
    """How many differences came when the time to look for new causes was spent; since version 1.8."""
    unexamined: tuple[Unexamined, ...] = ()
    """Differences that have none of these causes; since version 1.12."""


class Checkpoint(TokenizerResult, frozen=True, kw_only=True, tag_field="type", tag="checkpoint"):
    """What has been found so far on a tokenizer that is still at work.

    A later checkpoint or result of it takes its place. Since version 1.1.
    """


class Tokenizer(TokenizerResult, frozen=True, kw_only=True, tag_field="type", tag="tokenizer"):
    """A tokenizer is done, or was stopped early (``complete`` is false)."""


class Causes(Line, frozen=True, kw_only=True, tag="causes"):
    """Why answers differ on a tokenizer that is finished: a line after those of all tokenizers.

    Since version 1.12.
    """

    tokenizer: str
    causes: tuple[Cause, ...]
    """Why answers differ, each cause once; since version 1.8."""
    uncounted: Count
    """How many differences came when the time to look for new causes was spent; since version 1.8."""
    unexamined: tuple[Unexamined, ...]
    """Differences that have none of these causes; since version 1.12."""


class FooterShare(Value, frozen=True, kw_only=True):
    compared: Count
    of: Count


Lost = Literal["", "answers", "extra answers"]

LOST_ANSWERS: Final[Lost] = "answers"
LOST_EXTRAS: Final[Lost] = "extra answers"
"""What an implementation does not show any more: answers that it has to give, and those that none has to (words,
batches, ids one by one)."""


class Shortfall(Value, frozen=True, kw_only=True):
    tokenizer: str
    implementation: str
    stage: Stage
    field: Field
    answered: Count
    asked: Count
    required: bool
    lost: Lost = ""
    """Of a diff: what the same implementation showed before. Since version 1.10."""


class Footer(headers.SealedFooter, frozen=True, kw_only=True, tag="footer"):
    """The run is over. ``finished`` is false where it was stopped early, and ``reason`` says by what."""

    reason: str | None
    tokenizers: Count
    inputs: Count
    compared: Count
    differences: Count
    shares: dict[Stage, FooterShare]
    """How many values were compared at each stage, and how many there were."""
    shortfalls: tuple[Shortfall, ...]
    """What was not answered often enough."""
    known: Count = 0
    """How many differences a ledger expects; since version 1.3."""
    stale: tuple[headers.EntryReference, ...] = ()
    """The entries that had a full chance, and that no difference has; since version 1.3."""
    causes: tuple[Cause, ...] = ()
    """The causes of all tokenizers, each once, in the order in which reports number them; since version 1.8."""


class Sides(Line, frozen=True, kw_only=True, tag="sides"):
    """What a diff has compared: both sides in words, and how many inputs only one of them has.

    ``other_files`` are the tokenizers whose file is another one on the new side. Since version 1.9.
    """

    old: str
    new: str
    only_old: Count
    only_new: Count
    other_files: tuple[str, ...]


Part = Literal["load", "save", "vocabulary"]
"""What is compared of how a tokenizer is loaded, in the words of ledgers."""


class Loading(Value, frozen=True, kw_only=True):
    """A change in how a tokenizer is loaded or saved, or in its vocabulary."""

    tokenizer: str
    what: Part
    path: str
    """Where in the saved tokenizer.json; empty for the others."""
    old: str
    new: str
    known: headers.EntryReference | None = None
    """The entry of a ledger by which it is known."""
    explained_by: ExplainedBy = None
    faults: tuple[str, ...] = ()
    """Of a file that a side refuses: what is wrong with it, where, and what to do."""


class LoadingChange(Loading, frozen=True, kw_only=True, tag_field="type", tag="loading_change"):
    """A change in how a tokenizer is loaded or saved, or in its vocabulary. Since version 1.9."""


class LoadingCompared(Line, frozen=True, kw_only=True, tag="loading_compared"):
    """How a tokenizer is loaded was compared; its changes stand before this line. Since version 1.15."""

    tokenizer: str
    left_out: dict[Part, str]
    """Why a part was not compared."""
    shown: tuple[Part, ...]
    """The parts in which a change would have been seen: without one, an entry of a ledger about it is stale."""
    loaded: bool
    """Whether both sides load the tokenizer."""


class Again(Value, frozen=True, kw_only=True):
    """What a side whose answers are kept answered about a tokenizer when it was asked again.

    A side that gave the same answers again has none of these.
    """

    tokenizer: str
    implementation: str
    asked: Count
    """Questions whose answers differed, and that were put again."""
    others: Count
    """Those of them to which it gave another answer than before."""
    left: Count
    """Questions whose answers differed, and that were not put again: whether these are unstable is not known."""
    reason: str
    """Why they were not; empty where all were."""

    @property
    def is_told(self) -> bool:
        """Whether it did not answer all as before."""
        return bool(self.others or self.left)


class AskedAgain(Again, frozen=True, kw_only=True, tag_field="type", tag="asked_again"):
    """What a side whose answers are those of a snapshot answered when it was asked again, where that was another.

    A part of a diff tells it also where it was the same.
    """


Threads = Literal["one", "all"]


class Spent(Value, frozen=True, kw_only=True):
    """Seconds by the clock (``wall``), and of processor time of all threads, which is not known everywhere."""

    wall: Seconds
    processor: Seconds | None


class SpeedRound(Value, frozen=True, kw_only=True):
    """What a process that was started for it took: the first pass over the texts, later ones together, and new texts.

    ``new`` is the first pass over texts that it had not seen, after all others; null where there are none.
    """

    first: Spent
    later: Spent
    passes: FromOne
    new: Spent | None


class SpeedRow(Value, frozen=True, kw_only=True):
    """An implementation with ``one`` processor and one text at a time, or with ``all`` and all texts at once.

    Where it has no ``call`` for that, the texts come one at a time, too. ``fields`` are those that the call makes.
    """

    implementation: str
    threads: Threads
    call: str
    """What the library calls it; empty where it was asked as in a comparison."""
    fields: tuple[Field, ...]
    clocked: Clocked
    """Around what the time was taken: the library's own call, the adapter's answer, or the lines of the protocol."""
    rounds: tuple[SpeedRound, ...]
    """Implementations take turns: a round of one stands beside the same round of another."""


class Speed(Line, frozen=True, kw_only=True, tag="speed"):
    """How fast implementations encode the same texts, without special tokens; numbers, and no verdict.

    Since version 1.16.
    """

    tokenizer: str
    texts: Count
    bytes: Count
    """Of these texts together, in UTF-8."""
    new_texts: Count
    """How many others there are, of which one pass is made in the end."""
    new_bytes: Count
    left_out: Count
    """Texts that were not measured with, since an implementation does not encode them."""
    processors: FromOne
    pinned: bool
    """Whether processes that are to have one processor were kept on one by the system; else libraries are told."""
    rows: tuple[SpeedRow, ...]
    missing: dict[str, str]
    """Why an implementation has no rows."""


FORMAT = Format(
    name="tokenizer-conformance-record",
    version="1.17",
    file="record-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a run that was killed. Lines of the types sides, loading_change, loading_compared and asked_again are in "
        "records of tokconf diff alone."
    ),
    lines=Header
    | Resumed
    | headers.Refused
    | ImplementationMissing
    | Loaded
    | LoadFailed
    | LedgerEntries
    | Failing
    | Difference
    | Checkpoint
    | Tokenizer
    | Causes
    | Footer
    | Sides
    | LoadingChange
    | LoadingCompared
    | AskedAgain
    | Speed,
)
