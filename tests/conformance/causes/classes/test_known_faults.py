"""Faults of the truth bench, each with the shortest question that shows it, and the reason that is true of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard
from unicodedata import combining, normalize

import pytest
from planted.edits import drop, put
from planted.fakes import Fault, Faulty, at_once, in_file, reading, spoiling
from planted.truth.case import Case
from planted.truth.table import CASES
from planted.truth.tokenizers import file_of

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    Failed,
    Normalize,
    PreTokenize,
    Text,
    TokenizerSource,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes.cut_changes import PATTERNS, split
from tokenizer_conformance.causes.classes.documents import LONG_TEXT
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.comparison.mistakes import not_counting, spans_changed
from tokenizer_conformance.inputs.text_generators.patterns import GPT2

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from planted.edits import Json

    from tokenizer_adapters.contract import Observation, Outcome, Span
    from tokenizer_conformance.causes.cause import Reason

PATTERN_OF = dict(PATTERNS)

BY_NAME = {case.name: case for case in CASES}

PAIR = Encode("a", "b", add_special_tokens=False)


def encoded(text: str) -> Encode:
    return Encode(text, add_special_tokens=False)


def reason(name: str, tokenizer: str, question: Observation, folder: Path) -> Reason:
    return reason_of_fault(BY_NAME[name], tokenizer, question, folder)


def reason_of_fault(case: Case, tokenizer: str, question: Observation, folder: Path) -> Reason:
    with Bench(TokenizersImplementation(), Faulty("port", case.fault, ids_only=case.ids_only)) as bench:
        witness = bench.trial(TokenizerSource(tokenizer, str(file_of(tokenizer, folder)))).witness(question)
        assert witness is not None, "the fault does not show"
        return reason_of(bench, witness)


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    ("name", "tokenizer", "question", "expected"),
    [
        # Templates and pairs
        ("second-text-first", "bert-mini", PAIR, "pair-handling: the texts in the other order"),
        ("texts-of-pairs-exchanged", "bert-mini", PAIR, "pair-handling: the two texts are exchanged"),
        ("last-special-token-missing", "t5-mini", Encode("a"), "special-token-handling: nothing behind the text"),
        ("first-special-token-missing", "llama-mini", Encode("a"), "special-token-handling: nothing before the text"),
        ("roberta-one-sep-between", "roberta-mini", Encode("", "a"), "pair-handling: of a pair is missing"),
        ("roberta-one-sep-between", "roberta-mini", Encode("", ""), "pair-handling: of a pair is missing"),
        ("template-special-type-ids-ignored", "options-mini", Encode("", ""), "pair-handling: have type 0"),
        ("all-types-zero", "options-mini", encoded("a"), "pair-handling: type ids all 0"),
        ("pair-offsets-grow", "bert-mini", PAIR, "offset-convention: the last token before it ends"),
        # Pre-tokenizers
        ("gpt2-letters-ascii", "roberta-mini", PreTokenize("aÀ"), r"regex-class-approximation: \p{L} -> [A-Za-z]"),
        ("digits-ascii", "wordlevel-plain", PreTokenize("\u0660a"), "regex-class-approximation: Digits -> [0-9]"),
        ("word-characters-without-marks", "bert-strip", PreTokenize("a\u0300"), "regex-class-approximation: no marks"),
        ("bert-for-whitespace", "bert-strip", PreTokenize("a\xa6"), "regex-class-approximation: -> BertPreTokenizer"),
        ("punctuation-and-symbols", "wordlevel-mini", PreTokenize("\xae!"), "regex-class-approximation: and symbols"),
        # Texts
        ("ids-only-split-of-another-family", "gpt2-parts", encoded(" 0"), "regex-class-approximation: that of GPT-2"),
        ("punctuation-isolated", "wordlevel-mini", PreTokenize("\0("), "pre-tokenizer-flags: behavior Isolated"),
        ("turkish-first", "bert-mini", Normalize("I"), "case-folding: as in Turkish"),
        ("soft-hyphen-dropped", "gpt2-mini", Normalize("a\xadb"), "characters-dropped: U+00AD"),
        ("no-break-space-as-space", "gpt2-mini", Normalize("a\xa0b"), "characters-dropped: U+00A0 becomes U+0020"),
        (
            "precompiled-clusters-only",
            "t5-mini",
            Normalize("\uff76\uff9e"),
            "grapheme-against-code-point: no key stays",
        ),
        # Offsets and names
        ("offsets-with-the-space-before", "bert-mini", encoded("a b"), "offset-convention: whatever the token"),
        (
            "words-offsets-grow",
            "bert-mini",
            Encode(("a", "a"), add_special_tokens=False),
            "offset-convention: of the word before ends",
        ),
        ("word-piece-value-without-prefix", "bert-mini", encoded("bg"), "token-names: without the prefix"),
        # Lengths
        ("cut-later", "bert-cut", encoded("a b c d e f g h i j k l m n"), "length-limit: max_length 20"),
        ("cut-to-512", "bert-mini", encoded(LONG_TEXT[:200]), "length-limit: max_length 60"),
        ("wider-stride", "llama-cut", encoded("a b c d e f g h i j k l m n o p q r s t"), "length-limit: stride 3"),
        ("thirty-ids-decoded", "bert-mini", Decode((43,) * 31), "length-limit: 30 ids are decoded"),
        ("word-piece-length-in-bytes", "options-mini", encoded("챙기자"), "length-limit: counts bytes"),
        ("stream-of-half-characters", "gpt2-mini", DecodeStream((130,)), "stream-steps: in place of nothing"),
        # Added tokens
        ("added-token-special-only", "gpt2-added", encoded("ings"), "special-token-handling: that are not special"),
        ("added-token-normalized-ignored", "llama-mini", encoded("a</s>"), "added-token-flags: is false, in encoding"),
        ("all-special", "bert-added", Decode((1217,), skip_special_tokens=True), "added-token-flags: special is true"),
        # Programs that take no changed tokenizer.json: what other questions show, and what comes to the same
        ("ids-only-added-tokens", "bert-mini", encoded("a[MASK]b"), "component-left-out: added_tokens left out"),
        ("ids-only-post-processor", "t5-mini", Encode("a"), "component-left-out: TemplateProcessing left out"),
        ("ids-only-composing-normalizer", "gpt2-parts", encoded("a\u0301"), "component-left-out: NFC left out"),
    ],
)
def test_a_fault_is_named(name: str, tokenizer: str, question: Observation, expected: str, tmp_path: Path) -> None:
    found = reason(name, tokenizer, question, tmp_path)
    class_, _, words = expected.partition(": ")
    assert found.name == class_
    assert words in found.parameter


def rewritten(old: str, new: str) -> Callable[[Json], None]:
    """Return the change of a regex: the first one of the pre-tokenizer, which has ``old`` in it."""

    def change(document: Json) -> None:
        pattern = document["pre_tokenizer"]["pretokenizers"][0]["pattern"]
        assert old in pattern["Regex"]
        pattern["Regex"] = pattern["Regex"].replace(old, new)

    return change


def added_token(content: str, **flags: bool) -> Callable[[Json], None]:
    """Return the change of an added token: other ``flags``, or without any that it is not there."""

    def change(document: Json) -> None:
        (token,) = (each for each in document["added_tokens"] if each["content"] == content)
        token.update(flags)
        if not flags:
            document["added_tokens"].remove(token)

    return change


SPLITS = "pre_tokenizer.pretokenizers"
REGEX = f"{SPLITS}.0.pattern.Regex"


@pytest.mark.long_but(3)
@pytest.mark.parametrize(
    ("tokenizer", "change", "question", "expected"),
    [
        ("llama3-mini", rewritten("{1,3}", "{1,2}"), PreTokenize("2024"), r"regex-class-approximation: -> \p{N}{1,2}"),
        ("llama3-mini", rewritten("(?i:", "(?:"), PreTokenize("I'Sx"), "regex-class-approximation: (?i: -> (?:"),
        ("llama3-mini", put("model.ignore_merges", False), encoded(" late"), "whole-words: true -> false"),
        ("qwen-mini", rewritten(r"|\p{N}|", r"|\p{N}+|"), PreTokenize("12"), r"regex-class-approximation: |\p{N}+|"),
        ("qwen-mini", put("normalizer", None), Normalize("e\u0301"), "component-left-out: NFC left out"),
        ("o200k-mini", rewritten(r"[\r\n/]*", r"[\r\n]*"), PreTokenize("!\n/"), r"regex-class-approximation: [\r\n]*"),
        ("o200k-mini", put(REGEX, PATTERN_OF["Qwen 2"]), PreTokenize("12"), "regex-class-approximation: of Qwen 2"),
        ("tekken-mini", put(REGEX, PATTERN_OF["GPT-2"]), PreTokenize("!\n"), "regex-class-approximation: of GPT-2"),
        ("deepseek-mini", drop(f"{SPLITS}.0"), PreTokenize("1980"), "component-left-out: first Split left out"),
        ("deepseek-mini", drop(f"{SPLITS}.1"), PreTokenize("a\u4e00"), "component-left-out: second Split left out"),
        ("gemma-mini", added_token("\n\n"), encoded("a\n\n"), 'component-left-out: added token "\\n\\n" left out'),
        ("gemma-mini", added_token("<h6>"), encoded("a<h6>"), 'component-left-out: added token "<h6>" left out'),
        ("tekken-mini", added_token("[INST]", special=False), Decode((3,), True), "added-token-flags: special of"),
        ("tekken-mini", added_token("<SPECIAL_30>", special=False), Decode((30,), True), "added-token-flags: special"),
    ],
)  # fmt: skip
def test_a_fault_in_a_pipeline_of_today_is_named(
    tokenizer: str, change: Callable[[Json], None], question: Observation, expected: str, tmp_path: Path
) -> None:
    case = Case(name="today", group="today", what=expected, fault=in_file(change), on=(tokenizer,))
    found = reason_of_fault(case, tokenizer, question, tmp_path)
    class_, _, words = expected.partition(": ")
    assert (found.name, words in found.parameter, found.is_proven) == (class_, True, True), found.parameter


@pytest.mark.long
def test_an_entry_of_a_model_is_not_to_blame_where_other_texts_with_it_speak_against_that(tmp_path: Path) -> None:
    if file_of("google-fnet-base", tmp_path) is None:
        pytest.skip("the checkpoint is not here")
    assert not reason("bpe-tie-from-the-right", "google-fnet-base", encoded("gooo"), tmp_path).is_proven


def read_as(change: Callable[[str], str], **flags: object) -> Fault:
    """Return the fault of a wrapper that does a part of the normalizer's work itself, and has that switched off."""

    def switched_off(document: Json) -> None:
        document["normalizer"].update(flags)

    return at_once(in_file(switched_off), reading(change))


