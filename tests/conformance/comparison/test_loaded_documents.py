"""Documents are loaded from files that stay as long as they may be loaded again, and are written by who can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import CannotLoadError, Failed, Unsupported
from tokenizer_conformance.comparison.asking import Asked
from tokenizer_conformance.comparison.loaded_documents import Documents, written


class Remembering(fakes.Toy):
    """Remembers what it was given to load."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Path]] = []

    def load(self, source: Any) -> fakes.ToySubject:
        self.given.append((source.name, Path(source.file)))
        return fakes.ToySubject()


@pytest.mark.parametrize(
    ("document", "text"),
    [({"a": "é"}, '{"a": "é"}'), ('{"a" : 1}', '{"a" : 1}'), ({"a": "\ud800"}, '{"a": "\ud800"}'), ("", "")],
)
def test_a_document_is_loaded_as_it_is(document: dict[str, Any] | str, text: str) -> None:
    implementation = Remembering()
    with Documents(implementation) as documents:
        asked = documents.loaded(document, "planted")
        documents.loaded("another", "second")
        (first, file), (second, other) = implementation.given
        assert (first, second) == ("planted", "second")
        assert file.read_bytes().decode("utf-8", "surrogatepass") == text
        assert other.read_text(encoding="utf-8") == "another"
        assert asked.info.name == "toy"
    assert not file.exists()
    assert not other.exists()


class Saving(fakes.ToySubject):
    def __init__(self, text: Any) -> None:
        self.text = text

    def saved(self) -> Any:
        return self.text


def test_what_is_written_is_read() -> None:
    assert written(Asked(fakes.Toy(), Saving(json.dumps({"a": 1})), ())) == {"a": 1}


@pytest.mark.parametrize("subject", [fakes.ToySubject(), Saving(Failed("E", "no")), Saving(Unsupported("cannot"))])
def test_what_is_not_written_is_said(subject: fakes.ToySubject) -> None:
    with pytest.raises(CannotLoadError, match="toy") as raised:
        written(Asked(fakes.Toy(), subject, ()))
    assert raised.value.unsupported
