"""Check what a release hands out: that its files are the same wherever they are built, whole, and work once installed.

    python tools/check_release.py                       all of it; exit status 1 where anything is wrong
    python tools/check_release.py --dist dist           that these files are the ones that are built here, too
    python tools/check_release.py --files-only          nothing is installed
    python tools/check_release.py --python 3.12 --dependencies oldest

The wheel and the source distribution are built twice: from another folder, with another umask, and among what work
leaves behind. Their digests have to be equal. The wheel has to hold the three packages and nothing else. Then it is
installed for each Python that this machine has, with the newest and with the oldest dependencies that it allows, and
does there what users do. For a Python that is not here, it only says whether its dependencies can be had.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from distribution.building import (
    LEFT_BEHIND,
    ROOT,
    build,
    built_in,
    copy_sources,
    parts_of,
    problems_of_source,
    problems_of_wheel,
    project,
    time_of_commit,
)
from distribution.installing import JOBS, RESOLUTIONS, tried, uv_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from distribution.building import Built
    from distribution.installing import Trial

PYTHON = "Programming Language :: Python :: 3."
"""How a classifier begins that names a supported Python."""


def main() -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=Path, metavar="FOLDER", help="files to check, beside those that are built here")
    parser.add_argument("--files-only", action="store_true", help="install nothing")
    parser.add_argument("--python", nargs="+", default=supported_pythons(), metavar="X.Y", help="only these Pythons")
    parser.add_argument("--dependencies", nargs="+", choices=RESOLUTIONS, default=list(RESOLUTIONS))
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep environments and outputs here")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables as Markdown, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = (given.work or Path(temporary)).resolve()
        try:
            first, second = built_twice(Path(temporary))
            others = [built_in(given.dist)] if given.dist else []
        except (ValueError, subprocess.CalledProcessError) as error:
            print(error, getattr(error, "stderr", None) or "", file=sys.stderr)
            return 1
        problems = [*problems_of_files(first, [second, *others])]
        said = [files_in_words(first)]
        print(said[0], flush=True)
        if not given.files_only:
            work.mkdir(parents=True, exist_ok=True)
            uv = uv_of(work, ROOT / "constraints.txt")
            trials = []
            for version in given.python:
                for dependencies in given.dependencies:
                    trials.append(tried(first.wheel, version, dependencies, uv, work))
                    print(f"{version}, {dependencies}: {'ok' if trials[-1].is_good else 'not ok'}", file=sys.stderr)
            said.append(trials_in_words(trials))
            print(f"\n{said[1]}")
            problems += [
                f"Python {each.python}, {each.dependencies} dependencies" for each in trials if not each.is_good
            ]
    if given.markdown:
        given.markdown.write_text("# The files of a release\n\n" + "\n\n".join(said) + "\n", encoding="utf-8")
    print("\n".join(["", *problems, f"{len(problems)} problems"]))
    return int(bool(problems))


def supported_pythons() -> list[str]:
    """Return the Pythons that pyproject.toml names."""
    return [
        f"3.{each.removeprefix(PYTHON)}"
        for each in project()["project"]["classifiers"]
        if each[len(PYTHON) :].isdigit()
    ]


def built_twice(work: Path) -> tuple[Built, Built]:
    """Build the files of this tree twice: as anybody would, and with all that must make no difference."""
    epoch, built = time_of_commit(), []
    for name, umask, left_behind in (("one", 0o022, ()), ("another/place", 0o077, LEFT_BEHIND)):
        tree = work / "trees" / name
        copy_sources(tree, umask=umask, left_behind=left_behind)
        built.append(build(tree, work / "built" / name, epoch, umask=umask))
    return built[0], built[1]


def problems_of_files(built: Built, others: Sequence[Built]) -> Iterator[str]:
    """Yield what is wrong with the files of a release, and where ``others`` are not the same."""
    digests = built.digests()
    for other in others:
        for name, digest in other.digests().items():
            if digests.get(name) != digest:
                yield f"{other.wheel.parent / name} is another file than the one that was built first: sha256 {digest}"
    yield from problems_of_wheel(built.wheel)
    yield from problems_of_source(built.source)


def files_in_words(built: Built) -> str:
    """Return the tables of the files and of what the wheel holds, in Markdown."""
    rows = [
        (file.name, f"{file.stat().st_size:,}", digest)
        for file, digest in zip((built.wheel, built.source), built.digests().values(), strict=True)
    ]
    parts = [
        (each.name, f"{each.files:,}", f"{each.bytes:,}", f"{each.compressed:,}") for each in parts_of(built.wheel)
    ]
    heads = ("in the wheel", "files", "bytes", "compressed")
    return f"{table(('file', 'bytes', 'sha256'), rows)}\n\n{table(heads, parts)}"


def trials_in_words(trials: Sequence[Trial]) -> str:
    """Return the table of what was done where, and the versions of the dependencies there, in Markdown."""
    rows = []
    for each in trials:
        results = each.jobs or tuple("–" for _ in JOBS)
        rows.append((each.python, each.dependencies, *results, each.missing))
    versions = [
        f"- Python {each.python}, {each.dependencies}: {', '.join(each.versions).replace('==', ' ')}"
        for each in trials
        if each.versions
    ]
    return (
        table(("Python", "dependencies", *(job.name for job in JOBS), "why not"), rows) + "\n\n" + "\n".join(versions)
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
