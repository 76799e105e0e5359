"""The study says what its records say, and nothing where a sentence of it does not hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import study as tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

PAIRED = ("boundary_f1", "same_words", "vocabulary_overlap")
OF_VOCABULARIES = ("vocabulary_size", "vocabulary_overlap")
MEASURES = (
    *(
        "words",
        "tokens",
        "fertility",
        "bytes_per_token",
        "characters_per_token",
        "normalized_sequence_length",
        "kept_words",
    ),
    *("unknown_tokens", "unknown_characters", "lossless", "lossless_white_space", "lossless_case", "vocabulary_size"),
    *("vocabulary_use", "shannon_efficiency", "renyi_efficiency", "premium", "premium_spread", "gini", *PAIRED),
)
BYTE_LEVEL = ("gpt2", "roberta-base")
AUSTEN = "pride_and_prejudice.txt"
KNOWN_TO_ALL = ("eng", "fra", "deu", "spa")
Overrides = "Mapping[tuple[str, str, str], float]"


def value(measure: str, tokenizer: str, group: str) -> float:
    """Return a value as of tokenizers that bear every claim out; each is another, so that none is taken for another."""
    is_byte_level = tokenizer in BYTE_LEVEL
    is_read = is_byte_level or group in KNOWN_TO_ALL
    match measure:
        case "normalized_sequence_length":
            return 1.4 if tokenizer == "camembert-base" else 1.05
        case "unknown_tokens":
            return 0.25 if (tokenizer, group) == ("albert-base-v1", "pride_and_prejudice.txt") else 0.0
        case "unknown_characters":
            return 0.0 if is_read else 0.995
        case "lossless":
            return float(is_byte_level)
        case "bytes_per_token":
            few_characters = ("xlnet-base-cased", "t5-small", "albert-base-v1", "camembert-base")
            return 100.0 if tokenizer in few_characters and not is_read else 2.0
        case "gini":
            return 0.2 if tokenizer == "bert-base-uncased" else 0.4
        case "boundary_f1":
            return 1.0 if tokenizer == "gpt2" else 0.75 if group == AUSTEN else 0.5
    return 2.5


def measurements(groups: list[str], other: Overrides) -> Iterator[dict[str, Any]]:
    names = list(tool.TOKENIZERS)
    for measure in MEASURES:
        for group in ["", *([] if measure in OF_VOCABULARIES else groups)]:
            for place, name in enumerate(names):
                seconds = names[place + 1 :] if measure in PAIRED else [None]
                for second in seconds:
                    found = other.get((measure, name, group), value(measure, name, group))
                    yield {
                        "type": "measurement",
                        "measure": measure,
                        "row": name,
                        "other": second,
                        "by": "file" if group else "",
                        "group": group or "all texts",
                        "value": found,
                        "low": None,
                        "high": None,
                        "missing": None,
                    }


def pair(name: str, nets: Mapping[str, int]) -> dict[str, Any]:
    kinds = [
        {
            "kind": kind,
            "gained": max(net, 0),
            "lost": max(-net, 0),
            "difference": net,
            "examples": [{"characters": f"a|{kind}`", "count": 1234}],
        }
        for kind, net in nets.items()
    ]
    totals = {"first_tokens": 1000, "second_tokens": 1000 + sum(nets.values()), "difference": sum(nets.values())}
    return {"type": "pair", "first": "gpt2", "second": name, "kinds": kinds, **totals}


NETS = {
    **{
        key: {"split characters": -77, "rare words": 15}
        for key in ["bert-base-cased", "bert-base-uncased", "xlnet-base-cased", "t5-small", "camembert-base"]
    },
    "albert-base-v1": {"unknown": -31, "rare words": 15},
    "roberta-base": {},
}


def record(file: Path, lines: list[dict[str, Any]], *, finished: bool = True) -> Path:
    header = {
        "type": "header",
        "environment": {"command": ["tokconf", file.stem, "a b"]},
        "tokenizers": [{"name": "gpt2"}],
    }
    footer = {"type": "footer", "finished": finished}
    file.write_text("".join(json.dumps(line) + "\n" for line in [header, *lines, footer]))
    return file


SHOWN = (
    *("books/compression.svg", "books/agreement.svg", "books/rank-frequency.svg", "books/token-lengths.svg"),
    *(
        "declaration/agreement.svg",
        "declaration/premium-by-language.svg",
        "declaration/bytes_per_token-by-language.svg",
    ),
)
"""The plots of the page."""

Write = "Callable[..., int]"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return what writes the page into ``page.md``, of records in which some values are others, and its status."""

    for name in SHOWN:
        plot = tmp_path / "study" / name
        plot.parent.mkdir(parents=True, exist_ok=True)
        plot.touch()

    def written(
        books: Overrides | None = None,
        declaration: Overrides | None = None,
        nets: Mapping[str, Mapping[str, int]] | None = None,
        *,
        finished: bool = True,
    ) -> int:
        groups = [tool.AUSTEN, tool.BOTCHAN, tool.WAGAHAI]
        sizes = {"texts": 90, "blank": 7, "characters": 1000, "bytes": 3000}
        files = [{"type": "group", "by": "file", "name": name, **sizes} for name in groups]
        languages = [{"type": "group", "by": "language", "name": "eng", "characters": 8247}]
        codes = [each.code for each in tool.LANGUAGES]
        records = {
            "books": record(tmp_path / "books", [*files, *measurements(groups, books or {})], finished=finished),
            "declaration": record(tmp_path / "articles", [*languages, *measurements(codes, declaration or {})]),
            "why": record(tmp_path / "why", [pair(name, each) for name, each in {**NETS, **(nets or {})}.items()]),
        }
        options = [word for name, file in records.items() for word in (f"--{name}", str(file))]
        monkeypatch.setattr("sys.argv", ["study.py", *options, "--output", str(tmp_path / "page.md")])
        return int(tool.main())

    return written


