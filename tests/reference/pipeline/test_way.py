"""The way of a text is the way that it takes: after the last step stands what `encode` and `decode` give."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from checkpoints import BUNDLED, CHECKPOINTS, bundled, published

from tokenizer_adapters.pipeline import encoded
from tokenizer_conformance.inputs.random_tokenizers import random_document, random_text
from tokenizer_reference import Regex, Tokenizer, models, normalizers
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.models.bpe_steps import BpeSteps
from tokenizer_reference.models.lookups import WordPieceMatches
from tokenizer_reference.models.steps import NotShown
from tokenizer_reference.models.unigram_paths import UnigramPaths
from tokenizer_reference.pipeline.added_matches import WhyNot
from tokenizer_reference.pipeline.way import Detail, Station, Way, way_of
from tokenizer_reference.values.added_token import AddedToken

if TYPE_CHECKING:
    from pathlib import Path

TOKENIZERS = 300
SLOW_TOKENIZERS = 6000

TEXTS = (
    "", " ", "\x00", "Hello, world!", "don't e\u0301 İstanbul", "👩\u200d👩\u200d👧 🏴\U000e0067\U000e007f",
    "שלום مرحبا",
    "<s> </s><mask>[MASK] [CLS]<|endoftext|><unk>▁x", "\u3000京都 ﬁ①\u0301", "naïve  unaffable\n\n\tx", "🎉" * 5,
)  # fmt: skip


def tie(tokenizer: Tokenizer, text: str, pair: str | None = None, *, special: bool = True) -> Way:
    """Return the way of a text, once it is known to lead to what the tokenizer itself answers."""
    way = way_of(tokenizer, text, pair, special)
    try:
        answer = tokenizer.encode(text, pair, add_special_tokens=special)
        decoded = tokenizer.decode(answer.ids)
    except (TokenizerReferenceError, ValueError) as error:
        assert way.stopped is not None
        assert (way.stopped.kind, way.stopped.message) == (type(error).__name__, str(error))
        return way
    assert way.stopped is None
    assert way.encoding is not None
    assert encoded(way.encoding) == encoded(answer)
    assert way.decoded == decoded
    for each in way.texts:
        check_words(each)
    return way


def check_words(text_way: Any) -> None:
    last = text_way.steps[-1].pieces
    assert [word.piece for word in text_way.words] == list(last)
    for word in text_way.words:
        match word.steps:
            case None:
                assert word.piece.added == word.ids[0]
            case NotShown():
                pass
            case steps:
                assert steps.tokens == word.tokens
                assert replayed(steps) == word.tokens


def replayed(steps: Any) -> tuple[str, ...]:
    """Return the tokens that a reader of the steps comes to."""
    if not isinstance(steps, BpeSteps):
        return steps.tokens
    tokens = list(steps.start)
    for step in steps.merges:
        at = step.won.position
        assert tokens[at : at + 2] == [step.won.left, step.won.right]
        assert all(tokens[other.position : other.position + 2] == [other.left, other.right] for other in step.others)
        assert all((other.rank, other.position) > (step.won.rank, at) for other in step.others)
        tokens[at : at + 2] = [step.result]
    return tuple(tokens)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_tokenizers(name: str) -> None:
    tokenizer = bundled(name).reference
    for number, text in enumerate(TEXTS):
        way = tie(tokenizer, text, TEXTS[number - 1] if number % 3 == 0 else None, special=number % 2 == 0)
        assert way.texts[0].text == text


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints(shared: Path, name: str) -> None:
    tokenizer = published(shared, name).reference
    for text in (*TEXTS, "ab c" * 2500):
        tie(tokenizer, text)


def random_ways(seed: str, count: int) -> list[Way]:
    rng = Random(seed)
    ways = []
    while len(ways) < count:
        document = random_document(rng)
        texts = [random_text(rng, document.strings) for _ in range(2)]
        try:
            tokenizer = Tokenizer.from_str(json.dumps(document.json))
        except TokenizerReferenceError:
            continue
        ways.append(tie(tokenizer, texts[0], special=rng.random() < 0.7))
        ways.append(tie(tokenizer, *texts, special=rng.random() < 0.7))
    return ways


def test_random_tokenizers() -> None:
    ways = random_ways("ways", TOKENIZERS)
    reached = {step.member.station for way in ways for step in (*way.tokens, *way.decoding)}
    reached |= {step.member.station for way in ways for text in way.texts for step in text.steps}
    assert reached == set(Station)
    steps = {type(word.steps) for way in ways for text in way.texts for word in text.words}
    assert {BpeSteps, UnigramPaths, WordPieceMatches} < steps
    found = [each for way in ways for text in way.texts for step in text.steps for each in step.occurrences]
    reasons = {each.why_not for each in found}
    assert reasons >= {None, WhyNot.SINGLE_WORD, WhyNot.OVERLAPPED, WhyNot.LOOKED_FOR_NORMALIZED}
    assert any(way.stopped for way in ways)


@pytest.mark.slow
def test_many_random_tokenizers() -> None:
    random_ways("many ways", SLOW_TOKENIZERS)


# Added tokens --------------------------------------------------------------------------------------------------------


def added(text: str, *tokens: AddedToken) -> list[tuple[str, tuple[int, int] | None, WhyNot | None, str | None]]:
    tokenizer = Tokenizer(models.WordLevel({"<unk>": 0}))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.add_tokens(list(tokens))
    (way,) = way_of(tokenizer, text).texts
    return [(each.content, each.taken, each.why_not, each.other) for step in way.steps for each in step.occurrences]


def test_why_an_added_token_is_cut_out_or_not() -> None:
    word = AddedToken("ab", single_word=True, normalized=False)
    assert added("ab", word) == [("ab", (0, 2), None, None)]
    assert added("xab", word) == [("ab", None, WhyNot.SINGLE_WORD, "x")]
    wide = AddedToken("<m>", lstrip=True, rstrip=True, normalized=False)
    assert added("a <m>  b", wide) == [("<m>", (1, 7), None, None)]
    longer = AddedToken("<m>x", normalized=False)
    assert added("<m>x", wide, longer) == [
        ("<m>", None, WhyNot.OVERLAPPED, "<m>x"),
        ("<m>x", (0, 4), None, None),
    ]
    assert added("<m>", AddedToken("<M>")) == [("<M>", (0, 3), None, None)]
    assert added("<M>", wide) == [("<m>", None, WhyNot.LOOKED_FOR_AS_GIVEN, None)]


def test_a_form_that_is_looked_for_but_does_not_stand() -> None:
    tokenizer = Tokenizer(models.WordLevel({"<unk>": 0}))
    tokenizer.normalizer = normalizers.Prepend("_")
    tokenizer.add_tokens(["b"])
    (way,) = way_of(tokenizer, "ab").texts
    (found,) = way.steps[-1].occurrences
    assert (found.searched, found.span, found.taken) == ("_b", (1, 2), None)
    assert found.why_not is WhyNot.LOOKED_FOR_NORMALIZED


def test_a_token_that_only_the_normalizer_writes_is_looked_for_in_another_form() -> None:
    tokenizer = Tokenizer(models.WordLevel({"<unk>": 0}))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex("[^0-9a-z]"), " "), normalizers.Replace(Regex("[0-9]+"), "[n]")]
    )
    tokenizer.add_tokens(["[n]"])
    (way,) = way_of(tokenizer, "a12").texts
    (found,) = way.steps[-1].occurrences
    assert (found.content, found.searched, found.taken) == ("[n]", " n ", None)
    assert found.why_not is WhyNot.LOOKED_FOR_NORMALIZED


# The end of the way --------------------------------------------------------------------------------------------------


def test_where_a_component_fails_the_way_ends_there() -> None:
    tokenizer = Tokenizer(models.WordLevel({"a": 0}))
    way = tie(tokenizer, "b")
    assert way.stopped is not None
    assert way.stopped.member.station is Station.MODEL
    assert [step.member.station for step in way.texts[0].steps] == [Station.ADDED_AS_GIVEN, Station.ADDED_NORMALIZED]


def test_what_is_random_is_not_shown() -> None:
    tokenizer = Tokenizer(models.BPE({"a": 0}, [], dropout=0.5))
    (way,) = way_of(tokenizer, "a").texts
    assert way.words[0].steps == NotShown("merges are dropped at random (dropout 0.5)")


def test_the_steps_of_long_words_and_of_many_are_left_out_where_asked() -> None:
    tokenizer = bundled("gpt2-mini").reference
    (way,) = way_of(tokenizer, "a bb bb abcdefgh", detail=Detail(2, 5)).texts
    assert [isinstance(word.steps, NotShown) for word in way.words] == [False, False, False, True]


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(TypeError):
        way_of(Tokenizer(models.BPE()), "\ud800")
