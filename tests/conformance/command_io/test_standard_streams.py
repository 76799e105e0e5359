"""Standard streams of a narrow encoding, and those that are no streams of the system."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.standard_streams import be_lenient_about_output

if TYPE_CHECKING:
    import pytest


def test_characters_that_an_encoding_lacks_are_shown_as_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = {name: io.TextIOWrapper(io.BytesIO(), "ascii") for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    be_lenient_about_output()
    for stream in streams.values():
        stream.write("caf\u00e9 \u4e2d")
        stream.flush()
        assert stream.buffer.getvalue() == b"caf\\xe9 \\u4e2d"


def test_a_stream_that_cannot_be_changed_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = io.StringIO()
    monkeypatch.setattr(sys, "stdout", notebook)
    be_lenient_about_output()
    print("caf\u00e9")
    assert notebook.getvalue() == "caf\u00e9\n"
