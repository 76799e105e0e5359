"""The harness: asks implementations of Hugging Face tokenizers the same questions and says where they differ first.

:func:`run` carries out a :class:`RunPlan` and yields events; reports consume them. Implementations are known only
through :mod:`tokenizer_adapters.contract`.
"""

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
from tokenizer_conformance.run.engine import run
from tokenizer_conformance.run.events import Event, RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.run.plan import RunPlan
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.unusable import Unusable

__all__ = [
    "BadInputError",
    "Comparison",
    "Conclusion",
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
    "compare",
    "find_tokenizer",
    "read_corpus",
    "read_tokenizer",
    "run",
    "text_files",
]
