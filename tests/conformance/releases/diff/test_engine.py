"""A diff finds what a run of both sides finds, and what changed beside that."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import port_faults
import pytest
from msgspec import structs
from snapshots import Making, Saving, diff_of, last, named, of_type, outline

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import CannotLoadError, Failed, Stage
from tokenizer_conformance import BadInputError, Conclusion
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.releases.diff.events import LoadingChanged
from tokenizer_conformance.releases.snapshot_file.reader import read_snapshot
from tokenizer_conformance.results.records.run import Difference, Sides
from tokenizer_conformance.validation.running import tokenizer_run
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b", "", "bc bc", "abc")
SOURCES = (named(TEXTS), named(["z"], "alone"), named(["x y", "B-c", "ab"], "third"))


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile) -> Making:
    return Making(tmp_path, (toy_file,))


@pytest.fixture
def _no_smaller_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only sides that can be asked anew have smaller examples."""

    def nothing(*_: object) -> Iterator[str]:
        return iter(())

    monkeypatch.setattr(tokenizer_run, "shrink_examples", nothing)


ITSELF = {fakes.Mute: Conclusion.NOTHING_COMPARED, fakes.Crashing: Conclusion.IMPLEMENTATION_FAILED}
"""What a diff of a snapshot with itself comes to, as a run of the same implementation twice does."""


@pytest.mark.parametrize("fake", [fakes.Toy, fakes.ShiftedOffset, fakes.Raising, fakes.Mute, fakes.Crashing])
def test_nothing_changed_from_a_snapshot_to_itself(making: Making, fake: type[fakes.Toy]) -> None:
    snapshot = making.snapshot("a", fake(), *SOURCES)
    events = diff_of(snapshot, snapshot)
    assert {each.difference.party for each in of_type(events, Difference)} <= {Party.BOTH}
    assert not of_type(events, LoadingChanged)
    assert last(events).conclusion is ITSELF.get(fake, Conclusion.CONFORM)


FAULTY = [
    fakes.Toy,
    fakes.WrongNormalization,
    fakes.WrongPieces,
    fakes.ShiftedOffset,
    fakes.SwappedMerge,
    fakes.WrongSpecialToken,
    fakes.LossyDecode,
    fakes.Raising,
    fakes.Crashing,
    fakes.Hanging,
    fakes.Garbling,
    fakes.Mute,
    fakes.IdsOnly,
]


@pytest.mark.long_but(8)
@pytest.mark.usefixtures("_no_smaller_examples")
@pytest.mark.parametrize("fake", FAULTY)
@pytest.mark.parametrize("is_new_faulty", [True, False])
def test_a_diff_finds_what_a_run_finds(making: Making, fake: type[fakes.Toy], is_new_faulty: bool) -> None:
    old, new = (fakes.Toy, fake) if is_new_faulty else (fake, fakes.Toy)
    expected = making.compared(old(), _named(new(), "new"), *SOURCES)
    before = making.snapshot("old", old(), *SOURCES)
    live = diff_of(before, _named(new(), "new"))
    replayed = diff_of(before, making.snapshot("new", new(), *SOURCES))
    assert outline(live) == outline(expected)
    assert last(live).conclusion is last(expected).conclusion
    if fake not in OTHER_QUESTIONS:
        assert outline(replayed) == outline(expected)
        assert last(replayed).conclusion is last(expected).conclusion
    else:
        first, wanted = (
            [structs.replace(each, implementation="") for each in of_type(events, Difference)[:1]]
            for events in (replayed, expected)
        )
        assert first == wanted
        assert _blamed(replayed) == _blamed(expected)


OTHER_QUESTIONS = (
    fakes.WrongNormalization,
    fakes.SwappedMerge,
    fakes.WrongSpecialToken,
    fakes.Raising,
    fakes.Crashing,
    fakes.Hanging,
    fakes.Garbling,
    fakes.Mute,
    fakes.IdsOnly,
    fakes.WrongPieces,
)
"""Their answers lead to other questions: ids to decode, normalized texts. Only live sides can be asked the old ones."""


def _blamed(events: list[Any]) -> list[Any]:
    return [(row.blamed, row.failing_inputs) for each in of_type(events, TokenizerFinished) for row in each.results]


