"""The page of the lint counts what its record counts, and tells nothing that the record and the checkpoints lack."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lint_report as tool
import pytest

Record = list[dict[str, Any]]
Write = Callable[[Record], int]

# The checkpoints of the page, made small -----------------------------------------------------------------------------

PIECES = [("<unk>", 0.0), ("▁2010,", -3.0), ("▁7,", -4.0), ("▁2010", -5.0), (",", -6.0)]
"""The pieces of a SentencePiece model and their scores; the first is the unknown one."""

LOWERED = [["<unk>", 0.0], ["▁2010,", -103.0], ["▁7,", -104.0], ["▁2010", -5.0], [",", -6.0], ["<extra>", 0.0]]
"""The same in a tokenizer.json: two pieces have a score that is lower by 100."""


def mask(*, normalized: bool) -> dict[str, Any]:
    return {"content": "<mask>", "normalized": normalized}


DOCUMENTS: dict[str, dict[str, Any]] = {
    "albert-base-v1": {"model": {"vocab": LOWERED}},
    "xlnet-base-cased": {"model": {"vocab": [*LOWERED[:2], ["▁7,", -4.0], *LOWERED[3:]]}},
    "bert-base-uncased": {"model": {"vocab": {str(id): id for id in range(2000)}}},
    "bert-base-cased": {"model": {"vocab": {str(id): id for id in range(400)}}},
    "camembert-base": {
        "model": {"vocab": []},
        "added_tokens": [{"content": "<s>", "normalized": False}, mask(normalized=True)],
    },
    "google-fnet-base": {"model": {"vocab": [], "merges": ["a b"] * 1250}},
    "gpt2": {"model": {"vocab": {}}},
}

FINDINGS: list[tuple[str, str, int]] = [
    ("albert-base-v1", "unreachable-by-scores", 147),
    ("albert-base-v1", "entries-not-found", 12),
    ("xlnet-base-cased", "unreachable-by-scores", 83),
    ("bert-base-uncased", "unreachable-by-normalizer", 244),
    ("bert-base-uncased", "normalizer-unfit", 5),
    ("bert-base-uncased", "unreachable-by-pre-tokenizer", 93),
    ("bert-base-uncased", "reserved-entries", 994),
    ("bert-base-cased", "unreachable-by-normalizer", 11),
    ("bert-base-cased", "unreachable-by-pre-tokenizer", 8),
    ("bert-base-cased", "reserved-entries", 10),
    ("bert-base-cased", "unreachable-by-word-length", 3),
    ("camembert-base", "added-token-matches-more", 1),
    ("camembert-base", "empty-entry", 2),
    ("camembert-base", "unreachable-bytes", 4),
    ("google-fnet-base", "redundant-merges", 1000),
    ("google-fnet-base", "dead-merges", 50),
]
"""What was found: the checkpoint, the kind and the number of places."""

ROWS = [
    ("albert-base-v1", "6", "", "", "", "147", "", "", "", "147", "12"),
    ("xlnet-base-cased", "6", "", "", "", "83", "", "", "", "83", ""),
    ("bert-base-uncased", "2,000", "249", "93", "", "", "", "", "994", "1,336", ""),
    ("bert-base-cased", "400", "11", "8", "", "", "3", "", "10", "32", ""),
    ("camembert-base", "0", "", "", "", "", "", "6", "", "6", ""),
    ("google-fnet-base", "0", "", "", "", "", "", "", "", "0", ""),
    ("gpt2", "0", "", "", "", "", "", "", "", "0", ""),
]
"""The table of the page, by hand: entries, six reasons and reserved ones, all of these, and what is not decided."""

SENTENCES = [
    "as tokenizers 0.0 reads them, for 3 kinds of\ndefects: 1 errors, 2 warnings, 2,667 notes.",
    "can never apply: google-fnet-base 1,000 (`redundant-merges`); google-fnet-base 50 (`dead-merges`).",
    "147 pieces of ALBERT and 83 of XLNet are beaten",
    "Of these, 2 and 1 end in a digit and a comma",
    "exactly 100 lower than",
    "Witness: `witness of added-token-matches-more`. Filters",
    "1,331 of 2,000 rows of `bert-base-uncased` (66.5 %: 244 by the normalizer, 93 by the pre-tokenizer, 994 reserved)",
    "29 of 400 rows of `bert-base-cased` (7.2 %: 11 by the normalizer, 8 by the pre-tokenizer, 10 reserved)",
    "1,050 of 1,250 merges (84 %) never apply",
    "\n### gpt2\n\nNone.\n",
    "- note `reserved-entries` at `$.model.vocab, line 1,200`: 994 places (likely); for example `first`, `second`, ",
    "`second`, `third`; `one ␣two`. Witness: `witness of reserved-entries`\n",
    "- note `dead-merges` at `$.model.vocab`: 50 places. Witness: `witness of dead-merges`\n",
]


def protobuf(number: int, value: bytes | float) -> bytes:
    """Return a field of a protocol buffer: up to 127 bytes with their length, a float in four bytes, or a small int."""
    if isinstance(value, float):
        return bytes([number << 3 | 5]) + struct.pack("<f", value)
    return bytes([number << 3, value]) if isinstance(value, int) else bytes([number << 3 | 2, len(value)]) + value


def sentencepiece_model() -> bytes:
    return b"".join(
        protobuf(1, protobuf(1, piece.encode()) + protobuf(2, score) + (protobuf(3, 2) if piece == "<unk>" else b""))
        for piece, score in PIECES
    ) + protobuf(2, protobuf(3, 1))


def finding(name: str, kind: str, count: int) -> dict[str, Any]:
    """Return the line of a finding; that of reserved entries has all that a finding can have."""
    rich = kind == "reserved-entries"
    return {
        "type": "finding",
        "tokenizer": name,
        "defect": kind,
        "severity": "note",
        "path": "$.model.vocab",
        "line": 1200 if rich else 1,
        "message": f"{count} places",
        "certainty": "likely" if rich else "proven",
        "witness": {"result": f"witness of {kind}"},
        "count": count,
        "examples": [{"message": word} for word in ("first", "second", "third", "fourth")] if rich else [],
        "details": ["one  two"] if rich else [],
    }


@pytest.fixture
def record(here: Path) -> Record:
    """Return a record of the checkpoints, which lie in the current folder."""
    files = []
    for name, document in DOCUMENTS.items():
        (here / name).mkdir()
        (here / name / "tokenizer.json").write_text(json.dumps(document))
        if isinstance(document["model"]["vocab"], list) and document["model"]["vocab"]:
            (here / name / "spiece.model").write_bytes(sentencepiece_model())
        files.append({"type": "file", "tokenizer": name, "file": f"{name}/tokenizer.json"})
    counts = {"error": 1, "warning": 2, "note": sum(count for *_, count in FINDINGS)}
    return [
        {"type": "header", "baseline": {"name": "tokenizers", "version": "0.0"}, "defects": [{}] * 3},
        *files,
        *(finding(*each) for each in FINDINGS),
        {"type": "footer", "finished": True, "audited": len(files), "counts": counts},
    ]


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what has the tool write the page of a record, and returns its exit status."""

    def status(record: Record) -> int:
        Path("r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in record))
        monkeypatch.setattr(sys, "argv", ["lint_report.py", "r.jsonl"])
        return int(tool.main())

    return status


def written(write: Write, record: Record) -> str:
    """Return the page that is made of ``record``."""
    assert write(record) == 0
    return Path("reports/lint.md").read_text(encoding="utf-8")


def rows_of(page: str) -> list[tuple[str, ...]]:
    lines = [line for line in page.splitlines() if line.startswith("| `")]
    return [tuple(cell.strip().strip("`") for cell in line.strip("|").split("|")) for line in lines]


# The page ------------------------------------------------------------------------------------------------------------


def test_the_page_has_every_count_of_the_record(write: Write, record: Record) -> None:
    page = written(write, record)
    assert rows_of(page) == ROWS
    assert [sentence for sentence in SENTENCES if sentence not in page] == []
    assert page.count("\n- note `") == len(FINDINGS)
    assert "fourth" not in page


@pytest.mark.parametrize("number", range(len(FINDINGS)))
def test_a_count_that_is_another_stands_on_the_page(write: Write, record: Record, number: int) -> None:
    name, kind, count = FINDINGS[number]
    changed = [line | {"count": count + 1} if line == finding(name, kind, count) else line for line in record]
    page = written(write, changed)
    if kind == "added-token-matches-more":  # no number of it is told
        assert rows_of(page) == ROWS
    elif kind.endswith("-merges"):
        assert f"{name} {count + 1:,} (`{kind}`)" in page
        assert "1,051 of 1,250 merges" in page
    else:
        ((before, after),) = [each for each in zip(ROWS, rows_of(page), strict=True) if each[0] != each[1]]
        changes = [
            number_of(new) - number_of(old) for old, new in zip(before[1:], after[1:], strict=True) if old != new
        ]
        assert after[0] == name
        assert changes == ([1] if kind == "entries-not-found" else [1, 1])  # by its reason, and in all


def number_of(cell: str) -> int:
    return int(cell.replace(",", "") or 0)


def without(*kinds: tuple[str, str]) -> Callable[[Record], Record]:
    return lambda record: [line for line in record if (line.get("tokenizer"), line.get("defect")) not in kinds]


def unfinished(record: Record) -> Record:
    return [*record[:-1], record[-1] | {"finished": False}]


def cut(record: Record) -> Record:
    return record[:-1]


def other_pieces_are_lowered(record: Record) -> Record:
    vocab = [[piece, score - 100 * (piece == "▁2010")] for piece, score in LOWERED]
    Path("albert-base-v1/tokenizer.json").write_text(json.dumps({"model": {"vocab": vocab}}))
    return record


def no_piece_is_lowered(record: Record) -> Record:
    Path("xlnet-base-cased/tokenizer.json").write_text(json.dumps({"model": {"vocab": PIECES}}))
    return record


def two_tokens_are_normalized(record: Record) -> Record:
    document = {"model": {"vocab": []}, "added_tokens": [mask(normalized=True)] * 2}
    Path("camembert-base/tokenizer.json").write_text(json.dumps(document))
    return record


REFUSED: list[tuple[Callable[[Record], Record], str]] = [
    (unfinished, "not that of a finished command"),
    (cut, "not that of a finished command"),
    (without(("albert-base-v1", "unreachable-by-scores")), "no finding of unreachable-by-scores in albert-base-v1"),
    (without(("bert-base-cased", "reserved-entries")), "no finding of reserved-entries in bert-base-cased"),
    (without(("camembert-base", "added-token-matches-more")), "no finding of added-token-matches-more in camembert"),
    (
        without(("google-fnet-base", "redundant-merges"), ("google-fnet-base", "dead-merges")),
        "no finding of dead-merges, redundant-merges in google-fnet-base",
    ),
    (other_pieces_are_lowered, "other pieces are lowered than those that end in a digit and a comma"),
    (no_piece_is_lowered, "other pieces are lowered than those that end in a digit and a comma"),
    (two_tokens_are_normalized, "<mask> is not the one token that is normalized"),
]
"""What is done to a record or its checkpoints, and what is said of it."""


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_what_the_page_cannot_be_made_of_is_refused(
    write: Write,
    record: Record,
    change: Callable[[Record], Record],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert write(change(record)) == 2
    assert message in capsys.readouterr().err
    assert not Path("reports/lint.md").exists()
