"""Cases of tokenizer.json and of what Python sees."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np

from quirk_cases.asking import file, loaded, words, written
from quirk_cases.case import Case, Refuses, Shows


def _kind(package: Any, part: str, document: Any) -> str:
    return type(getattr(loaded(package, **{part: document}), part)).__name__


def _kinds(package: Any, *parts: tuple[str, Any]) -> list[str]:
    return [_kind(package, part, document) for part, document in parts]


def _with_member(document: str, key: str, value: Any) -> str:
    """Return a JSON object with one more member at its end, which it may have already."""
    return f"{document.removesuffix('}')}, {json.dumps(key)}: {json.dumps(value)}}}"


def _added_token(id_: int, content: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {"id": id_, "content": content, **flags}


def _repeated_keys(package: Any) -> object:
    prepend = _with_member(json.dumps({"type": "Prepend", "prepend": "x"}), "prepend", "y")
    in_component = file().replace("{", f'{{"normalizer": {prepend}, ', 1)
    at_top = _with_member(file(normalizer={"type": "NFC"}), "normalizer", {"type": "NFD"})
    return (
        type(package.Tokenizer.from_str(at_top).normalizer).__name__,
        package.Tokenizer.from_str(in_component).normalizer.normalize_str("a"),
    )


def _repeated_in_truncation(package: Any) -> object:
    truncation = json.dumps({"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0})
    truncation = _with_member(truncation, "max_length", 3)
    return package.Tokenizer.from_str(file().replace("{", f'{{"truncation": {truncation}, ', 1)).truncation


def _model(**fields: Any) -> dict[str, Any]:
    return {"vocab": {"[UNK]": 0}, **fields}


def _nested_lists(depth: int) -> list[Any]:
    return [_nested_lists(depth - 1)] if depth > 1 else []


def _nested(package: Any) -> object:
    in_file = {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [{"type": "NFC"}]}]}
    made = package.normalizers.Sequence([package.normalizers.Sequence([package.normalizers.NFC()])])
    return [
        [inner["type"] for inner in written(tokenizer)["normalizer"]["normalizers"]]
        for tokenizer in (loaded(package, normalizer=in_file), words(package, normalizer=made))
    ]


class _Custom:
    def normalize(self, normalized: Any) -> None:
        normalized.lowercase()


FILES: dict[str, Case] = {
    "UNKNOWN-KEY-AT-THE-TOP-IS-REFUSED": Refuses(
        ask=lambda package: loaded(package, normalizer={"type": "NFC", "foo": 1}) and loaded(package, foo=None),
        message="expected `,` or `}`",
    ),
    "ADDED-TOKEN-IDS-IN-A-FILE-ARE-IGNORED": Shows(
        ask=lambda package: loaded(package, added_tokens=[_added_token(9, "x"), _added_token(5, "y")]).get_vocab(),
        odd={"<unk>": 0, "a": 1, "x": 2, "y": 3},
        naive={"<unk>": 0, "a": 1, "x": 9, "y": 5},
    ),
    "ADDED-TOKENS-CANNOT-BE-NULL": Refuses(
        ask=lambda package: loaded(package, normalizer=None, padding=None) and loaded(package, added_tokens=None),
        message="invalid type: null, expected a sequence",
    ),
    "LAST-OF-EQUAL-KEYS-COUNTS": Shows(ask=_repeated_keys, odd=("NFD", "ya"), naive=("NFC", "xa")),
    "EQUAL-KEYS-IN-TRUNCATION-ARE-REFUSED": Refuses(
        ask=_repeated_in_truncation, message="duplicate field `max_length`"
    ),
    "UNKNOWN-TYPE-IS-GUESSED-FROM-FIELDS": Shows(
        ask=lambda package: _kinds(
            package, ("normalizer", {"type": "Foo", "prepend": "x"}), ("decoder", {"type": "Foo", "suffix": "x"})
        ),
        odd=["Prepend", "BPEDecoder"],
    ),
    "MODEL-WITHOUT-TYPE-IS-GUESSED": Shows(
        ask=lambda package: _kinds(
            package,
            ("model", _model(merges=[])),
            ("model", _model(unk_token="[UNK]")),
            ("model", _model(unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=100)),
            ("model", {"vocab": [["<unk>", 0.0]], "unk_id": 0}),
        ),
        odd=["BPE", "WordLevel", "WordPiece", "Unigram"],
    ),
    "PRE-TOKENIZER-WITHOUT-TYPE-IS-REFUSED": Refuses(
        ask=lambda package: loaded(package, pre_tokenizer={"individual_digits": True}),
        message="data did not match any variant of untagged enum PreTokenizerUntagged",
    ),
    "BERT-NORMALIZER-HAS-A-SECOND-NAME": Shows(
        ask=lambda package: written(
            loaded(
                package,
                normalizer={
                    "type": "Bert",
                    "clean_text": True,
                    "handle_chinese_chars": True,
                    "strip_accents": None,
                    "lowercase": True,
                },
            )
        )["normalizer"]["type"],
        odd="BertNormalizer",
        naive="Bert",
    ),
    "PRE-TOKENIZERS-OF-A-SEQUENCE-HAVE-NO-UNDERSCORE": Refuses(
        ask=lambda package: loaded(package, pre_tokenizer={"type": "Sequence", "pre_tokenizers": []}),
        message="missing field `pretokenizers`",
    ),
    "BYTE-LEVEL-DECODER-NEEDS-USELESS-FIELDS": Refuses(
        ask=lambda package: (
            loaded(package, decoder={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True})
            and loaded(package, decoder={"type": "ByteLevel"})
        ),
        message="data did not match any variant of untagged enum PyDecoderWrapper",
    ),
    "OBJECTS-MAY-BE-ARRAYS": Shows(
        ask=lambda package: [
            loaded(package, truncation=["Right", 3, "LongestFirst", 0]).truncation["max_length"],
            *_kinds(package, ("post_processor", [["s", 1], ["c", 0]]), ("normalizer", ["x"]), ("decoder", ["x"])),
        ],
        odd=[3, "BertProcessing", "Prepend", "BPEDecoder"],
    ),
    "NAMES-MAY-BE-OBJECTS": Shows(
        ask=lambda package: loaded(
            package,
            truncation={"direction": {"Left": None}, "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        ).truncation["direction"],
        odd="left",
    ),
    "JSON-NUMBERS-ARE-READ-INEXACTLY": Shows(
        ask=lambda package: written(
            loaded(package, model={"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", -3.9131507873535156]]})
        )["model"]["vocab"],
        odd=[["<unk>", -3.913150787353515]],
        naive=[["<unk>", -3.9131507873535156]],
    ),
    "MINUS-ZERO-IS-NO-WHOLE-NUMBER": Refuses(
        ask=lambda package: package.Tokenizer.from_str(file().replace('"<unk>": 0', '"<unk>": -0')),
        message="invalid type: floating point `-0.0`, expected u32",
    ),
    "JSON-IS-NESTED-127-DEEP-AT-MOST": Refuses(
        ask=lambda package: (
            loaded(package, normalizer={"type": "NFC", "ignored": _nested_lists(125)})
            and loaded(package, normalizer={"type": "NFC", "ignored": _nested_lists(126)})
        ),
        message="recursion limit exceeded",
    ),
    "SEQUENCES-FLATTEN-IN-CODE-ONLY": Shows(ask=_nested, odd=[["Sequence"], ["NFC"]]),
    "CUSTOM-COMPONENTS-CANNOT-BE-WRITTEN": Refuses(
        ask=lambda package: words(package, normalizer=package.normalizers.Normalizer.custom(_Custom())).to_str(),
        message="Custom Normalizer cannot be serialized",
    ),
}


def _caught(package: Any) -> str:
    try:
        package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a")
    except Exception:
        return "caught"
    except BaseException:
        return "not caught"
    return "no panic"


def _errors(package: Any) -> object:
    errors = []
    for read in (
        lambda: package.Tokenizer.from_str("{}"),
        lambda: package.Tokenizer.from_buffer(b"{}"),
        lambda: package.Tokenizer.from_file("/there/is/no/such/file"),
    ):
        try:
            read()
        except Exception as error:
            errors.append(type(error).__name__)
    return errors


def _without_effect(package: Any) -> object:
    answers: list[set[str]] = [set(), set(), set()]
    for option in (True, False):
        pre_tokenizer = package.pre_tokenizers.ByteLevel(True, trim_offsets=option)
        processor = package.processors.ByteLevel(use_regex=option)
        encoding = words(package, pre_tokenizer=package.pre_tokenizers.Digits()).encode("it's 12")
        decoder = package.decoders.Metaspace("▁", "always", split=option)
        answers[0].add(repr(pre_tokenizer.pre_tokenize_str("  a b ")))
        answers[1].add(repr(processor.process(encoding).offsets))
        answers[2].add(decoder.decode(["▁a", "▁▁b"]))
    return [len(answer) for answer in answers]


def _copied(package: Any) -> object:
    replace = package.normalizers.Replace("a", "b")
    components = (replace, package.normalizers.Precompiled([0] * 4), package.decoders.Replace("a", "b"))
    answers = []
    for value in (*components, package.normalizers.Prepend(), words(package, normalizer=replace)):
        try:
            answers.append(repr(pickle.loads(pickle.dumps(value))) == repr(copy.copy(value)) == repr(value))
        except TypeError:
            answers.append(False)
    return answers


def _parts(package: Any) -> object:
    tokenizer = words(package, normalizer=package.normalizers.Prepend("x"))
    is_same = tokenizer.normalizer is tokenizer.normalizer
    tokenizer.normalizer.prepend = "y"
    return is_same, tokenizer.normalizer.normalize_str("a")


def _from_the_end(package: Any) -> object:
    sequences = (
        package.normalizers.Sequence([package.normalizers.NFC()]),
        package.pre_tokenizers.Sequence([package.pre_tokenizers.Digits()]),
        package.processors.Sequence([package.processors.ByteLevel()]),
    )
    errors = []
    for sequence in sequences:
        try:
            sequence[-1]
        except OverflowError as error:
            errors.append(type(error).__name__)
    return errors


def _base_classes(package: Any) -> object:
    answers = [written(package.Tokenizer(package.models.Model()))["model"]["type"]]
    try:
        package.normalizers.Normalizer()
    except TypeError:
        return [*answers, "refused"]
    return [*answers, "taken"]


PYTHON: dict[str, Case] = {
    "PANICS-ARE-NO-EXCEPTIONS": Shows(
        instead="raises UpstreamPanicError, which is an Exception",
        ask=_caught,
        odd="not caught",
        naive="caught",
        reference="caught",
    ),
    "ERRORS-HAVE-NO-CLASS-OF-THEIR-OWN": Shows(
        instead="raises TokenizerFileError, which is a ValueError, and FileNotFoundError",
        ask=_errors,
        odd=["Exception", "ValueError", "Exception"],
        reference=["TokenizerFileError", "TokenizerFileError", "FileNotFoundError"],
    ),
    "OPTIONS-WITHOUT-EFFECT": Shows(ask=_without_effect, odd=[1, 1, 1], naive=[2, 2, 2]),
    "SOME-COMPONENTS-CANNOT-BE-COPIED": Shows(
        instead="copies them as all others", ask=_copied, odd=[False, False, False, True, True], reference=[True] * 5
    ),
    "PARTS-ARE-NEW-OBJECTS-EACH-TIME": Shows(
        instead="the same object each time", ask=_parts, odd=(False, "ya"), reference=(True, "ya")
    ),
    "BASE-CLASS-OF-MODELS-IS-A-BPE": Shows(ask=_base_classes, odd=["BPE", "refused"], naive=["refused", "refused"]),
    "REPR-WRITES-WHOLE-NUMBERS-WITHOUT-POINT": Shows(
        ask=lambda package: repr(package.models.Unigram([("a", 1.0), ("b", 0.5)])),
        odd='Unigram(unk_id=None, vocab=[("a", 1), ("b", 0.5)], byte_fallback=False)',
        naive='Unigram(unk_id=None, vocab=[("a", 1.0), ("b", 0.5)], byte_fallback=False)',
    ),
    "STR-CUTS-LONG-VALUES": Shows(
        ask=lambda package: [
            (
                show(package.normalizers.Sequence([package.normalizers.NFC()] * 6)).count("NFC"),
                show(package.normalizers.Prepend("x" * 101)).count("x"),
            )
            for show in (str, repr)
        ],
        odd=[(5, 100), (6, 101)],
        naive=[(6, 101), (6, 101)],
    ),
    "NEGATIVE-INDEX-OVERFLOWS": Shows(ask=_from_the_end, odd=["OverflowError"] * 3, naive=[]),
    "NUMPY-STRINGS-ARE-READ-AS-BYTES": Shows(
        ask=lambda package: [
            words(package).encode(np.array(["a", "b"], dtype=dtype), is_pretokenized=True).tokens
            for dtype in (None, object)
        ],
        odd=[["<unk>", "<unk>"], ["a", "b"]],
        naive=[["a", "b"], ["a", "b"]],
    ),
}
