"""Paths in a tokenizer.json: how they are written and read, and what is changed at one."""

from __future__ import annotations

import pytest

from tokenizer_conformance.comparison.document_parts import at, path_of, path_text, paths_in, with_part, without_part

DOCUMENT = {"model": {"vocab": {"Ġa": 0, 'a"b\\': 1, "": 2}, "merges": [["a", "b"]]}, "decoder": None}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "$"),
        (("model", "vocab"), "$.model.vocab"),
        (("merges", 3, 0), "$.merges[3][0]"),
        (("vocab", "Ġa"), '$.vocab["Ġa"]'),
        (("vocab", "é"), '$.vocab["é"]'),
        (("vocab", "3"), '$.vocab["3"]'),
        (("vocab", 'a"\\'), '$.vocab["a\\"\\\\"]'),
        (("vocab", ""), '$.vocab[""]'),
    ],
)
def test_a_path_is_written_so_that_it_can_be_read(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text
    assert path_of(text) == path


def test_every_part_of_a_document_has_a_path() -> None:
    paths = list(paths_in(DOCUMENT))
    assert paths == [path_of(path_text(path)) for path in paths]
    assert paths[:4] == [(), ("model",), ("model", "vocab"), ("model", "vocab", "Ġa")]
    assert ("model", "merges", 0, 1) in paths
    assert at(DOCUMENT, ("model", "merges", 0, 1)) == "b"
    assert at(DOCUMENT, ("decoder", "type")) is None


def test_a_part_is_changed_in_a_copy() -> None:
    path = ("model", "vocab", "Ġa")
    changed, without = with_part(DOCUMENT, path, 7), without_part(DOCUMENT, path)
    assert (at(changed, path), at(without, path), at(DOCUMENT, path)) == (7, None, 0)
    assert changed["decoder"] is None
    assert without["model"]["merges"] == DOCUMENT["model"]["merges"]
