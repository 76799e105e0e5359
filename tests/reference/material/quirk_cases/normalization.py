"""Cases of aligned texts and normalizers."""

from __future__ import annotations

from typing import Any

from double_array import charsmap

from quirk_cases.asking import aligned, loaded, tokens_of, whole_pieces
from quirk_cases.case import Aborts, Case, Panics, Refuses, Shows
from tokenizer_reference.errors import TokenizerFileError


def _insertion(package: Any, *others: Any) -> Any:
    """Return a normalizer that inserts A before the text, and then does what ``others`` do."""
    return package.normalizers.Sequence([package.normalizers.Replace(package.Regex("^"), "A"), *others])


def _changed(package: Any, text: str, *changes: tuple[str, Any]) -> str:
    """Return what a NormalizedString becomes by calls of its methods."""
    normalized = package.NormalizedString(text)
    for name, *arguments in changes:
        getattr(normalized, name)(*arguments)
    return str(normalized)


def _cut_at_nothing(package: Any, text: str) -> list[str]:
    return [str(piece) for piece in package.NormalizedString(text).split("", "isolated")]


def _mapped(package: Any, replacements: dict[str, str]) -> Any:
    return package.normalizers.Precompiled(list(charsmap(replacements)))


def _offsets_of_normalized_split(package: Any) -> object:
    text = package.PreTokenizedString("éa")
    text.normalize(lambda normalized: normalized.replace("é", "ab"))
    return text.get_splits("normalized", "char")


class _LowersAndFails:
    def normalize(self, normalized: Any) -> None:
        normalized.lowercase()
        raise ValueError("no more")


class _SplitsAtNothing:
    def normalize(self, normalized: Any) -> None:
        normalized.split("", "isolated")


def _custom(package: Any, component: Any) -> Any:
    return package.normalizers.Normalizer.custom(component())


def _between_added_tokens(package: Any, normalizer: Any, text: str) -> list[str]:
    tokenizer = whole_pieces(package, normalizer=normalizer)
    tokenizer.add_special_tokens(["<s>"])
    return [token for token, _ in tokens_of(tokenizer, text)]


def _bert(package: Any, text: str, **options: Any) -> str:
    return package.normalizers.BertNormalizer(**options).normalize_str(text)


