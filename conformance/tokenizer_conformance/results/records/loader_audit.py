"""The lines of ``tokenizer-conformance-audit``."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.results.records import answers, headers
from tokenizer_conformance.results.records.exchange import Exchanged
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Seconds, Value

AuditedComponent = Literal[
    "normalizer",
    "pre_tokenizer",
    "model",
    "vocabulary",
    "merges",
    "added_tokens",
    "post_processor",
    "decoder",
    "truncation",
    "padding",
    "defaults",
    "chat_template",
]


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    audit: Literal["loader", "files", "conversion"]
    """Of a file and what loaders make of it, or since version 1.2 of two files: the second is the loader's.

    Since version 1.3 of a file and its conversion into another format, put into that file.
    """
    baseline: headers.Implementation
    loaders: tuple[headers.Implementation, ...]
    tokenizers: tuple[headers.TokenizerFile, ...]
    cases: Count
    """Among how many texts a witness of one difference is looked for."""
    seconds: Seconds
    seed: int
    inputs: Count
    """On how many texts answers are compared."""
    given: Count
    """How many of these are the user's."""
    new: headers.TokenizerFile | None = None
    """The second of two files; since version 1.2. Of a conversion its digest is that of what was read of it."""
    engine: headers.Implementation | None = None
    """What runs the file of a conversion itself, and was asked about the witnesses; since version 1.3."""
    compared: tuple[AuditedComponent, ...] = ()
    """The components of which a conversion says something; since version 1.3."""
    unsaid: tuple[str, ...] = ()
    """What more was not compared of a conversion; since version 1.3."""


class NotLoaded(Line, frozen=True, kw_only=True, tag="not_loaded"):
    """A loader loads the tokenizer not; unsupported: it says that it has no way to."""

    tokenizer: str
    loader: str
    loader_version: str
    reason: str
    unsupported: bool


class Token(Value, frozen=True, kw_only=True):
    role: str
    content: str
    id: int | None


class Defaults(Value, frozen=True, kw_only=True):
    """What the loader's object keeps beside the pipeline; null: none, or no limit."""

    loader: str
    special_tokens: tuple[Token, ...]
    settings: dict[str, str | int | bool | tuple[str, ...] | None]


class Loaded(Line, frozen=True, kw_only=True, tag="loaded"):
    """What a loader has loaded.

    no_structure says why components cannot be compared, and is empty where they were.
    """

    tokenizer: str
    loader: str
    loader_version: str
    files: tuple[str, ...]
    defaults: Defaults | None
    no_structure: str


class DifferenceChange(Value, frozen=True, kw_only=True):
    """JSON texts, cut where they are long; null where there is nothing."""

    path: str
    raw: str | None
    loaded: str | None


class Witness(Value, frozen=True, kw_only=True):
    """What shows the difference, where anything was ``found``; of the defaults of a call, without a search.

    The smallest question that the file (``raw``) answers otherwise once this alone is replaced in it (``replaced``),
    and the loader's own answer (``loaded``). Of defaults: what a ``call`` without options gives, beside the encoding
    of the file. Where nothing was found: among how many ``inputs``, and the ``reason`` why none could be asked about.
    """

    found: bool
    inputs: Count | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    question: answers.Question | UnsetType = UNSET
    difference: answers.DifferenceOfSides | UnsetType = UNSET
    raw: answers.Outcome | UnsetType = UNSET
    call: dict[str, tuple[int, ...]] | UnsetType = UNSET
    replaced: answers.Outcome | UnsetType = UNSET
    loaded: answers.Outcome | UnsetType = UNSET
    confirmation: Literal["same", "other", "hidden", "not_shown"] | UnsetType = UNSET


class Impact(Value, frozen=True, kw_only=True):
    """How many inputs the difference touches when it alone is made."""

    inputs: Count
    ids: Count
    any: Count


AuditedStage = Literal["normalize", "pre_tokenize", "model", "post_process", "decode", "load"]


class Difference(Line, frozen=True, kw_only=True, tag="difference"):
    """One component that the loader has otherwise, or a default that says another thing than the file."""

    tokenizer: str
    loader: str
    loader_version: str
    component: AuditedComponent
    name: str
    """The component with the option or flag; the entry of a ledger names it as its input."""
    stage: AuditedStage
    words: str
    changes: tuple[DifferenceChange, ...]
    """The first places."""
    count: Count
    """How many places there are."""
    witness: Witness
    impact: Impact | None
    known: headers.NamedEntry | None


class Finding(Value, frozen=True, kw_only=True):
    stage: Stage
    inputs: Count
    question: answers.Question
    difference: answers.DifferenceOfSides
    raw: answers.Outcome
    loaded: answers.Outcome
    known: headers.NamedEntry | UnsetType = UNSET
    """The entry of a ledger by which it is known; since version 1.1."""


class Answers(Line, frozen=True, kw_only=True, tag="answers"):
    """The outcome of the answers about all inputs.

    Explained are those that differ as the pipeline that was loaded gives them, findings are of the others.
    """

    tokenizer: str
    loader: str
    loader_version: str
    inputs: Count
    values: Count
    differing: Count
    explained: Count
    findings: tuple[Finding, ...]


class Texts(Line, frozen=True, kw_only=True, tag="texts"):
    """Of two files, the inputs that get other answers; since version 1.2."""

    tokenizer: str
    loader: str
    encoded: Count
    """How many of the inputs that were tried have other ids: some of each way in which inputs differ."""
    examples: tuple[str, ...]
    """The first of these, cut where they are long."""
    exchanged: Exchanged | None
    """Which parts of the files carry the difference in the answers; null where none differ."""


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    audited: Count
    differing: Count
    differences: Count
    witnessed: Count
    known: Count
    stale: tuple[headers.NamedEntry, ...]


FORMAT = Format(
    name="tokenizer-conformance-audit",
    version="1.3",
    file="audit-1.json",
    description=(
        "A record is a header; for each tokenizer and loader what was loaded, or why it was not, each difference, "
        "and the result of the answers; and a footer. A record without a footer is that of a command that was "
        "killed."
    ),
    lines=Header
    | headers.ImplementationMissing
    | headers.Refused
    | NotLoaded
    | Loaded
    | Difference
    | Answers
    | Texts
    | Footer,
)
