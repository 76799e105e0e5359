"""Whatever is answered is read back as it was written, lone surrogates too."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Chunks,
    Crashed,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Outcome,
    Pieces,
    Stage,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_conformance.releases.snapshot_file.lines import (
    answers_in,
    input_in,
    outcome_form,
    outcome_in,
    part_line,
    tokenizer_in,
)
from tokenizer_conformance.releases.snapshot_file.parts import Answers, LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.questions import QUESTIONS
from tokenizer_conformance.results.records.snapshot import Input

TEXTS = st.text(st.characters(codec=None), max_size=8)  # any code point, lone surrogates too
NUMBERS = st.integers(-(2**40), 2**40)
SPANS = st.tuples(NUMBERS, NUMBERS)


def lists(entries: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(entries, max_size=4).map(tuple)


def encodings(parts: st.SearchStrategy[Encoded]) -> st.SearchStrategy[Encoded]:
    return st.builds(
        Encoded,
        ids=lists(NUMBERS),
        tokens=st.none() | lists(TEXTS),
        offsets=st.none() | lists(SPANS),
        word_ids=st.none() | lists(st.none() | NUMBERS),
        type_ids=st.none() | lists(NUMBERS),
        attention_mask=st.none() | lists(NUMBERS),
        special_tokens_mask=st.none() | lists(NUMBERS),
        sequence_ids=st.none() | lists(st.none() | NUMBERS),
        overflowing=st.none() | lists(parts),
    )


ENCODED = encodings(st.builds(Encoded, ids=lists(NUMBERS), overflowing=st.none() | st.just((Encoded((1,)),))))
WITHOUT_VALUE: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Unsupported, TEXTS),
    st.builds(Failed, TEXTS, TEXTS),
    st.builds(Crashed, TEXTS),
    st.builds(TimedOut, st.floats(0, 1e9)),
    st.builds(BrokeProtocol, TEXTS),
)
VALUES: dict[str, st.SearchStrategy[Outcome]] = {
    "normalize": st.builds(Text, TEXTS),
    "pre_tokenize": st.builds(Pieces, lists(st.tuples(TEXTS, st.none() | SPANS))),
    "encode": ENCODED,
    "batch": st.builds(EncodedBatch, lists(ENCODED)),
    "decode_skipping": st.builds(Text, TEXTS),
    "stream_keeping": st.builds(Chunks, lists(st.none() | TEXTS)),
}


def through_json(form: object) -> object:
    return json.loads(json.dumps(form, ensure_ascii=True, allow_nan=False))


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_every_outcome_is_read_back_as_it_was(name: str, data: st.DataObject) -> None:
    outcome = data.draw(VALUES[name] | WITHOUT_VALUE)
    assert outcome_in(name, through_json(outcome_form(outcome)), "it") == outcome


@given(
    st.one_of(
        st.builds(Input, source=st.integers(0, 9), id=TEXTS, category=TEXTS, text=st.text(max_size=8)),
        st.builds(
            LoadedTokenizer,
            TEXTS,
            st.none() | TEXTS,
            lists(TEXTS),
            st.none() | st.dictionaries(st.sampled_from(Stage), st.frozensets(st.sampled_from(Field))),
            st.none() | st.dictionaries(TEXTS, st.lists(TEXTS, max_size=2), max_size=2),
            st.none() | st.tuples(st.integers(0, 99), st.from_regex("[0-9a-f]{64}", fullmatch=True)),
        ),
        st.builds(Answers, st.integers(0, 9), st.dictionaries(st.sampled_from(list(QUESTIONS)), WITHOUT_VALUE)),
    )
)
def test_every_part_is_read_back_as_it_was(part: Input | LoadedTokenizer | Answers) -> None:
    read = {Input: input_in, LoadedTokenizer: tokenizer_in, Answers: answers_in}[type(part)]
    assert read(through_json(part_line(part))) == part  # type: ignore[operator]


def test_what_a_later_minor_version_may_add_is_passed_over() -> None:
    answers = {"normalize": {"text": "a"}, "what nobody knows": {"anything": 1}}
    line = {"type": "answers", "input": 0, "answers": answers, "more": 1}
    assert answers_in(line) == Answers(0, {"normalize": Text("a")})


REFUSED = [
    ("normalize", {"text": 1}, "it.text: expected a string, found 1"),
    ("normalize", {"ids": [1]}, '"text" is missing'),
    ("encode", {"text": "a"}, '"ids" is missing'),
    ("encode", {"ids": [1], "offsets": [[0, 1, 2]]}, "it.offsets[0]"),
    ("encode", {"ids": ["1"]}, "it.ids[0]: expected an integer"),
    ("encode", {"ids": [1], "more": []}, '"more"'),
    ("encode", [], "it: expected an object"),
    ("encode", {"failed": {"kind": "a"}}, '"message" is missing'),
    ("encode", {"timed_out": -1}, "it.timed_out: expected a number of seconds"),
    ("encode", {"timed_out": 1e999}, "it.timed_out: expected a number of seconds"),
    ("batch", {"encodings": [{}]}, "it.encodings[0]"),
]


@pytest.mark.parametrize(("name", "form", "said"), REFUSED)
def test_a_form_that_no_outcome_has_is_refused_with_its_place(name: str, form: object, said: str) -> None:
    with pytest.raises(FieldError) as caught:
        outcome_in(name, form, "it")
    assert said in str(caught.value)


def test_a_text_that_is_no_unicode_is_no_input() -> None:
    with pytest.raises(FieldError, match="lone surrogate"):
        input_in({"source": 0, "id": "a", "category": "b", "text": "\ud800"})
