"""All cases of the truth bench."""

from __future__ import annotations

from planted.truth import answers, components, ids_only, loaders, options, pairs, ports

CASES = (*components.CASES, *options.CASES, *answers.CASES, *ports.CASES, *loaders.CASES, *ids_only.CASES, *pairs.CASES)
