"""Write the files of the suite: what the recipes of ``tools/requirements/`` ask, with the answers that are expected.

    python tools/generate_requirements.py [MODULE…] [--quick]

An answer is written only where the reference and ``tokenizers`` (the pinned version) give it independently of each
other; to conversations, the target is ``transformers``. Where they do not agree, where a case would pass for an
implementation that does nothing, or where a recipe is not in order, nothing is written and every fault is said: exit
status 1. Older releases of ``tokenizers`` are asked too, each in an environment of its own (``releases.py``), and every
case says which of them agree. ``--quick`` leaves them out and writes nothing; MODULEs restrict it to their areas (and
write those only).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from releases import ROOT, ReleaseError, release_of_tokenizers
from requirements import MODULES, areas

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Failed,
    Normalize,
    Subject,
    Text,
    Value,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_adapters.transformers import TransformersImplementation
from tokenizer_conformance.validation.suite.export import area_text
from tokenizer_conformance.validation.suite.judging import CaseVerdict, first_parting
from tokenizer_conformance.validation.suite.null_implementations import NULL_IMPLEMENTATIONS
from tokenizer_conformance.validation.suite.reader import (
    ERROR,
    EXPECTED,
    FORMAT,
    INDEX,
    REFUSED,
    area_of,
    observation_of,
    value_form,
)
from tokenizer_conformance.validation.suite.requirement import CaseInPlace, Document, Feature, Place, Suite
from tokenizer_conformance.validation.suite.running import Documents, results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from requirements.recipe import Area as AreaRecipe
    from requirements.recipe import CaseRecipe, Question, RequirementRecipe

OUTPUT = ROOT / "conformance" / "tokenizer_conformance" / "validation" / "suite" / "requirements"

TARGET = "0.23.3"
OLDER = ("0.15.2", "0.19.1", "0.20.3", "0.21.4", "0.22.2")
"""The releases of ``tokenizers`` that are asked beside the target, the oldest first."""

ID = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")


class Faults:
    """What is wrong with the recipes, gathered so that all of it can be said at once."""

    def __init__(self) -> None:
        self._said: list[str] = []

    def say(self, place: str, what: str) -> None:
        """Remember that ``what`` is wrong at ``place``."""
        self._said.append(f"{place}: {what}")
        print(f"{place}: {what}", file=sys.stderr)

    def __bool__(self) -> bool:
        return bool(self._said)

    def __len__(self) -> int:
        return len(self._said)


# Questions, and what both sides answer -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sides:
    """A tokenizer, loaded by the reference and by the target."""

    reference: Subject
    target: Subject
    document: Document

    def has(self, stage: str) -> bool:
        """Return whether the tokenizer has a component at ``stage``."""
        return self.document.get(stage) is not None

    @property
    def adds_anything(self) -> bool:
        """Whether encoding with special tokens can differ from encoding without them."""
        return any(self.has(name) for name in ("post_processor", "truncation", "padding"))

    @property
    def skips_anything(self) -> bool:
        """Whether decoding that skips special tokens can differ from decoding that keeps them."""
        return any(token.get("special") for token in self.document.get("added_tokens", ()))


class DisagreementError(Exception):
    """The reference and the target answer a question in different ways, or neither can be asked."""


def steps_of(questions: Iterable[Question], sides: Sides) -> list[dict[str, Any]]:
    """Return the steps for ``questions``: what is asked, with what both sides answer.

    Raises :class:`DisagreementError`.
    """
    steps: list[dict[str, Any]] = []
    for question in questions:
        asked = completed(question, steps, sides)
        if asked is not None:
            steps.append({**asked, EXPECTED: expected(asked, sides, as_text=question.of == "text")})
    return steps


def completed(question: Question, steps: Sequence[dict[str, Any]], sides: Sides) -> dict[str, Any] | None:
    """Return what ``question`` asks once the earlier ``steps`` are known; ``None`` where it does not arise."""
    asked = dict(question.asked)
    match question.of:
        case "normalizer":
            return asked if sides.has("normalizer") else None
        case "normalized":
            if not sides.has("pre_tokenizer"):
                return None
            normalized = sides.reference.observe(Normalize(asked["text"]))
            return {**asked, "text": normalized.text} if isinstance(normalized, Text) else None
        case "special":
            return asked if sides.adds_anything else None
        case "ids":
            return with_ids(asked, steps, sides)
        case _:
            return asked


def with_ids(asked: dict[str, Any], steps: Sequence[dict[str, Any]], sides: Sides) -> dict[str, Any] | None:
    """Return ``asked`` about the ids of the last encoding; ``None`` where there is none, or nothing new to see."""
    encodings = [step[EXPECTED] for step in steps if step["ask"] == "encode"]
    if not encodings or "ids" not in encodings[-1] or (asked["skip_special_tokens"] and not sides.skips_anything):
        return None
    return {"ask": asked["ask"], "ids": encodings[-1]["ids"], "skip_special_tokens": asked["skip_special_tokens"]}


def expected(asked: dict[str, Any], sides: Sides, *, as_text: bool) -> dict[str, Any]:
    """Return what both sides answer to ``asked``; a file ``as_text`` is its text, and else its value.

    Raises :class:`DisagreementError`.
    """
    ours, theirs = (answer(asked, side, as_text=as_text) for side in (sides.reference, sides.target))
    parting = first_parting(theirs, ours)
    if parting is not None:
        raise DisagreementError(f"{json.dumps(asked)}: the reference's answer is not that of the target: {parting}")
    return theirs


def answer(asked: dict[str, Any], subject: Subject, *, as_text: bool) -> dict[str, Any]:
    """Return what ``subject`` answers to ``asked``, in the form of the files."""
    match asked["ask"]:
        case "vocabulary":
            vocabulary = subject.vocabulary()
            assert isinstance(vocabulary, dict)
            # The target gives it in another order each time.
            return {"vocabulary": dict(sorted(vocabulary.items(), key=lambda pair: (pair[1], pair[0])))}
        case "save":
            written = subject.saved()  # type: ignore[attr-defined]
            return {"text": written} if as_text else {"document": json.loads(written)}
        case _:
            outcome = subject.observe(observation_of(asked))
            if isinstance(outcome, Failed | Crashed):
                return ERROR
            if not isinstance(outcome, Value):
                raise DisagreementError(f"{json.dumps(asked)}: {outcome}")
            return value_form(outcome)


# Areas ---------------------------------------------------------------------------------------------------------------


class Writer:
    """Turns recipes into the content of files; what is wrong with them goes to ``faults``."""

    def __init__(self, faults: Faults, folder: Path) -> None:
        self._faults = faults
        self._reference = Documents(ReferenceImplementation(), folder / "reference")
        self._target = Documents(TokenizersImplementation(), folder / "target")
        self._renderer = Documents(TransformersImplementation(), folder / "renderer")
        for name in ("reference", "target", "renderer"):
            (folder / name).mkdir()
        self._ids: Counter[str] = Counter()

    def area(self, recipe: AreaRecipe) -> dict[str, Any]:
        """Return the content of the file of ``recipe``, with what the target answers."""
        tokenizers = Names()
        requirements = [self._requirement(recipe, each, tokenizers) for each in recipe.requirements]
        if not requirements:
            self._faults.say(recipe.name, "has no requirement")
        return {
            "format": FORMAT,
            "generator": "tools/generate_requirements.py",
            "area": recipe.name,
            "title": recipe.title,
            "stage": recipe.stage,
            "about": recipe.about,
            "tokenizers": tokenizers.documents,
            **({"configurations": tokenizers.configurations} if tokenizers.configurations else {}),
            "requirements": requirements,
        }

    def _requirement(self, area: AreaRecipe, recipe: RequirementRecipe, tokenizers: Names) -> dict[str, Any]:
        place = f"{area.name}: {recipe.id}"
        self._ids[recipe.id] += 1
        if not ID.fullmatch(recipe.id) or self._ids[recipe.id] > 1:
            self._faults.say(place, "an id is unique, and of capital letters, digits and single hyphens")
        for feature in sorted(set(recipe.features) - set(Feature)):
            self._faults.say(place, f"{feature!r} is no feature; choose from {', '.join(Feature)}")
        if bool(recipe.cases) is bool(recipe.not_asked):
            self._faults.say(place, "has either cases, or a reason why it has none")
        cases = [
            case
            for number, each in enumerate(recipe.cases, 1)
            if (case := self._case(f"{place}[{each.name or number}]", each, str(number), tokenizers)) is not None
        ]
        not_asked = {"not_asked": recipe.not_asked} if recipe.not_asked else {}
        return {
            "id": recipe.id,
            "title": recipe.title,
            "rule": recipe.rule,
            "why": recipe.why,
            "links": list(recipe.links),
            "features": [feature for feature in recipe.features if feature in set(Feature)],
            "importance": recipe.importance,
            "since": None,
            "until": None,
            **not_asked,
            "cases": cases,
        }

    def _case(self, place: str, recipe: CaseRecipe, number: str, tokenizers: Names) -> dict[str, Any] | None:
        asked = [question for question in recipe.questions if question.asked["ask"] != "load"]
        target = self._target if recipe.configuration is None else self._renderer
        try:
            sides = Sides(
                self._reference.load("case", recipe.tokenizer, recipe.configuration),
                target.load("case", recipe.tokenizer, recipe.configuration),
                recipe.tokenizer,
            )
            steps = steps_of(asked, sides)
        except (CannotLoadError, DisagreementError) as error:
            self._faults.say(place, str(error))
            return None
        for question in recipe.questions:
            if question.asked["ask"] == "load":
                self._is_refused(place, question.asked["tokenizer"])
                steps.append({**question.asked, EXPECTED: REFUSED})
        if not steps:
            self._faults.say(place, "asks nothing of this tokenizer")
            return None
        name = tokenizers.name_of(recipe.tokenizer, recipe.configuration)
        releases = [TARGET] if target is self._target else []
        return {"name": recipe.name or number, "tokenizer": name, "releases": releases, "steps": steps}

    def _is_refused(self, place: str, document: Document) -> None:
        for side, documents in (("the reference", self._reference), ("tokenizers", self._target)):
            try:
                documents.load("case", document)
            except CannotLoadError:
                continue
            self._faults.say(place, f"{side} loads a file that is to be refused: {json.dumps(document)[:400]}")


class Names:
    """Names for the tokenizers of an area, each of which is written once, with the configuration beside it."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.configurations: dict[str, Document] = {}
        self._names: dict[str, str] = {}

    def name_of(self, document: Document, configuration: Document | None) -> str:
        """Return the name of ``document`` with ``configuration``, a new one where both were not seen before."""
        key = json.dumps([document, configuration])
        if key not in self._names:
            name = self._names[key] = f"t{len(self._names) + 1}"
            self.documents[name] = document
            if configuration is not None:
                self.configurations[name] = configuration
        return self._names[key]


