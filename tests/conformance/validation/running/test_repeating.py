"""A finding can be repeated: pairs do not depend on what is selected, and the printed command shows it again."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tokenizer_adapters.contract import Decode, Encode, Normalize
from tokenizer_conformance.inputs.asked import question_in, words_of_question
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.corpus import Selection, read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.validation.running.plan import EVERY_ID, LONGEST_QUESTION, Call, Repeated

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Tokconf
    from tokenizer_adapters.contract import Observation


def pairs(corpus: object) -> dict[str, str]:
    return {each.input.id: each.following.id for each in corpus}  # type: ignore[attr-defined]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_the_pair_of_an_input_does_not_depend_on_what_is_selected(sizes: list[int], data: st.DataObject) -> None:
    sources = [
        (f"source {place}", tuple(Input(f"{place}/{number}", "test", f"text {number}") for number in range(size)))
        for place, size in enumerate(sizes)
    ]
    whole, _ = read_corpus(sources)
    every = pairs(whole)
    ids = data.draw(st.sets(st.sampled_from(sorted(every)), min_size=1))
    selected, _ = read_corpus(sources, Selection(ids=frozenset(ids)))
    assert pairs(selected) == {name: every[name] for name in ids}
    fewer = data.draw(st.lists(st.sampled_from(sources), unique_by=lambda source: source[0], min_size=1))
    assert pairs(read_corpus(fewer)[0]).items() <= every.items()


def test_within_a_source_the_last_is_paired_with_the_first() -> None:
    inputs = tuple(Input(name, "test", name) for name in "abc")
    corpus, _ = read_corpus([("first", inputs), ("second", (Input("d", "test", "d"),))])
    assert pairs(corpus) == {"a": "b", "b": "c", "c": "a", "d": "d"}


FAULTY = ("lossy-decode", "wrong-normalization", "shifted-offset", "swapped-merge")


@pytest.mark.long_but(1)
@pytest.mark.parametrize("implementation", FAULTY)
def test_the_printed_command_shows_the_finding_again(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path, implementation: str
) -> None:
    texts = tmp_path / "some texts.txt"
    texts.write_text("zebra Bab x\nabc aBc\nabc\n" * 3, encoding="utf-8")
    first = tokconf.run(
        "run", str(toy_tokenizer), "-i", "toy", implementation, "--no-builtin", "--inputs", str(texts), "--every-id"
    )
    commands = [line.split("repeat: ")[1] for line in first.out.splitlines() if "repeat: " in line]
    headlines = [line.strip() for line in first.out.splitlines() if line.startswith("  1. ")]
    assert commands
    assert headlines
    program, *arguments = shlex.split(commands[0])
    assert program == "tokconf"
    again = tokconf.run(*arguments)
    assert again.status == 1
    assert "toy-tokenizer: 1 input, " in again.out
    manner = headlines[0].split(" (")[0]
    assert manner in again.out


TEN_CAUSES = '''
import tokenizers

WRONG = {each: number for number, each in enumerate("é5日!Жßάا~€ñק", 7)}

class Ten:
    """An id of its own for each of ten characters."""

    @classmethod
    def from_file(cls, path):
        made = cls()
        made.inner = tokenizers.Tokenizer.from_file(path)
        return made

    def encode(self, text, pair=None, add_special_tokens=True):
        found = self.inner.encode(text, pair, add_special_tokens=add_special_tokens)
        return Found([*(wrong for each, wrong in WRONG.items() if each in text), *found.ids])

    def decode(self, ids, skip_special_tokens=True):
        return self.inner.decode(ids, skip_special_tokens=skip_special_tokens)

class Found:
    def __init__(self, ids):
        self.ids = ids
'''


def without_merges(folder: Path) -> Path:
    """Return a tokenizer of bytes alone, which loads far faster than the bundled one that it is of."""
    document = json.loads(bundled_file("gpt2-mini").read_text(encoding="utf-8"))
    document["model"]["merges"] = []
    document["model"]["vocab"] = {token: id_ for token, id_ in document["model"]["vocab"].items() if len(token) == 1}
    document["added_tokens"] = []
    document["pre_tokenizer"]["use_regex"] = False
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.long
def test_every_printed_command_of_a_run_with_ten_causes_shows_its_cause(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ten_causes.py").write_text(TEN_CAUSES, encoding="utf-8")
    (tmp_path / "texts.txt").write_text("\n".join("é5日!Жßάا~€ñק") + "\naé5日!\n", encoding="utf-8")
    record, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    given = ("-i", "tokenizers", "ten_causes:Ten", "--no-builtin", "--inputs", "texts.txt", "--stage", "model")
    cli("run", without_merges(tmp_path), *given, "--json", record)
    causes = footer_of(record)["causes"]
    assert len(causes) >= 10
    commands = {each["repeat"]: each for each in causes}
    assert len(commands) == len(causes)
    for command, cause in commands.items():
        arguments = shlex.split(command)[1:]
        cli(*arguments, "--json", again, "--force")
        (shown,) = footer_of(again)["causes"]
        told = ("stage", "component", "characters", "context", "difference", "reason")
        assert [shown[each] for each in told] == [cause[each] for each in told]


def footer_of(record: Path) -> dict[str, Any]:
    footer: dict[str, Any] = json.loads(record.read_text(encoding="utf-8").splitlines()[-1])
    assert footer["type"] == "footer"
    return footer


@pytest.mark.long_but(1)
@pytest.mark.parametrize("baseline", ["fake_implementations:Toy", "toy"])
def test_the_printed_command_names_classes_as_they_were_given(
    tokconf: CommandLine, toy_tokenizer: Path, baseline: str
) -> None:
    given = (str(toy_tokenizer), "-i", baseline, "fake_implementations:ShiftedOffset", "--baseline", baseline)
    first = tokconf.run("run", *given, "--no-known", "-k", "emoji")
    command = next(line.split("repeat: ")[1] for line in first.out.splitlines() if "repeat: " in line)
    again = tokconf.run(*shlex.split(command)[1:])
    assert (again.status, again.err) == (1, "")
    assert "toy-tokenizer: 1 input, " in again.out


def test_an_input_that_is_not_there_is_said(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    result = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "utf8", "--only", "no such id")
    assert result.status == 2
    assert "no input matches --only 'no such id'" in result.err


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("a", "it is no JSON: "),
        ("[1]", "it is no object, such as "),
        ('{"ask": "encode", "text": "a"}', 'the field "add_special_tokens" is missing'),
        ('{"ask": "sing", "text": "a"}', '"sing" is not known here'),
    ],
)
def test_what_is_no_question_is_refused_with_what_is_wrong(cli: Tokconf, word: str, message: str) -> None:
    result = cli("run", "bert-mini", "--ask", word)
    assert result.exit_code == 2
    assert message in result.stderr


def test_beside_questions_nothing_else_is_asked(cli: Tokconf) -> None:
    question = '{"ask": "normalize", "text": "A"}'
    assert "leave -k out" in cli("run", "bert-mini", "--ask", question, "-k", "bom").stderr
    result = cli("run", "bert-mini", "--ask", question, "-i", "reference", "tokenizers")
    assert "1 tokenizer, 1 input, 1 value compared" in result.stdout


QUESTIONS = st.builds(Normalize, st.text()) | st.builds(Encode, st.text(), st.none() | st.text(), st.booleans())


@given(QUESTIONS | st.builds(Decode, st.lists(st.integers(0, 99)).map(tuple), st.booleans()))
def test_a_question_can_be_copied_from_a_command_line(question: Observation) -> None:
    word = words_of_question(question)
    assert shlex.quote(word) == f"'{word}'"
    assert word.isascii()
    assert word.isprintable()
    assert question_in(word) == question


NO_ADDED = '''
import json
import tokenizers

class NoAdded:
    """Leaves the added tokens out."""

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def from_file(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(tokenizers.Tokenizer.from_str(json.dumps(json.load(file) | {"added_tokens": []})))

    def encode(self, *given, **options):
        return self.inner.encode(*given, **options)

    def decode(self, *given, **options):
        return self.inner.decode(*given, **options)
'''


@pytest.mark.long
def test_the_ids_that_are_shown_are_those_of_the_users_tokenizer(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_added.py").write_text(NO_ADDED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "texts.txt").write_text("[MASK]\n", encoding="utf-8")
    given = ("-i", "tokenizers", "no_added:NoAdded", "--no-builtin", "--inputs", "texts.txt", "--stage", "model")
    out = cli("run", "bert-mini", *given, "--json", tmp_path / "own.jsonl").stdout
    cause = footer_of(tmp_path / "own.jsonl")["causes"][0]
    (own,) = Tokenizer.from_file(str(bundled_file("bert-mini"))).encode("[MASK]", add_special_tokens=False).ids
    assert cause["own"]["difference"]["baseline"]["excerpt"]["entries"] == [own]
    assert cause["difference"]["baseline"]["excerpt"]["entries"] != [own]  # of a file made smaller
    assert re.search(rf'> 0 +{own} "\[MASK\]" ', out)
    assert "made smaller, with ids of its own" not in out


def test_an_input_is_named_where_its_questions_are_too_long_for_a_command_line() -> None:
    call = Call({"t": "t.json"}, {"a": "A"}, {"mine": ("--inputs", "my.txt")}, ("--chat",))
    room = LONGEST_QUESTION - len(words_of_question(Normalize("")))
    fits, longer = Normalize("x" * room), Normalize("x" * (room + 1))
    begun = ["tokconf", "run", "t.json", "-i", "A", "b", "--baseline", "A", "--chat"]
    named = ["--no-builtin", "--inputs", "my.txt", "--only", "mine/1"]
    for category, questions, ends in (
        ("mine", (fits,), ["--ask", words_of_question(fits)]),
        ("mine", (longer,), named),
        ("mine", (fits, Normalize("")), named),
        ("mine", (), named),
        ("builtin", (), ["--only", "mine/1"]),
        (EVERY_ID, (longer,), ["--every-id", "--only", "mine/1"]),
    ):
        asked = Repeated("t", "a", "b", "mine/1", category, questions)
        assert shlex.split(call.repeat(asked)) == [*begun, *ends]
    assert shlex.split(call.repeat(Repeated("u", "a", "b", "", "builtin"))) == [
        *("tokconf", "run", "u", "-i", "A", "b", "--baseline", "A", "--chat")
    ]
