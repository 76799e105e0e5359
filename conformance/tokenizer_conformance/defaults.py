"""What commands and plans take where nothing is said: numbers and names that cost no import of an engine."""

from __future__ import annotations

DEFAULT_BASELINE = "tokenizers"
"""The implementation that others are compared with."""

CHAT_BASELINE = "reference"
CHAT_IMPLEMENTATIONS = ("reference", "transformers")
"""What renders chat templates: those that a run compares, and the one that others are compared with."""

DEFAULT_SECONDS = 60.0
"""How long an answer of a process may take: as :class:`tokenizer_adapters.protocol.process.Limits` has it."""

CAUSE_SECONDS = 30.0
"""How much processor time a run takes to look for causes, in seconds."""

CAUSE_SECONDS_EACH = 20.0
"""How much a comparison of two releases takes for one tokenizer."""

FUZZ_SECONDS = 10.0
"""How many seconds an implementation has for an answer about a random tokenizer."""

TEXTS_PER_TOKENIZER = 10
"""How many texts each random tokenizer is asked about."""

VECTORS = 200
"""How many inputs a golden file has."""

FILE_AUDIT_SECONDS = 60.0
"""How long an audit of files takes at most."""

WITNESS_CASES, WITNESS_SECONDS = 2000, 20.0
"""Among how many texts, and for how many seconds, a witness of what a loader replaced is looked for."""

RENYI_ALPHA = 2.5
"""The order of Rényi's entropy that correlated best with translation quality (Zouhar et al. 2023)."""

REPLICATES, CONFIDENCE, RESAMPLING_SEED = 1000, 0.95, 0
"""How often texts are resampled for an interval, the level of the interval, and the seed."""

LONGEST_MEASURED = 20_000
"""How many characters a text has that is measured whole."""


TRAINING_SECONDS = 3600.0
"""How long a trainer may take: as :class:`tokenizer_adapters.protocol.process.Limits` has it."""

TRAINING_TOLERANCE = 1e-6
"""By how much scores of trained tokenizers may differ (natural logarithms)."""

SECTIONS = ("defaults", "refusals", "saved", "suite", "training")
"""The sections of facts that releases are compared by, in the order in which they are told."""

QUICK_SECTIONS = SECTIONS[:3]
"""Those that take seconds a release."""

RUN_IMPLEMENTATIONS = ("reference", "tokenizers", "transformers")
SUITE_IMPLEMENTATIONS = ("reference", "tokenizers")
FUZZED_IMPLEMENTATIONS = ("reference",)
AUDITED_LOADERS = ("transformers",)
COMPARED_TRAINERS = ("reference", "tokenizers")
"""Who is asked by each command where nobody is named."""

COMPARED_EXAMPLES = 3
"""How many examples ``compare`` gives of a kind of difference."""

FAILS_FOR_NOTHING = "never"
"""The word for ``audit file --fail-on`` that no finding is grave enough for."""

BOTH_FORMATS = "both"
"""The word for ``badge --format`` that wants a picture and the data."""

MEASUREMENT_TABLES = (
    ("csv_name", "--csv", "as CSV, a row each"),
    ("parquet_name", "--parquet", "as Parquet, a row each"),
    ("latex_name", "--latex", "as tables in LaTeX, with the rules of booktabs"),
)
"""The tables of ``metrics`` for other programs: the parameter, the option, and how it writes them."""
