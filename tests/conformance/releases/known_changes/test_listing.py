from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli.commands.changes import changes_command
from tokenizer_conformance.releases.known_changes.listing import unseen_changes
from tokenizer_conformance.releases.known_changes.reader import known_changes, releases_of


def listed(*arguments: str) -> str:
    result = CliRunner().invoke(changes_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_changes_between_two_releases_are_listed_with_their_probes() -> None:
    lines = listed("tokenizers", "0.22.1", "0.22.2")
    assert "tokenizers 0.22.2" in lines
    assert "lowercase-of-unicode-17" in lines
    assert "requirement LOWERCASE-OF-UNICODE-17" in lines
    assert "0.23.1" not in lines
    assert "transformers 5" not in lines


def test_json_has_all_of_an_entry() -> None:
    document = json.loads(listed("tokenizers", "0.22.1", "0.22.2", "--json"))
    change = next(each for each in document["changes"] if each["id"] == "lowercase-of-unicode-17")
    assert (change["before"], change["since"], change["explains_differences"]) == ("0.22.1", "0.22.2", True)
    assert change["probe"]["old"] != change["probe"]["new"]
    assert all(each["since"] == "0.22.2" for each in document["requirements"])
    named = {id_ for each in document["changes"] for id_ in each["requirements"]}
    assert named.isdisjoint(each["id"] for each in document["requirements"])


def test_a_change_that_was_taken_back_is_listed_on_one_side_of_it_only() -> None:
    def ids(old: str, new: str) -> set[str]:
        return {each["id"] for each in json.loads(listed("tokenizers", old, new, "--json"))["changes"]}

    assert "truncation-stops-early" in ids("0.22.2", "0.23.1")
    assert "truncation-stops-early" in ids("0.23.2", "0.23.3")
    assert "truncation-stops-early" not in ids("0.22.2", "0.23.3")


def test_markdown_shows_hostile_answers_as_code() -> None:
    page = listed("tokenizers", "--markdown")
    assert page.startswith("# Known changes\n")
    assert "### tokenizers 0.23.1" in page
    assert "\u200b" not in page


def test_markdown_says_of_release_notes_without_a_probe_what_was_measured() -> None:
    assert "huggingface/tokenizers\\#1638" in listed("--markdown")
    assert "huggingface/tokenizers\\#1638" in listed("tokenizers", "--markdown")
    assert "Release notes without" not in listed("transformers", "--markdown")
    assert "Release notes without" not in listed("tokenizers", "0.20.1", "0.20.2", "--markdown")


def test_a_release_note_has_a_probe_or_a_reason_why_there_is_none() -> None:
    with_probe = {link for change in known_changes().changes for link in change.links}
    for note in unseen_changes():
        assert note.link not in with_probe
        assert note.release in releases_of(note.package)
        assert all((note.title.strip(), note.reason.strip()))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["tokenizer"], "did you mean tokenizers?"),
        (["tokenizers", "0.19.1"], "give both or none"),
        (["tokenizers", "x", "0.19.1"], "'x' is no version"),
        (["--json", "--markdown"], "give one of them"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(changes_command, arguments)
    assert result.exit_code == 2
    assert told in result.output
