"""Ask again what was looked into by hand: write ``reports/peer-findings.md``, or look whether it still holds.

    python tools/peer_findings.py            ask both sides, and write the page with what they answer
    python tools/peer_findings.py --check    exit with status 1 where an answer is not the one on the page

The findings stand in ``peer_findings.toml``. Every answer comes from a script of a few lines, run by the Python, the
Node or the environment of the peer, that calls it directly: the adapters of this project take no part in it. A finding
whose peer answers as ``tokenizers`` does holds no more, and fails. Run this with everything installed (``make peers``),
where ``../shared`` or TOKCONF_SHARED has the checkpoints.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "reports" / "peer-findings.md"
SHARED = "../shared"

QUESTIONS = {
    "normalize": "tokenizer.normalizer.normalize_str(TEXT)",
    "pre_tokenize": "[piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(TEXT)]",
    "encode": "tokenizer.encode(TEXT, add_special_tokens=False).ids",
    "encode, with special tokens": "tokenizer.encode(TEXT).ids",
    "encode pair": "tokenizer.encode(TEXT, PAIR).ids",
    "types of a pair": "tokenizer.encode(TEXT, PAIR).type_ids",
    "encode words": "tokenizer.encode(TEXT, is_pretokenized=True, add_special_tokens=False).ids",
    "tokens": "tokenizer.encode(TEXT, add_special_tokens=False).tokens",
    "decoded tokens": (
        "[tokenizer.decode([id], skip_special_tokens=False)"
        " for id in tokenizer.encode(TEXT, add_special_tokens=False).ids]"
    ),
    "special tokens mask": "tokenizer.encode(TEXT, add_special_tokens=False).special_tokens_mask",
    "decode": "tokenizer.decode(IDS)",
    "decode, keeping special tokens": "tokenizer.decode(IDS, skip_special_tokens=False)",
}
"""What a finding may ask, and how ``tokenizers`` is asked for it."""

SETUP = """
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file("FOLDER/tokenizer.json")
"""

PYTHON, TRANSFORMERS_4, NODE = "python", "transformers 4", "node"
SECONDS = 600

INTRODUCTION = """\
# Differences of the peers, looked into by hand

<!-- Written by tools/peer_findings.py; do not edit. -->

[peers.md](peers.md) counts how often the peers differ from `tokenizers`. This page has at least three of its findings
for each peer that differs, reduced to a short text and asked again **without this project's adapters**: both answers
are those of a script of a few lines, which is printed with each. `python tools/peer_findings.py --check` asks all of
them again.

`tokenizers` is always asked in this way, with what stands in the line *asked* in place of the call:

```python
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file("../shared/tokenizers/CHECKPOINT/tokenizer.json")
print(ascii(tokenizer.encode("…").ids))
```

Scripts are run in the project's folder with the Python of `.venv`, unless another command is named. `fastokens` agreed
wherever it could load the tokenizer, and `subword-nmt` could load none of these; so neither has a section here.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference: what was asked of which checkpoint, the ``script`` that asks the peer, and ``why`` they differ.

    ``runs`` says what runs the script. ``text``, ``pair`` and ``ids`` are what was asked about, ``None`` where not.
    """

    peer: str
    runs: str
    checkpoint: str
    ask: str
    why: str
    script: str
    ours: str
    text: str | None
    pair: str | None
    ids: tuple[int, ...] | None

    @property
    def subject(self) -> str:
        """What was asked about, as a literal."""
        if self.ids is not None:
            return ascii(list(self.ids))
        return ascii(self.text if self.pair is None else (self.text, self.pair))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a script printed, as a literal; or, where it failed, the line that says so."""

    words: str

    def __str__(self) -> str:
        return self.words


def findings() -> Iterator[Finding]:
    """Read all findings."""
    for peer, table in tomllib.loads(DATA.read_text(encoding="utf-8")).items():
        for entry in table["finding"]:
            yield _finding(peer, table, entry)


def _finding(peer: str, table: dict[str, Any], entry: dict[str, Any]) -> Finding:
    runs = table.get("runs", PYTHON)
    show = "console.log(JSON.stringify({}));" if runs == NODE else "print(ascii({}))"
    setup = entry.get("setup", table["setup"]).strip()
    return Finding(
        peer=peer,
        runs=runs,
        checkpoint=entry["checkpoint"],
        ask=entry["ask"],
        why=entry["why"],
        script=_filled(f"{setup}\n{show.format(entry['call'])}\n", entry, json.dumps if runs == NODE else ascii),
        ours=_filled(f"{SETUP.strip()}\nprint(ascii({QUESTIONS[entry['ask']]}))\n", entry, ascii),
        text=entry.get("text"),
        pair=entry.get("pair"),
        ids=tuple(entry["ids"]) if "ids" in entry else None,
    )


