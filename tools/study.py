"""Write the study of eight tokenizers, reports/study.md, from the records of the commands of ``make study``.

    python tools/study.py --books RECORD --declaration RECORD --why RECORD [--output FILE]

The first two are records of ``tokconf metrics``, the third is one of ``tokconf compare``. All numbers of the page, also
those inside its sentences, are taken from them. What the sentences say beside numbers (more, fewer, only, none) stands
in a table of claims: where the records do not bear one out, the tool names it and writes nothing. The commands draw
every plot they can; those in the folder ``study`` beside the page that it does not show are removed.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from declaration_texts import LANGUAGES
from tabulate import tabulate

from tokenizer_conformance.command_io.markdown import as_cell
from tokenizer_conformance.compression import unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

HERE = Path(__file__).resolve().parent
OUTPUT = Path("reports/study.md")

AUSTEN, BOTCHAN, WAGAHAI = "pride_and_prejudice.txt", "botchan.txt", "wagahai.txt"
TITLES = {AUSTEN: "Pride and Prejudice", BOTCHAN: "Botchan", WAGAHAI: "Wagahai"}
TOKENIZERS = (
    "gpt2",
    "roberta-base",
    "bert-base-cased",
    "bert-base-uncased",
    "xlnet-base-cased",
    "t5-small",
    "albert-base-v1",
    "camembert-base",
)
WITH_UNKNOWN = TOKENIZERS[2:]
BESIDE_BASE = ("normalized_sequence_length",)
"""Measures whose other tokenizer is the base of the command, one for all."""

PLOTS = "study"
"""The folder beside the page with the plots of the two commands, in a folder each."""

READABLE = 0.01
"""A tokenizer reads a language if at most this share of its characters is unknown."""


class MissingError(Exception):
    """A record has not what the page needs."""


Place = tuple[str, str, str, str]
"""A measurement's measure, tokenizer, other tokenizer or nothing, and group or nothing."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """What a record of ``tokconf metrics`` has measured, by its :data:`Place`, and how it was made."""

    command: str
    values: dict[Place, dict[str, Any]]
    groups: dict[str, dict[str, Any]]

    def at(self, measure: str, tokenizer: str, group: str = "", other: str = "") -> dict[str, Any]:
        """Return one measurement. Raises :class:`MissingError` where it is not in the record."""
        for first, second in ((tokenizer, other), (other, tokenizer)):  # of two tokenizers, it stands there once
            if (measure, first, second, group) in self.values:
                return self.values[measure, first, second, group]
        raise MissingError(f"no measurement of {measure} for {tokenizer} ({other}) in {group or 'all'}")

    def value(self, measure: str, tokenizer: str, group: str = "", other: str = "") -> float:
        """Return the value of one measurement. Raises :class:`MissingError` where there is none."""
        found = self.at(measure, tokenizer, group, other)
        if found["value"] is None:
            raise MissingError(f"{measure} for {tokenizer} in {group or 'all'} has no value: {found['missing']}")
        return float(found["value"])


@dataclass(frozen=True, slots=True)
class Differences:
    """What a record of ``tokconf compare`` says of each tokenizer beside the first, kind by kind."""

    command: str
    first: str
    pairs: dict[str, dict[str, Any]]

    def kind(self, tokenizer: str, kind: str) -> dict[str, Any]:
        """Return what ``tokenizer`` has of a ``kind`` of difference. Raises :class:`MissingError` where it has none."""
        for each in self.pairs[tokenizer]["kinds"]:
            if each["kind"] == kind:
                return dict(each)
        raise MissingError(f"{tokenizer} has no difference of the kind {kind!r}")

    def net(self, tokenizer: str, kind: str) -> int:
        """Return how many tokens more ``tokenizer`` needs for a ``kind`` of difference."""
        return int(self.kind(tokenizer, kind)["difference"])


