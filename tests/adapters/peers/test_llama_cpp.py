"""The adapter of llama.cpp: exact ids and texts of each kind of vocabulary, of GGUF files, and its refusals."""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import Document, Lay, Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Chat,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Rendered,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.pinned import pinned
from tokenizer_adapters.gguf import writing
from tokenizer_adapters.gguf.conversion import vocabulary_of
from tokenizer_adapters.peers import llama_cpp_library
from tokenizer_adapters.peers.llama_cpp import LlamaCppImplementation
from tokenizer_adapters.peers.llama_cpp_library import LAYOUT
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import UnknownImplementationError
from tokenizer_adapters.selection import Isolation, SelectionError, select, select_trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Implementation

METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
SPECIAL = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
MESSAGES = '[{"role": "user", "content": "Hi"}]'


def added(id_: int, content: str) -> dict[str, Any]:
    return {"id": id_, "content": content, **SPECIAL}


def template(*tokens: str, **ids: int) -> dict[str, Any]:
    pieces = [{"Sequence" if each == "A" else "SpecialToken": {"id": each, "type_id": 0}} for each in tokens]
    known = {token: {"id": token, "ids": [id_], "tokens": [token]} for token, id_ in ids.items()}
    return {"type": "TemplateProcessing", "single": pieces, "pair": pieces, "special_tokens": known}


def document(model: dict[str, Any], **parts: Any) -> dict[str, Any]:
    empty = dict.fromkeys(("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return {"version": "1.0", **empty, "added_tokens": [], "model": model, **parts}


def word_piece() -> dict[str, Any]:
    tokens = ("[UNK]", "[CLS]", "[SEP]", "a", "##b", "##c", ",", "é")
    vocab = {token: id_ for id_, token in enumerate(tokens)}
    return document(
        {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab},
        normalizer={"type": "BertNormalizer", "strip_accents": False, "lowercase": True},
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=template("[CLS]", "A", "[SEP]", **{"[CLS]": 1, "[SEP]": 2}),
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        added_tokens=[added(0, "[UNK]"), added(1, "[CLS]"), added(2, "[SEP]")],
    )


def unigram() -> dict[str, Any]:
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -4.0), ("▁a", -1.0), ("b", -2.0), ("ab", -5.0)]
    return document(
        {"type": "Unigram", "unk_id": 2, "vocab": [list(piece) for piece in pieces]},
        pre_tokenizer=METASPACE,
        post_processor=template("A", "</s>", **{"</s>": 1}),
        decoder=METASPACE,
        added_tokens=[added(0, "<pad>"), added(1, "</s>"), added(2, "<unk>")],
    )


