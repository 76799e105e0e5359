"""What a user of `transformers` gets is what its adapter shows, without noise and without the network."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Called,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    LoaderDefaults,
    LoaderSubject,
    NewToken,
    Normalize,
    Observation,
    Pieces,
    PreTokenize,
    SavingSubject,
    SpecialToken,
    Subject,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.transformers import TransformersSubject, _tokens_as_cut

Toy = dict[str, Any]
Write = Callable[[Toy], TokenizerSource]
Lay = Callable[..., TokenizerSource]


@pytest.fixture
def checkpoint(write: Write, toy: Toy) -> Lay:
    """A function that lays the configuration files of a checkpoint beside the toy's tokenizer.json."""

    def lay(**configurations: dict[str, object]) -> TokenizerSource:
        source = write(toy)
        folder = Path(source.file).parent
        for name, content in configurations.items():
            (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        return TokenizerSource("toy", source.file, str(folder))

    return lay


def load(source: TokenizerSource) -> Subject:
    return load_implementation("transformers").load(source)


def test_a_class_that_builds_its_own_pipeline_is_observed_with_that_pipeline(checkpoint: Lay) -> None:
    """BertTokenizer keeps the file's vocabulary and drops its pre-tokenizer (observed, transformers 5.23)."""
    as_file = load_implementation("tokenizers").load(checkpoint())
    as_class = load(checkpoint(config={"model_type": "bert"}, tokenizer_config={"do_lower_case": False}))
    text = "a_b"
    assert [piece for piece, _ in as_file.observe(PreTokenize(text)).pieces] == ["a_b"]
    assert [piece for piece, _ in as_class.observe(PreTokenize(text)).pieces] == ["a", "_", "b"]
    assert as_class.observe(Encode(text, add_special_tokens=False)).tokens == ("a", "[UNK]", "b")


@pytest.mark.parametrize("with_folder", [True, False])
def test_without_configurations_the_file_alone_decides(checkpoint: Lay, with_folder: bool) -> None:
    source = checkpoint()
    if not with_folder:
        source = TokenizerSource(source.name, source.file)
    assert load(source).observe(PreTokenize("a_b")).pieces == (("a_b", (0, 3)),)


SINGLE = Encoded(
    ids=(1, 6, 5, 2),
    tokens=("[CLS]", "a", "é", "[SEP]"),
    offsets=((0, 0), (0, 1), (2, 3), (0, 0)),
    word_ids=(None, 0, 1, None),
    type_ids=(0, 0, 0, 0),
    attention_mask=(1, 1, 1, 1),
    special_tokens_mask=(1, 0, 0, 1),
    sequence_ids=(None, 0, 0, None),
    overflowing=(),
)
PAIR = Encoded(
    ids=(1, 6, 2, 5, 2),
    tokens=("[CLS]", "a", "[SEP]", "é", "[SEP]"),
    offsets=((0, 0), (0, 1), (0, 0), (1, 2), (0, 0)),
    word_ids=(None, 0, None, 0, None),
    type_ids=(0, 0, 0, 1, 1),
    attention_mask=(1, 1, 1, 1, 1),
    special_tokens_mask=(1, 0, 1, 0, 1),
    sequence_ids=(None, 0, None, 1, None),
    overflowing=(),
)
BARE = Encoded(
    ids=(6, 2, 5),
    tokens=("a", "[SEP]", "é"),
    offsets=((0, 1), (1, 6), (6, 7)),
    word_ids=(0, 1, 2),
    type_ids=(0, 0, 0),
    attention_mask=(1, 1, 1),
    special_tokens_mask=(0, 0, 0),
    sequence_ids=(0, 0, 0),
    overflowing=(),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (Encode("a É"), SINGLE),
        (Encode("a", " É"), PAIR),
        (Encode("a[SEP]é", add_special_tokens=False), BARE),
        (EncodeBatch((Encode("a É"), Encode("a", " É"))), EncodedBatch((SINGLE, PAIR))),
        (EncodeBatch((Encode("a", " É"), Encode("a É"))), EncodedBatch((PAIR, SINGLE))),
        (EncodeBatch((Encode("a", " É"), Encode("a", " É"))), EncodedBatch((PAIR, PAIR))),
        (Decode((1, 6, 2, 5)), Text("a é")),
        (Decode((1, 6, 2, 5), skip_special_tokens=False), Text("[CLS] a [SEP] é")),
        (Decode(()), Text("")),
        (Normalize("É[SEP]"), Text("é[sep]")),
        (PreTokenize("a É"), Pieces((("a", (0, 1)), ("É", (2, 3))))),
    ],
    ids=repr,
)
def test_each_question_has_its_answer(checkpoint: Lay, question: Observation, answer: object) -> None:
    assert load(checkpoint()).observe(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        Encode("a", ""),
        Encode("", ""),
        Encode("", "b"),
        Encode("a", "", add_special_tokens=False),
        Encode(("a", "É"), ("b",)),
        Encode(("a", "É")),
        Encode(("a",), ()),
        Encode(()),
        Encode(("a", "[SEP]"), add_special_tokens=False),
        EncodeBatch((Encode(("a",), ("b", "é")), Encode(("a",), ("b",)))),
    ],
    ids=repr,
)
def test_pairs_words_and_batches_are_those_of_tokenizers(checkpoint: Lay, question: Observation) -> None:
    source = checkpoint()
    answer = load(source).observe(question)
    assert isinstance(answer, Encoded | EncodedBatch)
    assert answer == load_implementation("tokenizers").load(source).observe(question)


