"""Comparisons of releases as pages: each change once, what explains it, and what breaks for whom upgrades."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from fake_releases import Between, compared, plan_of, released
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, write

from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.versions.events import lines_of as typed_lines
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.results.plots.plot import Bars
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.page import Page

KINDS = (fakes.Toy, fakes.Toy, fakes.LossyDecode, fakes.CannotLoad, fakes.Crashing, fakes.SwappedMerge)
"""What each release is from 1.0 on."""


class Numbers:
    """A section in which facts come, go, and change; 3.0 has none."""

    name = "numbers"
    title = "numbers"

    def facts(self, release: Any, _tokenizers: Any) -> Mapping[str, Fact]:
        if release.version == "3.0":
            raise NoFactsError("it cannot count")
        both = {name: Fact(f"{release.version}!", "shown") for name in ("both", "both of them")}
        return {release.version: Fact("1"), **both, "n": Fact("", is_stable=False)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, toy_tokenizer: Path) -> str:
    """Return the record of a comparison in which everything happens that a record has lines for."""
    plan = plan_of(
        released(*KINDS),
        (read_tokenizer(find_tokenizer(str(toy_tokenizer))),),
        tmp_path_factory.mktemp("snapshots"),
        cause_seconds=60.0,
        refusals=(Rejected("tokenizer", "gone", "it is not there"),),
        sections=(Numbers(),),
        between=Between(),
    )
    lines = (json_of(line) for event in compared(plan) for line in typed_lines(event))
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def record(made: str, tmp_path: Path) -> Path:
    path = tmp_path / "versions.jsonl"
    path.write_text(made, "utf-8")
    return path


def steps_of(record: Path) -> list[dict[str, Any]]:
    return [line for line in lines_of(record) if line["type"] == "step"]


def test_each_change_of_the_record_stands_there_once(record: Path) -> None:
    page = check_page(record)
    steps = steps_of(record)
    groups = {
        group: [each for each in page.findings if each.group == group] for group in ("causes", "changes", "facts")
    }
    assert len(groups["causes"]) == sum(len(step["causes"]) for step in steps) > 0
    assert len(groups["changes"]) == sum(len(step["loading"]) for step in steps) > 0
    (section,) = (line for line in lines_of(record) if line["type"] == "section")
    assert sum(each.count for each in groups["facts"]) == len(section["changes"]) > len(groups["facts"])
    for group, key in (("causes", "causes"), ("changes", "loading")):
        ids = [f"step-{step}/" for step, line in enumerate(steps, 1) for _ in line[key]]
        assert [each.id[: len("step-1/")] for each in groups[group]] == ids
    assert page.conclusion == lines_of(record)[-1]["conclusion"]
    assert "it is not there" in page.complaints
    assert any("it cannot count" in each for each in page.said)


def test_cells_are_what_each_step_changes(record: Path) -> None:
    page = check_page(record)
    _, steps, pairs, facts = page.matrices
    (tokenizer,) = (line for line in lines_of(record) if line["type"] == "matrix")
    by_pair = {tuple(each["releases"]): each["inputs"] for each in tokenizer["differing"]}
    cells = [cell for _, (cell,) in steps.rows]
    assert (cells[0].state, cells[0].text) == (State.AGREE, "the same")
    assert cells[1].state is State.DIFFER
    assert cells[1].text.partition(" ")[0] == str(by_pair[1, 2])
    assert (cells[2].state, cells[2].text) == (State.ERROR, "not loaded any more")
    assert cells[3].text == "loaded now"
    assert cells[3].state is not State.AGREE
    assert pairs.rows[0][1][2].text == f"{by_pair[0, 2]:,}"
    assert pairs.rows[2][1][0] == pairs.rows[0][1][2]
    assert pairs.rows[0][1][3].state is State.NOT_COMPARED
    ((_, numbers),) = facts.rows
    assert [cell.state for cell in numbers[:2]] == [State.DIFFER, State.NOT_COMPARED]


def test_what_an_upgrade_changes_is_counted_from_every_release(record: Path) -> None:
    lines = lines_of(record)
    (tokenizer,) = (line for line in lines if line["type"] == "matrix")
    newest = len(KINDS) - 1
    by_pair = {tuple(each["releases"]): each for each in tokenizer["differing"]}
    upgrades = check_page(record).matrices[0]
    assert [name for name, _ in upgrades.rows] == [each["word"] for each in lines[0]["releases"][:-1]]
    for old, (_, cells) in enumerate(upgrades.rows):
        found = dict(zip(upgrades.columns, cells, strict=True))
        assert found["not loaded any more"].text == "none"
        of = by_pair.get((old, newest), {"sources": []})
        ids = sum(source["changed"].get("ids", 0) for source in of["sources"])
        assert (found["ids"].text, found["ids"].detail) == (
            (f"{ids:,}", f"toy-tokenizer {ids:,}") if ids else ("none", "")
        )
        assert (found["ids"].state is State.DIFFER) is bool(ids)
    assert any(cell.state is State.DIFFER for _, cells in upgrades.rows for cell in cells)
    tokenizer["loaded"] = [number for number in tokenizer["loaded"] if number != newest]
    lost = check_page(write(record, lines)).matrices[0].rows[0][1][0]
    assert (lost.state, lost.text, lost.detail) == (State.ERROR, "1", "toy-tokenizer")


def upgrades(page: Page) -> list[str]:
    """Return what breaks for whom goes to the newest release; from the oldest the headline says it."""
    assert page.headline not in "".join(page.said)
    return [page.headline, *(each for each in page.said if each.startswith("From "))]


def test_a_sentence_says_what_breaks(record: Path) -> None:
    sentences = upgrades(read_page(record))
    assert len(sentences) == len(KINDS) - 1
    assert "known change explains" in sentences[0]
    # The newest release loads what 3.0 loads, and 4.0 does not load it: no sentence says that it is lost.
    assert "not loaded any more" not in " ".join(sentences)
    lossy = next(each for each in sentences if each.startswith("From tokenizers==3.0 "))
    assert " with other answers (toy-tokenizer " in lossy
    assert "changed fact" in lossy


def test_a_sentence_says_what_the_newest_release_does_not_load(record: Path) -> None:
    lines = lines_of(record)
    for line in lines:
        if line["type"] == "matrix":
            line["loaded"] = [number for number in line["loaded"] if number != len(KINDS) - 1]
    sentences = upgrades(check_page(write(record, lines)))
    assert "not loaded any more: toy-tokenizer" in sentences[0]


def test_a_known_change_explains_and_a_ledger_knows(record: Path) -> None:
    lines = lines_of(record)
    explained = {"id": "a-change", "since": "tokenizers 3.0", "title": "It was so"}
    known = {"ledger": 0, "entry": 1, "line": 7}
    lines[0]["ledgers"] = [{"name": "known.toml", "sha256": "0" * 64}]
    for line in lines:
        if line["type"] == "step":
            for each in (line, *line["tokenizers"]):
                each["uncounted"] = 0
                for cause in each["causes"]:
                    cause["explained_by"] = [explained]
                    cause["reason"] = {"name": "unexplained", "parameter": "", "proof": []}
            for change in line["loading"]:
                change["known"] = known
        if line["type"] == "section":
            for change in line["changes"]:
                change["known"] = known
    lines[-1]["conclusion"] = "differences"
    page = check_page(write(record, lines))
    of_causes = {each.standing for each in page.findings if each.group == "causes"}
    assert of_causes == {Novelty.EXPLAINED}
    assert all("a-change" in each.known for each in page.findings if each.group == "causes")
    assert "unexplained" not in " ".join(f"{each.headline} {each.reason} {each.explanation}" for each in page.findings)
    assert page.state is State.KNOWN
    assert page.matrices[2].rows[1][1][2].state is State.KNOWN
    assert {each.group for each in page.findings if each.id in page.headlines} == {"causes"}
    known_ones = [each for each in page.findings if each.group in ("changes", "facts")]
    assert {(each.standing, each.known) for each in known_ones} == {(Novelty.KNOWN, "known.toml:7")}
    lossy = page.matrices[1].rows[1][1][0]
    assert lossy.state is State.KNOWN
    assert page.matrices[3].rows[0][1][0].state is State.KNOWN


def test_where_a_change_began_is_told_with_it(record: Path) -> None:
    bisected = [line for line in lines_of(record) if line["type"] == "bisected"]
    told = [fact.value for each in read_page(record).findings for fact in each.facts if fact.label == "since"]
    assert len(told) == len(bisected) > 0
    assert any("a==1.1 (it is not there)" in each for each in told)


def test_bars_have_the_inputs_of_each_step_and_say_its_releases(record: Path) -> None:
    (section,) = (each for each in read_page(record).sections if each.drawings)
    assert section.is_first
    by_tokenizer, by_stage = (drawing.plot for drawing in section.drawings)
    assert isinstance(by_tokenizer, Bars)
    assert isinstance(by_stage, Bars)
    assert (by_tokenizer.stacked, by_stage.stacked) == (True, False)
    (bars,) = by_tokenizer.series.values()
    assert [bar.value for bar in bars] == [step["inputs"] for step in steps_of(record)]
    assert by_tokenizer.groups == by_stage.groups
    assert by_tokenizer.groups[0] == "1.0 → 2.0"


@pytest.fixture
def recorded(toy_file: TokenizerFile, tmp_path: Path) -> Callable[..., Path]:
    """A function that writes the record of a comparison of fakes, and no more."""

    def write_record(*kinds: type[fakes.Toy]) -> Path:
        events = compared(plan_of(released(*kinds), (toy_file,), tmp_path))
        lines = (json_of(line) for event in events for line in typed_lines(event))
        return write(tmp_path / "versions.jsonl", list(lines))

    return write_record


@pytest.mark.parametrize("kinds", [(fakes.Toy, fakes.LossyDecode), (fakes.Toy, fakes.Toy, fakes.Toy)])
def test_one_step_and_releases_that_are_the_same_are_not_drawn(
    kinds: tuple[type[fakes.Toy], ...], recorded: Callable[..., Path]
) -> None:
    (section,) = read_page(recorded(*kinds)).sections
    assert section.title == "From release to release"
    assert section.drawings == ()
    assert len(section.tables[0].rows) == len(kinds) - 1


def test_speed_is_shown_as_numbers(recorded: Callable[..., Path]) -> None:
    path = recorded(fakes.Toy, fakes.Toy)
    *lines, footer = lines_of(path)
    row = {"release": "tokenizers==2.0", "measure": "load", "median": 0.5, "ratio": 2.0, "spread": [1.5, 2.5]}
    speed = {"type": "speed", "tokenizer": "toy-tokenizer", "rows": [row], "missing": {"tokenizers==1.0": "no file"}}
    state = read_page(path).state
    page = read_page(write(path, [*lines, speed, footer]))
    (section,) = (each for each in page.sections if each.title == "Speed")
    assert section.sentences == ("Numbers to look at; nothing fails for them.",)
    (table,) = section.tables
    assert table.title == "Speed and memory with toy-tokenizer"
    assert table.columns == ("release", "measure", "median", "times the first release", "from", "to")
    assert table.rows == (("tokenizers==2.0", "load", 0.5, 2.0, 1.5, 2.5),)
    assert table.note == "tokenizers==1.0: no file"
    assert page.state is state


def test_records_of_the_first_minor_version_are_read(record: Path) -> None:
    lines = lines_of(record)
    lines[0]["version"] = "1.0"
    del lines[0]["sections"], lines[0]["ledgers"], lines[-1]["stale"]
    for line in lines:
        if line["type"] == "section":
            for change in line["changes"]:
                del change["known"]
        if line["type"] == "step":
            for change in line["loading"]:
                del change["known"], change["explained_by"]
    assert len(check_page(write(record, lines)).findings) > 0


def test_a_killed_comparison_gives_a_page_that_says_so(record: Path) -> None:
    check_killed(record)


@pytest.mark.long
def test_altered_lines_are_refused(record: Path) -> None:
    check_malformed(record)


def test_hostile_names_pass_through(record: Path) -> None:
    check_hostile(record, "toy-tokenizer", "tokenizers==2.0")


NOT_SHOWN = {"id": "a-change", "since": "tokenizers 3.0", "title": "It was so", "undone": "", "component": "model"}


def test_what_else_changed_is_listed(record: Path) -> None:
    lines = lines_of(record)
    step = next(line for line in lines if line["type"] == "step")
    step["not_shown"] = [NOT_SHOWN | {"could_show": True}, NOT_SHOWN | {"id": "other", "could_show": False}]
    page = check_page(write(record, lines))
    (told,) = (each for each in page.said if "also changed, not asked here" in each)
    assert told.startswith(f"{step['old']} → {step['new']}: ")
    assert "It was so (a-change); 1 change that other tokenizers or callers of Python see." in told
    (section,) = (each for each in page.sections if each.title == "Also changed, not asked here")
    assert [row[-1] for row in section.tables[0].rows] == ["a-change", "other"]


def test_inputs_of_no_cause_are_counted_at_the_step_that_has_them(record: Path) -> None:
    lines = lines_of(record)
    for number, line in enumerate(each for each in lines if each["type"] == "step"):
        line["without_cause"], line["uncounted"] = 7 + number, 2
    page = check_page(write(record, lines))
    # A change that a later step takes back is none from the first release to the last: sums of steps say otherwise.
    assert "belong to no cause" not in page.headline
    assert "explain all" not in page.headline
    steps = steps_of(record)
    for number, step in enumerate(steps, 7):
        is_last = step is steps[-1]
        begins = f"From {step['old']} to {step['new']}: " if is_last else f"{step['old']} → {step['new']}: "
        (told,) = (each for each in page.said if each.startswith(begins) and "belong to no cause" in each)
        total = step["inputs"] + step["unstable"]
        assert f"{number} of {total} input{'' if total == 1 else 's'} belong to no cause" in told
        assert "2 differences belong to no cause: the time limit was reached" in told


def test_what_is_shown_first_is_about_the_tokenizers_that_were_given(record: Path) -> None:
    lines = lines_of(record)
    explained = [{"id": "a-change", "since": "tokenizers 3.0", "title": "It was so"}]
    for line in lines:
        if line["type"] == "step":
            for each in (
                *line["loading"],
                *line["causes"],
                *(one for of in line["tokenizers"] for one in of["causes"]),
            ):
                each["explained_by"] = explained
            for each in (line, *line["tokenizers"]):
                each["uncounted"] = 0
    page = check_page(write(record, lines))
    assert {each.standing for each in page.findings if each.group == "facts"} == {Novelty.NEW}
    assert {each.group for each in page.findings if each.id in page.headlines} <= {"causes", "changes"}
    assert page.headlines
