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


class SpecialTokensLeftOut(Stream):
    def __init__(self, ids: Sequence[int] = (), skip_special_tokens: bool = False) -> None:  # noqa: ARG002
        super().__init__(ids, skip_special_tokens=True)


class FirstOfStepLost(Stream):
    def taken(self, ids: list[int]) -> list[int]:
        return ids[1:] if len(ids) > 1 else ids


class LastOfStepTaken(Stream):
    def taken(self, ids: list[int]) -> list[int]:
        return ids[-1:]


class FirstOfStepTaken(Stream):
    def taken(self, ids: list[int]) -> list[int]:
        return ids[:1]


class EachStepAlone(Stream):
    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        self.ids = [ids] if isinstance(ids, int) else list(ids)
        return self.text(tokenizer) or None


class Retold(Stream):
    """Changes each text that it gives out."""

    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        added = super().step(tokenizer, ids)
        return self.told(added) or None if added else added

    def told(self, text: str) -> str:
        return text


class Stripped(Retold):
    def told(self, text: str) -> str:
        return text.strip()


class LineBreaksLost(Retold):
    def told(self, text: str) -> str:
        return text.rstrip("\n")


class ReplacementLost(Retold):
    def told(self, text: str) -> str:
        return text.replace(REPLACEMENT, "")


class FirstStripped(Retold):
    is_first = True

    def told(self, text: str) -> str:
        kept, self.is_first = text.lstrip() if self.is_first else text, False
        return kept


class NearWindow(Stream):
    """Decodes the last eight ids alone: a fault that no rule describes."""

    def step(self, tokenizer: Any, ids: int | Sequence[int]) -> str | None:
        before = self.ids[-7:]
        self.ids = [*before, *([ids] if isinstance(ids, int) else ids)][-8:]
        given = len(str(tokenizer.decode(before, skip_special_tokens=self.skip)) if before else "")
        text = self.text(tokenizer)
        return None if self.waits(text) else text[given:] or None


class Swallowed(Stream):
    """Loses an id that comes twice in a row: a fault that no rule describes."""

    last = -1

    def taken(self, ids: list[int]) -> list[int]:
        kept = [each for before, each in zip([self.last, *ids], ids, strict=False) if before != each]
        self.last = ids[-1]
        return kept


class Backwards(Stream):
    """Takes the ids of a step from the last to the first: a fault that no rule describes."""

    def taken(self, ids: list[int]) -> list[int]:
        return ids[::-1]


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
        HalfPromptCounted, "gpt2-mini", "the incomplete character of the prompt lost"
    ),
    "special tokens kept": Planted(SpecialTokensKept, "gpt2-mini", "special tokens kept"),
    "special tokens left out": Planted(SpecialTokensLeftOut, "gpt2-mini", "special tokens left out"),
    "first id of a step lost": Planted(FirstOfStepLost, "gpt2-mini", "without the first id of a step"),
    "last id of a step taken": Planted(LastOfStepTaken, "gpt2-mini", "the last id of a step"),
    "first id of a step taken": Planted(FirstOfStepTaken, "gpt2-mini", "the first id of a step"),
    "texts stripped": Planted(Stripped, "gpt2-mini", "texts stripped"),
    "line breaks lost": Planted(LineBreaksLost, "gpt2-mini", "line breaks stripped"),
    "replacement character lost": Planted(ReplacementLost, "gpt2-mini", "U+FFFD left out"),
    "the first text stripped": Planted(FirstStripped, "gpt2-mini", "the first text stripped"),
    "each step alone": Planted(EachStepAlone, "gpt2-mini", "each id alone"),
    "a character lost": Planted(TextLost, "gpt2-mini", "text lost"),
}


WITHOUT_RULE: dict[str, type[Stream]] = {
    "a window": NearWindow,
    "ids in a row swallowed": Swallowed,
    "ids of a step backwards": Backwards,
}
"""Faults that no rule describes, and that look like one on some streams."""


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
