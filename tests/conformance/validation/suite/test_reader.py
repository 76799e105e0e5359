"""Reading the suite that comes with the package."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.validation.suite import reader
from tokenizer_conformance.validation.suite.reader import StepFormError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def _collector() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("_collector")
@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_reading_leaves_the_garbage_collector_as_it_was(
    monkeypatch: pytest.MonkeyPatch, is_enabled: bool, fails: bool
) -> None:
    seen = []

    def suite_of(files: object) -> None:
        seen.append((bool(files), gc.isenabled()))
        if fails:
            raise StepFormError

    monkeypatch.setattr(reader, "suite_of", suite_of)
    (gc.enable if is_enabled else gc.disable)()
    try:
        reader.read_suite.__wrapped__()
    except StepFormError:
        assert fails
    assert seen == [(True, False)]
    assert gc.isenabled() is is_enabled
