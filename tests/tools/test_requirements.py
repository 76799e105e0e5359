"""The files of the suite ask what the recipes say: none was written by hand, none is out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from requirements import chats

from tokenizer_conformance.validation.suite.reader import EXPECTED, read_files

if TYPE_CHECKING:
    from requirements.recipe import Area


def told(file: dict[str, Any]) -> list[Any]:
    """Return what the file of an area says and asks, without what is expected."""
    return [
        (
            requirement["id"],
            requirement["rule"],
            requirement["importance"],
            [
                (
                    file["tokenizers"][case["tokenizer"]],
                    file["configurations"][case["tokenizer"]],
                    [{name: value for name, value in step.items() if name != EXPECTED} for step in case["steps"]],
                )
                for case in requirement["cases"]
            ],
        )
        for requirement in file["requirements"]
    ]


@pytest.mark.parametrize("area", chats.AREAS, ids=lambda area: area.name)
def test_the_file_of_an_area_asks_what_its_recipe_says(area: Area) -> None:
    wanted = [
        (
            each.id,
            each.rule,
            each.importance,
            [(case.tokenizer, case.configuration, [dict(one.asked) for one in case.questions]) for case in each.cases],
        )
        for each in area.requirements
    ]
    assert told(read_files()[f"{area.name}.json"]) == wanted
