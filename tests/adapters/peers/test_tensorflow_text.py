"""What TensorFlow Text answers, exactly, through its adapters, in the environment of its own."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import Lay, LayPieces, Peer, Source, Template, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Observation,
    OffsetUnit,
    Outcome,
    Stage,
    Text,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, Subject

    Start = Callable[[str], Implementation]
    Load = Callable[[str], Subject]

pytestmark = pytest.mark.long  # to import TensorFlow takes seconds, and to load a tokenizer one more

FIRST, FAST = "tensorflow-text", "tensorflow-text-fast"
BOTH = pytest.mark.parametrize("name", [FIRST, FAST])
Spans = tuple[tuple[int, int], ...]


@pytest.fixture(scope="module")
def start(peer: Peer) -> Start:
    """A function that starts one of the two, once for all these tests."""
    return functools.cache(peer)


@pytest.fixture(scope="module")
def mini(start: Start, bundled: Source) -> Load:
    """A function that returns the bundled WordPiece of one of the two, loaded once for all these tests."""
    return functools.cache(lambda name: start(name).load(bundled("bert-mini")))


def placed(ids: tuple[int, ...], tokens: str, offsets: Spans) -> Encoded:
    return Encoded(ids=ids, tokens=tuple(tokens.split()), offsets=offsets)


def typed(ids: tuple[int, ...], types: tuple[int, ...]) -> Encoded:
    return Encoded(ids=ids, type_ids=types)


# WordPiece ------------------------------------------------------------------------------------------------------------

SPECIAL = placed((37, 743, 372, 39, 44), "[ cl ##s ] b", ((0, 1), (1, 3), (3, 4), (4, 5), (5, 6)))

ALIKE: list[tuple[Observation, Outcome]] = [
    (plain(""), placed((), "", ())),
    (Encode(""), typed((2, 3), (0, 0))),
    (plain("[CLS]b"), SPECIAL),
    (Encode("a b"), typed((2, 43, 44, 3), (0, 0, 0, 0))),
    (Encode("a", "b a"), typed((2, 43, 3, 44, 43, 3), (0, 0, 0, 1, 1, 1))),
    (Encode("a", "b a", add_special_tokens=False), typed((43, 44, 43), (0, 1, 1))),
    (Encode("", "", add_special_tokens=False), typed((), ())),
    (
        EncodeBatch((plain("a"), plain("b a"))),
        EncodedBatch((placed((43,), "a", ((0, 1),)), placed((44, 43), "b a", ((0, 1), (2, 3))))),
    ),
    (EncodeBatch((Encode("a"), Encode(""))), EncodedBatch((typed((2, 43, 3), (0, 0, 0)), typed((2, 3), (0, 0))))),
    (EncodeBatch(()), EncodedBatch(())),
    (kept((2, 43, 44, 3)), Text("[CLS] a b [SEP]")),
    (kept(()), Text("")),
]


@BOTH
@pytest.mark.parametrize(("question", "answer"), ALIKE)
def test_words_are_answered_alike(mini: Load, name: str, question: Observation, answer: Outcome) -> None:
    assert mini(name).observe(question) == answer


@pytest.mark.parametrize(
    ("text", "ids", "tokens", "first", "fast"),
    [
        ("a b", (43, 44), "a b", ((0, 1), (2, 3)), ((0, 1), (2, 3))),
        ("É b", (47, 44), "e b", ((0, 1), (2, 3)), ((0, 2), (3, 4))),
        ("é京b", (47, 1, 44), "e [UNK] b", ((0, 1), (1, 4), (4, 5)), ((0, 2), (2, 5), (5, 6))),
        ("a\u0301 b", (43, 44), "a b", ((0, 1), (2, 3)), ((0, 3), (4, 5))),
        ("ß", (61, 372), "s ##s", ((0, 1), (1, 2)), ((0, 0), (0, 2))),
        ("b" * 101, (1,), "[UNK]", ((0, 5),), ((0, 101),)),
        ("ж" * 51, (1,), "[UNK]", ((0, 5),), ((0, 102),)),
    ],
)
def test_offsets_are_bytes_as_each_has_them(
    start: Start, mini: Load, text: str, ids: tuple[int, ...], tokens: str, first: Spans, fast: Spans
) -> None:
    for name, spans in ((FIRST, first), (FAST, fast)):
        assert start(name).info.offset_unit is OffsetUnit.UTF8_BYTES
        assert mini(name).observe(plain(text)) == placed(ids, tokens, spans)


@BOTH
def test_white_space_that_parts_words(mini: Load, name: str) -> None:
    answer = mini(name).observe(plain("a\u2028b"))
    assert answer == (placed((1,), "[UNK]", ((0, 5),)) if name == FIRST else placed((43, 44), "a b", ((0, 1), (4, 5))))


def test_ids_beyond_the_vocabulary_are_decoded_by_the_first_alone(mini: Load) -> None:
    beyond = kept((43, 1985))
    assert mini(FIRST).observe(beyond) == Text("a [UNK]")
    assert mini(FAST).observe(beyond) == Unsupported(
        "tensorflow-text-fast has no token for the id 1985 in what it reads"
    )
    assert mini(FAST).observe(kept((1984,))) == Text("##るの")


@BOTH
def test_what_it_has_no_call_for_is_unsupported(mini: Load, name: str) -> None:
    subject = mini(name)
    assert subject.observe(Decode((2, 43))) == Unsupported(f"{name} never leaves special tokens out when it decodes")
    assert subject.observe(Encode(("a", "b"))) == Unsupported(f"{name} takes no pre-split input")
    assert subject.vocabulary() == Unsupported(f"{name} does not list its vocabulary")


@BOTH
def test_a_lone_surrogate_is_a_failure_and_it_goes_on(mini: Load, name: str) -> None:
    subject = mini(name)
    assert isinstance(subject.observe(plain("\ud800")), Failed)
    assert subject.observe(plain("a")) == placed((43,), "a", ((0, 1),))


@BOTH
def test_it_says_what_it_is_and_what_it_shows(start: Start, mini: Load, bundled: Source, name: str) -> None:
    info = start(name).info
    assert (info.name, info.version, info.language) == (name, "2.21.1", "C++")
    assert info.install == f"tokconf environments add {name}"
    subject = mini(name)
    assert subject.shows == {
        Stage.MODEL: {Field.IDS, Field.TOKENS, Field.OFFSETS},
        Stage.POST_PROCESS: {Field.IDS},
    }
    assert subject.files == (bundled("bert-mini").file,)


NORMALIZER = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
WORDS = {"type": "WordPiece", "unk_token": "?", "continuing_subword_prefix": "@@", "max_input_chars_per_word": 4}
VOCABULARY = {"?": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "@@b": 4, "é": 5, "É": 6, "e": 7}


def words(lowercase: bool, strip_accents: bool | None, **changes: Any) -> dict[str, Any]:
    """A tokenizer.json of a few words, without a template."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": NORMALIZER | {"lowercase": lowercase, "strip_accents": strip_accents},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": WORDS | {"vocab": VOCABULARY},
    } | changes


