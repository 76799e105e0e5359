"""Bytes and characters without an entry are found by what an implementation makes of them."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Encode, Encoded, Failed, TokenizerSource
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import Asked
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.file_audit.audited import AuditedFile, JsonText
from tokenizer_conformance.research.file_audit.vocabulary import coverage
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import CHARACTER_OF_BYTE
from tokenizer_conformance.research.file_audit.vocabulary.coverage import USED_BYTES, find_uncovered

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.research.file_audit.finding import FoundDefect

Answer = Encoded | Failed
UNKNOWN = 0


class Subject(fakes.ToySubject):
    def __init__(self, answer: Callable[[str], Answer]) -> None:
        self.answer = answer

    def observe(self, observation: Observation) -> Outcome:
        assert isinstance(observation, Encode)
        assert not observation.add_special_tokens
        return self.answer(str(observation.text))


def found(answer: Callable[[str], Answer], documents: Documents, document: dict[str, Any]) -> list[FoundDefect]:
    tokenizer = TokenizerFile(TokenizerSource("planted", "tokenizer.json"), "")
    asked = Asked(fakes.Toy(), Subject(answer), ())
    text = JsonText(json.dumps(document))
    return list(find_uncovered(AuditedFile(tokenizer, text, document, asked, None, documents)))


def byte_level(without: bytes, **model: Any) -> dict[str, Any]:
    left = [CHARACTER_OF_BYTE[byte] for byte in USED_BYTES if byte not in without]
    vocabulary = {character: number for number, character in enumerate(left)}
    return {
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": [], **model},
    }


def spelled(text: str, without: bytes) -> Encoded:
    tokens = tuple(CHARACTER_OF_BYTE[byte] for byte in text.encode() if byte not in without)
    return Encoded(tuple(range(1, len(tokens) + 1)), tokens)


@pytest.mark.parametrize(
    ("without", "message", "result", "text"),
    [
        (b"x", "no entry for byte 0x78", "encodes to nothing", "x"),
        (b"xyz", "no entry for the bytes 0x78, 0x79, 0x7A", "encodes to nothing", "x"),
        (b"abcdefgh", f"no entry for the bytes {', '.join(f'0x{byte:02X}' for byte in b'abcdefgh')}", None, "a"),
        (
            b"abcdefghi",
            f"no entry for the bytes {', '.join(f'0x{byte:02X}' for byte in b'abcdefgh')} and 1 more",
            None,
            "a",
        ),
        (
            b"abcdefghijklmnopqrst",
            f"no entry for the bytes {', '.join(f'0x{byte:02X}' for byte in b'abcdefgh')} and 12 more",
            None,
            "a",
        ),
        (b"\xc3", "no entry for byte 0xC3", 'encodes to "Ģ"', "À"),
    ],
)
def test_bytes_that_are_lost_are_found(
    without: bytes, message: str, result: str | None, text: str, documents: Documents
) -> None:
    (defect,) = found(lambda text: spelled(text, without), documents, byte_level(without))
    assert (defect.message, defect.count) == (message, len(without))
    assert defect.witness is not None
    assert defect.witness.text == text
    assert defect.witness.result == (result or "encodes to nothing")


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        (lambda text: spelled(text, b""), byte_level(b"x")),
        (lambda _text: Failed("no"), byte_level(b"x")),
        (lambda text: spelled(text * 2, b""), byte_level(b"x")),
        (lambda text: spelled(text, b"x"), byte_level(b"")),
        (lambda text: spelled(text, b"x"), {**byte_level(b"x"), "pre_tokenizer": None}),
        (lambda text: spelled(text, b"x"), byte_level(b"x", type="WordLevel")),
        (lambda text: spelled(text, b"x"), byte_level(bytes(range(256)))),
    ],
)
def test_what_is_not_lost_is_not_found(
    answer: Callable[[str], Answer], document: dict[str, Any], documents: Documents
) -> None:
    assert found(answer, documents, document) == []


def test_an_answer_without_tokens_has_lost_the_byte(documents: Documents) -> None:
    (defect,) = found(lambda _text: Encoded((5, 6)), documents, byte_level(b"x"))
    assert defect.witness is not None
    assert defect.witness.result == "encodes to 5 6"


WITH_UNKNOWN = {
    "model": {"type": "WordLevel", "vocab": {"<unk>": UNKNOWN, "a": 1}, "unk_token": "<unk>"},
}


@pytest.mark.parametrize("batch", [3, 4])
def test_characters_that_are_unknown_are_counted_by_script(
    batch: int, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [("Greek", "αβγ"), ("Latin", "abcd"), ("Thai", "กข"), ("Lao", "ກ")]
    characters = "".join(members for _, members in scripts)
    monkeypatch.setattr(coverage, "BATCH", batch)
    monkeypatch.setattr(coverage, "_assigned", lambda: tuple(characters))
    monkeypatch.setattr(coverage, "_by_name", lambda: [(script, frozenset(members)) for script, members in scripts])
    lost = {*coverage.PROBES[-1:], *"βγdกข"}
    (defect,) = found(lambda text: Encoded((9, UNKNOWN if text in lost else 1)), documents, WITH_UNKNOWN)
    assert defect.message == "5 of 10 characters of the Basic Multilingual Plane become the unknown token"
    assert defect.count == 5
    assert defect.details == (
        "no letter or mark is unknown of Lao",
        "some are unknown of Latin (1 of 4), Greek (2 of 3)",
        "all are unknown of Thai",
    )
    assert found(lambda text: Encoded((9, UNKNOWN if text == "β" else 1)), documents, WITH_UNKNOWN) == []
    assert found(lambda text: Encoded((UNKNOWN,) if text in coverage.PROBES else (1,)), documents, WITH_UNKNOWN) == []


def test_characters_are_asked_about_batch_by_batch_until_the_time_is_over(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "BATCH", 3)
    monkeypatch.setattr(coverage, "_assigned", lambda: tuple("abcdefg"))
    monkeypatch.setattr(coverage, "_by_name", lambda: ())
    seen: list[str] = []
    monkeypatch.setattr(Asked, "ask_ahead", lambda _, questions: seen.append("".join(each.text for each in questions)))
    monkeypatch.setattr(Asked, "forget", lambda _: seen.append("forgotten"))
    (defect,) = found(lambda _text: Encoded((UNKNOWN,)), documents, WITH_UNKNOWN)
    assert defect.count == 7
    assert seen == ["abc", "forgotten", "def", "forgotten", "g", "forgotten"]
    assert str(STATUS.line()).startswith("planted: asking for characters without an entry")
    monkeypatch.setattr(AuditedFile, "is_over", lambda _, what, *_more: what.endswith("from U+0064 on"))
    assert found(lambda _text: Encoded((UNKNOWN,)), documents, WITH_UNKNOWN) == []


def test_scripts_are_told_by_their_share_and_then_by_name() -> None:
    rows = [("F", 9, 6), ("D", 3, 1), ("C", 9, 3), ("Z", 4, 1), ("E", int("1000"), 1000), ("A", 4, 0)]
    assert list(coverage._lines(rows)) == [
        "no letter or mark is unknown of A",
        "some are unknown of Z (1 of 4), C (3 of 9), D (1 of 3), F (6 of 9)",
        "all are unknown of E",
    ]
    assert list(coverage._lines(rows[:1])) == ["some are unknown of F (6 of 9)"]


def test_characters_are_the_assigned_ones_and_those_of_a_script_its_letters_and_marks() -> None:
    wanted = [each for each in map(chr, range(0x10000)) if unicodedata.category(each) not in ("Cn", "Co", "Cs")]
    assert list(coverage._assigned()) == wanted
    scripts = dict(coverage._by_name())
    assert tuple(scripts) == coverage.SCRIPTS
    assert {"α", "Ω", "\u1fd3"} < scripts["Greek"]
    assert "΄" not in scripts["Greek"]  # a sign
    assert {"ก", "\u0e31"} < scripts["Thai"]
    assert "฿" not in scripts["Thai"]
    assert "中" in scripts["CJK"]
    assert not scripts["Greek"] & scripts["Latin"]
