"""The packages whose modules are changed: where their sources are, and which of their modules count."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Package:
    """A package in the folder ``root`` of the project.

    Its modules that match one of ``parts`` and none of ``left_out`` are mutated. Modules are named below the package:
    ``normalizers.bert``, ``cli.__init__``.
    """

    name: str
    root: str
    parts: tuple[str, ...] = ("*",)
    left_out: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The folder of the package, below that of the project."""
        return Path(self.root, self.name)

    def path_of(self, module: str) -> Path:
        """Return the path of ``module`` below the folder of the project."""
        return self.path / f"{module.replace('.', '/')}.py"

    def file_of(self, module: str) -> Path:
        """Return the path of ``module``."""
        return ROOT / self.path_of(module)

    def source_of(self, module: str) -> str:
        """Return the source of ``module``. Raises :class:`OSError` where there is none."""
        return self.file_of(module).read_text(encoding="utf-8")

    def modules(self, pattern: str = "*") -> list[str]:
        """Return the names of the modules that are mutated and match ``pattern``."""
        folder = ROOT / self.path
        names = [
            ".".join(file.relative_to(folder).with_suffix("").parts)
            for file in sorted(folder.rglob("*.py"))
            if "node_modules" not in file.parts
        ]
        return [
            name
            for name in names
            if _matches(name, self.parts) and not _matches(name, self.left_out) and fnmatchcase(name, pattern)
        ]


def digest(*paths: Path) -> str:
    """Return a digest of what the files ``paths`` hold; of one that is gone, of nothing."""
    found = sha256()
    for path in paths:
        found.update(path.read_bytes() if path.is_file() else b"")
        found.update(b"\0")
    return found.hexdigest()[:16]


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


NOT_OF_THE_SUITE = {
    "*__init__": "names alone",
    "text.unicode_tables": "generated data",
    "pipeline.asynchronous": "the same as the methods that wait",
    "pipeline.hub": "downloads",
    "models.lattice": "sampling: its answers are random",
}
"""Modules of the reference that are left out, and why."""

REFERENCE = Package(
    "tokenizer_reference",
    "reference",
    # What the suite asks about. Trainers, other file formats, the textbook and the tools are not what it asks; chat
    # templates are rendered in processes of their own, which import the reference as it is.
    parts=(
        "normalizers.*",
        "pre_tokenizers.*",
        "models.*",
        "processors.*",
        "decoders.*",
        "pipeline.*",
        "values.*",
        "text.*",
        "json_text.*",
        "added_vocabulary",
        "component",
        "stage",
        "arguments",
        "lending",
    ),
    left_out=tuple(NOT_OF_THE_SUITE),
)
