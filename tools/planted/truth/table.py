"""All cases of the truth bench."""

from __future__ import annotations

from planted.truth import answers, components, ids_only, options, pairs, ports

CASES = (*components.CASES, *options.CASES, *answers.CASES, *ports.CASES, *ids_only.CASES, *pairs.CASES)