def check_null_implementations(files: Sequence[dict[str, Any]], faults: Faults) -> None:
    """Say which cases an implementation passes that does nothing right."""
    suite = Suite(tuple(map(area_of, files)))
    for implementation in NULL_IMPLEMENTATIONS:
        for result in results_of(suite.cases(), implementation):
            if result.verdict is CaseVerdict.PASSED:
                faults.say(
                    f"{result.judged.area.name}: {result.judged.id}",
                    f"passes for {implementation.info.name!r}, which does nothing right: add a question to the case",
                )


def check_right_implementation(files: Sequence[dict[str, Any]], faults: Faults) -> None:
    """Say which cases the reference does not pass, or cannot show what their requirement needs."""
    suite = Suite(tuple(map(area_of, files)))
    for result in results_of(suite.cases(), ReferenceImplementation()):
        if result.verdict is not CaseVerdict.PASSED:
            missing = result.reason or "its answers are not those expected"
            faults.say(
                f"{result.judged.area.name}: {result.judged.id}", f"{result.verdict} for the reference: {missing}"
            )


# Older releases ------------------------------------------------------------------------------------------------------


def passed_in(release: str, suite: Suite) -> set[str]:
    """Return the cases that ``release`` passes, by area and id; no release is started for a suite without any."""
    if not suite.areas:
        return set()
    with release_of_tokenizers(release) as implementation:
        return {
            key_of(result.judged)
            for result in results_of(suite.cases(), implementation)
            if result.verdict is CaseVerdict.PASSED
        }


