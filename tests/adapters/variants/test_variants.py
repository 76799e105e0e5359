"""Variants of the reference: each change does what it says, and nothing else sees it."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

import tokenizer_reference
from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Normalize, Text, TokenizerSource
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.change import Change, GivenCuts, Property, Rule, UnicodeVersion
from tokenizer_adapters.variants.loading import load_variant
from tokenizer_adapters.variants.rules import PATCHES, charsmaps
from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_adapters.variants.unicode_versions import age, long_known, members, siblings, value_of, values_of
from tokenizer_reference.text import characters, charsmap, normalization, unicode_tables

if TYPE_CHECKING:
    from pathlib import Path

BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None}


def written(tmp_path: Path, model: dict[str, Any], **parts: Any) -> TokenizerSource:
    file = tmp_path / "tokenizer.json"
    empty = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding"))
    file.write_text(json.dumps({"version": "1.0", **empty, "added_tokens": [], "model": model, **parts}))
    return TokenizerSource("small", str(file))


def bpe(*merges: str, **options: Any) -> dict[str, Any]:
    """Return a model whose tokens are numbered by their first place in the merges, characters first."""
    tokens = [
        *dict.fromkeys(char for merge in merges for char in merge if char != " "),
        *(m.replace(" ", "") for m in merges),
    ]
    vocab = {token: number for number, token in enumerate(dict.fromkeys([*options.pop("first", ()), *tokens]))}
    return {"type": "BPE", "vocab": vocab, "merges": list(merges), **options}


def word_piece(*tokens: str) -> dict[str, Any]:
    vocab = {token: number for number, token in enumerate(["?", *tokens])}
    return {
        "type": "WordPiece",
        "vocab": vocab,
        "unk_token": "?",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }


def unigram(*pieces: tuple[str, float]) -> dict[str, Any]:
    return {"type": "Unigram", "vocab": [["?", 0.0], *map(list, pieces)], "unk_id": 0}


WORDS = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}


def tokens_of(source: TokenizerSource, text: str, *changes: Change) -> list[str]:
    answer = load_variant(source, *changes).observe(Encode(text))
    assert isinstance(answer, Encoded), answer
    assert answer.tokens is not None
    return list(answer.tokens)


MODELS = [
    (Rule.MERGE_LEFTMOST, bpe("b c", "a b"), "abc", ["a", "bc"], ["ab", "c"]),
    (Rule.MERGE_RIGHTMOST, bpe("a a"), "aaa", ["aa", "a"], ["a", "aa"]),
    (Rule.MERGE_BY_TOKEN_ID, bpe("b c", "a b", first=["ab"]), "abc", ["a", "bc"], ["ab", "c"]),
    (Rule.BPE_LONGEST_MATCH, bpe("b c", "a b"), "abc", ["a", "bc"], ["ab", "c"]),
    (Rule.BPE_UNKNOWN_WORD, bpe("a b", first=["?"], unk_token="?"), "abé", ["ab", "?"], ["?"]),
    (Rule.BPE_UNKNOWN_BYTES, bpe("a b", first=["?"], unk_token="?"), "abé", ["ab", "?"], ["ab", "?", "?"]),
    (
        Rule.BPE_PARTIAL_BYTES,
        bpe("a b", first=["?", "<0xA9>"], unk_token="?", byte_fallback=True),
        "é",
        ["?"],
        ["?", "<0xA9>"],
    ),
    (Rule.WORD_PIECE_SHORTEST, word_piece("a", "ab", "##b"), "ab", ["ab"], ["a", "##b"]),
    (Rule.WORD_PIECE_FROM_RIGHT, word_piece("a", "ab", "##c", "##bc"), "abc", ["ab", "##c"], ["a", "##bc"]),
    (Rule.WORD_PIECE_UNKNOWN_REST, word_piece("a"), "axy", ["?"], ["a", "?"]),
    (Rule.WORD_PIECE_UNKNOWN_CHARACTER, word_piece("a", "##y"), "axy", ["?"], ["a", "?", "##y"]),
    (Rule.WORD_PIECE_BYTES, {**word_piece("éé"), "max_input_chars_per_word": 3}, "éé", ["éé"], ["?"]),
    (Rule.UNIGRAM_LONGEST_MATCH, unigram(("ab", -9), ("a", -1), ("b", -1)), "ab", ["a", "b"], ["ab"]),
    (Rule.UNIGRAM_LAST_TIE, unigram(("ab", -2), ("a", -1), ("b", -1)), "ab", ["ab"], ["a", "b"]),
    (
        Rule.UNIGRAM_SINGLE_PRECISION,
        unigram(("ab", -2 - 1e-9), ("a", -1), ("b", -1)),
        "ab",
        ["a", "b"],
        ["ab"],
    ),
    (
        Rule.UNIGRAM_HALF_PRECISION,
        unigram(("ab", -2 - 1e-5), ("a", -1), ("b", -1)),
        "ab",
        ["a", "b"],
        ["ab"],
    ),
    (Rule.UNIGRAM_UNKNOWN_NAMED, unigram(("a", -1)), "axy", ["a", "xy"], ["a", "?"]),
    (Rule.UNIGRAM_UNKNOWN_SEPARATE, unigram(("a", -1)), "axy", ["a", "xy"], ["a", "x", "y"]),
    (GivenCuts((("aab", (0, 2, 3)),)), unigram(("aa", -9), ("a", -1), ("b", -1)), "aab", ["a", "a", "b"], ["aa", "b"]),
]


@pytest.mark.parametrize(("change", "model", "text", "plain", "changed"), MODELS, ids=[str(row[0]) for row in MODELS])
def test_models(
    change: Change, model: dict[str, Any], text: str, plain: list[str], changed: list[str], tmp_path: Path
) -> None:
    source = written(tmp_path, model)
    assert tokens_of(source, text) == plain
    assert tokens_of(source, text, change) == changed


def test_an_unknown_byte_is_as_wide_as_it_is(tmp_path: Path) -> None:
    model = bpe("a b", first=["?"], unk_token="?")
    answer = load_variant(written(tmp_path, model), Rule.BPE_UNKNOWN_BYTES).observe(Encode("éabé"))
    assert isinstance(answer, Encoded), answer
    assert (answer.tokens, answer.offsets) == (
        ("?", "?", "ab", "?", "?"),
        ((0, 1), (0, 1), (1, 3), (3, 4), (3, 4)),
    )


def test_an_occurrence_can_merge_on_before_the_next_has_its_turn_but_in_the_variant(tmp_path: Path) -> None:
    source = written(
        tmp_path, bpe("ab a", "a b") | {"vocab": {"a": 0, "b": 1, "ab": 2, "aba": 3}, "merges": ["ab a", "a b"]}
    )
    assert tokens_of(source, "abab") == ["aba", "b"]
    assert tokens_of(source, "abab", Rule.MERGE_ALL_OCCURRENCES) == ["ab", "ab"]


# x is unknown; the score of "xa" lies between what two rules make of x and a.
UNKNOWN_SCORES = [
    (Rule.UNIGRAM_UNKNOWN_FREE, unigram(("xa", -3.5), ("a", -1.0), ("b", -4.0))),
    (Rule.UNIGRAM_UNKNOWN_LOWEST, unigram(("xa", -17.0), ("a", 5.0), ("b", -20.0))),
    (Rule.UNIGRAM_UNKNOWN_FAR, unigram(("xa", -16.0), ("a", 15.0), ("b", -20.0))),
]


@pytest.mark.parametrize(("change", "model"), UNKNOWN_SCORES)
def test_what_an_unknown_character_scores_decides(change: Rule, model: dict[str, Any], tmp_path: Path) -> None:
    source = written(tmp_path, model)
    cuts = [["x", "a"], ["xa"]]
    assert sorted([tokens_of(source, "xa"), tokens_of(source, "xa", change)]) == cuts


STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}
LOWERCASE = {"type": "Lowercase"}
NFD, NFC, NFKC = ({"type": name} for name in ("NFD", "NFC", "NFKC"))
NORMALIZERS = [
    (Rule.FINAL_SIGMA, LOWERCASE, "ΟΔΟΣ. Σ AΣ́!", "οδοσ. σ aσ́!", "οδος. σ aς́!"),
    (Rule.CASE_FOLDING, LOWERCASE, "Straße ΑΣς", "straße ασς", "strasse ασσ"),
    (Rule.SIMPLE_CASE_FOLDING, LOWERCASE, "Straße ẞς", "straße ßς", "straße ßσ"),
    (Rule.SIMPLE_LOWERCASE, LOWERCASE, "İI", "i̇i", "ii"),
    (Rule.ASCII_LOWERCASE, LOWERCASE, "AÉ", "aé", "aÉ"),
    (Rule.TURKISH_LOWERCASE, LOWERCASE, "İIA", "i̇ia", "iıa"),
    (Rule.NO_HANGUL, NFD, "한", "\u1112\u1161\u11ab", "한"),
    (Rule.NO_HANGUL, NFC, "\u1112\u1161\u11ab", "한", "\u1112\u1161\u11ab"),
    (Rule.NFD_UNORDERED, NFD, "a\u0301\u0323", "a\u0323\u0301", "a\u0301\u0323"),
    (Rule.NORMALIZED_ALONE, NFC, "e\u0301", "é", "e\u0301"),
    (Rule.ACCENTS_AFTER_CASE, {**BERT, "lowercase": True, "strip_accents": True}, "É", "e", "e"),
    (Rule.COMPOSED_ACCENTS_ONLY, {**BERT, "lowercase": True}, "Ée\u0301", "ee", "ee\u0301"),
    (Rule.NONSPACING_ACCENTS, {"type": "StripAccents"}, "a\u0903\u0301", "a", "a\u0903"),
    (Rule.CHINESE_OF_BERT, {**BERT, "lowercase": True}, "a\U0002b820中", "a\U0002b820 中 ", "a \U0002b820  中 "),
    (Rule.CHINESE_IN_BASIC_PLANE, {**BERT, "lowercase": True}, "a\U00020000中", "a \U00020000  中 ", "a\U00020000 中 "),
    (Rule.BYTE_ORDER_MARK_SPACE, STRIP, "\x85a\ufeff", "a\ufeff", "a"),
    (Rule.NEXT_LINE_NO_SPACE, STRIP, "\x85a", "a", "\x85a"),
    (Rule.PYTHON_SPACE, STRIP, "\x1fa", "\x1fa", "a"),
    (Rule.UNASSIGNED_REMOVED, {**BERT, "lowercase": True}, "a\u0378b", "a\u0378b", "ab"),
    (UnicodeVersion("10.0", (Property.CASE,)), LOWERCASE, "\u1c90", "\u10d0", "\u1c90"),
    (UnicodeVersion("12.1", (Property.NORMALIZATION,)), NFKC, "\u32ff", "\u32ff", "令和"),
    (UnicodeVersion("12.0", (Property.NORMALIZATION,)), NFKC, "\u32ff", "\u32ff", "\u32ff"),
    (UnicodeVersion("8.0", (Property.NORMALIZATION,)), NFKC, "\U0001f23b", "配", "\U0001f23b"),
    (UnicodeVersion("18.0", (Property.CASE,)), NFKC, "\u32ff", "\u32ff", "\u32ff"),
    (UnicodeVersion("14.0", (Property.CATEGORY,)), {**BERT, "lowercase": True}, "a\u1734", "a", "a\u1734"),
]


@pytest.mark.long_but(5)
@pytest.mark.parametrize(
    ("change", "normalizer", "text", "plain", "changed"), NORMALIZERS, ids=[f"{row[0]}" for row in NORMALIZERS]
)
def test_normalizers(
    change: Change, normalizer: dict[str, Any], text: str, plain: str, changed: str, tmp_path: Path
) -> None:
    source = written(tmp_path, WORDS, normalizer=normalizer)
    assert load_variant(source).observe(Normalize(text)) == Text(plain)
    assert load_variant(source, change).observe(Normalize(text)) == Text(changed)


def test_order_of_accents_and_case_shows_in_a_dotted_capital(tmp_path: Path) -> None:
    source = written(tmp_path, WORDS, normalizer={**BERT, "lowercase": True, "strip_accents": True})
    for changes in ((), (Rule.ACCENTS_AFTER_CASE,)):
        assert load_variant(source, *changes).observe(Normalize("İ")) == Text("i")


ILL_FORMED = [
    ("ByteLevel", ["â", "Ĥ", "a", "ÿ", "ÿ"], Rule.REPLACED_BYTES, "��a��"),
    ("ByteLevel", ["â", "Ĥ", "a", "ÿ", "ÿ"], Rule.REPLACED_PARTS, "�a��"),
    ("ByteLevel", ["â", "Ĥ", "a", "ÿ", "ÿ"], Rule.REPLACED_RUNS, "�a�"),
    ("ByteLevel", ["â", "Ĥ", "a", "ÿ", "ÿ"], Rule.DROPPED_BYTES, "a"),
    ("ByteLevel", ["Ã", "©"], Rule.DECODED_TOKENS, "��"),
    ("ByteFallback", ["<0xE2>", "<0x82>", "a"], Rule.REPLACED_PARTS, "�a"),
    ("ByteFallback", ["<0xE2>", "<0x82>", "a"], Rule.DROPPED_BYTES, "a"),
    ("ByteFallback", ["<0xC3>", "<0xA9>"], Rule.DECODED_TOKENS, "��"),
]


@pytest.mark.parametrize(("decoder", "tokens", "rule", "expected"), ILL_FORMED)
def test_ill_formed_bytes(decoder: str, tokens: list[str], rule: Rule, expected: str, tmp_path: Path) -> None:
    vocab = {token: number for number, token in enumerate(["?", *dict.fromkeys(tokens)])}
    decoding: dict[str, Any] = {"type": decoder}
    if decoder == "ByteLevel":
        decoding |= {"add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    else:
        decoding = {"type": "Sequence", "decoders": [decoding, {"type": "Fuse"}]}
    source = written(tmp_path, {**WORDS, "vocab": vocab}, decoder=decoding)
    ids = tuple(vocab[token] for token in tokens)
    assert load_variant(source, rule).observe(Decode(ids)) == Text(expected)


CHARSMAPS = [
    (Rule.CHARSMAP_LONGEST, "\xa0\u0301"),
    (Rule.CHARSMAP_CHARACTERS, "ﬁ\u0301"),
    (Rule.CHARSMAP_WHOLE_CLUSTERS, "ﬁ\u0301"),
    (Rule.CHARSMAP_LONG_CLUSTERS, "ﬁ\u0301\u0301\u0301"),
    (Rule.CHARSMAP_CLUSTERS_ONLY, "\uff76\uff9e"),
]


@pytest.mark.parametrize("unit", [0, 0x400, 0x7FF, 0x600, 0x3FF, 0x80000600, 0xFFFFFDFF, 0xFFFFFFFF])
def test_units_of_a_charsmap_lead_where_those_of_the_reference_do(unit: int) -> None:
    assert charsmaps._children(unit) == charsmap._children(unit)


@pytest.mark.parametrize(("rule", "text"), CHARSMAPS)
def test_charsmaps(rule: Rule, text: str) -> None:
    from tokenizer_conformance.inputs.bundled import bundled_file

    source = TokenizerSource("t5-mini", str(bundled_file("t5-mini")))
    plain, changed = (load_variant(source, *changes) for changes in ((), (rule,)))
    assert plain.observe(Normalize(text)) != changed.observe(Normalize(text))
    for harmless in ("abc", "é", "ｆｕｌｌ"):
        assert plain.observe(Normalize(harmless)) == changed.observe(Normalize(harmless))


def test_every_rule_has_its_patches() -> None:
    assert set(PATCHES) == set(Rule)


@pytest.mark.long
def test_nothing_else_sees_a_change(tmp_path: Path) -> None:
    source = written(tmp_path, word_piece("ss", "ß"), normalizer=LOWERCASE)
    before = dict(vars(unicode_tables)), dict(vars(characters)), dict(vars(normalization))
    modules = dict(sys.modules)
    changed = load_variant(source, Rule.CASE_FOLDING, UnicodeVersion("8.0"))
    reference = ReferenceImplementation().load(source)
    other = load_variant(source, Rule.FINAL_SIGMA)
    assert changed.observe(Normalize("ẞ")) == Text("ss")
    assert reference.observe(Normalize("ẞ")) == Text("ß")
    assert other.observe(Normalize("ẞ")) == Text("ß")
    assert changed.observe(Encode("ẞ")) != reference.observe(Encode("ẞ"))
    assert (dict(vars(unicode_tables)), dict(vars(characters)), dict(vars(normalization))) == before
    assert {name: module for name, module in sys.modules.items() if name in modules} == modules
    assert sys.modules["tokenizer_reference"] is tokenizer_reference


def test_what_cannot_be_loaded_is_refused_in_words(tmp_path: Path) -> None:
    source = written(tmp_path, {"type": "BPE"})
    with pytest.raises(CannotLoadError, match="variant of the reference cannot load small"):
        load_variant(source, Rule.FINAL_SIGMA)


# Unicode versions -----------------------------------------------------------------------------------------------------

HOST = unicodedata.unidata_version.removesuffix(".0") if unicodedata.unidata_version.count(".") == 2 else ""


@pytest.mark.long
@pytest.mark.skipif(HOST not in VERSIONS, reason="the version of this Python is none of the history's")
def test_categories_and_lowercase_are_those_of_the_host_in_its_version() -> None:
    host: dict[str, set[int]] = {}
    for code_point in range(0x110000):
        host.setdefault(unicodedata.category(chr(code_point)), set()).add(code_point)
    host.pop("Cn")
    assert {name: set(found) for name, found in members("General_Category", HOST).items()} == host
    lower = {code_point: value for value, found in members("Lowercase_Mapping", HOST).items() for code_point in found}
    of_host = {
        code_point: " ".join(f"{ord(part):x}" for part in chr(code_point).lower())
        for code_point in range(0x110000)
        if chr(code_point).lower() != chr(code_point)
    }
    assert lower == of_host


def test_the_tables_of_the_reference_are_those_of_their_versions() -> None:
    from tokenizer_reference.text.code_point_sets import characters as chars_of
    from tokenizer_reference.text.code_point_sets import decode_ranges

    def of(table: str) -> set[str]:
        return set(chars_of(decode_ranges(table)))

    for name, found in members("General_Category", "16.0").items():
        assert of(unicode_tables.GENERAL_CATEGORY_16_0[name]) == set(map(chr, found))
    for name, found in members("Script", "9.0").items():
        assert of(unicode_tables.SCRIPT_9_0[name]) == set(map(chr, found))
    for name, found in members("Grapheme_Cluster_Break", "17.0").items():
        assert of(unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0[name]) == set(map(chr, found))
    assert of(unicode_tables.NONSPACING_MARK_8_0) == set(map(chr, members("General_Category", "8.0")["Mn"]))
    (white_space,) = members("White_Space", "16.0").values()
    assert set(characters.WHITE_SPACE) == set(map(chr, white_space))


@pytest.mark.parametrize(
    ("char", "expected"),
    [("a", "6.0"), ("\u1c89", "16.0"), ("\u32ff", "12.1"), ("\U0001144b", "9.0"), ("\u0378", None), ("\ufdd0", None)],
)
def test_age(char: str, expected: str | None) -> None:
    assert age(char) == expected


def test_properties_that_changed_after_assignment() -> None:
    assert [value_of("General_Category", "\u180e", version) for version in ("6.2", "6.3")] == ["Zs", "Cf"]
    assert [value_of("White_Space", "\u180e", version) != "" for version in ("6.2", "6.3")] == [True, False]


def test_siblings_changed_alike_and_the_long_known_never_did() -> None:
    for other in siblings(Property.CATEGORY, "\U0001144b", "9.0", 4):
        assert (value_of("General_Category", other, "8.0"), value_of("General_Category", other, "9.0")) == ("Cn", "Po")
    found = siblings(Property.CATEGORY, "\U0001144b", "9.0", 100)
    distances = [abs(ord(other) - 0x1144B) for other in found]
    assert len(found) > 10
    assert distances == sorted(distances)
    for most in (1, 4, 5):
        nearest, farthest = most - most // 2, most // 2
        kept = [*found[:nearest], *found[len(found) - farthest :]]
        assert siblings(Property.CATEGORY, "\U0001144b", "9.0", most) == kept
    for other in long_known(Property.CATEGORY, "\U0001144b", "9.0", 4):
        assert {value_of("General_Category", other, version) for version in VERSIONS} == {"Po"}
    assert "\U0001144b" not in siblings(Property.CATEGORY, "\U0001144b", "9.0", 100)


def test_of_decompositions_a_version_says_only_of_which_characters_it_has_any() -> None:
    asked = "a\u1df9\u0378"
    known = {version: [{*values_of(Property.NORMALIZATION, char, version)} for char in asked] for version in VERSIONS}
    assert known["9.0"] == [{"assigned"}, {""}, {""}]
    assert known["10.0"] == [{"assigned"}, {"assigned"}, {""}]
    assert values_of(Property.NORMALIZATION, "a", "9.0") == values_of(Property.NORMALIZATION, "\u0903", "9.0")
