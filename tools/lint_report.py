"""Write what the lint of tokenizer files finds in real checkpoints, from its record: reports/lint.md.

    tokconf audit file CHECKPOINT… --json RECORD
    python tools/lint_report.py RECORD [--counted FILE]

Every number on the page is taken from the record, or counted in the checkpoints that it names; a finding that the page
tells about and the record does not have ends the command with status 2. What was counted is kept in FILE, as JSON
Lines, from which the page can be written again where the checkpoints are not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import sentencepiece
from tabulate import tabulate

from tokenizer_conformance.command_io.markdown import as_code, as_words

REPORT = Path("reports/lint.md")

Finding = dict[str, Any]

Counted = dict[str, dict[str, Any]]
"""What was counted in each checkpoint: a line of JSON each."""

UNREACHABLE = {
    "normalizer": ("unreachable-by-normalizer", "normalizer-unfit"),
    "pre-tokenizer": ("unreachable-by-pre-tokenizer", "pre-tokenizer-unfit"),
    "merge order": ("unreachable-by-merges",),
    "scores": ("unreachable-by-scores",),
    "longest match": ("unreachable-by-longest-match", "unreachable-by-word-length"),
    "other": ("unreachable-by-added-token", "unreachable-bytes", "empty-entry"),
    "reserved": ("reserved-entries",),
}
"""The columns of proven unreachable entries, by the kinds of findings."""

SEARCHED = "entries-not-found"
MERGES = ("dead-merges", "redundant-merges")

PENALIZED = ("albert-base-v1", "xlnet-base-cased")
"""The checkpoints of which scores of pieces are lowered."""

PENALTY = 100.0
"""By how much the scores of pieces are lowered that end in a digit and a comma."""

BEGINNING = """# What the lint finds in nine checkpoints

<!-- Written by tools/lint_report.py; do not edit. -->

`tokconf audit file` on the tokenizer.json of nine published checkpoints, as {baseline} reads them, for {kinds} kinds of
defects: {errors:,} errors, {warnings:,} warnings, {notes:,} notes.

## Entries that no text gives

Each is proven unreachable, by the reason in the column: there is no text of which any token is this entry. *Reserved*
are slots that are left free, which no text gives either. Special tokens, and bytes that no UTF-8 has, are not counted.
All other entries have a text that gives them, but for those that are *not decided*: a search found neither.

"""

MIDDLE = """
Merges of a BPE that can never apply: {merges}.

## Three findings that a maintainer would want to know

"""


def main() -> int:
    """Carry out the command, and return its exit status: 2 where the record does not have what the page tells."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, metavar="RECORD")
    parser.add_argument("--counted", type=Path, metavar="FILE", help="keep what was counted in the checkpoints")
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.record.read_text("utf-8").splitlines()]
    if lines[-1]["type"] != "footer" or not lines[-1]["finished"]:
        print("lint_report: the record is not that of a finished command", file=sys.stderr)
        return 2
    try:
        counted = count(lines)
        written = page(lines, counted)
    except LookupError as error:
        print(f"lint_report: {error.args[0]}", file=sys.stderr)
        return 2
    REPORT.write_text(written, encoding="utf-8")
    if given.counted is not None:
        kept = "".join(json.dumps({"checkpoint": name, **counts}) + "\n" for name, counts in counted.items())
        given.counted.write_text(kept, encoding="utf-8")
    print(f"{REPORT}: {lines[-1]['audited']} files")
    return 0


def count(lines: list[dict[str, Any]]) -> Counted:
    """Count in the checkpoints of a record what the page says of them. Raises ``LookupError`` as :func:`lowered`."""
    files = {line["tokenizer"]: Path(line["file"]) for line in lines if line["type"] == "file"}
    counted = {}
    for name, file in files.items():
        read = document(file)
        counted[name] = {
            "entries": len(read["model"]["vocab"]),
            "merges": len(read["model"].get("merges", ())),
            "normalized": [token["content"] for token in read.get("added_tokens", ()) if token["normalized"]],
            "lowered": lowered(file) if name in PENALIZED else 0,
        }
    return counted