@BOTH
@pytest.mark.parametrize(
    ("lowercase", "strip_accents", "ids"),
    [(True, None, (7, 3, 4, 0)), (True, True, (7, 3, 4, 0)), (False, None, (6, 0, 0)), (False, False, (6, 0, 0))],
)
def test_options_are_those_of_the_file(
    start: Start, lay: Lay, name: str, lowercase: bool, strip_accents: bool | None, ids: tuple[int, ...]
) -> None:
    subject = start(name).load(lay(words(lowercase, strip_accents)))
    assert subject.observe(plain("É Ab aaaab")).ids == ids


def test_accents_are_kept_where_the_case_is_lowered_by_the_first_alone(start: Start, lay: Lay) -> None:
    source = lay(words(lowercase=True, strip_accents=False))
    assert start(FIRST).load(source).observe(plain("É Ab")).ids == (5, 3, 4)
    with pytest.raises(CannotLoadError, match="it lowers the case and strips accents, or neither"):
        start(FAST).load(source)


@BOTH
def test_without_bert_s_template_it_has_no_special_tokens_and_no_pairs(start: Start, lay: Lay, name: str) -> None:
    subject = start(name).load(lay(words(lowercase=True, strip_accents=None)))
    own = f"{name} puts its own bos before and its own eos after a text, each if told so, and this tokenizer's template"
    pairs = f"{name} joins two texts as BERT's template does, and this tokenizer's template joins them otherwise"
    assert subject.observe(Encode("a")) == Unsupported(f"{own} puts others")
    assert subject.observe(EncodeBatch((Encode("a"),))) == Unsupported(f"{own} puts others")
    assert subject.observe(Encode("a", "a")) == Unsupported(pairs)
    assert subject.shows.keys() == {Stage.MODEL}


@BOTH
@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (
            "gpt2-mini",
            "it reads WordPiece vocabularies and SentencePiece models; this tokenizer.json has a byte-level BPE",
        ),
        ("xlnet-mini", "it reads SentencePiece models, and none (spiece.model, "),
        ("options-mini", "it cleans, normalizes and splits as BERT does, with Chinese characters apart"),
    ],
)
def test_other_tokenizers_are_refused_in_words(
    start: Start, bundled: Source, name: str, tokenizer: str, reason: str
) -> None:
    with pytest.raises(CannotLoadError, match=re.escape(reason)) as caught:
        start(name).load(bundled(tokenizer))
    assert caught.value.unsupported
    assert "\n" not in str(caught.value)


