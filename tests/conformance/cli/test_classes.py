"""``tokconf classes``: the list, one class, JSON, and a name that is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.causes.classes.table import CLASSES

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.long
def test_the_list_has_every_class(tokconf: CommandLine) -> None:
    done = tokconf.run("classes")
    assert (done.status, done.err) == (0, "")
    names = [line.split()[0] for line in done.out.splitlines()[2:] if line]
    assert names[: len(CLASSES)] == [each.name for each in CLASSES]


def test_a_class_is_told_with_what_proves_it(tokconf: CommandLine) -> None:
    done = tokconf.run("classes", "score-tie", COLUMNS="60")
    assert done.status == 0
    assert "acceptable" in done.out
    assert "exact arithmetic" in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines())) <= 60


def test_json_has_everything(tokconf: CommandLine) -> None:
    document = json.loads(tokconf.run("classes", "--json").out)
    assert [each["name"] for each in document["classes"]] == [each.name for each in CLASSES]
    assert all(each["proven_by"] and each["meaning"] and each["whose"] for each in document["classes"])


def test_a_name_that_is_none_is_said_with_the_nearest(tokconf: CommandLine) -> None:
    done = tokconf.run("classes", "score-ties\x1b[31m")
    assert done.status == 2
    assert "did you mean score-tie?" in done.err
    assert "\x1b" not in done.err
