"""Tokenizers by the names of the Hugging Face hub: their files, from the cache of ``huggingface_hub`` or from the hub.

Where the cache lies, which hub is asked and with which token is said by the environment variables of
``huggingface_hub`` (``HF_HOME``, ``HF_HUB_CACHE``, ``HF_ENDPOINT``, ``HF_TOKEN``, ``HF_HUB_OFFLINE``, …). The hub is
asked first, which commit a revision is and which files it has; where it cannot be reached, what the cache holds is
taken. Weights are never fetched.
"""

from __future__ import annotations

import errno
import importlib
import logging
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PREFIX = "hub:"
"""What is written before a name of the hub where a file, a folder or a bundled tokenizer has the same name."""

DEFAULT_REVISION = "main"

TOKENIZER = "tokenizer.json"

BESIDE = (
    # What names a class and its settings.
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    # What a chat template is, and which tokens end an answer.
    "chat_template.jinja",
    "generation_config.json",
    # Vocabularies in the forms of single models.
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "bpe.codes",
    "dict.txt",
    "tekken.json",
    # SentencePiece models.
    "spiece.model",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "tokenizer.model",
    "spm.model",
    "source.spm",
    "target.spm",
    "spm_char.model",
    # What the classes of a few models read.
    "byte_maps.json",
    "emoji.json",
    "entity_vocab.json",
    "normalizer.json",
    "prophetnet.tokenizer",
    "target_vocab.json",
    "vocab-src.json",
    "vocab-tgt.json",
    "word_pronunciation.json",
    "word_shape.json",
)
"""The files beside a ``tokenizer.json`` that implementations read, by the names that checkpoints give them."""

REQUIRED = "huggingface_hub>=1.31"
"""The oldest release of the client that knows all that is asked of it here (that of pyproject.toml)."""

LISTED = 8
"""How many files of a repository a message lists."""

NO_ACCESS_TO_CACHE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST})
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

_NAME = re.compile(r"(?P<repository>[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)?)(?:@(?P<revision>[^\s@]+))?", re.ASCII)


class UnknownRepositoryError(BadInputError):
    """No such repository is known: there is none to be seen, or the hub was not reached and the cache has none."""


@dataclass(frozen=True, slots=True)
class HubName:
    """A repository of models, ``name`` or ``owner/name``, and a branch, tag or commit of it."""

    repository: str
    revision: str

    def __str__(self) -> str:
        """Return the name as a user writes it."""
        return self.repository if self.revision == DEFAULT_REVISION else f"{self.repository}@{self.revision}"


@dataclass(frozen=True, slots=True)
class HubSnapshot:
    """The files of a ``repository`` as they are in ``commit``, in ``folder`` of the cache.

    ``is_cached`` says that the hub was not reached: the folder holds what was there before, and the commit is the one
    that the revision was then.
    """

    repository: str
    commit: str
    folder: Path
    is_cached: bool = False


def hub_name(argument: str) -> HubName | None:
    """Return the name of the hub that ``argument`` is, with or without :data:`PREFIX`; ``None`` where it can be none.

    >>> hub_name("openai-community/gpt2@v1.0"), hub_name("hub:gpt2"), hub_name("a/b/c")
    (HubName(repository='openai-community/gpt2', revision='v1.0'), HubName(repository='gpt2', revision='main'), None)
    """
    match = _NAME.fullmatch(argument.removeprefix(PREFIX))
    return None if match is None else HubName(match["repository"], match["revision"] or DEFAULT_REVISION)


def fetch(name: HubName) -> HubSnapshot:
    """Return the tokenizer of ``name``, once its files are in the cache.

    Raises :class:`UnknownRepositoryError`, and :class:`BadInputError` where of a repository that is known the revision
    or the file is not there or not to be had, or cannot be brought into the cache.
    """
    client = _Client(name)
    with quiet_hub():
        return client.snapshot()