@dataclass(frozen=True, slots=True)
class Study:
    """The three records of the study, and what is computed of them."""

    books: Measurements
    declaration: Measurements
    why: Differences
    names: dict[str, str] = field(default_factory=lambda: {each.code: each.name for each in LANGUAGES})

    def reads(self, tokenizer: str) -> list[str]:
        """Return the codes of the languages that ``tokenizer`` reads, in the order of their premiums."""
        found = [
            code
            for code in self.names
            if self.declaration.value("unknown_characters", tokenizer, code) <= READABLE and code != "eng"
        ]
        return sorted(found, key=lambda code: self.declaration.value("premium", tokenizer, code))

    def given_back(self) -> float:
        """Return the largest share of Japanese lines that a tokenizer with an unknown token gives back."""
        return max(self.books.value("lossless", name, WAGAHAI) for name in WITH_UNKNOWN)

    def furthest(self) -> float:
        """Return how far the lengths of the English books are from those of GPT-2, at most, CamemBERT left out."""
        return max(
            abs(self.books.value("normalized_sequence_length", tokenizer, book) - 1)
            for tokenizer in TOKENIZERS[:-1]
            for book in (AUSTEN, BOTCHAN)
        )

    def tokens(self, tokenizer: str) -> int:
        """Return how many tokens the English book of the comparison takes."""
        if tokenizer == self.why.first:
            return int(next(iter(self.why.pairs.values()))["first_tokens"])
        return int(self.why.pairs[tokenizer]["second_tokens"])


# The claims of the page ----------------------------------------------------------------------------------------------


def _all(values: Iterable[bool]) -> bool:
    return all(list(values))


CLAIMS: tuple[tuple[str, Callable[[Study], bool]], ...] = (
    (
        "GPT-2 and RoBERTa cut every text of the study alike",
        lambda study: (
            _all(
                record.value("boundary_f1", "gpt2", group, "roberta-base") == 1
                for record, group in ((study.books, ""), (study.declaration, ""))
            )
            and not any(each["gained"] or each["lost"] for each in study.why.pairs["roberta-base"]["kinds"])
        ),
    ),
    (
        "on English, seven tokenizers are near GPT-2, and CamemBERT is not",
        lambda study: (
            study.furthest() < 0.15 and study.books.value("normalized_sequence_length", "camembert-base", AUSTEN) > 1.3
        ),
    ),
    (
        "uncased BERT needs fewer tokens than GPT-2 for Austen, and more once characters split into bytes are left out",
        lambda study: (
            study.why.pairs["bert-base-uncased"]["difference"] < 0
            and study.why.pairs["bert-base-uncased"]["difference"]
            > study.why.net("bert-base-uncased", "split characters")
        ),
    ),
    (
        "of all tokenizers ALBERT alone has unknown tokens in Pride and Prejudice",
        lambda study: (
            [name for name in TOKENIZERS if study.books.value("unknown_tokens", name, AUSTEN) > 0] == ["albert-base-v1"]
        ),
    ),
    (
        "byte-level tokenizers alone give every text back, and have no unknown token",
        lambda study: _all(
            (study.books.value("lossless", name) == 1) == (name in TOKENIZERS[:2])
            and (study.books.value("unknown_characters", name) == 0) == (name in TOKENIZERS[:2])
            for name in TOKENIZERS
        ),
    ),
    (
        "four tokenizers know hardly a character of the Japanese book, and have the most bytes per token",
        lambda study: (
            _all(study.books.value("unknown_characters", name, WAGAHAI) > 0.98 for name in TOKENIZERS[4:])
            and min(study.books.value("bytes_per_token", name, WAGAHAI) for name in TOKENIZERS[4:])
            > 10 * max(study.books.value("bytes_per_token", name, WAGAHAI) for name in TOKENIZERS[:4])
        ),
    ),
    (
        "tokenizers with unknown tokens give hardly a line of the Japanese book back",
        lambda study: study.given_back() < 0.005,
    ),
    (
        "over languages any two agree less than on Austen, CamemBERT and GPT-2 with RoBERTa left out",
        lambda study: _all(
            study.declaration.value("boundary_f1", first, "", second)
            < study.books.value("boundary_f1", first, AUSTEN, second)
            for first, second in combinations(TOKENIZERS[1:-1], 2)
        ),
    ),
    (
        "more than ten bytes per token come with unknown characters, as on Thai with T5",
        lambda study: (
            _all(
                study.declaration.value("unknown_characters", name, code) > 0.5
                for name in TOKENIZERS
                for code in study.names
                if study.declaration.value("bytes_per_token", name, code) > 10
            )
            and study.declaration.value("bytes_per_token", "t5-small", "tha") > 10
        ),
    ),
    (
        "a premium below 1 comes with unknown characters, wherever it is met for another script than Latin",
        lambda study: _all(
            study.declaration.value("unknown_characters", name, code) > 0.5
            for name in WITH_UNKNOWN
            for code in ("amh", "kat", "heb", "tam", "tha", "kor", "jpn", "cmn")
            if study.declaration.value("premium", name, code) < 1
        ),
    ),
    (
        "no other tokenizer reads as many languages of the study as GPT-2, which reads all",
        lambda study: (
            len(study.reads("gpt2")) == len(study.names) - 1
            and _all(len(study.reads(name)) < len(study.names) - 1 for name in WITH_UNKNOWN)
        ),
    ),
    (
        "uncased BERT has a smaller Gini coefficient over languages than GPT-2, and reads fewer of them",
        lambda study: (
            study.declaration.value("gini", "bert-base-uncased") < study.declaration.value("gini", "gpt2")
            and len(study.reads("bert-base-uncased")) < len(study.reads("gpt2"))
        ),
    ),
)


