"""The reference with a mistake of a port in it, one of ``tools/power/faults``, beside the reference as it is.

The modules are a private copy: what else asks the reference in this process, experiments say, sees nothing of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from power.faults import read_faults

from tokenizer_adapters.pipeline import PipelineSubject, loaded
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.private_copy import PrivateCopy

if TYPE_CHECKING:
    from power.faults import Fault

    from tokenizer_adapters.contract import ImplementationInfo, TokenizerSource


class Port:
    """The reference with the mistake that has that ``id``."""

    def __init__(self, id: str) -> None:
        change = _faults()[id].change()
        self._fast = id.startswith("fast-")
        self._copy = PrivateCopy({}, {change.module: change.source})

    @property
    def info(self) -> ImplementationInfo:
        """Return the description."""
        return replace(ReferenceImplementation().info, name="port")

    def load(self, source: TokenizerSource) -> PipelineSubject:
        """Load the file of ``source``. Raises :class:`CannotLoadError`."""
        module: Any = self._copy.module()
        tokenizer = loaded(lambda: module.Tokenizer.from_file(source.file), "a port", source)
        tokenizer.fast = self._fast  # a short cut would pass many a mistake by
        return PipelineSubject(tokenizer, module, source.file)


@cache
def _faults() -> dict[str, Fault]:
    return {fault.id: fault for fault in read_faults()}


def what_is_wrong(id: str) -> str:
    """Return the mistake in a sentence."""
    return _faults()[id].what
