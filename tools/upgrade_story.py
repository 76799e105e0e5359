"""Play a user's upgrade of `tokenizers` through, with the commands that a user would give. ``make upgrade`` runs this.

    python tools/upgrade_story.py [--old VERSION] [--new VERSION] [--record FILE] [TOKENIZER…]

A snapshot is made under the old release, and compared with the new one; what changed is written to a ledger, and with
the ledger nothing fails. Then two releases that nobody has made stand in for the new one: one with another difference,
which has to fail, and one that is as the old one was, for which the ledger is stale. Each step states the exit status
that it has to have: the tool ends with status 1 where any has another. Its record has the words of each step, what it
printed and its exit status; ``tools/publish_reports.py`` writes reports/upgrade.md from it.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from published.measuring import Measuring, read_measured
from published.records import RecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOL = "upgrade_story"

BUNDLED = Path(str(importlib.resources.files("tokenizer_conformance.inputs.bundled")))
"""Where the tokenizers lie on this machine, of which the page says nothing."""

TOKENIZERS = ("bert-mini", "llama-mini", "t5-mini")

STAND_INS = '''"""Releases that nobody has made: `tokenizers` as it is installed, but for one answer."""

from dataclasses import replace

from tokenizer_adapters.contract import Encode, Encoded, Normalize, Text
from tokenizer_adapters.tokenizers import TokenizersImplementation


class Changed(TokenizersImplementation):
    """Another release; `changed` says what becomes of an answer."""

    def load(self, source):
        return Subject(super().load(source), self.changed)


class Subject:
    def __init__(self, subject, changed):
        self._subject = subject
        self._changed = changed

    def observe(self, observation):
        return self._changed(observation, self._subject.observe(observation))

    def vocabulary(self):
        return self._subject.vocabulary()

    def saved(self):
        return self._subject.saved()


class Broken(Changed):
    """Gives the first word of a text the number 1."""

    @staticmethod
    def changed(observation, outcome):
        if isinstance(observation, Encode) and isinstance(outcome, Encoded):
            return replace(outcome, word_ids=tuple(1 if each == 0 else each for each in outcome.word_ids))
        return outcome


class Mended(Changed):
    """Leaves letters as they are that only the new release has lower-case forms of."""

    @staticmethod
    def changed(observation, outcome):
        if not isinstance(observation, Normalize) or not isinstance(outcome, Text):
            return outcome
        pairs = zip(observation.text, outcome.text) if len(observation.text) == len(outcome.text) else ()
        kept = "".join(before if LETTERS.get(ord(before)) == ord(after) else after for before, after in pairs)
        return Text(kept or outcome.text)


LETTERS = {0xA7CB: 0x264, 0xA7CC: 0xA7CD, 0xA7CE: 0xA7CF, 0xA7D2: 0xA7D3, 0xA7D4: 0xA7D5, 0xA7DA: 0xA7DB, 0xA7DC: 0x19B}
LETTERS |= {0x1C89: 0x1C8A}
LETTERS |= {upper: upper + 0x20 for upper in range(0x10D50, 0x10D66)}
LETTERS |= {upper: upper + 0x1B for upper in range(0x16EA0, 0x16EB9)}
'''


@dataclass(frozen=True)
class Step:
    """A step: what it is about, the command after `tokconf`, and the exit status that it has to have."""

    about: str
    words: tuple[str, ...]
    status: int
    says: str = ""


def steps(old: str, new: str, tokenizers: list[str]) -> list[Step]:
    """Return the steps, in their order."""
    diff = ("diff", "before.jsonl.gz")
    ledger = ("--ledger", "known.toml")
    return [
        Step(
            "Before the upgrade: what the installed release answers is written down.",
            ("snapshot", *tokenizers, "-i", f"tokenizers=={old}", "-o", "before.jsonl.gz"),
            0,
        ),
        Step(
            "After it: what has changed, and why. Every new difference goes into a ledger.",
            (*diff, f"tokenizers=={new}", "--live", "--update-ledger", "known.toml"),
            1,
            "unicode-version",
        ),
        Step(
            "Without a reason the ledger is refused: somebody has to look.",
            (*diff, f"tokenizers=={new}", *ledger),
            2,
            "reason",
        ),
        Step("With reasons, nothing fails.", (*diff, f"tokenizers=={new}", *ledger), 0, "known"),
        Step(
            "A release with another difference, in the word ids: that one alone fails.",
            (*diff, "stand_ins:Broken", *ledger, "--no-live"),
            1,
            "word_ids",
        ),
        Step(
            "A release that is mended: what the ledger expects is gone, and its entry is stale.",
            (*diff, "stand_ins:Mended", *ledger, "--no-live"),
            1,
            "stale",
        ),
    ]


def main() -> int:
    """Carry out the steps, write the record, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers", nargs="*", default=list(TOKENIZERS), metavar="TOKENIZER")
    parser.add_argument("--old", default="0.19.1")
    parser.add_argument("--new", default="0.23.3")
    parser.add_argument("--record", type=Path, default=Path(".venv/records/upgrade.jsonl"), metavar="FILE")
    options = parser.parse_args()
    try:
        record = Measuring(options.record, TOOL, {"old": options.old, "new": options.new})
    except RecordError as error:
        print(f"upgrade_story: {error}", file=sys.stderr)
        return 2
    lines, wrong = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stand_ins.py").write_text(STAND_INS, encoding="utf-8")
        for number, step in enumerate(steps(options.old, options.new, options.tokenizers), 1):
            status, said = carried_out(step, folder)
            if status != step.status or step.says not in said:
                wrong += 1
                print(
                    f"upgrade_story: step {number}: exit status {status}, {step.status} was to be; says {step.says!r}?",
                    file=sys.stderr,
                )
            lines.append({"about": step.about, "words": step.words, "said": masked(said), "status": status})
            if step.status == 2:
                lines[-1]["ledger"] = with_reasons(folder / "known.toml", options.old, options.new)
    for line in lines:  # only now: each step needs what those before it have written
        record.add(line)
    record.finish()
    print(f"{options.record}: {len(lines)} steps, {wrong} not as they have to be")
    return 1 if wrong else 0


