"""Search for the differences of peers that were found by hand: reports/peer-searches.md says which are found again.

    python tools/peer_searches.py                       all peers of tools/peers/*.toml
    python tools/peer_searches.py kitoken --time 120    one of them, two minutes for each checkpoint
    python tools/peer_searches.py --results FILE        keep there what is done, and go on from there

Each peer is searched by `tokconf fuzz`, on each checkpoint that a finding about it names, and knows nothing of the
findings. A finding counts as found again where its own question has a cause that the search found: with the culprit of
that cause made harmless the difference is gone, or the same reason is proven. So it is not enough to look alike.

Run this with everything installed (``make peers``), where ``../shared`` has the checkpoints.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

from peers.asking import ROOT, folder_of
from peers.descriptions import Finding, Kind, read_peers
from tabulate import tabulate

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    DecodeStream,
    Encode,
    Normalize,
    Observation,
    PreTokenize,
    TokenizerSource,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.collecting import CauseCollector, Effort
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import reason_in_words
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.escape import one_line

REPORT = Path("reports/peer-searches.md")

BEGINNING = """# Searching for what was found by hand

<!-- Written by tools/peer_searches.py; do not edit. -->

Each peer was searched by `tokconf fuzz CHECKPOINT -i tokenizers -i PEER --time {seconds}s --seed {seed}`, which knows
nothing of [the findings about it](peers.md). A finding is *found again* where its question has a cause that the search
found: with the culprit of that cause made harmless the difference is gone, or the same reason is proven.

**{found} of {asked} findings are found again**, {short} of them with a text or ids as short or shorter. {skipped} more
ask what no search asks (several calls, a changed pipeline), or are not shown by the answers that the adapter gets.

"""

EFFORT = Effort(minimizing=Budget(seconds=10.0, checks=2000), cutting_down=Budget(seconds=0.0, checks=0))

FOUND, MISSED, NOT_ASKED = "found again", "not found", "not asked"


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one finding: ``length`` of its own question, ``found`` that of the cause; ``reason`` of that."""

    peer: str
    checkpoint: str
    cause: str
    state: str
    length: int = 0
    found: int = 0
    reason: str = ""


