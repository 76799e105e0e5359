"""Which questions an input is asked: stated here once, for asking ahead, comparing, fuzzing and reading records back.

============ ========================================================================================================
normalize    the text
pre_tokenize the text, and the baseline's normalization of it where that is another text
model        encode, without special tokens; *the words of the text* (where it has several), without special tokens
post_process encode with special tokens; the pair of the text and another one, without and with special tokens;
             *the words of both* with special tokens, and *a batch* of the text and the other one, with special tokens
decode       the baseline's ids of the text (with special tokens), keeping and skipping special tokens; *the same ids
             one by one*
============ ========================================================================================================

The ids to decode are the baseline's for everybody, so that decoding is judged on its own. A question may belong to a
stage that is not to be compared: its answer is needed for a question about one that is.

What stands between asterisks is *extra*: an implementation need not answer it to conform (:func:`is_extra`). The words
of a text stand between its single spaces (U+0020), so that a run of spaces has empty words in it, and that the words
joined by spaces are the text. Texts of more than :data:`MOST_WORDS` are not asked about as words, and of many ids only
the first :data:`MOST_IDS` are decoded one by one: more would show the same, and take its time.

Of a few built-in texts a run asks more (:func:`further`): one so often repeated that it is long, and *one after a token
was added*.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    NewToken,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
    plain_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tokenizer_conformance.inputs.text import Input

EVERY_STAGE = frozenset(PIPELINE_STAGES)

MOST_WORDS = 100
MOST_IDS = 64

NOT_ASKED = Unsupported("not asked")


def _not_asked(_question: Observation) -> Outcome:
    return NOT_ASKED


def about_text(
    text: str,
    stages: Collection[Stage] = EVERY_STAGE,
    baseline: Callable[[Observation], Outcome] = _not_asked,
) -> Iterator[Observation]:
    """Yield what is asked about ``text`` alone, in the order of the ``stages``.

    ``baseline`` gives the baseline's answers. Without it, the questions that depend on these are left out.

    >>> [type(question).__name__ for question in about_text("a", {Stage.NORMALIZE, Stage.DECODE})]
    ['Normalize', 'Encode']
    """
    if Stage.NORMALIZE in stages or Stage.PRE_TOKENIZE in stages:
        yield Normalize(text)
    if Stage.PRE_TOKENIZE in stages:
        yield PreTokenize(text)
        normalized = baseline(Normalize(text))
        if isinstance(normalized, Text) and normalized.text != text:
            yield PreTokenize(normalized.text)
    if Stage.MODEL in stages:
        yield Encode(text, add_special_tokens=False)
        if has_words(text):
            yield Encode(words_of(text), add_special_tokens=False)
    if Stage.POST_PROCESS in stages or Stage.DECODE in stages:
        yield Encode(text)
    if Stage.DECODE in stages:
        encoded = baseline(Encode(text))
        if isinstance(encoded, Encoded):
            yield from about_ids(encoded.ids)


def about_pair(
    text: str,
    pair: str,
    stages: Collection[Stage] = EVERY_STAGE,
    baseline: Callable[[Observation], Outcome] = _not_asked,
) -> Iterator[Encode | EncodeBatch]:
    """Yield what is asked about ``text`` together with ``pair``; as a batch only with the ``baseline``."""
    if Stage.POST_PROCESS in stages:
        for add_special_tokens in (False, True):
            yield Encode(text, pair, add_special_tokens)
        if has_words(text):
            yield Encode(words_of(text), words_of(pair)[:MOST_WORDS])
        yield from about_batch((Encode(text), Encode(pair)), baseline)


LONG_ONES = frozenset({"prose/news", "mixed-scripts/four-scripts"})
"""The built-in texts that are asked about so often repeated, too, that they are long."""

LONG = 6000
"""How many characters such a text has at least."""

CHANGED_ONES = "added-tokens-in-place"
"""The category of built-in texts that are asked about after changes, too."""


def further(each: Input) -> Iterator[Observation]:
    """Yield what is asked beside about ``each``, a built-in text.

    That is one long text, and what comes of a text once its first word is an added token: implementations that have no
    way to add one lose nothing by it. The token is not normalized: of two that become one when they are normalized, the
    target finds one or the other, as its hash table has it (observed, tokenizers 0.23.3).
    """
    if each.id in LONG_ONES:
        yield Encode(" ".join([each.text] * (1 + LONG // len(each.text))), add_special_tokens=False)
    if each.category == CHANGED_ONES and each.text.split():
        changes = (AddTokens((NewToken(each.text.split()[0], normalized=False),)),)
        yield After(changes, Encode(each.text, add_special_tokens=False))


def about_batch(inputs: tuple[Encode, ...], baseline: Callable[[Observation], Outcome]) -> Iterator[EncodeBatch]:
    """Yield the batch of ``inputs`` where the baseline encodes each of them alone.

    Inputs of a batch are encoded in parallel. Where one raises an error and another panics, the batch does one or the
    other, at random (observed, tokenizers 0.23.3).
    """
    if all(isinstance(baseline(each), Encoded) for each in inputs):
        yield EncodeBatch(inputs)


def about_ids(ids: tuple[int, ...]) -> Iterator[Decode | DecodeStream]:
    """Yield what is asked about ``ids``; one by one they are decoded where there are several."""
    for skip_special_tokens in (False, True):
        yield Decode(ids, skip_special_tokens)
    if len(ids) > 1:
        for skip_special_tokens in (False, True):
            yield DecodeStream(ids[:MOST_IDS], skip_special_tokens)


def has_words(text: str) -> bool:
    """Return whether ``text`` is asked about as words: whether it has several, and not too many.

    >>> has_words("a b"), has_words("a"), has_words(" " * 1000)
    (True, False, False)
    """
    return 1 <= text.count(" ") < MOST_WORDS


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of ``text``: what stands between its spaces, and may be empty.

    >>> words_of(" a  b")
    ('', 'a', '', 'b')
    """
    return tuple(text.split(" "))


