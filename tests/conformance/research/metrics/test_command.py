"""What ``tokconf metrics`` measures, of tokenizers whose tokens can be counted by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from metrics_records import Recorded

from tokenizer_conformance.research.metrics.measures.catalogue import MEASURES
from tokenizer_conformance.research.metrics.sheets import COUNTED

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Tokconf

BOTH = ("words.json", "characters.json")


def test_the_numbers_are_those_counted_by_hand(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run("metrics", *BOTH, "--inputs", "texts.txt", "--json", "r.jsonl")
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    # ab|ba, ab, <unk>|b: five tokens of five words; a|b|b|a, a|b, a|b|c|b: ten tokens.
    assert record.value("fertility", "words") == 5 / 5
    assert record.value("fertility", "characters") == 10 / 5
    assert record.value("bytes_per_token", "words") == 12 / 5
    assert record.value("characters_per_token", "characters") == 12 / 10
    assert record.value("unknown_tokens", "words") == 1 / 5
    assert "words: 30 % of the characters are unknown to it" in done.out  # abc, three of ten
    assert "characters: " not in done.out
    assert record.value("normalized_sequence_length", "characters", other="words") == 10 / 5
    assert record.value("kept_words", "words") == 4 / 5
    assert record.value("kept_words", "characters") == 1 / 5
    assert record.value("vocabulary_size", "words") == 4
    assert record.value("vocabulary_use", "characters") == 3 / 4
    # Only the word of one character is cut alike.
    assert record.value("same_words", "words", other="characters") == 1 / 5
    assert record.value("boundary_f1", "words", other="characters") == 0
    # "b" and "<unk>" are in both; "ab", "ba", "a" and "c" in one.
    assert record.value("vocabulary_overlap", "words", other="characters") == 2 / 6
    assert record.footer["finished"] is True
    assert (record.footer["texts"], record.footer["bytes"]) == (3, 12)


def test_every_measure_has_its_lines(tokconf: CommandLine, folder: Path) -> None:
    (folder / "gold.tsv").write_text("abab\tab ab\nba\tb a\n")
    (folder / "de.txt").write_text("ab\nba ab\nb\n")
    done = tokconf.run(
        *("metrics", *BOTH, "--inputs", "texts.txt", "de.txt", "--parallel", "--gold", "gold.tsv", "--json", "r.jsonl")
    )
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    ids = {measure.id for measure in MEASURES}
    assert {line["measure"] for line in record.of("measurement")} == ids
    assert {line["id"] for line in record.of("measure")} == ids
    # Four of the words' tokens in German, five in the other; 6 characters and 10.
    assert record.value("premium", "words", "de") == 4 / 5
    assert record.value("premium", "characters", "de") == 7 / 10
    assert record.value("premium_spread", "characters") == 10 / 7
    # abab: <unk> for words; a|b|a|b for characters, one of whose three places is one of a morpheme.
    assert record.value("morpheme_recall", "characters") == 1
    assert record.value("morpheme_precision", "characters") == (1 + 1) / (3 + 1)
    assert record.value("morpheme_recall", "words") == 0


def test_what_was_counted_is_told(tokconf: CommandLine, folder: Path) -> None:
    (folder / "gaps.txt").write_text("ab ba\n\nab\n  \nabc b\n")
    done = tokconf.run("metrics", *BOTH, "--inputs", "gaps.txt", "--measure", "lossless", "--json", "r.jsonl")
    assert done.status == 0, done.err
    told = " ".join(done.out.split())
    counted = "Counted: 5 texts (2 of them blank), 5 words (whitespace), 14 characters, 14 bytes."
    assert f"{counted} Tokens: words 5, characters 10." in told
    assert told.index("What was counted") < told.index("round trip")
    record = Recorded.at(folder / "r.jsonl")
    assert [record.value(name, "words") for name in COUNTED] == [3, 2, 5, 14, 14, 5]
    (group,) = record.of("group")
    assert (group["texts"], group["blank"]) == (5, 2)
    # "abc" is unknown; the two blank lines, which come back, do not count.
    assert record.value("lossless", "words") == 2 / 3


def test_a_text_that_is_blank_in_one_language_has_no_premium(tokconf: CommandLine, folder: Path) -> None:
    (folder / "de.txt").write_text("ab\n\nb\n")
    (folder / "fr.txt").write_text("ab\nb\nab\n")
    command = ("metrics", "words.json", "--inputs", "texts.txt", "de.txt", "fr.txt", "--parallel", "--json", "r.jsonl")
    done = tokconf.run(*command, "--base-language", "texts")
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    premiums = {line["group"]: line for line in record.of("measurement") if line["measure"] == "premium"}
    assert premiums["fr"]["value"] == 3 / 5
    assert premiums["de"]["value"] is None
    assert premiums["de"]["missing"] == "some texts are blank on one side only: take their lines out of all files"


JAPANESE = "吾輩は猫である。名前はまだ無い。\n"


@pytest.mark.parametrize(
    ("text", "words", "warned"),
    [
        (JAPANESE, "whitespace", "in all texts (88 %)"),
        (JAPANESE, "unicode", ""),
        ("이름은 고양이 입니다\n", "whitespace", ""),
        ("ab ba\n" * 30 + JAPANESE, "whitespace", ""),
    ],
)
def test_words_by_white_space_are_warned_of_where_there_are_none(
    tokconf: CommandLine, folder: Path, text: str, words: str, warned: str
) -> None:
    (folder / "x.txt").write_text(text)
    done = tokconf.run("metrics", "characters.json", "--inputs", "x.txt", "--words", words)
    assert done.status == 0, done.err
    told = " ".join(done.out.split())
    assert ("Words by white space are no words" in told) is bool(warned)
    assert warned in told


@pytest.mark.usefixtures("folder")
def test_who_does_not_know_the_characters_does_not_need_the_fewest_tokens(tokconf: CommandLine) -> None:
    done = tokconf.run("metrics", *BOTH, "--inputs", "texts.txt")
    told = " ".join(done.out.split())
    assert "words is not ranked by its tokens, since characters are unknown to it: 30 %." in told
    assert "characters alone reads the texts" in told
    assert "fewest tokens" not in told
    assert "conform;" not in told


@pytest.mark.usefixtures("folder")
def test_a_headline_names_who_failed(tokconf: CommandLine) -> None:
    command = ("metrics", "words.json", "-i", "tokenizers", "small_tokenizers:RaisingOnC", "--inputs", "texts.txt")
    done = tokconf.run(*command, "--no-round-trip")
    assert done.status == 3
    assert "words by raising did not cut 1 text; 2 tokenizers measured" in " ".join(done.out.split())


def test_groups_are_measured_apart(tokconf: CommandLine, folder: Path) -> None:
    rows = [("ab ab", "fr"), ("b", "de"), ("abc", "fr"), ("ба", "ru")]
    (folder / "t.jsonl").write_text("".join(json.dumps({"text": t, "lang": lang}) + "\n" for t, lang in rows))
    done = tokconf.run(
        *("metrics", "words.json", "--inputs", "t.jsonl", "texts.txt", "--column", "text", "--json", "r.jsonl"),
        *("--language-column", "lang", "--by", "language,script,file", "--language", "texts.txt=xx"),
    )
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    groups = {(line["by"], line["name"]): line["texts"] for line in record.of("group")}
    assert groups == {
        ("", "all texts"): 7,
        ("language", "fr"): 2,
        ("language", "de"): 1,
        ("language", "ru"): 1,
        ("language", "xx"): 3,
        ("script", "Latin"): 6,
        ("script", "Cyrillic"): 1,
        ("file", "t.jsonl"): 4,
        ("file", "texts.txt"): 3,
    }
    assert record.value("unknown_tokens", "words", "fr") == 1 / 3
    assert record.value("unknown_tokens", "words", "Cyrillic") == 1


def test_few_texts_of_a_group_are_told_once(tokconf: CommandLine, folder: Path) -> None:
    for name, lines in {"de.txt": 12, "fr.txt": 12, "xx.txt": 40, "ru.txt": 3}.items():
        (folder / name).write_text("ab ba\nb\n" * (lines // 2) + "ab\n" * (lines % 2))
    command = ("metrics", "words.json", "--inputs", "de.txt", "fr.txt", "xx.txt", "ru.txt", "--measure", "fertility")
    done = tokconf.run(*command, "--by", "language")
    assert done.status == 0, done.err
    told = " ".join(done.out.split())
    assert "language de, language fr: 12 texts: intervals are rough, and likely too short, with fewer than 30" in told
    assert "language ru: too few texts to be resampled" in told
    assert "language xx: " not in told
    assert "all texts: " not in told


def test_differences_to_the_base_are_of_the_same_texts(tokconf: CommandLine, folder: Path) -> None:
    (folder / "de.txt").write_text("ab ba ab\nb\nab b\nba\n")
    command = (
        "metrics",
        *BOTH,
        "--inputs",
        "texts.txt",
        "de.txt",
        "--by",
        "file",
        "--base",
        "words",
        "--json",
        "r.jsonl",
    )
    done = tokconf.run(*command)
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    found = {(line["measure"], line["group"]): line for line in record.of("difference")}
    assert {(line["row"], line["other"]) for line in found.values()} == {("characters", "words")}
    for measure, group in (("fertility", "texts.txt"), ("fertility", "all texts"), ("kept_words", "de.txt")):
        ours, theirs = (record.value(measure, row, group) for row in ("characters", "words"))
        assert ours is not None
        assert theirs is not None
        assert found[measure, group]["value"] == ours - theirs
    fertility = found["fertility", "all texts"]
    assert 0 < fertility["low"] <= fertility["value"] <= fertility["high"]
    assert "Differences to words, text by text" in done.out
    assert f"+{fertility['value']:.4g}" in done.out


def test_without_another_tokenizer_there_are_no_differences(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run("metrics", "words.json", "--inputs", "texts.txt", "--json", "r.jsonl")
    assert done.status == 0, done.err
    assert Recorded.at(folder / "r.jsonl").of("difference") == []
    assert "Differences" not in done.out


@pytest.mark.long
def test_any_number_of_processes_comes_to_the_same(tokconf: CommandLine, folder: Path) -> None:
    (folder / "long.txt").write_text("".join(f"ab ba {'b ' * (n % 7)}abc\n" for n in range(5_000)))
    records = []
    for jobs in ("1", "2"):
        done = tokconf.run(
            *("metrics", *BOTH, "--inputs", "long.txt", "--by", "file", "--jobs", jobs, "--json", f"{jobs}.jsonl")
        )
        assert done.status == 0, done.err
        records.append(Recorded.at(folder / f"{jobs}.jsonl").lasting())
    first, second = records
    assert len(first) > 50
    assert first == second


# Faulty implementations ----------------------------------------------------------------------------------------------


def test_without_offsets_what_needs_them_is_not_shown(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run(
        *("metrics", *BOTH, "-i", "small_tokenizers:WithoutOffsets", "--inputs", "texts.txt", "--json", "r.jsonl")
    )
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    assert record.value("fertility", "words") == 1
    for measure in ("kept_words", "word_fertility"):
        assert record.value(measure, "words") is None
    (told,) = (line["missing"] for line in record.of("measurement") if line["measure"] == "boundary_f1")
    assert told == "not shown: no text has offsets of both"
    assert "not shown: without-offsets gives no offsets" in done.out


def test_a_text_that_is_not_cut_is_counted_and_told(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run(
        *("metrics", "words.json", "-i", "tokenizers", "small_tokenizers:RaisingOnC", "--inputs", "texts.txt"),
        *("--json", "r.jsonl"),
    )
    assert done.status == 3
    assert "words by raising: 1 text (1 error; the first: texts.txt:3: ValueError: no c here) not cut" in done.out
    record = Recorded.at(folder / "r.jsonl")
    sound, faulty = record.of("row")
    assert sound["failures"] == {"kinds": {}, "examples": []}
    assert faulty["failures"]["kinds"] == {"error": 1}
    assert record.value("fertility", "words by tokenizers") == 1
    assert record.value("unknown_tokens", "words by raising") == 0
    assert record.value("boundary_f1", "words by tokenizers", other="words by raising") is None
    (missing,) = {
        line["missing"]
        for line in record.of("measurement")
        if line["measure"] == "normalized_sequence_length" and line["row"] == "words by raising"
    }
    assert missing == "some texts were cut on one side only"


def test_a_difference_to_what_is_not_shown_is_none(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run(
        *(
            "metrics",
            "words.json",
            "-i",
            "tokenizers",
            "small_tokenizers:WithoutOffsets",
            "small_tokenizers:RaisingOnC",
        ),
        *("--base", "words by without-offsets", "--inputs", "texts.txt", "--json", "r.jsonl"),
    )
    assert done.status == 3
    record = Recorded.at(folder / "r.jsonl")
    found = {(line["measure"], line["row"]): line for line in record.of("difference")}
    assert found["fertility", "words by tokenizers"]["value"] == 0
    kept = found["kept_words", "words by tokenizers"]
    assert (kept["value"], kept["missing"]) == (None, "not shown: without-offsets gives no offsets")
    uneven = found["fertility", "words by raising"]
    assert (uneven["value"], uneven["missing"]) == (None, "some texts were cut on one side only")


def test_a_gold_word_that_is_not_cut_is_counted_and_told(tokconf: CommandLine, folder: Path) -> None:
    (folder / "gold.tsv").write_text("abab\tab ab\nabc\tab c\nba\tb a\n")
    (folder / "plain.txt").write_text("ab ba\n")
    done = tokconf.run(
        *("metrics", "characters.json", "-i", "tokenizers", "small_tokenizers:RaisingOnC", "--inputs", "plain.txt"),
        *("--gold", "gold.tsv", "--json", "r.jsonl"),
    )
    assert done.status == 3
    told = "characters by raising: 1 word (1 error; the first: abc: ValueError: no c here) of --gold not cut"
    assert told in " ".join(done.out.split())
    sound, faulty = Recorded.at(folder / "r.jsonl").of("row")
    assert sound["gold_failures"] == {"kinds": {}, "examples": []}
    assert faulty["gold_failures"]["kinds"] == {"error": 1}
    assert faulty["failures"]["kinds"] == {}
    record = Recorded.at(folder / "r.jsonl")
    assert record.value("morpheme_precision", "characters by raising") == (1 + 1) / (3 + 1)
    assert record.value("morpheme_precision", "characters by tokenizers") == (1 + 1 + 1) / (3 + 2 + 1)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("TooManyOffsets", "WrongLength: 2 offsets for 1 ids"),
        ("OffsetsOutside", "MisplacedSpan: the offsets (0, 99) of token 0 are no place in the text"),
        ("Panicking", "the adapter raised"),
    ],
)
def test_answers_that_break_the_contract_are_failures(tokconf: CommandLine, folder: Path, name: str, told: str) -> None:
    done = tokconf.run(
        "metrics", "words.json", "-i", f"small_tokenizers:{name}", "--inputs", "texts.txt", "--json", "r.jsonl"
    )
    assert done.status == 3
    (row,) = Recorded.at(folder / "r.jsonl").of("row")
    assert told in row["failures"]["examples"][0]["message"]
    assert sum(row["failures"]["kinds"].values()) == 3
    assert "3 texts" in done.out


@pytest.mark.long
def test_a_process_that_is_lost_over_a_text_costs_that_text_alone(tokconf: CommandLine, folder: Path) -> None:
    (folder / "many.txt").write_text("ab\n" * 40 + "abc\n" + "ba\n" * 40)
    done = tokconf.run(
        *("metrics", "words.json", "-i", "small_tokenizers:KilledOnC", "--inputs", "many.txt", "--jobs", "2"),
        *("--json", "r.jsonl"),
    )
    assert done.status == 3, done.err
    record = Recorded.at(folder / "r.jsonl")
    (row,) = record.of("row")
    assert row["failures"]["kinds"] == {"crash": 1}
    assert row["failures"]["examples"][0]["id"] == "many.txt:41"
    assert record.value("tokens_per_text", "words") == 1
    assert record.footer["texts"] == 81


def test_a_tokenizer_that_does_not_load_costs_itself_alone(tokconf: CommandLine, folder: Path) -> None:
    (folder / "bad.json").write_text('{"model": {"type": "BPE", "vocab": {}, "merges": ["a b"]}}')
    done = tokconf.run("metrics", "bad.json", "words.json", "--inputs", "texts.txt", "--json", "r.jsonl")
    assert done.status == 3
    assert "bad cannot be loaded: tokenizers cannot load bad" in done.err
    record = Recorded.at(folder / "r.jsonl")
    assert [line["row"] for line in record.of("not_loaded")] == ["bad"]
    assert record.value("fertility", "words") == 1


def test_who_leaves_special_tokens_out_is_asked_all_the_same(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run(
        *("metrics", "characters.json", "-i", "small_tokenizers:AlwaysSkipping", "--inputs", "texts.txt"),
        *("--json", "r.jsonl"),
    )
    assert done.status == 0, done.err
    # Without a decoder, tokens come back with spaces between them: "a b", and no text of one word is so.
    assert Recorded.at(folder / "r.jsonl").value("lossless_white_space", "characters") == 1


# What cannot be ------------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "no texts": ((), "no texts to measure on: give files with --inputs"),
    "a base that is not measured": (("--inputs", "texts.txt", "--base", "gpt2"), "none of the TOKENIZERs"),
    "a measure that is none": (("--inputs", "texts.txt", "--measure", "fertilty"), "no measure is called 'fertilty'"),
    "one language": (("--inputs", "texts.txt", "--parallel"), "needs the texts in two languages"),
    "other lines": (("--inputs", "texts.txt", "one.txt", "--parallel"), "one.txt has 1 lines and texts.txt has 3"),
    "a language of no file": (("--inputs", "texts.txt", "--language", "x.txt=fr"), "no file of --inputs is called"),
    "a column of text": (("--inputs", "texts.txt", "--language-column", "lang"), "--inputs names none"),
    "a language of parallel lines": (
        ("--inputs", "table.jsonl", "texts.txt", "--parallel", "--language-column", "lang"),
        "--parallel is about files of one language each; leave --language-column out",
    ),
    "no language of it": (("--inputs", "texts.txt", "--base-language", "fr"), "about --parallel texts"),
    "no gold": (("--inputs", "texts.txt", "--gold", "texts.txt"), "line 1: expected a word, a tab"),
    "nothing to resume": (("--inputs", "texts.txt", "--resume"), "--resume needs --json"),
    "nothing that can be resumed": (
        ("--inputs", "texts.txt", "--json", "one.txt", "--resume"),
        "--resume: 'one.txt' is no record of tokconf",
    ),
    "the same file twice": (("--inputs", "texts.txt", "--csv", "a", "--latex", "a"), "both name"),
    "an input": (("--inputs", "texts.txt", "--csv", "texts.txt"), "is a file of inputs"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_measured_is_refused_in_one_line(cli: Tokconf, folder: Path, name: str) -> None:
    (folder / "one.txt").write_text("ab\n")
    (folder / "table.jsonl").write_text('{"text": "ab", "lang": "de"}\n')
    words, told = REFUSED[name]
    done = cli("metrics", *BOTH, *words)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_pre_tokens_are_words_of_the_tokenizer_itself(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run(
        "metrics", *BOTH, "--inputs", "texts.txt", "--words", "pre-tokens", "--json", "r.jsonl", "--no-round-trip"
    )
    assert done.status == 0, done.err
    record = Recorded.at(folder / "r.jsonl")
    assert record.value("fertility", "characters") == 2
    assert record.value("lossless", "characters") is None


def test_definitions_say_what_each_measure_is(tokconf: CommandLine) -> None:
    done = tokconf.run("metrics", "--definitions")
    assert done.status == 0
    places = [done.out.index(f"{measure.id}: ") for measure in MEASURES]
    assert all(first < second for first, second in pairwise(places))
    assert "docs/reference/metrics.md" in done.out


def test_one_measure_alone(tokconf: CommandLine, folder: Path) -> None:
    done = tokconf.run("metrics", *BOTH, "--inputs", "texts.txt", "--measure", "fertility", "--json", "r.jsonl")
    assert done.status == 0
    assert {line["measure"] for line in Recorded.at(folder / "r.jsonl").of("measurement")} == {"fertility", *COUNTED}
    assert "round trip" not in done.out
