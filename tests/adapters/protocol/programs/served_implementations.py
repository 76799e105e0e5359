"""Implementations that the server serves in its tests: each does what a program of the protocol must survive."""

import sys
from typing import ClassVar

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    Encoded,
    Field,
    ImplementationInfo,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    Shows,
    Stage,
    Text,
    TimedOut,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)


class PanicException(BaseException):
    """Has the name of a Rust panic in Python."""


TOKENS = {"half": ("\ud800",), "halves": ("a", "\ud83d\ude00"), "character": ("\U0001f600", r"\ud83d")}
"""What is answered to a text: with half of a character, with both halves as two, and with a character."""


class Talkative:
    """Prints while it is built, loads and answers, and reads standard input."""

    def __init__(self) -> None:
        print("building")

    @property
    def info(self) -> ImplementationInfo:
        return ImplementationInfo(
            name="talkative",
            version="1",
            language="Python",
            home_page="",
            stages=frozenset({Stage.NORMALIZE, Stage.MODEL, Stage.POST_PROCESS}),
            fields=frozenset({Field.TEXT, Field.IDS}),
            offset_unit=OffsetUnit.CODE_POINTS,
            install="",
        )

    def load(self, source: TokenizerSource) -> "TalkativeSubject":
        print("loading", source.name)
        if source.name == "bad":
            raise CannotLoadError("talkative cannot load bad: it is bad")
        return TalkativeSubject()


class TalkativeSubject:
    files = ("vocab.txt",)
    shows: ClassVar[Shows] = {Stage.NORMALIZE: frozenset({Field.TEXT}), Stage.MODEL: frozenset()}

    def observe(self, observation: Observation) -> Outcome:
        print("asked", observation)
        match observation:
            case Normalize("stdin"):
                return Text(sys.stdin.read())
            case Normalize("print"):
                sys.stdout.flush()
                return Text("printed")
            case Normalize("raise"):
                raise ValueError("of no value")
            case Normalize("panic"):
                raise PanicException("index out of bounds")
            case Normalize("exit"):
                sys.exit(3)
            case Normalize("late"):
                return TimedOut(1.0)
            case Normalize("set"):
                return Text({"a"})  # type: ignore[arg-type]
            case Encode(str(text)):
                return Encoded(ids=(1,), tokens=TOKENS[text])
            case _:
                return Unsupported("shows little")

    def vocabulary(self) -> Unsupported:
        return Unsupported("has none")


class Missing:
    """Lacks its library."""

    def __init__(self) -> None:
        raise UnavailableError("install it with: pip install missing")


class Broken:
    """Cannot be built."""

    def __init__(self) -> None:
        raise RuntimeError("no such thing")
