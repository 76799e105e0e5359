"""Each section sees a planted change, tells it under its name, and tells nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from faulty_releases import changes, faulty, refusing

from tokenizer_adapters.contract import Crashed, Normalize, Text, Unsupported
from tokenizer_conformance.releases.versions.facts import NoFactsError, Release
from tokenizer_conformance.releases.versions.sections.documents import with_every_option
from tokenizer_conformance.releases.versions.sections.table import SECTIONS, Defaults, Refusals, Saved, SuiteCases
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faulty_releases import MadeUp

    from tokenizer_adapters.contract import Observation, Outcome, Subject, TokenizerSource, WithoutValue

DOCUMENTS = {name: document for name, document in with_every_option().items() if "array" not in name}


def test_the_table_has_each_section_under_its_name() -> None:
    assert list(SECTIONS) == ["defaults", "refusals", "saved", "suite", "training"]
    assert all(make().name == name and make().title for name, make in SECTIONS.items())


def taking_all(release: Release) -> Release:
    """Return a release that loads every file."""

    class All:
        info = release.implementation.info

        def load(self, _source: TokenizerSource) -> Any:
            return None

    return Release(release.word, release.version, All())


# Refusals


def test_a_file_that_is_refused_is_a_change(installed: Release) -> None:
    section = Refusals(DOCUMENTS)
    found = changes("refusals", section.facts(installed, []), section.facts(faulty(installed, refusing("Digits")), []))
    assert found
    assert all("Digits" in json.dumps(DOCUMENTS[name]) for name in found)
    assert {name for name, document in DOCUMENTS.items() if "Digits" in json.dumps(document)} == set(found)
    assert found["pre_tokenizer 8 Digits"].old.told == "loads"
    assert found["pre_tokenizer 8 Digits"].new.told == "is refused: no Digits today at ADDRESS"


def test_other_words_are_a_change_and_other_positions_are_none(installed: Release) -> None:
    section = Refusals({"nothing": {}})
    first = section.facts(installed, [])["nothing"]
    assert first.value.startswith("is refused: ")
    assert "column" in first.told
    assert "column" not in first.value


def test_what_an_adapter_raises_is_a_refusal(installed: Release) -> None:
    def raising(_: TokenizerSource, __: Subject) -> Subject:
        raise KeyError("model")

    (fact,) = Refusals({"nothing": {"model": {}}}).facts(faulty(taking_all(installed), raising), []).values()
    assert fact.told == "is refused: the adapter raised KeyError: 'model'"


# Saved


@dataclass
class Saves:
    """A subject that saves less than it has."""

    subject: Any

    def observe(self, observation: Observation) -> Outcome:
        return self.subject.observe(observation)

    def vocabulary(self) -> Any:
        return self.subject.vocabulary()

    def saved(self) -> str | WithoutValue:
        document = json.loads(self.subject.saved())
        if document["truncation"]:
            document["truncation"].pop("direction")
        if document["padding"]:
            return Crashed("gone /tmp/tokconf-versions-abc/1.json")
        return json.dumps(document)


def test_a_field_that_is_not_saved_is_a_change(installed: Release) -> None:
    section = Saved(DOCUMENTS)
    old = section.facts(installed, [])
    found = changes("saved", old, section.facts(faulty(installed, lambda _, subject: Saves(subject)), []))
    assert {name for name in DOCUMENTS if name.startswith(("truncation", "padding"))} == set(found)
    assert '"direction": "Left"' in found["truncation OnlyFirst Left"].old.told
    assert '"direction"' not in found["truncation OnlyFirst Left"].new.told
    assert '"stride": 0' in old["truncation with stride=0"].told
    assert "gone FILE" in found["padding 0"].new.told
    assert old["model 2 BPE"].told.startswith('{"byte_fallback": true, ')


def test_one_that_writes_no_file_has_no_facts(installed: Release) -> None:
    class Plain:
        def observe(self, observation: Observation) -> Outcome:
            return Unsupported(str(observation))

        def vocabulary(self) -> Unsupported:
            return Unsupported("no")

    with pytest.raises(NoFactsError, match="does not write"):
        Saved(DOCUMENTS).facts(faulty(installed, lambda _, __: Plain()), [])


# Suite


@dataclass
class Shouts:
    """A subject whose normalizer shouts."""

    subject: Any

    def observe(self, observation: Observation) -> Outcome:
        outcome = self.subject.observe(observation)
        if isinstance(observation, Normalize) and isinstance(outcome, Text):
            return Text(outcome.text.upper())
        return outcome

    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        return [self.observe(observation) for observation in observations]

    def vocabulary(self) -> Any:
        return self.subject.vocabulary()

    def saved(self) -> Any:
        return self.subject.saved()


def test_a_case_that_fails_is_a_change_with_its_first_difference(installed: Release) -> None:
    cases = [case for case in read_suite().cases() if case.area.name == "normalizers.Lowercase"][:20]
    section = SuiteCases(cases)
    old = section.facts(installed, [])
    assert {fact.value for fact in old.values()} == {"passed"}
    assert set(old) == {case.id for case in cases}

    def changed(_: TokenizerSource, subject: Subject) -> Subject:
        return Shouts(subject)

    found = changes("suite", old, section.facts(faulty(installed, changed), []))
    assert found
    assert all(change.new.value.startswith("failed: ") for change in found.values())
    again = section.facts(faulty(installed, changed), [])
    assert {name: again[name].value for name in found} == {name: change.new.value for name, change in found.items()}


def test_a_tokenizer_that_is_not_loaded_fails_in_words_without_a_path(installed: Release) -> None:
    case = next(case for case in read_suite().cases() if case.area.name == "normalizers.Lowercase")
    found = SuiteCases([case]).facts(faulty(installed, refusing("model")), [])[case.id]
    assert found.value.startswith("failed: is not loaded: no model today at ADDRESS")
    assert "/tmp" not in found.value
    assert str(Path.cwd()) not in found.value


# Defaults

CLASSES = """
class AddedToken:
    def __init__(self, content="", normalized={normalized}): self.content, self.normalized = content, normalized
    @property
    def special(self): return False
    {member}