ALIGNED_TEXT: dict[str, Case] = {
    "REPLACEMENT-ALIGNED-TO-LAST-CHARACTER": Shows(
        ask=lambda package: aligned(package, package.normalizers.Replace("ab", "XY"), "abc"),
        odd=[("X", (1, 2)), ("Y", (1, 2)), ("c", (2, 3))],
        naive=[("X", (0, 2)), ("Y", (0, 2)), ("c", (2, 3))],
    ),
    "COMPOSITION-ALIGNED-TO-FIRST-CHARACTER": Shows(
        ask=lambda package: aligned(package, package.normalizers.NFC(), "e\u0301x"),
        odd=[("é", (0, 1)), ("x", (2, 3))],
        naive=[("é", (0, 2)), ("x", (2, 3))],
    ),
    "REORDERED-MARKS-ALIGNED-BY-POSITION": Shows(
        ask=lambda package: aligned(package, package.normalizers.NFD(), "a\u0301\u0323"),
        odd=[("a", (0, 1)), ("\u0323", (1, 2)), ("\u0301", (2, 3))],
        naive=[("a", (0, 1)), ("\u0323", (2, 3)), ("\u0301", (1, 2))],
    ),
    "REORDERED-DECOMPOSED-MARK-ALIGNED-TO-NEIGHBOUR": Shows(
        ask=lambda package: aligned(package, package.normalizers.NFD(), "\u00e0\u0323"),
        odd=[("a", (0, 1)), ("\u0323", (1, 2)), ("\u0300", (1, 2))],
        naive=[("a", (0, 1)), ("\u0323", (1, 2)), ("\u0300", (0, 1))],
    ),
    "INSERTION-AT-START-HAS-EMPTY-OFFSETS": Shows(
        ask=lambda package: aligned(package, _insertion(package), "xy"),
        odd=[("A", (0, 0)), ("x", (0, 1)), ("y", (1, 2))],
        naive=[("A", (0, 1)), ("x", (0, 1)), ("y", (1, 2))],
    ),
    "INSERTION-AT-START-PANICS-IN-LATER-NORMALIZERS": Panics(
        ask=lambda package: _insertion(package, package.normalizers.Lowercase()).normalize_str("Hello"),
        message="index out of bounds: the len is 6 but the index is 6",
    ),
    "INSERTION-AT-START-IS-DOUBLED-BY-REMOVALS": Shows(
        ask=lambda package: _insertion(package, package.normalizers.Strip()).normalize_str("be "),
        odd="AAbe",
        naive="Abe",
    ),
    "TEXT-PUT-INTO-EMPTY-TEXT-IS-DOUBLED": Shows(
        ask=lambda package: _changed(package, "", ("append", "X"), ("lowercase",)),
        odd="xX",
        naive="x",
    ),
    "PREPENDED-TEXT-ALIGNED-TO-FIRST-CHARACTER": Shows(
        ask=lambda package: aligned(package, package.normalizers.Prepend("▁"), "ab"),
        odd=[("▁", (0, 1)), ("a", (0, 1)), ("b", (1, 2))],
        naive=[("▁", (0, 0)), ("a", (0, 1)), ("b", (1, 2))],
    ),
    "PREPENDING-NOTHING-UNALIGNS-FIRST-CHARACTER": Shows(
        ask=lambda package: aligned(package, package.normalizers.Prepend(""), "ab"),
        odd=[("a", (0, 0)), ("b", (1, 2))],
        naive=[("a", (0, 1)), ("b", (1, 2))],
    ),
    "PREPENDING-TO-NOTHING-DOES-NOTHING": Shows(
        ask=lambda package: (
            package.normalizers.Prepend("x").normalize_str(""),
            _changed(package, "", ("prepend", "x")),
        ),
        odd=("", ""),
        naive=("x", "x"),
    ),
    "OFFSETS-OF-NORMALIZED-SPLITS-TAKE-BYTES-FOR-OTHERS": Shows(
        ask=_offsets_of_normalized_split, odd=[("aba", (0, 2), None)], naive=[("aba", (0, 3), None)]
    ),
    "ENUMERATIONS-ARE-NO-ARGUMENTS": Refuses(
        ask=lambda package: package.NormalizedString("a b").split(" ", package.SplitDelimiterBehavior.REMOVED),
        message="'SplitDelimiterBehavior' object is not an instance of 'str'",
    ),
    "NEGATIVE-INDEX-COUNTS-FROM-BYTE-LENGTH": Shows(
        ask=lambda package: (package.NormalizedString("éa")[-1], str(package.NormalizedString("ea")[-1])),
        odd=(None, "a"),
    ),
    "SLICE-IGNORES-ITS-STEP": Shows(
        ask=lambda package: str(package.NormalizedString("abcd")[0:4:2]),
        odd="abcd",
        naive="ac",
    ),
    "SLICE-THAT-ENDS-BEFORE-ITS-START-GOES-TO-THE-END": Shows(
        ask=lambda package: str(package.NormalizedString("abcd")[2:1]),
        odd="cd",
        naive="",
    ),
    "SPLITTING-AT-NOTHING-COUNTS-CHARACTERS-AS-BYTES": Shows(
        ask=lambda package: (_cut_at_nothing(package, "ab"), _cut_at_nothing(package, "éa")),
        odd=(["ab"], ["é"]),
        naive=(["ab"], ["éa"]),
    ),
    "SPLITTING-AT-NOTHING-PANICS-INSIDE-A-CHARACTER": Panics(
        ask=lambda package: _cut_at_nothing(package, "日"),
        message="NormalizedString bad split",
    ),
    "EMPTY-STRING-MATCHES-IN-COMPONENTS-ONLY": Shows(
        ask=lambda package: (
            package.normalizers.Replace("", "-").normalize_str("ab"),
            _changed(package, "ab", ("replace", "", "-")),
        ),
        odd=("-a-b-", "ab"),
    ),
    "EMPTY-TEXT-HAS-NO-MATCH": Shows(
        ask=lambda package: package.normalizers.Replace(package.Regex("^"), "-").normalize_str(""),
        odd="",
        naive="-",
    ),
}

