"""Streamers of our own, each with one fault: what is written wrong most often in the streams of engines.

Each is a class with ``step(tokenizer, ids)``, like the streams of the reference, and code of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import Field, Stage, TokenizerSource
from tokenizer_adapters.pipeline import PipelineSubject
from tokenizer_adapters.tokenizers import TokenizersImplementation

if TYPE_CHECKING:
    from collections.abc import Sequence

REPLACEMENT = "\ufffd"


class Stream:
    """A right stream: all ids are kept, and what was given out is what the text begins with."""

    def __init__(self, ids: Sequence[int] = (), skip_special_tokens: bool = False) -> None:
        self.skip = skip_special_tokens
        self.ids = list(ids)
        self.given: str | None = None

    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        if self.given is None:
            self.given = self.begins_with(self.text(tokenizer))
        self.ids += self.taken([ids] if isinstance(ids, int) else list(ids))
        text = self.text(tokenizer)
        if self.waits(text) or len(text) <= len(self.given):
            return None
        added, self.given = text[len(self.given) :], text
        self.gave()
        return added

    def text(self, tokenizer: Any) -> str:
        return str(tokenizer.decode(self.ids, skip_special_tokens=self.skip)) if self.ids else ""

    def begins_with(self, prompt: str) -> str:
        return prompt.rstrip(REPLACEMENT)

    def taken(self, ids: list[int]) -> list[int]:
        return ids

    def waits(self, text: str) -> bool:
        return text.endswith(REPLACEMENT)

    def gave(self) -> None:
        pass


class OffsetReset(Stream):
    def gave(self) -> None:
        self.ids, self.given = [], ""


class ReplacementKept(Stream):
    def waits(self, text: str) -> bool:  # noqa: ARG002
        return False


class FlushedEarly(Stream):
    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        before = self.text(tokenizer) if self.given is not None else self.begins_with(self.text(tokenizer))
        self.given = ""
        self.ids += [ids] if isinstance(ids, int) else list(ids)
        after = self.text(tokenizer)
        return after.removeprefix(before) or None if after.startswith(before) else None


class PromptForgotten(Stream):
    def __init__(self, ids: Sequence[int] = (), skip_special_tokens: bool = False) -> None:  # noqa: ARG002
        super().__init__((), skip_special_tokens)


class PromptAgain(Stream):
    def begins_with(self, prompt: str) -> str:  # noqa: ARG002
        return ""


class HalfPromptCounted(Stream):
    def begins_with(self, prompt: str) -> str:
        return prompt


class SpecialTokensKept(Stream):
    def __init__(self, ids: Sequence[int] = (), skip_special_tokens: bool = False) -> None:  # noqa: ARG002
        super().__init__(ids, skip_special_tokens=False)


class FirstOfStepLost(Stream):
    def taken(self, ids: list[int]) -> list[int]:
        return ids[1:] if len(ids) > 1 else ids


class LastOfStepTaken(Stream):
    def taken(self, ids: list[int]) -> list[int]:
        return ids[-1:]


class EachStepAlone(Stream):
    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        self.ids = [ids] if isinstance(ids, int) else list(ids)
        return self.text(tokenizer) or None


class TextLost(Stream):
    """Loses the first character of every other text: a fault that no rule describes."""

    number = 0

    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        added = super().step(tokenizer, ids)
        self.number += 1
        return added[1:] or None if added and self.number % 2 else added


@dataclass(frozen=True, slots=True)
class Planted:
    """A faulty stream, a tokenizer on which it shows, and the reason that ``audit streams`` gives."""

    stream: type[Stream]
    tokenizer: str
    reason: str


PLANTED: dict[str, Planted] = {
    "offset reset": Planted(OffsetReset, "t5-mini", "without the ids before"),
    "replacement character kept": Planted(ReplacementKept, "gpt2-mini", "U+FFFD kept, and counted"),
    "bytes flushed early": Planted(FlushedEarly, "gpt2-mini", "U+FFFD kept"),
    "prompt forgotten": Planted(PromptForgotten, "t5-mini", "the prompt forgotten"),
    "prompt given again": Planted(PromptAgain, "gpt2-mini", "the prompt again"),
    "half a character of the prompt counted": Planted(
        HalfPromptCounted, "gpt2-mini", "half a character of the prompt lost"
    ),
    "special tokens kept": Planted(SpecialTokensKept, "gpt2-mini", "special tokens"),
    "first id of a step lost": Planted(FirstOfStepLost, "gpt2-mini", "without the first id of a step"),
    "last id of a step taken": Planted(LastOfStepTaken, "gpt2-mini", "the last id of a step"),
    "each step alone": Planted(EachStepAlone, "gpt2-mini", "each id alone"),
    "a character lost": Planted(TextLost, "gpt2-mini", "text lost"),
}


class Streaming:
    """``tokenizers`` with another stream."""

    stream: ClassVar[type[Stream]] = Stream

    def __init__(self, stream: type[Stream] | None = None) -> None:
        self.made_of = TokenizersImplementation()
        self.used = stream or self.stream
        self.info = replace(
            self.made_of.info,
            name="planted",
            stages=frozenset({Stage.DECODE}),
            fields=frozenset({Field.TEXT}),
        )

    def load(self, source: TokenizerSource) -> PipelineSubject:
        loaded = self.made_of.load(source)
        return PipelineSubject(loaded._tokenizer, loaded._library, source.file, self.used)
