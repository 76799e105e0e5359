"""The harness: asks implementations of Hugging Face tokenizers the same questions and says where they differ first.

:func:`check` compares whatever encodes, and :func:`assert_conforms` does so in a test. :func:`run` carries out a
:class:`RunPlan` and yields events; reports consume them. Implementations are known only through
:mod:`tokenizer_adapters.contract`.

A public name is imported when it is first used, so that importing this package, which every module of it does, takes no
time.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

TYPE_CHECKING = False
"""What it is in ``typing``, whose import takes its time: the command hears no signal before this package is there."""

if TYPE_CHECKING:
    from tokenizer_conformance.checking.check import assert_conforms, check
    from tokenizer_conformance.checking.report import ConformanceError, ConformanceReport
    from tokenizer_conformance.comparing.comparison import (
        Comparison,
        Difference,
        DifferenceKind,
        Excerpt,
        OutcomeInUnit,
        compare,
    )
    from tokenizer_conformance.comparing.findings import Example, Finding, Signature
    from tokenizer_conformance.comparing.verdicts import Verdict
    from tokenizer_conformance.errors import BadInputError
    from tokenizer_conformance.inputs.corpus import Corpus, read_corpus
    from tokenizer_conformance.inputs.text import Input, Split, TextFile, text_files
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer
    from tokenizer_conformance.inputs.tokenizer_schema import tokenizer_json_schema
    from tokenizer_conformance.run.engine import run
    from tokenizer_conformance.run.events import Event, RunFinished, RunStarted, TokenizerFinished
    from tokenizer_conformance.run.plan import RunPlan
    from tokenizer_conformance.session.conclusion import Conclusion
    from tokenizer_conformance.unusable import Unusable

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
    "RunFinished",
    "RunPlan",
    "RunStarted",
    "Signature",
    "Split",
    "TextFile",
    "TokenizerFile",
    "TokenizerFinished",
    "Unusable",
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
    "checking.check": ("assert_conforms", "check"),
    "checking.report": ("ConformanceError", "ConformanceReport"),
    "comparing.comparison": ("Comparison", "Difference", "DifferenceKind", "Excerpt", "OutcomeInUnit", "compare"),
    "comparing.findings": ("Example", "Finding", "Signature"),
    "comparing.verdicts": ("Verdict",),
    "errors": ("BadInputError",),
    "inputs.corpus": ("Corpus", "read_corpus"),
    "inputs.text": ("Input", "Split", "TextFile", "text_files"),
    "inputs.tokenizer_files": ("TokenizerFile", "find_tokenizer", "read_tokenizer"),
    "inputs.tokenizer_schema": ("tokenizer_json_schema",),
    "run.engine": ("run",),
    "run.events": ("Event", "RunFinished", "RunStarted", "TokenizerFinished"),
    "run.plan": ("RunPlan",),
    "session.conclusion": ("Conclusion",),
    "unusable": ("Unusable",),
}
_MODULES = {name: f"{__name__}.{module}" for module, names in _NAMES_OF_MODULES.items() for name in names}


def _imported(name: str) -> object:
    return getattr(importlib.import_module(_MODULES[name]), name)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = _imported(name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """The package itself, in which ``run`` and ``compare`` are functions, and not folders of modules of these names."""

    @property
    def run(self) -> object:
        """Return the function; importing a module of the folder would put that in its place."""
        return _imported("run")

    @run.setter
    def run(self, _folder: ModuleType) -> None:
        pass

    @property
    def compare(self) -> object:
        """Return the function, as :attr:`run` does."""
        return _imported("compare")

    @compare.setter
    def compare(self, _folder: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Package
