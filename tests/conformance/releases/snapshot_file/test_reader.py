"""Whatever a file holds, it is read as it was written or refused with its name; nothing else comes of it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import os
import tracemalloc
import zlib
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snapshots import Making, diff_of, named, of_type

from tokenizer_conformance import BadInputError, compression
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.compression import compression_for, compression_of, decompressed
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.releases.snapshot_file import reader
from tokenizer_conformance.releases.snapshot_file.lines import answers_in
from tokenizer_conformance.releases.snapshot_file.reader import is_snapshot, read_snapshot
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.validation.running.events import RunFinished

if TYPE_CHECKING:
    from pathlib import Path


COMPRESSORS = {".gz": gzip.compress, ".xz": lzma.compress}


@pytest.fixture(scope="module", params=COMPRESSORS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, toy_tokenizer: Path) -> Path:
    path = tmp_path_factory.mktemp("whole") / f"a{request.param}"
    file = read_tokenizer(find_tokenizer(str(toy_tokenizer)))
    making = Making(path.parent, (file,))
    making.snapshot(path.name, fakes.WrongPieces(), named(["a", "b c", "A-b", ""]), named(["x"], "more"))
    return path


def content(path: Path, *, partial: bool = False) -> list[Any]:
    """Return all that stands in a snapshot."""
    snapshot = read_snapshot(path, partial=partial)
    answers = [snapshot.read(line, answers_in) for each in snapshot.tokenizers for line in snapshot.answers(each.name)]
    return [snapshot.header, list(snapshot.inputs()), snapshot.tokenizers, answers]


def refusal(path: Path, *, partial: bool = False) -> str:
    with pytest.raises(BadInputError) as caught:
        content(path, partial=partial)
    said = str(caught.value)
    assert said.startswith(f"snapshot {str(path)!r} ")
    assert "\n" not in said
    return said


def lines_of(path: Path) -> list[bytes]:
    with path.open("rb") as file:
        return decompressed(file, str(compression_of(path.read_bytes()))).readlines()


def sealed(lines: list[bytes]) -> bytes:
    """Return a file of ``lines``, to which a footer is written that fits them."""
    footer = json.loads(lines[-1]) | {
        "lines": len(lines) - 1,
        "sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest(),
    }
    return gzip.compress(b"".join(lines[:-1]) + json.dumps(footer, separators=(",", ":")).encode() + b"\n")


# Cut off, and changed -------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_one_that_was_cut_off_anywhere_is_refused_and_read_with_partial(whole: Path, tmp_path: Path) -> None:
    data, path = whole.read_bytes(), tmp_path / "cut"
    expected = content(whole)
    longest = 0
    for size in range(len(data)):
        path.write_bytes(data[:size])
        said = refusal(path)
        assert "cut off" in said or "is empty" in said or "is no snapshot" in said
        try:
            header, inputs, tokenizers, answers = content(path, partial=True)
        except BadInputError:
            continue
        assert header == expected[0]
        for part, full in zip(
            (inputs, list(tokenizers), answers), (expected[1], list(expected[2]), expected[3]), strict=True
        ):
            assert part == full[: len(part)]
        longest = max(longest, len(inputs))
    assert longest == len(expected[1])


def test_one_that_was_cut_off_between_lines_has_its_lines(whole: Path, tmp_path: Path) -> None:
    lines, path = lines_of(whole), tmp_path / "cut"
    for count in range(1, len(lines)):
        for rest in (b"", lines[count][:-1]):  # the last line without its end
            path.write_bytes(gzip.compress(b"".join(lines[:count]) + rest))
            assert "there is no footer" in refusal(path)
            assert read_snapshot(path, partial=True).lines == count
    path.write_bytes(gzip.compress(b"".join(lines)[:-1]))
    assert "there is no footer" in refusal(path)


@settings(
    max_examples=3 * settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
def test_a_byte_that_was_changed_is_seen_or_says_nothing(whole: Path, tmp_path: Path, data: st.DataObject) -> None:
    good, path = whole.read_bytes(), tmp_path / "changed"
    at = data.draw(st.integers(0, len(good) - 1))
    path.write_bytes(good[:at] + bytes([good[at] ^ data.draw(st.integers(1, 255))]) + good[at + 1 :])
    try:
        found = content(path)
    except BadInputError as error:
        assert str(error).startswith(f"snapshot {str(path)!r} ")
    else:
        assert found == content(whole)


def test_a_line_that_was_exchanged_for_another_one_is_seen(whole: Path, tmp_path: Path) -> None:
    lines, path = lines_of(whole), tmp_path / "changed"
    lines[1], lines[2] = lines[2], lines[1]
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert "was changed since it was written" in refusal(path)
    path.write_bytes(gzip.compress(b"".join([*lines[:-2], lines[-1]])))
    assert "was changed since it was written" in refusal(path)


def test_several_members_are_one_file(whole: Path, tmp_path: Path) -> None:
    lines, path = lines_of(whole), tmp_path / "members"
    path.write_bytes(b"".join(map(COMPRESSORS[whole.suffix], lines)))
    assert content(path) == content(whole)
    path.write_bytes(whole.read_bytes() * 2)
    assert "does not belong there" in refusal(path)
    path.write_bytes(whole.read_bytes() + b"more")
    assert {".gz": "no gzip", ".xz": "no xz"}[whole.suffix] in refusal(path)


def test_a_name_that_ends_in_xz_is_one_of_xz(whole: Path) -> None:
    assert whole.read_bytes().startswith({".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ"}[whole.suffix])
    assert is_snapshot(whole)


def test_what_the_tools_of_xz_make_is_read_and_what_takes_too_much_memory_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "anew"
    lines = b"".join(lines_of(whole))
    path.write_bytes(lzma.compress(lines, preset=9))
    assert content(path) == content(whole)
    path.write_bytes(lzma.compress(lines, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]))
    assert "Memory usage limit" in refusal(path)
    assert not is_snapshot(path)


def test_what_a_killed_process_has_compressed_is_read(whole: Path) -> None:
    compressing = compression_for(whole)
    beginning = compressing.part(b"first\n" * 1000) + compressing.part(b"second\n")
    with decompressed(io.BytesIO(beginning), str(compression_of(beginning))) as lines:
        assert [lines.readline() for _ in range(1001)][-2:] == [b"first\n", b"second\n"]


def test_without_xz_its_files_are_refused_and_not_written(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = content(whole)
    monkeypatch.setattr(compression, "HAS_XZ", False)
    if whole.suffix == ".gz":
        assert content(whole) == expected
        return
    assert "cannot be read: it is compressed by xz, without which this Python was built" in refusal(whole)
    assert not is_snapshot(whole)
    with pytest.raises(BadInputError, match=r"give a name that ends in \.gz"):
        compression_for(whole)


def test_the_footer_is_read_as_it_is_written_to_the_microsecond(whole: Path) -> None:
    footer = read_snapshot(whole).footer
    assert footer is not None
    assert json.loads(lines_of(whole)[-1]) == json_of(footer)
    assert (footer.seconds, footer.asking) == (round(footer.seconds, 6), round(footer.asking, 6))


# Other forms ----------------------------------------------------------------------------------------------------------


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, each in entries for inner in paths_in(each, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_lines_of_any_form_are_refused_or_compared(whole: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Someone who can write a footer can write anything: a diff with that ends, and ends in words."""
    lines, path = lines_of(whole), tmp_path / "forged"
    number = data.draw(st.integers(0, len(lines) - 2))
    line = json.loads(lines[number])
    place = data.draw(st.sampled_from(paths_in(line)))
    lines[number] = json.dumps(replaced(line, place, data.draw(JSON)), separators=(",", ":")).encode() + b"\n"
    path.write_bytes(sealed(lines))
    good = read_snapshot(whole)
    try:
        forged = read_snapshot(path)
        events = [*diff_of(forged, good), *diff_of(good, forged)]
    except BadInputError as error:
        assert "\n" not in str(error)
        return
    assert not of_type(events, InternalError)
    assert len(of_type(events, RunFinished)) == 2


