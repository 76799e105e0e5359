"""Releases that agree on whole texts and cut them otherwise: each tokenizer is asked with truncation as well."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fake_releases import PACKAGE, compared, plan_of, steps
from snapshots import named, of_type

from tokenizer_adapters.contract import Encode, Normalize, Text
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.releases.versions.events import lines_of
from tokenizer_conformance.releases.versions.facts import Release
from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
from tokenizer_conformance.releases.versions.page import VERSIONS
from tokenizer_conformance.releases.versions.truncated import MARK, TRUNCATION, shows_truncation, truncated_files
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.results.records.ending import Ended

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, ImplementationInfo, Observation, Outcome, TokenizerSource
    from tokenizer_conformance.releases.versions.events import StepFinished
    from tokenizer_conformance.results.page import Page

LONG = " ".join("abcdefghijklmnopqrstuvwxyz")
TEXTS = (LONG, "a b c", f"{LONG} {LONG[::-1]}", "x y")
MOST = TRUNCATION["max_length"]
NAME = "bert-mini"


class Subject:
    """Answers as ``inner``; of a file that truncates, ``cut`` is what it tokenizes of a text."""

    def __init__(self, inner: Any, cut: Callable[[str], str]) -> None:
        self._inner, self._cut = inner, cut

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def observe(self, question: Observation) -> Outcome:
        if isinstance(question, Encode) and isinstance(question.text, str) and not isinstance(question.pair, tuple):
            pair = None if question.pair is None else self._cut(question.pair)
            question = replace(question, text=self._cut(question.text), pair=pair)
        outcome: Outcome = self._inner.observe(question)
        return outcome


class AsRelease:
    """The installed ``tokenizers`` as the release ``version``; ``cut`` is what it tokenizes of what truncates."""

    def __init__(self, version: str, cut: Callable[[str], str]) -> None:
        self._implementation: Implementation = select("tokenizers", Isolation()).build()
        self._version, self._cut = version, cut

    @property
    def info(self) -> ImplementationInfo:
        return replace(self._implementation.info, name=f"{PACKAGE}=={self._version}", version=self._version)

    def load(self, source: TokenizerSource) -> Subject:
        is_cut = json.loads(Path(source.file).read_text("utf-8"))["truncation"] is not None
        return Subject(self._implementation.load(source), self._cut if is_cut else str)


def early(text: str) -> str:
    """Return the words that are tokenized where that stops early: each letter of the texts here is one token."""
    return " ".join(text.split(" ")[:MOST])


def far_too_early(text: str) -> str:
    return text[:9]


def releases(*cuts: tuple[str, Callable[[str], str]]) -> tuple[Release, ...]:
    made = [AsRelease(*cut) for cut in cuts]
    return tuple(Release(each.info.name, each.info.version, each) for each in made)


def events_of(
    folder: Path,
    *cuts: tuple[str, Callable[[str], str]],
    is_asked: bool = True,
    names: tuple[str, ...] = (NAME,),
    **options: Any,
) -> list[Any]:
    files = [read_tokenizer(find_tokenizer(name)) for name in names]
    copies = tuple(truncated_files(files, folder)) if is_asked else ()
    plan = plan_of(releases(*cuts), files, folder, named(TEXTS), truncated=copies, **options)
    words = {each.source.name: each.source.file for each in plan.asked}
    return compared(replace(plan, words=words))


def page_of(events: list[Any]) -> Page:
    lines = [line for event in events for line in lines_of(event)]
    reader = VERSIONS.reader("", lines[0])
    for line in lines[1:]:
        reader.take(line)
    footer: Any = lines[-1]
    return reader.page(Ended(footer.finished, footer.conclusion))


TAKEN_BACK = (("0.22.2", str), ("0.23.1", early), ("0.23.3", str))


@pytest.fixture(scope="module")
def taken_back(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return events_of(tmp_path_factory.mktemp("snapshots"), *TAKEN_BACK, cause_seconds=60.0)


def explained(step: StepFinished) -> set[tuple[str, str]]:
    return {(known.id, known.when) for cause in step.causes for known in cause.explained_by or ()}


def test_truncation_that_stops_early_is_seen_and_explained_both_ways(taken_back: list[Any]) -> None:
    came, went = steps(taken_back)
    assert came.inputs == went.inputs > 0
    assert came.is_new
    assert came.without_cause == came.uncounted == 0
    assert all(cause.explained_by and cause.inputs == came.inputs for cause in (*came.causes, *went.causes))
    (cause,) = came.causes
    assert cause.repeat.startswith(f"tokconf run {cause.witness.source.file} -i {came.old} {came.new} ")
    assert " --ask " in cause.repeat
    assert explained(came) == {("truncation-stops-early", f"since {PACKAGE} 0.23.1")}
    assert explained(went) == {("truncation-stops-early", f"no longer so since {PACKAGE} 0.23.3")}
    assert [each.id for each in came.not_shown if each.id == "truncation-stops-early"] == []


def test_without_truncation_these_releases_are_the_same(tmp_path: Path) -> None:
    for step in steps(events_of(tmp_path, *TAKEN_BACK, is_asked=False)):
        assert not step.inputs
        assert [each.could_show for each in step.not_shown if each.id == "truncation-stops-early"] == [True]


def test_the_page_says_it_with_truncation_alone(taken_back: list[Any]) -> None:
    page = page_of(taken_back)
    _, steps_, pairs, *_ = page.matrices
    assert steps_.columns == (NAME, f"{NAME}{MARK}")
    assert [[cell.state for cell in cells] for _, cells in steps_.rows] == [[State.AGREE, State.KNOWN]] * 2
    assert [cell.state for cell in pairs.rows[0][1]][1:] == [State.KNOWN, State.AGREE]
    assert {each.standing for each in page.findings} == {Novelty.EXPLAINED}
    assert page.state is State.KNOWN
    whole, (last,) = page.headline, [each for each in page.said if each.startswith("From ")]
    assert "ids change" in last
    assert "none of 4 built-in inputs" in last
    assert f"with truncation ({MOST} tokens, stride 2), what is cut off changes as well on " in last
    assert "to do: check what reads the windows of long texts" in last
    assert "with truncation (16 tokens, stride 2) nothing else changes" in whole
    assert "to do: nothing" in whole


def test_every_cell_leads_to_what_changed(tmp_path: Path) -> None:
    page = page_of(events_of(tmp_path, *TAKEN_BACK, names=(NAME, "gpt2-mini"), cause_seconds=60.0))
    led = [cell for _, cells in page.matrices[1].rows for cell in cells if cell.of]
    assert len(led) == 4
    for cell in led:
        assert [each for each in page.findings if all(getattr(each, key) == cell.of[key] for key in cell.of)]


def test_truncation_that_no_known_change_explains_is_new(tmp_path: Path) -> None:
    (step,) = steps(events_of(tmp_path, ("0.22.2", str), ("0.23.1", far_too_early), cause_seconds=60.0))
    assert step.inputs
    assert step.causes
    assert not any(cause.explained_by for cause in step.causes)


def test_what_the_tokenizer_shows_by_itself_is_told_once(tmp_path: Path) -> None:
    file = read_tokenizer(find_tokenizer(NAME))
    old, new = (AsRelease(version, early) for version in ("0.22.2", "0.23.1"))
    always = AsRelease("0.23.1", early)
    always.load = lambda source: Subject(old._implementation.load(source), lambda text: text[:40])  # type: ignore[method-assign]
    both = (Release(old.info.name, "0.22.2", old), Release(new.info.name, "0.23.1", always))
    copies = tuple(truncated_files((file,), tmp_path))
    plan = plan_of(both, (file,), tmp_path, named((LONG, f"{LONG} z")), truncated=copies)
    found = of_type(
        compared(replace(plan, words={each.source.name: each.source.file for each in plan.asked})), TokenizerMatrix
    )
    assert [sum(each.inputs.values()) for each in found] == [2, 0]


class LeavesLetters(AsRelease):
    """Leaves letters of Unicode 16.0 and 17.0 as they are."""

    def load(self, source: TokenizerSource) -> Subject:
        subject = super().load(source)
        answer = subject.observe
        subject.observe = lambda question: (  # type: ignore[method-assign]
            Text(question.text) if isinstance(question, Normalize) else answer(question)
        )
        return subject


def test_a_change_that_shows_beside_another_is_not_called_not_asked(tmp_path: Path) -> None:
    file = read_tokenizer(find_tokenizer(NAME))
    sides = (LeavesLetters("0.19.1", str), AsRelease("0.22.2", str))
    both = tuple(Release(each.info.name, each.info.version, each) for each in sides)
    letters = {"lowercase-of-unicode-16", "lowercase-of-unicode-17"}
    for texts, shown in ((("\ua7dc", "\U00016ea0"), letters), (("a", "b"), set())):
        (step,) = steps(compared(plan_of(both, (file,), tmp_path, named(texts))))
        assert letters - {each.id for each in step.not_shown} == shown
        assert {each.could_show for each in step.not_shown if each.id in letters} <= {True}


def test_copies_are_the_file_with_truncation_and_are_kept(tmp_path: Path) -> None:
    file = read_tokenizer(find_tokenizer(NAME))
    (copy,) = truncated_files((file,), tmp_path)
    document = json.loads(Path(copy.source.file).read_text("utf-8"))
    assert document == {**json.loads(bundled_file(NAME).read_text("utf-8")), "truncation": TRUNCATION}
    assert (*truncated_files((file,), tmp_path),) == (copy,)
    assert list(tmp_path.iterdir()) == [Path(copy.source.file)]
    assert read_tokenizer(copy.source).sha256 == copy.sha256
    (tmp_path / "other.json").write_text("[]", "utf-8")
    assert not [
        *truncated_files((replace(file, source=replace(file.source, file=str(tmp_path / "other.json"))),), tmp_path)
    ]


def test_pairs_are_asked_while_their_parts_are_few() -> None:
    assert shows_truncation(Encode(LONG[:20], LONG[:20]))
    assert not shows_truncation(Encode(LONG, LONG))
    assert not shows_truncation(Encode(LONG, add_special_tokens=False))
