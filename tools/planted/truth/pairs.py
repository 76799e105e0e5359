"""Implementations with two faults at once, each of which is to be named."""

from __future__ import annotations

from planted.truth import answers, components, options
from planted.truth.case import Case, pair_of

_BY_NAME = {case.name: case for case in (*answers.CASES, *components.CASES, *options.CASES)}


def _pair(first: str, second: str, *on: str) -> Case:
    return pair_of(_BY_NAME[first], _BY_NAME[second], *on)


CASES: tuple[Case, ...] = (
    _pair("bert-lowercase-off", "clean-up-off", "bert-mini", "bert-base-uncased", "bert-added"),
    _pair("bert-chinese-off", "bert-clean-text-off", "bert-mini", "bert-base-uncased", "bert-added"),
    _pair("normalizer", "post-processor", "bert-mini", "t5-mini", "xlnet-mini"),
    _pair("normalizer", "pre-tokenizer", "bert-mini", "bert-base-uncased", "bert-added"),
    _pair("bert-accents-kept", "lstrip-on", "bert-mini", "bert-base-uncased", "bert-padded"),
    _pair("bytes-after-a-space", "bytes-trimmed", "gpt2-mini", "gpt2", "gpt2-added"),
    _pair("no-byte-fallback", "no-strip-decoder", "llama-mini", "llama-first", "llama-cut"),
    _pair("mark-never-put-first", "mark-decoder", "t5-mini", "xlnet-mini", "xlnet-whole"),
    _pair("no-stripaccents-normalizer", "decoded-space-kept", "xlnet-mini", "albert-base-v1", "xlnet-base-cased"),
    _pair("truncation", "padding", "options-mini"),
    _pair("offsets-in-bytes", "bert-lowercase-off", "bert-mini", "bert-base-uncased", "bert-added"),
    _pair("padded-with-another-id", "padded-at-the-end", "options-mini", "bert-padded", "llama-padded"),
    _pair("no-digits-pre-tokenizer", "no-lowercase-normalizer", "wordlevel-plain", "bert-parts"),
    _pair("other-unknown", "clean-up-off", "bert-mini", "bert-base-uncased", "bert-added"),
    _pair("text-ends-at-nul", "special-tokens-always-decoded", "gpt2-mini", "t5-mini", "gpt2"),
    _pair("nothing-special", "last-special-token-missing", "bert-mini", "t5-mini", "xlnet-mini"),
)