def _named(implementation: fakes.Toy, name: str) -> fakes.Toy:
    """Return ``implementation`` under another name: a run takes no two of one."""
    implementation.name = name  # type: ignore[misc]
    return implementation


@pytest.mark.long_but(2)
@pytest.mark.usefixtures("_no_smaller_examples")
@pytest.mark.parametrize("fault", port_faults.OVERLOOKED[:6], ids=lambda fault: fault.name)
def test_faults_of_ports_are_found_at_their_stage(tmp_path: Path, fault: port_faults.Overlooked) -> None:
    making = Making(tmp_path, (read_tokenizer(find_tokenizer(fault.tokenizer)),))
    inputs = named(
        ["Hello  World", "naïve café", "don't", "a b c " * 40, "  x ", "日本語 text", "<mask> [SEP] </s>", "ＡＢＣ"]
    )
    sound, faulty = load_implementation("tokenizers"), port_faults.Overlooking(fault)
    expected = making.compared(sound, faulty, inputs)
    before = making.snapshot("old", sound, inputs)
    assert outline(diff_of(before, faulty)) == outline(expected)
    replayed = diff_of(before, making.snapshot("new", faulty, inputs))
    assert _blamed(replayed) == _blamed(expected)


# Inputs ---------------------------------------------------------------------------------------------------------------


def sides(events: list[Any]) -> Sides:
    (found,) = of_type(events, Sides)
    return found


def inputs_of(events: list[Any]) -> int:
    (finished,) = of_type(events, TokenizerFinished)
    return finished.inputs


def test_inputs_that_one_side_has_alone_are_counted_and_not_compared(making: Making) -> None:
    inputs = named(["a", "b", "c", "d"])
    old = making.snapshot("old", fakes.Toy(), inputs)
    changed = replace(inputs[1], text="bc")
    new = making.snapshot("new", fakes.Toy(), (inputs[0], changed, *inputs[2:], *named(["x", "y"], "more")))
    events = diff_of(old, new)
    assert (sides(events).only_old, sides(events).only_new, inputs_of(events)) == (1, 3, 3)
    assert last(events).conclusion is Conclusion.CONFORM


@pytest.mark.long_but(1)
@pytest.mark.parametrize("count", [5, 400])
def test_inputs_in_another_order_are_all_compared(making: Making, count: int) -> None:
    inputs = named([f"{'b' * (number % 7)}c {chr(97 + number % 26)} {'a' * (number // 26)}" for number in range(count)])
    old = making.snapshot("old", fakes.Toy(), inputs)
    events = diff_of(old, making.snapshot("same", fakes.Toy(), inputs[::-1]))
    assert (sides(events).only_old, sides(events).only_new, inputs_of(events)) == (0, 0, count)
    assert last(events).conclusion is Conclusion.CONFORM
    (row,) = of_type(events, TokenizerFinished)[0].results
    assert row.stages[Stage.MODEL].questions >= count
    found = diff_of(old, making.snapshot("new", fakes.WrongSpecialToken(), inputs[::-1]))
    assert _blamed(found) == [({Stage.POST_PROCESS: count}, count)]


def test_a_selection_compares_those_alone_with_the_pairs_they_have_in_their_source(making: Making) -> None:
    inputs = named([f"a{'x' * (number == 299)}" for number in range(300)])
    old = making.snapshot("old", fakes.Toy(), inputs)
    new = making.snapshot("new", fakes.Raising(), inputs)
    events = diff_of(old, new, selection=Selection(ids=frozenset({"test 299"})))
    assert inputs_of(events) == 1
    assert of_type(events, Difference)[0].input.id == "test 299"
    with pytest.raises(BadInputError, match="no input"):
        diff_of(old, new, selection=Selection("nothing like that"))


def test_stages_that_one_side_was_not_asked_about_are_not_compared(making: Making) -> None:
    inputs = named(["a", "b"])
    old = making.snapshot("old", fakes.Toy(), inputs, stages=(Stage.NORMALIZE, Stage.MODEL))
    new = making.snapshot("new", fakes.Toy(), inputs, stages=(Stage.MODEL, Stage.DECODE))
    (row,) = of_type(diff_of(old, new), TokenizerFinished)[0].results
    assert set(row.stages) == {Stage.MODEL}
    with pytest.raises(BadInputError, match="no stage to compare"):
        diff_of(old, new, stages=(Stage.DECODE,))