# SentencePiece --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "unknown"), [("Unigram", "京"), ("BPE", "<unk>")])
def test_pieces_have_the_ids_of_the_tokenizer_json(
    start: Start, lay_pieces: LayPieces, kind: str, unknown: str
) -> None:
    assert start(FIRST).load(lay_pieces(kind)).observe(plain("a<user>b é京ﬁ a")) == placed(
        (6, 4, 7, 5, 8, 3, 10, 11, 6),
        f"▁a <user> b ▁ é {unknown} f i ▁a",
        ((0, 1), (1, 7), (7, 8), (8, 9), (9, 11), (11, 14), (14, 14), (14, 17), (17, 19)),
    )


def test_the_fast_one_gives_ids_alone(start: Start, lay_pieces: LayPieces) -> None:
    subject = start(FAST).load(lay_pieces())
    assert subject.observe(plain("a<user>b é京ﬁ a")) == Encoded(ids=(6, 4, 7, 5, 8, 3, 10, 11, 6))
    assert subject.observe(EncodeBatch((plain("a"), plain("")))) == EncodedBatch((Encoded(ids=(6,)), Encoded(ids=())))
    assert subject.shows == {Stage.MODEL: {Field.IDS}}
    assert subject.vocabulary() == Unsupported("tensorflow-text-fast does not list its vocabulary")


@BOTH
@pytest.mark.parametrize(
    ("around", "ids"),
    [(("A",), (6, 3)), (("<s>", "A"), (1, 6, 3)), (("A", "</s>"), (6, 3, 2)), (("<s>", "A", "</s>"), (1, 6, 3, 2))],
)
def test_special_tokens_are_those_of_the_template(
    start: Start, lay_pieces: LayPieces, template: Template, name: str, around: tuple[str, ...], ids: tuple[int, ...]
) -> None:
    subject = start(name).load(lay_pieces(post_processor=template(*around)))
    assert subject.observe(Encode("a京")).ids == ids
    assert subject.observe(plain("a京")).ids == (6, 3)


@BOTH
def test_other_templates_and_pairs_are_unsupported(
    start: Start, lay_pieces: LayPieces, template: Template, name: str
) -> None:
    subject = start(name).load(lay_pieces(post_processor=template("A", "[SEP]")))
    own = f"{name} puts its own bos before and its own eos after a text, each if told so, and this tokenizer's template"
    pairs = f"{name} joins two texts as BERT's template does, and this tokenizer's template joins them otherwise"
    assert subject.observe(Encode("a")) == Unsupported(f"{own} puts others")
    assert subject.observe(Encode("a", "b")) == Unsupported(pairs)


@BOTH
def test_the_template_of_bert_is_put_around_pieces(
    start: Start, lay_pieces: LayPieces, template: Template, name: str
) -> None:
    single = template("<s>", "A", "</s>")
    second = [{"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "</s>", "type_id": 1}}]
    subject = start(name).load(lay_pieces(post_processor=single | {"pair": [*single["single"], *second]}))
    assert subject.observe(Encode("a")) == typed((1, 6, 2), (0, 0, 0))
    assert subject.observe(Encode("a", "b")) == typed((1, 6, 2, 9, 2), (0, 0, 0, 1, 1))


def test_a_model_without_a_bos_has_none_of_a_template(start: Start, lay_pieces: LayPieces, template: Template) -> None:
    lacking = lay_pieces(without=("<s>",), post_processor=template("<s>", "A"))
    reason = (
        "tensorflow-text puts its own bos before and its own eos after a text, each if told so, and this tokenizer's"
    )
    assert start(FIRST).load(lacking).observe(Encode("a")) == Unsupported(f"{reason} template puts others")


@BOTH
def test_it_decodes_without_control_symbols_only(start: Start, lay_pieces: LayPieces, name: str) -> None:
    subject = start(name).load(lay_pieces())
    ids = (1, 6, 4, 7, 5, 8, 10, 2)
    assert subject.observe(Decode(ids[1:])) == Text("a<user>b éf")
    assert subject.observe(Decode(ids)) == Text("a<user>b éf" if name == FIRST else " a<user>b éf")
    assert subject.observe(Decode(())) == Text("")
    assert subject.observe(kept(ids)) == Unsupported(
        f"{name} decodes control symbols into nothing, whatever it is asked"
    )
    assert subject.observe(Decode((99,))) == Unsupported(f"{name} has no token for the id 99 in what it reads")


def test_the_vocabulary_is_that_of_the_model(start: Start, lay_pieces: LayPieces) -> None:
    pieces = ["<unk>", "<s>", "</s>", "<user>", "▁", "▁a", "b", "é", "▁b", "f", "i", "a"]
    ids = [3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert start(FIRST).load(lay_pieces()).vocabulary() == dict(zip(pieces, ids, strict=True))


def test_a_bpe_is_merged_by_the_first_and_read_as_unigram_by_the_fast_one(start: Start, checkpoint: Source) -> None:
    source = checkpoint("google-fnet-base")
    assert start(FIRST).load(source).observe(plain("the")) == placed((13,), "▁the", ((0, 3),))
    assert start(FAST).load(source).observe(plain("the")) == Encoded(ids=(7, 10))