def page(lines: list[dict[str, Any]], counted: Counted) -> str:
    """Return the page. Raises ``LookupError`` where a finding that it tells about is not there."""
    header, footer = lines[0], lines[-1]
    findings: dict[str, list[Finding]] = defaultdict(list)
    for line in lines:
        if line["type"] == "finding":
            findings[line["tokenizer"]].append(line)
    beginning = BEGINNING.format(
        baseline=f"{header['baseline']['name']} {header['baseline']['version']}",
        kinds=len(header["defects"]),
        errors=footer["counts"]["error"],
        warnings=footer["counts"]["warning"],
        notes=footer["counts"]["note"],
    )
    merges = "; ".join(
        f"{name} {each['count']:,} ({as_code(each['defect'])})"
        for name in counted
        for each in findings[name]
        if each["defect"] in MERGES
    )
    return "".join(
        [
            beginning,
            table(counted, findings),
            "\n",
            MIDDLE.format(merges=merges or "none"),
            *(f"{number}. {text}\n" for number, text in enumerate(told(counted, findings), 1)),
            "\n## All findings\n",
            *(section(name, findings[name]) for name in counted),
        ]
    )


def table(counted: Counted, findings: dict[str, list[Finding]]) -> str:
    """Return the table of entries that no text gives."""
    rows = []
    for name, checkpoint in counted.items():
        counts: dict[str, int] = defaultdict(int)
        for each in findings[name]:
            counts[each["defect"]] += each["count"]
        cells = [sum(counts[id] for id in ids) for ids in UNREACHABLE.values()]
        rows.append(
            [as_code(name), checkpoint["entries"], *(cell or "" for cell in cells), sum(cells), counts[SEARCHED] or ""]
        )
    headers = ["checkpoint", "entries", *UNREACHABLE, "proven in all", "not decided"]
    return tabulate(rows, headers, tablefmt="github", intfmt=",") + "\n"


def document(file: Path) -> dict[str, Any]:
    """Return the tokenizer.json."""
    read: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return read


# Three findings ------------------------------------------------------------------------------------------------------


def told(counted: Counted, findings: dict[str, list[Finding]]) -> list[str]:
    """Return the three findings in words."""
    return [of_numbers(counted, findings), of_mask(counted, findings), of_word_pieces(counted, findings)]


def count_of(findings: dict[str, list[Finding]], name: str, *ids: str) -> int:
    """Return how many places of these kinds there are. Raises ``LookupError`` where there are none."""
    found: int = sum(each["count"] for each in findings[name] if each["defect"] in ids)
    if not found:
        raise LookupError(f"no finding of {', '.join(ids)} in {name}")
    return found


def of_numbers(counted: Counted, findings: dict[str, list[Finding]]) -> str:
    """Tell about pieces whose scores are lowered."""
    albert, xlnet = (counted[name]["lowered"] for name in PENALIZED)
    proven = [count_of(findings, name, "unreachable-by-scores") for name in PENALIZED]
    return (
        f"**ALBERT and XLNet have rows that their own SentencePiece model uses and the tokenizer.json never gives.** "
        f"{proven[0]} pieces of ALBERT and {proven[1]} of XLNet are beaten by a cut of them in every text. Of these, "
        f"{albert:,} and {xlnet:,} end in a digit and a comma (`▁2010,`), and their score in the tokenizer.json is "
        f"exactly {PENALTY:g} lower than in the `spiece.model` beside it: numbers are to be cut before their comma. "
        "Whoever encodes with the SentencePiece model alone gets ids that this file never gives."
    )


