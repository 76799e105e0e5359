"""Which implementations a command compares, and with which one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import RegistryError, load_implementation
from tokenizer_conformance.cli.implementations import implementation_names
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.events import EXIT_STATUS, Conclusion
from tokenizer_conformance.plan import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Implementation

DEFAULT_BASELINE = "tokenizers"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The implementations of a run, and those that were asked for and are not to be had."""

    implementations: tuple[Implementation, ...]
    baseline: str
    unavailable: tuple[Refusal, ...]


def choose(wanted: Sequence[str], baseline: str | None, hint: str = "") -> Chosen:
    """Return the ``wanted`` implementations, and the one that the others are compared with.

    ``hint`` says what else may be wrong where an implementation is not known.
    """
    asked = list(dict.fromkeys(wanted))
    if baseline is not None and baseline not in asked:
        asked.insert(0, baseline)
    known = implementation_names()
    for name in asked:
        if name not in known:
            raise click.UsageError(f"no implementation is called {name!r} (known: {', '.join(known)}){hint}")
    if len(asked) == 1:
        raise click.UsageError(
            f"nothing to compare {asked[0]} with: give a second implementation with -i (known: {', '.join(known)})",
        )
    chosen = baseline or (DEFAULT_BASELINE if DEFAULT_BASELINE in asked else asked[0])
    return _build(asked, chosen)


def _build(asked: Sequence[str], baseline: str) -> Chosen:
    implementations: list[Implementation] = []
    unavailable: list[Refusal] = []
    for name in asked:
        try:
            implementations.append(load_implementation(name))
        except (UnavailableError, RegistryError) as error:
            if name == baseline:
                raise ImplementationError(f"the baseline cannot be used: {one_line(str(error))}") from error
            unavailable.append(Refusal("implementation", name, str(error)))
    return Chosen(tuple(implementations), baseline, tuple(unavailable))


class ImplementationError(click.ClickException):
    """The run cannot start because of an implementation."""

    exit_code = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
