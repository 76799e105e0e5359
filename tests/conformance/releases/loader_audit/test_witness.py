"""The search for a witness: which documents are loaded for it, and what is said of those that cannot be."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tokenizer_adapters.contract import CannotLoadError, Unsupported
from tokenizer_conformance.comparison.component_differences import Component, Replacement
from tokenizer_conformance.releases.loader_audit.witness import Budget, WitnessSearch


class Loading:
    """Loads documents that say no reason to refuse them, and is itself a file without a vocabulary."""

    def loaded(self, document: Any, name: str) -> Any:
        if document["refused"]:
            raise CannotLoadError(f"{name} is bad: {document['refused']}")
        return document

    def vocabulary(self) -> Unsupported:
        return Unsupported("it has none")


GOOD, BAD, WORSE = ({"refused": reason} for reason in ("", "alone", "all of it"))


@pytest.mark.parametrize(
    ("document", "wider", "loaded"),
    [
        (GOOD, None, GOOD),
        (GOOD, BAD, GOOD),
        (BAD, GOOD, GOOD),
        (BAD, None, "with this alone replaced, the file cannot be loaded: model is bad: alone"),
        (BAD, WORSE, "with the model replaced, the file cannot be loaded: model is bad: all of it"),
    ],
)
def test_what_cannot_be_loaded_with_a_component_replaced_says_why(document: Any, wider: Any, loaded: Any) -> None:
    loading = cast("Any", Loading())
    search = WitnessSearch(loading, {}, loading, loading, Budget())
    assert search.replaced(Replacement(Component.MODEL, "model", "", (), 1, document, wider)) == loaded
