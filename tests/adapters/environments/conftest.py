"""Packages that are built here, in wheels of a few lines: environments are made of them without a network.

They are called ``tokie``, as a package of the table is, so that its releases can be served; what they give says which
release it is.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.environments.store import Environment

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


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pip make environments, since uv need not be there."""
    monkeypatch.setenv("TOKCONF_INSTALLER", "pip")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which environments are kept."""
    monkeypatch.setenv("TOKCONF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "environments"


@pytest.fixture
def registry(
    tmp_path: Path,
    cache: Path,  # noqa: ARG001 - environments are kept there
    installer: None,  # noqa: ARG001 - it makes them
    monkeypatch: pytest.MonkeyPatch,
) -> Registry:
    """A registry with three releases of ``tokie``; no other can be asked."""
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {tmp_path / 'wheels'}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    made = Registry(tmp_path / "wheels")
    for version in ("1.0", "1.1", "2.0rc1"):
        made.add("tokie", version)
    return made


@pytest.fixture
def tokie(registry: Registry) -> Environment:  # noqa: ARG001 - its releases are there
    """The environment of a release, which is not made yet."""
    return Environment(("tokie==1.0",), "tokie")
