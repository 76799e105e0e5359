"""``check`` finds what the commands find, of whatever encodes, and leaves everything as it was."""

from __future__ import annotations

import builtins
import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import planted_faults
import pytest
import tokenizers
import transformers

import tokenizer_reference
from tokenizer_conformance import Conclusion, ConformanceError, assert_conforms, check
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = bundled_file("bert-mini")
TEXTS = ["Hello, how are you?", "cafe\u0301 \U0001f600 na\u00efve"]
ONE = "BERTNORM-STRIP-ACCENTS-DEFAULT"


def tokenizer() -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_file(str(FILE))


class Own:
    """Encodes with `tokenizers`; ``late`` is added to the end of each offset."""

    def __init__(self, late: int = 0) -> None:
        self.inner = tokenizer()
        self.late = late

    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> dict[str, Any]:
        found = self.inner.encode(text, pair, add_special_tokens=add_special_tokens)
        return {"ids": found.ids, "offsets": [(start, end + self.late) for start, end in found.offsets]}

    def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str:
        return str(self.inner.decode(ids, skip_special_tokens=skip_special_tokens))


# What can be checked --------------------------------------------------------------------------------------------------


SOUND: list[Callable[[], Any]] = [
    lambda: "reference",
    tokenizer,
    lambda: tokenizer_reference.Tokenizer.from_file(str(FILE)),
    lambda: transformers.PreTrainedTokenizerFast(tokenizer_file=str(FILE)),
    Own,
    planted_faults.Sound,
    lambda: (lambda text: tokenizer().encode(text).ids, lambda ids: tokenizer().decode(ids)),
    lambda: {"encode": lambda text: tokenizer().encode(text)},
]


@pytest.mark.parametrize("make", SOUND)
def test_what_is_sound_conforms(make: Callable[[], Any]) -> None:
    report = check(make(), tokenizer=FILE, texts=TEXTS, suite=False)
    assert report.conforms, str(report)
    assert report.conclusion is Conclusion.CONFORM
    assert (report.texts, report.findings, report.problems) == (2, (), ())
    assert report.compared > 0
    report.raise_for_differences()


def test_a_fault_is_found_at_its_place() -> None:
    report = check(Own(late=1), tokenizer=FILE, texts=TEXTS)
    assert not report.conforms
    own = [finding for finding in report.findings if not finding.is_consequence]
    assert {(finding.signature.stage, finding.signature.field) for finding in own} == {("model", "offsets")}
    assert report.requirements == ()
    assert "give load=" in report.not_asked


@pytest.mark.long
def test_offsets_count_what_is_said() -> None:
    class Bytes(Own):
        def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> dict[str, Any]:
            found = self.inner.encode(text, pair, add_special_tokens=add_special_tokens)
            rows = zip(found.offsets, found.sequence_ids, strict=True)
            texts = {0: text, 1: pair or "", None: ""}
            return {
                "ids": found.ids,
                "offsets": [tuple(len(texts[which][:at].encode()) for at in span) for span, which in rows],
            }

    assert check(Bytes(), tokenizer=FILE, texts=TEXTS, offset_unit="UTF-8 bytes", suite=False).conforms
    assert not check(Bytes(), tokenizer=FILE, texts=TEXTS, suite=False).conforms
    with pytest.raises(ValueError, match="'bytes' is none of 'code points', 'UTF-8 bytes', 'UTF-16 units'"):
        check(Bytes(), tokenizer=FILE, texts=TEXTS, offset_unit="bytes")


FORMS: list[Callable[[], Any]] = [
    lambda: str(FILE),
    lambda: FILE.parent,
    lambda: "bert-mini",
    lambda: FILE.read_text("utf-8"),
    lambda: json.loads(FILE.read_text("utf-8")),
    tokenizer,
]


@pytest.mark.parametrize("form", FORMS)
def test_a_tokenizer_comes_in_many_forms(form: Callable[[], Any]) -> None:
    assert check("reference", tokenizer=form(), texts=["a"], suite=False).conforms


def test_texts_may_be_pairs() -> None:
    seen: list[tuple[str, str | None]] = []

    class Seeing(Own):
        def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> dict[str, Any]:
            seen.append((text, pair))
            return super().encode(text, pair, add_special_tokens)

    report = check(Seeing(), tokenizer=FILE, texts=["one", ("two", "three"), "four"], suite=False)
    assert report.conforms
    assert {pair for pair in seen if pair[1] is not None} == {
        ("one", "four"),
        ("four", "one"),
        ("two", "three"),
        ("three", "two"),
    }


