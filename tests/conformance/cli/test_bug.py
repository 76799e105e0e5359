"""``tokconf bug``: a finding of a record as a report whose snippet shows the difference, or no report."""

from __future__ import annotations

import gzip
import json
import lzma
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

import tokenizer_conformance.cli.bug as command
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.bug.recipes import SPEAKS_FOR, recipe_of
from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.status import STATUS

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Tokconf


ACUTE = "caf\u00e9 e\u0301"


@pytest.fixture
def cli(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs a command in this process, in an empty folder."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")

    def call(*arguments: object) -> Result:
        words = [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "argv", ["tokconf", *words])
        return CliRunner().invoke(main, words)

    return call


@pytest.fixture
def recorded(cli: Tokconf, tmp_path: Path) -> Callable[..., Path]:
    """A function that runs an implementation against another on one text, and gives the record."""

    def run(name: str, text: str, tokenizer: str = "gpt2-mini", baseline: str = "tokenizers") -> Path:
        (tmp_path / "text.txt").write_text(text, "utf-8")
        sides = ("-i", baseline, name, "--baseline", baseline, "--no-builtin", "--inputs", "text.txt", "--no-known")
        result = cli("run", tokenizer, *sides, "--json", "run.jsonl", "--force")
        assert result.exit_code == 1, result.output
        return tmp_path / "run.jsonl"

    return run


