from __future__ import annotations

import pytest

from tokenizer_conformance.releases.known_changes.reader import (
    PACKAGES,
    ChangesError,
    known_changes,
    read_changes,
    releases_of,
)
from tokenizer_conformance.validation.suite.reader import read_rules

HEAD = 'format = 1\nreleases = ["1.0", "1.1", "1.2"]\n'
ENTRY = """
[[change]]
id = "a-change"
since = "1.1"
component = "Lowercase"
title = "Title"
description = "What it means"
"""
PROBE = """
[change.probe]
program = "answer = 1"
old = 1
new = 2
"""
SELECTOR = '[change.selector]\nstages = ["normalize"]\ncharacters = ["U+16EA0-U+16EA2"]\n'


def read(text: str) -> object:
    return read_changes("tokenizers", text, "file.toml")


def test_an_entry_is_read() -> None:
    (change,) = read_changes("tokenizers", HEAD + ENTRY + SELECTOR + PROBE, "file.toml")
    assert (change.before, change.since, change.until) == ("1.0", "1.1", None)
    assert change.selector is not None
    assert change.selector.characters is not None
    assert change.selector.characters.all == frozenset("\U00016ea0\U00016ea1\U00016ea2")
    assert change.holds_in("1.1")
    assert not change.holds_in("1.0")
    assert not change.lies_between("1.0", "nightly")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("format = 2\nreleases = []", "`format` is 2"),
        ('format = 1\nreleases = ["1.1", "1.0"]', "not in their order"),
        (HEAD + "wrong = 1", "unknown field `wrong`"),
        (HEAD + ENTRY + "wrong = 1" + PROBE, "entry 1 (a-change): Object contains unknown field `wrong`"),
        (
            HEAD + ENTRY + PROBE + "wrong = 1",
            "Object contains unknown field `wrong` - at `$.probe`",
        ),
        (HEAD + ENTRY + SELECTOR + "wrong = 1" + PROBE, "unknown field `wrong` - at `$.selector`"),
        ("format = ", "is not TOML"),
        (HEAD + ENTRY, "entry 1 (a-change): Object missing required field `probe`"),
        (HEAD + ENTRY.replace("1.1", "1.0") + PROBE, "'1.0' is none of the `releases` of the file after the first"),
        (HEAD + ENTRY.replace("1.1", "7") + PROBE, "none of the `releases`"),
        (HEAD + ENTRY.replace('"1.1"', '"1.1"\nuntil = "1.1"') + PROBE, "`until`: '1.1' is no release after '1.1'"),
        (HEAD + ENTRY.replace("a-change", "A change") + PROBE, "`$.id`"),
        (HEAD + ENTRY + 'links = ["somewhere"]' + PROBE, "`$.links[0]`"),
        (HEAD + ENTRY + PROBE.replace("new = 2", "new = 1"), "are the same answer"),
        (HEAD + ENTRY + PROBE.replace("answer", "x"), "does not set `answer`"),
        (HEAD + ENTRY + PROBE + ENTRY + PROBE, "id 'a-change' is given to several"),
        (HEAD + ENTRY + SELECTOR.replace("normalize", "normalise") + PROBE, "`selector`: `stages`: is ['normalise']"),
        (HEAD + ENTRY + SELECTOR.replace("U+16EA0", "16EA0") + PROBE, "is no code point"),
        (HEAD + ENTRY + SELECTOR + 'relation = "none"\n' + PROBE, "`relation`: is 'none'; choose from"),
        (HEAD + ENTRY + SELECTOR + 'text = "("\n' + PROBE, "`text`: is no regular expression"),
        (HEAD + ENTRY + SELECTOR + 'having = [{ part = "x", type = "y" }]\n' + PROBE, "does not name a `part`"),
        (HEAD + ENTRY + '[change.selector]\nstages = ["normalize"]\n' + PROBE, "it says nothing of the answers"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, told: str) -> None:
    with pytest.raises(ChangesError) as refused:
        read(text)
    assert any(told in problem for problem in refused.value.problems)
    assert all(problem.startswith("file.toml: ") for problem in refused.value.problems)


@pytest.mark.long
def test_the_files_of_the_project_are_in_order() -> None:
    changes = known_changes().changes
    assert {change.package for change in changes} == set(PACKAGES)
    ids = [change.id for change in changes]
    assert len(set(ids)) == len(ids)
    for change in changes:
        releases = releases_of(change.package)
        assert releases.index(change.since) == releases.index(change.before) + 1
    requirements = {requirement.id for _, requirement in read_rules().requirements()}
    named = {name for change in changes for name in change.requirements}
    assert named <= requirements


def test_requirements_name_releases_that_were_asked() -> None:
    releases = releases_of("tokenizers")
    for _, requirement in read_rules().requirements():
        assert requirement.since is None or requirement.since in releases
        assert set(requirement.not_in) <= set(releases)