def _filled(script: str, entry: dict[str, Any], literal: Any) -> str:
    """Put what ``entry`` gives in place of the words in capitals."""
    values = {word: literal(entry[word.lower()]) for word in ("TEXT", "PAIR", "IDS") if word.lower() in entry}
    values |= {"FOLDER": f"{SHARED}/tokenizers/{entry['checkpoint']}", "MODEL": entry.get("model", "")}
    return re.sub(r"\b(?:TEXT|PAIR|IDS|FOLDER|MODEL)\b", lambda match: values[match[0]], script)


# Asking ---------------------------------------------------------------------------------------------------------------


def answers_of(finding: Finding) -> tuple[Answer, Answer]:
    """Return the answers of ``tokenizers`` and of the peer."""
    return _printed(PYTHON, finding.ours), _printed(finding.runs, finding.script)


def _printed(runs: str, script: str) -> Answer:
    """Run ``script`` and return what it printed last, or the last line of its complaint."""
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1", "TRANSFORMERS_VERBOSITY": "critical"}
    done = subprocess.run(
        [*_command(runs), script.replace(SHARED, os.environ.get("TOKCONF_SHARED", SHARED))],
        cwd=ROOT,
        env=os.environ | quiet,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        # Node prints its version after the error, Python the error last.
        lines = [line for line in done.stderr.splitlines() if re.match(r"\w*(?:Error|Exception)\b", line)]
        return Answer(f"raises {lines[-1] if lines else done.stderr.strip()}")
    line = done.stdout.splitlines()[-1]
    return Answer(ascii(json.loads(line) if runs == NODE else ast.literal_eval(line)))


def _command(runs: str) -> list[str]:
    match runs:
        case "node":
            return ["node", "--input-type=module", "--eval"]
        case "transformers 4":
            return [os.environ.get("TOKCONF_TRANSFORMERS4", ".venv-transformers4") + "/bin/python", "-c"]
        case _:
            return [sys.executable, "-c"]


# The page -------------------------------------------------------------------------------------------------------------


def page(asked: Iterable[tuple[Finding, tuple[Answer, Answer]]]) -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    peer = None
    for number, (finding, answers) in enumerate(asked, 1):
        if finding.peer != peer:
            peer = finding.peer
            parts.append(f"\n## {peer}\n")
        parts.append(_section(number, finding, answers))
    return "".join(parts)


def _section(number: int, finding: Finding, answers: tuple[Answer, Answer]) -> str:
    ours, theirs = answers
    language = "js" if finding.runs == NODE else "python"
    where = {
        NODE: "\nrun by `node --input-type=module --eval`:\n",
        TRANSFORMERS_4: "\nrun by `.venv-transformers4/bin/python`:\n",
    }
    return f"""
### {number}. {finding.checkpoint}: {finding.ask}

{finding.why}

| | |
|---|---|
| about | {_code(finding.subject)} |
| asked | {_code(QUESTIONS[finding.ask])} |
| `tokenizers` | {_code(ours.words)} |
| `{finding.peer}` | {_code(theirs.words)} |
{where.get(finding.runs, "")}
```{language}
{finding.script.strip()}
```
"""


def _code(text: str) -> str:
    """Return ``text`` as a code span in a table."""
    fence = "`" * (1 + max(map(len, re.findall(r"`+", text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}".replace("|", "\\|")


def main() -> int:
    """Carry out the command and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page says otherwise")
    arguments = parser.parse_args()
    found = list(findings())
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        asked = list(zip(found, threads.map(answers_of, found), strict=True))
    status = 0
    for number, (finding, (ours, theirs)) in enumerate(asked, 1):
        holds = ours != theirs and not ours.words.startswith("raises")
        print(f"{number:2} {finding.peer}, {finding.checkpoint}, {finding.ask} {finding.subject}")
        print(f"     tokenizers {ours}\n     {finding.peer} {theirs}{'' if holds else '   DOES NOT HOLD'}")
        status |= not holds
    text = page(asked)
    if not arguments.check:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE.relative_to(ROOT)} says otherwise: run tools/peer_findings.py")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
