"""``tokconf compare``: what it accepts, what it shows, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from compared_tokenizers import plan_of
from line_schema import of_type, valid_lines
from rich.cells import cell_len

from tokenizer_adapters.contract import Encode, Encoded, Failed
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.research.cuts import carriers, counting, tally
from tokenizer_conformance.research.cuts.engine import compare, is_ending
from tokenizer_conformance.research.cuts.kinds import KINDS, Group
from tokenizer_conformance.research.cuts.wording import ending
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.cuts import FORMAT, Failures, Footer, Pair, PartCounts
from tokenizer_conformance.results.records.making import LastLine, last_line
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource

    Tokconf = Callable[..., Result]

HOSTILE = "\x1b[31mred\x1b[0m `<b>`|\u202e| \u05e9\u05dc 👩\u200d👩 e\u0301 \u200b\0\r\n# x"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf compare`` in this process, in a folder with two files of texts."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "compare"])
    Path("a.txt").write_text("The HTTPserver isn't ok\nHello Hello 1984\n\n", "utf-8")
    Path("b.jsonl").write_text('{"words": "Hello\\n\\nYou"}\n', "utf-8")
    return lambda *arguments, given=None: CliRunner().invoke(main, ["compare", *arguments], input=given)


def test_the_schema_is_a_schema_and_knows_the_kinds() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
    properties = schema_of(FORMAT)["$defs"]["Kind"]["properties"]
    assert properties["kind"]["enum"] == sorted(kind.name for kind in KINDS)
    assert properties["part"]["enum"] == sorted(map(str, Group))


def test_one_text_is_shown_with_the_tokens_of_all(cli: Tokconf) -> None:
    result = cli("gpt2-mini", "bert-mini", "xlnet-mini", "Hello, it's 1984", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 0, result.output
    for name in ("gpt2-mini", "bert-mini", "xlnet-mini"):
        assert f"\n{name} " in result.output
    assert "\ndiffer " in result.output
    assert result.stdout.startswith("text "), "the picture comes first, what it was made by last"
    assert result.stdout.index("\ncut by ") > result.stdout.index("xlnet-mini beside gpt2-mini")
    assert "bert-mini beside gpt2-mini" in result.output
    assert "xlnet-mini beside gpt2-mini" in result.output
    assert "2 pairs compared, 2 cut differently; exit status 0" in result.output
    assert all(cell_len(line) <= 80 for line in result.output.splitlines())
    lines = valid_lines("a.jsonl", FORMAT)
    (text,) = of_type(lines, "text")
    assert [cut["tokenizer"] for cut in text["cuts"]] == ["gpt2-mini", "bert-mini", "xlnet-mini"]
    for pair in of_type(lines, "pair"):
        assert sum(kind["difference"] for kind in pair["kinds"]) == pair["difference"]
        for kind in pair["kinds"]:  # of one text every region is told
            assert sum(each["count"] for each in kind["examples"]) == kind["regions"]
    page = Path("a.md").read_bytes()
    assert is_report(page)
    assert page.count(b"\n20. ") == 1
    parts = page.decode().split("\n\n")
    assert parts[0].startswith("# “Hello, it's 1984” cut by gpt2-mini, bert-mini and xlnet-mini")
    assert parts[2].startswith("```text\ntext ")
    assert parts[4].startswith("**bert-mini cuts ")


def test_a_corpus_is_compared_with_kinds_and_proven_examples(cli: Tokconf) -> None:
    result = cli("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 0, result.output
    assert "inputs    3\n" in result.output
    lines = valid_lines("a.jsonl", FORMAT)
    assert [line["type"] for line in lines] == ["header", "tokenizer", "tokenizer", "pair", "footer"]
    pair = lines[3]
    assert pair["texts"] == 3
    assert sum(kind["difference"] for kind in pair["kinds"]) == pair["difference"]
    evidence = {each["evidence"] for kind in pair["kinds"] for each in kind["examples"]}
    assert "proven" in evidence
    assert is_report(Path("a.md").read_bytes())
    again = cli("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--markdown", "a.md", "--examples", "0")
    assert again.exit_code == 0
    assert " × " not in again.output


def test_all_pairs_columns_and_splits(cli: Tokconf) -> None:
    words = ("gpt2-mini", "bert-mini", "t5-mini", "--inputs", "b.jsonl", "--column", "words", "--all-pairs")
    assert cli(*words, "--json", "a.jsonl").exit_code == 0
    pairs = [(line["first"], line["second"]) for line in of_type(valid_lines("a.jsonl", FORMAT), "pair")]
    assert pairs == [("gpt2-mini", "bert-mini"), ("gpt2-mini", "t5-mini"), ("bert-mini", "t5-mini")]
    whole = cli("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--split", "file")
    assert "inputs    1\n" in whole.output
    assert "white space" in whole.output


@pytest.mark.long_but(2)
@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_hostile_texts_are_escaped_at_any_width(cli: Tokconf, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    Path("hostile.txt").write_bytes(HOSTILE.encode())
    for arguments in (["--text-file", "hostile.txt"], ["--inputs", "hostile.txt"]):
        result = cli("gpt2-mini", "bert-mini", "t5-mini", *arguments, "--markdown", "a.md", "--json", "a.jsonl")
        assert result.exit_code == 0, result.output
        valid_lines("a.jsonl", FORMAT)
        for page in (result.output, Path("a.md").read_text("utf-8")):
            assert not set(page) & set("\x1b\u202e\u200d\u200b\0\r\u05e9")
        assert all(cell_len(line) <= int(width) for line in result.output.splitlines())


def test_the_text_comes_from_standard_input_a_file_or_escapes(cli: Tokconf) -> None:
    Path("text").write_text("a☃", "utf-8")
    asked = [
        cli("gpt2-mini", "bert-mini", "-", given="a☃"),
        cli("gpt2-mini", "bert-mini", "--text-file", "text"),
        cli("gpt2-mini", "bert-mini", r"a\N{SNOWMAN}", "--escaped"),
    ]
    assert len({each.output for each in asked}) == 1
    assert "2 code points, 4 UTF-8 bytes" in asked[0].output


def test_an_empty_text_and_a_word_of_500_characters(cli: Tokconf) -> None:
    empty = cli("gpt2-mini", "bert-mini", "")
    assert empty.exit_code == 0
    assert "they cut every text alike" in empty.output
    long = cli("gpt2-mini", "bert-mini", "a" * 500)
    assert long.exit_code == 0
    assert all(cell_len(line) <= 80 for line in long.output.splitlines())


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("gpt2-mini", "text"), "the last word here, 'text', is taken for the TEXT"),
    (("gpt2-mini", "--inputs", "a.txt"), "nothing to compare 'gpt2-mini' with"),
    (("gpt2-mini", "--text-file", "a.txt"), "nothing to compare 'gpt2-mini' with"),
    (("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--text-file", "a.txt"), "--inputs and --text-file"),
    (("gpt2-mini", "bert-mini", "--text-file", "none.txt"), "--text-file 'none.txt' cannot be read: No such file"),
    (("gpt2-mini", "gpt2-mini", "text"), "every TOKENIZER is 'gpt2-mini': give a second one to compare with"),
    (("gpt2-mini", "gpt2-mini", "--inputs", "a.txt", "none.txt"), "every TOKENIZER is 'gpt2-mini'"),
    (("gpt2-mini", "no-such.json", "text"), "tokenizer 'no-such.json': no such file or folder"),
    (("gpt2-mini", "bert-mini", "--inputs", "none.txt"), "none.txt"),
    (("gpt2-mini", "bert-mini", "text", "-i", "nobody"), "nobody"),
    (("gpt2-mini", "bert-mini", "text", "-i", "all"), "is several implementations"),
    (("gpt2-mini", "bert-mini", r"\q", "--escaped"), "which is no escape"),
    (("gpt2-mini", "bert-mini", "text", "--column", "x"), "--column is about"),
    (("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--shard", "1/2"), "--shard needs --json FILE"),
    (
        (*("gpt2-mini", "bert-mini", "--inputs", "a.txt", "-i", "command:x"), *("--shard", "1/2", "--json", "b.jsonl")),
        "--shard with -i command:x: merging tries causes, and starts nothing by a record but what is registered",
    ),
    (("gpt2-mini", "bert-mini", "--inputs", "a.txt", "--json", "a.txt"), "give another file for the report"),
    (("gpt2-mini", "bert-mini", "--text-file", "a.txt", "--json", "a.txt"), "give another file for the report"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_what_cannot_be_used_is_said(cli: Tokconf, arguments: tuple[str, ...], words: str) -> None:
    result = cli(*arguments)
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_one_bad_tokenizer_costs_the_others_nothing(cli: Tokconf) -> None:
    result = cli("gpt2-mini", "no-such.json", "bert-mini", "Hello")
    assert result.exit_code == 2
    assert "bert-mini beside gpt2-mini" in result.output
    assert "no-such.json" in result.output


# Implementations that fail -------------------------------------------------------------------------------------------


class Changed(TokenizersImplementation):
    """The target, with other answers to some texts."""

    def load(self, source: TokenizerSource) -> Any:
        subject = super().load(source)
        observe = subject.observe
        subject.observe = lambda question: self.answer(source.name, question, observe(question))
        return subject

    def answer(self, name: str, question: Observation, outcome: Outcome) -> Outcome:
        raise NotImplementedError


class WithoutOffsets(Changed):
    def answer(self, name: str, question: Observation, outcome: Outcome) -> Outcome:  # noqa: ARG002
        if isinstance(outcome, Encoded) and name == "bert-mini":
            return Encoded(outcome.ids, outcome.tokens)
        return outcome


class Refusing(Changed):
    def answer(self, name: str, question: Observation, outcome: Outcome) -> Outcome:
        is_refused = isinstance(question, Encode) and question.text == "two" and name == "bert-mini"
        return Failed("ValueError", "no \x1b two") if is_refused else outcome


class Interrupted(Changed):
    def answer(self, name: str, question: Observation, outcome: Outcome) -> Outcome:  # noqa: ARG002
        if isinstance(question, Encode) and question.text == "stop":
            raise KeyboardInterrupt
        return outcome


def test_a_tokenizer_without_offsets_is_told_and_the_others_are_compared() -> None:
    plan = plan_of(["gpt2-mini", "bert-mini", "t5-mini"], ["One"], WithoutOffsets)
    events = list(compare(plan))
    (refused,) = [each for each in events if isinstance(each, headers.Refused)]
    assert "shows no offsets" in refused.reason
    (pair,) = [each for each in events if isinstance(each, Pair)]
    assert (pair.first, pair.second) == ("gpt2-mini", "t5-mini")
    assert isinstance(events[-1], LastLine)
    assert (events[-1].conclusion, events[-1].exit_status) == (Conclusion.IMPLEMENTATION_FAILED, 3)


def test_a_text_that_one_refuses_is_left_out_of_its_pairs_alone() -> None:
    events = list(compare(plan_of(["gpt2-mini", "bert-mini", "t5-mini"], ["One", "two", "three"], Refusing)))
    assert [each for each in events if isinstance(each, Failures)] == [
        Failures(name="bert-mini", texts=1, input="text 1", reason="ValueError: no \x1b two")
    ]
    assert [each.texts for each in events if isinstance(each, Pair)] == [2, 3]
    assert isinstance(events[-1], LastLine)
    assert events[-1].exit_status == 3


def test_a_text_that_one_refuses_is_shown_as_the_others_cut_it(cli: Tokconf) -> None:
    words = ("gpt2-mini", "bert-mini", "t5-mini", "two", "-i", "test_cli:Refusing")
    sys.modules["test_cli"] = sys.modules[__name__]
    result = cli(*words)
    assert result.exit_code == 3, result.output
    assert "t5-mini beside gpt2-mini" in result.output
    assert "no \\x1b two" in result.output
    assert "\x1b" not in result.output


def test_an_internal_error_is_not_called_an_interrupt() -> None:
    error = Conclusion.INTERNAL_ERROR
    finished = last_line(Footer, error, 1.0, finished=False, texts=1, pairs=1, differing=0, failed=0)
    assert ending(finished.line).startswith("internal error; ")


def test_an_interrupt_keeps_what_was_counted() -> None:
    texts = [*["Hello World 1984"] * 64, "stop", "never"]
    events = list(compare(plan_of(["gpt2-mini", "bert-mini"], texts, Interrupted)))
    (pair,) = [each for each in events if isinstance(each, Pair)]
    assert not pair.finished
    assert is_ending(pair)
    assert pair.texts == 64
    assert sum(each.difference for each in pair.kinds) == pair.difference
    evidence = {example.evidence for kind in pair.kinds for example in kind.examples}
    assert evidence <= {"not tried", "seen in the tokens"}
    assert "not tried" in evidence
    assert isinstance(events[-1], LastLine)
    assert (events[-1].finished, events[-1].exit_status) == (False, 130)


def test_an_interrupted_part_tells_what_it_has_counted() -> None:
    texts = [*["Hello World 1984"] * 64, "stop", "never"]
    events = list(compare(plan_of(["gpt2-mini", "bert-mini"], texts, Interrupted, shard=Shard(1, 1))))
    *_, counts, end = events
    assert isinstance(counts, PartCounts)
    assert is_ending(counts)  # or the interrupt is answered once more, and nothing is told
    assert counts.texts == 64
    assert isinstance(end, LastLine)
    assert (end.finished, end.exit_status) == (False, 130)


@pytest.mark.parametrize(("kind", "options"), [(PartCounts, {"shard": Shard(1, 1)}), (Pair, {})])
def test_after_an_interrupt_what_was_not_told_is_told_once(
    kind: type[PartCounts | Pair], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carriers, "SECONDS", -1.0)
    names = ["gpt2-mini", "bert-mini", "t5-mini", "xlnet-mini"]
    engine = compare(plan_of(names, ["Hello World 1984"], **options))
    before = [next(event for event in engine if isinstance(event, kind))]
    after = [engine.throw(KeyboardInterrupt()), *engine]
    told = [each for each in (*before, *after) if isinstance(each, kind)]
    assert [each.second for each in told] == names[1:]
    assert isinstance(after[-1], LastLine)
    assert (after[-1].finished, after[-1].exit_status) == (False, 130)


def test_how_far_counts_of_examples_may_be_off_is_told(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each block only the most frequent example of a kind is counted."""
    monkeypatch.setattr(carriers, "SECONDS", -1.0)
    monkeypatch.setattr(tally, "CAPACITY", 1)
    monkeypatch.setattr(counting, "BLOCK", 20)
    Path("texts.txt").write_text("HTTPserver ok ok\nAnother word\nhello 1984 its\n" * 3, "utf-8")
    result = cli("gpt2-mini", "bert-mini", "--inputs", "texts.txt", "--json", "r.jsonl")
    (pair,) = of_type(valid_lines("r.jsonl", FORMAT), "pair")
    missed = [kind["missed"] for kind in pair["kinds"] if kind["missed"]]
    assert missed
    output = " ".join(result.output.split())
    told = re.findall(r"counts of examples may be too low by up to (\d+)", output)
    assert sorted(map(int, told)) == sorted(missed)