# Tokenizers and loading -----------------------------------------------------------------------------------------------


class Refusing(fakes.Toy):
    """Refuses the tokenizers called so."""

    def __init__(self, *names: str, reason: str = "a piece is missing") -> None:
        self._names = names
        self._reason = reason

    def load(self, source: TokenizerSource) -> fakes.ToySubject:
        if source.name in self._names:
            raise CannotLoadError(f"{source.name}: {self._reason}")
        return super().load(source)


def renamed(file: TokenizerFile, name: str, sha256: str = "") -> TokenizerFile:
    return replace(file, source=replace(file.source, name=name), sha256=sha256 or file.sha256)


def test_tokenizers_of_one_side_are_told_and_the_others_compared(making: Making, toy_file: TokenizerFile) -> None:
    both, old_only, new_only = (renamed(toy_file, name) for name in ("both", "old only", "new only"))
    old = replace(making, files=(both, old_only)).snapshot("old", fakes.Toy(), named(["a"]))
    new = replace(making, files=(new_only, both)).snapshot("new", fakes.Toy(), named(["a"]))
    events = diff_of(old, new)
    assert [event.refusal.name for event in of_type(events, InputRefused)] == ["new only", "old only"]
    assert [event.tokenizer for event in of_type(events, TokenizerFinished)] == ["both"]
    assert last(events).conclusion is Conclusion.BAD_INPUT
    other = replace(making, files=(new_only,)).snapshot("other", fakes.Toy(), named(["a"]))
    with pytest.raises(BadInputError, match="only in the"):
        diff_of(old, other)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (Refusing(), Refusing("b"), ("loads", "refuses: b: a piece is missing")),
        (Refusing("b"), Refusing(), ("refuses: b: a piece is missing", "loads")),
        (
            Refusing("b"),
            Refusing("b", reason="an error"),
            ("refuses: b: a piece is missing", "refuses: b: an error"),
        ),
        (Refusing("b"), Refusing("b"), None),
    ],
    ids=["refused now", "loaded now", "other words", "the same words"],
)
@pytest.mark.parametrize("is_live", [True, False])
def test_a_refusal_is_a_change_where_it_is_another_one(
    making: Making, toy_file: TokenizerFile, old: Refusing, new: Refusing, said: tuple[str, str] | None, is_live: bool
) -> None:
    making = replace(making, files=(renamed(toy_file, "a"), renamed(toy_file, "b")))
    before = making.snapshot("old", old, named(["a"]))
    events = diff_of(before, new if is_live else making.snapshot("new", new, named(["a"])))
    changes = [each.change for each in of_type(events, LoadingChanged)]
    assert [(each.tokenizer, each.what, each.old, each.new) for each in changes] == (
        [] if said is None else [("b", "load", *said)]
    )
    assert last(events).conclusion is (Conclusion.CONFORM if said is None else Conclusion.DIFFERENCES)
    assert [event.tokenizer for event in of_type(events, TokenizerFinished)] == ["a"]


def test_what_is_saved_and_the_vocabulary_are_compared(making: Making) -> None:
    before = {"version": "1.0", "model": {"dropout": None, "merges": [["a", "b"]] * 60}, "added_tokens": []}
    after = {"version": "1.0", "model": {"dropout": 0.1, "merges": [["a", "c"]] * 60}, "added_tokens": [{"id": 1}]}
    old = making.snapshot("old", Saving(json.dumps(before)), named(["a"]))
    new = making.snapshot("new", Saving(json.dumps(after), is_larger=True), named(["a"]))
    events = diff_of(old, new)
    changes = {(each.change.what, each.change.path) for each in of_type(events, LoadingChanged)}
    assert changes == {
        ("vocabulary", ""),
        ("save", "$.model.dropout"),
        ("save", "$.model.merges.sha256"),
        ("save", "$.added_tokens"),
    }
    assert last(events).conclusion is Conclusion.DIFFERENCES
    assert last(diff_of(old, old)).conclusion is Conclusion.CONFORM
    assert last(diff_of(old, new, loading=False)).conclusion is Conclusion.CONFORM


