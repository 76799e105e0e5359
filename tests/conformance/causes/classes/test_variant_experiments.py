"""Each class is proven for an implementation that has it, and not for one that only looks like it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from changed_references import ChangedReference

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Normalize,
    PreTokenize,
    Text,
    TokenizerSource,
    plain_of,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.change import GivenCuts, Rule, UnicodeVersion
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes.replaced_rules import RULES
from tokenizer_conformance.causes.classes.score_ties import (
    DOUBLE,
    EQUAL,
    SINGLE,
    ScoredPieces,
    Segmentation,
    best_segmentation,
    kind_of_tie,
    segmentation,
)
from tokenizer_conformance.causes.experiments import variants
from tokenizer_conformance.comparison.questions import texts_of
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_adapters.variants.change import Change
    from tokenizer_conformance.causes.cause import Reason

NEWER_THAN_8 = "newer categories"


def tokenizer(model: dict[str, Any], **parts: Any) -> str:
    empty = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding"))
    return json.dumps({"version": "1.0", **empty, "added_tokens": [], "model": model, **parts})


def numbered(*tokens: str) -> dict[str, int]:
    return {token: number for number, token in enumerate(tokens)}


def unigram(*pieces: tuple[str, float]) -> str:
    return tokenizer({"type": "Unigram", "vocab": [["?", 0.0], *map(list, pieces)], "unk_id": 0})


LETTERS = "abcdeiklmnoprstuxyzασςßი"
BERT = tokenizer(
    {
        "type": "WordPiece",
        "vocab": numbered("?", *LETTERS, *(f"##{char}" for char in LETTERS), "ab", "##ss", "ss", "i\u0307", "配", "令"),
        "unk_token": "?",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    },
    normalizer={
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    pre_tokenizer={"type": "BertPreTokenizer"},
)
MERGING = tokenizer(
    {
        "type": "BPE",
        "vocab": numbered("bc", "a", "b", "c", "d", "ab", "cd", "abc", "?", "dd"),
        "merges": ["c d", "a b", "b c", "ab c", "d d"],
        "unk_token": "?",
    },
)
EQUAL_SCORES = unigram(("a", -1.0), ("b", -1.5), ("ab", -2.5), ("c", -1.0), ("bc", -2.5), ("abc", -4.0))
BYTES = tokenizer(
    {"type": "WordLevel", "vocab": numbered("?", "â", "Ĥ", "a", "ÿ", "Ã", "©"), "unk_token": "?"},
    decoder={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
)
DOCUMENTS = {"BERT": BERT, "merging": MERGING, "equal scores": EQUAL_SCORES, "bytes": BYTES}


def reason(document: str, question: Observation, fake: ChangedReference, tmp_path: Path) -> Reason | None:
    """Return the reason of what ``fake`` shows beside the reference; fails where it shows nothing."""
    if document in DOCUMENTS:
        file = tmp_path / "tokenizer.json"
        file.write_text(DOCUMENTS[document])
        source = TokenizerSource(document, str(file))
    elif document.startswith("{"):
        file = tmp_path / "tokenizer.json"
        file.write_text(document)
        source = TokenizerSource("given", str(file))
    else:
        source = TokenizerSource(document, str(bundled_file(document)))
    with Bench(ReferenceImplementation(), fake) as bench:
        witness = bench.trial(source).witness(question)
        assert witness is not None, "the fake shows no difference"
        return next((each.reason for each in variants(bench, witness)), None)


def encode(text: str) -> Encode:
    return Encode(text, add_special_tokens=False)


HAS_IT = [
    ("merging", encode("abcd"), Rule.MERGE_BY_TOKEN_ID, "merge-order", None),
    ("bytes", Decode((1, 2, 3)), Rule.REPLACED_BYTES, "ill-formed-bytes", None),
    ("bytes", Decode((1, 2, 3)), Rule.DROPPED_BYTES, "ill-formed-bytes", None),
    ("BERT", Normalize("a\u1c90"), UnicodeVersion("10.0"), "unicode-version", "older case mappings"),
    (
        "BERT",
        PreTokenize("a\U0001144b"),
        UnicodeVersion("17.0"),
        "unicode-version",
        NEWER_THAN_8,
    ),
    ("BERT", PreTokenize("a\u2e43"), UnicodeVersion("13.0"), "unicode-version", NEWER_THAN_8),
    ("BERT", Normalize("a\u1734"), UnicodeVersion("15.0"), "unicode-version", "newer categories"),
    ("BERT", Normalize("ΑΣ"), Rule.FINAL_SIGMA, "final-sigma", None),
    ("BERT", Normalize("aẞ"), Rule.CASE_FOLDING, "case-folding", None),
    ("BERT", Normalize("aẞ"), Rule.ASCII_LOWERCASE, "case-folding", None),
    ("BERT", Normalize("I"), Rule.TURKISH_LOWERCASE, "case-folding", None),
    ("BERT", Normalize("e\u0301"), Rule.COMPOSED_ACCENTS_ONLY, "normalization-form", None),
    ("BERT", Normalize("한"), Rule.NO_HANGUL, "normalization-form", None),
    ("BERT", Normalize("a\u0378"), Rule.UNASSIGNED_REMOVED, "characters-dropped", None),
    ("BERT", Normalize("\U00020000"), Rule.CHINESE_IN_BASIC_PLANE, "regex-class-approximation", None),
    ("BERT", PreTokenize("a\ufeffb"), Rule.BYTE_ORDER_MARK_SPACE, "regex-class-approximation", None),
    ("BERT", encode("abss"), Rule.WORD_PIECE_SHORTEST, "greedy-against-ranked", None),
    ("BERT", encode("aqb"), Rule.WORD_PIECE_UNKNOWN_CHARACTER, "unknown-token-policy", None),
    ("merging", encode("abcd"), Rule.MERGE_LEFTMOST, "merge-order", None),
    ("merging", encode("ddd"), Rule.MERGE_RIGHTMOST, "merge-order", None),
    ("equal scores", encode("ab"), Rule.UNIGRAM_LAST_TIE, "score-tie", EQUAL),
    ("t5-mini", Normalize("ﬁ\u0301"), Rule.CHARSMAP_CHARACTERS, "grapheme-against-code-point", None),
    ("t5-mini", Normalize("\xa0\u0301"), Rule.CHARSMAP_LONGEST, "grapheme-against-code-point", None),
    ("bytes", Decode((5, 6)), Rule.DECODED_TOKENS, "ill-formed-bytes", None),
]


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    ("document", "question", "change", "name", "parameter"),
    HAS_IT,
    ids=[f"{row[2]}" for row in HAS_IT],
)
def test_what_has_it_is_proven(
    document: str, question: Observation, change: Change, name: str, parameter: str | None, tmp_path: Path
) -> None:
    found = reason(document, question, ChangedReference(change), tmp_path)
    assert found is not None
    assert found.name == name
    assert parameter is None or found.parameter == parameter
    assert found.proof
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in found.proof)


def about(*chars: str) -> Callable[[Observation], bool]:
    """Tell whether a question has one of ``chars``: a fault of these alone."""

    def when(question: Observation) -> bool:
        plain = plain_of(question)
        texts = (plain.text,) if isinstance(plain, Normalize | PreTokenize) else texts_of(plain)
        return any(char in text for char in chars for text in texts)

    return when


def beyond_basic_plane(question: Observation) -> bool:
    plain = plain_of(question)
    texts = (plain.text,) if isinstance(plain, Normalize | PreTokenize) else texts_of(plain)
    return any(char > "\uffff" for text in texts for char in text)


def exactly(text: str) -> Callable[[Observation], bool]:
    return lambda question: texts_of(question) == (text,)


def spoiled_ids(question: Observation, outcome: Outcome) -> Outcome:
    """A fault beside the one that a variant explains."""
    if isinstance(outcome, Encoded) and "".join(texts_of(question)) == "ab":
        return replace(outcome, type_ids=tuple(1 for _ in outcome.ids))
    return outcome


def kept_case(question: Observation, outcome: Outcome) -> Outcome:
    """No capital beyond the Basic Multilingual Plane is lowercased, however old it is."""
    is_astral = isinstance(question, Normalize) and beyond_basic_plane(question)
    return Text(question.text) if is_astral and isinstance(question, Normalize) else outcome


LOOKS_LIKE_IT = [
    ("all capitals of supplementary planes", "BERT", Normalize("\U00016e40"), None, None, kept_case),
    ("one character folded", "BERT", Normalize("aẞ"), Rule.CASE_FOLDING, about("ẞ"), None),
    ("one text with a sigma", "BERT", Normalize("ΑΣ"), Rule.FINAL_SIGMA, lambda q: q == Normalize("ΑΣ"), None),
    ("one unknown word", "BERT", encode("aqb"), Rule.WORD_PIECE_UNKNOWN_CHARACTER, exactly("aqb"), None),
    ("a worse segmentation", "equal scores", encode("abc"), GivenCuts((("abc", (0, 3)),)), None, None),
    ("a case mapping of one character", "BERT", Normalize("a\u1c90"), UnicodeVersion("10.0"), about("\u1c90"), None),
    ("one new punctuation character", "BERT", PreTokenize("a\u2e43"), UnicodeVersion("9.0"), about("\u2e43"), None),
    ("one word matched greedily", "merging", encode("abcd"), Rule.MERGE_LEFTMOST, exactly("abcd"), None),
    ("a tie, and type ids of its own", "equal scores", encode("ab"), Rule.UNIGRAM_LAST_TIE, None, spoiled_ids),
]


@pytest.mark.long_but(6)
@pytest.mark.parametrize(
    ("document", "question", "change", "when", "then"),
    [row[1:] for row in LOOKS_LIKE_IT],
    ids=[row[0] for row in LOOKS_LIKE_IT],
)
def test_what_only_looks_like_it_is_not_proven(
    document: str, question: Observation, change: Change | None, when: Any, then: Any, tmp_path: Path
) -> None:
    options = {name: value for name, value in (("when", when), ("then", then)) if value is not None}
    fake = ChangedReference(*([change] if change is not None else []), **options)
    assert reason(document, question, fake, tmp_path) is None


def test_a_field_that_differs_everywhere_is_set_aside_and_told(tmp_path: Path) -> None:
    def inclusive(_question: Observation, outcome: Outcome) -> Outcome:
        if not isinstance(outcome, Encoded) or outcome.offsets is None:
            return outcome
        return replace(outcome, offsets=tuple((start, max(end - 1, 0)) for start, end in outcome.offsets))

    found = reason("equal scores", encode("ab"), ChangedReference(Rule.UNIGRAM_LAST_TIE, then=inclusive), tmp_path)
    assert found is not None
    assert found.name == "score-tie"
    assert "offsets" in found.proof[-1]


def test_where_the_reference_is_not_the_baseline_nothing_is_proven(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(EQUAL_SCORES)
    with Bench(ChangedReference(Rule.UNIGRAM_LAST_TIE), ReferenceImplementation()) as bench:
        witness = bench.trial(TokenizerSource("given", str(file))).witness(encode("ab"))
        assert witness is not None
        assert not list(variants(bench, witness))


def test_rules_are_told_apart_by_their_parameters() -> None:
    assert len({(each.name, each.parameter) for each in RULES}) == len(RULES)


# Sums -----------------------------------------------------------------------------------------------------------------


def scored(**scores: float) -> ScoredPieces:
    pieces = ScoredPieces.of(
        {"model": {"vocab": [["?", 0.0], *([key, value] for key, value in scores.items())], "unk_id": 0}}
    )
    assert pieces is not None
    return pieces


def kind(pieces: ScoredPieces, word: str, ours: tuple[int, ...], theirs: tuple[int, ...]) -> str | None:
    best = best_segmentation(pieces, word)
    first, second = segmentation(pieces, word, ours), segmentation(pieces, word, theirs)
    assert best is not None
    assert first is not None
    assert second is not None
    return kind_of_tie(best, first, second)


def test_sums_that_are_equal_only_exactly_or_only_rounded_are_told_apart() -> None:
    assert kind(scored(a=-1.0, b=-1.5, ab=-2.5), "ab", (0, 2), (0, 1, 2)) == EQUAL
    # 0.1 + 0.2 is 0.30000000000000004 in double precision, and less than that exactly.
    assert -0.1 + -0.2 != -0.3
    assert kind(scored(a=-0.1, b=-0.2, ab=-0.3), "ab", (0, 2), (0, 1, 2)) == DOUBLE
    assert kind(scored(a=-1.0, b=-1.5, ab=-2.5 - 1e-9), "ab", (0, 1, 2), (0, 2)) == SINGLE
    assert kind(scored(a=-1.0, b=-1.5, ab=-2.5 - 1e-5), "ab", (0, 1, 2), (0, 2)) is None


def test_a_segmentation_that_is_not_the_best_is_no_tie_with_its_equal() -> None:
    pieces = scored(a=-2.0, b=-2.0, ab=-4.0, c=-1.0, abc=-1.0)
    assert kind(pieces, "abc", (0, 2, 3), (0, 1, 2, 3)) is None


def test_exact_sums_are_sums_of_the_stored_doubles() -> None:
    cut = segmentation(scored(a=-0.1, b=-0.2), "ab", (0, 1, 2))
    assert cut is not None
    assert cut.exact == Fraction(-0.1) + Fraction(-0.2)
    assert cut.added == -0.1 + -0.2
    assert cut.exact != Fraction(cut.added)


def test_the_bound_of_an_error_grows_with_each_addition_and_rounding() -> None:
    half = Fraction(1, 2)
    for count in (1, 2, 3, 4):
        cut = Segmentation(("a",) * count, (-1.0,) * count)
        for rounds_scores in (False, True):
            steps = count - 1 + rounds_scores
            roundoff = half**10
            gamma = steps * roundoff / (1 - steps * roundoff)
            assert cut.error(roundoff, rounds_scores=rounds_scores) == gamma * count


@pytest.mark.parametrize(
    ("last", "expected"), [(-2.5 - 1e-9, SINGLE), (-2.5 - 1e-5, None)], ids=["rounded away", "nearly, but not a tie"]
)
def test_a_near_tie_is_claimed_only_within_the_bound_of_rounding(
    last: float, expected: str | None, tmp_path: Path
) -> None:
    document = unigram(("a", -1.0), ("b", -1.5), ("ab", last), ("c", -1.0))
    fake = ChangedReference(GivenCuts((("ab", (0, 2)),)))
    found = reason(document, encode("ab"), fake, tmp_path)
    if expected is None:
        assert found is None or found.name != "score-tie"
    else:
        assert found is not None
        assert (found.name, found.parameter) == ("score-tie", expected)
