"""An implementation before and after an upgrade that changes much, here and in other processes."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.releases.diff.sides import BuiltAnywhere

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome, TokenizerSource


class Before(fakes.Toy):
    """Release 0.19.1, which loads everything and saves what it loads."""

    name = "tokenizers"  # its releases go by one name in ledgers
    version: ClassVar[str] = "0.19.1"
    saves: ClassVar[dict[str, int]] = {"kept": 1, "changed": 1}

    @property
    def info(self) -> ImplementationInfo:
        return replace(super().info, version=self.version)

    def load(self, source: TokenizerSource) -> fakes.ToySubject:
        subject: Any = super().load(source)
        subject.saved = lambda: json.dumps({**self.saves, "name": source.name})
        return subject


class After(Before):
    """Release 0.23.3: merges and decodes in another way, saves another value, and refuses the tokenizer ``refused``."""

    version = "0.23.3"
    saves: ClassVar[dict[str, int]] = {"kept": 1, "changed": 2}

    class subject(fakes.LossyDecode.subject):  # noqa: N801
        merges = fakes.SwappedMerge.subject.merges

    def load(self, source: TokenizerSource) -> fakes.ToySubject:
        if source.name == "refused":
            raise CannotLoadError(f"no {source.name}, please")
        return super().load(source)


MARK = "TOKCONF_TESTS_KILLED"
"""The variable of the environment with the file that says that a process was killed."""


class Killed(After):
    """Is killed over the text ``kill``, and over the text ``kill once`` by whoever comes first."""

    class subject(After.subject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            text = getattr(observation, "text", "")
            if text == "kill" or (text == "kill once" and not Path(os.environ[MARK]).exists()):
                Path(os.environ[MARK]).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().observe(observation)


@dataclass(frozen=True)
class Made:
    """Stands for the selection of an implementation that no word selects."""

    kind: type[fakes.Toy]

    def build(self) -> fakes.Toy:
        return self.kind()


def built(kind: type[fakes.Toy]) -> BuiltAnywhere:
    """Return an implementation of this ``kind`` that other processes build as well."""
    made: Any = Made(kind)
    return BuiltAnywhere(made, kind())
