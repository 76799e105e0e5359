"""A corpus keeps what was found and how far a search came; other folders are left alone, damaged files left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from long_cases import long_but
from searching import WORDS, here, side_of

from tokenizer_adapters.contract import Normalize
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.search.engine import search
from tokenizer_conformance.validation.search.events import CauseFound, PairingSearched
from tokenizer_conformance.validation.search.folder import MARK, CorpusFolder, _count_of, _text_of
from tokenizer_conformance.validation.search.plan import NOT_BEGUN, Pairing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.search.plan import Begun

    Searching = Callable[..., list[Any]]

# The experiments that look for reasons leave it to Python to remove their folders.

SEED = 5


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def searching(plan_of: Any, toy_file: TokenizerFile, tmp_path: Path, complaints: list[str]) -> Searching:
    """A function that searches with a corpus, as the command does, and returns all events."""

    def events(fake: Any = fakes.WrongNormalization, **options: Any) -> list[Any]:
        side = side_of(fake)
        with CorpusFolder(tmp_path / "corpus", complaints.append) as folder:
            seed = folder.seed(options.pop("seed", None), SEED)
            begun = folder.begun(toy_file, side_of(fakes.Toy).info, side.info, seed)
            plan = plan_of(pairings=(Pairing(toy_file, side, begun),), seed=seed, **options)
            told = []
            for event in search(plan, here):
                folder.handle(event)
                told.append(event)
        return told

    return events


def begun(folder: Path, toy_file: TokenizerFile, fake: Any = fakes.WrongNormalization, seed: int = SEED) -> Begun:
    with CorpusFolder(folder, lambda _: None) as opened:
        return opened.begun(toy_file, side_of(fakes.Toy).info, side_of(fake).info, seed)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_was_found_is_asked_first_and_the_search_goes_on(
    searching: Searching, toy_file: TokenizerFile, tmp_path: Path
) -> None:
    searching(cases=40)
    kept = begun(tmp_path / "corpus", toy_file)
    assert kept.kept[0].questions == (Normalize("B"),)
    assert 0 < kept.positions["words"] <= 40
    again = searching(cases=40)
    (found,) = (event for event in again if isinstance(event, CauseFound))
    assert found.generator == "kept"
    (done,) = (event for event in again if isinstance(event, PairingSearched))
    assert (done.line.kept, done.line.gone) == (1, 0)
    assert {count.name: count.used for count in done.line.generators}["words"] > kept.positions["words"]


def test_the_same_finding_has_the_same_file(searching: Searching, tmp_path: Path) -> None:
    searching(cases=40)
    before = sorted((tmp_path / "corpus" / "findings").iterdir())
    searching(cases=40)
    assert sorted((tmp_path / "corpus" / "findings").iterdir()) == before
    assert len(before) == 1


def test_what_is_mended_is_gone(searching: Searching) -> None:
    searching(cases=40)
    mended = type("Mended", (fakes.Toy,), {"name": "wrong-normalization"})
    (done,) = (event for event in searching(mended, cases=40) if isinstance(event, PairingSearched))
    assert (done.line.kept, done.line.gone) == (1, 1)


def test_another_tokenizer_is_asked_about_the_text(
    searching: Searching, toy_file: TokenizerFile, tmp_path: Path
) -> None:
    searching(cases=40)
    (finding,) = (tmp_path / "corpus" / "findings").iterdir()
    document = json.loads(finding.read_text())
    document["tokenizer"]["sha256"] = "0" * 64
    finding.write_text(json.dumps(document))
    (case,) = begun(tmp_path / "corpus", toy_file).kept
    assert case.questions == ()
    assert case.text == document["text"]


def test_a_seed_of_the_folder_is_that_of_the_next_search(tmp_path: Path) -> None:
    with CorpusFolder(tmp_path / "new", print) as folder:
        assert folder.seed(None, 9) == 9
    with CorpusFolder(tmp_path / "new", print) as folder:
        assert folder.seed(None, 10) == 9
        assert folder.seed(11, 10) == 11


def test_another_seed_begins_anew(searching: Searching, toy_file: TokenizerFile, tmp_path: Path) -> None:
    searching(cases=40)
    assert begun(tmp_path / "corpus", toy_file, seed=SEED + 1).positions == {}


DAMAGES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"{}",
    b"\xff",
    b'{"tokenizer": {}}',
    b'{"tokenizer": 5, "implementation": 1}',
    b'{"generators": {"words": -1}, "waiting": []}',
    b'{"generators": {"words": "many"}, "waiting": [1]}',
    b'{"tokenizer": {"sha256": "0"}, "implementation": "x", "text": "\\ud800", "other": "", "document": {}, "seed": 1}',
    (
        b'{"tokenizer": {"sha256": "0"}, "implementation": "x", "text": "a", "other": "", "document": null, '
        b'"question": {"ask": "nonsense"}, "seed": "x"}'
    ),
]


@pytest.mark.long_but(5)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("what", long_but(1, ["findings", "states"]))
def test_a_damaged_file_is_said_and_left_out(
    searching: Searching, tmp_path: Path, complaints: list[str], damage: bytes, what: str
) -> None:
    searching(cases=20, generators=(WORDS,))
    (file,) = (tmp_path / "corpus" / what).iterdir()
    file.write_bytes(damage)
    events = searching(cases=20)
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{str(file)!r} is damaged, and left out: ")
    assert isinstance(events[-2], PairingSearched)


def test_somebody_elses_folder_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInputError, match=r"has other files in it \('thesis.tex'\) and is no corpus of tokconf"):
        CorpusFolder(tmp_path, print)
    assert files(tmp_path) == {"thesis.tex": b"mine"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInputError, match="is no folder"):
        CorpusFolder(tmp_path / "file", print)


def test_files_of_others_in_a_corpus_stay(searching: Searching, tmp_path: Path) -> None:
    searching(cases=20)
    (tmp_path / "corpus" / "notes.txt").write_text("mine")
    (tmp_path / "corpus" / "findings" / "README").write_text("mine")
    searching(cases=20)
    kept = files(tmp_path / "corpus")
    assert kept["notes.txt"] == kept["findings/README"] == b"mine"


def test_two_searches_at_a_time_are_refused(tmp_path: Path) -> None:
    with (
        CorpusFolder(tmp_path / "corpus", print),
        pytest.raises(BadInputError, match="another search is at work"),
    ):
        CorpusFolder(tmp_path / "corpus", print)
    with CorpusFolder(tmp_path / "corpus", print):
        pass


def test_a_search_that_was_killed_before_its_mark_is_gone_on_with(tmp_path: Path) -> None:
    with CorpusFolder(tmp_path / "corpus", print):
        pass
    assert not (tmp_path / "corpus" / MARK).exists()
    with CorpusFolder(tmp_path / "corpus", print) as folder:
        assert folder.seed(None, 3) == 3


def test_without_anything_left_behind_a_search_begins(tmp_path: Path, toy_file: TokenizerFile) -> None:
    assert begun(tmp_path / "corpus", toy_file) == NOT_BEGUN


@pytest.mark.parametrize("value", [None, 1, ["a"], "a\ud800"])
def test_what_is_no_text_is_refused(value: object) -> None:
    assert _text_of("a\U0001f600") == "a\U0001f600"
    with pytest.raises(ValueError, match=r"^it has something else in the place of a text$"):
        _text_of(value)


@pytest.mark.parametrize("value", [None, "1", True, -1, 1.0])
def test_what_is_no_number_of_things_is_refused(value: object) -> None:
    assert [_count_of(0), _count_of(7)] == [0, 7]
    with pytest.raises(ValueError, match=r"^it has something else in the place of a number$"):
        _count_of(value)
