"""Which package an implementation belongs to, and what an environment of one of its releases needs.

The table has those of this project. A plugin's implementation belongs to the package that registers it. Those that are
too heavy to be installed beside the others stand in a second table, :data:`HEAVY`, with the release that is run.
"""

from __future__ import annotations

import importlib.metadata
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.licences import LICENCES
from tokenizer_adapters.registry import selectable
from tokenizer_adapters.trainers import registered_trainers

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN = "tokenizer_adapters."
"""What the modules of this project's adapters begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """An implementation that can be served in an environment of its own.

    ``distribution`` is the package whose releases are its versions, ``module`` what is imported of it. ``subject`` is
    the path of the class that is served. ``requires`` are further packages that its adapter, or classes of the package,
    need and that the package does not ask for.
    """

    implementation: str
    distribution: str
    module: str
    subject: str
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table; ``subject`` is given where it is not what is registered."""

    distribution: str
    module: str
    requires: tuple[str, ...] = ()
    subject: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heavy:
    """An implementation that is run in an environment of its own, made only where somebody asks for it.

    ``version`` is the release that is run, ``requires`` all further packages that its answers depend on, each in one
    version. ``size`` is that of the environment in bytes, as measured on Linux (x86-64), ``licence`` that of the
    package.
    """

    version: str
    requires: tuple[str, ...]
    size: int
    licence: str

    @property
    def costs(self) -> str:
        """What people want to know before it is made: ``458 MB, Apache-2.0``."""
        megabytes = self.size / 1e6
        size = f"{megabytes:.0f} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"
        return f"{size}, {self.licence}"


TRANSFORMERS = ("sentencepiece", "protobuf", "jinja2")
"""What slow classes of ``transformers``, their conversion and chat templates need."""

TABLE: dict[str, _Row] = {
    # Without numpy, releases before 0.23.2 panic over words: they look whether these are one of its arrays (observed).
    "tokenizers": _Row("tokenizers", "tokenizers", ("numpy",)),
    "transformers": _Row(
        "transformers", "transformers", TRANSFORMERS, "tokenizer_adapters.peers.transformers4:AnyRelease"
    ),
    "transformers-class": _Row("transformers", "transformers", TRANSFORMERS),
    "transformers-streamer": _Row("transformers", "transformers", TRANSFORMERS),
    "transformers-4-fast": _Row(
        "transformers", "transformers", TRANSFORMERS, "tokenizer_adapters.peers.transformers4:FastClasses"
    ),
    "transformers-4-slow": _Row(
        "transformers", "transformers", TRANSFORMERS, "tokenizer_adapters.peers.transformers4:SlowClasses"
    ),
    "blingfire": _Row("blingfire", "blingfire", ("numpy",)),
    "curated-tokenizers": _Row("curated-tokenizers", "curated_tokenizers"),
    "fastokens": _Row("fastokens", "fastokens"),
    "flash-tokenizer": _Row("flash-tokenizer", "flash_tokenizer"),
    "gigatoken": _Row("gigatoken", "gigatoken", (), "tokenizer_adapters.peers.gigatoken:Gigatoken"),
    "kitoken": _Row("kitoken", "kitoken"),
    "llama-cpp": _Row("xllamacpp", "xllamacpp", ("gguf",)),
    "mistral-common": _Row("mistral-common", "mistral_common", ("sentencepiece",)),
    "minijinja": _Row("minijinja", "minijinja"),
    "morpheme": _Row("morpheme", "morpheme"),
    "nanotoken": _Row("nanotoken", "nanotoken"),
    # Its adapter gives it what `transformers` saves.
    "onnxruntime-extensions": _Row("onnxruntime-extensions", "onnxruntime_extensions", ("numpy", "transformers")),
    "openvino": _Row(
        "openvino-tokenizers",
        "openvino_tokenizers",
        ("transformers", "sentencepiece", "protobuf"),
        "tokenizer_adapters.peers.openvino:Openvino",
    ),
    "pytorch-tokenizers": _Row("pytorch-tokenizers", "pytorch_tokenizers"),
    "sentencepiece": _Row("sentencepiece", "sentencepiece"),
    "splintr-rs": _Row("splintr-rs", "splintr"),
    "subword-nmt": _Row("subword-nmt", "subword_nmt"),
    "tensorflow-text": _Row(
        "tensorflow-text", "tensorflow_text", (), "tokenizer_adapters.peers.tensorflow_text:TensorFlowText"
    ),
    "tensorflow-text-fast": _Row(
        "tensorflow-text", "tensorflow_text", (), "tokenizer_adapters.peers.tensorflow_text:TensorFlowTextFast"
    ),
    "tiktoken": _Row("tiktoken", "tiktoken"),
    "tokie": _Row("tokie", "tokie"),
    "tuetoken": _Row("tuetoken", "tuetoken"),
}

