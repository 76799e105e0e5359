"""A tokenizer that cuts texts: loaded by any implementation, with neither truncation nor padding."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from tokenizer_adapters.contract import Encode, Encoded, Failed, OffsetUnit, TokenizerSource
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, spans_to_code_points
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Implementation, Span, WithoutValue
    from tokenizer_conformance.comparison.asking import Asked

LIMITS = ("truncation", "padding")
"""The members of a tokenizer.json that would cut a text off, or fill it up."""


class Segmenter:
    """An implementation with the tokenizer it has loaded, asked how it cuts texts."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def segment(self, texts: Sequence[str]) -> list[Segmented | WithoutValue]:
        """Return how each of ``texts`` is cut, or what came in place of that, in their order.

        All are asked about at once where that is faster, so ``texts`` are as many as memory should hold answers to.
        """
        self.asked.forget()
        questions = [Encode(text, add_special_tokens=False) for text in texts]
        if self.asked.takes_batches:
            self.asked.ask_ahead(questions)
        return [self._segmented(question) for question in questions]

    def _segmented(self, question: Encode) -> Segmented | WithoutValue:
        outcome = self.asked.ask(question)
        if isinstance(outcome, Encoded):
            return self._of(str(question.text), outcome)
        return cast("WithoutValue", outcome)  # a value that does not answer the question is a crash already

    def _of(self, text: str, encoded: Encoded) -> Segmented | Failed:
        """Return ``encoded`` with its offsets in code points; a failure where one of them is no place in ``text``."""
        if encoded.offsets is None:
            return Segmented(text, encoded.ids, encoded.tokens)
        length = len(text)
        if self.asked.info.offset_unit is OffsetUnit.CODE_POINTS and all(
            0 <= start <= end <= length for start, end in encoded.offsets
        ):
            return Segmented(text, encoded.ids, encoded.tokens, encoded.offsets)  # most answers: nothing to convert
        converted = spans_to_code_points(((span, text) for span in encoded.offsets), self.asked.info.offset_unit)
        if isinstance(converted, MisplacedSpan):
            return _misplaced(converted.index, encoded.offsets[converted.index])
        for index, (start, end) in enumerate(converted.spans):
            if not 0 <= start <= end <= len(text):
                return _misplaced(index, encoded.offsets[index])
        return Segmented(text, encoded.ids, encoded.tokens, converted.spans)


def _misplaced(index: int, span: Span) -> Failed:
    return Failed("MisplacedSpan", f"the offsets {span} of token {index} are no place in the text")


@contextmanager
def segmenter(implementation: Implementation, source: TokenizerSource) -> Iterator[Segmenter]:
    """Have ``implementation`` cut texts with the tokenizer of ``source``, of which truncation and padding are left out.

    Where the file has any of them, a copy without is loaded in its place; the folder goes with it, so what an
    implementation reads there holds as ever. Raises :class:`CannotLoadError`.
    """
    document = _parsed(source)
    if all(document.get(name) is None for name in LIMITS):
        yield Segmenter(loaded(implementation, source))
        return
    with TemporaryDirectory(prefix="tokconf-") as folder:
        yield Segmenter(loaded(implementation, _without_limits(source, document, Path(folder))))


def _parsed(source: TokenizerSource) -> dict[str, Any]:
    document = json.loads(Path(source.file).read_bytes())
    return document if isinstance(document, dict) else {}


def _without_limits(source: TokenizerSource, document: dict[str, Any], folder: Path) -> TokenizerSource:
    """Return the tokenizer of ``document`` in ``folder``, with the other files that it came with."""
    if source.folder is not None:
        for file in Path(source.folder).iterdir():
            (folder / file.name).symlink_to(file.absolute())
    file = folder / "tokenizer.json"
    file.unlink(missing_ok=True)
    text = json.dumps(document | dict.fromkeys(LIMITS), ensure_ascii=False)
    file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="\n")
    return TokenizerSource(source.name, str(file), None if source.folder is None else str(folder))
