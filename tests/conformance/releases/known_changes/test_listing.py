from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli.commands.changes import changes_command
from tokenizer_conformance.releases.known_changes.change import KnownChange, Probe
from tokenizer_conformance.releases.known_changes.listing import ListedRequirement, page, told, unseen_changes
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


def test_each_line_has_its_indent_and_what_is_wrapped_of_it_more() -> None:
    change = KnownChange(
        id="a-change",
        package="tokenizers",
        before="1.0",
        since="1.1",
        last="1.2",
        until="1.3",
        component="Lowercase",
        title="Title",
        description="What it means",
        links=("huggingface/tokenizers#1",),
        requirements=("A-RULE",),
        probe=Probe(program="answer = 1", old={"error": "TypeError: no"}, new=["a"]),
    )
    rules = tuple(
        ListedRequirement(since, f"OF-{since}", "It is so", "models", refused_before=is_refused)
        for since, is_refused in (("1.1", False), ("0.9", True))
    )
    assert list(told((change,), rules)) == [
        ("tokenizers 1.1", 0),
        ("  Lowercase: Title (1.1 to 1.2; as before since 1.3)", 4),
        ("    What it means", 4),
        ("    before: TypeError: no", 8),
        ('    since:  ["a"]', 8),
        ("    a-change: huggingface/tokenizers#1, requirement A-RULE", 4),
        ("  It is so (requirement OF-1.1, models)", 4),
        ("", 0),
        ("tokenizers 0.9", 0),
        ("  It is so (requirement OF-0.9, models; its tokenizers are refused before)", 4),
        ("", 0),
    ]


def test_markdown_has_a_table_of_the_requirements_where_there_are_any() -> None:
    rules = tuple(
        ListedRequirement(since, f"OF-{since}", "It is so", "models", refused_before=is_refused)
        for since, is_refused in (("1.1", False), ("0.9", True))
    )
    without, whole = page((), (), (), "command"), page((), rules, (), "command")
    assert without.startswith("# Known changes\n\nWritten by `command`. ")
    assert whole.removeprefix(without) == (
        "\n## Requirements that older releases of tokenizers do not meet\n\n"
        "These rules of the suite hold since the release named; older ones fail at least one of their cases.\n\n"
        "| since | requirement | rule | before |\n"
        "| --- | --- | --- | --- |\n"
        "| 1.1 | OF-1.1 | It is so | another answer |\n"
        "| 0.9 | OF-0.9 | It is so | its tokenizers are refused |\n"
    )


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
    ("arguments", "message"),
    [
        (["tokenizer"], "did you mean tokenizers?"),
        (["tokenizers", "0.19.1"], "give both or none"),
        (["tokenizers", "x", "0.19.1"], "'x' is no version"),
        (["--json", "--markdown"], "give one of them"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(changes_command, arguments)
    assert result.exit_code == 2
    assert message in result.output
