"""Small suites and scripted implementations for tests of the suite: each test says what is asked and answered."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    AddTokens,
    After,
    CannotLoadError,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Field,
    ImplementationInfo,
    NewToken,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    Shows,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.suite.plan import SuitePlan
from tokenizer_conformance.validation.suite.reader import EXPECTED, FORMAT, Register, asked_of, suite_of, value_form
from tokenizer_conformance.validation.suite.requirement import (
    FileRefused,
    FileWritten,
    Observed,
    RaisesError,
    TextWritten,
    VocabularyShown,
)
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource
    from tokenizer_conformance.validation.suite.requirement import Suite

Json = dict[str, Any]

TOY_DOCUMENT: Json = {"model": {"type": "Toy"}}
WHOLE = Encoded(
    ids=(1, 2),
    tokens=("a", "b"),
    offsets=((0, 1), (1, 2)),
    word_ids=(0, None),
    type_ids=(0, 0),
    attention_mask=(1, 1),
    special_tokens_mask=(0, 0),
    sequence_ids=(0, None),
    overflowing=(),
)
"""An encoding that has every field."""


EVERY_STEP = (
    Observed(Normalize("É\ud800"), Text("e\x00")),
    Observed(PreTokenize("a b"), Pieces((("a", (0, 1)), ("b", (2, 3))))),
    Observed(Encode("ab", None, add_special_tokens=False), WHOLE),
    Observed(Encode(("a",), ("b", "c")), WHOLE),
    Observed(Encode("a", "b"), RaisesError()),
    Observed(EncodeBatch((Encode("a"), Encode("b", "c"))), EncodedBatch((WHOLE, WHOLE))),
    Observed(Decode((1, 2), skip_special_tokens=False), Text("a b")),
    Observed(DecodeStream((1, 2)), Chunks(("a", None))),
    Observed(Chat("[]", "[]", continue_final_message=True, template="t"), Rendered("a", (1,))),
    Observed(Chat("[]", add_generation_prompt=True), RaisesError()),
    Observed(
        After((AddTokens((NewToken("x", lstrip=True),), special=True), EncodeSpecialTokens(True)), Encode("a")), WHOLE
    ),
    VocabularyShown({"a": 0, "\ud800": 1}),
    FileWritten({"model": {"type": "BPE"}, "version": "1.0"}),
    TextWritten('{"version":"1.0","model":{"type":"BPE"}}'),
    FileRefused({"model": None}),
)
"""A step of every form."""


def step(observation: Observation, expected: Json) -> Json:
    return {**asked_of(observation), EXPECTED: expected}


def toy_step(observation: Observation) -> Json:
    """A step that the toy answers as is expected."""
    return step(observation, value_form(fakes.ToySubject().observe(observation)))


def case(*steps: Json, name: str = "1") -> Json:
    return {"name": name, "tokenizer": "t1", "releases": ["0.23.3"], "steps": list(steps)}


def requirement(id_: str, *cases: Json, **changes: Any) -> Json:
    return {
        "id": id_,
        "title": f"The title of {id_}",
        "rule": "A rule is a sentence.",
        "why": "Ports forget it.",
        "links": [],
        "features": [],
        "importance": "core",
        "since": None,
        "until": None,
        "cases": list(cases),
    } | changes


def area(*requirements: Json, name: str = "normalizers.Toy", stage: str = "normalize") -> Json:
    return {
        "format": FORMAT,
        "generator": "by hand",
        "area": name,
        "title": "Toy",
        "stage": stage,
        "about": "A toy.",
        "tokenizers": {"t1": TOY_DOCUMENT},
        "requirements": list(requirements),
    }


def files_of(*areas: Json) -> dict[str, Json]:
    return {f"{each['area']}.json": each for each in areas}


def suite_with(*requirements: Json, **changes: str) -> Suite:
    return suite_of(files_of(area(*requirements, **changes)))


def register_of(suite: Suite) -> Register:
    return Register(tuple(requirement.id for _, requirement in suite.requirements()), {})


TOY_FILES = files_of(
    area(
        requirement(
            "TOY-LOWERCASE",
            case(toy_step(Normalize("aB"))),
            case(toy_step(Normalize("Bc")), toy_step(Encode("aBc", None, add_special_tokens=False)), name="2"),
            features=["normalize"],
        ),
        requirement("TOY-OTHER-LETTERS", case(toy_step(Normalize("AxC"))), importance="edge"),
    ),
    area(
        requirement("TOY-MERGES", case(toy_step(Encode("abc bc", None, add_special_tokens=False)))),
        requirement("TOY-SPECIAL", case(toy_step(Encode("abc")), toy_step(Encode("a", "b"))), features=["pair"]),
        name="models.Toy",
        stage="model",
    ),
)
"""What the toy does right, in two areas: four requirements, five cases."""


def toy_suite() -> Suite:
    return suite_of(TOY_FILES)


def plan_of(suite: Suite, /, *implementations: Any, **changes: Any) -> SuitePlan:
    wanted = changes.pop("wanted", Wanted())
    plan = {
        "implementations": implementations,
        "words": {},
        "unavailable": (),
        "cases": chosen_cases(suite, wanted),
        "wanted": wanted,
        "fields": None,
        "max_fail": 0,
        "ledger": Ledger(),
        "every_requirement": True,
        "command": ("tokconf", "suite", "run"),
    }
    return SuitePlan(**(plan | changes))


class Deadly(fakes.Toy):
    """Takes its process down over one question: the last but one of the toy's suite."""

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        def observe(self, observation: Observation) -> Outcome:
            if observation == Encode("abc"):
                os.kill(os.getpid(), signal.SIGKILL)
            return super().observe(observation)


class Buggy(fakes.Toy):
    """Raises what no adapter may raise over the same question."""

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        def observe(self, observation: Observation) -> Outcome:
            if observation == Encode("abc"):
                raise TypeError("a bug")
            return super().observe(observation)


@dataclass
class Scripted:
    """Gives ``answers`` by question, everything else is unsupported; refuses documents with a field "bad"."""

    answers: Mapping[Observation, Outcome]
    tokens: dict[str, int] | Unsupported = field(default_factory=lambda: Unsupported("shows no vocabulary"))
    file: Any = field(default_factory=lambda: Unsupported("saves nothing"))
    refusal: CannotLoadError | None = None
    refuses_all: bool = False
    unit: OffsetUnit = OffsetUnit.CODE_POINTS
    shows: Shows | None = None
    name: str = "scripted"

    STAGES: ClassVar[frozenset[Stage]] = frozenset(PIPELINE_STAGES)

    @property
    def info(self) -> ImplementationInfo:
        fields = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})
        return ImplementationInfo(self.name, "1.0", "Python", "", self.STAGES, fields, self.unit, "")

    def load(self, source: TokenizerSource) -> Scripted:
        document = json.loads(Path(source.file).read_text("ascii"))
        if self.refusal is not None and (self.refuses_all or "bad" in document):
            raise self.refusal
        return self

    def observe(self, observation: Observation) -> Outcome:
        return self.answers.get(observation, Unsupported("is not scripted"))

    def vocabulary(self) -> dict[str, int] | Unsupported:
        return self.tokens

    def saved(self) -> Any:
        return self.file