def is_extra(question: Observation) -> bool:
    """Return whether an implementation need not answer ``question``.

    Not all have words, batches, streams or changes; and not all that render can continue a message.

    >>> is_extra(Encode(("a", "b"))), is_extra(Encode("a b"))
    (True, False)
    """
    match question:
        case After():
            return True
        case Encode() as encode:
            return encode.is_pretokenized
        case EncodeBatch() | DecodeStream() | Chat(continue_final_message=True):
            return True
        case _:
            return False


def texts_of(question: Observation) -> tuple[str, ...]:
    """Return the texts that ``question`` has encoded, each for itself; words are texts, too.

    >>> texts_of(EncodeBatch((Encode("a", "b"), Encode("c"))))
    ('a', 'b', 'c')
    """
    match plain_of(question):
        case Encode(text, pair):
            return tuple(part for side in (text, pair) for part in ((side,) if isinstance(side, str) else side or ()))
        case EncodeBatch(inputs):
            return tuple(text for each in inputs for text in texts_of(each))
        case _:
            return ()


def texts_in(question: Observation) -> tuple[str, ...]:
    """Return all texts of ``question``, words too; none where it is about ids.

    >>> texts_in(Encode(("a", "b"), "c"))
    ('a', 'b', 'c')
    """
    plain = plain_of(question)
    return (plain.text,) if isinstance(plain, Normalize | PreTokenize) else texts_of(plain)


def with_texts(question: Observation, change: Callable[[str], str]) -> Observation:
    """Return ``question`` with every text of it changed.

    >>> with_texts(Encode(("a", "b"), "c"), str.upper)
    Encode(text=('A', 'B'), pair='C', add_special_tokens=True)
    """
    match question:
        case Normalize(text) | PreTokenize(text):
            return replace(question, text=change(text))
        case After(changes, Normalize() | PreTokenize() as observation):
            return After(changes, replace(observation, text=change(observation.text)))
    return with_sides(question, lambda side: _side(side, change))


def with_sides(question: Observation, change: Callable[[str | tuple[str, ...]], str | tuple[str, ...]]) -> Observation:
    """Return ``question``, one to encode, with its texts changed, each of which is a text or words."""
    match question:
        case After(changes, observation):
            changed = with_sides(observation, change)
            return question if isinstance(changed, After) else After(changes, changed)
        case Encode(text, pair):
            return replace(question, text=change(text), pair=None if pair is None else change(pair))
        case EncodeBatch(inputs):
            each = (with_sides(one, change) for one in inputs)
            return EncodeBatch(tuple(one for one in each if isinstance(one, Encode)))
    return question


def _side(side: str | tuple[str, ...], change: Callable[[str], str]) -> str | tuple[str, ...]:
    return change(side) if isinstance(side, str) else tuple(map(change, side))


def with_ids(question: Observation, change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Observation:
    """Return ``question`` with its ids changed, where it is about ids.

    >>> with_ids(Decode((1, 2)), lambda ids: ids[1:])
    Decode(ids=(2,), skip_special_tokens=True)
    """
    match question:
        case After(changes, observation):
            changed = with_ids(observation, change)
            return question if isinstance(changed, After) else After(changes, changed)
        case Decode(ids) | DecodeStream(ids):
            return replace(question, ids=change(ids))
    return question


def with_all_ids(question: Decode | DecodeStream, change: Callable[[int], int]) -> Decode | DecodeStream:
    """Return ``question`` with each id of it changed, those of a prompt too.

    >>> with_all_ids(DecodeStream((1,), prompt=(2,)), lambda id: id + 1).all_ids
    (3, 2)
    """
    changed = replace(question, ids=tuple(map(change, question.ids)))
    return changed if isinstance(changed, Decode) else replace(changed, prompt=tuple(map(change, changed.prompt)))


def all_ids_of(question: Decode | DecodeStream) -> tuple[int, ...]:
    """Return all ids of ``question``, those of a prompt too."""
    return question.ids if isinstance(question, Decode) else question.all_ids


def text_and_pair(question: Observation) -> tuple[str | None, str | None]:
    """Return the text and the second text that ``question`` is about, ``None`` for one that there is not.

    That of words is the text they are the words of; a batch of two texts is about both.

    >>> text_and_pair(Encode(("a", "b"), "c"))
    ('a b', 'c')
    """
    match question:
        case Encode(text, pair):
            return _joined(text), None if pair is None else _joined(pair)
        case EncodeBatch((Encode(str(text), pair=None), Encode(str(pair), pair=None))):
            return text, pair
        case Normalize(text) | PreTokenize(text):
            return text, None
    return None, None


def _joined(text: str | tuple[str, ...]) -> str:
    return text if isinstance(text, str) else " ".join(text)