def test_a_line_that_cannot_be_read_is_no_answer_of_an_implementation(whole: Path, tmp_path: Path) -> None:
    lines, path = lines_of(whole), tmp_path / "forged"
    number = next(number for number, line in enumerate(lines) if b'"input":2' in line)
    lines[number] = lines[number].replace(b'"ids":[', b'"ids":["1",', 1)
    path.write_bytes(sealed(lines))
    events = diff_of(read_snapshot(whole), read_snapshot(path))
    (refused,) = of_type(events, InputRefused)
    assert refused.refusal.reason == (
        f"snapshot {str(path)!r} has a line {number + 1} of another form than snapshots have: "
        'answers.encode_plain.ids[0]: expected an integer, found "1"'
    )
    (finished,) = of_type(events, RunFinished)
    assert finished.exit_status == 2


WRONG_ORDER = {
    "answers twice": lambda lines: [*lines[:-1], lines[-2], lines[-1]],
    "answers that are missing": lambda lines: [*lines[:-2], lines[-1]],
    "an input after a tokenizer": lambda lines: [*lines[:-1], lines[1], lines[-1]],
    "a tokenizer twice": lambda lines: [*lines[:-1], *lines[6:]],
    "an input that is missing": lambda lines: [lines[0], *lines[2:]],
    "two headers": lambda lines: [lines[0], *lines],
    "an empty line": lambda lines: [*lines[:-1], b"\n", lines[-1]],
    "a line of an unknown type": lambda lines: [*lines[:-1], b'{"type":"other"}\n', lines[-1]],
    "no tokenizer": lambda lines: [*lines[:6], lines[-1]],
    "answers of another input": lambda lines: [*lines[:7], lines[8], lines[7], *lines[9:]],
}


