"""Packages that are built here, in wheels of a few lines: environments are made of them without a network."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
VERSION = "{version}"

class Tokenizer:
    pass
"""


@dataclass(frozen=True)
class Registry:
    """A folder of wheels, which stands for a registry of packages."""

    folder: Path

    def add(
        self, name: str, version: str, *, content: str | None = None, tag: str = "py3-none-any", needs: str = ""
    ) -> None:
        """Add a release of a package with one module."""
        module = name.replace("-", "_")
        info = f"{module}-{version}.dist-info"
        requires = f"Requires-Dist: {needs}\n" if needs else ""
        files = {
            f"{module}.py": content if content is not None else MODULE.format(version=version),
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}",
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
        }
        record = "".join(f"{path},sha256={_digest(text)},{len(text.encode())}\n" for path, text in files.items())
        with zipfile.ZipFile(self.folder / f"{module}-{version}-{tag}.whl", "w") as wheel:
            for path, text in files.items():
                wheel.writestr(path, text)
            wheel.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")

    def add_source(self, name: str, version: str) -> None:
        """Add a release that has nothing but a source distribution, which cannot be built."""
        (self.folder / f"{name}-{version}.tar.gz").write_bytes(b"")


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
