"""What is said of a finding that was made small: exact lines, commands and records."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    Failed,
    Field,
    Normalize,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
)
from tokenizer_conformance.causes.minimize.minimization import SmallFinding
from tokenizer_conformance.causes.minimize.wording import (
    LONGEST_DOCUMENT,
    MOST_CHARACTERS,
    command_lines,
    lines_of,
    record_of,
    written,
)
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

SIDES = Excerpt(0, 1, ("a",), is_text=True), Excerpt(0, 1, ("b",), is_text=True)
DIFFERENCE = Difference(Verdict.DIFFER, DifferenceKind.VALUES, Field.TEXT, *SIDES, 0)
DOCUMENT: dict[str, Any] = {"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "c": 2}}}


def finding(question: Observation, document: dict[str, Any] | None = None, **options: Any) -> SmallFinding:
    difference = options.pop("difference", DIFFERENCE)
    source = TokenizerSource("t", "t.json")
    witness = Witness(source, document, question, Stage.DECODE, difference, Text("a"), Text("b"))
    told: dict[str, Any] = {"takes_documents": True, "bytes_before": 12345, "checks": 1, "seconds": 0.25} | options
    return SmallFinding(witness, witness, witness, **told)


def lines(small: SmallFinding, length: int = 2000) -> list[str]:
    return list(lines_of(small, length, "base", "port"))


def test_ids_are_told_with_their_tokens() -> None:
    told = lines(finding(Decode((1, 9, 1, 0)), DOCUMENT, checks=7))
    assert told[0].startswith("asked: decode")
    assert told[0].endswith("(4 ids of 2,000)")
    at = told.index("decode: other values (text)")
    size = len(json.dumps(DOCUMENT)) + 1
    assert told[at + 3 :] == [
        f"tokenizer.json: {size} bytes of 12,345, 3 tokens in its vocabulary",
        '  id 1 is "b"',
        '  id 0 is "a"',
        f"  {json.dumps(DOCUMENT)}",
        "made small in 7 checks, 0.2 s",
    ]
    assert not any("U+" in line for line in told[:at])


def test_characters_are_told_with_their_names() -> None:
    told = lines(finding(Encode("a\u00e9a", "b"), DOCUMENT))
    assert told[0].endswith("(4 characters of 2,000)")
    assert [line.split() for line in told if "U+" in line and "SMALL" in line] == [
        ['"a"', "U+0061", "LATIN", "SMALL", "LETTER", "A"],
        ['"\u00e9"', "U+00E9", "LATIN", "SMALL", "LETTER", "E", "WITH", "ACUTE"],
        ['"b"', "U+0062", "LATIN", "SMALL", "LETTER", "B"],
    ]
    assert not any(line.startswith("  id ") for line in told)
    many = "".join(chr(0x100 + number) for number in range(MOST_CHARACTERS + 2))
    assert "  and 2 more" in lines(finding(Normalize(many)))
    assert not any("more" in line for line in lines(finding(Normalize(many[:MOST_CHARACTERS]))))
    assert [line for line in lines(finding(Normalize(""))) if "U+" in line and "character" not in line] == []


def test_a_file_that_stays_whole_is_told() -> None:
    stays = "tokenizer.json: stays whole, for "
    assert lines(finding(Normalize("a")))[-2:] == [
        f"{stays}no smaller one was found in the time that shows the same",
        "made small in 1 check, 0.2 s",
    ]
    other = lines(finding(Normalize("a"), takes_documents=False))
    assert other[-2] == f"{stays}the implementation reads other files beside it"


def test_a_long_file_is_not_printed() -> None:
    empty = len(written({"": ""}))
    for length, is_printed in ((LONGEST_DOCUMENT, True), (LONGEST_DOCUMENT + 1, False)):
        document = {"": "a" * (length - empty)}
        assert len(written(document)) == length
        assert (f"  {json.dumps(document)}" in lines(finding(Normalize("a"), document))) is is_printed


def test_an_error_has_no_field() -> None:
    error = Difference(Verdict.ERROR, DifferenceKind.RAISED, None, SIDES[0], Failed("KeyError", "a"))
    assert "decode: raised an error" in lines(finding(Normalize("a"), difference=error))


PRINTED = "a \u00e9%'\\~\x7f"
RUN = ["tokconf", "run", "t.json", "-i", "base", "port", "--baseline", "base"]


@pytest.mark.parametrize(
    ("question", "commands"),
    [
        *(
            (question, ["printf 'a \\303\\251\\045\\047\\134~\\177' > witness.txt",
                        " ".join([*RUN, "--no-builtin", "--inputs", "witness.txt", "--split", "file"])])
            for question in (Normalize(PRINTED), PreTokenize(PRINTED), Encode(PRINTED))
        ),
        (Decode((7,)), [" ".join([*RUN, "--every-id", "--only", "'id 7'"])]),
        (Decode((7, 8)), []),
        (Encode("a", "b"), []),
        (Encode(("a",)), []),
        (DecodeStream((7,)), []),
    ],
)  # fmt: skip
def test_commands_show_it_again(question: Observation, commands: list[str]) -> None:
    assert command_lines(finding(question), "t.json", ("base", "port")) == commands


def test_a_record_has_all_of_it() -> None:
    small = finding(Encode("a\u00e9"), DOCUMENT, checks=7, seconds=0.12345, is_another=True)
    record = record_of(small, 30, ["one"])
    assert {key: record[key] for key in ("stage", "is_another", "size", "bytes", "checks", "seconds", "commands")} == {
        "stage": "decode",
        "is_another": True,
        "size": {"before": 30, "after": 2},
        "bytes": {"before": 12345, "after": len(json.dumps(DOCUMENT)) + 1},
        "checks": 7,
        "seconds": 0.123,
        "commands": ["one"],
    }
    assert record["characters"] == [
        {"code_point": "U+0061", "name": "LATIN SMALL LETTER A"},
        {"code_point": "U+00E9", "name": "LATIN SMALL LETTER E WITH ACUTE"},
    ]
    assert record["document"] == DOCUMENT
    whole = record_of(finding(Decode((1,))), 1, [])
    assert (whole["document"], whole["bytes"]["after"], whole["characters"]) == (None, None, [])
    long = record_of(finding(Normalize("a" * (MOST_CHARACTERS + 1))), 1, [])
    assert len(long["characters"]) == MOST_CHARACTERS
    assert record_of(replace(small, is_another=False), 30, [])["is_another"] is False
