"""The harness: asks implementations of Hugging Face tokenizers the same questions and says where they part first.

:func:`run` carries out a :class:`RunPlan` and yields events; reports consume them. Implementations are known only
through :mod:`tokenizer_adapters.contract`.
"""

from tokenizer_conformance.comparison import Answer, Comparison, Difference, DifferenceKind, Excerpt, compare
from tokenizer_conformance.engine import run
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.events import Conclusion, Event, RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.findings import Example, Finding, Signature
from tokenizer_conformance.input_text import Input, Split, TextFile, text_files
from tokenizer_conformance.plan import Corpus, Refusal, RunPlan, read_corpus
from tokenizer_conformance.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer
from tokenizer_conformance.verdicts import Verdict

__all__ = [
    "Answer",
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
    "Refusal",
    "RunFinished",
    "RunPlan",
    "RunStarted",
    "Signature",
    "Split",
    "TextFile",
    "TokenizerFile",
    "TokenizerFinished",
    "Verdict",
    "compare",
    "find_tokenizer",
    "read_corpus",
    "read_tokenizer",
    "run",
    "text_files",
]
