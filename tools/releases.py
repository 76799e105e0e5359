"""Environments of released packages for the tools that measure changes: made once, and kept in ``.venv/releases``.

``TOKCONF_RELEASES`` names another folder. ``tokenizers`` takes pre-split input only where NumPy can be imported, and
does not require it, so every environment has it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("TOKCONF_RELEASES", ROOT / ".venv" / "releases"))

SERVER = ROOT / "adapters" / "tokenizer_adapters" / "peers" / "other_python.py"
SUBJECT = "tokenizer_adapters.tokenizers:TokenizersImplementation"

BESIDE: dict[str, tuple[str, ...]] = {
    "tokenizers": ("numpy<2",),
    "transformers": ("numpy", "sentencepiece", "protobuf"),
}
"""What is installed beside a package."""


class ReleaseError(Exception):
    """A release cannot be installed; says which, and by which command it was tried."""


def python_of(package: str, release: str) -> Path:
    """Return the interpreter of an environment with ``release`` of ``package``; makes it where there is none.

    Raises :class:`ReleaseError`.
    """
    folder = FOLDER / f"{package}-{release}"
    python = folder / "bin" / "python"
    if not python.exists():
        wanted = [f"{package}=={release}", *BESIDE[package]]
        uv = shutil.which("uv")
        try:
            if uv is not None:
                _run(uv, "venv", "--quiet", "--python", sys.executable, str(folder))
                _run(uv, "pip", "install", "--quiet", "--python", str(python), "--only-binary", ":all:", *wanted)
            else:
                _run(sys.executable, "-m", "venv", str(folder))
                _run(str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *wanted)
        except subprocess.CalledProcessError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise ReleaseError(
                f"{package} {release} cannot be installed: exit status {error.returncode} of {shlex.join(error.cmd)}; "
                "TOKCONF_RELEASES names a folder that has it"
            ) from error
    return python


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def release_of_tokenizers(release: str) -> ProcessImplementation:
    """Return ``release`` of ``tokenizers``, in a process of its own.

    Raises ``RuntimeError`` where another answers, and :class:`ReleaseError`.
    """
    command = (str(python_of("tokenizers", release)), "-I", str(SERVER), SUBJECT)
    implementation = ProcessImplementation(Program(command, f"tokenizers {release}", {}), Limits(seconds=30.0), release)
    if implementation.info.version != release:
        raise RuntimeError(f"asked for tokenizers {release}, got {implementation.info.version}")
    return implementation
