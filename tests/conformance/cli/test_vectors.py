"""Which files are read as golden vectors."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.cli import vectors
from tokenizer_conformance.command_io.output import BadInput

if TYPE_CHECKING:
    from pathlib import Path


class Sized:
    """The path of a file of so many bytes."""

    def __init__(self, size: int, _file: str) -> None:
        self._size = size

    def stat(self) -> SimpleNamespace:
        return SimpleNamespace(st_size=self._size)

    def read_bytes(self) -> bytes:
        return b"content"


@pytest.mark.parametrize("size", [0, 1, 1 << 30])
def test_a_file_of_up_to_a_gibibyte_is_read(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "Path", partial(Sized, size))
    monkeypatch.setattr(vectors, "read_vectors", lambda content, name: (content, name))
    found: object = vectors._read("a.json")
    assert found == (b"content", "a.json")


def test_a_larger_file_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "Path", partial(Sized, (1 << 30) + 1))
    with pytest.raises(BadInput, match=r"'a\.json': too large for a file of vectors"):
        vectors._read("a.json")


def test_what_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        vectors._read(str(tmp_path / "absent.json"))
    (tmp_path / "no.json").write_text("{", "utf-8")
    with pytest.raises(BadInput, match=r"no\.json"):
        vectors._read(str(tmp_path / "no.json"))
