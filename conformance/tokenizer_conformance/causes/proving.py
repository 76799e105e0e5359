"""What tries to prove why two answers differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.witness import Witness

    Experiment = Callable[[Bench, Witness], Reason | None]
    """Tries to prove that a witness is in one class; ``None``: it is not proven."""