# Truncation and padding, which the caller says ------------------------------------------------------------------------

RIGHT = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
LEFT = {"direction": "Left", "max_length": 6, "strategy": "OnlySecond", "stride": 1}
FIRST = RIGHT | {"strategy": "OnlyFirst"}
LONGEST = {
    "strategy": "BatchLongest",
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 2,
    "pad_type_id": 0,
    "pad_token": "[SEP]",
}
MULTIPLE = LONGEST | {"direction": "Left", "pad_to_multiple_of": 4}
FIXED = LONGEST | {"strategy": {"Fixed": 6}}
QUESTIONS = [
    Encode("a b é"),
    Encode("a", "b é a b"),
    EncodeBatch((Encode("a"), Encode("a b"))),
    Encode("a b", "é"),
]


@pytest.mark.parametrize(
    ("truncation", "padding"),
    [
        (RIGHT, None),
        (LEFT, None),
        (FIRST, None),
        (None, LONGEST),
        (None, MULTIPLE),
        (None, FIXED),
        (RIGHT, LONGEST),
        (RIGHT, MULTIPLE),
        (RIGHT, LONGEST | {"strategy": {"Fixed": 4}}),
    ],
    ids=repr,
)
def test_truncation_and_padding_are_those_of_the_file(
    checkpoint: Lay, toy: Toy, truncation: Toy | None, padding: Toy | None
) -> None:
    toy |= {"truncation": truncation, "padding": padding}
    source = checkpoint()
    subject, expected = load(source), load_implementation("tokenizers").load(source)
    refused = 0
    for question in QUESTIONS:
        answer, theirs = subject.observe(question), expected.observe(question)
        if isinstance(theirs, Failed):
            refused += 1
            assert isinstance(answer, Failed)
        else:
            assert answer == theirs
    assert refused <= len(QUESTIONS) / 2


