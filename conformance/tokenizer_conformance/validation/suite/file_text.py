"""The text of the files of the suite: pure ASCII, laid out for people and for what version control compares."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = ("format", "generator", "area", "title", "stage", "about")
"""The fields of the file of an area that come before its tokenizers."""


def area_text(file: Mapping[str, Any]) -> str:
    """Return the text of the file of an area: a line for each tokenizer and each step."""
    lines = ["{"]
    lines.extend(f" {json.dumps(name)}: {json.dumps(file[name])}," for name in HEAD if name in file)
    lines.append(' "tokenizers": {')
    lines.append(
        ",\n".join(f"  {json.dumps(name)}: {json.dumps(document)}" for name, document in file["tokenizers"].items())
    )
    lines.append(" },")
    lines.append(' "requirements": [')
    lines.append(",\n".join(map(requirement_text, file["requirements"])))
    lines.append(" ]")
    lines.append("}")
    return "\n".join(lines) + "\n"


def requirement_text(requirement: Mapping[str, Any]) -> str:
    """Return the text of one requirement."""
    plain = [f"   {json.dumps(name)}: {json.dumps(value)}," for name, value in requirement.items() if name != "cases"]
    cases = ",\n".join(map(case_text, requirement["cases"]))
    return "\n".join(["  {", *plain, f'   "cases": [\n{cases}\n   ]' if cases else '   "cases": []', "  }"])


def case_text(case: Mapping[str, Any]) -> str:
    """Return the text of one case."""
    head = ", ".join(f"{json.dumps(name)}: {json.dumps(case[name])}" for name in ("name", "tokenizer", "releases"))
    steps = ",\n".join(f"     {json.dumps(step)}" for step in case["steps"])
    return f'    {{{head}, "steps": [\n{steps}\n    ]}}'