UNUSABLE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"mine": "tokkie", "tokenizer": FILE}, ValueError, "no implementation is called 'tokkie'; did you mean 'tokie'"),
    ({"mine": "command:", "tokenizer": FILE}, ValueError, "gives no command"),
    ({"mine": "reference", "tokenizer": FILE, "texts": [("a", "b", "c")]}, ValueError, r"texts\[0\] is of tuple"),
    ({"mine": "reference"}, ValueError, "does not say which tokenizer it is: give tokenizer="),
    ({"mine": 3, "tokenizer": FILE}, TypeError, "an object of int is no tokenizer"),
    ({"mine": "reference", "tokenizer": "./no.json"}, ValueError, "no such file"),
    ({"mine": "reference", "tokenizer": "{}"}, ValueError, 'no "model" object'),
    ({"mine": "reference", "tokenizer": 3}, ValueError, "an object of int writes no tokenizer.json"),
    ({"mine": "reference", "tokenizer": FILE, "texts": "text"}, TypeError, "give several"),
    ({"mine": "reference", "tokenizer": FILE, "texts": []}, ValueError, "no texts"),
    ({"mine": "reference", "tokenizer": FILE, "texts": [b"a"]}, ValueError, r"texts\[0\] is of bytes"),
    ({"mine": "reference", "tokenizer": FILE, "texts": ["\ud800"]}, ValueError, "lone surrogate"),
    ({"mine": "reference", "tokenizer": FILE, "suite": "(("}, ValueError, "suite: -k"),
    ({"mine": "reference", "tokenizer": FILE, "load": len}, ValueError, "load is for objects"),
    ({"mine": "reference", "tokenizer": FILE, "ledger": "no.toml"}, ValueError, "ledger 'no.toml'"),
    ({"mine": "tokenizers", "tokenizer": FILE}, ValueError, "both sides are called 'tokenizers'"),
    ({"mine": (len, str), "tokenizer": FILE, "suite": True}, ValueError, "loads no other tokenizers; give load="),
]


