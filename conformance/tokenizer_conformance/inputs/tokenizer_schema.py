"""The JSON Schema of tokenizer.json, as `tokenizers` 0.23.3 loads it."""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

FILE = "tokenizer-json.schema.json"
"""The file of the folder ``schemas``."""


def tokenizer_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of tokenizer.json, a new one each time.

    It accepts every document that `tokenizers` 0.23.3 loads, and refuses what that refuses as far as a schema can say
    it: `tools/schema_agreement.py` measures both, and names what a schema cannot say. ``$defs`` has an entry for each
    component, with its options, their defaults and their older forms.

    >>> tokenizer_json_schema()["$defs"]["decoders.Strip"]["required"]
    ['content', 'start', 'stop']
    """
    file = importlib.resources.files("tokenizer_conformance") / "schemas" / FILE
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
