"""``tokconf vectors``: what is chosen, what the file says, and whether it shows faults of an implementation."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner
from filelock import FileLock

from tokenizer_adapters.contract import (
    Encode,
    Encoded,
    Field,
    Implementation,
    NewToken,
    Observation,
    Outcome,
    Stage,
    Subject,
    Text,
    Unsupported,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.validation.vectors import candidates, making
from tokenizer_conformance.validation.vectors.candidate import (
    AboutAdded,
    AboutBatch,
    AboutPair,
    AboutText,
    AboutTokens,
    AboutWords,
    Candidate,
)
from tokenizer_conformance.validation.vectors.checking import VectorVerdict, checked
from tokenizer_conformance.validation.vectors.choosing import chosen, groups_told_apart
from tokenizer_conformance.validation.vectors.faults.answers import answer_faults
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, FaultStage, TextFault
from tokenizer_conformance.validation.vectors.faults.texts import text_faults
from tokenizer_conformance.validation.vectors.making import Order, made_vectors
from tokenizer_conformance.validation.vectors.planting import Planting, Shown, cut_down
from tokenizer_conformance.validation.vectors.vector_file import (
    FORMAT,
    SCHEMA,
    VERSION,
    asked_form,
    read_vectors,
    written,
)
from tokenizer_conformance.validation.vectors.wording import checked_document, checked_lines, power_table, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_conformance.validation.vectors.candidate import Asks

FEW = 40
"""Every so many candidates are asked here, that the tests are fast."""

COUNT = 24


@cache
def target() -> Implementation:
    return select("tokenizers", Isolation()).build()


def few(document: dict[str, Any], vocabulary: dict[str, int], seed: int) -> tuple[Candidate, ...]:
    every = candidates.candidates(document, vocabulary, seed)
    kinds = {type(each.asks): each for each in every}
    return (*every[::FEW], *kinds.values())


@pytest.fixture(scope="module", autouse=True)
def _of_few() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "candidates", few)
        patch.setattr("tokenizer_conformance.validation.vectors.faults.texts.MOST_CHARACTERS", 10)
        patch.setattr("tokenizer_conformance.validation.vectors.planting.MOST_UNNORMALIZED", 5)
        patch.setattr("tokenizer_conformance.validation.vectors.faults.vocabulary.OF_A_KIND", 4)
        yield


@pytest.fixture(scope="module", params=["bert-mini", pytest.param("gpt2-mini", marks=pytest.mark.slow)])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of vectors, made once whatever the number of workers."""
    own = tmp_path_factory.getbasetemp()
    file = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"vectors-of-{request.param}.json"
    with FileLock(file.with_suffix(".lock")):
        if not file.exists():
            found = read_tokenizer(find_tokenizer(request.param))
            file.write_bytes(written(made_vectors(Order(found, target(), target(), COUNT))))
    return file.read_bytes()


# The file ------------------------------------------------------------------------------------------------------------


def test_the_file_is_ascii_in_the_form_of_its_schema_and_full(made: bytes) -> None:
    document = json.loads(made.decode("ascii"))
    schema = json.loads((files("tokenizer_conformance") / "schemas" / SCHEMA).read_text(encoding="ascii"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert len(document["vectors"]) == COUNT
    kinds = {frozenset(vector["ask"]) for vector in document["vectors"]}
    assert frozenset({"text"}) in kinds
    assert len(kinds) > 3
    assert any(vector["hunts"] for vector in document["vectors"])
    of_texts = [vector for vector in document["vectors"] if set(vector["ask"]) == {"text"}]
    assert all(
        set(vector["expected"])
        == {
            "normalized",
            "pieces",
            "encoded",
            "encoded_without_special_tokens",
            "decoded",
            "decoded_skipping_special_tokens",
        }
        for vector in of_texts
    )


def test_the_power_that_is_stated_adds_up(made: bytes) -> None:
    power = json.loads(made)["power"]
    assert sum(row["faults"] for row in power["by_stage"]) == power["faults"]
    assert sum(row["caught"] for row in power["by_stage"]) == power["caught"]
    assert power["caught_by_plain_texts"] < power["caught"] <= power["faults"]
    assert power["planted"] == power["faults"] + power["shown_by_no_input"]
    assert power["caught"] > 0.8 * power["faults"]


@pytest.mark.long
def test_the_file_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    found = read_tokenizer(find_tokenizer("wordlevel-mini"))
    first, again, other = (written(made_vectors(Order(found, target(), target(), 9, seed))) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda document: document.update(format="x"), "no file of vectors"),
        (lambda document: document.update(version="2.0"), "version 2.0"),
        (lambda document: document.update(vectors=[]), "at vectors"),
        (lambda document: document["tokenizer"].pop("sha256"), "sha256"),
        (lambda document: document["vectors"][0].update(hunts=["\ud83d"]), "surrogate"),
        (lambda document: document["vectors"][0]["expected"].update(other=1), "at vectors/0/expected"),
        (lambda document: document["vectors"][0].update(ask={"ids": [1]}, expected={"normalized": "a"}), "vector 001"),
    ],
)
def test_a_file_in_another_form_is_refused(made: bytes, change: Callable[[dict[str, Any]], object], said: str) -> None:
    document = json.loads(made)
    change(document)
    with pytest.raises(BadInputError, match=said):
        read_vectors(json.dumps(document).encode(), "file")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'"a"'])