def with_pattern(name: str, pattern: str, **changes: Any) -> None:
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    document |= {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, level]}, **changes}
    Path(name).write_text(json.dumps(document), "utf-8")


def test_the_part_that_carries_a_difference_is_named_with_both_values(cli: Tokconf) -> None:
    with_pattern("one.json", r" ?\p{L}+")
    with_pattern("two.json", r" ?\p{L}", decoder={"type": "Fuse"})
    Path("texts.txt").write_text("the and\nthat\n1 2\n", "utf-8")
    result = cli("one.json", "two.json", "--inputs", "texts.txt", "--json", "r.jsonl", "--markdown", "r.md")
    output = " ".join(result.output.split())
    carried = "the pre-tokenizer's Split pattern carries all 2 texts that differ: with two's, one gives two's answers"
    assert carried in output
    assert "and two with one's gives one's; 50 texts that both cut alike stay so" in output
    place = r'$.pre_tokenizer.pretokenizers[0].pattern.Regex: " ?\\p{L}+" in one, " ?\\p{L}" in two'
    assert place in output
    assert "by the look of the places" not in output
    assert "carries all 2 texts that differ" in " ".join(Path("r.md").read_text("utf-8").split())
    (pair,) = of_type(valid_lines("r.jsonl", FORMAT), "pair")
    (carrier,) = pair["exchanged"]["carriers"]
    assert (pair["exchanged"]["is_all"], carrier["texts"], carrier["back"]) == (True, 2, 2)


def test_what_a_difference_looks_like_is_no_proof(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the time is over before any part was exchanged, only the look of the places is told, and so called."""
    monkeypatch.setattr(carriers, "SECONDS", -1.0)
    with_pattern("one.json", r" ?\p{L}+")
    with_pattern("two.json", r" ?\p{L}", decoder={"type": "Fuse"})
    Path("texts.txt").write_text("the and\n", "utf-8")
    output = " ".join(cli("one.json", "two.json", "--inputs", "texts.txt").output.split())
    assert "carries the difference is not known: the time for trying parts was over; 2 parts differ" in output
    assert "by the look of the places, not proven: words of the vocabulary 100.0 %" in output
