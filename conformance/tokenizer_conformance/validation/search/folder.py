"""The folder of a corpus: what searches have found in it, and how far they have come.

    tokconf-corpus.json   says what the folder is, and the seed of its searches
    lock                  is held by the search that is at work in the folder
    findings/NAME.json    a cause: the text that showed it, its smallest question, the changed document if there is one
    states/NAME.json      of a pairing: where each generator stands, and texts that differ and were not looked at

The name of a finding comes from what is asked of whom, so that the same one has the same name again; that of a state
from the file of the tokenizer, both implementations with their versions, the seed, and the version of this program.
Every file is written whole or not at all. Nothing else in the folder is written, and nothing is ever removed.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_adapters.protocol.messages import Observe
from tokenizer_adapters.protocol.request_lines import read_observation, write_request
from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.command_io.sinks import GrowingFile, LockedError, write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.validation.search.cases import Case
from tokenizer_conformance.validation.search.events import CauseFound, Checkpoint, Started
from tokenizer_conformance.validation.search.plan import Begun, SearchPlan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo, Observation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.search.events import SearchEvent
    from tokenizer_conformance.validation.search.plan import Pairing

SCHEMA = "tokenizer-conformance-corpus"
VERSION = "1.0"

MARK = "tokconf-corpus.json"
LOCK = "lock"
FINDINGS = "findings"
STATES = "states"

MOST_KEPT = 2000
"""How many findings of a folder are asked about at first, in the order of their names."""

Json = dict[str, Any]

WRONG = (ValueError, KeyError, TypeError, AttributeError, FieldError)
"""What reading a damaged file raises; no file of the folder is trusted."""


class CorpusFolder(ExitStack):
    """The corpus at ``path``, for one search alone; the folder is made where there is none.

    ``complain`` is told which files cannot be read. Raises :class:`BadInputError` where the folder is somebody else's,
    or another search is at work in it, or it cannot be written.
    """

    def __init__(self, path: Path, complain: Callable[[str], object]) -> None:
        super().__init__()
        self.path = path
        self._complain = complain
        self._plan: SearchPlan | None = None
        try:
            self._refuse_other_folders()
            for folder in (path, path / FINDINGS, path / STATES):
                folder.mkdir(parents=True, exist_ok=True)
            self.enter_context(closing(GrowingFile(path / LOCK)))
        except LockedError as error:
            raise BadInputError(
                f"--corpus {str(path)!r}: another search is at work there; wait for its end, or give another folder"
            ) from error
        except OSError as error:
            raise BadInputError(f"--corpus {str(path)!r}: {reason_of(error)}") from error
        self._findings = tuple(self._read_findings())

    def _refuse_other_folders(self) -> None:
        """Refuse a folder that has files and is no corpus; a search that was killed at once has left no mark."""
        if not self.path.exists() or (self.path / MARK).is_file():
            return
        if not self.path.is_dir():
            raise BadInputError(f"--corpus {str(self.path)!r} is no folder")
        others = sorted({each.name for each in self.path.iterdir()} - {LOCK, FINDINGS, STATES})
        if others:
            raise BadInputError(
                f"--corpus {str(self.path)!r} has other files in it ({others[0]!r}) and is no corpus of tokconf; give "
                "an empty folder, or a new one"
            )

    # Reading

    def seed(self, wanted: int | None, drawn: int) -> int:
        """Return the seed of a search here: the one that is ``wanted``, else that of the folder, else ``drawn``.

        A folder that has none gets it. Raises ``OSError``.
        """
        mark = self._read(self.path / MARK, lambda document: int(document["seed"]))
        seed = wanted if wanted is not None else drawn if mark is None else mark
        if mark is None:
            _write(self.path / MARK, {"schema": SCHEMA, "version": VERSION, "seed": seed})
        return seed

    def begun(
        self, tokenizer: TokenizerFile, baseline: ImplementationInfo, implementation: ImplementationInfo, seed: int
    ) -> Begun:
        """Return what earlier searches have left behind for a pairing.

        A finding of the same tokenizer is asked about word for word, one of another tokenizer by its text.
        """
        path = self._state_path(tokenizer, baseline, implementation, seed)
        state = self._read(path, _state_of) or Begun()
        kept: dict[object, Case] = {}
        for sha256, found in sorted(self._findings, key=lambda each: each[0] != tokenizer.sha256):
            questions = found.questions if sha256 == tokenizer.sha256 else ()
            case = replace(found, number=len(kept), questions=questions)
            kept.setdefault((case.text, questions, case.variant), case)
        for case in state.kept:
            kept.setdefault((case.text, (), case.variant), replace(case, number=len(kept)))
        return Begun(state.positions, tuple(kept.values()))

    def _read_findings(self) -> Iterator[tuple[str, Case]]:
        """Yield the findings as cases, each with the SHA-256 of the tokenizer's file."""
        for path in sorted((self.path / FINDINGS).glob("*.json"))[:MOST_KEPT]:
            finding = self._read(path, _finding_of)
            if finding is not None:
                yield finding

    def _read(self, path: Path, read: Callable[[Json], Any]) -> Any:
        """Return what ``read`` makes of the file; ``None`` where there is none, or a damaged one, which is said."""
        try:
            return read(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, *WRONG) as error:
            self._complain(f"{str(path)!r} is damaged, and left out: {_why(error)}")
            return None

    # Writing

    def handle(self, event: SearchEvent) -> None:
        """Keep what ``event`` tells. Raises ``OSError``."""
        match event:
            case Started(plan=SearchPlan() as plan):
                self._plan = plan
            case CauseFound():
                self._keep(event)
            case Checkpoint(pairing, line, waiting):
                self._keep_state(pairing, line.positions, waiting)
            case _:
                pass

    def _keep(self, event: CauseFound) -> None:
        witness, pairing = event.cause.witness, event.pairing
        asked = _asked_of(witness.question)
        whom = [pairing.tokenizer.sha256, event.cause.implementation]
        name = _digest([*whom, asked, witness.document])
        _write(
            self.path / FINDINGS / f"{name}.json",
            {
                "schema": SCHEMA,
                "version": VERSION,
                "tokenizer": {"name": pairing.tokenizer.source.name, "sha256": pairing.tokenizer.sha256},
                "implementation": event.cause.implementation,
                "input": event.input_id,
                "text": event.case.text,
                "other": event.case.other,
                "variant": event.case.variant,
                "question": asked,
                "document": witness.document,
                "stage": witness.stage,
                "component": event.cause.signature.component,
                "field": witness.difference.field,
                "kind": witness.difference.kind,
                "verdict": witness.difference.verdict,
                "reason": event.cause.reason.name,
            },
        )

    def _keep_state(self, pairing: Pairing, positions: dict[str, int], waiting: tuple[Case, ...]) -> None:
        if self._plan is None:
            return
        baseline, implementation = self._plan.baseline.info, pairing.implementation.info
        path = self._state_path(pairing.tokenizer, baseline, implementation, self._plan.seed)
        _write(
            path,
            {
                "schema": SCHEMA,
                "version": VERSION,
                "pairing": pairing.name,
                "generators": positions,
                "waiting": [{"text": case.text, "other": case.other, "variant": case.variant} for case in waiting],
            },
        )

    def _state_path(
        self, tokenizer: TokenizerFile, baseline: ImplementationInfo, implementation: ImplementationInfo, seed: int
    ) -> Path:
        versions = [[info.name, info.version] for info in (baseline, implementation)]
        return self.path / STATES / f"{_digest([tokenizer.sha256, versions, seed, version()])}.json"


