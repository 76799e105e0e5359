"""What every peer's adapter keeps of the contract: it says what it shows, shows it, and says what it cannot load."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from in_one_test import in_one_test
from peer_questions import Lay, Peer, Source, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    GUESSED,
    After,
    CannotLoadError,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Implementation,
    Normalize,
    PreTokenize,
    Stage,
    Subject,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.peers.package import (
    NO_BATCH,
    NO_CHANGES,
    NO_NORMALIZER,
    NO_PRE_TOKENIZER,
    NO_STREAM,
    PeerImplementation,
)
from tokenizer_adapters.registry import registered

if TYPE_CHECKING:
    from pathlib import Path


BPE_ONLY = {"bert-mini": "this model is WordPiece", "xlnet-mini": "this model is Unigram"}
NO_MODEL_FILE = "it reads SentencePiece models, and none .* lies beside the tokenizer.json"
NO_COMPILED_MODEL = "it has compiled models for the vocabularies of gpt2, .*, and none for this one"
NO_END_OF_WORD = "it marks the ends of words with </w>; this model does not"

# Each peer, with the bundled tokenizers that it cannot load, and why.
REFUSED = {
    "blingfire": dict.fromkeys(["gpt2-mini", "bert-mini", "xlnet-mini"], NO_COMPILED_MODEL),
    "curated-tokenizers": {"bert-mini": "its WordPieceProcessor encodes single words", "xlnet-mini": NO_MODEL_FILE},
    "fastokens": {
        "bert-mini": "unsupported normalizer type: BertNormalizer",
        "xlnet-mini": "unsupported normalizer type: NFKD",
    },
    "flash-tokenizer": {"gpt2-mini": "this model is BPE", "xlnet-mini": "this model is Unigram"},
    "kitoken": {},
    "llama-cpp": {"xlnet-mini": "its Unigram normalizes by a character map alone; this file has the normalizer Replac"},
    "mistral-common": BPE_ONLY,
    "morpheme": {},
    "nanotoken": {
        "gpt2-mini": "nanotoken only implements WordPiece",
        "xlnet-mini": "nanotoken only implements WordPiece",
    },
    "onnxruntime-extensions": {"bert-mini": "this model is WordPiece", "xlnet-mini": "normalizes by Replace and Prec"},
    "pytorch-tokenizers": {"bert-mini": "Unsupported Normalizer type: BertNormalizer", "xlnet-mini": NO_MODEL_FILE},
    "sentencepiece": dict.fromkeys(["gpt2-mini", "bert-mini", "xlnet-mini"], NO_MODEL_FILE),
    "splintr-rs": {},
    "subword-nmt": dict.fromkeys(["gpt2-mini", "bert-mini", "xlnet-mini"], NO_END_OF_WORD),
    "tiktoken": BPE_ONLY,
    "tokie": {},
    "tuetoken": {"bert-mini": 'unsupported normalizer stage "BertNormalizer"', "xlnet-mini": 'stage "Replace"'},
}
PEERS = sorted(REFUSED)
DISTRIBUTIONS = {name: name for name in PEERS} | {"llama-cpp": "xllamacpp"}
LOADED = [
    (name, tokenizer)
    for name in PEERS
    for tokenizer in ("gpt2-mini", "bert-mini", "xlnet-mini")
    if tokenizer not in REFUSED[name]
]
# Where the ids of the plain text differ, and why.
PARTING = {("tokie", "xlnet-mini"): "it runs nothing of the normalizer: the accents stay"}
# What is shown of several texts at once, of ids that come one by one, and of pairs.
WITH_BATCHES = {"fastokens", "morpheme", "nanotoken", "tokie"}
WITH_STREAMS = {"fastokens", "splintr-rs"}
WITH_PAIRS = {"tokie", "tuetoken"}
PLAIN_TEXT = "Hello world, naïve cafés."


# Describing themselves ------------------------------------------------------------------------------------------------


def test_every_peer_of_this_form_is_asked_here() -> None:
    own = {name: entry for name, entry in registered().items() if entry.value.startswith("tokenizer_adapters.peers.")}
    peers = {name for name, entry in own.items() if issubclass(entry.load(), PeerImplementation)}
    assert peers == set(PEERS), "REFUSED has what each cannot load"


@pytest.mark.parametrize("name", PEERS)
def test_a_missing_package_is_unavailable_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UnavailableError, match=f"^{name} is not installed; .* pip install {DISTRIBUTIONS[name]}$"):
        load_implementation(name)


@pytest.mark.parametrize("name", PEERS)
def test_info_tells_version_language_and_how_to_install(peer: Peer, name: str) -> None:
    info = peer(name).info
    assert info.name == name
    assert info.version == importlib.metadata.version(DISTRIBUTIONS[name])
    assert info.language in {"C++", "Python", "Rust"}
    assert info.install == f"pip install {DISTRIBUTIONS[name]}"
    assert info.home_page.startswith("https://")
    assert Stage.MODEL in info.stages
    assert Field.IDS in info.fields


# Loading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tokenizer", "reason"),
    [(name, tokenizer, reason) for name in PEERS for tokenizer, reason in REFUSED[name].items()],
)
def test_a_tokenizer_that_does_not_fit_is_refused_with_the_reason(
    peer: Peer, bundled: Source, name: str, tokenizer: str, reason: str
) -> None:
    with pytest.raises(CannotLoadError, match=reason) as caught:
        peer(name).load(bundled(tokenizer))
    message = str(caught.value)
    assert message.startswith(f"{name} cannot load {tokenizer} (")
    assert "\n" not in message


@pytest.mark.parametrize(("name", "tokenizer"), LOADED)
def test_a_plain_text_has_the_ids_of_tokenizers(peer: Peer, bundled: Source, name: str, tokenizer: str) -> None:
    source = bundled(tokenizer)
    subject = peer(name).load(source)
    expected = load_implementation("tokenizers").load(source).observe(plain(PLAIN_TEXT))
    answer = subject.observe(plain(PLAIN_TEXT))
    assert isinstance(answer, Encoded)
    assert isinstance(expected, Encoded)
    assert (answer.ids == expected.ids) == ((name, tokenizer) not in PARTING)


@pytest.mark.parametrize("name", PEERS)
@in_one_test("content", ["", "{", "[]", "{}", '{"model": 1}'])
def test_a_file_that_is_no_tokenizer_is_a_load_error_of_one_line(
    peer: Peer, tmp_path: Path, name: str, content: str
) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(CannotLoadError, match=re.escape(f"broken ({file})")) as caught:
        peer(name).load(TokenizerSource("broken", str(file)))
    assert "\n" not in str(caught.value)


# Answering ------------------------------------------------------------------------------------------------------------


def subjects(implementation: Implementation, sources: list[TokenizerSource]) -> list[Subject]:
    found = []
    for source in sources:
        try:
            found.append(implementation.load(source))
        except CannotLoadError:
            continue
    return found


@pytest.fixture
def sources(
    bundled: Source, sentencepiece_toy: TokenizerSource, end_of_word: dict[str, Any], lay: Lay
) -> list[TokenizerSource]:
    """Tokenizers of every kind that needs no checkpoint."""
    return [*map(bundled, ["gpt2-mini", "bert-mini", "xlnet-mini"]), sentencepiece_toy, lay(end_of_word)]


@pytest.mark.parametrize("name", [name for name in PEERS if name != "blingfire"])
def test_what_it_says_it_shows_is_shown_and_nothing_else(peer: Peer, sources: list[TokenizerSource], name: str) -> None:
    implementation = peer(name)
    check_what_is_shown(implementation, subjects(implementation, sources))


def test_blingfire_shows_what_it_says(peer: Peer, checkpoint: Source) -> None:
    implementation = peer("blingfire")
    check_what_is_shown(implementation, [implementation.load(checkpoint("gpt2"))])


def check_what_is_shown(implementation: Implementation, loaded: list[Subject]) -> None:
    """The stages and fields that are shown for some tokenizer are those of the info."""
    assert loaded
    stages: set[Stage] = set()
    shown: set[Field] = set()
    for subject in loaded:
        for stage, observation in [
            (Stage.NORMALIZE, Normalize("low low")),
            (Stage.PRE_TOKENIZE, PreTokenize("low low")),
            (Stage.MODEL, plain("low low")),
            (Stage.POST_PROCESS, Encode("low low")),
            (Stage.DECODE, Decode((4, 5))),
            (Stage.DECODE, kept((4, 5))),
        ]:
            answer = subject.observe(observation)
            assert not isinstance(answer, Failed), (observation, answer)
            if isinstance(answer, Unsupported):
                assert answer.reason.startswith(implementation.info.name)
                continue
            stages.add(stage)
            if isinstance(answer, Text):
                shown.add(Field.TEXT)
                continue
            present = {field.name for field in fields(answer) if getattr(answer, field.name) is not None}
            lengths = {len(getattr(answer, field)) for field in present - {"overflowing"}}
            assert lengths == {len(answer.ids)}
            shown |= {field for field in ENCODING_FIELDS if field.value in present}
    assert stages == implementation.info.stages - {Stage.CHAT}  # which takes files that these have not
    assert shown == implementation.info.fields


@pytest.mark.parametrize(("name", "tokenizer"), LOADED)
def test_what_it_has_no_call_for_is_unsupported_in_words(
    peer: Peer, bundled: Source, name: str, tokenizer: str
) -> None:
    subject = peer(name).load(bundled(tokenizer))
    assert subject.observe(Encode(("a", "b"))) == Unsupported(f"{name} takes no pre-split input")
    assert subject.observe(Encode("a", pair=("b",))) == Unsupported(f"{name} takes no pair of pre-split texts")
    for observation, reason in [(Normalize("a"), NO_NORMALIZER), (PreTokenize("a"), NO_PRE_TOKENIZER)]:
        assert subject.observe(observation) == Unsupported(f"{name} {reason}")
    for question, reason, shown in [
        (EncodeBatch((Encode("a"),)), NO_BATCH, WITH_BATCHES),
        (DecodeStream((1,)), NO_STREAM, WITH_STREAMS),
        (After((), Encode("a")), NO_CHANGES, set()),
    ]:
        if name in shown:
            continue
        assert subject.observe(question) == Unsupported(f"{name} {reason}")
    pair = subject.observe(Encode("a", pair="b"))
    assert isinstance(pair, Encoded) if name in WITH_PAIRS else pair == Unsupported(f"{name} takes no pair of texts")


# tiktoken, and mistral-common through it, put U+FFFD in place of a lone surrogate.
@pytest.mark.parametrize(
    ("name", "tokenizer"), [pair for pair in LOADED if pair[0] not in {"mistral-common", "tiktoken"}]
)
def test_a_lone_surrogate_is_a_failure_and_leaves_the_subject_usable(
    peer: Peer, bundled: Source, name: str, tokenizer: str
) -> None:
    subject = peer(name).load(bundled(tokenizer))
    before = subject.observe(plain("a"))
    assert isinstance(subject.observe(plain("\ud800")), Failed)
    assert subject.observe(plain("a")) == before


@pytest.mark.parametrize(("name", "tokenizer"), LOADED)
def test_it_says_which_file_it_was_given(peer: Peer, bundled: Source, name: str, tokenizer: str) -> None:
    source = bundled(tokenizer)
    file, *guessed = peer(name).load(source).files
    assert file == source.file
    # It needs a class that the file does not name: what stands for it is told, and nothing else.
    guess = f'no tokenizer_config.json ({GUESSED}: with tokenizer_class "PreTrainedTokenizerFast")'
    assert guessed == ([guess] if name == "onnxruntime-extensions" else [])


# A vocabulary is what get_vocab of tokenizers gives, where a peer lists its own; tokie's tokens are decoded texts.
@pytest.mark.parametrize(
    ("name", "tokenizer"),
    [
        ("curated-tokenizers", "gpt2-mini"),
        ("fastokens", "gpt2-mini"),
        ("nanotoken", "bert-mini"),
        ("tokie", "bert-mini"),
        ("tokie", "xlnet-mini"),
    ],
)
def test_the_vocabulary_is_that_of_tokenizers(peer: Peer, bundled: Source, name: str, tokenizer: str) -> None:
    source = bundled(tokenizer)
    assert peer(name).load(source).vocabulary() == load_implementation("tokenizers").load(source).vocabulary()


def test_a_vocabulary_that_is_not_listed_is_unsupported(peer: Peer, bundled: Source) -> None:
    vocabulary = peer("tiktoken").load(bundled("gpt2-mini")).vocabulary()
    assert vocabulary == Unsupported("tiktoken does not list its vocabulary")


# Speed ----------------------------------------------------------------------------------------------------------------

ADDING = {("splintr-rs", "bert-mini"): 2, ("splintr-rs", "xlnet-mini"): 2}
"""How many special tokens a call for many texts adds, which it is not told to leave out."""


@pytest.mark.parametrize(("name", "tokenizer"), LOADED)
def test_the_calls_that_are_timed_give_as_many_ids_as_the_answers_have(
    peer: Peer, bundled: Source, name: str, tokenizer: str
) -> None:
    subject: Any = peer(name).load(bundled(tokenizer))
    (ids, own) = (subject.observe(Encode(PLAIN_TEXT, add_special_tokens=False)).ids, subject.own_calls())
    assert own is not None, "`own` of its Calls has the library's own calls"
    assert len(own.one.run(PLAIN_TEXT)) == len(ids)
    assert Field.IDS in own.one.fields
    if own.many is not None:
        many = own.many.run([PLAIN_TEXT, PLAIN_TEXT])
        assert [len(each) - ADDING.get((name, tokenizer), 0) for each in many] == [len(ids)] * 2