def test_what_is_no_file_of_vectors_is_refused(content: bytes) -> None:
    with pytest.raises(BadInputError, match="vectors 'file'"):
        read_vectors(content, "file")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "at the whole: '[a-z_]+' is a required property"),
        (
            {
                "how_to_read": "",
                "offsets": "",
                "tokenizer": {},
                "baseline": {},
                "seed": 0,
                "power": {},
                "vectors": [],
            },
            r"at vectors: \[\] should be non-empty",
        ),
    ],
)
def test_the_place_of_what_is_not_in_the_form_is_said(members: dict[str, Any], said: str) -> None:
    content = json.dumps({"format": FORMAT, "version": VERSION, **members}).encode()
    with pytest.raises(BadInputError, match=f"^vectors 'file' is not in the form of schemas/{SCHEMA}: {said}$"):
        read_vectors(content, "file")


@pytest.mark.parametrize(
    ("asks", "form"),
    [
        (AboutText("a"), {"text": "a"}),
        (AboutPair("a", "b"), {"text": "a", "pair": "b"}),
        (AboutWords(("a", "b"), None), {"words": ["a", "b"]}),
        (AboutWords(("a", "b"), ("c",)), {"words": ["a", "b"], "pair_words": ["c"]}),
        (AboutWords(("a",), ()), {"words": ["a"], "pair_words": []}),
        (AboutBatch(("a", "b")), {"texts": ["a", "b"]}),
        (AboutTokens(("b", "lost", "a")), {"ids": [8, 7]}),
        (
            AboutAdded((NewToken("<x>", lstrip=True), NewToken("y", normalized=False)), True, ("a<x>",)),
            {
                "add_tokens": [
                    {"content": "<x>", "single_word": False, "lstrip": True, "rstrip": False, "special": False},
                    {
                        "content": "y",
                        "single_word": False,
                        "lstrip": False,
                        "rstrip": False,
                        "normalized": False,
                        "special": False,
                    },
                ],
                "special": True,
                "texts": ["a<x>"],
            },
        ),
    ],
)
def test_what_is_asked_is_written_in_full(asks: Asks, form: dict[str, Any]) -> None:
    assert asked_form(asks, {"a": 7, "b": 8}) == form


def test_the_power_is_shown_by_stage() -> None:
    rows = [
        {"stage": "model", "faults": 1200, "caught": 1100, "caught_by_plain_texts": 9},
        {"stage": "decoder", "faults": 5, "caught": 4, "caught_by_plain_texts": 3},
    ]
    assert power_table({"power": {"by_stage": rows}}) == table(
        ["faults in", "planted", "caught", "by 20 plain texts"],
        [["model", "1,200", "1,100", "9"], ["decoder", "5", "4", "3"]],
        right=frozenset({1, 2, 3}),
    )


def test_tokens_that_are_added_later_are_asked_about_as_special_ones_and_not() -> None:
    document = json.loads(bundled_file("wordlevel-mini").read_text(encoding="utf-8"))
    every = candidates.candidates(document, document["model"]["vocab"], 0)
    asked = [each.asks for each in every if isinstance(each.asks, AboutAdded)]
    assert [each.special for each in asked if each.added == (NewToken("<new>"),)] == [False, True]
    assert len(asked) == 11
    assert {each.source for each in every if each.asks in asked} == {"tokens added later"}
    assert Candidate(AboutText("a"), "here").note == ""


