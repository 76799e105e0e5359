"""Entries that decode to the same text, so that two ids stand for one."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry

REPLACEMENT = "\ufffd"
"""What bytes that are no character by themselves decode to: that many do says nothing."""

BATCH = 2000


def same_texts(asked: Asked, entries: Sequence[Entry]) -> list[tuple[str, tuple[Path, ...]]]:
    """Return the texts that more than one of ``entries`` decode to, each with the places of these.

    Each is decoded after another one, for decoders treat the first token of a text in ways of their own.
    """
    by_text: defaultdict[str, list[Path]] = defaultdict(list)
    for begin in range(0, len(entries), BATCH):
        batch = entries[begin : begin + BATCH]
        questions = [Decode((entries[0].id, entry.id), skip_special_tokens=False) for entry in batch]
        asked.ask_ahead(questions)
        for question, entry in zip(questions, batch, strict=True):
            answer = asked.ask(question)
            if isinstance(answer, Text) and REPLACEMENT not in answer.text:
                by_text[answer.text].append(entry.path)
        asked.forget()
    first = asked.ask(Decode((entries[0].id,), skip_special_tokens=False)) if entries else None
    before = first.text if isinstance(first, Text) else ""
    return [(text.removeprefix(before), tuple(paths)) for text, paths in by_text.items() if len(paths) > 1]
