"""Parts of documents are made once for each of the last few that were asked for."""

from __future__ import annotations

from tokenizer_conformance.inputs.text_generators.document_parts import MOST_KEPT, parts_of


def test_parts_of_the_documents_that_were_asked_for_last_are_kept() -> None:
    documents = [{"model": {"unk_token": str(number)}} for number in range(MOST_KEPT + 1)]
    parts = [parts_of(document) for document in documents[:MOST_KEPT]]
    assert [each.text_option("unk_token") for each in parts] == ["0", "1", "2", "3"]
    assert parts_of(documents[0]) is parts[0]
    last = parts_of(documents[MOST_KEPT])
    assert [parts_of(documents[number]) is parts[number] for number in (0, 2, 3)] == [True, True, True]
    assert parts_of(documents[MOST_KEPT]) is last
    assert parts_of(documents[1]) is not parts[1], "it was asked for before all others"
