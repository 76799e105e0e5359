"""A TOKENIZER on the hub, from the command line to the reports."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hub_server import FIRST, SECOND, TOKEN
from line_schema import validator_of

from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from hub_server import HubServer

    from conftest import CommandLine, Finished

SIDES = ("-i", "tokenizers", "reference", "-k", "contractions")


def run(tokconf: CommandLine, hub_server: HubServer, *arguments: str, **environment: str) -> Finished:
    online = {"HF_ENDPOINT": hub_server.endpoint, "HF_HUB_OFFLINE": "0"}
    return tokconf.run("run", *arguments, *SIDES, **(online | environment))


@pytest.mark.long
def test_the_commit_is_shown_and_recorded(tokconf: CommandLine, hub_server: HubServer) -> None:
    reports = ("--json", "record.jsonl", "--markdown", "report.md")
    done = run(tokconf, hub_server, "org/name", "org/name@v1", "gpt2-mini", *reports)
    assert done.err == ""
    assert done.status == 0
    told = " ".join(done.out.split())
    assert re.search(
        rf"tokenizer org/name \(SHA-256 \w+…, commit {SECOND}\) tokenizer org/name@v1 \(.*, commit {FIRST}\)", told
    )
    assert "\norg/name: " in done.out
    assert "\norg/name@v1: " in done.out
    header = json.loads((tokconf.folder / "record.jsonl").read_text().splitlines()[0])
    validator_of(schema_of(FORMAT)).validate(header)
    assert [{key: value for key, value in each.items() if key != "sha256"} for each in header["tokenizers"]] == [
        {"name": "org/name", "repository": "org/name", "commit": SECOND},
        {"name": "org/name@v1", "repository": "org/name", "commit": FIRST},
        {"name": "gpt2-mini"},
    ]
    report = (tokconf.folder / "report.md").read_text()
    assert re.search(
        rf"^- tokenizer: org/name \(.*, commit {SECOND}\)\n- tokenizer: org/name@v1 \(.*, commit {FIRST}\)$",
        report,
        re.MULTILINE,
    )


@pytest.mark.long
def test_without_the_hub_the_cache_is_used_and_said_to_be(tokconf: CommandLine, hub_server: HubServer) -> None:
    assert run(tokconf, hub_server, "org/name").status == 0
    hub_server.requests.clear()
    done = run(tokconf, hub_server, "org/name", HF_HUB_OFFLINE="1")
    assert done.err == ""
    assert done.status == 0
    assert f"commit {SECOND}, as the cache has it: the hub was not reached)" in " ".join(done.out.split())
    assert hub_server.requests == []


@pytest.mark.long
def test_a_token_is_used(tokconf: CommandLine, hub_server: HubServer) -> None:
    assert run(tokconf, hub_server, "org/gated", HF_TOKEN=TOKEN).status == 0


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("org/missing", "no such repository"),
        ("org/gated", "the repository is gated"),
        ("org/name@v9", "has no revision 'v9'"),
        ("org/slow", "has no tokenizer.json"),
        ("org/broken", "is not JSON"),
    ],
)
def test_what_is_not_to_be_had_is_one_line(
    tokconf: CommandLine, hub_server: HubServer, argument: str, words: str
) -> None:
    done = run(tokconf, hub_server, argument)
    assert done.status == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("tokconf: tokenizer ")
    assert words in line


def test_a_repository_that_is_not_to_be_had_costs_the_others_nothing(
    tokconf: CommandLine, hub_server: HubServer
) -> None:
    done = run(tokconf, hub_server, "org/missing", "org/name")
    assert done.status == 2
    assert len(done.err.splitlines()) == 1
    assert "\norg/name: " in done.out
