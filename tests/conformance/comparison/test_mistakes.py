"""What mistakes make of spans: each token's is in the text, or the word, that the token is of."""

from __future__ import annotations

import pytest

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.comparison.mistakes import in_bytes, in_utf16, offsets_go_on, spans_changed, texts_of_tokens

SPANS = ((0, 1), (0, 2))

OF: list[tuple[Encode, Encoded, list[str | None]]] = [
    (Encode("é", "a"), Encoded((1, 2)), ["é", "é"]),  # of which text is not said: the first
    (Encode("é"), Encoded((1, 2)), ["é", "é"]),
    (Encode("é", "a"), Encoded((1, 2, 3), sequence_ids=(0, None, 1)), ["é", None, "a"]),
    (Encode(("é", "bc")), Encoded((1, 2, 3), word_ids=(1, None, 2)), ["bc", None, None]),
    (Encode(("é", "bc")), Encoded((1,)), [None]),  # of which word is not said
    (Encode(("é",), ("b", "c")), Encoded((1, 2), sequence_ids=(1, 0), word_ids=(1, 0)), ["c", "é"]),
]


@pytest.mark.parametrize(("question", "encoded", "texts"), OF)
def test_a_token_is_of_a_text_or_of_a_word_of_it(question: Encode, encoded: Encoded, texts: list[str | None]) -> None:
    assert list(texts_of_tokens(question, encoded)) == texts


def test_spans_are_counted_in_other_units_where_they_are_shown_and_in_a_text() -> None:
    question = Encode("\U0001f600é", "a")
    encoded = Encoded((1, 2, 3), offsets=(*SPANS, (0, 1)), sequence_ids=(0, 0, None))
    assert spans_changed(in_bytes)(question, encoded).offsets == ((0, 4), (0, 6), (0, 1))
    assert spans_changed(in_utf16)(question, encoded).offsets == ((0, 2), (0, 3), (0, 1))
    assert spans_changed(in_bytes)(question, Encoded((1, 2), offsets=SPANS)).offsets == ((0, 4), (0, 6))
    assert spans_changed(in_bytes)(question, Encoded((1,))) == Encoded((1,))


def test_offsets_of_a_second_text_go_on_where_it_is_said_which_tokens_are_of_it() -> None:
    encoded = Encoded((1, 2), offsets=SPANS, sequence_ids=(0, 1))
    assert offsets_go_on(Encode("abc", "de"), encoded).offsets == ((0, 1), (3, 5))
    assert offsets_go_on(Encode("abc"), Encoded((1, 2), offsets=SPANS)) == Encoded((1, 2), offsets=SPANS)
