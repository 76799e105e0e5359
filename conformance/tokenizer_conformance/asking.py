"""A tokenizer that an implementation has loaded, asked in a way that no adapter can upset."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Crashed, Unsupported, stage_of
from tokenizer_conformance.comparison import answers

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Subject, TokenizerSource


class Asked:
    """An implementation with the tokenizer it has loaded. ``seconds`` were spent waiting for its answers."""

    def __init__(self, implementation: Implementation, subject: Subject) -> None:
        self.info = implementation.info
        self.subject = subject
        self.seconds = 0.0

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``. An adapter that breaks its contract has crashed."""
        if stage_of(question) not in self.info.stages:
            return Unsupported(f"{self.info.name} does not show this stage")
        began = time.perf_counter()
        try:
            outcome = self.subject.observe(question)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a panic of a Rust library derives from BaseException
            return Crashed(f"the adapter raised {type(error).__name__}: {error}")
        finally:
            self.seconds += time.perf_counter() - began
        if not answers(question, outcome):
            return Crashed(f"the adapter answered {type(question).__name__} with {type(outcome).__name__}")
        return outcome

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token with its id; what an adapter raises shows no vocabulary either."""
        try:
            return self.subject.vocabulary()
        except Exception as error:  # noqa: BLE001 - whatever it is
            return Unsupported(f"the adapter raised {type(error).__name__}: {error}")


def loaded(implementation: Implementation, source: TokenizerSource) -> Asked:
    """Return ``implementation`` with the tokenizer of ``source``.

    Raises :class:`CannotLoadError`, also where the adapter breaks its contract.
    """
    try:
        return Asked(implementation, implementation.load(source))
    except (KeyboardInterrupt, GeneratorExit, CannotLoadError):
        raise
    except BaseException as error:  # noqa: BLE001 - an adapter that breaks its contract fails to load
        raise CannotLoadError(f"the adapter raised {type(error).__name__}: {error}") from None
