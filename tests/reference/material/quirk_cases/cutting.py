"""Cases of added tokens and pre-tokenizers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quirk_cases.asking import added, loaded, numbered, pieces, tokens_of, whole_pieces, with_added, words, written
from quirk_cases.case import Aborts, Case, Panics, Refuses, Shows, Varies

RSTRIP = {"rstrip": True}
LSTRIP = {"lstrip": True}
SINGLE_WORD = {"single_word": True}
PLAIN: dict[str, bool] = {}


def _tokens(text: str, **tokens: dict[str, bool]) -> Any:
    return lambda package: added(package, None, text, **tokens)


def _one_normalized_form(package: Any) -> object:
    tokenizer = with_added(package, {"ax": PLAIN, "ay": PLAIN}, normalizer=package.normalizers.Replace("x", "y"))
    return tuple(tokenizer.encode("ay").ids)


def _normalizer_changed(package: Any) -> object:
    tokenizer = with_added(package, {"A": PLAIN}, normalizer=package.normalizers.Prepend("x"))
    tokenizer.normalizer.prepend = "y"
    tokenizer.add_tokens(["B"])
    return tokens_of(tokenizer, "A"), tokenizer.encode("A").ids, tokenizer.encode("B").ids


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
    "ADDED-TOKENS-OF-ONE-NORMALIZED-FORM-ARE-DRAWN": Varies(
        instead="takes the lowest id", ask=_one_normalized_form, answers=frozenset({(1,), (2,)}), reference=(1,)
    ),
    "ADDED-TOKEN-INSIDE-STRIPPED-SPACE-PANICS": Panics(
        ask=_tokens("<m>  ", **{"<m>": RSTRIP, " ": LSTRIP}), message="AddedVocabulary bad split"
    ),
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-PANICS-BEYOND-ASCII": Panics(
        ask=lambda package: added(package, package.normalizers.Strip(), "é", **{"\n": PLAIN}),
        message="AddedVocabulary bad split",
    ),
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-FILLS-THE-MEMORY": Aborts(
        ask=lambda package: added(package, package.normalizers.Strip(), "xa", **{"\n": PLAIN, "ab": PLAIN})
    ),
    "NORMALIZED-FORMS-OUTLIVE-A-CHANGE-OF-THE-NORMALIZER": Shows(
        ask=_normalizer_changed,
        odd=([("yA", (0, 1))], [0], [2]),
        naive=([("yA", (0, 1))], [1], [2]),
    ),
    "ADDED-TOKEN-IDS-ARE-NOT-MOVED": Shows(ask=_model_changed, odd=(2, 2, "x"), naive=(3, 2, "b")),
    "ADDED-TOKENS-COUNT-CHANGES": Shows(ask=_counts, odd=[2, 1, 0], naive=[1, 0, 0]),
    "ADDED-TOKENS-COMPARE-AS-UNORDERED": Shows(ask=_order, odd=(False, False, False, False)),
    "UNKNOWN-OPTIONS-ARE-PRINTED": Shows(ask=_misspelt_options, odd=(0, 0, False)),
}


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
    "BYTE-ALPHABET-HAS-NO-ORDER": Varies(
        instead="gives them in the order of the bytes",
        ask=lambda package: package.pre_tokenizers.ByteLevel.alphabet()[0],
        answers=frozenset(map(chr, [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144)])),
        reference="Ā",
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
    "FIXED-LENGTH-ZERO-PANICS": Panics(
        ask=lambda package: package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a"),
        message="chunk size must be non-zero",
    ),
}
