"""A table of calls is asked what a question means, with its arguments in their places, and says why where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    After,
    CannotLoadError,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    Field,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.peers.package import (
    Calls,
    Package,
    PeerImplementation,
    PeerSubject,
    ids_only,
    text_of,
    text_of_bytes,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

FILES = ("vocab.txt", "merges.txt")
SOURCE = TokenizerSource("toy", "tokenizer.json")
PACKAGE = Package(name="it", distribution="its-package", module="its_module", language="C", home_page="a page")


class Asked:
    """Notes which call was asked with what; encodings have the number of the note as their id."""

    def __init__(self) -> None:
        self.notes: list[tuple[Any, ...]] = []

    def encoded(self, *note: Any) -> Encoded:
        self.notes.append(note)
        return Encoded((len(self.notes),))

    def text(self, *note: Any) -> Text:
        self.notes.append(note)
        return Text(note[0])

    def calls(self) -> Calls:
        return Calls(
            files=FILES,
            encode=lambda text: self.encoded("encode", text),
            encode_special=lambda text: self.encoded("encode_special", text),
            encode_pair=lambda text, pair, special: self.encoded("encode_pair", text, pair, special),
            encode_words=lambda words, special: self.encoded("encode_words", words, special),
            encode_batch=lambda texts, special: [self.encoded("encode_batch", text, special) for text in texts],
            decode=lambda ids: self.text("decode", ids),
            decode_special=lambda ids: self.text("decode_special", ids),
            decode_stream=lambda asked: Chunks((self.text("decode_stream", asked).text,)),
            normalize=lambda text: self.text("normalize", text),
            pre_tokenize=lambda text: Pieces(((self.text("pre_tokenize", text).text, None),)),
            vocabulary=lambda: {"a": 1},
        )


@pytest.mark.parametrize(
    ("question", "note"),
    [
        (Normalize("a"), ("normalize", "a")),
        (PreTokenize("a"), ("pre_tokenize", "a")),
        (Encode("a", add_special_tokens=False), ("encode", "a")),
        (Encode("a", add_special_tokens=True), ("encode_special", "a")),
        (Encode("a", "b", add_special_tokens=False), ("encode_pair", "a", "b", False)),
        (Encode("a", "", add_special_tokens=True), ("encode_pair", "a", "", True)),
        (Encode(("a", "b"), add_special_tokens=False), ("encode_words", ["a", "b"], False)),
        (Encode(("a", "b"), add_special_tokens=True), ("encode_words", ["a", "b"], True)),
        (Decode((2, 1), skip_special_tokens=True), ("decode", [2, 1])),
        (Decode((2, 1), skip_special_tokens=False), ("decode_special", [2, 1])),
        (DecodeStream((2, 1)), ("decode_stream", DecodeStream((2, 1)))),
        (DecodeStream((2, 1), False, (3,), (2,)), ("decode_stream", DecodeStream((2, 1), False, (3,), (2,)))),
    ],
    ids=repr,
)
def test_each_question_has_its_call(question: Observation, note: tuple[Any, ...]) -> None:
    asked = Asked()
    answer = PeerSubject(PACKAGE, asked.calls()).observe(question)
    assert asked.notes == [note]
    assert answer in (
        Encoded((1,)),
        Text(note[0]),
        Chunks((note[0],)),
        Pieces(((note[0], None),)),
    )


@pytest.mark.parametrize("special", [True, False])
def test_a_batch_of_texts_has_its_call(special: bool) -> None:
    asked = Asked()
    batch = EncodeBatch((Encode("b", add_special_tokens=special), Encode("", add_special_tokens=special)))
    assert PeerSubject(PACKAGE, asked.calls()).observe(batch) == EncodedBatch((Encoded((1,)), Encoded((2,))))
    assert asked.notes == [("encode_batch", "b", special), ("encode_batch", "", special)]


@pytest.mark.parametrize(
    "batch",
    [
        (Encode("a"), Encode("a", "b")),
        (Encode("a", ""), Encode("a", "")),
        (Encode(("a",)), Encode(("b",))),
        (Encode(("a",), ("b",)),),
    ],
    ids=repr,
)
def test_a_batch_of_others_is_not_asked(batch: tuple[Encode, ...]) -> None:
    asked = Asked()
    answer = PeerSubject(PACKAGE, asked.calls()).observe(EncodeBatch(batch))
    assert answer == Unsupported("it is asked about batches of single texts only")
    assert asked.notes == []


def test_the_files_and_the_vocabulary_are_those_of_the_calls() -> None:
    subject = PeerSubject(PACKAGE, Asked().calls())
    assert subject.files == FILES
    assert subject.vocabulary() == {"a": 1}


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (Normalize("a"), "it does not show what its normalizer makes of a text"),
        (PreTokenize("a"), "it does not show into which pieces its pre-tokenizer cuts a text"),
        (Encode("a"), "it adds no special tokens"),
        (Encode("a", "b"), "it takes no pair of texts"),
        (Encode(("a",)), "it takes no pre-split input"),
        (Encode(("a",), ("b",)), "it takes no pair of pre-split texts"),
        (
            EncodeBatch((Encode("a"),)),
            "it is asked about one input at a time, so it pads nothing to the longest of several",
        ),
        (Decode((1,), skip_special_tokens=True), "it never leaves special tokens out when it decodes"),
        (Decode((1,), skip_special_tokens=False), "it always leaves special tokens out when it decodes"),
        (DecodeStream((1,)), "it is asked to decode all ids at once, not one by one"),
        (
            After((EncodeSpecialTokens(True),), Encode("a", add_special_tokens=False)),
            "it is asked about a tokenizer as its file has it, without changes",
        ),
    ],
    ids=repr,
)
def test_where_there_is_no_call_the_reason_names_the_peer(question: Observation, reason: str) -> None:
    subject = PeerSubject(PACKAGE, Calls(files=FILES, encode=lambda text: Encoded((len(text),))))
    assert subject.observe(question) == Unsupported(reason)
    assert subject.vocabulary() == Unsupported("it does not list its vocabulary")
    assert subject.observe(Encode("ab", add_special_tokens=False)) == Encoded((2,))


def test_an_error_of_a_call_is_an_outcome() -> None:
    def refuse(text: str) -> Encoded:
        raise ValueError(text)

    subject = PeerSubject(PACKAGE, Calls(files=FILES, encode=refuse))
    assert subject.observe(Encode("no", add_special_tokens=False)) == Failed("ValueError", "no")


class Peer(PeerImplementation):
    """A peer that stands upon a module which is always there."""

    package = Package(
        name="it",
        distribution="pytest",
        module="json",
        language="C",
        home_page="a page",
        stages=frozenset({Stage.DECODE}),
        fields=frozenset({Field.OFFSETS}),
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        if source.name == "bad":
            raise ValueError("it is\nbad")
        return Calls(files=(module.__name__, source.file), encode=ids_only(lambda text: [len(text), "7"]))


def test_a_peer_says_what_its_package_says() -> None:
    info = Peer().info
    assert (info.name, info.version, info.language, info.home_page) == ("it", pytest.__version__, "C", "a page")
    assert (info.stages, info.fields) == (frozenset({Stage.DECODE}), frozenset({Field.OFFSETS}))
    assert info.offset_unit is OffsetUnit.UTF8_BYTES
    assert info.install == "pip install pytest"
    plain = Package(name="a", distribution="b", module="c", language="", home_page="")
    assert plain.stages == {Stage.MODEL, Stage.DECODE}
    assert plain.fields == {Field.IDS, Field.TEXT}
    assert plain.offset_unit is OffsetUnit.CODE_POINTS


def test_a_peer_is_loaded_with_its_module() -> None:
    subject = Peer().load(SOURCE)
    assert subject.files == ("json", "tokenizer.json")
    assert subject.observe(Encode("abc", add_special_tokens=False)) == Encoded((3, 7))
    with pytest.raises(CannotLoadError, match=r"^it cannot load bad \(bad.json\): it is bad$"):
        Peer().load(TokenizerSource("bad", "bad.json"))


def test_a_peer_that_is_not_installed_says_how_to_install_it() -> None:
    class Missing(Peer):
        package = Package(name="it", distribution="its-package", module="no_such_module", language="", home_page="")

    with pytest.raises(UnavailableError, match=r"^it is not installed; install it with: pip install its-package$"):
        Missing()


def test_texts_and_bytes_are_texts() -> None:
    assert text_of(str)([1]) == Text("[1]")
    assert text_of_bytes(bytes)([0x61, 0xC3, 0xA9]) == Text("aé")
    assert text_of_bytes(bytes)([0xE4, 0xBA, 0x61, 0xFF, 0xFF]) == Text("\ufffda\ufffd\ufffd")
    assert ids_only(lambda _: (3, 1, 2))("a") == Encoded((3, 1, 2))
