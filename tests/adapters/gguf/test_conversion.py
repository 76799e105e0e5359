"""What a conversion of a tokenizer.json says: each kind of model, special tokens, and what is refused."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tokenizer_adapters.gguf.conversion import vocabulary_of
from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
from tokenizer_adapters.pipeline import UnfitTokenizerError

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
SPACES = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
PREPEND = {"type": "Prepend", "prepend": "▁"}
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def added(id_: int, content: str, *, special: bool = True) -> dict[str, Any]:
    return {"id": id_, "content": content, "special": special}


def document(model: dict[str, Any], **parts: Any) -> dict[str, Any]:
    empty = {"normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None, "added_tokens": []}
    return {**empty, "model": model, **parts}


def byte_level(**parts: Any) -> dict[str, Any]:
    vocab = {"a": 0, "Ġ": 1, "Ġa": 2, "<end>": 4}
    model = {"type": "BPE", "vocab": vocab, "merges": [["Ġ", "a"]]}
    return document(model, **{"pre_tokenizer": BYTE_LEVEL, "added_tokens": [added(4, "<end>")], **parts})


def word_piece(**parts: Any) -> dict[str, Any]:
    vocab = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "##b": 4, "##": 5}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "strip_accents": None, "lowercase": False}
    tokens = [added(0, "[UNK]"), added(1, "[CLS]"), added(2, "[SEP]")]
    given = {"pre_tokenizer": {"type": "BertPreTokenizer"}, "normalizer": normalizer, "added_tokens": tokens}
    return document(model, **{**given, **parts})


def unigram(**parts: Any) -> dict[str, Any]:
    model = {"type": "Unigram", "unk_id": 1, "vocab": [["</s>", 0.0], ["<unk>", 0.0], ["▁a", -1.5], ["b", -2.0]]}
    tokens = [added(0, "</s>"), added(1, "<unk>"), added(4, "▁x", special=False)]
    return document(model, **{"pre_tokenizer": METASPACE, "added_tokens": tokens, **parts})


def byte_fallback(**parts: Any) -> dict[str, Any]:
    vocab = {"<unk>": 0, "<s>": 1, "<0x0A>": 2, "▁": 3, "a": 4, "b": 5, "ab": 6, "▁ab": 7}
    merges = ["a b", "▁ ab"]
    model = {"type": "BPE", "byte_fallback": True, "unk_token": "<unk>", "vocab": vocab, "merges": merges}
    normalizer = {"type": "Sequence", "normalizers": [PREPEND, SPACES]}
    return document(model, **{"normalizer": normalizer, "added_tokens": [added(1, "<s>")], **parts})


def template(*tokens: str, pair: tuple[str, ...] = ()) -> dict[str, Any]:
    def pieces(names: tuple[str, ...]) -> list[dict[str, Any]]:
        return [{"Sequence" if name in {"A", "B"} else "SpecialToken": {"id": name, "type_id": 0}} for name in names]

    return {"type": "TemplateProcessing", "single": pieces(tokens), "pair": pieces(pair)}


# Kinds ----------------------------------------------------------------------------------------------------------------


def test_byte_level_bpe() -> None:
    assert vocabulary_of(byte_level()) == GgufVocabulary(
        model="gpt2",
        pre="gpt-2",
        tokens=("a", "Ġ", "Ġa", "[PAD3]", "<end>"),
        types=(NORMAL, NORMAL, NORMAL, UNUSED, CONTROL),
        merges=("Ġ a",),
        architecture="llama",
    )


def test_word_piece() -> None:
    assert vocabulary_of(word_piece(post_processor=template("[CLS]", "A", "[SEP]"))) == GgufVocabulary(
        model="bert",
        tokens=("[UNK]", "[CLS]", "[SEP]", "▁a", "b", ""),
        types=(CONTROL, CONTROL, CONTROL, NORMAL, NORMAL, NORMAL),
        special_ids={"bos": 1, "cls": 1, "eos": 2, "seperator": 2, "unknown": 0},
        flags={"add_bos_token": True, "add_eos_token": True, "normalizer.lowercase": False},
        architecture="bert",
    )


def test_unigram() -> None:
    charsmap = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(b"map").decode()}
    assert vocabulary_of(unigram(normalizer=charsmap, post_processor=template("A", "</s>"))) == GgufVocabulary(
        model="t5",
        pre="default",
        tokens=("</s>", "<unk>", "▁a", "b", " x"),
        types=(CONTROL, UNKNOWN, NORMAL, NORMAL, USER_DEFINED),
        scores=(0.0, 0.0, -1.5, -2.0, -1000.0),
        special_ids={"eos": 0, "unknown": 1},
        flags={"add_eos_token": True, "add_space_prefix": True, "remove_extra_whitespaces": False},
        charsmap=b"map",
        architecture="t5",
    )


def test_bpe_with_byte_fallback() -> None:
    assert vocabulary_of(byte_fallback()) == GgufVocabulary(
        model="llama",
        pre="default",
        tokens=("<unk>", "<s>", "<0x0A>", "▁", "a", "b", "ab", "▁ab"),
        types=(UNKNOWN, CONTROL, BYTE, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL),
        scores=(-2.0, -1000.0, 0.0, -2.0, -2.0, -2.0, 0.0, -1.0),
        special_ids={"unknown": 0},
        flags={"add_space_prefix": True},
        architecture="llama",
    )


@pytest.mark.parametrize(
    ("parts", "prefix"),
    [
        ({"normalizer": SPACES}, False),
        (
            {"normalizer": SPACES, "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "invert": False}},
            False,
        ),
        ({"normalizer": None, "pre_tokenizer": METASPACE}, True),
        ({"normalizer": None, "pre_tokenizer": {**METASPACE, "prepend_scheme": "never"}}, False),
        ({"normalizer": None, "pre_tokenizer": {"type": "Metaspace", "add_prefix_space": False}}, False),
    ],
)
def test_who_puts_a_space_before_a_text(parts: dict[str, Any], prefix: bool) -> None:
    assert vocabulary_of(byte_fallback(**parts)).flags == {"add_space_prefix": prefix}


@pytest.mark.parametrize(
    ("parts", "removes"),
    [
        ({}, False),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]}}, True),
        ({"normalizer": {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}}, True),
        ({"normalizer": {"type": "Strip", "strip_left": False, "strip_right": True}}, True),
    ],
)
def test_who_removes_spaces(parts: dict[str, Any], removes: bool) -> None:
    assert vocabulary_of(unigram(**parts)).flags["remove_extra_whitespaces"] is removes


@pytest.mark.parametrize(
    ("normalizer", "flags"),
    [
        (
            {"type": "BertNormalizer", "lowercase": True, "strip_accents": False},
            {"lowercase": True, "strip_accents": False},
        ),
        ({"type": "Lowercase"}, {"lowercase": True}),
        (
            {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]},
            {"lowercase": True, "strip_accents": True},
        ),
    ],
)
def test_what_a_normalizer_of_word_piece_says(normalizer: dict[str, Any], flags: dict[str, bool]) -> None:
    found = vocabulary_of(word_piece(normalizer=normalizer)).flags
    assert found == {f"normalizer.{name}": value for name, value in flags.items()}


@pytest.mark.parametrize(
    ("token", "special", "type_"),
    [
        ("<x>", True, CONTROL),
        ("<x>", False, USER_DEFINED),
        ("<|x|>", False, CONTROL),
        ("<｜x｜>", False, CONTROL),
        ("<unused7>", False, CONTROL),
        ("<mask>", False, CONTROL),
    ],
)
def test_tokens_that_look_special_are_control_tokens(token: str, special: bool, type_: int) -> None:
    found = vocabulary_of(byte_level(added_tokens=[added(3, token, special=special)]))
    assert found.types is not None
    assert (found.tokens[3], found.types[3]) == (token, type_)


def test_merges_may_be_text_and_have_spaces() -> None:
    given = byte_level()
    given["model"]["merges"] = [["a", " "], ["Ġ", "a"]]
    assert vocabulary_of(given).merges == ("a Ġ", "Ġ a")
    given["model"]["merges"] = ["Ġ a"]
    assert vocabulary_of(given).merges == ("Ġ a",)


def test_the_configuration_of_the_model_tells_how_many_tokens_there_are() -> None:
    assert vocabulary_of(byte_level(), None, {"vocab_size": 6}).tokens[4:] == ("<end>", "[PAD5]")
    assert len(vocabulary_of(byte_level(), None, {"vocab_size": 2}).tokens) == 5


# Special tokens -------------------------------------------------------------------------------------------------------

TOKENS = [added(0, "<s>"), added(1, "</s>"), added(2, "<sep>"), added(3, "<turn>")]
AFTER_BYTES = {"type": "ByteLevel"}


def special(
    post_processor: Any, configuration: Any = None, model: Any = None
) -> tuple[dict[str, int], dict[str, bool]]:
    found = vocabulary_of(byte_level(post_processor=post_processor, added_tokens=TOKENS), configuration, model)
    return dict(found.special_ids), dict(found.flags)


@pytest.mark.parametrize(
    ("processor", "configuration", "ids", "flags"),
    [
        (None, None, {}, {}),
        (AFTER_BYTES, None, {}, {"add_bos_token": False, "add_eos_token": False}),
        (None, {"add_bos_token": True, "bos_token": "<s>"}, {"bos": 0}, {"add_bos_token": True}),
        (None, {"bos_token": {"content": "<s>"}, "eos_token": None, "pad_token": 7}, {"bos": 0}, {}),
        (None, {"bos_token": "not added"}, {}, {}),
        (None, {"cls_token": "<s>", "sep_token": "<sep>"}, {"bos": 0, "cls": 0, "eos": 2, "seperator": 2}, {}),
        # The template goes before what the configuration says.
        (AFTER_BYTES, {"add_bos_token": True}, {}, {"add_bos_token": False, "add_eos_token": False}),
        (template("<s>", "A"), None, {"bos": 0, "cls": 0}, {"add_bos_token": True}),
        (template("<s>", "A"), {"bos_token": "<turn>"}, {"bos": 3, "cls": 0}, {"add_bos_token": True}),
        (template("A", "</s>"), None, {"eos": 1}, {"add_eos_token": True}),
        # What ended a text until now ends a turn.
        (template("A", "</s>"), {"eos_token": "<turn>"}, {"eos": 1, "eot": 3}, {"add_eos_token": True}),
        (template("A"), None, {}, {}),
        (
            {"type": "Sequence", "processors": [AFTER_BYTES, template("<s>", "A")]},
            None,
            {"bos": 0, "cls": 0},
            {"add_bos_token": True, "add_eos_token": False},
        ),
        (
            {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]},
            None,
            {"bos": 0, "cls": 0, "eos": 1, "seperator": 1},
            {"add_bos_token": True, "add_eos_token": True, "add_sep_token": True},
        ),
        ({"type": "BertProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]}, None, {"bos": 0, "eos": 1}, {}),
        (
            template("A", "</s>", pair=("A", "</s>", "B", "</s>")),
            None,
            {"eos": 1},
            {"add_eos_token": True, "add_sep_token": False},
        ),
        (
            template("A", "</s>", pair=("A", "</s>", "</s>", "B", "</s>")),
            None,
            {"eos": 1},
            {"add_eos_token": True, "add_sep_token": True},
        ),
        (
            template("A", pair=("A", "<sep>", "B")),
            {"sep_token": "<sep>"},
            {"eos": 2, "seperator": 2},
            {"add_sep_token": True},
        ),
    ],
)
def test_special_tokens(processor: Any, configuration: Any, ids: dict[str, int], flags: dict[str, bool]) -> None:
    assert special(processor, configuration) == (ids, flags)


def test_the_configuration_of_the_model_has_ids_that_others_do_not_tell() -> None:
    model = {"bos_token_id": 3, "eos_token_id": 1, "pad_token_id": None, "sep_token_id": -1, "cls_token_id": True}
    assert special(None, {"bos_token": "<s>"}, model)[0] == {"bos": 0, "eos": 1}


@pytest.mark.parametrize(
    ("given", "templates"),
    [
        (None, {}),
        ("{{ 1 }}", {"default": "{{ 1 }}"}),
        ([{"name": "default", "template": "a"}, {"name": "rag", "template": "b"}], {"default": "a", "rag": "b"}),
    ],
)
def test_chat_templates(given: Any, templates: dict[str, str]) -> None:
    assert vocabulary_of(byte_level(), {"chat_template": given}).templates == templates


# Refusals -------------------------------------------------------------------------------------------------------------


def with_model(given: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {**given, "model": {**given["model"], **settings}}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (document({"type": "WordLevel", "vocab": {}}), "WordPiece and Unigram; this model is WordLevel$"),
        (document({"type": "BPE", "vocab": {}, "merges": []}), "this model is BPE over characters$"),
        (byte_level(normalizer={"type": "NFKC"}), "^it has nothing for the normalizer NFKC before a model"),
        (byte_level(pre_tokenizer={**BYTE_LEVEL, "add_prefix_space": True}), "none of its names stands for this one"),
        (with_model(byte_level(), dropout=0.1), "^a GGUF file has nothing like this model's dropout$"),
        (with_model(byte_level(), end_of_word_suffix="</w>"), "nothing like this model's end_of_word_suffix$"),
        (with_model(byte_fallback(), continuing_subword_prefix="##"), "this model's continuing_subword_prefix$"),
        (with_model(word_piece(), continuing_subword_prefix="@@"), "whose pieces within a word begin with ##$"),
        (word_piece(pre_tokenizer={"type": "Whitespace"}), "^its WordPiece splits words as BertPreTokenizer does"),
        (word_piece(normalizer={"type": "NFKC"}), "nothing for the normalizer NFKC"),
        (word_piece(normalizer=None), "lowers the case of a text unless a BertNormalizer says otherwise$"),
        (with_model(unigram(), byte_fallback=True), "^its Unigram has no byte fallback; this model has$"),
        (unigram(pre_tokenizer=None), "^it splits words at spaces as Metaspace does; this pre-tokenizer does not$"),
        (unigram(pre_tokenizer={**METASPACE, "replacement": "_"}), "^it writes spaces as ▁; this Metaspace has '_'$"),
        (unigram(normalizer={"type": "NFKC"}), "by a character map alone; this file has the normalizer NFKC too$"),
        (byte_fallback(pre_tokenizer={"type": "Digits"}), "does nothing else before the model; this file does$"),
        (byte_fallback(normalizer={"type": "NFC"}), "does nothing else before the model; this file does$"),
        (byte_level(added_tokens=[added(1 << 30, "far")]), "^its ids go up to 1,073,741,824, and a GGUF file has"),
        (
            with_model(word_piece(), vocab={"[CLS]": 0, "[UNK]": 1, "[SEP]": 2, "▁": 3, "##▁▁": 4}),
            "^the tokens 3 and 4 are both spelled '▁▁' in a GGUF file, and llama.cpp ends where a vocabulary has a",
        ),
    ],
)
def test_what_llama_cpp_has_nothing_for_is_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnfitTokenizerError, match=reason):
        vocabulary_of(given)
