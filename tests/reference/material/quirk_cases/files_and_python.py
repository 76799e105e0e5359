"""Cases of tokenizer.json and of what Python sees."""

from __future__ import annotations

import copy
import json
import pickle
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from quirk_cases.asking import file, loaded, words, written
from quirk_cases.case import Aborts, Case, Hangs, Refuses, Shows

if TYPE_CHECKING:
    from collections.abc import Callable


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
    "ADDED-TOKENS-CANNOT-BE-NULL": Refuses(
        ask=lambda package: loaded(package, normalizer=None, padding=None) and loaded(package, added_tokens=None),
        message="invalid type: null, expected a sequence",
    ),
    "LAST-OF-EQUAL-KEYS-COUNTS": Shows(ask=_repeated_keys, odd=("NFD", "ya"), naive=("NFC", "xa")),
    "EQUAL-KEYS-IN-TRUNCATION-ARE-REFUSED": Refuses(
        ask=_repeated_in_truncation, message="duplicate field `max_length`"
    ),
    "PRE-TOKENIZER-WITHOUT-TYPE-IS-REFUSED": Refuses(
        ask=lambda package: loaded(package, pre_tokenizer={"individual_digits": True}),
        message="data did not match any variant of untagged enum PreTokenizerUntagged",
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


def _put_into_a_sequence(package: Any) -> object:
    """Put a component into a sequence whose member is held elsewhere, and change that component then."""
    member, put = package.normalizers.Prepend("a"), package.normalizers.Prepend("b")
    sequence, other = (package.normalizers.Sequence([member] * count) for count in (2, 1))
    tokenizer = words(package, normalizer=member)
    sequence[0] = put
    put.prepend = "c"
    return [holder.normalize_str("-") for holder in (sequence, other, tokenizer.normalizer, member)]


def _class_of_what_was_replaced(package: Any) -> object:
    member = package.normalizers.Prepend("a")
    package.normalizers.Sequence([member])[0] = package.normalizers.NFC()
    try:
        return type(member).__name__, member.prepend
    except BaseException as error:
        return type(member).__name__, type(error).__name__


def _in_its_own_place(package: Any) -> object:
    sequence = package.normalizers.Sequence([package.normalizers.NFC()])
    sequence[0] = sequence[0]
    return repr(sequence)


def _inside_of_sequences(package: Any) -> object:
    digits, inner = {"type": "Digits", "individual_digits": True}, {"type": "Sequence", "normalizers": []}
    tokenizer = loaded(
        package,
        normalizer={"type": "Sequence", "normalizers": [inner]},
        pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Sequence", "pretokenizers": [digits]}]},
    )
    try:
        member = repr(tokenizer.pre_tokenizer[0][0])
    except IndexError:
        member = "none"
    return len(tokenizer.normalizer[0]), member


def _state_of_a_member(package: Any) -> object:
    member = package.normalizers.Prepend("a")
    sequence = package.normalizers.Sequence([member])
    member.__setstate__(b'{"type": "Prepend", "prepend": "b"}')
    try:
        package.normalizers.NFC().__setstate__(b'{"type": "NFD"}')
    except ValueError:
        return sequence.normalize_str("-"), "refused"
    return sequence.normalize_str("-"), "taken"


def _used_by_its_own_corpus(package: Any) -> object:
    tokenizer = package.Tokenizer(package.models.WordLevel({"a": 0}, "a"))
    corpus = (f"size {tokenizer.get_vocab_size()}" for _ in range(2))
    tokenizer.train_from_iterator(corpus, package.trainers.WordLevelTrainer(show_progress=False))
    return tokenizer.get_vocab()


def _after_a_panic(package: Any) -> str:
    class Panics:
        def normalize(self, _: Any) -> None:
            package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a")

    tokenizer = words(package, "a", normalizer=package.normalizers.Normalizer.custom(Panics()))
    with suppress(BaseException):
        tokenizer.add_tokens(["b"])
    try:
        return str(tokenizer.get_vocab())
    except Exception:
        return "refused"


def _panic_in_a_custom_component(package: Any) -> str:
    normalizers = package.normalizers
    custom = normalizers.Normalizer.custom(_Custom())
    return str(normalizers.Sequence([normalizers.Prepend(""), custom]).normalize_str("a"))


class _Interrupted:
    def normalize(self, _: Any) -> None:
        raise KeyboardInterrupt

    def pre_tokenize(self, _: Any) -> None:
        raise SystemExit

    def decode_chain(self, _: Any) -> list[str]:
        raise GeneratorExit


def _interrupts(package: Any) -> object:
    normalizer = package.normalizers.Normalizer.custom(_Interrupted())
    calls = (
        lambda: words(package, normalizer=normalizer).encode("a"),
        lambda: normalizer.normalize_str("a"),
        lambda: package.pre_tokenizers.PreTokenizer.custom(_Interrupted()).pre_tokenize_str("a"),
        lambda: package.decoders.Decoder.custom(_Interrupted()).decode(["a"]),
    )
    return [_raised(call) for call in calls]


def _raised(call: Callable[[], object]) -> str:
    try:
        call()
    except BaseException as error:
        return type(error).__name__
    return "nothing"


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
    "SOME-COMPONENTS-CANNOT-BE-COPIED": Shows(
        instead="copies them as all others", ask=_copied, odd=[False, False, False, True, True], reference=[True] * 5
    ),
    "PARTS-ARE-NEW-OBJECTS-EACH-TIME": Shows(
        instead="the same object each time", ask=_parts, odd=(False, "ya"), reference=(True, "ya")
    ),
    "ITEMS-ARE-COPIED-INTO-THE-MEMBER": Shows(
        ask=_put_into_a_sequence, odd=["bb-", "b-", "b-", "b-"], naive=["ac-", "a-", "a-", "a-"]
    ),
    "MEMBERS-KEEP-THE-CLASS-OF-THEIR-OBJECT": Shows(
        instead="has the class of the new component, and none of the options of the old one",
        ask=_class_of_what_was_replaced,
        odd=("Prepend", "PanicException"),
        naive=("NFC", "AttributeError"),
        reference=("NFC", "AttributeError"),
    ),
    "MEMBER-IN-ITS-OWN-PLACE-HANGS": Hangs(
        instead="does nothing", ask=_in_its_own_place, reference="Sequence(normalizers=[NFC()])"
    ),
    "SEQUENCES-INSIDE-SEQUENCES-ARE-CLOSED": Shows(
        instead="shows its members",
        ask=_inside_of_sequences,
        odd=(1, "none"),
        naive=(0, "Digits(individual_digits=True)"),
        reference=(0, "Digits(individual_digits=True)"),
    ),
    "STATE-IS-SET-FOR-ONE-OBJECT": Shows(
        instead="changes the component wherever it is held, and refuses another class",
        ask=_state_of_a_member,
        odd=("a-", "taken"),
        naive=("b-", "refused"),
        reference=("b-", "refused"),
    ),
    "TOKENIZER-IS-LOCKED-WHILE-IT-IS-CHANGED": Hangs(
        instead="lets it be used", ask=_used_by_its_own_corpus, reference={"size 1": 0}
    ),
    "PANICS-LOCK-THE-TOKENIZER": Shows(
        instead="goes on with the tokenizer as it was",
        ask=_after_a_panic,
        odd="refused",
        naive="{'<unk>': 0, 'a': 1}",
        reference="{'<unk>': 0, 'a': 1}",
    ),
    "PANICS-IN-CUSTOM-COMPONENTS-ABORT": Aborts(ask=_panic_in_a_custom_component),
    "INTERRUPTS-OF-CUSTOM-COMPONENTS-ARE-ERRORS": Shows(
        instead="lets them through",
        ask=_interrupts,
        odd=["nothing", "Exception", "Exception", "Exception"],
        naive=["KeyboardInterrupt", "KeyboardInterrupt", "SystemExit", "GeneratorExit"],
        reference=["KeyboardInterrupt", "KeyboardInterrupt", "SystemExit", "GeneratorExit"],
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