def test_the_page_has_the_numbers_and_the_commands_of_its_records(write: Callable[..., int], tmp_path: Path) -> None:
    assert write({("fertility", "t5-small", "pride_and_prejudice.txt"): 7.654321}) == 0
    page = (tmp_path / "page.md").read_text()
    assert "| `t5-small`          | 2        | 7.654 " in page
    assert "| *Wagahai wa neko de aru* | 90 | 7 | 2 | 1,000 | 3,000 |" in page
    assert "- `tokconf books 'a b'`" in page
    assert "8,247 characters of English" in page
    assert "(162,354 tokens)" not in page
    assert "(1,000 tokens)" in page


def test_a_number_inside_a_sentence_follows_its_record(write: Callable[..., int], tmp_path: Path) -> None:
    assert write(nets={"bert-base-uncased": {"split characters": -4321, "rare words": 1}}) == 0
    page = " ".join((tmp_path / "page.md").read_text().split())
    assert "Uncased BERT needs 4,320 tokens fewer than GPT-2 for Austen" in page
    assert "are 4,321 of these" in page


def test_premiums_of_languages_that_are_not_read_are_in_parentheses(write: Callable[..., int], tmp_path: Path) -> None:
    assert write() == 0
    row = next(line for line in (tmp_path / "page.md").read_text().splitlines() if line.startswith("| Tamil"))
    assert row.split("|")[2].strip() == "2.50"
    assert row.split("|")[3].strip() == "(2.50; 100 % unknown)"


def test_texts_of_examples_break_no_table_and_no_code(write: Callable[..., int], tmp_path: Path) -> None:
    assert write() == 0
    assert "`` a\\|rare words` `` (1,234 times)" in (tmp_path / "page.md").read_text()


def test_plots_that_the_page_does_not_show_are_removed(write: Callable[..., int], tmp_path: Path) -> None:
    plots = tmp_path / "study"
    (plots / "books" / "fertility-by-file.svg").touch()
    (plots / "notes.svg").touch()
    assert write() == 0
    assert {str(file.relative_to(plots)) for file in plots.rglob("*.svg")} == {*SHOWN, "notes.svg"}


@pytest.mark.long_but(5)
@pytest.mark.parametrize("name", SHOWN)
def test_a_plot_that_is_not_there_is_named_and_nothing_is_written(
    write: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "study" / name).unlink()
    assert write() == 2
    assert f"the page shows plots that are not there: {tmp_path / 'study' / name}" in capsys.readouterr().err
    assert not (tmp_path / "page.md").exists()


@pytest.mark.long_but(8)
@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ({"books": {("boundary_f1", "gpt2", ""): 0.999}}, "GPT-2 and RoBERTa cut every text of the study alike"),
        ({"nets": {"roberta-base": {"case": 1}}}, "GPT-2 and RoBERTa cut every text of the study alike"),
        ({"books": {("normalized_sequence_length", "t5-small", AUSTEN): 1.2}}, "on English, seven tokenizers are near"),
        ({"books": {("normalized_sequence_length", "camembert-base", AUSTEN): 1.2}}, "on English, seven tokenizers"),
        ({"nets": {"bert-base-uncased": {"split characters": -77, "case": 80}}}, "uncased BERT needs fewer tokens"),
        ({"nets": {"bert-base-uncased": {"split characters": -77, "case": -1}}}, "uncased BERT needs fewer tokens"),
        ({"books": {("unknown_tokens", "t5-small", AUSTEN): 0.01}}, "of all tokenizers ALBERT alone has unknown"),
        ({"books": {("lossless", "gpt2", ""): 0.99}}, "byte-level tokenizers alone give every text back"),
        (
            {"books": {("lossless", "t5-small", "wagahai.txt"): 0.014}},
            "tokenizers with unknown tokens give hardly a line of the Japanese book back",
        ),
        ({"books": {("unknown_characters", "t5-small", "wagahai.txt"): 0.5}}, "four tokenizers know hardly"),
        (
            {"declaration": {("boundary_f1", "t5-small", ""): 0.75}},
            "over languages any two agree less than on Austen",
        ),
        ({"declaration": {("bytes_per_token", "gpt2", "tam"): 11}}, "more than ten bytes per token come with unknown"),
        (
            {"declaration": {("bytes_per_token", "t5-small", "tha"): 9}},
            "more than ten bytes per token come with unknown",
        ),
        (
            {"declaration": {("premium", "t5-small", "tam"): 0.9, ("unknown_characters", "t5-small", "tam"): 0.1}},
            "a premium below 1 comes with unknown characters",
        ),
        ({"declaration": {("unknown_characters", "gpt2", "tam"): 0.1}}, "no other tokenizer reads as many languages"),
        ({"declaration": {("gini", "bert-base-uncased", ""): 0.9}}, "uncased BERT has a smaller Gini coefficient"),
    ],
)
def test_a_claim_that_does_not_hold_is_named_and_nothing_is_written(
    write: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, Any],
    claim: str,
) -> None:
    assert write(**change) == 1
    assert f"does not hold any more: {claim}" in capsys.readouterr().err
    assert not (tmp_path / "page.md").exists()


def test_a_record_that_did_not_come_to_its_end_is_refused(
    write: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert write(finished=False) == 2
    assert "books: it is not the record of a command that came to its end" in capsys.readouterr().err


def test_what_is_not_in_a_record_is_named(
    write: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "TOKENIZERS", (*tool.TOKENIZERS[:-1], "no-such"))
    monkeypatch.setattr(tool, "_all", lambda _values: True)
    assert write() == 2
    assert "Error: " in capsys.readouterr().err