NORMALIZERS: dict[str, Case] = {
    "LOWERCASE-HAS-NO-FINAL-SIGMA": Shows(
        ask=lambda package: (package.normalizers.Lowercase().normalize_str("ΑΣ"), _bert(package, "ΑΣ")),
        odd=("ασ", "ασ"),
        naive=("ας", "ας"),
    ),
    "LOWERCASE-OF-UNICODE-17": Shows(
        ask=lambda package: package.normalizers.Lowercase().normalize_str("\u1c89\ua7ce\ua7dc\U00016ea0"),
        odd="\u1c8a\ua7cf\u019b\U00016ebb",
        naive="\u1c8a\ua7ce\u019b\U00016ea0",  # Unicode 16.0, as elsewhere in the target
    ),
    "DECOMPOSITIONS-OF-UNICODE-9": Shows(
        ask=lambda package: package.normalizers.NFKC().normalize_str("\u32fe\u32ff\ua7f2"),
        odd="ヲ\u32ff\ua7f2",
        naive="ヲ令和C",
    ),
    "COMPOSITIONS-OF-UNICODE-9": Shows(
        ask=lambda package: package.normalizers.NFC().normalize_str("\U00011935\U00011930"),
        odd="\U00011935\U00011930",
        naive="\U00011938",
    ),
    "MARK-ORDER-OF-UNICODE-9": Shows(
        ask=lambda package: package.normalizers.NFD().normalize_str("a\u0301\u0325|a\u0301\u1abf"),
        odd="a\u0325\u0301|a\u0301\u1abf",
        naive="a\u0325\u0301|a\u1abf\u0301",
    ),
    "STRIP-ACCENTS-DECOMPOSES-NOTHING": Shows(
        ask=lambda package: package.normalizers.StripAccents().normalize_str("ée\u0301"),
        odd="ée",
        naive="ee",
    ),
    "STRIP-ACCENTS-REMOVES-ALL-MARKS": Shows(
        ask=lambda package: package.normalizers.StripAccents().normalize_str("\u0915\u0903 \u0915\u0940 1\u20dd"),
        odd="\u0915 \u0915 1",
        naive="\u0915\u0903 \u0915\u0940 1\u20dd",
    ),
    "STRIP-ACCENTS-OF-UNICODE-9": Shows(
        ask=lambda package: package.normalizers.StripAccents().normalize_str("a\u1abe|a\u1abf|a\u1df9"),
        odd="a|a\u1abf|a\u1df9",
        naive="a|a|a",
    ),
    "BERT-DELETES-LINE-CONTROLS": Shows(
        ask=lambda package: _bert(package, "a\x0bb\x0cc\x85d\te\u2028f"),
        odd="abcd e f",
        naive="a b c d e f",
    ),
    "BERT-CONTROLS-OF-UNICODE-8": Shows(
        ask=lambda package: _bert(package, "a\u06dd|a\u08e2|a\u0890"),
        odd="a|a\u08e2|a\u0890",
        naive="a|a|a",
    ),
    "BERT-KEEPS-UNASSIGNED-CHARACTERS": Shows(
        ask=lambda package: _bert(package, "a\u0378"),
        odd="a\u0378",
        naive="a",
    ),
    "BERT-CHINESE-BLOCK-BEGINS-LATE": Shows(
        ask=lambda package: _bert(package, "a\U0002b820b\U0002b920c"),
        odd="a\U0002b820b \U0002b920 c",
        naive="a \U0002b820 b \U0002b920 c",
    ),
    "BERT-SPACES-AROUND-CHINESE-HAVE-ITS-OFFSETS": Shows(
        ask=lambda package: aligned(package, package.normalizers.BertNormalizer(), "中"),
        odd=[(" ", (0, 1)), ("中", (0, 1)), (" ", (0, 1))],
        naive=[(" ", (0, 0)), ("中", (0, 1)), (" ", (1, 1))],
    ),
    "BERT-STRIPS-NONSPACING-MARKS-ONLY": Shows(
        ask=lambda package: (
            _bert(package, "a\u0301 a\u0903 a\u20dd"),
            package.normalizers.StripAccents().normalize_str("a\u0301 a\u0903 a\u20dd"),
        ),
        odd=("a a\u0903 a\u20dd", "a a a"),
    ),
    "BERT-ACCENTS-OF-UNICODE-8": Shows(
        ask=lambda package: _bert(package, "a\u1734|a\U0001e944"),
        odd="a|a\U0001e944",
        naive="a\u1734|a",
    ),
    "BERT-STRIPS-ACCENTS-BEFORE-LOWERCASING": Shows(
        ask=lambda package: (_bert(package, "İ"), _bert(package, "İ", strip_accents=False)),
        odd=("i", "i\u0307"),
    ),
    "NMT-KEEPS-NUL": Shows(
        ask=lambda package: package.normalizers.Nmt().normalize_str("a\x00b\x01c"),
        odd="a\x00bc",
        naive="abc",
    ),
    "NMT-TREATS-VERTICAL-TAB-AND-FORM-FEED-UNLIKE": Shows(
        ask=lambda package: package.normalizers.Nmt().normalize_str("a\x0bb\x0cc"),
        odd="ab c",
        naive="a b c",
    ),
    "NMT-MAKES-SPACES-OF-JOINERS": Shows(
        ask=lambda package: package.normalizers.Nmt().normalize_str("\U0001f469\u200d\U0001f680"),
        odd="\U0001f469 \U0001f680",
        naive="\U0001f469\u200d\U0001f680",
    ),
    "NMT-LEAVES-MOST-SPACES": Shows(
        ask=lambda package: package.normalizers.Nmt().normalize_str("a\u1680b\xa0c\u2003d\u3000e"),
        odd="a b\xa0c\u2003d\u3000e",
        naive="a b c d e",
    ),
    "WHITE-SPACE-WITHOUT-INFORMATION-SEPARATORS": Shows(
        ask=lambda package: (
            package.normalizers.Strip().normalize_str("\x1ca\u3000"),
            package.pre_tokenizers.WhitespaceSplit().pre_tokenize_str("a\x1cb"),
        ),
        odd=("\x1ca", [("a\x1cb", (0, 3))]),
        naive=("\x1ca\u3000".strip(), [("a", (0, 1)), ("b", (2, 3))]),
    ),
    "CHARSMAP-PREFIX-REPLACES-WHOLE-CLUSTER": Shows(
        ask=lambda package: _mapped(package, {"①": "1"}).normalize_str("①\u0301"),
        odd="1",
        naive="1\u0301",
    ),
    "CHARSMAP-LONG-CLUSTERS-GO-BY-CHARACTER": Shows(
        ask=lambda package: [
            _mapped(package, {"１": "1"}).normalize_str(text) for text in ("１\u0301", "１\u0301\u0302\u0303")
        ],
        odd=["1", "1\u0301\u0302\u0303"],
    ),
    "CHARSMAP-SHORTEST-KEY-WINS": Shows(
        ask=lambda package: _mapped(package, {"e": "x", "e\u0301": "y"}).normalize_str("e\u0301"),
        odd="x",
        naive="y",
    ),
    "CHARSMAP-KEYS-ACROSS-CLUSTERS-NEVER-MATCH": Shows(
        ask=lambda package: _mapped(package, {"ab": "X", "c": "Y"}).normalize_str("abc"),
        odd="abY",
        naive="XY",
    ),
    "CHARSMAP-CLUSTERS-OF-UNICODE-17": Shows(
        ask=lambda package: _mapped(package, {"a": "Z"}).normalize_str("a\u1ace|a\u1acf"),
        odd="Z|Z",
        naive="Z|Z\u1acf",
    ),
    "CHARSMAP-REMOVAL-AT-START-SHIFTS-OFFSETS": Shows(
        ask=lambda package: aligned(package, _mapped(package, {"\u200b": ""}), "\u200bab"),
        odd=[("a", (0, 1)), ("b", (1, 2))],
        naive=[("a", (1, 2)), ("b", (2, 3))],
    ),
    "CHARSMAP-REMOVAL-AFTER-EXPANSION-SHIFTS-OFFSETS": Shows(
        ask=lambda package: aligned(package, _mapped(package, {"\u200b": "", "½": "1/2"}), "½\u200ba"),
        odd=[("1", (0, 1)), ("/", (0, 1)), ("2", (1, 2)), ("a", (2, 3))],
        naive=[("1", (0, 1)), ("/", (0, 1)), ("2", (0, 1)), ("a", (2, 3))],
    ),
    "CHARSMAP-THAT-IS-NONE-PANICS-IN-A-FILE": Panics(
        instead="raises TokenizerFileError, which names the place",
        ask=lambda package: loaded(package, normalizer={"type": "Precompiled", "precompiled_charsmap": "AA=="}),
        message="Cannot parse precompiled_charsmap",
        error=TokenizerFileError,
    ),
    "CHARSMAP-WITH-BROKEN-TRIE-PANICS": Panics(
        ask=lambda package: package.normalizers.Precompiled(list(bytes(4))).normalize_str("a"),
        message="index out of bounds: the len is 0 but the index is 0",
    ),
    "NORMALIZERS-SEE-PIECES": Shows(
        ask=lambda package: (
            _between_added_tokens(package, package.normalizers.Prepend("_"), "a<s>b"),
            _between_added_tokens(package, package.normalizers.Strip(), "a <s> b"),
        ),
        odd=(["_a", "<s>", "_b"], ["a", "<s>", "b"]),
        naive=(["_a", "<s>", "b"], ["a ", "<s>", " b"]),
    ),
    "ERROR-IN-A-NORMALIZER-IS-SWALLOWED": Shows(
        ask=lambda package: tokens_of(whole_pieces(package, normalizer=_custom(package, _LowersAndFails)), "A"),
        odd=[("a", (0, 1))],
    ),
    "PANIC-IN-A-CUSTOM-COMPONENT-ABORTS": Aborts(
        ask=lambda package: _custom(package, _SplitsAtNothing).normalize_str("日"),
    ),
}
