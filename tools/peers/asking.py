"""Asking both sides of a finding again, by scripts of a few lines that have nothing of this project in them."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers.descriptions import QUESTIONS, Finding, Kind, Peer, Runs
from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.environments.pinned import made
from tokenizer_adapters.peers.configuration import saved
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
SHARED = "../shared"

OURS = """
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file("FOLDER/tokenizer.json")
"""

QUIET = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1", "TRANSFORMERS_VERBOSITY": "critical"}

MARK = "the answer: "
"""Stands before the answer, so that what a library prints is none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a script printed, as a literal; or, where it failed, the line that says so.

    ``is_missing``: the library is not there at all, so that this is no answer of it.
    """

    words: str
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers to a ``finding`` of ``peer``: of ``tokenizers``, of the peer, and of the other ways to ask it."""

    peer: Peer
    finding: Finding
    ours: Answer
    theirs: Answer
    tried: tuple[Answer, ...]
    avoided: Answer | None
    by_hand: Answer | None = None

    def objections(self) -> Iterator[str]:
        """Yield why the finding does not hold, nothing where it does."""
        finding = self.finding
        others = ((finding.avoid, self.avoided), (finding.by_hand, self.by_hand))
        alike = [(call, answer) for call, answer in others if answer is not None]
        every = [self.ours, self.theirs, *self.tried, *(answer for _, answer in alike)]
        for missing in dict.fromkeys(answer.words for answer in every if answer.is_missing):
            yield f"was not asked: {missing}"
        if any(answer.is_missing for answer in every):
            return
        for who, answer, expected in [("tokenizers", self.ours, finding.ours), ("it", self.theirs, finding.theirs)]:
            if answer.words != expected:
                yield f"{who} answers {answer.words}, and not {expected}"
        if self.ours.words == self.theirs.words:
            yield "it answers as tokenizers does"
        for call, answer in zip(finding.tried, self.tried, strict=True):
            if answer.words == self.ours.words and finding.kind != Kind.DEFAULT:
                yield f"{call} answers as tokenizers does: that is its best option"
        for wanted, answer in alike:
            if answer.words != self.ours.words:
                yield f"{wanted} answers {answer.words}, and not as tokenizers does"


def ask(peer: Peer, finding: Finding) -> Asked:
    """Ask both sides. Raises :class:`UnavailableError` where the environment of the peer is not there."""
    runs = Runs(peer.asking.runs if peer.asking else Runs.PYTHON)
    command = command_of(runs, peer.name)

    def answer(call: str) -> Answer:
        return answer_of(command, runs, script_of(peer, finding, call))

    return Asked(
        peer,
        finding,
        ours=answer_of(
            command_of(Runs.PYTHON),
            Runs.PYTHON,
            _filled(f"{OURS.strip()}\n{_shown(Runs.PYTHON, QUESTIONS[finding.ask])}", finding, ascii),
        ),
        theirs=answer(finding.call),
        tried=tuple(map(answer, finding.tried)),
        avoided=None if finding.avoid is None else answer(finding.avoid),
        by_hand=None if finding.by_hand is None else answer(finding.by_hand),
    )


def script_of(peer: Peer, finding: Finding, call: str | None = None) -> str:
    """Return the script that asks ``peer`` by ``call``, that of the ``finding`` where none is given."""
    runs = Runs(peer.asking.runs if peer.asking else Runs.PYTHON)
    literal = json.dumps if runs is Runs.NODE else ascii
    return _filled(f"{peer.setup_of(finding)}\n{_shown(runs, call or finding.call)}", finding, literal)


def call_of(peer: Peer, finding: Finding, call: str) -> str:
    """Return ``call`` with what is asked about put in."""
    runs = Runs(peer.asking.runs if peer.asking else Runs.PYTHON)
    return _filled(call, finding, json.dumps if runs is Runs.NODE else ascii)


def _shown(runs: Runs, call: str) -> str:
    if runs is Runs.NODE:
        return f"console.log({MARK!r} + JSON.stringify({call}));\n"
    return f"print({MARK!r} + ascii({call}))\n"


def _filled(script: str, finding: Finding, literal: Callable[[Any], str]) -> str:
    """Put what is asked about in place of the words in capitals."""
    given = {"TEXT": finding.text, "PAIR": finding.pair, "IDS": None if finding.ids is None else list(finding.ids)}
    values = {word: literal(value) for word, value in given.items() if value is not None}
    values |= {"FOLDER": folder_of(finding.checkpoint), "MODEL": finding.model}
    if "SAVED" in script:
        values["SAVED"] = saved_folder_of(finding.checkpoint)
    return re.sub(r"\b(?:TEXT|PAIR|IDS|FOLDER|SAVED|MODEL)\b", lambda match: values.get(match[0], match[0]), script)


def folder_of(checkpoint: str) -> str:
    """Return the folder of a shared checkpoint or of a bundled tokenizer, from the project's folder."""
    if checkpoint in bundled_names():
        return str(bundled_file(checkpoint).parent.relative_to(ROOT))
    return f"{SHARED}/tokenizers/{checkpoint}"


def saved_folder_of(checkpoint: str) -> str:
    """Return the folder of ``checkpoint`` as ``save_pretrained`` writes it, with its own tokenizer.json put back."""
    folder = ROOT / folder_of(checkpoint).replace(SHARED, os.environ.get("TOKCONF_SHARED", SHARED))
    whole = saved(TokenizerSource(checkpoint, str(folder / "tokenizer.json"), str(folder)))
    return "" if whole is None else str(whole.source.folder)


def answer_of(command: list[str], runs: Runs, script: str) -> Answer:
    """Run ``script`` by ``command`` and return what it printed last, or the last line of its complaint."""
    done = subprocess.run(
        [*command, script.replace(SHARED, os.environ.get("TOKCONF_SHARED", SHARED))],
        cwd=ROOT,
        env=os.environ | QUIET,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        # Node prints its version after the error, Python the error last.
        lines = [line for line in done.stderr.splitlines() if re.match(r"[\w.]*(?:Error|Exception)\b", line)]
        said = lines[-1] if lines else done.stderr.strip() or f"ended with status {done.returncode}"
        is_missing = re.search(r"ModuleNotFoundError|ERR_MODULE_NOT_FOUND|ImportError", done.stderr) is not None
        return Answer(f"raises {said}", is_missing)
    line = next(line for line in reversed(done.stdout.splitlines()) if line.startswith(MARK)).removeprefix(MARK)
    return Answer(ascii(json.loads(line) if runs is Runs.NODE else ast.literal_eval(line)))


def command_of(runs: Runs, name: str = "") -> list[str]:
    """Return the command that runs a script about the peer ``name``, given as its last argument.

    Raises :class:`UnavailableError` where the environment of a heavy one is not there.
    """
    match runs:
        case Runs.OWN_ENVIRONMENT:
            return [str(made(name).python), "-c"]
        case Runs.NODE:
            return ["node", "--input-type=module", "--eval"]
        case Runs.TRANSFORMERS_4:
            return [os.environ.get("TOKCONF_TRANSFORMERS4", ".venv-transformers4") + "/bin/python", "-c"]
        case Runs.PYTHON:
            return [sys.executable, "-c"]
