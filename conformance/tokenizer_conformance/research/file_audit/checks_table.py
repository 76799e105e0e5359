"""All that a tokenizer.json is looked into for, in the order in which it is done, and all kinds of defects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit import (
    added_tokens,
    decoders,
    families,
    forms,
    ids,
    model,
    normalizers,
    processors,
    reading,
    regex_dialects,
    regex_speed,
    scores,
    special_tokens,
    truncation_and_padding,
)
from tokenizer_conformance.research.file_audit.chat.checks import CHAT_CHECKS
from tokenizer_conformance.research.file_audit.finding import FileCheck
from tokenizer_conformance.research.file_audit.fit import check as fit
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.finding import Defect

READING = "reading"
"""The check that a file is a tokenizer, which comes before all others."""

CHECKS: tuple[FileCheck, ...] = (
    FileCheck("repeated keys", (reading.REPEATED_KEY,), reading.check_repeated_keys),
    FileCheck("forms", forms.DEFECTS, forms.check_forms),
    FileCheck("ids", ids.DEFECTS, ids.check_ids),
    FileCheck("merges", model.OF_MERGES, model.check_merges),
    FileCheck("tokens of the model", model.OF_TOKENS, model.check_model_tokens),
    FileCheck("options of the model", model.OF_OPTIONS, model.check_options),
    FileCheck("normalizers", normalizers.DEFECTS, normalizers.check_normalizers),
    FileCheck("special tokens", special_tokens.DEFECTS, special_tokens.check_special_tokens),
    FileCheck("post-processors", processors.DEFECTS, processors.check_processors),
    FileCheck("dialects of regexes", regex_dialects.DEFECTS, regex_dialects.check_regex_dialects),
    FileCheck(
        "truncation and padding",
        truncation_and_padding.DEFECTS,
        truncation_and_padding.check_truncation_and_padding,
    ),
    fit.CHECK,
    FileCheck("families of models", families.DEFECTS, families.check_families),
    FileCheck("decoders", decoders.DEFECTS, decoders.check_decoders),
    FileCheck("added tokens", added_tokens.DEFECTS, added_tokens.check_added_tokens),
    FileCheck("scores", scores.DEFECTS, scores.check_scores),
    FileCheck("speed of regexes", regex_speed.DEFECTS, regex_speed.check_regex_speed),
    *vocabulary.CHECKS,
)
"""What takes longest comes last: where time is short, it is what is left out."""

ON_READING: tuple[Defect, ...] = (reading.NOT_JSON, reading.NOT_A_TOKENIZER, reading.REFUSED)
"""What is found before there is a document, or a tokenizer, to look into."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What a command looks for: its ``title``, and the ``checks`` in their order, after a file was read."""

    title: str
    checks: tuple[FileCheck, ...]

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Every kind of defect, each once."""
        return (*ON_READING, *(defect for check in self.checks for defect in check.defects))


OF_FILES = Audit("tokconf audit file", CHECKS)
OF_CHAT = Audit("tokconf audit chat", CHAT_CHECKS)


def defect_lines(audit: Audit) -> Iterator[str]:
    """Yield a block for each kind of defect, by the check that finds it."""
    groups = [(READING, ON_READING), *((check.name, check.defects) for check in audit.checks)]
    for number, (name, defects) in enumerate(groups):
        yield from ([""] if number else [])
        yield f"{name}:"
        for defect in defects:
            yield f"  {defect.id} ({defect.severity}): {defect.title}."
            yield f"      {defect.explanation}"
            yield f"      Fix: {defect.remedy}"
