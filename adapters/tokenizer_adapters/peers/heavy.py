"""The heavy implementations, each served by the Python of an environment of its own.

What it costs stands in :data:`tokenizer_adapters.environments.packages.HEAVY`, with the class that is served there.
Nothing here makes an environment: ``tokconf environments add`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.pinned import made
from tokenizer_adapters.protocol.client import ProgramImplementation

if TYPE_CHECKING:
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.process import Limits


class HeavyImplementation(ProgramImplementation):
    """An implementation of the table of heavy ones; ``registered`` is its name there.

    Building raises :class:`UnavailableError` where its environment is not there, or is damaged.
    """

    registered: ClassVar[str]

    def __init__(self, limits: Limits | None = None, name: str | None = None) -> None:
        release = made(self.registered)
        try:
            super().__init__(limits)
        except UnavailableError as error:
            raise UnavailableError(release.damage(str(error))) from error
        self.go_by(name or self.registered, release.install)

    @classmethod
    def program(cls) -> Program:
        """Return the program; raises :class:`UnavailableError` where its environment is not there."""
        return made(cls.registered).program


class GigatokenImplementation(HeavyImplementation):
    """``gigatoken`` (:mod:`.gigatoken`)."""

    registered = "gigatoken"


class OpenvinoImplementation(HeavyImplementation):
    """OpenVINO Tokenizers (:mod:`.openvino`)."""

    registered = "openvino"


class TensorFlowTextImplementation(HeavyImplementation):
    """The first tokenizers of TensorFlow Text (:mod:`.tensorflow_text`)."""

    registered = "tensorflow-text"


class TensorFlowTextFastImplementation(HeavyImplementation):
    """The fast tokenizers of TensorFlow Text (:mod:`.tensorflow_text`)."""

    registered = "tensorflow-text-fast"
