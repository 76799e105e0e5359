"""Implementations whose spans are late after "café", that show ids only, or that give no answer."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Encoded, Field, Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Observation, Outcome, Subject, TokenizerSource


class Late:
    def __init__(self) -> None:
        self.sound = load_implementation("tokenizers")
        self.info = replace(self.sound.info, name="late", version="1.0")

    def load(self, source: TokenizerSource) -> LateSubject:
        return LateSubject(self.sound.load(source))


class LateSubject:
    def __init__(self, sound: Subject) -> None:
        self.sound = sound

    def vocabulary(self) -> Mapping[str, int] | Unsupported:
        return self.sound.vocabulary()

    def observe(self, question: Observation) -> Outcome:
        outcome = self.sound.observe(question)
        if isinstance(outcome, Encoded) and "café" in str(question):
            return replace(outcome, offsets=tuple((s + (s > 6), e + (s > 6)) for s, e in outcome.offsets or ()))
        return outcome


class IdsOnly(Late):
    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, name="ids-only", fields=frozenset({Field.IDS}))

    def load(self, source: TokenizerSource) -> LateSubject:
        return IdsOnlySubject(self.sound.load(source))


class IdsOnlySubject(LateSubject):
    def observe(self, question: Observation) -> Outcome:
        outcome = self.sound.observe(question)
        return Encoded(outcome.ids) if isinstance(outcome, Encoded) else Unsupported("it shows ids")


class Dies(Late):
    def load(self, source: TokenizerSource) -> LateSubject:
        return DeadSubject(self.sound.load(source))


class DeadSubject(LateSubject):
    def observe(self, question: Observation) -> Outcome:
        raise RuntimeError(f"gone over {type(question).__name__}")


class Deadly(Late):
    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, name="deadly")

    def load(self, source: TokenizerSource) -> LateSubject:
        return DeadlySubject(self.sound.load(source))


class DeadlySubject(LateSubject):
    """Takes its process down over a snowman."""

    def observe(self, question: Observation) -> Outcome:
        if "☃" in str(question):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().observe(question)
