"""What each change of a tokenizer.json puts in the place of what: all that is tried of small documents, in order."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenizer_conformance.causes.classes.component_changes import NEVER_MET, Seen
from tokenizer_conformance.causes.classes.document_changes import (
    BLANK_BYTES_AS_SPACE,
    MOST_PIECES,
    NEEDS,
    RANKS_AS_SCORES,
    SPACES_ALONE,
    changes_of,
)
from tokenizer_conformance.causes.classes.small_documents import BYTES_BY_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.classes.component_changes import DocumentChange

Json = dict[str, Any]

EXPECTED = json.loads((Path(__file__).parent / "document_changes.json").read_text(encoding="utf-8"))
"""For each of the documents the changes that a document with nothing in it does not have.

Each line has the class, the parameter, and the places that differ with their new values. What follows an ``@`` is the
number of texts that show the change; ``encodes`` is one that says nothing of ids, ``without added tokens`` one that
says nothing of texts that have any.
"""

LONGEST = 80
"""Of longer strings, which are regexes, the beginning is compared."""

SPECIAL: Json = {"id": 0, "content": "[a]", "special": True, "lstrip": False, "rstrip": False, "single_word": False}
PLAIN: Json = {"id": 5, "content": "b c", "special": False, "lstrip": True, "rstrip": False, "single_word": True}
TOKENS = [{**SPECIAL, "normalized": False}, {**PLAIN, "normalized": True}]
FIRST, SECOND = ({"Sequence": {"id": name, "type_id": number}} for number, name in enumerate("AB"))
CLS, SEP = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]"))
LAST = {"SpecialToken": {"id": "[SEP]", "type_id": 1}}
ENDS: Json = {"cls": ["<s>", 0], "sep": ["</s>", 2]}
ROBERTA: Json = {**ENDS, "type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": True}
TEMPLATE: Json = {"type": "TemplateProcessing", "single": [CLS, FIRST, SEP], "pair": [CLS, FIRST, SEP, SECOND, LAST]}
BERT: Json = {"type": "BertNormalizer", "strip_accents": None, "lowercase": True, "clean_text": True}
NOTHING: Json = {"model": {}}
EMPTY_BPE: Json = {"model": {"type": "BPE", "vocab": {}, "merges": []}}
SPLIT: Json = {"type": "Split", "pattern": {"Regex": r"[\p{N}x]|\s+(?!\S)|\s\S"}, "behavior": "Isolated"}
SEEN = Seen("ab c", 3, (7, 8), 9, ("b c",))


def normalizing(*parts: Json) -> Json:
    return {**NOTHING, "normalizer": {"type": "Sequence", "normalizers": list(parts)}}


def cutting(**component: Any) -> Json:
    return {**NOTHING, "pre_tokenizer": component}


def wrapping(**component: Any) -> Json:
    return {**NOTHING, "post_processor": component}


DOCUMENTS: dict[str, tuple[Json, Seen]] = {
    "nothing": (NOTHING, Seen()),
    "sizes are seen": (NOTHING, SEEN),
    "truncation": (
        {
            **NOTHING,
            "truncation": {"direction": "Right", "max_length": 4, "strategy": "OnlyFirst", "stride": 0},
            "padding": {"direction": "Left", "strategy": {"Fixed": 2}, "pad_type_id": 0, "pad_id": 1},
        },
        SEEN,
    ),
    "added tokens of a list of pieces": (
        {"added_tokens": TOKENS, "model": {"vocab": [["[a]", 0.0], ["b", -1.0]], "unk_id": 0}},
        SEEN,
    ),
    "added tokens of a vocabulary": (
        {
            "added_tokens": TOKENS,
            "post_processor": {"type": "Other", "sep": "[a]"},
            "model": {"vocab": {"[a]": 0, "b": 1}, "unk_token": "[a]", "max_input_chars_per_word": 4},
        },
        SEEN,
    ),
    "long words": ({"model": {"max_input_chars_per_word": 998, "continuing_subword_prefix": "##"}}, Seen("a" * 1001)),
    "normalizers": (normalizing({**BERT, "handle_chinese_chars": False}, {"type": "NFC"}), Seen()),
    "accents kept": (
        normalizing({**BERT, "strip_accents": False}, {**BERT, "strip_accents": True, "lowercase": False}),
        Seen(),
    ),
    "three normalizers": (
        normalizing({"type": "Precompiled"}, {"type": "Prepend", "prepend": "_"}, {"type": "Lowercase"}),
        Seen(),
    ),
    "two of one type": (
        normalizing(
            {"type": "Strip", "strip_left": True, "strip_right": False},
            {"type": "Strip", "strip_left": False, "strip_right": True},
        ),
        Seen(),
    ),
    "one in a sequence": (normalizing({"type": "Replace", "pattern": {"String": "a"}, "content": ""}), Seen()),
    "byte level": (cutting(type="ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True), Seen()),
    "byte level without a regex": (cutting(type="ByteLevel", add_prefix_space=False, use_regex=False), Seen()),
    "metaspace": (cutting(type="Metaspace", replacement="\u2581", prepend_scheme="first", split=False), Seen()),
    "metaspace of old": (cutting(type="Metaspace", replacement="_", add_prefix_space=False), Seen()),
    "a regex": (cutting(**SPLIT), Seen()),
    "a regex the other way": (cutting(**SPLIT, invert=True), Seen()),
    "what is removed": (cutting(type="Split", pattern={"String": "a"}, behavior="Removed", invert=False), Seen()),
    "punctuation": (cutting(type="Punctuation"), Seen()),
    "digits": (cutting(type="Digits", individual_digits=False), Seen()),
    "each digit": (cutting(type="Digits", individual_digits=True), Seen()),
    "white space": (cutting(type="Whitespace"), Seen()),
    "white space alone": (cutting(type="WhitespaceSplit"), Seen()),
    "as in BERT": (cutting(type="BertPreTokenizer"), Seen()),
    "a template": (wrapping(**TEMPLATE), Seen()),
    "a template of texts alone": (wrapping(type="TemplateProcessing", single=[FIRST], pair=[FIRST, FIRST]), Seen()),
    "RoBERTa": (wrapping(**ROBERTA), Seen()),
    "RoBERTa without trimming": (wrapping(**{**ROBERTA, "trim_offsets": False}), Seen()),
    "BERT": (wrapping(**ENDS, type="BertProcessing"), Seen()),
    "one token for both ends": (wrapping(type="BertProcessing", cls=["<s>", 0], sep=["<s>", 0]), Seen()),
    "a decoder": ({**NOTHING, "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}}, Seen()),
    "a stripping decoder": ({**NOTHING, "decoder": {"type": "Strip", "content": " ", "start": 1, "stop": 0}}, Seen()),
}


def shown(value: Any) -> str:
    """Return a value in few characters; what stands in a template with its type."""
    match value:
        case {"SpecialToken": {"id": name, "type_id": number}} | {"Sequence": {"id": name, "type_id": number}}:
            return f"{name}:{number}"
        case dict():
            return f"{{{', '.join(f'{key} {shown(each)}' for key, each in value.items())}}}"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case _:
            return json.dumps(value)[:LONGEST]


def places(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Give the places in which ``new`` differs from ``old``, each with what stands there."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() <= new.keys():
        for key in new:
            yield from places(old.get(key), new[key], f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from places(one, other, f"{path}[{at}]")
    elif old != new:
        yield f"{path} = {shown(new)}"


def told(change: DocumentChange, document: Json) -> str:
    """Return ``change`` in a line."""
    made = ", ".join(places({member: document.get(member) for member in change.members}, change.members))
    texts = f" @{len(change.texts)}" if change.texts else ""
    rules = "".join(f" and {rule.name}" for rule in change.rules)
    silent = " encodes" * change.only_encodes + " without added tokens" * change.without_added_tokens
    return f"{change.name}: {change.parameter}: {made}{rules}{texts}{silent}"


def lines_of(name: str) -> list[str]:
    """Return the lines of a document; what is put around components is told of two of them."""
    given, seen = DOCUMENTS[name]
    document = json.loads(json.dumps(given))  # as a file is read
    lines = [told(change, document) for change in changes_of(document, seen)]
    if document == NOTHING and seen == Seen():
        return lines
    of_nothing = [told(change, NOTHING) for change in changes_of(NOTHING)]
    is_told = name in {"one in a sequence", "a decoder"}
    return [
        line
        for line in lines
        if line not in of_nothing and (is_told or not re.search("(?<!->) (first|last): [^:]*$", line))
    ]


def test_each_document_has_its_changes() -> None:
    assert EXPECTED.keys() == DOCUMENTS.keys()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_all_changes_of_a_document(name: str) -> None:
    assert lines_of(name) == EXPECTED[name]


def change_of(name: str, parameter: str) -> DocumentChange:
    document, seen = DOCUMENTS[name]
    (found,) = [each for each in changes_of(document, seen) if each.parameter == parameter]
    return found


@pytest.mark.parametrize(
    ("name", "parameter", "texts"),
    [
        (
            "added tokens of a vocabulary",
            'rstrip of "b c" is true',
            (
                *("b c", "b c.", ".b c", "b ca", "ab c", " b c ", "b cb c", "-b c-"),
                *("[a]", "[a].", ".[a]", "[a]a", "a[a]", " [a] ", "[a][a]", "-[a]-"),
            ),
        ),
        ("added tokens of a vocabulary", "model max_input_chars_per_word 4 -> 3", ("aaa", "aaaa")),
        ("long words", "model max_input_chars_per_word 998 -> 999", ("a" * 999, "a" * 1000)),
        ("long words", "model max_input_chars_per_word 998 -> 1000", ()),
    ],
)
def test_texts_that_show_a_change(name: str, parameter: str, texts: tuple[str, ...]) -> None:
    assert change_of(name, parameter).texts == texts


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("a\t\x01b", "a\u0120b"),
        ("  a \n", "\u0120a"),
        ("\x07", "\u0120"),
        ("a\xa0b\xa0", "a\xc2\u0120b\xc2"),
        ("\xe0\u2820\x7f", "\xc3\u0120\xe2\u0120\u0121"),
    ],
)
def test_blank_bytes_become_a_space(text: str, normalized: str) -> None:
    change = change_of("byte level without a regex", BLANK_BYTES_AS_SPACE)
    normalizer = Tokenizer.from_str(json.dumps({**EMPTY_BPE, **change.members})).normalizer
    assert normalizer is not None
    assert normalizer.normalize_str(text) == normalized


def spaced(*cuts: str, charsmap: bool = True) -> Json:
    parts = [{"type": "NFKD"}, *([{"type": "Precompiled", "precompiled_charsmap": ""}] if charsmap else [])]
    kinds = {"Metaspace": {"replacement": "\u2581", "prepend_scheme": "always", "split": True}}
    pre_tokenizers = [{"type": cut, **kinds.get(cut, {})} for cut in cuts]
    return {
        **NOTHING,
        "normalizer": {"type": "Sequence", "normalizers": parts},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": pre_tokenizers},
    }


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a ", ["\u2581a", "\u2581"]),
        ("  ", ["\u2581"]),
        (" a  b", ["\u2581a", "\u2581b"]),
        ("a\nb\n", ["\u2581a\nb\n"]),
        ("\u2581\u2581a\u2581", ["\u2581a", "\u2581"]),
        ("a\u200b\xa0\u2581", ["\u2581a\u200b", "\u2581"]),
    ],
)
def test_texts_are_cut_at_spaces_alone(text: str, pieces: list[str]) -> None:
    changes = changes_of(spaced("WhitespaceSplit", "Metaspace"))
    (change,) = [each for each in changes if each.parameter == SPACES_ALONE]
    made = Tokenizer.from_str(json.dumps({**EMPTY_BPE, **change.members}))
    assert made.normalizer is not None
    assert made.pre_tokenizer is not None
    given = made.pre_tokenizer.pre_tokenize_str(made.normalizer.normalize_str(text))
    assert [piece for piece, _ in given] == pieces


@pytest.mark.parametrize(
    "document",
    [
        spaced("WhitespaceSplit", "Metaspace", charsmap=False),
        spaced("Metaspace"),
        spaced("Metaspace", "WhitespaceSplit"),
    ],
)
def test_spaces_are_told_from_white_space_only_where_that_is_cut_at(document: Json) -> None:
    assert SPACES_ALONE not in {each.parameter for each in changes_of(document)}


SHAPED = ["?", "'", "s", "\u258127,", "\u2581730", "\u2581a7,", "(2000)", "\u258127;", "\u2581ABC", "\xab", "\0"]


def test_tokens_that_are_shaped_as_bytes_are_bytes() -> None:
    vocabulary = [[token, float(-at)] for at, token in enumerate(SHAPED)]
    model = {"type": "Unigram", "vocab": vocabulary, "unk_id": 0}
    (change,) = [each for each in changes_of({**NOTHING, "model": model}) if each.parameter == BYTES_BY_SHAPE]
    made = change.members["model"]["vocab"]
    never = NEVER_MET
    names = ["?", never, never, never, "s", "\u2581a7,", never, "'", never, "\xab", "\0"]
    assert made == [[token, float(-at)] for at, token in enumerate(names)]
    assert [token for token, _ in vocabulary] == SHAPED
    others = {**model, "byte_fallback": True}, {**model, "vocab": vocabulary[:3]}, {**model, "vocab": {"\u258127,": 0}}
    for other in others:
        assert BYTES_BY_SHAPE not in {each.parameter for each in changes_of({**NOTHING, "model": other})}


RANKED: Json = {
    "type": "BPE",
    "vocab": {"<unk>": 0, "\u2581t": 1, "he": 2, "\u2581the": 3, "\u2581": 4, "t": 5, "h": 6, "e": 7},
    "merges": [["\u2581", "t"], ["h", "e"], ["\u2581t", "he"]],
    "unk_token": "<unk>",
}


def ranks_as_scores(model: Json) -> list[DocumentChange]:
    return [each for each in changes_of({**NOTHING, "model": model}) if each.parameter == RANKS_AS_SCORES]


@pytest.mark.parametrize("merges", [RANKED["merges"], ["\u2581 t", "h e", "\u2581t he"]])
def test_ranks_of_tokens_are_scores_of_a_unigram(merges: list[Any]) -> None:
    (change,) = ranks_as_scores({**RANKED, "merges": merges})
    model = change.members["model"]
    assert model == {
        "type": "Unigram",
        "vocab": [[token, float(min(1 - id_, 0))] for token, id_ in RANKED["vocab"].items()],
        "unk_id": 0,
        "byte_fallback": False,
    }
    made = Tokenizer.from_str(json.dumps({"model": model}))
    assert made.encode("\u2581the").tokens == ["\u2581t", "he"]


@pytest.mark.parametrize(
    "model",
    [
        {**RANKED, "type": "WordPiece"},
        {**RANKED, "unk_token": None},
        {**RANKED, "vocab": {**RANKED["vocab"], "x": 9}},
        {**RANKED, "vocab": {"<unk>": 0} | {f"<{at}>": at for at in range(1, MOST_PIECES + 1)}},
    ],
    ids=["another model", "nothing unknown", "an id without a token", "large"],
)
def test_ranks_are_not_taken_for_scores_where_that_cannot_be(model: Json) -> None:
    assert not ranks_as_scores(model)


@pytest.mark.parametrize(
    ("skipped", "words", "special"),
    [
        (frozenset({"[a]"}), ['special is false but of "[a]"'], [True, False, False, False]),
        (frozenset({"[a]", "[d]"}), ['special of "[e]" is false'], [True, True, False, False]),
        (frozenset({"[e]"}), ['special is false but of "[e]"'], [False, False, True, False]),
        (frozenset({"[a]", "[d]", "[e]"}), [], None),
        (frozenset(), [], None),
        (None, [], None),
    ],
)
def test_special_are_the_tokens_that_are_left_out_alone(
    skipped: frozenset[str] | None, words: list[str], special: list[bool] | None
) -> None:
    tokens = [SPECIAL, *({**SPECIAL, "id": 6 + at, "content": each} for at, each in enumerate(("[d]", "[e]"))), PLAIN]
    document = {**NOTHING, "added_tokens": tokens}
    changes = list(changes_of(document, Seen(skipped=skipped)))
    more = Counter(each.parameter for each in changes) - Counter(each.parameter for each in changes_of(document))
    assert list(more) == words
    made = [change.members["added_tokens"] for change in changes if change.parameter in words]
    assert all([each["special"] for each in one] == special for one in made)


def test_of_many_special_tokens_some_are_named() -> None:
    tokens = [{**SPECIAL, "id": at, "content": f"<{at}>"} for at in range(20)]
    for skipped in (range(7), range(7, 20)):
        seen = Seen(skipped=frozenset(f"<{at}>" for at in skipped))
        (change,) = (
            each
            for each in changes_of({**NOTHING, "added_tokens": tokens}, seen)
            if each.parameter.endswith(" more") or " more is " in each.parameter
        )
        assert '"<0>", "<1>", "<2>", "<3>" and 3 more' in change.parameter
        assert [at for at, each in enumerate(change.members["added_tokens"]) if each["special"]] == list(skipped)


def test_added_tokens_are_not_tried_without_end() -> None:
    tokens = [{**PLAIN, "content": f"<{number}>"} for number in range(20)]
    seen = Seen(added=("<18>",))
    found = [each for each in changes_of({"added_tokens": tokens, "model": {}}, seen) if each.part == "added_tokens"]
    alone = [each.parameter for each in found if each.parameter.startswith("lstrip of")]
    assert alone == [f'lstrip of "<{number}>" is false' for number in (18, *range(15))]
    (all_left_out,) = [each for each in found if each.parameter == "added_tokens left out"]
    assert len(all_left_out.texts) == 16 * 8
    assert all_left_out.texts[-1] == "-<15>-"


@pytest.mark.parametrize(
    ("parameter", "matters", "else_not"),
    [
        ("normalizer: NFC -> NFD", ["\u00e9"], ["e", ""]),
        ("normalizer: Precompiled -> NFC", ["\u00e9", "a  b", " a", "a ", "a\tb"], ["a b", ""]),
        ("normalizer: Lowercase first", ["aB", "\u00c9"], ["ab", "\u00e9"]),
        ("normalizer: StripAccents last", ["\u00e9"], ["e"]),
        ("normalizer: Strip first", [" a", "a ", "\ta"], ["a b"]),
        ("normalizer: one space for several last", ["a  b"], ["a b"]),
        ("normalizer: NFC left out", ["", "a"], []),
    ],
)
def test_changes_matter_to_texts_that_can_show_them(parameter: str, matters: list[str], else_not: list[str]) -> None:
    document = normalizing({"type": "NFC"}, {"type": "Precompiled"})
    (change,) = [each for each in changes_of(document) if each.parameter == parameter]
    assert [text for text in (*matters, *else_not) if change.matters(text)] == matters


def test_components_of_a_type_are_counted_in_words() -> None:
    document = normalizing(*[{"type": "Prepend", "prepend": "_"}] * 10)
    told_of = [each.parameter for each in changes_of(document) if each.parameter.endswith('prepend ""')]
    ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "number 10"]
    assert told_of == [f'normalizer: {each} Prepend prepend ""' for each in ordinals]


def test_a_sequence_in_a_sequence_is_looked_into() -> None:
    inner = {"type": "Sequence", "normalizers": [{"type": "NFC"}]}
    found = [each.parameter for each in changes_of(normalizing(inner, inner)) if each.name == "component-left-out"]
    assert found == [
        *("normalizer: NFC left out", "normalizer: the sequence left out") * 2,
        "normalizer: the sequence left out",
    ]


def test_texts_of_several_changed_tokens_are_of_these_alone() -> None:
    tokens = [{**PLAIN, "content": content, "lstrip": content != "<3>"} for content in ("<1>", "<2>", "<3>")]
    texts = {
        each.parameter: "".join(each.texts)
        for each in changes_of({"added_tokens": tokens, "model": {}})
        if each.part == "added_tokens"
    }
    about = ["lstrip is false", "lstrip is true", 'lstrip of "<1>" is false']
    assert [[content in texts[each] for content in ("<1>", "<2>", "<3>")] for each in about] == [
        [True, True, False],
        [True, True, True],
        [True, True, True],
    ]


def test_some_ids_and_tokens_are_tried_as_unknown_or_padding() -> None:
    tokens = [{**PLAIN, "content": f"<{number}>"} for number in range(10)]
    padding = {"direction": "Left", "strategy": "BatchLongest", "pad_type_id": 0, "pad_id": 0}
    model = {"unk_id": 0, "unk_token": None}
    document = {"added_tokens": tokens, "padding": padding, "model": model}
    found = [each.parameter for each in changes_of(document, Seen(ids=tuple(range(10, 20))))]
    assert [each for each in found if "unk_id" in each] == [
        "model unk_id 0 -> null",
        *(f"model unk_id 0 -> {number}" for number in range(10, 18)),
        "model unk_id 0 -> -1",
        "model unk_id 0 -> 1",
    ]
    assert [each for each in found if "pad_id" in each] == [f"padding pad_id {number}" for number in range(10, 18)]
    unknown = [f"model unk_token null -> <{number}>" for number in range(8)]
    assert [each for each in found if "unk_token" in each] == unknown


PLAIN_TEXTS = ("", "a", "a b~!")
ODD_ASCII = ("a  b", " a", "a ", " ", "a\tb", "\x7f")


def test_changes_that_only_odd_texts_can_show_are_tried_of_these_alone() -> None:
    texts = (*PLAIN_TEXTS, *ODD_ASCII, "\u00e9", "a\u3000b")
    shown = {name: tuple(text for text in texts if can_show(text)) for name, can_show in NEEDS.items()}
    assert shown == {"normalization-form": texts[-2:], "charsmap-approximation": texts[len(PLAIN_TEXTS) :]}
