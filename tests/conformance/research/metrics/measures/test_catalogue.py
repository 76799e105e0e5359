"""The table of measures says all that the page of them shows, and the page is that of the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import generate_metrics_page as generator
import pytest
from in_one_test import in_one_test

from tokenizer_conformance.research.metrics.measures import intervals
from tokenizer_conformance.research.metrics.measures.catalogue import (
    DENOMINATORS,
    MEASURE_BY_ID,
    MEASURES,
    definition_lines,
)
from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope
from tokenizer_conformance.research.metrics.measures.words import WORD_DEFINITIONS

PROJECT = Path(__file__).parents[5]


def test_the_page_is_that_of_the_table() -> None:
    committed = (PROJECT / "docs/reference/metrics.md").read_text(encoding="utf-8")
    assert committed == generator.page(), "run `python tools/generate_metrics_page.py` and commit the page"


def test_every_measure_is_on_the_page_once() -> None:
    headings = re.findall(r"^### `(\w+)`$", generator.page(), re.MULTILINE)
    assert sorted(headings) == sorted(MEASURE_BY_ID)
    assert len(MEASURES) == len(MEASURE_BY_ID)


def test_the_page_links_to_its_headings() -> None:
    page = generator.page()
    headings = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.*)$", page, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) == headings


def test_what_is_cited_is_listed_and_what_is_listed_is_cited() -> None:
    said = " ".join(f"{measure.source} {measure.limits}" for measure in MEASURES)
    said += (PROJECT / "tools/metrics_page.md.jinja").read_text(encoding="utf-8")
    said += Path(intervals.__file__).read_text(encoding="utf-8")
    # "Rust et al. (2021)", "Rust et al.'s (2021)", "Kott 2001" and "(Kurimo et al. 2006)" cite the same way.
    plain = re.sub(r"\s+", " ", said.replace("'s (", " (").replace("(", "").replace(")", ""))
    cited = set(re.findall(r"[A-ZÁ][\wé]+(?: et al\.| and [A-Z]\w+)? (?:19|20)\d\d", plain))
    assert cited == {name.replace("(", "").replace(")", "") for name in generator.REFERENCES}


@in_one_test("measure", MEASURES)
def test_a_measure_says_what_it_is(measure: Measure[Any]) -> None:
    assert re.fullmatch(r"[a-z0-9_]+", measure.id)
    for sentence in (measure.definition, measure.source, measure.limits):
        assert sentence.strip().endswith(".")
    assert measure.title[0].islower() or measure.title.split()[0] in {"Gini", "Rényi", "Shannon", "Zipf", "MorphScore"}
    assert measure.formula
    assert measure.unit
    assert measure.better in {"higher", "lower", "none"}


def test_every_ratio_says_what_it_is_divided_by() -> None:
    assert DENOMINATORS.keys() <= MEASURE_BY_ID.keys()
    assert [each.id for each in MEASURES if each.unit == "1" and each.id not in DENOMINATORS] == ["zipf_exponent"]
    page = generator.page()
    assert all(f"Divided by: {denominator}." in page for denominator in DENOMINATORS.values())


OF_WORDS = {"word_fertility", "kept_words", "continued_words", "lost_words", "same_words"}
OF_PAIRS = {"boundary_precision", "boundary_recall", "boundary_f1", "boundary_kappa", "same_words"}
OF_FILES = {"vocabulary_size", "entry_bytes", "vocabulary_overlap", "vocabulary_overlap_unmarked"}
OF_MORPHEMES = {measure.id for measure in MEASURES if measure.scope is Scope.MORPHEMES}


@pytest.mark.parametrize(
    ("what", "measures"),
    [
        (Needs.WORDS, {"words", "fertility"} | OF_WORDS),
        (Needs.SPANS, {"unknown_characters"} | OF_WORDS | OF_PAIRS | OF_MORPHEMES),
        (Needs.DECODED, {"lossless", "lossless_nfc", "lossless_nfkc", "lossless_white_space", "lossless_case"}),
        (
            Needs.VOCABULARY,
            {"unknown_tokens", "unknown_characters", "vocabulary_use", "renyi_efficiency_vocabulary", "token_bytes"}
            | {"token_bytes_median", "token_characters", "white_space_tokens", "partial_tokens"}
            | OF_FILES,
        ),
        (Needs.PARALLEL, {"premium", "gini", "premium_spread"}),
        (Needs.MORPHEMES, OF_MORPHEMES),
    ],
)
def test_what_measures_need(what: Needs, measures: set[str]) -> None:
    assert {measure.id for measure in MEASURES if what in measure.needs} == measures


def test_what_grows_with_the_texts_and_what_is_of_no_texts_has_no_interval() -> None:
    counted = {"texts", "blank_texts", "words", "characters", "bytes", "tokens", "ids_seen", "vocabulary_use"}
    unsteady = {"zipf_exponent", "token_bytes_median"}  # a fit to ranks, and a whole number
    assert {measure.id for measure in MEASURES if not measure.has_interval} == counted | unsteady | OF_FILES


def test_what_is_of_a_file_has_no_interval_and_needs_it() -> None:
    of_files = [measure for measure in MEASURES if measure.scope in {Scope.VOCABULARY, Scope.VOCABULARIES}]
    assert len(of_files) == 4
    assert all(not measure.has_interval and measure.needs == {Needs.VOCABULARY} for measure in of_files)


def test_definitions_are_wrapped_with_what_a_word_is_behind_them() -> None:
    measures = [MEASURE_BY_ID[name] for name in ("fertility", "zipf_exponent", "gini")]
    lines = list(definition_lines(measures, 60))
    assert lines[:5] == [
        "fertility: The number of all tokens divided by the number of",
        "    words. Each token counts once, also one of white space",
        "    or punctuation alone, and one that stands for several",
        "    words. Divided by: words. (fertility, in tokens per",
        "    word; lower is better)",
    ]
    assert lines[7] == "    that falls with a power of r. (Zipf exponent)"
    words = lines.index("What a word is (--words):")
    assert lines[words - 1] == ""
    assert lines[words + 1 : words + 3] == [
        "  whitespace: A word is a longest run of characters that are",
        "      not white space (str.isspace); punctuation belongs to",
    ]
    assert lines[-2:] == ["", "Formulas, sources and limits: docs/reference/metrics.md"]
    assert list(definition_lines([], 40))[-2:] == ["Formulas, sources and limits:", "  docs/reference/metrics.md"]
    assert len(list(definition_lines(measures, None))) == 3 + 2 + len(WORD_DEFINITIONS) + 2