class _Client:
    """``huggingface_hub``, asked about ``name``."""

    def __init__(self, name: HubName) -> None:
        self._name = name
        # Imported for a name of the hub only: it takes as long as a small run, and no other run needs it to be there.
        try:
            hub: Any = importlib.import_module("huggingface_hub")
            self._errors: Any = importlib.import_module("huggingface_hub.errors")
            self._constants: Any = importlib.import_module("huggingface_hub.constants")
            self._api = hub.HfApi(library_name="tokconf")
            self._kinds = self._kinds_of_errors()
        except (ImportError, AttributeError, TypeError) as error:
            missing = isinstance(error, ModuleNotFoundError) and error.name == "huggingface_hub"
            state = "is not installed" if missing else f"is too old or broken ({error})"
            reason = f"huggingface_hub {state}; pip install '{REQUIRED}', or give a folder"
            raise self._refusal(reason, UnknownRepositoryError) from error

    def snapshot(self) -> HubSnapshot:
        try:
            info = self._api.model_info(
                self._name.repository, revision=self._name.revision, timeout=self._constants.HF_HUB_ETAG_TIMEOUT
            )
            files = [each.rfilename for each in info.siblings or ()]
            commit = str(info.sha)
        except Exception as error:
            refusal = self._known(error)
            if refusal is None:
                return self._from_cache(error)
            raise refusal from error
        if TOKENIZER not in files:
            raise self._refusal(self._without_tokenizer(commit, files))
        # By its revision, so that the cache learns which commit that is; should it be another by now, it is that one.
        folder = self._download(TOKENIZER, self._name.revision).parent
        for file in files:
            if file in BESIDE:
                self._download(file, folder.name)
        return HubSnapshot(self._name.repository, folder.name, folder)

    def _download(self, file: str, revision: str) -> Path:
        try:
            return Path(
                self._api.hf_hub_download(
                    self._name.repository, file, revision=revision, etag_timeout=self._constants.HF_HUB_ETAG_TIMEOUT
                )
            )
        except Exception as error:
            raise self._known(error) or self._refusal(self._broken_off(file, error)) from error

    def _from_cache(self, unreached: Exception) -> HubSnapshot:
        """Return what the cache holds, as the hub was ``unreached``."""
        try:
            file = self._api.hf_hub_download(
                self._name.repository, TOKENIZER, revision=self._name.revision, local_files_only=True
            )
        except Exception as error:
            raise self._refusal(self._nowhere(unreached), UnknownRepositoryError) from error
        folder = Path(file).parent
        return HubSnapshot(self._name.repository, folder.name, folder, is_cached=True)

    # What is said ----------------------------------------------------------------------------------------------------

    def _refusal(self, reason: str, kind: type[BadInputError] = BadInputError) -> BadInputError:
        return kind(f"tokenizer {str(self._name)!r} of the hub: {reason}")

    def _kinds_of_errors(self) -> tuple[tuple[type[Exception], type[BadInputError], str], ...]:
        """Return the errors whose cause is the name that was given or the access to it.

        With each is what is raised for it, and in which words. The first that fits counts: some are kinds of others.
        """
        errors, repository = self._errors, self._name.repository
        return (
            (
                errors.HFValidationError,
                UnknownRepositoryError,
                "that is no name of a repository; it is OWNER/NAME, with @REVISION where wanted",
            ),
            (
                errors.GatedRepoError,
                BadInputError,
                "the repository is gated: accept its terms on its page, and set HF_TOKEN to a token of that account",
            ),
            (
                errors.DisabledRepoError,
                BadInputError,
                "the repository was disabled by the hub; give another, or a folder",
            ),
            (
                errors.RevisionNotFoundError,
                BadInputError,
                f"{repository!r} has no revision {self._name.revision!r}; give a branch, a tag or a whole commit",
            ),
            (
                errors.RepositoryNotFoundError,
                UnknownRepositoryError,
                (
                    "no such repository, or a private one; check the spelling (OWNER/NAME), and for a private "
                    "one set HF_TOKEN"
                ),
            ),
        )

    def _known(self, error: Exception) -> BadInputError | None:
        """Return what to raise for an ``error`` that says what is wrong; ``None`` where the hub was not reached."""
        for kind, raised, words in self._kinds:
            if isinstance(error, kind):
                return self._refusal(words, raised)
        answer = _http_words(_status_of(error)) if isinstance(error, self._errors.HfHubHTTPError) else None
        return None if answer is None else self._refusal(answer)

    def _without_tokenizer(self, commit: str, files: Sequence[str]) -> str:
        lacks = f"the repository has no {TOKENIZER} at commit {commit}"
        inner = next((file for file in files if file.endswith(f"/{TOKENIZER}")), None)
        if inner is not None:
            return f"{lacks} but {inner}: download that folder, and give it"
        beside = [file for file in files if file in BESIDE and file != "config.json"]
        if beside:
            return (
                f"{lacks} but {_listed(beside)}: convert it with transformers, "
                f"AutoTokenizer.from_pretrained({self._name.repository!r}).save_pretrained('folder'), and give "
                "the folder"
            )
        return f"{lacks}; it has {_listed(files) if files else 'no files'}"

    def _broken_off(self, file: str, error: Exception) -> str:
        """Return the words for a download of ``file`` that has failed in ``error``."""
        cache = self._constants.HF_HUB_CACHE
        if isinstance(error, OSError) and error.errno in NO_ACCESS_TO_CACHE:
            return f"the cache {cache!r} cannot be written: {error.strerror}; set HF_HOME to a folder that can"
        if isinstance(error, OSError) and error.errno in FULL:
            return (
                f"the cache {cache!r} cannot be written: {error.strerror}; make room, or set HF_HOME to another place"
            )
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        return (
            f"the download of {file!r} was broken off ({_in_words(cause)}); run the command again, "
            "or download the repository and give its folder"
        )

    def _nowhere(self, unreached: Exception) -> str:
        cache = self._constants.HF_HUB_CACHE
        if isinstance(unreached, self._errors.OfflineModeIsEnabled):
            return (
                f"HF_HUB_OFFLINE is set, and the cache {cache!r} does not hold it; unset HF_HUB_OFFLINE, "
                f"or give a folder with a {TOKENIZER}"
            )
        host = urlsplit(self._constants.ENDPOINT).hostname
        return (
            f"{host} cannot be reached ({_in_words(unreached)}), and the cache {cache!r} does not hold it; check the "
            f"network, or give a folder with a {TOKENIZER} (HF_HUB_OFFLINE=1 asks the cache alone)"
        )


