"""Workers on Node, run with a library that stands in for theirs and shows what it is told."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import tokenizer_adapters.peers.node

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from peer_questions import Document

    Answers = Callable[..., list[Document]]

COMMON = tokenizer_adapters.peers.node.FOLDER


def laid_out(place: Path, folder: Path, package: str, library: str, files: Mapping[str, Document]) -> Answers:
    """Copy the worker in ``folder`` into ``place``, with ``library`` as its ``package``, and write ``files`` there.

    Returns a function that runs the worker, returns its answers and prints its standard error. Skips where Node is not
    installed.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    workers = place / "peers"
    shutil.copytree(COMMON, workers / COMMON.name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    dist = workers / folder.name / "node_modules" / package / "dist"
    dist.mkdir(parents=True)
    manifest = {"name": package, "version": "7.8.9", "main": "./dist/library.mjs"}
    (dist.parent / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    (dist / "library.mjs").write_text(library, encoding="utf-8")
    program = workers / folder.name / "worker.mjs"
    shutil.copyfile(folder / "worker.mjs", program)
    for name, content in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(json.dumps(content), encoding="utf-8")

    def answers(*requests: Document) -> list[Document]:
        lines = "".join(json.dumps({"id": id_, **request}) + "\n" for id_, request in enumerate(requests))
        done = subprocess.run([node, str(program)], input=lines, capture_output=True, text=True, check=True, timeout=60)
        print(done.stderr, end="")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return answers


def read(place: Path, name: str, *, folder: bool = True) -> Document:
    """A request to load the tokenizer ``name`` in ``place``."""
    where = place / name
    return {"do": "load", "file": str(where / "tokenizer.json")} | ({"folder": str(where)} if folder else {})


ENCODE = {"do": "observe", "ask": "encode", "text": "a", "add_special_tokens": True}
DECODE = {"do": "observe", "ask": "decode", "ids": [1, 2], "skip_special_tokens": True}