def printed_by(report: str, *arguments: str) -> list[str]:
    """Return what the snippet in ``report`` prints in a fresh interpreter."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", report, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.splitlines()


def test_without_a_recipe_the_answer_is_a_value(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    result = cli("bug", recorded("keeps-accent", ACUTE), "--finding", 1, "--time", 1)
    assert result.exit_code == 1, result.output
    assert result.output.startswith("# keeps-accent: ")
    assert "COMBINING ACUTE ACCENT" in result.output
    (line,) = printed_by(result.output)
    assert line.startswith("tokenizers: ")
    assert "keeps\\-accent" not in line
    assert "```python" in result.output
    assert re.search(r"keeps-accent \S+ +'", result.output)


def test_the_reference_speaks_for_itself_where_no_package_does(
    cli: Tokconf, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SPEAKS_FOR, "reference", "not-installed-anywhere")
    record = recorded("keeps-accent", ACUTE)
    sides = ("-i", "reference", "keeps-accent")
    result = cli("bug", record, "--finding", 1, "--time", 0, "--no-check", *sides)
    assert result.exit_code == 1, result.output
    assert re.search(r"^reference +\S", result.output, re.MULTILINE)
    assert "not-installed-anywhere" not in result.output


@pytest.mark.parametrize("shows_whole", [True, False])
def test_a_tokenizer_that_stays_large_is_told_by_its_name_if_that_shows_the_difference(
    cli: Tokconf, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, shows_whole: bool
) -> None:
    """It is asked again as it was given, and only if the whole does not show it, it is told as it was made small."""
    record = recorded("keeps-accent", ACUTE)
    small = {"version": "1.0", "model": {"type": "BPE", "vocab": {"e": 0, "\u0301": 1}, "merges": []}}
    monkeypatch.setattr(command, "SMALL_DOCUMENT", 0)
    monkeypatch.setattr(command, "LARGEST_DOCUMENT", 1)
    monkeypatch.setattr(command, "minimized_question", lambda _trial, witness, _budget: witness)
    monkeypatch.setattr(command, "minimized_document", lambda _b, witness, _t: replace(witness, document=small))
    if not shows_whole:
        monkeypatch.setattr(Bench, "witness_again", lambda *_: None)
    result = cli("bug", record, "--finding", 1, "--time", 1, "--no-check")
    assert result.exit_code == 1, result.output
    assert ("merges" in result.output) is not shows_whole


@pytest.mark.slow
def test_both_sides_in_one_snippet(
    cli: Tokconf, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("kitoken")
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "tokenizers")  # it may take this process down
    result = cli("bug", recorded("kitoken", "a\u0378b", "bert-mini"), "--finding", 1, "--time", 5)
    assert result.exit_code == 1, result.output
    expected, actual = printed_by(result.output)
    assert expected.startswith("tokenizers: [")
    assert actual.startswith("kitoken: [")
    assert expected.partition(": ")[2] != actual.partition(": ")[2]
    assert "it printed just these answers" in result.output
    assert "tokconf" not in result.output
    assert "tokenizer_conformance" not in result.output


def test_maintainers_are_shown_tokenizers_in_place_of_the_reference(
    cli: Tokconf, recorded: Callable[..., Path]
) -> None:
    result = cli("bug", recorded("keeps-accent", ACUTE, baseline="reference"), "--finding", 1, "--time", 1)
    assert result.exit_code == 1, result.output
    assert "tokenizers: " in printed_by(result.output)[0]
    assert "`reference`" not in result.output


def test_no_report_where_the_snippet_does_not_show_it(
    cli: Tokconf, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = recorded("keeps-accent", ACUTE)
    sound = recipe_of("tokenizers")
    assert sound is not None
    lying = replace(sound, ask=dict.fromkeys(sound.ask, "'another'"))
    monkeypatch.setattr(command, "recipe_of", lambda name: lying if name == "tokenizers" else None)
    result = cli("bug", record, "--finding", 1, "--time", 0, "-o", "bug.md")
    assert result.exit_code == 3
    assert "its snippet does not show the difference" in result.output
    assert "# keeps" not in result.output
    assert not (tmp_path / "bug.md").exists()
    assert cli("bug", record, "--finding", 1, "--time", 0, "--no-check").exit_code == 1


def test_what_is_gone_is_said(cli: Tokconf, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded("keeps-accent", ACUTE)
    begun: list[tuple[str, ...]] = []
    monkeypatch.setattr(STATUS, "begin", lambda *words: begun.append(words))
    result = cli("bug", record, "--finding", 1, "-i", "tokenizers", "reference")
    assert result.exit_code == 0
    assert "there is nothing to report" in result.output
    assert ("asking again", "gpt2-mini") in begun


def test_the_file_is_written_and_not_replaced(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("keeps-accent", ACUTE)
    arguments = ("bug", record, "--finding", 1, "--time", 0, "--no-check", "-o", "bug.md")
    written = cli(*arguments)
    assert (written.exit_code, written.output) == (1, "wrote 'bug.md'\n")
    assert (tmp_path / "bug.md").read_text("utf-8").startswith("# keeps-accent: ")
    assert cli(*arguments).exit_code == 2
    assert cli(*arguments, "--force").exit_code == 1
    before = record.read_bytes()
    assert cli("bug", record, "--finding", 1, "-o", record, "--force").exit_code == 2
    assert record.read_bytes() == before


@pytest.mark.parametrize("number", [0, -1, 99])
def test_a_number_that_there_is_not_is_refused(cli: Tokconf, recorded: Callable[..., Path], number: int) -> None:
    result = cli("bug", recorded("keeps-accent", ACUTE), "--finding", number)
    assert result.exit_code == 2
    assert f"has no finding {number}; its findings are 1" in result.output


def test_a_run_that_was_killed_is_said(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("keeps-accent", ACUTE)
    whole = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(whole[:-1]), "utf-8")
    result = cli("bug", record, "--finding", 1, "--time", 0, "--no-check")
    assert result.exit_code == 1
    assert "stopped before its end" in result.output


def searched(run: Path, *, whole: bool) -> str:
    """Return the record of a search that has found what the ``run`` has, as its finding 7."""
    lines = [json.loads(line) for line in run.read_text("utf-8").splitlines()]
    header, footer = lines[0], lines[-1]
    baseline, implementation = header["implementations"]
    written = ["tokconf", "fuzz", "gpt2-mini", "-i", "tokenizers", "keeps-accent", "--json", "s.jsonl"]
    head = {
        **header,
        "schema": "tokenizer-conformance-search",
        "environment": header["environment"] | {"command": written},
        "baseline": baseline,
        "implementations": [implementation],
    }
    found = {"number": 7, **footer["causes"][0]}
    last = [{"type": "cause", **found}, {"type": "footer"}] if whole else []
    return "".join(json.dumps(line) + "\n" for line in [head, {"type": "finding", **found}, *last])


@pytest.mark.long_but(1)
@pytest.mark.parametrize("whole", [True, False])
def test_a_finding_of_a_search(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path, whole: bool) -> None:
    (tmp_path / "s.jsonl").write_text(searched(recorded("keeps-accent", ACUTE), whole=whole), "utf-8")
    result = cli("bug", "s.jsonl", "--finding", 7, "--time", 0, "--no-check")
    assert result.exit_code == 1, result.output
    assert result.output.startswith("# keeps-accent: ")
    assert ("stopped before its end" in result.output) is not whole
    assert cli("minimize", "s.jsonl", "--finding", 7, "--time", 1).exit_code == 1
    missing = cli("bug", "s.jsonl", "--finding", 1)
    assert missing.exit_code == 2
    assert "has no finding 1; it has 7" in missing.output


def test_hostile_answers_are_shown_as_escapes(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "toy.json").write_text(json.dumps({"model": {"type": "Toy"}}), "utf-8")
    record = recorded("hostile", "ab", "toy.json", "toy")
    for number in (1, 2):
        result = cli("bug", record, "--finding", number, "--time", 1)
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output
        assert "Traceback" not in result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "tokenizer", "text"),
    [
        ("kitoken", "kitoken", "bert-mini", "a\u0378b"),
        ("splintr", "splintr-rs", "bert-mini", "a\u2e43b"),
        ("transformers", "transformers", "bert-mini", "a"),
        ("tokie", "tokie", "bert-mini", "a\u0378b \u1c90 \u0130"),
        ("morpheme", "morpheme", "bert-mini", "\u0003a \u0130"),
    ],
)
def test_snippets_of_peers_show_what_they_report(
    cli: Tokconf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    name: str,
    tokenizer: str,
    text: str,
) -> None:
    pytest.importorskip(module)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "tokenizers")
    (tmp_path / "text.txt").write_text(text, "utf-8")
    sides = ("-i", "tokenizers", name, "--inputs", "text.txt", "--no-known")
    if cli("run", tokenizer, *sides, "--json", "run.jsonl").exit_code == 0:
        pytest.skip(f"{name} agrees on everything here")
    for number in (1, 2, 3):
        result = cli("bug", "run.jsonl", "--finding", number, "--time", 5)
        assert result.exit_code in {1, 2}, result.output
        if result.exit_code == 1 and "PATH/TO" not in result.output:
            lines = printed_by(result.output)
            assert len({line.partition(": ")[2] for line in lines}) == 2


# What is the user's own -----------------------------------------------------------------------------------------------

OWN_CLASS = '''
import tokenizers

class Lower:
    """Lower-cases what it is given."""

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def from_{source}(cls, given):
        return cls(tokenizers.Tokenizer.from_{source}(given))

    def encode(self, text{options}):
        return self.inner.encode(text.lower(){passed})

    def decode(self, ids, skip_special_tokens=True):
        return self.inner.decode(ids, skip_special_tokens=skip_special_tokens)
'''

WAYS = [
    ("file", ", add_special_tokens=True", ", add_special_tokens=add_special_tokens"),
    ("str", ", add_special_tokens=True", ", add_special_tokens=add_special_tokens"),
    ("file", "", ""),
]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("source", "options", "passed"), WAYS)
def test_a_class_of_the_user_is_asked_by_the_program_too(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, options: str, passed: str
) -> None:
    module = f"own_class_{WAYS.index((source, options, passed))}"
    text = OWN_CLASS.format(source=source, options=options, passed=passed)
    (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
    (tmp_path / "text.txt").write_text("Hello", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    sides = ("-i", "tokenizers", f"{module}:Lower")
    given = (*sides, "--no-builtin", "--inputs", "text.txt", "--cause-time", 0, "--json", "run.jsonl")
    assert cli("run", "gpt2-mini", *given).exit_code in (1, 4)
    result = cli("bug", "run.jsonl", "--finding", 1, "--time", 0, *sides)
    assert result.exit_code == 1, result.output
    assert "it printed exactly the answers of tokenizers and Lower." in result.output
    assert f"from {module} import Lower" in result.output
    assert f"Run it where the module {module} can be imported." in result.output


def test_a_program_of_the_user_is_asked_by_the_program_too(cli: Tokconf, tmp_path: Path) -> None:
    words = Path(__file__).parents[3] / "examples" / "protocol" / "words.py"
    (tmp_path / "text.txt").write_text("a!", encoding="utf-8")
    sides = ("-i", "tokenizers", f"mine=command:{sys.executable} {words}")
    given = (*sides, "--no-builtin", "--inputs", "text.txt", "--stage", "model", "--cause-time", 0)
    assert cli("run", "bert-mini", *given, "--json", "run.jsonl").exit_code == 1
    result = cli("bug", "run.jsonl", "--finding", 1, "--time", 0, *sides)
    assert result.exit_code == 1, result.output
    assert "it printed exactly the answers of tokenizers and mine." in result.output
    assert 'ask("observe", **' in result.output


def test_what_no_call_is_known_for_is_said(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    result = cli("bug", recorded("keeps-accent", ACUTE), "--finding", 1, "--time", 1)
    assert "it printed exactly the answers of tokenizers." in result.output
    assert "It does not ask keeps-accent, for which no call is known" in result.output


def test_what_shows_only_after_other_questions_is_no_report(cli: Tokconf, tmp_path: Path) -> None:
    text = OWN_CLASS.format(source="file", options=", add_special_tokens=True", passed="")
    text = text.replace("text.lower()", "text.lower() if self.is_second() else text")
    text += "\n    seen = 0\n\n    def is_second(self):\n        self.seen += 1\n        return self.seen > 30\n"
    (tmp_path / "remembers.py").write_text(text, encoding="utf-8")
    (tmp_path / "text.txt").write_text("".join(f"Hello {number}\n" for number in range(60)), encoding="utf-8")
    sides = ("-i", "tokenizers", "remembers:Lower")
    given = ("--no-builtin", "--inputs", "text.txt", "--stage", "model", "--cause-time", 0, "--json", "run.jsonl")
    assert cli("run", "gpt2-mini", *sides, *given).exit_code in (1, 3)
    for name in ("bug", "minimize"):
        result = cli(name, "run.jsonl", "--finding", 1, *sides)
        assert result.exit_code == 2
        assert "shows only after other questions" in result.output + result.stderr


PACKERS = {"gz": gzip.compress, "xz": lzma.compress}


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("command", [("bug", "--time", 1), ("minimize", "--time", 1)])
def test_a_compressed_record_is_read(
    cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path, ending: str, command: tuple[object, ...]
) -> None:
    record = recorded("keeps-accent", ACUTE)
    packed = tmp_path / f"run.jsonl.{ending}"
    packed.write_bytes(PACKERS[ending](record.read_bytes()))
    name, *options = command
    plain, result = (cli(name, path, "--finding", 1, *options) for path in (record, packed))
    assert (result.exit_code, result.output) == (plain.exit_code, plain.output.replace("run.jsonl", packed.name))
    packed.write_bytes(packed.read_bytes()[:-20])
    broken = cli(name, packed, "--finding", 1, *options)
    assert broken.exit_code == 2
    assert "is damaged: it cannot be decompressed to its end" in broken.stderr


OTHER_PACKERS = {"zst": (b"\x28\xb5\x2f\xfd", "zstd"), "bz2": (b"BZh91AY&SY", "bzip2")}


@pytest.mark.parametrize("ending", OTHER_PACKERS)
@pytest.mark.parametrize(
    "command",
    ["bug {} --finding 1", "report {} --html a.html", "diff {} {}", "merge {}", "badge {}", "minimize {} --finding 1"],
)
def test_what_is_compressed_otherwise_is_said_plainly(cli: Tokconf, tmp_path: Path, ending: str, command: str) -> None:
    beginning, called = OTHER_PACKERS[ending]
    (tmp_path / f"r.jsonl.{ending}").write_bytes(beginning + bytes(range(256)))
    result = cli(*command.format(f"r.jsonl.{ending}", f"r.jsonl.{ending}").split())
    assert result.exit_code == 2
    assert f"'r.jsonl.{ending}' is compressed with {called}; decompress it first, or use gzip" in result.stderr