def _status_of(error: Exception) -> int:
    return int(getattr(getattr(error, "response", None), "status_code", 0))


def _http_words(status: int) -> str | None:
    """Return the words for an answer of the hub with ``status``; ``None`` where it is as good as no answer."""
    if status == 401:
        return "the hub does not accept the token; set HF_TOKEN to a valid one, or unset it for a public repository"
    if status == 403:
        return "the token gives no access to it; set HF_TOKEN to one that does"
    if status == 429:
        return "the hub says that too much was asked of it; wait, or set HF_TOKEN"
    return None if status >= 500 else f"the hub answers with status {status}; check the name, or give a folder"


def _in_words(error: Exception) -> str:
    """Return ``error`` on one line; a token that stands in it is left out."""
    text = re.sub(r"Bearer [^\s'\"]+", "Bearer …", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _listed(files: Sequence[str]) -> str:
    more = f" and {len(files) - LISTED} more" if len(files) > LISTED else ""
    return ", ".join(files[:LISTED]) + more


@contextmanager
def quiet_hub() -> Iterator[None]:
    """Keep ``huggingface_hub`` from logging while the block runs, where nobody watches: its errors are told here.

    Its bars show on a terminal alone, and so does what it says of attempts that fail.
    """
    if sys.stderr.isatty():
        yield
        return
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