@pytest.mark.parametrize(
    ("truncation", "padding"),
    [
        (RIGHT | {"direction": {"Left": None}}, None),
        (None, {name: value for name, value in LONGEST.items() if name != "pad_to_multiple_of"}),
    ],
    ids=["a name as an object", "a default left out"],
)
def test_sizes_are_read_in_every_form_that_tokenizers_reads(
    checkpoint: Lay, toy: Toy, truncation: Toy | None, padding: Toy | None
) -> None:
    toy |= {"truncation": truncation, "padding": padding}
    source = checkpoint()
    question = EncodeBatch((Encode("a b é"), Encode("a")))
    answer = load(source).observe(question)
    assert isinstance(answer, EncodedBatch)
    assert answer == load_implementation("tokenizers").load(source).observe(question)


def test_a_text_is_cut_at_the_side_that_the_file_names(checkpoint: Lay, toy: Toy) -> None:
    toy["truncation"] = RIGHT | {"direction": "Left"}
    assert load(checkpoint()).observe(Encode("a b é")).tokens == ("[CLS]", "b", "é", "[SEP]")
    toy["truncation"] = RIGHT
    assert load(checkpoint()).observe(Encode("a b é")).tokens == ("[CLS]", "a", "b", "[SEP]")


def test_a_file_without_truncation_and_padding_has_none(checkpoint: Lay) -> None:
    subject = load(checkpoint(tokenizer_config={"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 3}))
    answer = subject.observe(Encode("a b é"))
    assert answer.tokens == ("[CLS]", "a", "b", "é", "[SEP]")
    assert answer.overflowing == ()


@pytest.mark.parametrize(
    ("truncation", "padding", "reason"),
    [
        (RIGHT, FIXED, "truncates and pads to one max_length; this file has two"),
        (LEFT, MULTIPLE, "truncates to a multiple of what it pads to; this file does not"),
    ],
)
def test_what_a_call_has_no_words_for_is_unsupported(
    checkpoint: Lay, toy: Toy, truncation: Toy, padding: Toy, reason: str
) -> None:
    toy |= {"truncation": truncation, "padding": padding}
    subject = load(checkpoint())
    for question in (Encode("a"), EncodeBatch((Encode("a"),))):
        assert subject.observe(question) == Unsupported(f"transformers {reason}")
    assert subject.observe(Decode((6,))) == Text("a")
    assert subject.own_calls() is None


def test_the_call_that_is_timed_truncates_as_the_file_says(checkpoint: Lay, toy: Toy) -> None:
    toy |= {"truncation": RIGHT, "padding": None}
    subject = load(checkpoint())
    own = subject.own_calls()
    ids = subject.observe(Encode("a b é a b é", add_special_tokens=False)).ids
    assert own.one.run("a b é a b é") == list(ids)
    assert own.many.run(["a b é a b é", "a"]) == [list(ids), list(ids[:1])]


def test_decoding_follows_the_clean_up_setting_of_the_checkpoint(checkpoint: Lay, toy: Toy) -> None:
    toy["model"]["vocab"]["."] = 8
    settings = {"tokenizer_class": "PreTrainedTokenizerFast"}
    plain = load(checkpoint(tokenizer_config=settings))
    tidy = load(checkpoint(tokenizer_config={**settings, "clean_up_tokenization_spaces": True}))
    assert plain.observe(Decode((6, 8))) == Text("a .")
    assert tidy.observe(Decode((6, 8))) == Text("a.")


def test_a_class_of_plain_python_shows_ids_and_tokens_and_says_what_it_cannot_show(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}', encoding="utf-8")
    subject = load(TokenizerSource("byt5", str(tmp_path / "tokenizer.json"), str(tmp_path)))
    assert subject.observe(Encode("aé")) == Encoded(
        ids=(100, 198, 172, 1),
        tokens=("a", "Ã", "©", "</s>"),
        type_ids=(0, 0, 0, 0),
        attention_mask=(1, 1, 1, 1),
        special_tokens_mask=(0, 0, 0, 1),
    )
    assert subject.observe(Encode("aé", "b", add_special_tokens=False)) == Encoded(
        ids=(100, 198, 172, 101),
        tokens=("a", "Ã", "©", "b"),
        attention_mask=(1, 1, 1, 1),
        special_tokens_mask=(0, 0, 0, 0),
    )
    assert subject.observe(EncodeBatch((Encode("a"),))) == Unsupported(
        "transformers is asked about one input at a time where its class is plain Python"
    )
    assert subject.own_calls().many.run(["aé", "b"]) == [[100, 198, 172], [101]]
    assert subject.observe(Decode((100, 198, 172, 1))) == Text("aé")
    assert subject.observe(Decode((100, 1), skip_special_tokens=False)) == Text("a</s>")
    for observation in (Normalize("a"), PreTokenize("a")):
        assert subject.observe(observation) == Unsupported(
            "ByT5Tokenizer is plain Python: it has no pipeline to look into"
        )


def test_its_settings_of_the_process_are_left_as_they_were(checkpoint: Lay) -> None:
    import huggingface_hub.constants

    logger = logging.getLogger("transformers")
    before = (logger.level, huggingface_hub.constants.HF_HUB_OFFLINE)
    load(checkpoint(config={"model_type": "bert"})).observe(Encode("a"))
    assert (logger.level, huggingface_hub.constants.HF_HUB_OFFLINE) == before


SILENT = """
import os, socket, sys

class NoNetwork(socket.socket):
    def connect(self, address): raise AssertionError(f"connects to {address}")
    connect_ex = connect

socket.socket = NoNetwork
environment = dict(os.environ)
from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import *
implementation = load_implementation("transformers")
assert implementation.info.version
assert "transformers" not in sys.modules, "imported before it is needed"
subject = implementation.load(TokenizerSource("toy", sys.argv[1] + "/tokenizer.json", sys.argv[1]))
assert isinstance(subject.observe(Encode("a " * 3000)), Encoded)
assert isinstance(subject.observe(Decode((6, 7) * 3000)), Text)
assert dict(os.environ) == environment
"""


@pytest.mark.long
def test_nothing_is_printed_warned_of_or_fetched(checkpoint: Lay, toy: Toy) -> None:
    """In a fresh process, since much of the library's advice is given once only; a BPE gets advice on decoding."""
    tokens = ["[UNK]", "[CLS]", "[SEP]", "un", "known", "é", "a", "b"]
    toy["model"] = {"type": "BPE", "unk_token": "[UNK]", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": []}
    source = checkpoint(
        config={"model_type": "gpt2"},
        tokenizer_config={
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": 5,
            "clean_up_tokenization_spaces": True,
        },
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SILENT, source.folder], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# Changed and saved tokenizers -----------------------------------------------------------------------------------------


def test_changes_hold_for_one_question(checkpoint: Lay) -> None:
    subject = load(checkpoint())
    question = Encode("a kn [CLS]", add_special_tokens=False)
    before = subject.observe(question)
    added = AddTokens((NewToken("kn", lstrip=True, normalized=False),))
    changed = subject.observe(After((added, EncodeSpecialTokens(True)), question))
    assert changed.ids[:2] == (6, 8)
    assert changed.offsets[1] == (1, 4)
    assert 1 not in changed.ids
    assert subject.observe(question) == before
    assert before.ids[-1] == 1


def test_what_it_does_by_rules_of_its_own_is_unsupported(checkpoint: Lay) -> None:
    subject = load(checkpoint())
    question = DecodeStream((1,))
    for asked in (question, After((), question)):
        answer = subject.observe(asked)
        assert isinstance(answer, Unsupported)
        assert answer.reason.startswith("transformers ")


def test_what_is_saved_is_not_what_a_question_has_set(checkpoint: Lay, toy: Toy) -> None:
    toy["truncation"] = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    subject = load(checkpoint())
    assert isinstance(subject, SavingSubject)
    before = subject.saved()
    subject.observe(Encode("a b é"))
    assert isinstance(before, str)
    assert subject.saved() == before
    assert json.loads(before)["truncation"] == toy["truncation"]


def test_defaults_are_named_as_the_library_names_them(checkpoint: Lay) -> None:
    names = {"cls_token": "[CLS]", "additional_special_tokens": ["[SEP]", "<new>"], "model_max_length": 7}
    settings = {"padding_side": "left", "model_input_names": ["input_ids"], "clean_up_tokenization_spaces": True}
    subject = load(checkpoint(tokenizer_config={"tokenizer_class": "PreTrainedTokenizerFast", **names, **settings}))
    assert isinstance(subject, LoaderSubject)
    found = subject.defaults()
    assert isinstance(found, LoaderDefaults)
    assert found.loader == "TokenizersBackend"
    assert SpecialToken("cls_token", "[CLS]", 1) in found.special_tokens
    assert {name: found.settings[name] for name in (*settings, "model_max_length")} == {
        "padding_side": "left",
        "model_input_names": ("input_ids",),
        "clean_up_tokenization_spaces": True,
        "model_max_length": 7,
    }


def test_a_length_that_nobody_has_set_is_no_limit(checkpoint: Lay) -> None:
    subject = load(checkpoint())
    assert isinstance(subject, LoaderSubject)
    found = subject.defaults()
    assert isinstance(found, LoaderDefaults)
    assert found.settings["model_max_length"] is None


def test_a_call_without_options_is_that_of_a_tokenizer_as_loaded(checkpoint: Lay, toy: Toy) -> None:
    toy["truncation"] = RIGHT
    names = ["input_ids", "token_type_ids"]
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_input_names": names}
    subject = load(checkpoint(tokenizer_config=settings))
    assert isinstance(subject, LoaderSubject)
    subject.observe(Encode("a b é"))
    called = subject.called("a b é")
    assert called == Called({"input_ids": (1, 6, 7, 5, 2), "token_type_ids": (0, 0, 0, 0, 0)})
    pair = subject.called("a", "é")
    assert isinstance(pair, Called)
    assert pair.fields["token_type_ids"] == (0, 0, 0, 1, 1)


def test_an_error_of_a_call_is_an_outcome() -> None:
    def broken() -> Any:
        raise ValueError("no")

    subject = TransformersSubject(transformers_tokenizer(), (), broken)
    assert subject.called("a") == subject.defaults() == Failed("ValueError", "no")


def transformers_tokenizer() -> Any:
    return pytest.importorskip("transformers").ByT5Tokenizer()


def test_a_class_in_plain_python_saves_nothing() -> None:
    plain = transformers_tokenizer()
    answer = TransformersSubject(plain, (), lambda: plain).saved()
    assert answer == Unsupported("ByT5Tokenizer is plain Python: it writes no tokenizer.json")


class CuttingOtherwise:
    """A class in plain Python that cuts a text into ``own`` tokens, and encodes it to the ids 1 and 2."""

    vocabulary: ClassVar = {"a": 1, "b": 2, "c": 3, "<s>": 0}

    def __init__(self, *own: str) -> None:
        self.own = own

    def tokenize(self, _text: str) -> list[str]:
        return list(self.own)

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [token for id_ in ids for token, its in self.vocabulary.items() if its == id_]

    def convert_tokens_to_ids(self, tokens: list[str]) -> list[int]:
        return [self.vocabulary.get(token.lower(), 1) for token in tokens]


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        (("a", "b"), ("<s>", "a", "b")),
        (("unknown", "B"), ("<s>", "unknown", "B")),  # as the text has them: they are those of these ids
        (("a", "c"), ("<s>", "a", "b")),  # as many, and others
        (("b", "a"), ("<s>", "a", "b")),
        (("a",), ("<s>", "a", "b")),
        ((), ("<s>", "a", "b")),
    ],
)
def test_tokens_of_the_text_stand_for_their_own_ids_alone(own: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert _tokens_as_cut(CuttingOtherwise(*own), Encode("ab"), (0, 1, 2), [1, 0, 0]) == shown