def lowered(file: Path) -> int:
    """Return how many pieces have a score that is lower by the penalty than in the SentencePiece model beside it."""
    model = sentencepiece.SentencePieceProcessor(model_file=str(file.parent / "spiece.model"))
    rows = document(file)["model"]["vocab"][: model.get_piece_size()]
    pieces = [
        piece
        for number, (piece, score) in enumerate(rows)
        if model.id_to_piece(number) == piece and abs(model.get_score(number) - PENALTY - score) < 0.001
    ]
    if not pieces or not all(piece[-1] == "," and piece[-2].isdigit() for piece in pieces):
        raise LookupError(f"{file}: other pieces are lowered than those that end in a digit and a comma")
    return len(pieces)


def of_mask(counted: Counted, findings: dict[str, list[Finding]]) -> str:
    """Tell about the text that is taken for a special token."""
    if counted["camembert-base"]["normalized"] != ["<mask>"]:
        raise LookupError("camembert-base: <mask> is not the one token that is normalized")
    kinds = {each["defect"]: each for each in findings["camembert-base"]}
    if "added-token-matches-more" not in kinds:
        raise LookupError("no finding of added-token-matches-more in camembert-base")
    found = kinds["added-token-matches-more"]
    return (
        "**In CamemBERT a user's text becomes `<mask>` without having it.** `<mask>` alone of its special tokens has "
        "`normalized: true`: it is looked for in the normalized text, where full-width letters are plain ones. "
        f"Witness: {as_code(found['witness']['result'])}. Filters that look for `<mask>` in a text do not see it."
    )


def of_word_pieces(counted: Counted, findings: dict[str, list[Finding]]) -> str:
    """Tell about the rows of BERT that nothing gives."""
    ids = ("unreachable-by-normalizer", "unreachable-by-pre-tokenizer", "reserved-entries")
    parts = []
    for name in ("bert-base-uncased", "bert-base-cased"):
        size = counted[name]["entries"]
        found = [count_of(findings, name, id) for id in ids]
        share = 100 * sum(found) / size
        parts.append(
            f"{sum(found):,} of {size:,} rows of {as_code(name)} ({share:.1f} %: {found[0]:,} by the normalizer, "
            f"{found[1]:,} by the pre-tokenizer, {found[2]:,} reserved)"
        )
    merges = counted["google-fnet-base"]["merges"]
    dead = count_of(findings, "google-fnet-base", *MERGES)
    return (
        f"**Rows and rules that are dead weight.** No text gives {' and '.join(parts)}: every `##` entry of a CJK "
        "character is dead, since BertNormalizer puts spaces around these, every one of a punctuation mark, since "
        'BertPreTokenizer cuts around it; and "[unused1]" in a text is cut at its brackets, so that the reserved slots '
        f"can be used by ids or as added tokens alone. In `google-fnet-base`, {dead:,} of {merges:,} merges "
        f"({100 * dead / merges:.0f} %) never apply: their results always come of another merge."
    )


# All findings --------------------------------------------------------------------------------------------------------


def section(name: str, findings: list[Finding]) -> str:
    """Return the findings of one checkpoint, an item each."""
    return f"\n### {name}\n\n" + ("".join(map(item, findings)) or "None.\n")


def item(finding: Finding) -> str:
    """Return one finding as an item of a list."""
    place = f"{finding['path']}" + ("" if finding["line"] in {None, 1} else f", line {finding['line']:,}")
    examples = finding["examples"][:3]
    shown = [example["message"] for example in examples]
    if len({*shown}) < len(shown):  # alike, at several places
        shown = [f"{example['path']}: {example['message']}" for example in examples]
    text = f"- {finding['severity']} `{finding['defect']}` at {as_code(place)}: {as_words(finding['message'])}"
    text += f" ({finding['certainty']})" if finding["certainty"] != "proven" else ""
    if shown:
        text += f"; for example {', '.join(map(as_code, shown))}"
    if finding["details"]:
        text += "; " + as_code("; ".join(finding["details"]).replace("  ", " ␣"))
    if finding["witness"] is not None:
        text += f". Witness: {as_code(finding['witness']['result'])}"
    return f"{text}\n"


if __name__ == "__main__":
    sys.exit(main())