TENSORFLOW_TEXT = Heavy(
    version="2.21.1",
    requires=("tensorflow==2.21.0", "keras==3.15.1", "numpy==2.4.6", "protobuf==7.36.2"),
    size=2_340_000_000,
    licence=LICENCES["tensorflow-text"],
)

HEAVY: dict[str, Heavy] = {
    "gigatoken": Heavy(version="0.10.0", requires=(), size=124_000_000, licence=LICENCES["gigatoken"]),
    "openvino": Heavy(
        version="2026.4.1.0",
        requires=(
            "openvino==2026.4.1",
            "transformers==5.23.0",
            "tokenizers==0.23.3",
            "sentencepiece==0.2.3",
            "protobuf==7.36.2",
        ),
        size=458_000_000,
        licence=LICENCES["openvino"],
    ),
    "tensorflow-text": TENSORFLOW_TEXT,
    "tensorflow-text-fast": TENSORFLOW_TEXT,
}
"""The heavy implementations, by their registered names."""

REFUSED: dict[str, str] = {
    "reference": "the reference is a part of this project, and has no releases of its own",
    "classical-stream": "it is a stream of the reference, which has no releases of its own",
    "word-stream": "it is a stream of the reference, which has no releases of its own",
    "textbook": "the textbook trainer is a part of this project, and has no releases of its own",
    **{
        name: f"{name} is a package of npm, which no Python environment holds: install the release with npm, and "
        "select it as it is"
        for name in ("tokenizers-js", "transformers-js", "transformers-js-3")
    },
}
"""Implementations that no release of a Python package has, each with the reason."""


def served(name: str) -> Served:
    """Return what serves the implementation or package ``name`` in a release.

    The name of an implementation goes before that of a package. Raises :class:`WordError` where there is none, and
    errors of :mod:`tokenizer_adapters.registry`.
    """
    entries = selectable()
    implementation = implementation_of(name)
    if implementation is None or implementation not in entries:
        raise WordError(_nothing_called(name))
    if implementation in REFUSED:
        raise WordError(f"{name!r} cannot be had in a version: {REFUSED[implementation]}")
    return _served(implementation, entries[implementation])


def served_trainer(name: str) -> Served:
    """Return what serves the trainer or package ``name``; raises as :func:`served`."""
    entries = registered_trainers()
    entry = entries.get(name) or entries.get(canonicalize_name(name))
    if entry is None:
        raise WordError(f"no trainer is called {name!r} (known: {', '.join(sorted(entries))})")
    if entry.name in REFUSED:
        raise WordError(f"{name!r} cannot be had in a version: {REFUSED[entry.name]}")
    return _served(entry.name, entry)


def implementation_of(name: str) -> str | None:
    """Return the registered name of the implementation ``name``, or of the one that the package ``name`` brings.

    >>> implementation_of("tokenizers"), implementation_of("Mistral_Common"), implementation_of("nothing")
    ('tokenizers', 'mistral-common', None)
    """
    entries = selectable()
    if name in entries:
        return name
    wanted = canonicalize_name(name)
    if wanted in entries:
        return wanted
    rows = (known for known, row in TABLE.items() if canonicalize_name(row.distribution) == wanted)
    plugins = (
        known
        for known, entry in sorted(entries.items())
        if not entry.value.startswith(OWN) and entry.dist is not None and canonicalize_name(entry.dist.name) == wanted
    )
    return next(itertools.chain(rows, plugins), None)


def _served(name: str, entry: EntryPoint) -> Served:
    row = TABLE.get(name)
    if row is None:
        if entry.value.startswith(OWN) or entry.dist is None:
            raise WordError(f"{name!r} cannot be had in a version: no package is known that it is a release of")
        return Served(
            implementation=name,
            distribution=entry.dist.name,
            module=entry.module,
            subject=entry.value,
        )
    subject = row.subject or entry.value
    return Served(
        implementation=name,
        distribution=row.distribution,
        module=row.module,
        subject=subject,
        requires=tuple(map(_as_installed, row.requires)) if name == "onnxruntime-extensions" else row.requires,
    )


def _as_installed(package: str) -> str:
    """Return the requirement of ``package`` in the version that is installed here, or in any where it is not."""
    try:
        return f"{package}=={importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return package


def _nothing_called(name: str) -> str:
    known = sorted(set(TABLE) | {known for known in selectable() if known not in REFUSED})
    return (
        f"no implementation is called {name!r}, and none belongs to a package of that name (known: {', '.join(known)})"
    )