# Reading -------------------------------------------------------------------------------------------------------------


def measurements(file: Path) -> Measurements:
    """Read a record of ``tokconf metrics``. Raises :class:`MissingError` if it is not a whole one."""
    lines = _lines(file)
    values: dict[Place, dict[str, Any]] = {}
    groups: dict[str, dict[str, Any]] = {}
    for line in lines:
        if line["type"] == "measurement":
            group = line["group"] if line["by"] else ""
            other = line["other"] if line["other"] in TOKENIZERS and line["measure"] not in BESIDE_BASE else ""
            values[line["measure"], line["row"], other, group] = line
        elif line["type"] == "group":
            groups[line["name"] if line["by"] else ""] = line
    return Measurements(_command(lines), values, groups)


def differences(file: Path) -> Differences:
    """Read a record of ``tokconf compare``. Raises :class:`MissingError` if it is not a whole one."""
    lines = _lines(file)
    pairs = {line["second"]: line for line in lines if line["type"] == "pair"}
    return Differences(_command(lines), lines[0]["tokenizers"][0]["name"], pairs)


def _lines(file: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in unpacked(file.read_bytes()).decode("utf-8").splitlines()]
    if not lines or not lines[-1].get("finished"):
        raise MissingError(f"{file}: it is not the record of a command that came to its end")
    return lines


def _command(lines: Sequence[dict[str, Any]]) -> str:
    return shlex.join(lines[0]["environment"]["command"])


# Writing -------------------------------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return tabulate([list(map(str, row)) for row in rows], heads, tablefmt="github", disable_numparse=True)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _with_interval(record: Measurements, measure: str, tokenizer: str, group: str, form: str) -> str:
    found = record.at(measure, tokenizer, group)
    value = record.value(measure, tokenizer, group)
    if found["low"] is None:
        return format(value, form)
    return f"{value:{form}} ({found['low']:{form}}–{found['high']:{form}})"


def measured(record: Measurements, columns: Sequence[Sequence[str]], group: str = "") -> str:
    """Return a table, a row each tokenizer, of ``columns``: the measure, its title, and the format of its values.

    What is measured of a vocabulary depends on no texts, and is the same in all groups.
    """
    of_texts = {measure for measure, *_, place in record.values if place}
    rows = [
        [
            as_cell(name),
            *(
                _with_interval(record, measure, name, group if measure in of_texts else "", form)
                for measure, _, form in columns
            ),
        ]
        for name in TOKENIZERS
    ]
    return _table(["tokenizer", *(title for _, title, _ in columns)], rows)