def byte_fallback() -> dict[str, Any]:
    tokens = ("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "ab", "▁ab")
    vocab = {token: id_ for id_, token in enumerate(tokens)}
    steps = [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
    return document(
        {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": vocab,
            "merges": ["a b", "▁ ab"],
        },
        normalizer={"type": "Sequence", "normalizers": steps},
        post_processor=template("<s>", "A", **{"<s>": 1}),
        decoder={"type": "Fuse"},
        added_tokens=[added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")],
    )


# Kinds of vocabularies ------------------------------------------------------------------------------------------------


def test_byte_level_bpe(peer: Peer, lay: Lay, byte_level: Document) -> None:
    subject = peer("llama-cpp").load(lay(byte_level))
    vocab = byte_level["model"]["vocab"]
    assert subject.observe(plain("abab ab é<end>\0")) == Encoded(
        ids=(vocab["abab"], vocab["Ġab"], vocab["Ġ"], vocab["Ã©"], 0, vocab["Ā"])
    )
    assert subject.observe(Encode("ab")) == Encoded(ids=(vocab["ab"],))
    assert subject.observe(plain("")) == Encoded(ids=())
    assert subject.observe(Decode((vocab["abab"], 0, vocab["Ã©"]))) == Text("ababé")
    assert subject.observe(kept((vocab["abab"], 0, vocab["Ã©"]))) == Text("abab<end>é")
    assert subject.observe(Decode((vocab["Ã"],))) == Text("\ufffd")
    assert subject.observe(Decode((vocab["a"], vocab["Ġ"], vocab["?"]))) == Text("a ?")
    assert subject.observe(Decode(())) == Text("")
    assert subject.vocabulary() == vocab
    assert [file.rsplit("/")[-1] for file in subject.files] == ["tokenizer.json"]


def test_word_piece(peer: Peer, lay: Lay) -> None:
    subject = peer("llama-cpp").load(lay(word_piece()))
    assert subject.observe(plain("ABC, é x")) == Encoded(ids=(3, 4, 5, 6, 7, 0))
    assert subject.observe(Encode("a[SEP]a")) == Encoded(ids=(1, 3, 2, 3, 2))
    assert subject.observe(Decode((1, 3, 4, 7, 6, 2))) == Text(" ab é,")
    assert subject.observe(kept((1, 3, 4))) == Text("[CLS] ab")
    assert subject.vocabulary() == word_piece()["model"]["vocab"]


def test_unigram(peer: Peer, lay: Lay) -> None:
    subject = peer("llama-cpp").load(lay(unigram()))
    assert subject.observe(plain("ab  b")) == Encoded(ids=(4, 5, 3, 3, 5))
    assert subject.observe(Encode("a</s>xx")) == Encoded(ids=(4, 1, 3, 2, 1))
    assert subject.observe(Decode((4, 5, 3, 5, 1))) == Text("ab b")
    assert subject.observe(kept((4, 1))) == Text("a</s>")
    assert subject.vocabulary() == {piece: id_ for id_, (piece, _) in enumerate(unigram()["model"]["vocab"])}


def test_bpe_with_byte_fallback(peer: Peer, lay: Lay) -> None:
    subject = peer("llama-cpp").load(lay(byte_fallback()))
    assert subject.observe(plain("ab é")) == Encoded(ids=(263, 259, 3 + 0xC3, 3 + 0xA9))
    assert subject.observe(Encode("ba")) == Encoded(ids=(1, 259, 261, 260))
    assert subject.observe(Decode((263, 3 + 0xC3, 3 + 0xA9))) == Text("abé")
    assert subject.vocabulary() == byte_fallback()["model"]["vocab"]


CHECKPOINTS = {
    "gpt2": ((15496, 11, 995, 13), "Hello, world."),
    "roberta-base": ((0, 31414, 6, 232, 4, 2), "Hello, world."),
    "bert-base-uncased": ((101, 7592, 1010, 2088, 1012, 102), " hello, world."),
    "bert-base-cased": ((101, 8667, 117, 1362, 119, 102), " Hello, world."),
    "t5-small": ((8774, 6, 296, 5, 1), "Hello, world."),
}


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints(peer: Peer, checkpoint: Source, name: str) -> None:
    ids, text = CHECKPOINTS[name]
    subject = peer("llama-cpp").load(checkpoint(name))
    assert subject.observe(Encode("Hello, world.")) == Encoded(ids=ids)
    assert subject.observe(Decode(ids)) == Text(text)


def test_a_token_that_ends_texts_elsewhere_is_special_without_being_told(peer: Peer, checkpoint: Source) -> None:
    assert peer("llama-cpp").load(checkpoint("roberta-base")).observe(plain("<|endoftext|>")) == Encoded(ids=(50260,))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("albert-base-v1", "its Unigram normalizes by a character map alone; this file has the normalizer Replace too"),
        ("google-fnet-base", "it knows BPE over bytes or with byte fallback, WordPiece and Unigram; this model is BPE"),
    ],
)
def test_what_its_converter_has_nothing_for_is_not_loaded(
    peer: Peer, checkpoint: Source, name: str, reason: str
) -> None:
    with pytest.raises(CannotLoadError, match=reason) as caught:
        peer("llama-cpp").load(checkpoint(name))
    assert caught.value.unsupported


@pytest.mark.parametrize("part", [{"truncation": {"max_length": 3}}, {"padding": {"strategy": "BatchLongest"}}])
def test_it_neither_truncates_nor_pads(peer: Peer, lay: Lay, part: Document) -> None:
    with pytest.raises(CannotLoadError, match=r"it neither truncates nor pads; this file does$") as caught:
        peer("llama-cpp").load(lay({**word_piece(), **part}))
    assert caught.value.unsupported


def test_templates_of_a_tokenizer_that_is_not_converted_are_rendered(peer: Peer, lay: Lay) -> None:
    source = lay({**unigram(), "pre_tokenizer": None})
    Path(source.file).with_name("chat_template.jinja").write_text("{{ messages[0].content }}!", encoding="utf-8")
    subject = peer("llama-cpp").load(source)
    assert subject.observe(Chat(MESSAGES)) == Rendered("Hi!")
    assert subject.observe(plain("a")) == Unsupported(
        "llama-cpp cannot be given this tokenizer: it splits words at spaces as Metaspace does; this pre-tokenizer "
        "does not"
    )


def test_a_template_of_several_tokens_is_not_asked_for(peer: Peer, lay: Lay) -> None:
    several = template("<pad>", "</s>", "A", **{"<pad>": 0, "</s>": 1})
    assert peer("llama-cpp").load(lay({**unigram(), "post_processor": several})).observe(Encode("a")) == Unsupported(
        "llama-cpp puts its own bos before and its own eos after a text, each if told so, and this tokenizer's "
        "template puts others"
    )


def test_ids_of_more_than_31_bits_are_not_asked_for(peer: Peer, lay: Lay) -> None:
    answer = peer("llama-cpp").load(lay(unigram())).observe(Decode((1 << 31,)))
    assert answer == Unsupported("llama-cpp takes ids of 31 bits, and 2147483648 is larger")


def test_a_tokenizer_is_converted_once(peer: Peer, lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    source = lay(unigram())
    first = peer("llama-cpp").load(source).observe(plain("ab"))
    monkeypatch.setattr(writing, "write", None)
    assert peer("llama-cpp").load(source).observe(plain("ab")) == first


def test_the_configuration_is_part_of_what_is_converted(peer: Peer, lay: Lay) -> None:
    source = lay({**byte_fallback(), "post_processor": None})
    bare = peer("llama-cpp").load(source)
    configuration = Path(source.file).with_name("tokenizer_config.json")
    configuration.write_text('{"add_bos_token": false, "bos_token": "<s>"}', encoding="utf-8")
    told = peer("llama-cpp").load(source)
    # Where nothing is said, llama.cpp puts a bos before a text with such a vocabulary.
    assert [each.observe(Encode("ab")) for each in (bare, told)] == [Encoded(ids=(1, 263)), Encoded(ids=(263,))]
    assert told.files[1:] == (str(configuration),)


# Releases whose library is another one --------------------------------------------------------------------------------


def test_other_parameters_of_models_are_refused(peer: Peer, lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    implementation, source = peer("llama-cpp"), lay(unigram())
    other = tuple((name, type_, not value if name == "use_extra_bufts" else value) for name, type_, value in LAYOUT)
    monkeypatch.setattr(llama_cpp_library, "LAYOUT", other)
    with pytest.raises(CannotLoadError, match=r"has other parameters of models than llama-cpp knows \(use_extra_bufts"):
        implementation.load(source)


def test_a_library_that_does_not_export_what_is_called_is_refused() -> None:
    library = next(Path(ctypes.__file__).parent.parent.glob("lib-dynload/_ctypes*.so"), None)
    if library is None:
        pytest.skip("this Python has no extension module of ctypes")
    with pytest.raises(UnavailableError, match="does not export llama_backend_init, which llama-cpp calls"):
        llama_cpp_library.library(str(library))


# GGUF files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(peer: Peer, tmp_path: Path) -> Path:
    """A GGUF file of the WordPiece above, with a template and a tensor of 40 GB that is not on the disk."""
    peer("llama-cpp")
    vocabulary = vocabulary_of(word_piece(), {"chat_template": "{{ bos_token }}{{ messages[0].content }}"})
    file = tmp_path / "model.gguf"
    writing.write(vocabulary, file)
    content = bytearray(file.read_bytes())
    content[8:16] = struct.pack("<Q", 1)
    name = b"token_embd.weight"
    content += struct.pack("<Q", len(name)) + name + struct.pack("<IQQIQ", 2, 100_000, 100_000, 0, 0)
    content += bytes(-len(content) % 32)
    file.write_bytes(content)
    os.truncate(file, len(content) + 4 * 100_000**2)
    return file


@contextmanager
def running(word: str) -> Iterator[Implementation]:
    implementation = select(word, Isolation()).build()
    assert isinstance(implementation, ProcessImplementation)
    with implementation:
        yield implementation


NOWHERE = TokenizerSource("toy", "/no/such/tokenizer.json")


@pytest.mark.parametrize("prefix", ["llama.cpp@", "llama-cpp@", "mine=llama.cpp@"])
def test_a_gguf_file_takes_the_place_of_the_tokenizer_json(model: Path, prefix: str) -> None:
    with running(f"{prefix}{model}") as implementation:
        assert implementation.info.name == ("mine" if "mine" in prefix else "llama-cpp@model.gguf")
        subject = implementation.load(NOWHERE)
        assert subject.files == (str(model),)
        assert subject.observe(Encode("a, É")) == Encoded(ids=(1, 3, 6, 7, 2))


def test_templates_of_a_gguf_file_are_rendered(model: Path) -> None:
    subject = LlamaCppImplementation(str(model)).load(NOWHERE)
    assert subject.observe(Chat(MESSAGES)) == Rendered("[CLS]Hi")
    assert subject.vocabulary() == word_piece()["model"]["vocab"]


def test_an_id_that_no_token_has_ends_its_process_and_nothing_else(model: Path) -> None:
    with running(f"llama.cpp@{model}") as implementation:
        subject = implementation.load(NOWHERE)
        ended = subject.observe(Decode((1000,)))
        assert isinstance(ended, Crashed)
        assert "out_of_range" in ended.detail
        assert subject.observe(Decode((3, 4))) == Text(" ab")


DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no GGUF": (lambda _: b"{}" * 20, "invalid magic characters: '{}{}', expected 'GGUF'"),
    "empty": (lambda _: b"", "failed to read magic"),
    "cut": (lambda content: content[: len(content) // 2], "failed to read key-value pairs"),
    "no tokenizer": (lambda content: content.replace(b"ggml.model", b"ggml.modem"), "key not found in model: tokeni"),
    "other model": (lambda content: content.replace(b"bert", b"bret"), "unknown model architecture: 'bret'"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_files_that_it_refuses(peer: Peer, tmp_path: Path, damage: str) -> None:
    peer("llama-cpp")
    change, reason = DAMAGED[damage]
    file = tmp_path / "model.gguf"
    writing.write(vocabulary_of(word_piece()), file)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(CannotLoadError) as caught:
        LlamaCppImplementation(str(file)).load(NOWHERE)
    assert f"llama.cpp refuses {str(file)!r}: {reason}" in str(caught.value)
    assert not caught.value.unsupported


def test_a_vocabulary_with_a_token_twice_is_told_as_a_crash(peer: Peer, tmp_path: Path) -> None:
    peer("llama-cpp")
    vocabulary = vocabulary_of(word_piece())
    writing.write(replace(vocabulary, tokens=("▁a", *vocabulary.tokens[1:])), tmp_path / "model.gguf")
    with running(f"llama.cpp@{tmp_path / 'model.gguf'}") as implementation, pytest.raises(CannotLoadError) as caught:
        implementation.load(NOWHERE)
    assert isinstance(caught.value.fault, Crashed)
    assert "id_to_token.size() == token_to_id.size()" in str(caught.value)


def test_a_file_that_is_gone_is_told(peer: Peer, model: Path) -> None:
    peer("llama-cpp")
    model.unlink()
    with pytest.raises(CannotLoadError, match=r"there is no file '.*model.gguf'$"):
        LlamaCppImplementation(str(model)).load(NOWHERE)


@pytest.mark.parametrize(
    ("word", "error", "reason"),
    [
        ("llama.cpp@none.gguf", SelectionError, "^'llama.cpp@none.gguf': there is no file '.*none.gguf'$"),
        (
            "tokie@model.gguf",
            SelectionError,
            "tokie reads no GGUF files; llama-cpp does, as in 'llama.cpp@m",
        ),
        ("nothing@model.gguf", UnknownImplementationError, "^no implementation is called 'nothing@model.gguf'"),
    ],
)
def test_words_that_give_no_file(word: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        select(word, Isolation())


def test_a_file_is_no_release() -> None:
    with pytest.raises(WordError, match="names a file, and no release; name the implementation, or one as PACKAGE=="):
        pinned("llama.cpp@model.gguf")
    with pytest.raises(WordError, match="names a file, and no release"):
        select_trainer("llama.cpp@model.gguf")
