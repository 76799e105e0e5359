"""An implementation that answers with text written to do harm, and raises it; its name and version are no better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hostile import HOSTILE

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome, Subject, TokenizerSource

TEXTS = tuple(HOSTILE.values())


class HostileAnswers:
    """``tokenizers``, but for every other answer: that has hostile text in it, or is an error that says it."""

    name = "=owned<script>\x1b[31m\u202e\n::error::owned]]>`|"

    @property
    def info(self) -> ImplementationInfo:
        return replace(TokenizersImplementation().info, name=self.name, version=f"1.0+{HOSTILE['code']}")

    def load(self, source: TokenizerSource) -> HostileSubject:
        return HostileSubject(TokenizersImplementation().load(source))


class HostileRefusal(HostileAnswers):
    """Loads nothing, and says so in hostile words."""

    name = "refusing-owned"

    def load(self, source: TokenizerSource) -> HostileSubject:
        raise CannotLoadError(source.name + "".join(TEXTS))


class HostileSubject:
    """What a :class:`HostileAnswers` has loaded."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def observe(self, question: Observation) -> Outcome:
        answer = self._subject.observe(question)
        asked = getattr(question, "text", None) or getattr(question, "ids", ())
        text = TEXTS[len(asked) % len(TEXTS)]
        match question, answer:
            case (Normalize(), Text(given)) if len(given) % 2:
                return Text(given + text)
            case (PreTokenize(), Pieces(pieces)) if pieces and len(pieces) % 2 == 0:
                return Pieces(((text, pieces[0][1]), *pieces[1:]))
            case (Encode(), Encoded(tokens=tuple(tokens))) if len(tokens) % 4 == 1:
                return replace(answer, tokens=(text, *tokens[1:]))
            case (Encode(), Encoded(ids=tuple(ids))) if len(ids) % 4 == 2:
                return Failed(f"Owned{text}", text)
            case (Encode(), Encoded(ids=tuple(ids))) if len(ids) % 4 == 3:
                return Crashed(text)
            case (Decode(), Text(given)):
                return Text(given + text)
        return answer

    def vocabulary(self) -> Any:
        return self._subject.vocabulary()
