"""The harness: asks implementations of Hugging Face tokenizers the same questions and says where they differ first.

:func:`check` compares whatever encodes, and :func:`assert_conforms` does so in a test. :func:`run` carries out a
:class:`RunPlan` and yields events; reports consume them. Implementations are known only through
:mod:`tokenizer_adapters.contract`.

A public name is imported when it is first used, so that importing this package, which every module of it does, takes no
time.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
"""What it is in ``typing``, whose import takes its time: the command hears no signal before this package is there."""

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.conclusion import Conclusion
    from tokenizer_conformance.comparison.differences import (
        Comparison,
        Difference,
        DifferenceKind,
        Excerpt,
        OutcomeInUnit,
        compare,
    )
    from tokenizer_conformance.comparison.findings import Example, Finding, Signature
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.errors import BadInputError
    from tokenizer_conformance.inputs.corpus import Corpus, read_corpus
    from tokenizer_conformance.inputs.text import Input, Split, TextFile, text_files
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer
    from tokenizer_conformance.inputs.tokenizer_schema import tokenizer_json_schema
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.python_api.check import assert_conforms, check
    from tokenizer_conformance.validation.python_api.report import ConformanceError, ConformanceReport
    from tokenizer_conformance.validation.running.engine import run
    from tokenizer_conformance.validation.running.events import Event, RunFinished, RunStarted, TokenizerFinished
    from tokenizer_conformance.validation.running.plan import RunPlan

__all__ = [
    "BadInputError",
    "Comparison",
    "Conclusion",
    "ConformanceError",
    "ConformanceReport",
    "Corpus",
    "Difference",
    "DifferenceKind",
    "Event",
    "Example",
    "Excerpt",
    "Finding",
    "Input",
    "OutcomeInUnit",
    "Rejected",
    "RunFinished",
    "RunPlan",
    "RunStarted",
    "Signature",
    "Split",
    "TextFile",
    "TokenizerFile",
    "TokenizerFinished",
    "Verdict",
    "assert_conforms",
    "check",
    "compare",
    "find_tokenizer",
    "read_corpus",
    "read_tokenizer",
    "run",
    "text_files",
    "tokenizer_json_schema",
]

_NAMES_OF_MODULES: dict[str, tuple[str, ...]] = {
    "validation.python_api.check": ("assert_conforms", "check"),
    "validation.python_api.report": ("ConformanceError", "ConformanceReport"),
    "comparison.differences": ("Comparison", "Difference", "DifferenceKind", "Excerpt", "OutcomeInUnit", "compare"),
    "comparison.findings": ("Example", "Finding", "Signature"),
    "comparison.verdicts": ("Verdict",),
    "errors": ("BadInputError",),
    "inputs.corpus": ("Corpus", "read_corpus"),
    "inputs.text": ("Input", "Split", "TextFile", "text_files"),
    "inputs.tokenizer_files": ("TokenizerFile", "find_tokenizer", "read_tokenizer"),
    "inputs.tokenizer_schema": ("tokenizer_json_schema",),
    "validation.running.engine": ("run",),
    "validation.running.events": ("Event", "RunFinished", "RunStarted", "TokenizerFinished"),
    "validation.running.plan": ("RunPlan",),
    "command_io.conclusion": ("Conclusion",),
    "rejected": ("Rejected",),
}
_MODULES = {name: f"{__name__}.{module}" for module, names in _NAMES_OF_MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