def ideographs_apart(text: str) -> str:
    return re.sub("[\u4e00-\u9fff]", r" \g<0> ", text)


def latin_1_lower(text: str) -> str:
    return re.sub("[A-Z\xc0-\xd6\xd8-\xde]", lambda found: found[0].lower(), text)


def one_late(text: str, span: Span) -> Span:
    return (min(span[0] + 1, len(text)), min(span[1] + 1, len(text))) if span[0] < span[1] else span


@pytest.mark.long
@pytest.mark.parametrize(
    ("fault", "ids_only", "question"),
    [
        # The others below U+10000 are not cut out either.
        (read_as(ideographs_apart, handle_chinese_chars=False), True, encoded("a\U0002b739")),
        # A word with a character that is unknown is unknown as a whole, with and without that.
        (read_as(latin_1_lower, lowercase=False, strip_accents=True), True, encoded("\u1f18\u03bd")),
        # Where both sides normalize a text alike, it was not another one.
        (spoiling(spans_changed(one_late)), False, encoded("ab cd")),
        (spoiling(spans_changed(not_counting(lambda each: bool(combining(each))))), False, encoded("a\u0300 b")),
    ],
)
def test_what_other_texts_speak_against_is_not_proven(
    fault: Fault, *, ids_only: bool, question: Observation, tmp_path: Path
) -> None:
    case = Case("fault", "", "", fault, (), ids_only=ids_only)
    found = reason_of_fault(case, "bert-mini", question, tmp_path)
    assert not found.is_proven, found


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "pair", [Encode("a b c d e f", "a b c d e f g", add_special_tokens=False), Encode("a", "aaaaaaaaa")]
)
def test_a_limit_that_longer_texts_speak_against_is_not_proven(pair: Encode, tmp_path: Path) -> None:
    """Each text of a pair is cut by itself, which one other limit explains for pairs of some lengths."""
    assert not reason("truncation-each-text", "bert-cut", pair, tmp_path).is_proven


