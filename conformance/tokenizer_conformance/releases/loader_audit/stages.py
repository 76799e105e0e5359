"""The stages by which the parts of an audit of loaders are named, in its record and in ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.component_differences import Component

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.loader_audit import AuditedStage

ANSWERS = "answers"
"""What answers are called that no replaced component explains, where a component's name would stand."""

STAGES: dict[Component, AuditedStage] = {
    Component.NORMALIZER: "normalize",
    Component.PRE_TOKENIZER: "pre_tokenize",
    Component.MODEL: "model",
    Component.VOCABULARY: "model",
    Component.MERGES: "model",
    Component.ADDED_TOKENS: "load",
    Component.POST_PROCESSOR: "post_process",
    Component.DECODER: "decode",
    Component.TRUNCATION: "post_process",
    Component.PADDING: "post_process",
    Component.DEFAULTS: "load",
    Component.CHAT_TEMPLATE: "load",
}
"""The stage by which the entry of a ledger names a difference in a component; added tokens are of no single one."""
