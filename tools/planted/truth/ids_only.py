"""Faults of implementations that show ids and decoded texts only, and read a file of their own, as llama.cpp does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from planted.edits import option, put, without
from planted.fakes import in_file
from planted.truth.answers import TEXTS
from planted.truth.case import Case
from planted.truth.components import EXCHANGED, PARTS, WHOLE
from planted.truth.options import ADDED
from planted.truth.options import COMPONENTS as OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

GROUP = "ids only"


def _named(cases: Iterable[Case], name: str) -> Case:
    return next(case for case in cases if case.name == name)


def _ids_only(case: Case, *on: str) -> Case:
    return replace(case, name=f"ids-only-{case.name}", group=GROUP, on=on, ids_only=True)


CASES: tuple[Case, ...] = (
    Case(
        "ids-only-no-lowercase-in-bert",
        GROUP,
        "The normalizer is left out.",
        in_file(put("normalizer", None)),
        ("bert-base-uncased", "albert-base-v1", "bert-mini"),
        ("component-left-out: *normalizer*",),
        ("normalizer-flags", "case-folding", "component-left-out"),
        ids_only=True,
    ),
    _ids_only(_named(WHOLE, "composing-normalizer"), "gpt2-parts", "google-fnet-base", "llama-mini"),
    _ids_only(_named(WHOLE, "mark-pre-tokenizer"), "camembert-base", "t5-mini", "xlnet-whole"),
    _ids_only(_named(WHOLE, "added-tokens"), "bert-base-uncased", "roberta-base", "bert-mini"),
    _ids_only(_named(WHOLE, "decoder"), "bert-base-uncased", "gpt2", "llama-mini"),
    _ids_only(_named(WHOLE, "post-processor"), "bert-base-uncased", "roberta-base", "t5-small"),
    _ids_only(_named(PARTS, "no-precompiled-normalizer"), "t5-small", "camembert-base", "t5-mini"),
    _ids_only(_named(PARTS, "no-stripaccents-normalizer"), "albert-base-v1", "xlnet-base-cased", "options-mini"),
    _ids_only(_named(EXCHANGED, "lowercased-first"), "gpt2", "roberta-base", "gpt2-mini"),
    _ids_only(_named(EXCHANGED, "nfd-for-nfkd"), "albert-base-v1", "xlnet-base-cased", "xlnet-mini"),
    _ids_only(_named(OPTIONS, "bytes-after-a-space"), "gpt2", "gpt2-mini", "gpt2-added"),
    _ids_only(_named(OPTIONS, "bytes-without-pattern"), "gpt2", "roberta-base", "gpt2-mini"),
    _ids_only(_named(OPTIONS, "split-drops-what-is-not-matched"), "gpt2-letters", "bert-letters", "wordlevel-mini"),
    _ids_only(_named(OPTIONS, "bert-accents-kept"), "bert-base-uncased", "bert-mini"),
    _ids_only(_named(ADDED, "lstrip-on"), "bert-base-uncased", "t5-small", "gpt2"),
    _ids_only(_named(TEXTS, "spaces-run-together"), "gpt2", "llama-mini", "gpt2-mini"),
    _ids_only(_named(TEXTS, "entities-read"), "gpt2", "bert-base-uncased", "t5-mini"),
    Case(
        "ids-only-split-of-another-family",
        GROUP,
        "The older pattern of GPT-2 is used where the file has a newer one.",
        in_file(
            option("pre_tokenizer.Split", "pattern", {"Regex": r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"})
        ),
        ("gpt2-parts",),
        ("regex-class-approximation: *that of GPT-2 without contractions",),
        ids_only=True,
    ),
    Case(
        "ids-only-double-spaces-kept",
        GROUP,
        "The Replace that makes runs of spaces one space is left out.",
        in_file(without("normalizer.Replace")),
        ("camembert-base", "google-fnet-base"),
        ("component-left-out: *Replace*",),
        ids_only=True,
        # It has three of them, and one other component.
        same_on={"google-fnet-base": ("component-left-out: normalizer: all but Precompiled left out",)},
    ),
)