BEGINNING = """# An upgrade, played through

<!-- Written by tools/upgrade_story.py; do not edit. -->

From `tokenizers` {old} to {new}. Every command stands with what it printed, and with its exit status; the last two
releases are stand-ins that nobody has made, each changed in one answer.

"""


def carried_out(step: Step, folder: Path) -> tuple[int, str]:
    """Return the exit status of ``step``, and what it printed."""
    found = subprocess.run(
        [sys.executable, "-m", "tokenizer_conformance", *step.words, "--quiet", "--no-known"][
            : None if step.words[0] == "diff" else -1
        ],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", ""))), "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout


def with_reasons(ledger: Path, old: str, new: str) -> str:
    """Say in ``ledger`` why each of its entries is known, as the user of the story does, and return its text."""
    text = ledger.read_text(encoding="utf-8")
    text = re.sub(r'^reason = ""$', f'reason = "seen in the upgrade from {old} to {new}"', text, flags=re.MULTILINE)
    ledger.write_text(text, encoding="utf-8")
    return text


def masked(said: str) -> str:
    """Return the lines that a command has printed, without folders of this machine and times."""
    lines = said.replace(str(BUNDLED), "…").splitlines()
    return "\n".join(re.sub(r"\b\d+\.\d s\b", "… s", line) for line in lines)


def page(records: Sequence[Path]) -> str:
    """Return the page that the record gives."""
    (record,) = records
    measured = read_measured(record, TOOL)
    return BEGINNING.format(**measured.parameters) + "\n".join(
        section(number, line) for number, line in enumerate(measured.lines, 1)
    )


def section(number: int, line: dict[str, Any]) -> str:
    """Return the part of the page about the step of a ``line``."""
    command = f"$ tokconf {shlex.join(line['words'])}\n{line['said']}"
    ledger = f"\nThe ledger:\n\n```toml\n{line['ledger']}```\n" if "ledger" in line else ""
    return f"## {number}. {line['about']}\n\n```\n{command}\n```\n\nExit status {line['status']}.\n{ledger}"


if __name__ == "__main__":
    sys.exit(main())