# Checking ------------------------------------------------------------------------------------------------------------


@dataclass
class Changed:
    """A subject that changes the answers of another one."""

    subject: Subject
    change: Callable[[Observation, Outcome], Outcome]

    def observe(self, observation: Observation) -> Outcome:
        return self.change(observation, self.subject.observe(observation))

    def vocabulary(self) -> dict[str, int] | Unsupported:
        return self.subject.vocabulary()


def asked_of(made: bytes, change: Callable[[Observation, Outcome], Outcome]) -> Asked:
    source = find_tokenizer(json.loads(made)["tokenizer"]["name"])
    asked = loaded(target(), source)
    return Asked(target(), Changed(asked.subject, change), (source.file,))


def test_a_sound_implementation_conforms(made: bytes) -> None:
    file = read_vectors(made, "file")
    result = checked(file, asked_of(made, lambda _, outcome: outcome))
    assert result.conforms
    assert result.count(VectorVerdict.PASSED) == COUNT
    assert "conforms" in summary(result)
    assert not checked_document(result)["wrong"]


def test_the_reference_conforms(made: bytes) -> None:
    file = read_vectors(made, "file")
    result = checked(file, loaded(select("reference", Isolation()).build(), find_tokenizer(file.name)))
    assert result.conforms, checked_lines(result)


def no_types(_: Observation, outcome: Outcome) -> Outcome:
    return replace(outcome, type_ids=(7,) * len(outcome.ids)) if isinstance(outcome, Encoded) else outcome


def stripped(_: Observation, outcome: Outcome) -> Outcome:
    return Text(outcome.text.strip()) if isinstance(outcome, Text) else outcome


def composed(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(outcome, Encoded) and isinstance(question, Encode) and "\u0301" in question.text:
        return replace(outcome, offsets=tuple((start + 1, end + 1) for start, end in outcome.offsets or ()))
    return outcome


class Remembering:
    """Gives, once it was asked for an encoding with special tokens, the same encoding without them."""

    def __init__(self) -> None:
        self.known: dict[object, Outcome] = {}

    def __call__(self, question: Observation, outcome: Outcome) -> Outcome:
        if not isinstance(question, Encode):
            return outcome
        return self.known.setdefault((question.text, question.pair), outcome)


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("change", "stage"),
    [
        (no_types, Stage.MODEL),
        (stripped, Stage.NORMALIZE),
        (composed, Stage.MODEL),
        (Remembering(), Stage.POST_PROCESS),
    ],
)
def test_a_faulty_implementation_does_not(
    made: bytes, change: Callable[[Observation, Outcome], Outcome], stage: Stage
) -> None:
    result = checked(read_vectors(made, "file"), asked_of(made, change))
    if isinstance(change, Remembering) and b"bert-mini" not in made:
        pytest.skip("this tokenizer adds no special tokens, so that there is nothing to remember")
    assert not result.conforms
    wrong = [each for each in result.results if each.wrong]
    assert stage in {each.first.stage for each in wrong}
    lines = "\n".join(checked_lines(result))
    assert "DOES NOT CONFORM" in lines
    assert "hunts " in lines
    assert len(checked_document(result)["wrong"]) == len(wrong)


def test_what_is_wrong_only_backwards_is_seen(made: bytes) -> None:
    """An implementation that goes wrong with its last question of all."""
    file = read_vectors(made, "file")
    count = 2 * sum(len(vector.expected) for vector in file.vectors)
    asked = 0

    def change(_: Observation, outcome: Outcome) -> Outcome:
        nonlocal asked
        asked += 1
        return Unsupported("") if isinstance(outcome, Text) else no_types(_, outcome) if asked > count // 2 else outcome

    result = checked(file, asked_of(made, change))
    assert all(wrong.backwards for each in result.results for wrong in each.wrong)
    assert result.failed
    assert "backwards" in "\n".join(checked_lines(result))


