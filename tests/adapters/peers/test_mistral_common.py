"""The adapter of ``mistral-common``: exact answers of its SentencePiece and Tekken tokenizers, about small models."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import Document, Lay, LayPieces, Peer, Template, kept, plain

from tokenizer_adapters.contract import Chat, Decode, Encode, Encoded, Failed, Rendered, Text, Unsupported

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

OTHER_TEMPLATE = Unsupported(
    "mistral-common puts its own bos before and its own eos after a text, each if told so, and this tokenizer's "
    "template puts others"
)
TEMPLATES = [
    (("A",), (), ()),
    (("<s>", "A"), ("<s>",), ()),
    (("A", "</s>"), (), ("</s>",)),
    (("<s>", "A", "</s>"), ("<s>",), ("</s>",)),
]
"""Templates, and what each puts before and after a text."""


# SentencePieceTokenizer -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["Unigram", "BPE"])
def test_a_sentencepiece_model_has_the_ids_of_the_tokenizer_json(peer: Peer, lay_pieces: LayPieces, kind: str) -> None:
    source = lay_pieces(kind)
    subject = peer("mistral-common").load(source)
    assert subject.files == (str(Path(source.file).with_name("spiece.model")),)
    assert subject.observe(plain("a<user>b é京ﬁ a")) == Encoded(ids=(6, 4, 7, 5, 8, 3, 10, 11, 6))
    assert subject.observe(plain("a</s>b")) == Encoded(ids=(6, 3, 7))
    assert subject.observe(plain("")) == Encoded(ids=())


def test_a_sentencepiece_model_is_decoded_without_special_tokens_only(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("mistral-common").load(lay_pieces())
    ids = (1, 6, 4, 7, 5, 8, 10, 2)
    assert subject.observe(Decode(ids)) == Text("a<user>b éf")
    assert subject.observe(kept(ids)) == Unsupported(
        "mistral-common gives pieces, not text, where it keeps the special tokens of a SentencePiece model (KEEP)"
    )
    assert subject.observe(Decode((6, 3))) == Unsupported(
        "mistral-common leaves out control symbols only; the id 3 is none in its model"
    )
    assert subject.observe(Decode((14,))) == Unsupported("mistral-common has no token for the id 14 in what it reads")


def test_the_vocabulary_of_a_sentencepiece_model_has_the_ids_of_the_tokenizer_json(
    peer: Peer, lay_pieces: LayPieces
) -> None:
    pieces = ["<unk>", "<s>", "</s>", "<user>", "▁", "▁a", "b", "é", "▁b", "f", "i", "a"]
    ids = [3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert peer("mistral-common").load(lay_pieces()).vocabulary() == dict(zip(pieces, ids, strict=True))


# Tekkenizer -----------------------------------------------------------------------------------------------------------


def with_special_tokens(document: Document) -> Document:
    """Return ``document`` with "<s>" and "</s>" as the special tokens 270 and 269, in this order, beside "<end>"."""
    changed = copy.deepcopy(document)
    special = changed["added_tokens"][0]
    changed["added_tokens"] += [{**special, "id": 270, "content": "<s>"}, {**special, "id": 269, "content": "</s>"}]
    return changed


@pytest.mark.parametrize(("around", "before", "after"), TEMPLATES)
def test_bos_and_eos_of_ranks_are_those_of_the_template(
    peer: Peer,
    lay: Lay,
    byte_level: Document,
    template: Template,
    around: tuple[str, ...],
    before: tuple[str, ...],
    after: tuple[str, ...],
) -> None:
    document = with_special_tokens(byte_level)
    document["post_processor"] = template(*around)
    ids = {"<s>": 270, "</s>": 269}
    for token, id_ in ids.items():
        document["post_processor"]["special_tokens"][token]["ids"] = [id_]
    subject = peer("mistral-common").load(lay(document))
    bare = document["model"]["vocab"]["abab"]
    assert subject.observe(Encode("abab")) == Encoded(ids=(*map(ids.get, before), bare, *map(ids.get, after)))
    assert subject.observe(plain("abab")) == Encoded(ids=(bare,))


def test_a_template_of_tokens_that_ranks_lack_cannot_be_asked_for(
    peer: Peer, lay: Lay, byte_level: Document, template: Template
) -> None:
    byte_level["post_processor"] = template("<s>", "A")
    assert peer("mistral-common").load(lay(byte_level)).observe(Encode("a")) == OTHER_TEMPLATE


def test_ranks_are_decoded_with_and_without_special_tokens(peer: Peer, lay: Lay, byte_level: Document) -> None:
    document = with_special_tokens(byte_level)
    vocab = document["model"]["vocab"]
    subject = peer("mistral-common").load(lay(document))
    ids = (270, vocab["Ġab"], 0, vocab["Ã"], vocab["©"], vocab["Ã©"], 269)
    assert subject.observe(Decode(ids)) == Text(" abéé")
    assert subject.observe(kept(ids)) == Text("<s> ab<end>éé</s>")
    assert subject.observe(Decode((vocab["Ã"],))) == Text("\ufffd")
    for skip in (True, False):
        assert subject.observe(Decode((9999,), skip_special_tokens=skip)) == Unsupported(
            "mistral-common has no token for the id 9999 in what it reads"
        )
    assert subject.observe(plain("a<end>")).ids == tuple(vocab[token] for token in "a<end>")
    assert subject.observe(plain("")) == Encoded(ids=())
    assert subject.vocabulary() == Unsupported(
        'mistral-common lists tokens as text, and every one that is not UTF-8 as "<?>"'
    )


@pytest.mark.parametrize("first", ["<s>", "</s>"])
def test_a_tekken_file_comes_first_and_keeps_its_ids(
    peer: Peer, lay_pieces: LayPieces, template: Template, first: str
) -> None:
    source = lay_pieces(post_processor=template("<s>", "A", "</s>"))
    special = [first, "</s>" if first == "<s>" else "<s>"]
    tokens = [bytes([value]) for value in range(256)] + [b"ab"]
    document = {
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate(tokens)
        ],
        "special_tokens": [
            {"rank": rank, "token_str": token, "is_control": True} for rank, token in enumerate(["<unk>", *special])
        ],
        "config": {
            "pattern": r"\S+|\s+",
            "num_vocab_tokens": 257,
            "default_vocab_size": 260,
            "default_num_special_tokens": 3,
            "version": "v11",
        },
    }
    file = Path(source.file).with_name("tekken.json")
    file.write_text(json.dumps(document), encoding="utf-8")
    subject = peer("mistral-common").load(source)
    assert subject.files == (str(file),)
    assert subject.observe(plain("ab a")) == Encoded(ids=(259, 35, 100))
    assert subject.observe(kept((1, 259, 2))) == Text(f"{special[0]}ab{special[1]}")
    assert subject.observe(Decode((1, 259, 2))) == Text("ab")
    asked = subject.observe(Encode("ab"))
    assert asked == (Encoded(ids=(1, 259, 2)) if first == "<s>" else OTHER_TEMPLATE)


# Chats ----------------------------------------------------------------------------------------------------------------

CONTROL = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"]
CONTROL += ["[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"]
CONTROL += ["[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"]


def chat(*messages: tuple[str, str], **more: Any) -> Chat:
    return Chat(json.dumps([{"role": role, "content": content} for role, content in messages]), **more)


@pytest.fixture
def tekken(lay: Lay, byte_level: Document) -> TokenizerSource:
    """A tokenizer with a tekken.json of single bytes, whose format for chats is that of version 7."""
    source = lay(byte_level)
    tokens = [bytes([value]) for value in range(256)]
    document = {
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate(tokens)
        ],
        "special_tokens": [
            {"rank": rank, "token_str": token, "is_control": True} for rank, token in enumerate(CONTROL)
        ],
        "config": {
            "pattern": r"\S+|\s+",
            "num_vocab_tokens": 256,
            "default_vocab_size": 276,
            "default_num_special_tokens": 20,
            "version": "v7",
        },
    }
    Path(source.file).with_name("tekken.json").write_text(json.dumps(document), encoding="utf-8")
    return source


CHATS = [
    (chat(("user", " Hi")), "<s>[INST] Hi[/INST]", (1, 3, 52, 92, 125, 4)),
    (
        chat(("system", "S"), ("user", "a"), ("assistant", "b"), ("user", "[INST]"), add_generation_prompt=True),
        "<s>[SYSTEM_PROMPT]S[/SYSTEM_PROMPT][INST]a[/INST]b</s>[INST][INST][/INST]",
        (1, 17, 103, 18, 3, 117, 4, 118, 2, 3, 111, 93, 98, 103, 104, 113, 4),
    ),
    (
        chat(("user", "a"), ("assistant", "b"), continue_final_message=True),
        "<s>[INST]a[/INST]b",
        (1, 3, 117, 4, 118),
    ),
]


@pytest.mark.parametrize(("question", "text", "ids"), CHATS, ids=["one", "turns", "continued"])
def test_a_chat_has_the_format_of_its_version(
    peer: Peer, tekken: TokenizerSource, question: Chat, text: str, ids: tuple[int, ...]
) -> None:
    assert peer("mistral-common").load(tekken).observe(question) == Rendered(text, ids)


@pytest.mark.parametrize(
    "question", [chat(("user", "a"), ("assistant", "b")), chat(("critic", "a")), Chat("[]"), Chat("{}")], ids=repr
)
def test_a_conversation_that_no_server_answers_fails(peer: Peer, tekken: TokenizerSource, question: Chat) -> None:
    assert isinstance(peer("mistral-common").load(tekken).observe(question), Failed)


def test_a_chat_needs_a_tekken_file_and_no_template(
    peer: Peer, tekken: TokenizerSource, lay: Lay, byte_level: Document
) -> None:
    subject = peer("mistral-common").load(tekken)
    assert isinstance(subject.observe(chat(("user", "a"), template="default")), Unsupported)
    assert isinstance(subject.observe(chat(("user", "a"), continue_final_message=True)), Unsupported)
    Path(tekken.file).with_name("tekken.json").unlink()
    ranks = peer("mistral-common").load(lay(with_special_tokens(byte_level)))
    assert isinstance(ranks.observe(chat(("user", "a"))), Unsupported)