@pytest.mark.parametrize("name", WRONG_ORDER)
def test_lines_out_of_order_are_refused(whole: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "forged"
    path.write_bytes(sealed(WRONG_ORDER[name](lines_of(whole))))
    if name != "answers of another input":
        refusal(path)
        return
    (refused,) = of_type(diff_of(read_snapshot(whole), read_snapshot(path)), InputRefused)
    assert "about input 1, where 0 is due" in refused.refusal.reason


@pytest.mark.parametrize("version", ["2.0", "0.9", "", None, 2])
def test_another_version_is_refused(whole: Path, tmp_path: Path, version: object) -> None:
    lines, path = lines_of(whole), tmp_path / "newer"
    lines[0] = json.dumps(json.loads(lines[0]) | {"version": version}, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(sealed(lines))
    assert "use a newer tokconf" in refusal(path)
    lines[0] = json.dumps(json.loads(lines[0]) | {"version": "1.7"}, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(sealed(lines))
    assert content(path)[1:] == content(whole)[1:]


# Files that are none --------------------------------------------------------------------------------------------------


def test_what_is_no_file_of_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "it"
    for data, said in (
        (b"", "is empty"),
        (b"\x1f", "not compressed by gzip or xz"),
        (b'{"type":"header"}', "not compressed by gzip or xz"),
        (b"\x1f\x8b", "cut off"),
        (b"\xfd7zXZ", "not compressed by gzip or xz"),
        (b"\xfd7zXZ\0", "cut off"),
        (lzma.compress(b""), "is empty"),
        (lzma.compress(b"{}\n"), "its first line does not say"),
        (gzip.compress(b""), "is empty"),
        (gzip.compress(b"{}\n"), "its first line does not say"),
        (gzip.compress(b"[]\n"), "its first line does not say"),
        (gzip.compress(b"\xff\n"), "no JSON"),
        (gzip.compress(b"[" * 100_000), "no JSON"),
    ):
        path.write_bytes(data)
        assert said in refusal(path)
        assert not is_snapshot(path)
    assert "cannot be read: No such file" in refusal(tmp_path / "nowhere")
    assert "cannot be read: Is a directory" in refusal(tmp_path)
    (tmp_path / "null").symlink_to(os.devnull)
    assert "is a device" in refusal(tmp_path / "null")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is a pipe" in refusal(tmp_path / "pipe")


@pytest.mark.long
def test_lines_without_end_take_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path) -> None:
    monkeypatch.setattr(reader, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(reader, "LONGEST_HEADER", 1 << 19)
    path = tmp_path / "bomb"
    for beginning in (b"", lines_of(whole)[0]):
        compressor = zlib.compressobj(9, zlib.DEFLATED, 31) if whole.suffix == ".gz" else lzma.LZMACompressor(preset=0)
        parts = [compressor.compress(beginning), *(compressor.compress(b" " * (1 << 20)) for _ in range(100))]
        path.write_bytes(b"".join([*parts, compressor.flush()]))
        tracemalloc.start()
        said = refusal(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert "of more than 1 MB" in said
        assert peak < 10 << 20
