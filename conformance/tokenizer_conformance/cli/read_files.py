"""The files that a command reads, as its arguments name them: no report may replace one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.selection import Isolation, SelectionError, is_command, select
from tokenizer_conformance.command_io.outputs import ReadFile
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.dataset_splits import DatasetTable, is_dataset
from tokenizer_conformance.inputs.given_files import files_of
from tokenizer_conformance.inputs.remote import is_url
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def tokenizer_files(arguments: Iterable[str]) -> Iterator[ReadFile]:
    """Yield the files of the tokenizers that ``arguments`` name, with what else is in the folder of a checkpoint.

    Implementations read more than the tokenizer.json there: vocab.txt, tokenizer_config.json, a model of SentencePiece.
    """
    for argument in arguments:
        path = Path(argument)
        if not path.exists():
            if argument in bundled_names():
                yield ReadFile("the file of a bundled tokenizer", Path(bundled_file(argument)))
            continue
        is_folder = path.is_dir()
        yield ReadFile("the file of a tokenizer", path / FILE_NAME if is_folder else path)
        if is_folder or path.name == FILE_NAME:
            yield from _beside(path if is_folder else path.parent)


def _beside(folder: Path) -> Iterator[ReadFile]:
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return  # which is said when the tokenizer is read
    for path in paths:
        yield ReadFile("a file of a tokenizer's folder", path, may_be_report=True)


def program_files(words: Iterable[str]) -> Iterator[ReadFile]:
    """Yield the programs among the ``words`` that select implementations, with the files that they are given.

    ``command:python mine.py`` is a program of two files.
    """
    for word in filter(is_command, words):
        try:
            program = select(word, Isolation()).program
        except SelectionError:
            continue  # which is said when the implementation is built
        if program is not None:
            for part in program.command:
                yield ReadFile("a file of an implementation's program", Path(shutil.which(part) or part))


def input_files(words: Iterable[str]) -> Iterator[ReadFile]:
    """Yield the files of inputs that ``words`` name; of a local dataset those in its folder and one below."""
    for word in words:
        if not is_dataset(word):
            yield from (ReadFile("a file of inputs", path) for path in _paths(word))
            continue
        try:
            folder = DatasetTable(word).local_folder()
        except BadInputError:
            continue  # which is said when it is read
        if folder is not None:
            yield from (ReadFile("a file of a dataset", path) for path in (*folder.glob("*"), *folder.glob("*/*")))


def _paths(word: str) -> Iterator[Path]:
    if not is_url(word):
        yield from (each.place for each in files_of(word) if isinstance(each.place, Path))


def given_files(what: str, paths: Sequence[str | Path]) -> Iterator[ReadFile]:
    """Yield the files at ``paths``, each of which is ``what`` to the command."""
    return (ReadFile(what, Path(path)) for path in paths)
