"""Ask every finding about a peer again, and fail where one does not hold.

    python tools/peer_findings.py                  ask all, of peers/*.toml
    python tools/peer_findings.py kitoken tokie    ask those of these peers

Both answers come from scripts of a few lines, run by the Python, the Node or the environment of the peer, that call it
directly: the adapters of this project take no part in it. A finding holds only if ``tokenizers`` and the peer give the
very answers that stand in its description, if no other way to ask that is named there gives the answer of
``tokenizers``, and if the option that is said to avoid the difference does. A peer that cannot be imported fails. One
that is heavy, and that nobody has added, is left out and named; where it is asked for, that fails. Nothing is written.

Run this with everything installed (``make peers``), where ``../shared`` or TOKCONF_SHARED has the checkpoints.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from peers.asking import Asked, ask
from peers.descriptions import DescriptionError, Peer, read_peers

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.packages import HEAVY
from tokenizer_adapters.environments.pinned import made


def main() -> int:
    """Carry out the command and return its exit status: 1 where a finding does not hold, 2 where none can be asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", metavar="PEER", help="ask about these only")
    arguments = parser.parse_args()
    try:
        described = read_peers()
    except DescriptionError as error:
        print(f"peer_findings: {error}", file=sys.stderr)
        return 2
    names = {peer.name for peer in described}
    if unknown := sorted(set(arguments.peers) - names):
        print(
            f"peer_findings: not described: {', '.join(unknown)}; known are {', '.join(sorted(names))}", file=sys.stderr
        )
        return 2
    wanted, lacking = apart([peer for peer in described if peer.name in (arguments.peers or names)])
    for reason in lacking:
        print(f"not asked: {reason}")
    questions = [(peer, finding) for peer in wanted for finding in peer.findings]
    failed = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        for number, asked in enumerate(threads.map(lambda each: ask(*each), questions), 1):
            objections = list(asked.objections())
            failed += bool(objections)
            print(*lines(number, asked), *(f"      DOES NOT HOLD: {each}" for each in objections), sep="\n", flush=True)
    ways = sum(len(finding.tried) + (finding.avoid is not None) for _, finding in questions)
    print(f"{len(questions)} findings about {len(wanted)} peers, {ways} other ways to ask; {failed} do not hold")
    return 1 if failed or not questions or (arguments.peers and lacking) else 0


def apart(peers: list[Peer]) -> tuple[list[Peer], list[str]]:
    """Return those of ``peers`` that can be asked, and why the others cannot: nobody has added a heavy one."""
    there, lacking = [], []
    for peer in peers:
        try:
            if peer.name in HEAVY:
                made(peer.name)
        except UnavailableError as error:
            lacking.append(str(error))
        else:
            there.append(peer)
    return there, lacking


def lines(number: int, asked: Asked) -> list[str]:
    """Return what was asked and answered, as lines to print."""
    finding, name = asked.finding, asked.peer.name
    return [
        f"{number:3} {name}, {finding.checkpoint}: {finding.cause}",
        f"      {finding.ask} {finding.subject}",
        f"      tokenizers {asked.ours.words}",
        f"      {name} {asked.theirs.words}",
    ]


if __name__ == "__main__":
    sys.exit(main())
