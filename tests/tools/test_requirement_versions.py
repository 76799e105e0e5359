"""Which releases meet a requirement is measured of what is new, and written as it was measured."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import generate_requirements
import pytest
import requirement_versions
from releases import ReleaseError
from requirements.recipe import Area, case, text, tokenizer, word_level

from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is asked from now on; every release passes it."""
    said: list[str] = []

    def results_of(cases: Iterable[Any], _: object) -> Iterator[Any]:
        for each in cases:
            said.append(f"{each.area.name} {each.id}")
            yield SimpleNamespace(judged=each, verdict=CaseVerdict.PASSED, failures=())

    monkeypatch.setattr(requirement_versions, "results_of", results_of)
    monkeypatch.setattr(requirement_versions, "release_of_tokenizers", contextlib.nullcontext)
    return said


def test_a_release_is_asked_what_is_new_or_changed_alone(asked: list[str], tmp_path: Path) -> None:
    digests = requirement_versions.digests_of_cases()
    first = requirement_versions.verdicts_of("0.22.2", tmp_path, digests)
    assert sorted(asked) == sorted(digests)
    assert first == dict.fromkeys(digests, requirement_versions.PASSED)
    asked.clear()
    assert requirement_versions.verdicts_of("0.22.2", tmp_path, digests) == first
    assert asked == []
    changed = "normalizers.Strip STRIP-ENDS/1"
    assert requirement_versions.verdicts_of("0.22.2", tmp_path, digests | {changed: "0"}) == first
    assert asked == [changed]


def test_a_release_that_cannot_be_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(release: str) -> None:
        raise ReleaseError(f"tokenizers {release} cannot be installed")

    monkeypatch.setattr(requirement_versions, "release_of_tokenizers", fail)
    monkeypatch.setattr("sys.argv", ["requirement_versions.py", "--answers", str(tmp_path)])
    assert requirement_versions.main() == 1
    told = "requirement_versions: tokenizers 0.13.3 cannot be installed; nothing was written\n"
    assert capsys.readouterr().err == told
    monkeypatch.setattr(generate_requirements, "passed_in", lambda release, _: fail(release))
    monkeypatch.setattr(generate_requirements, "areas", lambda _: ())
    monkeypatch.setattr(generate_requirements, "OUTPUT", tmp_path / "output")
    assert generate_requirements.main(["padding"]) == 1
    assert (
        capsys.readouterr().err == "generate_requirements: tokenizers 0.15.2 cannot be installed; nothing was written\n"
    )
    assert not (tmp_path / "output").exists()


def test_a_module_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        generate_requirements.main(["nomalizers", "--quick"])
    assert "no such module: nomalizers; choose from normalizers, precompiled, " in capsys.readouterr().err


def test_a_feature_that_is_none_is_a_fault_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    area = Area("models.Toy", "Toy", "model", "A toy.")
    area.requirement("TOY-A: A", "A rule.", "A why.", case(tokenizer(word_level("a")), text("a")), features=["ofsets"])
    monkeypatch.setattr(generate_requirements, "areas", lambda _: (area,))
    assert generate_requirements.main(["models", "--quick"]) == 1
    assert "models.Toy: TOY-A: 'ofsets' is no feature; choose from " in capsys.readouterr().err