# Forms ---------------------------------------------------------------------------------------------------------------


def _asked_of(question: Observation) -> Json:
    """Return ``question`` whole, in the words of the line protocol."""
    found: Json = json.loads(write_request(0, Observe(question)))
    return {name: value for name, value in found.items() if name not in ("id", "do")}


def _finding_of(document: Json) -> tuple[str, Case]:
    sha256 = str(document["tokenizer"]["sha256"])
    # What was seen on a changed document is no question about the tokenizer itself.
    questions = () if document["document"] is not None else (read_observation(document["question"]),)
    return sha256, _case_of(document, questions)


def _state_of(document: Json) -> Begun:
    """Return what a file of a state says; ``kept`` are the cases that wait."""
    positions = {str(name): _count_of(number) for name, number in document["generators"].items()}
    return Begun(positions, tuple(map(_case_of, document["waiting"])))


def _case_of(document: Json, questions: tuple[Observation, ...] = ()) -> Case:
    text, other = _text_of(document["text"]), _text_of(document["other"])
    variant = document.get("variant")  # which older folders do not have
    return Case(0, text, other, questions, variant=None if variant is None else _count_of(variant))


def _text_of(value: object) -> str:
    if not isinstance(value, str) or lone_surrogate(value) is not None:
        raise ValueError("it has something else in the place of a text")
    return value


def _count_of(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("it has something else in the place of a number")
    return value


def _why(error: Exception) -> str:
    match error:
        case OSError():
            return reason_of(error)
        case json.JSONDecodeError():
            return "it is no JSON"
        case KeyError():
            return f"it has no {error.args[0]!r}"
        case _:
            return str(error)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("ascii")).hexdigest()[:16]


def _write(path: Path, document: Json) -> None:
    write_atomically(path, (json.dumps(document, indent=1) + "\n").encode("ascii"))
