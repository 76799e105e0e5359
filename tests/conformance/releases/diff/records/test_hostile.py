"""Records that were altered, cut off, or written to do harm: said with file and line, or compared, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from altered_records import HOSTILE, places, put, read, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_pairs import Compared, called

from tokenizer_conformance.command_io.record import BEGINNING
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[..., Path]

LOSSY = fakes.LossyDecode


@pytest.mark.long
@settings(
    max_examples=3 * settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(st.data())
def test_an_altered_record_is_refused_or_compared(kept: tuple[Path, list[Any]], data: st.DataObject) -> None:
    path, lines = kept
    place = data.draw(st.sampled_from(places(lines)))
    altered = written(path.with_name("altered.jsonl"), put(lines, place, data.draw(st.sampled_from(HOSTILE))))
    for old, new in ((path, altered), (altered, path)):
        try:
            compared = Compared(old, new)
        except BadInputError as error:
            assert "altered.jsonl" in str(error)
            assert "\x1b" not in str(error)
        else:
            told = [line for each in compared.found for line in (each.outcome.title, each.why, *each.outcome.lines)]
            assert not any(character in line for line in told for character in "\x1b\u202e\ud800\n")


@pytest.fixture
def kept(recorded: Recorded) -> tuple[Path, list[Any]]:
    path = recorded(called(LOSSY), texts=("zebra",))
    return path, read(path)


def of_nobody(member: str) -> Callable[[list[bytes]], list[bytes]]:
    """Return what makes the first of the findings or results that of someone who is not in the header."""
    mine, other = (f'"{member}": [{{"implementation": "{name}"'.encode() for name in ("mine", "x"))
    return lambda lines: [line.replace(mine, other) for line in lines]


LINES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "no JSON": (lambda lines: [lines[0], b"{nonsense\n", *lines[1:]], "line 2 is no JSON"),
    "no object": (
        lambda lines: [lines[0], b"[]\n", *lines[1:]],
        "line 2 is not that of a record: .*expected an object",
    ),
    "no type": (lambda lines: [lines[0], b"{}\n", *lines[1:]], "line 2 is not that of a record: .*'type'"),
    "another type": (lambda lines: [lines[0], b'{"type": "x"}\n', *lines[1:]], "line 2 .*no line of type 'x'"),
    "a second header": (lambda lines: [*lines[:2], lines[0], *lines[2:]], "line 3 .*second header"),
    "lines after the footer": (lambda lines: [*lines, lines[1]], "the footer stands before it"),
    "deep": (lambda lines: [lines[0], b"[" * 100_000 + b"\n", *lines[1:]], "line 2 is no JSON"),
    "a long number": (lambda lines: [lines[0], b'{"type": ' + b"9" * 5000 + b"}\n", *lines[1:]], "line 2 is no JSON"),
    "a finding of nobody": (of_nobody("findings"), r"line [2-9]\d* .*'x' is not in the header"),
    "a result of nobody": (of_nobody("results"), r"line [2-9]\d* .*'x' is not in the header"),
    "nothing": (lambda _: [], "is no JSON|is cut short"),
    "half a header": (lambda lines: [lines[0][:100]], "is cut short in line 1"),
    "another format": (lambda _: [BEGINNING + b'vectors", "version": "1.0"}\n'], "records that can be compared are"),
    "another version": (
        lambda lines: [lines[0].replace(b'"version": "1.', b'"version": "2.', 1)],
        "this release reads",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_wrong_lines_are_named(recorded: Recorded, name: str) -> None:
    edit, message = LINES[name]
    whole, broken = recorded(called(LOSSY)), recorded(called(LOSSY))
    broken.write_bytes(b"".join(edit(broken.read_bytes().splitlines(keepends=True))))
    with pytest.raises(BadInputError, match=message):
        Compared(whole, broken)


def test_a_result_that_stands_there_twice_is_named_by_its_beginning(judged: Callable[..., Path]) -> None:
    path = judged(called(fakes.Toy, "n" * 100))
    lines = read(path)
    number, line = next((number, line) for number, line in enumerate(lines) if line["type"] == "requirement")
    written(path, [*lines[:number], line, *lines[number:]])
    with pytest.raises(BadInputError, match=f"requirement of '{'n' * 80}…' stands there twice"):
        Compared(path, path)


def test_a_record_of_another_command_is_no_match(recorded: Recorded, judged: Callable[..., Path]) -> None:
    with pytest.raises(BadInputError, match=r"is the record of a run, and .* that of a run of the suite"):
        Compared(recorded(called(LOSSY)), judged(called(fakes.Toy)))


def test_names_and_texts_of_others_are_made_safe(recorded: Recorded) -> None:
    name = "\x1b[31mmine\u202e"
    compared = Compared(recorded(called(fakes.Toy, name)), recorded(called(LOSSY, name)))
    (finding,) = (each for each in compared.found if each.key.aspect == "finding")
    assert finding.outcome.title.startswith("\\x1b[31mmine\\u202e on toy-tokenizer")
