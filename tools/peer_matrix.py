"""Write the list of peers, ``adapters/PEERS.md``: what each is given, shows and loads, and which options were chosen.

    python tools/peer_matrix.py            from the descriptions, ``tools/peers/*.toml``
    python tools/peer_matrix.py --check    exit with status 1 where the page differs

How far each agrees stands in ``reports/peers.md`` and ``reports/peers/NAME.md``, which are written by
``tools/publish_reports.py`` from the records that ``make compare-peers`` makes. Two of these are of runs in which peers
were given the files of checkpoints as they are (TOKCONF_CONFIGURATION=given): where an implementation does better
there, that counts, and its page says so. A peer that is described and was not measured, or was measured and is not
described, is an error; a heavy one that was not there is left out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from peers.descriptions import DescriptionError, Peer, read_peers
from peers.pages import Results, list_of_peers, overview, page
from peers.records import better, joined, read_run, read_suite_run
from published.records import RecordError

from tokenizer_adapters.environments.packages import HEAVY

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "adapters" / "PEERS.md"
COMMAND = "make compare-peers"

OWN = frozenset({"reference", "tokenizers", "classical-stream", "word-stream", "transformers-streamer"})
"""Measured, and not described: the baseline, this project's own implementation, and what decodes streams only."""


def main() -> int:
    """Carry out the command and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page differs")
    arguments = parser.parse_args()
    try:
        text = list_of_peers(read_peers())
    except DescriptionError as error:
        print(f"peer_matrix: {error}; nothing was written", file=sys.stderr)
        return 2
    if not arguments.check:
        LIST.write_text(text, encoding="utf-8")
    elif not LIST.is_file() or LIST.read_text(encoding="utf-8") != text:
        print(f"{LIST.relative_to(ROOT)} is not what tools/peer_matrix.py writes")
        return 1
    return 0


def pages(records: Sequence[Path]) -> dict[str, str]:
    """Return the pages about peers, by their names in ``reports/``.

    The records are those of the built-in inputs and of the texts, each with and without the files as they were given,
    and two of the suite. Raises :class:`RecordError`, :class:`DescriptionError`.
    """
    builtin, builtin_given, texts, texts_given, *suite = records
    return pages_of(read_peers(), results_of([builtin, builtin_given], [texts, texts_given], suite))


def results_of(builtin: Sequence[Path], texts: Sequence[Path], suite: Sequence[Path]) -> Results:
    """Return what the records hold. Raises :class:`RecordError`."""
    on_builtin, builtin_as_given = better(*map(read_run, builtin))
    on_texts, texts_as_given = better(*map(read_run, texts))
    asked = joined([read_suite_run(record) for record in suite])
    return Results(on_builtin, on_texts, asked, builtin_as_given | texts_as_given)


def pages_of(peers: Sequence[Peer], results: Results) -> dict[str, str]:
    """Return the overview, and the page of each of ``peers``.

    Raises :class:`RecordError` where what was measured is not what is described, but for heavy peers that were not
    there.
    """
    headers = (results.builtin.header, results.texts.header, results.suite.header)
    measured = [{each["name"] for each in header["implementations"]} - OWN for header in headers]
    wanted = {peer.name for peer in peers} - (HEAVY.keys() - set.union(*measured))
    for found in measured:
        if apart := sorted(found ^ wanted):
            raise RecordError(f"measured or described, and not both: {', '.join(apart)}")
    chosen = [peer for peer in peers if peer.name in wanted]
    return {
        "peers.md": overview(chosen, results, COMMAND),
        **{f"peers/{peer.name}.md": page(peer, results) for peer in chosen},
    }


if __name__ == "__main__":
    sys.exit(main())