def main() -> int:
    """Carry out the command, and return its exit status: 1 where nothing was searched."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", metavar="PEER")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="for each peer and checkpoint")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    wanted: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for peer in read_peers():
        for finding in peer.findings:
            if finding.kind == Kind.DIFFERENCE and (not arguments.peers or peer.name in arguments.peers):
                wanted[peer.name, finding.checkpoint].append(finding)
    judged = _done(arguments.results)
    for (name, checkpoint), findings in sorted(wanted.items()):
        if any((each.peer, each.checkpoint) == (name, checkpoint) for each in judged):
            continue
        new = searched(name, checkpoint, findings, arguments.time, arguments.seed)
        judged += new
        if arguments.results:
            with arguments.results.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(each)) + "\n" for each in new)
        for each in new:
            print(f"{name}, {checkpoint}: {each.state}: {one_line(each.cause)} {each.reason}", flush=True)
    if not judged:
        print("peer_searches: nothing was searched", file=sys.stderr)
        return 1
    REPORT.write_text(page(judged, arguments.time, arguments.seed), encoding="utf-8")
    return 0


def _done(results: Path | None) -> list[Judged]:
    if results is None or not results.exists():
        return []
    return [Judged(**json.loads(line)) for line in results.read_text(encoding="utf-8").splitlines()]


def searched(name: str, checkpoint: str, findings: list[Finding], seconds: int, seed: int) -> list[Judged]:
    """Search ``checkpoint`` for differences of the peer ``name``, and judge ``findings`` by what was found."""
    folder = ROOT / folder_of(checkpoint)
    source = TokenizerSource(checkpoint, str(folder / "tokenizer.json"), str(folder))
    with tempfile.TemporaryDirectory() as kept:
        record = Path(kept) / "search.jsonl"
        command = ["tokconf", "fuzz", str(folder), "-i", "tokenizers", "-i", name, "--time", f"{seconds}s"]
        subprocess.run(
            [*command, "--seed", str(seed), "--json", str(record)],
            check=False,
            capture_output=True,
            timeout=20 * seconds,
        )
        lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    causes = [cause_of(line) for line in lines if line["type"] == "cause"]
    with Bench(TokenizersImplementation(), select(name, Isolation()).build()) as bench:
        try:
            bench.trial(source)
        except CannotLoadError:
            return [Judged(name, checkpoint, each.cause, NOT_ASKED) for each in findings]
        judged = []
        for finding in findings:
            collector = CauseCollector(bench, EFFORT)
            collector.restore(causes)
            judged.append(_judged(collector, bench, source, name, finding))
        return judged


def _judged(collector: CauseCollector, bench: Bench, source: TokenizerSource, name: str, finding: Finding) -> Judged:
    trial, question = bench.trial(source), question_of(finding)
    before = len(collector.causes())
    sizes = {(each.signature, each.reason): each.witness.size for each in collector.causes()}
    cause = None if question is None or not trial.differs(question) else collector.take(trial, question, finding.cause)
    if question is None or cause is None:
        return Judged(name, finding.checkpoint, finding.cause, NOT_ASKED)
    is_known = len(collector.causes()) == before
    size = min((size for key, size in sizes.items() if key[1] == cause.reason), default=cause.witness.size)
    return Judged(
        name,
        finding.checkpoint,
        finding.cause,
        FOUND if is_known else MISSED,
        length_of(question),
        size if is_known else 0,
        reason_in_words(cause) if is_known else "",
    )


def question_of(finding: Finding) -> Observation | None:
    """Return the question of ``finding`` as the contract has it; ``None`` where it is none."""
    text, ids, pair = finding.text, finding.ids, finding.pair
    whole = text if isinstance(text, str) else tuple(text or ())
    match finding.ask:
        case "encode" | "tokens" | "offsets" | "special tokens mask" | "encode words" if text is not None:
            return Encode(whole, add_special_tokens=False)
        case "encode, with special tokens" | "encode pair" | "types of a pair" if text is not None:
            return Encode(whole, pair)
        case "type ids of a pair" if text is not None:
            return Encode(whole, pair, add_special_tokens=False)
        case "normalize" if isinstance(text, str):
            return Normalize(text)
        case "pre_tokenize" if isinstance(text, str):
            return PreTokenize(text)
        case "decode" if ids is not None:
            return Decode(ids)
        case "decode, keeping special tokens" if ids is not None:
            return Decode(ids, skip_special_tokens=False)
        case "decode id by id" if ids is not None:
            return DecodeStream(ids)
    return None


def page(judged: list[Judged], seconds: int, seed: int) -> str:
    """Return the page."""
    states = [each.state for each in judged]
    beginning = BEGINNING.format(
        seconds=seconds,
        seed=seed,
        found=states.count(FOUND),
        asked=states.count(FOUND) + states.count(MISSED),
        short=sum(each.state == FOUND and each.found <= each.length for each in judged),
        skipped=states.count(NOT_ASKED),
    )
    rows = [
        [
            each.peer,
            each.checkpoint,
            cell(each.cause),
            each.state,
            f"{each.length} -> {each.found}" if each.state == FOUND else "",
            cell(each.reason),
        ]
        for each in sorted(judged, key=lambda each: (each.peer, each.checkpoint, each.cause))
    ]
    headers = ["peer", "checkpoint", "finding", "search", "length", "reason"]
    return beginning + tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True) + "\n"


def cell(text: str) -> str:
    """Return ``text`` for a cell of a table: on one line, and no Markdown."""
    return "".join(f"\\{each}" if each in "|<>*_`[]#" else each for each in one_line(text, 100))


if __name__ == "__main__":
    sys.exit(main())
