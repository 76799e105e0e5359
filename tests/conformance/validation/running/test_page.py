"""The page of a run: everything that the record counts is on it, once, and nothing else."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tokenizer_adapters.contract import GUESSED, Field, Stage
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.agreement import SameIds, Texts
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import Fact, Novelty, Section, ShownFinding, State, Subject
from tokenizer_conformance.results.plots.plot import Bars
from tokenizer_conformance.results.records import run
from tokenizer_conformance.validation.running.page import RunReader, _with_reason, agreement_of
from tokenizer_conformance.validation.running.tokenizer_run import file_names

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLines
    from tokenizer_conformance.results.page import Cell, Page

FAKES = ("toy", "wrong-normalization", "lossy-decode", "raising", "crashing", "flaky-and-wrong", "mute", "cannot-load")
TEXTS = "aBc\na-b\nx\naBc d\nzebra\n"

LEDGER = """
format = 1

[[known]]
implementation = "lossy-decode"
baseline = ["toy"]
reason = "it loses <b>spaces</b>"
"""


@dataclass(frozen=True)
class Made:
    """A record, and its page."""

    path: Path
    lines: list[dict[str, Any]]
    page: Page

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]

    def cells(self, title: str) -> dict[str, dict[str, Cell]]:
        matrix = next(each for each in self.page.matrices if each.title == title)
        return {name: dict(zip(matrix.columns, cells, strict=True)) for name, cells in matrix.rows}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, command_lines: CommandLines, toy_tokenizer: Path) -> Made:
    folder = tmp_path_factory.mktemp("run")
    (folder / "texts.txt").write_text(TEXTS)
    (folder / "known.toml").write_text(LEDGER)
    done = command_lines(folder).run(
        *("run", str(toy_tokenizer), "-i", *FAKES, "--baseline", "toy", "--ledger", "known.toml"),
        *("--inputs", "texts.txt", "--no-builtin", "--json", "run.jsonl"),
    )
    path = folder / "run.jsonl"
    assert path.exists(), done
    return Made(path, [json.loads(line) for line in path.read_text().splitlines()], read_page(path))


@pytest.mark.long
def test_causes_are_those_of_the_record(made: Made) -> None:
    recorded = made.of("footer")[0]["causes"]
    problems = [each for each in made.page.findings if each.id.isdecimal()]
    assert [each.id for each in problems] == [str(number) for number in range(1, len(problems) + 1)]
    told = [each for each in problems if any(fact.label == "component" for fact in each.facts)]
    assert recorded
    assert sorted((each.implementation, each.reason) for each in told) == sorted(
        (each["implementation"], each["reason"]["name"]) for each in recorded
    )


def test_each_difference_that_is_known_or_unstable_says_so(made: Made) -> None:
    tokenizer = made.of("tokenizer")[0]
    known = [each for each in made.page.findings if each.standing is Novelty.KNOWN]
    unstable = [each for each in made.page.findings if each.standing is Novelty.UNSTABLE]
    assert (len(known), len(unstable)) == (len(tokenizer["known"]), len(tokenizer["unstable"]))
    assert known
    assert unstable
    assert {each.known for each in known} == {"it loses <b>spaces</b>"}


def test_a_known_difference_that_names_no_entry_is_told(made: Made, tmp_path: Path) -> None:
    lines = copy.deepcopy(made.lines)
    for line in lines:
        for each in line.get("known", ()) if line["type"] == "tokenizer" else ():
            del each["known"]
    path = tmp_path / "unknown.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(BadInputError, match=r"is not that of a record: a known finding names no entry$"):
        read_page(path)


TWO_ENTRIES = """
format = 1

[[known]]
implementation = "wrong-normalization"
baseline = ["toy"]
text = "aBc"
reason = "the first"

