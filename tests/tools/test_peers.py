"""What is said of the peers: descriptions are complete, findings hold or say why not, pages show what was measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import peer_matrix
import pytest
from peers import asking, descriptions, pages, records
from published.records import RecordError
from tokenizers import Tokenizer

from tokenizer_adapters.environments.packages import HEAVY
from tokenizer_adapters.registry import registered
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.validation.suite.reader import read_rules

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = Path(__file__).resolve().parents[2] / "tools"
STREAMS = {"classical-stream", "word-stream", "transformers-streamer"}  # judged by `tokconf audit streams`
NOT_PEERS = {"reference", "tokenizers", *STREAMS}

DESCRIPTION = {
    "claims": "It says that it tokenizes.",
    "given": "the tokenizer.json",
    "shows": "ids",
    "loads": "BPE",
}
FINDING = {
    "cause": "Capitals stay",
    "why": "It has no normalizer.",
    "kind": "difference",
    "stage": "model",
    "checkpoint": "bert-mini",
    "ask": "encode",
    "text": "A",
    "call": "[1]",
    "ours": "[2]",
    "theirs": "[1]",
}


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return json.dumps(value, ensure_ascii=False)


def toml(values: dict[str, Any], heading: str = "") -> str:
    rows = [f"{key} = {inline(value)}" for key, value in values.items()]
    return "\n".join([heading, *rows, ""])


@pytest.fixture
def described(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a description with one finding, changed as told; ``None`` takes a word out."""

    def write(finding: dict[str, Any] | None = None, **changes: Any) -> Path:
        peer = {key: value for key, value in (DESCRIPTION | changes).items() if value is not None}
        found = {key: value for key, value in (FINDING | (finding or {})).items() if value is not None}
        text = toml(peer) + toml({"setup": "tokenizer = None"}, "[ask]") + toml(found, "[[finding]]")
        (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
        return tmp_path

    return write


# Descriptions ---------------------------------------------------------------------------------------------------------


def test_every_registered_implementation_is_described() -> None:
    names = {peer.name for peer in descriptions.read_peers()}
    ours = {name for name, entry in registered().items() if entry.module.startswith("tokenizer_adapters.")}
    assert names == ours - NOT_PEERS


def test_the_list_of_peers_is_what_the_tool_writes() -> None:
    command = [sys.executable, str(TOOLS / "peer_matrix.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (0, ""), "run `python tools/peer_matrix.py`"


def test_every_page_has_every_finding() -> None:
    for peer in descriptions.read_peers():
        file = TOOLS.parent / "reports" / "peers" / f"{peer.name}.md"
        if peer.name in HEAVY and not file.is_file():  # it has a page once it was there when the others were measured
            continue
        assert file.is_file(), f"there is no {file}: `make compare-peers` measures all and writes it"
        page = file.read_text(encoding="utf-8")
        for finding in peer.findings:
            assert f"**{pages.as_prose(finding.cause)}**" in page, "run `make compare-peers`"


@pytest.mark.parametrize(
    ("changes", "finding", "message"),
    [
        ({"claims": None}, {}, "mine.toml: it lacks claims"),
        ({"claim": "it"}, {}, "mine.toml: it has claim; known are claims, .*, ask, option, lack, finding$"),
        ({"name": "it"}, {}, "mine.toml: it has name; known are "),
        ({"lack": [{"why": "so"}]}, {}, "mine.toml: lack 1: it has why; known are what"),
        ({"lack": [{}]}, {}, "mine.toml: lack 1: it lacks what"),
        ({"lack": "offsets"}, {}, r"mine.toml: lack is a list of tables, each written \[\[lack\]\]"),
        ({"option": ["a"]}, {}, r"mine.toml: option is a list of tables, each written \[\[option\]\]"),
        ({}, {"why": None}, "mine.toml: finding 1: it lacks why"),
        ({}, {"reason": "so"}, "mine.toml: finding 1: it has reason; known are "),
        ({}, {"kind": "mistake"}, "mine.toml: finding 1: kind is 'mistake', and none of difference, file"),
        ({}, {"stage": "encode"}, "mine.toml: finding 1: stage is 'encode', and none of normalize"),
        ({}, {"ask": "how"}, "mine.toml: finding 1: ask is 'how', and none of normalize"),
        ({}, {"ids": [1]}, "mine.toml: finding 1: it asks about a text or about ids"),
        ({}, {"text": None}, "mine.toml: finding 1: it asks about a text or about ids"),
        ({}, {"kind": "default"}, "mine.toml: finding 1: avoid, a call that"),
        ({}, {"avoid": "[2]"}, "mine.toml: finding 1: avoid, a call that"),
        ({}, {"ours": "[1]"}, r"mine.toml: finding 1: both sides have one answer, \[1\]"),
    ],
)
def test_a_description_that_cannot_be_used_says_where(
    described: Callable[..., Path],
    changes: dict[str, Any],
    finding: dict[str, Any],
    message: str,
) -> None:
    with pytest.raises(descriptions.DescriptionError, match=f"^{message}"):
        descriptions.read_peers(described(finding, **changes))


def test_what_asks_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(toml(DESCRIPTION | {"ask": "python"}), encoding="utf-8")
    with pytest.raises(descriptions.DescriptionError, match=r"^mine.toml: ask is a table, written \[ask\]$"):
        descriptions.read_peers(tmp_path)


def test_a_cause_stands_once(described: Callable[..., Path]) -> None:
    folder = described()
    file = folder / "mine.toml"
    file.write_text(file.read_text() + toml(FINDING | {"text": "B"}, "[[finding]]"), encoding="utf-8")
    with pytest.raises(descriptions.DescriptionError, match="'Capitals stay' is there 2 times"):
        descriptions.read_peers(folder)


# Asking ---------------------------------------------------------------------------------------------------------------

CAPITAL = {"text": "the", "checkpoint": "bert-mini"}


def objections(described: Callable[..., Path], finding: dict[str, Any]) -> list[str]:
    (peer,) = descriptions.read_peers(described(finding))
    return list(asking.ask(peer, peer.findings[0]).objections())


@pytest.fixture(scope="module")
def ours() -> str:
    """What ``tokenizers`` answers to the finding of these tests."""
    tokenizer = Tokenizer.from_file(str(bundled_file("bert-mini")))
    return ascii(tokenizer.encode("the", add_special_tokens=False).ids)


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        ({}, []),
        ({"call": "[9]"}, ["it answers [9], and not [1]"]),
        ({"call": "OURS"}, ["it answers OURS, and not [1]", "it answers as tokenizers does"]),
        ({"ours": "[7]"}, ["tokenizers answers OURS, and not [7]"]),
        ({"tried": ["[3]", "OURS"]}, ["OURS answers as tokenizers does: that is its best option"]),
        ({"kind": "default", "avoid": "OURS"}, []),
        ({"kind": "default", "avoid": "[3]"}, ["[3] answers [3], and not as tokenizers does"]),
        ({"by_hand": "OURS"}, []),
        ({"by_hand": "[3]"}, ["[3] answers [3], and not as tokenizers does"]),
        ({"call": "[][1]", "theirs": "raises IndexError: list index out of range"}, []),
        ({"call": "print('the answer: 3') or [1]"}, []),
    ],
)
def test_a_finding_holds_only_if_all_of_it_does(
    described: Callable[..., Path],
    ours: str,
    finding: dict[str, Any],
    expected: list[str],
) -> None:
    asked = json.loads(json.dumps(CAPITAL | {"ours": ours} | finding).replace("OURS", ours))
    assert objections(described, asked) == [each.replace("OURS", ours) for each in expected]


def test_a_peer_that_cannot_be_imported_fails_and_is_no_answer(described: Callable[..., Path], ours: str) -> None:
    missing = "raises ModuleNotFoundError: No module named 'no_such_peer'"
    finding = CAPITAL | {"ours": ours, "setup": "import no_such_peer", "theirs": missing}
    assert objections(described, finding) == [f"was not asked: {missing}"]


def test_a_heavy_peer_that_is_not_there_is_left_out_and_named_and_fails_where_it_is_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, str(TOOLS / "peer_findings.py"), "openvino"]
    done = subprocess.run(
        command,
        env=os.environ | {"TOKCONF_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "not asked: openvino is not installed; 458 MB, Apache-2.0; this makes it: tokconf environments add openvino",
        "0 findings about 0 peers, 0 other ways to ask; 0 do not hold",
    ]


def test_its_own_environment_asks_a_heavy_peer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(asking, "made", lambda name: SimpleNamespace(python=tmp_path / name))
    assert asking.command_of(descriptions.Runs.OWN_ENVIRONMENT, "mine") == [str(tmp_path / "mine"), "-c"]


@pytest.mark.slow
def test_every_finding_still_holds(shared: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(TOOLS / "peer_findings.py")],
        env=os.environ | {"TOKCONF_SHARED": os.path.relpath(shared, TOOLS.parent)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if "DOES NOT HOLD" in line)


# Records --------------------------------------------------------------------------------------------------------------


def run_record(
    *results: tuple[str, int, str | None],
    footer: dict[str, Any] | None = None,
    missing: str | None = None,
    inputs: int = 10,
) -> str:
    """Return the record of a run on one tokenizer: who, how many inputs fail, why it was not loaded."""
    header = {
        "type": "header",
        "schema": "tokenizer-conformance-record",
        "environment": {"started": "2026-01-02T03:04:05+00:00", "python": "P", "platform": "L", "tokconf": "0"},
        "baseline": "tokenizers",
        "implementations": [
            {"name": name, "version": "1", "language": "C", "home_page": "https://mine"}
            for name in ("tokenizers", *(name for name, _, _ in results))
        ],
        "tokenizers": [{"name": "toy"}],
        "inputs": {"count": inputs, "sha256": "0"},
        "stages": ["model"],
        "fields": [],
    }
    rows = [
        {
            "implementation": name,
            "load_error": refusal,
            "files": [],
            "failing_inputs": failing,
            "stages": {
                "model": counted({"agree": inputs - failing, "differ": failing}, ids=failing, offsets=failing + 1),
                # The text alone is answered, and no pair.
                "post_process": counted({"agree": inputs}) | {"unsupported_fields": {"ids": 2 * inputs}},
                "decode": counted({"unsupported": inputs}),
            },
        }
        for name, failing, refusal in results
    ]
    lines = [header, {"type": "tokenizer", "tokenizer": "toy", "inputs": inputs, "results": rows}]
    lines += (
        [] if missing is None else [{"type": "implementation_missing", "name": missing.split()[0], "reason": missing}]
    )
    lines.append(footer or {"type": "footer", "conclusion": "differences"})
    return "".join(json.dumps(line) + "\n" for line in lines)


def counted(inputs: dict[str, int], **differing: int) -> dict[str, Any]:
    pairs = {"differing_pairs": {}, "unsupported_fields": {}, "finer": 2}
    return {"inputs": inputs, "differing_fields": differing} | pairs


def requirement(name: str, verdict: str, *cases: tuple[str, str | None], importance: str = "core") -> dict[str, Any]:
    return {
        "type": "requirement",
        "implementation": name,
        "area": "models.BPE",
        "importance": importance,
        "verdict": verdict,
        "cases": [{"verdict": each, "blame": blame} for each, blame in cases],
    }


def suite_record(*lines: dict[str, Any], requirements: int, selection: str = "", version: str = "1") -> str:
    names = dict.fromkeys(line["implementation"] for line in lines)
    header = {
        "type": "header",
        "schema": "tokenizer-conformance-suite-run",
        "implementations": [{"name": name} for name in names],
        "suite": {"version": version},
        "requirements": requirements,
        "selection": selection,
        "features": [],
        "importances": [],
        "fields": None,
    }
    footer = {"type": "footer", "conclusion": "differences"}
    return "".join(json.dumps(line) + "\n" for line in (header, *lines, footer))


@pytest.fixture
def laid(tmp_path: Path) -> Callable[[str, str], Path]:
    """A function that writes a file of a name and a text."""

    def lay(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return lay


@pytest.mark.parametrize(
    ("verdict", "cases", "expected"),
    [
        ("passed", [("passed", None)], "passed"),
        ("unsupported", [("unsupported", None)], "cannot be asked"),
        ("failed", [("failed", "load"), ("failed", "load"), ("unsupported", None)], "not loaded"),
        ("failed", [("failed", "load"), ("failed", "model")], "failed"),
        ("error", [("error", "model")], "failed"),
        ("known", [("known", "decode")], "failed"),
    ],
)
def test_a_tokenizer_that_is_not_loaded_is_told_apart_from_a_failure(
    verdict: str, cases: list[tuple[str, str | None]], expected: str
) -> None:
    assert records.standing_of(requirement("mine", verdict, *cases)) == expected


def test_the_better_of_two_configurations_counts(laid: Callable[[str, str], Path]) -> None:
    first = records.read_run(laid("1", run_record(("a", 5, None), ("b", 5, None), ("c", 0, "no"), ("d", 1, None))))
    second = records.read_run(laid("2", run_record(("a", 4, None), ("b", 5, None), ("c", 9, None), ("d", 0, "no"))))
    best, as_given = records.better(first, second)
    assert {name: each.failing for (name, _), each in best.agreements.items()} == {"a": 4, "b": 5, "c": 9, "d": 1}
    assert as_given == {("a", "toy"), ("c", "toy")}
    other = records.read_run(laid("3", run_record(("a", 4, None), inputs=11)))
    with pytest.raises(RecordError, match="other inputs"):
        records.better(first, other)


def test_a_heavy_peer_may_be_missing(laid: Callable[[str, str], Path]) -> None:
    record = laid("record", run_record(("a", 5, None), missing="openvino is not installed"))
    assert {name for name, _ in records.read_run(record).agreements} == {"a"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (run_record(("a", 5, None), missing="a is not installed"), "a is not installed"),
        (run_record(("a", 5, None), footer={"type": "footer", "conclusion": "interrupted"}), "it was cut short"),
        (run_record(("a", 5, None), footer={"type": "unstable"}), "it was cut short"),
        ("", "it is no tokenizer-conformance-record"),
        ('{"schema": "other"}\n', "it is no tokenizer-conformance-record"),
        ("{", "is no record: Expecting"),
    ],
)
def test_a_record_that_is_not_whole_is_refused(laid: Callable[[str, str], Path], text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        records.read_run(laid("record", text))


def test_a_part_of_the_suite_is_refused(laid: Callable[[str, str], Path]) -> None:
    line = requirement("a", "passed", ("passed", None))
    for text in (suite_record(line, requirements=1, selection="bert"), suite_record(line, requirements=2)):
        with pytest.raises(RecordError):
            records.read_suite_run(laid("record", text))


def test_records_of_the_suite_are_joined_where_they_are_of_one_suite(laid: Callable[[str, str], Path]) -> None:

    def read(name: str, version: str = "1") -> Any:
        line = requirement(name, "passed", ("passed", None))
        return records.read_suite_run(laid(name, suite_record(line, requirements=1, version=version)))

    both = records.joined([read("a"), read("b")])
    assert both.standings.keys() == {"a", "b"}
    assert [each["name"] for each in both.header["implementations"]] == ["a", "b"]
    with pytest.raises(RecordError, match="of different suites"):
        records.joined([read("a"), read("b", version="2")])
    with pytest.raises(RecordError, match="two records of the suite have a"):
        records.joined([read("a"), read("a")])


# Pages ----------------------------------------------------------------------------------------------------------------


def test_every_area_of_the_suite_has_a_group() -> None:
    groups = Counter(pages.group_of(area.name) for area in read_rules().areas if area.name != "trainers")
    assert groups.keys() == {group for group, _ in pages.GROUPS}


@pytest.fixture
def results(laid: Callable[[str, str], Path]) -> Any:
    """What was measured of a peer that fails on 3 of 10 built-in inputs, on none of the texts, and half the suite."""
    suite = suite_record(
        requirement("mine", "passed", ("passed", None)),
        requirement("mine", "failed", ("failed", "model")),
        requirement("mine", "failed", ("failed", "load"), importance="edge"),
        requirement("mine", "unsupported", ("unsupported", None), importance="quirk"),
        requirement("tokenizers", "passed", ("passed", None)),
        requirement("tokenizers", "passed", ("passed", None)),
        requirement("tokenizers", "passed", ("passed", None), importance="edge"),
        requirement("tokenizers", "passed", ("passed", None), importance="quirk"),
        requirements=4,
    )
    return pages.Results(
        builtin=records.read_run(laid("builtin", run_record(("mine", 3, None)))),
        texts=records.read_run(laid("texts", run_record(("mine", 0, None), inputs=1000))),
        suite=records.read_suite_run(laid("suite", suite)),
        as_given=frozenset({("mine", "toy")}),
    )


def test_the_overview_has_what_was_measured(described: Callable[..., Path], results: Any) -> None:
    (peer,) = descriptions.read_peers(described())
    text = pages.overview([peer], results, "make it")
    ids, decoded = text.partition("## Decoding")[::2]
    assert "| [mine](peers/mine.md) | 1 | 100 % · 70 % |\n" in ids
    assert "| [mine](peers/mine.md) | 1 | – |\n" in decoded
    assert "| [mine](peers/mine.md) | 1 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | – |\n" in text
    assert "| [mine](peers/mine.md) | – · – | – · – | 1 of 2 · – |" in text


def test_the_share_of_ids_is_the_lower_one_of_without_and_with_special_tokens(results: Any) -> None:
    agreement = results.texts.agreements["mine", "toy"]
    told = {
        "100 % · 70 %": {records.Asked.TEXT: {}, records.Asked.TEMPLATE: {}},
        "0 % · 70 %": {records.Asked.TEXT: {}, records.Asked.TEMPLATE: {"ids": 1000}},
        "99 % · 70 %": {records.Asked.TEXT: {"ids": 10}, records.Asked.TEMPLATE: {"ids": 9}},
        "100 % · 70 %*": {records.Asked.TEXT: {}},
    }
    for cell, differing in told.items():
        texts = {("mine", "toy"): replace(agreement, differing=differing)}
        measured = replace(results, texts=replace(results.texts, agreements=texts))
        assert pages.overview_cell(measured, "mine", "toy", records.Asked.TEXT) == cell


def test_a_page_has_figures_and_findings(described: Callable[..., Path], results: Any) -> None:
    finding = {"text": "<b>|`", "tried": ["f(TEXT, 2)"], "call": "f(TEXT)"}
    (peer,) = descriptions.read_peers(described(finding))
    text = pages.page(peer, results)
    row = "| `toy` | tokenizer.json as they are | 0 · 3 | offsets 1 · 4 | 0 | – | – |"
    assert row in text
    assert "| core | 1 | 1 | 0 | 0 |\n| edge | 0 | 0 | 1 | 0 |\n| quirk | 0 | 0 | 0 | 1 |\n" in text
    assert "| models | 1 of 2 | – | – |\n" in text
    assert "in 12 answers" in text
    assert "**Capitals stay** (model). It has no normalizer." in text
    assert "- `bert-mini`, encode ``'<b>|`'``: `tokenizers` `[2]`, it `[1]`\n" in text
    assert "- asked: ``f('<b>|`')``; tried, too: ``f('<b>|`', 2)``\n" in text


def test_a_heavy_peer_that_was_not_there_is_left_out_of_all_pages(
    described: Callable[..., Path], results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (peer,) = descriptions.read_peers(described())
    peers = [peer, replace(peer, name="heavy")]
    with pytest.raises(RecordError, match=r"^measured or described, and not both: heavy$"):
        peer_matrix.pages_of(peers, results)
    monkeypatch.setattr(peer_matrix, "HEAVY", {"heavy": None})
    assert list(peer_matrix.pages_of(peers, results)) == ["peers.md", "peers/mine.md"]


def test_a_peer_that_is_described_has_to_be_measured(laid: Callable[[str, str], Path]) -> None:
    record = laid("run", run_record(("mine", 3, None)))
    suites = [
        laid(name, suite_record(requirement(name, "passed", ("passed", None)), requirements=1))
        for name in ("mine", "other")
    ]
    with pytest.raises(RecordError, match=r"measured or described, and not both: .*kitoken"):
        peer_matrix.pages([record, record, record, record, *suites])