class Tokenizer:
    def __init__(self, model): raise RuntimeError("no tokenizer")
"""
MODELS = "class WordLevel:\n    def __init__(self, vocab=None, unk_token=None): pass\n"


def package(normalized: str, member: str = "") -> dict[str, str]:
    text = CLASSES.replace("{normalized}", normalized).replace("{member}", member)
    return {"__init__.py": f"{text}\nfrom . import models\n", "models.py": MODELS}


def release(word: str, installed: Release) -> Release:
    return Release(word, "1", installed.implementation)


def test_a_changed_default_and_a_new_member_are_changes(made_up: MadeUp, installed: Release) -> None:
    section = Defaults()
    old = section.facts(release(made_up("1.0", package("True")), installed), [])
    member = "def added(self, of=3): pass"
    new = section.facts(release(made_up("2.0", package("None", member)), installed), [])
    found = changes("defaults", old, new)
    assert {
        name: (change.old and change.old.told, change.new and change.new.told) for name, change in found.items()
    } == {
        "AddedToken": ("class(content='', normalized=True)", "class(content='', normalized=None)"),
        "AddedToken()": (
            "content='', normalized=True, special=False",
            "content='', normalized=None, special=False",
        ),
        "AddedToken('a')": (
            "content='a', normalized=True, special=False",
            "content='a', normalized=None, special=False",
        ),
        "AddedToken.added": (None, "method(of=3)"),
    }
    assert new["Tokenizer(model)"].told == "is not made: RuntimeError"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.kill(os.getpid(), 11)", "killed by signal 11"),
        ("raise ImportError('libfast.so: cannot open')", "ImportError: libfast.so: cannot open"),
        ("import os; os._exit(0)", "printed no JSON"),
    ],
)
def test_a_package_that_does_not_run_says_how(made_up: MadeUp, installed: Release, code: str, words: str) -> None:
    with pytest.raises(NoFactsError, match=words):
        Defaults().facts(release(made_up("1.0", {"__init__.py": code}), installed), [])


def test_what_is_installed_says_the_same_twice(installed: Release) -> None:
    first, second = (Defaults().facts(installed, []) for _ in range(2))
    assert first == second
    assert first["normalizers.Strip"].told == "class(left=True, right=True), a Normalizer"
    assert first["normalizers.Strip()"].told == "left=True, right=True, strip_left=True, strip_right=True, type='Strip'"
    assert not any("0x" in fact.told or str(Path.home()) in fact.told for fact in first.values())


def test_other_implementations_have_none(installed: Release) -> None:
    with pytest.raises(NoFactsError, match="is no release of a package"):
        Defaults().facts(release("command:./mine", installed), [])
    with pytest.raises(NoFactsError, match="the API of tiktoken is not asked for"):
        Defaults().facts(release("tiktoken==1.0", installed), [])
