"""Lines of records are read by their types, each value as it was written."""

from __future__ import annotations

import importlib
import inspect
import json
import lzma
import pkgutil
from typing import TYPE_CHECKING

import pytest

import tokenizer_conformance.results.records as package
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.records.lines import FAMILY, is_later_minor, opened
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def every_value(under: type[Value] = Value) -> Iterator[type[Value]]:
    for each in under.__subclasses__():
        yield each
        yield from every_value(each)


def test_values_of_records_stay_as_they_are_and_have_names() -> None:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
    values = {each for each in every_value() if each.__module__.startswith(package.__name__)}
    assert len(values) > 300
    for each in values:
        assert each.__struct_config__.frozen, each
        named = inspect.signature(each).parameters.values()
        assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in named), each


def test_a_record_of_another_major_version_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"type": "header", "schema": FORMAT.name, "version": "900.1"}) + "\n", "utf-8")
    opening = opened(path)
    assert (opening.name, opening.schema, opening.version) == (repr(str(path)), FORMAT.name, "900.1")
    with pytest.raises(BadInputError) as refused:
        opening.header(FORMAT)
    assert str(refused.value) == (
        f"{str(path)!r} is a record of version 900.1 of its format; this release reads version {FORMAT.version}: "
        "use the release of tokconf that wrote it"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"type": "header", "sch', " is cut short in line 1: a command that was killed before it began"),
        ('{"type": "footer", "schema": "' + FAMILY + 'x", "version": "1.0"}\n', " is no record of tokconf"),
        ('{"type": "header", "schema": "other", "version": "1.0"}\n', " is no record of tokconf: line 1 is no header"),
    ],
)
def test_what_does_not_begin_as_a_record_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(BadInputError) as refused:
        opened(path)
    assert str(refused.value).startswith(f"{str(path)!r}{said}")


def test_a_compressed_record_that_was_cut_off_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(b"x" * 100_000)[:60])
    with pytest.raises(BadInputError) as refused:
        opened(path)
    assert str(refused.value) == f"{str(path)!r} is compressed, and damaged or cut off: its end is missing"


def test_a_later_minor_version_is_known_by_its_number() -> None:
    major, _, minor = FORMAT.version.partition(".")
    later = [f"{major}.{int(minor) + 1}", f"{major}.{10**8}"]
    others = [FORMAT.version, f"{major}.0", f"{major}.x", major, f"{major}.{10**9}"]
    assert [is_later_minor(version, FORMAT) for version in later] == [True, True]
    assert [is_later_minor(version, FORMAT) for version in others] == [False] * len(others)