[[known]]
implementation = "wrong-normalization"
baseline = ["toy"]
text = "dBf"
reason = "the second"
"""


def test_two_known_findings_that_differ_in_their_entry_alone_show_their_own_answers(
    tmp_path: Path, command_lines: CommandLines, toy_tokenizer: Path
) -> None:
    (tmp_path / "texts.txt").write_text("aBc\ndBf\n")
    (tmp_path / "known.toml").write_text(TWO_ENTRIES)
    command_lines(tmp_path).run(
        *("run", str(toy_tokenizer), "-i", "toy", "wrong-normalization", "--baseline", "toy", "--ledger", "known.toml"),
        *("--inputs", "texts.txt", "--no-builtin", "--stage", "normalize", "--json", "run.jsonl"),
    )
    known = [each for each in read_page(tmp_path / "run.jsonl").findings if each.standing is Novelty.KNOWN]
    told = {each.known: [answer.text for answer in each.answers] for each in known}
    assert {entry.split()[-1] for entry in told} == {"first", "second"}
    assert told["the first"] != told["the second"], told


def test_ids_are_unique_and_the_same_again(made: Made) -> None:
    counts = Counter(each.id for each in made.page.findings)
    assert counts.most_common(1)[0][1] == 1
    assert [each.id for each in read_page(made.path).findings] == [each.id for each in made.page.findings]
    assert set(made.page.headlines) <= set(counts)
    assert made.page.headlines


STAGE_STATES = {
    ("wrong-normalization", "normalize"): State.DIFFER,
    ("lossy-decode", "decode"): State.KNOWN,
    ("raising", "model"): State.ERROR,
    ("crashing", "model"): State.ERROR,
    ("mute", "model"): State.UNSUPPORTED,
    ("cannot-load", "model"): State.NOT_COMPARED,
    ("wrong-normalization", "pre_tokenize"): State.AGREE,
}


def test_a_cell_has_the_state_of_what_was_gravest(made: Made) -> None:
    title = next(each.title for each in made.page.matrices if "stage by stage" in each.title)
    cells = made.cells(title)
    assert {place: cells[place[0]][place[1]].state for place in STAGE_STATES} == STAGE_STATES


def test_cells_count_the_inputs_of_the_record(made: Made) -> None:
    title = next(each.title for each in made.page.matrices if "stage by stage" in each.title)
    stages = {each["implementation"]: each["stages"] for each in made.of("tokenizer")[0]["results"]}
    cell = made.cells(title)["wrong-normalization"]["normalize"]
    counts = stages["wrong-normalization"]["normalize"]["inputs"]
    assert cell.text == f"{counts['differ']} of {sum(counts.values())}"
    assert cell.of["stage"] == "normalize"


def test_who_answers_as_the_baseline_is_named(made: Made) -> None:
    cause = next(each for each in made.page.findings if each.implementation == "wrong-normalization")
    stage = cause.stage
    stages = {each["implementation"]: each["stages"] for each in made.of("tokenizer")[0]["results"]}
    alike = {name for name, counts in stages.items() if counts and set(counts[stage]["inputs"]) == {"agree"}}
    assert set(cause.agreeing) == alike - {"cannot-load"}


def test_answers_of_both_sides_stand_beside_each_other(made: Made) -> None:
    finding = next(each for each in made.page.findings if each.implementation == "wrong-normalization")
    assert [answer.side for answer in finding.answers] == ["toy", "wrong-normalization"]
    assert finding.subjects[0].text is not None
    assert {step.name: step.state for step in finding.pipeline}[finding.stage] is State.DIFFER


def test_a_sentence_says_of_each_implementation_how_much_is_touched(made: Made) -> None:
    sentences = {each.partition(":")[0]: each for each in made.page.said}
    failing = {each["implementation"]: each["failing_inputs"] for each in made.of("tokenizer")[0]["results"]}
    blamed = {each["implementation"]: sum(each["blamed"].values()) for each in made.of("tokenizer")[0]["results"]}
    count = failing["wrong-normalization"]
    assert f"{count} inputs differ" in sentences["wrong-normalization"]
    assert f" {sum(failing.values())} failing inputs, counted for each implementation" in made.page.summary
    (notes,) = (each.sentences for each in made.page.sections if each.title == "Notes")
    (note,) = (each for each in notes if f"wrong-normalization: {count} inputs differ, first at " in each)
    assert f"; {count - blamed['wrong-normalization']} only in the pair with a text that differs" in note
    assert sentences["cannot-load"] == "cannot-load: not loaded, so nothing was compared."


def test_a_record_without_a_footer_says_that_it_was_cut_short(made: Made, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(f"{json.dumps(line)}\n" for line in made.lines if line["type"] != "footer"))
    page = read_page(cut)
    assert (page.state, page.conclusion) == (State.NOT_COMPARED, "interrupted")
    assert any("there is no footer" in each for each in page.complaints)
    assert [each.headline for each in page.findings] == [each.headline for each in made.page.findings]


BROKEN = {
    "no JSON": ("{", "line 3 is no JSON"),
    "another shape": ('{"type": "failing", "tokenizer": 7, "implementation": "x", "inputs": []}', "line 3 is not that"),
    "an unknown line": ('{"type": "surprise"}', "line 3 is not that of a record: there is no line of type 'surprise'"),
    "two headers": ('{"type": "header"}', "a second header"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_line_that_is_none_is_told_with_its_number(made: Made, tmp_path: Path, name: str) -> None:
    line, words = BROKEN[name]
    lines = made.path.read_text().splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join([*lines[:2], f"{line}\n", *lines[2:]]))
    with pytest.raises(BadInputError, match=r"broken\.jsonl") as refused:
        read_page(broken)
    assert words in str(refused.value)


OTHERS = {
    "another major version": ({"version": "2.0"}, "use the release of tokconf that wrote it"),
    "a format without pages": ({"schema": "tokenizer-conformance-of-dreams"}, "has no page; pages are made of"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_record_that_is_not_read_is_told(made: Made, tmp_path: Path, name: str) -> None:
    changed, words = OTHERS[name]
    other = tmp_path / "other.jsonl"
    other.write_text(f"{json.dumps(made.lines[0] | changed)}\n")
    with pytest.raises(BadInputError) as refused:
        read_page(other)
    assert words in str(refused.value)


def test_a_later_minor_version_may_have_further_lines(made: Made, tmp_path: Path) -> None:
    later = tmp_path / "later.jsonl"
    lines = [made.lines[0] | {"version": "1.999"}, {"type": "surprise"}, *made.lines[1:]]
    later.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert [each.id for each in read_page(later).findings] == [each.id for each in made.page.findings]


def test_what_an_adapter_has_guessed_is_said_at_the_top_and_in_the_notes(made: Made, tmp_path: Path) -> None:
    told = f'no tokenizer_config.json ({GUESSED}: with eos_token "</s>")'
    changed = copy.deepcopy(made.lines)
    for line in changed:
        if line["type"] == "tokenizer":
            (result,) = [each for each in line["results"] if each["implementation"] == "lossy-decode"]
            result["files"] = file_names(["/a b/tokenizer.json", told])
    path = tmp_path / "run.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in changed), "utf-8")
    page = read_page(path)
    (sentence,) = [each for each in page.said if "guessed" in each]
    assert sentence.startswith(
        "lossy-decode was given what its adapter guessed for toy-tokenizer, since a file is missing"
    )
    notes = [each for section in page.sections if section.title == "Notes" for each in section.sentences]
    assert f"toy-tokenizer: lossy-decode: was given tokenizer.json, {told}" in notes
    assert not [each for each in made.page.said if "guessed" in each]


def test_the_list_is_as_long_as_is_said(made: Made) -> None:
    (said,) = (each for each in made.page.said if " findings are listed, and " in each)
    listed = [each for each in made.page.findings if each.id.isdecimal()]
    findings, further = map(int, re.findall(r"(\d+) findings are listed, and (\d+) further cause", said)[0])
    assert findings + further == len(listed)
    assert f"{findings} findings" in made.page.summary


@pytest.mark.parametrize("touched", [(), ("a table",)])
@pytest.mark.parametrize("drawings", [(), ("a picture",)])
def test_what_is_touched_and_pictures_have_a_section_where_there_are_any(
    touched: tuple[Any, ...], drawings: tuple[Any, ...]
) -> None:
    reader: Any = SimpleNamespace(
        _drawings=lambda: iter(drawings),
        _impact_tables=lambda: iter(touched),
        _notes=lambda: iter(["a note"]),
        _stages_table=lambda: "every verdict",
        _speeds=[],
        _baseline="toy",
        _other_ids=dict,
    )
    assert list(RunReader._sections(reader)) == [
        *([Section("In pictures", drawings=drawings, is_first=True)] if drawings else []),
        *([Section("How much is touched", tables=touched)] if touched else []),
        Section("Notes", ("a note",)),
        Section("Every verdict", tables=("every verdict",), is_detail=True),
    ]


def test_inputs_that_differ_are_parts_of_a_bar_for_each_implementation() -> None:
    reader: Any = SimpleNamespace(
        _baseline="toy",
        _implementations=lambda: ["a", "b", "same"],
        _tokenizers={},
        _columns=lambda: [Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.MODEL],
        _by_stage=lambda: {"a": [3, 0, 2], "b": [0, 0, 1], "same": [0, 0, 0]},
        _by_script=dict,
    )
    (drawing,) = RunReader._drawings(reader)
    assert isinstance(drawing.plot, Bars)
    assert drawing.plot.stacked
    assert drawing.plot.groups == ("a", "b")
    assert {name: [bar.value for bar in bars] for name, bars in drawing.plot.series.items()} == {
        "normalize": [3, 0],
        "model": [2, 1],
    }


@pytest.mark.parametrize(
    ("text", "question", "labels"),
    [
        ("a", "encode", ["question", "smallest", "component"]),
        ("a", "encode, with special tokens", ["question", "component"]),
        ("b", "encode", ["question", "component"]),
    ],
)
def test_what_is_said_of_a_question_is_said_of_the_one_that_is_shown(
    text: str, question: str, labels: list[str]
) -> None:
    own = (Fact("question", "encode", is_detail=True), Fact("smallest", "words/one (words), encode"))
    found = ShownFinding("1", "findings", "other ids", subjects=(Subject("text", "a"),), facts=own)
    facts = (Fact("question", question), Fact("component", "Lowercase"))
    cause = ShownFinding("1", "causes", "other ids", subjects=(Subject("text", text),), facts=facts)
    shown = _with_reason(found, cause, "")
    assert [fact.label for fact in shown.facts] == labels
    assert shown.facts[0].value == question


# Agreement -----------------------------------------------------------------------------------------------------------

INPUTS = 10


def stage(differing: int = 0, pairs: int = 0, *, questions: int = INPUTS, unsupported: int = 0) -> run.ResultStage:
    return run.ResultStage(
        inputs={},
        values={},
        unsupported_fields={Field.IDS: unsupported},
        questions=questions,
        answerable=questions,
        unanswered_fields={},
        differing_fields={Field.IDS: differing},
        differing_pairs={Field.IDS: pairs},
    )


def row(
    changed: int, stages: dict[Stage, run.ResultStage], *, hard: int = 0, special_tokens: bool = False
) -> run.Result:
    """Return a result of ten ordinary texts, ``changed`` of which get other ids, and of so many ``hard`` inputs."""
    sources = {"mine.txt": run.Share(changed=changed, total=INPUTS)}
    if hard:
        sources["cjk"] = run.Share(changed=0, total=hard)
    impact = run.Impact(
        documents=run.Share(changed=changed, total=INPUTS + hard),
        words=None,
        tokens_before=0,
        tokens=0,
        longer=0,
        shorter=0,
        scripts={},
        sources=sources,
        special_tokens=special_tokens,
    )
    return run.Result(
        implementation="a",
        load_error=None,
        failing_inputs=0,
        blamed={},
        seconds=0,
        impact=impact,
        stages=stages,
    )


ALL = SameIds(INPUTS, INPUTS)


@pytest.mark.parametrize(
    ("changed", "plain", "template", "expected"),
    [
        (0, 0, None, Texts(ALL)),
        (0, 0, stage(questions=0), Texts(ALL)),
        (0, 0, stage(questions=30), Texts(ALL, ALL, ALL)),
        (0, 0, stage(10, 7, questions=30), Texts(ALL, SameIds(0, 10), SameIds(3, 10))),
        (0, 0, stage(1, questions=30, unsupported=20), Texts(ALL, SameIds(9, 10))),
        (0, 0, stage(questions=30, unsupported=30), Texts(ALL)),
        (2, 3, stage(4, 4, questions=30), Texts(SameIds(7, 10), SameIds(6, 10), SameIds(6, 10))),
    ],
    ids=[
        "not asked",
        "no questions",
        "all",
        "with special tokens",
        "no pairs",
        "plain only",
        "an error is not the same",
    ],
)
def test_ids_are_told_apart_by_how_a_text_was_encoded(
    changed: int, plain: int, template: run.ResultStage | None, expected: Texts
) -> None:
    stages = {Stage.MODEL: stage(plain)} | ({} if template is None else {Stage.POST_PROCESS: template})
    found = agreement_of(row(changed, stages), "t", Result.DIFFERS)
    assert (found.ordinary, found.hard) == (expected, Texts())


def test_who_shows_no_ids_without_special_tokens_is_judged_by_those_with_them() -> None:
    stages = {Stage.MODEL: stage(unsupported=INPUTS), Stage.POST_PROCESS: stage(4, questions=30, unsupported=20)}
    found = agreement_of(row(3, stages, special_tokens=True), "t", Result.DIFFERS)
    assert found.telling.least == SameIds(6, 10)
    assert found.telling == Texts(special=SameIds(6, 10))
    del stages[Stage.MODEL]
    assert agreement_of(row(3, stages, special_tokens=True), "t", Result.DIFFERS) == found


def test_it_is_said_where_there_was_no_answer() -> None:
    decode = replace(stage(), inputs={Verdict.CRASH: 9, Verdict.AGREE: 1})
    found = agreement_of(row(0, {Stage.MODEL: stage(), Stage.DECODE: decode}), "t", Result.NO_ANSWER)
    assert found.unanswered == ("decode (9 of 10)",)


def test_of_a_run_of_both_kinds_it_is_not_made_up_which_texts_differ_with_special_tokens() -> None:
    stages = {Stage.MODEL: stage(2), Stage.POST_PROCESS: stage(5, 2, questions=90)}
    found = agreement_of(row(2, stages, hard=20), "t", Result.DIFFERS)
    assert found.ordinary == Texts(SameIds(8, 10), SameIds(5, 10, is_least=True), SameIds(8, 10))
    assert found.hard == Texts(SameIds(20, 20), SameIds(17, 20, is_least=True), SameIds(20, 20))
