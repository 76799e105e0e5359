"""Which package an implementation belongs to, and what an environment of one of its releases needs.

The table has those of this project. A plugin's implementation belongs to the package that registers it.
"""

from __future__ import annotations

import importlib.metadata
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from tokenizer_adapters.environments.faults import WordError
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
    "kitoken": _Row("kitoken", "kitoken"),
    "llama-cpp": _Row("xllamacpp", "xllamacpp", ("gguf",)),
    "mistral-common": _Row("mistral-common", "mistral_common", ("sentencepiece",)),
    "minijinja": _Row("minijinja", "minijinja"),
    "morpheme": _Row("morpheme", "morpheme"),
    "nanotoken": _Row("nanotoken", "nanotoken"),
    # Its adapter gives it what `transformers` saves.
    "onnxruntime-extensions": _Row("onnxruntime-extensions", "onnxruntime_extensions", ("numpy", "transformers")),
    "pytorch-tokenizers": _Row("pytorch-tokenizers", "pytorch_tokenizers"),
    "sentencepiece": _Row("sentencepiece", "sentencepiece"),
    "splintr-rs": _Row("splintr-rs", "splintr"),
    "subword-nmt": _Row("subword-nmt", "subword_nmt"),
    "tiktoken": _Row("tiktoken", "tiktoken"),
    "tokie": _Row("tokie", "tokie"),
}

REFUSED: dict[str, str] = {
    "reference": "the reference is a part of this project, and has no releases of its own",
    "classical-stream": "it is a stream of the reference, which has no releases of its own",
    "word-stream": "it is a stream of the reference, which has no releases of its own",
    "textbook": "the textbook trainer is a part of this project, and has no releases of its own",
    "tokenizers-js": "tokenizers-js is a package of npm, which no Python environment holds: install the release with "
    "npm, and select it as it is",
    "transformers-js": "transformers-js is a package of npm, which no Python environment holds: install the release "
    "with npm, and select it as it is",
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