def key_of(case: CaseInPlace) -> str:
    """Return what names ``case`` in all areas."""
    return f"{case.area.name} {case.id}"


def record_releases(files: Sequence[dict[str, Any]]) -> None:
    """Write into ``files`` which releases agree with each case, and since when a requirement holds.

    No release renders conversations, so these are left as they are.
    """
    files = [file for file in files if file["stage"] != Place.CHAT]
    suite = Suite(tuple(map(area_of, files)))
    with ThreadPoolExecutor(max_workers=2) as threads:
        passed = dict(zip(OLDER, threads.map(lambda release: passed_in(release, suite), OLDER), strict=True))
    for file in files:
        for requirement in file["requirements"]:
            for case in requirement["cases"]:
                key = f"{file['area']} {requirement['id']}/{case['name']}"
                case["releases"] = [release for release in OLDER if key in passed[release]] + [TARGET]
            before = versions_before(file["area"], requirement)
            requirement.update(before or {"since": since(requirement["cases"])})


def versions_before(area: str, requirement: dict[str, Any]) -> dict[str, Any] | None:
    """Return what ``requirement_versions.py`` wrote of a requirement that asks the same as before, else ``None``."""
    path = OUTPUT / f"{area}.json"
    before = json.loads(path.read_text("ascii"))["requirements"] if path.exists() else []
    for each in before:
        if each["id"] == requirement["id"] and asked_of(each) == asked_of(requirement):
            return {key: each[key] for key in ("since", "not_in", "refused_before") if key in each}
    print(
        f"{requirement['id']}: asks something new; run tools/requirement_versions.py, which asks every release about it"
    )
    return None