@pytest.mark.parametrize(
    "document", ["no JSON", "[" * 5000 + "]" * 5000, '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}']
)
def test_any_document_that_is_saved_can_be_kept(making: Making, document: str) -> None:
    old = making.snapshot("old", Saving(document), named(["a"]))
    assert last(diff_of(old, Saving(document))).conclusion is Conclusion.CONFORM
    assert last(diff_of(old, Saving(document.replace("a", "b") + "x"))).conclusion is Conclusion.DIFFERENCES


class BadlySaving(fakes.Toy):
    class subject(fakes.ToySubject):  # noqa: N801
        def saved(self) -> str:
            raise RuntimeError("cannot be saved")


def test_an_adapter_that_raises_when_it_saves_saves_nothing(making: Making) -> None:
    old = making.snapshot("old", BadlySaving(), named(["a"]))
    assert old.tokenizers[0].saved is None
    assert old.is_whole


def test_a_tokenizer_whose_file_is_another_one_is_told(making: Making, toy_file: TokenizerFile) -> None:
    old = making.snapshot("old", fakes.Toy(), named(["a"]))
    other = replace(making, files=(renamed(toy_file, toy_file.source.name, "0" * 64),))
    events = diff_of(old, other.snapshot("new", fakes.Toy(), named(["a"])))
    assert sides(events).other_files == (toy_file.source.name,)
    assert sides(diff_of(old, fakes.Toy())).other_files == ()


def test_an_ability_that_is_gone_is_no_conformity(making: Making) -> None:
    old = making.snapshot("old", fakes.Toy(), named(["a", "b"]))
    events = diff_of(old, making.snapshot("new", fakes.IdsOnly(), named(["a", "b"])))
    (row,) = of_type(events, TokenizerFinished)[0].results
    assert row.has(Verdict.UNSUPPORTED)
    assert row.stages[Stage.NORMALIZE].compared == 0


def test_an_unstable_implementation_is_seen_as_such_where_it_answers_now(making: Making) -> None:
    class Counting(fakes.Toy):
        class subject(fakes.ToySubject):  # noqa: N801
            asked = 0

            def observe(self, observation: Any) -> Any:
                self.asked += 1
                return Failed("E", str(self.asked)) if self.asked % 3 == 0 else super().observe(observation)

    old = making.snapshot("old", fakes.Toy(), named(["a", "b c"]))
    (row,) = of_type(diff_of(old, Counting()), TokenizerFinished)[0].results
    assert row.has(Verdict.UNSTABLE)


def test_tokenizers_that_a_snapshot_did_not_reach_are_told(making: Making, toy_file: TokenizerFile) -> None:
    files = tuple(renamed(toy_file, name) for name in "abc")
    whole = replace(making, files=files).snapshot("whole", fakes.Toy(), named(["a", "b"]))
    lines = gzip.decompress(whole.path.read_bytes()).splitlines(keepends=True)
    cut = making.folder / "cut"
    cut.write_bytes(gzip.compress(b"".join(lines[:6])))  # header, two inputs, a tokenizer with its answers
    for other in (whole, fakes.Toy()):
        events = diff_of(read_snapshot(cut, partial=True), other)
        assert [event.refusal.reason for event in of_type(events, InputRefused)] == [
            f"tokenizer {name!r} was not reached before the old snapshot was cut off" for name in "bc"
        ]
        assert [event.tokenizer for event in of_type(events, TokenizerFinished)] == ["a"]


def test_tokenizers_that_are_given_are_not_looked_for(making: Making, toy_file: TokenizerFile) -> None:
    files = {name: renamed(toy_file, name) for name in "abc"}
    made = replace(making, files=tuple(files.values())).snapshot("whole", fakes.Toy(), named(["a", "b"]))
    for given in ({}, {"a": files["a"]}, files):
        events = diff_of(made, fakes.Toy(), files=given)
        assert of_type(events, InputRefused) == []
        assert [event.tokenizer for event in of_type(events, TokenizerFinished)] == ["a", "b", "c"]