@pytest.mark.long
def test_a_merge_that_is_missing_may_be_a_cut_where_no_pieces_are_shown(tmp_path: Path) -> None:
    cut = split(r"'(?=ve)", "Isolated")

    def change(document: Json) -> None:
        document["pre_tokenizer"]["pretokenizers"].append(cut)

    case = replace(BY_NAME["ids-only-split-of-another-family"], fault=in_file(change))
    found = reason_of_fault(case, "gpt2-parts", encoded("'ve"), tmp_path)
    assert not found.is_proven
    assert found.parameter == "either model-entry, merge \"'\" + 've'; or texts are cut between these two"


def test_two_options_of_one_component_are_found_together(tmp_path: Path) -> None:
    name = "padded-with-another-id+padded-at-the-end"
    found = reason(name, "bert-padded", encoded("a"), tmp_path)
    assert found.name == "padding-policy"
    assert "pad_id 5" in found.parameter
    assert "direction Right" in found.parameter


# Faults of strangers -------------------------------------------------------------------------------------------------


def cutting(pattern: str) -> Fault:
    """Return the fault of cutting texts by ``pattern``, where a ByteLevel has that of GPT-2."""

    def change(document: Json) -> None:
        byte_level = {**document["pre_tokenizer"], "use_regex": False}
        document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split(pattern, "Isolated"), byte_level]}

    return in_file(change)