@pytest.mark.long_but(6)
@pytest.mark.parametrize(("given", "error", "words"), UNUSABLE)
def test_what_cannot_be_used_is_said(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        check(**{"texts": ["a"], **given})


def test_a_tokenizer_that_nobody_loads_is_no_pass() -> None:
    report = check("reference", tokenizer={"model": {"type": "NoSuch"}}, texts=["a"], suite=False)
    assert not report.conforms
    assert report.conclusion is Conclusion.BAD_INPUT
    assert any("cannot load" in problem for problem in report.problems)


def test_nothing_compared_is_no_pass() -> None:
    report = check({"encode": len}, tokenizer=FILE, texts=["a"])
    assert not report.conforms
    with pytest.raises(ConformanceError, match="encode gave an object of int"):
        report.raise_for_differences()


# The suite ------------------------------------------------------------------------------------------------------------


def test_requirements_are_asked_of_what_loads_tokenizers() -> None:
    for mine in (tokenizer(), planted_faults.Sound()):
        report = check(mine, tokenizer=FILE, texts=["a"], suite=ONE)
        assert [(result.requirement.id, result.verdict) for result in report.requirements] == [
            (ONE, CaseVerdict.PASSED)
        ]
        assert report.suite_conclusion is Conclusion.CONFORM
        assert report.not_asked == ""
        assert report.conforms


def test_a_requirement_that_fails_keeps_it_from_conforming() -> None:
    wrong = {"encode": lambda _: [9], "normalize": str.swapcase}
    report = check(Own(), tokenizer=FILE, texts=["a"], suite=ONE, load=lambda _: wrong)
    assert report.conclusion is Conclusion.CONFORM
    assert report.suite_conclusion is Conclusion.DIFFERENCES
    assert not report.conforms
    with pytest.raises(ConformanceError, match=f"{ONE}: Where strip_accents is null"):
        report.raise_for_differences()


def test_what_loads_no_tokenizer_is_said() -> None:
    with pytest.raises(TypeError, match="a pair of functions"):
        check(Own(), tokenizer=FILE, texts=["a"], suite=ONE, load=lambda _: (len,))


def test_known_differences_are_no_findings(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.toml"
    ledger.write_text('format = 1\n[[known]]\nimplementation = "own"\nstage = "model"\nreason = "late by design"\n')
    report = check(Own(late=1), tokenizer=FILE, texts=["a"], name="own", ledger=ledger)
    assert {finding.signature.entry.reason for finding in report.known if finding.signature.entry} == {"late by design"}
    assert report.findings == ()
    assert report.conforms


# The report -----------------------------------------------------------------------------------------------------------


def test_the_error_shows_tokenizer_text_stage_field_and_both_sides() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_conforms(Own(late=1), FILE, ["\x1b[31m hostile"], name="late")
    message = str(raised.value)
    assert message.splitlines()[0] == (
        f"late against tokenizers on {FILE.parent.name}: differences; 1 text, 10 values compared, 1 finding"
    )
    assert "late at model: other values of offsets" in message
    assert "tokenizers (1)  late (1)" in message
    assert "\x1b" not in message
    assert isinstance(raised.value, ConformanceError)
    assert raised.value.report.implementation == "late"
    assert repr(raised.value.report) == f"<ConformanceReport {message.splitlines()[0]}>"


@pytest.mark.long
def test_the_frame_has_a_row_for_each_finding_and_requirement() -> None:
    pytest.importorskip("pandas")
    mine = planted_faults.ShortDecode()
    frame = check(mine, tokenizer="gpt2-mini", texts=["a", "\ufffd"], suite=ONE).to_frame()
    rows = frame[["kind", "name", "stage", "verdict", "differences"]].values.tolist()
    assert rows == [
        ["text", "gpt2-mini", "decode", "differ", 2],
        ["requirement", ONE, "normalize", "passed", 0],
    ]


def test_a_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    report = check("reference", tokenizer=FILE, texts=["a"], suite=False)
    with pytest.raises(ImportError, match=r"pip install 'tokenizer-conformance\[frame\]'"):
        report.to_frame()


# What is left as it was -----------------------------------------------------------------------------------------------


def test_objects_are_as_they_were() -> None:
    mine = tokenizer()
    mine.enable_truncation(5)
    mine.enable_padding(length=9)
    other = transformers.PreTrainedTokenizerFast(tokenizer_file=str(FILE))
    other.backend_tokenizer.enable_truncation(3)
    before = mine.to_str(), other.backend_tokenizer.to_str()
    assert check(mine, texts=TEXTS, suite=ONE).conforms
    assert check(other, texts=TEXTS, suite=False).conforms
    assert (mine.to_str(), other.backend_tokenizer.to_str()) == before


def test_no_file_is_left_and_no_handler_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    check(tokenizer(), texts=["a"], suite=ONE)
    assert list(tmp_path.iterdir()) == []
    assert {number: signal.getsignal(number) for number in before} == before


def test_checks_do_not_know_of_each_other() -> None:
    first = check(Own(late=1), tokenizer=FILE, texts=["a"])
    with pytest.raises(ValueError, match="no such file"):
        check(Own(), tokenizer="./no.json", texts=["a"])
    assert check(Own(), tokenizer=FILE, texts=["a"]).conforms
    assert check(Own(late=1), tokenizer=FILE, texts=["a"]) == first


def test_checks_run_in_threads() -> None:
    reports: list[bool] = []
    threads = [
        threading.Thread(
            target=lambda late: reports.append(check(Own(late), tokenizer=FILE, texts=TEXTS, progress=True).conforms),
            args=(late,),
        )
        for late in (0, 1, 0)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(reports) == [False, True, True]
    assert not [thread for thread in threading.enumerate() if thread.name == "progress"]


def test_an_interrupt_passes_through() -> None:
    def encode(text: str) -> list[int]:
        if text == "stop":
            raise builtins.KeyboardInterrupt
        return [1]

    with pytest.raises(KeyboardInterrupt):
        check({"encode": encode}, tokenizer=FILE, texts=["stop"])


def test_a_process_ends_with_the_check(tmp_path: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(plugin))
    pids = tmp_path / "pids"
    program = tmp_path / "program.py"
    program.write_text(
        "import os, runpy, sys\n"
        f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "sys.argv = ['server', 'sound']\n"
        "runpy.run_module('tokenizer_adapters.protocol.server', run_name='__main__')\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    word = f"mine=command:{sys.executable} {program}"
    assert check(word, tokenizer=FILE, texts=["a"], suite=False).conforms
    (pid,) = map(int, pids.read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.long
def test_a_class_is_selected_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(planted_faults.__file__).parent))
    report = check("planted_faults:ShortDecode", tokenizer="gpt2-mini", texts=["\ufffd"], suite=False)
    assert report.implementation == "short-decode"
    assert [finding.signature.stage for finding in report.findings] == ["decode"]


def test_an_answer_that_changes_is_a_problem_that_is_told() -> None:
    calls = iter(range(1000))
    report = check({"encode": lambda _text: [next(calls)]}, tokenizer="bert-mini", texts=["a"], suite=False)
    assert not report.conforms
    assert any("unstable" in problem for problem in report.problems)


def test_a_vocabulary_that_differs_is_told_and_does_not_pass() -> None:
    class OtherVocabulary(Own):
        def get_vocab(self) -> dict[str, int]:
            return self.inner.get_vocab() | {"the": 7}

    found = check(OtherVocabulary(), "tokenizers", "bert-mini", TEXTS, suite=False, progress=False)
    assert (found.conclusion, found.findings) == (Conclusion.DIFFERENCES, ())
    assert "mine, vocabulary: 1 entry differs" in str(found)
    with pytest.raises(ConformanceError, match=r"vocabulary: 1 entry differs"):
        found.raise_for_differences()
