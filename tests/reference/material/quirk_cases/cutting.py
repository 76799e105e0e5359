"""Cases of added tokens and pre-tokenizers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quirk_cases.asking import added, loaded, numbered, pieces, tokens_of, whole_pieces, with_added, words, written
from quirk_cases.case import Aborts, Case, Panics, Refuses, Shows, Varies

RSTRIP = {"rstrip": True}
LSTRIP = {"lstrip": True}
SINGLE_WORD = {"single_word": True}
RAW = {"normalized": False}
PLAIN: dict[str, bool] = {}


def _tokens(text: str, **tokens: dict[str, bool]) -> Any:
    return lambda package: added(package, None, text, **tokens)


def _read_back(package: Any) -> object:
    tokenizer = with_added(package, {"ABC": PLAIN}, normalizer=package.normalizers.Lowercase())
    return tokenizer.id_to_token(1), tokenizer.token_to_id("ABC"), tokenizer.token_to_id("abc")


def _special_with_normalized_form(package: Any) -> object:
    flags = {"special": True, "normalized": True}
    tokenizer = with_added(package, {"ABC": flags}, normalizer=package.normalizers.Lowercase())
    return tokenizer.decode([1], skip_special_tokens=True)


def _one_normalized_form(package: Any) -> object:
    tokenizer = with_added(package, {"ax": PLAIN, "ay": PLAIN}, normalizer=package.normalizers.Replace("x", "y"))
    return tuple(tokenizer.encode("ay").ids)


def _unencoded_special(package: Any) -> object:
    tokenizer = with_added(package, {"s>": RAW, "<s>": {"special": True, **RAW}})
    tokenizer.encode_special_tokens = True
    return tokens_of(tokenizer, "<s>s>")


def _added_again_unnormalized(package: Any) -> object:
    tokenizer = with_added(package, {"X": PLAIN}, normalizer=package.normalizers.Lowercase())
    tokenizer.add_tokens([package.AddedToken("X", normalized=False)])
    return tokens_of(tokenizer, "Xx"), tokenizer.id_to_token(1)


def _normalizer_changed(package: Any) -> object:
    tokenizer = with_added(package, {"A": PLAIN}, normalizer=package.normalizers.Prepend("x"))
    tokenizer.normalizer.prepend = "y"
    tokenizer.add_tokens(["B"])
    return tokens_of(tokenizer, "A"), tokenizer.encode("A").ids, tokenizer.encode("B").ids


def _special_again(package: Any) -> object:
    tokenizer = words(package, "a")
    tokenizer.add_special_tokens(["x"])
    tokenizer.add_tokens([package.AddedToken("x", special=False, normalized=True)])
    return tokenizer.get_added_tokens_decoder()[2].special, tokenizer.decode([1, 2, 1])


def _model_changed(package: Any) -> object:
    tokenizer = words(package, "a")
    tokenizer.add_tokens(["x"])
    tokenizer.model = package.models.WordLevel(numbered("<unk>", "a", "b"), unk_token="<unk>")
    return tokenizer.token_to_id("x"), tokenizer.token_to_id("b"), tokenizer.decode(tokenizer.encode("b").ids)


def _counts(package: Any) -> object:
    tokenizer = words(package, "a")
    return [
        tokenizer.add_tokens(["x", "x", "", "a"]),
        tokenizer.add_tokens([package.AddedToken("x", lstrip=True)]),
        tokenizer.add_tokens([package.AddedToken("x", lstrip=True)]),
    ]


def _special_from_text(package: Any) -> object:
    tokenizer = words(package, "a")
    tokenizer.add_special_tokens(["<s>"])
    encoding = tokenizer.encode("<s> a")
    return encoding.tokens, encoding.special_tokens_mask


def _order(package: Any) -> object:
    low, high = package.AddedToken("a"), package.AddedToken("b")
    return low < high, low <= high, low > high, low >= high


def _misspelt_options(package: Any) -> object:
    tokenizer = words(package)
    tokenizer.enable_truncation(4, strides=2)
    tokenizer.enable_padding(pad_idd=2)
    token = package.AddedToken("a", lstripp=True)
    package.models.BPE({}, [], dropuot=0.5)
    package.models.WordPiece({}, unk="x")
    return tokenizer.truncation["stride"], tokenizer.padding["pad_id"], token.lstrip


class _FailsAtB:
    def normalize(self, normalized: Any) -> None:
        if normalized.original == "B":
            raise ValueError(normalized.original)
        normalized.lowercase()


def _added_before_an_error(package: Any) -> object:
    tokenizer = whole_pieces(package, normalizer=package.normalizers.Normalizer.custom(_FailsAtB()))
    with suppress(Exception):
        tokenizer.add_tokens(["aa", "B", "cc"])
    found = [tokenizer.encode("aacc").tokens]
    tokenizer.add_tokens([])
    return [*found, tokenizer.encode("aacc").tokens, tokenizer.get_vocab_size()]


def _forms_after_an_error(package: Any) -> tuple[object, ...]:
    tokenizer = whole_pieces(package)
    tokenizer.add_tokens(["A", "B"])
    with suppress(Exception):
        tokenizer.normalizer = package.normalizers.Normalizer.custom(_FailsAtB())
    return tokenizer.normalizer is not None, tokenizer.id_to_token(1), tuple(tokenizer.encode("A-a").tokens)


ADDED_TOKENS: dict[str, Case] = {
    "TOKENS-ADDED-BEFORE-AN-ERROR-ARE-NOT-FOUND": Shows(
        ask=_added_before_an_error,
        odd=[["aacc"], ["aa", "cc"], 2],
        naive=[["aacc"], ["aacc"], 1],
    ),
    "NORMALIZED-FORMS-AFTER-AN-ERROR-ARE-DRAWN": Varies(
        instead="normalizes the contents in the order in which they were added",
        ask=_forms_after_an_error,
        answers=frozenset({(True, "a", ("a-a",)), (True, "A", ("a-a",))}),
        reference=(True, "a", ("a-a",)),
    ),
    "ADDED-TOKEN-READS-BACK-NORMALIZED": Shows(ask=_read_back, odd=("abc", 1, None), naive=("ABC", 1, None)),
    "SPECIAL-TOKEN-WITH-NORMALIZED-FORM-IS-DECODED": Shows(ask=_special_with_normalized_form, odd="abc", naive=""),
    "ADDED-TOKENS-OF-ONE-NORMALIZED-FORM-ARE-DRAWN": Varies(
        instead="takes the lowest id", ask=_one_normalized_form, answers=frozenset({(1,), (2,)}), reference=(1,)
    ),
    "RSTRIP-LETS-ADDED-TOKENS-OVERLAP": Shows(
        ask=_tokens("<m> b", **{"<m>": RSTRIP, " b": PLAIN}),
        odd=[("<m> ", (0, 4)), (" b", (3, 5))],
        naive=[("<m> ", (0, 4)), ("b", (4, 5))],
    ),
    "ADDED-TOKEN-INSIDE-STRIPPED-SPACE-PANICS": Panics(
        ask=_tokens("<m>  ", **{"<m>": RSTRIP, " ": LSTRIP}), message="AddedVocabulary bad split"
    ),
    "REJECTED-ADDED-TOKEN-CONSUMES-ITS-TEXT": Shows(
        ask=_tokens("xabc", abc=SINGLE_WORD, bc=PLAIN),
        odd=[("xabc", (0, 4))],
        naive=[("xa", (0, 2)), ("bc", (2, 4))],
    ),
    "ENCODE-SPECIAL-TOKENS-CONSUMES-THEIR-TEXT": Shows(
        ask=_unencoded_special,
        odd=[("<s>", (0, 3)), ("s>", (3, 5))],
        naive=[("<", (0, 1)), ("s>", (1, 3)), ("s>", (3, 5))],
    ),
    "ADDED-TOKEN-VALUE-KEEPS-STRIPPED-SPACE": Shows(
        ask=_tokens("a  <m>  b", **{"<m>": {**LSTRIP, **RSTRIP}}),
        odd=[("a", (0, 1)), ("  <m>  ", (1, 8)), ("b", (8, 9))],
        naive=[("a", (0, 1)), ("<m>", (1, 8)), ("b", (8, 9))],
    ),
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-MATCHES-EVERYWHERE": Shows(
        ask=lambda package: added(package, package.normalizers.Strip(), "ab", **{"\n": PLAIN}),
        odd=[("a", (0, 1)), ("b", (1, 2))],
        naive=[("ab", (0, 2))],
    ),
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-PANICS-BEYOND-ASCII": Panics(
        ask=lambda package: added(package, package.normalizers.Strip(), "é", **{"\n": PLAIN}),
        message="AddedVocabulary bad split",
    ),
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-FILLS-THE-MEMORY": Aborts(
        ask=lambda package: added(package, package.normalizers.Strip(), "xa", **{"\n": PLAIN, "ab": PLAIN})
    ),
    "NORMALIZED-FORM-OUTLIVES-ITS-TOKEN": Shows(
        ask=_added_again_unnormalized,
        odd=([("X", (0, 1)), ("x", (1, 2))], "x"),
        naive=([("X", (0, 1)), ("x", (1, 2))], "X"),
    ),
    "NORMALIZED-FORMS-OUTLIVE-A-CHANGE-OF-THE-NORMALIZER": Shows(
        ask=_normalizer_changed,
        odd=([("yA", (0, 1))], [0], [2]),
        naive=([("yA", (0, 1))], [1], [2]),
    ),
    "SPECIAL-TOKEN-STAYS-SPECIAL": Shows(ask=_special_again, odd=(False, "a a"), naive=(False, "a x a")),
    "ADDED-TOKEN-IDS-ARE-NOT-MOVED": Shows(ask=_model_changed, odd=(2, 2, "x"), naive=(3, 2, "b")),
    "ADDED-TOKENS-COUNT-CHANGES": Shows(ask=_counts, odd=[2, 1, 0], naive=[1, 0, 0]),
    "SPECIAL-TOKEN-FROM-TEXT-IS-NOT-IN-THE-MASK": Shows(
        ask=_special_from_text, odd=(["<s>", "a"], [0, 0]), naive=(["<s>", "a"], [1, 0])
    ),
    "SINGLE-WORD-LOOKS-AT-MARKS-AND-JOINERS": Shows(
        ask=lambda package: [
            len(added(package, None, text, ab=SINGLE_WORD)) > 1 for text in ("ab(", "ab\u0301", "ab\u200d", "ab²")
        ],
        odd=[True, False, False, True],
        naive=[True, True, True, False],  # by Python's `re`
    ),
    "ADDED-TOKENS-COMPARE-AS-UNORDERED": Shows(ask=_order, odd=(False, False, False, False)),
    "UNKNOWN-OPTIONS-ARE-PRINTED": Shows(ask=_misspelt_options, odd=(0, 0, False)),
}


def _in_pipeline(package: Any, pre_tokenizer: Any, text: Any, normalizer: Any = None, **options: Any) -> object:
    tokenizer = whole_pieces(package, pre_tokenizer=pre_tokenizer, normalizer=normalizer)
    tokenizer.add_special_tokens(["<s>"])
    return tokens_of(tokenizer, text, **options)


def _byte_level(package: Any, **options: Any) -> Any:
    return package.pre_tokenizers.ByteLevel(**{"add_prefix_space": False, **options})


def _older_metaspace(package: Any, **options: Any) -> Any:
    document = {"type": "Metaspace", "replacement": "▁", **options}
    tokenizer = loaded(package, pre_tokenizer=document, decoder=document)
    return pieces(tokenizer.pre_tokenizer, "a"), sorted(written(tokenizer)["pre_tokenizer"])


def _behavior(package: Any) -> object:
    split = package.pre_tokenizers.Split("a", "merged_with_next")
    name = split.behavior
    try:
        package.pre_tokenizers.Split("a", name)
    except ValueError:
        return name, "refused"
    return name, "taken"


PRE_TOKENIZERS: dict[str, Case] = {
    "UNICODE-SCRIPTS-DROP-LEADING-BLANKS": Shows(
        ask=lambda package: package.pre_tokenizers.UnicodeScripts().pre_tokenize_str("  hi 京"),
        odd=[("hi ", (2, 5)), ("京", (5, 6))],
        naive=[("  hi ", (0, 5)), ("京", (5, 6))],
    ),
    "UNICODE-SCRIPTS-DROP-BLANK-TEXT": Shows(
        ask=lambda package: package.pre_tokenizers.UnicodeScripts().pre_tokenize_str("   "),
        odd=[],
        naive=[("   ", (0, 3))],
    ),
    "UNICODE-SCRIPTS-TAKE-KANA-FOR-HAN": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.UnicodeScripts(), "京ひカー"),
        odd=["京ひカー"],
        naive=["京", "ひ", "カ", "ー"],
    ),
    "UNICODE-SCRIPTS-SET-MARKS-AND-DIGITS-APART": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.UnicodeScripts(), "a3 e\u0301"),
        odd=["a", "3 ", "e", "\u0301"],
        naive=["a3 e\u0301"],
    ),
    "UNICODE-SCRIPTS-OF-UNICODE-9": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.UnicodeScripts(), "a\U00010d00b"),
        odd=["a\U00010d00b"],
        naive=["a", "\U00010d00", "b"],
    ),
    "WHITESPACE-TAKES-SUPERSCRIPTS-FOR-SYMBOLS": Shows(
        ask=lambda package: (
            pieces(package.pre_tokenizers.Whitespace(), "x²y"),
            pieces(package.pre_tokenizers.Split(package.Regex(r"\w+|[^\w\s]+"), "isolated"), "x²y"),
        ),
        odd=(["x", "²", "y"], ["x²y"]),
    ),
    "WHITESPACE-TAKES-JOINERS-FOR-LETTERS": Shows(
        ask=lambda package: (
            pieces(package.pre_tokenizers.Whitespace(), "a\u200db"),
            pieces(package.pre_tokenizers.Split(package.Regex(r"\w+|[^\w\s]+"), "isolated"), "a\u200db"),
        ),
        odd=(["a\u200db"], ["a", "\u200d", "b"]),
    ),
    "PUNCTUATION-OF-UNICODE-8": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.Punctuation(), "a\u2e42b\u2e43c\u166dd"),
        odd=["a", "\u2e42", "b\u2e43c", "\u166d", "d"],
        naive=["a", "\u2e42", "b", "\u2e43", "c\u166dd"],
    ),
    "SYMBOLS-OF-ASCII-ARE-PUNCTUATION": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.BertPreTokenizer(), "a$b+c€d×e"),
        odd=["a", "$", "b", "+", "c€d×e"],
        naive=["a$b+c€d×e"],
    ),
    "DIGITS-ARE-ALL-NUMBERS": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.Digits(), "a½bⅧc二d\U00011de0e"),
        odd=["a", "½", "b", "Ⅷ", "c二d", "\U00011de0", "e"],
        naive=["a", "½", "b", "Ⅷ", "c", "二", "d", "\U00011de0", "e"],  # str.isnumeric of a Python with Unicode 17
    ),
    "BYTE-LEVEL-PREFIXES-OTHER-WHITE-SPACE": Shows(
        ask=lambda package: package.pre_tokenizers.ByteLevel().pre_tokenize_str("\na"),
        odd=[("Ġ", (0, 1)), ("Ċ", (0, 1)), ("a", (1, 2))],
        naive=[("Ċ", (0, 1)), ("a", (1, 2))],
    ),
    "BYTE-LEVEL-PREFIXES-EVERY-SPLIT": Shows(
        ask=lambda package: pieces(
            package.pre_tokenizers.Sequence([package.pre_tokenizers.Digits(), package.pre_tokenizers.ByteLevel()]), "a1"
        ),
        odd=["Ġa", "Ġ1"],
        naive=["Ġa", "1"],
    ),
    "BYTE-LEVEL-PIECES-OF-A-CHARACTER-SHARE-OFFSETS": Shows(
        ask=lambda package: tokens_of(
            words(package, pre_tokenizer=_byte_level(package), model=package.models.BPE({"Ã": 0, "©": 1}, [])), "é"
        ),
        odd=[("Ã", (0, 1)), ("©", (0, 1))],
        naive=[("Ã", (0, 1)), ("©", (1, 1))],
    ),
    "BYTE-LEVEL-CONTRACTIONS-ARE-LOWERCASE": Shows(
        ask=lambda package: [pieces(_byte_level(package), text) for text in ("it's", "IT'S")],
        odd=[["it", "'s"], ["IT", "'", "S"]],
        naive=[["it", "'s"], ["IT", "'S"]],
    ),
    "BYTE-LEVEL-LETTERS-OF-UNICODE-16": Shows(
        ask=lambda package: [len(pieces(_byte_level(package), text)) for text in ("a\ua7cd", "a\ua7ce")],
        odd=[1, 2],
        naive=[1, 1],
    ),
    "BYTE-ALPHABET-HAS-NO-ORDER": Varies(
        instead="gives them in the order of the bytes",
        ask=lambda package: package.pre_tokenizers.ByteLevel.alphabet()[0],
        answers=frozenset(map(chr, [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144)])),
        reference="Ā",
    ),
    "METASPACE-REPLACES-ONE-KIND-OF-SPACE": Shows(
        ask=lambda package: pieces(package.pre_tokenizers.Metaspace(), "a\xa0b\u3000c d"),
        odd=["▁a\xa0b\u3000c", "▁d"],
        naive=["▁a", "▁b", "▁c", "▁d"],
    ),
    "METASPACE-TAKES-ITS-MARK-FOR-A-SPACE": Shows(
        ask=lambda package: package.pre_tokenizers.Metaspace().pre_tokenize_str("▁a▁b"),
        odd=[("▁a", (0, 2)), ("▁b", (2, 4))],
        naive=[("▁▁a▁b", (0, 4))],
    ),
    "METASPACE-ALWAYS-MEANS-EVERY-PIECE": Shows(
        ask=lambda package: _in_pipeline(package, package.pre_tokenizers.Metaspace(), "a<s>b"),
        odd=[("▁a", (0, 1)), ("<s>", (1, 4)), ("▁b", (4, 5))],
        naive=[("▁a", (0, 1)), ("<s>", (1, 4)), ("b", (4, 5))],
    ),
    "METASPACE-FIRST-MEANS-EVERY-WORD": Shows(
        ask=lambda package: _in_pipeline(
            package, package.pre_tokenizers.Metaspace(prepend_scheme="first"), ["a", "b"], is_pretokenized=True
        ),
        odd=[("▁a", (0, 1)), ("▁b", (0, 1))],
        naive=[("▁a", (0, 1)), ("b", (0, 1))],
    ),
    "METASPACE-FIRST-LOOKS-AT-THE-ORIGINAL": Shows(
        ask=lambda package: [
            _in_pipeline(
                package, package.pre_tokenizers.Metaspace(prepend_scheme="first"), text, package.normalizers.Strip()
            )
            for text in ("a", " a")
        ],
        odd=[[("▁a", (0, 1))], [("a", (1, 2))]],
        naive=[[("▁a", (0, 1))], [("▁a", (1, 2))]],
    ),
    "METASPACE-IGNORES-ITS-OLDER-OPTION": Shows(
        ask=lambda package: _older_metaspace(package, add_prefix_space=True, prepend_scheme="never"),
        odd=(["a"], ["prepend_scheme", "replacement", "split", "type"]),
        naive=(["▁a"], ["add_prefix_space", "prepend_scheme", "replacement", "split", "type"]),
    ),
    "METASPACE-REFUSES-ITS-OLDER-OPTION": Refuses(
        ask=lambda package: _older_metaspace(package, add_prefix_space=False),
        message="add_prefix_space does not match declared prepend_scheme",
    ),
    "BEHAVIOR-READS-OTHER-THAN-IT-IS-SET": Shows(
        ask=_behavior, odd=("mergedwithnext", "refused"), naive=("merged_with_next", "taken")
    ),
    "PATTERN-CANNOT-BE-READ": Refuses(
        ask=lambda package: package.pre_tokenizers.Split("a", "isolated").pattern, message="Cannot get pattern"
    ),
    "MERGING-SPARES-RUNS-OF-MATCHES": Shows(
        ask=lambda package: [
            pieces(package.pre_tokenizers.Split(" ", behavior), "  a b  ")
            for behavior in ("merged_with_previous", "merged_with_next")
        ],
        odd=[[" ", " ", "a ", "b ", " "], [" ", " a", " b", " ", " "]],
        naive=[["  ", "a ", "b  "], ["  a", " b", "  "]],
    ),
    "SPLITTING-AT-NOTHING-GIVES-CHARACTERS": Shows(
        ask=lambda package: [
            pieces(package.pre_tokenizers.Split("", behavior), "abc")
            for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")
        ],
        odd=[["a", "b", "c"]] * 5,
        naive=[["abc"]] * 5,
    ),
    "FIXED-LENGTH-ZERO-PANICS": Panics(
        ask=lambda package: package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a"),
        message="chunk size must be non-zero",
    ),
}
