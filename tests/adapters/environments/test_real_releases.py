"""Published releases, old and new, are asked everything: none fails by the adapter, and what one lacks it says.

An error of our own over an old release would look like a difference of that release. The network is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaging.version import Version

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Failed,
    NewToken,
    Normalize,
    Observation,
    PreTokenize,
    Unsupported,
)
from tokenizer_adapters.environments.faults import UnreachableError
from tokenizer_adapters.environments.releases import expanded, releases
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.selection import Isolation, select, select_trainer
from tokenizer_adapters.training import (
    Algorithm,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Outcome, TokenizerSource

pytestmark = pytest.mark.slow

TOKENIZERS = ("0.13.3", "0.14.1", "0.15.2", "0.19.1", "0.20.3", "0.21.4", "0.22.2", "0.23.1", "0.23.3")
TRANSFORMERS = ("4.46.3", "4.57.6", "5.0.0", "5.23.0")
OTHERS = ("tokie==0.1.4", "sentencepiece==0.2.0", "tiktoken==0.9.0", "kitoken==0.10.1")

TEXT, WORDS = "Unknown a [CLS] éb", ("unknown", "", "a b")
QUESTIONS: tuple[Observation, ...] = (
    Normalize(TEXT),
    PreTokenize(TEXT),
    *(
        Encode(text, pair, special)
        for text, pair in ((TEXT, None), (TEXT, ""), ("", None), (WORDS, None), (WORDS, ("a",)), ((), None))
        for special in (False, True)
    ),
    EncodeBatch((Encode(TEXT), Encode("a"))),
    EncodeBatch((Encode(WORDS), Encode(("a",)))),
    EncodeBatch((Encode(TEXT, "b"), Encode("a", "a b"))),
    *(Decode((1, 3, 4, 6, 2), skip_special_tokens=skip) for skip in (False, True)),
    After((AddTokens((NewToken("unk", special=True, lstrip=True),), special=True),), Encode(TEXT)),
    After((AddTokens((NewToken("kn", normalized=False),), special=False),), Encode(TEXT)),
)
STREAM = DecodeStream((1, 3, 4, 6, 2), skip_special_tokens=True)
RAW = After((EncodeSpecialTokens(value=True),), Encode(TEXT))


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the environments of all these tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("releases")
        patch.setenv("TOKCONF_CACHE", str(folder))
        yield folder


def built(word: str) -> ProcessImplementation:
    selected = select(word, Isolation())
    try:
        selected.prepare()
    except UnreachableError as error:
        pytest.skip(str(error))
    implementation = selected.build()
    assert isinstance(implementation, ProcessImplementation)
    return implementation


def answers(implementation: ProcessImplementation, source: TokenizerSource, *questions: Observation) -> list[Outcome]:
    subject = implementation.load(source)
    return [subject.observe(question) for question in questions]


@pytest.mark.parametrize("version", TOKENIZERS)
@pytest.mark.usefixtures("lasting")
def test_a_release_of_tokenizers_answers_all_as_the_installed_one_does(
    version: str, toy_source: TokenizerSource
) -> None:
    with select("tokenizers", Isolation()).start(Isolation().limits) as installed:
        expected = answers(installed, toy_source, *QUESTIONS)
        stream = answers(installed, toy_source, STREAM)[0]
    assert isinstance(stream, Chunks)
    with built(f"tokenizers=={version}") as release:
        assert release.info.version == version
        found = answers(release, toy_source, *QUESTIONS)
        assert not [each for each in found if isinstance(each, Unsupported | Failed | Crashed)]
        # Without sequence ids of special tokens, 0.13 differs: that is a difference of the release, and no error.
        assert [type(each) for each in found] == [type(each) for each in expected]
        if Version(version) >= Version("0.15"):
            assert found == expected
        (streamed, raw) = answers(release, toy_source, STREAM, RAW)
        if Version(version) < Version("0.21"):
            assert streamed == Unsupported("this release does not decode id by id (it has no DecodeStream)")
        else:
            assert streamed == stream
        assert not isinstance(raw, Failed | Crashed)
        assert isinstance(release.load(toy_source).saved(), str)
        assert release.load(toy_source).vocabulary()["##known"] == 4


@pytest.mark.parametrize("version", TRANSFORMERS)
@pytest.mark.usefixtures("lasting")
def test_a_release_of_transformers_answers_without_an_error_of_the_adapter(
    version: str, toy_source: TokenizerSource
) -> None:
    with built(f"transformers=={version}") as release:
        assert release.info.version == version
        found = answers(release, toy_source, *QUESTIONS, STREAM, RAW)
        assert not [each for each in found if isinstance(each, Failed | Crashed)]
        assert len([each for each in found if isinstance(each, Unsupported)]) <= 1 + QUESTIONS.count(STREAM)


@pytest.mark.parametrize("word", OTHERS)
@pytest.mark.usefixtures("lasting")
def test_a_release_of_a_peer_is_served(word: str) -> None:
    with built(word) as release:
        assert release.info.name == word
        assert release.info.version == word.partition("==")[2]


@pytest.mark.usefixtures("lasting")
def test_a_trainer_of_an_old_release_trains(tmp_path: Path) -> None:
    built("tokenizers==0.19.1").close()
    trainer = select_trainer("tokenizers==0.19.1").start(Isolation().limits)
    assert (trainer.info.name, trainer.info.version) == ("tokenizers==0.19.1", "0.19.1")
    (tmp_path / "corpus.txt").write_text("a b a c\n", encoding="utf-8")
    request = TrainingRequest(
        algorithm=Algorithm.WORDLEVEL,
        pre_tokenizer=PreTokenizer.WHITESPACE,
        corpus=TextFiles((str(tmp_path / "corpus.txt"),)),
        options=TrainingOptions(vocab_size=10),
    )
    trained = trainer.train(request)
    assert isinstance(trained, TrainedModel)
    assert trained.tokens == {"a": 0, "b": 1, "c": 2}


@pytest.mark.usefixtures("lasting")
def test_published_releases_are_listed() -> None:
    try:
        there = releases("tokenizers")
    except UnreachableError as error:
        pytest.skip(str(error))
    assert Version("0.21.4") in there
    assert not [each for each in there if each.is_prerelease]
    # 0.20.4 was withdrawn, 0.21.3 never published.
    assert expanded("tokenizers>=0.20.3,<0.21.5") == [
        f"tokenizers=={version}" for version in ("0.20.3", "0.21.0", "0.21.1", "0.21.2", "0.21.4")
    ]