def with_digits(digits: str) -> Fault:
    return cutting(GPT2.replace(r"\p{N}+", digits))


def whole_scores(document: Json) -> None:
    document["model"]["vocab"] = [[piece, round(score)] for piece, score in document["model"]["vocab"]]


def special_the_other_way(question: Observation) -> Observation:
    return replace(question, add_special_tokens=not question.add_special_tokens) if is_encode(question) else question


def is_encode(question: Observation) -> TypeGuard[Encode]:
    return isinstance(question, Encode)


def keeping_accents(document: Json) -> None:
    document["normalizer"]["strip_accents"] = False


def first_bytes(count: int) -> Callable[[str], str]:
    return lambda text: text.encode()[:count].decode(errors="ignore")


def first_units(count: int) -> Callable[[str], str]:
    return lambda text: text.encode("utf-16-le")[: 2 * count].decode("utf-16-le", "ignore")


def without_accents_in_latin_1(text: str) -> str:
    return text if max(text, default="") > "\xff" else "".join(filter(str.isascii, normalize("NFD", text)))


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("tokenizer", "fault", "question", "parameter"),
    [
        ("gpt2-mini", with_digits(r"\p{N}{1,3}"), "0000", r"\p{N}+ -> \p{N}{1,3}"),
        ("gpt2-mini", with_digits(r"\p{N}{1,2}"), "1000", r"\p{N}+ -> \p{N}{1,2}"),
        ("gpt2-mini", cutting(PATTERN_OF["cl100k, as in Llama 3"]), " 0", "-> that of cl100k, as in Llama 3"),
        ("bert-mini", Fault(reword=special_the_other_way), "", "where they are not to be, and the other way"),
        ("gpt2-mini", reading(first_bytes(20)), "a" * 21, "the first 20 bytes"),
        ("bert-mini", reading(first_units(20)), "a " * 10 + "a", "the first 20 UTF-16 units"),
    ],
)
def test_what_ports_mistake_for_another_thing_is_told_by_its_name(
    tokenizer: str, fault: Fault, question: str, parameter: str, tmp_path: Path
) -> None:
    case = Case("fault", "", "", fault, (), ids_only=True)
    found = reason_of_fault(case, tokenizer, encoded(question), tmp_path)
    assert found.is_proven
    assert found.parameter.endswith(parameter)


def shown_unchanged(question: Observation, outcome: Outcome) -> Outcome:
    return Text(question.text) if isinstance(question, Normalize) else outcome


def without_long_merges(document: Json) -> None:
    merges = document["model"]["merges"]
    document["model"]["merges"] = [each for each in merges if len("".join(each).replace(" ", "")) <= LONGEST]


LONGEST = 6


def refused(question: Observation, outcome: Outcome) -> Outcome:
    return Failed("ValueError", "no byte") if isinstance(question, Decode) else outcome


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("tokenizer", "fault", "question"),
    [
        # No token is longer than six characters: no single merge is to blame.
        ("gpt2-mini", in_file(without_long_merges), encoded("example")),
        # Every id is refused, and not only those of added tokens.
        ("llama-mini", Fault(spoil=refused), Decode((1,))),
        # Half precision explains this one text as well, and hardly another one.
        ("xlnet-mini", in_file(whole_scores), encoded("a\uc9c0\uac00")),
        ("xlnet-mini", in_file(whole_scores), encoded("s")),
        # Accents are kept only in texts that have a character beyond Latin-1.
        ("bert-mini", at_once(in_file(keeping_accents), reading(without_accents_in_latin_1)), encoded("\u0301\u00e9")),
        # What is normalized is encoded as if it were; only what is shown is not.
        ("bert-mini", Fault(spoil=shown_unchanged), Normalize("A")),
    ],
)
def test_what_drawn_texts_speak_against_is_not_proven(
    tokenizer: str, fault: Fault, question: Observation, tmp_path: Path
) -> None:
    case = Case("fault", "", "", fault, (), ids_only=isinstance(question, Encode))
    assert not reason_of_fault(case, tokenizer, question, tmp_path).is_proven
