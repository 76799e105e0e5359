"""Write the pages about peers: ``reports/peers.md``, ``reports/peers/NAME.md`` and ``adapters/PEERS.md``.

    python tools/peer_matrix.py --builtin R --texts R --suite R   from records of `tokconf run` and `tokconf suite run`
    python tools/peer_matrix.py --list                            adapters/PEERS.md alone, which needs no records
    python tools/peer_matrix.py --list --check                    exit with status 1 where that page differs
    python tools/peer_matrix.py … --only openvino                 the pages of these peers alone

``make compare-peers`` makes the records and writes the pages. ``--builtin`` and ``--texts`` take a second record each,
of a run in which peers were given the checkpoints' files as they are (TOKCONF_CONFIGURATION=given): where an
implementation does better there, that counts, and its page says so. A peer that is described and was not measured, or
was measured and is not described, is an error, and nothing is written. A heavy one that was not there is left out: its
page stays as it is, and the overview is without it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from peers.descriptions import DescriptionError, Peer, read_peers
from peers.pages import Results, list_of_peers, overview, page
from peers.records import RecordError, better, joined, read_run, read_suite_run

from tokenizer_adapters.environments.packages import HEAVY

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "adapters" / "PEERS.md"
OVERVIEW = ROOT / "reports" / "peers.md"
PAGES = ROOT / "reports" / "peers"
COMMAND = "make compare-peers"

OWN = frozenset({"reference", "tokenizers", "classical-stream", "word-stream", "transformers-streamer"})
"""Measured, and not described: the baseline, this project's own implementation, and what decodes streams only."""


def main() -> int:
    """Carry out the command and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--builtin", nargs="+", type=Path, metavar="RECORD", help="of a run on the built-in inputs")
    parser.add_argument("--texts", nargs="+", type=Path, metavar="RECORD", help="of a run on lines of books")
    parser.add_argument(
        "--suite", nargs="+", type=Path, metavar="RECORD", help="of runs of the suite, of different peers"
    )
    parser.add_argument("--list", action="store_true", help="write adapters/PEERS.md alone")
    parser.add_argument("--only", nargs="+", metavar="PEER", help="write the pages of these peers, and nothing else")
    parser.add_argument("--check", action="store_true", help="with --list: write nothing; fail where the page differs")
    arguments = parser.parse_args()
    try:
        peers = read_peers()
        files = {} if arguments.only else {LIST: list_of_peers(peers)}
        if not arguments.list:
            if not (arguments.builtin and arguments.texts and arguments.suite):
                parser.error("--builtin, --texts and --suite are needed, or --list")
            results = results_of(arguments.builtin, arguments.texts, arguments.suite)
            files |= pages_of(peers, results, arguments.only)
    except (DescriptionError, RecordError) as error:
        print(f"peer_matrix: {error}; nothing was written", file=sys.stderr)
        return 2
    if arguments.check:
        changed = [file for file, text in files.items() if _content(file) != text]
        for file in changed:
            print(f"{file.relative_to(ROOT)} is not what tools/peer_matrix.py writes")
        return 1 if changed else 0
    if not arguments.list and not arguments.only:
        for left in PAGES.glob("*.md"):
            if left.stem not in HEAVY:
                left.unlink()
    for file, text in files.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"wrote {shlex.join(str(file.relative_to(ROOT)) for file in files)}")
    return 0


def _content(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


def results_of(builtin: list[Path], texts: list[Path], suite: list[Path]) -> Results:
    """Return what the records hold. Raises :class:`RecordError`."""
    on_builtin, builtin_as_given = better(*map(read_run, builtin))
    on_texts, texts_as_given = better(*map(read_run, texts))
    asked = joined([read_suite_run(record) for record in suite])
    return Results(on_builtin, on_texts, asked, builtin_as_given | texts_as_given)


def pages_of(peers: list[Peer], results: Results, only: list[str] | None) -> dict[Path, str]:
    """Return the pages by file: those of the peers that ``only`` names, else all.

    Raises :class:`RecordError` where what was measured is not what is described, but for heavy peers that were not
    there.
    """
    described = {peer.name for peer in peers if only is None or peer.name in only}
    headers = (results.builtin.header, results.texts.header, results.suite.header)
    measured = [{each["name"] for each in header["implementations"]} - OWN for header in headers]
    wanted = set(only) if only else described - (HEAVY.keys() - set.union(*measured))
    for found in measured:
        if apart := sorted((found & wanted if only else found) ^ wanted):
            raise RecordError(f"measured or described, and not both: {', '.join(apart)}")
    chosen = [peer for peer in peers if peer.name in wanted]
    pages = {PAGES / f"{peer.name}.md": page(peer, results) for peer in chosen}
    return pages if only else {OVERVIEW: overview(chosen, results, COMMAND), **pages}


if __name__ == "__main__":
    sys.exit(main())