def test_what_is_not_shown_is_counted_and_no_failure(made: bytes) -> None:
    def change(_: Observation, outcome: Outcome) -> Outcome:
        return Encoded(outcome.ids) if isinstance(outcome, Encoded) else Unsupported("not here")

    result = checked(read_vectors(made, "file"), asked_of(made, change))
    assert result.conforms
    assert result.not_shown["normalized"] > 0
    assert result.not_shown[f"encoded: {Field.OFFSETS}"] > 0
    assert "not shown: " in "\n".join(checked_lines(result))


def test_nothing_shown_does_not_conform(made: bytes) -> None:
    result = checked(read_vectors(made, "file"), asked_of(made, lambda *_: Unsupported("nothing")))
    assert not result.conforms
    assert result.count(VectorVerdict.NOT_SHOWN) == COUNT
    assert "nothing was compared" in summary(result)


# Faults --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planting() -> Iterator[Planting]:
    document = json.loads(bundled_file("bert-mini").read_text(encoding="utf-8"))
    every = candidates.candidates(document, document["model"]["vocab"], 0)[::4]
    with Planting(target(), document, every, 0) as found:
        yield found


@pytest.mark.long
def test_every_fault_of_answers_and_texts_is_shown_by_a_candidate(planting: Planting) -> None:
    faults = [*answer_faults(), *text_faults()]
    unseen = [each.fault.what for each in planting.shown(faults) if each is not None and not each.by]
    # A fourth of the candidates have not all characters, and a tokenizer in lower case does not show all.
    assert len(unseen) < len(faults) / 4, unseen
    assert "offsets count bytes" not in unseen
    assert "special tokens are never added" not in unseen


def test_faults_of_documents_leave_the_document_alone(planting: Planting) -> None:
    before = json.dumps(planting.document)
    faults = [fault for fault in planting.faults() if isinstance(fault, DocumentFault)]
    whats = [fault.what for fault in faults]
    assert "BertPreTokenizer (pre-tokenizer) left out" in whats
    assert len(faults) > 100
    assert any(each is not None and each.by for each in planting.shown(faults[:12]))
    assert json.dumps(planting.document) == before


def test_a_tokenizer_that_is_cut_down_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenizer_conformance.validation.vectors.planting.LEAST_CUT", 10)
    document = json.loads(bundled_file("gpt2-mini").read_text(encoding="utf-8"))
    texts = tuple(Candidate(AboutText(text), "") for text in ("Hello  world's", "caf\u00e9 \U0001f600", "aaaa bb"))
    cut = cut_down(document, texts, loaded(target(), find_tokenizer("gpt2-mini")).ask)
    assert len(cut["model"]["vocab"]) < len(document["model"]["vocab"])
    with Planting(target(), document, texts, 0) as whole:
        assert len(whole.document["model"]["merges"]) < len(document["model"]["merges"])
        sound = loaded(target(), find_tokenizer("gpt2-mini"))
        for candidate, answers in zip(texts, whole.right, strict=True):
            assert all(sound.ask(question) == outcome for question, outcome in answers.values()), candidate


@pytest.mark.parametrize(("entries", "kept"), [(4_999, 4_999), (5_000, 2)])
def test_small_vocabularies_are_not_cut_down(entries: int, kept: int) -> None:
    vocabulary = {"a": 0, **{f"<{number}>": number for number in range(1, entries)}}
    document = {"model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<7>"}}
    cut = cut_down(document, [Candidate(AboutText("a"), "")], lambda _: Unsupported("not here"))
    assert len(cut["model"]["vocab"]) == kept
    assert cut["model"]["vocab"].items() >= {"a": 0, "<7>": 7}.items()


# Choosing ------------------------------------------------------------------------------------------------------------


def shown(*by: dict[int, int]) -> list[Shown]:
    return [Shown(TextFault(FaultStage.TEXT, str(number), str), each) for number, each in enumerate(by)]


def texts(*lengths: int) -> list[Candidate]:
    return [Candidate(AboutText("a" * length), "") for length in lengths]


def test_what_shows_most_is_chosen_first_and_the_shorter_of_two() -> None:
    faults = shown({0: 1, 1: 1, 2: 1}, {1: 1, 2: 1}, {3: 1})
    assert [choice.candidate for choice in chosen(faults, texts(1, 50, 5, 9), 2)] == [2, 3]