def matrix(record: Measurements, measure: str, group: str = "", *, form: str = ".2f") -> str:
    """Return a table of a measure of two tokenizers, each beside each."""
    rows = [
        [
            as_cell(name),
            *("" if name == other else format(record.value(measure, name, group, other), form) for other in TOKENIZERS),
        ]
        for name in TOKENIZERS
    ]
    return _table(["", *map(as_cell, TOKENIZERS)], rows)


def kinds(study: Study, tokenizers: Sequence[str]) -> str:
    """Return a table of the tokens that each tokenizer needs more than the first, a row each kind of difference."""
    net: dict[str, dict[str, int]] = defaultdict(dict)
    for name in tokenizers:
        for each in study.why.pairs[name]["kinds"]:
            net[each["kind"]][name] = each["difference"]
    ordered = sorted(net, key=lambda kind: -max(map(abs, net[kind].values())))
    rows: list[list[object]] = [
        [kind, *(f"{net[kind][name]:+,}" if name in net[kind] else "" for name in tokenizers)] for kind in ordered
    ]
    rows.append(["**all**", *(f"**{study.why.pairs[name]['difference']:+,}**" for name in tokenizers)])
    return _table(["kind of difference", *map(as_cell, tokenizers)], rows)


def examples(study: Study, tokenizer: str, kind: str, most: int = 3) -> str:
    """Return the most frequent examples of a kind of difference, in one line."""
    return ", ".join(
        f"{as_cell(each['characters'])} ({each['count']:,} times)"
        for each in study.why.kind(tokenizer, kind)["examples"][:most]
    )


def premiums(study: Study) -> str:
    """Return a table of premiums, a row each language; in parentheses where the tokenizer does not read it."""

    def cell(name: str, language: str) -> str:
        premium = study.declaration.value("premium", name, language)
        unknown = study.declaration.value("unknown_characters", name, language)
        return f"{premium:.2f}" if unknown <= READABLE else f"({premium:.2f}; {100 * unknown:.0f} % unknown)"

    ordered = sorted(study.names, key=lambda language: study.declaration.value("premium", "gpt2", language))
    shown = [name for name in TOKENIZERS if name != "roberta-base"]
    rows = [[study.names[each], *(cell(name, each) for name in shown)] for each in ordered if each != "eng"]
    return _table(["language", *map(as_cell, shown)], rows)


def page(study: Study) -> str:
    """Return the page."""
    loader = jinja2.FileSystemLoader(HERE / "study")
    environment = jinja2.Environment(
        loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters |= {"percent": _percent, "code": as_cell}
    given = {each.__name__: each for each in (measured, matrix, kinds, examples, premiums)}
    names = {
        "AUSTEN": AUSTEN,
        "BOTCHAN": BOTCHAN,
        "WAGAHAI": WAGAHAI,
        "TOKENIZERS": TOKENIZERS,
        "WITH_UNKNOWN": WITH_UNKNOWN,
    }
    return environment.get_template("study.md.jinja").render(
        study=study, books=study.books, declaration=study.declaration, why=study.why, **given, **names
    )


def plots_in(page: str, folder: Path) -> set[Path]:
    """Return the plots that ``page`` shows, which stands in ``folder``. Raises :class:`MissingError` for another."""
    shown = {folder / name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page)}
    missing = sorted(str(file) for file in shown if not file.is_file())
    if missing:
        raise MissingError(f"the page shows plots that are not there: {', '.join(missing)}")
    return shown


def main() -> int:
    """Write the page; return 1 where a claim does not hold, 2 where a record cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("books", "declaration", "why"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    given = parser.parse_args()
    try:
        study = Study(measurements(given.books), measurements(given.declaration), differences(given.why))
        broken = [claim for claim, holds in CLAIMS if not holds(study)]
        text = "" if broken else page(study)
        shown = plots_in(text, given.output.parent)
    except (OSError, ValueError, KeyError, MissingError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    for claim in broken:
        print(f"does not hold any more: {claim}", file=sys.stderr)
    if broken:
        return 1
    given.output.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
    for file in set((given.output.parent / PLOTS).glob("*/*.svg")) - shown:
        file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