def asked_of(requirement: dict[str, Any]) -> list[Any]:
    """Return the steps of the cases of ``requirement``."""
    return [case["steps"] for case in requirement["cases"]]


def since(cases: Sequence[dict[str, Any]]) -> str | None:
    """Return the first release from which on all ``cases`` hold; ``None`` where the oldest one asked has them all."""
    if not cases:
        return None
    first = TARGET
    for release in reversed(OLDER):
        if not all(release in case["releases"] for case in cases):
            return first
        first = release
    return None


# Files ---------------------------------------------------------------------------------------------------------------


def index_of(files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the index: the areas in their order, and every id that was ever given, with those that are retired."""
    index = OUTPUT / INDEX
    before = json.loads(index.read_text("ascii")) if index.exists() else {}
    ids = [requirement["id"] for file in files for requirement in file["requirements"]]
    return {
        "format": FORMAT,
        "generator": "tools/generate_requirements.py",
        "areas": [file["area"] for file in files],
        "ids": sorted({*before.get("ids", ()), *ids}),
        "retired": before.get("retired", {}),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"one of {', '.join(MODULES)}; all without any")
    parser.add_argument("--quick", action="store_true", help="leave the older releases out, and write nothing")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.modules) - set(MODULES)):
        parser.error(f"no such module: {', '.join(unknown)}; choose from {', '.join(MODULES)}")
    os.environ["RUST_BACKTRACE"] = "0"
    faults = Faults()
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(faults, Path(folder))
        files = [writer.area(recipe) for recipe in areas(tuple(given.modules) or MODULES)]
    check_null_implementations(files, faults)
    check_right_implementation(files, faults)
    cases = sum(len(requirement["cases"]) for file in files for requirement in file["requirements"])
    count = sum(len(file["requirements"]) for file in files)
    print(f"{len(files)} areas, {count} requirements, {cases} cases, {len(faults)} faults")
    if faults or given.quick:
        return 1 if faults else 0
    try:
        record_releases(files)
    except ReleaseError as error:
        print(f"generate_requirements: {error}; nothing was written", file=sys.stderr)
        return 1
    OUTPUT.mkdir(exist_ok=True)
    for file in files:
        (OUTPUT / f"{file['area']}.json").write_text(area_text(file), encoding="ascii")
    if not given.modules:
        (OUTPUT / INDEX).write_text(json.dumps(index_of(files), indent=1) + "\n", encoding="ascii")
        for stale in (
            set(OUTPUT.glob("*.json")) - {OUTPUT / f"{file['area']}.json" for file in files} - {OUTPUT / INDEX}
        ):
            stale.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