def test_then_what_tells_faults_apart() -> None:
    faults = shown({0: 1, 1: 1}, {0: 1, 1: 2}, {0: 1, 1: 1})
    choices = chosen(faults, texts(1, 100), 2)
    assert [choice.candidate for choice in choices] == [0, 1]
    assert groups_told_apart(faults, [0]) == 1
    assert groups_told_apart(faults, [0, 1]) == 2


def test_of_what_shows_all_of_a_group_one_way_tells_nothing_apart() -> None:
    faults = shown({0: 1, 1: 1, 2: 1}, {0: 1, 1: 1, 2: 2})
    assert [choice.candidate for choice in chosen(faults, texts(1, 2, 100), 3)] == [0, 2, 1]


def test_what_shows_nothing_is_not_chosen() -> None:
    assert chosen(shown({0: 1}, {}), texts(1, 1), 5)[0].faults == (0,)
    assert len(chosen(shown({0: 1}, {}), texts(1, 1), 5)) == 1


# The command ---------------------------------------------------------------------------------------------------------


def tokconf(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["vectors", *arguments])


@pytest.mark.long
def test_made_and_checked_from_the_command_line(tmp_path: Path) -> None:
    file = str(tmp_path / "vectors.json")
    done = tokconf("wordlevel-mini", "-n", "12", "-o", file)
    assert done.exit_code == 0, done.output
    assert "wrote 12 vectors" in done.output
    assert "by 20 plain texts" in done.output
    done = tokconf("check", file, "-i", "reference")
    assert (done.exit_code, "12 of 12 vectors passed" in done.output) == (0, True)
    done = tokconf("check", file, "-i", "reference", "--tokenizer", "bert-mini")
    assert done.exit_code == 2
    document = json.loads((tmp_path / "vectors.json").read_text(encoding="ascii"))
    document["vectors"][3]["expected"] = {"normalized": "\x1b[31m"}
    document["vectors"][3]["ask"] = {"text": "a"}
    (tmp_path / "vectors.json").write_text(json.dumps(document), encoding="ascii")
    done = tokconf("check", file, "-i", "reference")
    assert done.exit_code == 1
    assert "\x1b" not in done.output
    assert "DOES NOT CONFORM" in done.output
    done = tokconf("check", file, "-i", "reference", "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["vectors"]["failed"] == 1


@pytest.mark.parametrize("is_wrong", [False, True])
def test_what_was_checked_is_printed_as_json(made: bytes, tmp_path: Path, is_wrong: bool) -> None:
    document = json.loads(made)
    if is_wrong:
        document["vectors"][3] |= {"ask": {"text": "a"}, "expected": {"normalized": "b"}}
    (tmp_path / "vectors.json").write_text(json.dumps(document), encoding="ascii")
    done = tokconf("check", str(tmp_path / "vectors.json"), "-i", "reference", "--json")
    assert done.exit_code == is_wrong, done.output
    told = json.loads(done.stdout)["vectors"]
    assert (told["failed"], told["passed"] + told["failed"]) == (is_wrong, len(document["vectors"]))


@pytest.mark.long
def test_nothing_of_the_users_is_replaced(tmp_path: Path) -> None:
    arguments = ("wordlevel-mini", "-n", "3")
    notes = tmp_path / "notes.txt"
    notes.write_text("mine", encoding="ascii")
    done = tokconf(*arguments, "-o", str(notes))
    assert (done.exit_code, notes.read_text(encoding="ascii")) == (2, "mine")
    assert tokconf("make", *arguments, "-o", str(notes), "--force").exit_code == 0
    assert tokconf(*arguments, "-o", str(notes)).exit_code == 0
    assert tokconf(*arguments, "-o", str(tmp_path / "missing" / "file")).exit_code == 2
    done = tokconf("wordlevel-mini", "-o", str(bundled_file("wordlevel-mini")), "--force")
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("check", "missing.json", "-i", "reference"), 2),
        (("missing-tokenizer.json", "-o", "-"), 2),
        (("wordlevel-mini",), 2),
        ((), 2),
        (("--help",), 0),
        (("check", "--help"), 0),
    ],
)
def test_what_cannot_be_used_is_said(arguments: tuple[str, ...], status: int) -> None:
    done = tokconf(*arguments)
    assert done.exit_code == status
    assert "Traceback" not in done.output
